/** Finding the documentation of a definition in the source text: comment blocks before it, or a docstring inside. */
import type { DocStyle } from '../languages/roles/definitions.js';

/** A documentation block longer than this isn't looked for; bounds the backward search. UTF-16 units. */
const MAX_DOC_LENGTH = 50_000;
const MAX_DOC_LINE_LENGTH = 2_000;

export interface UnitRange {
  start: number;
  end: number;
}

/** The comment block that ends on the line before `start`, or null; see `isDocBlock`. UTF-16 offsets. */
export function docBefore(text: string, start: number, style: DocStyle): UnitRange | null {
  const lineStart = indentStart(text, start);
  if (lineStart <= 0 || text[lineStart - 1] !== '\n') return null;
  const end = trimEnd(text, lineStart - 1, Math.max(0, lineStart - MAX_DOC_LENGTH));
  const breaks = countBreaks(text, end, lineStart);
  if (end === 0 || breaks > 2) return null;
  const block = blockEndingAt(text, end, style);
  if (breaks === 2) return block !== null && isDocBlock(text, block.start) ? block : null;
  return block ?? linesEndingAt(text, end, style);
}

/** A documentation block stays with what follows even across a blank line. */
export function isDocBlock(text: string, start: number): boolean {
  return text.startsWith('/**', start) && !text.startsWith('/**/', start);
}

function blockEndingAt(text: string, end: number, style: DocStyle): UnitRange | null {
  if (style.block === undefined) return null;
  const [open, close] = style.block;
  if (!text.startsWith(close, end - close.length)) return null;
  const from = Math.max(0, end - MAX_DOC_LENGTH);
  const at = text.slice(from, end - close.length).lastIndexOf(open);
  if (at === -1) return null;
  const start = from + at;
  return isLineStart(text, start) ? { start, end } : null;
}

function linesEndingAt(text: string, end: number, style: DocStyle): UnitRange | null {
  if (style.line === undefined) return null;
  let first = -1;
  for (let lineEnd = end; lineEnd > 0 && end - lineEnd < MAX_DOC_LENGTH; ) {
    const from = Math.max(0, lineEnd - MAX_DOC_LINE_LENGTH);
    const lineStart = from + text.slice(from, lineEnd).lastIndexOf('\n') + 1;
    if (lineStart === from && from > 0) break;
    const line = text.slice(lineStart, lineEnd);
    const content = line.trimStart();
    if (!style.line.test(content) || content.startsWith('#!')) break;
    first = lineStart + (line.length - content.length);
    if (lineStart === 0) break;
    lineEnd = lineStart - 1;
  }
  return first === -1 ? null : { start: first, end };
}

/** The string literal at the start of a body (Python's docstring), or null. */
export function docstringAt(text: string, bodyStart: number, end: number): UnitRange | null {
  const opening = /[rRuUbB]{0,2}("""|'''|"|')/y;
  opening.lastIndex = bodyStart;
  const match = opening.exec(text);
  if (match === null) return null;
  const close = text.indexOf(match[1], opening.lastIndex);
  return close === -1 || close >= end ? null : { start: bodyStart, end: close + match[1].length };
}

/** Start of the line if only blanks stand before `at` on it, otherwise `at` itself. */
export function indentStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && isBlank(text.charCodeAt(start - 1))) start--;
  return start === 0 || text.charCodeAt(start - 1) === 10 ? start : at;
}

function isLineStart(text: string, at: number): boolean {
  const start = indentStart(text, at);
  return start === 0 || text.charCodeAt(start - 1) === 10;
}

/** The end of the text before `at` without trailing white space, not below `from`. */
export function trimEnd(text: string, at: number, from = 0): number {
  let end = at;
  while (end > from && (isBlank(text.charCodeAt(end - 1)) || text.charCodeAt(end - 1) === 10)) end--;
  return end;
}

export function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 13 || code === 12;
}

/** Number of line feeds in [from, to). */
export function countBreaks(text: string, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i++) if (text.charCodeAt(i) === 10) count++;
  return count;
}
