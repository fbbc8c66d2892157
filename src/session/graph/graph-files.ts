/** Sorts the files of a snapshot for linking: linked files, files known by path only, and other tree entries. */

import { DEGRADED_REASONS } from '../../extract/facts.js';
import type { ObjectReader } from '../../git/objects.js';
import { isUnsafePath, type TreeEntry } from '../../git/snapshot.js';
import type { SourceFile } from '../../graph/link-input.js';
import type { FileState } from '../../graph/types.js';
import { isManifest } from '../../languages/manifests.js';
import { hasRelations, PLAIN_TEXT } from '../../languages/registry.js';
import { MAX_MANIFEST_BYTES } from '../../languages/roles/project.js';
import type { LexicalShard } from '../../shard/lexical.js';
import { type CatalogFile, lookUpUnit } from '../../shard/live.js';

/** Some repositories have thousands of packages; the deepest manifests are left out first. */
export const MAX_MANIFESTS = 5_000;
export const MAX_MANIFESTS_BYTES = 64 << 20;

const DEGRADED = new Set<string>(DEGRADED_REASONS);

/** Reads language and state of files from the shards. Files that no shard knows count as unreadable. */
export function sourceFiles(
  files: readonly CatalogFile[],
  shards: readonly LexicalShard[],
  maxFileBytes: number,
): SourceFile[] {
  return files.map((file) => sourceFile(file, shards, maxFileBytes)).sort(byPath);
}

export function byPath(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

function sourceFile(file: CatalogFile, shards: readonly LexicalShard[], maxFileBytes: number): SourceFile {
  const { path, oid } = file;
  const unit = lookUpUnit(shards, file);
  if (unit === null) return { path, oid, language: file.language ?? PLAIN_TEXT, state: 'unreadable' };
  const language = file.language ?? shards[unit.shard].unitLanguageId(unit.unit);
  return { path, oid, language, state: stateOf(language, unit, maxFileBytes), size: unit.size };
}

function stateOf(
  language: string,
  { state, size }: { state: string | null; size: number },
  maxFileBytes: number,
): FileState {
  if (!hasRelations(language) || size > maxFileBytes) return 'none';
  if (state === null) return 'linked';
  return DEGRADED.has(state) ? 'degraded' : 'none';
}

/** Returns the paths of a tree that are not files of the graph. */
export function otherPaths(entries: readonly TreeEntry[], files: readonly SourceFile[]): Set<string> {
  const others = new Set(entries.map(({ path }) => path));
  for (const { path } of files) others.delete(path);
  return others;
}

export interface ManifestEntry {
  path: string;
  oid: string;
}

export function isManifestEntry({ path }: Pick<ManifestEntry, 'path'>): boolean {
  return isManifest(path) && !isUnsafePath(path);
}

/** Returns the manifests among the entries of a tree, nearest to the root first, up to the limit. */
export function manifestsOf(entries: readonly TreeEntry[]): ManifestEntry[] {
  const found = entries.filter(
    (entry) => entry.type !== 'symlink' && entry.type !== 'submodule' && isManifestEntry(entry),
  );
  const depth = ({ path }: ManifestEntry) => path.split('/').length;
  found.sort((a, b) => depth(a) - depth(b) || byPath(a, b));
  return found.slice(0, MAX_MANIFESTS).map(({ path, oid }) => ({ path, oid }));
}

/** Reads the text of manifests by path, without missing ones and ones that are too large. */
export async function readManifests(
  manifests: readonly ManifestEntry[],
  objects: Pick<ObjectReader, 'read' | 'info'>,
): Promise<Map<string, string>> {
  const sizes = await Promise.all(manifests.map(({ oid }) => objects.info(oid)));
  let bytes = 0;
  const fitting = manifests.filter((_, i) => {
    const info = sizes[i];
    if (info?.type !== 'blob' || info.size > MAX_MANIFEST_BYTES || bytes + info.size > MAX_MANIFESTS_BYTES)
      return false;
    bytes += info.size;
    return true;
  });
  const texts = new Map<string, string>();
  const read = async ({ path, oid }: ManifestEntry) => {
    const object = await objects.read(oid);
    if (object !== null) texts.set(path, object.content.toString('utf8'));
  };
  await Promise.all(fitting.map(read));
  return texts;
}
