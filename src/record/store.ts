/** Records in git notes: read in bulk, written in batches, keyed by blob oid. */
import { listNotes, NOTES_PREFIX, type NoteEntry, type NotesListing, notePath, writeNotes } from '../git/notes.js';
import type { ObjectReader } from '../git/objects.js';
import type { Repository } from '../git/repository.js';
import { decodeChunksAndSymbols, decodeSyntaxRecord, SYNTAX_KIND } from './codec.js';
import { MAX_RECORD_BYTES } from './limits.js';
import type { Decoded, SyntaxRecord, VectorRecord } from './types.js';
import { decodeVectorRecord, VECTORS_KIND } from './vector-codec.js';

/** Listing a large notes tree takes as long as this many look-ups. */
const LOOKED_UP = 100;

/** Where records of one kind and profile live: `refs/notes/socraticode/<kind>/<profile>`. */
export class RecordStore<T> {
  readonly ref: string;
  private listing: NotesListing | null = null;
  private tip: string | null = null;
  /** Notes at other depths than ours, where they were met without a listing. */
  private readonly foreign = new Map<string, string[]>();

  constructor(
    private readonly repository: Repository,
    private readonly objects: ObjectReader,
    kind: string,
    profile: string,
    private readonly decode: (bytes: Uint8Array, oid: string) => Decoded<T>,
    /** What the profile stands for, as one line of JSON: written where the notes begin. */
    private readonly about?: string,
    /** Reads what every reader needs, and passes over the rest. */
    private readonly decodePart = decode,
  ) {
    this.ref = `${NOTES_PREFIX}/${kind}/${profile}`;
  }

  /** Commit the ref points at, null before the first record. */
  async readTip(): Promise<string | null> {
    // Asked of the process that runs anyway: starting one more costs more than all the rest of a run without work.
    return (await this.objects.info(this.ref))?.oid ?? null;
  }

  /** Gets ready to read the records of some `count` blobs: few are looked up by path, for many the tree is listed. */
  async load(count = Number.POSITIVE_INFINITY): Promise<void> {
    this.tip = await this.readTip();
    if (this.tip === null) this.listing = { notes: new Map(), foreign: new Map() };
    else if (count > LOOKED_UP) this.listing = await listNotes(this.repository.git, this.tip);
  }

  /** Is there a note for this blob? Needs a listing. */
  has(oid: string): boolean {
    return this.listing?.notes.has(oid) ?? false;
  }

  /**
   * The record of a blob; null if there is no note. A bad note is a result, not an error. Of a syntax record that is not
   * asked for as a `whole` relations are left out, unchecked: that takes half the time, and must not be written again.
   */
  async read(oid: string, { whole = true } = {}): Promise<Decoded<T> | null> {
    const bytes = await this.readBytes(oid);
    if (!(bytes instanceof Uint8Array)) return bytes;
    return whole ? this.decode(bytes, oid) : this.decodePart(bytes, oid);
  }

  /** The bytes of a blob's note, whatever they are; what `read` says where there are none. */
  private async readBytes(oid: string): Promise<Uint8Array | (Decoded<T> & { ok: false }) | null> {
    const note = await this.noteOf(oid);
    if (note === null) return null;
    const info = await this.objects.info(note);
    if (info === null) return { ok: false, reason: 'malformed', detail: 'the note is not in the object store' };
    // A note this large is no record; it is not even read.
    if (info.size > MAX_RECORD_BYTES) return { ok: false, reason: 'too-large', detail: `${info.size} bytes` };
    const object = await this.objects.read(note);
    return object?.content ?? { ok: false, reason: 'malformed', detail: 'the note is not readable' };
  }

  /** The bytes of a blob's record; null if there is none, or a bad one. */
  async readEncoded(oid: string): Promise<Uint8Array | null> {
    const bytes = await this.readBytes(oid);
    return bytes instanceof Uint8Array && this.accepts(bytes, oid) ? bytes : null;
  }

  /** Are these bytes a record of that blob? */
  accepts(bytes: Uint8Array, oid: string): boolean {
    return this.decode(bytes, oid).ok;
  }

  /** Name of the note's blob. Without a listing, git's other fan-out depths are asked for too, and remembered. */
  private async noteOf(oid: string): Promise<string | null> {
    if (this.listing !== null) return this.listing.notes.get(oid) ?? null;
    const paths = [notePath(oid), oid, `${oid.slice(0, 2)}/${oid.slice(2)}`];
    const found = await Promise.all(paths.map((path) => this.objects.info(`${this.tip}:${path}`)));
    const strangers = paths.filter((_, i) => i > 0 && found[i]?.type === 'blob');
    if (strangers.length > 0) this.foreign.set(oid, strangers);
    return found.find((info) => info?.type === 'blob')?.oid ?? null;
  }

  /** Writes encoded records as one commit. On failure the ref is as it was. */
  async write(entries: readonly NoteEntry[]): Promise<void> {
    if (entries.length === 0) return;
    const foreign = this.listing?.foreign ?? this.foreign;
    this.tip = await writeNotes(this.repository, this.ref, entries, foreign, this.about);
    for (const { target } of entries) this.listing?.notes.set(target, '');
  }
}

/** Is a note a record of this blob, as this version reads it? Of a kind that is not known, every note may be one. */
export function isRecord(kind: string, bytes: Uint8Array, oid: string): boolean {
  const decode = { [SYNTAX_KIND]: decodeSyntaxRecord, [VECTORS_KIND]: decodeVectorRecord }[kind];
  if (decode === undefined) return true;
  if (bytes.length > MAX_RECORD_BYTES) return false;
  return decode(bytes, oid).ok;
}

export type SyntaxStore = RecordStore<SyntaxRecord>;
export type VectorStore = RecordStore<VectorRecord>;

/** Chunks, symbols and relations; `profile` is the one of the extractor. */
export function syntaxStore(
  repository: Repository,
  objects: ObjectReader,
  profile: string,
  about?: string,
): SyntaxStore {
  return new RecordStore(repository, objects, SYNTAX_KIND, profile, decodeSyntaxRecord, about, decodeChunksAndSymbols);
}

/** Vectors of those chunks; `profile` names the embedder and whatever decides the text that it is given. */
export function vectorStore(
  repository: Repository,
  objects: ObjectReader,
  profile: string,
  about?: string,
): VectorStore {
  return new RecordStore(repository, objects, VECTORS_KIND, profile, decodeVectorRecord, about);
}
