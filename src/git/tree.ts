/**
 * Trees: the files of any revision as a list of paths and blobs, without a checkout. All snapshots are read through `SnapshotReader`. It
 * is implemented with git here, and for machines without git in `isomorphic`; one contract test suite covers both.
 */
import { isSocraticodeError, SocraticodeError } from '../base/errors.js';
import { groupDigits, shellWord } from '../base/printable.js';
import { CatFileReader, COMPUTING_MS, isSearched, type ObjectReader } from './objects.js';
import { childEnd, type Git, gitFailure, NOTHING_THERE } from './process.js';

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
    const [mode, type, oid] = data.toString('latin1', at, tab).split(' ');
    if (type === 'tree') listing.directories++;
    else listing.entries.push({ path: decodePath(data.subarray(tab + 1, end)), oid, type: entryType(mode) });
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
export function decodePath(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (!text.includes('\ufffd')) return text;
  return bytes.toString('latin1').replace(/[\u0080-\u00ff]/g, (c) => `\\x${c.charCodeAt(0).toString(16)}`);
}

/** Returns whether git would never check a path out. A hostile tree can hold such paths. */
export function isUnsafePath(path: string): boolean {
  if (path.startsWith('/') || path.includes('\0')) return true;
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
      if (isSocraticodeError(error, 'UNKNOWN_REF')) await this.refuseMissing(ref, `${ref}^{commit}`);
      throw error;
    }
  }

  /** Throws UNREADABLE_OBJECT if the ref exists and its commit or tree is missing, which looks like an unknown ref. */
  private async refuseMissing(ref: string, name: string): Promise<void> {
    if (isSearched(name)) return;
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
