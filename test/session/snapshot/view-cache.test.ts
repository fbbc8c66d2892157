/** When a cached view may be used: only while nothing can have improved it, or nothing has. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StateFiles } from '../../../src/base/cache.js';
import { createCorpus } from '../../../src/search/build-corpus.js';
import { compact, hasView, localStateOf, readView, writeView } from '../../../src/session/snapshot/view-cache.js';
import { createLiveSet } from '../../../src/shard/live-set.js';
import { buildShard, catalogFile, type SourceFile } from '../../support/generated/corpus.js';
import { makeDirectory } from '../../support/repositories/repo.js';

const FILE: SourceFile = { path: 'a.ts', className: 'Cart', methods: [] };
const KEY = '0'.repeat(24);

test('a view that lacks files is read until another shard or another readable file may complete it', () => {
  const files = new StateFiles(makeDirectory('views'));
  const shard = buildShard([FILE]);
  const { live, entries } = createLiveSet([shard], [catalogFile(FILE)]);
  const corpus = createCorpus(live, entries);
  const state = localStateOf([shard.name], ['unreadable']);
  const isUsed = (localState: string) => {
    const read = readView(files, KEY, { shards: [shard], localState }) !== null;
    assert.equal(hasView(files, KEY, { names: [shard.name], localState }), read);
    return read;
  };
  const [more, readable] = [localStateOf([shard.name, 'another'], ['unreadable']), localStateOf([shard.name], [])];

  writeView(files, KEY, { corpus, extra: null, localState: state });
  assert.deepEqual([state, more, readable].map(isUsed), [true, false, false]);
  // Nothing can improve a whole view.
  writeView(files, KEY, { corpus, extra: null, localState: null });
  assert.deepEqual([state, more, readable].map(isUsed), [true, true, true]);
});

test('a view has the shards that its files use, in the order in which they were, whichever a file needs first', () => {
  const sources = ['c', 'unused', 'a', 'b'].map(
    (name): SourceFile => ({ ...FILE, path: `${name}.ts`, className: name }),
  );
  const shards = sources.map((source) => buildShard([source], source.path));
  const catalog = [2, 3, 0].map((i) => catalogFile(sources[i]));
  const { live } = createLiveSet(shards, catalog);
  assert.deepEqual([...live.files.shard], [2, 3, 0]);
  const { names, files } = compact(live);
  assert.deepEqual(
    names,
    [0, 2, 3].map((i) => shards[i].name),
  );
  assert.deepEqual([...files.shard], [1, 2, 0]);
  assert.deepEqual(
    [0, 1, 2].map((file) => files.oid(file)),
    catalog.map(({ oid }) => oid),
  );
});
