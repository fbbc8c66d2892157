/** Lists the files of a snapshot that `grep` reads: every regular file of the tree, whether it is indexed or not. */
import { createSelector, type Selector } from '../../config/select.js';
import type { WorkTreeChange } from '../../git/changes.js';
import { isUnsafePath, type TreeEntry } from '../../git/snapshot.js';
import { checkGlobs, pathFilter } from '../../search/filter.js';
import type { Session } from '../session.js';
import { openTarget, type Target, type TargetOptions, workTreeUse } from '../snapshot/target.js';

/** A file to read: a blob, or a file of the work tree that differs from HEAD. */
export interface GrepFile {
  path: string;
  /** Null for a file of the work tree. */
  oid: string | null;
  /** Bytes of the path of a file of the work tree. */
  name: Buffer | null;
}

export interface GrepFiles extends Target {
  files: GrepFile[];
  /** Files that were left out, by reason. */
  skipped: Record<string, number>;
  /** Files of the work tree that differ from HEAD, and how many of them `files` holds as they are now. */
  dirty: number;
  overlay: number;
}

export interface FileOptions extends TargetOptions {
  path?: readonly string[];
}

/** Throws BAD_ARGUMENT and UNKNOWN_REF. */
export async function listGrepFiles(session: Session, options: FileOptions): Promise<GrepFiles> {
  const use = workTreeUse(options);
  const mayDiffer = use !== 'ignored' && session.repository.workTree !== null;
  const [target, changes] = await Promise.all([
    openTarget(session, options),
    mayDiffer ? (session.readChanges?.() ?? null) : null,
  ]);
  const isIncluded = use === 'included' && changes !== null;
  // HEAD may have moved between two git commands: the snapshot is the commit that git compared with.
  if (isIncluded && changes.commit !== target.origin.resolved.commit)
    target.origin = await session.origin(undefined, { head: changes.commit });
  const entries = await entriesOf(session, target);
  const changed = isIncluded ? changes.list : [];
  checkGlobs(options.path, pathsOf(entries, changed));
  const files = selectFiles(entries, changed, pathFilter(options));
  const overlay = files.files.filter(({ name }) => name !== null).length;
  return { ...target, ...files, dirty: changes?.list.length ?? 0, overlay };
}

/** The tree that a long-lived process listed last. */
const LISTED = new WeakMap<object, { tree: string; entries: TreeEntry[] }>();

async function entriesOf({ repository, objects }: Session, { origin }: Target): Promise<TreeEntry[]> {
  const { resolved, trees = [] } = origin;
  if (trees.length === 0) {
    const known = LISTED.get(objects);
    if (known?.tree === resolved.tree) return known.entries;
    const entries = await objects.list(resolved.tree);
    LISTED.set(objects, { tree: resolved.tree, entries });
    return entries;
  }
  const { listUnion } = await import('../../git/union.js');
  return listUnion({ git: repository.git, objects }, resolved.tree, trees);
}

function selectFiles(
  entries: readonly TreeEntry[],
  changes: readonly WorkTreeChange[],
  accepts: (path: string) => boolean,
): Pick<GrepFiles, 'files' | 'skipped'> {
  const skipped: Record<string, number> = {};
  const replaced = new Set(changes.map(({ path }) => path));
  const files: GrepFile[] = [];
  const add = (file: GrepFile, type: TreeEntry['type']) => {
    if (!accepts(file.path)) return;
    const reason = skipReason(file.path, type);
    if (reason === null) files.push(file);
    else skipped[reason] = (skipped[reason] ?? 0) + 1;
  };
  for (const { path, oid, type } of entries) if (!replaced.has(path)) add({ path, oid, name: null }, type);
  for (const { path, name, isFile } of changes) if (isFile) add({ path, oid: null, name }, 'file');
  if (changes.length > 0) files.sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
  return { files, skipped };
}

/** Made once: it remembers folders and names. */
let select: Selector | null = null;

/** Also paths of files that are not read: a glob for them is no mistake. */
function* pathsOf(...lists: readonly Iterable<{ path: string }>[]): Generator<string> {
  for (const list of lists) for (const { path } of list) yield path;
}

/** Names that secrets have are left out here as everywhere; no other rule of the settings applies. */
function skipReason(path: string, type: TreeEntry['type']): string | null {
  if (type === 'submodule' || type === 'symlink') return type;
  if (isUnsafePath(path)) return 'unsafe-path';
  select ??= createSelector({ include: [], exclude: [] });
  return select(path) === 'secret' ? 'secret' : null;
}
