/** `diff` from the command line, over real refs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerDiff } from '../../../src/questions/diff/answer.js';
import { type DiffResponse, diffResponseSchema } from '../../../src/questions/diff/question.js';
import { Session } from '../../../src/session/session.js';
import { check } from '../../support/check.js';
import { cli, cliJson } from '../../support/in-process/cli.js';
import { cloneRepo, createRepo } from '../../support/repositories/repo.js';

const fn = (name: string, body = 'return value * 2 + offset;') =>
  `export function ${name}(value: number, offset: number): number {\n  ${body}\n}\n`;

const repo = createRepo();
repo.commit({
  'src/a.ts': `${fn('keep')}\n${fn('edit')}\n${fn('leave')}\n${fn('drop', 'throw new Error("never");')}`,
  'src/b.ts': fn('host', 'return 1;'),
  'lib/util.ts': `${fn('first')}\n${fn('second')}\n${fn('third')}`,
  'notes.txt': 'one\n',
  '.env': 'SECRET=1\n',
});
repo.git('branch', 'old');
repo.git('mv', 'lib', 'tools');
repo.commit({
  'src/a.ts': `${fn('keep')}\n${fn('edit', 'return value - offset;')}`,
  'src/b.ts': `${fn('host', 'return 1;')}\n${fn('leave')}\n${fn('fresh')}`,
  'notes.txt': 'two\n',
  '.env': 'SECRET=2\n',
});

const options = { cwd: repo.dir };
const diffJson = async (...args: string[]): Promise<DiffResponse> =>
  check(diffResponseSchema, await cliJson(['diff', ...args], options));

test('symbols added, removed, changed and moved; a renamed file takes its symbols along', async () => {
  const response = await diffJson('old', 'main');
  const lines = response.files.map(({ path, status, symbols, oldPath, unchanged }) => [
    `${status} ${path}`,
    ...(oldPath === undefined ? [] : [`was ${oldPath} with ${unchanged}`]),
    ...symbols.map(
      ({ change, symbol, from }) => `${change} ${symbol}${from === undefined ? '' : ` from ${from.path}`}`,
    ),
  ]);
  assert.deepEqual(lines, [
    ['changed src/a.ts', 'changed edit', 'removed drop'],
    ['changed src/b.ts', 'moved leave from src/a.ts', 'added fresh'],
    ['renamed tools/util.ts', 'was lib/util.ts with 3'],
    ['changed notes.txt'],
  ]);
  assert.deepEqual(response.counts.symbols, { added: 1, removed: 1, changed: 1, moved: 1 });
  assert.equal(response.leftOut.skipped, 1, 'a secret file is counted, not named');
  assert.ok(!JSON.stringify(response).includes('.env'));
});

test('one ref is compared with HEAD, ranges are read as git reads them', async () => {
  const strip = ({ from, to, ...rest }: DiffResponse) => ({ ...rest, trees: [from.tree, to.tree] });
  const two = strip(await diffJson('old', 'main'));
  for (const args of [['old'], ['old..main'], ['old..']]) assert.deepEqual(strip(await diffJson(...args)), two);
  const parted = await diffJson('main...old').catch(() => null);
  assert.equal(parted, null, 'old is the merge base: nothing differs, exit code 1');
  const { code, stdout } = await cli(['diff', 'main...old'], options);
  assert.deepEqual([code, /no differences/.test(stdout)], [1, true]);
});

test('text: counts, marks, lines; what is cut is said', async () => {
  const { code, stdout, stderr } = await cli(['diff', 'old'], options);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^old \([0-9a-f]{9}\) to HEAD \([0-9a-f]{9}\)\nfiles: 3 changed, 1 renamed; symbols: /);
  assert.match(stdout, /^~ src\/a\.ts\n {2}~ 5 edit {2}function {2}body\n/m);
  assert.match(stdout, /^ {2}> \d+ leave {2}function {2}from src\/a\.ts:9$/m);
  assert.match(stdout, /^> tools\/util\.ts {2}\(was lib\/util\.ts; 3 symbols moved with it\)$/m);
  const cut = await cli(['diff', 'old', '--limit', '2'], options);
  assert.match(cut.stdout, /not listed: \d+ symbols? in all, \d whole files?/);
  for (const limit of [1, 2, 3, 4, 20]) {
    const { counts, files, leftOut } = await diffJson('old', '--limit', `${limit}`);
    const all = Object.values(counts.symbols).reduce((sum, count) => sum + count, 0);
    const listed = files.reduce((sum, { symbols }) => sum + symbols.length, 0);
    assert.deepEqual([listed + leftOut.symbols, files.length + leftOut.files], [all, 4], `${limit}`);
  }
  const some = await diffJson('old', '--path', 'src/b.ts');
  assert.deepEqual(
    some.files.map(({ path }) => path),
    ['src/b.ts'],
  );
});

test('bad input is exit code 2 with a hint', async () => {
  for (const args of [['no-such'], ['old..no-such'], ['..'], ['a', 'b', 'c'], ['-Sx'], ['old', '--limit', '0'], ['']]) {
    const { code, stdout, stderr } = await cli(['diff', ...args], options);
    assert.deepEqual([code, stdout], [2, ''], args.join(' '));
    assert.doesNotMatch(stderr, /bug in git-socraticode/, args.join(' '));
  }
});

test('hostile names stay visible, links and submodules are counted', async () => {
  const hostile = createRepo();
  hostile.commit({ 'a.ts': fn('a') });
  const oid = hostile.blob(fn('b'));
  const tree = hostile.rawTree([
    { oid, name: '\x1b[2Jx\n.ts' },
    { mode: '120000', oid, name: 'link.ts' },
    { mode: '160000', oid: 'a'.repeat(40), name: 'sub' },
  ]);
  hostile.commitTree(tree, 'refs/heads/evil');
  const { code, stdout } = await cli(['diff', 'main', 'evil'], { cwd: hostile.dir });
  assert.equal(code, 0);
  assert.ok(!stdout.includes('\x1b[2J') && stdout.includes('\\x1b[2Jx\\n.ts'));
  assert.match(stdout, /2 changed files not indexed/);
});

test('a partial clone compares what it has and counts the rest', async () => {
  repo.git('config', 'uploadpack.allowFilter', 'true');
  const clone = cloneRepo(repo, '--filter=blob:none', '--no-checkout');
  const response = check(diffResponseSchema, await cliJson(['diff', 'HEAD~1'], { cwd: clone.dir }));
  assert.ok(response.leftOut.unreadable > 0);
  assert.ok(response.files.every(({ compared }) => !compared));
});

test('code comes first, and of it what others notice most: gone and called differently before new and edited', async () => {
  const made = createRepo();
  const before = {
    '.ci.yml': 'jobs:\n  - test\n',
    'README.md': '# One\n\nText.\n',
    'src/a-edited.ts': fn('edited'),
    'src/b-new.ts': fn('there'),
    'src/c-gone.ts': `${fn('gone', 'throw new Error("never");')}\n${fn('stays')}`,
    'src/hidden.ts': `${fn('own').replace('export ', '')}\n${fn('seen')}`,
    'test/a.test.ts': fn('checks'),
  };
  made.commit(before);
  made.commit({
    '.ci.yml': 'jobs:\n  - build\n',
    'README.md': '# One\n\nOther text.\n',
    'src/a-edited.ts': fn('edited', 'return 2;'),
    'src/b-new.ts': `${fn('there')}\n${fn('brand', 'return 3 * value;')}`,
    'src/c-gone.ts': fn('stays'),
    'src/hidden.ts': `${fn('own', 'return 5;').replace('export ', '')}\n${fn('seen')}`,
    'test/a.test.ts': fn('checks', 'return 4;'),
  });
  const { files } = check(diffResponseSchema, await cliJson<DiffResponse>(['diff', 'HEAD~1'], { cwd: made.dir }));
  assert.deepEqual(
    files.map(({ path }) => path),
    ['src/c-gone.ts', 'src/b-new.ts', 'src/a-edited.ts', 'src/hidden.ts', 'test/a.test.ts', 'README.md', '.ci.yml'],
  );
});

test('a limit counts from the page that is asked for, so that later pages have the files beyond it', async (t) => {
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  const paths = async (skip: number) => {
    const asker = { session, server: { skip } } as unknown as Parameters<typeof answerDiff>[0];
    const { files, leftOut } = await answerDiff(asker, { refs: ['old', 'main'], limit: 1 });
    return [files.length, leftOut.files];
  };
  assert.deepEqual(await paths(0), [1, 3]);
  assert.deepEqual(await paths(1), [2, 2]);
  assert.deepEqual(await paths(3), [4, 0]);
});
