/** Places that a range of commits changed, and files without the bodies of their functions. */

import { type LineChange, lineChanges } from '../../base/line-diff.js';
import { groupBy, lineAt, lineStarts } from '../../base/lists.js';
import { qualifiedName } from '../../extract/collect-drafts.js';
import type { BlobFacts } from '../../extract/facts.js';
import { diffTrees } from '../../git/diff.js';
import { codeFirst } from '../../search/path-classes.js';
import { listGrepFiles } from '../../session/grep/files.js';
import { FileChanged } from '../../session/retry.js';
import { type Baseline, parseRange, readBaseline } from '../../session/snapshot/target.js';
import { type FoundFile, MAX_READ_BYTES, type TreeFiles } from '../../session/tree-files.js';
import type { Asker } from '../asker.js';
import { type LineRange, type Located, TextLines, unite } from './locate.js';
import type { Change, ShowValues } from './question.js';

export interface Sources {
  range: RangeChanges;
  files: TreeFiles;
  factsOf: (path: string) => Promise<BlobFacts | null>;
}

interface ChangedPlaces {
  located: Located[];
  /** Paths of deleted files. */
  deleted: string[];
  /** Numbers of changed files without text to show, by reason. */
  skipped: Record<string, number>;
}

/** Every changed place, code first: a short symbol as a whole, else the changed lines with context. */
export async function locateChanges(
  { session, signal }: Asker,
  values: ShowValues,
  { range, files, factsOf }: Sources,
): Promise<ChangedPlaces> {
  const listed = await listGrepFiles(session, values);
  // HEAD moved between the two readings.
  if (listed.origin.resolved.tree !== files.origin.resolved.tree) throw new FileChanged();
  const { baseline } = range;
  const skipped: Record<string, number> = {};
  const located: Located[] = [];
  const changed = listed.files.filter(({ path, oid }) => oid === null || baseline.at(path) !== oid);
  for (const { path } of codeFirst(changed, ({ path }) => path)) {
    signal.throwIfAborted();
    const file = await files.find(path);
    if (file === null || file.kind === 'deleted') continue;
    if (file.kind !== 'file') {
      skipped[file.kind] = (skipped[file.kind] ?? 0) + 1;
      continue;
    }
    const { changes, note } = await range.of(file);
    if (changes.length === 0) continue;
    const facts = note === 'new' ? null : await factsOf(path);
    located.push(...placesOf(file, changes, facts));
  }
  return { located, deleted: await deletedOf(range, files, new Set(listed.files.map(({ path }) => path))), skipped };
}

/** `present`: paths after the change, which are not deleted. */
async function deletedOf(
  { baseline, renamed }: RangeChanges,
  files: TreeFiles,
  present: ReadonlySet<string>,
): Promise<string[]> {
  const deleted: string[] = [];
  for (const path of baseline.paths()) {
    if (present.has(path) || renamed.has(path)) continue;
    const found = await files.find(path);
    if (found === null || found.kind === 'deleted') deleted.push(path);
  }
  return deleted;
}

/** Longest symbol that is shown as a whole. */
const MAX_SYMBOL_LINES = 60;
/** Lines of context of other changes, as in git's diff. */
const CONTEXT = 3;

interface Place extends LineRange {
  /** Index of the file's symbol; -1 for other places. */
  symbol: number;
}

function placesOf(file: FoundFile, changes: readonly Change[], facts: BlobFacts | null): Located[] {
  const last = new TextLines(file.bytes).count;
  const places = changes.map((change) => placeOf(change, facts, last));
  const chosen = [...new Set(places.map(({ symbol }) => symbol))].filter((symbol) => symbol >= 0);
  const docs = docLines(file, facts, chosen);
  for (const place of places) place.start = Math.min(place.start, docs.get(place.symbol) ?? place.start);
  return united(places).map(({ start, end, symbol }) => {
    const name = facts === null || symbol < 0 ? null : qualifiedName(facts.symbols, symbol);
    const target = name === null ? `${file.path}:${start}-${end}` : `${file.path}#${name}`;
    return { target, file, ranges: [{ start, end }], symbol: name };
  });
}

function placeOf({ line, added }: Change, facts: BlobFacts | null, last: number): Place {
  // Removed lines have no place, so their neighbours are shown.
  const [first, until] = added === 0 ? [Math.max(1, line - 1), Math.min(last, line)] : [line, line + added - 1];
  let inner = -1;
  // Symbols are sorted: containers come before their contents.
  for (const [i, { startLine, endLine }] of (facts?.symbols ?? []).entries()) {
    if (startLine > first) break;
    if (endLine >= until && endLine - startLine < MAX_SYMBOL_LINES) inner = i;
  }
  const symbol = inner < 0 ? undefined : facts?.symbols[inner];
  if (symbol !== undefined) return { start: symbol.startLine, end: symbol.endLine, symbol: inner };
  return { start: Math.max(1, first - CONTEXT), end: Math.max(1, Math.min(last, until + CONTEXT)), symbol: -1 };
}

/** First lines of comments on symbols. */
function docLines(file: FoundFile, facts: BlobFacts | null, chosen: readonly number[]): Map<number, number> {
  const lines = lineStarts(file.bytes);
  const starts = chosen.map((symbol) => ({ symbol, start: facts?.symbols[symbol].doc?.start ?? -1 }));
  const known = starts.filter(({ start }) => start >= 0);
  return new Map(known.map(({ symbol, start }) => [symbol, lineAt(lines, start)]));
}

/** Sorts places and joins those that overlap; a place that contains the others keeps its name. */
function united(places: readonly Place[]): Place[] {
  const list: Place[] = [];
  for (const place of [...places].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = list.at(-1);
    if (last === undefined || place.start > last.end) list.push({ ...place });
    else if (place.end > last.end) Object.assign(last, { end: place.end, symbol: -1 });
  }
  return list;
}

/** Changes of a file, in order. */
export interface FileChanges {
  changes: Change[];
  /** Remark; '' for none. */
  note: string;
}

export interface RangeChanges {
  /** The range's older end. */
  baseline: Baseline;
  /** Former paths of renamed files. */
  renamed: ReadonlySet<string>;
  of(file: FoundFile): Promise<FileChanges>;
}

/** Throws BAD_ARGUMENT and UNKNOWN_REF. `tree` is the committed state after the change. */
export async function openChanges({ session, signal }: Asker, range: string, tree: string): Promise<RangeChanges> {
  const baseline = await readBaseline(session, parseRange(range));
  const { git } = session.repository;
  const renames =
    baseline.commit === null ? [] : await diffTrees(git, baseline.commit, tree, { renames: 'only', signal });
  const former = new Map(renames.map(({ path, oldPath = path }) => [path, oldPath]));
  const known = new Map<string, FileChanges>();
  return {
    baseline,
    renamed: new Set(former.values()),
    async of(file) {
      let changes = known.get(file.path);
      if (changes === undefined) {
        changes = await changesOf(session, file, { baseline, from: former.get(file.path) });
        known.set(file.path, changes);
      }
      return changes;
    },
  };
}

/** `from`: path before a rename. */
async function changesOf(
  { objects }: Asker['session'],
  file: FoundFile,
  { baseline, from }: { baseline: Baseline; from: string | undefined },
): Promise<FileChanges> {
  const old = baseline.at(file.path) ?? (from === undefined ? undefined : baseline.at(from));
  const note = from === undefined ? '' : `was ${from}`;
  if (old === file.oid || (old === undefined && baseline.blobs.has(file.oid))) return { changes: [], note };
  const fresh = linesOf(file.bytes);
  const all = { changes: [{ line: 1, added: fresh.length, removed: 0 }] };
  if (old === undefined) return { ...all, note: 'new' };
  const info = await objects.info(old);
  const object = info?.type === 'blob' && info.size <= MAX_READ_BYTES ? await objects.read(old) : null;
  if (object === null) return { ...all, note: 'its older version cannot be read: every line counts as new' };
  return { changes: numbered(lineChanges(linesOf(object.content), fresh)), note };
}

function linesOf(bytes: Buffer): string[] {
  const lines = bytes.toString('utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Numbers changes by the lines of the text after the change. */
function numbered(changes: readonly LineChange[]): Change[] {
  let shift = 0;
  return changes.map(({ first, old, fresh }) => {
    const line = first + shift + 1;
    shift += fresh.length - old.length;
    return { line, added: fresh.length, removed: old.length };
  });
}

// Files without the bodies of their functions, except requested lines.

const BODIES: ReadonlySet<string> = new Set(['function', 'method', 'constructor', 'macro']);
/** Fewest lines of a body that is left out: a mark in its place takes one. */
const MIN_HIDDEN_LINES = 2;
/** A line that only closes a body. */
const CLOSES = /^\s*(?:[)\]}]+[;,]?|end)\s*$/;

/** Makes one target of each file, with the requested parts in full. Files with unknown symbols stay as they are. */
export async function skeletons(
  located: readonly Located[],
  factsOf: (path: string) => Promise<BlobFacts | null>,
): Promise<Located[]> {
  const files = [...groupBy(located, ({ file }) => file.path).values()].map(async (targets) => {
    const [{ target, file }] = targets;
    const facts = await factsOf(file.path);
    if (facts === null) return targets;
    const retained = targets.flatMap(({ ranges }) => ranges).filter(({ start, end }) => start > 1 || end !== Infinity);
    return [{ target, file, symbol: null, ranges: skeletonOf(facts, file.bytes, retained) }];
  });
  return (await Promise.all(files)).flat();
}

function skeletonOf({ symbols }: BlobFacts, bytes: Buffer, retained: readonly LineRange[]): LineRange[] {
  const text = new TextLines(bytes);
  const lines = lineStarts(bytes);
  const functions = symbols.filter(({ kind }) => BODIES.has(kind));
  const hidden = functions.flatMap(({ signature, endLine }) => {
    const first = lineAt(lines, signature.end) + 1;
    const last = CLOSES.test(text.slice({ start: endLine, end: endLine })) ? endLine - 1 : endLine;
    return last - first + 1 < MIN_HIDDEN_LINES ? [] : [{ start: first, end: last }];
  });
  return unite([...complement(unite(hidden), text.count), ...retained]);
}

/** Lines from 1 to `count` outside of all ranges. */
function complement(ranges: readonly LineRange[], count: number): LineRange[] {
  const rest: LineRange[] = [];
  let next = 1;
  for (const { start, end } of [...ranges, { start: count + 1, end: count + 1 }]) {
    if (start > next) rest.push({ start: next, end: start - 1 });
    next = Math.max(next, end + 1);
  }
  return rest;
}
