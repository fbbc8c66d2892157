/**
 * Temporary repositories made by real git. Importing this module cuts the test process (and what it starts) off from
 * the host's git configuration; everything made here is removed when the process ends.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import '../campaigns/long.js';

const BUILD = fileURLToPath(new URL('../../../', import.meta.url));
const BUNDLE = join(BUILD, 'src/bundle.js');
const modified = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
// Compiled anew since it was made: without it, the modules themselves run.
if (modified(BUNDLE) < modified(join(BUILD, '.tsbuildinfo'))) rmSync(BUNDLE, { force: true });

const root = realpathSync(mkdtempSync(join(tmpdir(), 'socraticode-test-')));
process.on('exit', () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));

/** An empty directory of its own. */
export function makeDirectory(name = 'dir'): string {
  return mkdtempSync(join(root, `${name}-`));
}

/** Rounds of randomised tests that belong to no campaign. */
export const ROUNDS = 8;

/** A home directory with a global configuration that packs nothing, fixed names and dates, nothing inherited. */
function isolate(): void {
  for (const key of Object.keys(process.env)) {
    if (/^(GIT_|SOCRATICODE_|XDG_|NODE_TEST_CONTEXT|EXTENSION_LANGUAGE_MAP)/.test(key)) delete process.env[key];
  }
  const home = makeDirectory('home');
  const globalConfig = join(home, 'gitconfig');
  // Samples of hooks are a third of what making a repository costs.
  const template = join(home, 'template');
  for (const name of ['hooks', 'info']) mkdirSync(join(template, name), { recursive: true });
  // Tests make few objects: looking whether they are enough to pack costs two processes a commit.
  const noPacking = '[maintenance]\n\tauto = false\n[gc]\n\tauto = 0\n';
  writeFileSync(globalConfig, `${noPacking}[init]\n\ttemplateDir = ${JSON.stringify(template)}\n`);
  Object.assign(process.env, {
    ...{ HOME: home, USERPROFILE: home, GIT_CONFIG_GLOBAL: globalConfig, GIT_CONFIG_NOSYSTEM: '1' },
    ...{ GIT_AUTHOR_NAME: 'A U Thor', GIT_AUTHOR_EMAIL: 'author@example.com', GIT_TERMINAL_PROMPT: '0' },
    ...{ GIT_COMMITTER_NAME: 'C O Mitter', GIT_COMMITTER_EMAIL: 'committer@example.com', TZ: 'UTC', LC_ALL: 'C.UTF-8' },
    ...{ GIT_AUTHOR_DATE: '2024-01-02T03:04:05Z', GIT_COMMITTER_DATE: '2024-01-02T03:04:05Z', NO_COLOR: '1' },
  });
}
isolate();

export interface GitCallOptions {
  cwd: string;
  input?: string | Uint8Array;
  env?: NodeJS.ProcessEnv;
  /** Return whatever the exit code is. */
  allowFailure?: boolean;
}

/** Runs git and returns its standard output as bytes. */
export const runGit = (args: readonly string[], options: GitCallOptions): Buffer => runProgram('git', args, options);

function runProgram(program: 'git' | 'sh', args: readonly string[], options: GitCallOptions): Buffer {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: options.cwd,
    input: options.input ?? '',
    env: { ...process.env, ...options.env },
    maxBuffer: 256 << 20,
  });
  // A git that refuses at once reads nothing; its exit code says so.
  if (error && (error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  if (status !== 0 && !options.allowFailure)
    throw new Error(`${program} ${args.join(' ')} failed (${status}): ${stderr}`);
  return stdout;
}

export type Files = Readonly<Record<string, string | Uint8Array>>;

export interface RepoOptions {
  bare?: boolean;
  objectFormat?: 'sha1' | 'sha256';
  directory?: string;
}

export class TestRepo {
  constructor(readonly dir: string) {}

  /** Standard output of a git command here, without the last newline. */
  git(...args: string[]): string {
    return runGit(args, { cwd: this.dir }).toString('utf8').replace(/\n$/, '');
  }

  /** The same with a date of the committer of its own; the dates of the process are those of every test beside this one. */
  gitAt(date: string, ...args: string[]): string {
    return runGit(args, { cwd: this.dir, env: { GIT_COMMITTER_DATE: date } })
      .toString('utf8')
      .replace(/\n$/, '');
  }

  /** The same with something on stdin. */
  gitInput(input: string | Uint8Array, ...args: string[]): string {
    return runGit(args, { cwd: this.dir, input }).toString('utf8').replace(/\n$/, '');
  }

  write(files: Files): this {
    for (const [path, content] of Object.entries(files)) {
      const target = join(this.dir, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, content);
    }
    return this;
  }

  /** Writes files, commits everything in the work tree, returns the commit. */
  commit(files: Files = {}, message = 'change'): string {
    this.write(files);
    // By a shell: this process is large, and copying its page tables for a git takes longer than that git.
    runProgram('sh', ['-c', 'git add -A && exec git commit -q --allow-empty -m "$0"', message], { cwd: this.dir });
    return this.head() ?? this.git('rev-parse', 'HEAD');
  }

  /** The commit that HEAD names, where files say so: a process less for each commit. */
  private head(): string | null {
    try {
      const read = (name: string) => readFileSync(join(this.dir, '.git', name), 'utf8').trim();
      const head = read('HEAD');
      const oid = head.startsWith('ref: ') ? read(head.slice('ref: '.length)) : head;
      return /^[0-9a-f]{40,64}$/.test(oid) ? oid : null;
    } catch {
      return null;
    }
  }

  /** Stores bytes as a blob. */
  blob(content: string | Uint8Array): string {
    return this.gitInput(content, 'hash-object', '-w', '--stdin');
  }

  /** Stores many blobs by one git. */
  blobs(contents: readonly string[]): string[] {
    const folder = makeDirectory('blobs');
    const paths = contents.map((_, i) => join(folder, String(i)));
    for (const [i, path] of paths.entries()) writeFileSync(path, contents[i] as string);
    const oids = this.gitInput(paths.join('\n'), 'hash-object', '-w', '--no-filters', '--stdin-paths');
    return oids === '' ? [] : oids.split('\n');
  }

  /** Stores one flat tree of entries, whatever their names are: no git command but this one would. */
  rawTree(entries: readonly { mode?: string; oid: string; name: string | Buffer }[]): string {
    const named = entries.map((entry) => ({ mode: '100644', ...entry, name: Buffer.from(entry.name as string) }));
    named.sort((a, b) => Buffer.compare(a.name, b.name));
    const parts = named.map(({ mode, name, oid }) =>
      Buffer.concat([Buffer.from(`${mode} `), name, Buffer.from([0]), Buffer.from(oid, 'hex')]),
    );
    return this.gitInput(Buffer.concat(parts), 'hash-object', '-t', 'tree', '-w', '--stdin', '--literally');
  }

  /** Commits a tree to a ref; no work tree is involved. */
  commitTree(tree: string, ref: string): string {
    const commit = this.git('commit-tree', '-m', 'tree', tree);
    this.git('update-ref', ref, commit);
    return commit;
  }

  /** The git directory shared by all work trees. */
  get commonDir(): string {
    return realpathSync(resolve(this.dir, this.git('rev-parse', '--git-common-dir')));
  }

  /** Where the program keeps its local state. */
  get state(): string {
    return join(this.commonDir, 'socraticode');
  }

  /** Every notes ref of this program: name to commit. */
  notesRefs(): Record<string, string> {
    const lines = this.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/notes/socraticode');
    return Object.fromEntries(lines === '' ? [] : lines.split('\n').map((line) => line.split(' ') as [string, string]));
  }

  /** The one syntax notes ref. */
  get notesRef(): string {
    const [ref] = Object.keys(this.notesRefs()).filter((name) => name.includes('/syntax/'));
    if (ref === undefined) throw new Error('no notes ref');
    return ref;
  }

  /** Oid of the notes' tree: equal trees are byte-equal notes. */
  notesTree(): string {
    return this.git('rev-parse', `${this.notesRef}^{tree}`);
  }

  /** Annotated blob to note blob. */
  notes(ref = this.notesRef): Map<string, string> {
    const lines = this.git('notes', `--ref=${ref}`, 'list').split('\n');
    return new Map(lines.filter(Boolean).map((line) => line.split(' ').reverse() as [string, string]));
  }

  /** What fsck complains about, '' if nothing. */
  fsck(): string {
    const args = ['fsck', '--strict', '--no-progress', '--no-dangling', '--connectivity-only'];
    const { stdout, stderr, status } = spawnSync('git', args, { cwd: this.dir, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : `${status}: ${stdout}${stderr}`;
  }
}

export function createRepo(options: RepoOptions = {}): TestRepo {
  const format = options.objectFormat ? [`--object-format=${options.objectFormat}`] : [];
  const args = [...format, ...(options.bare ? ['--bare'] : [])];
  const dir = options.directory ?? makeDirectory('repo');
  // A named directory may be a repository already, with settings of its own.
  if (options.directory !== undefined) initialise(dir, args);
  else cpSync(emptyRepository(args), dir, { recursive: true });
  return new TestRepo(dir);
}

function initialise(dir: string, args: readonly string[]): void {
  mkdirSync(dir, { recursive: true });
  runGit(['init', '-q', '-b', 'main', ...args], { cwd: dir });
}

const emptyRepositories = new Map<string, string>();

/** A repository that git made once in this process, for copies: a copy takes a fifth of what making one takes. */
function emptyRepository(args: readonly string[]): string {
  const known = emptyRepositories.get(args.join(' '));
  if (known !== undefined) return known;
  const dir = makeDirectory('empty');
  initialise(dir, args);
  emptyRepositories.set(args.join(' '), dir);
  return dir;
}

/** `git clone` of another test repository through the file protocol. */
export function cloneRepo(from: TestRepo, ...args: string[]): TestRepo {
  const dir = makeDirectory('clone');
  runGit(['clone', '-q', ...args, `file://${from.dir}`, dir], { cwd: from.dir });
  return new TestRepo(dir);
}
