/**
 * Tells whether anything in a work tree has stirred, so that a process that stays need not ask git at every query. It
 * watches directories, one by one: the libraries at hand watch every file, which takes ten times as long. What it
 * cannot watch it says, and then git is asked.
 */
import { existsSync, type FSWatcher, realpathSync, watch } from 'node:fs';
import { join } from 'node:path';
import { standingAt } from '../base/atomic.js';
import { log } from '../base/log.js';
import type { Repository } from '../git/repository.js';
import { type Ignored, readIgnored, walkDirectories } from './directories.js';

/** Files of the git directory whose change can change what is uncommitted. */
const GIT_FILES = new Set(['HEAD', 'index', 'MERGE_HEAD', 'config', 'config.worktree']);
/** Rules that decide which directories are watched. */
const RULES = new Set(['.gitignore', 'exclude']);

/** Asking git about so many paths by name costs as much as asking about all. */
const MAX_TOUCHED = 64;

export class WorkTreeWatcher {
  private readonly root: string;
  private readonly watched = new Map<string, FSWatcher>();
  private others: FSWatcher[] = [];
  private isIgnored: Ignored = () => false;
  private events = 0;
  private touched: Set<string> | null = null;
  /** New directories being read. */
  private pausing = 0;
  /** Something came up while everything was being read for the first time. */
  private again = false;
  private state: 'starting' | 'watching' | 'failed' | 'closed' = 'starting';

  /** `onEvent` is called at every event, often several times for one change. */
  constructor(
    private readonly repository: Repository & { workTree: string },
    private readonly onEvent: () => void = () => {},
  ) {
    this.root = realpathSync.native(repository.workTree);
  }

  /** Another number after every event; null while not everything is watched. */
  get version(): number | null {
    return this.state === 'watching' ? this.events : null;
  }

  /** Files that events were about since this was asked last; null if they may have been about anything else. */
  takeTouched(): string[] | null {
    const touched = this.touched && [...this.touched];
    this.touched = new Set();
    return touched;
  }

  private get isOver(): boolean {
    return this.state === 'closed' || this.state === 'failed';
  }

  /** Resolves when everything is watched, or cannot be. */
  async start(): Promise<void> {
    try {
      const { gitDir, commonDir } = this.repository;
      this.others.push(this.watchFile(gitDir, GIT_FILES));
      const info = join(commonDir, 'info');
      if (existsSync(info)) this.others.push(this.watchFile(info, RULES));
      do {
        this.again = false;
        this.isIgnored = await readIgnored(this.repository.git);
        await this.add('');
      } while (this.again);
      if (this.state === 'starting') this.state = 'watching';
    } catch (error) {
      this.fail(error as Error);
    }
  }

  /** Rules outside the work tree have changed: until everything is looked at again, anything may be different. */
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

  /** The system may allow fewer watches than there are directories. */
  private fail(error: Error): void {
    if (this.isOver) return;
    log.debug(`the work tree is not watched: ${error.message}`);
    this.end('failed');
    this.stir();
  }

  /** Something happened at a path, or, without one, anywhere. */
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
        // A directory that was removed tells its parent.
        if (error.code === 'ENOENT' || error.code === 'EPERM') this.forget(path);
        else this.fail(error);
      });
      this.watched.set(path, watcher);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }

  private seen(directory: string, event: string, name: string | null): void {
    if (directory === '' && name === '.git') return;
    if (name === null) {
      this.stir();
      return;
    }
    const path = directory === '' ? name : `${directory}/${name}`;
    const isFolder = this.watched.has(path) || (event === 'rename' && this.isDirectory(path));
    // What rules change, or hold for, is more than one path; names that are not UTF-8 have lost theirs.
    this.stir(isFolder || name.startsWith('.git') || name.includes('\ufffd') ? undefined : path);
    if (name === '.gitignore') this.restart();
    if (event !== 'rename') return;
    if (this.watched.has(path)) this.forget(path);
    if (isFolder && this.isDirectory(path) && !this.isIgnored(path)) this.grow(path);
  }

  private isDirectory(path: string): boolean {
    return standingAt(join(this.root, path))?.isDirectory() ?? false;
  }

  private forget(path: string): void {
    for (const [known, watcher] of this.watched) {
      if (known !== path && !known.startsWith(`${path}/`)) continue;
      watcher.close();
      this.watched.delete(known);
    }
  }

  /** Until a new directory is watched, anything may happen in it. */
  private grow(path: string): void {
    this.pause(async () => this.add(path));
  }

  /** Other rules, other directories: those no longer ignored are added; watching some too many does no harm. */
  private restart(): void {
    this.pause(async () => {
      this.isIgnored = await readIgnored(this.repository.git);
      await this.add('');
    });
  }

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
        // Whatever happened meanwhile was not seen.
        this.stir();
        if (this.pausing === 0 && this.state === 'starting') this.state = 'watching';
      });
  }
}
