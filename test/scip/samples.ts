/** Arbitrary parts of SCIP indexes, as their encoding gives them back. */
import fc from 'fast-check';
import type { ScipDocument, ScipMetadata, ScipOccurrence, ScipRange, ScipSymbol } from '../../src/scip/index-file.js';

/** Records with the prototype that the reader's objects have. */
export const record = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record<T>(model, { noNullPrototype: true });
const text = fc.oneof(fc.string({ maxLength: 8 }), fc.string({ unit: 'grapheme', maxLength: 40 }));
const small = fc.oneof(fc.nat(200), fc.nat(0x7f_ff_ff_ff));
const flag = fc.constantFrom(true, undefined);

const range: fc.Arbitrary<ScipRange> = fc
  .tuple(small, small, fc.nat(300), fc.nat(300))
  .map(([line, column, lines, columns]) =>
    lines % 3 === 0
      ? [line, column, line, Math.min(column + columns, 0x7f_ff_ff_ff)]
      : [line, column, Math.min(line + lines, 0x7f_ff_ff_ff), Math.max(column, columns)],
  );

const occurrence: fc.Arbitrary<ScipOccurrence> = record({
  range,
  symbol: text,
  roles: small,
  enclosing: fc.option(range, { nil: undefined }),
}).map(withoutUndefined);

export const symbolInformation: fc.Arbitrary<ScipSymbol> = record({
  symbol: text,
  documentation: fc.array(text, { maxLength: 3 }),
  relationships: fc.array(
    record({ symbol: text, isReference: flag, isImplementation: flag, isTypeDefinition: flag, isDefinition: flag }).map(
      withoutUndefined,
    ),
    { maxLength: 3 },
  ),
  kind: fc.nat(90),
  displayName: text,
  signature: fc.option(record({ language: text, text }), { nil: undefined }),
}).map(withoutUndefined);

export const document: fc.Arbitrary<ScipDocument> = record({
  path: text,
  language: text,
  columns: fc.nat(3),
  occurrences: fc.array(occurrence, { maxLength: 20 }),
  symbols: fc.array(symbolInformation, { maxLength: 5 }),
});

export const metadata: fc.Arbitrary<ScipMetadata> = record({
  tool: record({ name: text, version: text, arguments: fc.array(text, { maxLength: 3 }) }),
  projectRoot: text,
});

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, it]) => it !== undefined)) as T;
}
