/**
 * Layout of a lexical shard, shared by writer, reader and merger: columns, postings, and names of the files next to it. A document is one
 * chunk of one unit; a unit is one blob in one language. Postings of a term, sorted by document: varint(document delta), then one byte tf
 * (< 128) if the term is in the body alone, or 0x80 | field bits followed by a varint tf for each field present. Fields are those of
 * BM25F: body, names defined in the chunk, names of the definitions around it.
 *
 * Versions of layout and terms (bump when either changes; older shards are rebuilt): 01 first, 02 capital flag, 03 terms of plurals and
 * CJK, 04 names without joiners, 05 which unit is that of the content, 06 words that are no past tense.
 */
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { ByteReader, ByteWriter, packSections, Uint32List } from '../base/binary.js';
import { SocraticodeError } from '../base/errors.js';
import {
  CONTENT_SKIP_REASONS,
  type ContentSkipReason,
  type DegradedReason,
  PLAIN_CHUNK_KINDS,
  SYMBOL_KINDS,
} from '../extract/facts.js';
import { compareUtf8, packStrings } from './string-table.js';

export const LEXICAL_MAGIC = 'GSCLEX07';

const BODY = 0;
export const NAME = 1;
const ENCLOSING = 2;

export const UNIT_GENERATED = 1;
/** The unit has only imports and re-exports, and no definition of its own. */
export const UNIT_FORWARDING = 2;
/** The language was detected from the content, or the unit was left out entirely. This unit serves files whose names show no language. */
export const UNIT_OF_CONTENT = 4;
/** Bits 4-7 hold the unit's state: 0 if a record backs the unit, else 1 + index into UNIT_STATES. */
export const UNIT_STATE_SHIFT = 4;

/** Reasons why no shared record backs a unit: it has line chunks because parsing failed, or nothing at all. Shards hold their indexes. */
export const UNIT_STATES = [
  'grammar-missing',
  'parse-timeout',
  'parse-crash',
  'record-too-large',
  ...CONTENT_SKIP_REASONS,
  'too-large',
  'record-refused',
] as const satisfies readonly (DegradedReason | ContentSkipReason | 'too-large')[];
export type UnitState = (typeof UNIT_STATES)[number];

/** Kinds of chunks, by their code in shards. */
export const CHUNK_KINDS = [...SYMBOL_KINDS, ...PLAIN_CHUNK_KINDS] as const;

/** Flag bits of one definition. */
export const DEFINITION_EXPORTED = 1;
export const DEFINITION_TOP_LEVEL = 2;
/** The name starts with a capital. In most languages that marks a type, and the lower-case name a function or value. */
export const DEFINITION_CAPITAL = 4;

export interface LexicalMeta {
  oidBytes: number;
  languages: string[];
  units: number;
  documents: number;
  terms: number;
  names: number;
}

export interface UnitRow {
  oid: string;
  language: string;
  flags: number;
  /** Size of the blob, in bytes. */
  size: number;
  firstDocument: number;
  documents: number;
}

/** Columns of the documents: each list has one value per document. */
export class DocumentColumns {
  readonly start = new Uint32List();
  readonly end = new Uint32List();
  readonly startLine = new Uint32List();
  readonly endLine = new Uint32List();
  readonly hash = new Uint32List();
  /** Index into CHUNK_KINDS. */
  readonly kind = new Uint32List();
  /** 1 + index into `symbols`; 0 if the chunk belongs to no definition. */
  readonly symbol = new Uint32List();
  /** Field lengths in terms. */
  readonly bodyLength = new Uint32List();
  readonly nameLength = new Uint32List();
  readonly enclosingLength = new Uint32List();

  get length(): number {
    return this.start.length;
  }
}

export type DocumentColumn = Exclude<keyof DocumentColumns, 'length'>;
export const DOCUMENT_COLUMNS: readonly DocumentColumn[] = [
  'start',
  'end',
  'startLine',
  'endLine',
  'hash',
  'kind',
  'symbol',
  'bodyLength',
  'nameLength',
  'enclosingLength',
];

/** A sorted dictionary with one encoded byte run per entry. */
export interface Dictionary {
  entries: string[];
  /** `entries.length + 1` offsets into `data`. */
  offsets: Uint32Array;
  data: Uint8Array;
}

export interface LexicalColumns {
  oidBytes: number;
  units: UnitRow[];
  documents: DocumentColumns;
  /** Display names of chunks, in the order in which documents first refer to them. */
  symbols: string[];
  terms: Dictionary;
  /** Definition names, normalised by `nameKey`. Runs: varint(document delta), kind byte, flags byte, varint(lines). */
  names: Dictionary;
}

/** Collects the byte runs of a dictionary whose entries arrive in sorted order. */
export class DictionaryWriter {
  readonly out = new ByteWriter(1 << 16);
  private readonly entries: string[] = [];
  private readonly offsets = new Uint32List();

  begin(entry: string): void {
    this.entries.push(entry);
    this.offsets.push(this.out.length);
  }

  finish(): Dictionary {
    this.offsets.push(this.out.length);
    return { entries: this.entries, offsets: this.offsets.view(), data: this.out.view() };
  }
}

/** Encodes the shard file. The builder and the merger both end here. Equal columns give equal bytes. */
export function encodeLexical(columns: LexicalColumns): Buffer {
  const { documents, terms, names, oidBytes } = columns;
  const order = columns.units.map((_, i) => i).sort((a, b) => compareUnits(columns.units[a], columns.units[b]));
  const units = order.map((i) => columns.units[i]);
  const languages = [...new Set(units.map((unit) => unit.language))].sort(compareUtf8);
  const languageIndex = new Map(languages.map((language, i) => [language, i]));
  const oids = Buffer.alloc(units.length * oidBytes);
  for (const [i, unit] of units.entries()) oids.write(unit.oid, i * oidBytes, 'hex');
  const symbols = packStrings(columns.symbols);
  const termStrings = packStrings(terms.entries);
  const nameStrings = packStrings(names.entries);
  const meta: LexicalMeta = {
    oidBytes,
    languages,
    units: units.length,
    documents: documents.length,
    terms: terms.entries.length,
    names: names.entries.length,
  };
  return packSections(LEXICAL_MAGIC, meta, {
    unitOids: oids,
    unitLanguage: Uint8Array.from(units, (unit) => languageIndex.get(unit.language) as number),
    unitFlags: Uint8Array.from(units, (unit) => unit.flags),
    unitSize: Uint32Array.from(units, (unit) => unit.size),
    unitFirst: Uint32Array.from(units, (unit) => unit.firstDocument),
    unitDocuments: Uint32Array.from(units, (unit) => unit.documents),
    ...Object.fromEntries(DOCUMENT_COLUMNS.map((name) => [name, documents[name].view()])),
    symbolOffsets: symbols.offsets,
    symbolBytes: symbols.bytes,
    termOffsets: termStrings.offsets,
    termBytes: termStrings.bytes,
    postingOffsets: terms.offsets,
    postings: terms.data,
    nameOffsets: nameStrings.offsets,
    nameBytes: nameStrings.bytes,
    definitionOffsets: names.offsets,
    definitions: names.data,
  });
}

function compareUnits(a: UnitRow, b: UnitRow): number {
  if (a.oid !== b.oid) return a.oid < b.oid ? -1 : 1;
  return compareUtf8(a.language, b.language);
}

/** Postings of one term, decoded: parallel arrays of length `count`. */
export interface Postings {
  count: number;
  documents: Uint32Array;
  body: Uint16Array;
  name: Uint8Array;
  enclosing: Uint8Array;
}

/** Writes one posting; `packed` is body | name << 16 | enclosing << 24. */
export function writePosting(out: ByteWriter, delta: number, packed: number): void {
  const body = packed & 0xffff;
  const name = (packed >>> 16) & 0xff;
  const enclosing = packed >>> 24;
  out.varint(delta);
  if (name === 0 && enclosing === 0 && body < 128) {
    out.byte(body);
    return;
  }
  out.byte(0x80 | (body ? 1 << BODY : 0) | (name ? 1 << NAME : 0) | (enclosing ? 1 << ENCLOSING : 0));
  if (body) out.varint(body);
  if (name) out.varint(name);
  if (enclosing) out.varint(enclosing);
}

/** Decodes the run [from, to) of a shard's postings. */
export function readPostings(data: Uint8Array, from: number, to: number): Postings {
  // A posting takes at least two bytes.
  const capacity = (to - from) >>> 1;
  const out: Postings = {
    count: 0,
    documents: new Uint32Array(capacity),
    body: new Uint16Array(capacity),
    name: new Uint8Array(capacity),
    enclosing: new Uint8Array(capacity),
  };
  const reader = new ByteReader(data, from);
  let document = 0;
  for (; reader.at < to; out.count++) {
    document += reader.varint();
    out.documents[out.count] = document;
    const head = reader.byte();
    if (head < 0x80) {
      out.body[out.count] = head;
      continue;
    }
    if (head & (1 << BODY)) out.body[out.count] = reader.varint();
    if (head & (1 << NAME)) out.name[out.count] = reader.varint();
    if (head & (1 << ENCLOSING)) out.enclosing[out.count] = reader.varint();
  }
  return out;
}

/** Receives one posting: a document and the term's frequency in each field. */
export type PostingVisitor = (document: number, body: number, name: number, enclosing: number) => void;

/** Visits the run [from, to) of a shard's postings in order, without making anything, for callers that read most terms of a shard. */
export function eachPosting(data: Uint8Array, from: number, to: number, visit: PostingVisitor): void {
  const reader = new ByteReader(data, from);
  let document = 0;
  while (reader.at < to) {
    document += reader.varint();
    const head = reader.byte();
    if (head < 0x80) visit(document, head, 0, 0);
    else {
      const body = head & (1 << BODY) ? reader.varint() : 0;
      const name = head & (1 << NAME) ? reader.varint() : 0;
      visit(document, body, name, head & (1 << ENCLOSING) ? reader.varint() : 0);
    }
  }
}

// Names of the files that belong to a lexical shard: its vectors under one vectors profile, and their graph. Both names contain the 16
// hex digits of the lexical shard, and both files are removed together with it.

const LEXICAL_NAME = /^lexical-([0-9a-f]{16})\.bin$/;
const PROFILE = /^[0-9a-f]{4,64}$/;
const VECTOR_NAME = /^vectors-([0-9a-f]{4,64})-([0-9a-f]{16})\.(bin|hnsw)$/;

/** Path of the vectors: `vectors-<profile>-<16 hex>.bin` in the directory of the shards. Throws INTERNAL for malformed names. */
export function vectorPath(directory: string, profile: string, lexical: string): string {
  return join(directory, `${vectorStem(profile, lexical)}.bin`);
}

/** Path of the graph over the same vectors: `vectors-<profile>-<16 hex>.hnsw`. Throws INTERNAL for malformed names. */
export function hnswPath(directory: string, profile: string, lexical: string): string {
  return join(directory, `${vectorStem(profile, lexical)}.hnsw`);
}

function vectorStem(profile: string, lexical: string): string {
  const hex = LEXICAL_NAME.exec(lexical)?.[1];
  if (hex === undefined || !PROFILE.test(profile)) {
    throw new SocraticodeError('INTERNAL', `no vectors can belong to ${lexical} under profile ${profile}`);
  }
  return `vectors-${profile}-${hex}`;
}

/** File name of the lexical shard that a vector or graph file belongs to, under any profile; null for other files. */
export function vectorFileOwner(name: string): string | null {
  const hex = VECTOR_NAME.exec(name)?.[2];
  return hex === undefined ? null : `lexical-${hex}.bin`;
}

/** Profiles under which a lexical shard has vectors. */
export function vectorProfilesOf(directory: string, lexical: string): string[] {
  return readdirSync(directory)
    .map((name) => VECTOR_NAME.exec(name))
    .filter((match) => match !== null && match[3] === 'bin' && `lexical-${match[2]}.bin` === lexical)
    .map((match) => (match as RegExpExecArray)[1]);
}

/** Renames a file that cannot be trusted to `<path>.bad`, so that it is built again. */
export function quarantine(path: string): void {
  try {
    if (existsSync(path)) renameSync(path, `${path}.bad`);
  } catch {
    // The directory is read-only; the file is simply not used.
  }
}
