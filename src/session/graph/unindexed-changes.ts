/**
 * Uncommitted changes of files that are excluded from the search index. Linking reads the manifests among them and knows the
 * others by path, as it does for a commit: an excluded `tsconfig.json` still decides what imports mean.
 */
import { createHash } from 'node:crypto';
import { MAX_MANIFEST_BYTES } from '../../languages/roles/project.js';
import type { OverlayState } from '../../overlay/overlay.js';
import { isManifestEntry, MAX_MANIFESTS, MAX_MANIFESTS_BYTES } from './graph-files.js';

export interface UnindexedChanges {
  /** Equal for equal paths and equal manifests. */
  identity: unknown;
  /** Text of the readable manifests by path. */
  manifests: ReadonlyMap<string, string>;
  /** Paths with a file, and paths whose file is deleted. */
  present: readonly string[];
  gone: readonly string[];
}

/** Called once per question, so that a graph's name and its content come from the same bytes although files change. */
export function readUnindexedChanges({ unindexed, readUnindexed }: OverlayState): UnindexedChanges {
  const manifests = new Map<string, string>();
  const digests: [string, string][] = [];
  const [present, gone]: [string[], string[]] = [[], []];
  let left = MAX_MANIFESTS_BYTES;
  for (const change of unindexed) {
    const { path, isFile } = change;
    // Git reports only that links and submodules differ, so they stay as they are at HEAD.
    if (isFile) present.push(path);
    else if (change.headType !== 'symlink' && change.headType !== 'submodule') gone.push(path);
    if (!isFile || digests.length >= MAX_MANIFESTS || !isManifestEntry(change)) continue;
    const bytes = readUnindexed(change, Math.min(left, MAX_MANIFEST_BYTES));
    if (bytes === null) continue;
    left -= bytes.length;
    manifests.set(path, bytes.toString('utf8'));
    digests.push([path, createHash('sha256').update(bytes).digest('hex')]);
  }
  return { identity: [present.sort(), gone.sort(), digests.sort()], manifests, present, gone };
}
