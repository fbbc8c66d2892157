/**
 * What is remembered of a work tree between processes: which file held which blob when, and the shards of blobs that
 * no commit has. A cache of this machine, for this work tree alone: it is never shared, and may be deleted at any time.
 */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  clearDirectory,
  makeDirectory,
  plainFileAt,
  readPlainFile,
  refuseLinks,
  removeStaleTemporaries,
} from '../base/atomic.js';
import { log } from '../base/log.js';
import { sealOf } from '../base/sealed.js';
import { LexicalShard } from '../shard/lexical.js';
import { vectorFileOwner } from '../shard/vector-files.js';
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

/** A shard that another process has just written, and may not have named yet. */
const YOUNG_MS = 10_000;

export interface StoredState {
  /** By the bytes of the path, as Latin-1. */
  files: Map<string, KnownFile>;
  /** Oldest first. */
  shards: LexicalShard[];
}

export class OverlayStore {
  /** Bytes of the shards that this process knows, by name: what another one has removed is written again. */
  private readonly bytes = new Map<string, Buffer>();
  /** Shards of it that are not kept yet, whatever stands under their names. */
  private readonly unwritten = new Set<string>();
  private saved = '';

  constructor(
    readonly directory: string,
    private readonly gitDir: string,
  ) {}

  /** What was saved; nothing where it is damaged, incomplete, or of another version. */
  load(): StoredState {
    try {
      const { format, files, shards, json } = readState(this.directory);
      if (format !== FORMAT) return { files: new Map(), shards: [] };
      const state = { files: new Map(files), shards: shards.map((shard) => this.openShard(shard)) };
      this.saved = json;
      return state;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        log.debug(`the cache of uncommitted files is made anew: ${(error as Error).message}`);
      return { files: new Map(), shards: [] };
    }
  }

  private openShard({ file, sha256: digest }: { file: string; sha256: string }): LexicalShard {
    if (!SHARD_NAME.test(file)) throw new Error(`not a shard: ${file}`);
    const bytes = readPlainFile(join(this.directory, file), MAX_BYTES);
    if (bytes === null || sha256(bytes) !== digest) throw new Error(`${file} fails its checksum`);
    this.digests.set(file, digest);
    this.bytes.set(file, bytes);
    return new LexicalShard(bytes, file);
  }

  private readonly digests = new Map<string, string>();

  /** A shard of these bytes, to be written by the next `save`. */
  add(bytes: Buffer): LexicalShard {
    const digest = sha256(bytes);
    const file = `lexical-${digest.slice(0, 16)}.bin`;
    this.digests.set(file, digest);
    this.bytes.set(file, bytes);
    this.unwritten.add(file);
    return new LexicalShard(bytes, file);
  }

  /** Keeps a state for the next process. Nothing is lost if that fails: whatever is missing is made again. */
  save({ files, shards }: StoredState): void {
    if (files.size === 0 && shards.length === 0) {
      this.forget();
      return;
    }
    const entries = shards.map(({ name }) => ({ file: name, sha256: this.digests.get(name) ?? '' }));
    const json = JSON.stringify({ format: FORMAT, files: [...files], shards: entries } satisfies StateFile);
    if (json === this.saved) return;
    try {
      this.prepareDirectory();
      this.writeShards(entries);
      this.replace(STATE, `${json}\n${sealOf(sealedName(this.directory), json)}\n`);
      // Until it was there, nothing told another process that they are used.
      this.writeShards(entries);
      this.saved = json;
      this.removeUnused(new Set(entries.map(({ file }) => file)));
    } catch (error) {
      // A read-only repository is searched all the same.
      log.debug(`uncommitted files are not remembered: ${(error as Error).message}`);
    }
  }

  /** Nothing is uncommitted: the next process need not even look here. */
  private forget(): void {
    if (!hasOverlay(this.directory)) return;
    try {
      rmSync(join(this.directory, STATE));
      this.saved = '';
      this.removeUnused(new Set());
    } catch (error) {
      log.debug(`the cache of uncommitted files stays: ${(error as Error).message}`);
    }
  }

  /** Those that are new, or not there any more. */
  private writeShards(entries: StateFile['shards']): void {
    for (const { file } of entries) {
      const bytes = this.bytes.get(file);
      const isThere = !this.unwritten.has(file) && plainFileAt(join(this.directory, file)) !== null;
      if (bytes === undefined || isThere) continue;
      this.replace(file, bytes);
      this.unwritten.delete(file);
    }
  }

  /** In one step, but without waiting for the disk: what a power cut damages fails its checksum. */
  private replace(name: string, data: Buffer | string): void {
    const temporary = join(this.directory, `.tmp-${process.pid}-${name}`);
    try {
      // Never through a symbolic link that came with the repository.
      writeFileSync(temporary, data, { flag: 'wx' });
      clearDirectory(join(this.directory, name));
      renameSync(temporary, join(this.directory, name));
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  }

  private prepareDirectory(): void {
    refuseLinks(levels(this.directory));
    if (existsSync(join(this.directory, OWNER))) return;
    makeDirectory(this.directory);
    this.replace(OWNER, this.gitDir);
    removeAbandoned(dirname(this.directory), basename(this.directory));
  }

  /** Another process may save as well: what its state names stays, and what it may be about to name. */
  private removeUnused(live: ReadonlySet<string>): void {
    removeStaleTemporaries(this.directory);
    const theirs = namedIn(this.directory);
    for (const name of readdirSync(this.directory)) {
      const shard = vectorFileOwner(name) ?? name;
      if (!SHARD_NAME.test(shard) || live.has(shard) || theirs.has(shard)) continue;
      const path = join(this.directory, name);
      if (!this.bytes.has(shard) && ageOf(path) < YOUNG_MS) continue;
      rmSync(path, { force: true });
    }
    for (const shard of this.bytes.keys()) if (!live.has(shard)) this.bytes.delete(shard);
  }
}

/** Since it was written, in milliseconds; as old as can be where it is gone. */
function ageOf(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? Number.POSITIVE_INFINITY : Date.now() - stat.mtimeMs;
}

/** Removes the overlays of work trees that are gone. */
function removeAbandoned(parent: string, own: string): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(PREFIX) || name === own) continue;
    try {
      if (existsSync(readFileSync(join(parent, name, OWNER), 'utf8'))) continue;
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // Being made at this moment, or not ours.
    }
  }
}
