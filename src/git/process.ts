/**
 * Runs git safely; all of this program's git commands go through here. A repository is untrusted: its configuration must not make git run
 * a command (fsmonitor, hooks), replace objects (refs/replace), fetch lazily, or prompt, and variables inherited from a hook must not
 * name another repository. Each git has bounds: the kernel limits its memory, and a silent one is ended, since a hostile repository can
 * make git read a named pipe, which never answers, or a device, which never ends.
 *
 *     await new Git(directory).text(['rev-parse', 'HEAD']); // throws GIT_FAILED
 */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, type Stats, statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { devNull, totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { linkAt, namesIn, textAt } from '../base/atomic.js';
import { SocraticodeError, systemFailure } from '../base/errors.js';
import { shellWord, visibleText } from '../base/printable.js';

interface Case {
  says: RegExp;
  code: 'DISK' | 'GIT_FAILED' | 'LOCKED' | 'RESOURCES' | 'UNREADABLE_OBJECT';
  /** Next step, in which `$1` is the first group of the pattern; null for the code's own hint. */
  hint: string | null;
  /** Is something not here that the first group of the pattern names, else an argument? */
  isMissing?: boolean;
}

const OUT_OF_MEMORY =
  'It takes more memory than git may have here. A smaller tree can be named by the ref COMMIT:DIRECTORY.';

const OID = /^[0-9a-f]{40,64}$/;

/** Errors by git's stderr, which is prose. The first matching row applies. */
const CASES: readonly Case[] = [
  {
    says: /No space left|Read-only file system|Disk quota exceeded|Input\/output error|File too large/i,
    code: 'DISK',
    hint: null,
  },
  {
    says: /[Oo]ut of memory|Cannot allocate memory/,
    code: 'RESOURCES',
    hint: OUT_OF_MEMORY,
  },
  { says: /Too many open files|cannot fork/, code: 'RESOURCES', hint: null },
  {
    says: /Unable to create '([^'\n]+\.lock)': File exists/,
    code: 'LOCKED',
    hint: 'Another git command is at work; if none is, remove what a killed one left: $1',
  },
  // Lazy fetching is off, so git names the object that it would have fetched.
  { says: /could not fetch ([0-9a-f]+) from promisor remote/, code: 'UNREADABLE_OBJECT', hint: null },
  {
    says: /(?:missing object [0-9a-f]+ for|bad object) (refs\/notes\/\S+)/,
    code: 'UNREADABLE_OBJECT',
    hint: 'Delete that ref, its records are made anew: git update-ref -d $1',
  },
  { says: /(?:missing object [0-9a-f]+ for|bad object) (refs\/\S+)/, code: 'UNREADABLE_OBJECT', hint: null },
  {
    says: /(?:unable to read tree|not a tree object|Not a valid commit:)(?: \(?([0-9a-f]+))?/,
    code: 'GIT_FAILED',
    isMissing: true,
    hint: 'Look for the ref that holds it: git socraticode fsck',
  },
  { says: /Permission denied|insufficient permission/i, code: 'DISK', hint: null },
  // Git does not repeat the system's reason here.
  {
    says: /^(?:fatal|error): .*(?:(?:could ?n[o']t|cannot|unable to|failed to) (?:write|append|close|fsync)|(?:write|fsync) error)/im,
    code: 'DISK',
    hint: null,
  },
  {
    says: /unable to resolve reference '?([^':\n]+)'?: reference broken/,
    code: 'GIT_FAILED',
    hint: 'The ref is damaged. Of an index nothing else is lost: git update-ref -d $1, then run again.',
  },
  {
    says: /upload-pack: (?:not our ref|git-pack-objects died)|remote did not send all necessary objects/,
    code: 'GIT_FAILED',
    hint: 'A ref of the remote points at what the remote lacks. Whoever may write there finds it: git fsck',
  },
  {
    says: /cannot lock ref '[^'\n]+': '([^'\n]+)' exists/,
    code: 'GIT_FAILED',
    hint: 'That ref is in the way. Rename or delete it: git update-ref -d $1',
  },
  { says: /bad config (?:line|file|variable|value)/i, code: 'GIT_FAILED', hint: 'Correct that file in an editor.' },
];

/**
 * Makes the error of a failed git: GIT_FAILED, DISK, LOCKED, RESOURCES or UNREADABLE_OBJECT. `code` is the exit code, negative if git was
 * killed.
 */
export function gitFailure(args: readonly string[], code: number, stderr: string): SocraticodeError {
  const reason = reasonIn(stderr);
  const how = code < 0 ? 'was killed' : `failed (exit ${code})`;
  const message = `git ${args[0]} ${how}${reason === '' ? '' : `: ${reason}`}${unnamed(args, reason)}`;
  for (const { says, code: kind, hint, isMissing = kind === 'UNREADABLE_OBJECT' } of CASES) {
    const found = says.exec(stderr);
    if (found === null) continue;
    const missing = found[1] ?? args.find((arg) => OID.test(arg)) ?? 'a tree';
    const words = isMissing ? `git ${args[0]} needs an object that is not in this clone: ${missing}` : message;
    return new SocraticodeError(kind, words, { hint: hint?.replaceAll('$1', () => shellWord(found[1] ?? '')) });
  }
  const hint = code < 0 ? 'Run again: finished work is kept. Git may have been short of memory.' : undefined;
  return new SocraticodeError('GIT_FAILED', message, { hint });
}

/** Ids of the arguments that git's message lacks: git does not always name the object that it could not find. */
function unnamed(args: readonly string[], reason: string): string {
  const oids = args.filter((arg) => OID.test(arg) && !reason.includes(arg)).slice(0, 2);
  return oids.length === 0 ? '' : ` (${oids.join(', ')})`;
}

/** Returns whether this machine's disk failed, which a retry does not cure. */
export function isDiskFailure(stderr: string): boolean {
  return CASES.find(({ says }) => says.test(stderr))?.code === 'DISK';
}

/** First error line; `hint:` and `warning:` lines do not explain a failure. */
export function reasonIn(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => !/^(?:hint|warning):/.test(line));
  return lines.find((line) => /^(?:fatal|error):/.test(line)) ?? lines[0] ?? '';
}

/** Variables of `git rev-parse --local-env-vars` (git 2.39-2.51), and the numbered pairs of GIT_CONFIG_COUNT. */
const LOCAL_ENV =
  /^GIT_(ALTERNATE_OBJECT_DIRECTORIES|CONFIG|CONFIG_PARAMETERS|CONFIG_COUNT|CONFIG_(KEY|VALUE)_\d+|OBJECT_DIRECTORY|DIR|WORK_TREE|IMPLICIT_WORK_TREE|GRAFT_FILE|INDEX_FILE|NO_REPLACE_OBJECTS|REPLACE_REF_BASE|PREFIX|SHALLOW_FILE|COMMON_DIR|INTERNAL_SUPER_PREFIX|QUARANTINE_PATH|NAMESPACE|REF_PARANOIA|DEFAULT_HASH)$/;

/** Settings that override the repository's. */
export const SAFE_SETTINGS = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'protocol.allow=never',
  'gc.auto=0',
  'maintenance.auto=false',
  // `git log` would check every signed commit with the program that `gpg.program` names.
  'log.showSignature=false',
  // `git log` would read the work tree's `.mailmap`, which is not needed.
  'log.mailmap=false',
  // Git's own wait for a lock. With -1 it would wait for ever for a lock that came in an archive.
  'core.filesRefLockTimeout=100',
  'core.packedRefsTimeout=1000',
  'reftable.lockTimeout=100',
];
const SAFE_CONFIG = [
  ...['--no-pager', '--no-replace-objects', '--literal-pathspecs'],
  ...SAFE_SETTINGS.flatMap((setting) => ['-c', setting]),
];

const MAX_STDERR = 16_384;
/** Exit code of the shell that `withLimit` starts. Git itself never ends with it. */
const SHELL_FOUND_NOTHING = 127;

/** Exit codes with which git says that there is no such thing, or that it cannot say. */
export const NOTHING_THERE = [1, 128];

export interface GitOptions extends Supervision {
  input?: string | Uint8Array;
  signal?: AbortSignal;
  /** Exit codes other than 0 that are no failure. */
  allow?: readonly number[];
  /** Configuration for this command, passed through the environment, so that keys can hold any character. */
  config?: readonly (readonly [key: string, value: string])[];
  /** Variables for this command. */
  env?: Readonly<Record<string, string>>;
}

export interface GitResult {
  stdout: Buffer;
  stderr: string;
  code: number;
}

/** The user's environment without the variables of a repository, plus our safety settings. */
export function gitEnvironment(config: GitOptions['config'] = []): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {};
  for (const [key, value] of Object.entries(process.env)) if (!LOCAL_ENV.test(key)) env[key] = value;
  if (config.length > 0) env.GIT_CONFIG_COUNT = String(config.length);
  for (const [i, [key, value]] of config.entries()) {
    env[`GIT_CONFIG_KEY_${i}`] = key;
    env[`GIT_CONFIG_VALUE_${i}`] = value;
  }
  return {
    ...env,
    GIT_NO_REPLACE_OBJECTS: '1',
    // `info/grafts` could join a remote's commits to private history, whose records would then be pushed.
    GIT_GRAFT_FILE: devNull,
    GIT_NO_LAZY_FETCH: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    // Overrides `protocol.*.allow` of a repository: no transport, not even for promised objects.
    GIT_ALLOW_PROTOCOL: '',
    LC_ALL: 'C',
    LANGUAGE: '',
  };
}

/** Runs git in one directory. `prefix` holds arguments before every command (`--git-dir`, `-c`). */
export class Git {
  constructor(
    readonly directory: string,
    readonly prefix: readonly string[] = [],
    /** Configuration for every command, as in `GitOptions`. */
    readonly config: NonNullable<GitOptions['config']> = [],
    /** Variables for every command. */
    readonly env: Readonly<Record<string, string>> = {},
  ) {}

  withConfig(config: NonNullable<GitOptions['config']>): Git {
    return new Git(this.directory, this.prefix, [...this.config, ...config], this.env);
  }

  withEnvironment(env: Readonly<Record<string, string>>): Git {
    return new Git(this.directory, this.prefix, this.config, { ...this.env, ...env });
  }

  spawn(args: readonly string[], options: Omit<GitOptions, 'input' | 'allow'> = {}): ChildProcessWithoutNullStreams {
    // Arguments of an agent can hold NUL characters, a command line cannot.
    if (args.some((arg) => arg.includes('\0')))
      throw new SocraticodeError('BAD_ARGUMENT', 'no name has a NUL character');
    const child = spawn(...withLimit(args[0], [...SAFE_CONFIG, ...this.prefix, ...args]), {
      cwd: this.directory,
      env: { ...gitEnvironment([...this.config, ...(options.config ?? [])]), ...this.env, ...options.env },
      stdio: 'pipe',
      detached: options.detached,
      windowsHide: true,
      signal: options.signal,
    });
    // Without a file descriptor for a pipe, Node makes no streams, and reports the reason in an event that nobody would hear.
    if (child.stdin === undefined) {
      child.on('error', () => {});
      throw new SocraticodeError('RESOURCES', 'cannot run git: too many open files');
    }
    // Writes to a git that has ended fail; its exit code is the reason.
    child.stdin.on('error', () => {});
    supervise(child, args[0], options);
    return child;
  }

  /** Runs git to its end. Throws GIT_FAILED (or GIT_MISSING) unless the exit code is 0 or allowed. */
  async run(args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
    const child = this.spawn(args, options);
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    const ended = childEnd(child);
    child.stdin.end(options.input ?? '');
    const { code, stderr } = await ended;
    if (code !== 0 && !options.allow?.includes(code)) throw gitFailure(args, code, stderr);
    return { stdout: Buffer.concat(chunks), stderr, code };
  }

  /** Standard output as trimmed text. */
  async text(args: readonly string[], options: GitOptions = {}): Promise<string> {
    return (await this.run(args, options)).stdout.toString('utf8').trim();
  }
}

/** Resolves when git has ended and its streams are closed. Rejects if it could not run or `supervise` ended it. */
export function childEnd(child: ChildProcessWithoutNullStreams): Promise<{ code: number; stderr: string }> {
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < MAX_STDERR) stderr += text;
  });
  const ended = new Promise<{ code: number; stderr: string }>((resolve, reject) => {
    child.on('error', (cause: NodeJS.ErrnoException) => reject(spawnFailure(cause)));
    child.on('close', (code, signal) => {
      const reason = endedBecause(child);
      // Ctrl-C reaches git as well as this process, and often first.
      if (signal === 'SIGINT') reject(new SocraticodeError('CANCELLED', 'cancelled'));
      else if (signal === 'SIGXCPU') reject(new SocraticodeError('RESOURCES', 'git took all of its processor time'));
      else if (code === SHELL_FOUND_NOTHING) reject(new SocraticodeError('GIT_MISSING', 'cannot run git'));
      else if (reason === undefined) resolve({ code: code ?? -1, stderr: stderr.trim() });
      else reject(reason);
    });
  });
  // Callers read the output before they await this; until then a rejection must not count as unhandled.
  ended.catch(() => {});
  return ended;
}

/** Writes to git's input and waits while it is full. Returns false if git has ended; its exit code is the reason. */
export async function writeInput(to: NodeJS.WritableStream & { writable: boolean }, text: string): Promise<boolean> {
  if (!to.writable) return false;
  // A git that dies closes its input: EPIPE would hide the reason.
  if (to.write(text)) return to.writable;
  const over = new AbortController();
  await Promise.race(['drain', 'close'].map((event) => once(to, event, over))).catch(() => {});
  // Takes the other listener away: git's input may be full thousands of times.
  over.abort();
  return to.writable;
}

function spawnFailure(cause: NodeJS.ErrnoException): Error {
  if (cause.name === 'AbortError') return new SocraticodeError('CANCELLED', 'cancelled', { cause });
  // ENOENT can also mean that the working directory does not exist.
  if (cause.code === 'ENOENT') return new SocraticodeError('GIT_MISSING', 'cannot run git', { cause });
  return systemFailure(cause) ?? new SocraticodeError('GIT_FAILED', `cannot run git: ${cause.message}`, { cause });
}

/**
 * Yields lines as they come, in groups, since there can be millions; as bytes written as Latin-1. A caller that leaves ends git. Throws
 * as `Git.run` does.
 */
export async function* linesOf(
  git: Git,
  args: readonly string[],
  signal?: AbortSignal,
  input = '',
): AsyncGenerator<string[], void> {
  const child = git.spawn(args, { signal });
  const ended = childEnd(child);
  ended.catch(() => {}); // Awaited below: until then a rejection must not count as unhandled.
  child.stdin.end(input);
  let rest = '';
  for await (const chunk of child.stdout.setEncoding('latin1') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() as string;
    yield lines;
  }
  const { code, stderr } = await ended;
  if (code !== 0) throw gitFailure(args, code, stderr);
}

const GIB = 2 ** 30;
/** Bound of commands that list or compare trees: they hold a few hundred bytes for each of at most a million entries. */
const MAX_TREE_MEMORY_BYTES = GIB;
const TREE_COMMANDS: ReadonlySet<string> = new Set(['ls-tree', 'diff-tree', 'status']);
const SHELL = '/bin/sh';
/** Sets the bounds if the system allows it, then becomes git. */
export const LIMITED = 'ulimit -d "$0" 2>/dev/null; ulimit -t "$1" 2>/dev/null; shift; exec "$@"';

/** Milliseconds between two looks at a process. Most commands end before the first. */
const LOOK_MS = 2_000;
/** Commands that look something up: in refs, in the configuration, in one commit. */
const LOOK_UPS = new Set(['rev-parse', 'symbolic-ref', 'config', 'for-each-ref', 'check-attr', 'check-ignore', 'var']);
/** Commands that read the named objects. The largest objects are packed as differences. */
const READS = new Set(['cat-file', 'ls-tree', 'ls-files']);
/** Commands that may compute in silence for long, and write no ref. */
const WALKS = new Set(['log', 'rev-list', 'blame', 'grep', 'merge-base', 'merge-tree', 'diff-tree', 'status']);

/** A command that reads may be killed. One that writes refs or objects removes its locks when it is told to end. */
const isReading = (command: string): boolean => [LOOK_UPS, READS, WALKS].some((kind) => kind.has(command));

/** Milliseconds of silence after which a git is ended, by its purpose: a walk over 20 years of history is silent for minutes. */
function patienceWith(command: string): number {
  if (LOOK_UPS.has(command)) return 60_000;
  return READS.has(command) ? 300_000 : 1_800_000;
}

/**
 * Seconds of processor time that the kernel gives a git, so that it ends even if this process cannot end it. A long-lived git, and one
 * that writes, has no bound.
 */
function processorSeconds(command: string): string {
  return LOOK_UPS.has(command) || WALKS.has(command) ? String(patienceWith(command) / 1_000) : 'unlimited';
}

/** Kernel functions (`wchan`) in which a process waits for the other end of a named pipe. */
const OPENING_A_PIPE = /^(?:wait_for_partner|fifo_open)/;

let canLimit: boolean | undefined;

/**
 * Data that one git may allocate: half of the memory, between 1 and 8 GiB. Mapped packs do not count, and the history of the largest
 * repositories takes 4 GiB. `constrained` is the bound of a container, 0 without one; beyond it the kernel would end this process instead
 * of git.
 */
export function memoryBound(total = totalmem(), constrained = process.constrainedMemory?.() ?? 0): number {
  const available = constrained > 0 ? Math.min(total, constrained) : total;
  return Math.min(8 * GIB, Math.max(GIB, available / 2));
}

/**
 * Program and arguments that run `git ARGS` under the memory bound, which lasts even if this process is killed. The shell takes a
 * millisecond. Only Linux counts the memory that matters; elsewhere git runs without a bound.
 */
export function withLimit(command: string, args: readonly string[]): [file: string, args: string[]] {
  canLimit ??= process.platform === 'linux' && existsSync(SHELL);
  if (!canLimit) return ['git', [...args]];
  const bytes = TREE_COMMANDS.has(command) ? MAX_TREE_MEMORY_BYTES : memoryBound();
  const ended = isReading(command) ? endedWithUs() : [];
  return [
    SHELL,
    ['-c', LIMITED, String(Math.floor(bytes / 1_024)), processorSeconds(command), ...ended, 'git', ...args],
  ];
}

/** Part of util-linux 2.33. Makes the kernel of Linux kill a program when its parent is gone, then becomes that program. */
const SETPRIV = '/usr/bin/setpriv';
const WORDS = [SETPRIV, '--pdeathsig', 'KILL'];
let canSetPriv: boolean | undefined;

/**
 * Returns the start of a command line for a program that writes nothing. The program then ends with this process, even if this is killed
 * and the program too busy to notice. Empty if the system cannot do that.
 */
export function endedWithUs(): readonly string[] {
  const can = () => process.platform === 'linux' && existsSync(SETPRIV);
  canSetPriv ??= can() && spawnSync(SETPRIV, [...WORDS.slice(1), 'true']).status === 0;
  return canSetPriv ? WORDS : [];
}

/** Running gits, each with a function that ends it. */
const running = new Map<ChildProcessWithoutNullStreams, () => void>();

/** Ends a git with this process, even a busy one. */
function endWithUs(child: ChildProcessWithoutNullStreams, command: string, isGroup: boolean): void {
  if (running.size === 0) process.once('exit', endAll);
  running.set(child, () => {
    if (isGroup && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    else child.kill(isReading(command) ? 'SIGKILL' : 'SIGTERM');
  });
  child.once('exit', () => {
    running.delete(child);
    if (running.size === 0) process.off('exit', endAll);
  });
}

function endAll(): void {
  for (const end of running.values()) {
    try {
      end();
    } catch {
      // It has ended in the meantime.
    }
  }
}

const reasons = new WeakMap<object, SocraticodeError>();

/** Reason (UNSAFE_REPOSITORY, RESOURCES) why `supervise` ended a process; undefined if it did not. */
export function endedBecause(child: object): SocraticodeError | undefined {
  return reasons.get(child);
}

interface Supervision {
  /** Returns whether a long-lived git has no request to answer. */
  isIdle?: () => boolean;
  /** Limit on its whole time in milliseconds, for a git that computes on somebody's argument. */
  deadline?: number;
  /** True for a git with a process group of its own. */
  detached?: boolean;
}

/**
 * Ends a git with this process. Ends it sooner if it is silent from one look to the next while the kernel reports that it opens a named
 * pipe or has a device open, and in any case after its time of silence. Time in which git waits for us does not count.
 */
export function supervise(
  child: ChildProcessWithoutNullStreams,
  command: string,
  { isIdle: isWaiting = waitsForUs(child), deadline, detached = false }: Supervision = {},
): void {
  const { pid } = child;
  if (pid === undefined) return;
  endWithUs(child, command, detached);
  let [silence, traffic] = [0, 0];
  const patience = patienceWith(command);
  const end = (reason: SocraticodeError) => {
    reasons.set(child, reason);
    child.kill('SIGKILL');
  };
  const look = () => {
    const before = traffic;
    traffic = trafficOf(child);
    silence = traffic !== before || isWaiting() ? 0 : silence + LOOK_MS;
    const file = traffic === before ? specialFileOf(pid) : null;
    if (file !== null) end(unsafe(`git ${command} would never end, since it reads ${file}`));
    else if (silence > patience)
      end(unsafe(`git ${command} was ended after ${Math.round(silence / 60_000)} minutes of silence`, SILENT_HINT));
    else timer = setTimeout(look, LOOK_MS).unref();
  };
  let timer = setTimeout(look, LOOK_MS).unref();
  const late = deadline && setTimeout(() => end(tooLate(command, deadline)), deadline).unref();
  child.once('exit', () => {
    clearTimeout(timer);
    clearTimeout(late);
  });
}

function tooLate(command: string, deadline: number): SocraticodeError {
  return new SocraticodeError('RESOURCES', `git ${command} was ended after ${deadline / 1_000} s`, {
    hint: 'Name a branch, a tag or a commit, which needs no walk through the history.',
  });
}

function waitsForUs({ stdin, stdout }: ChildProcessWithoutNullStreams): () => boolean {
  return () => !stdin.writableEnded || stdout.readableLength > 0;
}

function trafficOf({ stdin, stdout, stderr }: ChildProcessWithoutNullStreams): number {
  return (stdin as Socket).bytesWritten + (stdout as Socket).bytesRead + (stderr as Socket).bytesRead;
}

/** The pipe that a process waits to open, or the device that it has open; null for none, and without /proc. */
function specialFileOf(pid: number): string | null {
  if (OPENING_A_PIPE.test(textAt(`/proc/${pid}/wchan`)))
    return `a named pipe (find ${linkAt(`/proc/${pid}/cwd`)} -type p)`;
  for (const fd of namesIn(`/proc/${pid}/fd`)) {
    const path = linkAt(`/proc/${pid}/fd/${fd}`);
    if (path !== '/dev/null' && statOf(`/proc/${pid}/fd/${fd}`)?.isCharacterDevice()) return path;
  }
  return null;
}

// Pipes, devices and endless lines in place of git's own files.

/** Files by which git recognises a git directory. */
const PROBED = ['HEAD', 'commondir'];
/** Files that git reads in the git directory of a work tree and in the common one. */
const IN_GIT_DIR = [
  ...['HEAD', 'commondir', 'gitdir', 'config', 'config.worktree', 'index', 'packed-refs', 'shallow', 'refs', 'logs'],
  ...['info', 'info/attributes', 'info/exclude', 'info/grafts', 'info/sparse-checkout', 'objects', 'objects/info'],
  ...['objects/info/alternates', 'objects/info/commit-graph', 'objects/info/commit-graphs/commit-graph-chain'],
  ...['objects/pack', 'objects/pack/multi-pack-index', 'reftable', 'reftable/tables.list'],
];
const IN_WORK_TREE = ['.gitattributes', '.gitignore', '.gitmodules', '.mailmap'];
/** Files of one line, which git reads whole into memory. */
const ONE_LINE = /(?:^|\/)(?:\.git|HEAD|commondir|gitdir)$/;
const MAX_LINE_BYTES = 64 * 1024;
const SILENT_HINT =
  'Run again when this machine is less busy. A damaged or hostile repository can make git silent as well.';
const SPECIAL_FILE_HINT = 'Remove it (git makes no such files), and look twice at where this repository came from.';

/**
 * Throws UNSAFE_REPOSITORY if the repository around `start` (or `namedGitDir`) has a pipe or a device in place of a file that git reads:
 * git waits for a pipe for ever and reads a device without end, and an archive can hold both. Takes some twenty `stat` calls and no
 * process.
 */
export function checkSpecialFiles(start: string, namedGitDir?: string): void {
  const gitDir = namedGitDir ?? findGitDir(start);
  if (gitDir === null) return;
  checkGitDir(gitDir);
  const common = pathIn(join(gitDir, 'commondir'), /^(.*?)[\r\n]*$/s);
  if (common !== null) checkGitDir(common);
}

/** Walks up as git does, and checks each file that git reads on the way. */
function findGitDir(start: string): string | null {
  for (let at = start; ; at = dirname(at)) {
    const dotGit = join(at, '.git');
    const gitDir = checkFile(dotGit)?.isDirectory() ? dotGit : gitFileTarget(dotGit);
    for (const name of gitDir === null ? PROBED : IN_WORK_TREE) checkFile(join(at, name));
    if (gitDir !== null) return gitDir;
    if (['HEAD', 'objects', 'refs'].every((name) => existsSync(join(at, name)))) return at;
    if (dirname(at) === at) return null;
  }
}

/** Git directory that a `.git` file names, or null. Throws UNSAFE_REPOSITORY. */
export function gitFileTarget(path: string): string | null {
  return pathIn(path, /^gitdir: (.*?)[\r\n]*$/s);
}

function checkGitDir(directory: string): void {
  for (const name of IN_GIT_DIR) checkFile(join(directory, name));
  // Git opens the index of every pack.
  const packs = join(directory, 'objects', 'pack');
  for (const name of namesIn(packs)) checkFile(join(packs, name));
}

/** Returns the file's status, after links as git follows them; undefined if git cannot open it either. */
function checkFile(path: string): Stats | undefined {
  const stat = statOf(path);
  const kind = kindOf(stat);
  if (kind !== null) throw unsafe(`${path} is a ${kind}, which git would wait for or read without end`);
  if (stat?.isFile() && stat.size > MAX_LINE_BYTES && ONE_LINE.test(path))
    throw unsafe(`${path} has ${stat.size} bytes, where git keeps a line`);
  return stat;
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Ignores sockets: opening one fails at once. */
function kindOf(stat: Stats | undefined): string | null {
  if (stat?.isFIFO()) return 'named pipe';
  return stat?.isCharacterDevice() || stat?.isBlockDevice() ? 'device' : null;
}

/** Path in a file of one line, relative to that file; null without one. */
function pathIn(file: string, pattern: RegExp): string | null {
  if (!checkFile(file)?.isFile()) return null;
  try {
    const name = pattern.exec(readFileSync(file, 'utf8'))?.[1];
    return name ? resolve(dirname(file), name) : null;
  } catch {
    return null;
  }
}

function unsafe(message: string, hint = SPECIAL_FILE_HINT): SocraticodeError {
  return new SocraticodeError('UNSAFE_REPOSITORY', visibleText(message), { hint });
}
