/** Records in git notes: read in bulk, written in batches, keyed by blob oid. */
import { listNotes, NOTES_PREFIX, type NoteEntry, type NotesListing, readRef, writeNotes } from '../git/notes.js';
import type { ObjectReader } from '../git/objects.js';
import type { Repository } from '../git/repository.js';
import { type DecodeResult, decodeSyntaxRecord } from './codec.js';
import { MAX_RECORD_BYTES } from './limits.js';

export class SyntaxStore {
  readonly ref: string;
  private listing: NotesListing | null = null;
  private tip: string | null = null;

  constructor(
    private readonly repository: Repository,
    private readonly objects: ObjectReader,
    profile: string,
  ) {
    this.ref = `${NOTES_PREFIX}/syntax/${profile}`;
  }

  /** Commit the ref points at, null before the first record. */
  async readTip(): Promise<string | null> {
    return readRef(this.repository.git, this.ref);
  }

  /** Lists the notes of the ref's current tip. */
  async load(): Promise<void> {
    this.tip = await this.readTip();
    this.listing =
      this.tip === null ? { notes: new Map(), foreign: new Map() } : await listNotes(this.repository.git, this.tip);
  }

  has(oid: string): boolean {
    return this.listing?.notes.has(oid) ?? false;
  }

  /** The record of a blob; null if there is no note. A bad note is a result, not an error. */
  async read(oid: string): Promise<DecodeResult | null> {
    const note = this.listing?.notes.get(oid);
    if (note === undefined) return null;
    const info = await this.objects.info(note);
    if (info === null) return { ok: false, reason: 'malformed', detail: 'the note is not in the object store' };
    // A note this large is no record; it is not even read.
    if (info.size > MAX_RECORD_BYTES) return { ok: false, reason: 'too-large', detail: `${info.size} bytes` };
    const object = await this.objects.read(note);
    if (object === null) return { ok: false, reason: 'malformed', detail: 'the note is not readable' };
    return decodeSyntaxRecord(object.content, oid);
  }

  /** Writes encoded records as one commit. On failure the ref is as it was. */
  async write(entries: readonly NoteEntry[]): Promise<void> {
    if (entries.length === 0) return;
    this.tip = await writeNotes(this.repository, this.ref, entries, this.listing?.foreign);
    for (const { target } of entries) this.listing?.notes.set(target, '');
  }
}
