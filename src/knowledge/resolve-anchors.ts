/**
 * Looks up anchors in a snapshot: `current` (the bytes are in the file), `moved` (in another file), `stale` (they changed), `gone`
 * (nothing is left of them). The file of the anchor is searched first, then files with the same blob, then every file that differs
 * between the anchor's commit and the snapshot: bytes that went elsewhere are in one of those.
 */
import { longestRising } from '../base/lists.js';
import { type Anchor, contentHash, type Lines, MAX_ANCHORED_BYTES, spanOf } from './entry.js';

const STATUSES = ['current', 'moved', 'stale', 'gone'] as const;
type Status = (typeof STATUSES)[number];

export interface Resolution {
  status: Status;
  /** Path in the snapshot; null if it is gone. */
  path: string | null;
  /** Null for a whole file, or if it is gone. */
  lines: Lines | null;
}

export interface SnapshotFile {
  path: string;
  oid: string;
  bytes: Buffer;
}

/** A file that differs between a commit and a snapshot. */
export interface ChangedFile {
  path: string;
  /** Path before a rename. */
  oldPath?: string;
}

/** Snapshot in which anchors are looked up. Files that may not be shown do not exist in it. */
export interface AnchoredSnapshot {
  read(path: string): Promise<SnapshotFile | null>;
  pathsOf(blob: string): Promise<readonly string[]>;
  /** Files that differ from a commit; null if the commit is not here. */
  changedSince(commit: string): Promise<readonly ChangedFile[] | null>;
  /** Reads an old version of a file by its blob; null if it is not here. */
  readOld(blob: string): Promise<Buffer | null>;
}

/** Bytes other than blanks that lines need. With fewer they are in many a file, which does not show where they went. */
const MIN_TELLING = 24;
/** Changed files that are searched for moved lines. `MAX_SEARCHED_BYTES`: their bytes in all. */
const MAX_SEARCHED = 2_000;
const MAX_SEARCHED_BYTES = 128 << 20;
/** Larger texts are not compared line by line. */
const MAX_COMPARED = 4 << 20;

const GONE: Resolution = { status: 'gone', path: null, lines: null };

/** Looks up one anchor. Throws what reading the snapshot throws. */
export async function resolveAnchor(snapshot: AnchoredSnapshot, anchor: Anchor): Promise<Resolution> {
  const here = await snapshot.read(anchor.path);
  const isSame = here?.oid === anchor.blob;
  const old = isSame ? here.bytes : await snapshot.readOld(anchor.blob);
  const known = bytesIn(old, anchor);
  // An author may name any lines of any blob, but the entry is about the bytes with its hash.
  if (old !== null && (known === null || contentHash(known) !== anchor.content)) return GONE;
  if (isSame) return { status: 'current', path: here.path, lines: anchor.lines };
  if (here !== null && anchor.lines !== null) {
    const lines = findBytes(here.bytes, anchor, known, anchor.lines.start);
    if (lines !== null) return { status: 'current', path: here.path, lines };
  }
  const moved = await findElsewhere(snapshot, anchor, known);
  if (moved !== null) return moved;
  return (await findChanged(snapshot, anchor, { here, old })) ?? GONE;
}

/** Returns the anchor's own bytes in the text that it was set in. */
function bytesIn(old: Buffer | null, { lines }: Anchor): Buffer | null {
  const span = old === null ? null : spanOf(old, lines);
  return old === null || span === null ? null : old.subarray(span.start, span.end);
}

async function findElsewhere(
  snapshot: AnchoredSnapshot,
  anchor: Anchor,
  known: Buffer | null,
): Promise<Resolution | null> {
  if (anchor.size === 0) return null;
  const [same] = [...(await snapshot.pathsOf(anchor.blob))].sort();
  if (same !== undefined) return { status: 'moved', path: same, lines: anchor.lines };
  if (anchor.lines === null || known === null || !isTelling(known)) return null;
  const { start } = anchor.lines;
  const changed = (anchor.commit === null ? null : await snapshot.changedSince(anchor.commit)) ?? [];
  const byNearness = [...changed].sort((a, b) => nearness(anchor, b) - nearness(anchor, a));
  let searched = 0;
  for (const { path } of byNearness.slice(0, MAX_SEARCHED)) {
    if (path === anchor.path) continue;
    const file = await snapshot.read(path);
    if (file === null) continue;
    searched += file.bytes.length;
    if (searched > MAX_SEARCHED_BYTES) return null;
    const lines = findBytes(file.bytes, anchor, known, start);
    if (lines !== null) return { status: 'moved', path, lines };
  }
  return null;
}

function isTelling(bytes: Buffer): boolean {
  return bytes.toString('latin1').replace(/\s+/g, '').length >= MIN_TELLING;
}

/** Sorts the renamed file first, then files of the same name. */
function nearness(anchor: Anchor, { path, oldPath }: ChangedFile): number {
  if (oldPath === anchor.path) return 2;
  return path.slice(path.lastIndexOf('/') + 1) === anchor.path.slice(anchor.path.lastIndexOf('/') + 1) ? 1 : 0;
}

async function findChanged(
  snapshot: AnchoredSnapshot,
  anchor: Anchor,
  { here, old }: { here: SnapshotFile | null; old: Buffer | null },
): Promise<Resolution | null> {
  const file = here ?? (await findRenamed(snapshot, anchor));
  if (file === null) return null;
  const { path, bytes } = file;
  if (anchor.lines === null) return { status: 'stale', path, lines: null };
  if (old === null || old.length > MAX_COMPARED || bytes.length > MAX_COMPARED)
    return { status: 'stale', path, lines: null };
  const lines = followLines(linesOf(old.toString('utf8')), linesOf(bytes.toString('utf8')), anchor.lines);
  return lines === null ? null : { status: 'stale', path, lines };
}

async function findRenamed(snapshot: AnchoredSnapshot, { path, commit }: Anchor): Promise<SnapshotFile | null> {
  const changed = (commit === null ? null : await snapshot.changedSince(commit)) ?? [];
  const renamed = changed.find(({ oldPath }) => oldPath === path);
  return renamed === undefined ? null : snapshot.read(renamed.path);
}

/** Text of the anchored lines, then and now, for a person to compare; null for a version that is not here. */
export async function bothTexts(
  snapshot: AnchoredSnapshot,
  anchor: Anchor,
  now: Resolution,
): Promise<{ before: string | null; after: string | null }> {
  const before = bytesIn(await snapshot.readOld(anchor.blob), anchor);
  const file = now.path === null ? null : await snapshot.read(now.path);
  const span = file === null || file.bytes.length > MAX_ANCHORED_BYTES ? null : spanOf(file.bytes, now.lines);
  return {
    before: before?.toString('utf8') ?? null,
    after: file === null || span === null ? null : file.bytes.toString('utf8', span.start, span.end),
  };
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;
/** Limit on the bytes that are hashed for one text, if the anchor's bytes are not at hand. */
const MAX_HASHED = 32 << 20;
/** Limit on the occurrences that are compared. */
const MAX_FOUND = 1_000;

/**
 * Returns the whole lines of `text` with the anchor's bytes; of several the nearest to `near`; null if there are none. `known`: the bytes
 * themselves, if they are at hand; without them, lines of the right length are hashed.
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

/** Offsets of whole lines with exactly `bytes`. */
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

// Follows lines through an edit. Lines that both texts have once, in the same order, are fixed points (patience diff, Bram Cohen); from
// each, equal neighbours are fixed as well. Lines between two fixed points became the lines between them in the new text. Linear except
// for sorting, for any input.

/** Lines of a text, compared without the carriage return at their end. */
function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

/** Lines in the new text that lines of the old one became; null if nothing is left of them. */
export function followLines(before: readonly string[], after: readonly string[], { start, end }: Lines): Lines | null {
  const to = fixedPoints(before, after);
  const last = Math.min(end, before.length) - 1;
  let above = start - 2;
  while (above >= 0 && to[above] < 0) above--;
  let below = last + 1;
  while (below < before.length && to[below] < 0) below++;
  const first = above < 0 ? 0 : to[above] + 1;
  const until = below >= before.length ? after.length - 1 : to[below] - 1;
  if (until < first) return null;
  // Blank lines at the edges belong to the surroundings.
  let [from, through] = [first, until];
  while (from < through && after[from].trim() === '') from++;
  while (through > from && after[through].trim() === '') through--;
  return { start: from + 1, end: through + 1 };
}

/** For each old line its new line, or -1; increasing. */
function fixedPoints(before: readonly string[], after: readonly string[]): Int32Array {
  const to = new Int32Array(before.length).fill(-1);
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) to[head] = head++;
  let tail = 0;
  const room = Math.min(before.length, after.length) - head;
  while (tail < room && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  for (let i = 1; i <= tail; i++) to[before.length - i] = after.length - i;
  for (const [old, now] of longestRising(uniquePairs(before, after, { head, tail }))) to[old] = now;
  return spread(before, after, to);
}

interface Middle {
  head: number;
  tail: number;
}

/** Pairs of lines that occur once in the middle of either text, by the old line. */
function uniquePairs(before: readonly string[], after: readonly string[], { head, tail }: Middle): [number, number][] {
  const places = (lines: readonly string[]) => {
    const found = new Map<string, number>();
    for (let i = head; i < lines.length - tail; i++) found.set(lines[i], found.has(lines[i]) ? -1 : i);
    return found;
  };
  const now = places(after);
  const pairs: [number, number][] = [];
  for (const [line, old] of places(before)) {
    const place = now.get(line) ?? -1;
    if (old >= 0 && place >= 0) pairs.push([old, place]);
  }
  return pairs.sort((a, b) => a[0] - b[0]);
}

/** Fixes equal neighbours of fixed lines, downwards and then upwards. */
function spread(before: readonly string[], after: readonly string[], to: Int32Array): Int32Array {
  const taken = new Uint8Array(after.length);
  for (const now of to) if (now >= 0) taken[now] = 1;
  const fix = (old: number, now: number) => {
    if (to[old] >= 0 || now < 0 || now >= after.length || taken[now] === 1 || before[old] !== after[now]) return;
    to[old] = now;
    taken[now] = 1;
  };
  for (let i = 1; i < before.length; i++) if (to[i - 1] >= 0) fix(i, to[i - 1] + 1);
  for (let i = before.length - 2; i >= 0; i--) if (to[i + 1] >= 0) fix(i, to[i + 1] - 1);
  return to;
}
