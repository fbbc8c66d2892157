/**
 * Single files of a snapshot by their paths, indexed or not: without an index, and without listing the tree. Of the work tree it
 * reads what git status names, never through a symbolic link; secrets by name are found, but refused.
 */
import { lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { skipReason } from '../../extract/content.js';
import type { WorkTreeChange } from '../../git/changes.js';
import { blobOid } from '../../git/objects.js';
import { findEntry, isUnsafePath } from '../../git/snapshot.js';
import { pathOf, readWorkFile, stampOf } from '../../overlay/work-file.js';
import type { Session } from '../session.js';
import type { SnapshotOrigin } from '../snapshot/snapshot.js';

/** Largest file that is read, in bytes: 60 times what is indexed, and still no danger for memory. */
export const MAX_READ_BYTES = 64 << 20;

export interface FoundFile {
  kind: 'file';
  path: string;
  /** Blob id of the bytes, also where git has no such blob yet. */
  oid: string;
  bytes: Buffer;
  isUncommitted: boolean;
  /** The bytes stand for a file that git-lfs keeps elsewhere. */
  isPointer: boolean;
}

/** File, link or other entry that a path names in a snapshot. */
export type FoundPath =
  | FoundFile
  | { kind: 'symlink'; path: string; target: string }
  | { kind: 'submodule'; path: string; commit: string }
  | { kind: 'large'; path: string; size: number }
  | { kind: 'directory' | 'deleted' | 'secret' | 'binary' | 'unreadable'; path: string };

/** Longest target of a link that is told, in bytes. */
const MAX_LINK = 4_096;

export class TreeFiles {
  private select: Promise<(path: string) => string | null> | null = null;

  /** `worktree`: uncommitted changes belong to the snapshot. `changes`: all of them, where many files will be asked for. */
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
    // Git is not asked about a name that stands nowhere: that of a symbol, for example.
    const change = entry !== null || this.mayStand(path) ? await this.changeOf(path) : undefined;
    if (change === undefined && entry === null) return null;
    if (entry?.type === 'directory' && change === undefined) return { kind: 'directory', path };
    if (await this.isSecret(path)) return { kind: 'secret', path };
    if (change !== undefined) return readable(this.readChanged(path, change));
    if (entry?.type === 'submodule') return { kind: 'submodule', path, commit: entry.oid };
    return readable(await this.readBlob(path, entry?.oid ?? '', entry?.type === 'symlink'));
  }

  private async isSecret(path: string): Promise<boolean> {
    this.select ??= this.session.selectionOf(this.origin).then(({ selection }) => selection.select);
    return (await this.select)(path) === 'secret';
  }

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

  private readChanged(path: string, { name, isFile }: WorkTreeChange): FoundPath {
    const { workTree, objectFormat } = this.session.repository;
    const root = realpathSync(workTree ?? '.', { encoding: 'buffer' });
    const place = pathOf(root, name);
    if (!isFile) return { kind: 'deleted', path };
    const file = readWorkFile(place, MAX_READ_BYTES);
    if (file !== null)
      return {
        kind: 'file',
        path,
        oid: blobOid(file.bytes, objectFormat),
        bytes: file.bytes,
        isUncommitted: true,
        isPointer: false,
      };
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

/** False as well for a path below a file, and for names that no file can have. */
function stands(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** True for a path with bytes that are not UTF-8 (\xNN): it is not the name that git knows. */
const isEscaped = (path: string): boolean => path.includes('\\x');

/** Refuses by content as indexing does. */
function readable(found: FoundPath): FoundPath {
  if (found.kind !== 'file') return found;
  const reason = skipReason(found.bytes);
  if (reason === 'binary' || reason === 'secret') return { kind: reason, path: found.path };
  return { ...found, isPointer: reason === 'lfs-pointer' };
}
