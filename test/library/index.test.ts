/** The library answers as the command line does, refuses what it does not know, and ends what it began. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOffered, isSocraticodeError, open, questions } from '../../src/library/index.js';
import { questionNamed } from '../../src/questions/asker.js';
import { loadQuestions } from '../../src/questions/table.js';
import { ROOT } from '../house/root.js';
import { cliJson } from '../support/processes/cli.js';
import { createRepo, makeDirectory } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';

const { libraryTypes } = await import(new URL('reference/library-types.mjs', ROOT).href);
const { loadModules } = await import(new URL('reference/program.mjs', ROOT).href);

const isError = (code: string, words: RegExp) => (error: unknown) =>
  isSocraticodeError(error) && error.code === code && words.test(`${error.message} ${error.hint}`);

/** Without what differs from run to run. */
const settled = (document: object) =>
  JSON.parse(JSON.stringify(document, (key, value) => (/ms$|seconds$|At$/i.test(key) ? undefined : value)));

test('a repository that was opened in any folder of it answers each question as --json does', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  const repository = await open(`${repo.dir}/src`);
  try {
    assert.equal(repository.root, repo.dir);
    // The first two at once: both find that there is no index yet.
    const [found, symbol] = await Promise.all([
      repository.ask('search', { query: 'remember a token', path: ['src/**'] }),
      repository.ask('graph symbol', { names: ['loadSessions'] }),
    ]);
    assert.deepEqual(
      settled(found),
      settled(await cliJson(['search', 'remember a token', '-g', 'src/**'], { cwd: repo.dir })),
    );
    assert.deepEqual(settled(symbol), settled(await cliJson(['graph', 'symbol', 'loadSessions'], { cwd: repo.dir })));
    const grep = await repository.ask('grep', { pattern: 'parcel', limit: 2 });
    assert.deepEqual(settled(grep), settled(await cliJson(['grep', '--limit', '2', 'parcel'], { cwd: repo.dir })));
    repo.write({ 'src/late.ts': 'export const zebra = 1;\n' });
    const late = (await repository.ask('search', { query: 'zebra' })) as { results: { path: string }[] };
    assert.equal(late.results[0].path, 'src/late.ts');
  } finally {
    repository.close();
  }
});

test('a question asked many times leaves nothing behind that Node would warn of', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  const repository = await open(repo.dir);
  const warnings: string[] = [];
  const warned = ({ message }: Error) => void warnings.push(message);
  process.on('warning', warned);
  try {
    for (let i = 0; i < 12; i++) await repository.ask('grep', { pattern: 'parcel' });
    // Node gives warnings in a later turn.
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(warnings, []);
  } finally {
    process.off('warning', warned);
    repository.close();
  }
});

test('settings of the program come before those of the repository', async () => {
  const repo = createRepo();
  repo.commit({ ...PROJECT, '.socraticode.json': '{"search":{"limit":4}}' });
  const repository = await open(repo.dir, { settings: { 'search.limit': 1 } });
  const found = (await repository.ask('search', { query: 'parcel' })) as { results: object[] };
  assert.equal(found.results.length, 1);
  repository.close();
});

test('an unknown question, parameter or value is refused with those that are known', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  const repository = await open(repo.dir);
  await assert.rejects(repository.ask('serach'), isError('BAD_ARGUMENT', /"serach"/));
  await assert.rejects(repository.ask('search', { querry: 'x' }), isError('BAD_ARGUMENT', /did you mean query/));
  await assert.rejects(repository.ask('search', { query: 'x', limit: 0 }), isError('BAD_ARGUMENT', /from 1 to/));
  await assert.rejects(repository.ask('search', { query: 'x', stdin: true }), isError('BAD_ARGUMENT', /stdin/));
  const signal = AbortSignal.abort();
  await assert.rejects(repository.ask('search', { query: 'x' }, { signal }), isError('CANCELLED', /cancelled/));
  repository.close();
  await assert.rejects(repository.ask('status'), isError('BAD_ARGUMENT', /closed/));
  await assert.rejects(open(makeDirectory('none')), isError('NOT_A_REPOSITORY', /./));
});

test('every command with a document can be asked, and has types', async () => {
  const names = await questions();
  const commands = (await loadQuestions()).filter(({ command, documents }) => command && Object.keys(documents).length);
  assert.deepEqual(
    commands.filter((each) => !isOffered(each)).map(({ name }) => name),
    ['watch'],
    'only what never ends has no answer',
  );
  const types: string = await libraryTypes(await loadModules(new URL('../../src/', import.meta.url)));
  for (const name of names) {
    assert.ok(types.includes(`\n  "${name}": {\n`), name);
    assert.equal((await questionNamed(name))?.name, name);
  }
  assert.equal(new Set(names).size, names.length);
});
