/** What a model wrote about a file counts for it, by its bytes: under any name, at any ref, and not for what it has become. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { SUMMARIES, type SummaryKind, summaryKey } from '../../../src/knowledge/codecs.js';
import { EntryStore } from '../../../src/knowledge/entry.js';
import { profileOf } from '../../../src/session/knowledge/summaries.js';
import type { SearchOptions } from '../../../src/session/search/searcher.js';
import { Session } from '../../../src/session/session.js';
import { inProcess } from '../../support/in-process/search.js';
import { createRepo, type TestRepo } from '../../support/repositories/repo.js';
import { blobOf } from '../../support/repositories/share.js';

const body = (name: string) => `export function ${name}(order) {\n  return order.shipment;\n}\n`;
const AUTHOR = { name: 'A', email: 'a@example.com', by: 'person' as const };

function shop(): TestRepo {
  const repo = createRepo();
  repo.commit({ 'src/alpha.js': body('alpha'), 'src/omega.js': body('omega') }, 'two functions');
  return repo;
}

async function write(repo: TestRepo, object: string, text: string, kind: SummaryKind = 'file'): Promise<void> {
  const session = await Session.open({ directory: repo.dir });
  const store = new EntryStore(session, SUMMARIES, profileOf('ollama:tiny'));
  const key = summaryKey(kind, `${object} ${text}`);
  const entry = { kind, key, model: 'ollama:tiny', text, objects: [object] };
  await store.addAll([{ author: AUTHOR, time: 1, body: entry }], true, 0);
  session.close();
}

/** The feature by path, in the order of the results. */
const said = (repo: TestRepo, options: Partial<SearchOptions> = {}) =>
  inProcess(repo, async (process) => {
    const query = options.query ?? 'shipment of parcels to islands';
    const { results } = await process.search(query, { mode: 'lexical', explain: true, noHistory: true, ...options });
    return results.map(({ path, explain }): [string, number] => [path, explain?.summary ?? 0]);
  });

test('the file that a model described in these words comes first, and moves with its bytes', async () => {
  const repo = shop();
  const before = await said(repo);
  assert.deepEqual(
    before.map(([, score]) => score),
    [0, 0],
  );
  const last = before[1][0];
  await write(repo, blobOf(repo, last), 'Brings parcels to islands by ship.');
  const [[first, score], [, other]] = await said(repo);
  assert.deepEqual([first, other], [last, 0]);
  assert.ok(score > 0);

  repo.git('mv', last, 'src/moved.js');
  repo.commit({});
  assert.equal((await said(repo))[0][0], 'src/moved.js');
  repo.commit({ 'src/moved.js': `${body('moved')}// changed\n` });
  assert.deepEqual(
    (await said(repo)).map(([, now]) => now),
    [0, 0],
    'other bytes than the model has seen',
  );
  assert.equal((await said(repo, { ref: 'HEAD~2' }))[0][0], last);
});

test('a summary that comes later counts from the next search on', async () => {
  const repo = shop();
  await write(repo, blobOf(repo, 'src/alpha.js'), 'Parcels.');
  const [[first]] = await said(repo);
  assert.equal(first, 'src/alpha.js');
  await write(repo, blobOf(repo, 'src/omega.js'), 'Parcels to islands, shipment by shipment.', 'symbol');
  assert.equal((await said(repo))[0][0], 'src/omega.js');
});

test('folders say nothing of single files, and names are found as they are written', async () => {
  const repo = shop();
  await write(repo, blobOf(repo, 'src/omega.js'), 'Parcels to islands.', 'folder');
  assert.deepEqual(
    (await said(repo)).map(([, score]) => score),
    [0, 0],
  );
  await write(repo, blobOf(repo, 'src/omega.js'), 'alpha alpha alpha');
  assert.deepEqual((await said(repo, { query: 'alpha' })).map(([, score]) => score)[0], 0);
});

test('entries that nobody can read are no failure, and a repository without summaries keeps no file of them', async () => {
  const repo = shop();
  const files = () =>
    inProcess(repo, async ({ session: { shards } }) =>
      readdirSync(shards.directory).filter((name) => name.startsWith('summaries-')),
    );
  await said(repo);
  assert.deepEqual(await files(), []);
  const ref = `refs/notes/socraticode/summaries/${profileOf('ollama:tiny')}`;
  repo.git('notes', `--ref=${ref}`, 'add', '-m', 'not an entry', blobOf(repo, 'src/omega.js'));
  assert.deepEqual(
    (await said(repo)).map(([, score]) => score),
    [0, 0],
  );
  assert.equal((await files()).length, 1);
});
