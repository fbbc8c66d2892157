/** Definitions that one commit removed and added: which pairs are the same code, and how much work finding them takes. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { BlobSource } from '../../src/history/file-versions.js';
import {
  type DefinitionPlace,
  firstAppearance,
  groupLineages,
  type Lineage,
  lastDisappearance,
  MAX_COMPARED,
  newestVersion,
  pairMoves,
  passes,
  type TraceEvent,
  type Version,
} from '../../src/history/trace.js';

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

describe('lineage', () => {
  const place = (name: string): DefinitionPlace => ({ path: `${name}.ts`, key: 'function run' });
  const nameOf = ({ path }: { path: string }) => path.replace('.ts', '');
  const version = (name: string, oid = '0') =>
    ({ ...place(name), oid, definition: { key: 'function run' } }) as unknown as Version;

  /** An event as `appeared b`, `disappeared a` or `moved a>b`. */
  function event(text: string, commit: string): TraceEvent {
    const [type, where] = text.split(' ');
    const [from, to] = where.includes('>') ? where.split('>') : [undefined, where];
    const before = type === 'appeared' ? null : version(from ?? to, `before ${commit}`);
    const after = type === 'disappeared' ? null : version(to, `after ${commit}`);
    return { type, commit, ...place(to), ...(from && { from: place(from) }), before, after } as TraceEvent;
  }
  /** Newest first. */
  const events = (...texts: string[]) => texts.map((text, i) => event(text, `c${texts.length - i}`));

  const placesOf = (lineage: Lineage) => lineage.places.map(nameOf).sort().join('');
  const commitsOf = (lineage: Lineage) => lineage.events.map(({ commit }) => commit);

  test('a function that moved twice is one lineage, with its events newest first', () => {
    const history = events('changed c', 'moved b>c', 'appeared x', 'moved a>b', 'appeared a');
    const lineages = groupLineages(history, [version('c')]);
    assert.deepEqual(lineages.map(placesOf).sort(), ['abc', 'x']);
    const [moved] = lineages.filter((lineage) => passes(lineage, place('b')));
    assert.deepEqual(commitsOf(moved), ['c5', 'c4', 'c2', 'c1']);
    assert.equal(firstAppearance(moved)?.commit, 'c1');
    assert.equal(newestVersion(moved)?.path, 'c.ts');
    assert.equal(lastDisappearance(moved), null);
  });

  test('two pieces of code that were joined into one place are one lineage', () => {
    const lineages = groupLineages(events('moved b>c', 'moved a>c', 'appeared b', 'appeared a'), []);
    assert.deepEqual(lineages.map(placesOf), ['abc']);
  });

  test('code that no commit of the window changed is a lineage without events', () => {
    const [lineage] = groupLineages([], [version('a')]);
    assert.deepEqual([placesOf(lineage), lineage.events, firstAppearance(lineage)], ['a', [], null]);
    assert.equal(newestVersion(lineage)?.path, 'a.ts');
  });

  test('of code that is gone, the last version before its end is shown', () => {
    const [gone] = groupLineages(events('disappeared a', 'changed a', 'appeared a'), []);
    assert.equal(lastDisappearance(gone)?.commit, 'c3');
    assert.equal(newestVersion(gone)?.oid, 'before c3');
  });

  test('a change on a branch that still had the code does not hide its end', () => {
    const [gone] = groupLineages(events('changed a', 'disappeared a', 'appeared a'), []);
    assert.equal(lastDisappearance(gone)?.commit, 'c2');
  });

  test('code that came back and is absent at the ref has no single end', () => {
    const [lineage] = groupLineages(events('appeared a', 'disappeared a', 'appeared a'), []);
    assert.equal(lastDisappearance(lineage), null);
  });

  const names = fc.constantFrom(...'abcdefg');
  const anyEvent = fc.oneof(
    fc.tuple(fc.constantFrom('appeared', 'changed', 'disappeared'), names).map(([type, at]) => `${type} ${at}`),
    fc.tuple(names, names).map(([from, to]) => `moved ${from}>${to}`),
  );

  /** Places that moves connect, found by walking until nothing is new. */
  function connected(start: string, history: readonly TraceEvent[]): string {
    const reached = new Set([start]);
    for (let size = 0; size < reached.size; ) {
      size = reached.size;
      for (const { from, ...to } of history)
        if (from !== undefined && (reached.has(nameOf(from)) || reached.has(nameOf(to))))
          reached.add(nameOf(from)).add(nameOf(to));
    }
    return [...reached].sort().join('');
  }

  test('property: lineages are the places that moves connect, and split the events without loss or reordering', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 25 }), fc.uniqueArray(names), (texts, present) => {
        const history = events(...texts);
        const lineages = groupLineages(
          history,
          present.map((name) => version(name)),
        );
        const seen = new Set([
          ...history.flatMap(({ from, ...to }) => (from ? [from, to] : [to])).map(nameOf),
          ...present,
        ]);
        assert.deepEqual(
          lineages.map(placesOf).sort(),
          [...new Set([...seen].map((name) => connected(name, history)))].sort(),
        );
        for (const lineage of lineages) {
          const own = history.filter((each) => passes(lineage, each));
          assert.deepEqual(lineage.events, own);
          assert.deepEqual(
            lineage.present.map(nameOf).sort(),
            present.filter((name) => placesOf(lineage).includes(name)).sort(),
          );
        }
      }),
    );
  });
});
