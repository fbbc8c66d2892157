import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { cacheKey, StateFiles, type StateKind } from '../../../src/base/cache.js';
import { Graph } from '../../../src/graph/graph.js';
import { linkSnapshot } from '../../../src/graph/link/link-snapshot.js';
import type { SourceFile } from '../../../src/graph/tables.js';
import { loadImports } from '../../../src/languages/resolver.js';
import { readGraph, readNearest, relinkable, writeGraph } from '../../../src/session/graph/codec.js';
import { GRAPHS, MEMORIES } from '../../../src/session/state-kinds.js';

await loadImports(['typescript']);

const KEY = cacheKey('linked');
const COVERAGE = { covered: 1, total: 1 };
const SURROUNDINGS = { others: ['logo.png'], manifests: [{ path: 'package.json', oid: '1'.repeat(40) }] };

const FILES: readonly SourceFile[] = [{ path: 'a.ts', oid: '2'.repeat(40), language: 'typescript', state: 'none' }];

function write(cache: StateFiles, key: string, files: readonly SourceFile[]): void {
  const input = { files, facts: new Map(), others: new Set<string>(), manifests: new Map() };
  const { tables, memory } = linkSnapshot(input, null);
  const note = { coverage: COVERAGE, state: null };
  writeGraph(cache, { key, graph: new Graph(tables), note, relinking: { memory, unlinked: SURROUNDINGS } });
}

function withCache(use: (cache: StateFiles) => void): void {
  const top = mkdtempSync(join(tmpdir(), 'linked-files-'));
  try {
    const cache = new StateFiles(join(top, 'profile'));
    write(cache, KEY, FILES);
    use(cache);
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

function contentOf(cache: StateFiles, kind: StateKind): Buffer {
  return cache.read(kind, KEY, ({ content }) => content) ?? assert.fail();
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
    const content = contentOf(cache, GRAPHS);
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
      cache.write(GRAPHS, KEY, content, note);
      assert.equal(readGraph(cache, KEY), null, JSON.stringify(note));
      assert.equal(readNearest(cache, FILES), null, JSON.stringify(note));
    }
  });
});

test('what it was linked with is taken from nothing but lists of paths and ids', () => {
  withCache((cache) => {
    const content = contentOf(cache, MEMORIES);
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
      cache.write(MEMORIES, KEY, content, note);
      assert.equal(readNearest(cache, FILES), null, JSON.stringify(note));
    }
    cache.write(MEMORIES, KEY, content, null);
    assert.equal(readNearest(cache, FILES), null);
  });
});

test('the graph of which the fewest files differ is linked again, not the one used last', () => {
  withCache((cache) => {
    const all = (oid: string) =>
      Array.from({ length: 100 }, (_, i) => ({ ...FILES[0], path: `f${100 + i}.ts`, oid: oid.repeat(40) }));
    const [near, far] = [all('3'), all('4')];
    write(cache, cacheKey('near'), near);
    write(cache, cacheKey('far'), far);
    cache.touch(MEMORIES, cacheKey('far'));
    const asked = near.map((file, i) => (i === 0 ? { ...file, oid: '5'.repeat(40) } : file));
    assert.equal(readNearest(cache, asked)?.tables.files[1].oid, '3'.repeat(40));
    assert.equal(readNearest(cache, far)?.tables.files[1].oid, '4'.repeat(40));
  });
});
