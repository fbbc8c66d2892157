/** The notes of a repository, their places in a snapshot, and those on code that an answer shows. */
import { SocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';
import { cut } from '../../graph/query/node-place.js';
import { type Claim, type Entry, EntryStore, NOTES, type Note, type NoteBody, notesOf } from '../../knowledge/entry.js';
import { ONE_SET } from '../../knowledge/kinds.js';
import { type Resolution, resolveAnchor } from '../../knowledge/resolve-anchors.js';
import { commandText } from '../../params/param.js';
import type { Session } from '../../session/session.js';
import { workTreeUse } from '../../session/snapshot/target.js';
import { AnchoredFiles } from '../../session/tree-files.js';
import type { Asker } from '../asker.js';
import type { ShownNotes, ShownPlace } from '../shown-knowledge.js';
import type { NoteItem } from './question.js';

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

/** Most notes that an answer lists. */
const LISTED = 3;
/** Most notes on the shown files that are looked up, the latest first. */
const MAX_HERE = 200;
/** Most notes on missing files that are looked up: their code may have moved here. */
const MAX_ELSEWHERE = 50;
/** Longest text of a note, in UTF-16 code units. */
const MAX_LINE = 160;

export async function findMentions(
  { session, signal }: Pick<Asker, 'session' | 'signal'>,
  snapshot: { ref?: string; committed?: boolean },
  places: readonly ShownPlace[],
): Promise<ShownNotes | null> {
  try {
    const open = (await readNoteSet(session)).notes.filter(({ settled }) => settled === null);
    const includesWork = workTreeUse(snapshot) === 'included';
    const files = new AnchoredFiles(
      session,
      await session.origin(snapshot.ref, { unborn: includesWork }),
      includesWork,
    );
    const found: ShownNotes['list'] = [];
    for (const note of await candidates(files, open, new Set(places.map(({ path }) => path)))) {
      signal.throwIfAborted();
      const { status, path, lines } = await resolveAnchor(files, note.anchor);
      const isShown = places.some((place) => place.path === path && meets(place, lines));
      const { id, text, author } = note;
      if (path !== null && isShown)
        found.push({
          id,
          place: `${path}${lines === null ? '' : `:${lines.start}`}`,
          by: byOf(author),
          status,
          text: oneLine(text),
        });
    }
    return found.length === 0 ? null : cut(found, LISTED);
  } catch (error) {
    signal.throwIfAborted();
    log.debug(`notes are not told: ${(error as Error).message}`);
    return null;
  }
}

type ReadNote = NoteSet['notes'][number];

/** Notes on the shown files, and notes on files that no longer exist. */
async function candidates(
  files: AnchoredFiles,
  notes: readonly ReadNote[],
  shown: ReadonlySet<string>,
): Promise<ReadNote[]> {
  const here = notes.filter(({ anchor }) => shown.has(anchor.path)).slice(-MAX_HERE);
  const others = notes.filter(({ anchor }) => !shown.has(anchor.path)).slice(-MAX_ELSEWHERE);
  const moved: ReadNote[] = [];
  for (const note of others) if ((await files.read(note.anchor.path)) === null) moved.push(note);
  return [...here, ...moved];
}

function meets({ startLine, endLine }: ShownPlace, lines: { start: number; end: number } | null): boolean {
  if (lines === null || startLine === undefined) return true;
  return lines.start <= (endLine ?? startLine) && lines.end >= startLine;
}

const byOf = ({ name, by }: ReadNote['author']): string => (by === 'agent' ? `an agent of ${name}` : name);

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
}
