/**
 * Facts of one blob in one language -> eight CBOR values:
 * `[lines, generated, chunk count, chunk columns, symbol count, symbol columns, names, relations]`.
 * `schemas/record.cddl` describes the columns, `columns.ts` their packing. Packed columns were chosen over CBOR arrays
 * of integers because they are 12% smaller after zlib (576 instead of 653 bytes a file over 344 source files).
 */
import { SocraticodeError } from '../base/errors.js';
import type { BlobFacts, Chunk, CodeSymbol } from '../extract/facts.js';
import { type CborValue, isWellFormed } from './cbor.js';
import { ColumnWriter, symbolSteps, zigzag } from './columns.js';
import { EXPORTED, HAS_DOC, KIND_CODES } from './kind-codes.js';
import { packRelations } from './pack-relations.js';

function refuse(what: string): never {
  throw new SocraticodeError('INTERNAL', `cannot write facts: ${what}`);
}

function codeOf(kind: string): number {
  return KIND_CODES.get(kind) ?? refuse(`unknown kind ${kind}`);
}

/** Differences `value(items[i]) - previous(items[i - 1])`, as the columns of positions hold them. */
function steps<T>(items: readonly T[], value: (item: T) => number, previous: (item: T) => number): number[] {
  return items.map((item, i) => value(item) - (i === 0 ? 0 : previous(items[i - 1])));
}

function chunkTable(chunks: readonly Chunk[]): Uint8Array {
  let at = 0;
  for (const chunk of chunks) {
    if (chunk.start !== at) refuse(`a chunk starts at ${chunk.start} instead of ${at}`);
    at = chunk.end;
  }
  const table = new ColumnWriter();
  table.column(chunks.map((chunk) => chunk.end - chunk.start));
  table.column(
    steps(
      chunks,
      (chunk) => chunk.startLine,
      (chunk) => chunk.endLine,
    ),
  );
  table.column(chunks.map((chunk) => chunk.endLine - chunk.startLine));
  table.column(chunks.map((chunk) => codeOf(chunk.kind)));
  table.column(symbolSteps(chunks.map((chunk) => chunk.symbol)));
  return table.finish();
}

/** 0 at top level, else the distance back to the container. */
function containerSteps(symbols: readonly CodeSymbol[]): number[] {
  return symbols.map(({ container }, i) => {
    // The distance 0 would read as "top level", so this bug would not show when the writer checks its output.
    if (container === i) refuse('a symbol that contains itself');
    return container === -1 ? 0 : i - container;
  });
}

function symbolTable(symbols: readonly CodeSymbol[], names: readonly Uint8Array[]): Uint8Array {
  const table = new ColumnWriter();
  const docs = symbols.flatMap(({ start, doc }) =>
    doc === null ? [] : [{ before: start - doc.end, length: doc.end - doc.start }],
  );
  table.column(names.map((name) => name.length));
  table.column(symbols.map((symbol) => codeOf(symbol.kind)));
  table.column(containerSteps(symbols));
  table.column(symbols.map((symbol) => (symbol.exported ? EXPORTED : 0) | (symbol.doc === null ? 0 : HAS_DOC)));
  table.column(
    steps(
      symbols,
      (symbol) => symbol.start,
      (symbol) => symbol.start,
    ),
  );
  table.column(symbols.map((symbol) => symbol.end - symbol.start));
  table.column(
    steps(
      symbols,
      (symbol) => symbol.startLine,
      (symbol) => symbol.startLine,
    ),
  );
  table.column(symbols.map((symbol) => symbol.endLine - symbol.startLine));
  table.column(symbols.map((symbol) => symbol.nameStart - symbol.start));
  table.column(symbols.map((symbol) => symbol.signature.start - symbol.start));
  table.column(symbols.map((symbol) => symbol.signature.end - symbol.signature.start));
  table.column(docs.map(({ before }) => zigzag(before)));
  table.column(docs.map(({ length }) => length));
  return table.finish();
}

/** The CBOR value of `facts`. Throws INTERNAL for values that no column can hold; `codec.ts` checks the rest. */
export function packFacts(facts: BlobFacts): CborValue {
  const names = facts.symbols.map((symbol) => {
    if (!isWellFormed(symbol.name)) refuse('a name with a lone surrogate');
    return Buffer.from(symbol.name);
  });
  return [
    facts.lines,
    facts.generated,
    facts.chunks.length,
    chunkTable(facts.chunks),
    facts.symbols.length,
    symbolTable(facts.symbols, names),
    Buffer.concat(names),
    packRelations(facts.relations),
  ];
}
