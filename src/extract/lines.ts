/** Cutting text without a syntax tree: at blank lines and low indentation, inside long lines at safe characters. */
import { SIZES } from './sizes.js';
import { isLowSurrogate } from './text.js';

const TAB_WIDTH = 4;
/** Worth of a good place to cut, in characters of chunk size that are given up for it. */
const BLANK_LINE_BONUS = 500;
const INDENT_PENALTY = 40;
const MAX_INDENT_DEPTH = 12;

/** Characters after which a long line may be cut, best first. */
const SAFE_CUTS = [/\n/, /[;}]/, /[,)\]>]/, /\s/];

/** Cut points inside (start, end), ascending, so that no part is longer than the cap. UTF-16 offsets. */
export function cutByLines(text: string, start: number, end: number): number[] {
  const cuts: number[] = [];
  let from = start;
  while (end - from > SIZES.merged) {
    // A rest that fits the cap is only cut if both parts are worth it.
    if (end - from <= SIZES.cap && end - from < SIZES.merged + SIZES.part) break;
    const cut = bestLineCut(text, from, Math.min(end, from + SIZES.merged)) ?? cutInLine(text, from, end);
    if (cut >= end) break;
    cuts.push(cut);
    from = cut;
  }
  return cuts;
}

/** The best line start in the part of the window where a chunk is neither too small nor too large, or null. */
function bestLineCut(text: string, from: number, to: number): number | null {
  // Searched in a slice: in the whole text a search for a line break that isn't there goes back to its beginning.
  const window = text.slice(from, to);
  let best: number | null = null;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (let at = window.lastIndexOf('\n') + 1; at > SIZES.part; at = window.lastIndexOf('\n', at - 2) + 1) {
    const score = at + boundaryScore(text, from + at);
    if (score > bestScore) {
      best = from + at;
      bestScore = score;
    }
  }
  return best;
}

function boundaryScore(text: string, lineStart: number): number {
  let indent = 0;
  let at = lineStart;
  for (; at < text.length && indent < MAX_INDENT_DEPTH; at++) {
    const code = text.charCodeAt(at);
    if (code === 32) indent++;
    else if (code === 9) indent += TAB_WIDTH;
    else break;
  }
  const code = text.charCodeAt(at);
  // A blank line or a closing bracket belongs to the lines before it.
  if (code === 10 || code === 13) return -2 * BLANK_LINE_BONUS;
  const closes = code === 125 || code === 41 || code === 93;
  const blankBefore = text[lineStart - 2] === '\n' || (text[lineStart - 2] === '\r' && text[lineStart - 3] === '\n');
  return (
    (blankBefore ? BLANK_LINE_BONUS : 0) - Math.min(indent, MAX_INDENT_DEPTH) * INDENT_PENALTY - (closes ? 900 : 0)
  );
}

/** A cut inside an overlong line: the last safe character of the window, else the cap itself. */
function cutInLine(text: string, from: number, end: number): number {
  const to = Math.min(end, from + SIZES.cap);
  for (const safe of SAFE_CUTS) {
    for (let at = to; at > from + SIZES.alone; at--) if (safe.test(text[at - 1])) return unsplit(text, at);
  }
  return unsplit(text, to);
}

/** Never between the halves of a surrogate pair, nor between CR and LF. */
function unsplit(text: string, at: number): number {
  const insidePair = isLowSurrogate(text.charCodeAt(at));
  const insideBreak = text[at] === '\n' && text[at - 1] === '\r';
  return insidePair || insideBreak ? at - 1 : at;
}
