/** Vectors of the built-in model: there whenever they are needed, made again when they are not, sent nowhere. */
import assert from 'node:assert/strict';
import { chmodSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { setLogLevel } from '../../../src/base/log.js';
import { defaultConfig, SETTINGS } from '../../../src/config/settings.js';
import { openVectors, vectorSource, vectorState } from '../../../src/session/vectors/vectors.js';
import { createLiveSet } from '../../../src/shard/live-set.js';
import type { VectorIndex } from '../../../src/shard/nearest.js';
import { inProcess } from '../../support/in-process/search.js';
import type { TestRepo } from '../../support/repositories/repo.js';
import { manyFiles, PROJECT } from '../../support/repositories/samples.js';
import {
  committed,
  index,
  numbers,
  shardFiles,
  vectorNotes,
  vectorRefs,
} from '../../support/repositories/vectors-repo.js';

const DEFAULTS = defaultConfig(SETTINGS);

setLogLevel('silent');

const files = (repo: TestRepo) => shardFiles(repo, /vectors-\w+-\w+\.bin$/);

/** What a search opens. */
const opened = (repo: TestRepo): Promise<VectorIndex> =>
  inProcess(repo, async ({ session }) => {
    const scope = await session.files();
    const shards = session.shards.openShards(session.shards.readManifest());
    return openVectors(session, DEFAULTS, createLiveSet(shards, scope.catalog.files).live);
  });

test('every shard has vectors, no notes ref is made, and a run with nothing to do touches nothing', async () => {
  const repo = committed(PROJECT);
  const first = await index(repo);
  const { total } = first.vectors;
  assert.deepEqual(numbers(first), { covered: total, total, embedded: total, reused: 0, loaded: 0 });
  repo.commit({ 'src/more.ts': 'export function writeReport(): void {}\n' });
  const second = await index(repo);
  assert.deepEqual(numbers(second), { covered: total + 1, total: total + 1, embedded: 1, reused: total, loaded: 0 });
  assert.deepEqual([files(repo).length, vectorRefs(repo)], [2, []]);
  const state = () =>
    shardFiles(repo, /\.(bin|json)$/).map((path) => [path, statSync(path).mtimeMs, statSync(path).ino]);
  const before = state();
  assert.deepEqual(numbers(await index(repo)), {
    covered: total + 1,
    total: total + 1,
    embedded: 0,
    reused: total + 1,
    loaded: 0,
  });
  assert.deepEqual(state(), before);
});

const DAMAGE: Record<string, (path: string) => void> = {
  gone: (path) => rmSync(path),
  'cut short': (path) => truncateSync(path, 100),
  longer: (path) => writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.alloc(1)])),
};

for (const [name, damage] of Object.entries(DAMAGE)) {
  test(`a vector file that is ${name} is made again by the next index, to the byte`, async () => {
    const repo = committed(PROJECT);
    await index(repo);
    const [path] = files(repo);
    const bytes = readFileSync(path);
    damage(path);
    const { vectors } = await index(repo);
    assert.equal(vectors.embedded, vectors.total);
    assert.ok(readFileSync(path).equals(bytes));
  });
}

test('a search makes what is missing or damaged, also where nothing can be written', async () => {
  const repo = committed(PROJECT);
  await index(repo);
  const [path] = files(repo);
  const bytes = readFileSync(path);
  const flipped = Buffer.from(bytes);
  flipped[1_000] ^= 1;
  writeFileSync(path, flipped);
  assert.equal((await opened(repo)).covered, 4);
  assert.ok(readFileSync(path).equals(bytes));
  rmSync(path);
  const directory = path.slice(0, path.lastIndexOf('/'));
  chmodSync(directory, 0o555);
  try {
    const index = await opened(repo);
    assert.deepEqual([index.covered, index.dimensions], [4, 256]);
  } finally {
    chmodSync(directory, 0o755);
  }
});

test('merged shards get their vectors', async () => {
  const repo = committed(manyFiles(1, 'src0'));
  for (let i = 1; i < 10; i++) {
    await index(repo);
    repo.commit({ [`src/more${i}.ts`]: `export function another${i}(): number {\n  return ${i};\n}\n` });
  }
  const { vectors } = await index(repo);
  assert.deepEqual([vectors.covered, vectors.fault], [vectors.total, null]);
});

test('vectors.share always writes them to notes, once', async () => {
  const repo = committed(PROJECT);
  const flags = { 'vectors.share': 'always' };
  await index(repo, flags);
  assert.equal(vectorNotes(repo).size, 4);
  const refs = repo.notesRefs();
  assert.equal((await index(repo, flags)).bytesAdded, 0);
  assert.deepEqual(repo.notesRefs(), refs);
});

test('what the settings say of vectors is known without asking a server', () => {
  const session = { profile: 'abc' };
  const ollama = { ...DEFAULTS.embedder, name: 'ollama' as const };
  const source = vectorSource(session, { embedder: ollama });
  assert.deepEqual(
    [source.embedder, source.model, source.dimensions, source.costly],
    ['ollama', 'nomic-embed-text', 768, true],
  );
  const same = vectorSource(session, {
    embedder: { ...ollama, endpoint: 'http://x', model: 'nomic-embed-text:latest', batch: 9 },
  });
  assert.equal(same.profile, source.profile);
  assert.notEqual(vectorSource({ profile: 'other' }, { embedder: ollama }).profile, source.profile);
  assert.equal(vectorState({ embedder: ollama }, { covered: 2, total: 2 }).reason, null);
  assert.match(
    vectorState({ embedder: ollama }, { covered: 1, total: 1_002 }).reason ?? '',
    /^1 of 1,002 chunks .*; indexing again makes the others$/,
  );
  assert.equal(vectorState(DEFAULTS, { covered: 1, total: 2 }).reason, null);
});
