/** Records in git notes, by blob id: read in bulk, written in batches. Below them are the bytes of compilers' records. */
import { createHash } from 'node:crypto';
import { log } from '../base/log.js';
import { fewChanges } from '../git/diff.js';
import {
  listNotes,
  type NoteEntry,
  type NotesListing,
  notePath,
  notesTip,
  WrittenPacks,
  writeNotes,
} from '../git/notes.js';
import type { ObjectReader } from '../git/objects.js';
import { NOTES_PREFIX, type Repository } from '../git/repository.js';
import {
  bytesOf,
  type CborValue,
  corrupt,
  count,
  decodeCanonical,
  decodeRecord,
  encodeCanonical,
  encodeRecord,
  type RecordKind,
} from './cbor.js';
import { ColumnReader, ColumnWriter } from './columns.js';
import {
  COMPILER_FORMAT,
  COMPILER_KIND,
  type CompilerOccurrence,
  type CompilerRecord,
  type Decoded,
  MAX_BLOB_BYTES,
  MAX_OCCURRENCES,
  MAX_RECORD_BYTES,
  MAX_RELATION_STRING,
  RECORD_LIMITS,
  type SyntaxRecord,
  type VectorRecord,
} from './format.js';
import { decodeChunksAndSymbols, decodeSyntaxRecord, SYNTAX_KIND } from './syntax-codec.js';
import { decodeVectorRecord, VECTORS_KIND } from './vector-codec.js';

/** Number of look-ups by path that take as long as listing a large notes tree. */
const LOOKED_UP = 100;
/** Most notes that are compared one by one with those of a former tip: git lists as many in 20 ms. */
const MOST_WRITTEN = 5_000;

/**
 * Store for records of one kind and profile, in the ref `refs/notes/socraticode/<kind>/<profile>`. `load` comes before `read`,
 * `readEncoded`, `noteId` and `has`.
 */
export class RecordStore<T> {
  readonly ref: string;
  private listing: NotesListing | null = null;
  private tip: string | null = null;
  private packs: WrittenPacks | undefined;
  /** Notes at other fan-out depths than ours that look-ups without a listing have found. */
  private readonly foreign = new Map<string, string[]>();

  constructor(
    private readonly repository: Repository,
    private readonly objects: ObjectReader,
    kind: string,
    profile: string,
    private readonly decode: (bytes: Uint8Array, oid: string) => Decoded<T>,
    /** Description of the profile, as one line of JSON; written into the ref's first commit. */
    private readonly about?: string,
    /** Decodes the part that every reader needs and skips the rest. */
    private readonly decodePart = decode,
  ) {
    this.ref = `${NOTES_PREFIX}/${kind}/${profile}`;
  }

  /** Joins the packs of what `work` writes to one at its end, however it ends. */
  async joiningPacks<Done>(work: () => Promise<Done>): Promise<Done> {
    const packs = new WrittenPacks(this.repository);
    this.packs = packs;
    try {
      return await work();
    } finally {
      this.packs = undefined;
      await packs.join().catch((error) => log.debug(`packs are not joined: ${error.message}`));
    }
  }

  /** Commit that the ref points at; null before the first record. */
  async readTip(): Promise<string | null> {
    // Through the `cat-file` process that runs anyway: starting another git costs more than the rest of a run without work.
    return notesTip(this.objects, this.ref);
  }

  /**
   * Returns whether the ref still has a note wherever it had one at `tip`, a former commit of it: questions and `pull` only add notes.
   * False if that commit is gone, or too much was written since.
   */
  async holdsAllOf(tip: string | null): Promise<boolean> {
    const now = await this.readTip();
    if (tip === null || now === null || tip === now) return tip === now;
    const changes = await fewChanges(this.repository.git, tip, now, MOST_WRITTEN);
    return changes?.every(({ status }) => status === 'added' || status === 'modified') ?? false;
  }

  /** Prepares reading the records of about `count` blobs: looks up few by path, and lists the tree for many. */
  async load(count = Number.POSITIVE_INFINITY): Promise<void> {
    this.tip = await this.readTip();
    if (this.tip === null) this.listing = { notes: new Map(), foreign: new Map() };
    else if (count > LOOKED_UP) this.listing = await listNotes(this.repository.git, this.tip);
  }

  /** Object id of a blob's note, which changes with the record; null if there is none. Needs a listing. */
  noteId(oid: string): string | null {
    return this.listing?.notes.get(oid) ?? null;
  }

  /** Returns whether this blob has a note. Needs a listing. */
  has(oid: string): boolean {
    return this.listing?.notes.has(oid) ?? false;
  }

  /**
   * Reads the record of a blob; null if there is no note. A bad note is a result, not an error. Unless `whole` is true, relations of a
   * syntax record are left out unchecked, which takes half the time. Never write such a record again.
   */
  async read(oid: string, { whole = true } = {}): Promise<Decoded<T> | null> {
    const bytes = await this.readBytes(oid);
    if (!(bytes instanceof Uint8Array)) return bytes;
    return whole ? this.decode(bytes, oid) : this.decodePart(bytes, oid);
  }

  /** Reads the bytes of a blob's note, unchecked. Without bytes, returns the answer that `read` gives. */
  private async readBytes(oid: string): Promise<Uint8Array | (Decoded<T> & { ok: false }) | null> {
    const note = await this.noteOf(oid);
    if (note === null) return null;
    const info = await this.objects.info(note);
    if (info === null) return { ok: false, reason: 'malformed', detail: 'the note is not in the object store' };
    // A note this large is no record, so it is not read.
    if (info.size > MAX_RECORD_BYTES) return { ok: false, reason: 'too-large', detail: `${info.size} bytes` };
    const object = await this.objects.read(note);
    return object?.content ?? { ok: false, reason: 'malformed', detail: 'the note is not readable' };
  }

  /** Reads the bytes of a blob's record; null if there is none or a bad one. */
  async readEncoded(oid: string): Promise<Uint8Array | null> {
    const bytes = await this.readBytes(oid);
    return bytes instanceof Uint8Array && this.accepts(bytes, oid) ? bytes : null;
  }

  accepts(bytes: Uint8Array, oid: string): boolean {
    return this.decode(bytes, oid).ok;
  }

  /**
   * Finds the object id of the note's blob. Without a listing, tries git's other fan-out depths as well and remembers notes found there.
   */
  private async noteOf(oid: string): Promise<string | null> {
    if (this.listing !== null) return this.listing.notes.get(oid) ?? null;
    // Without a tip, `load` makes an empty listing.
    const found = await notesAt(this.objects, `${this.tip}`, oid);
    const strangers = found.flatMap(({ path }) => (path === notePath(oid) ? [] : [path]));
    if (strangers.length > 0) this.foreign.set(oid, strangers);
    return found[0]?.note ?? null;
  }

  /** Writes encoded records as one commit. If that fails, the ref is unchanged. */
  async write(entries: readonly NoteEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const foreign = this.listing?.foreign ?? this.foreign;
    const { about, packs } = this;
    this.tip = await writeNotes(this.repository, this.ref, entries, { foreign, about, packs });
    await packs?.joinIfMany();
    for (const { target } of entries) this.listing?.notes.set(target, '');
  }
}

/** Notes of a blob in a notes tree, at each of git's fan-out depths; ours comes first. */
export async function notesAt(
  objects: ObjectReader,
  commit: string,
  oid: string,
): Promise<{ path: string; note: string }[]> {
  const paths = [notePath(oid), oid, `${oid.slice(0, 2)}/${oid.slice(2)}`];
  const found = await Promise.all(paths.map((path) => objects.info(`${commit}:${path}`)));
  return paths.flatMap((path, i) => {
    const info = found[i];
    return info?.type === 'blob' ? [{ path, note: info.oid }] : [];
  });
}

/** Returns whether a note is a record of this blob that this version can read. For unknown kinds, every note counts as a record. */
export function isRecord(kind: string, bytes: Uint8Array, oid: string): boolean {
  const decode = {
    [SYNTAX_KIND]: decodeSyntaxRecord,
    [VECTORS_KIND]: decodeVectorRecord,
    [COMPILER_KIND]: decodeCompilerRecord,
  }[kind];
  return decode === undefined || decode(bytes, oid).ok;
}

export type SyntaxStore = RecordStore<SyntaxRecord>;
export type VectorStore = RecordStore<VectorRecord>;
export type CompilerStore = RecordStore<CompilerRecord>;

/** Opens the store of chunks, symbols and relations. `profile`: that of the extractor. */
export function syntaxStore(
  repository: Repository,
  objects: ObjectReader,
  profile: string,
  about?: string,
): SyntaxStore {
  return new RecordStore(repository, objects, SYNTAX_KIND, profile, decodeSyntaxRecord, about, decodeChunksAndSymbols);
}

/** Opens the store of the chunks' vectors. `profile`: identifies the embedder and everything that decides the embedded text. */
export function vectorStore(
  repository: Repository,
  objects: ObjectReader,
  profile: string,
  about?: string,
): VectorStore {
  return new RecordStore(repository, objects, VECTORS_KIND, profile, decodeVectorRecord, about);
}

/** Opens the store of compilers' records. `profile`: that of the format. */
export function compilerStore(
  repository: Repository,
  objects: ObjectReader,
  profile: string,
  about?: string,
): CompilerStore {
  return new RecordStore(repository, objects, COMPILER_KIND, profile, decodeCompilerRecord, about);
}

// Encodes the names in one blob whose meaning a compiler has recorded; `cbor.ts` has the rules for the bytes. Symbols are numbers made
// from the compiler's own names for them (`moniker`), so that a record only says which names in two blobs mean the same.

const MONIKER_BYTES = 6;
/** Bits of `CompilerOccurrence`. */
const DEFINITION = 1;
const WRITE = 2;
const MEMBER = 4;
const LOCAL = 8;

/** Number for a symbol: the first 48 bits of the SHA-256 of its name. */
export function moniker(symbol: string): number {
  return createHash('sha256').update(symbol, 'utf8').digest().readUIntBE(0, MONIKER_BYTES);
}

/** Numbers values in the order of their first appearance. */
class Numbers<T> {
  private readonly known = new Map<T, number>();

  of(value: T): number {
    const found = this.known.get(value) ?? this.known.size;
    this.known.set(value, found);
    return found;
  }

  values(): T[] {
    return [...this.known.keys()];
  }
}

function flagsOf({ isDefinition, isWrite, isMember, isLocal }: CompilerOccurrence): number {
  const flags = [isDefinition && DEFINITION, isWrite && WRITE, isMember && MEMBER, isLocal && LOCAL];
  return flags.reduce<number>((sum, flag) => sum + (flag || 0), 0);
}

function write({ occurrences }: CompilerRecord): CborValue {
  const names = new Numbers<string>();
  const monikers = new Numbers<number>();
  const table = new ColumnWriter();
  table.column(occurrences.map(({ line }, i) => line - (i === 0 ? 0 : occurrences[i - 1].line)));
  table.column(occurrences.map(({ column }) => column));
  table.column(occurrences.map(({ name }) => names.of(name)));
  table.column(occurrences.map((it) => monikers.of(it.moniker)));
  table.column(occurrences.map(flagsOf));
  const numbers = monikers.values();
  const bytes = Buffer.alloc(numbers.length * MONIKER_BYTES);
  numbers.forEach((value, i) => {
    bytes.writeUIntBE(value, i * MONIKER_BYTES, MONIKER_BYTES);
  });
  return [occurrences.length, names.values().join('\n'), bytes, table.finish()];
}

function read(payload: unknown): CompilerRecord {
  if (!Array.isArray(payload) || payload.length !== 4) corrupt('the payload is not an array of four');
  const total = count(payload[0], MAX_OCCURRENCES, 'number of occurrences');
  const names = readNames(payload[1]);
  const monikers = readMonikers(bytesOf(payload[2], 'monikers'));
  const table = new ColumnReader(bytesOf(payload[3], 'columns'));
  const [steps, columns, name, symbol, flags] = Array.from({ length: 5 }, () => table.column(total));
  table.end();
  firstSeen(name, names.length);
  firstSeen(symbol, monikers.length);
  const occurrences: CompilerOccurrence[] = [];
  let line = 0;
  for (let i = 0; i < total; i++) {
    line += steps[i];
    if (line < 1 || line > MAX_BLOB_BYTES || columns[i] > MAX_BLOB_BYTES) corrupt('an occurrence outside of any blob');
    if (i > 0 && steps[i] === 0 && columns[i] <= columns[i - 1]) corrupt('occurrences out of order');
    if (flags[i] > DEFINITION + WRITE + MEMBER + LOCAL) corrupt('unknown flags');
    const has = (flag: number) => (flags[i] & flag) !== 0;
    occurrences.push({
      ...{ line, column: columns[i], name: names[name[i]], moniker: monikers[symbol[i]] },
      ...{ isDefinition: has(DEFINITION), isWrite: has(WRITE), isMember: has(MEMBER), isLocal: has(LOCAL) },
    });
  }
  return { occurrences };
}

function readNames(value: unknown): string[] {
  if (typeof value !== 'string') corrupt('names are not a text');
  const names = value === '' ? [] : value.split('\n');
  if (names.some((name) => name === '' || name.length > MAX_RELATION_STRING)) corrupt('a name of a wrong length');
  if (new Set(names).size < names.length) corrupt('a name twice');
  return names;
}

function readMonikers(bytes: Uint8Array): number[] {
  if (bytes.length % MONIKER_BYTES !== 0) corrupt('monikers end within one');
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const monikers: number[] = [];
  for (let at = 0; at < view.length; at += MONIKER_BYTES) monikers.push(view.readUIntBE(at, MONIKER_BYTES));
  if (new Set(monikers).size < monikers.length) corrupt('a moniker twice');
  return monikers;
}

/** Checks that all numbers first appear in their order, so that one record has one encoding. */
function firstSeen(column: Uint32Array, total: number): void {
  let next = 0;
  for (const value of column) {
    if (value > next) corrupt('a number before its turn');
    if (value === next) next++;
  }
  if (next !== total) corrupt('a name or moniker without an occurrence');
}

const COMPILER: RecordKind<CompilerRecord> = { name: COMPILER_KIND, version: COMPILER_FORMAT, write, read };

/** Encodes a compiler's record of blob `oid` (hex of SHA-1 or SHA-256); null if it exceeds 1 MiB. */
export function encodeCompilerRecord(oid: string, record: CompilerRecord): Uint8Array | null {
  return encodeRecord(COMPILER, oid, record);
}

/** Decodes the record of blob `oid`. Never throws. It may still be wrong: whether its names are at their places is not checked. */
export function decodeCompilerRecord(bytes: Uint8Array, oid: string): Decoded<CompilerRecord> {
  return decodeRecord(COMPILER, bytes, oid);
}

/** Encodes a record without its envelope, for caches. */
export function encodeOccurrences(record: CompilerRecord): Uint8Array {
  return encodeCanonical(write(record));
}

/** Decodes bytes of `encodeOccurrences`. Throws RECORD_CORRUPT. */
export function decodeOccurrences(bytes: Uint8Array): CompilerRecord {
  return read(decodeCanonical(bytes, RECORD_LIMITS));
}
