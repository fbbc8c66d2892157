/**
 * Uncommitted changes of files that are not in the search index. Linking reads the manifests among them, and knows the
 * others by their paths, as it does in a commit: an excluded `tsconfig.json` says what imports mean all the same.
 */
import { createHash } from 'node:crypto';
import { MAX_MANIFEST_BYTES } from '../../languages/roles/manifests.js';
import type { OverlayState } from '../../overlay/overlay.js';
import { isManifestEntry, MAX_MANIFESTS, MAX_MANIFESTS_BYTES } from './graph-files.js';

export interface Beside {
  /** Equal for equal paths and equal manifests. */
  identity: unknown;
  /** Text of the manifests that could be read, by path. */
  manifests: ReadonlyMap<string, string>;
  /** Paths where something stands, and those where nothing does any more. */
  present: readonly string[];
  gone: readonly string[];
}

/** Read once a question: what names a graph is what it is linked from, though files change meanwhile. */
export function readBeside({ unindexed, readUnindexed }: OverlayState): Beside {
  const manifests = new Map<string, string>();
  const digests: [string, string][] = [];
  const [present, gone]: [string[], string[]] = [[], []];
  let left = MAX_MANIFESTS_BYTES;
  for (const change of unindexed) {
    const { path, isFile } = change;
    // Git says no more of links and submodules than that they differ: they stay what they are at HEAD.
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
