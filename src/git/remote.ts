/**
 * Git over the network; only this file lets a command reach another machine. The safety settings of `process` apply, except that
 * transports without a command of their own are allowed. No hook runs, no configured refspec applies, and ssh and helpers end with git.
 */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { SocraticodeError } from '../base/errors.js';
import { withoutPassword } from '../base/printable.js';
import type { RefMove } from './notes-history.js';
import { childEnd, type GitResult, gitFailure } from './process.js';
import { requireNoCommands } from './remote-trust.js';
import type { ConfigEntry } from './repository.js';
import { NOTES_PREFIX, type Repository } from './repository.js';

const TRANSPORTS = ['file', 'git', 'http', 'https', 'ssh'];

export interface RemoteOptions {
  /** True in a hook or a search: no desktop program may ask for a password. */
  automatic?: boolean;
  signal?: AbortSignal;
  /** Default: 60 s to the first answer for typed commands, 10 s for automatic ones. */
  patience?: Patience;
  /** Objects received or sent so far. */
  onProgress?: (done: number, total: number) => void;
}

const MAX_STDERR = 16_384;

export interface PushUpdate {
  commit: string;
  ref: string;
}

export interface PushOutcome {
  ref: string;
  /** Null if the remote accepted it, otherwise its message. */
  rejection: string | null;
}

/** One configured remote. Every method throws the errors of `remoteFailure`, and CANCELLED. */
export class Remote {
  private resolved: Promise<[string[], string[]]> | undefined;

  constructor(
    private readonly repository: Repository,
    private readonly config: readonly ConfigEntry[],
    readonly name: string,
    private readonly options: RemoteOptions = {},
  ) {}

  /** Configured address, to tell remotes apart. It can hold a password. */
  get url(): string {
    return this.config.find(({ key }) => key === `remote.${this.name}.url`)?.value ?? '';
  }

  /** Lists the object ids of the remote's branches and tags, tags also peeled. */
  async listTips(): Promise<string[]> {
    return (await this.listHeads()).tips;
  }

  /** Lists the same, with the names of the branches. */
  async listHeads(): Promise<{ tips: string[]; branches: ReadonlySet<string> }> {
    const { stdout } = await this.run(['ls-remote', '--heads', '--tags', '--end-of-options', this.name]);
    const found = [...stdout.toString('utf8').matchAll(/^([0-9a-f]+)\trefs\/(heads|tags)\/(.+)$/gm)];
    const branches = new Set(found.flatMap(([, , type, name]) => (type === 'heads' ? [name] : [])));
    return { tips: [...new Set(found.map(([, oid]) => oid))], branches };
  }

  /** Lists the remote's notes refs of this program with their oids. */
  async listNotes(): Promise<Map<string, string>> {
    const pattern = `${NOTES_PREFIX}/*`;
    const { stdout } = await this.run(['ls-remote', '--refs', '--end-of-options', this.name, pattern]);
    const found = [...stdout.toString('utf8').matchAll(/^([0-9a-f]{40,64})\t(\S+)$/gm)];
    return new Map(found.filter(([, , ref]) => ref.startsWith(`${NOTES_PREFIX}/`)).map(([, oid, ref]) => [ref, oid]));
  }

  /**
   * Fetches these refspecs, with all objects even in a partial clone, and removes tracking refs whose source is gone. `known` are commits
   * that the remote may have. Without any, common commits are not negotiated.
   */
  async fetch(refspecs: readonly string[], known: readonly string[]): Promise<void> {
    const args = [
      ...['fetch', '--progress', '--no-tags', '--prune', '--refmap=', '--no-write-fetch-head'],
      ...['--no-auto-maintenance', '--no-recurse-submodules', '--no-filter'],
      ...known.map((oid) => `--negotiation-tip=${oid}`),
      ...['--end-of-options', this.name, ...refspecs],
    ];
    const config = known.length === 0 ? NO_NEGOTIATION : [];
    await this.run(args, { config });
  }

  /** Fetches objects by id, many at a time, as git does for promised objects. */
  async fetchObjects(oids: readonly string[]): Promise<void> {
    const args = [
      ...['fetch', '--progress', '--no-tags', '--refmap=', '--no-write-fetch-head', '--no-auto-maintenance'],
      ...['--no-recurse-submodules', '--filter=blob:none', '--stdin', '--end-of-options', this.name],
    ];
    await this.run(args, { config: NO_NEGOTIATION, input: `${oids.join('\n')}\n` });
  }

  /** Pushes without force; a rejection is a result, not an error. */
  push(updates: readonly PushUpdate[]): Promise<PushOutcome[]> {
    return this.pushRefs(
      updates.map(({ commit, ref }) => `${commit}:${ref}`),
      [],
    );
  }

  /** Moves or deletes refs with a lease: a ref that has moved in the meantime is rejected. */
  move(moves: readonly RefMove[]): Promise<PushOutcome[]> {
    return this.pushRefs(
      moves.map(({ ref, to }) => `${to ?? ''}:${ref}`),
      moves.map(({ ref, from }) => `--force-with-lease=${ref}:${from}`),
    );
  }

  /**
   * Throws REMOTE_DENIED if pushes go to another address than fetches, or to several: the records that a remote may receive depend on the
   * commits that it has.
   */
  async requireOneAddress(): Promise<void> {
    const [from, to] = await this.addresses();
    if (from.length === 1 && to.length === 1 && isSamePlace(from[0], to[0])) return;
    throw new SocraticodeError('REMOTE_DENIED', `${this.name} is fetched from one address and pushed to others`, {
      hint: 'Add a remote for the index: git remote add index URL && git socraticode push index',
    });
  }

  /** Addresses as git resolves them, for fetches and for pushes. */
  private addresses(): Promise<[from: string[], to: string[]]> {
    const ask = async (...direction: string[]) =>
      (await this.repository.git.text(['remote', 'get-url', ...direction, '--all', '--', this.name])).split('\n');
    this.resolved ??= Promise.all([ask(), ask('--push')]);
    return this.resolved;
  }

  private async pushRefs(refspecs: readonly string[], leases: readonly string[]): Promise<PushOutcome[]> {
    const args = [
      ...['push', '--porcelain', '--progress', '--no-verify', '--no-follow-tags', '--no-signed'],
      ...['--recurse-submodules=no', ...leases, '--end-of-options', this.name, ...refspecs],
    ];
    await this.requireOneAddress();
    // Negotiation would fetch. A mirror accepts no refspecs.
    const config = [
      ['push.negotiate', 'false'],
      [`remote.${this.name}.mirror`, 'false'],
    ] as const;
    const { stdout, stderr, code } = await this.run(args, { config, allow: [1] });
    const outcomes = parseOutcomes(stdout.toString('utf8'), stderr);
    if (outcomes.length === 0) throw remoteFailure(this.name, args, code, stderr);
    return outcomes;
  }

  private async run(args: readonly string[], options: RunOptions = {}): Promise<GitResult> {
    const { automatic, signal, patience, onProgress } = this.options;
    if (signal?.aborted) throw new SocraticodeError('CANCELLED', 'cancelled');
    requireNoCommands(this.repository, this.config, this.name, (await this.addresses()).flat());
    const child = this.repository.git.spawn(args, {
      config: [...(options.config ?? []), ['http.lowSpeedLimit', '1'], ['http.lowSpeedTime', '60']],
      env: this.environment(),
      detached: process.platform !== 'win32',
    });
    const deadline = new RemoteDeadline(child, patience ?? (automatic ? AUTOMATIC : EXPLICIT), signal);
    const chunks: Buffer[] = [];
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer | string) => {
      // Errors come after the progress, so the end of the output stays.
      stderr = (stderr + String(chunk)).slice(-MAX_STDERR);
      reportProgress(String(chunk), onProgress);
    });
    const ended = childEnd(child);
    child.stdin.end(options.input ?? '');
    const { code } = await ended.finally(() => deadline.stop());
    if (deadline.reason === 'cancelled') throw new SocraticodeError('CANCELLED', 'cancelled');
    if (deadline.reason === 'silent') {
      throw new SocraticodeError('REMOTE_UNREACHABLE', `${this.name} did not answer in time`);
    }
    if (code !== 0 && !options.allow?.includes(code)) throw remoteFailure(this.name, args, code, stderr);
    return { stdout: Buffer.concat(chunks), stderr, code };
  }

  private environment(): Record<string, string> {
    const env: Record<string, string> = { GIT_ALLOW_PROTOCOL: this.allowedTransports().join(':') };
    const hasOwnSsh = this.config.some(({ key }) => key === 'core.sshcommand');
    if (!hasOwnSsh && !process.env.GIT_SSH_COMMAND && !process.env.GIT_SSH) {
      env.GIT_SSH_COMMAND = 'ssh -oBatchMode=yes -oConnectTimeout=10';
    }
    return this.options.automatic ? { ...env, GIT_ASKPASS: '', SSH_ASKPASS: '' } : env;
  }

  /** Transports that neither the user's settings nor the environment forbid. */
  private allowedTransports(): string[] {
    const byUser = process.env.GIT_ALLOW_PROTOCOL?.split(':');
    const last = (key: string) => this.config.filter((entry) => entry.key === key).at(-1)?.value;
    return TRANSPORTS.filter((name) => {
      if (byUser !== undefined) return byUser.includes(name);
      return (last(`protocol.${name}.allow`) ?? last('protocol.allow')) !== 'never';
    });
  }
}

/** Returns whether two addresses have the same host and path: people fetch over https and push over ssh. */
export function isSamePlace(a: string, b: string): boolean {
  return a === b || (placeOf(a) !== null && placeOf(a) === placeOf(b));
}

/** `host/path` of a server's address without a port, in git's long or short form; null for other addresses. */
function placeOf(url: string): string | null {
  const long = /^(?:https|ssh):\/\/(?:[^@/]*@)?([A-Za-z0-9.-]+)\/+(.+)$/.exec(url);
  const match = long ?? /^(?:[^@/:]+@)?([A-Za-z0-9.-]{2,}):([^/].*)$/.exec(url);
  if (match === null || (long === null && url.includes('://'))) return null;
  return `${match[1].toLowerCase()}/${match[2].replace(/(?:\.git)?\/*$/, '')}`;
}

const NO_NEGOTIATION = [['fetch.negotiationAlgorithm', 'noop']] as const;

interface RunOptions {
  config?: readonly (readonly [string, string])[];
  input?: string;
  allow?: readonly number[];
}

function reportProgress(text: string, onProgress: RemoteOptions['onProgress']): void {
  const last = [...text.matchAll(/(?:Receiving|Writing|Unpacking) objects: +\d+% \((\d+)\/(\d+)\)/g)].at(-1);
  if (last !== undefined) onProgress?.(Number(last[1]), Number(last[2]));
}

/** Parses the lines of `--porcelain`: `FLAG TAB FROM:TO TAB SUMMARY`. */
function parseOutcomes(stdout: string, stderr: string): PushOutcome[] {
  const outcomes: PushOutcome[] = [];
  for (const line of stdout.split('\n')) {
    const match = /^([ +\-*!=])\t[^:]*:([^\t]+)\t(.*)$/.exec(line);
    if (match === null) continue;
    const why = stderr.split('\n').find((text) => /^(remote: )?(error|fatal):/.test(text)) ?? '';
    outcomes.push({ ref: match[2], rejection: match[1] === '!' ? `${match[3]} ${why}`.trim() : null });
  }
  return outcomes;
}

/** Milliseconds for a process to end when it is told to, and for the output of one that has ended. */
const GRACE_MS = 1_000;

/** Milliseconds in which git must say something: first, and then each time. */
interface Patience {
  first: number;
  next: number;
}

/** For commands that a person typed. */
export const EXPLICIT: Patience = { first: 60_000, next: 300_000 };
/** For commands that hooks and searches start. */
export const AUTOMATIC: Patience = { first: 10_000, next: 60_000 };

export class RemoteDeadline {
  /** Reason why the process was ended; null if it was not. */
  reason: 'silent' | 'cancelled' | null = null;
  private timer: NodeJS.Timeout;
  private readonly cancel = () => this.end('cancelled');

  constructor(
    private readonly child: ChildProcessWithoutNullStreams,
    patience: Patience,
    private readonly signal?: AbortSignal,
  ) {
    const endAfter = (ms: number) => setTimeout(() => this.end('silent'), ms);
    this.timer = endAfter(patience.first);
    signal?.addEventListener('abort', this.cancel, { once: true });
    child.stderr.on('data', () => {
      clearTimeout(this.timer);
      if (this.reason === null) this.timer = endAfter(patience.next);
    });
    child.once('exit', () => {
      // A connection that ssh leaves open (ControlPersist) holds the pipes long after git has ended. `setImmediate` comes after the
      // reading of what waits in the pipes, even if this process was busy when the timer ran out.
      const close = () => [child.stdout, child.stderr].map((stream) => stream.destroy());
      const timer = setTimeout(() => setImmediate(close), GRACE_MS);
      child.once('close', () => clearTimeout(timer));
    });
  }

  stop(): void {
    clearTimeout(this.timer);
    this.signal?.removeEventListener('abort', this.cancel);
  }

  private end(reason: 'silent' | 'cancelled'): void {
    this.reason ??= reason;
    this.signalGroup('SIGTERM');
    setTimeout(() => this.signalGroup('SIGKILL'), GRACE_MS).unref();
  }

  /** Signals git with its ssh and helpers, which would outlive it and hold the pipes open. */
  private signalGroup(signal: NodeJS.Signals): void {
    const { pid } = this.child;
    // It never started.
    if (pid === undefined) return;
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, signal);
    } catch {
      // It has ended already.
    }
  }
}

const DENIED =
  /permission( to \S+)? denied|access denied|denied to|not authori[sz]ed|authentication failed|could not read (username|password)|terminal prompts disabled|returned error: 40[13]|read-only|insufficient permission|repository access denied|service not enabled|hook declined|protected (branch|ref)|GH0\d\d|prohibited|not allowed to push|unpacker error|deny updating/i;
const UNREACHABLE =
  /could not resolve|couldn't connect|failed to connect|connection (refused|timed out|reset|closed)|network is unreachable|no route to host|unable to access|does not appear to be a git repository|could not read from remote repository|repository .*not found|returned error: \d+|timed out|early EOF|hung up|strange (host|path)name|transport '.*' not allowed/i;
/** Another writer was faster, or is writing. */
const LOST_RACE =
  /fetch first|non-fast-forward|failed to (update|lock|write)|cannot lock ref|unable to (create|lock|migrate)|remote ref .*changed|reference already exists|is at [0-9a-f]+ but expected|stale info|incorrect old value|already exists|failed to update ref/i;

const IN_THE_WAY = /' exists; cannot create '/;

/**
 * Returns whether a retry may cure a rejection. It does not if a lock cannot be created for lack of permission, or another ref has the
 * name as a folder.
 */
export function isLostPushRace(rejection: string): boolean {
  return LOST_RACE.test(rejection) && !DENIED.test(rejection) && !IN_THE_WAY.test(rejection);
}

export function isDenied(rejection: string): boolean {
  return DENIED.test(rejection);
}

/** Another git is writing these refs of this repository. */
const BUSY_HERE = /^error: .*(File exists|but expected|reference already exists)/m;
/** Failures of this machine's files; those of the remote begin with `remote:`. */
const DISK_HERE =
  /^(error|fatal): .*(No space left|Read-only file system|insufficient permission for adding|unable to (create|write)|cannot (open|create|lock|mkdir|update)|failed to write)/m;

/** Makes the error of a failed remote command: REMOTE_DENIED, REMOTE_UNREACHABLE, REMOTE_BUSY, DISK or GIT_FAILED. */
export function remoteFailure(name: string, args: readonly string[], code: number, stderr: string): SocraticodeError {
  const reason = firstReason(stderr);
  if (BUSY_HERE.test(stderr)) {
    const here = gitFailure(args, code, reason);
    const hint = here.code === 'LOCKED' ? here.hint : undefined;
    return new SocraticodeError('REMOTE_BUSY', `cannot write the refs of ${name}: ${reason}`, { hint });
  }
  if (DISK_HERE.test(stderr)) return new SocraticodeError('DISK', `cannot keep what ${name} sends: ${reason}`);
  if (DENIED.test(stderr)) return new SocraticodeError('REMOTE_DENIED', `${name} denies access: ${reason}`);
  if (UNREACHABLE.test(stderr)) return new SocraticodeError('REMOTE_UNREACHABLE', `cannot reach ${name}: ${reason}`);
  return gitFailure(args, code, stderr);
}

function firstReason(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/);
  const telling = [BUSY_HERE, DISK_HERE, DENIED, UNREACHABLE, /^(fatal|error):/];
  const line = telling.flatMap((pattern) => lines.find((text) => pattern.test(text)) ?? [])[0] ?? lines[0] ?? '';
  return withoutPassword(line.replace(/^(fatal|error|remote): */, ''));
}
