/** The notes of a repository, and their places in a snapshot. */
import { SocraticodeError } from '../../base/errors.js';
import { type Claim, type Entry, NOTES, type Note, type NoteBody, notesOf } from '../../knowledge/entry.js';
import { ONE_SET } from '../../knowledge/kinds.js';
import type { Resolution } from '../../knowledge/resolve-anchors.js';
import { EntryStore } from '../../knowledge/store.js';
import { commandText } from '../../params/param.js';
import type { Session } from '../../session/session.js';
import type { NoteItem } from './output.js';

export interface NoteSet {
  store: EntryStore<NoteBody>;
  notes: (Note & { isShared: boolean })[];
  /** Number of entries of any kind: those shared, or those of this clone alone. */
  count(isShared: boolean): number;
  unreadable: number;
  /** Entry of a note. */
  entryOf(id: string): Entry<NoteBody>;
  /** Entries that settle a note. */
  settling(id: string): Entry<NoteBody>[];
}

export function noteStore({ repository, objects }: Session): EntryStore<NoteBody> {
  return new EntryStore({ repository, objects }, NOTES, ONE_SET);
}

export async function readNoteSet(session: Session): Promise<NoteSet> {
  const store = noteStore(session);
  const { entries, unreadable } = await store.read();
  const byId = new Map(entries.map((stored) => [stored.entry.id, stored]));
  const notes = notesOf(entries.map(({ entry }) => entry));
  return {
    ...{ store, unreadable },
    count: (isShared) => entries.filter((stored) => stored.isShared === isShared).length,
    notes: notes.map((note) => ({ ...note, isShared: byId.get(note.id)?.isShared ?? false })),
    entryOf: (id) => (byId.get(id) as (typeof entries)[number]).entry,
    settling: (id) =>
      entries.flatMap(({ entry }) => ('settles' in entry.body && entry.body.settles === id ? [entry] : [])),
  };
}

/** Finds a note by the first digits of its id, or the `last` one. Throws BAD_ARGUMENT for none, and for several. */
export function noteBy({ notes }: NoteSet, digits: string, { isAgent = false } = {}): NoteSet['notes'][number] {
  const found = digits === 'last' ? notes.slice(-1) : notes.filter(({ id }) => id.startsWith(digits));
  if (found.length === 1) return found[0];
  const [message, hint] =
    found.length === 0
      ? [
          digits === 'last' ? 'there is no note' : `no note has an id that begins with ${digits}`,
          isAgent ? 'codebase_note_list with all lists every note.' : commandText('note list', { all: true }),
        ]
      : [`${found.length} notes have ids that begin with ${digits}`, 'Give more of its digits.'];
  throw new SocraticodeError('BAD_ARGUMENT', message, { hint });
}

export const isoTime = (seconds: number): string => new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z');

export function noteItem(note: Note & { isShared: boolean }, { status, path, lines }: Resolution): NoteItem {
  const { id, text, anchor, settled } = note;
  return {
    ...{
      id,
      text,
      author: note.author,
      date: isoTime(note.time),
      shared: note.isShared,
      symbol: anchor.symbol,
      status,
    },
    place: path === null ? null : placeOf(path, lines),
    written: { ...placeOf(anchor.path, anchor.lines), commit: anchor.commit },
    settled: settled === null ? null : settledItem(settled),
  };
}

function settledItem({ author, time, text }: Claim & { text: string }) {
  return { author, date: isoTime(time), text };
}

function placeOf(path: string, lines: Resolution['lines']) {
  return { path, startLine: lines?.start ?? null, endLine: lines?.end ?? null };
}
