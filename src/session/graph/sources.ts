/**
 * Files of a snapshot as linking sees them: indexed files, manifests, files known by path only, and uncommitted changes of files that the
 * index leaves out.
 */
import { createHash } from 'node:crypto';
import { DEGRADED_REASONS } from '../../extract/facts.js';
import { isUnsafePath, type ObjectReader, type TreeEntry } from '../../git/objects.js';
import type { FileState, SourceFile } from '../../graph/tables.js';
import { allLanguages, languageOf, PLAIN_TEXT, relationsOf } from '../../languages/registry.js';
import { MAX_MANIFEST_BYTES } from '../../languages/roles/project.js';
import type { OverlayState } from '../../overlay/overlay.js';
import { UNPARSED } from '../../shard/lexical-format.js';
import type { LexicalShard } from '../../shard/lexical-shard.js';
import { type CatalogFile, lookUpUnit, type UnitLookup } from '../../shard/live-set.js';

/** Limit on manifests: some repositories have thousands of packages. The deepest are left out first. */
export const MAX_MANIFESTS = 5_000;
const MAX_MANIFESTS_BYTES = 64 << 20;

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
  if (unit === null || unit.state === UNPARSED)
    return { path, oid, language: file.language ?? PLAIN_TEXT, state: 'unreadable' };
  const language = file.language ?? shards[unit.shard].unitLanguageId(unit.unit);
  const incomplete = unit.isIncomplete && { isIncomplete: true as const };
  const generated = unit.isGenerated && { isGenerated: true as const };
  return {
    path,
    oid,
    language,
    state: stateOf(path, language, unit, shards, maxFileBytes),
    size: unit.size,
    ...incomplete,
    ...generated,
  };
}

function stateOf(
  path: string,
  language: string,
  { shard, unit, state, size }: UnitLookup,
  shards: readonly LexicalShard[],
  maxFileBytes: number,
): FileState {
  const relations = relationsOf(language);
  if (relations === false || size > maxFileBytes) return 'none';
  const isKeys = relations === 'formats' && !shards[shard].hasDefinitions(unit);
  if (isKeys && languageOf(language)?.keyPaths?.test(path) !== true) return 'none';
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

/** Returns the manifests of a tree, the nearest to the root first, up to the limit. */
export function manifestsOf(entries: readonly TreeEntry[]): ManifestEntry[] {
  const found = entries.filter(
    (entry) => entry.type !== 'symlink' && entry.type !== 'submodule' && isManifestEntry(entry),
  );
  const depth = ({ path }: ManifestEntry) => path.split('/').length;
  found.sort((a, b) => depth(a) - depth(b) || byPath(a, b));
  return found.slice(0, MAX_MANIFESTS).map(({ path, oid }) => ({ path, oid }));
}

/** Reads manifests by path. Missing and too large ones are left out. */
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

/**
 * Uncommitted changes of files that the search index excludes. Linking reads the manifests among them and knows the others by path, as it
 * does for a commit: an excluded `tsconfig.json` still decides what imports mean.
 */
export interface UnindexedChanges {
  /** Equal for equal paths and equal manifests. */
  identity: unknown;
  /** Text of the readable manifests by path. */
  manifests: ReadonlyMap<string, string>;
  /** Paths with a file. `gone`: paths whose file is deleted. */
  present: readonly string[];
  gone: readonly string[];
}

/** Called once per question, so that a graph's key and its content come from the same bytes even if files change. */
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

const { names, patterns } = listed();

/**
 * Recognises the files that say what imports mean. `path` starts at the top of the repository. Linking needs their text, indexed or not.
 */
export function isManifest(path: string): boolean {
  return names.has(path.slice(path.lastIndexOf('/') + 1)) || patterns.some((pattern) => pattern.test(path));
}

function listed(): { names: ReadonlySet<string>; patterns: readonly RegExp[] } {
  const languages = [...allLanguages()];
  return {
    names: new Set(languages.flatMap(({ manifests = [] }) => manifests)),
    patterns: [...new Set(languages.flatMap(({ manifestPattern }) => manifestPattern ?? []))],
  };
}
