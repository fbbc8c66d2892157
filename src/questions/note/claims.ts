/**
 * Claims about code, as notes, tags and tasks share them: their text with its author, and the anchor of a new one (the symbol, lines or
 * file of its target).
 */
import { SocraticodeError } from '../../base/errors.js';
import { groupDigits, signs } from '../../base/printable.js';
import { type Anchor, anchorAt, MAX_ANCHORED_BYTES, spanOf } from '../../knowledge/entry.js';
import { findBytes } from '../../knowledge/resolve-anchors.js';
import { prefixOf } from '../../session/session.js';
import type { SnapshotOrigin } from '../../session/snapshot/snapshot.js';
import { workTreeUse } from '../../session/snapshot/target.js';
import { type FoundFile, TreeFiles } from '../../session/tree-files.js';
import type { Asker } from '../asker.js';
import { dateText, formatCount, quoted } from '../format.js';
import type { Pen } from '../pen.js';
import { type Located, readerOf, TextLines } from '../show/locate.js';
import type { Claimant, NoteDocument, NoteItem, NotesDocument } from './question.js';

/** Digits of an id that are shown: enough for a million notes. */
const ID = 10;

export function noteText(document: NoteDocument, { pen }: { pen: Pen }): string {
  const { note, change, content } = document;
  const lines = noteLines(note, pen);
  if (content !== undefined) lines.push('', ...codeLines('  ', content, pen));
  if (change !== undefined) lines.push('', ...changeLines(change, pen));
  return `${lines.join('\n')}\n`;
}

export function notesText({ open, settled, unreadable, notes }: NotesDocument, { pen }: { pen: Pen }): string {
  const lines = notes.list.flatMap((note, i) => [...(i > 0 ? [''] : []), ...noteLines(note, pen)]);
  if (notes.list.length === 0) lines.push(open + settled === 0 ? 'no notes' : 'no such notes');
  if (notes.leftOut > 0 && pen.words.more !== '') lines.push('', pen.dim(`${notes.leftOut} more: ${pen.words.more}`));
  const totals = [`${formatCount(open, 'open note')}, ${groupDigits(settled)} settled`];
  if (unreadable > 0) totals.push(`${formatCount(unreadable, 'entry', 'entries')} cannot be read by this version`);
  lines.push('', pen.dim(`${totals.join('; ')}; notes are claims of their authors`));
  return `${lines.join('\n')}\n`;
}

/** `3f2a01bc9d  src/cart.ts:10-24  Cart.total  stale`, the note, and its author. */
function noteLines(note: NoteItem, pen: Pen): string[] {
  const { id, text, symbol, status, settled } = note;
  const name = symbol === null ? '' : `  ${pen.symbol(symbol)}`;
  const head = `${pen.match(id.slice(0, ID))}  ${placeText(note.place ?? note.written, pen)}${name}  ${STATUS[status]}`;
  const from = status === 'moved' ? [pen.dim(`  from ${placeText(note.written, pen)}`)] : [];
  const end =
    settled === null
      ? []
      : [pen.dim(`  settled by ${authorText(settled.author)}, ${dateText(settled.date)}`), ...whyLines(settled.text)];
  return [head, ...from, quoted(text), pen.dim(`  ${claimText(note)}`), ...end];
}

const whyLines = (text: string): string[] => (text === '' ? [] : [quoted(text)]);

const STATUS = {
  current: 'current',
  moved: 'moved',
  stale: 'stale: its code changed',
  gone: 'gone: its code is not there any more',
} as const;

function placeText({ path, startLine, endLine }: NonNullable<NoteItem['place']>, pen: Pen): string {
  const last = endLine !== null && endLine !== startLine ? `-${endLine}` : '';
  return `${pen.path(path)}${startLine === null ? '' : `:${pen.line(`${startLine}${last}`)}`}`;
}

/** `Ann Lee, 2024-05-31, only in this clone`: author of a claim. */
function claimText({ author, date, shared }: NoteItem): string {
  return `${authorText(author)}, ${dateText(date)}, ${shared ? 'shared' : 'only in this clone'}`;
}

export function authorText({ name, email, by, agent }: Claimant): string {
  const who = email === '' ? name : `${name} <${email}>`;
  return by === 'person' ? who : `${agent === undefined ? 'an agent' : `the agent ${agent}`} of ${who}`;
}

/** Most lines of code that are shown, before and after. */
const MAX_LINES = 60;

function codeLines(mark: string, text: string, pen: Pen): string[] {
  const all = text.replace(/\n$/, '').split('\n');
  const shown = all.slice(0, MAX_LINES).map((line) => `${mark}${line}`);
  const rest = all.length - shown.length;
  return rest > 0 ? [...shown, pen.dim(`${mark}${signs.cut} ${formatCount(rest, 'more line')}`)] : shown;
}

function changeLines({ before, after }: NonNullable<NoteDocument['change']>, pen: Pen): string[] {
  if (before === null) return [pen.dim('the version that it was written about is not in this clone')];
  return [...codeLines('- ', before, pen), ...(after === null ? [] : codeLines('+ ', after, pen))];
}

interface Target {
  target: string;
  ref?: string;
  committed?: boolean;
}

/** Throws BAD_ARGUMENT for a target that is missing, ambiguous or unreadable. */
export async function anchorOf(at: Asker, values: Target): Promise<Anchor> {
  const { session, directory } = at;
  const includesWork = workTreeUse(values) === 'included';
  const origin = await session.origin(values.ref, { unborn: includesWork });
  const files = new TreeFiles(session, origin, includesWork);
  const reader = readerOf(at, { ...values, targets: [values.target] }, { files, prefix: prefixOf(session, directory) });
  try {
    const found = await reader.locate(values.target);
    if ('code' in found) {
      const picks = (found.candidates?.list ?? []).map(({ pick }) => pick).slice(0, 5);
      throw new SocraticodeError('BAD_ARGUMENT', found.message, { hint: `Name one of them: ${picks.join(', ')}` });
    }
    const anchor = anchorIn(found, origin);
    return found.file.isUncommitted ? committedAnchor(at, origin, found.file, anchor) : anchor;
  } finally {
    await reader.close();
  }
}

function anchorIn({ file, ranges, symbol }: Located, { resolved }: SnapshotOrigin): Anchor {
  const { path, bytes, oid } = file;
  const [{ start, end }] = ranges;
  const isWhole = symbol === null && start === 1 && end === Infinity;
  const last = Math.max(1, new TextLines(bytes).count);
  const lines = isWhole ? null : { start, end: Math.min(end, last) };
  const anchor =
    bytes.length > MAX_ANCHORED_BYTES
      ? null
      : anchorAt(bytes, { path, symbol, lines, blob: oid, commit: resolved.commit });
  if (anchor === null)
    throw new SocraticodeError('BAD_ARGUMENT', `no note can be kept about ${path}`, { hint: 'It is too large.' });
  return anchor;
}

/** Anchors to the committed version if it holds the same bytes: other clones have no other version. */
async function committedAnchor(
  { session }: Asker,
  { resolved }: SnapshotOrigin,
  file: FoundFile,
  anchor: Anchor,
): Promise<Anchor> {
  const { lines, path, symbol } = anchor;
  const committed = resolved.commit === null ? null : await session.objects.read(`${resolved.commit}:${path}`);
  if (lines === null || committed?.type !== 'blob') return anchor;
  const span = spanOf(file.bytes, lines);
  const known = span === null ? null : file.bytes.subarray(span.start, span.end);
  const found = findBytes(committed.content, anchor, known, lines.start);
  if (found === null) return anchor;
  return (
    anchorAt(committed.content, { path, symbol, lines: found, blob: committed.oid, commit: anchor.commit }) ?? anchor
  );
}
