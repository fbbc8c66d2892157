/** Compares the symbols of files between two trees, and joins symbols that moved between files. */
import { addTo } from '../../base/lists.js';
import { createProgress } from '../../base/progress.js';
import type { TreeChange } from '../../git/diff.js';
import type { FileVersion } from '../../history/file-versions.js';
import { diffSymbols, type FileDiff, FileDigest, joinMoves, type PlacedChange } from '../../history/symbol-diff.js';
import type { BlobFactsSource } from '../blob-facts.js';

/** Changed files whose symbols are compared. The rest of a larger change is compared as whole files. */
const MAX_COMPARED_FILES = 20_000;
/** Files parsed to tell code from comments; their bytes are in memory until all are read. In further files comments count as code. */
const MAX_PARSED_FILES = 1_000;

/** Two versions of a file; null for the one that does not exist. */
export interface ComparedVersions {
  before: FileVersion | null;
  after: FileVersion | null;
  /** Null if symbols are not known. */
  diff: FileDiff | null;
  /** Does its newest version say that a tool wrote it? */
  isGenerated?: true;
}

/** A file that both snapshots have, or one of them, perhaps under another path. */
export interface ComparedFile extends ComparedVersions {
  change: TreeChange;
}

/** Reads versions. The symbols of a degraded version are not known. */
export interface VersionSource extends Pick<BlobFactsSource, 'prefetch' | 'comments'> {
  degraded: Pick<ReadonlySet<string>, 'has'>;
}

/**
 * Sets the `diff` of each file, and `isGenerated`. A file is compared as soon as both versions are known, so that the bytes of few files
 * are in memory at a time.
 */
export async function compareSymbols(files: readonly ComparedVersions[], source: VersionSource): Promise<void> {
  const compared = files.slice(0, MAX_COMPARED_FILES);
  const waiting = new Map<string, ComparedVersions[]>();
  const digests = new Map<ComparedVersions, DigestPair>();
  const unclear: [ComparedVersions, DigestPair][] = [];
  const versions: FileVersion[] = [];
  for (const file of compared) {
    digests.set(file, {});
    for (const version of [file.before, file.after]) {
      if (version === null) continue;
      if (!waiting.has(keyOf(version))) versions.push(version);
      addTo(waiting, keyOf(version), file);
    }
  }
  await source.prefetch(versions, createProgress('reading both sides', 'versions'), (version, facts, bytes) => {
    const isKnown = facts !== null && bytes !== null && !source.degraded.has(version.oid);
    const digest = isKnown ? new FileDigest(bytes, facts) : null;
    for (const file of waiting.get(keyOf(version)) ?? []) {
      const pair = digests.get(file);
      if (pair === undefined) continue;
      if (isSame(file.before, version)) pair.before = digest;
      if (isSame(file.after, version)) pair.after = digest;
      if (facts?.generated && isSame(file.after ?? file.before, version)) file.isGenerated = true;
      if (!compare(file, pair)) continue;
      digests.delete(file);
      if (file.diff?.mayBeComments && unclear.length < MAX_PARSED_FILES) unclear.push([file, pair]);
    }
  });
  await Promise.all(unclear.map(([file, pair]) => compareWithComments(file, pair, source)));
}

/** Digests of the versions of a file: undefined until a version is read, null if its symbols are not known. */
interface DigestPair {
  before?: FileDigest | null;
  after?: FileDigest | null;
}

/** Compares two versions again with the ranges of their comments, which no record holds. */
async function compareWithComments(file: ComparedVersions, pair: DigestPair, source: VersionSource): Promise<void> {
  const known = async (version: FileVersion | null, digest: FileDigest | null | undefined) => {
    const comments = version && digest ? await source.comments(version) : null;
    return comments === null || !digest ? null : digest.withComments(comments);
  };
  const [before, after] = await Promise.all([known(file.before, pair.before), known(file.after, pair.after)]);
  if (before !== null && after !== null) file.diff = diffSymbols(before, after);
}

/** Returns true once both versions are known. If the symbols of an existing version are not known, the file is left as a whole. */
function compare(file: ComparedVersions, { before, after }: DigestPair): boolean {
  const isRead = (version: FileVersion | null, digest: FileDigest | null | undefined) =>
    version === null || digest !== undefined;
  if (!isRead(file.before, before) || !isRead(file.after, after)) return false;
  const isKnown = (file.before === null || before !== null) && (file.after === null || after !== null);
  if (isKnown) file.diff = diffSymbols(before ?? null, after ?? null);
  return true;
}

const keyOf = ({ oid, path }: FileVersion): string => `${oid} ${path}`;
const isSame = (a: FileVersion | null, b: FileVersion): boolean => a?.oid === b.oid && a.path === b.path;

/** Turns the change of a symbol that came from another file into a move, and drops the change of that file. */
export async function joinMovedSymbols(files: readonly ComparedFile[], source: BlobFactsSource): Promise<void> {
  const placed = files.flatMap((file) =>
    (file.diff?.changes ?? []).flatMap((change): PlacedChange[] => {
      const version = change.type === 'removed' ? file.before : file.after;
      return version === null ? [] : [{ ...version, change }];
    }),
  );
  const gone = await joinMoves(placed, source);
  for (const { diff } of files) if (diff !== null) diff.changes = diff.changes.filter((change) => !gone.has(change));
}
