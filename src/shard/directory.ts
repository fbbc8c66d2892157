/**
 * The manifest lists the live shards of one profile; renaming it into place publishes them. A reader holds one
 * manifest for the life of a query. Files are trusted only if their length and SHA-256 are what the manifest says, and
 * that only with the seal of this user: whatever else is found is moved aside and built again from records.
 */
import { createHash } from 'node:crypto';
import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  isLink,
  makeDirectory,
  plainFileAt,
  readPlainFile,
  refuseLinks,
  removeStaleTemporaries,
  standingAt,
  writeStateFile,
} from '../base/atomic.js';
import { isSocraticodeError, SocraticodeError, systemFailure } from '../base/errors.js';
import { log } from '../base/log.js';
import { LexicalShard } from './lexical.js';
import { LEXICAL_MAGIC } from './lexical-format.js';
import {
  decodeManifest,
  emptyManifest,
  encodeManifest,
  type Manifest,
  SHARD_NAME,
  type ShardEntry,
} from './manifest.js';
import { removeAbandonedFolders } from './state-folders.js';
import { moveAside, vectorFileOwner } from './vector-files.js';

const MANIFEST = 'manifest.json';
/** Some hundred bytes a shard, and a name for each blob without a record. */
const MAX_MANIFEST_BYTES = 256 << 20;
/** A reader may still hold the previous manifest: its files stay this long after they were replaced. */
const RETIRED_MS = 10 * 60_000;

/** One profile's shard directory. */
export class ShardDirectory {
  constructor(
    readonly directory: string,
    readonly profile: string,
  ) {}

  /** False for a check: what is damaged stays where it is, and nothing is said. */
  heals = true;

  /** Levels that could be symbolic links to somewhere else, in a repository that came in an archive. */
  private get links(): string[] {
    return [dirname(this.directory), this.directory];
  }

  private get sealedName(): string {
    return join(basename(this.directory), MANIFEST);
  }

  /** Identifies the published state; changes with every publication. '' before the first one. */
  version(): string {
    if (this.links.some(isLink)) return '';
    try {
      const { mtimeMs, ino, size } = statSync(join(this.directory, MANIFEST));
      return `${ino}-${size}-${mtimeMs}`;
    } catch {
      return '';
    }
  }

  /** The published manifest, or an empty one if there is none that can be trusted. */
  readManifest(): Manifest {
    const { state, manifest } = this.inspectManifest();
    if (state === 'damaged' && this.heals) {
      log.warn('the local manifest is damaged; shards are rebuilt from the records');
      moveAside(join(this.directory, MANIFEST));
    }
    return manifest;
  }

  /**
   * The same, touching nothing: what was published, or an empty manifest and why. `none` where there is no file to read
   * (whatever else stands there goes when the next one is renamed into its place), `older` for other shards than ours.
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

  /** Null for none. What a disk fails to read once is read again. Throws DISK or RESOURCES: no reason to build everything anew. */
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

  /** Are the files of a manifest there, as long as they should be? Cheaper than opening them. */
  hasShards(manifest: Manifest): boolean {
    return manifest.shards.every(({ file, bytes }) => {
      try {
        return plainFileAt(join(this.directory, file))?.size === bytes;
      } catch {
        return false;
      }
    });
  }

  /**
   * Opens the shards of a manifest; those that fail their checksum are moved aside and left out. `opened` are not read
   * again: their names say what is in them.
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
    const path = join(this.directory, entry.file);
    try {
      const bytes = readPlainFile(path, entry.bytes);
      if (bytes === null && standingAt(path) === undefined) return null;
      if (bytes?.length === entry.bytes && sha256(bytes) === entry.sha256) return new LexicalShard(bytes, entry.file);
      if (!this.heals) return null;
      log.warn(`${entry.file} fails its checksum; moved aside, to be rebuilt from the records`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      if (!isSocraticodeError(error, 'SHARD_CORRUPT')) throw error;
      // Whole, but of another version of this program: built anew, and removed when no manifest names it any more.
      log.debug(error.message);
      return null;
    }
    moveAside(path);
    return null;
  }

  /** Writes a shard file (durably, under a name made of its content) and returns its manifest entry. */
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

  /** Starts the clock of files that are about to be replaced, and of the vectors that go with them. */
  private retire(next: Manifest): void {
    const kept = new Set(next.shards.map(({ file }) => file));
    const replaced = new Set(this.readManifest().shards.flatMap(({ file }) => (kept.has(file) ? [] : [file])));
    if (replaced.size === 0) return;
    const now = new Date();
    for (const name of readdirSync(this.directory)) {
      if (!replaced.has(vectorFileOwner(name) ?? name)) continue;
      try {
        utimesSync(join(this.directory, name), now, now);
      } catch {
        // Gone already.
      }
    }
  }

  private removeUnlisted(manifest: Manifest): void {
    const live = new Set(manifest.shards.map((shard) => shard.file));
    removeStaleTemporaries(this.directory);
    for (const name of readdirSync(this.directory)) {
      // Vectors of every profile stay as long as their shard: a model that is changed back finds its own.
      const shard = vectorFileOwner(name) ?? name;
      if (!(SHARD_NAME.test(shard) || name.endsWith('.bad')) || live.has(shard)) continue;
      const path = join(this.directory, name);
      try {
        if (Date.now() - statSync(path).mtimeMs > RETIRED_MS) rmSync(path, { force: true });
      } catch {
        // Removed by another process.
      }
    }
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
