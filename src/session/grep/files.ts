/** Lists the files of a snapshot that `grep` reads: every regular file of the tree, whether it is indexed or not. */
import { createSelector, type Selector } from '../../config/select.js';
import type { WorkTreeChange } from '../../git/changes.js';
import { isUnsafePath, type TreeEntry } from '../../git/snapshot.js';
import { checkGlobs, pathFilter } from '../../search/filter.js';
import { ChangeSource } from '../overlay/change-source.js';
import type { Session } from '../session.js';
import { openTarget, type Target, type TargetOptions, workTreeUse } from '../snapshot/target.js';
import { KeptContents } from './kept.js';

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
  /** Contents of blobs; null until a process asks twice about a tree. */
  contents: KeptContents | null;
  /** Files that were left out, by reason. */
  skipped: Record<string, number>;
  /** Files of the work tree that differ from HEAD, and how many of them `files` holds as they are now. */
  dirty: number;
  overlay: number;
}

export interface FileOptions extends TargetOptions {
  path?: readonly string[];
  /** Additional condition on each path. */
  within?: (path: string) => boolean;
}

/** Throws BAD_ARGUMENT and UNKNOWN_REF. */
export async function listGrepFiles(session: Session, options: FileOptions): Promise<GrepFiles> {
  const use = workTreeUse(options);
  const mayDiffer = use !== 'ignored' && session.repository.workTree !== null;
  const source = mayDiffer && session.readChanges !== null ? ChangeSource.of(session) : null;
  const [target, first] = await Promise.all([openTarget(session, options), source?.read() ?? null]);
  let changes = first;
  const isIncluded = use === 'included' && changes !== null;
  // HEAD may have moved since git was asked, or between two git commands: the snapshot is the commit that git compared with.
  if (isIncluded && source !== null && changes?.commit !== target.origin.resolved.commit) {
    changes = await source.read(true);
    target.origin = await session.origin(undefined, { head: changes.commit });
  }
  const tree = await treeOf(session, target);
  const changed = isIncluded ? (changes?.list ?? []) : [];
  checkGlobs(options.path, pathsOf(tree.files, tree.leftOut, changed));
  const files = selectFiles(tree, changed, options);
  const overlay = changed.length === 0 ? 0 : files.files.filter(({ name }) => name !== null).length;
  return { ...target, ...files, contents: tree.contents, dirty: changes?.list.length ?? 0, overlay };
}

/** Files of a tree. */
interface ListedTree {
  tree: string;
  files: GrepFile[];
  /** Entries that are not read. */
  leftOut: { path: string; reason: string }[];
  contents: KeptContents | null;
}

/** The tree that a long-lived process listed last. */
const LISTED = new WeakMap<object, ListedTree>();

async function treeOf({ repository, objects }: Session, { origin }: Target): Promise<ListedTree> {
  const { resolved, trees = [] } = origin;
  if (trees.length > 0) {
    const { listUnion } = await import('../../git/union.js');
    return sorted('', await listUnion({ git: repository.git, objects }, resolved.tree, trees));
  }
  const known = LISTED.get(objects);
  if (known?.tree === resolved.tree) {
    known.contents = (known.contents ?? new KeptContents()).use();
    return known;
  }
  known?.contents?.clear();
  const listed = sorted(resolved.tree, await objects.list(resolved.tree));
  LISTED.set(objects, listed);
  return listed;
}

/** Sorts the files to read from the entries that are left out. */
function sorted(tree: string, entries: readonly TreeEntry[]): ListedTree {
  const listed: ListedTree = { tree, files: [], leftOut: [], contents: null };
  for (const { path, oid, type } of entries) {
    const reason = skipReason(path, type);
    if (reason === null) listed.files.push({ path, oid, name: null });
    else listed.leftOut.push({ path, reason });
  }
  return listed;
}

function selectFiles(
  tree: ListedTree,
  changes: readonly WorkTreeChange[],
  options: FileOptions,
): Pick<GrepFiles, 'files' | 'skipped'> {
  const skipped: Record<string, number> = {};
  const skip = (reason: string) => {
    skipped[reason] = (skipped[reason] ?? 0) + 1;
  };
  const accepts = pathFilter(options);
  const replaced = new Set(changes.map(({ path }) => path));
  const isAsked = ({ path }: { path: string }) => !replaced.has(path) && accepts(path);
  const isWhole = changes.length === 0 && !options.path?.length && options.within === undefined;
  const files = isWhole ? tree.files : tree.files.filter(isAsked);
  for (const entry of tree.leftOut) if (isAsked(entry)) skip(entry.reason);
  for (const { path, name, isFile } of changes) {
    if (!isFile || !accepts(path)) continue;
    const reason = skipReason(path, 'file');
    if (reason === null) files.push({ path, oid: null, name });
    else skip(reason);
  }
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
