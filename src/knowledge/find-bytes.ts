/** Finds the bytes of an anchor in a text: whole lines that are equal, wherever they stand. */
import { type Anchor, contentHash, type Lines } from './anchor.js';

const NEWLINE = 0x0a;
const RETURN = 0x0d;
/** Bytes that are hashed for one text at most, where the bytes looked for are not at hand. */
const MAX_HASHED = 32 << 20;
/** Occurrences that are weighed against each other. */
const MAX_FOUND = 1_000;

/**
 * The lines of `text` with the anchor's bytes; of several the nearest to `near`. `known`: the bytes themselves, if they are at
 * hand; without them, lines of the right length are hashed. Null if there are none.
 */
export function findBytes(text: Buffer, anchor: Anchor, known: Buffer | null, near: number): Lines | null {
  const found = known === null ? byHash(text, anchor) : byBytes(text, known);
  if (found.length === 0) return null;
  const height = countLines(text, found[0], found[0] + anchor.size);
  const starts = lineNumbers(text, found);
  const distance = (line: number) => Math.abs(line - near);
  const start = starts.reduce((best, line) => (distance(line) < distance(best) ? line : best));
  return { start, end: start + height };
}

/** Offsets of whole lines that hold `bytes`. */
function byBytes(text: Buffer, bytes: Buffer): number[] {
  const found: number[] = [];
  let hits = 0;
  for (let at = text.indexOf(bytes); at >= 0 && ++hits <= MAX_FOUND; at = text.indexOf(bytes, at + 1))
    if (isWhole(text, at, at + bytes.length)) found.push(at);
  return found;
}

function byHash(text: Buffer, { size, content }: Anchor): number[] {
  const found: number[] = [];
  let hashed = 0;
  for (let at = 0; at + size <= text.length && found.length < MAX_FOUND; ) {
    if (isWhole(text, at, at + size)) {
      hashed += size;
      if (hashed > MAX_HASHED) break;
      if (contentHash(text.subarray(at, at + size)) === content) found.push(at);
    }
    const next = text.indexOf(NEWLINE, at);
    if (next < 0) break;
    at = next + 1;
  }
  return found;
}

function isWhole(text: Buffer, start: number, end: number): boolean {
  if (start > 0 && text[start - 1] !== NEWLINE) return false;
  return end === text.length || text[end] === NEWLINE || (text[end] === RETURN && text[end + 1] === NEWLINE);
}

function countLines(text: Buffer, start: number, end: number): number {
  let lines = 0;
  for (let at = text.indexOf(NEWLINE, start); at >= 0 && at < end; at = text.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}

/** Lines of ascending offsets, counted from 1. */
function lineNumbers(text: Buffer, offsets: readonly number[]): number[] {
  let [line, from] = [1, 0];
  return offsets.map((offset) => {
    line += countLines(text, from, offset);
    from = offset;
    return line;
  });
}
