/** Text of `show`: a heading for each place, then its lines with their numbers. */
import { visibleLine } from '../../base/hygiene.js';
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
  const { parts, problems, ref, commit } = document;
  const blocks = parts.map((part, i) => partText(document, part, { pen, before: parts[i - 1] }));
  // Earlier pages have told them.
  const failed = pen.skipped ? [] : problems.map((problem) => problemText(problem, pen));
  const at = commit === null ? '' : ` @ ${commit.slice(0, COMMIT)}`;
  const footer = isCommand && parts.length > 0 ? `\n${pen.dim(`${visibleLine(ref)}${at}`)}\n` : '';
  return `${blocks.join('')}${failed.length > 0 && blocks.length > 0 ? '\n' : ''}${failed.join('')}${footer}`;
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

function linesText({ startLine, content }: Part, pen: Pen): string {
  return content
    .split('\n')
    .map((line, i) => `${pen.line(String(startLine + i))}:${visible(line.replace(/\r$/, ''))}\n`)
    .join('');
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
