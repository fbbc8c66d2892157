/** Context artifacts outside of the repository: only what the user allows is looked at, and it stays on this machine. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isSocraticodeError } from '../../../src/base/errors.js';
import { ContextArtifacts } from '../../../src/questions/context/artifacts.js';
import { contextListSchema } from '../../../src/questions/context/question.js';
import { check } from '../../support/check.js';
import { inProcess, type Process } from '../../support/in-process/search.js';
import { createRepo, makeDirectory, type TestRepo } from '../../support/repositories/repo.js';

const FILE = '.socraticodecontextartifacts.json';
const artifacts = (paths: Record<string, string>) =>
  JSON.stringify({ artifacts: Object.entries(paths).map(([name, path]) => ({ name, path, description: name })) });

/** Asks in a process of its own, with directories that the user allows. */
const ask = <T>(
  repo: TestRepo,
  allow: readonly string[],
  work: (context: ContextArtifacts, process: Process) => Promise<T>,
): Promise<T> =>
  inProcess(repo, (process) => work(new ContextArtifacts(process.session), process), {
    'context.allow': allow,
  });

function write(directory: string, files: Record<string, string | Uint8Array>): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(directory, path, '..'), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  return directory;
}

function repoWith(paths: Record<string, string>): TestRepo {
  const repo = createRepo();
  repo.commit({ [FILE]: artifacts(paths), 'src/a.ts': 'export function overdueEmu(): number {\n  return 1;\n}\n' });
  return repo;
}

const stores = (repo: TestRepo): string[] =>
  readdirSync(repo.state, { recursive: true, encoding: 'utf8' }).filter((name) => /context-[0-9a-f]{16}$/.test(name));

test('without consent nothing is looked at: absolute, relative, through a link, there or not', async () => {
  const elsewhere = write(makeDirectory('elsewhere'), { 'secret-plans.md': '# Overdue wombat\n' });
  const repo = repoWith({
    ...{ abs: elsewhere, file: join(elsewhere, 'secret-plans.md'), gone: join(elsewhere, 'no-such') },
    ...{ etc: '/etc', share: '//etc/hostname', drive: 'C:/Users', up: '../..', link: 'link', below: 'link/x.md' },
  });
  symlinkSync(elsewhere, join(repo.dir, 'link'));
  repo.commit();
  await ask(repo, [], async (context) => {
    const { list } = check(contextListSchema, await context.list()).artifacts;
    for (const { name, outside, state, files, oid, note } of list) {
      const isInside = name === 'link' || name === 'below';
      assert.deepEqual([name, outside, state], [name, !isInside, isInside ? 'missing' : 'not-allowed']);
      assert.deepEqual([files, isInside ? null : oid], [0, null]);
      if (!isInside)
        assert.match(note ?? '', /only the user may allow it.*git config --global --add socraticode\.context\.allow/);
    }
    const answer = await context.search({ query: 'overdue wombat plans' });
    assert.deepEqual([answer.results, answer.artifacts, answer.unavailableTotal], [[], 0, list.length]);
    assert.equal(answer.unavailable.length, 5);
    for (const { name } of list)
      assert.deepEqual(
        (await context.read(name)).files?.list.filter(({ content }) => content),
        [],
      );
  });
  assert.deepEqual(stores(repo), []);
});

test("a repository's own configuration cannot allow anything", async () => {
  const elsewhere = write(makeDirectory('elsewhere'), { 'a.md': '# Wombat\n' });
  const repo = repoWith({ abs: elsewhere });
  const isRefused = (error: unknown) =>
    isSocraticodeError(error, 'BAD_CONFIG') && /context\.allow cannot be set by a repository/.test(error.message);
  repo.git('config', 'socraticode.context.allow', elsewhere);
  await assert.rejects(
    ask(repo, [], (context) => context.list()),
    isRefused,
  );
  repo.git('config', '--unset', 'socraticode.context.allow');
  repo.write({ '.socraticode.json': JSON.stringify({ context: { allow: [elsewhere] } }) });
  await assert.rejects(
    ask(repo, [], (context) => context.list()),
    isRefused,
  );
});

test('what is allowed is searched with the rest, marked, and never part of notes or of plain searches', async () => {
  const specs = write(makeDirectory('specs'), {
    'billing.md': '# Billing\n\nReminders about an overdue wombat go out at night.\n',
    'deep/er/api.yaml': 'paths:\n  /wombats/overdue: {}\n',
    'deep/node_modules/x/index.js': 'overdue wombat\n',
  });
  const repo = repoWith({ specs, code: 'src' });
  await ask(repo, [specs], async (context, process) => {
    const before = (await context.list()).artifacts.list[0];
    assert.deepEqual([before.state, before.files, before.indexed, before.indexedOid], ['partial', 2, 0, null]);
    assert.deepEqual(before.skipped, { builtin: 1 });
    const { results, artifacts: searched } = await context.search({ query: 'overdue', mode: 'lexical' });
    assert.deepEqual(Object.fromEntries(results.map(({ path, artifact }) => [path, artifact])), {
      [join(specs, 'billing.md')]: 'specs',
      [join(specs, 'deep/er/api.yaml')]: 'specs',
      'src/a.ts': 'code',
    });
    assert.equal(searched, 2);
    assert.match(results.find(({ path }) => path.endsWith('billing.md'))?.content ?? '', /go out at night/);
    // By meaning, too, from the built-in model.
    const meaning = await context.search({ query: 'billing reminders', mode: 'semantic', artifacts: ['specs'] });
    assert.equal(meaning.results[0].path, join(specs, 'billing.md'));
    const plain = await process.search('overdue wombat', { mode: 'lexical' });
    assert.ok(plain.results.every(({ path }) => !path.startsWith('/')));
    const after = (await context.list()).artifacts.list[0];
    assert.deepEqual([after.state, after.indexed, after.oid], ['ready', 2, after.indexedOid]);
  });
  const oid = repo.gitInput(
    '# Billing\n\nReminders about an overdue wombat go out at night.\n',
    'hash-object',
    '--stdin',
  );
  assert.ok(!repo.notes().has(oid));
  assert.equal(repo.git('cat-file', '--batch-check', '--batch-all-objects').includes(oid), false);
  assert.equal(stores(repo).length, 1);
});

test('links, secrets, binaries and git directories in an allowed folder stay out', async () => {
  const home = makeDirectory('home');
  const elsewhere = write(makeDirectory('elsewhere'), {
    'plans.md': '# Hidden wombat\n',
    'd/x.md': '# Hidden wombat\n',
  });
  const specs = write(join(home, 'specs'), {
    'a.md': '# Wombat\n',
    '.env': 'WOMBAT=1\n',
    'key.txt': '-----BEGIN RSA PRIVATE KEY-----\nwombat\n',
    'data.txt': Buffer.from([0, 1, 2]),
    'photo.png': 'wombat',
    '.git/config': '[wombat]\n',
    'big.md': `# Wombat\n${'word '.repeat(300_000)}`,
  });
  symlinkSync(join(elsewhere, 'plans.md'), join(specs, 'link.md'));
  symlinkSync(elsewhere, join(specs, 'folder'));
  write(home, { '.ssh/config.txt': 'Host wombat\n' });
  symlinkSync(elsewhere, join(home, 'out'));
  symlinkSync(specs, join(home, 'in'));
  const repo = repoWith({
    ...{ specs, link: join(home, 'out/plans.md'), folder: join(specs, 'folder'), fine: join(home, 'in/a.md') },
    ...{ ssh: join(home, '.ssh'), one: join(home, '.ssh/config.txt'), git: join(specs, '.git/config') },
  });
  await ask(repo, [home], async (context) => {
    await context.index();
    const byName = new Map((await context.list()).artifacts.list.map((artifact) => [artifact.name, artifact]));
    const all = { symlink: 2, secret: 2, binary: 2, 'unsafe-path': 1, 'too-large': 1 };
    assert.deepEqual([byName.get('specs')?.files, byName.get('specs')?.skipped], [1, all]);
    const states = ['link', 'folder', 'git', 'ssh', 'one', 'fine'].map((name) => byName.get(name)?.state);
    assert.deepEqual(states, ['not-allowed', 'not-allowed', 'not-allowed', 'missing', 'missing', 'ready']);
    assert.deepEqual(byName.get('ssh')?.skipped, { secret: 1 });
    assert.equal(byName.get('fine')?.oid, repo.gitInput('# Wombat\n', 'hash-object', '--stdin'));
    const { results } = await context.search({ query: 'wombat hidden host', mode: 'lexical' });
    assert.deepEqual(
      results.map(({ path }) => path),
      [join(specs, 'a.md')],
    );
  });
});

test('a change outside is seen and searched at once; what is gone is gone; nothing is parsed twice', async () => {
  const specs = write(makeDirectory('specs'), { 'a.md': '# Wombat\n', 'b.md': '# Quokka\n' });
  const repo = repoWith({ specs });
  const found = async (context: ContextArtifacts, query: string) =>
    (await context.search({ query, mode: 'lexical' })).results.map(({ path }) => path);
  await ask(repo, [specs], async (context) => {
    assert.equal((await context.index()).outside.new, 2);
    assert.equal((await context.index()).outside.new, 0);
    write(specs, { 'a.md': '# Platypus\n' });
    rmSync(join(specs, 'b.md'));
    const [stale] = (await context.list()).artifacts.list;
    assert.deepEqual([stale.state, stale.files, stale.indexed], ['stale', 1, 0]);
    assert.notEqual(stale.oid, stale.indexedOid);
    assert.deepEqual(await found(context, 'platypus'), [join(specs, 'a.md')]);
    assert.deepEqual([await found(context, 'wombat'), await found(context, 'quokka')], [[], []]);
  });
  await ask(repo, [specs], async (context) => {
    assert.equal((await context.list()).artifacts.list[0].state, 'ready');
    assert.equal((await context.index()).outside.new, 0);
  });
  // Consent that is taken back counts at once.
  await ask(repo, [], async (context) => {
    assert.deepEqual(await found(context, 'platypus'), []);
    assert.equal((await context.list()).artifacts.list[0].state, 'not-allowed');
  });
  await ask(repo, [specs], async (context) => {
    const { removed, bytes, kept } = await context.remove();
    assert.deepEqual([removed, bytes > 0, kept], [1, true, []]);
    assert.equal((await context.list()).artifacts.list[0].indexedOid, null);
    assert.equal((await context.remove()).removed, 0);
  });
  assert.ok(existsSync(join(specs, 'a.md')));
  assert.deepEqual(stores(repo), []);
});

test('folders without end are read in part, and the list says so; so are too many artifacts', async () => {
  const huge = makeDirectory('huge');
  for (let i = 0; i < 2_050; i++) writeFileSync(join(huge, `f${i}.md`), '# Emu\n');
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`n${i}`, join(huge, `f${i}.md`)]));
  const repo = repoWith({ huge, ...many });
  await ask(repo, [huge], async (context) => {
    const { list } = (await context.list()).artifacts;
    assert.deepEqual([list[0].files, list[0].skipped], [2_000, { 'beyond-limits': 50 }]);
    const refused = list.filter(({ state }) => state === 'not-allowed');
    assert.deepEqual([refused.length, refused[0].note], [5, 'at most 16 artifacts may lie outside of the repository']);
  });
});

test('a damaged or forged store is made anew, and a link in its place is not followed', async () => {
  const specs = write(makeDirectory('specs'), { 'a.md': '# Wombat\n' });
  const repo = repoWith({ specs });
  await ask(repo, [specs], (context) => context.index());
  const [store] = stores(repo).map((name) => join(repo.state, name));
  for (const name of readdirSync(store)) writeFileSync(join(store, name), 'forged');
  await ask(repo, [specs], async (context) => {
    assert.equal((await context.list()).artifacts.list[0].state, 'partial');
    assert.equal((await context.search({ query: 'wombat' })).results.length, 1);
  });
  const victim = write(makeDirectory('victim'), { 'precious.txt': 'x' });
  rmSync(store, { recursive: true });
  symlinkSync(victim, store);
  await ask(repo, [specs], async (context) => {
    assert.equal((await context.search({ query: 'wombat' })).results.length, 1);
    assert.equal((await context.remove()).removed, 0);
  });
  assert.deepEqual(readdirSync(victim), ['precious.txt']);
});
