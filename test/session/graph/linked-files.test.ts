import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Graph } from '../../../src/graph/graph.js';
import { linkSnapshot } from '../../../src/graph/link/index.js';
import { LINK_VERSION } from '../../../src/graph/link-input.js';
import { loadImports } from '../../../src/languages/resolver.js';
import { cacheKey, GraphCache } from '../../../src/session/graph/graph-cache.js';
import { readGraph, readLatest, relinkable, writeGraph } from '../../../src/session/graph/linked-files.js';

await loadImports(['typescript']);

const KEY = cacheKey('linked');
const COVERAGE = { covered: 1, total: 1 };
const SURROUNDINGS = { others: ['logo.png'], manifests: [{ path: 'package.json', oid: '1'.repeat(40) }] };

function withCache(use: (cache: GraphCache) => void): void {
  const top = mkdtempSync(join(tmpdir(), 'linked-files-'));
  try {
    const cache = new GraphCache(join(top, 'profile'));
    const files = [{ path: 'a.ts', oid: '2'.repeat(40), language: 'typescript', state: 'none' } as const];
    const input = { files, facts: new Map(), others: new Set<string>(), manifests: new Map() };
    const { tables, memory } = linkSnapshot(input, null);
    const note = { coverage: COVERAGE, state: null };
    writeGraph(cache, { key: KEY, graph: new Graph(tables), note, relinking: { memory, unlinked: SURROUNDINGS } });
    use(cache);
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

test('a graph comes back with what is said about it', () => {
  withCache((cache) => {
    const linked = readGraph(cache, KEY);
    assert.deepEqual(linked?.note, { coverage: COVERAGE, state: null });
    assert.deepEqual(linked && relinkable(cache, linked)?.unlinked, SURROUNDINGS);
  });
});

test('graph files with a malformed note count as absent', () => {
  withCache((cache) => {
    const { content } = cache.read('graph', KEY) ?? assert.fail();
    const bad = [
      null,
      5,
      [],
      {},
      { coverage: null, state: null },
      { coverage: { covered: 'x', total: 1 }, state: null },
      { coverage: { covered: 1, total: -1 }, state: null },
      { coverage: COVERAGE, state: 5 },
      { coverage: COVERAGE },
    ];
    for (const note of bad) {
      cache.write('graph', KEY, content, note);
      assert.equal(readGraph(cache, KEY), null, JSON.stringify(note));
      assert.equal(readLatest(cache), null, JSON.stringify(note));
    }
  });
});

test('what it was linked with is taken from nothing but lists of paths and ids', () => {
  withCache((cache) => {
    const { content } = cache.read('memory', KEY) ?? assert.fail();
    const { others, manifests } = SURROUNDINGS;
    const bad = [
      { others: 5, manifests },
      { others: [null], manifests },
      { others: { length: 1e9 }, manifests },
      { others, manifests: {} },
      { others, manifests: [null] },
      { others, manifests: [{ path: 'package.json' }] },
      { others, manifests: [{ path: 5, oid: 'x' }] },
    ];
    for (const note of bad) {
      cache.write('memory', KEY, content, { version: LINK_VERSION, ...note });
      assert.equal(readLatest(cache), null, JSON.stringify(note));
    }
    cache.write('memory', KEY, content, null);
    assert.equal(readLatest(cache), null);
  });
});
