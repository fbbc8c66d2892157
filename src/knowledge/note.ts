/** Notes: what somebody learnt about a piece of code, and whether somebody said that it is settled. */
import type { CborValue } from '../record/cbor.js';
import { corrupt } from '../record/checks.js';
import { type Anchor, readAnchor, writeAnchor } from './anchor.js';
import { type Claim, type Entry, type EntryKind, MAX_TEXT } from './entry.js';
import { oidBytes, oidField, optional, textField } from './fields.js';
import { NOTES_KIND } from './kinds.js';

/** A note, or the word that settles one. */
export type NoteBody =
  | { text: string; anchor: Anchor }
  /** `text`: why, '' for no reason. */
  | { settles: string; text: string };

export const NOTES: EntryKind<NoteBody> = {
  name: NOTES_KIND,
  fields: ['text', 'about', 'settles'],
  write(body): { readonly [field: string]: CborValue } {
    if ('anchor' in body) return { text: body.text, about: writeAnchor(body.anchor) };
    return { settles: oidBytes(body.settles), ...(body.text !== '' && { text: body.text }) };
  },
  read({ text, about, settles }) {
    if (settles === undefined) return { text: textField(text, MAX_TEXT, 'the text'), anchor: readAnchor(about) };
    if (about !== undefined) corrupt('an entry both says and settles something');
    const why = optional(text, (value) => textField(value, MAX_TEXT, 'the text')) ?? '';
    return { settles: oidField(settles, 'the note that is settled'), text: why };
  },
  tells: (body) => ('anchor' in body ? toldBy(body.anchor) : { objects: [], branches: [] }),
};

/** Objects that an anchor names: who reads it learns that they exist. */
export function toldBy({ blob, commit }: Anchor): { objects: string[]; branches: string[] } {
  return { objects: commit === null ? [blob] : [blob, commit], branches: [] };
}

export interface Note extends Claim {
  id: string;
  text: string;
  anchor: Anchor;
  /** The first who settled it; null while it is open. */
  settled: (Claim & { text: string }) | null;
}

type NoteEntry = Entry<NoteBody>;

/** Later entries after earlier ones; equal times by id, so that every clone has one order. */
export const inTime = (a: Claim & { id: string }, b: Claim & { id: string }): number =>
  a.time - b.time || (a.id < b.id ? -1 : 1);

/** The notes of a set of entries, oldest first. */
export function notesOf(entries: Iterable<NoteEntry>): Note[] {
  const all = [...entries].sort(inTime);
  const settled = new Map<string, NonNullable<Note['settled']>>();
  for (const { author, time, body } of all)
    if ('settles' in body && !settled.has(body.settles)) settled.set(body.settles, { author, time, text: body.text });
  return all.flatMap(({ id, author, time, body }) =>
    'anchor' in body ? [{ id, author, time, ...body, settled: settled.get(id) ?? null }] : [],
  );
}
