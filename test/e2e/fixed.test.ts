/** `fixed`: branches and tags that have a fix, by content, in real repositories. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FixedDocument, fixedSchema } from '../../src/questions/fixed/question.js';
import { check } from '../support/check.js';
import { cli } from '../support/in-process/cli.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';

const READ = `export function readName(path: string): string {
  const text = loadFile(path);
  const first = text.split(',')[0];
  return decodeName(first);
}
`;
const LIMITS = 'export const Limit = { most: 100 };\nexport function clampTo(n: number): number {\n  return n;\n}\n';
const FIXED = READ.replace('return decodeName(first);', 'return decodeName(first.slice(0, clampTo(first.length)));');

/** `main` has a fix, and branches left it before the fix, after it, and before the file was there. */
function shop(): { repo: TestRepo; fix: string } {
  const repo = createRepo();
  repo.commit({ 'README.md': 'a shop\n', 'src/other.ts': 'export const other = 1;\n' }, 'a shop');
  repo.git('tag', 'v0');
  repo.commit({ 'src/read.ts': READ }, 'reads names');
  repo.git('tag', 'v1');
  repo.git('branch', 'moved');
  repo.git('branch', 'picked');
  repo.git('branch', 'words');
  repo.commit({ 'src/limit.ts': LIMITS }, 'limits');
  repo.git('branch', 'reverted');
  const fix = repo.commit(
    { 'src/read.ts': FIXED, 'test/read.test.ts': "import '../src/read';\n" },
    'read: cut long names',
  );
  repo.git('tag', 'v2');
  return { repo, fix };
}

async function ask(repo: TestRepo, ...args: string[]): Promise<FixedDocument> {
  const { stdout, stderr } = await cli(['fixed', ...args, '--json'], { cwd: repo.dir });
  return check(fixedSchema, JSON.parse(stdout || stderr));
}
const states = ({ refs }: FixedDocument) =>
  Object.fromEntries(
    refs.list.flatMap(({ refs: names, state, how }) => names.map((name) => [name, `${state} ${how}`])),
  );

test('each branch and tag is fixed, vulnerable or never had it, whatever became of the code there', async () => {
  const { repo, fix } = shop();
  repo.git('checkout', '-q', 'moved');
  repo.git('mv', 'src/read.ts', 'src/names.ts');
  repo.commit({}, 'moved');
  repo.git('checkout', '-q', 'picked');
  repo.git('cherry-pick', '-x', fix);
  repo.git('checkout', '-q', 'reverted');
  repo.git('merge', '-q', 'main');
  repo.git('revert', '--no-edit', fix);
  const found = await ask(repo, fix);
  assert.deepEqual(states(found), {
    v0: 'never absent',
    v1: 'vulnerable code',
    words: 'vulnerable code',
    moved: 'vulnerable code',
    reverted: 'vulnerable code',
    main: 'fixed commit',
    v2: 'fixed commit',
    picked: 'fixed content',
  });
  assert.deepEqual([found.files, found.counts.vulnerable], [1, 4]);
  const moved = found.refs.list.find(({ refs }) => refs.includes('moved'));
  assert.deepEqual(moved?.places, [{ path: 'src/names.ts', line: 4, symbol: 'readName' }]);
  const { stdout, code } = await cli(['fixed', fix, '--refs', 'v*'], { cwd: repo.dir });
  assert.equal(code, 1);
  assert.match(stdout, /^1 fixed, 1 vulnerable, 1 never had it, 0 unknown$/m);
  assert.match(
    stdout,
    /^! v1 {2}vulnerable .*\n {4}src\/read\.ts:4 {2}readName\n {4}a backport uses clampTo, absent there$/m,
  );
});

test('a fix in other words is unknown, unless a commit says that it takes the fix over, and none reverts that', async () => {
  const { repo, fix } = shop();
  repo.git('checkout', '-q', 'words');
  const words = READ.replace('decodeName(first)', 'shorten(first)');
  repo.commit({ 'src/read.ts': words }, 'shorten names');
  assert.equal(states(await ask(repo, fix)).words, 'unknown unclear');
  repo.git('commit', '-q', '--amend', '-m', `shorten names\n\n(cherry picked from commit ${fix})`);
  const picked = (await ask(repo, fix)).refs.list.find(({ refs }) => refs.includes('words'));
  assert.deepEqual([picked?.state, picked?.how, picked?.picked], ['fixed', 'picked', repo.git('rev-parse', 'words')]);
  repo.git('revert', '--no-edit', 'HEAD');
  assert.equal(states(await ask(repo, fix)).words, 'vulnerable code');
});

test('a fix of several commits, copies of its code, and what cannot be asked', async () => {
  const { repo, fix } = shop();
  repo.git('checkout', '-q', 'main');
  const twice = READ.replace('const text = loadFile(path);', 'const text = loadUtf8(path, "strict mode");');
  repo.commit({ 'src/copy.ts': READ.replace('readName', 'readAgain') }, 'a copy');
  repo.commit({ 'src/read.ts': twice.replace('return decodeName(first);', 'return decodeAll(first);') }, 'more');
  const { copies, refs } = await ask(repo, 'v1..main');
  assert.equal(states(await ask(repo, 'v1..main')).v1, 'vulnerable code');
  assert.ok(refs.list.every(({ refs: names, state }) => !names.includes('v1') || state === 'vulnerable'));
  assert.deepEqual(
    copies.list.map(({ path, line }) => `${path}:${line}`),
    ['src/copy.ts:2', 'src/copy.ts:4'],
  );
  const { code, stderr } = await cli(['fixed', repo.commit({ 'README.md': 'more\n' }, 'words')], { cwd: repo.dir });
  assert.equal(code, 2);
  assert.match(stderr, /changes nothing but tests, documents and comments/);
  assert.equal((await cli(['fixed', 'nowhere'], { cwd: repo.dir })).code, 2);
  assert.ok(fix);
});
