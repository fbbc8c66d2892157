/** Facts for tests: one fixed sample (what the golden record holds) and a generator of any valid facts. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type BlobFacts,
  type Chunk,
  CONTENT_SKIP_REASONS,
  type CodeSymbol,
  PLAIN_CHUNK_KINDS,
  SYMBOL_KINDS,
} from '../../src/extract/facts.js';
import { seal } from '../../src/record/envelope.js';
import type { SyntaxRecord } from '../../src/record/types.js';

export const SAMPLE_OID = '0123456789abcdef0123456789abcdef01234567';

/** A record about SAMPLE_OID with the right checksum around any payload, as a hostile writer would make it. */
export function sealed(kind: string, version: number, payload: Uint8Array): Uint8Array {
  const bytes = seal(kind, version, SAMPLE_OID, payload);
  assert.ok(bytes !== null);
  return bytes;
}

/** Every kind, nesting, a doc before and one inside, names beyond ASCII: lengths follow from the index. */
function sampleFacts(generated: boolean): BlobFacts {
  const kinds = [...SYMBOL_KINDS, ...PLAIN_CHUNK_KINDS];
  const chunks: Chunk[] = kinds.map((kind, i) => ({
    ...{ start: i * 100, end: (i + 1) * 100, startLine: i * 5 + 1, endLine: i * 5 + 5, kind },
    symbol: i < SYMBOL_KINDS.length ? i : -1,
  }));
  const symbols: CodeSymbol[] = SYMBOL_KINDS.map((kind, i) => ({
    ...{
      name: `${['plain', 'größe', '名前', '\u{1f600}'][i % 4]}${i}`,
      kind,
      container: i % 5 === 0 ? -1 : i - (i % 5),
    },
    ...{ exported: i % 3 === 0, start: i * 100 + 30, end: i * 100 + 95, startLine: i * 5 + 2, endLine: i * 5 + 5 },
    ...{ nameStart: i * 100 + 39, signature: { start: i * 100 + 30, end: i * 100 + 60 } },
    doc: [{ start: i * 100, end: i * 100 + 29 }, { start: i * 100 + 62, end: i * 100 + 80 }, null][i % 3],
  }));
  return { lines: kinds.length * 5, chunks, symbols, generated };
}

export const SAMPLE: SyntaxRecord = { facts: { cpp: sampleFacts(true), c: sampleFacts(false) } };

const step = fc.oneof(fc.nat(3), fc.nat(200), fc.nat(70_000));
const name = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('', '__proto__', '\ufeffname', '\0', 'x'.repeat(512)),
);

const chunkSeed = fc.record({
  ...{ length: step.map((n) => n + 1), lineStep: fc.nat(2), span: fc.nat(60), symbol: fc.nat() },
  kind: fc.constantFrom(...SYMBOL_KINDS, ...PLAIN_CHUNK_KINDS),
});
const symbolSeed = fc.record({
  ...{ name, kind: fc.constantFrom(...SYMBOL_KINDS), container: fc.nat(), exported: fc.boolean() },
  ...{ a: fc.nat(), b: fc.nat(), line: fc.nat(), span: fc.nat(60), nameAt: fc.nat(), sigA: fc.nat(), sigB: fc.nat() },
  doc: fc.option(fc.tuple(fc.nat(), fc.nat())),
});

/** A pair in ascending order, both at most `bound`. */
function range(a: number, b: number, bound: number): [number, number] {
  const [x, y] = [a % (bound + 1), b % (bound + 1)];
  return x < y ? [x, y] : [y, x];
}

export const anyFacts: fc.Arbitrary<BlobFacts> = fc
  .record({
    chunkSeeds: fc.array(chunkSeed, { maxLength: 12 }),
    symbolSeeds: fc.array(symbolSeed, { maxLength: 12 }),
    generated: fc.boolean(),
  })
  .map(({ chunkSeeds, symbolSeeds, generated }) => {
    const symbolCount = chunkSeeds.length === 0 ? 0 : symbolSeeds.length;
    let [at, line] = [0, 0];
    const chunks = chunkSeeds.map((seed): Chunk => {
      const [start, startLine] = [at, Math.max(1, line + seed.lineStep)];
      [at, line] = [start + seed.length, startLine + seed.span];
      const symbol = symbolCount === 0 ? -1 : (seed.symbol % (symbolCount + 1)) - 1;
      return { start, end: at, startLine, endLine: line, kind: seed.kind, symbol };
    });
    const lines = line + 60;
    const ranges = symbolSeeds.slice(0, symbolCount).map((seed) => range(seed.a, seed.b, at));
    ranges.sort((x, y) => x[0] - y[0] || y[1] - x[1]);
    const startLines = symbolSeeds.map((seed) => 1 + (seed.line % Math.max(1, line))).sort((x, y) => x - y);
    const symbols = ranges.map(([start, end], i): CodeSymbol => {
      const seed = symbolSeeds[i];
      const signature = range(seed.sigA, seed.sigB, end - start);
      const doc = seed.doc === null ? null : range(seed.doc[0], seed.doc[1], at);
      return {
        ...{ name: seed.name, kind: seed.kind, container: (seed.container % (i + 1)) - 1, exported: seed.exported },
        ...{ start, end, startLine: startLines[i], endLine: startLines[i] + seed.span },
        nameStart: start + (seed.nameAt % (end - start + 1)),
        signature: { start: start + signature[0], end: start + signature[1] },
        doc: doc === null ? null : { start: doc[0], end: doc[1] },
      };
    });
    return { lines, chunks, symbols, generated };
  });

export const anyRecord: fc.Arbitrary<SyntaxRecord> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...CONTENT_SKIP_REASONS).map((skip): SyntaxRecord => ({ skip })) },
  {
    weight: 9,
    arbitrary: fc
      .uniqueArray(fc.tuple(fc.constantFrom('c', 'cpp', 'objective-c', 'php', 'constructor'), anyFacts), {
        ...{ minLength: 1, maxLength: 2, selector: ([id]) => id },
      })
      .map((entries): SyntaxRecord => ({ facts: Object.fromEntries(entries) })),
  },
);

export const anyOid = fc
  .oneof(fc.uint8Array({ minLength: 20, maxLength: 20 }), fc.uint8Array({ minLength: 32, maxLength: 32 }))
  .map((bytes) => Buffer.from(bytes).toString('hex'));
