/** Reads a lexical shard: units, documents, postings and definitions, directly from typed arrays over the file. */
import { ByteReader, Sections } from '../base/binary.js';
import { firstFrom } from '../base/lists.js';
import { SYMBOL_KINDS } from '../extract/facts.js';
import {
  CHUNK_KINDS,
  DOCUMENT_COLUMNS,
  type DocumentColumn,
  eachPosting,
  LEXICAL_MAGIC,
  type LexicalMeta,
  type Postings,
  type PostingVisitor,
  readPostings,
  StringTable,
  UNIT_OF_CONTENT,
  UNIT_STATE_SHIFT,
  UNIT_STATES,
  type UnitState,
} from './lexical-format.js';

/** Hexadecimal digits of an id that are compared as one number, and how many such numbers there are. */
const PREFIX_DIGITS = 8;
const PREFIXES = 2 ** 32;

interface DefinitionPosting {
  document: number;
  /** Index into CHUNK_KINDS. */
  kind: number;
  flags: number;
  lines: number;
}

/** Kinds of definitions other than the keys of data. */
const DEFINED: ReadonlySet<string> = new Set(SYMBOL_KINDS.filter((kind) => kind !== 'key'));

export class LexicalShard {
  readonly meta: LexicalMeta;
  readonly columns: Record<DocumentColumn, Uint32Array>;
  readonly unitFlags: Uint8Array;
  /** Bytes of each unit's blob. */
  readonly unitSize: Uint32Array;
  readonly unitFirst: Uint32Array;
  readonly unitDocuments: Uint32Array;
  readonly terms: StringTable;
  readonly names: StringTable;
  private readonly unitOids: Buffer;
  private readonly unitLanguage: Uint8Array;
  private readonly symbols: StringTable;
  private readonly postingOffsets: Uint32Array;
  private readonly postingData: Uint8Array;
  private readonly definitionOffsets: Uint32Array;
  private readonly definitionData: Uint8Array;

  /** `name`: for messages. The caller has checked the bytes against the manifest. Throws SHARD_CORRUPT. */
  constructor(
    file: Buffer,
    readonly name: string,
  ) {
    const sections = new Sections<LexicalMeta>(file, LEXICAL_MAGIC, name);
    this.meta = sections.meta;
    this.unitOids = sections.bytes('unitOids');
    this.unitLanguage = sections.u8('unitLanguage');
    this.unitFlags = sections.u8('unitFlags');
    this.unitSize = sections.u32('unitSize');
    this.unitFirst = sections.u32('unitFirst');
    this.unitDocuments = sections.u32('unitDocuments');
    this.columns = Object.fromEntries(
      DOCUMENT_COLUMNS.map((column) => [column, sections.u32(column)]),
    ) as LexicalShard['columns'];
    this.symbols = StringTable.of(sections, 'symbol');
    this.terms = StringTable.of(sections, 'term');
    this.names = StringTable.of(sections, 'name');
    this.postingOffsets = sections.u32('postingOffsets');
    this.postingData = sections.u8('postings');
    this.definitionOffsets = sections.u32('definitionOffsets');
    this.definitionData = sections.u8('definitions');
  }

  /** Index of a unit; -1 if this shard does not have the blob in that language. */
  findUnit(oid: string, language: string): number {
    return this.findUnitWhere(oid, (unit) => this.unitLanguageId(unit) === language);
  }

  /**
   * Index of the blob's unit whose language comes from the content; -1 if there is none. A unit that another path's name gave does not
   * count.
   */
  findUnitOfContent(oid: string): number {
    return this.findUnitWhere(oid, (unit) => (this.unitFlags[unit] & UNIT_OF_CONTENT) !== 0);
  }

  private findUnitWhere(oid: string, fits: (unit: number) => boolean): number {
    const first = this.findAnyUnit(oid);
    for (let unit = first; unit >= 0 && unit < this.meta.units; unit++) {
      // Units of the same blob are neighbours.
      if (unit > first && this.unitOid(unit) !== oid) return -1;
      if (fits(unit)) return unit;
    }
    return -1;
  }

  /** Index of a blob's first unit in any language; -1 if there is none. */
  findAnyUnit(oid: string): number {
    const { units } = this.meta;
    const wanted = Number.parseInt(oid.slice(0, PREFIX_DIGITS), 16);
    for (let unit = this.firstFrom(wanted); unit < units && this.unitPrefix(unit) === wanted; unit++)
      if (this.unitOid(unit) === oid) return unit;
    return -1;
  }

  /**
   * First unit whose id begins with at least this number. Units are sorted by ids, which are evenly spread, so the search starts at the
   * place where the unit would be and doubles its steps until it has passed it.
   */
  private firstFrom(wanted: number): number {
    const { units } = this.meta;
    let low = Math.min(units, Math.floor((wanted / PREFIXES) * units));
    let high = low;
    for (let step = 1; high < units && this.unitPrefix(high) < wanted; step *= 2) {
      low = high + 1;
      high = Math.min(units, high + step);
    }
    for (let step = 1; low > 0 && this.unitPrefix(low - 1) >= wanted; step *= 2) {
      high = low - 1;
      low = Math.max(0, low - step);
    }
    return firstFrom(high, (unit) => this.unitPrefix(unit) < wanted, low);
  }

  private unitPrefix(unit: number): number {
    return this.unitOids.readUInt32BE(unit * this.meta.oidBytes);
  }

  unitOid(unit: number): string {
    return this.unitOids.toString('hex', unit * this.meta.oidBytes, (unit + 1) * this.meta.oidBytes);
  }

  unitLanguageId(unit: number): string {
    return this.meta.languages[this.unitLanguage[unit]];
  }

  /** Reason why no shared record backs the unit; null if one does. */
  unitState(unit: number): UnitState | null {
    const code = this.unitFlags[unit] >>> UNIT_STATE_SHIFT;
    return code === 0 ? null : (UNIT_STATES[code - 1] ?? null);
  }

  /** Is a chunk of the unit about a definition that is more than a key? */
  hasDefinitions(unit: number): boolean {
    const first = this.unitFirst[unit];
    for (let document = first; document < first + this.unitDocuments[unit]; document++)
      if (DEFINED.has(this.documentKind(document))) return true;
    return false;
  }

  documentKind(document: number): string {
    return CHUNK_KINDS[this.columns.kind[document]] ?? 'code';
  }

  /** Qualified name that a result shows; null if the chunk belongs to no definition. */
  documentSymbol(document: number): string | null {
    const symbol = this.columns.symbol[document];
    return symbol === 0 ? null : this.symbols.at(symbol - 1);
  }

  /** Index of a term for `postings`; -1 if no document has the term. */
  findTerm(term: string): number {
    return this.terms.find(term);
  }

  postings(term: number): Postings {
    return readPostings(this.postingData, this.postingOffsets[term], this.postingOffsets[term + 1]);
  }

  /** Visits the postings of a term in order of their documents. */
  eachPosting(term: number, visit: PostingVisitor): void {
    eachPosting(this.postingData, this.postingOffsets[term], this.postingOffsets[term + 1], visit);
  }

  /** Definitions with the name at `index` in `names`. */
  definitions(index: number): DefinitionPosting[] {
    const found: DefinitionPosting[] = [];
    this.eachDefinition(index, (document, kind, flags, lines) => {
      found.push({ document, kind, flags, lines });
      return true;
    });
    return found;
  }

  /** Visits them in order, until `visit` returns false: some names are defined a thousand times. */
  eachDefinition(
    index: number,
    visit: (document: number, kind: number, flags: number, lines: number) => boolean,
  ): void {
    const reader = new ByteReader(this.definitionData, this.definitionOffsets[index]);
    for (let document = 0; reader.at < this.definitionOffsets[index + 1]; ) {
      document += reader.varint();
      if (!visit(document, reader.byte(), reader.byte(), reader.varint())) return;
    }
  }
}
