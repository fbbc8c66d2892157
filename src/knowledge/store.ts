/** Sets of entries in refs: one ref is shared, one stays here, and both are read as one set. */
import { SocraticodeError } from '../base/errors.js';
import { groupDigits } from '../base/printable.js';
import { listNotes, type NoteEntry, notesTip, writeNotes } from '../git/notes.js';
import type { ObjectReader } from '../git/objects.js';
import type { Repository } from '../git/repository.js';
import { type Claim, decodeEntry, type Entry, type EntryKind, encodeEntry, MAX_ENTRY_BYTES } from './entry.js';
import { refOfSet } from './kinds.js';

/** Limit on the entries of a set, so that a reader's memory stays below 100 MB. */
export const MAX_ENTRIES = 20_000;
const READ_AT_ONCE = 512;

export interface StoredEntry<Body> {
  entry: Entry<Body>;
  /** True in the ref that pushes send. */
  isShared: boolean;
}

export interface EntrySet<Body> {
  entries: StoredEntry<Body>[];
  /** Entries that this version cannot read: damaged, or of a later version. */
  unreadable: number;
}

interface Source {
  repository: Repository;
  objects: ObjectReader;
}

/** One set. `refOf(true)`: the shared ref; `refOf(false)`: the private one. */
export class EntryStore<Body> {
  constructor(
    private readonly source: Source,
    private readonly kind: EntryKind<Body>,
    private readonly set: string,
  ) {}

  refOf(isShared: boolean): string {
    return refOfSet(this.kind.name, this.set, isShared);
  }

  /** Commits of the shared and the private ref; null for a missing one. Two look-ups in a process that runs anyway. */
  async tips(): Promise<[shared: string | null, own: string | null]> {
    const [shared, own] = await Promise.all([true, false].map((is) => notesTip(this.source.objects, this.refOf(is))));
    return [shared, own];
  }

  /** Reads all entries. One that is in both refs counts as shared. Throws what git's failures throw. */
  async read(): Promise<EntrySet<Body>> {
    const [shared, own] = await this.tips();
    const found = new Map<string, StoredEntry<Body>>();
    let unreadable = 0;
    for (const [tip, isShared] of [[shared, true] as const, [own, false] as const]) {
      if (tip === null) continue;
      const { notes } = await listNotes(this.source.repository.git, tip);
      const fresh = [...notes].filter(([id]) => !found.has(id)).slice(0, MAX_ENTRIES);
      unreadable += Math.max(0, notes.size - MAX_ENTRIES);
      for (let at = 0; at < fresh.length; at += READ_AT_ONCE) {
        const read = await Promise.all(fresh.slice(at, at + READ_AT_ONCE).map(([id, blob]) => this.readOne(id, blob)));
        for (const entry of read)
          if (entry === null) unreadable++;
          else found.set(entry.id, { entry, isShared });
      }
    }
    return { entries: [...found.values()], unreadable };
  }

  private async readOne(id: string, blob: string): Promise<Entry<Body> | null> {
    const info = await this.source.objects.info(blob);
    if (info?.type !== 'blob' || info.size > MAX_ENTRY_BYTES) return null;
    const object = await this.source.objects.read(blob);
    const decoded = object === null ? null : decodeEntry(this.kind, object.content, id);
    return decoded?.ok ? decoded.record : null;
  }

  /** Adds an entry and returns its id. Throws BAD_ARGUMENT for a full set, and what `writeNotes` throws. */
  async add(claim: Claim & { body: Body }, isShared: boolean, known: number): Promise<string> {
    const [id] = await this.addAll([claim], isShared, known);
    return id;
  }

  /** Adds entries together, as one commit. `known`: number of entries in the set. Throws as `add` does. */
  async addAll(claims: readonly (Claim & { body: Body })[], isShared: boolean, known: number): Promise<string[]> {
    if (claims.length === 0) return [];
    if (known + claims.length > MAX_ENTRIES)
      throw new SocraticodeError(
        'BAD_ARGUMENT',
        `there are ${groupDigits(known)} entries, and ${groupDigits(MAX_ENTRIES)} are the most that are kept`,
      );
    const { objectFormat } = this.source.repository;
    const encoded = claims.map((claim) => encodeEntry(this.kind, claim, objectFormat));
    await this.write(
      encoded.map(({ id, bytes }) => ({ target: id, note: bytes })),
      isShared,
    );
    return encoded.map(({ id }) => id);
  }

  /** Copies private entries to the shared ref, which pushes send. */
  async share(entries: readonly Entry<Body>[]): Promise<void> {
    const { objectFormat } = this.source.repository;
    const notes = entries.map((entry) => {
      const { id, bytes } = encodeEntry(this.kind, entry, objectFormat);
      return { target: id, note: bytes };
    });
    await this.write(notes, true);
  }

  private async write(notes: readonly NoteEntry[], isShared: boolean): Promise<void> {
    await writeNotes(this.source.repository, this.refOf(isShared), notes);
  }
}
