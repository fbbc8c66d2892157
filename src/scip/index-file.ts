/**
 * Reads and writes a SCIP index, part by part, so that no more than one document is in memory. An index is untrusted:
 * lengths and numbers of entries are bounded, unknown fields are skipped, and a fault in the encoding ends the reading.
 * Names follow `scip.proto` of github.com/sourcegraph/scip; fields without a use here are left out.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { PbfReader, PbfWriter } from 'pbf';
import { SocraticodeError } from '../base/errors.js';

/** Bytes of an index, wherever they are. `read` returns fewer bytes only at the end. */
interface ScipSource {
  readonly size: number;
  read(at: number, length: number): Uint8Array;
}

export type ScipPart =
  | { kind: 'metadata'; metadata: ScipMetadata }
  | { kind: 'document'; document: ScipDocument }
  | { kind: 'external'; symbol: ScipSymbol };

/** Most bytes of one part. Documents of the largest generated files that are known take a fifth of this. */
const MAX_PART_BYTES = 64 * 1024 * 1024;
/**
 * Most occurrences, symbols, relationships and texts of one part, all together; the rest is left out. An entry takes two bytes
 * in the file and some hundred in memory.
 */
const MAX_ENTRIES = 500_000;
/** Longest text; a longer one is read as '', which is no symbol. */
const MAX_TEXT_BYTES = 65_536;
/** Longest tag and length in front of a part. */
const MAX_HEAD_BYTES = 20;

const VARINT = 0;
const BYTES = 2;

/** Yields the parts of an index in their order. Throws BAD_ARGUMENT at bytes that are no SCIP index. */
export function* readScip(source: ScipSource): Generator<ScipPart> {
  for (let at = 0; at < source.size; ) {
    const head = new PbfReader(source.read(at, MAX_HEAD_BYTES));
    const { tag, length } = guarded(at, () => readHead(head));
    if (length > MAX_PART_BYTES) throw notScip(at, `a part of ${length} bytes`);
    const start = at + head.pos;
    if (start + length > source.size) throw notScip(at, 'it ends in the middle of a part');
    const part = guarded(at, () => readPart(tag, new PartReader(source.read(start, length))));
    if (part !== null) yield part;
    at = start + length;
  }
}

/** Yields the parts of an index in a file. Throws BAD_ARGUMENT as `readScip` does, and errors of the file system. */
export function* readScipFile(path: string): Generator<ScipPart> {
  const file = openSync(path, 'r');
  try {
    yield* readScip({ size: fstatSync(file).size, read: (at, length) => readBytes(file, at, length) });
  } finally {
    closeSync(file);
  }
}

function readBytes(file: number, at: number, length: number): Uint8Array {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const read = readSync(file, bytes, filled, length - filled, at + filled);
    if (read === 0) break;
    filled += read;
  }
  return bytes.subarray(0, filled);
}

/** Holds all bytes in memory. */
export function scipBytes(bytes: Uint8Array): ScipSource {
  return { size: bytes.length, read: (at, length) => bytes.subarray(at, at + length) };
}

function notScip(at: number, fault: string): SocraticodeError {
  return new SocraticodeError('BAD_ARGUMENT', `not a SCIP index: ${fault}, at byte ${at}`, {
    hint: 'Make it again with the indexer of the language, for example scip-typescript or scip-python.',
  });
}

/** Runs a reader, and reports the faults that it and pbf find in the encoding. */
function guarded<T>(at: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw notScip(at, error instanceof Error ? error.message : String(error));
  }
}

/** Reader of one part; counts its entries. */
class PartReader extends PbfReader {
  private entries = 0;

  keep<T>(list: T[], entry: T | null): void {
    if (entry !== null && this.entries++ < MAX_ENTRIES) list.push(entry);
  }
}

function readHead(head: PbfReader): { tag: number; length: number } {
  const tag = head.nextField();
  if (tag === 0 || head.type !== BYTES) throw new Error('a field that an index does not have');
  const length = head.readVarint();
  if (head.pos > head.length) throw new Error('it ends in the middle of a number');
  return { tag, length };
}

function readPart(tag: number, reader: PartReader): ScipPart | null {
  const end = reader.length;
  if (tag === 1) return { kind: 'metadata', metadata: readMetadata(reader, end) };
  if (tag === 2) return { kind: 'document', document: readDocument(reader, end) };
  if (tag === 3) return { kind: 'external', symbol: readSymbol(reader, end) };
  return null;
}

/**
 * Calls `take` for each field up to `end`. A field that `take` does not read is skipped; a field that passes the end of its
 * message is a fault.
 */
function eachField(reader: PartReader, end: number, take: (tag: number) => void): void {
  for (;;) {
    const tag = reader.nextField(end);
    if (reader.pos > end) throw new Error('a field that passes the end of its message');
    if (tag === 0 && reader.pos === end) return;
    if (tag === 0) throw new Error('a field without a number');
    take(tag);
  }
}

function readMetadata(reader: PartReader, end: number): ScipMetadata {
  const tool = { name: '', version: '', arguments: [] as string[] };
  const metadata = { tool, projectRoot: '' };
  eachField(reader, end, (tag) => {
    if (tag === 2) {
      eachField(reader, messageEnd(reader), (inner) => {
        if (inner === 1) tool.name = readText(reader);
        else if (inner === 2) tool.version = readText(reader);
        else if (inner === 3) reader.keep(tool.arguments, readText(reader));
      });
    } else if (tag === 3) metadata.projectRoot = readText(reader);
  });
  return metadata;
}

function readDocument(reader: PartReader, end: number): ScipDocument {
  const occurrences: ScipOccurrence[] = [];
  const symbols: ScipSymbol[] = [];
  const document = { path: '', language: '', columns: 0, occurrences, symbols };
  eachField(reader, end, (tag) => {
    if (tag === 1) document.path = readText(reader);
    else if (tag === 2) reader.keep(occurrences, readOccurrence(reader, messageEnd(reader)));
    else if (tag === 3) reader.keep(symbols, readSymbol(reader, messageEnd(reader)));
    else if (tag === 4) document.language = readText(reader);
    else if (tag === 6) document.columns = readNumber(reader);
  });
  return document;
}

/** Reads an occurrence; null if it has no range, so that one odd entry does not cost the whole index. */
function readOccurrence(reader: PartReader, end: number): ScipOccurrence | null {
  let symbol = '';
  let roles = 0;
  const range: number[] = [];
  const enclosing: number[] = [];
  eachField(reader, end, (tag) => {
    if (tag === 1) readNumbers(reader, range);
    else if (tag === 2) symbol = readText(reader);
    else if (tag === 3) roles = readNumber(reader);
    else if (tag === 7) readNumbers(reader, enclosing);
  });
  const place = wholeRange(range);
  if (place === null) return null;
  const around = wholeRange(enclosing);
  return around === null ? { range: place, symbol, roles } : { range: place, symbol, roles, enclosing: around };
}

/** Completes a range of three or four numbers; null for other numbers, and for a range that ends before it starts. */
function wholeRange(numbers: readonly number[]): ScipRange | null {
  const [startLine, startColumn, third, fourth] = numbers;
  if (numbers.length !== 3 && numbers.length !== 4) return null;
  const endLine = fourth === undefined ? startLine : third;
  const endColumn = fourth ?? third;
  if (endLine < startLine || (endLine === startLine && endColumn < startColumn)) return null;
  return [startLine, startColumn, endLine, endColumn];
}

function readSymbol(reader: PartReader, end: number): ScipSymbol {
  const documentation: string[] = [];
  const relationships: ScipRelationship[] = [];
  const symbol: ScipSymbol = { symbol: '', documentation, relationships, kind: 0, displayName: '' };
  eachField(reader, end, (tag) => {
    if (tag === 1) symbol.symbol = readText(reader);
    else if (tag === 3) reader.keep(documentation, readText(reader));
    else if (tag === 4) reader.keep(relationships, readRelationship(reader, messageEnd(reader)));
    else if (tag === 5) symbol.kind = readNumber(reader);
    else if (tag === 6) symbol.displayName = readText(reader);
    else if (tag === 7) {
      // A signature is a document, which could hold symbols with signatures; only its text is read.
      const signature = { language: '', text: '' };
      symbol.signature = signature;
      eachField(reader, messageEnd(reader), (inner) => {
        if (inner === 4) signature.language = readText(reader);
        else if (inner === 5) signature.text = readText(reader);
      });
    }
  });
  return symbol;
}

function readRelationship(reader: PartReader, end: number): ScipRelationship {
  const relationship: ScipRelationship = { symbol: '' };
  eachField(reader, end, (tag) => {
    if (tag === 1) relationship.symbol = readText(reader);
    else if (tag === 2) relationship.isReference = readNumber(reader) !== 0;
    else if (tag === 3) relationship.isImplementation = readNumber(reader) !== 0;
    else if (tag === 4) relationship.isTypeDefinition = readNumber(reader) !== 0;
    else if (tag === 5) relationship.isDefinition = readNumber(reader) !== 0;
  });
  return relationship;
}

function expect(reader: PartReader, type: number): void {
  if (reader.type !== type) throw new Error('a field of another type');
}

/** Reads the length of a message; returns the position after it. */
function messageEnd(reader: PartReader): number {
  expect(reader, BYTES);
  const end = reader.readVarint() + reader.pos;
  if (end > reader.length) throw new Error('a message longer than its part');
  return end;
}

function readText(reader: PartReader): string {
  const start = reader.pos;
  const end = messageEnd(reader);
  const isRead = end - reader.pos <= MAX_TEXT_BYTES;
  reader.pos = isRead ? start : end;
  return isRead ? reader.readString() : '';
}

/** Reads a number from 0 to 2^31 - 1: SCIP has no others. */
function readNumber(reader: PartReader): number {
  expect(reader, VARINT);
  return checked(reader.readVarint());
}

/** Adds the numbers of a repeated field, which may be packed or single. Nothing here needs more than a few. */
function readNumbers(reader: PartReader, numbers: number[]): void {
  if (reader.type !== BYTES) {
    if (numbers.push(readNumber(reader)) > 4) throw new Error('a range of more than four numbers');
    return;
  }
  const end = messageEnd(reader);
  while (reader.pos < end) {
    if (numbers.push(checked(reader.readVarint())) > 4) throw new Error('a range of more than four numbers');
  }
}

function checked(value: number): number {
  if (value > 0x7f_ff_ff_ff || value < 0) throw new Error('a number out of bounds');
  return value;
}

// Writing: each function returns one part, and the parts are put end to end, metadata first.

/** Encoding of the project's files in `Metadata`; columns of documents have a unit of their own. */
const UTF8_TEXT = 1;

export function encodeMetadata(metadata: ScipMetadata): Uint8Array {
  return part(1, writeMetadata, metadata);
}

export function encodeDocument(document: ScipDocument): Uint8Array {
  return part(2, writeDocument, document);
}

/** Encodes a symbol of another project to which documents of this index refer. */
export function encodeExternalSymbol(symbol: ScipSymbol): Uint8Array {
  return part(3, writeSymbol, symbol);
}

function part<T>(field: number, write: (value: T, out: PbfWriter) => void, value: T): Uint8Array {
  const out = new PbfWriter();
  out.writeMessage(field, write, value);
  return out.finish();
}

function writeMetadata({ tool, projectRoot }: ScipMetadata, out: PbfWriter): void {
  out.writeMessage(2, writeTool, tool);
  writeText(out, 3, projectRoot);
  out.writeVarintField(4, UTF8_TEXT);
}

function writeTool(tool: ScipMetadata['tool'], out: PbfWriter): void {
  writeText(out, 1, tool.name);
  writeText(out, 2, tool.version);
  for (const argument of tool.arguments) putText(out, 3, argument);
}

function writeDocument(document: ScipDocument, out: PbfWriter): void {
  writeText(out, 1, document.path);
  for (const occurrence of document.occurrences) out.writeMessage(2, writeOccurrence, occurrence);
  for (const symbol of document.symbols) out.writeMessage(3, writeSymbol, symbol);
  writeText(out, 4, document.language);
  writeNumber(out, 6, document.columns);
}

function writeOccurrence(occurrence: ScipOccurrence, out: PbfWriter): void {
  out.writePackedVarint(1, shortRange(occurrence.range));
  writeText(out, 2, occurrence.symbol);
  writeNumber(out, 3, occurrence.roles);
  if (occurrence.enclosing !== undefined) out.writePackedVarint(7, shortRange(occurrence.enclosing));
}

/** A range within one line has three numbers in the format. */
function shortRange([startLine, startColumn, endLine, endColumn]: ScipRange): number[] {
  return startLine === endLine ? [startLine, startColumn, endColumn] : [startLine, startColumn, endLine, endColumn];
}

function writeSymbol(symbol: ScipSymbol, out: PbfWriter): void {
  writeText(out, 1, symbol.symbol);
  for (const text of symbol.documentation) putText(out, 3, text);
  for (const relationship of symbol.relationships) out.writeMessage(4, writeRelationship, relationship);
  writeNumber(out, 5, symbol.kind);
  writeText(out, 6, symbol.displayName);
  if (symbol.signature !== undefined) out.writeMessage(7, writeSignature, symbol.signature);
}

/** A signature is a document that has only a language and a text. */
function writeSignature({ language, text }: NonNullable<ScipSymbol['signature']>, out: PbfWriter): void {
  writeText(out, 4, language);
  writeText(out, 5, text);
}

function writeRelationship(relationship: ScipRelationship, out: PbfWriter): void {
  writeText(out, 1, relationship.symbol);
  if (relationship.isReference) out.writeBooleanField(2, true);
  if (relationship.isImplementation) out.writeBooleanField(3, true);
  if (relationship.isTypeDefinition) out.writeBooleanField(4, true);
  if (relationship.isDefinition) out.writeBooleanField(5, true);
}

/** Writes a text unless it is empty, the default of a field. */
function writeText(out: PbfWriter, field: number, value: string): void {
  if (value !== '') putText(out, field, value);
}

/** Writes a text, as bytes: `writeStringField` of pbf 5.1.2 writes another character for some above U+1FFFF. */
function putText(out: PbfWriter, field: number, value: string): void {
  out.writeBytesField(field, Buffer.from(value));
}

function writeNumber(out: PbfWriter, field: number, value: number): void {
  if (value !== 0) out.writeVarintField(field, value);
}

/** Name under which this program writes indexes. */
export const OWN_TOOL = 'git-socraticode';

/** Bits of `ScipOccurrence.roles`. */
export const SCIP_ROLES = {
  definition: 1,
  import: 2,
  write: 4,
  read: 8,
  generated: 16,
  test: 32,
  forwardDefinition: 64,
} as const;

/** Unit of columns: bytes of UTF-8, units of UTF-16, or code points. Indexers of before 2023 leave it unspecified. */
export const SCIP_COLUMNS = { unspecified: 0, utf8: 1, utf16: 2, utf32: 3 } as const;

/** Codes of `ScipSymbol.kind` for kinds of symbol that most languages have. */
export const SCIP_KINDS = {
  unspecified: 0,
  class: 7,
  constant: 8,
  constructor: 9,
  enum: 11,
  enumMember: 12,
  field: 15,
  file: 16,
  function: 17,
  interface: 21,
  macro: 25,
  method: 26,
  module: 29,
  namespace: 30,
  package: 35,
  parameter: 37,
  property: 41,
  protocol: 42,
  struct: 49,
  trait: 53,
  type: 54,
  typeAlias: 55,
  union: 59,
  variable: 61,
} as const;

/** Half-open range [start, end): line and column of its start, line and column of its end, all counted from 0. */
export type ScipRange = readonly [startLine: number, startColumn: number, endLine: number, endColumn: number];

export interface ScipMetadata {
  tool: { name: string; version: string; arguments: readonly string[] };
  /** URI of the folder that paths of documents start from, on the machine that made the index. */
  projectRoot: string;
}

export interface ScipOccurrence {
  range: ScipRange;
  symbol: string;
  /** Sum of SCIP_ROLES. */
  roles: number;
  /** Range of the whole definition, or of the expression around a reference. */
  enclosing?: ScipRange;
}

export interface ScipRelationship {
  symbol: string;
  /** True if references of the other symbol are references of this one as well: a method that overrides another. */
  isReference?: boolean;
  isImplementation?: boolean;
  isTypeDefinition?: boolean;
  isDefinition?: boolean;
}

export interface ScipSymbol {
  symbol: string;
  /** Documentation in Markdown. */
  documentation: readonly string[];
  relationships: readonly ScipRelationship[];
  /** One of SCIP's kinds, of which SCIP_KINDS lists some. */
  kind: number;
  displayName: string;
  /** Declaration as text, with SCIP's name of its language. */
  signature?: { language: string; text: string };
}

export interface ScipDocument {
  /** Path from the project root, with `/`. */
  path: string;
  /** Name of the language in SCIP's list; may be empty. */
  language: string;
  /** Value of SCIP_COLUMNS that columns of this document count in. */
  columns: number;
  occurrences: readonly ScipOccurrence[];
  /** Symbols that are defined in this document. */
  symbols: readonly ScipSymbol[];
}

// Symbols as text: `<scheme> <manager> <package> <version> <descriptors>`, where descriptors name the way from the package to
// the symbol. The grammar is that of the message `Symbol` in `scip.proto`.

/** Suffix of a descriptor; parameters and type parameters are enclosed in brackets instead. */
export type ScipSuffix = '/' | '#' | '.' | '().' | ':' | '!' | '()' | '[]';

export interface ScipDescriptor {
  name: string;
  suffix: ScipSuffix;
  /** Distinguishes methods of one name; only with the suffix `().`. */
  disambiguator?: string;
}

interface ScipSymbolName {
  scheme: string;
  /** Package manager, name and version; empty where they are unknown. */
  manager: string;
  name: string;
  version: string;
  descriptors: readonly ScipDescriptor[];
}

const LOCAL = /^local [\w+$-]+$/;
const SIMPLE = /^[\w+$-]+$/;

/** True for a symbol that only its own document knows. */
export function isLocalSymbol(symbol: string): boolean {
  return symbol.startsWith('local ');
}

export function formatSymbol({ scheme, manager, name, version, descriptors }: ScipSymbolName): string {
  return `${formatPackage({ scheme, manager, name, version })}${descriptors.map(formatDescriptor).join('')}`;
}

/** Text before the descriptors, with the space after it. */
export function formatPackage({ scheme, manager, name, version }: Omit<ScipSymbolName, 'descriptors'>): string {
  const parts = [scheme, manager, name, version].map((part) => (part === '' ? '.' : part.replaceAll(' ', '  ')));
  return `${parts.join(' ')} `;
}

export function formatDescriptor({ name, suffix, disambiguator = '' }: ScipDescriptor): string {
  const text = SIMPLE.test(name) ? name : `\`${name.replaceAll('`', '``')}\``;
  if (suffix === '()') return `(${text})`;
  if (suffix === '[]') return `[${text}]`;
  return suffix === '().' ? `${text}(${disambiguator}).` : `${text}${suffix}`;
}

/** Reads a symbol that is not local; null for a text outside of the grammar. */
export function parseSymbol(symbol: string): ScipSymbolName | null {
  const parts: string[] = [];
  let at = 0;
  while (parts.length < 4) {
    const end = endOfPart(symbol, at);
    if (end === -1 || end === at) return null;
    parts.push(symbol.slice(at, end).replaceAll('  ', ' '));
    at = end + 1;
  }
  if (parts[0].startsWith('local')) return null;
  const descriptors = parseDescriptors(symbol, at);
  if (descriptors === null || descriptors.length === 0) return null;
  const [scheme, ...rest] = parts;
  const [manager, name, version] = rest.map((part) => (part === '.' ? '' : part));
  return { scheme, manager, name, version, descriptors };
}

/** True for every symbol that the grammar allows, local ones included. */
export function isSymbol(symbol: string): boolean {
  return isLocalSymbol(symbol) ? LOCAL.test(symbol) : parseSymbol(symbol) !== null;
}

/** Finds the space that ends a part; two spaces stand for a space within it. */
function endOfPart(symbol: string, from: number): number {
  for (let at = symbol.indexOf(' ', from); at !== -1; at = symbol.indexOf(' ', at + 2))
    if (symbol[at + 1] !== ' ') return at;
  return -1;
}

const NAME = /(?:[\w+$-]+|`(?:[^`]|``)+`)/y;
const END = /[/#.:!]|\(([\w+$-]*)\)\./y;

function parseDescriptors(symbol: string, from: number): ScipDescriptor[] | null {
  const descriptors: ScipDescriptor[] = [];
  for (let at = from; at < symbol.length; ) {
    const bracket = symbol[at] === '(' ? ')' : symbol[at] === '[' ? ']' : '';
    NAME.lastIndex = bracket === '' ? at : at + 1;
    const text = NAME.exec(symbol)?.[0];
    if (text === undefined) return null;
    const name = text.startsWith('`') ? text.slice(1, -1).replaceAll('``', '`') : text;
    if (text.startsWith('`') && SIMPLE.test(name)) return null;
    at = NAME.lastIndex;
    if (bracket !== '') {
      if (symbol[at] !== bracket) return null;
      descriptors.push({ name, suffix: bracket === ')' ? '()' : '[]' });
      at++;
      continue;
    }
    END.lastIndex = at;
    const end = END.exec(symbol);
    if (end === null) return null;
    const isMethod = end[0].startsWith('(');
    descriptors.push(
      isMethod
        ? { name, suffix: '().', ...(end[1] === '' ? {} : { disambiguator: end[1] }) }
        : { name, suffix: end[0] as ScipSuffix },
    );
    at = END.lastIndex;
  }
  return descriptors;
}
