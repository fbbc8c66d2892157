/**
 * Cache files of graphs in the shard directory. A file is trusted only with this user's seal, and made again otherwise. Symbolic links
 * are never followed, since they may have come with the repository.
 *
 * - `graph-*`: graphs of committed snapshots. `work-*`: graphs of snapshots with uncommitted files.
 * - `memory-*`: what the next graph is linked from.
 * - `linked-*`: what sibling repositories can use of each other.
 */
import { createHash } from 'node:crypto';
import { existsSync, rmSync, utimesSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  isLink,
  makeDirectory,
  namesIn,
  plainFileAt,
  readPlainFile,
  refuseLinks,
  removeQuietly,
  removeStaleTemporaries,
  writeStateFile,
} from '../../base/atomic.js';
import { sealFile, unsealFile } from '../../base/cache.js';
import { SocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';

type GraphFileKind = 'graph' | 'memory' | 'work' | 'linked';

/** Number of files cached of each kind. A person switches between branches and work trees; one memory serves any branch. */
const MAX_FILES: Readonly<Record<GraphFileKind, number>> = { graph: 6, memory: 3, work: 3, linked: 3 };
/** Limit on all files together; the newest of each kind stays regardless of its size. */
const MAX_BYTES = 512 << 20;
/** Longest wait for another process that makes the same graph. */
const MAX_WAIT_MS = 300_000;
const LOCK = /^[0-9a-f]{24}\.lock$/;
const NAME = /^(graph|memory|work|linked)-([0-9a-f]{24})\.bin$/;

interface CachedFile {
  content: Buffer;
  note: unknown;
}

/** Hashes everything that a file depends on into a short name. */
export function cacheKey(...parts: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24);
}

export class GraphCache {
  private readonly directory: string;

  /** `profileDirectory`: directory of the shards. */
  constructor(
    profileDirectory: string,
    /** Writes nothing, not even the time of the last use. */
    private readonly readOnly = false,
  ) {
    this.directory = join(profileDirectory, 'graphs');
  }

  /** Reads a file and marks it as used; null if it is missing or cannot be trusted. */
  read(kind: GraphFileKind, key: string): CachedFile | null {
    const file = this.peek(kind, key);
    if (file !== null) this.touch(kind, key);
    if (file !== null && kind === 'graph' && !this.readOnly) void this.removeDeadLock(this.lockOf(key));
    return file;
  }

  private lockOf(key: string): string {
    return join(this.directory, `${key}.lock`);
  }

  /** A process that was killed after it wrote a graph has left its lock, which nobody takes again. */
  private async removeDeadLock(path: string): Promise<void> {
    if (!existsSync(path)) return;
    const { lockHolder } = await import('../../base/lock.js');
    if (lockHolder(path) === null) removeQuietly(path);
  }

  /** Reads a file without marking it as used, to see whether it helps. */
  peek(kind: GraphFileKind, key: string): CachedFile | null {
    const path = this.path(kind, key);
    try {
      const bytes = this.levels().some(isLink) ? null : readPlainFile(path, MAX_BYTES);
      if (bytes === null) return null;
      return unsealFile(this.sealedName(kind, key), bytes);
    } catch (error) {
      log.debug(`a cached graph is made anew: ${(error as Error).message}`);
      return null;
    }
  }

  /** Returns whether the file is whole and has this user's seal; null for names of other files. */
  isWhole(name: string): boolean | null {
    const [, kind, key] = NAME.exec(name) ?? [];
    if (key === undefined) return null;
    try {
      const bytes = readPlainFile(join(this.directory, name), MAX_BYTES);
      if (bytes !== null) unsealFile(this.sealedName(kind as GraphFileKind, key), bytes);
      return bytes !== null;
    } catch {
      return false;
    }
  }

  /** Marks a file as used; pruning removes the files used longest ago. */
  touch(kind: GraphFileKind, key: string): void {
    const path = this.path(kind, key);
    if (this.readOnly || isLink(path)) return;
    try {
      const now = new Date();
      utimesSync(path, now, now);
    } catch {
      // Missing, another user's, or on a read-only disk: then its age is the time since it was made.
    }
  }

  /** Never throws. Without the file the next process links again. */
  write(kind: GraphFileKind, key: string, content: Uint8Array, note: unknown): void {
    if (this.readOnly) return;
    try {
      refuseLinks(this.levels());
      makeDirectory(this.directory);
      writeStateFile(this.path(kind, key), sealFile(this.sealedName(kind, key), content, note));
      this.prune();
    } catch (error) {
      log.debug(`a graph is not kept: ${(error as Error).message}`);
    }
  }

  /**
   * Waits while another process makes the graph of that key, and returns the function that lets others make it. Nobody is waited for where
   * no lock can be made, nor for longer than making one may take. Throws the signal's reason.
   */
  async claim(key: string, signal?: AbortSignal): Promise<() => void> {
    if (this.readOnly || this.levels().some(isLink)) return () => {};
    try {
      // Imported on demand: most graphs are read.
      const { acquireLock } = await import('../../base/lock.js');
      makeDirectory(this.directory);
      // Nobody makes the graph of a killed process again once HEAD has moved, so that its lock would stay.
      for (const name of namesIn(this.directory).filter((each) => LOCK.test(each)))
        await this.removeDeadLock(join(this.directory, name));
      return await acquireLock(this.lockOf(key), { waitMs: MAX_WAIT_MS, signal });
    } catch (error) {
      if (signal?.aborted) throw error;
      log.debug(`a graph is made beside others: ${(error as Error).message}`);
      return () => {};
    }
  }

  /** Returns the keys of a kind, the last used first. */
  keys(kind: GraphFileKind): string[] {
    return this.list()
      .filter((file) => file.kind === kind)
      .map(({ key }) => key);
  }

  /** Returns the number and total size of the files. */
  size(): { files: number; bytes: number } {
    const files = this.list();
    return { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  /** Deletes all files, which are made again on demand. Returns their number and size. Throws DISK. */
  clear(): { files: number; bytes: number } {
    const freed = { files: 0, bytes: 0 };
    if (this.readOnly) return freed;
    try {
      for (const { name, bytes } of this.list()) {
        rmSync(join(this.directory, name), { force: true });
        freed.files++;
        freed.bytes += bytes;
      }
    } catch (cause) {
      throw new SocraticodeError('DISK', `cannot delete a graph: ${(cause as Error).message}`, { cause });
    }
    return freed;
  }

  private levels(): string[] {
    const profile = dirname(this.directory);
    return [dirname(profile), profile, this.directory];
  }

  private path(kind: GraphFileKind, key: string): string {
    return join(this.directory, `${kind}-${key}.bin`);
  }

  /** Includes the path, so that a file that was moved fails its seal. */
  private sealedName(kind: GraphFileKind, key: string): string {
    return `${basename(dirname(this.directory))}/graphs/${kind}-${key}`;
  }

  private list(): { name: string; kind: GraphFileKind; key: string; at: number; bytes: number }[] {
    if (this.levels().some(isLink)) return [];
    const files = namesIn(this.directory).flatMap((name) => {
      const match = NAME.exec(name);
      const stat = match && plainFileAt(join(this.directory, name));
      if (!stat) return [];
      return [{ name, kind: match[1] as GraphFileKind, key: match[2], at: stat.mtimeMs, bytes: stat.size }];
    });
    return files.sort((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1));
  }

  private prune(): void {
    removeStaleTemporaries(this.directory);
    const retained: Record<GraphFileKind, number> = { graph: 0, memory: 0, work: 0, linked: 0 };
    let bytes = 0;
    for (const file of this.list()) {
      const isOver =
        retained[file.kind] >= MAX_FILES[file.kind] || (bytes + file.bytes > MAX_BYTES && retained[file.kind] > 0);
      if (isOver) {
        rmSync(join(this.directory, file.name), { force: true });
        continue;
      }
      retained[file.kind]++;
      bytes += file.bytes;
    }
  }
}
