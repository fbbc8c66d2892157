/** Answers of `note`: read all entries as one set, and find them in the requested snapshot. */

import { isSocraticodeError, SocraticodeError } from '../../base/errors.js';
import { holdsSecret } from '../../extract/content.js';
import { cut, spellings } from '../../graph/query/node-place.js';
import { claimNow } from '../../knowledge/codecs.js';
import { bothTexts, resolveAnchor } from '../../knowledge/resolve-anchors.js';
import { isWellFormed } from '../../record/cbor.js';
import { retried } from '../../session/retry.js';
import { prefixOf } from '../../session/session.js';
import type { SnapshotOrigin } from '../../session/snapshot/snapshot.js';
import { workTreeUse } from '../../session/snapshot/target.js';
import { AnchoredFiles } from '../../session/tree-files.js';
import type { Asker } from '../asker.js';
import { anchorOf } from './claims.js';
import { type NoteSet, noteBy, noteItem, readNoteSet } from './notes.js';
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

async function documentOf(at: Asker, values: Snapshot, note: NoteSet['notes'][number]): Promise<NoteDocument> {
  const { origin, files } = await openFiles(at, values);
  const now = await resolveAnchor(files, note.anchor);
  return { ...headerOf(origin), note: noteItem(note, now) };
}

async function withCode(at: Asker, values: Snapshot, note: NoteSet['notes'][number]): Promise<NoteDocument> {
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

type Listed = NoteSet['notes'][number];

function byPath(a: Listed, b: Listed): number {
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
