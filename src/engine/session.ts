/** An open repository with what every operation needs: git access, configuration, the profile, the shard directory. */
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { profileId } from '../config/profile.js';
import { resolveConfig } from '../config/resolve.js';
import { createSelector } from '../config/select.js';
import type { Config, Resolved } from '../config/types.js';
import { LANGUAGE_IDS, syntaxFingerprint } from '../extract/index.js';
import { ObjectReader } from '../git/objects.js';
import { localStateDirectory, openRepository, type Repository } from '../git/repository.js';
import { listTree, type ResolvedRef, resolveRef } from '../git/snapshot.js';
import { type ConfigEntry, readGitConfig } from '../git/worktree.js';
import { buildCatalog, type Catalog } from '../indexer/catalog.js';
import { SyntaxStore } from '../record/store.js';
import { ShardDirectory } from '../shard/manifest.js';

export interface SessionOptions {
  /** Any directory of the repository; default: where the process runs, or what GIT_DIR says. */
  directory?: string;
  /** Configuration typed on the command line. */
  flags?: Record<string, unknown>;
}

/** A snapshot with the configuration that applies to it and the files it is made of. */
export interface Scope extends ResolvedRef, Resolved<Config> {
  catalog: Catalog;
  /** Equal for equal trees and settings: what caches are keyed by. */
  key: string;
}

const CONFIG_FILE = '.socraticode.json';
const IGNORE_FILE = '.socraticodeignore';
const MAX_CONFIG_BYTES = 64 * 1024;
const MAX_IGNORE_BYTES = 256 * 1024;

export class Session {
  readonly profile = profileId(syntaxFingerprint());
  readonly shards: ShardDirectory;
  readonly store: SyntaxStore;

  private constructor(
    readonly repository: Repository,
    readonly objects: ObjectReader,
    readonly gitConfig: readonly ConfigEntry[],
    private readonly flags: Record<string, unknown>,
  ) {
    this.shards = new ShardDirectory(join(localStateDirectory(repository), this.profile), this.profile);
    this.store = new SyntaxStore(repository, objects, this.profile);
  }

  static async open(options: SessionOptions = {}): Promise<Session> {
    const repository = await openRepository(options.directory);
    const objects = new ObjectReader(repository.git);
    return new Session(repository, objects, await readGitConfig(repository.git), options.flags ?? {});
  }

  close(): void {
    this.objects.close();
  }

  get oidBytes(): number {
    return this.repository.objectFormat === 'sha256' ? 32 : 20;
  }

  /**
   * Resolves a ref to its files and settings. Without a ref the snapshot is HEAD, and the work tree's own
   * `.socraticode.json` and `.socraticodeignore` apply as they are now; with one, those of its tree do.
   */
  async scope(ref?: string): Promise<Scope> {
    const resolved = await resolveRef(this.objects, ref ?? 'HEAD');
    const listing = listTree(this.repository.git, resolved.tree);
    const [entries, settings, ignoreFile] = await Promise.all([
      listing,
      this.configOf(resolved.tree, ref === undefined),
      this.readSetting(resolved.tree, IGNORE_FILE, MAX_IGNORE_BYTES, ref === undefined),
    ]);
    const { include, exclude, languages, maxFileBytes } = settings.config;
    const select = createSelector({ include, exclude, ignoreFile: ignoreFile?.text });
    const catalog = await buildCatalog(entries, this.objects, { select, languages });
    const key = JSON.stringify([resolved.tree, include, exclude, languages, maxFileBytes, ignoreFile?.text ?? null]);
    return { ...resolved, ...settings, catalog, key };
  }

  /** The settings for a tree; `worktree` prefers the work tree's file. Throws BAD_CONFIG. */
  async configOf(tree: string | null, worktree: boolean): Promise<Resolved<Config>> {
    const file = await this.readSetting(tree, CONFIG_FILE, MAX_CONFIG_BYTES, worktree);
    return resolveConfig({
      flags: this.flags,
      env: process.env,
      gitConfig: this.gitConfig,
      file: file ?? undefined,
      languageIds: LANGUAGE_IDS,
    });
  }

  private async readSetting(
    tree: string | null,
    name: string,
    limit: number,
    worktree: boolean,
  ): Promise<{ text: string; origin: string } | null> {
    if (worktree && this.repository.workTree !== null)
      return readRegularFile(join(this.repository.workTree, name), name, limit);
    if (tree === null) return null;
    const info = await this.objects.info(`${tree}:${name}`);
    if (info?.type !== 'blob' || info.size > limit) return null;
    const object = await this.objects.read(info.oid);
    return object === null ? null : { text: object.content.toString('utf8'), origin: `${tree.slice(0, 12)}:${name}` };
  }
}

/** A symlink could point at any file of the user: only regular files count. */
function readRegularFile(path: string, origin: string, limit: number): { text: string; origin: string } | null {
  try {
    const stat = lstatSync(path);
    if (!stat.isFile() || stat.size > limit) return null;
    return { text: readFileSync(path, 'utf8'), origin };
  } catch {
    return null;
  }
}
