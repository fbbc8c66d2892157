/** Lines of a document with their offsets, and what is found within a line. Everything is linear in the text. */
import { type DocumentPart, MAX_SPAN } from '../roles/documents.js';

export interface Line {
  text: string;
  /** 1-based. */
  number: number;
  /** Offset of its first character. */
  start: number;
}

export function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0, number = 1; start <= text.length; number++) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    lines.push({ text: text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end), number, start });
    start = end + 1;
  }
  return lines;
}

/** Width of the white space that a line begins with; a tab counts for one, since documents are compared with themselves only. */
export const indentOf = (text: string): number => text.length - text.trimStart().length;

export const isBlank = (text: string): boolean => text.trim() === '';

/** A line is looked through up to this length: data in a table or a picture in an address names nothing. */
const MAX_LINE = 5_000;

/** Texts between runs of as many backticks. */
export function codeSpans(line: Line): { text: string; at: number; end: number }[] {
  const runs = [...line.text.slice(0, MAX_LINE).matchAll(/`+/g)];
  const found: { text: string; at: number; end: number }[] = [];
  // The next run of each length, from the back, so that a run without an end costs nothing.
  const next = new Array<number>(runs.length).fill(-1);
  const last = new Map<number, number>();
  for (let i = runs.length - 1; i >= 0; i--) {
    next[i] = last.get(runs[i][0].length) ?? -1;
    last.set(runs[i][0].length, i);
  }
  for (let i = 0; i < runs.length; i++) {
    const close = next[i];
    if (close < 0) continue;
    const from = runs[i].index + runs[i][0].length;
    const text = line.text.slice(from, runs[close].index).trim();
    if (text !== '' && text.length <= MAX_SPAN)
      found.push({ text, at: runs[i].index, end: runs[close].index + runs[close][0].length });
    i = close;
  }
  return found;
}

/** Parts of a line by patterns that capture the target of a link; each pattern is bounded. */
export function* linksIn(line: Line, patterns: readonly RegExp[]): Generator<DocumentPart> {
  const text = line.text.slice(0, MAX_LINE);
  for (const pattern of patterns)
    for (const [, target] of text.matchAll(pattern)) yield { is: 'link', line: line.number, target };
}
