/** Anchors in snapshots: current, moved, stale or gone, by the bytes alone. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Anchor, anchorAt, type Lines } from '../../src/knowledge/entry.js';
import {
  type AnchoredSnapshot,
  bothTexts,
  type ChangedFile,
  followLines,
  resolveAnchor,
} from '../../src/knowledge/resolve-anchors.js';
import { cpuTimer } from '../support/processes/cpu-time.js';

type Files = Readonly<Record<string, string>>;
const COMMIT = 'c'.repeat(40);
const oidOf = (text: string) => createHash('sha1').update(text).digest('hex');

/** A snapshot of some files; `before`: the files of the anchor's commit, where its blobs are here. */
function snapshotOf(now: Files, before: Files = {}, renames: Readonly<Record<string, string>> = {}): AnchoredSnapshot {
  return {
    async read(path) {
      const text = now[path];
      return text === undefined ? null : { path, oid: oidOf(text), bytes: Buffer.from(text) };
    },
    pathsOf: async (blob) => Object.keys(now).filter((path) => oidOf(now[path]) === blob),
    async changedSince() {
      const changed = Object.keys(now).filter((path) => now[path] !== before[path]);
      return changed.map((path): ChangedFile => (path in renames ? { path, oldPath: renames[path] } : { path }));
    },
    readOld: async (blob) => {
      const text = Object.values(before).find((each) => oidOf(each) === blob);
      return text === undefined ? null : Buffer.from(text);
    },
  };
}

function anchorIn(files: Files, path: string, lines: Lines | null): Anchor {
  const bytes = Buffer.from(files[path]);
  return anchorAt(bytes, { path, symbol: null, lines, blob: oidOf(files[path]), commit: COMMIT }) as Anchor;
}

const OLD: Files = {
  'cart.ts': [
    'import { sum } from "./sum";',
    '',
    'export function total(items) {',
    '  return sum(items.map(price));',
    '}',
    '',
    'export const tax = 19;',
    '',
  ].join('\n'),
  'sum.ts': 'export const sum = (all) => all.reduce((a, b) => a + b, 0);\n',
};
const TOTAL = anchorIn(OLD, 'cart.ts', { start: 3, end: 5 });
const resolve = (now: Files, renames?: Readonly<Record<string, string>>, anchor = TOTAL) =>
  resolveAnchor(snapshotOf(now, OLD, renames), anchor);

test('lines that stand where they stood, or elsewhere in their file, are current', async () => {
  assert.deepEqual(await resolve(OLD), { status: 'current', path: 'cart.ts', lines: { start: 3, end: 5 } });
  const longer = { ...OLD, 'cart.ts': `// A licence.\n\n${OLD['cart.ts']}` };
  assert.deepEqual(await resolve(longer), { status: 'current', path: 'cart.ts', lines: { start: 5, end: 7 } });
});

test('a renamed file, and lines that went to another file, are moved', async () => {
  const renamed = { 'shop/cart.ts': OLD['cart.ts'], 'sum.ts': OLD['sum.ts'] };
  assert.deepEqual(await resolve(renamed), { status: 'moved', path: 'shop/cart.ts', lines: { start: 3, end: 5 } });
  const parts = {
    'cart.ts': 'export const tax = 19;\n',
    'total.ts': `// Moved.\n${OLD['cart.ts'].split('\n').slice(2, 5).join('\n')}\n`,
  };
  assert.deepEqual(await resolve(parts), { status: 'moved', path: 'total.ts', lines: { start: 2, end: 4 } });
});

test('of several files that hold the lines, the renamed one is meant, then one of the same name', async () => {
  const lines = OLD['cart.ts'].split('\n').slice(2, 5).join('\n');
  const copies = { 'a.ts': lines, 'shop/cart.ts': lines, 'z.ts': `// Renamed.\n${lines}` };
  const moved = (path: string, start: number) => ({ status: 'moved', path, lines: { start, end: start + 2 } });
  assert.deepEqual(await resolve(copies, { 'z.ts': 'cart.ts' }), moved('z.ts', 2));
  assert.deepEqual(await resolve(copies), moved('shop/cart.ts', 1));
});

test('lines that changed are stale, where they are now, also in a renamed file', async () => {
  const changed = OLD['cart.ts'].replace('items.map(price)', 'items.map(net)').replace('import', '// New.\nimport');
  assert.deepEqual(await resolve({ 'cart.ts': changed }), {
    status: 'stale',
    path: 'cart.ts',
    lines: { start: 4, end: 6 },
  });
  assert.deepEqual(await resolve({ 'basket.ts': changed }, { 'basket.ts': 'cart.ts' }), {
    ...{ status: 'stale', path: 'basket.ts', lines: { start: 4, end: 6 } },
  });
});

test('lines that were deleted, and a file that is not there any more, are gone', async () => {
  const without = OLD['cart.ts']
    .split('\n')
    .filter((_, i) => i < 2 || i > 4)
    .join('\n');
  const gone = { status: 'gone', path: null, lines: null };
  assert.deepEqual(await resolve({ 'cart.ts': without }), gone);
  assert.deepEqual(await resolve({ 'other.ts': 'x\n' }), gone);
});

test('a whole file is current with its blob, moved with a path, stale otherwise', async () => {
  const file = anchorIn(OLD, 'sum.ts', null);
  assert.equal((await resolve(OLD, {}, file)).status, 'current');
  assert.deepEqual(await resolve({ 'lib/sum.ts': OLD['sum.ts'] }, {}, file), {
    status: 'moved',
    path: 'lib/sum.ts',
    lines: null,
  });
  assert.deepEqual(await resolve({ 'sum.ts': 'changed\n' }, {}, file), {
    status: 'stale',
    path: 'sum.ts',
    lines: null,
  });
});

test('an entry that names other lines than those it has the hash of is about nothing', async () => {
  const moved = { ...OLD, 'cart.ts': `// A licence.\n${OLD['cart.ts']}` };
  for (const lie of [{ lines: { start: 1, end: 2 } }, { lines: { start: 3, end: 0x7fff_ffff } }, { lines: null }])
    for (const now of [OLD, moved, { 'renamed.ts': OLD['cart.ts'] }])
      assert.equal((await resolve(now, undefined, { ...TOTAL, ...lie })).status, 'gone');
});

test('a line that many files have does not move there', async () => {
  const brace = anchorIn(OLD, 'cart.ts', { start: 5, end: 5 });
  assert.equal((await resolve({ 'other.ts': 'if (x) {\n}\n' }, {}, brace)).status, 'gone');
});

test('without the old blob, lines of the same bytes are still found in their file, and changed ones are stale', async () => {
  const longer = { 'cart.ts': `// A licence.\n${OLD['cart.ts']}` };
  const blind = (now: Files) => resolveAnchor(snapshotOf(now), TOTAL);
  assert.deepEqual(await blind(longer), { status: 'current', path: 'cart.ts', lines: { start: 4, end: 6 } });
  assert.deepEqual(await blind({ 'cart.ts': 'changed\n' }), { status: 'stale', path: 'cart.ts', lines: null });
});

test('lines of any text that others surround anew are found again, wherever they stand', async () => {
  const line = fc.stringMatching(/^[a-z{} ]{0,12}$/);
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 30 }),
      fc.array(line, { maxLength: 9 }),
      fc.array(line, { maxLength: 9 }),
      fc.nat(),
      fc.nat(),
      fc.boolean(),
      async (lines, above, below, from, to, ends) => {
        const [start, end] = [from % lines.length, to % lines.length].sort((a, b) => a - b);
        const before: Files = { a: lines.join('\n') + (ends ? '\n' : '') };
        const anchor = anchorAt(Buffer.from(before.a), {
          path: 'a',
          symbol: null,
          lines: { start: start + 1, end: end + 1 },
          blob: oidOf(before.a),
          commit: COMMIT,
        });
        // A text that ends with a newline has no line behind it.
        if (anchor === null) return;
        const now: Files = { a: [...above, ...lines, ...below, ''].join('\n') };
        const found = await resolveAnchor(snapshotOf(now, before), anchor);
        assert.equal(found.status, 'current');
        const shown = now.a.split('\n').slice((found.lines as Lines).start - 1, (found.lines as Lines).end);
        assert.deepEqual(shown, lines.slice(start, end + 1));
      },
    ),
  );
});

test('looking up lines takes linear time, whatever the text is', async () => {
  const spent = async (size: number) => {
    const before: Files = { a: `${'\n'.repeat(size)}x\n${'y\n'.repeat(size)}` };
    const now: Files = { a: `${'\n'.repeat(size)}z\n${'y\n'.repeat(size + 1)}` };
    const anchor = anchorIn(before, 'a', { start: size, end: size + 2 });
    const timer = cpuTimer();
    await resolveAnchor(snapshotOf(now, before), anchor);
    await resolveAnchor(snapshotOf(now), anchor);
    return timer();
  };
  await spent(10_000);
  assert.ok((await spent(400_000)) < 3_000);
});

const lines = fc.array(fc.constantFrom('a', 'b', 'c', '}', '', 'x y'), { minLength: 1, maxLength: 25 });
const range = (length: number, from: number, to: number) => {
  const [start, end] = [from % length, to % length].sort((a, b) => a - b);
  return { start: start + 1, end: end + 1 };
};

test('lines are within the text that they are followed to', () => {
  fc.assert(
    fc.property(lines, lines, fc.nat(), fc.nat(), (before, after, from, to) => {
      const found = followLines(before, after, range(before.length, from, to));
      if (found !== null) assert.ok(found.start >= 1 && found.end >= found.start && found.end <= after.length);
    }),
  );
});

test('lines replaced by others are followed to exactly those, where the lines around them stayed', () => {
  fc.assert(
    fc.property(
      fc.nat(8),
      fc.nat(8),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 6 }),
      (above, below, height, now) => {
        const around = (count: number, mark: string) => Array.from({ length: count }, (_, i) => `${mark}${i}`);
        const before = [...around(above, 'above'), ...around(height, 'old'), ...around(below, 'below')];
        const after = [...around(above, 'above'), ...around(now, 'new'), ...around(below, 'below')];
        assert.deepEqual(followLines(before, after, { start: above + 1, end: above + height }), {
          ...{ start: above + 1, end: above + now },
        });
      },
    ),
  );
});

test('deleted lines are followed nowhere', () => {
  assert.equal(followLines(['a', 'b', 'c', 'd'], ['a', 'd'], { start: 2, end: 3 }), null);
  assert.equal(followLines(['a', 'b'], [], { start: 1, end: 2 }), null);
});

test('of two equal lines that follow each other one is deleted, and the other keeps its place', () => {
  const follow = (start: number, end: number) => followLines(['a', 'b', 'b', 'c'], ['a', 'b', 'c'], { start, end });
  assert.deepEqual(follow(2, 2), { start: 2, end: 2 });
  assert.equal(follow(3, 3), null);
  assert.deepEqual(follow(2, 3), { start: 2, end: 2 });
  assert.deepEqual(follow(1, 1), { start: 1, end: 1 });
  assert.deepEqual(follow(4, 4), { start: 3, end: 3 });
});

test('a function that grew while others moved around it keeps its lines', () => {
  const before = ['one() {', '}', '', 'two() {', '  return 2;', '}', '', 'three() {', '}'];
  const after = ['three() {', '}', '', 'two() {', '  log();', '  return 2;', '}', '', 'one() {', '}'];
  assert.deepEqual(followLines(before, after, { start: 4, end: 6 }), { start: 4, end: 7 });
});

test('of lines that stand several times in a file those nearest to where they were are meant, with their old text or by its hash', async () => {
  const [same, other] = ['  return null;', '  step();'];
  const text = (lines: readonly string[]) => `${lines.join('\n')}\n`;
  const before = { 'a.ts': text([other, other, other, same, other]) };
  const anchor = anchorIn(before, 'a.ts', { start: 4, end: 4 });
  const now = { 'a.ts': text([same, other, other, other, same, other, other, same]) };
  for (const old of [before, {}]) {
    const { status, lines } = await resolveAnchor(snapshotOf(now, old), anchor);
    assert.deepEqual([status, lines], ['current', { start: 5, end: 5 }]);
  }
});

test('lines that begin with a blank one are counted like others, however often they stand in a file', async () => {
  const lines = ['', 'export const tax = 19;', 'step();'];
  const other = ['x();', ...lines, 'y();', ...lines, 'z();'];
  const text = (all: readonly string[]) => `${all.join('\n')}\n`;
  const before = { 'a.ts': text(other) };
  const now = { 'a.ts': text(['first();', ...other]) };
  for (const [start, found] of [
    [2, 3],
    [6, 7],
  ]) {
    const anchor = anchorIn(before, 'a.ts', { start, end: start + 1 });
    for (const old of [before, {}]) {
      const { status, lines: at } = await resolveAnchor(snapshotOf(now, old), anchor);
      assert.deepEqual([status, at], ['current', { start: found, end: found + 1 }]);
    }
  }
});

test('lines are followed between what stayed around them, without blank lines at their edges', () => {
  for (const [before, after, lines, expected] of [
    ['x old y', 'x new more y', '2-2', '2-3'],
    ['x old y', 'x _ new _ y', '2-2', '3-3'],
    ['x old y', 'x _ _ y', '2-2', '3-3'],
    ['x old', 'x new more', '2-2', '2-3'],
    ['old y', 'new more y', '1-1', '1-2'],
    ['old', 'new', '1-9', '1-1'],
    // What moved up is no place to go on from: most of the lines around it stayed in their order.
    ['a b c d', 'c a b d', '2-2', '3-3'],
    ['a b c d e', 'd a b new e', '3-4', '4-4'],
    // Lines that are there several times belong to their neighbours.
    ['a } b } c }', 'z a } b } new c }', '3-4', '4-6'],
    ['} a } old } b }', '} } a } new } b }', '4-4', '5-5'],
    ['a x x b', 'a x b', '2-3', '2-2'],
  ]) {
    const linesOf = (text: string) => text.split(' ').map((line) => (line === '_' ? '' : line));
    const [start, end] = lines.split('-').map(Number);
    const found = followLines(linesOf(before), linesOf(after), { start, end });
    assert.equal(`${found?.start}-${found?.end}`, expected, `${before} -> ${after}`);
  }
});

test('a line that either text has several times is no place to go on from', () => {
  for (const [before, after, line, expected] of [
    // Once each: it is one.
    ['x } old y', 'z } new w', 3, { start: 3, end: 4 }],
    // Twice now, twice before, and in both.
    ['x } old y', 'z } new } w', 3, { start: 1, end: 5 }],
    ['x } old } y', 'z } new w', 3, { start: 1, end: 4 }],
    ['x } old } y', 'z } p } new } w', 3, { start: 1, end: 7 }],
    // Three times: a third one does not make it a single one again.
    ['x } } old } y', 'z } new w', 4, { start: 1, end: 4 }],
  ] as const) {
    const found = followLines(before.split(' '), after.split(' '), { start: line, end: line });
    assert.deepEqual(found, expected, `${before} -> ${after}`);
  }
});

test('of equal lines at an end of a text, one that is removed takes no other with it', () => {
  for (const [before, after, line, expected] of [
    ['x } }', 'x }', 2, { start: 2, end: 2 }],
    ['x } }', 'x }', 3, null],
    ['} } x', '} x', 3, { start: 2, end: 2 }],
  ] as const) {
    const found = followLines(before.split(' '), after.split(' '), { start: line, end: line });
    assert.deepEqual(found, expected, `${before} -> ${after}`);
  }
});

test('the text of an entry is shown as it was and as it is, where either can be read', async () => {
  const changed = { 'cart.ts': OLD['cart.ts'].replace('items.map(price)', 'items.map(net)') };
  const both = async (now: Files, before: Files) => {
    const snapshot = snapshotOf(now, before);
    return bothTexts(snapshot, TOTAL, await resolveAnchor(snapshot, TOTAL));
  };
  const text = (inside: string) => `export function total(items) {\n  return sum(items.map(${inside}));\n}`;
  assert.deepEqual(await both(changed, OLD), { before: text('price'), after: text('net') });
  assert.deepEqual(await both({}, OLD), { before: text('price'), after: null });
  assert.deepEqual(await both(changed, {}), { before: null, after: changed['cart.ts'] });
});

test('lines with Windows ends, and lines at the end of a text, are found as a whole or not at all', async () => {
  const windows = { 'a.ts': 'one\r\ntwo\r\nthree' };
  const two = anchorIn(windows, 'a.ts', { start: 2, end: 2 });
  const found = async (text: string, anchor = two) =>
    (await resolveAnchor(snapshotOf({ 'a.ts': text }, windows), anchor)).lines;
  assert.deepEqual(await found('zero\r\none\r\ntwo\r\nthree'), { start: 3, end: 3 });
  assert.deepEqual(await found('zero\ntwo'), { start: 2, end: 2 });
  assert.deepEqual(await found('two\rx\nthree\ntwo\n'), { start: 3, end: 3 });
  const last = anchorIn(windows, 'a.ts', { start: 3, end: 3 });
  assert.deepEqual(await found('three\none', last), { start: 1, end: 1 });
  assert.notDeepEqual(await found('x three\nthreefold\n', last), { start: 1, end: 1 });
});
