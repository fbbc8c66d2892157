/**
 * Watches a work tree for changes, so that a long-running process need not run git for every query. It watches directories one by one,
 * since libraries such as chokidar watch every file, which takes ten times as long. If it cannot watch everything, it reports that, and
 * the caller runs git.
 */
import { type Dirent, existsSync, type FSWatcher, realpathSync, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { standingAt } from '../base/atomic.js';
import { log } from '../base/log.js';
import type { Git } from '../git/process.js';
import type { Repository } from '../git/repository.js';

/** Files of the git directory that affect which files are uncommitted. */
const GIT_FILES = new Set(['HEAD', 'index', 'MERGE_HEAD', 'config', 'config.worktree']);
/** Files with ignore rules, which decide which directories are watched. */
const RULES = new Set(['.gitignore', 'exclude']);

/** Limit on collected paths: git takes as long for more of them as for the whole tree. */
const MAX_TOUCHED = 64;

export class WorkTreeWatcher {
  private readonly root: string;
  private readonly watched = new Map<string, FSWatcher>();
  private others: FSWatcher[] = [];
  private isIgnored: Ignored = () => false;
  /** The run of git that reads the ignore rules now; null between runs. */
  private reading: Promise<void> | null = null;
  private events = 0;
  /** Paths of the events since `takeTouched`; null before its first call, and after an event that may have affected any path. */
  private touched: Set<string> | null = null;
  /** Number of pauses at present. While there is one, no version is reported. */
  private pausing = 0;
  /** True if directories or rules changed during the first scan, which is then repeated. */
  private again = false;
  /** `starting` and `watching` follow each other; `failed` and `closed` are final. */
  private state: 'starting' | 'watching' | 'failed' | 'closed' = 'starting';

  /** `onEvent` is called at every event, often several times for one change. */
  constructor(
    private readonly repository: Repository & { workTree: string },
    private readonly onEvent: () => void = () => {},
  ) {
    this.root = realpathSync.native(repository.workTree);
  }

  /** Number that changes with every event; null while not everything is watched. */
  get version(): number | null {
    return this.state === 'watching' ? this.events : null;
  }

  /** Paths of the events since the last call; null if an event may have affected other paths too. */
  takeTouched(): string[] | null {
    const touched = this.touched && [...this.touched];
    this.touched = new Set();
    return touched;
  }

  private get isOver(): boolean {
    return this.state === 'closed' || this.state === 'failed';
  }

  /** Starts watching. Resolves when everything is watched, or watching has failed. */
  async start(): Promise<void> {
    try {
      const { gitDir, commonDir } = this.repository;
      this.others.push(this.watchFile(gitDir, GIT_FILES));
      const info = join(commonDir, 'info');
      if (existsSync(info)) this.others.push(this.watchFile(info, RULES));
      do {
        this.again = false;
        await this.readRules();
        await this.add('');
      } while (this.again);
      if (this.state === 'starting') this.state = 'watching';
    } catch (error) {
      this.fail(error as Error);
    }
  }

  /** Scans all directories again after a change of rules outside the work tree. Until then, no version is reported. */
  reread(): void {
    this.stir();
    this.restart();
  }

  close(): void {
    this.end('closed');
  }

  private end(state: 'failed' | 'closed'): void {
    if (this.state === 'closed') return;
    this.state = state;
    for (const watcher of [...this.watched.values(), ...this.others]) watcher.close();
    this.watched.clear();
    this.others = [];
  }

  /** Stops watching after an error, mostly the system's limit on the number of watches. */
  private fail(error: Error): void {
    if (this.isOver) return;
    log.debug(`the work tree is not watched: ${error.message}`);
    this.end('failed');
    this.stir();
  }

  /** Counts an event at a path. Without a path, anything may have changed. */
  private stir(path?: string): void {
    this.events++;
    if (path === undefined || (this.touched !== null && this.touched.size >= MAX_TOUCHED)) this.touched = null;
    else this.touched?.add(path);
    this.onEvent();
  }

  private watchFile(directory: string, names: ReadonlySet<string>): FSWatcher {
    const watcher = watch(directory, { persistent: false }, (_, name) => {
      if (name !== null && !names.has(name)) return;
      if (name !== null && RULES.has(name)) this.restart();
      this.stir();
    });
    return watcher.on('error', (error) => this.fail(error));
  }

  /** Watches a directory and those below it that git does not ignore. */
  private async add(start: string): Promise<void> {
    const visit = (path: string) => {
      if (this.isOver) throw new Error('closed');
      this.watchDirectory(path);
    };
    await walkDirectories(this.root, start, { isIgnored: this.isIgnored, visit });
  }

  private watchDirectory(path: string): void {
    if (this.watched.has(path)) return;
    try {
      const watcher = watch(join(this.root, path), { persistent: false }, (event, name) =>
        this.seen(path, event, name),
      );
      watcher.on('error', (error: NodeJS.ErrnoException) => {
        // The directory was removed; its parent's watch reports that.
        if (error.code === 'ENOENT' || error.code === 'EPERM') this.forget(path);
        else this.fail(error);
      });
      this.watched.set(path, watcher);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }

  /** Handles an event for an entry of a directory. Node reports entries that come or go as `rename`, all others as `change`. */
  private seen(directory: string, event: string, name: string | null): void {
    if (name === null) {
      this.stir();
      return;
    }
    const path = directory === '' ? name : `${directory}/${name}`;
    if (path === '.git') return;
    const isFolder = this.watched.has(path) || (event === 'rename' && this.isDirectory(path));
    // Rule files affect more than one path, and names that are not UTF-8 cannot be told apart.
    this.stir(isFolder || name.startsWith('.git') || name.includes('\ufffd') ? undefined : path);
    if (name === '.gitignore') this.restart();
    if (event !== 'rename') return;
    if (this.watched.has(path)) this.forget(path);
    if (isFolder && this.isDirectory(path) && !this.isIgnored(path)) this.grow(path);
  }

  private isDirectory(path: string): boolean {
    return standingAt(join(this.root, path))?.isDirectory() ?? false;
  }

  /** Ends the watches of a directory and of all below it. */
  private forget(path: string): void {
    for (const [known, watcher] of this.watched) {
      if (known !== path && !known.startsWith(`${path}/`)) continue;
      watcher.close();
      this.watched.delete(known);
    }
  }

  /** Watches a new directory, unless git ignores it. No version is reported in the meantime, because changes in it go unseen. */
  private grow(path: string): void {
    this.pause(async () => {
      await this.readRules();
      if (!this.isIgnored(path)) await this.add(path);
    });
  }

  /** Runs git once for all directories that are new at the same time. */
  private readRules(): Promise<void> {
    this.reading ??= readIgnored(this.repository.git)
      .then((isIgnored) => {
        this.isIgnored = isIgnored;
      })
      .finally(() => {
        this.reading = null;
      });
    return this.reading;
  }

  /** Reads the ignore rules again and adds directories that are no longer ignored. Extra watches do no harm and stay. */
  private restart(): void {
    this.pause(async () => {
      await this.reading;
      await this.readRules();
      await this.add('');
    });
  }

  /**
   * Reports no version until `work` and all other pauses have ended, and then takes everything for changed. During the first scan, `work`
   * is not run: `start` scans everything again instead.
   */
  private pause(work: () => Promise<void>): void {
    if (this.isOver) return;
    if (this.state === 'starting' && this.pausing === 0) {
      this.again = true;
      return;
    }
    this.pausing++;
    this.state = 'starting';
    work()
      .catch((error: Error) => this.fail(error))
      .finally(() => {
        this.pausing--;
        // Changes during the scan were not seen, so everything counts as changed.
        this.stir();
        if (this.pausing === 0 && this.state === 'starting') this.state = 'watching';
      });
  }
}

/** Limit on watched directories, because each one costs the system memory. */
const MAX_DIRECTORIES = 60_000;
/** Directories read at a time. */
const AT_ONCE = 32;

/**
 * Visits `start` (a path in the work tree, '' for its root) and all directories below it that can hold tracked or untracked files. Each
 * is visited before it is read, so that a watch started by `visit` misses no later change. Throws if there are too many.
 */
export async function walkDirectories(
  root: string,
  start: string,
  { isIgnored, visit }: { isIgnored: Ignored; visit: (path: string) => void },
): Promise<void> {
  const found = [start];
  for (let at = 0; at < found.length; ) {
    const some = found.slice(at, at + AT_ONCE);
    at += some.length;
    for (const path of some) visit(path);
    const below = await Promise.all(some.map((path) => subdirectories(root, path)));
    found.push(...below.flat().filter((path) => !isIgnored(path)));
    if (found.length > MAX_DIRECTORIES) throw new Error(`more than ${MAX_DIRECTORIES} directories`);
  }
}

type Ignored = (path: string) => boolean;

/** Subdirectories of a directory. Nested repositories and targets of symbolic links are left out. */
async function subdirectories(root: string, path: string): Promise<string[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(join(root, path), { withFileTypes: true });
  } catch {
    // The directory was removed, or may not be read.
    return [];
  }
  if (path !== '' && entries.some(({ name }) => name === '.git')) return [];
  return entries
    .filter((entry) => entry.isDirectory() && entry.name !== '.git')
    .map(({ name }) => (path === '' ? name : `${path}/${name}`));
}

/** Returns the directories that git ignores as a whole. */
export async function readIgnored(git: Git): Promise<Ignored> {
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const { stdout } = await git.run(args);
  const ignored = new Set(
    stdout
      .toString('utf8')
      .split('\0')
      .filter((path) => path.endsWith('/'))
      .map((path) => path.slice(0, -1)),
  );
  return (path) => ignored.has(path);
}
