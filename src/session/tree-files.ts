/**
 * Single files of a snapshot by path, indexed or not, without listing the tree. Of the work tree it reads the files that git status
 * names, never through a symbolic link. Secrets are found by name, but refused.
 */
import { lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { remember } from '../base/cache.js';
import { addTo } from '../base/lists.js';
import { skipReason } from '../extract/content.js';
import { diffTrees } from '../git/diff.js';
import { blobOid, findEntry, isUnsafePath } from '../git/objects.js';
import type { WorkTreeChange } from '../git/status.js';
import { MAX_ANCHORED_BYTES } from '../knowledge/entry.js';
import type { AnchoredSnapshot, ChangedFile, SnapshotFile } from '../knowledge/resolve-anchors.js';
import { pathOf, readWorkFile, stampOf } from '../overlay/worktree-file.js';
import type { Session } from './session.js';
import type { SnapshotOrigin } from './snapshot/snapshot.js';

/** Limit on the bytes of a file: 60 times the limit of indexing, and still no danger for memory. */
export const MAX_READ_BYTES = 64 << 20;

export interface FoundFile {
  kind: 'file';
  path: string;
  /** Blob id of the bytes, even if git has no such blob yet. */
  oid: string;
  bytes: Buffer;
  isUncommitted: boolean;
  /** True if the bytes only stand for a file that git-lfs stores elsewhere. */
  isPointer: boolean;
}

/** File, link or other entry that a path names in a snapshot. */
export type FoundPath =
  | FoundFile
  | { kind: 'symlink'; path: string; target: string }
  | { kind: 'submodule'; path: string; commit: string }
  | { kind: 'large'; path: string; size: number }
  | { kind: 'directory' | 'deleted' | 'secret' | 'binary' | 'unreadable'; path: string };

/** Limit on the target of a link that is shown, in bytes. */
const MAX_LINK = 4_096;

export class TreeFiles {
  private select: Promise<(path: string) => string | null> | null = null;

  /** `worktree`: uncommitted changes belong to the snapshot. `changes`: all of them, for a caller that reads many files. */
  constructor(
    private readonly session: Session,
    readonly origin: SnapshotOrigin,
    private readonly worktree: boolean,
    private readonly changes?: ReadonlyMap<string, WorkTreeChange>,
  ) {}

  /** Null if the snapshot has nothing at this path. Throws UNREADABLE_OBJECT for a damaged tree. */
  async find(path: string): Promise<FoundPath | null> {
    if (isUnsafePath(path)) return null;
    const entry = await findEntry(this.session.objects, this.origin.resolved.tree, path);
    // Git is not run for a name that exists nowhere, such as that of a symbol.
    const change = entry !== null || this.mayStand(path) ? await this.changeOf(path) : undefined;
    if (change === undefined && entry === null) return null;
    if (entry?.type === 'directory' && change === undefined) return { kind: 'directory', path };
    if (await this.isSecret(path)) return { kind: 'secret', path };
    if (change !== undefined) return readable(await this.readChanged(path, change));
    if (entry?.type === 'submodule') return { kind: 'submodule', path, commit: entry.oid };
    return readable(await this.readBlob(path, entry?.oid ?? '', entry?.type === 'symlink'));
  }

  private async isSecret(path: string): Promise<boolean> {
    this.select ??= this.session.selectionOf(this.origin).then(({ selection }) => selection.select);
    return (await this.select)(path) === 'secret';
  }

  /** Returns whether the work tree may have the path, by a look at it that needs no git. */
  private mayStand(path: string): boolean {
    const { workTree } = this.session.repository;
    if (!this.worktree || workTree === null) return false;
    return isEscaped(path) || stands(join(workTree, path));
  }

  private async changeOf(path: string): Promise<WorkTreeChange | undefined> {
    if (this.changes !== undefined) return this.changes.get(path);
    const { readChanges, repository } = this.session;
    if (!this.worktree || readChanges === null || repository.workTree === null) return undefined;
    const { list } = await readChanges(isEscaped(path) ? [] : [path]);
    return list.find((change) => change.path === path);
  }

  private async readChanged(path: string, { name, isFile }: WorkTreeChange): Promise<FoundPath> {
    const { workTree, objectFormat } = this.session.repository;
    const root = realpathSync(workTree ?? '.', { encoding: 'buffer' });
    const place = pathOf(root, name);
    if (!isFile) return { kind: 'deleted', path };
    const file = readWorkFile(place, MAX_READ_BYTES);
    if (file !== null) {
      // Loaded late: most files that are shown do not differ from HEAD.
      const { WorkTreeAttributes } = await import('../overlay/overlay.js');
      return {
        kind: 'file',
        path,
        oid: blobOid(file.bytes, objectFormat),
        bytes: new WorkTreeAttributes(root).inUtf8(path, file.bytes),
        isUncommitted: true,
        isPointer: false,
      };
    }
    const size = stampOf(place)?.size ?? 0;
    return size > MAX_READ_BYTES ? { kind: 'large', path, size } : { kind: 'unreadable', path };
  }

  private async readBlob(path: string, oid: string, isLink: boolean): Promise<FoundPath> {
    const { objects } = this.session;
    const info = await objects.info(oid);
    if (info?.type !== 'blob') return { kind: 'unreadable', path };
    if (info.size > (isLink ? MAX_LINK : MAX_READ_BYTES)) return { kind: 'large', path, size: info.size };
    const object = await objects.read(oid);
    if (object === null) return { kind: 'unreadable', path };
    if (isLink) return { kind: 'symlink', path, target: object.content.toString('utf8') };
    return { kind: 'file', path, oid, bytes: object.content, isUncommitted: false, isPointer: false };
  }
}

/** Returns false for a path below a file too, and for names that no file can have. */
function stands(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** True for a path with bytes that are not UTF-8 (\xNN), which is not the name that git knows. */
const isEscaped = (path: string): boolean => path.includes('\\x');

/** Refuses content as indexing does. */
function readable(found: FoundPath): FoundPath {
  if (found.kind !== 'file') return found;
  const reason = skipReason(found.bytes);
  if (reason === 'binary' || reason === 'secret') return { kind: reason, path: found.path };
  return { ...found, isPointer: reason === 'lfs-pointer' };
}

/** Limit on old texts in memory, and on the paths of one blob that are tried. */
const MAX_CACHED_TEXTS = 16;
/** Limit on texts of the snapshot in memory. Notes whose lines moved search the same files again. */
const MAX_CACHED_FILES = 2_000;
const MAX_CACHED_BYTES = 64 << 10;
/** Limit on the files that differ from one commit. With more, moved lines are not looked for. */
const MAX_CHANGED = 50_000;

/** Files of a snapshot for anchors of notes, which look for their bytes in other places and in old versions; all cached. */
export class AnchoredFiles implements AnchoredSnapshot {
  private opening: Promise<TreeFiles> | null = null;
  private readonly texts = new Map<string, Promise<SnapshotFile | null>>();
  private readonly old = new Map<string, Promise<Buffer | null>>();
  private readonly changed = new Map<string, Promise<readonly ChangedFile[] | null>>();
  private blobs: Promise<ReadonlyMap<string, string[]>> | null = null;
  /** Paths of uncommitted changes; known once `files` has been awaited. */
  private uncommitted: readonly string[] = [];

  /** `worktree`: uncommitted changes belong to the snapshot. */
  constructor(
    private readonly session: Session,
    private readonly origin: SnapshotOrigin,
    private readonly worktree: boolean,
  ) {}

  /** Git is run for uncommitted changes once, with the first file. */
  private get files(): Promise<TreeFiles> {
    this.opening ??= this.open();
    return this.opening;
  }

  private async open(): Promise<TreeFiles> {
    const { readChanges } = this.session;
    const changes = this.worktree && readChanges !== null ? (await readChanges()).list : [];
    this.uncommitted = changes.map(({ path }) => path);
    const byPath = new Map(changes.map((change) => [change.path, change]));
    return new TreeFiles(this.session, this.origin, this.worktree, byPath);
  }

  read(path: string): Promise<SnapshotFile | null> {
    const known = this.texts.get(path) ?? this.readNow(path);
    remember(this.texts, path, known, MAX_CACHED_FILES);
    return known;
  }

  private async readNow(path: string): Promise<SnapshotFile | null> {
    const found = await (await this.files).find(path);
    if (found?.kind !== 'file' || found.bytes.length > MAX_ANCHORED_BYTES) return null;
    if (found.bytes.length > MAX_CACHED_BYTES) this.texts.delete(path);
    return { path, oid: found.oid, bytes: found.bytes };
  }

  async pathsOf(blob: string): Promise<readonly string[]> {
    this.blobs ??= this.listBlobs();
    const paths = (await this.blobs).get(blob) ?? [];
    // A path of the tree may be deleted or changed in the work tree, and secrets stay unread.
    const same = await Promise.all(paths.slice(0, MAX_CACHED_TEXTS).map((path) => this.read(path)));
    return same.flatMap((file) => (file?.oid === blob ? [file.path] : []));
  }

  private async listBlobs(): Promise<Map<string, string[]>> {
    const blobs = new Map<string, string[]>();
    for (const { oid, path, type } of await this.session.objects.list(this.origin.resolved.tree))
      if (type === 'file' || type === 'executable') addTo(blobs, oid, path);
    await this.files; // Finds the uncommitted paths.
    for (const path of this.uncommitted) {
      const file = await this.read(path);
      if (file !== null) addTo(blobs, file.oid, path);
    }
    return blobs;
  }

  changedSince(commit: string): Promise<readonly ChangedFile[] | null> {
    const known = this.changed.get(commit) ?? this.compare(commit);
    this.changed.set(commit, known);
    return known;
  }

  private async compare(commit: string): Promise<readonly ChangedFile[] | null> {
    const { session, origin } = this;
    if ((await session.objects.info(commit))?.type !== 'commit') return null;
    const options = { renames: true, limit: MAX_CHANGED };
    const changes = await diffTrees(session.repository.git, commit, origin.resolved.tree, options).catch(() => []);
    await this.files; // Finds the uncommitted paths.
    const existing = changes.flatMap(({ path, oldPath, newOid }): ChangedFile[] =>
      newOid === null ? [] : [{ path, ...(oldPath !== undefined && { oldPath }) }],
    );
    const known = new Set(existing.map(({ path }) => path));
    return [...existing, ...this.uncommitted.flatMap((path) => (known.has(path) ? [] : [{ path }]))];
  }

  readOld(blob: string): Promise<Buffer | null> {
    const known = this.old.get(blob) ?? this.readBlob(blob);
    remember(this.old, blob, known, MAX_CACHED_TEXTS);
    return known;
  }

  private async readBlob(blob: string): Promise<Buffer | null> {
    const { objects } = this.session;
    const info = await objects.info(blob);
    if (info?.type !== 'blob' || info.size > MAX_ANCHORED_BYTES) return null;
    const content = (await objects.read(blob))?.content ?? null;
    // An entry can name any blob, so secrets are refused here, too.
    return content === null || ['secret', 'binary'].includes(`${skipReason(content)}`) ? null : content;
  }
}
