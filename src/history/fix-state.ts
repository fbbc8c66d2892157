/**
 * Tells from texts alone whether a file has a fix, or still the code that it replaced. The file is aligned with the version before the fix
 * and with the version after it: lines that the fix removed and that are still there speak against it, lines that it added speak for it.
 * Comments, blank lines and lines of signs alone say nothing, and other indentation does not count. In files of other histories the code is
 * found where lines stand together by which a hunk is known (`copiesIn`).
 */
import { type LineChange, lineChanges } from '../base/line-diff.js';

export type HunkState = 'fixed' | 'vulnerable' | 'never' | 'unknown';

/** Lines that a fix replaced by others, in one file; places count from 0. */
export interface Hunk {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

export interface Fix {
  before: readonly string[];
  after: readonly string[];
  hunks: readonly Hunk[];
  /** Lines of either version. */
  oldLines: ReadonlySet<string>;
  newLines: ReadonlySet<string>;
}

export interface HunkFound {
  state: HunkState;
  /** Number of lines that speak. */
  weight: number;
  /** Are all lines that the fix added there, and none that it removed? */
  isExact: boolean;
  /** Line of the file where the hunk is, counted from 0; -1 where nothing of it is there. */
  line: number;
}

/** Lines as they are compared. */
export const comparableLines = (text: string): string[] => text.split('\n').map((line) => line.trim());

const COMMENT = /^(?:\/\/|\/\*|\*|#(?!\w|\[|!)|--|;;|%|"""|'''|<!--|rem\b|=begin|=end)/i;
/** Letters and digits that a line needs to be told from others. */
const MIN_TELLING = 4;

/** Does a line say something that another part of a file would not say as well? */
export function isTelling(line: string): boolean {
  return !COMMENT.test(line) && line.replace(/[^\p{L}\p{N}_]+/gu, '').length >= MIN_TELLING;
}

/** Hunks of a fix that change code; those that change blanks, signs or comments alone are left out. */
export function fixOf(before: readonly string[], after: readonly string[]): Fix {
  const hunks: Hunk[] = [];
  let shift = 0;
  for (const { first, old, fresh } of lineChanges(before, after)) {
    const hunk = {
      oldStart: first,
      oldEnd: first + old.length,
      newStart: first + shift,
      newEnd: first + shift + fresh.length,
    };
    shift += fresh.length - old.length;
    if ([...old, ...fresh].some(isTelling)) hunks.push(hunk);
  }
  return { before, after, hunks, oldLines: new Set(before), newLines: new Set(after) };
}

/** For each old line its place in the other text; -1 where it is not kept. */
function alignment(old: readonly string[], fresh: readonly string[]): Int32Array {
  const to = new Int32Array(old.length).fill(-1);
  let [at, shift] = [0, 0];
  const keep = (until: number) => {
    for (; at < until; at++) to[at] = at + shift;
  };
  for (const change of lineChanges(old, fresh)) {
    keep(change.first);
    pairWithin(change, change.first + shift, to);
    at = change.first + change.old.length;
    shift += change.fresh.length - change.old.length;
  }
  keep(old.length);
  return to;
}

/** Places of lines of a changed piece that stand once in both sides of it: they moved a little. `freshFirst`: where its new side begins. */
function pairWithin({ first, old, fresh }: LineChange, freshFirst: number, to: Int32Array): void {
  const places = new Map<string, number>();
  for (const [at, line] of fresh.entries()) places.set(line, places.has(line) ? -1 : at);
  for (const [at, line] of old.entries()) {
    const place = isTelling(line) ? (places.get(line) ?? -1) : -1;
    if (place >= 0) to[first + at] = freshFirst + place;
  }
}

/** Lines around a hunk that show whether its code is there at all. */
const NEAR = 6;

interface Shares {
  /** Share of the telling removed lines that are there, and of the added ones; null where there are none. */
  removed: number | null;
  added: number | null;
  /** Share of the telling lines around it that are there. */
  near: number;
}

/** Finds each hunk of a fix in a text. */
export function hunksIn(fix: Fix, text: readonly string[]): HunkFound[] {
  const [old, fresh] = [alignment(fix.before, text), alignment(fix.after, text)];
  return fix.hunks.map((hunk) => hunkIn(fix, hunk, { text, old, fresh }));
}

interface Aligned {
  text: readonly string[];
  old: Int32Array;
  fresh: Int32Array;
}

function hunkIn(fix: Fix, hunk: Hunk, aligned: Aligned): HunkFound {
  const { before, after } = fix;
  const { oldStart, oldEnd, newStart, newEnd } = hunk;
  const removedLines = ownTo(tellingIn(before, oldStart, oldEnd), before, fix.newLines);
  const addedLines = ownTo(tellingIn(after, newStart, newEnd), after, fix.oldLines);
  const around = [...tellingIn(before, oldStart - NEAR, oldStart), ...tellingIn(before, oldEnd, oldEnd + NEAR)];
  const shares = {
    removed: shareOf(removedLines, aligned.old),
    added: shareOf(addedLines, aligned.fresh),
    near: shareOf(around, aligned.old) ?? 0,
  };
  const kept = [...removedLines, ...around].map((at) => aligned.old[at]).find((at) => at >= 0);
  const line = kept ?? addedLines.map((at) => aligned.fresh[at]).find((at) => at >= 0) ?? -1;
  const state = stateOf(shares, () => hasOtherCode(fix, hunk, aligned));
  const isExact = (shares.added ?? 1) === 1 && (shares.removed ?? 0) === 0;
  return { state, weight: removedLines.length + addedLines.length, isExact, line };
}

function tellingIn(lines: readonly string[], start: number, end: number): number[] {
  const found: number[] = [];
  for (let at = Math.max(0, start); at < Math.min(end, lines.length); at++) if (isTelling(lines[at])) found.push(at);
  return found;
}

/** Lines that the other version has nowhere, where there are any: `default: no` may stand there ten times. */
function ownTo(places: number[], lines: readonly string[], others: ReadonlySet<string>): number[] {
  const own = places.filter((at) => !others.has(lines[at]));
  return own.length > 0 ? own : places;
}

const shareOf = (places: readonly number[], to: Int32Array): number | null =>
  places.length === 0 ? null : places.filter((at) => to[at] >= 0).length / places.length;

/** Share from which lines count as there, and up to which as gone: a fix is often adapted where it is taken over. */
const MOST = 0.75;
const FEW = 0.25;

function stateOf({ removed, added, near }: Shares, hasOther: () => boolean): HunkState {
  if (removed !== null) return added === null ? afterRemoval(removed, near) : afterChange(removed, added, near);
  return added === null ? 'unknown' : afterAddition(added, near, hasOther);
}

function afterChange(removed: number, added: number, near: number): HunkState {
  if (added >= MOST && removed <= FEW) return 'fixed';
  if (removed >= 0.5 && added <= FEW) return 'vulnerable';
  if (removed > 0 && added === 0) return 'vulnerable';
  return removed === 0 && added === 0 && near === 0 ? 'never' : 'unknown';
}

function afterRemoval(removed: number, near: number): HunkState {
  if (removed >= 0.5) return 'vulnerable';
  if (removed > FEW) return 'unknown';
  return near >= 0.5 ? 'fixed' : near === 0 ? 'never' : 'unknown';
}

function afterAddition(added: number, near: number, hasOther: () => boolean): HunkState {
  if (added >= MOST) return 'fixed';
  if (near === 0) return 'never';
  return added <= FEW && near >= 0.5 && !hasOther() ? 'vulnerable' : 'unknown';
}

/** Has the text, where a fix only adds lines, lines of its own that have a word of the fix? Then it may say the same in other words. */
function hasOtherCode({ before, after }: Fix, hunk: Hunk, { text, old, fresh }: Aligned): boolean {
  const last = lastKept(old, hunk.oldStart - 1, -1);
  const next = lastKept(old, hunk.oldEnd, 1);
  const between = text
    .slice(last + 1, next < 0 ? undefined : next)
    .filter((line, at) => isTelling(line) && !isKept(fresh, last + 1 + at));
  if (between.length === 0) return false;
  const known = new Set(before.flatMap(wordsOf));
  const own = new Set(
    after
      .slice(hunk.newStart, hunk.newEnd)
      .flatMap(wordsOf)
      .filter((word) => !known.has(word)),
  );
  return between.some((line) => wordsOf(line).some((word) => own.has(word)));
}

const isKept = (to: Int32Array, place: number): boolean => to.includes(place);

function lastKept(to: Int32Array, from: number, step: 1 | -1): number {
  for (let at = from; at >= 0 && at < to.length; at += step) if (to[at] >= 0) return to[at];
  return -1;
}

/** Words of code, which name things. */
export const wordsOf = (line: string): string[] => line.match(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu) ?? [];

/** State of a whole fix in one version of a repository. A part that is clearly missing outweighs those that are there. */
export function joinStates(found: readonly HunkFound[]): { state: HunkState; isExact: boolean } {
  const weightOf = (state: HunkState) =>
    found.filter((hunk) => hunk.state === state).reduce((sum, { weight }) => sum + weight, 0);
  const [fixed, vulnerable, never, unknown] = [
    weightOf('fixed'),
    weightOf('vulnerable'),
    weightOf('never'),
    weightOf('unknown'),
  ];
  const isExact = found.every((hunk) => hunk.isExact);
  if (vulnerable > 0 && vulnerable >= MISSING * (fixed + vulnerable)) return { state: 'vulnerable', isExact: false };
  if (fixed > 0 && vulnerable === 0 && fixed >= unknown) return { state: 'fixed', isExact };
  if (never > 0 && fixed + vulnerable + unknown === 0) return { state: 'never', isExact: false };
  return { state: 'unknown', isExact: false };
}

/** Share of the lines that decide, from which missing parts make the whole vulnerable. */
const MISSING = 0.2;

// Copies: the code of a fix in a file of another history.

/** Lines of a fix by which its code is looked for, the longest of those that it is about. */
const SEARCHED_LINES = 4;
const MIN_SEARCHED = 12;
export const MAX_SEARCHED_LENGTH = 200;
/** Characters of code that a copy shares with what a fix is about. */
export const MIN_COPIED = 24;

export function searchedLines({ before }: Fix, hunks: readonly Hunk[]): string[] {
  const near = hunks.flatMap(({ oldStart, oldEnd }) => before.slice(Math.max(0, oldStart - 3), oldEnd + 3));
  const long = near.filter(
    (line) => isTelling(line) && line.length >= MIN_SEARCHED && line.length <= MAX_SEARCHED_LENGTH,
  );
  return [...new Set(long)].sort((a, b) => b.length - a.length).slice(0, SEARCHED_LINES);
}

/** Characters that a place is known by in another repository. */
const MIN_KNOWN = 40;

/** Strangers import the same, and that is no copy. */
const IMPORT = /^(?:import|from|#\s*include|using|use|require(?:_once|_relative)?|package)\b/;

/** For each hunk the lines that a copy of it is known by; none where the hunk says too little to be known again. */
export function copyLines(fix: Fix): string[][] {
  return fix.hunks.map((hunk) => {
    const changed = [...fix.before.slice(hunk.oldStart, hunk.oldEnd), ...fix.after.slice(hunk.newStart, hunk.newEnd)];
    if (changed.every((line) => !isTelling(line) || IMPORT.test(line))) return [];
    const lines = searchedLines(fix, [hunk]).filter((line) => !IMPORT.test(line));
    return lines.join('').length >= MIN_KNOWN ? lines : [];
  });
}

/** Finds the code of a fix in a text of another history: wherever half of the lines stand together that a hunk is known by. */
export function copiesIn(fix: Fix, text: readonly string[]): HunkFound[] {
  return copyLines(fix).flatMap((lines, i) => {
    const hunk = fix.hunks[i];
    const part = partOf(fix, hunk);
    const reach = part.before.length + NEAR;
    return windowsOf(text, lines, reach).flatMap(({ start, end, count }) => {
      const near = text.slice(start, end);
      const aligned = { text: near, old: alignment(part.before, near), fresh: alignment(part.after, near) };
      const found = hunkIn(part, part.hunks[0], aligned);
      // Half of the lines is too little where the new code is not there: strangers begin their files alike.
      const isStranger = found.state !== 'fixed' && count * 2 <= lines.length;
      return found.state === 'never' || isStranger ? [] : { ...found, line: start + Math.max(0, found.line) };
    });
  });
}

/** A hunk with the lines around it alone, since the rest of a copied file may be anything. */
function partOf(fix: Fix, { oldStart, oldEnd, newStart, newEnd }: Hunk): Fix {
  const [oldFirst, newFirst] = [Math.max(0, oldStart - NEAR), Math.max(0, newStart - NEAR)];
  const hunk = {
    ...{ oldStart: oldStart - oldFirst, oldEnd: oldEnd - oldFirst },
    ...{ newStart: newStart - newFirst, newEnd: newEnd - newFirst },
  };
  const [before, after] = [fix.before.slice(oldFirst, oldEnd + NEAR), fix.after.slice(newFirst, newEnd + NEAR)];
  return { ...fix, before, after, hunks: [hunk] };
}

interface Window {
  start: number;
  end: number;
  /** Different lines that were looked for and are there. */
  count: number;
}

/** Parts of a text with half of some lines, two of them at least unless there is one, none further than `reach` from the next. */
function windowsOf(text: readonly string[], lines: readonly string[], reach: number): Window[] {
  const wanted = new Set(lines);
  const least = Math.max(Math.min(2, lines.length), lines.length / 2);
  const groups: number[][] = [];
  for (const [at, line] of text.entries()) {
    if (!wanted.has(line)) continue;
    const group = groups.at(-1);
    if (group !== undefined && at - group[group.length - 1] <= reach) group.push(at);
    else groups.push([at]);
  }
  return groups
    .map((group) => ({
      ...{ start: Math.max(0, group[0] - reach), end: group[group.length - 1] + reach + 1 },
      count: new Set(group.map((at) => text[at])).size,
    }))
    .filter(({ count }) => count >= least);
}
