/** Places that a reader of a range wants to see. */
import type { BlobFacts } from '../../../extract/facts.js';
import { qualifiedName } from '../../../extract/symbols.js';
import { codeFirst } from '../../../search/code-first.js';
import type { FoundFile, TreeFiles } from '../../../session/files/tree-file.js';
import { listGrepFiles } from '../../../session/grep/files.js';
import { FileChanged } from '../../../session/retry.js';
import type { Asker } from '../../asker.js';
import type { Located } from '../locate.js';
import type { Change } from '../output.js';
import { TextLines } from '../parts.js';
import type { ShowValues } from '../question.js';
import { lineCounter } from '../skeleton.js';
import type { LineRange } from '../target.js';
import type { RangeChanges } from './changes.js';

export interface Sources {
  range: RangeChanges;
  files: TreeFiles;
  factsOf: (path: string) => Promise<BlobFacts | null>;
}

interface ChangedPlaces {
  located: Located[];
  /** Paths of deleted files. */
  deleted: string[];
  /** Changed files without text to show, by reason. */
  skipped: Record<string, number>;
}

/** Every changed place, code first: a whole symbol where it is short, else the changed lines with their neighbours. */
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

/** `present`: paths of the newer side that need not be looked up. */
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

/** Longest symbol that is shown as a whole, in lines. */
const MAX_SYMBOL = 60;
/** Lines around a change outside of such a symbol, as in git's diff. */
const CONTEXT = 3;

interface Place extends LineRange {
  /** Number of a symbol of the file; -1 where the place is none. */
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
  // The neighbours of lines that were only removed stand for them.
  const [first, until] = added === 0 ? [Math.max(1, line - 1), Math.min(last, line)] : [line, line + added - 1];
  let inner = -1;
  // A container stands before what it contains.
  for (const [i, { startLine, endLine }] of (facts?.symbols ?? []).entries()) {
    if (startLine > first) break;
    if (endLine >= until && endLine - startLine < MAX_SYMBOL) inner = i;
  }
  const symbol = inner < 0 ? undefined : facts?.symbols[inner];
  if (symbol !== undefined) return { start: symbol.startLine, end: symbol.endLine, symbol: inner };
  return { start: Math.max(1, first - CONTEXT), end: Math.max(1, Math.min(last, until + CONTEXT)), symbol: -1 };
}

/** First lines of the comments that belong to symbols. */
function docLines(file: FoundFile, facts: BlobFacts | null, chosen: readonly number[]): Map<number, number> {
  const lineAt = lineCounter(file.bytes);
  const starts = chosen.map((symbol) => ({ symbol, start: facts?.symbols[symbol].doc?.start ?? -1 }));
  const known = starts.filter(({ start }) => start >= 0).sort((a, b) => a.start - b.start);
  return new Map(known.map(({ symbol, start }) => [symbol, lineAt(start)]));
}

/** Places in order. Of places that overlap, one that holds the others keeps its name. */
function united(places: readonly Place[]): Place[] {
  const list: Place[] = [];
  for (const place of [...places].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = list.at(-1);
    if (last === undefined || place.start > last.end) list.push({ ...place });
    else if (place.end > last.end) Object.assign(last, { end: place.end, symbol: -1 });
  }
  return list;
}
