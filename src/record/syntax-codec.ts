/** Encodes and decodes the syntax record of one blob, and checks it against the blob's size. `cbor.ts` has the rules for the bytes. */
import { isAscii, isUtf8 } from 'node:buffer';
import { SocraticodeError } from '../base/errors.js';
import { lineStarts } from '../base/lists.js';
import {
  type BlobFacts,
  type Chunk,
  CONTENT_SKIP_REASONS,
  type CodeSymbol,
  type ContentSkipReason,
  type ParseError,
  SYMBOL_KINDS,
} from '../extract/facts.js';
import { eachIdentifier, identifierTerms, MAX_IDENTIFIER, wholeTerm } from '../extract/terms.js';
import { conventionsOf } from '../languages/registry.js';
import { MADE_WORDS, noRelations } from '../languages/roles/relation-facts.js';
import {
  bytesOf,
  type CborValue,
  corrupt,
  count,
  decodeRecord,
  encodeRecord,
  isWellFormed,
  type RecordKind,
  sealRecord,
} from './cbor.js';
import {
  addParameters,
  ColumnReader,
  ColumnWriter,
  EXPORTED,
  FIXED,
  HAS_DOC,
  KIND_CODES,
  parameterFlags,
  readLanguages,
  symbolSteps,
  unzigzag,
  writeLanguages,
  zigzag,
} from './columns.js';
import {
  type DecodeResult,
  MAX_BLOB_BYTES,
  MAX_CHUNKS,
  MAX_NAME_LENGTH,
  MAX_PARSE_ERRORS,
  MAX_SYMBOLS,
  RECORD_FORMAT,
  type SyntaxRecord,
} from './format.js';
import { distances, packRelations, passOverRelations, unpackRelations } from './relations-codec.js';

export const SYNTAX_KIND = 'syntax';

const SYNTAX: RecordKind<SyntaxRecord> = {
  name: SYNTAX_KIND,
  version: RECORD_FORMAT,
  write(record): CborValue {
    if ('skip' in record) return { skip: record.skip };
    return { facts: writeLanguages(record.facts, packFacts) };
  },
  read: (payload) => readSyntax(payload, { relations: true }),
};

function readSyntax(payload: unknown, options: { relations: boolean }): SyntaxRecord {
  if (!(payload instanceof Map) || payload.size !== 1) corrupt('the payload is not a map of one entry');
  const skip = payload.get('skip');
  if (CONTENT_SKIP_REASONS.includes(skip as ContentSkipReason)) return { skip: skip as ContentSkipReason };
  return { facts: readLanguages(payload.get('facts'), (facts) => unpackFacts(facts, options)) };
}

/** Reads only the chunks and symbols, of which shards are made, in half the time. */
const CHUNKS_AND_SYMBOLS: RecordKind<SyntaxRecord> = {
  ...SYNTAX,
  read: (payload) => readSyntax(payload, { relations: false }),
};

/** Reports a bug of the extractor: chunks and symbols take a fraction of the size of the source that they describe. */
function tooLarge(oid: string): never {
  throw new SocraticodeError('INTERNAL', `the record of ${oid} has more than 1 MiB`);
}

/** Returns a too large record without its relations: its code can still be found, but not its uses. */
function withoutRelations(record: SyntaxRecord): SyntaxRecord {
  if ('skip' in record) return record;
  const entries = Object.entries(record.facts);
  return { facts: Object.fromEntries(entries.map(([id, facts]) => [id, { ...facts, relations: noRelations() }])) };
}

/**
 * Encodes the record of blob `oid` without reading it back, for callers whose reader decodes it before trusting it. Leaves out relations
 * that do not fit.
 */
export function encodeUnchecked(oid: string, record: SyntaxRecord): Uint8Array {
  return sealRecord(SYNTAX, oid, record) ?? sealRecord(SYNTAX, oid, withoutRelations(record)) ?? tooLarge(oid);
}

/**
 * Encodes the record of blob `oid` (hex of SHA-1 or SHA-256). Leaves out relations that do not fit into 1 MiB. Throws INTERNAL for a
 * record that `decodeSyntaxRecord` would refuse.
 */
export function encodeSyntaxRecord(oid: string, record: SyntaxRecord): Uint8Array {
  return encodeRecord(SYNTAX, oid, record) ?? encodeRecord(SYNTAX, oid, withoutRelations(record)) ?? tooLarge(oid);
}

/** Decodes the syntax record of blob `oid`. Never throws, and takes milliseconds and few megabytes for any input. */
export function decodeSyntaxRecord(bytes: Uint8Array, oid: string): DecodeResult {
  return decodeRecord(SYNTAX, bytes, oid);
}

/**
 * Decodes a syntax record for readers that need no relations, which come out empty and unchecked. Never write such a record again, and do
 * not conclude from it that the record can be trusted.
 */
export function decodeChunksAndSymbols(bytes: Uint8Array, oid: string): DecodeResult {
  return decodeRecord(CHUNKS_AND_SYMBOLS, bytes, oid);
}

// Facts of one blob in one language become nine CBOR values: `[lines, generated, chunk count, chunk columns, symbol count, symbol
// columns, names, relations, parse errors]`. `schemas/record.cddl` describes the columns, `columns.ts` their packing. Packed columns were chosen over
// CBOR arrays of integers because they are 12% smaller after zlib (576 instead of 653 bytes a file over 344 source files).

function refuse(what: string): never {
  throw new SocraticodeError('INTERNAL', `cannot write facts: ${what}`);
}

function codeOf(kind: string): number {
  return KIND_CODES.get(kind) ?? refuse(`unknown kind ${kind}`);
}

/** Lines from the end of the range before to the start of each. */
function gaps(ranges: readonly { startLine: number; endLine: number }[]): number[] {
  return ranges.map(({ startLine }, i) => startLine - (i === 0 ? 0 : ranges[i - 1].endLine));
}

function chunkTable(chunks: readonly Chunk[]): Uint8Array {
  let at = 0;
  for (const chunk of chunks) {
    if (chunk.start !== at) refuse(`a chunk starts at ${chunk.start} instead of ${at}`);
    at = chunk.end;
  }
  const table = new ColumnWriter();
  table.column(chunks.map((chunk) => chunk.end - chunk.start));
  table.column(gaps(chunks));
  table.column(chunks.map((chunk) => chunk.endLine - chunk.startLine));
  table.column(chunks.map((chunk) => codeOf(chunk.kind)));
  table.column(symbolSteps(chunks.map((chunk) => chunk.symbol)));
  return table.finish();
}

/** Distance back to the container; 0 at top level. */
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
  table.column(
    symbols.map(
      (symbol) =>
        (symbol.exported ? EXPORTED : 0) |
        (symbol.doc === null ? 0 : HAS_DOC) |
        (symbol.fixed ? FIXED : 0) |
        parameterFlags(symbol),
    ),
  );
  table.column(distances(symbols.map((symbol) => symbol.start)));
  table.column(symbols.map((symbol) => symbol.end - symbol.start));
  table.column(distances(symbols.map((symbol) => symbol.startLine)));
  table.column(symbols.map((symbol) => symbol.endLine - symbol.startLine));
  table.column(symbols.map((symbol) => symbol.nameStart - symbol.start));
  table.column(symbols.map((symbol) => symbol.signature.start - symbol.start));
  table.column(symbols.map((symbol) => symbol.signature.end - symbol.signature.start));
  table.column(docs.map(({ before }) => zigzag(before)));
  table.column(docs.map(({ length }) => length));
  return table.finish();
}

/** Encodes facts. Throws INTERNAL for values that no column can hold; the reader checks the rest. */
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
    parseErrorTable(facts.parseErrors),
  ];
}

/** No bytes without errors, as in most files. */
function parseErrorTable(errors: readonly ParseError[]): Uint8Array {
  const table = new ColumnWriter();
  if (errors.length === 0) return table.finish();
  table.column([errors.length]);
  table.column(gaps(errors));
  table.column(errors.map(({ startLine, endLine, lost }) => 2 * (endLine - startLine) + Number(lost)));
  return table.finish();
}

// The reverse of `packFacts`. The values are untrusted: every count is bounded before it allocates, every position before an object is
// built from it.

const KINDS = new Map([...KIND_CODES].map(([kind, code]) => [code, kind]));

/** Number of values that `packFacts` writes for one language. */
const FIELDS = 9;

/** Returns `value`, a running position. Throws RECORD_CORRUPT if it exceeds `limit`. */
function within(value: number, limit: number, what: string): number {
  return value <= limit ? value : corrupt(`${what} lies beyond its bound`);
}

function unpackChunks(table: Uint8Array, total: number, symbols: number, lines: number): Chunk[] {
  const reader = new ColumnReader(table);
  const lengths = reader.column(total);
  const lineSteps = reader.column(total);
  const spans = reader.column(total);
  const kinds = reader.column(total);
  const symbolCodes = reader.column(total);
  reader.end();
  const chunks: Chunk[] = [];
  let at = 0;
  let line = 0;
  let last = 0;
  for (let i = 0; i < total; i++) {
    if (lengths[i] === 0) corrupt('empty chunk');
    const start = at;
    at = within(at + lengths[i], MAX_BLOB_BYTES, 'chunk');
    const startLine = line + lineSteps[i];
    if (startLine === 0) corrupt('chunk before line 1');
    line = within(startLine + spans[i], lines, 'line of a chunk');
    const kind = (KINDS.get(kinds[i]) ?? corrupt('unknown chunk kind')) as Chunk['kind'];
    let symbol = -1;
    if (symbolCodes[i] !== 0) {
      symbol = last + unzigzag(symbolCodes[i] - 1);
      if (symbol < 0 || symbol >= symbols) corrupt('chunk about a symbol that does not exist');
      last = symbol;
    }
    chunks.push({ start, end: at, startLine, endLine: line, kind, symbol });
  }
  return chunks;
}

/** Splits the names column into names. Each one must be valid UTF-8. */
function unpackNames(text: Uint8Array, lengths: Uint32Array): string[] {
  if (!isUtf8(text)) corrupt('names are not UTF-8');
  const buffer = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  // Most names are ASCII: decoding all of them at once takes a part of the time of one call for each.
  const whole = isAscii(text) ? buffer.toString('latin1') : null;
  const names: string[] = [];
  let at = 0;
  for (const length of lengths) {
    const end = within(at + length, text.length, 'name');
    if ((text[end] & 0xc0) === 0x80) corrupt('name cut inside a character');
    const name = whole === null ? buffer.toString('utf8', at, end) : whole.slice(at, end);
    if (name.length > MAX_NAME_LENGTH) corrupt('name too long');
    names.push(name);
    at = end;
  }
  if (at !== text.length) corrupt('bytes after the last name');
  return names;
}

interface SymbolColumns {
  names: string[];
  kinds: Uint32Array;
  containers: Uint32Array;
  flags: Uint32Array;
  starts: Uint32Array;
  lengths: Uint32Array;
  lineSteps: Uint32Array;
  spans: Uint32Array;
  nameOffsets: Uint32Array;
  signatureOffsets: Uint32Array;
  signatureLengths: Uint32Array;
  docGaps: Uint32Array;
  docLengths: Uint32Array;
}

function readSymbolColumns(table: Uint8Array, total: number, text: Uint8Array): SymbolColumns {
  const reader = new ColumnReader(table);
  const next = () => reader.column(total);
  const names = unpackNames(text, next());
  const [kinds, containers, flags, starts, lengths] = [next(), next(), next(), next(), next()];
  const [lineSteps, spans, nameOffsets, signatureOffsets, signatureLengths] = [next(), next(), next(), next(), next()];
  const documented = flags.reduce((sum, flag) => sum + (flag & HAS_DOC ? 1 : 0), 0);
  const [docGaps, docLengths] = [reader.column(documented), reader.column(documented)];
  reader.end();
  return {
    ...{ names, kinds, containers, flags, starts, lengths, lineSteps, spans },
    ...{ nameOffsets, signatureOffsets, signatureLengths, docGaps, docLengths },
  };
}

function unpackSymbols(columns: SymbolColumns, total: number, size: number, lines: number): CodeSymbol[] {
  const symbols: CodeSymbol[] = [];
  let start = 0;
  let line = 0;
  let doc = 0;
  for (let i = 0; i < total; i++) {
    start += columns.starts[i];
    const end = within(start + columns.lengths[i], size, 'symbol');
    if (i > 0 && columns.starts[i] === 0 && end > symbols[i - 1].end) corrupt('symbols out of order');
    line += columns.lineSteps[i];
    if (line === 0) corrupt('symbol before line 1');
    const signatureStart = start + columns.signatureOffsets[i];
    const distance = columns.containers[i];
    if (distance > i) corrupt('a container comes after its content');
    const flags = columns.flags[i];
    const symbol: CodeSymbol = {
      name: columns.names[i],
      kind: SYMBOL_KINDS[columns.kinds[i]] ?? corrupt('unknown symbol kind'),
      container: distance === 0 ? -1 : i - distance,
      exported: (flags & EXPORTED) !== 0,
      start,
      end,
      startLine: line,
      endLine: within(line + columns.spans[i], lines, 'line of a symbol'),
      nameStart: within(start + columns.nameOffsets[i], end, 'name'),
      signature: {
        start: signatureStart,
        end: within(signatureStart + columns.signatureLengths[i], end, 'signature'),
      },
      doc: flags & HAS_DOC ? unpackDoc(columns, doc++, start, size) : null,
    };
    if (flags & FIXED) symbol.fixed = true;
    addParameters(symbol, flags);
    symbols.push(symbol);
  }
  return symbols;
}

/** A doc comment is before its symbol (a small gap) or, as a docstring, inside it (a negative gap). */
function unpackDoc(columns: SymbolColumns, i: number, start: number, size: number): CodeSymbol['doc'] {
  const end = start - unzigzag(columns.docGaps[i]);
  const docStart = end - columns.docLengths[i];
  if (docStart < 0 || end > size) corrupt('doc comment outside the blob');
  return { start: docStart, end };
}

/**
 * Reads the facts from a decoded CBOR value. Throws RECORD_CORRUPT for anything that `packFacts` cannot have written. With `relations`
 * false, relations are skipped: they come out empty and unchecked.
 */
function unpackFacts(value: unknown, { relations }: { relations: boolean }): BlobFacts {
  if (!Array.isArray(value) || value.length !== FIELDS) corrupt('facts are not an array of nine');
  const lines = count(value[0], MAX_BLOB_BYTES + 1, 'line count');
  const generated = typeof value[1] === 'boolean' ? value[1] : corrupt('the generated flag is not a boolean');
  const chunkCount = count(value[2], MAX_CHUNKS, 'chunk count');
  const symbolCount = count(value[4], MAX_SYMBOLS, 'symbol count');
  const chunks = unpackChunks(bytesOf(value[3], 'chunk columns'), chunkCount, symbolCount, lines);
  const columns = readSymbolColumns(bytesOf(value[5], 'symbol columns'), symbolCount, bytesOf(value[6], 'names'));
  const size = chunks.at(-1)?.end ?? 0;
  return {
    lines,
    chunks,
    symbols: unpackSymbols(columns, symbolCount, size, lines),
    generated,
    relations: relations ? unpackRelations(value[7], symbolCount, lines) : passOverRelations(value[7]),
    parseErrors: unpackParseErrors(bytesOf(value[8], 'parse errors'), lines),
  };
}

function unpackParseErrors(table: Uint8Array, lines: number): ParseError[] {
  if (table.length === 0) return [];
  const reader = new ColumnReader(table);
  const [total] = reader.column(1);
  if (total === 0 || total > MAX_PARSE_ERRORS) corrupt(`${total} parse errors`);
  const [lineSteps, spans] = [reader.column(total), reader.column(total)];
  reader.end();
  const errors: ParseError[] = [];
  let line = 0;
  for (let i = 0; i < total; i++) {
    if (lineSteps[i] === 0) corrupt('parse errors out of order');
    const startLine = line + lineSteps[i];
    line = within(startLine + (spans[i] >>> 1), lines, 'line of a parse error');
    errors.push({ startLine, endLine: line, lost: (spans[i] & 1) === 1 });
  }
  return errors;
}

// Checks records for claims that cannot be true of their blob. A record can be valid in form and still lie. Given the blob's size, two
// cheap checks apply: chunks must reach from the first byte to the last, and no kind of fact may be more numerous than the blob has
// bytes. So no record can hide code, or make a small file as expensive as a large one. Given the text, names must be made of its words.

/** Size of a byte order mark; a blob with nothing else has no chunk. */
const MARK_BYTES = 3;

/** Describes a claim that cannot be true of a blob with these bytes, in words for a log line; null if there is none. */
export function contradiction(record: SyntaxRecord, bytes: Uint8Array): string | null {
  if ('skip' in record) return null;
  for (const [language, facts] of Object.entries(record.facts)) {
    const wrong = contradictionOf(facts, language, bytes);
    if (wrong !== null) return wrong;
  }
  return null;
}

/** Does what `contradiction` does, for the facts of one language. */
export function contradictionOf(facts: BlobFacts, language: string, bytes: Uint8Array): string | null {
  return sizeContradiction(facts, bytes.length) ?? madeUpName(facts, new NamesIn(bytes, language));
}

/** Does what `contradictionOf` does, for a blob whose size alone is known. */
export function sizeContradiction({ lines, chunks, symbols, relations }: BlobFacts, size: number): string | null {
  const end = chunks.at(-1)?.end ?? 0;
  if (end !== size && !(end === 0 && size <= MARK_BYTES)) return `chunks of ${end} bytes in a blob of ${size}`;
  const { imports, exports, references, bindings } = relations;
  const most = Math.max(lines, symbols.length, imports.length, exports.length, references.length, bindings.length);
  return most > size ? `${most} lines, symbols or relations in a blob of ${size} bytes` : null;
}

/**
 * Describes a name that the text does not have: a false record could give its file the names of all others, or uses of them. The few true
 * names without a word of the text, such as what a pipe of Angular calls, only cost that their file is parsed.
 */
function madeUpName(facts: BlobFacts, names: NamesIn): string | null {
  for (const [name, startLine, endLine] of namesOf(facts)) {
    if (!names.has(name, startLine, endLine)) return `the name ${name}, which the text does not have`;
  }
  return null;
}

/** Names, each with its lines. */
function* namesOf({ symbols, relations }: BlobFacts): Generator<[string, number, number]> {
  for (const { name, startLine, endLine } of symbols) yield [name, startLine, endLine];
  for (const { name, literal, startLine, endLine } of relations.references) {
    yield [name, startLine, endLine];
    if (literal !== '') yield [withoutVerb(literal), startLine, endLine];
  }
  for (const { specifier, names, startLine, endLine } of relations.imports) {
    yield [specifier, startLine, endLine];
    for (const { name } of names) yield [name, startLine, endLine];
  }
  for (const { name, local, line } of relations.exports) {
    yield [name, line, line];
    yield [local, line, line];
  }
}

/** The path of a route, which may be behind a method that the text does not state. */
const withoutVerb = (literal: string): string => literal.replace(/^[A-Z]+ /, '');

/** Characters of a line in which a name is looked for: some lines are whole programs. */
const NEAR = 2_000;
/**
 * The kind before a name that rules make, as in `|app_cart`, the place behind one, as in `import#249`, and the protocol and type of an
 * operation, as in `GQL /Query/carts`.
 */
const MARKS = /^\|[a-z]+_|^(?:[A-Z]+ )?\/(?:(?:Query|Mutation|Subscription)(?=\/))?|#\d+$/g;
/** Names of all, of a folder itself or of the outermost namespace, which rules make: `*`, `./.`, `\\`. */
const ROOTS = /^[|./\\"*]*$/;
/** Runs of characters that are no terms. */
const TOO_LONG = new RegExp(`[\\w$]{${MAX_IDENTIFIER + 1}}`);

class NamesIn {
  private readonly text: string;
  /** Offsets of the lines. */
  private readonly starts: readonly number[];
  private terms: ReadonlySet<string> | null = null;
  /** Looks at the whole text that are left: cheaper than its terms for a few names, and without end for many. */
  private scans = 100;
  private readonly known = new Map<string, boolean>();
  /** Words that the text need not have. */
  private readonly made: ReadonlySet<string> | undefined;

  constructor(bytes: Uint8Array, language: string) {
    this.made = conventionsOf(language).madeWords;
    this.text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    this.starts = lineStarts(this.text);
  }

  /** Nearly every name stands on its lines. Those that are put together or unquoted have words of the text. */
  has(name: string, startLine: number, endLine: number): boolean {
    const start = this.starts[startLine - 1] ?? 0;
    const end = Math.min(this.starts[endLine] ?? this.text.length, start + NEAR);
    if (this.text.slice(start, end).includes(name)) return true;
    const known = this.known.get(name) ?? this.isPutTogether(name.replace(MARKS, ''));
    this.known.set(name, known);
    return known;
  }

  private isPutTogether(name: string): boolean {
    let isThere = !TOO_LONG.test(name);
    let words = 0;
    eachIdentifier(name, (word) => {
      words++;
      isThere &&= this.isMade(word) || this.isElsewhere(word) || this.hasPartsOf(word);
    });
    return words > 0 || ROOTS.test(name) ? isThere : this.isElsewhere(name);
  }

  private isMade(word: string): boolean {
    return MADE_WORDS.has(word) || this.made?.has(word) === true;
  }

  private isElsewhere(word: string): boolean {
    return this.scans-- > 0 && this.text.includes(word);
  }

  private hasPartsOf(word: string): boolean {
    this.terms ??= this.readTerms();
    const terms = termsOf(word);
    const parts = terms.length > 1 ? terms.filter((term) => term !== wholeTerm(word)) : terms;
    return parts.every((term) => this.terms?.has(term));
  }

  private readTerms(): ReadonlySet<string> {
    const terms = new Set<string>();
    eachIdentifier(this.text, (word) => {
      for (const term of termsOf(word)) terms.add(term);
    });
    return terms;
  }
}

/** Terms of a word; `$` and `t`, which have none, stand for themselves. */
function termsOf(word: string): string[] {
  const terms = identifierTerms(word);
  return terms.length > 0 ? terms : [word];
}
