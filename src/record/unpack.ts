/**
 * Eight CBOR values -> facts of one blob in one language, the reverse of `pack.ts`. The values are untrusted: every
 * count is bounded before it allocates, every position before an object is built from it.
 */
import { type BlobFacts, type Chunk, type CodeSymbol, SYMBOL_KINDS } from '../extract/facts.js';
import { bytesOf, corrupt, count } from './checks.js';
import { ColumnReader, unzigzag } from './columns.js';
import { EXPORTED, HAS_DOC, KIND_CODES } from './kind-codes.js';
import { MAX_BLOB_BYTES, MAX_CHUNKS, MAX_NAME_LENGTH, MAX_SYMBOLS } from './limits.js';
import { isUtf8Range } from './prescan.js';
import { passOverRelations, unpackRelations } from './unpack-relations.js';

const KINDS = new Map([...KIND_CODES].map(([kind, code]) => [code, kind]));

/** Number of values that `packFacts` writes for one language. */
const FIELDS = 8;

/** Returns `value`, a running position; throws RECORD_CORRUPT if it exceeds `limit`. */
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

/** Cuts the names column into names; each one must be valid UTF-8. */
function unpackNames(text: Uint8Array, lengths: Uint32Array): string[] {
  if (!isUtf8Range(text, 0, text.length)) corrupt('names are not UTF-8');
  const buffer = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  const names: string[] = [];
  let at = 0;
  for (const length of lengths) {
    const end = within(at + length, text.length, 'name');
    if ((text[end] & 0xc0) === 0x80) corrupt('name cut inside a character');
    const name = buffer.toString('utf8', at, end);
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
    if (flags > (EXPORTED | HAS_DOC)) corrupt('unknown flag');
    symbols.push({
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
    });
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
 * Reads the facts from a decoded CBOR value. Throws RECORD_CORRUPT for anything that `packFacts` cannot have written.
 * With `relations` false, relations are skipped: they come out empty and unchecked.
 */
export function unpackFacts(value: unknown, { relations }: { relations: boolean }): BlobFacts {
  if (!Array.isArray(value) || value.length !== FIELDS) corrupt('facts are not an array of eight');
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
  };
}
