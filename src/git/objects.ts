/**
 * Reads objects through one long-lived `git cat-file --batch`. A request is a name that git looks up (`HEAD^{commit}`, an oid,
 * `TREE:path`). It is sent on stdin, so that no name can be taken for an option. A name for which git walks history (`main~3`, `@{u}`)
 * gets its own process with a deadline, so that nobody waits behind it. A name for which git would search (`isSearched`) is refused.
 *
 *     const objects = new CatFileReader(git);
 *     const object = await objects.read('HEAD:README.md'); // null if there is none
 *     objects.close();
 */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { createHash } from 'node:crypto';
import { SocraticodeError } from '../base/errors.js';
import { endedBecause, type Git, reasonIn } from './process.js';

export interface GitObject {
  oid: string;
  type: 'blob' | 'tree' | 'commit' | 'tag';
  content: Buffer;
}

export interface ObjectInfo {
  oid: string;
  type: GitObject['type'];
  size: number;
}

/** Reader of one repository's objects. `name` is a revision expression or an object id. */
export interface ObjectReader {
  /** Returns null if the name is missing, ambiguous or malformed. Throws UNREADABLE_OBJECT if git fails. */
  read(name: string): Promise<GitObject | null>;
  info(name: string): Promise<ObjectInfo | null>;
  /** Ends the git processes after their last answer. Later requests throw CANCELLED. */
  close(): void;
}

interface Request {
  name: string;
  resolve: (object: GitObject | ObjectInfo | null) => void;
  reject: (error: unknown) => void;
}

const NEWLINE = 0x0a;
/** Names that may end git: an upstream that is not configured, a reflog entry that is too old. */
const MAY_BE_FATAL = /@\{/;
/** Milliseconds for a name that git computes. It walks 1,000,000 commits in 10 s. */
export const COMPUTING_MS = 20_000;

/** Part of a name before its path. An object id or a ref, perhaps with a type, needs no walk. */
const revisionIn = (name: string): string => /^[^:]*/.exec(name)?.[0] ?? '';
const LOOKED_UP = /^(?:[^~^@]|@(?!\{))*(?:\^\{(?:commit|tree|blob|tag|)\})*$/;

/**
 * Returns whether git would search for a name. It searches for a message (`:/text`, `HEAD^{/text}`) with a backtracking expression, which
 * a stranger's message can make endless, and for a date (`main@{yesterday}`).
 */
export function isSearched(name: string): boolean {
  const revision = revisionIn(name);
  if (name.startsWith(':/') || revision.includes('^{/')) return true;
  return [...revision.matchAll(/@\{([^}]*)/g)].some(([, what]) => !/^(?:-?\d{1,9}|u|upstream|push)$/i.test(what));
}

/** One `cat-file` process: whole objects (`--batch`) or headers only (`--batch-check`). */
class CatFile<T extends GitObject | ObjectInfo> {
  private child: ChildProcessWithoutNullStreams | null = null;
  private readonly waiting: Request[] = [];
  private parts: Buffer[] = [];
  private buffered = 0;
  /** Bytes that the first answer needs before it can be parsed; 0 until its header is read. */
  private needed = 0;
  private header: ObjectInfo | null = null;
  private outgoing = '';
  private closed = false;

  constructor(
    private readonly git: Git,
    private readonly mode: '--batch' | '--batch-check',
    private readonly deadline?: number,
  ) {}

  /** Answers a request; null for a missing, ambiguous or malformed name. */
  ask(name: string): Promise<T | null> {
    if (/[\n\0]/.test(name) || name === '') return Promise.resolve(null);
    // A late request would start git again, and this process would never end.
    if (this.closed) return Promise.reject(new SocraticodeError('CANCELLED', 'the repository was closed meanwhile'));
    return new Promise<T | null>((resolve, reject) => {
      this.send({ name, resolve: resolve as Request['resolve'], reject });
    });
  }

  private send(request: Request): void {
    this.waiting.push(request);
    this.start();
    if (this.outgoing === '') setImmediate(() => this.flush());
    this.outgoing += `${request.name}\n`;
  }

  /** Sends the requests of one turn of the event loop in one write: a system call for each costs more than its answer. */
  private flush(): void {
    const names = this.outgoing;
    this.outgoing = '';
    if (names !== '') this.child?.stdin.write(names);
    // After `close`, requests are repeated only if git died of another one.
    if (this.closed) this.child?.stdin.end();
  }

  /** Returns a process for one name. It takes no request if this one is closed. */
  alone(deadline: number): CatFile<T> {
    const own = new CatFile<T>(this.git, this.mode, deadline);
    own.closed = this.closed;
    return own;
  }

  close(): void {
    this.closed = true;
    this.flush();
    this.child?.stdin.end();
    this.child = null;
  }

  private start(): ChildProcessWithoutNullStreams {
    if (this.child !== null) return this.child;
    const { deadline } = this;
    const child = this.git.spawn(['cat-file', this.mode], { isIdle: () => this.waiting.length === 0, deadline });
    this.child = child;
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      if (stderr.length < 4096) stderr += chunk.toString('utf8');
    });
    child.stdout.on('data', (chunk: Buffer) => this.take(chunk));
    child.on('error', (cause) => this.fail(new SocraticodeError('GIT_MISSING', 'cannot run git', { cause })));
    child.on('close', (_, signal) => {
      const reason = signal === 'SIGINT' ? new SocraticodeError('CANCELLED', 'cancelled') : endedBecause(child);
      if (reason !== undefined) this.fail(reason);
      if (this.waiting.length > 0) this.ended(stderr);
      if (this.child === child) this.child = null;
    });
    return child;
  }

  /**
   * Handles the end of git. Some requests end it: in a partial clone the first missing object, and impossible names like `@{upstream}`.
   * That request gets null; the others are sent again.
   */
  private ended(stderr: string): void {
    const isMissing = /could not fetch [0-9a-f]+ from promisor remote/.test(stderr);
    const isImpossible = MAY_BE_FATAL.test(this.waiting[0].name) && /^fatal: /m.test(stderr);
    if (!isMissing && !isImpossible) {
      this.fail(unreadable(stderr));
      return;
    }
    const [refused, ...rest] = this.waiting.splice(0);
    this.reset();
    refused.resolve(null);
    for (const request of rest) this.send(request);
  }

  private fail(error: Error): void {
    for (const request of this.waiting.splice(0)) request.reject(error);
    this.reset();
  }

  private reset(): void {
    this.outgoing = '';
    this.parts = [];
    this.buffered = 0;
    this.needed = 0;
    this.header = null;
    this.child = null;
  }

  private take(chunk: Buffer): void {
    this.parts.push(chunk);
    this.buffered += chunk.length;
    // Chunks are joined once an answer is complete, which keeps the cost of large objects linear.
    if (this.buffered < this.needed) return;
    const data = Buffer.concat(this.parts);
    const rest = data.subarray(this.answer(data));
    this.parts = [rest];
    this.buffered = rest.length;
  }

  /** Resolves a request for each complete answer in `data`. Returns the number of bytes used. */
  private answer(data: Buffer): number {
    let at = 0;
    for (;;) {
      if (this.header === null) {
        const end = data.indexOf(NEWLINE, at);
        if (end === -1) return at;
        this.header = parseHeader(data.toString('latin1', at, end));
        at = end + 1;
        if (this.header === null || this.mode === '--batch-check') {
          this.settle(this.header);
          continue;
        }
        this.needed = this.header.size + 1;
      }
      if (data.length - at < this.needed) return at;
      const { oid, type, size } = this.header;
      // Copied, so that one small object does not hold the whole pipe buffer in memory.
      this.settle({ oid, type, content: Buffer.from(data.subarray(at, at + size)) });
      at += size + 1;
    }
  }

  private settle(answer: GitObject | ObjectInfo | null): void {
    this.header = null;
    this.needed = 0;
    this.waiting.shift()?.resolve(answer);
  }
}

function parseHeader(line: string): ObjectInfo | null {
  const match = /^([0-9a-f]{40,64}) (blob|tree|commit|tag) (\d+)$/.exec(line);
  return match ? { oid: match[1], type: match[2] as GitObject['type'], size: Number(match[3]) } : null;
}

function unreadable(stderr: string): SocraticodeError {
  const reason = reasonIn(stderr.trim()) || 'git cat-file ended early';
  return new SocraticodeError('UNREADABLE_OBJECT', `cannot read an object: ${reason}`);
}

/** Objects read through two `git cat-file` processes, one for contents and one for types and sizes. */
export class CatFileReader implements ObjectReader {
  private readonly contents: CatFile<GitObject>;
  private readonly headers: CatFile<ObjectInfo>;
  private missing: ReadonlySet<string> = new Set();

  constructor(git: Git) {
    this.contents = new CatFile(git, '--batch');
    this.headers = new CatFile(git, '--batch-check');
  }

  /** Names objects known to be missing: a request for one would end git. */
  setMissing(oids: Iterable<string>): void {
    this.missing = new Set(oids);
  }

  read(name: string): Promise<GitObject | null> {
    return this.ask(this.contents, name);
  }

  info(name: string): Promise<ObjectInfo | null> {
    return this.ask(this.headers, name);
  }

  private async ask<T extends GitObject | ObjectInfo>(shared: CatFile<T>, name: string): Promise<T | null> {
    if (this.missing.has(name) || isSearched(name)) return null;
    if (LOOKED_UP.test(revisionIn(name))) return shared.ask(name);
    const own = shared.alone(COMPUTING_MS);
    try {
      return await own.ask(name);
    } finally {
      own.close();
    }
  }

  close(): void {
    this.contents.close();
    this.headers.close();
  }
}

/** Object id that git gives these bytes as a blob, without filters. */
export function blobOid(bytes: Uint8Array, format: 'sha1' | 'sha256'): string {
  return createHash(format).update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
