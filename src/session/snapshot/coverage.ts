/** Numbers of indexed and missing files of a snapshot, and the state that they amount to. */
import type { Manifest, SnapshotAbout } from '../../shard/directory.js';
import { needsRecord, UNPARSED } from '../../shard/lexical-format.js';
import type { LexicalShard } from '../../shard/lexical-shard.js';
import { type CatalogFile, lookUpUnit, type UnitLookup } from '../../shard/live-set.js';
import type { SnapshotFiles } from './snapshot.js';

export interface UnitCounts {
  files: number;
  chunks: number;
  skipped: Record<string, number>;
  degraded: Record<string, number>;
  /** Files with parse errors that may hide declarations. */
  parseErrors: number;
  /** Files that no shard knows yet, except unreadable ones. */
  missing: number;
  unreadableBlobs: number;
  /** Further facts, which `status` says and the manifest keeps. */
  about: SnapshotAbout;
}

/** Most paths in `SnapshotAbout.incomplete`. */
export const MOST_INCOMPLETE = 20;
/** Most contents in `SnapshotAbout.bare`. A list with one more is cut: it says only that they are too many. */
export const MOST_BARE = 100;

/** Missing files beyond which a question about words does not wait for all of them: they take ten seconds or more. */
export const MOST_AWAITED = 2_000;

/**
 * State of a snapshot's index, from the worst to the best:
 *
 * - `missing`: no file is indexed.
 * - `fragment`: most files are still missing, so that another view follows within seconds.
 * - `partial`: some files are missing.
 * - `degraded`: none is missing, but some are unreadable or indexed without a parse, which another shard can improve.
 * - `ready`: no other shard can improve it.
 */
export type SnapshotState = 'missing' | 'fragment' | 'partial' | 'degraded' | 'ready';

/** Missing files per indexed file above which a snapshot is a fragment. */
const FRAGMENT = 0.25;

export function snapshotState({ files, missing, unreadableBlobs, degraded }: UnitCounts): SnapshotState {
  if (missing > 0 && files === 0) return 'missing';
  // Words of files that are not parsed yet are replaced within seconds, too.
  const words = degraded[UNPARSED] ?? 0;
  if (missing + words > (files - words) * FRAGMENT) return 'fragment';
  if (missing + words > 0) return 'partial';
  return unreadableBlobs > 0 || Object.keys(degraded).length > 0 ? 'degraded' : 'ready';
}

/** Returns whether all files that can be indexed are. */
export function hasAllFiles(state: SnapshotState): boolean {
  return state === 'degraded' || state === 'ready';
}

/** States of units whose files are left out for what they hold. */
const SKIP_STATES = new Set<string>(['binary', 'lfs-pointer', 'secret', 'too-large']);

/** Returns whether the file of a unit can be searched. */
export function isSearchable({ state, size }: Pick<UnitLookup, 'state' | 'size'>, maxFileBytes: number): boolean {
  return !(state !== null && SKIP_STATES.has(state)) && size <= maxFileBytes;
}

/** Language id of a file; of one whose content decides it, that of its unit. */
export function languageOfFile(
  { language }: Pick<CatalogFile, 'language'>,
  unit: UnitLookup | null,
  shards: readonly LexicalShard[],
): string {
  return language ?? (unit === null ? 'unknown' : shards[unit.shard].unitLanguageId(unit.unit));
}

/** Adds a file with a known unit to the counts, except for its chunks; a `step` of -1 takes it out. Returns whether it is searchable. */
export function countFile(counts: UnitCounts, unit: UnitLookup, maxFileBytes: number, step = 1): boolean {
  const add = (group: Record<string, number>, key: string) => {
    group[key] = (group[key] ?? 0) + step;
  };
  if (unit.state !== null && SKIP_STATES.has(unit.state)) add(counts.skipped, unit.state);
  else if (unit.size > maxFileBytes) add(counts.skipped, 'too-large');
  else {
    counts.files += step;
    if (unit.state !== null) add(counts.degraded, unit.state);
    if (unit.isIncomplete) counts.parseErrors += step;
    return true;
  }
  return false;
}

/** Counts the files of a snapshot by the state of their units in the shards. */
export function countUnits(
  { catalog, config }: SnapshotFiles,
  shards: readonly LexicalShard[],
  manifest: Manifest,
): UnitCounts {
  const counts: UnitCounts = {
    files: 0,
    chunks: 0,
    skipped: { ...catalog.skipped },
    degraded: {},
    parseErrors: 0,
    missing: 0,
    unreadableBlobs: 0,
    about: { languages: {}, incomplete: [], bare: [] },
  };
  const { languages, incomplete, bare } = counts.about;
  const unreadable = new Set(manifest.unreadable);
  const seen = new Set<string>();
  // Equal bytes in two languages make two units, each with its chunks.
  const counted = new Set<string>();
  for (const file of catalog.files) {
    const unit = lookUpUnit(shards, file);
    const language = languageOfFile(file, unit, shards);
    languages[language] = (languages[language] ?? 0) + 1;
    if (unit !== null && !needsRecord(unit.state)) addBare(bare, file.oid);
    const isFirst = !seen.has(file.oid);
    seen.add(file.oid);
    if (unit === null) {
      if (!unreadable.has(file.oid)) counts.missing++;
      else counts.skipped.unreadable = (counts.skipped.unreadable ?? 0) + 1;
      if (isFirst && unreadable.has(file.oid)) counts.unreadableBlobs++;
    } else if (countFile(counts, unit, config.maxFileBytes)) {
      if (unit.isIncomplete && incomplete.length < MOST_INCOMPLETE) incomplete.push(file.path);
      const key = `${unit.shard} ${unit.unit}`;
      if (!counted.has(key)) counts.chunks += shards[unit.shard].unitDocuments[unit.unit];
      counted.add(key);
    }
  }
  return counts;
}

/** Adds a content without a record of its own to the list of these, up to one more than `MOST_BARE`. */
function addBare(bare: string[], oid: string): void {
  if (bare.length <= MOST_BARE && !bare.includes(oid)) bare.push(oid);
}

/** Counts unreadable files as not covered. */
export function coverageOf(counts: UnitCounts): { covered: number; total: number } {
  return { covered: counts.files, total: counts.files + counts.missing + (counts.skipped.unreadable ?? 0) };
}
