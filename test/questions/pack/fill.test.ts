/** What goes into a pack: budgets that hold, no line twice, nothing that is neither in it nor named as left out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { estimateTokens } from '../../../src/base/tokens.js';
import { packText } from '../../../src/questions/pack/answer.js';
import { type Candidate, join } from '../../../src/questions/pack/packing.js';
import { packDocument, select } from '../../../src/questions/pack/select.js';
import { plainPen, TOOL_WORDS } from '../../../src/questions/pen.js';
import { candidate, declaration, headOf, lineOf, material } from './support.js';

const FILES = { 'a.ts': 200, 'b.ts': 120, 'c/d.ts': 60 };
type Path = keyof typeof FILES;

const arbitraryCandidate = fc
  .record({
    path: fc.constantFrom(...(Object.keys(FILES) as Path[])),
    start: fc.nat({ max: 199 }),
    length: fc.integer({ min: 1, max: 50 }),
    value: fc.double({ min: 0.01, max: 1, noNaN: true }),
    test: fc.boolean(),
    hasSmaller: fc.boolean(),
  })
  .map(({ path, start, length, value, test: isTest, hasSmaller }): Candidate => {
    const startLine = (start % FILES[path]) + 1;
    const endLine = Math.min(FILES[path], startLine + length);
    const smaller = { startLine, endLine: Math.min(endLine, startLine + 4) };
    const symbol = `s${startLine}`;
    return candidate(path, startLine, endLine, value, {
      kind: isTest ? 'test' : 'code',
      symbol,
      ...(hasSmaller && { smaller }),
    });
  });
const arbitraryDeclarations = fc.array(
  fc
    .tuple(fc.constantFrom(...Object.keys(FILES)), fc.integer({ min: 1, max: 50 }))
    .map(([path, at]) => declaration(path, at)),
  { maxLength: 30 },
);
const arbitraryPack = fc.record({
  candidates: fc.array(arbitraryCandidate, { maxLength: 40 }),
  declarations: arbitraryDeclarations,
  budget: fc.integer({ min: 500, max: 8_000 }),
});

test('a pack holds its budget, as JSON and as text; no line is in it twice, and all of them are the real ones', () => {
  fc.assert(
    fc.property(arbitraryPack, ({ candidates, declarations, budget }) => {
      const pack = packDocument(material(FILES, candidates, declarations), headOf(budget));
      assert.ok(estimateTokens(JSON.stringify(pack)) <= budget);
      assert.equal(pack.tokens <= budget, true);
      assert.ok(estimateTokens(packText(pack, plainPen(TOOL_WORDS))) <= budget);
      const seen = new Set<string>();
      for (const { path, startLine, endLine, kind, content } of pack.items) {
        if (kind === 'signature') continue;
        const lines = content.split('\n');
        assert.equal(lines.length, endLine - startLine + 1);
        for (const [i, line] of lines.entries()) {
          assert.equal(line, lineOf(path, startLine + i));
          assert.equal(seen.has(line), false, line);
          seen.add(line);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('every candidate is in the pack, or among those left out', () => {
  fc.assert(
    fc.property(arbitraryPack, ({ candidates, declarations, budget }) => {
      const { items, refused } = select(material(FILES, candidates, declarations), budget);
      const shown = items.filter(({ kind }) => kind !== 'signature');
      for (const each of candidates) {
        const isShown = shown.some(
          ({ path, startLine, endLine }) =>
            path === each.path && startLine <= each.endLine && endLine >= each.startLine,
        );
        const isRefused = refused.some(
          ({ candidate: { path, startLine, endLine } }) =>
            path === each.path && startLine === each.startLine && endLine === each.endLine,
        );
        assert.ok(isShown || isRefused, `${each.path}:${each.startLine}-${each.endLine}`);
      }
      const pack = packDocument(material(FILES, candidates, declarations), headOf(budget));
      assert.ok(pack.dropped.list.length <= 20);
    }),
    { numRuns: 60 },
  );
});

test('ranges that overlap or are a few lines apart become one, with the lines between', () => {
  const ranges = [
    { startLine: 1, endLine: 4 },
    { startLine: 20, endLine: 30 },
  ];
  assert.deepEqual(join(ranges, { startLine: 10, endLine: 14 }), {
    joined: { startLine: 1, endLine: 30 },
    met: ranges,
  });
  assert.deepEqual(join(ranges, { startLine: 11, endLine: 13 }).joined, { startLine: 11, endLine: 13 });
  assert.deepEqual(join(ranges, { startLine: 5, endLine: 13 }, 0).joined, { startLine: 1, endLine: 13 });
});

test('the same text at another place is named as a copy, not shown again', () => {
  const lines = (path: string) => (path === 'a.ts' || path === 'copy.ts' ? ['one(price)', 'two(price)'] : null);
  const given = { ...material({}, [candidate('a.ts', 1, 2), candidate('copy.ts', 1, 2, 0.9)]), lines };
  const pack = packDocument(given, headOf(2_000));
  assert.deepEqual(
    pack.items.map(({ path }) => path),
    ['a.ts'],
  );
  assert.deepEqual(
    pack.dropped.list.map(({ path, why }) => [path, why]),
    [['copy.ts', 'same as a.ts:1']],
  );
});

test('what does not fit is left out with its tokens, best first; the best is cut rather than missing', () => {
  const given = material(FILES, [
    candidate('a.ts', 1, 150),
    candidate('b.ts', 1, 100, 0.6),
    candidate('c/d.ts', 1, 60, 0.3),
  ]);
  const pack = packDocument(given, headOf(700));
  assert.equal(pack.items[0].path, 'a.ts');
  assert.ok(pack.items[0].endLine < 150);
  assert.deepEqual(
    pack.dropped.list.map(({ path }) => path),
    ['b.ts', 'c/d.ts'],
  );
  assert.ok(pack.dropped.list.every(({ tokens }) => tokens > 500));
});

test('declarations of what is shown whole are not listed', () => {
  const given = material(FILES, [candidate('a.ts', 1, 10)], [declaration('a.ts', 4), declaration('a.ts', 40)]);
  const [item] = packDocument(given, headOf(4_000)).items.filter(({ kind }) => kind === 'signature');
  assert.equal(item.content, '40-43 f40(price: number): void (calls total)');
});

test('a long definition leaves room for a second one; what the task points at is whole', () => {
  const part = { smaller: { startLine: 20, endLine: 30 } };
  const both = (value: number) =>
    packDocument(
      material(FILES, [candidate('a.ts', 1, 60, value, part), candidate('b.ts', 1, 60, 0.9, part)]),
      headOf(2_600),
    ).items.map(({ path, startLine, endLine }) => `${path}:${startLine}-${endLine}`);
  assert.deepEqual(both(1).sort(), ['a.ts:20-30', 'b.ts:20-30']);
  assert.ok(both(1.2).includes('a.ts:1-60'));
});

test('the test that failed needs no room among the other tests', () => {
  const code = Array.from({ length: 40 }, (_, i) => candidate('src/a.ts', 5 * i + 1, 5 * i + 3, 0.9));
  const failed = candidate('test/a.test.ts', 1, 30, 1.3, { kind: 'test', why: 'failed' });
  const { items } = select(material({ 'src/a.ts': 200, 'test/a.test.ts': 60 }, [...code, failed]), 1_000);
  assert.ok(items.some(({ path, startLine, endLine }) => path === failed.path && startLine === 1 && endLine === 30));
});
