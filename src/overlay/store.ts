/**
 * Caches the state of an overlay for other processes: blob ids of uncommitted files, and shards of their blobs. It belongs to one work
 * tree, is never shared, and may be deleted at any time.
 */
import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  clearDirectory,
  makeDirectory,
  plainFileAt,
  readPlainFile,
  refuseLinks,
  removeQuietly,
  standingAt,
} from '../base/atomic.js';
import { sealOf } from '../base/cache.js';
import { log } from '../base/log.js';
import { removeStaleTemporaries } from '../base/processes.js';
import { vectorFileOwner } from '../shard/lexical-format.js';
import { LexicalShard } from '../shard/lexical-shard.js';
import {
  FORMAT,
  hasOverlay,
  type KnownFile,
  levels,
  MAX_BYTES,
  namedIn,
  OWNER,
  PREFIX,
  readState,
  SHARD_NAME,
  STATE,
  type StateFile,
  sealedName,
  sha256,
} from './state-file.js';

/** Age up to which an unused shard stays: another process may have written it and not yet saved its state. */
const YOUNG_MS = 10_000;
/** Longer than the path of any git directory. */
const MAX_OWNER_BYTES = 1 << 16;

export interface StoredState {
  /** Files by the bytes of their path, as Latin-1. */
  files: Map<string, KnownFile>;
  /** Oldest first. */
  shards: LexicalShard[];
}

export class OverlayStore {
  /** This process's shards by name, to write a shard again if another process has removed it. */
  private readonly own = new Map<string, { bytes: Buffer; digest: string }>();
  /** Shards that `save` has yet to write, even if a file of that name exists. */
  private readonly unwritten = new Set<string>();
  private saved = '';

  constructor(
    readonly directory: string,
    private readonly gitDir: string,
  ) {}

  /** Loads the saved state. It is empty if the file is damaged, incomplete, or of another version. */
  load(): StoredState {
    const empty = { files: new Map(), shards: [] };
    if (!hasOverlay(this.directory)) return empty;
    try {
      const { format, files, shards, json } = readState(this.directory);
      if (format !== FORMAT) return empty;
      const state = { files: new Map(files), shards: shards.map((shard) => this.openShard(shard)) };
      this.saved = json;
      return state;
    } catch (error) {
      log.debug(`rebuilding the cache of uncommitted files: ${(error as Error).message}`);
      return empty;
    }
  }

  private openShard({ file, sha256: digest }: { file: string; sha256: string }): LexicalShard {
    if (!SHARD_NAME.test(file)) throw new Error(`not a shard: ${file}`);
    const bytes = readPlainFile(join(this.directory, file), MAX_BYTES);
    if (bytes === null || sha256(bytes) !== digest) throw new Error(`${file} fails its checksum`);
    this.own.set(file, { bytes, digest });
    return new LexicalShard(bytes, file);
  }

  /** Adds a shard, which the next `save` writes. */
  add(bytes: Buffer): LexicalShard {
    const digest = sha256(bytes);
    const file = `lexical-${digest.slice(0, 16)}.bin`;
    this.own.set(file, { bytes, digest });
    this.unwritten.add(file);
    return new LexicalShard(bytes, file);
  }

  /**
   * Saves a state, whose shards are all of this store, for the next process. A failure costs only work: the next process parses the files
   * again.
   */
  save({ files, shards }: StoredState): void {
    if (files.size === 0 && shards.length === 0) {
      this.forget();
      return;
    }
    const entries = shards.map(({ name }) => ({ file: name, sha256: this.ownShard(name).digest }));
    const json = JSON.stringify({ format: FORMAT, files: [...files], shards: entries } satisfies StateFile);
    if (json === this.saved) return;
    try {
      this.prepareDirectory();
      this.writeShards(entries);
      this.replace(STATE, `${json}\n${sealOf(sealedName(this.directory), json)}\n`);
      // Writes shards again that another process removed before the state file named them.
      this.writeShards(entries);
      this.saved = json;
      this.removeUnused(new Set(entries.map(({ file }) => file)));
      this.removeAbandoned();
    } catch (error) {
      // The repository may be read-only, which must not stop a search.
      log.debug(`cannot save the cache of uncommitted files: ${(error as Error).message}`);
    }
  }

  /** Deletes the state file, because nothing is uncommitted. The next process then skips the overlay. */
  private forget(): void {
    if (!hasOverlay(this.directory)) return;
    try {
      rmSync(join(this.directory, STATE));
      this.saved = '';
      this.removeUnused(new Set());
      this.removeAbandoned();
    } catch (error) {
      log.debug(`cannot delete the cache of uncommitted files: ${(error as Error).message}`);
    }
  }

  private ownShard(file: string) {
    return this.own.get(file) as { bytes: Buffer; digest: string };
  }

  private writeShards(entries: StateFile['shards']): void {
    for (const { file } of entries) {
      const isThere = !this.unwritten.has(file) && plainFileAt(join(this.directory, file)) !== null;
      if (isThere) continue;
      this.replace(file, this.ownShard(file).bytes);
      this.unwritten.delete(file);
    }
  }

  /** Replaces a file atomically, but without fsync: a file that a power cut damages fails its checksum. */
  private replace(name: string, data: Buffer | string): void {
    const temporary = join(this.directory, `.tmp-${process.pid}-${name}`);
    try {
      // `wx` never writes through a symbolic link that came with the repository.
      writeFileSync(temporary, data, { flag: 'wx' });
      clearDirectory(join(this.directory, name));
      renameSync(temporary, join(this.directory, name));
    } catch (error) {
      removeQuietly(temporary);
      throw error;
    }
  }

  private prepareDirectory(): void {
    refuseLinks(levels(this.directory));
    if (existsSync(join(this.directory, OWNER))) return;
    makeDirectory(this.directory);
    this.replace(OWNER, this.gitDir);
  }

  /**
   * Deletes unused shards. Shards that the state names stay, even if another process has written it since, and so do young ones that such
   * a process may be about to name.
   */
  private removeUnused(live: ReadonlySet<string>): void {
    removeStaleTemporaries(this.directory);
    const named = namedIn(this.directory);
    for (const name of readdirSync(this.directory)) {
      const shard = vectorFileOwner(name) ?? name;
      if (!SHARD_NAME.test(shard) || named.has(shard)) continue;
      const path = join(this.directory, name);
      if (!this.own.has(shard) && ageOf(path) < YOUNG_MS) continue;
      removeQuietly(path);
    }
    for (const shard of this.own.keys()) if (!live.has(shard)) this.own.delete(shard);
  }

  /**
   * Removes the overlays of deleted work trees, after every change of this one: an overlay directory is made once and used for years.
   * Each other overlay costs one small read.
   */
  private removeAbandoned(): void {
    const profile = dirname(this.directory);
    for (const name of readdirSync(profile)) {
      if (!name.startsWith(PREFIX) || name === basename(this.directory)) continue;
      const gitDir = readPlainFile(join(profile, name, OWNER), MAX_OWNER_BYTES)?.toString('utf8') ?? '';
      // Without an owner file, another process may be creating the overlay.
      if (gitDir !== '' && !existsSync(gitDir)) rmSync(join(profile, name), { recursive: true });
    }
  }
}

/** Milliseconds since a file was written; infinity if it does not exist. */
function ageOf(path: string): number {
  return Date.now() - (standingAt(path)?.mtimeMs ?? Number.NEGATIVE_INFINITY);
}
