/**
 * Looks up anchors in a snapshot: `current` (the bytes stand in the file), `moved` (in another file), `stale` (they changed),
 * `gone` (nothing is left of them). The file of the anchor is looked at first, then files with the same blob, then every file
 * that differs between the anchor's commit and the snapshot: bytes that went elsewhere are in one of those.
 */
import { type Anchor, contentHash, type Lines, MAX_ANCHORED_BYTES, spanOf } from './anchor.js';
import { findBytes } from './find-bytes.js';
import { followLines, linesOf } from './line-map.js';

export const STATUSES = ['current', 'moved', 'stale', 'gone'] as const;
export type Status = (typeof STATUSES)[number];

export interface Resolution {
  status: Status;
  /** Path in the snapshot; null if it is gone. */
  path: string | null;
  /** Null for a whole file, and if it is gone. */
  lines: Lines | null;
}

/** A text file of a snapshot. */
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

/** Snapshot that anchors are looked up in. Files that may not be shown do not exist in it. */
export interface AnchoredSnapshot {
  read(path: string): Promise<SnapshotFile | null>;
  /** Paths of files with this blob. */
  pathsOf(blob: string): Promise<readonly string[]>;
  /** Files that differ from a commit; null if the commit is not here. */
  changedSince(commit: string): Promise<readonly ChangedFile[] | null>;
  /** An older version of a file, by its blob; null if it is not here. */
  readOld(blob: string): Promise<Buffer | null>;
}

/** Fewer bytes that are no blanks are found in many a file: they do not tell where lines went. */
const MIN_TELLING = 24;
/** Changed files that are searched for moved lines, and their bytes in all. */
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
  // An author may name any lines of any blob. The entry is about the bytes that it has the hash of.
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

/** The anchor's own bytes in the text that it was set in. */
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

/** The renamed file first, then files of the same name. */
function nearness(anchor: Anchor, { path, oldPath }: ChangedFile): number {
  if (oldPath === anchor.path) return 2;
  return path.slice(path.lastIndexOf('/') + 1) === anchor.path.slice(anchor.path.lastIndexOf('/') + 1) ? 1 : 0;
}

interface Sides {
  here: SnapshotFile | null;
  old: Buffer | null;
}

async function findChanged(
  snapshot: AnchoredSnapshot,
  anchor: Anchor,
  { here, old }: Sides,
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

/** Text of the anchored lines, then and now, for a person to compare; null for a side that is not here. */
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
