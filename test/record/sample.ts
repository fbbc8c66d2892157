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
import {
  type Binding,
  type Export,
  IMPORT_KINDS,
  type Import,
  REFERENCE_KINDS,
  type Reference,
  type Relations,
} from '../../src/languages/roles/relation-facts.js';
import { seal } from '../../src/record/cbor.js';
import type { Decoded, SyntaxRecord } from '../../src/record/format.js';

/** Kinds that the golden record of this version was written with; those that came later only got numbers. */
const OLD_KINDS = REFERENCE_KINDS.slice(0, REFERENCE_KINDS.indexOf('read'));

export const SAMPLE_OID = '0123456789abcdef0123456789abcdef01234567';

/** Readers of records in tests: `decoded` fails the test for a bad record, `reasonOf` says why a record is refused. */
export function readersOf<T>(decode: (bytes: Uint8Array, oid: string) => Decoded<T>) {
  return {
    decoded: (bytes: Uint8Array, oid = SAMPLE_OID): T => {
      const result = decode(bytes, oid);
      assert.ok(result.ok, JSON.stringify(result));
      return result.record;
    },
    reasonOf: (bytes: Uint8Array, oid = SAMPLE_OID): string => {
      const result = decode(bytes, oid);
      return result.ok ? 'ok' : result.reason;
    },
  };
}

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
    ...(i % 4 === 1 && { arity: i % 14 }),
    ...(i % 8 === 1 && i % 14 > 2 && { parameters: 5 + 128 * (i % 100) }),
    ...{ exported: i % 3 === 0, start: i * 100 + 30, end: i * 100 + 95, startLine: i * 5 + 2, endLine: i * 5 + 5 },
    ...{ nameStart: i * 100 + 39, signature: { start: i * 100 + 30, end: i * 100 + 60 } },
    doc: [{ start: i * 100, end: i * 100 + 29 }, { start: i * 100 + 62, end: i * 100 + 80 }, null][i % 3],
  }));
  const parseErrors = [
    { startLine: 1, endLine: 1, lost: true },
    { startLine: 3, endLine: 40, lost: false },
    { startLine: 44, endLine: kinds.length * 5, lost: true },
  ];
  return { lines: kinds.length * 5, chunks, symbols, generated, relations: sampleRelations(), parseErrors };
}

/** Every kind, renamed and plain names, each optional value present and absent, strings that stand in many places. */
function sampleRelations(): Relations {
  return {
    imports: IMPORT_KINDS.map((kind, i) => ({
      ...{
        kind,
        specifier: `./größe/${i % 4}`,
        symbol: i % 4 === 3 ? i : -1,
        startLine: i + 1,
        endLine: i + 1 + (i % 2),
      },
      names: [
        { name: 'default', alias: `alias${i}` },
        { name: '*', alias: '' },
        { name: '名前1', alias: '名前1' },
      ].slice(i % 4),
    })),
    exports: [
      { name: '=', local: '', line: 3 },
      { name: 'total', local: '名前1', line: 3 },
    ],
    references: OLD_KINDS.flatMap((kind, i) =>
      ['', 'this.cart', '?'].map((receiver, k) => ({
        ...{
          kind,
          name: ['total', '\u{1f600}'][(i + k) % 2],
          receiver,
          args: i - 1,
          literal: k === 1 ? '/users/:id' : '',
          ...(k === 0 && i > 1 && { types: ['",,Cart', '0'][i % 2] }),
        },
        ...{ symbol: [2, 1, -1][k], startLine: i * 2 + 1, endLine: i * 2 + 1 + (k === 2 ? 3 : 0) },
      })),
    ),
    bindings: [
      { scope: -1, name: 'cart', type: '', value: 'new Cart().items[]', line: 2 },
      { scope: 3, name: '()', type: 'Promise<Cart>', value: '', line: 2 },
      { scope: 0, name: '__proto__', type: '', value: '', line: 9 },
    ],
  };
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
  arity: fc.option(fc.nat(13)),
  fixed: fc.boolean(),
  parameters: fc.nat(128 ** 3 - 1),
});

const text = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'this', '__proto__', 'toString', '?', '\u{1f600}', '\ufeffx', 'y'.repeat(200)),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const at = fc.record({ symbol: fc.nat(), line: fc.nat(), span: fc.oneof(fc.constant(0), fc.nat(59)) });
const importSeed = fc.record({
  ...{ at, kind: fc.constantFrom(...IMPORT_KINDS), specifier: text },
  names: fc.array(fc.record({ name: text, alias: text }), { maxLength: 4 }),
});
const exportSeed = fc.record({ at, name: text, local: text });
const referenceSeed = fc.record({
  ...{ at, kind: fc.constantFrom(...REFERENCE_KINDS), name: text, receiver: text, literal: text },
  args: fc.integer({ min: -1, max: 300 }),
  types: text,
});
const bindingSeed = fc.record({ at, name: text, type: text, value: text });
const relationSeeds = fc.record({
  imports: fc.array(importSeed, { maxLength: 5 }),
  exports: fc.array(exportSeed, { maxLength: 4 }),
  references: fc.array(referenceSeed, { maxLength: 8 }),
  bindings: fc.array(bindingSeed, { maxLength: 5 }),
});

type At = { at: { symbol: number; line: number; span: number } };

/** Relations of a blob with so many symbols, and with 60 lines more than these, so that spans fit. */
function relationsOf(
  seeds: typeof relationSeeds extends fc.Arbitrary<infer T> ? T : never,
  symbols: number,
  lines: number,
): Relations {
  const symbolOf = ({ at }: At) => (at.symbol % (symbols + 1)) - 1;
  const lineOf = ({ at }: At) => 1 + (at.line % Math.max(1, lines));
  const inOrder = <T extends At>(items: T[]): T[] => [...items].sort((a, b) => lineOf(a) - lineOf(b));
  const range = (item: At) => ({ startLine: lineOf(item), endLine: lineOf(item) + item.at.span });
  return {
    imports: inOrder(seeds.imports).map(
      (item): Import => ({
        kind: item.kind,
        specifier: item.specifier,
        names: item.names.map(({ name, alias }) => ({ name, alias })),
        symbol: symbolOf(item),
        ...range(item),
      }),
    ),
    exports: inOrder(seeds.exports).map((item): Export => ({ name: item.name, local: item.local, line: lineOf(item) })),
    references: inOrder(seeds.references).map(
      ({ at, types, ...item }): Reference => ({
        ...{ ...item, symbol: symbolOf({ at }), ...range({ at }) },
        ...(types !== '' && { types }),
      }),
    ),
    bindings: inOrder(seeds.bindings).map(
      ({ at, ...item }): Binding => ({ ...item, scope: symbolOf({ at }), line: lineOf({ at }) }),
    ),
  };
}

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
    relationSeeds,
    errorSeeds: fc.array(fc.record({ step: fc.nat(9), span: fc.nat(9), lost: fc.boolean() }), { maxLength: 5 }),
  })
  .map(({ chunkSeeds, symbolSeeds, generated, relationSeeds, errorSeeds }) => {
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
        ...(seed.fixed && { fixed: true }),
        ...(seed.arity !== null && { arity: seed.arity }),
        ...(seed.arity !== null && seed.arity > 2 && seed.parameters > 0 && { parameters: seed.parameters }),
        nameStart: start + (seed.nameAt % (end - start + 1)),
        signature: { start: start + signature[0], end: start + signature[1] },
        doc: doc === null ? null : { start: doc[0], end: doc[1] },
      };
    });
    let last = 0;
    const parseErrors = errorSeeds.map(({ step, span, lost }) => {
      const startLine = last + step + 1;
      last = startLine + span;
      return { startLine, endLine: last, lost };
    });
    const bounded = parseErrors.filter(({ endLine }) => endLine <= lines);
    const relations = relationsOf(relationSeeds, symbols.length, line);
    return { lines, chunks, symbols, generated, relations, parseErrors: bounded };
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
