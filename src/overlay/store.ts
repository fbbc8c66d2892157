/**
 * What is remembered of a work tree between processes: which file held which blob when, and the shards of blobs that
 * no commit has. A cache of this machine, for this work tree alone: it is never shared, and may be deleted at any time.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  clearDirectory,
  isLink,
  makeDirectory,
  readPlainFile,
  refuseLinks,
  removeStaleTemporaries,
} from '../base/atomic.js';
import { log } from '../base/log.js';
import { sealOf } from '../base/sealed.js';
import { LexicalShard } from '../shard/lexical.js';
import { LEXICAL_MAGIC } from '../shard/lexical-format.js';
import { vectorFileOwner } from '../shard/vector-files.js';
import { type FileStamp, isSameStamp, pathOf, stampOf } from './work-file.js';

/** Bump when what is kept changes; older states are forgotten. */
const FORMAT = `1 ${LEXICAL_MAGIC}`;
const STATE = 'state.json';
/** Names the work tree that a directory belongs to, so that those of removed work trees can be told. */
const OWNER = 'worktree';
const PREFIX = 'overlay-';
/** Of one file: what is uncommitted is far less than that. */
const MAX_BYTES = 1 << 30;
const SHARD_NAME = /^lexical-[0-9a-f]{16}\.bin$/;

/** A file as it was when it was read. */
export interface KnownFile extends FileStamp {
  oid: string;
  /** Language by its first bytes, for paths that do not tell. */
  content: string;
  /** When it was read, in milliseconds: a change in the same moment would not show in its stamp. */
  at: number;
}

export interface StoredState {
  /** By the bytes of the path, as Latin-1. */
  files: Map<string, KnownFile>;
  /** Oldest first. */
  shards: LexicalShard[];
}

interface StateFile {
  format: string;
  files: [string, KnownFile][];
  shards: { file: string; sha256: string }[];
}

/** Is anything remembered of a work tree? */
export function hasOverlay(directory: string): boolean {
  return !levels(directory).some(isLink) && existsSync(join(directory, STATE));
}

/**
 * Has a file that was uncommitted before changed since, so that there will probably be something to parse? Asked before
 * git has said anything; opens no shard.
 */
export function isOutdated(directory: string, workTree: string): boolean {
  try {
    const state = readState(directory);
    const root = realpathSync.native(workTree, { encoding: 'buffer' });
    return state.files.some(([name, known]) => {
      const stamp = stampOf(pathOf(root, Buffer.from(name, 'latin1')));
      return stamp !== null && !isSameStamp(known, stamp);
    });
  } catch {
    return false;
  }
}

/** What must not be a symbolic link: of the state, the profile, and the overlay. */
function levels(directory: string): string[] {
  const profile = dirname(directory);
  return [dirname(profile), profile, directory];
}

/** With both folders: the state of another work tree, or another profile, is about other files. */
function sealedName(directory: string): string {
  return `${basename(dirname(directory))}/${basename(directory)}/${STATE}`;
}

/** Throws what reading throws, DISK where a link leads elsewhere, and where the file is damaged. */
function readState(directory: string): StateFile & { json: string } {
  refuseLinks(levels(directory));
  const text = readPlainFile(join(directory, STATE), MAX_BYTES)?.toString('utf8') ?? '';
  const [json, seal] = text.split('\n');
  if (sealOf(sealedName(directory), json) !== seal) throw new Error(`${STATE} was not sealed here`);
  return { ...(JSON.parse(json) as StateFile), json };
}

/**
 * What is wrong with what is kept of a work tree, as a sentence; null if nothing is, and where nothing is kept. Reads all
 * shards and touches nothing.
 */
export function overlayFault(directory: string): string | null {
  if (!hasOverlay(directory)) return null;
  try {
    const { format, shards } = readState(directory);
    if (format !== FORMAT) return null;
    for (const { file, sha256: digest } of shards) {
      const bytes = SHARD_NAME.test(file) ? readPlainFile(join(directory, file), MAX_BYTES) : null;
      if (bytes === null) return `${file} is missing`;
      if (sha256(bytes) !== digest) return `${file} fails its checksum`;
    }
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Where the overlay of a work tree is kept; `gitDir` is this work tree's own git directory. */
export function overlayDirectory(profileDirectory: string, gitDir: string): string {
  return join(profileDirectory, PREFIX + sha256(Buffer.from(gitDir)).slice(0, 16));
}

export class OverlayStore {
  /** Bytes of shards that are not written yet, by name. */
  private readonly unwritten = new Map<string, Buffer>();
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
    return new LexicalShard(bytes, file);
  }

  private readonly digests = new Map<string, string>();

  /** A shard of these bytes, to be written by the next `save`. */
  add(bytes: Buffer): LexicalShard {
    const digest = sha256(bytes);
    const file = `lexical-${digest.slice(0, 16)}.bin`;
    this.digests.set(file, digest);
    this.unwritten.set(file, bytes);
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
      for (const { file } of entries) this.writeShard(file);
      this.replace(STATE, `${json}\n${sealOf(sealedName(this.directory), json)}\n`);
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

  private writeShard(file: string): void {
    const bytes = this.unwritten.get(file);
    if (bytes !== undefined) this.replace(file, bytes);
    this.unwritten.delete(file);
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

  private removeUnused(live: ReadonlySet<string>): void {
    removeStaleTemporaries(this.directory);
    for (const name of readdirSync(this.directory)) {
      const shard = vectorFileOwner(name) ?? name;
      if (SHARD_NAME.test(shard) && !live.has(shard)) rmSync(join(this.directory, name), { force: true });
    }
  }
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

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
