/**
 * Publishes the live shards of one profile, and removes abandoned folders. The manifest lists the shards, and renaming a new manifest
 * into place publishes them. A reader uses one manifest for the life of a query. Files are trusted only if length and SHA-256 match the
 * manifest, and the manifest only if it carries this user's seal. Anything else is moved aside and built again from records.
 */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  isLink,
  makeDirectory,
  plainFileAt,
  readPlainFile,
  refuseLinks,
  standingAt,
  writeStateFile,
} from '../base/atomic.js';
import { CheckedFiles, type FileStamp, sealOf } from '../base/cache.js';
import { isSocraticodeError, SocraticodeError, systemFailure } from '../base/errors.js';
import { STATE_FOLDER } from '../base/local-key.js';
import { log } from '../base/log.js';
import { removeStaleTemporaries } from '../base/processes.js';
import { LEXICAL_MAGIC, quarantine, vectorFileOwner } from './lexical-format.js';
import { LexicalShard } from './lexical-shard.js';

const MANIFEST = 'manifest.json';
/** Bytes of the largest manifest that is read. A shard takes some hundred bytes, and each blob without a record adds its id. */
const MAX_MANIFEST_BYTES = 256 << 20;
/** Time in milliseconds that replaced files stay, because a reader may still use the previous manifest. */
const RETIRED_MS = 10 * 60_000;

export class ShardDirectory {
  constructor(
    readonly directory: string,
    readonly profile: string,
  ) {}

  /** False for a check: damaged files stay in place, and nothing is logged. */
  heals = true;
  /** Shards that are open for somebody, by name: their content never changes. */
  private readonly held = new Map<string, WeakRef<LexicalShard>>();

  /** Directories that an unpacked archive could have replaced by symbolic links to other places. */
  private get links(): string[] {
    return [dirname(this.directory), this.directory];
  }

  private get sealedName(): string {
    return join(basename(this.directory), MANIFEST);
  }

  /** Identifies the published state. Changes with every publication; '' before the first. */
  version(): string {
    if (this.links.some(isLink)) return '';
    try {
      const { mtimeMs, ino, size } = statSync(join(this.directory, MANIFEST));
      return `${ino}-${size}-${mtimeMs}`;
    } catch {
      return '';
    }
  }

  /** Reads the published manifest. Returns an empty one if there is none that can be trusted. */
  readManifest(): Manifest {
    const { state, manifest } = this.inspectManifest();
    if (state === 'damaged' && this.heals) {
      log.warn('the local manifest is damaged; shards are rebuilt from the records');
      quarantine(join(this.directory, MANIFEST));
    }
    return manifest;
  }

  /**
   * Reads the published manifest without changing anything, or returns an empty one with the reason. `none`: there is no regular file to
   * read (the next publication replaces anything else). `older`: the shards have another layout than ours.
   */
  inspectManifest(): { state: 'published' | 'none' | 'damaged' | 'older'; manifest: Manifest } {
    const empty = emptyManifest(this.profile);
    if (this.links.some(isLink)) return { state: 'none', manifest: empty };
    const text = this.manifestText();
    if (text === null) return { state: 'none', manifest: empty };
    const manifest = decodeManifest(this.sealedName, text, this.profile);
    if (manifest === null) return { state: 'damaged', manifest: empty };
    return manifest.layout === LEXICAL_MAGIC ? { state: 'published', manifest } : { state: 'older', manifest: empty };
  }

  /**
   * Text of the manifest; null if there is none. A failed read is tried once more. Throws DISK or RESOURCES, because a failing disk is no
   * reason to rebuild everything.
   */
  private manifestText(): string | null {
    const path = join(this.directory, MANIFEST);
    const read = () => readPlainFile(path, MAX_MANIFEST_BYTES)?.toString('utf8') ?? null;
    try {
      return read();
    } catch {
      try {
        return read();
      } catch (cause) {
        const code = systemFailure(cause)?.code === 'RESOURCES' ? 'RESOURCES' : 'DISK';
        throw new SocraticodeError(code, `cannot read ${path}: ${(cause as Error).message}`, { cause });
      }
    }
  }

  /** Returns whether all files of a manifest exist with the right length. Cheaper than opening them. */
  hasShards(manifest: Pick<Manifest, 'shards'>): boolean {
    return manifest.shards.every(({ file, bytes }) => {
      try {
        return plainFileAt(join(this.directory, file))?.size === bytes;
      } catch {
        return false;
      }
    });
  }

  /**
   * Opens the shards of a manifest. Shards that fail their checksum are moved aside and left out. Shards in `opened` are not read again,
   * because their names identify their content.
   */
  openShards(manifest: Manifest, opened: readonly LexicalShard[] = []): LexicalShard[] {
    const shards: LexicalShard[] = [];
    for (const entry of manifest.shards) {
      const shard = opened.find(({ name }) => name === entry.file) ?? this.openShard(entry);
      if (shard !== null) shards.push(shard);
    }
    return shards;
  }

  private openShard(entry: ShardEntry): LexicalShard | null {
    const held = this.heals ? this.held.get(entry.file)?.deref() : undefined;
    if (held !== undefined && this.hasShards({ shards: [entry] })) return held;
    const shard = this.readShard(entry);
    if (shard !== null) this.held.set(entry.file, new WeakRef(shard));
    return shard;
  }

  private readShard(entry: ShardEntry): LexicalShard | null {
    const path = join(this.directory, entry.file);
    try {
      let stamp: FileStamp | null = null;
      const bytes = readPlainFile(path, entry.bytes, (fd) => {
        stamp = CheckedFiles.stampOf(fd, entry.sha256);
      });
      if (bytes === null && standingAt(path) === undefined) return null;
      if (bytes?.length === entry.bytes && this.isRight(bytes, entry, stamp))
        return new LexicalShard(bytes, entry.file);
      if (!this.heals) return null;
      log.warn(`${entry.file} fails its checksum; moved aside, to be rebuilt from the records`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      if (!isSocraticodeError(error, 'SHARD_CORRUPT')) throw error;
      // The file is intact, but of another version of this program. It is built again, and removed once no manifest names it.
      log.debug(error.message);
      return null;
    }
    quarantine(path);
    return null;
  }

  /** A check hashes every file, whatever is known of it. */
  private isRight(bytes: Buffer, { file, sha256: digest }: ShardEntry, stamp: FileStamp | null): boolean {
    const checked = CheckedFiles.of(this.directory);
    if (this.heals && stamp !== null && checked.has(file, stamp)) return true;
    if (sha256(bytes) !== digest) return false;
    if (this.heals && stamp !== null) checked.add(file, stamp);
    return true;
  }

  /** Returns whether all files of a manifest are right. Only those are read of which that is not known. */
  areRight({ shards }: Pick<Manifest, 'shards'>): boolean {
    return shards.every((entry) => this.isKnown(entry) || this.openShard(entry) !== null);
  }

  /** Is the file known to be right? */
  isKnown({ file, sha256: digest }: Pick<ShardEntry, 'file' | 'sha256'>): boolean {
    return CheckedFiles.of(this.directory).hasFile(file, digest);
  }

  /** Writes a shard file durably, under a name derived from its content, and returns its manifest entry. */
  writeShard(bytes: Buffer, counts: { units: number; documents: number }): ShardEntry {
    refuseLinks(this.links);
    makeDirectory(this.directory);
    const digest = sha256(bytes);
    const file = `lexical-${digest.slice(0, 16)}.bin`;
    writeStateFile(join(this.directory, file), bytes);
    return { file, bytes: bytes.length, sha256: digest, ...counts };
  }

  /** Publishes a manifest, then removes files that no recent manifest names. */
  publish(manifest: Manifest): void {
    refuseLinks(this.links);
    makeDirectory(this.directory);
    this.retire(manifest);
    writeStateFile(join(this.directory, MANIFEST), encodeManifest(this.sealedName, manifest));
    this.removeUnlisted(manifest);
    removeAbandonedFolders(this.directory);
  }

  /** Marks the files that `next` replaces, and their vectors, as replaced now: their retention time starts. */
  private retire(next: Manifest): void {
    const retained = new Set(next.shards.map(({ file }) => file));
    const replaced = new Set(this.readManifest().shards.flatMap(({ file }) => (retained.has(file) ? [] : [file])));
    if (replaced.size === 0) return;
    const now = new Date();
    for (const name of readdirSync(this.directory)) {
      if (!replaced.has(vectorFileOwner(name) ?? name)) continue;
      try {
        utimesSync(join(this.directory, name), now, now);
      } catch {
        // Another process has removed the file.
      }
    }
  }

  private removeUnlisted(manifest: Manifest): void {
    const live = new Set(manifest.shards.map((shard) => shard.file));
    removeStaleTemporaries(this.directory);
    for (const name of readdirSync(this.directory)) {
      // Vectors of all profiles stay as long as their shard, so that switching back to a model finds its vectors.
      const shard = vectorFileOwner(name) ?? name;
      if (!(SHARD_NAME.test(shard) || name.endsWith('.bad')) || live.has(shard)) continue;
      const path = join(this.directory, name);
      try {
        if (Date.now() - statSync(path).mtimeMs > RETIRED_MS) rmSync(path, { force: true });
      } catch {
        // Another process has removed it.
      }
    }
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export interface ShardEntry {
  file: string;
  bytes: number;
  sha256: string;
  units: number;
  documents: number;
}

export interface Manifest {
  format: 1;
  profile: string;
  /** Version of layout and terms. Shards of another version are ignored and built again. */
  layout: string;
  shards: ShardEntry[];
  /** Tip of the notes ref at a time when every unit of the shards, except `unrecorded`, had its record there. */
  notes: string | null;
  /** Ids of blobs that are in the shards but had no record in those notes. */
  unrecorded?: string[];
  /** Ids of blobs that could not be read (partial clone, damaged pack). Only an explicit `index` tries them again. */
  unreadable: string[];
  /**
   * Blobs whose parse failed once, which the next run with a snapshot that has them tries once more. `by`: version and limits of the
   * parsers that failed; others try every blob again whose parse has failed.
   */
  failed?: { by: string; once: string[] };
  /** Snapshots known to be complete, the latest last. Indexing one of them again costs next to nothing. */
  complete: CompleteSnapshot[];
}

/** Snapshot under its settings, with the numbers that `index` reported for it. */
export interface CompleteSnapshot {
  key: string;
  /** Its tree; absent if more than a tree and the settings decide which files it has. */
  tree?: string;
  files: number;
  blobs: number;
  chunks: number;
  skipped: Record<string, number>;
  degraded: Record<string, number>;
  /** Number of files with parse errors that may hide declarations; absent for none. */
  parseErrors?: number;
  /** Facts for `status`. */
  about?: SnapshotAbout;
  /** Vectors found or made by the run, by vectors profile; only for profiles with nothing left to do. */
  vectors?: Record<string, KnownVectors>;
}

export interface SnapshotAbout {
  /** Number of files by language. */
  languages: Record<string, number>;
  /** The first paths among the files that `parseErrors` counts, in order. */
  incomplete: string[];
  /** Contents that need no record, but may have one; one more than the limit if they are too many to list. */
  bare: string[];
}

export interface KnownVectors {
  dimensions: number;
  /** Number of chunks in the snapshot. `covered`: chunks with a vector. */
  total: number;
  covered: number;
  /** Names of the lexical shards that hold the snapshot's documents, whose vector files are therefore needed. */
  shards: string[];
  /** Names of the shards among them that have a graph. */
  graphs: string[];
  /** Tip of the vectors' notes ref when every blob had its note; null for a profile without notes. */
  notes: string | null;
}

export const MAX_COMPLETE = 16;

const SHARD_NAME = /^lexical-[0-9a-f]{16}\.bin$/;

export function emptyManifest(profile: string): Manifest {
  return { format: 1, profile, layout: LEXICAL_MAGIC, shards: [], notes: null, unreadable: [], complete: [] };
}

/** The seal is the last field, so that it can be checked before anything is parsed. */
const SEAL_CHARS = ',\n "seal": ""\n}\n'.length + 64;
const SEAL = /^,\n "seal": "([0-9a-f]{64})"\n\}\n$/;

/** Encodes and seals a manifest. `name` is the purpose of the seal, so that no manifest can be passed off as another one. */
function encodeManifest(name: string, manifest: Manifest): string {
  const rest = JSON.stringify(manifest, null, 1).slice(0, -'\n}'.length);
  return `${rest},\n "seal": "${sealOf(name, rest)}"\n}\n`;
}

/** Returns the JSON without its seal; null if the seal is wrong. */
function unsealText(name: string, text: string): string | null {
  const rest = text.slice(0, -SEAL_CHARS);
  const seal = SEAL.exec(text.slice(-SEAL_CHARS))?.[1];
  return seal !== undefined && sealOf(name, rest) === seal ? `${rest}\n}` : null;
}

/** Decodes a sealed manifest. Null if this user did not seal the text under that name, or if it is of another profile. */
function decodeManifest(name: string, sealed: string, profile: string): Manifest | null {
  const text = unsealText(name, sealed);
  if (text === null) return null;
  try {
    const value = JSON.parse(text) as Partial<Manifest>;
    const entries = value.shards ?? [];
    const valid =
      value.format === 1 &&
      value.profile === profile &&
      typeof value.layout === 'string' &&
      Array.isArray(entries) &&
      entries.every((shard) => SHARD_NAME.test(shard.file) && Number.isSafeInteger(shard.bytes)) &&
      (value.notes === null || typeof value.notes === 'string') &&
      (value.unrecorded === undefined || Array.isArray(value.unrecorded)) &&
      Array.isArray(value.unreadable) &&
      (value.failed === undefined || (typeof value.failed.by === 'string' && Array.isArray(value.failed.once))) &&
      Array.isArray(value.complete);
    return valid ? (value as Manifest) : null;
  } catch {
    return null;
  }
}

/**
 * Number of other keys' folders that stay. Users who share a repository find their state again; of one-off keys, such as one per
 * container, only the latest folders stay.
 */
const MAX_RETAINED = 3;
const UNUSED_MS = 30 * 24 * 3_600_000;
/** Tolerance for clocks that differ. A folder dated further in the future was unpacked from an archive. */
const CLOCK_MS = 24 * 3_600_000;

/**
 * Removes the folders next to `own` that belong to other keys (users, containers, earlier versions of this program) and were not used
 * recently. Everything in them can be built again from records.
 */
export function removeAbandonedFolders(own: string): void {
  const state = dirname(own);
  const id = STATE_FOLDER.exec(basename(own))?.[2];
  try {
    const others = readdirSync(state).flatMap((name) => {
      const match = STATE_FOLDER.exec(name);
      return match === null || match[2] === id ? [] : [{ name, age: ageOf(join(state, name)) }];
    });
    const byAge = others.sort((a, b) => a.age - b.age);
    const abandoned = byAge.filter(({ age }, i) => i >= MAX_RETAINED || age > UNUSED_MS);
    for (const { name } of abandoned) rmSync(join(state, name), { recursive: true, force: true });
  } catch (error) {
    // The folder belongs to another user, who will remove it.
    log.debug(`cannot remove a folder of another key: ${(error as Error).message}`);
  }
}

/** Milliseconds since a file was added to a folder or removed from it; infinite if the folder's time lies in the future. */
function ageOf(path: string): number {
  const age = Date.now() - lstatSync(path).mtimeMs;
  return age < -CLOCK_MS ? Number.POSITIVE_INFINITY : age;
}
