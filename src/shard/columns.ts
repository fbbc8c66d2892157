/** The columns of a lexical shard in memory, and their encoding as a file. The builder and the merger both end here. */
import { ByteWriter, Uint32List } from '../base/buffers.js';
import { packSections } from '../base/sections.js';
import { LEXICAL_MAGIC, type LexicalMeta } from './lexical-format.js';
import { compareUtf8, packStrings } from './strings.js';

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

/** Encodes the shard file. Equal columns give equal bytes. */
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
