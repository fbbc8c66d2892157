/**
 * Runs git safely; all of this program's git commands go through here. A repository is untrusted: its configuration must
 * not make git run a command (fsmonitor, hooks), replace objects (refs/replace), fetch lazily, or prompt; and variables
 * inherited from a hook must not name another repository.
 *
 *     const git = new Git(directory);
 *     const head = await git.text(['rev-parse', 'HEAD']); // throws GIT_FAILED
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { devNull } from 'node:os';
import { SocraticodeError, systemFailure } from '../base/errors.js';
import { gitFailure } from './failure.js';
import { endedBecause, type Supervision, supervise, withLimit } from './supervise.js';

export { gitFailure } from './failure.js';

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
  // Git's own waits for a lock: with -1 it would wait for ever for one that came in an archive.
  'core.filesRefLockTimeout=100',
  'core.packedRefsTimeout=1000',
  'reftable.lockTimeout=100',
];
const SAFE_CONFIG = [
  ...['--no-pager', '--no-replace-objects', '--literal-pathspecs'],
  ...SAFE_SETTINGS.flatMap((setting) => ['-c', setting]),
];

const MAX_STDERR = 16_384;
/** The exit code of the shell that `withLimit` starts; git itself has no such code. */
const SHELL_FOUND_NOTHING = 127;

/** Exit codes with which git says that there is no such thing, or that it cannot tell. */
export const NOTHING_THERE = [1, 128];

export interface GitOptions extends Supervision {
  input?: string | Uint8Array;
  signal?: AbortSignal;
  /** Exit codes besides 0 that are no failure. */
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

  /** A copy with more configuration for every command. */
  withConfig(config: NonNullable<GitOptions['config']>): Git {
    return new Git(this.directory, this.prefix, [...this.config, ...config], this.env);
  }

  /** A copy with more variables for every command. */
  withEnvironment(env: Readonly<Record<string, string>>): Git {
    return new Git(this.directory, this.prefix, this.config, { ...this.env, ...env });
  }

  /** Starts git with pipes on all three streams. */
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
    // Without a file descriptor for a pipe, Node makes no streams, and tells why in an event that nobody would hear.
    if (child.stdin === undefined) {
      child.on('error', () => {});
      throw new SocraticodeError('RESOURCES', 'cannot run git: too many open files');
    }
    // Writes to a git that has ended fail; its exit code tells why.
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

/** Resolves when git has ended and its streams are closed; rejects if it could not run or was ended by `supervise`. */
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

/** Writes to git's input and waits while it is full; false if git has ended, whose exit code tells why. */
export async function writeInput(to: NodeJS.WritableStream & { writable: boolean }, text: string): Promise<boolean> {
  if (!to.writable) return false;
  // A git that dies closes its input: EPIPE would hide the reason.
  if (!to.write(text)) await Promise.race([once(to, 'drain'), once(to, 'close')]).catch(() => {});
  return to.writable;
}

function spawnFailure(cause: NodeJS.ErrnoException): Error {
  if (cause.name === 'AbortError') return new SocraticodeError('CANCELLED', 'cancelled', { cause });
  // ENOENT can also mean that the working directory does not exist.
  if (cause.code === 'ENOENT') return new SocraticodeError('GIT_MISSING', 'cannot run git', { cause });
  return systemFailure(cause) ?? new SocraticodeError('GIT_FAILED', `cannot run git: ${cause.message}`, { cause });
}
