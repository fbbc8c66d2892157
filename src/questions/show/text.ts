/** Text of `show`: a heading for each place, then its lines with their numbers. */
import { visibleLine } from '../../base/hygiene.js';
import { mentionLines } from '../note/mention/mention.js';
import { summaryLines } from '../summarize/told/told.js';
import { formatCount, shortName } from '../writing/format.js';
import type { Pen } from '../writing/pen.js';
import type { Part, Problem, ShowDocument } from './output.js';

interface ShowWriting {
  pen: Pen;
  isCommand: boolean;
}

/** Digits of a commit that are shown. */
const COMMIT = 9;

export function showText(document: ShowDocument, { pen, isCommand }: ShowWriting): string {
  const { parts, problems, ref, commit, range } = document;
  const blocks = parts.map((part, i) => partText(document, part, { pen, before: parts[i - 1] }));
  // Earlier pages have told them.
  const failed = pen.skipped ? [] : problems.map((problem) => problemText(problem, pen));
  const told = [...summaryLines(document.summaries, pen), ...mentionLines(document.notes, pen)].map(
    (line) => `${line}\n`,
  );
  const at = commit === null ? '' : ` @ ${commit.slice(0, COMMIT)}`;
  const compared = range === undefined || pen.skipped ? '' : rangeText(document, range, { pen, isCommand });
  const footer = isCommand && parts.length > 0 ? `\n${pen.dim(`${visibleLine(ref)}${at}`)}\n` : '';
  return `${blocks.join('')}${told.join('')}${failed.length > 0 && blocks.length > 0 ? '\n' : ''}${failed.join('')}${compared}${footer}`;
}

type Range = NonNullable<ShowDocument['range']>;

/** Says what the marks mean, and which changes have no text to show. */
function rangeText(
  { parts, partsLeftOut }: ShowDocument,
  { from, deleted, skipped = {} }: Range,
  { pen, isCommand }: ShowWriting,
): string {
  const older = from === null ? 'the older side' : from.slice(0, COMMIT);
  const isMarked = parts.some(({ changes = [] }) => changes.length > 0);
  const rows = [isMarked ? `+ is new or changed since ${older}` : `nothing here changed since ${older}`];
  // To an agent the page says it.
  if (isCommand && partsLeftOut > 0) rows.push(`${formatCount(partsLeftOut, 'further place')}: ${pen.words.more}`);
  if (deleted !== undefined && deleted.count > 0) {
    const rest = deleted.count - deleted.first.length;
    const list = deleted.first.map(visibleLine).join(', ');
    rows.push(`${formatCount(deleted.count, 'deleted file')}: ${list}${rest > 0 ? ` and ${rest} more` : ''}`);
  }
  const kinds = Object.entries(skipped).map(([reason, count]) => `${count} ${reason}`);
  if (kinds.length > 0) rows.push(`changed files without text to show: ${kinds.join(', ')}`);
  return `${parts.length > 0 ? '\n' : ''}${rows.map((row) => `${pen.dim(row)}\n`).join('')}`;
}

function partText(document: ShowDocument, part: Part, { pen, before }: { pen: Pen; before: Part | undefined }): string {
  const isSame = before?.target === part.target && before.path === part.path;
  const lines = linesText(part, pen);
  if (isSame) return part.startLine === before.endLine + 1 ? lines : `${pen.dim('…')}\n${lines}`;
  return `${before === undefined ? '' : '\n'}${heading(document, part, pen)}\n${alternativesText(part, pen)}${lines}`;
}

/** Most definitions named that were not meant. */
const MAX_ALTERNATIVES = 3;

function alternativesText({ alternatives = [] }: Part, pen: Pen): string {
  if (alternatives.length === 0) return '';
  const rest = alternatives.length - MAX_ALTERNATIVES;
  const listed = alternatives.slice(0, MAX_ALTERNATIVES).map(visibleLine).join(', ');
  return `${pen.dim(`  not meant: ${listed}${rest > 0 ? ` and ${rest} more` : ''}`)}\n`;
}

/** `src/cart.ts:12-30  Cart.total  (of 120 lines)` */
function heading({ files }: ShowDocument, part: Part, pen: Pen): string {
  const { path, symbol } = part;
  const file = files.find((each) => each.path === path);
  const name = symbol === null ? '' : `  ${pen.symbol(visibleLine(shortName(symbol, path)))}`;
  const told = [
    ...(file === undefined ? [] : [`of ${formatCount(file.lines, 'line')}`]),
    ...(file?.uncommitted ? ['uncommitted'] : []),
    ...(file?.note === undefined ? [] : [file.note]),
  ];
  const first = pen.line(String(part.startLine));
  return `${pen.path(visibleLine(path))}:${first}${name}  ${pen.dim(`(${told.join(', ')})`)}`;
}

function linesText(part: Part, pen: Pen): string {
  const { startLine, content, changes } = part;
  const removals = new Map(changes?.map(({ line, removed }) => [line, removed]));
  const isNew = new Set(changes?.flatMap(({ line, added }) => Array.from({ length: added }, (_, i) => line + i)));
  const rows = content.split('\n').map((text, i) => {
    const line = startLine + i;
    const mark = changes === undefined ? '' : isNew.has(line) ? '+' : ' ';
    const shown = `${mark}${pen.line(String(line))}:${visible(text.replace(/\r$/, ''))}\n`;
    return `${removedText(removals.get(line), pen)}${shown}`;
  });
  return `${rows.join('')}${removedText(removals.get(part.endLine + 1), pen)}`;
}

function removedText(count: number | undefined, pen: Pen): string {
  return count ? `${pen.dim(`- ${formatCount(count, 'line')} removed`)}\n` : '';
}

/** Control characters made visible, except tabs, which indent code. */
const visible = (text: string): string => text.split('\t').map(visibleLine).join('\t');

function problemText({ target, message, hint, candidates }: Problem, pen: Pen): string {
  const text = message.includes(target) ? message : `${target}: ${message}`;
  const list = (candidates?.list ?? []).map(
    ({ path, symbol, startLine, kind, pick }) =>
      `  ${pen.path(visibleLine(path))}:${pen.line(String(startLine))}  ${pen.symbol(visibleLine(symbol ?? pick))}  ${pen.dim(kind)}\n`,
  );
  return `${visibleLine(text)}\n${list.join('')}${hint === '' ? '' : `${pen.dim(`  ${visibleLine(hint)}`)}\n`}`;
}
