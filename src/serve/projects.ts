/** Repositories that a server answers about: the one it was started in, and those that its user allows in addition. */
import { TIMED_OUT, waitFor } from '../base/abortable.js';
import { isSocraticodeError, SocraticodeError } from '../base/errors.js';
import { visibleLine } from '../base/hygiene.js';
import { openRepository, type Repository } from '../git/repository.js';
import { Access, fromUri } from './access.js';
import { Waits } from './grace.js';
import { Project } from './project.js';

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
/** Time after which a user that never releases its project counts as done. */
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
    return this.access.admit(path, home, () => directoriesOf(roots));
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

  /** Returns the server's own repository, else the first root of the client that is one, else the first that its user allowed. */
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
    throw new SocraticodeError('NOT_A_REPOSITORY', `${visibleLine(directory)} is not in a git repository`, {
      hint: 'Name a directory with projectPath, or start the server in a repository: git socraticode -C DIR mcp',
    });
  }

  /** Retires a project whose repository was replaced. Throws NOT_A_REPOSITORY if it was removed. */
  private async examine(key: string, entry: Entry): Promise<void> {
    const project = await entry.project;
    const pulse = await project.check();
    if (pulse === 'alive' || this.entries.get(key) !== entry) return;
    this.retire(key, entry);
    if (pulse === 'changed') return;
    this.home = null;
    throw new SocraticodeError('NOT_A_REPOSITORY', `the repository at ${visibleLine(project.root)} was removed`, {
      hint: 'Name another directory with projectPath, or start the server in one that exists.',
    });
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
