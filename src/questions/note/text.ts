/** Text of `note`: where it stands, the note itself as its author's words, who says so. */
import { groupDigits } from '../../base/digits.js';
import { visibleLine, visibleText } from '../../base/hygiene.js';
import { dateText, formatCount, quoted } from '../writing/format.js';
import type { Pen } from '../writing/pen.js';
import type { Claimant, NoteDocument, NoteItem, NotesDocument } from './output.js';

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
  const told = [`${formatCount(open, 'open note')}, ${groupDigits(settled)} settled`];
  if (unreadable > 0) told.push(`${formatCount(unreadable, 'entry', 'entries')} cannot be read by this version`);
  lines.push('', pen.dim(`${told.join('; ')}; notes are claims of their authors`));
  return `${lines.join('\n')}\n`;
}

/** `3f2a01bc9d  src/cart.ts:10-24  Cart.total  stale`, the note, and its author. */
function noteLines(note: NoteItem, pen: Pen): string[] {
  const { id, text, symbol, status, settled } = note;
  const name = symbol === null ? '' : `  ${pen.symbol(visibleLine(symbol))}`;
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
  return `${pen.path(visibleLine(path))}${startLine === null ? '' : `:${pen.line(`${startLine}${last}`)}`}`;
}

/** `Ann Lee, 2024-05-31, only here`: whose claim it is. */
function claimText({ author, date, shared }: NoteItem): string {
  return `${authorText(author)}, ${dateText(date)}, ${shared ? 'shared' : 'only in this clone'}`;
}

export function authorText({ name, email, by, agent }: Claimant): string {
  const who = visibleLine(email === '' ? name : `${name} <${email}>`);
  return by === 'person' ? who : `${agent === undefined ? 'an agent' : `the agent ${visibleLine(agent)}`} of ${who}`;
}

/** Lines of code that are shown of each side. */
const MAX_LINES = 60;

function codeLines(mark: string, text: string, pen: Pen): string[] {
  const all = text.replace(/\n$/, '').split('\n');
  const shown = all.slice(0, MAX_LINES).map((line) => `${mark}${line.split('\t').map(visibleText).join('\t')}`);
  const rest = all.length - shown.length;
  return rest > 0 ? [...shown, pen.dim(`${mark}… ${formatCount(rest, 'more line')}`)] : shown;
}

function changeLines({ before, after }: NonNullable<NoteDocument['change']>, pen: Pen): string[] {
  if (before === null) return [pen.dim('the version that it was written about is not in this clone')];
  return [...codeLines('- ', before, pen), ...(after === null ? [] : codeLines('+ ', after, pen))];
}
