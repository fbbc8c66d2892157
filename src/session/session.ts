/**
 * An open repository with everything that each question needs: git access, settings, the profile, the shard directory, and the directory
 * that paths of a question are relative to.
 */
import { setMaxListeners } from 'node:events';
import { realpathSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { plainFileAt, readPlainFile } from '../base/atomic.js';
import { remember, StateFiles } from '../base/cache.js';
import { isSocraticodeError, SocraticodeError } from '../base/errors.js';
import { stateFolder } from '../base/local-key.js';
import { keepLog, log } from '../base/log.js';
import { visibleLine } from '../base/printable.js';
import { phase } from '../base/progress.js';
import { ARTIFACTS_FILE, type Artifact, MAX_ARTIFACTS_READ, parseArtifacts } from '../config/context-artifacts.js';
import { canonicalJson, profileId, resolveConfig } from '../config/resolve.js';
import type { SelectorOptions } from '../config/select.js';
import { type Config, type ConfigSources, type Resolved, SETTINGS } from '../config/settings.js';
import { syntaxFingerprint } from '../extract/version.js';
import { EMPTY_TREES } from '../git/diff.js';
import { findTopEntry, GitReader, type ObjectReader, type ResolvedRef, type SnapshotReader } from '../git/objects.js';
import {
  type ConfigEntry,
  isPartialClone,
  localStateDirectory,
  openRepository,
  type Repository,
  readGitConfig,
  withoutConfiguredHooks,
} from '../git/repository.js';
import { countChanges, readChanges, settled, type WorkTreeChanges } from '../git/status.js';
import type { Prefix } from '../graph/query/node-place.js';
import type { CatalogOptions } from '../indexer/catalog.js';
import { LANGUAGE_IDS } from '../languages/ids.js';
import type { UnsavedTexts } from '../overlay/overlay.js';
import { COMPILER_FINGERPRINT, COMPILER_KIND } from '../record/format.js';
import { ShardDirectory } from '../shard/directory.js';
import type { SnapshotFiles, SnapshotOrigin } from './snapshot/snapshot.js';

interface SessionOptions {
  /** Any directory of the repository; default: the current directory, or GIT_DIR. */
  directory?: string;
  /** Settings given on the command line. */
  flags?: Record<string, unknown>;
  /** Allows machines without git, where nothing can be written. */
  readOnly?: boolean;
}

interface HeadOptions {
  unborn?: boolean;
  head?: string | null;
}

/** Limit on the file lists that a long-lived process remembers. */
const MAX_CACHED_LISTS = 8;

/** Profile of compilers' records about names. It names only the format, so all indexers share it. */
export const COMPILER_PROFILE = profileId(COMPILER_FINGERPRINT);
export const COMPILER_ABOUT = canonicalJson(COMPILER_FINGERPRINT);
const COMPILER_REF = `refs/notes/socraticode/${COMPILER_KIND}/${COMPILER_PROFILE}`;

export class Session {
  readonly profile = profileId(syntaxFingerprint());
  /** Fingerprint that the profile is a hash of, as one line of JSON. */
  readonly about = canonicalJson(syntaxFingerprint());
  readonly shards: ShardDirectory;
  /** Local state beside the shards. */
  readonly state: StateFiles;
  /** Indexes and links missing snapshots on behalf of questions; null: each question does it itself. */
  backgroundIndexer: BackgroundIndexer | null = null;
  /** Texts of an editor that stand in for files of the work tree; set before the first question. */
  unsaved: UnsavedTexts | null = null;
  private readonly lists = new Map<string, Promise<SnapshotFiles>>();
  private readonly closers: (() => void)[] = [];
  /** Ends git commands that still run when the session closes, such as those of an answer that failed elsewhere. */
  private readonly ending = new AbortController();

  private constructor(
    readonly repository: Repository,
    readonly objects: SnapshotReader,
    readonly gitConfig: readonly ConfigEntry[],
    private readonly flags: Record<string, unknown>,
  ) {
    this.closers.push(keepLog(localStateDirectory(repository)));
    // Each running command listens, and many questions may run at once.
    setMaxListeners(0, this.ending.signal);
    const folder = join(localStateDirectory(repository), stateFolder(this.profile));
    this.shards = new ShardDirectory(folder, this.profile);
    this.state = new StateFiles(folder);
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
    const keys = Object.keys(SETTINGS).map((key) => `socraticode.${key}`);
    const config = await readConfigWithoutGit(repository, keys);
    const session = new Session(repository, new IsomorphicReader(repository), config, options.flags ?? {});
    session.readChanges = null;
    session.state.isReadOnly = true;
    session.countDirty = () => countDirtyWithoutGit(repository);
    return session;
  }

  /** Reads the changes of the work tree against HEAD, or of some paths; null without git, which allows counting only. */
  readChanges: ((paths?: readonly string[]) => Promise<WorkTreeChanges>) | null = (paths) =>
    settled(
      () => readChanges(this.repository, this.gitConfig, paths, this.ending.signal),
      async () => (await this.objects.info('HEAD^{commit}'))?.oid ?? null,
    );

  /** Counts the files of the work tree that differ from HEAD. */
  countDirty = (): Promise<number> => countChanges(this.repository, this.gitConfig, this.ending.signal);

  /** False where no git program is: then only committed files are read, by isomorphic-git. */
  get hasGit(): boolean {
    return this.readChanges !== null;
  }

  /** Registers a function to call when the session closes; it must not throw. */
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
   * Resolves a ref and reads the settings that apply to it, without listing its files. Without a ref the snapshot is HEAD under the
   * setting files of the work tree (`.socraticode.json`, `.socraticodeignore`) as they are now; with a ref, under those of the ref's
   * tree. `unborn`: before the first commit HEAD stands for the empty tree, so that uncommitted files can be searched. `head`: the commit
   * to use for HEAD (null: no commit yet), even if HEAD has moved.
   */
  origin(ref?: string, options: HeadOptions = {}): Promise<SnapshotOrigin> {
    return phase('snapshot', () => this.findOrigin(ref, options));
  }

  private async findOrigin(ref: string | undefined, { unborn = false, head }: HeadOptions): Promise<SnapshotOrigin> {
    const resolved = await (ref === undefined ? this.resolveHead(unborn, head) : this.objects.resolve(ref));
    const worktree = ref === undefined;
    const source = this.settingsAt(resolved.tree, worktree);
    const [file, ignoreFile, { artifactsKey, ...artifacts }, compiled] = await Promise.all([
      readSetting(source, CONFIG_FILE),
      readSetting(source, IGNORE_FILE),
      readArtifacts(source),
      this.objects.info(COMPILER_REF),
    ]);
    const ignore = ignoreFile?.text ?? null;
    const parts = [resolved.tree, file?.text, ignore, this.flags, this.ambientSettings()];
    const key = JSON.stringify(artifactsKey === undefined ? parts : [...parts, artifactsKey]);
    return { resolved, file, ignore, ...artifacts, ...(compiled && { compiled: compiled.oid }), key };
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

  /** Lists the files of a ref under its settings. */
  async files(ref?: string): Promise<SnapshotFiles> {
    return this.filesOf(await this.origin(ref));
  }

  async filesOf(origin: SnapshotOrigin): Promise<SnapshotFiles> {
    const known = this.lists.get(origin.key) ?? phase('files', () => this.listFiles(origin));
    remember(this.lists, origin.key, known, MAX_CACHED_LISTS);
    known.catch((error) => {
      // The error for a refused tree is remembered, since listing it again would take as long.
      if (!isSocraticodeError(error, 'BAD_ARGUMENT')) this.lists.delete(origin.key);
    });
    return { ...(await known), ...origin.resolved };
  }

  /** Returns the settings of the environment and of git's configuration. */
  private ambientSettings(): unknown {
    const variables = Object.entries(process.env).filter(
      ([name]) => name.startsWith('SOCRATICODE_') && name !== 'SOCRATICODE_JOBS',
    );
    // The number of parsers changes no snapshot.
    const ours = this.gitConfig.filter(({ key }) => key.startsWith('socraticode.') && key !== 'socraticode.jobs');
    // The file of each value is left out: it differs between work trees, and with the way that git is called.
    return [variables.sort(), ours.map(({ key, value, scope }) => [key, value, scope])];
  }

  private async listFiles(origin: SnapshotOrigin): Promise<SnapshotFiles> {
    const { resolved, trees = [], attributes } = origin;
    const source = { git: this.repository.git, objects: this.objects };
    const listing =
      trees.length > 0
        ? import('../git/branches.js').then(({ listUnion }) => listUnion(source, resolved.tree, trees))
        : this.objects.list(resolved.tree);
    // Imported while git lists: a search that finds a cached view does not get here.
    const [entries, { selection, settings }, { buildCatalog }] = await Promise.all([
      listing,
      this.selectionOf(origin),
      import('../indexer/catalog.js'),
    ]);
    const catalog = await buildCatalog(entries, this.objects, { ...selection, attributes });
    return { ...resolved, ...settings, catalog };
  }

  /** Returns the settings of an origin, and the rules that select its files by path and size. Throws BAD_CONFIG. */
  async selectionOf(origin: SnapshotOrigin): Promise<{
    selection: CatalogOptions & { maxFileBytes: number };
    settings: Resolved<Config>;
  }> {
    const [settings, { createSelector }] = await Promise.all([
      this.resolveSettings(origin.file),
      import('../config/select.js'),
    ]);
    const { languages, maxFileBytes } = settings.config;
    const select = createSelector(selectorOptions(origin, settings.config));
    return { selection: { select, languages, maxFileBytes }, settings };
  }

  async configOfOrigin({ file }: SnapshotOrigin): Promise<Resolved<Config>> {
    return this.resolveSettings(file);
  }

  /** Returns the settings of a tree. `worktree`: the work tree's file comes first. Throws BAD_CONFIG. */
  async configOf(tree: string | null, worktree: boolean): Promise<Resolved<Config>> {
    return this.resolveSettings(await readSetting(this.settingsAt(tree, worktree), CONFIG_FILE));
  }

  private resolveSettings(file: SettingFile | null): Resolved<Config> {
    return resolveConfig(this.sourcesOf({ file }));
  }

  sourcesOf({ file }: Pick<SnapshotOrigin, 'file'>): ConfigSources {
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

export function selectorOptions(
  { ignore, artifacts }: SnapshotOrigin,
  { include, exclude }: Pick<Config, 'include' | 'exclude'>,
): SelectorOptions {
  const named = artifacts?.flatMap(({ inside }) => inside ?? []);
  return { include, exclude, ignoreFile: ignore ?? undefined, named };
}

export interface SettingFile {
  text: string;
  origin: string;
}

interface SettingPlace {
  name: string;
  /** A larger file is refused rather than silently ignored. */
  maxBytes: number;
}

const CONFIG_FILE: SettingPlace = { name: '.socraticode.json', maxBytes: 64 * 1024 };
export const IGNORE_FILE: SettingPlace = { name: '.socraticodeignore', maxBytes: 256 * 1024 };

/** Places to read settings from: the work tree, if there is one, before the tree. */
interface SettingSource {
  workTree: string | null;
  tree: string | null;
  objects: ObjectReader;
}

/** Reads regular files only, since a symlink could point at any file of the user. Throws BAD_CONFIG for a file that is too large. */
async function readSetting(source: SettingSource, place: SettingPlace): Promise<SettingFile | null> {
  const { workTree, tree } = source;
  if (workTree !== null) return inWorkTree(join(workTree, place.name), place);
  return tree === null ? null : inTree(source.objects, tree, place);
}

function inWorkTree(path: string, { name, maxBytes }: SettingPlace): SettingFile | null {
  let bytes: Buffer | null;
  try {
    bytes = readPlainFile(path, maxBytes);
    if (bytes === null && (plainFileAt(path)?.size ?? 0) > maxBytes) throw tooLarge(name, maxBytes);
  } catch (error) {
    if (isSocraticodeError(error)) throw error;
    return null;
  }
  return bytes === null ? null : { text: bytes.toString('utf8'), origin: name };
}

async function inTree(
  objects: ObjectReader,
  tree: string,
  { name, maxBytes }: SettingPlace,
): Promise<SettingFile | null> {
  const entry = await findTopEntry(objects, tree, name);
  // The blob of a symlink holds a path, not settings.
  if (entry === null || entry.type === 'symlink') return null;
  const info = await objects.info(entry.oid);
  if (info?.type !== 'blob') return null;
  const origin = `${tree.slice(0, 12)}:${name}`;
  if (info.size > maxBytes) throw tooLarge(origin, maxBytes);
  const object = await objects.read(info.oid);
  return object === null ? null : { text: object.content.toString('utf8'), origin };
}

function tooLarge(origin: string, maxBytes: number): SocraticodeError {
  return new SocraticodeError('BAD_CONFIG', `${origin} is larger than ${maxBytes / 1024} KiB`, {
    hint: 'Make it smaller: a pattern for a folder does what one for each file in it does.',
  });
}

const ARTIFACTS_PLACE: SettingPlace = { name: ARTIFACTS_FILE, maxBytes: MAX_ARTIFACTS_READ };

interface ArtifactsRead {
  artifacts?: readonly Artifact[];
  artifactsFault?: string;
  /** Different for different files; undefined without a file. */
  artifactsKey?: string;
}

/** Warns once about an invalid file. Only questions about artifacts fail because of it. */
async function readArtifacts(source: SettingSource): Promise<ArtifactsRead> {
  let artifactsKey: string | undefined;
  try {
    const file = await readSetting(source, ARTIFACTS_PLACE);
    if (file === null) return {};
    artifactsKey = file.text;
    return { artifacts: parseArtifacts(file), artifactsKey };
  } catch (error) {
    if (!isSocraticodeError(error, 'BAD_CONFIG')) throw error;
    log.printOnce('warn', `${visibleLine(error.message)}; context artifacts are left out`);
    return { artifactsFault: error.message, artifactsKey: artifactsKey ?? error.message };
  }
}

/** Path of a directory (default: the current one) in the work tree; the top if it is outside. */
export function prefixOf({ repository }: Pick<Session, 'repository'>, directory = '.'): Prefix {
  const { workTree } = repository;
  if (workTree === null) return { directory: '', workTree };
  try {
    const root = realpathSync(workTree);
    const path = relative(root, realpathSync(resolve(directory)));
    const isInside = path !== '..' && !path.startsWith(`..${sep}`);
    return { directory: isInside ? path.split(sep).join('/') : '', workTree: root };
  } catch {
    return { directory: '', workTree };
  }
}

/** How long a question waits for an index that is made in the background. */
export interface IndexWait {
  /** True if thousands of files are missing, and the question can be answered from some. */
  isLarge?: boolean;
  /** Returns whether there is a file to answer from; default: there is. */
  hasFiles?: () => boolean;
  signal?: AbortSignal;
}

export interface BackgroundIndexer {
  /** Has a snapshot indexed, unless that failed lately, and waits for nothing. */
  start(origin: SnapshotOrigin): void;
  /**
   * Has a snapshot indexed and waits for it: up to ten seconds, which mostly suffice, two while another process writes, and one and a half
   * for a large one. A snapshot without a file to answer from is waited for somewhat longer. Resolves when it is indexed or the time is
   * over, with the error if indexing failed: the question is then answered from the indexed files. Throws CANCELLED only.
   */
  index(origin: SnapshotOrigin, wait?: IndexWait): Promise<SocraticodeError | null>;
  /**
   * Has a snapshot linked and waits up to forty seconds, or five while another process writes. Resolves when the graph's file is written.
   * Throws NOT_READY if that takes longer, CANCELLED, and the errors of indexing and linking. With `partly` it links the files that were
   * read after ten seconds, and resolves with `part` when that graph is written.
   */
  link(origin: SnapshotOrigin, options?: { partly?: boolean; signal?: AbortSignal }): Promise<'whole' | 'part'>;
}
