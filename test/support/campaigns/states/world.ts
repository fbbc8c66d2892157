/**
 * A repository with everything around it that belongs to its state, in one directory: so that it can be copied as it is, and
 * the copy asked without anything that this program has kept.
 */
import {
  chownSync,
  cpSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { makeDirectory, runGit } from '../../repositories/repo.js';

/** The file that most is about: `main` and `side` disagree about it. */
export const SESSION = 'src/session.ts';

/** As long as each other, so that one stands for the other in any file. */
const [LIVE, COPY] = ['/live/', '/copy/'];
/** Files in which git writes absolute paths. */
const WITH_PATHS = new Set(['.git', 'gitdir', 'config', 'config.worktree', 'alternates']);

export class World {
  private counter = 0;

  constructor(
    /** What shapes it: a name of the table. */
    readonly shape: string,
    /** The directory that holds `live`, and beside it what other repositories this one knows. */
    readonly root: string,
    /** The work tree (or bare repository), relative to `live`. */
    readonly place: string,
    /** Variables that git and this program are given. */
    readonly env: NodeJS.ProcessEnv = {},
  ) {}

  get dir(): string {
    return join(this.root, 'live', this.place);
  }

  /** What git prints; '' and no error where it refuses: that is a state, too. */
  git(...args: string[]): string {
    return this.gitIn(this.dir, args);
  }

  gitIn(cwd: string, args: readonly string[], input = ''): string {
    return runGit(args, { cwd, input, env: this.env, allowFailure: true }).toString('latin1').trimEnd();
  }

  get isBare(): boolean {
    return this.git('rev-parse', '--is-bare-repository') === 'true';
  }

  get gitDir(): string {
    return pathOf(this.git('rev-parse', '--absolute-git-dir'));
  }

  get commonDir(): string {
    return pathOf(this.git('rev-parse', '--path-format=absolute', '--git-common-dir'));
  }

  write(files: Readonly<Record<string, string | Uint8Array>>): void {
    for (const [path, content] of Object.entries(files)) {
      const target = join(this.dir, path);
      // What stands in the way is what an operation before this one left.
      for (let at = dirname(target); at.length > this.dir.length; at = dirname(at)) {
        if (lstatSync(at, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(at);
      }
      mkdirSync(dirname(target), { recursive: true });
      rmSync(target, { recursive: true, force: true });
      writeFileSync(target, content);
    }
  }

  /** A function that no state has had before. */
  novelty(): string {
    const n = ++this.counter;
    return `/** Turns with the wind, ${n}. */\nexport function windmill${n}(speed: number) {\n  return speed * ${n};\n}\n`;
  }

  commit(files: Readonly<Record<string, string | Uint8Array>>, ...args: string[]): void {
    this.write(files);
    this.git('add', '-A');
    this.git('commit', '-q', '--allow-empty', '-m', `change ${++this.counter}`, ...args);
  }

  /** Ends whatever is under way, and goes back to `main` and `side` as they were: what an operation begins with that needs one. */
  settle(): void {
    if (this.isBare) return;
    for (const name of ['rebase', 'merge', 'cherry-pick', 'am']) {
      if (this.inProgress(name)) this.git(name, '--abort');
    }
    if (this.has('BISECT_LOG')) this.git('bisect', 'reset', '-q');
    this.git('reset', '-q', '--hard');
    this.git('clean', '-qfd');
    this.git('checkout', '-q', '-f', '-B', 'main', 'start');
    this.git('branch', '-q', '-f', 'side', 'start-side');
  }

  private has(name: string): boolean {
    return lstatSync(join(this.gitDir, name), { throwIfNoEntry: false }) !== undefined;
  }

  private inProgress(name: string): boolean {
    if (name === 'merge') return this.has('MERGE_HEAD');
    if (name === 'cherry-pick') return this.has('CHERRY_PICK_HEAD') || this.has('sequencer');
    return name === 'am' ? this.has('rebase-apply') : this.has('rebase-merge');
  }

  /** The same state somewhere else, as if this program had never been there. */
  copy(): World {
    const copy = join(this.root, 'copy');
    rmSync(copy, { recursive: true, force: true });
    cpSync(join(this.root, 'live'), copy, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    for (const path of files(copy)) relocate(path);
    // Owners are part of it where somebody else's are.
    const { uid, gid } = lstatSync(this.dir);
    if (uid !== process.getuid?.()) giveAway(join(copy, this.place), uid, gid);
    const env = Object.fromEntries(Object.entries(this.env).map(([key, value]) => [key, value?.replace(LIVE, COPY)]));
    const world = new Copied(this.shape, this.root, this.place, env);
    rmSync(join(world.commonDir, 'socraticode'), { recursive: true, force: true });
    const refs = world.git('for-each-ref', '--format=%(refname)', 'refs/notes/socraticode', 'refs/notes/remotes');
    for (const ref of refs.split('\n').filter(Boolean)) world.git('update-ref', '-d', ref);
    return world;
  }
}

/** What git prints is read byte by byte. */
const pathOf = (printed: string): string => Buffer.from(printed, 'latin1').toString();

class Copied extends World {
  override get dir(): string {
    return join(this.root, 'copy', this.place);
  }
}

function* files(directory: string): Generator<string> {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    // Objects hold no path; only their list of alternates does.
    if (entry.isDirectory()) yield* entry.name === 'objects' ? [join(path, 'info', 'alternates')] : files(path);
    else if (entry.isFile() && WITH_PATHS.has(entry.name)) yield path;
  }
}

/** A directory with all that is in it. */
export function giveAway(directory: string, uid: number, gid: number): void {
  chownSync(directory, uid, gid);
  for (const name of readdirSync(directory, { recursive: true }) as string[])
    lchownSync(join(directory, name), uid, gid);
}

function relocate(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
  const text = readFileSync(path, 'latin1');
  if (text.includes(LIVE)) writeFileSync(path, Buffer.from(text.replaceAll(LIVE, COPY), 'latin1'));
}

/** A directory for a world. */
export function makeRoot(): string {
  const root = makeDirectory('world');
  mkdirSync(join(root, 'live'));
  return root;
}
