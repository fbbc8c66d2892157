/** Vectors of a provider: embedded once, kept in notes and files, never asked for again. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { setLogLevel } from '../../../src/base/log.js';
import { type ParseOutcome, ParserPool } from '../../../src/indexer/parser-pool.js';
import { cloneRepo, runGit } from '../../support/repositories/repo.js';
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

setLogLevel('silent');

/** No file is parsed in time. */
class SlowPool extends ParserPool {
  override parse(): Promise<ParseOutcome> {
    return Promise.resolve({ failed: 'parse-timeout' });
  }
}

const VECTOR_FILE = /vectors-\w+-\w+\.bin$/;

test('the first run embeds every text once, into a note per blob and a file per shard; the second does nothing', async (t) => {
  const server = await startServer(t);
  const repo = committed({ ...PROJECT, 'copy/depot.py': PROJECT['lib/depot.py'] });
  const flags = ollamaAt(server.url);
  const first = await index(repo, flags);
  const { total } = first.vectors;
  assert.equal(total, first.chunks);
  assert.deepEqual(numbers(first), { covered: total, total, embedded: total, reused: 0, loaded: 0 });
  assert.deepEqual([first.vectors.dimensions, first.vectors.fault], [768, null]);
  assert.deepEqual([vectorNotes(repo).size, shardFiles(repo, VECTOR_FILE).length], [4, 1]);
  assert.equal(server.inputs.flat().length, total);
  assert.equal(repo.fsck(), '');
  const requests = server.requests.length;
  const second = await index(repo, flags);
  assert.deepEqual(numbers(second), { covered: total, total, embedded: 0, reused: total, loaded: 0 });
  assert.equal(second.bytesAdded, 0);
  assert.equal(server.requests.length, requests);
});

test('an embedded text names the definitions around it, and never the path', async (t) => {
  const server = await startServer(t);
  await index(committed(PROJECT), ollamaAt(server.url));
  const texts = server.inputs.flat();
  assert.ok(texts.some((text) => text.startsWith('search_document: SessionStore\n')));
  assert.ok(texts.every((text) => !text.includes('session.ts') && !text.includes('depot.py')));
});

test('an edited function is embedded again, its neighbours and moved files are not', async (t) => {
  const server = await startServer(t);
  const functions = Array.from(
    { length: 6 },
    (_, i) => `export function step${i}(): string {\n  return '${'word '.repeat(150)}';\n}\n`,
  );
  const repo = committed({ 'a.ts': functions.join('\n'), ...PROJECT });
  const flags = ollamaAt(server.url);
  const { vectors } = await index(repo, flags);
  repo.commit({ 'a.ts': functions.join('\n').replace('function step3', 'function changed3') });
  const edited = await index(repo, flags);
  assert.deepEqual(numbers(edited), {
    covered: vectors.total,
    total: vectors.total,
    embedded: 1,
    reused: vectors.total - 1,
    loaded: 0,
  });
  assert.equal(vectorNotes(repo).size, 6);
  repo.git('mv', 'a.ts', 'moved.ts');
  repo.commit();
  const requests = server.requests.length;
  assert.equal((await index(repo, flags)).vectors.embedded, 0);
  assert.equal(server.requests.length, requests);
});

test('equal chunks of different files are embedded once', async (t) => {
  const server = await startServer(t);
  const same = "export function greet(): string {\n  return 'hello';\n}\n";
  const repo = committed({ 'a.ts': same, 'b.ts': `${same}\n`, 'c.ts': `\n${same}` });
  const { vectors } = await index(repo, ollamaAt(server.url));
  assert.equal(vectors.covered, 3);
  assert.equal(vectors.embedded, new Set(server.inputs.flat()).size);
  assert.equal(server.inputs.flat().length, vectors.embedded);
  assert.equal(vectors.embedded + vectors.reused, 3);
});

test('a clone with the notes embeds nothing and makes no request', async (t) => {
  const server = await startServer(t);
  const origin = committed(PROJECT);
  const { vectors } = await index(origin, ollamaAt(server.url));
  const clone = cloneRepo(origin);
  runGit(['fetch', '-q', 'origin', '+refs/notes/socraticode/*:refs/notes/socraticode/*'], { cwd: clone.dir });
  const requests = server.requests.length;
  // Nobody listens there.
  const report = await index(clone, ollamaAt(await deadAddress()));
  assert.deepEqual(numbers(report), {
    covered: vectors.total,
    total: vectors.total,
    embedded: 0,
    reused: 0,
    loaded: vectors.total,
  });
  assert.equal(report.vectors.fault, null);
  assert.equal(server.requests.length, requests);
  assert.equal(treeOf(clone), treeOf(origin));
});

test('lost files come back from notes, lost notes from files', async (t) => {
  const server = await startServer(t);
  const repo = committed(PROJECT);
  const flags = ollamaAt(server.url);
  const { vectors } = await index(repo, flags);
  const [tree, requests] = [treeOf(repo), server.requests.length];
  for (const path of shardFiles(repo, VECTOR_FILE)) rmSync(path);
  assert.equal((await index(repo, flags)).vectors.loaded, vectors.total);
  repo.git('update-ref', '-d', vectorRefs(repo)[0]);
  assert.equal((await index(repo, flags)).vectors.reused, vectors.total);
  assert.deepEqual([treeOf(repo), server.requests.length], [tree, requests]);
});

test('vectors.share never keeps vectors out of notes; sharing them later costs nothing', async (t) => {
  const server = await startServer(t);
  const repo = committed(PROJECT);
  const flags = ollamaAt(server.url);
  const { vectors } = await index(repo, { ...flags, 'vectors.share': 'never' });
  assert.deepEqual([vectors.covered, vectorRefs(repo)], [vectors.total, []]);
  const requests = server.requests.length;
  assert.equal((await index(repo, flags)).vectors.embedded, 0);
  assert.deepEqual([vectorNotes(repo).size, server.requests.length], [4, requests]);
});

test('another model is another profile beside the first; going back costs nothing', async (t) => {
  const server = await startServer(t, { models: { 'nomic-embed-text': {}, embeddinggemma: {} } });
  const repo = committed(PROJECT);
  const flags = ollamaAt(server.url);
  const first = await index(repo, flags);
  const second = await index(repo, { ...flags, 'embedder.model': 'embeddinggemma' });
  assert.notEqual(first.vectors.profile, second.vectors.profile);
  assert.equal(second.vectors.embedded, second.vectors.total);
  assert.deepEqual([vectorRefs(repo).length, shardFiles(repo, VECTOR_FILE).length], [2, 2]);
  const requests = server.requests.length;
  assert.equal((await index(repo, flags)).vectors.reused, first.vectors.total);
  assert.equal(server.requests.length, requests);
});

test('the address of the server is not part of the profile, the request to the model is', async (t) => {
  const server = await startServer(t);
  const repo = committed(PROJECT);
  const first = await index(repo, ollamaAt(server.url));
  const elsewhere = await index(repo, ollamaAt(await deadAddress(), { 'embedder.batch': 7 }));
  assert.deepEqual([elsewhere.vectors.profile, elsewhere.vectors.embedded], [first.vectors.profile, 0]);
  const shorter = await index(repo, ollamaAt(server.url, { 'embedder.dimensions': 256 }));
  assert.notEqual(shorter.vectors.profile, first.vectors.profile);
  assert.equal(shorter.vectors.dimensions, 256);
});

test('a model of unknown size: what a note says of it is checked against an answer', async (t) => {
  const server = await startServer(t, { dimensions: 32, models: { unheard: {} } });
  const repo = committed(PROJECT);
  const flags = ollamaAt(server.url, { 'embedder.model': 'unheard' });
  const first = await index(repo, flags);
  assert.deepEqual([first.vectors.dimensions, first.vectors.covered], [32, first.vectors.total]);
  const clone = cloneRepo(repo);
  runGit(['fetch', '-q', 'origin', '+refs/notes/socraticode/*:refs/notes/socraticode/*'], { cwd: clone.dir });
  clone.commit({ 'new.ts': 'export const brandNew = 1;\n' });
  const wider = await startServer(t, { dimensions: 64, models: { unheard: {} } });
  const second = await index(clone, ollamaAt(wider.url, { 'embedder.model': 'unheard' }));
  assert.deepEqual(
    [second.vectors.dimensions, second.vectors.covered, second.vectors.embedded],
    [64, second.vectors.total, second.vectors.total],
  );
});

test('merged shards keep the vectors of their parts', async (t) => {
  const server = await startServer(t);
  const repo = committed(manyFiles(1, 'src0'));
  const flags = ollamaAt(server.url, { 'vectors.share': 'never' });
  for (let i = 1; i < 12; i++) {
    await index(repo, flags);
    repo.commit(
      Object.fromEntries(Object.entries(manyFiles(1)).map(([path, text]) => [`${i}/${path}`, `${text}// ${i}\n`])),
    );
  }
  const before = server.inputs.flat().length;
  const last = await index(repo, flags);
  const lexical = shardFiles(repo, /lexical-\w+\.bin$/);
  assert.ok(lexical.length > 8, 'parts and the merged shard');
  assert.equal(last.vectors.covered, last.vectors.total);
  // Whatever the shards were, each text was sent once.
  assert.equal(new Set(server.inputs.flat()).size, server.inputs.flat().length);
  assert.ok(server.inputs.flat().length - before <= 2);
});

test('chunks cut by lines for want of a parse get vectors here and no note', async (t) => {
  const server = await startServer(t);
  const repo = committed(PROJECT);
  const flags = ollamaAt(server.url);
  await index(repo, flags);
  repo.commit({ 'slow.py': 'def takes_for_ever():\n    pass\n' });
  const report = await index(repo, flags, { parsers: new SlowPool() });
  assert.deepEqual(report.degraded, { 'parse-timeout': 1 });
  assert.deepEqual([report.vectors.covered, vectorNotes(repo).size], [report.vectors.total, 4]);
  const requests = server.requests.length;
  const again = await index(repo, flags, { parsers: new SlowPool() });
  assert.equal(again.vectors.embedded, 0, 'tried once more, and cut by lines again');
  assert.equal(server.requests.length, requests);
});
