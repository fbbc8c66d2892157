/** Which document a place means, and how many neighbours are asked for until enough of them pass a filter. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asRanked, documentAt, findPlace, nearestTo } from '../../../src/session/search/similar.js';
import type { LiveSet } from '../../../src/shard/live-set.js';
import type { VectorIndex } from '../../../src/shard/nearest.js';

test('neighbours are asked for until enough pass the filter, in growing numbers, and those that are unlike count as none', () => {
  const all = Array.from({ length: 100 }, (_, i) => ({ document: i, score: (90 - i) / 100 }));
  const near = (count: number, accept?: (document: number, file: number) => boolean) => {
    const asked: number[] = [];
    const vectors = {
      similarTo(document: number, most: number) {
        asked.push(most);
        return all.filter((each) => each.document !== document).slice(0, most);
      },
    } as unknown as VectorIndex;
    const fileOf = Int32Array.from({ length: 100 }, (_, i) => i * 2);
    const found = nearestTo(vectors, 0, { count, accept, fileOf });
    return { asked, found: found.map(({ document }) => document) };
  };
  assert.deepEqual(near(3), { asked: [3], found: [1, 2, 3] });
  // The filter gets the document and its file.
  const late = (document: number, file: number) => document > 20 && file === 2 * document;
  assert.deepEqual(near(3, late), { asked: [3, 24], found: [21, 22, 23] });
  assert.deepEqual(
    near(4, (document) => document >= 87),
    { asked: [4, 32, 256], found: [87, 88, 89] },
  );
  assert.deepEqual(
    near(3, () => false),
    { asked: [3, 24, 192], found: [] },
  );
});

/** A live set of one file, whose documents have these lines. */
function live(...lines: [start: number, end: number][]): LiveSet {
  const columns = { startLine: lines.map(([start]) => start), endLine: lines.map(([, end]) => end) };
  return {
    bases: [0, lines.length],
    shards: [{ columns, unitFirst: [0], unitDocuments: [lines.length] }],
    files: { length: 1, shard: [0], unit: [0] },
    fileOf: lines.map(() => 5),
  } as unknown as LiveSet;
}

test('a place is the smallest document around its line; outside of all, the nearest', () => {
  const nested = live([1, 50], [10, 20], [12, 14], [60, 70]);
  for (const [line, expected] of [
    [1, 0],
    [10, 1],
    [13, 2],
    [14, 2],
    [15, 1],
    [20, 1],
    [21, 0],
    [54, 0],
    [56, 3],
    [99, 3],
  ])
    assert.equal(documentAt(nested, { file: 0, line }), expected, `${line}`);
  assert.equal(documentAt(live([2, 3], [2, 3]), { file: 0, line: 2 }), 0, 'the first of two');
  assert.deepEqual(asRanked(nested, 2, 0.5), { document: 2, file: 5, score: 0.5, explain: { similarity: 0.5 } });
});

test('a path is one of any of the files with its bytes, from the current folder or from the top, and else the nearest is named', () => {
  const paths = [['src/a.ts', 'lib/a.ts'], ['b.ts']];
  const at = (i: number) => paths.flat()[i];
  const set = {
    files: {
      ...{ length: 2, pathStart: [0, 2, 3], table: { at, length: 3 }, shard: [0, 0] },
      paths: (file: number) => paths[file],
    },
  } as unknown as LiveSet;
  assert.deepEqual(findPlace(set, { path: 'lib/a.ts', line: 3 }), { path: 'lib/a.ts', line: 3, file: 0 });
  assert.deepEqual(findPlace(set, { path: 'b.ts', line: 1 }), { path: 'b.ts', line: 1, file: 1 });
  assert.throws(() => findPlace(set, { path: 'zzz', line: 1 }), {
    ...{ code: 'BAD_ARGUMENT', message: 'no file zzz is indexed in this snapshot', file: 'zzz' },
    hint: 'Paths start at the current directory or at the top.',
  });
});
