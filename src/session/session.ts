/** An open repository with what every operation needs: git access, configuration, the profile, the shard directory. */
import { join } from 'node:path';
import { isSocraticodeError } from '../base/errors.js';
import { stateFolder } from '../base/local-key.js';
import { keepLog, log } from '../base/log.js';
import { remember } from '../base/remember.js';
import type { Artifact } from '../config/context-artifacts.js';
import { CONFIG_KEYS } from '../config/keys.js';
import { canonicalJson, profileId } from '../config/profile.js';
import { resolveConfig } from '../config/resolve.js';
import type { Config, ConfigSources, Resolved } from '../config/types.js';
import { syntaxFingerprint } from '../extract/version.js';
import { countChanges, readChanges, settled, type WorkTreeChanges } from '../git/changes.js';
import { EMPTY_TREES } from '../git/diff.js';
import { GitReader, type SnapshotReader } from '../git/reader.js';
import { localStateDirectory, openRepository, type Repository } from '../git/repository.js';
import type { ResolvedRef } from '../git/snapshot.js';
import { listUnion } from '../git/union.js';
import { type ConfigEntry, isPartialClone, readGitConfig, withoutConfiguredHooks } from '../git/worktree.js';
import type { AttributesFile, Catalog, CatalogOptions } from '../indexer/catalog.js';
import { LANGUAGE_IDS } from '../languages/registry.js';
import { ShardDirectory } from '../shard/directory.js';
import type { Supplier } from './background-indexer.js';
import {
  CONFIG_FILE,
  IGNORE_FILE,
  readArtifacts,
  readSetting,
  type SettingFile,
  type SettingSource,
} from './setting-files.js';

export interface SessionOptions {
  /** Any directory of the repository; default: where the process runs, or what GIT_DIR says. */
  directory?: string;
  /** Configuration typed on the command line. */
  flags?: Record<string, unknown>;
  /** Nothing will be written: enough for machines without git. */
  readOnly?: boolean;
}

/** A snapshot with the configuration that applies to it and the files it is made of. */
export interface Scope extends ResolvedRef, Resolved<Config> {
  catalog: Catalog;
}

/** Where a scope comes from: everything its files and settings depend on. */
export interface ScopeOrigin {
  resolved: ResolvedRef;
  file: SettingFile | null;
  /** Text of `.socraticodeignore`. */
  ignore: string | null;
  /** Named files and folders beside the code. */
  artifacts?: readonly Artifact[];
  /** Why the file that names them says nothing; only questions about them fail for it. */
  artifactsFault?: string;
  /** Further trees whose files belong to the snapshot. */
  trees?: readonly string[];
  /** `.gitattributes` files that are not as in the tree. */
  attributes?: readonly AttributesFile[];
  /** Equal for equal trees and settings: what caches are keyed by. */
  key: string;
}

interface HeadOptions {
  unborn?: boolean;
  head?: string | null;
}

/** Snapshots remembered by a long-lived process. */
const SCOPES_KEPT = 8;

export class Session {
  readonly profile = profileId(syntaxFingerprint());
  /** What the profile stands for, as one line of JSON. */
  readonly about = canonicalJson(syntaxFingerprint());
  readonly shards: ShardDirectory;
  /** Who indexes and links what a question lacks; null: whoever asks it. */
  supplier: Supplier | null = null;
  private readonly scopes = new Map<string, Promise<Scope>>();
  private readonly closers: (() => void)[] = [];
  /** Ends what nobody waits for any more: an answer that has failed in one part leaves the others behind. */
  private readonly ending = new AbortController();

  private constructor(
    readonly repository: Repository,
    readonly objects: SnapshotReader,
    readonly gitConfig: readonly ConfigEntry[],
    private readonly flags: Record<string, unknown>,
  ) {
    this.closers.push(keepLog(localStateDirectory(repository)));
    const folder = join(localStateDirectory(repository), stateFolder(this.profile));
    this.shards = new ShardDirectory(folder, this.profile);
  }

  static async open(options: SessionOptions = {}): Promise<Session> {
    try {
      const repository = await openRepository(options.directory);
      const config = await readGitConfig(repository.git);
      repository.git = repository.git.withConfig(withoutConfiguredHooks(config));
      const reader = new GitReader(repository.git, isPartialClone(config));
      return new Session(repository, reader, config, options.flags ?? {});
    } catch (error) {
      if (options.readOnly && isSocraticodeError(error, 'GIT_MISSING')) return Session.openWithoutGit(options);
      throw error;
    }
  }

  private static async openWithoutGit(options: SessionOptions): Promise<Session> {
    const { countDirtyWithoutGit, IsomorphicReader, openWithoutGit, readConfigWithoutGit } = await import(
      '../git/isomorphic.js'
    );
    log.debug('no git here: reading through isomorphic-git');
    const repository = await openWithoutGit(options.directory);
    const keys = Object.keys(CONFIG_KEYS).map((key) => `socraticode.${key}`);
    const config = await readConfigWithoutGit(repository, keys);
    const session = new Session(repository, new IsomorphicReader(repository), config, options.flags ?? {});
    session.readChanges = null;
    session.countDirty = () => countDirtyWithoutGit(repository);
    return session;
  }

  /** What differs from HEAD in the work tree, or among some of its paths; null where only their number can be told. */
  readChanges: ((paths?: readonly string[]) => Promise<WorkTreeChanges>) | null = (paths) =>
    settled(
      () => readChanges(this.repository, this.gitConfig, paths, this.ending.signal),
      async () => (await this.objects.info('HEAD^{commit}'))?.oid ?? null,
    );

  /** Files of the work tree that differ from HEAD. */
  countDirty = (): Promise<number> => countChanges(this.repository, this.gitConfig, this.ending.signal);

  /** Called when the session ends; must not throw. */
  onClose(closer: () => void): void {
    this.closers.push(closer);
  }

  close(): void {
    for (const closer of this.closers.splice(0)) closer();
    this.ending.abort();
    this.objects.close();
  }

  get oidBytes(): number {
    return this.repository.objectFormat === 'sha256' ? 32 : 20;
  }

  /**
   * Resolves a ref and reads the settings that apply to it, without listing its files. Without a ref the snapshot is
   * HEAD, and the work tree's own `.socraticode.json` and its like apply as they are now; with one, those
   * of its tree do. `unborn`: before the first commit HEAD is the empty tree, where there are files to look at.
   * `head`: the commit that HEAD was (null: none yet), wherever it is by now.
   */
  async origin(ref?: string, { unborn = false, head }: HeadOptions = {}): Promise<ScopeOrigin> {
    const resolved = await (ref === undefined ? this.resolveHead(unborn, head) : this.objects.resolve(ref));
    const worktree = ref === undefined;
    const source = this.settingsAt(resolved.tree, worktree);
    const [file, ignoreFile, { artifactsKey, ...artifacts }] = await Promise.all([
      readSetting(source, CONFIG_FILE),
      readSetting(source, IGNORE_FILE),
      readArtifacts(source),
    ]);
    const ignore = ignoreFile?.text ?? null;
    const parts = [resolved.tree, file?.text, ignore, this.flags, this.ambientSettings()];
    const key = JSON.stringify(artifactsKey === undefined ? parts : [...parts, artifactsKey]);
    return { resolved, file, ignore, ...artifacts, key };
  }

  private async resolveHead(unborn: boolean, head?: string | null): Promise<ResolvedRef> {
    const { workTree, objectFormat } = this.repository;
    const none: ResolvedRef = { ref: 'HEAD', commit: null, tree: EMPTY_TREES[objectFormat] };
    if (head === null) return none;
    try {
      return { ...(await this.objects.resolve(head ?? 'HEAD')), ref: 'HEAD' };
    } catch (error) {
      if (!unborn || workTree === null || !isSocraticodeError(error, 'UNBORN_HEAD')) throw error;
      return none;
    }
  }

  /** A ref's files and settings. */
  async scope(ref?: string): Promise<Scope> {
    return this.scopeOf(await this.origin(ref));
  }

  async scopeOf(origin: ScopeOrigin): Promise<Scope> {
    const known = this.scopes.get(origin.key) ?? this.makeScope(origin);
    remember(this.scopes, origin.key, known, SCOPES_KEPT);
    known.catch((error) => {
      // A tree that is refused stays so: listing it again would only take as long again.
      if (!isSocraticodeError(error, 'BAD_ARGUMENT')) this.scopes.delete(origin.key);
    });
    return { ...(await known), ...origin.resolved };
  }

  /** What else settings are made of: variables and git configuration of this program. */
  private ambientSettings(): unknown {
    const variables = Object.entries(process.env).filter(([name]) => name.startsWith('SOCRATICODE_'));
    const ours = this.gitConfig.filter(({ key }) => key.startsWith('socraticode.'));
    // Not where it was read: that differs between work trees, and by how git is asked.
    return [variables.sort(), ours.map(({ key, value, scope }) => [key, value, scope])];
  }

  private async makeScope(origin: ScopeOrigin): Promise<Scope> {
    const { resolved, trees = [], attributes } = origin;
    const source = { git: this.repository.git, objects: this.objects };
    const listing = trees.length > 0 ? listUnion(source, resolved.tree, trees) : this.objects.list(resolved.tree);
    // Loaded while git lists: not needed where a cached view answers.
    const [entries, { selection, settings }, { buildCatalog }] = await Promise.all([
      listing,
      this.selectionOf(origin),
      import('../indexer/catalog.js'),
    ]);
    const catalog = await buildCatalog(entries, this.objects, { ...selection, attributes });
    return { ...resolved, ...settings, catalog };
  }

  /** Which files of an origin are searched, by path and size, and all its settings. Throws BAD_CONFIG. */
  async selectionOf({ file, ignore, artifacts }: ScopeOrigin): Promise<{
    selection: CatalogOptions & { maxFileBytes: number };
    settings: Resolved<Config>;
  }> {
    const [settings, { createSelector }] = await Promise.all([
      this.resolveSettings(file),
      import('../config/select.js'),
    ]);
    const { include, exclude, languages, maxFileBytes } = settings.config;
    const named = artifacts?.flatMap(({ inside }) => inside ?? []);
    const select = createSelector({ include, exclude, ignoreFile: ignore ?? undefined, named });
    return { selection: { select, languages, maxFileBytes }, settings };
  }

  /** The settings of an origin, without listing its files. Throws BAD_CONFIG. */
  async configOfOrigin({ file }: ScopeOrigin): Promise<Resolved<Config>> {
    return this.resolveSettings(file);
  }

  /** The settings for a tree; `worktree` prefers the work tree's file. Throws BAD_CONFIG. */
  async configOf(tree: string | null, worktree: boolean): Promise<Resolved<Config>> {
    return this.resolveSettings(await readSetting(this.settingsAt(tree, worktree), CONFIG_FILE));
  }

  private resolveSettings(file: SettingFile | null): Promise<Resolved<Config>> {
    return resolveConfig(this.sourcesOf({ file }));
  }

  /** What the settings of an origin are read from. */
  sourcesOf({ file }: Pick<ScopeOrigin, 'file'>): ConfigSources {
    return {
      flags: this.flags,
      env: process.env,
      gitConfig: this.gitConfig,
      file: file ?? undefined,
      languageIds: LANGUAGE_IDS,
    };
  }

  private settingsAt(tree: string | null, worktree: boolean): SettingSource {
    return { workTree: worktree ? this.repository.workTree : null, tree, objects: this.objects };
  }
}
