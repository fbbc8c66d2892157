/** What is not committed is part of answers about what is checked out, and of nothing else. */
import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type SearchResponse, searchResponseSchema } from '../../src/questions/search/question.js';
import { similarResponseSchema } from '../../src/questions/similar/question.js';
import { check } from '../support/check.js';
import { inProcess } from '../support/in-process/search.js';
import { cli, cliJson } from '../support/processes/cli.js';
import { createRepo, makeDirectory, TestRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';
import { pathsOf } from '../support/results.js';

const define = (name: string) => `export function ${name}(): number {\n  return 1;\n}\n`;

function project(options: { objectFormat?: 'sha256' } = {}): TestRepo {
  const repo = createRepo(options);
  repo.commit({ ...PROJECT, 'src/old.ts': define('oldQuokka') });
  return repo;
}

const search = (repo: TestRepo, query: string, options = {}): Promise<SearchResponse> =>
  inProcess(repo, (process) => process.search(query, { mode: 'lexical', ...options }));

/** Where a word stands in what is found, and whether that is committed; null if it does not. */
async function top(repo: TestRepo, word: string, options = {}): Promise<string | null> {
  const { results } = await search(repo, word, options);
  const found = results.find(({ content }) => content?.toLowerCase().includes(word.toLowerCase()));
  return found === undefined ? null : `${found.path}${found.uncommitted ? ' (uncommitted)' : ''}`;
}

const remove = (repo: TestRepo, path: string) => rmSync(join(repo.dir, path), { recursive: true });

test('edits, new and deleted files, renames: as they are now; --committed and refs: as committed', async () => {
  const repo = project();
  repo.write({ 'src/old.ts': define('editedWombat'), 'src/new.ts': define('untrackedEmu'), 'docs/a b.md': '# Kiwi\n' });
  remove(repo, 'lib/depot.py');
  repo.git('mv', 'cmd/main.go', 'cmd/renamed.go');
  assert.equal(await top(repo, 'editedWombat'), 'src/old.ts (uncommitted)');
  assert.equal(await top(repo, 'untrackedEmu'), 'src/new.ts (uncommitted)');
  assert.equal(await top(repo, 'kiwi'), 'docs/a b.md (uncommitted)');
  assert.equal(await top(repo, 'oldQuokka'), null);
  assert.equal(await top(repo, 'nearest_depot'), null);
  assert.equal(await top(repo, 'Route'), 'cmd/renamed.go (uncommitted)');
  assert.equal(await top(repo, 'SessionStore'), 'src/session.ts');
  for (const options of [{ committed: true }, { ref: 'HEAD' }, { ref: 'main' }]) {
    assert.equal(await top(repo, 'oldQuokka', options), 'src/old.ts');
    assert.equal(await top(repo, 'nearest_depot', options), 'lib/depot.py');
    assert.equal(await top(repo, 'editedWombat', options), null);
  }
  const { dirty, overlay, coverage } = check(searchResponseSchema, await search(repo, 'emu'));
  assert.deepEqual([dirty, overlay, coverage], [6, 6, { covered: 6, total: 6 }]);
  const committed = await search(repo, 'emu', { committed: true });
  assert.deepEqual([committed.dirty, committed.overlay, committed.coverage], [6, 0, { covered: 5, total: 5 }]);
  repo.commit();
  assert.equal(await top(repo, 'untrackedEmu'), 'src/new.ts');
});

test('the index alone, a conflict, CRLF and modes: the content of the work tree counts', async () => {
  const repo = project();
  repo.write({ 'src/old.ts': define('stagedWombat') });
  repo.git('add', '-A');
  assert.equal(await top(repo, 'stagedWombat'), 'src/old.ts (uncommitted)');
  repo.write({ 'src/old.ts': define('oldQuokka') });
  assert.equal(await top(repo, 'stagedWombat'), null);
  assert.match((await top(repo, 'oldQuokka')) ?? '', /^src\/old\.ts/);
  repo.git('rm', '-q', '--cached', 'src/session.ts');
  assert.match((await top(repo, 'rememberToken')) ?? '', /^src\/session\.ts/);
  repo.git('reset', '-q', '--hard');
  chmodSync(join(repo.dir, 'src/old.ts'), 0o755);
  assert.match((await top(repo, 'oldQuokka')) ?? '', /^src\/old\.ts/);
  repo.write({ 'src/old.ts': define('windowsLines').replaceAll('\n', '\r\n') });
  const { results } = await search(repo, 'windowsLines');
  assert.deepEqual([results[0].startLine, results[0].endLine], [1, 3]);
  repo.commit();
  repo.git('checkout', '-q', '-b', 'side', 'HEAD~1');
  repo.commit({ 'src/old.ts': define('theirsWombat') });
  assert.throws(() => repo.git('merge', '-q', 'main'));
  for (const name of ['theirsWombat', 'windowsLines']) assert.equal(await top(repo, name), 'src/old.ts (uncommitted)');
  assert.deepEqual((await search(repo, 'x')).coverage, { covered: 5, total: 5 });
});

test('symlinks, directories in place of files, pipes and other repositories are not followed', async () => {
  const repo = project();
  const outside = makeDirectory();
  writeFileSync(join(outside, 'old.ts'), define('outsideNumbat'));
  remove(repo, 'src/old.ts');
  symlinkSync(join(outside, 'old.ts'), join(repo.dir, 'src/old.ts'));
  assert.equal(await top(repo, 'outsideNumbat'), null);
  assert.equal(await top(repo, 'oldQuokka'), null);
  // A directory swapped for a symlink, with a file of the same name behind it.
  remove(repo, 'src/old.ts');
  renameSync(join(repo.dir, 'src'), join(outside, 'src'));
  writeFileSync(join(outside, 'src/old.ts'), define('outsideNumbat'));
  symlinkSync(join(outside, 'src'), join(repo.dir, 'src'));
  assert.equal(await top(repo, 'outsideNumbat'), null);
  assert.equal(await top(repo, 'rememberToken'), null);
  rmSync(join(repo.dir, 'src'));
  repo.git('checkout', '-q', '--', 'src');
  remove(repo, 'src/old.ts');
  repo.write({ 'src/old.ts/inside.ts': define('insideNumbat') });
  assert.equal(await top(repo, 'insideNumbat'), 'src/old.ts/inside.ts (uncommitted)');
  mkdirSync(join(repo.dir, 'nested'));
  createRepo({ directory: join(repo.dir, 'nested') }).commit({ 'a.ts': define('nestedNumbat') });
  assert.equal(await top(repo, 'nestedNumbat'), null);
});

test('ignored, excluded, secret, binary and too large files stay out, also uncommitted', async () => {
  const repo = project();
  repo.write({
    '.gitignore': 'ignored.ts\n',
    '.socraticodeignore': 'left/\n',
    '.socraticode.json': '{ "exclude": ["out.ts"], "maxFileBytes": 2048 }\n',
    ...{ 'ignored.ts': define('hiddenBilby'), 'left/a.ts': define('hiddenBilby'), 'out.ts': define('hiddenBilby') },
    ...{ '.env': 'TOKEN=hiddenBilby\n', id_rsa: 'hiddenBilby\n', 'node_modules/a/index.js': define('hiddenBilby') },
    'key.ts': '-----BEGIN PRIVATE KEY-----\nhiddenBilby\n',
    'nul.ts': 'hiddenBilby\0',
    'large.ts': `${define('hiddenBilby')}// ${'x'.repeat(3_000)}\n`,
    'shown.ts': define('shownBilby'),
  });
  assert.equal(await top(repo, 'hiddenBilby'), null);
  assert.equal(await top(repo, 'shownBilby'), 'shown.ts (uncommitted)');
  const { dirty, overlay } = await search(repo, 'shownBilby');
  assert.equal(dirty - overlay, 1, 'the large file is no part of the answer');
  const names = readdirSync(repo.state, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.includes('overlay-'),
  );
  assert.ok(names.some((name) => name.endsWith('.bin')));
  for (const name of names.filter((name) => /\.(?:bin|json)$/.test(name))) {
    const text = readFileSync(join(repo.state, name), 'latin1');
    assert.ok(!text.includes('hiddenbilby') && !text.includes('id_rsa'), name);
  }
});

test('nothing is written to the object store, to refs or to notes', async () => {
  const repo = project();
  await search(repo, 'quokka');
  const state = () => [repo.git('count-objects', '-v'), repo.git('for-each-ref'), repo.git('status', '--porcelain')];
  repo.write({ 'src/old.ts': define('editedWombat'), 'src/new.ts': define('untrackedEmu') });
  const before = state();
  assert.equal(await top(repo, 'untrackedEmu'), 'src/new.ts (uncommitted)');
  assert.deepEqual(state(), before);
});

for (const format of ['sha1', 'sha256'] as const) {
  test(`linked work trees have what is uncommitted to themselves (${format})`, async () => {
    const repo = project(format === 'sha256' ? { objectFormat: 'sha256' } : {});
    const linked = new TestRepo(join(makeDirectory(), 'linked'));
    repo.git('worktree', 'add', '-q', '-b', 'other', linked.dir);
    repo.write({ 'src/old.ts': define('mainWombat') });
    linked.write({ 'src/old.ts': define('linkedWombat') });
    for (let i = 0; i < 2; i++) {
      assert.equal(await top(repo, 'mainWombat'), 'src/old.ts (uncommitted)');
      assert.equal(await top(repo, 'linkedWombat'), null);
      assert.equal(await top(linked, 'linkedWombat'), 'src/old.ts (uncommitted)');
      assert.equal(await top(linked, 'mainWombat'), null);
    }
    const overlays = () =>
      readdirSync(repo.state, { recursive: true, encoding: 'utf8' }).filter((name) => /overlay-[^/]+$/.test(name));
    assert.equal(overlays().length, 2);
    repo.git('worktree', 'remove', '--force', linked.dir);
    rmSync(
      join(
        repo.state,
        overlays().find((name) => readFileSync(join(repo.state, name, 'worktree'), 'utf8') === repo.commonDir) ?? '',
      ),
      { recursive: true },
    );
    await search(repo, 'x');
    assert.equal(overlays().length, 1);
  });
}

test('before the first commit the work tree is all there is', async () => {
  const repo = createRepo();
  repo.write({ 'src/first.ts': define('firstNumbat') });
  const response = await search(repo, 'firstNumbat');
  assert.deepEqual([response.commit, response.results[0].path, response.dirty], [null, 'src/first.ts', 1]);
  await assert.rejects(search(repo, 'firstNumbat', { committed: true }), /HEAD has no commit yet/);
  repo.commit();
  assert.equal(await top(repo, 'firstNumbat'), 'src/first.ts');
});

test('sparse checkouts: files that are not checked out are as committed', async () => {
  const repo = project();
  repo.git('sparse-checkout', 'set', '--no-cone', '/src/');
  repo.write({ 'src/old.ts': define('sparseWombat') });
  assert.equal(await top(repo, 'nearest_depot'), 'lib/depot.py');
  assert.equal(await top(repo, 'sparseWombat'), 'src/old.ts (uncommitted)');
});

test('similar starts from uncommitted code and finds it', async () => {
  const repo = project();
  repo.write({ 'src/new.ts': PROJECT['src/session.ts'] });
  const args = ['similar', 'src/new.ts:4'];
  const near = check(similarResponseSchema, await cliJson(args, { cwd: repo.dir }));
  assert.deepEqual(near.place && pathsOf(near.place).sort(), ['src/new.ts', 'src/session.ts']);
  assert.equal((await cli([...args, '--committed'], { cwd: repo.dir })).code, 2);
  const text = await cli(['search', 'rememberToken', '--path', 'src/new.ts'], { cwd: repo.dir });
  assert.match(text.stdout, /src\/new\.ts:8 .*\(uncommitted\)/);
  assert.match(text.stdout, /1 uncommitted file included\n$/);
});

test('meaning finds uncommitted code too', async () => {
  const repo = project();
  repo.write({ 'src/mail.ts': '/** Sends an email message to the customer. */\nexport function notify(): void {}\n' });
  const { results, vectors } = await inProcess(repo, (process) =>
    process.search('send an email to a customer', { mode: 'semantic' }),
  );
  assert.ok(results.slice(0, 3).some(({ path, uncommitted }) => path === 'src/mail.ts' && uncommitted));
  assert.equal(vectors?.covered, vectors?.total);
});

test('.gitattributes that are not committed count for every file', async () => {
  const repo = project();
  repo.write({ '.gitattributes': 'src/** linguist-generated\n' });
  const explain = async () => (await search(repo, 'rememberToken', { explain: true })).results[0].score;
  const marked = await explain();
  assert.equal(await explain(), marked);
  remove(repo, '.gitattributes');
  assert.ok((await explain()) > marked);
});
