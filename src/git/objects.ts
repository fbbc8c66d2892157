/**
 * Reads git objects: through one long-lived `git cat-file --batch`, and the files of any revision as a list of paths
 * and blobs, without a checkout. A request is a name that git looks up (`HEAD^{commit}`, an oid, `TREE:path`). It is
 * sent on stdin, so that no name can be taken for an option. A name for which git walks history (`main~3`, `@{u}`) gets
 * its own process with a deadline, so that nobody waits behind it. A name for which git would search (`isSearched`) is
 * refused. All snapshots are read through `SnapshotReader`, which has a second implementation for machines without git
 * in `isomorphic`; one contract test suite covers both.
 */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { createHash } from 'node:crypto';
import { inUtf8 } from '../base/binary.js';
import { isSocraticodeError, SocraticodeError } from '../base/errors.js';
import { groupDigits, shellWord, visibleLine } from '../base/printable.js';
import { nearest } from '../base/spelling.js';
import { childEnd, endedBecause, type Git, gitFailure, NOTHING_THERE, reasonIn } from './process.js';

export interface GitObject {
  oid: string;
  type: 'blob' | 'tree' | 'commit' | 'tag';
  /** A text is in UTF-8. */
  content: Buffer;
  /** Bytes of a text that is stored in another encoding. */
  stored?: Buffer;
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
function isSearched(name: string): boolean {
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
      this.settle(readable({ oid, type, content: Buffer.from(data.subarray(at, at + size)) }));
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

/** The object with its text in UTF-8. */
export function readable(object: GitObject): GitObject {
  if (object.type !== 'blob') return object;
  const content = inUtf8(object.content);
  return content === object.content ? object : { ...object, content, stored: object.content };
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

export interface ResolvedRef {
  ref: string;
  /** Id of the commit; null if the name is a tree. */
  commit: string | null;
  tree: string;
}

export type EntryType = 'file' | 'executable' | 'symlink' | 'submodule';

export interface TreeEntry {
  path: string;
  oid: string;
  type: EntryType;
}

/** Limit on entries. A hostile tree of 5 MB can hold 10^8; no known real one has a million. */
export const MAX_TREE_ENTRIES = 1_000_000;

/** Resolves a branch, tag, commit, `HEAD~3` or tree. Throws UNKNOWN_REF or UNBORN_HEAD. */
export async function resolveRef(objects: ObjectReader, ref: string): Promise<ResolvedRef> {
  if (isSearched(ref)) throw searched(ref);
  // Revision ranges and index paths (":0:file") name no tree. "^{tree}" accepts only commits, tags and trees.
  const commit = await objects.info(`${ref}^{commit}`);
  if (commit?.type === 'commit') {
    // By name, not from the commit's content, which can be of any size.
    const tree = await objects.info(`${commit.oid}^{tree}`);
    if (tree?.type === 'tree') return { ref, commit: commit.oid, tree: tree.oid };
  }
  // In "COMMIT:DIRECTORY" the rest after the colon is the path.
  const tree = await objects.info(ref.includes(':') ? ref : `${ref}^{tree}`);
  if (tree?.type === 'tree') return { ref, commit: null, tree: tree.oid };
  if (ref === 'HEAD') throw new SocraticodeError('UNBORN_HEAD', 'HEAD has no commit yet');
  throw new SocraticodeError('UNKNOWN_REF', `unknown ref: ${ref}`);
}

function searched(ref: string): SocraticodeError {
  return new SocraticodeError('UNKNOWN_REF', `unknown ref: ${ref}, which git would search for`, {
    hint: `Name the commit that git finds: git rev-parse ${shellWord(ref)}`,
  });
}

/** Lists all files of a tree in git's order. Throws BAD_ARGUMENT beyond `limit` files and directories. */
export async function listTree(git: Git, tree: string, limit = MAX_TREE_ENTRIES): Promise<TreeEntry[]> {
  // `-t` lists directories as well: git would walk 10^8 directories without a file and print nothing.
  const args = ['ls-tree', '-r', '-t', '-z', '--full-tree', tree];
  const child = git.spawn(args);
  const ended = childEnd(child);
  child.stdin.end();
  const listing: Listing = { entries: [], directories: 0, bytes: 0 };
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    const data = Buffer.concat([rest, chunk]);
    rest = data.subarray(parseEntries(data, listing));
    // Leaving the loop destroys the stream. Waiting for git inside it would deadlock on unread output.
    if (excess(listing, rest, limit) !== null) break;
  }
  const refused = excess(listing, rest, limit);
  if (refused !== null) {
    child.kill('SIGKILL');
    await ended;
    throw refused;
  }
  const { code, stderr } = await ended;
  if (code !== 0) throw gitFailure(args, code, stderr);
  return listing.entries;
}

interface Listing {
  entries: TreeEntry[];
  directories: number;
  /** Length of all paths. */
  bytes: number;
}

/** Length of a million paths of 256 bytes. No known real tree has a tenth of that. */
export const MAX_PATH_BYTES = 256 << 20;
/** Longest record of an entry. No system can check out such a path. */
const MAX_ENTRY_BYTES = 1 << 20;

function excess({ entries, directories, bytes }: Listing, rest: Buffer, limit: number): SocraticodeError | null {
  if (entries.length + directories > limit) return tooManyEntries(limit);
  if (bytes > MAX_PATH_BYTES || rest.length > MAX_ENTRY_BYTES) return pathsTooLong();
  return null;
}

export function tooManyEntries(limit: number): SocraticodeError {
  return tooLarge(`the tree has more than ${groupDigits(limit)} entries`);
}

export function pathsTooLong(): SocraticodeError {
  return tooLarge('the paths of the tree are too long');
}

function tooLarge(message: string): SocraticodeError {
  const hint = 'A tree this large is refused; name a smaller one by the ref COMMIT:DIRECTORY.';
  return new SocraticodeError('BAD_ARGUMENT', message, { hint });
}

/** Lists the ids below a tree that a partial clone has not fetched. Does not use the network. */
export async function listMissing(git: Git, tree: string): Promise<string[]> {
  const args = ['rev-list', '--objects', '--missing=print', '--no-walk', '--end-of-options', tree];
  const { stdout } = await git.run(args, { allow: NOTHING_THERE });
  return stdout
    .toString('latin1')
    .split('\n')
    .filter((line) => line.startsWith('?'))
    .map((line) => line.slice(1));
}

/** Parses records `mode SP type SP oid TAB path NUL`. Returns the number of bytes used. */
function parseEntries(data: Buffer, listing: Listing): number {
  let at = 0;
  for (;;) {
    const end = data.indexOf(0, at);
    if (end === -1) return at;
    const tab = data.indexOf(9, at);
    // Without lists and views of bytes: a large tree has a hundred thousand entries.
    const head = data.toString('latin1', at, tab);
    const oid = head.lastIndexOf(' ') + 1;
    if (head.endsWith(' tree', oid - 1)) listing.directories++;
    else
      listing.entries.push({
        path: decodePath(data, tab + 1, end),
        oid: head.slice(oid),
        type: entryType(head.slice(0, head.indexOf(' '))),
      });
    listing.bytes += end - tab;
    at = end + 1;
  }
}

/** Size of a tree object with a million entries. */
const MAX_TREE_BYTES = 64 << 20;

/** Finds a file at the top of a tree without listing the tree; null if it is missing or a directory. */
export async function findTopEntry(objects: ObjectReader, tree: string, name: string): Promise<TreeEntry | null> {
  const found = await entryIn(objects, tree, name);
  return found === null || found.type === 'directory' ? null : { ...found, type: found.type };
}

/** Entry of a path, `directory` included. */
type PathEntry = Omit<TreeEntry, 'type'> & { type: EntryType | 'directory' };

/** Longest path in segments. Git follows no deeper one when it checks a tree out. */
const MAX_DEPTH = 4_096;

/** Finds a path (decoded as in listings) by reading only the trees above it; null if it is missing. */
export async function findEntry(objects: ObjectReader, tree: string, path: string): Promise<PathEntry | null> {
  const names = path.split('/');
  if (names.length > MAX_DEPTH) return null;
  let found: PathEntry | null = { path: '', oid: tree, type: 'directory' };
  for (const name of names) {
    if (found?.type !== 'directory') return null;
    found = await entryIn(objects, found.oid, name);
  }
  return found === null ? null : { ...found, path };
}

async function entryIn(objects: ObjectReader, tree: string, name: string): Promise<PathEntry | null> {
  const info = await objects.info(tree);
  if (info?.type !== 'tree' || info.size > MAX_TREE_BYTES) return null;
  const object = await objects.read(tree);
  if (object?.type !== 'tree') return null;
  for (const { mode, path, oid } of rawEntries(object.content, tree.length / 2)) {
    if (decodePath(path) === name) return { path: name, oid, type: mode === TREE_MODE ? 'directory' : entryType(mode) };
  }
  return null;
}

export const TREE_MODE = '40000';

/** Yields the entries of a tree object, `mode SP name NUL oid`. */
export function* rawEntries(content: Buffer, oidBytes: number): Generator<{ mode: string; path: Buffer; oid: string }> {
  for (let at = 0; ; ) {
    const space = content.indexOf(0x20, at);
    const end = content.indexOf(0, space);
    if (space === -1 || end === -1) return;
    const next = end + 1 + oidBytes;
    const path = content.subarray(space + 1, end);
    yield { mode: content.toString('latin1', at, space), path, oid: content.toString('hex', end + 1, next) };
    at = next;
  }
}

export function entryType(mode: string): EntryType {
  if (mode === '100755') return 'executable';
  if (mode === '120000') return 'symlink';
  if (mode === '160000') return 'submodule';
  return 'file';
}

/** Returns whether a mode is that of a regular file, executable or not. */
export function isFileMode(mode: string): boolean {
  return mode.startsWith('100');
}

/** Decodes a path. In one that is not UTF-8, bytes beyond ASCII become \xNN, so that none is lost. */
export function decodePath(bytes: Buffer, start = 0, end = bytes.length): string {
  const text = bytes.toString('utf8', start, end);
  if (!text.includes('\ufffd')) return text;
  return bytes.toString('latin1', start, end).replace(/[\u0080-\u00ff]/g, (c) => `\\x${c.charCodeAt(0).toString(16)}`);
}

const MAYBE_UNSAFE = /(?:^|\/)(?:\.|\/|$)/;

/** Returns whether git would never check a path out. A hostile tree can hold such paths. */
export function isUnsafePath(path: string): boolean {
  if (path.startsWith('/') || path.includes('\0')) return true;
  // Nearly all paths have no part that begins with a full stop, and no empty one.
  if (!MAYBE_UNSAFE.test(path)) return false;
  return path.split('/').some((part) => part === '' || part === '.' || part === '..' || part.toLowerCase() === '.git');
}

/** Read-only access to snapshots. Objects never change; refs are looked up each time. */
export interface SnapshotReader extends ObjectReader {
  /** Resolves a name to commit and tree. Throws UNKNOWN_REF, UNBORN_HEAD (no commit yet) or UNREADABLE_OBJECT. */
  resolve(ref: string): Promise<ResolvedRef>;
  /**
   * Lists all entries below a tree in git's order, without directories. Throws BAD_ARGUMENT beyond a million entries, and
   * GIT_FAILED or UNREADABLE_OBJECT if a tree cannot be read.
   */
  list(tree: string): Promise<TreeEntry[]>;
}

/** Maximum number of refs that a mistyped one is compared with, and of those that are listed where none is near. */
const MAX_COMPARED_REFS = 2_000;
const MAX_LISTED_REFS = 6;

/** The ref that was meant, or the first that exist. Agents have no tool that lists branches. */
function refHint(ref: string, names: readonly string[]): string {
  // Git looks for `fix` among the branches here, not among those of a remote.
  const [base] = ref.split(/[~^]/, 1);
  const near = names.find((name) => name.endsWith(`/${base}`)) ?? nearest(base, ['HEAD', ...names]);
  if (near !== null) return `Did you mean ${visibleLine(near + ref.slice(base.length))}?`;
  const more = names.length - MAX_LISTED_REFS;
  const [first, rest] = [names.slice(0, MAX_LISTED_REFS).map(visibleLine), more > 0 ? ` and ${more} more` : ''];
  return `Branches and tags here: ${first.join(', ')}${rest}.`;
}

export class GitReader extends CatFileReader implements SnapshotReader {
  /** `partial`: a partial clone, in which `list` first finds out which objects are missing. */
  constructor(
    private readonly git: Git,
    private readonly partial = false,
  ) {
    super(git);
  }

  async resolve(ref: string): Promise<ResolvedRef> {
    try {
      return await resolveRef(this, ref);
    } catch (error) {
      if (isSocraticodeError(error, 'UNBORN_HEAD')) await this.refuseMissing(ref, ref);
      if (!isSocraticodeError(error, 'UNKNOWN_REF') || isSearched(ref)) throw error;
      await this.refuseMissing(ref, `${ref}^{commit}`);
      // The ref is unknown, whatever hinders the list.
      const names = await this.refNames().catch(() => []);
      if (names.length === 0) throw error;
      throw new SocraticodeError('UNKNOWN_REF', error.message, { hint: refHint(ref, names) });
    }
  }

  /** Short names of branches and tags, of very many the first. */
  private async refNames(): Promise<string[]> {
    const args = ['for-each-ref', `--count=${MAX_COMPARED_REFS}`, '--format=%(refname:short)'];
    const { stdout } = await this.git.run([...args, 'refs/heads', 'refs/remotes', 'refs/tags'], {
      deadline: COMPUTING_MS,
    });
    return stdout.toString('utf8').split('\n').filter(Boolean);
  }

  /** Throws UNREADABLE_OBJECT if the ref exists and its commit or tree is missing, which looks like an unknown ref. */
  private async refuseMissing(ref: string, name: string): Promise<void> {
    // Of a range, `rev-parse` would look for both ends, and search for one of `:/text`.
    if (isSearched(name) || revisionIn(name).includes('..')) return;
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', name];
    const { code, stdout } = await this.git.run(args, { allow: NOTHING_THERE, deadline: COMPUTING_MS });
    const oid = stdout.toString('latin1').trim();
    if (code === 0 && /^[0-9a-f]{40,64}$/.test(oid))
      throw new SocraticodeError('UNREADABLE_OBJECT', `what ${ref} names is missing: ${oid}, or its tree`);
  }

  async list(tree: string): Promise<TreeEntry[]> {
    if (this.partial) this.setMissing(await listMissing(this.git, tree));
    return listTree(this.git, tree);
  }
}
