/**
 * Answers of `note`: they read all entries as one set, and find them in the requested snapshot. Also finds the notes on code that the answers
 * of other questions show.
 */
import { isSocraticodeError, SocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';
import { signs } from '../../base/printable.js';
import { holdsSecret } from '../../extract/content.js';
import { cut, spellings } from '../../graph/query/node-place.js';
import { claimNow } from '../../knowledge/codecs.js';
import { type Claim, type Entry, EntryStore, NOTES, type Note, type NoteBody, notesOf } from '../../knowledge/entry.js';
import { ONE_SET } from '../../knowledge/kinds.js';
import { bothTexts, type Resolution, resolveAnchor } from '../../knowledge/resolve-anchors.js';
import { commandText } from '../../params/param.js';
import { isWellFormed } from '../../record/cbor.js';
import { retried } from '../../session/retry.js';
import { prefixOf, type Session } from '../../session/session.js';
import type { SnapshotOrigin } from '../../session/snapshot/snapshot.js';
import { workTreeUse } from '../../session/snapshot/target.js';
import { AnchoredFiles } from '../../session/tree-files.js';
import type { Asker } from '../asker.js';
import type { ShownNotes, ShownPlace } from '../shown-knowledge.js';
import { anchorOf } from './claims.js';
import type {
  NoteAddValues,
  NoteDocument,
  NoteItem,
  NoteListValues,
  NoteResolveValues,
  NoteShareValues,
  NoteShowValues,
  NotesDocument,
} from './question.js';

type Snapshot = { ref?: string; committed?: boolean };

/** Opens the files that notes are looked for in, with uncommitted ones unless the values exclude them. Throws UNKNOWN_REF. */
async function openFiles(at: Asker, values: Snapshot): Promise<{ origin: SnapshotOrigin; files: AnchoredFiles }> {
  const includesWork = workTreeUse(values) === 'included';
  const origin = await at.session.origin(values.ref, { unborn: includesWork });
  return { origin, files: new AnchoredFiles(at.session, origin, includesWork) };
}

const headerOf = ({ resolved }: SnapshotOrigin) =>
  ({ schemaVersion: 1, ref: resolved.ref, commit: resolved.commit }) as const;

/** Throws BAD_ARGUMENT for a missing target and for a text that must not be stored, BAD_CONFIG without a name. */
export async function answerNoteAdd(at: Asker, values: NoteAddValues): Promise<NoteDocument> {
  const { session } = at;
  const text = checkedText(values.text);
  const claim = claimNow(session, { isAgent: at.server !== undefined || values.agent !== undefined, ...values });
  const anchor = await retried(session, values.ref, () => anchorOf(at, values));
  const { store, count } = await readNoteSet(session);
  const isShared = values.share === true;
  // The limit counts shared and own notes apart, so that others cannot fill this clone's room.
  const id = await store.add({ ...claim, body: { text, anchor } }, isShared, count(isShared));
  return documentOf(at, values, noteBy(await readNoteSet(session), id));
}

/** Throws BAD_ARGUMENT for a text that looks like a secret, or that a terminal or a file cannot hold. */
export function checkedText(given: string): string {
  const text = given.trim();
  if (text === '' || !isWellFormed(text) || text.startsWith('\ufeff'))
    throw new SocraticodeError('BAD_ARGUMENT', 'the text is empty, or no text', { hint: 'Say it in words.' });
  if (holdsSecret(Buffer.from(text)))
    throw new SocraticodeError('BAD_ARGUMENT', 'the text looks like it holds a secret', {
      hint: 'Nothing was kept. Say where the secret is kept, not what it is.',
    });
  return text;
}

async function documentOf(at: Asker, values: Snapshot, note: StoredNote): Promise<NoteDocument> {
  const { origin, files } = await openFiles(at, values);
  const now = await resolveAnchor(files, note.anchor);
  return { ...headerOf(origin), note: noteItem(note, now) };
}

/** The note with its code, or with what changed in it. */
async function withCode(at: Asker, values: Snapshot, note: StoredNote): Promise<NoteDocument> {
  const { origin, files } = await openFiles(at, values);
  const now = await resolveAnchor(files, note.anchor);
  const { before, after } = await bothTexts(files, note.anchor, now);
  const isChanged = now.status === 'stale' || now.status === 'gone';
  const hasContent = !isChanged && after !== null && note.anchor.lines !== null;
  return {
    ...{ ...headerOf(origin), note: noteItem(note, now) },
    ...(isChanged && note.anchor.lines !== null && { change: { before, after } }),
    ...(hasContent && { content: after }),
  };
}

/** Throws BAD_ARGUMENT for an id of no note, or of several. */
export async function answerNoteShow(at: Asker, values: NoteShowValues): Promise<NoteDocument> {
  const note = noteBy(await readNoteSet(at.session), values.id, { isAgent: at.server !== undefined });
  return retried(at.session, values.ref, () => withCode(at, values, note));
}

/** Throws as `answerNoteShow` does, and BAD_CONFIG without a name. */
export async function answerNoteResolve(at: Asker, values: NoteResolveValues): Promise<NoteDocument> {
  const { session } = at;
  const set = await readNoteSet(session);
  const note = noteBy(set, values.id, { isAgent: at.server !== undefined });
  if (note.settled === null) {
    const text = values.text === undefined || values.text.trim() === '' ? '' : checkedText(values.text);
    const claim = claimNow(session, { isAgent: at.server !== undefined || values.agent !== undefined, ...values });
    await set.store.add({ ...claim, body: { settles: note.id, text } }, note.isShared, set.count(note.isShared));
  }
  return documentOf(at, {}, noteBy(await readNoteSet(session), note.id));
}

/** Throws as `answerNoteShow` does. */
export async function answerNoteShare(at: Asker, { id }: NoteShareValues): Promise<NoteDocument> {
  const set = await readNoteSet(at.session);
  const note = noteBy(set, id);
  if (!note.isShared) await set.store.share([set.entryOf(note.id), ...set.settling(note.id)]);
  return documentOf(at, {}, noteBy(await readNoteSet(at.session), note.id));
}

/** Throws UNKNOWN_REF. */
export async function answerNoteList(at: Asker, values: NoteListValues): Promise<NotesDocument> {
  const set = await readNoteSet(at.session);
  return retried(at.session, values.ref, () => listOnce(at, values, set));
}

async function listOnce(at: Asker, values: NoteListValues, set: NoteSet): Promise<NotesDocument> {
  const { origin, files } = await openFiles(at, values);
  const open = set.notes.filter(({ settled }) => settled === null);
  const wanted = (values.all ? set.notes : open).sort(byPath);
  const items: NoteItem[] = [];
  for (const note of wanted) {
    at.signal.throwIfAborted();
    const item = noteItem(note, await resolveAnchor(files, note.anchor));
    const isWanted = values.status === undefined || item.status === values.status;
    if (isWanted && isAbout(at, item, values.targets)) items.push(item);
  }
  const counts = { open: open.length, settled: set.notes.length - open.length, unreadable: set.unreadable };
  return { ...headerOf(origin), ...counts, notes: cut(items, values.limit) };
}

function byPath(a: StoredNote, b: StoredNote): number {
  if (a.anchor.path !== b.anchor.path) return a.anchor.path < b.anchor.path ? -1 : 1;
  return (a.anchor.lines?.start ?? 0) - (b.anchor.lines?.start ?? 0) || a.time - b.time || (a.id < b.id ? -1 : 1);
}

/**
 * True for a note about one of the targets (file, directory or symbol, then or now), or without targets. Throws BAD_ARGUMENT for a path
 * outside.
 */
function isAbout({ session, directory }: Asker, item: NoteItem, targets: readonly string[] | undefined): boolean {
  if (targets === undefined || targets.length === 0) return true;
  const paths = [item.written.path, ...(item.place === null ? [] : [item.place.path])];
  return targets.some((target) => {
    if (item.symbol !== null && isName(item.symbol, target)) return true;
    const spelt = spellingsOf(target, prefixOf(session, directory));
    return spelt.some((path) => paths.some((own) => path === '' || own === path || own.startsWith(`${path}/`)));
  });
}

function isName(symbol: string, target: string): boolean {
  const name = target.slice(target.lastIndexOf('#') + 1);
  return symbol === name || symbol.endsWith(`.${name}`);
}

function spellingsOf(target: string, prefix: Parameters<typeof spellings>[1]): string[] {
  try {
    return spellings(target.replace(/#.*$/s, ''), prefix).map((path) => path.replace(/\/$/, '').replace(/^\.$/, ''));
  } catch (error) {
    if (isSocraticodeError(error, 'BAD_ARGUMENT') && !target.includes('/')) return [];
    throw error;
  }
}

// The notes of a repository, their places in a snapshot, and those on code that an answer shows.

/** `isShared`: the next push sends it, or one has. */
type StoredNote = Note & { isShared: boolean };

export interface NoteSet {
  store: EntryStore<NoteBody>;
  /** Oldest first. */
  notes: StoredNote[];
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
export function noteBy({ notes }: NoteSet, digits: string, { isAgent = false } = {}): StoredNote {
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

export function noteItem(note: StoredNote, { status, path, lines }: Resolution): NoteItem {
  const { id, text, anchor, settled } = note;
  return {
    id,
    text,
    author: note.author,
    date: isoTime(note.time),
    shared: note.isShared,
    symbol: anchor.symbol,
    status,
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

/** Open notes on these places of a snapshot; null for none, and where notes cannot be read: the answer does without. Throws CANCELLED. */
export async function findNotesOn(
  { session, signal }: Pick<Asker, 'session' | 'signal'>,
  snapshot: Snapshot,
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

/** Notes on the shown files, and notes on files that no longer exist. */
async function candidates(
  files: AnchoredFiles,
  notes: readonly StoredNote[],
  shown: ReadonlySet<string>,
): Promise<StoredNote[]> {
  const here = notes.filter(({ anchor }) => shown.has(anchor.path)).slice(-MAX_HERE);
  const others = notes.filter(({ anchor }) => !shown.has(anchor.path)).slice(-MAX_ELSEWHERE);
  const moved: StoredNote[] = [];
  for (const note of others) if ((await files.read(note.anchor.path)) === null) moved.push(note);
  return [...here, ...moved];
}

function meets({ startLine, endLine }: ShownPlace, lines: { start: number; end: number } | null): boolean {
  if (lines === null || startLine === undefined) return true;
  return lines.start <= (endLine ?? startLine) && lines.end >= startLine;
}

const byOf = ({ name, by }: StoredNote['author']): string => (by === 'agent' ? `an agent of ${name}` : name);

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}${signs.cut}` : line;
}
