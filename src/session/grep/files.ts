/**
 * Files that `grep` reads, of a snapshot or of installed dependencies, their contents, and the finders that look for a pattern in their
 * text; also which lines a change made new (`linesBefore`). Every regular file of the tree is read, indexed or not, with many requests to
 * git under way and the contents of the last files in memory.
 */
import { closeSync, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { READ_FLAGS } from '../../base/atomic.js';
import { SocraticodeError } from '../../base/errors.js';
import { createSecretTest } from '../../config/select.js';
import type { TreeMatch } from '../../extract/structural-search.js';
import { blobOid, decodePath, type GitObject, isUnsafePath, readable, type TreeEntry } from '../../git/objects.js';
import type { WorkTreeChange } from '../../git/status.js';
import type { WorkTreeAttributes } from '../../overlay/overlay.js';
import { pathOf, readFolder, readWorkFile } from '../../overlay/worktree-file.js';
import { checkGlobs, pathFilter } from '../../search/filter.js';
import { type Hit, hitsOf, type SlowSearch } from '../../search/grep/hits.js';
import { mayMatch, maySlow, type Pattern } from '../../search/grep/required-texts.js';
import { type Trigrams, trigramsOf } from '../../search/grep/trigrams.js';
import type { Session } from '../session.js';
import { ChangeSource } from '../snapshot/change-source.js';
import { openTarget, type Target, type TargetOptions, workTreeUse } from '../snapshot/target.js';

/** A file to read: a blob, or a file of the work tree that differs from HEAD. */
export interface GrepFile {
  path: string;
  /** Null for a file of the work tree. `name`: its path as bytes. */
  oid: string | null;
  name: Buffer | null;
}

export interface GrepFiles extends Target {
  files: GrepFile[];
  /** Contents of blobs; null until a process asks twice about a tree. */
  contents: ContentCache | null;
  /** Files that were left out, by reason. */
  skipped: Record<string, number>;
  /** Number of files of the work tree that differ from HEAD. `overlay`: number of those that `files` holds as they are now. */
  dirty: number;
  overlay: number;
  /** Instead of the snapshot, `files` are those of installed dependencies. */
  dependencies?: Dependencies;
}

export interface FileOptions extends TargetOptions {
  path?: readonly string[];
  /** Additional condition on each path. */
  within?: (path: string) => boolean;
  /** Reads what is installed below the work tree instead of a snapshot. */
  deps?: boolean;
}

/** Throws BAD_ARGUMENT and UNKNOWN_REF. */
export async function listGrepFiles(session: Session, options: FileOptions): Promise<GrepFiles> {
  if (options.deps) return listDependencies(session, options);
  const use = workTreeUse(options);
  const mayDiffer = use !== 'ignored' && session.repository.workTree !== null;
  const source = mayDiffer && session.readChanges !== null ? ChangeSource.of(session) : null;
  const [opened, read] = await Promise.all([openTarget(session, options), source?.read() ?? null]);
  const settled = use === 'included' && read !== null ? await source?.settle(opened.origin, read) : undefined;
  const target = { ...opened, origin: settled?.origin ?? opened.origin };
  const tree = await treeOf(session, target);
  const changed = settled?.changes.list ?? [];
  // Files that are not read count as well: a glob for them is no mistake.
  checkGlobs(options.path, pathsOf(tree.files, tree.leftOut, changed));
  const files = selectFiles(tree, changed, options);
  const overlay = changed.length === 0 ? 0 : files.files.filter(({ name }) => name !== null).length;
  return { ...target, ...files, contents: tree.contents, dirty: (settled?.changes ?? read)?.list.length ?? 0, overlay };
}

interface ListedTree {
  tree: string;
  files: GrepFile[];
  /** Entries that are not read. */
  leftOut: { path: string; reason: string }[];
  contents: ContentCache | null;
}

/** The tree that a long-lived process listed last. */
const LISTED = new WeakMap<object, ListedTree>();

async function treeOf({ repository, objects }: Session, { origin }: Target): Promise<ListedTree> {
  const { resolved, trees = [] } = origin;
  if (trees.length > 0) {
    const { listUnion } = await import('../../git/branches.js');
    return sorted('', await listUnion({ git: repository.git, objects }, resolved.tree, trees));
  }
  const known = LISTED.get(objects);
  if (known?.tree === resolved.tree) {
    known.contents = (known.contents ?? new ContentCache()).use();
    return known;
  }
  known?.contents?.clear();
  const listed = sorted(resolved.tree, await objects.list(resolved.tree));
  LISTED.set(objects, listed);
  return listed;
}

/** Separates the files to read from the entries that are left out. */
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
  const isSelected = ({ path }: { path: string }) => !replaced.has(path) && accepts(path);
  const isWhole = changes.length === 0 && !options.path?.length && options.within === undefined;
  const files = isWhole ? tree.files : tree.files.filter(isSelected);
  for (const entry of tree.leftOut) if (isSelected(entry)) skip(entry.reason);
  for (const { path, name, isFile } of changes) {
    if (!isFile || !accepts(path)) continue;
    const reason = skipReason(path, 'file');
    if (reason === null) files.push({ path, oid: null, name });
    else skip(reason);
  }
  if (changes.length > 0) files.sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
  return { files, skipped };
}

/** Yields the paths of several lists. */
function* pathsOf(...lists: readonly Iterable<{ path: string }>[]): Generator<string> {
  for (const list of lists) for (const { path } of list) yield path;
}

/** Made once, since it remembers folders and names. */
let isSecret: ReturnType<typeof createSecretTest> | null = null;

/** Leaves secrets out by their names, as everywhere; no other rule of the settings applies. */
function skipReason(path: string, type: TreeEntry['type']): string | null {
  if (type === 'submodule' || type === 'symlink') return type;
  if (isUnsafePath(path)) return 'unsafe-path';
  isSecret ??= createSecretTest();
  return isSecret(path) ? 'secret' : null;
}

// Installed dependencies: files below the work tree that a package manager put there. They are read where they lie, and nothing of them is
// kept. No link is followed, so a folder outside of the work tree is never read.

/** Folders that hold packages; `vendor` only where none of its files is committed. */
const PACKAGE_FOLDERS: ReadonlySet<string> = new Set(['node_modules', 'site-packages', 'vendor']);
/** Limits: entries of folders, files, levels below the top (outside of packages, and in them), and milliseconds for the list. */
const MAX_ENTRIES = 400_000;
const MAX_FILES = 80_000;
const MAX_ABOVE = 6;
const MAX_DEPTH = 32;
const LIST_MS = 20_000;
/** Folders between looks at the signal. */
const FOLDERS_A_TURN = 64;
/** Texts that were made from others beside them. */
const MADE = /\.(?:map|min\.[cm]?js|min\.css)$/;
const MAX_MANIFEST_BYTES = 1 << 20;

interface Package {
  /** Its folder, or its only file. */
  path: string;
  name: string;
  /** Null where it is not known. */
  version: string | null;
}

export interface Dependencies {
  packages: number;
  packageOf: (path: string) => Package;
}

/** Throws BAD_ARGUMENT without a work tree, and for a glob that no file matches. */
async function listDependencies(session: Session, options: FileOptions & { signal?: AbortSignal }): Promise<GrepFiles> {
  const { workTree } = session.repository;
  if (workTree === null)
    throw new SocraticodeError('BAD_ARGUMENT', 'a repository without a work tree has no installed dependencies', {
      hint: 'Ask in a work tree.',
    });
  const root = realpathSync.native(workTree);
  const target = await openTarget(session, {});
  const tree = await treeOf(session, target);
  const isCommitted = (folder: string) => tree.files.some(({ path }) => path.startsWith(`${folder}/`));
  const { files, skipped } = await walkPackages(root, { isCommitted, signal: options.signal });
  checkGlobs(options.path, pathsOf(files), 'file of an installed dependency');
  const accepts = pathFilter(options);
  const selected = files.filter(({ path }) => accepts(path));
  selected.sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
  const packages = new Set(selected.map(({ path }) => packageFolder(path).folder)).size;
  const dependencies = { packages, packageOf: packageReader(root) };
  return { ...target, files: selected, contents: null, skipped, dirty: 0, overlay: 0, dependencies };
}

interface PackageDirectory {
  /** Path below the work tree; empty for its top, whose depth is 0. */
  folder: Buffer;
  depth: number;
  /** Is it a folder of packages, or in one? Only files there are of dependencies. */
  isInside: boolean;
}

async function walkPackages(
  root: string,
  { isCommitted, signal }: { isCommitted: (folder: string) => boolean; signal?: AbortSignal },
): Promise<Pick<GrepFiles, 'files' | 'skipped'>> {
  const files: GrepFile[] = [];
  const skipped: Record<string, number> = {};
  const skip = (reason: string) => {
    skipped[reason] = (skipped[reason] ?? 0) + 1;
  };
  const until = performance.now() + LIST_MS;
  let left = MAX_ENTRIES;
  const queue: PackageDirectory[] = [{ folder: Buffer.alloc(0), depth: 0, isInside: false }];
  for (const [i, directory] of queue.entries()) {
    const { folder, isInside } = directory;
    if (i % FOLDERS_A_TURN === 0) await nextTurn();
    signal?.throwIfAborted();
    const isFull = left <= 0 || files.length >= MAX_FILES || performance.now() > until;
    const entries = isFull ? null : readFolder(root, folder, left);
    if (entries === null) skip(isFull ? 'beyond-limits' : 'unreadable');
    left -= entries?.length ?? 0;
    for (const { name, kind } of entries ?? []) {
      const below = folder.length === 0 ? name : Buffer.concat([folder, Buffer.from('/'), name]);
      const path = decodePath(below);
      if (kind === 'folder') {
        const next = directoryBelow(directory, { below, path, isCommitted });
        if (next === 'beyond-limits') skip(next);
        else if (next !== null) queue.push(next);
      } else if (kind === 'file' && isInside) {
        const reason = MADE.test(path) ? 'generated' : skipReason(path, 'file');
        if (reason === null) files.push({ path, oid: null, name: below });
        else skip(reason);
      }
    }
  }
  return { files, skipped };
}

/** The folder if it is to be read; null for one that has no packages. */
function directoryBelow(
  { depth, isInside: isBelow }: PackageDirectory,
  { below, path, isCommitted }: { below: Buffer; path: string; isCommitted: (folder: string) => boolean },
): PackageDirectory | 'beyond-limits' | null {
  const own = path.slice(path.lastIndexOf('/') + 1);
  if (own === '.git' || isUnsafePath(path)) return null;
  const isInside = isBelow || (PACKAGE_FOLDERS.has(own) && !(own === 'vendor' && isCommitted(path)));
  if (depth < (isInside ? MAX_DEPTH : MAX_ABOVE)) return { folder: below, depth: depth + 1, isInside };
  return isInside ? 'beyond-limits' : null;
}

/** Folder and name of the package of a file. A name with an owner has two parts; gems have their version in the name of the folder. */
function packageFolder(path: string): { folder: string; name: string; kind: string } {
  const parts = path.split('/');
  const inner = Math.max(parts.lastIndexOf('node_modules'), parts.lastIndexOf('site-packages'));
  // A package may have a folder `vendor` of its own.
  const at = inner < 0 ? parts.indexOf('vendor') : inner;
  const gem = parts.lastIndexOf('gems');
  const kind = parts[at] === 'vendor' && gem > at ? 'gems' : parts[at];
  const from = kind === 'gems' ? gem + 1 : at + 1;
  const size = parts[from].startsWith('@') || kind === 'vendor' ? 2 : 1;
  const to = Math.min(from + size, Math.max(from + 1, parts.length - 1));
  return { folder: parts.slice(0, to).join('/'), name: parts.slice(from, to).join('/'), kind };
}

/** Reads versions from the files that package managers leave, once for each package. */
function packageReader(root: string): (path: string) => Package {
  const known = new Map<string, Package>();
  const wheels = new Map<string, ReadonlyMap<string, string>>();
  return (path) => {
    const { folder, name, kind } = packageFolder(path);
    const found = known.get(folder) ?? { path: folder, ...readPackage(root, { folder, name, kind }, wheels) };
    known.set(folder, found);
    return found;
  };
}

function readPackage(
  root: string,
  { folder, name, kind }: ReturnType<typeof packageFolder>,
  wheels: Map<string, ReadonlyMap<string, string>>,
): Omit<Package, 'path'> {
  if (kind === 'gems') {
    const dash = name.lastIndexOf('-');
    return dash < 0 ? { name, version: null } : { name: name.slice(0, dash), version: name.slice(dash + 1) };
  }
  if (kind === 'site-packages') {
    const beside = folder.slice(0, folder.length - name.length - 1);
    const versions = wheels.get(beside) ?? wheelVersions(root, beside);
    wheels.set(beside, versions);
    return { name, version: versions.get(wheelKey(name.replace(/\.(?:py|dist-info|data)$/, ''))) ?? null };
  }
  if (kind !== 'node_modules') return { name, version: null };
  const file = readWorkFile(pathOf(Buffer.from(root), Buffer.from(`${folder}/package.json`)), MAX_MANIFEST_BYTES);
  try {
    const { version } = JSON.parse(file?.bytes.toString('utf8') ?? '{}') as { version?: unknown };
    return { name, version: typeof version === 'string' ? version.slice(0, MAX_VERSION) : null };
  } catch {
    return { name, version: null };
  }
}

const MAX_VERSION = 60;

const wheelKey = (text: string) => text.toLowerCase().replace(/[-.]/g, '_');

/** Versions by the names of packages, with and without the version, from the names of the folders `NAME-VERSION.dist-info` among them. */
function wheelVersions(root: string, folder: string): Map<string, string> {
  const versions = new Map<string, string>();
  for (const entry of readFolder(root, Buffer.from(folder), MAX_ENTRIES) ?? []) {
    const [, name, version] = /^([^-]+)-([^-]+)\.dist-info$/.exec(decodePath(entry.name)) ?? [];
    if (name === undefined) continue;
    for (const key of [wheelKey(name), `${wheelKey(name)}_${wheelKey(version)}`])
      if (!versions.has(key)) versions.set(key, version);
  }
  return versions;
}

/** Limit on the bytes of a file: larger ones are left out and counted, since people write no text of that size. */
const MAX_BYTES = 32 << 20;
/** Files that are looked at together. `WINDOW_BYTES`: bytes of those that are requested at a time. */
const WINDOW = 256;
const WINDOW_BYTES = 32 << 20;

/** `isConverted`: the file is stored in another encoding than UTF-8. */
type Content = { bytes: Buffer; isConverted?: boolean } | { fault: 'too-large' | 'unreadable' };

interface ReadOptions {
  /** Contents cached for the next question. */
  contents: ContentCache | null;
  /** Bytes of a blob; undefined if unknown. */
  sizeOf: (oid: string) => number | undefined;
  signal?: AbortSignal;
}

/** Yields the files in order with their contents: window by window, and each in parts of some bytes. */
export async function* readFiles(
  session: Session,
  files: readonly GrepFile[],
  { contents: cache, sizeOf, signal }: ReadOptions,
): AsyncGenerator<[GrepFile, Content]> {
  const { workTree } = session.repository;
  const root = workTree === null ? null : realpathSync.native(workTree, { encoding: 'buffer' });
  const attributes = root === null || files.every(({ name }) => name === null) ? null : await attributesBelow(root);
  const source = { session, root, attributes, cache };
  for (let from = 0; from < files.length; from += WINDOW) {
    signal?.throwIfAborted();
    const some = files.slice(from, from + WINDOW);
    const copies = copiesOf(source, some);
    const sizes = await Promise.all(
      some.map(({ oid }, i) => (oid === null ? 0 : (copies[i]?.length ?? sizeOf(oid) ?? askSize(session, oid)))),
    );
    for (let start = 0; start < some.length; ) {
      const end = partEnd(sizes, start);
      const contents = await Promise.all(
        some
          .slice(start, end)
          .map((file, i) => read(source, file, { size: sizes[start + i], copy: copies[start + i] })),
      );
      for (const [i, content] of contents.entries()) yield [some[start + i], content];
      start = end;
    }
  }
}

/** Returns the end of the part of a window that begins at `start`: as many files as `WINDOW_BYTES` hold, and at least one. */
function partEnd(sizes: readonly (number | null)[], start: number): number {
  let end = start;
  for (let bytes = 0; end < sizes.length && (end === start || bytes + (sizes[end] ?? 0) <= WINDOW_BYTES); end++)
    bytes += sizes[end] ?? 0;
  return end;
}

/** Loaded late: a clean work tree needs none. */
async function attributesBelow(root: Buffer): Promise<WorkTreeAttributes> {
  const { WorkTreeAttributes } = await import('../../overlay/overlay.js');
  return new WorkTreeAttributes(root);
}

async function askSize({ objects }: Session, oid: string): Promise<number | null> {
  const info = await objects.info(oid);
  return info?.type === 'blob' ? info.size : null;
}

interface Source {
  session: Session;
  /** Real path of the work tree. */
  root: Buffer | null;
  /** Of the work tree; null if none of its files is read. */
  attributes: WorkTreeAttributes | null;
  cache: ContentCache | null;
}

/** Blobs that stand in the work tree at the same path; null for the others, and for all once they have the bytes of a window. */
function copiesOf(source: Source, files: readonly GrepFile[]): (Buffer | null)[] {
  let left = WINDOW_BYTES;
  return files.map((file) => {
    const copy = left > 0 ? copyOf(source, file) : null;
    left -= copy?.length ?? 0;
    return copy;
  });
}

/**
 * The bytes of a blob from its file in the work tree, which takes half of the time that git takes to unpack it. Their hash proves them:
 * an edited file, one that a filter changed or another one behind a link has another.
 */
function copyOf({ session, root, cache }: Source, { oid, path }: GrepFile): Buffer | null {
  if (root === null || oid === null || cache?.get(oid) !== undefined) return null;
  try {
    const bytes = readAt(`${root}/${path}`);
    return bytes !== null && blobOid(bytes, session.repository.objectFormat) === oid ? bytes : null;
  } catch {
    return null;
  }
}

/** Neither waits for a pipe nor reads more than the file had when it was opened. */
function readAt(path: string): Buffer | null {
  const fd = openSync(path, READ_FLAGS);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.size > MAX_BYTES) return null;
    const bytes = Buffer.allocUnsafe(stat.size);
    return readSync(fd, bytes) === stat.size ? bytes : null;
  } finally {
    closeSync(fd);
  }
}

function read(
  { session, root, attributes, cache }: Source,
  { oid, name, path }: GrepFile,
  { size, copy }: { size: number | null; copy: Buffer | null },
): Content | Promise<Content> {
  if (name !== null) {
    const file = root === null || attributes === null ? null : readWorkFile(pathOf(root, name), MAX_BYTES);
    if (file === null || attributes === null) return { fault: 'unreadable' };
    const bytes = attributes.inUtf8(path, file.bytes);
    return { bytes, isConverted: bytes !== file.bytes };
  }
  if (size === null) return { fault: 'unreadable' };
  if (size > MAX_BYTES) return { fault: 'too-large' };
  if (copy !== null) return blobContent({ oid: oid as string, type: 'blob', content: copy }, cache);
  const bytes = cache?.get(oid as string);
  return bytes === undefined ? readBlob(session, oid as string, cache) : { bytes };
}

async function readBlob({ objects }: Session, oid: string, cache: ContentCache | null): Promise<Content> {
  const object = await objects.read(oid);
  return object === null ? { fault: 'unreadable' } : blobContent(object, cache);
}

function blobContent(blob: GitObject, cache: ContentCache | null): Content {
  const object = readable(blob);
  if (object.stored !== undefined) return { bytes: object.content, isConverted: true };
  cache?.add(object.oid, object.content);
  return { bytes: object.content };
}

/** Bytes cached. Of a larger tree the blobs that were read first stay. */
const MAX_CACHED_BYTES = 64 << 20;
/** Time without a question after which the contents are dropped. */
const IDLE_MS = 60_000;

class ContentCache {
  private readonly blobs = new Map<string, Buffer>();
  private bytes = 0;
  private timer: NodeJS.Timeout | null = null;

  get(oid: string): Buffer | undefined {
    return this.blobs.get(oid);
  }

  add(oid: string, content: Buffer): void {
    if (this.bytes + content.length > MAX_CACHED_BYTES || this.blobs.has(oid)) return;
    this.blobs.set(oid, content);
    this.bytes += content.length;
  }

  /** Postpones the time at which the contents are dropped. */
  use(): this {
    this.timer ??= setTimeout(() => this.clear(), IDLE_MS).unref();
    this.timer.refresh();
    return this;
  }

  clear(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.blobs.clear();
    this.bytes = 0;
  }
}

/** A hit; in structural search with the text that its variables captured. */
export interface FoundHit extends Hit {
  match?: TreeMatch;
}

/** Reason why a file was not searched: its parser failed or took too long. */
export const NOT_PARSED = 'not-parsed';

export interface Finder {
  /** Reason why a file is not searched, known from its path; null for none. */
  skips: (file: GrepFile) => string | null;
  /** Condition that a blob with hits meets. */
  trigrams: Trigrams | null;
  mayMatch: (bytes: Buffer) => boolean;
  /** Hits in order, or the reason why the file could not be searched. A null between hits lets the caller look at the clock. */
  hits: (
    text: string,
    file: GrepFile,
    bytes: Buffer,
  ) => Iterable<FoundHit | null> | Promise<readonly FoundHit[] | string>;
  close: () => void;
}

/** Limit on the time spent on matching short texts, over all files, in milliseconds. Ordinary patterns search 2 GB in it. */
const ALL_MS = 30_000;
/** Reason why a file was not searched: the pattern took too long. */
export const TOO_SLOW = 'too-slow';

export function lineFinder(pattern: Pattern, signal?: AbortSignal): Finder {
  let slow: SlowSearch | null = null;
  signal?.addEventListener('abort', () => slow?.close(), { once: true });
  let spent = 0;
  function* counted(hits: Iterable<FoundHit | null>): Generator<FoundHit | null> {
    let from = performance.now();
    for (const hit of hits) {
      spent += performance.now() - from;
      yield hit;
      from = performance.now();
    }
    spent += performance.now() - from;
  }
  const hitsInTime = async (text: string) => {
    slow ??= new (await import('../../search/grep/hits.js')).SlowSearch(pattern);
    return (await slow.search(text)) ?? TOO_SLOW;
  };
  return {
    skips: () => null,
    trigrams: trigramsOf(pattern),
    mayMatch: (bytes) => mayMatch(pattern, bytes),
    hits(text) {
      if (maySlow(text, pattern)) return hitsInTime(text);
      return spent > ALL_MS ? Promise.resolve(TOO_SLOW) : counted(hitsOf(text, pattern));
    },
    close: () => slow?.close(),
  };
}

/** Lines of the version before a change. */
interface OldLines {
  /** Returns a test for lines of the new text: true for a line that the old text has less often, or not at all. */
  isNew: (text: string) => (line: string) => boolean;
}

/**
 * Compares lines as a multiset, not in order. A line that only moved inside its file is not new; if one more copy of a line is written,
 * all copies count as new. Null for a blob that cannot be read: every line counts as new.
 */
export async function linesBefore({ objects }: Session, oid: string): Promise<OldLines | null> {
  const info = await objects.info(oid);
  const object = info?.type === 'blob' && info.size <= MAX_BYTES ? await objects.read(oid) : null;
  if (object === null) return null;
  const before = countLines(object.content.toString('utf8'));
  return {
    isNew(text) {
      const now = countLines(text);
      return (line) => (now.get(line) ?? 0) > (before.get(line) ?? 0);
    },
  };
}

function countLines(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}
