/** Repositories that a server answers about: the one in which it was started, and those that its user allows in addition. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TIMED_OUT, waitFor } from '../base/async.js';
import { isSocraticodeError, SocraticodeError } from '../base/errors.js';
import { signs, visibleLine } from '../base/printable.js';
import { openRepository, type Repository, realParts } from '../git/repository.js';
import type { LinkAccess } from '../session/siblings/ask.js';
import { isWithin } from '../session/siblings/links.js';
import { Project, Waits } from './project.js';

export interface ProjectsOptions {
  /** Directory in which the server was started. */
  directory: string;
  /** Directories that the user named when starting the server: clients may ask about them and about directories in them. */
  allow?: readonly string[];
  /** Directory to try if the server was started outside of a repository and the client names none. */
  fallback?: string;
}

/** A project in use: it stays open until `release` is called. */
export interface Lease {
  project: Project;
  release: () => void;
}

interface Entry {
  project: Promise<Project>;
  users: number;
  usedAt: number;
  /** True after the project was replaced or removed: it is closed when its last user releases it. */
  isRetired: boolean;
}

/** Each holds the shards and the graph of a repository. */
const MAX_OPEN = 8;
/** Time after which a user that never releases its project counts as gone. */
const ASSUMED_MS = 60_000;
/** Longest wait for the client's list of roots. */
const ROOTS_MS = 3_000;

/** Asks the client for its roots, as paths or `file:` URIs. They are trusted, since its user opened them. */
type Roots = () => Promise<readonly string[]>;

export class Projects {
  /** Questions about any of them that wait for a background process. */
  readonly waits = new Waits();
  private readonly access: Access;
  /** By git directory; `retired` holds replaced ones that are still used. */
  private readonly entries = new Map<string, Entry>();
  private readonly retired = new Set<Entry>();
  private home: Promise<Repository> | null = null;

  constructor(private readonly options: ProjectsOptions) {
    const { directory, allow = [], fallback } = options;
    this.access = new Access(directory, fallback === undefined ? allow : [...allow, fallback]);
  }

  /**
   * Opens a project. `path`: any directory of a repository, absolute, relative to the server's directory, or a `file:` URI;
   * default: the server's own repository. Throws BAD_ARGUMENT for any that is not allowed, NOT_A_REPOSITORY, UNSAFE_REPOSITORY, GIT_MISSING.
   */
  async open(path?: string, roots?: Roots): Promise<Project> {
    const { project, release } = await this.lease(path, roots);
    setTimeout(release, ASSUMED_MS).unref();
    return project;
  }

  /** Opens a project and keeps it open until the caller releases it. */
  async lease(path?: string, roots?: Roots): Promise<Lease> {
    const repository = path === undefined ? await this.defaultRepository(roots) : await this.named(path, roots);
    const known = this.entries.get(repository.gitDir);
    if (known !== undefined) await this.examine(repository.gitDir, known);
    const entry = this.entries.get(repository.gitDir) ?? this.add(repository);
    entry.users++;
    entry.usedAt = performance.now();
    let isHeld = true;
    const release = () => {
      if (isHeld) this.release(entry);
      isHeld = false;
    };
    try {
      return { project: await entry.project, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Allows an absolute directory and everything in it; the caller has the user's consent. */
  permit(directory: string): void {
    this.access.permit(directory);
  }

  /** Directories allowed in addition to the server's own. */
  get allowed(): string[] {
    return this.access.allowed;
  }

  /** Returns the open projects, the last used first. */
  async opened(): Promise<Project[]> {
    const entries = [...this.entries.values()].sort((a, b) => b.usedAt - a.usedAt);
    const projects = await Promise.allSettled(entries.map(({ project }) => project));
    return projects.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  }

  async close(): Promise<void> {
    const all = [...this.entries.values(), ...this.retired];
    this.entries.clear();
    this.retired.clear();
    for (const { project } of all) (await project.catch(() => null))?.close();
  }

  private async named(path: string, roots?: Roots): Promise<Repository> {
    const home = await this.served().catch(() => null);
    return this.access.admit(path, home, async () => [
      ...(await directoriesOf(roots)),
      ...(home === null ? [] : await this.linkedDirectories(roots)),
    ]);
  }

  /** Directories of the repositories that are linked with the server's own, where its user consented to it. */
  private async linkedDirectories(roots?: Roots): Promise<string[]> {
    const [{ project, release }, { findLinks, inspectLink }] = await Promise.all([
      this.lease(undefined, roots),
      import('../session/siblings/links.js'),
    ]);
    try {
      const { session } = project;
      const { list, consent } = await findLinks(session, await session.origin(undefined, { unborn: true }));
      const inspected = await Promise.all(
        list.map(async (link) => {
          if (link.directory === null || link.refusal !== null) return [];
          const found = await inspectLink(link, link.directory, session.repository, consent);
          return 'commonDir' in found ? [link.directory] : [];
        }),
      );
      return inspected.flat();
    } finally {
      release();
    }
  }

  private served(): Promise<Repository> {
    if (this.home === null) {
      const home = openRepository(this.options.directory);
      this.home = home;
      home.catch(() => {
        this.home = null;
      });
    }
    return this.home;
  }

  /** Returns the server's own repository, else the first root of the client that is a repository, else the first that its user allowed. */
  private async defaultRepository(roots?: Roots): Promise<Repository> {
    try {
      return await this.served();
    } catch (error) {
      if (!isSocraticodeError(error, 'NOT_A_REPOSITORY') && !isSocraticodeError(error, 'BAD_ARGUMENT')) throw error;
    }
    const { directory, fallback, allow = [] } = this.options;
    const others = [...(await directoriesOf(roots)), ...(fallback === undefined ? [] : [fallback]), ...allow];
    for (const path of others) {
      const repository = await openRepository(path).catch(() => null);
      if (repository !== null) return repository;
    }
    throw new SocraticodeError('NOT_A_REPOSITORY', `${visibleLine(directory)} is not in a git repository`);
  }

  /** Retires a project whose repository was replaced. Throws NOT_A_REPOSITORY if it was removed. */
  private async examine(key: string, entry: Entry): Promise<void> {
    const project = await entry.project;
    const pulse = await project.check();
    if (pulse === 'alive' || this.entries.get(key) !== entry) return;
    this.retire(key, entry);
    if (pulse === 'changed') return;
    this.home = null;
    throw new SocraticodeError('NOT_A_REPOSITORY', `the repository at ${visibleLine(project.root)} was removed`);
  }

  private add(repository: Repository): Entry {
    const key = repository.gitDir;
    const project = Project.open(repository.workTree ?? repository.gitDir, this.waits);
    const entry: Entry = { project, users: 0, usedAt: performance.now(), isRetired: false };
    this.entries.set(key, entry);
    project.catch(() => {
      if (this.entries.get(key) === entry) this.entries.delete(key);
    });
    void this.closeIdle();
    return entry;
  }

  private release(entry: Entry): void {
    entry.users--;
    if (entry.isRetired && entry.users === 0) void this.end(entry);
  }

  private retire(key: string, entry: Entry): void {
    this.entries.delete(key);
    entry.isRetired = true;
    this.retired.add(entry);
    if (entry.users === 0) void this.end(entry);
  }

  private async end(entry: Entry): Promise<void> {
    this.retired.delete(entry);
    (await entry.project.catch(() => null))?.close();
  }

  /** Closes the projects used longest ago that have neither users nor a running job. */
  private async closeIdle(): Promise<void> {
    const byAge = [...this.entries].sort(([, a], [, b]) => a.usedAt - b.usedAt);
    let over = byAge.length - MAX_OPEN;
    for (const [key, entry] of byAge) {
      if (over <= 0) return;
      if (entry.users > 0) continue;
      const project = await entry.project.catch(() => null);
      if (entry.users > 0 || project?.background.isBusy || this.entries.get(key) !== entry) continue;
      this.retire(key, entry);
      over--;
    }
  }
}

async function directoriesOf(roots: Roots | undefined): Promise<string[]> {
  if (roots === undefined) return [];
  const named = await waitFor(roots(), { ms: ROOTS_MS }).catch(() => []);
  return named === TIMED_OUT ? [] : named.flatMap((root) => fromUri(root) ?? []);
}

/** No system accepts longer paths. */
const MAX_PATH = 4_096;
const MAX_SHOWN = 200;

/**
 * Decides which repositories a server may be asked about. Arguments come from a model that may have read hostile text, so they
 * can name only directories that the user has opened or allowed. Every decision is about real paths, with links resolved.
 */
class Access {
  private readonly trusted = new Set<string>();

  /** `directory`: the server's own, which relative paths start from. `allow`: further directories that the user named. */
  constructor(
    readonly directory: string,
    allow: readonly string[],
  ) {
    for (const path of allow) this.permit(resolve(path));
  }

  /** Allows an absolute directory and everything in it; a missing directory is ignored. */
  permit(path: string): void {
    const real = realPath(path);
    if (real !== null) this.trusted.add(real);
  }

  /** Directories allowed in addition to the server's own. */
  get allowed(): string[] {
    return [...this.trusted];
  }

  /**
   * Opens the repository that a path names: the server's own, or one in a trusted directory. `more` returns further trusted
   * directories. Throws BAD_ARGUMENT for any other path, existing or not, and the errors of opening.
   */
  async admit(path: string, home: Repository | null, more: () => Promise<string[]>): Promise<Repository> {
    const real = realPath(resolve(this.directory, plainPath(path)));
    if (real === null || !isDirectory(real)) throw this.refusal(path, home);
    const own = home === null ? [] : homesOf(home);
    if (home !== null && isWorktreeOf(real, home)) return openRepository(real);
    const trusted = [...own, ...this.trusted];
    const known = trusted.some((directory) => isWithin(real, directory));
    const all = known ? trusted : [...trusted, ...(await more()).flatMap((directory) => realPath(directory) ?? [])];
    const around = all.filter((directory) => isWithin(real, directory));
    if (around.length === 0) throw this.refusal(path, home);
    const repository = await openRepository(real);
    if (!(await belongsTo(repository, around, home))) throw this.refusal(path, home);
    return repository;
  }

  private refusal(path: string, home: Repository | null): SocraticodeError {
    const named = [...(home === null ? [] : [home.workTree ?? home.gitDir]), ...this.trusted].map(shown);
    const what = named.length === 0 ? 'none yet' : named.join(', ');
    return new SocraticodeError('BAD_ARGUMENT', `not a directory that this server answers about: ${shown(path)}`, {
      hint: `It answers about: ${what}. Others have to be allowed when the server is started.`,
    });
  }
}

function shown(path: string): string {
  return visibleLine(path.length > MAX_SHOWN ? `${path.slice(0, MAX_SHOWN)}${signs.cut}` : path);
}

/** Path that a text names; text that cannot be a path becomes one that never resolves. */
function plainPath(text: string): string {
  const isPath = text.length > 0 && text.length <= MAX_PATH && !text.includes('\0');
  const path = isPath ? fromUri(text) : null;
  // No path contains a NUL, so resolving it fails.
  return path === null || path.includes('\0') ? '\0' : path;
}

/** Converts a `file:` URI to a path and returns other text unchanged; null for a malformed URI or another machine's. */
function fromUri(text: string): string | null {
  if (!/^file:/i.test(text)) return text;
  try {
    return fileURLToPath(text);
  } catch {
    return null;
  }
}

function realPath(path: string): string | null {
  try {
    // The native variant returns names as they are on disk, which matters where case is ignored.
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Returns the work tree and the git directories, which contain those of submodules. */
function homesOf({ workTree, gitDir, commonDir }: Repository): string[] {
  return [...(workTree === null ? [] : [workTree]), gitDir, commonDir].flatMap((path) => realPath(path) ?? []);
}

/**
 * Tells whether a repository belongs to one of the trusted directories, since a `.git` file from an archive can lead to any
 * repository of this machine. Accepted are repositories inside a trusted directory, the one that contains it, and work trees
 * that their own repository lists.
 */
async function belongsTo(repository: Repository, around: readonly string[], home: Repository | null): Promise<boolean> {
  if (home?.commonDir === repository.commonDir && home.gitDir === repository.gitDir) return true;
  const parts = realParts(repository);
  const places = [...around, ...(home === null ? [] : homesOf(home))];
  if (parts?.every((part) => places.some((place) => isWithin(part, place)))) return true;
  if (isKnownWorktree(repository.gitDir, repository.commonDir, repository.workTree)) return true;
  for (const directory of around) {
    const own = await openRepository(directory).catch(() => null);
    if (own?.gitDir === repository.gitDir && own.commonDir === repository.commonDir) return true;
  }
  return false;
}

/** True for a directory in a work tree that `.git` and the repository's own list agree on. Runs no git. */
function isWorktreeOf(directory: string, { commonDir }: Repository): boolean {
  for (let at = directory; ; at = dirname(at)) {
    const target = gitFileTarget(join(at, '.git'));
    if (target !== undefined) return target !== null && isKnownWorktree(target, commonDir, at);
    if (dirname(at) === at) return false;
  }
}

/** Returns the target of a `.git` file; null for a directory, undefined if missing. */
function gitFileTarget(path: string): string | null | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (!stat.isFile() || stat.size > MAX_PATH * 2) return null;
  const target = /^gitdir: (.*?)[\r\n]*$/s.exec(readFileSync(path, 'utf8'))?.[1];
  return target === undefined ? null : realPath(resolve(dirname(path), target));
}

function isKnownWorktree(gitDir: string, commonDir: string, workTree: string | null): boolean {
  const [real, common] = [realPath(gitDir), realPath(commonDir)];
  if (real === null || common === null || workTree === null || dirname(real) !== join(common, 'worktrees'))
    return false;
  try {
    const back = readFileSync(join(real, 'gitdir'), 'utf8').trim();
    return basename(back) === '.git' && realPath(resolve(real, dirname(back))) === realPath(workTree);
  } catch {
    return false;
  }
}

// Sibling repositories, which a server opens as projects: the user's consent to the link allows that.

/** A project answers within two seconds of its first question, plus the time to open it. */
const GRACE_MS = 3_000;

/** A repository that was opened through a link can be named as a project afterwards. */
export function servedLinks(projects: Projects): LinkAccess {
  return {
    graceMs: GRACE_MS,
    async open(directory) {
      projects.permit(directory);
      const { project, release } = await projects.lease(directory);
      const { session, background } = project;
      return { session, isIndexing: () => background.isBusy, release };
    },
  };
}
