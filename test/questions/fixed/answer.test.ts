/** `fixed`: branches and tags that have a fix, by content, in real repositories. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { asking } from '../../../fleet/src/ask/asking.js';
import { fleetStore } from '../../../fleet/src/ask/store.js';
import { FleetIntake } from '../../../fleet/src/intake.js';
import { answerFixed, fixedText } from '../../../src/questions/fixed/answer.js';
import { type FixedDocument, fixedSchema } from '../../../src/questions/fixed/question.js';
import { COMMAND_WORDS, plainPen } from '../../../src/questions/pen.js';
import { Session } from '../../../src/session/session.js';
import { PROFILE, sourceFile, uploadOf, viewOf } from '../../fleet/made.js';
import { check } from '../../support/check.js';
import { materialise, type SourceFile } from '../../support/generated/corpus.js';
import { askerOf } from '../../support/in-process/asker.js';
import { cli } from '../../support/in-process/cli.js';
import { createRepo, type TestRepo } from '../../support/repositories/repo.js';
import { MemoryEngine } from '../../support/servers/memory-engine.js';

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

const COPY = `// Taken from the shop.\n${READ.replace('readName', 'nameIn')}\nexport const other = 2;\n`;

test('copies in linked repositories are vulnerable, fixed or unknown, and those not asked are named', async () => {
  const { repo, fix } = shop();
  const link = (name: string, files: Record<string, string>) =>
    createRepo({ directory: join(repo.dir, name) }).commit(files);
  link('old', { 'lib/names.ts': COPY });
  link('new', { 'names.ts': COPY.replace(READ.split('\n')[3], FIXED.split('\n')[3]) });
  link('own', { 'names.ts': COPY.replace('decodeName(first)', 'shorten(first, 100)').replace('nameIn', 'readName') });
  link('far', { 'names.ts': "import { decodeName } from 'names';\nexport const first = decodeName('a');\n" });
  repo.commit({ '.socraticode.json': '{"linkedProjects": ["old", "new", "own", "far", "../private"]}' }, 'links');
  repo.git('tag', 'linked');
  const { linked } = await ask(repo, fix, '--linked');
  assert.deepEqual(
    linked?.copies.list.map(({ project, state, path, line, symbol }) => [project, state, `${path}:${line}`, symbol]),
    [
      ['old', 'vulnerable', 'lib/names.ts:5', 'nameIn'],
      ['own', 'unknown', 'names.ts:2', 'readName'],
      ['new', 'fixed', 'names.ts:3', 'nameIn'],
    ],
  );
  assert.deepEqual(
    linked?.repositories.map(({ path, state, results }) => [path, state, results]),
    [
      ['old', 'searched', 1],
      ['new', 'searched', 1],
      ['own', 'searched', 1],
      ['far', 'searched', 0],
      ['../private', 'not-allowed', 0],
    ],
  );
  const { stdout, code } = await cli(['fixed', fix, '--refs', 'v2', '--linked'], { cwd: repo.dir });
  assert.equal(code, 1);
  assert.match(stdout, /^the same code in linked repositories\n {2}! old:lib\/names\.ts:5 {2}nameIn {2}vulnerable$/m);
  assert.match(stdout, /^\.\.\/private: not allowed/m);
  assert.equal((await ask(repo, fix)).linked, undefined);
});

/** A made-up file of two methods, the second of which a fix changes. */
const ledger = (path: string, second: readonly string[]): SourceFile => ({
  ...sourceFile(path, 'Ledger', []),
  methods: [
    { name: 'openLedger', words: ['voucher', 'discount', 'balance'] },
    { name: 'bookEntry', words: [...second] },
    { name: 'closeLedger', words: ['total', 'carry', 'forward'] },
  ],
});
const UNCHECKED = ['entry', 'amount', 'booked', 'unchecked'];
const CHECKED = ['entry', 'amount', 'limit', 'verified'];

test('copies in a fleet are found by its search, and where it finds nothing is unknown', async () => {
  const engine = new MemoryEngine(PROFILE);
  const published = {
    'acme/old': ledger('lib/book.ts', UNCHECKED),
    'acme/twin': ledger('lib/book.ts', UNCHECKED),
    'acme/new': ledger('book.ts', CHECKED),
    'acme/far': sourceFile('src/amount.ts', 'Amount', ['entry', 'amount', 'voucher']),
    'acme/shop': ledger('src/ledger.ts', UNCHECKED),
  };
  for (const [name, file] of Object.entries(published)) {
    const view = viewOf([file], { repo: name });
    await new FleetIntake(engine).units({ ...view, units: [uploadOf(file)] });
    await new FleetIntake(engine).view(view);
  }
  const repo = createRepo();
  const text = (words: readonly string[]) => materialise(ledger('src/ledger.ts', words)).bytes.toString();
  repo.commit({ 'src/ledger.ts': text(UNCHECKED) }, 'a ledger');
  const fix = repo.commit({ 'src/ledger.ts': text(CHECKED) }, 'check entries');
  const session = await Session.open({ directory: repo.dir });
  process.env.SOCRATICODE_FLEET_REPO = 'acme/shop';
  const reader = { mayRead: () => true };
  const asked = answerFixed(askerOf(session, { fleet: asking(fleetStore(engine), reader) }), {
    ...{ fix, fleet: true, linked: false, refs: undefined, limit: undefined },
  });
  const found = await asked.finally(() => {
    delete process.env.SOCRATICODE_FLEET_REPO;
    session.close();
  });
  const { copies, searched, unknown } = check(fixedSchema, found).fleet ?? assert.fail();
  const places = copies.list.map(({ project, state, path, line }) => `${state} ${project} ${path}:${line}`);
  assert.deepEqual(places.sort(), [
    'fixed acme/new book.ts:1',
    'vulnerable acme/old lib/book.ts:3',
    'vulnerable acme/twin lib/book.ts:3',
  ]);
  assert.equal(copies.list[2].state, 'fixed');
  assert.deepEqual([searched, unknown], [4, 1]);
  const lines = fixedText(found, { pen: plainPen(COMMAND_WORDS) });
  assert.match(lines, /^ {2}! acme\/old:lib\/book\.ts:3 {2}vulnerable$/m);
  assert.match(lines, /^not known: 1 in which nothing was found$/m);
});
