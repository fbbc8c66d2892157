/**
 * A repository that a server keeps open: one session, whose preparers and caches its questions share. Notices
 * that the repository was removed, replaced or configured anew, and says how long questions wait for the background
 * process.
 */
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { TIMED_OUT, waitFor } from '../base/async.js';
import { keepHeapSmall, optimiseAsUsual } from '../base/runtime.js';
import { type ConfigEntry, readGitConfig } from '../git/repository.js';
import type { IndexWait, Session } from '../session/session.js';
import type { Snapshots } from '../session/snapshot/overlay.js';
import type { Background } from './background.js';

/** Progress of indexing in files, or in chunks while embedding; `total` is null while unknown. */
interface IndexingState {
  done: number;
  total: number | null;
}

export class Project {
  private readonly lifeline: Lifeline;

  private constructor(
    readonly session: Session,
    private readonly snapshots: Snapshots,
    /** Indexes and links in a child process. */
    readonly background: Background,
  ) {
    this.lifeline = new Lifeline(session);
    session.backgroundIndexer = background;
  }

  /** `waits` hears of questions that wait for the background process. Throws NOT_A_REPOSITORY, UNSAFE_REPOSITORY and GIT_MISSING. */
  static async open(directory: string, waits?: Waits): Promise<Project> {
    const [{ Session }, { snapshotsOf }, { Background }] = await Promise.all([
      import('../session/session.js'),
      import('../session/snapshot/overlay.js'),
      import('./background.js'),
    ]);
    const session = await Session.open({ directory });
    optimiseAsUsual();
    keepHeapSmall();
    return new Project(session, snapshotsOf(session), new Background(session, waits));
  }

  /** Absolute path of the work tree, or of the git directory of a bare repository. */
  get root(): string {
    const { workTree, gitDir } = this.session.repository;
    return workTree ?? gitDir;
  }

  /** Returns `projectId` of the settings, else the name of the directory. */
  async name(): Promise<string> {
    const { config } = await this.session.configOf(null, true).catch(() => ({ config: { projectId: undefined } }));
    return config.projectId ?? basename(this.root).replace(/\.git$/, '');
  }

  /** Progress of the files that answers still lack; null if nothing is being indexed. */
  get indexing(): IndexingState | null {
    const { running } = this.background.state();
    if (running === null || running.phase === 'linking') return null;
    return { done: running.done, total: running.total === 0 ? null : running.total };
  }

  /** True while a watcher reports changes of the work tree, so that git need not be asked. */
  get watches(): boolean {
    return this.snapshots.watches;
  }

  /** Starts the watcher now instead of with the second question; resolves when it runs, or cannot. */
  startWatching(): Promise<void> {
    return this.snapshots.startWatching();
  }

  /** Checks whether the repository is still the one that was opened; after `changed`, open it again. */
  check(): Promise<Pulse> {
    return this.lifeline.check();
  }

  close(): void {
    this.background.close();
    this.session.close();
  }
}

type Pulse = 'alive' | 'gone' | 'changed';

/** Detects that an open project's repository was removed or replaced, or that its configuration or object stores changed. */
export class Lifeline {
  private readonly identity: string;
  private readonly files: readonly string[];
  private readonly lenders: string;
  private stamps: string;

  constructor(private readonly session: Session) {
    const { repository, gitConfig } = session;
    this.identity = identityOf(session);
    this.lenders = lendersOf(session);
    const named = gitConfig.flatMap(({ origin }) => fileOf(origin, repository.git.directory));
    const others = [join(repository.commonDir, 'config'), join(repository.gitDir, 'config.worktree'), ...userFiles()];
    this.files = [...new Set([...named, ...others])];
    this.stamps = this.readStamps();
  }

  /** Calls stat on a few files; runs git only if one of its configuration files was written. */
  async check(): Promise<Pulse> {
    const identity = identityOf(this.session);
    if (identity !== this.identity) return identity.includes(MISSING) ? 'gone' : 'changed';
    if (lendersOf(this.session) !== this.lenders) return 'changed';
    const stamps = this.readStamps();
    if (stamps === this.stamps) return 'alive';
    const now = await readGitConfig(this.session.repository.git);
    if (relevant(now) !== relevant(this.session.gitConfig)) return 'changed';
    this.stamps = stamps;
    return 'alive';
  }

  private readStamps(): string {
    return this.files.map(contentStamp).join(' ');
  }
}

const MISSING = 'missing';

/** Includes the time of creation: a directory that was removed and created again may get the same inode. */
function identityOf({ repository: { gitDir, commonDir, workTree } }: Session): string {
  const directories = [gitDir, commonDir, ...(workTree === null ? [] : [workTree])];
  return directories
    .map((path) => stampOf(path, ({ dev, ino, birthtimeMs }) => `${dev}-${ino}-${birthtimeMs}`))
    .join(' ');
}

/** Stamps `alternates`: a running `git cat-file` reads that file only once. */
function lendersOf({ repository }: Session): string {
  return contentStamp(join(repository.commonDir, 'objects', 'info', 'alternates'));
}

function contentStamp(path: string): string {
  return stampOf(path, ({ ino, size, mtimeMs }) => `${ino}-${size}-${mtimeMs}`);
}

function stampOf(path: string, describe: (stat: ReturnType<typeof statSync> & object) => string): string {
  try {
    return describe(statSync(path));
  } catch {
    return MISSING;
  }
}

/** Resolves an origin of a value as git reports it: `file:.git/config`. */
function fileOf(origin: string, directory: string): string[] {
  return origin.startsWith('file:') ? [resolve(directory, origin.slice('file:'.length))] : [];
}

/** Returns the user's configuration files, which may not exist yet. */
function userFiles(): string[] {
  const { GIT_CONFIG_GLOBAL, XDG_CONFIG_HOME } = process.env;
  if (GIT_CONFIG_GLOBAL !== undefined) return GIT_CONFIG_GLOBAL === '' ? [] : [resolve(GIT_CONFIG_GLOBAL)];
  return [join(homedir(), '.gitconfig'), join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'git', 'config')];
}

/** Leaves out `branch.*`: pushes and fetches write it, and nothing here depends on it. */
function relevant(config: readonly ConfigEntry[]): string {
  return JSON.stringify(config.filter(({ key }) => !key.startsWith('branch.')));
}

/** Milliseconds that a question waits for a job. */
interface Grace {
  /** While another process writes the index: nobody knows how long that takes. */
  blocked: number;
  /** While the job makes progress: one late answer costs an agent less than a partial one and a second question. */
  working: number;
}

/** Counted from the first request for the job, so that only the first questions wait. Most refs are indexed in this time. */
export const INDEX_GRACE: Grace = { blocked: 2_000, working: 10_000 };
/**
 * Of a tree of which thousands of files are missing: they take longer than anybody waits, so the words of the first files have to do.
 * Those stand about a second after the job began.
 */
export const WORDS_GRACE: Grace = { blocked: 1_500, working: 1_500 };
/** Time that a question waits for the first files, as long as there are none: an answer without any file helps nobody. */
export const NOTHING_GRACE: Grace = { blocked: 5_000, working: 13_000 };
/**
 * Longer than for indexing: without its graph a question has no answer at all. Together with the wait for the index it stays
 * within the minute that clients wait.
 */
export const LINK_GRACE: Grace = { blocked: 5_000, working: 40_000 };

/**
 * Time after which a question that accepts a part has the files linked that were read so far. That takes 8 s of processor time
 * for 4,600 files of Java, beside the running work, and has to be done when `LINK_GRACE` is over.
 */
export const PART_GRACE: Grace = { blocked: 5_000, working: 10_000 };
/** Time after which such a question gives up: another process that writes does not keep a part from being linked. */
export const PART_END: Grace = { blocked: 30_000, working: 40_000 };
/**
 * Time after which a part that was linked for an earlier question is made anew; `OLDER_PART_END`: time after which the older
 * one is used.
 */
export const NEXT_PART_GRACE: Grace = { blocked: 2_000, working: 5_000 };
export const OLDER_PART_END: Grace = { blocked: 15_000, working: 20_000 };

/** Told when a question begins and ends to wait. */
interface Listener {
  pause: () => void;
  resume: () => void;
}

/** The questions of a server that wait for a background process, and cost the server nothing meanwhile. */
export class Waits {
  private readonly listeners: Listener[] = [];

  addListener(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** A question waits until the promise settles. */
  async during<T>(waiting: Promise<T>): Promise<T> {
    for (const listener of this.listeners) listener.pause();
    try {
      return await waiting;
    } finally {
      for (const listener of this.listeners) listener.resume();
    }
  }
}

interface Waiting {
  /** Milliseconds of the grace time that are over already. */
  spent: number;
  /** True while another process writes the index. */
  isBlocked: () => boolean;
  signal?: AbortSignal;
}

const POLL_MS = 50;

/**
 * Waits for a job that indexes as long as its grace says, and then while there is no file to answer from. Another process may be the one
 * that publishes files, so the index itself is asked. Throws the promise's error, and CANCELLED.
 */
export async function waitForFiles(
  indexed: Promise<void>,
  { isLarge, hasFiles = () => true }: Pick<IndexWait, 'isLarge' | 'hasFiles'>,
  { spent, ...how }: Waiting,
): Promise<void> {
  const from = performance.now() - spent;
  const wait = (grace: Grace) => waitForJob(indexed, grace, { ...how, spent: performance.now() - from });
  if ((await wait(isLarge ? WORDS_GRACE : INDEX_GRACE)) !== TIMED_OUT) return;
  const isOver = () => {
    const { blocked, working } = NOTHING_GRACE;
    return performance.now() - from >= (how.isBlocked() ? blocked : working);
  };
  while (!isOver() && !hasFiles()) if ((await waitFor(indexed, { ms: POLL_MS, ...how })) !== TIMED_OUT) return;
}

/** Returns the promise's value, or `TIMED_OUT`. Throws the promise's error, and CANCELLED. */
export async function waitForJob<T>(
  promise: Promise<T>,
  { blocked, working }: Grace,
  { spent, isBlocked, signal }: Waiting,
): Promise<T | typeof TIMED_OUT> {
  const first = await waitFor(promise, { ms: Math.max(0, blocked - spent), signal });
  if (first !== TIMED_OUT || isBlocked()) return first;
  return waitFor(promise, { ms: Math.max(0, working - Math.max(spent, blocked)), signal });
}
