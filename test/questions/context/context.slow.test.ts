/** Context artifacts inside the repository: part of the snapshot, searched alone or along with code. */
import assert from 'node:assert/strict';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isSocraticodeError } from '../../../src/base/errors.js';
import { readValues } from '../../../src/params/read.js';
import { answerSearch } from '../../../src/questions/context/answer.js';
import { ContextArtifacts } from '../../../src/questions/context/artifacts.js';
import {
  contextListSchema,
  contextSearchResponseSchema,
  type SearchValues,
  searchParams,
} from '../../../src/questions/context/question.js';
import { Session } from '../../../src/session/session.js';
import { check } from '../../support/check.js';
import { askerOf } from '../../support/in-process/asker.js';
import { inProcess, type Process } from '../../support/in-process/search.js';
import { createRepo, type TestRepo } from '../../support/repositories/repo.js';

const FILE = '.socraticodecontextartifacts.json';
const artifacts = (...list: [name: string, path: string][]) =>
  JSON.stringify({ artifacts: list.map(([name, path]) => ({ name, path, description: `about ${name}` })) });

const ask = <T>(repo: TestRepo, work: (context: ContextArtifacts, process: Process) => Promise<T>): Promise<T> =>
  inProcess(repo, (process) => work(new ContextArtifacts(process.session), process));

/** Everything that leaves files out by name leaves these out. */
function shop(): TestRepo {
  const repo = createRepo();
  repo.commit({
    [FILE]: artifacts(
      ['db', 'db/schema.sql'],
      ['adr', './docs/adr/'],
      ['api', 'vendor/openapi'],
      ['lock', 'yarn.lock'],
    ),
    '.socraticode.json': '{"exclude": ["*.sql", "docs/**"]}',
    '.socraticodeignore': 'vendor/openapi/\n',
    'db/schema.sql': 'CREATE TABLE invoice (\n  id BIGINT,\n  overdue BOOLEAN\n);\n',
    'db/other.sql': 'CREATE TABLE overdue_other (id BIGINT);\n',
    'docs/adr/1.md': '# Overdue invoices\n\nReminders go out at night.\n',
    'docs/adr/deep/2.md': '# Currency\n\nAmounts are integers.\n',
    'docs/guide.md': '# Overdue guide\n',
    'vendor/openapi/api.yaml': 'paths:\n  /invoices/overdue:\n    get: {}\n',
    'yarn.lock': 'overdue-lock@1.0.0:\n  version "1.0.0"\n',
    'src/invoice.ts': 'export function overdueInvoices(): number {\n  return 1;\n}\n',
  });
  return repo;
}

test('artifacts are searched along with code although settings leave them out, and say which they are', async () => {
  const repo = shop();
  await ask(repo, async (_, process) => {
    const { results, coverage } = await process.search('overdue', { mode: 'lexical' });
    const found = Object.fromEntries(results.map(({ path, artifact }) => [path, artifact]));
    assert.deepEqual(found, {
      'src/invoice.ts': undefined,
      'db/schema.sql': 'db',
      'docs/adr/1.md': 'adr',
      'vendor/openapi/api.yaml': 'api',
      'yarn.lock': 'lock',
    });
    // The two dot files of settings and one more decision among them.
    assert.equal(coverage.covered, coverage.total);
  });
});

test('searched alone: all of them, or the one that is named', async () => {
  const repo = shop();
  await ask(repo, async (context) => {
    const all = check(contextSearchResponseSchema, await context.search({ query: 'overdue', mode: 'lexical' }));
    assert.deepEqual(all.results.map(({ artifact }) => artifact).sort(), ['adr', 'api', 'db', 'lock']);
    assert.deepEqual([all.artifacts, all.unavailable, all.unavailableTotal], [4, [], 0]);
    const one = await context.search({ query: 'overdue invoice', artifacts: ['adr'], limit: 5 });
    assert.deepEqual([...new Set(one.results.map(({ artifact }) => artifact))], ['adr']);
    const best = await context.search({ query: 'overdue invoice', minScore: 1, mode: 'lexical' });
    assert.equal(best.results.length, 1);
    const unknown = context.search({ query: 'x', artifacts: ['nope'] });
    await assert.rejects(
      unknown,
      (error) => isSocraticodeError(error, 'BAD_ARGUMENT') && /db, adr, api/.test(error.hint),
    );
    const fields = [{ key: 'minScore', name: 'minScore', label: 'minScore', param: searchParams.minScore }];
    assert.throws(() => readValues({ minScore: 2 }, { fields, hint: '' }), /from 0 to 1/);
  });
});

test('the list says what is indexed, and why something is not', async () => {
  const repo = createRepo();
  repo.commit({
    [FILE]: artifacts(['docs', 'docs'], ['gone', 'docs/nothing'], ['secret', 'docs/.env'], ['link', 'link']),
    '.socraticode.json': '{"maxFileBytes": 1024}',
    'docs/a.md': '# One\n\ntext\n',
    'docs/big.md': `# Big\n${'word '.repeat(400)}\n`,
    'docs/picture.png': 'x',
    'docs/data.txt': Buffer.from([1, 0, 2]),
    'docs/lfs.bin.txt': 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n',
    'docs/.env': 'TOKEN=1\n',
    'docs/key.txt': '-----BEGIN RSA PRIVATE KEY-----\nabc\n',
  });
  symlinkSync('/etc/passwd', join(repo.dir, 'link'));
  symlinkSync('/etc', join(repo.dir, 'docs/etc'));
  repo.commit();
  await ask(repo, async (context) => {
    const before = check(contextListSchema, await context.list()).artifacts.list;
    assert.deepEqual(
      before.map(({ name, state }) => [name, state]),
      [
        ['docs', 'partial'],
        ['gone', 'missing'],
        ['secret', 'missing'],
        ['link', 'missing'],
      ],
    );
    assert.equal(before[0].indexed, 0);
    const report = await context.index();
    assert.ok(report.new > 0);
    const [docs, gone, secret, link] = report.artifacts.list;
    assert.deepEqual([docs.state, docs.files, docs.indexed, docs.note], ['ready', 1, 1, null]);
    const skipped = { symlink: 1, secret: 2, binary: 2, 'lfs-pointer': 1, 'too-large': 1 };
    assert.deepEqual(docs.skipped, skipped);
    assert.equal(docs.oid, repo.git('rev-parse', 'HEAD:docs'));
    assert.deepEqual([gone.oid, gone.files, gone.skipped], [null, 0, {}]);
    assert.deepEqual([secret.skipped, link.skipped], [{ secret: 1 }, { symlink: 1 }]);
    const { results, unavailable } = await context.search({ query: 'root daemon TOKEN text', mode: 'lexical' });
    assert.deepEqual(
      results.map(({ path }) => path),
      ['docs/a.md'],
    );
    assert.deepEqual(
      unavailable.map(({ name, state }) => [name, state]),
      [
        ['gone', 'missing'],
        ['secret', 'missing'],
        ['link', 'missing'],
      ],
    );
  });
});

test('a ref answers with its own file and content; the work tree with its uncommitted changes', async () => {
  const repo = shop();
  repo.git('branch', 'old');
  repo.commit({ [FILE]: artifacts(['guide', 'docs/guide.md']), 'docs/guide.md': '# Quokka guide\n' });
  await ask(repo, async (context) => {
    const names = async (ref?: string) => (await context.list({ ref })).artifacts.list.map(({ name }) => name);
    assert.deepEqual(await names(), ['guide']);
    assert.deepEqual(await names('old'), ['db', 'adr', 'api', 'lock']);
    assert.deepEqual(
      (await context.search({ query: 'quokka' })).results.map(({ artifact }) => artifact),
      ['guide'],
    );
    const old = await context.search({ query: 'night reminders', ref: 'old', limit: 1 });
    assert.deepEqual(
      old.results.map(({ path, artifact }) => [path, artifact]),
      [['docs/adr/1.md', 'adr']],
    );
  });
  // Neither the file nor what it names is committed.
  repo.write({ [FILE]: artifacts(['notes', 'notes']), 'notes/a.sql': 'CREATE TABLE wombat (id INT);\n' });
  await ask(repo, async (context) => {
    const [notes] = (await context.list()).artifacts.list;
    assert.deepEqual([notes.state, notes.files, notes.uncommitted, notes.oid], ['ready', 1, 1, null]);
    const [wombat] = (await context.search({ query: 'wombat' })).results;
    assert.deepEqual([wombat.path, wombat.artifact, wombat.uncommitted], ['notes/a.sql', 'notes', true]);
    assert.equal((await context.search({ query: 'quokka', ref: 'HEAD' })).artifacts, 1);
  });
  rmSync(join(repo.dir, FILE));
  await ask(repo, async (context) => {
    assert.deepEqual((await context.list()).artifacts.list, []);
    await assert.rejects(context.search({ query: 'x' }), (error) => isSocraticodeError(error, 'BAD_ARGUMENT'));
  });
});

test('the innermost of nested artifacts names a result; the outer one finds it, too', async () => {
  const repo = createRepo();
  repo.commit({
    [FILE]: artifacts(['all', 'docs'], ['adr', 'docs/adr']),
    'docs/a.md': '# Plain emu\n',
    'docs/adr/b.md': '# Decided emu\n',
    'docs/adrx.md': '# Other emu\n',
  });
  await ask(repo, async (context) => {
    const { results } = await context.search({ query: 'emu', artifacts: ['all'], mode: 'lexical' });
    const found = Object.fromEntries(results.map(({ path, artifact }) => [path, artifact]));
    assert.deepEqual(found, { 'docs/a.md': 'all', 'docs/adr/b.md': 'adr', 'docs/adrx.md': 'all' });
    const inner = await context.search({ query: 'emu', artifacts: ['adr'], mode: 'lexical' });
    assert.deepEqual(
      inner.results.map(({ path }) => path),
      ['docs/adr/b.md'],
    );
  });
});

test('a text that is in an artifact and elsewhere is shown at the place that was asked for', async () => {
  const repo = createRepo();
  const text = '# Twin platypus\n\nThe same words.\n';
  repo.commit({ [FILE]: artifacts(['docs', 'z/docs']), 'a/copy.md': text, 'z/docs/twin.md': text });
  await ask(repo, async (context) => {
    const { results, artifacts: searched } = await context.search({ query: 'platypus', mode: 'lexical' });
    assert.deepEqual(
      results.map(({ path, artifact }) => [path, artifact]),
      [['z/docs/twin.md', 'docs']],
    );
    assert.equal(searched, 1);
  });
});

test('one artifact is read with its text: committed, uncommitted, in parts where there is much', async () => {
  const repo = shop();
  repo.write({ 'docs/adr/3.md': '# Not committed\n', 'docs/adr/1.md': '# Edited\n' });
  await ask(repo, async (context) => {
    const { artifacts: one, files } = check(contextListSchema, await context.read('adr'));
    assert.deepEqual(
      one.list.map(({ name }) => name),
      ['adr'],
    );
    const texts = Object.fromEntries((files?.list ?? []).map(({ path, content }) => [path, content]));
    assert.deepEqual(texts, {
      'docs/adr/deep/2.md': '# Currency\n\nAmounts are integers.\n',
      'docs/adr/1.md': '# Edited\n',
      'docs/adr/3.md': '# Not committed\n',
    });
    const later = await context.read('adr', { from: 2 });
    assert.deepEqual(
      later.files?.list.map(({ content }) => content === undefined),
      [true, true, false],
    );
    const committed = await context.read('adr', { ref: 'HEAD' });
    assert.match(committed.files?.list[0].content ?? '', /Overdue invoices/);
  });
  repo.commit({ [FILE]: artifacts(['log', 'log.txt']), 'log.txt': `${'line of text\n'.repeat(20_000)}` });
  const [log] = (await ask(repo, (context) => context.read('log'))).files?.list ?? [];
  assert.ok((log.content?.length ?? 0) <= 64 * 1024 && log.content?.endsWith('text\n'));
  assert.equal((log.content?.length ?? 0) + (log.contentLeftOut ?? 0), log.bytes);
});

test('the filters that searches share narrow artifacts, as options and as words; those about code are refused', async () => {
  const repo = shop();
  repo.git('commit', '-q', '--allow-empty', '-m', 'x', '--author', 'Ann <ann@example.com>');
  repo.write({ 'docs/adr/1.md': '# Overdue invoices\n\nReminders go out at noon.\n' });
  repo.git('commit', '-q', '-a', '-m', 'noon', '--author', 'Ann <ann@example.com>');
  const session = await Session.open({ directory: repo.dir });
  const found = async (query: string, values: Partial<SearchValues> = {}) => {
    const asked = { query, limit: 10, lines: 8, ...values } as SearchValues;
    return (await answerSearch(askerOf(session), asked)).results.map(({ path }) => path).sort();
  };
  try {
    const all = ['db/schema.sql', 'docs/adr/1.md', 'vendor/openapi/api.yaml', 'yarn.lock'];
    assert.deepEqual(await found('overdue', { minScore: 0 }), all);
    assert.deepEqual(await found('overdue author:ann', { minScore: 0 }), ['docs/adr/1.md']);
    assert.deepEqual(await found('overdue', { minScore: 0, author: 'ann' }), ['docs/adr/1.md']);
    assert.deepEqual(await found('overdue', { minScore: 0, path: ['*.lock', '*.sql'] }), [
      'db/schema.sql',
      'yarn.lock',
    ]);
    assert.deepEqual(await found('overdue is:document', { minScore: 0, is: ['!test'] }), ['docs/adr/1.md']);
    await assert.rejects(found('overdue uses:total'), /about code/);
  } finally {
    session.close();
  }
});

test('before the first commit, and with a broken file', async () => {
  const repo = createRepo();
  repo.write({ [FILE]: artifacts(['docs', 'docs']), 'docs/a.md': '# Numbat\n' });
  await ask(repo, async (context) => {
    const { results } = await context.search({ query: 'numbat' });
    assert.deepEqual(
      results.map(({ artifact }) => artifact),
      ['docs'],
    );
    assert.equal((await context.index()).new, 0);
  });
  writeFileSync(join(repo.dir, FILE), '{"artifacts": [{"name": "a"}]}');
  await ask(repo, async (context, process) => {
    const isBad = (error: unknown) => isSocraticodeError(error, 'BAD_CONFIG') && error.message.includes(FILE);
    await assert.rejects(context.list(), isBad);
    // Nothing else needs that file.
    assert.equal((await process.search('numbat')).results[0].path, 'docs/a.md');
    assert.equal((await context.remove()).removed, 0);
  });
});
