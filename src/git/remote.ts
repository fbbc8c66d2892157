/**
 * Git over the network: the one place where a command may leave the machine. Everything `process` forbids stays
 * forbidden but transports that run no command of their own; nothing prompts, no hook runs, no configured refspec
 * applies, and what git starts (ssh, helpers) ends with it.
 */
import { SocraticodeError } from '../base/errors.js';
import { NOTES_PREFIX } from './notes.js';
import type { RefMove } from './notes-history.js';
import { childEnd, type GitResult } from './process.js';
import { AUTOMATIC, EXPLICIT, type Patience, RemoteDeadline } from './remote-deadline.js';
import { remoteFailure } from './remote-failure.js';
import { requireNoCommands } from './remote-trust.js';
import type { Repository } from './repository.js';
import { type ConfigEntry, isPartialClone } from './worktree.js';

const TRANSPORTS = ['file', 'git', 'http', 'https', 'ssh'];

export interface RemoteOptions {
  /** Nobody typed this command: no program of the desktop asks for a password either. */
  automatic?: boolean;
  signal?: AbortSignal;
  /** Default: a minute to answer for a person, ten seconds for what nobody typed. */
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
  /** Null if the remote took it, otherwise what it said. */
  rejection: string | null;
}

/** One configured remote. Every method throws what `remoteFailure` makes, and CANCELLED. */
export class Remote {
  constructor(
    private readonly repository: Repository,
    private readonly config: readonly ConfigEntry[],
    readonly name: string,
    private readonly options: RemoteOptions = {},
  ) {}

  /** As configured, for telling remotes apart; it can hold a password. */
  get url(): string {
    return this.config.find(({ key }) => key === `remote.${this.name}.url`)?.value ?? '';
  }

  /** Oids that the remote's branches and tags point at, tags also peeled. */
  async listTips(): Promise<string[]> {
    const { stdout } = await this.run(['ls-remote', '--heads', '--tags', '--end-of-options', this.name]);
    const lines = stdout.toString('latin1').split('\n');
    return [...new Set(lines.filter((line) => /\trefs\/(heads|tags)\//.test(line)).map((line) => line.split('\t')[0]))];
  }

  /** Notes refs of this program that the remote has, and what they point at. */
  async listNotes(): Promise<Map<string, string>> {
    const pattern = `${NOTES_PREFIX}/*`;
    const { stdout } = await this.run(['ls-remote', '--refs', '--end-of-options', this.name, pattern]);
    const found = [...stdout.toString('utf8').matchAll(/^([0-9a-f]{40,64})\t(\S+)$/gm)];
    return new Map(found.filter(([, , ref]) => ref.startsWith(`${NOTES_PREFIX}/`)).map(([, oid, ref]) => [ref, oid]));
  }

  /**
   * Fetches by refspecs alone, objects complete even in a partial clone; tracking refs whose source is gone are removed.
   * `known` are commits that the remote may know: without any, no time is spent on finding common ones.
   */
  async fetch(refspecs: readonly string[], known: readonly string[]): Promise<void> {
    const args = [
      ...['fetch', '--progress', '--no-tags', '--prune', '--refmap=', '--no-write-fetch-head'],
      ...['--no-auto-maintenance', '--no-recurse-submodules'],
      ...(isPartialClone(this.config) ? ['--no-filter'] : []),
      ...known.map((oid) => `--negotiation-tip=${oid}`),
      ...['--end-of-options', this.name, ...refspecs],
    ];
    const config = known.length === 0 ? NO_NEGOTIATION : [];
    await this.run(args, { config });
  }

  /** Brings objects by name, many at a time, as git itself does for promised ones. */
  async fetchObjects(oids: readonly string[]): Promise<void> {
    const args = [
      ...['fetch', '--progress', '--no-tags', '--refmap=', '--no-write-fetch-head', '--no-auto-maintenance'],
      ...['--no-recurse-submodules', '--filter=blob:none', '--stdin', '--end-of-options', this.name],
    ];
    await this.run(args, { config: NO_NEGOTIATION, input: `${oids.join('\n')}\n` });
  }

  /** Pushes without force; a rejection is an answer, not an error. */
  push(updates: readonly PushUpdate[]): Promise<PushOutcome[]> {
    return this.pushRefs(
      updates.map(({ commit, ref }) => `${commit}:${ref}`),
      [],
    );
  }

  /** Moves or deletes refs that are still what they were; one that somebody else has moved is rejected. */
  move(moves: readonly RefMove[]): Promise<PushOutcome[]> {
    return this.pushRefs(
      moves.map(({ ref, to }) => `${to ?? ''}:${ref}`),
      moves.map(({ ref, from }) => `--force-with-lease=${ref}:${from}`),
    );
  }

  /**
   * What a remote may have is decided by what it has, so it must be the one that is pushed to: REMOTE_DENIED if its
   * address for pushing is another one, or if there are several.
   */
  async requireOneAddress(): Promise<void> {
    const ask = async (...direction: string[]) =>
      (await this.repository.git.text(['remote', 'get-url', ...direction, '--all', '--', this.name])).split('\n');
    const [from, to] = await Promise.all([ask(), ask('--push')]);
    if (from.length === 1 && to.length === 1 && isSamePlace(from[0], to[0])) return;
    throw new SocraticodeError('REMOTE_DENIED', `${this.name} is fetched from one address and pushed to others`, {
      hint: 'Add a remote for the index: git remote add index URL && git socraticode push index',
    });
  }

  private async pushRefs(refspecs: readonly string[], leases: readonly string[]): Promise<PushOutcome[]> {
    const args = [
      ...['push', '--porcelain', '--progress', '--no-verify', '--no-follow-tags', '--no-signed'],
      ...['--recurse-submodules=no', ...leases, '--end-of-options', this.name, ...refspecs],
    ];
    await this.requireOneAddress();
    // Negotiating would fetch; a mirror takes no refspecs.
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
    requireNoCommands(this.repository, this.config, this.name);
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
      // The end is what matters: progress comes before it.
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

  /** What the user's own settings forbid stays forbidden. */
  private allowedTransports(): string[] {
    const byUser = process.env.GIT_ALLOW_PROTOCOL?.split(':');
    const last = (key: string) => this.config.filter((entry) => entry.key === key).at(-1)?.value;
    return TRANSPORTS.filter((name) => {
      if (byUser !== undefined) return byUser.includes(name);
      return (last(`protocol.${name}.allow`) ?? last('protocol.allow')) !== 'never';
    });
  }
}

/** Many fetch over https and push over ssh: one host and one path are one repository. */
export function isSamePlace(a: string, b: string): boolean {
  return a === b || (placeOf(a) !== null && placeOf(a) === placeOf(b));
}

/** `host/path` of a server's address without a port, in git's long and short form; null for all others. */
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

/** Lines of `--porcelain`: `FLAG TAB FROM:TO TAB SUMMARY`. */
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
