/** Definitions that one commit removed and added: which pairs are the same code, and how much work finding them takes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_COMPARED, pairMoves } from '../../src/history/move-pairs.js';
import type { BlobSource } from '../../src/history/source.js';
import type { TraceEvent, Version } from '../../src/history/trace.js';

/** Source of blobs whose oid is their text; counts the reads. */
function countingSource() {
  const counted = { reads: 0 };
  const source: BlobSource = {
    unreadable: new Set(),
    bytes: async (oid) => {
      counted.reads++;
      return Buffer.from(oid);
    },
    facts: async () => null,
  };
  return { source, counted };
}

/** Event of a definition that is all of its blob. */
function event(side: 'before' | 'after', path: string, text: string, key = 'run function'): TraceEvent {
  const definition = { key, kind: 'function', text, ranges: [{ start: 0, end: Buffer.byteLength(text), line: 1 }] };
  const version = { oid: text, path, definition } as unknown as Version;
  const sides = side === 'before' ? { before: version, after: null } : { before: null, after: version };
  return { type: side === 'before' ? 'disappeared' : 'appeared', commit: 'c', path, key, ...sides };
}

const pathsOf = (pairs: Map<TraceEvent, TraceEvent>) =>
  [...pairs].map(([to, from]) => `${from.path}>${to.path}`).sort();

test('equal texts come first, then equal keys, then the most similar text', async () => {
  const gone = [
    event('before', 'other-key.ts', 'one two three four', 'go function'),
    event('before', 'same.ts', 'one two three four'),
    event('before', 'edited.ts', 'five six seven eight'),
  ];
  const come = [
    event('after', 'x.ts', 'one two three four'),
    event('after', 'y.ts', 'five six seven nine'),
    event('after', 'z.ts', 'one two three four'),
    event('after', 'new.ts', 'nothing in common at all'),
  ];
  const { pairs, isCut } = await pairMoves(gone, come, countingSource().source);
  assert.deepEqual(pathsOf(pairs), ['edited.ts>y.ts', 'other-key.ts>z.ts', 'same.ts>x.ts']);
  assert.equal(isCut, false);
});

test('thousands of moved definitions with equal texts are all paired, and nothing is read', async () => {
  const { source, counted } = countingSource();
  const events = (side: 'before' | 'after') =>
    Array.from({ length: 5_000 }, (_, i) => event(side, `${side}${i}.ts`, `text ${i}`));
  const { pairs, isCut } = await pairMoves(events('before'), events('after'), source);
  assert.deepEqual([pairs.size, isCut, counted.reads], [5_000, false, 0]);
});

test('thousands of different definitions are compared up to a bound, and the result says so', async () => {
  const { source, counted } = countingSource();
  const events = (side: 'before' | 'after') =>
    Array.from({ length: 3_000 }, (_, i) => event(side, `${side}${i}.ts`, `${side}${i}`));
  const { pairs, isCut } = await pairMoves(events('before'), events('after'), source);
  assert.deepEqual([pairs.size, isCut], [0, true]);
  assert.ok(counted.reads <= 2 * MAX_COMPARED, `${counted.reads} reads`);
});
