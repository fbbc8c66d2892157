/** A provider that is down, and notes that lie: the index of words is complete, and nothing good is lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setLogLevel } from '../../../src/base/log.js';
import type { VectorRecord } from '../../../src/record/format.js';
import { decodeVectorRecord, encodeVectorRecord } from '../../../src/record/vector-codec.js';
import { IMPLICIT_CHUNKS } from '../../../src/session/indexing/index-vectors.js';
import { inProcess } from '../../support/in-process/search.js';
import { runGit, type TestRepo } from '../../support/repositories/repo.js';
import { manyFiles, PROJECT } from '../../support/repositories/samples.js';
import {
  committed,
  deadAddress,
  index,
  numbers,
  ollamaAt,
  shardFiles,
  startServer,
  treeOf,
  vectorNotes,
  vectorRefs,
} from '../../support/repositories/vectors-repo.js';
import type { EmbeddingServer } from '../../support/servers/embedding-server.js';

setLogLevel('silent');

/** What a run without any fault leaves in the notes. */
async function cleanTree(repo: TestRepo, server: EmbeddingServer): Promise<string> {
  const clean = committed({});
  runGit(['fetch', '-q', repo.dir, 'main'], { cwd: clean.dir });
  clean.git('reset', '-q', '--hard', 'FETCH_HEAD');
  await index(clean, ollamaAt(server.url));
  return treeOf(clean);
}

async function assertWordsAreFound(repo: TestRepo): Promise<void> {
  const found = await inProcess(repo, (process) => process.search('rememberToken', { mode: 'lexical' }));
  assert.equal(found.results[0].path, 'src/session.ts');
}

test('down from the start: words are indexed, the report says why, a later run makes the vectors', async (t) => {
  const server = await startServer(t);
  const repo = committed(PROJECT);
  const report = await index(repo, ollamaAt(await deadAddress()));
  const { fault, covered, total } = report.vectors;
  assert.deepEqual([fault?.code, covered, total, report.files], ['EMBEDDER_UNREACHABLE', 0, report.chunks, 4]);
  assert.match(fault?.hint ?? '', /ollama serve/);
  assert.deepEqual(vectorRefs(repo), []);
  await assertWordsAreFound(repo);
  const later = await index(repo, ollamaAt(server.url));
  assert.deepEqual([later.vectors.covered, later.vectors.fault], [total, null]);
  assert.equal(treeOf(repo), await cleanTree(repo, server));
});

test('down in the middle: what was done is kept, the next run does the rest', async (t) => {
  const server = await startServer(t);
  const repo = committed({ ...PROJECT, ...manyFiles(30) });
  const flags = ollamaAt(server.url, { 'embedder.batch': 4, 'embedder.concurrency': 1 });
  const broken: number[] = [];
  const { requests } = server;
  const push = requests.push.bind(requests);
  requests.push = (...more) => {
    broken.push(1);
    if (broken.length === 6) server.fail('/api/embed', { kind: 'status', status: 400, error: 'no more' }, 50);
    return push(...more);
  };
  const report = await index(repo, flags);
  assert.notEqual(report.vectors.fault, null);
  const { covered, total } = report.vectors;
  assert.ok(covered > 0 && covered < total, `${covered} of ${total}`);
  assert.ok(vectorNotes(repo).size > 0);
  assert.equal(shardFiles(repo, /vectors-\w+-\w+\.bin$/).length, 1);
  const other = await startServer(t);
  const later = await index(repo, { ...flags, 'embedder.endpoint': other.url });
  assert.deepEqual(numbers(later).covered, total);
  assert.equal(other.inputs.flat().length, later.vectors.embedded);
  assert.ok(later.vectors.embedded <= total - covered);
  assert.equal(treeOf(repo), await cleanTree(repo, other));
});

test('interrupted: the same', async (t) => {
  const server = await startServer(t);
  const repo = committed({ ...PROJECT, ...manyFiles(10) });
  const flags = ollamaAt(server.url, { 'embedder.batch': 4, 'embedder.concurrency': 1 });
  const { arrivals, release } = server.hold(1);
  const cancel = new AbortController();
  const running = index(repo, flags, { signal: cancel.signal });
  await arrivals;
  cancel.abort();
  const report = await running;
  release();
  assert.equal(report.vectors.fault?.code, 'CANCELLED');
  await assertWordsAreFound(repo);
  const later = await index(repo, flags);
  assert.deepEqual([later.vectors.covered, later.vectors.fault], [later.vectors.total, null]);
});

test('an embedder on another machine without consent: nothing is sent, words are indexed', async () => {
  const repo = committed(PROJECT);
  const report = await index(repo, ollamaAt('http://192.0.2.1:11434'));
  assert.deepEqual([report.vectors.fault?.code, report.files], ['EMBEDDER_REFUSED', 4]);
});

type Forge = (record: VectorRecord) => VectorRecord | Uint8Array;
const halved = ({ languages }: VectorRecord): VectorRecord => ({
  dimensions: 384,
  languages: Object.fromEntries(
    Object.entries(languages).map(([language, { hashes, rows }]) => {
      const half = new Int8Array(rows.length / 2).fill(127);
      return [language, { hashes, rows: half }];
    }),
  ),
});
const FORGERIES: Record<string, Forge> = {
  'other dimensions': halved,
  'hashes of other texts': (record) => {
    for (const { hashes } of Object.values(record.languages)) hashes[0] ^= 1;
    return record;
  },
  'too few rows': (record) => ({
    ...record,
    languages: Object.fromEntries(
      Object.keys(record.languages).map((language) => [
        language,
        { hashes: new Uint8Array(0), rows: new Int8Array(0) },
      ]),
    ),
  }),
  'damaged bytes': () => Buffer.from('no record at all'),
};

/** Replaces every note with what `forge` makes of it. */
function forgeNotes(repo: TestRepo, ref: string, forge: Forge): void {
  for (const [oid, note] of vectorNotes(repo, ref)) {
    const decoded = decodeVectorRecord(runGit(['cat-file', 'blob', note], { cwd: repo.dir }), oid);
    assert.ok(decoded.ok);
    const forged = forge(decoded.record);
    const bytes = forged instanceof Uint8Array ? forged : (encodeVectorRecord(oid, forged) as Uint8Array);
    const blob = repo.blob(bytes);
    const path = `${oid.slice(0, 2)}/${oid.slice(2, 4)}/${oid.slice(4)}`;
    const env = { GIT_INDEX_FILE: `${repo.dir}.index` };
    runGit(['read-tree', ref], { cwd: repo.dir, env });
    runGit(['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`], { cwd: repo.dir, env });
    const tree = runGit(['write-tree'], { cwd: repo.dir, env }).toString().trim();
    repo.commitTree(tree, ref);
  }
}

for (const [name, forge] of Object.entries(FORGERIES)) {
  test(`fetched notes with ${name} are ignored and made again`, async (t) => {
    const server = await startServer(t);
    const origin = committed(PROJECT);
    const first = await index(origin, ollamaAt(server.url));
    const [ref, good] = [vectorRefs(origin)[0], treeOf(origin)];
    forgeNotes(origin, ref, forge);
    assert.notEqual(treeOf(origin), good);
    const victim = committed({});
    runGit(['fetch', '-q', origin.dir, 'main', `+${ref}:${ref}`], { cwd: victim.dir });
    victim.git('reset', '-q', '--hard', 'FETCH_HEAD');
    const report = await index(victim, ollamaAt(server.url));
    assert.deepEqual(numbers(report), { ...numbers(first), reused: 0 });
    assert.equal(treeOf(victim, ref), good);
    assert.equal((await index(victim, ollamaAt(server.url))).bytesAdded, 0);
  });
}

test('a search that has to index asks a provider for little, and leaves much to index', async (t) => {
  const server = await startServer(t);
  const repo = committed({ ...PROJECT, ...manyFiles(IMPLICIT_CHUNKS + 1) });
  const flags = ollamaAt(server.url);
  const much = await index(repo, flags, { implicit: true });
  assert.deepEqual([server.requests.length, much.vectors.covered, much.vectors.fault], [0, 0, null]);
  const full = await index(repo, flags);
  repo.commit({ 'src/more.ts': 'export function more(): void {}\n' });
  const little = await index(repo, flags, { implicit: true });
  assert.deepEqual([little.vectors.embedded, little.vectors.covered], [1, full.vectors.covered + 1]);
});
