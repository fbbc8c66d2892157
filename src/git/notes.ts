/**
 * Reads and writes notes trees with plumbing: listing at any fan-out depth, writing with one `git fast-import` stream per batch at the
 * fixed fan-out `ab/cd/rest`. `git notes add/merge` lose or concatenate binary notes. No note is written through a symbolic ref. The packs
 * that a run writes are joined (`WrittenPacks`).
 */
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeDirectory, plainFileAt, removeQuietly, standingAt, textAt } from '../base/atomic.js';
import { type ErrorCode, isSocraticodeError, SocraticodeError } from '../base/errors.js';
import { addTo } from '../base/lists.js';
import { log } from '../base/log.js';
import { shellWord } from '../base/printable.js';
import { GcWatch, isGcRunning, RefLocks } from './crash-recovery.js';
import { listTree, type ObjectReader } from './objects.js';
import { childEnd, type Git, gitFailure, isDiskFailure, NOTHING_THERE, reasonIn } from './process.js';
import { localStateDirectory, NOTES_PREFIX, type Repository } from './repository.js';

export const NOTES_AUTHOR = 'git-socraticode <git-socraticode@users.noreply.invalid>';

export interface NoteEntry {
  target: string;
  note: Uint8Array;
}

/** Path of a note in its tree. */
export function notePath(target: string): string {
  return `${target.slice(0, 2)}/${target.slice(2, 4)}/${target.slice(4)}`;
}

/** `notes` maps target ids to blobs of notes. `foreign` maps them to paths at another fan-out depth than ours. */
export interface NotesListing {
  notes: Map<string, string>;
  foreign: Map<string, string[]>;
}

/** Lists a notes tree. Ignores entries whose path is no object id. Throws BAD_ARGUMENT for a tree that is too large. */
export async function listNotes(git: Git, tree: string): Promise<NotesListing> {
  const notes = new Map<string, string>();
  const foreign = new Map<string, string[]>();
  for (const entry of await listTree(git, tree).catch(refuseNotes)) {
    const target = entry.path.replaceAll('/', '');
    if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(target)) continue;
    const isOurs = entry.path === notePath(target);
    if (!isOurs) addTo(foreign, target, entry.path);
    if (isOurs || !notes.has(target)) notes.set(target, entry.oid);
  }
  return { notes, foreign };
}

function refuseNotes(error: unknown): never {
  if (!isSocraticodeError(error, 'BAD_ARGUMENT')) throw error;
  throw new SocraticodeError(
    'BAD_ARGUMENT',
    `the records that came with this repository are refused: ${error.message}`,
    {
      hint: 'Delete them, they are made anew: git socraticode remove',
      cause: error,
    },
  );
}

/**
 * Commit of a notes ref; null for none. Throws UNREADABLE_OBJECT with a plain message if the ref names no commit; git's would be about
 * trees and objects.
 */
export async function notesTip(objects: ObjectReader, ref: string): Promise<string | null> {
  const info = await objects.info(ref);
  if (info !== null && info.type !== 'commit') throw noNotes(ref, info.type);
  return info?.oid ?? null;
}

/** Error for a ref, here or at a remote, that holds no notes. */
export function noNotes(ref: string, type: string, remote?: string): SocraticodeError {
  const [where, way] =
    remote === undefined
      ? ['', `Delete it: git update-ref -d ${shellWord(ref)}`]
      : [` at ${remote}`, `Whoever may write there deletes it: git push ${shellWord(remote)} ${shellWord(`:${ref}`)}`];
  return new SocraticodeError('UNREADABLE_OBJECT', `${ref}${where} holds no notes: it points at a ${type}`, {
    hint: way,
  });
}

export async function readRef(git: Git, ref: string): Promise<string | null> {
  const result = await git.run(['rev-parse', '--verify', '--quiet', '--end-of-options', ref], { allow: NOTHING_THERE });
  return result.code === 0 ? result.stdout.toString('utf8').trim() : null;
}

export const ABOUT = 'profile: ';

/** Lines about the profile in the message of a first commit. `about` is one line of JSON. */
export function aboutLine(about: string | undefined): string {
  return about === undefined ? '' : `\n\n${ABOUT}${about}`;
}

export interface WriteOptions {
  foreign?: NotesListing['foreign'];
  /** Description of the profile. */
  about?: string;
  /** Learns of the pack that is written. */
  packs?: WrittenPacks;
}

/**
 * Adds notes as one commit on the tip of the ref and returns that commit. Other entries of the tree stay. The ref moves by
 * compare-and-swap, so a lost race, or a locked ref, is retried on the new tip. `about` describes the profile. Only the first commit
 * holds it, to keep the others small. Throws GIT_FAILED (also for a symbolic ref), LOCKED or DISK; then the ref is unchanged.
 */
export async function writeNotes(
  repository: Repository,
  ref: string,
  entries: readonly NoteEntry[],
  { foreign, about, packs }: WriteOptions = {},
): Promise<string> {
  let failure = '';
  const written = await retryWrite(repository, ref, async (parent) => {
    const stream = importBlocks({ ref, parent, about: parent === null ? about : undefined }, entries, foreign);
    const outcome = await fastImport(repository, stream, packs);
    if (outcome.code === 0) {
      const tip = await readRef(repository.git, ref);
      if (tip !== null && tip !== parent) return tip;
    }
    failure = outcome.stderr;
    if (/exists; cannot create/.test(failure)) throw refConflict(ref, failure);
    if (!isLostRace(failure)) throw notesFailure(failure);
    return undefined;
  });
  if (written !== undefined) return written;
  throw notesFailure(failure);
}

/** Codes of errors that a gc can cause. Others come from the request or its cancellation. */
const OF_A_GC: ReadonlySet<ErrorCode> = new Set(['GIT_FAILED', 'DISK', 'UNREADABLE_OBJECT']);

/**
 * Repeats `write`, which moves a direct ref from `parent` and returns undefined if it lost a race. Ends when a race is won and no gc has
 * deleted a part of what was written; undefined if that never happens. A failure of git during a gc counts as a lost race.
 */
export async function retryWrite<T>(
  repository: Repository,
  ref: string,
  write: (parent: string | null) => Promise<T | undefined>,
): Promise<T | undefined> {
  let thrown: unknown;
  const done = await new RefLocks(repository, ref).retry(async () => {
    thrown = undefined;
    const gc = await GcWatch.start(repository);
    await requireDirect(repository, ref);
    const parent = await readRef(repository.git, ref);
    try {
      const written = await write(parent);
      return written !== undefined && (await isRetained(repository.git, gc, { ref, parent })) ? written : undefined;
    } catch (error) {
      if (!gc.isDisturbed() || !isSocraticodeError(error) || !OF_A_GC.has(error.code)) throw error;
      thrown = error;
      return undefined;
    }
  });
  if (done === undefined && thrown !== undefined) throw thrown;
  return done;
}

/** Returns whether everything that the ref gained still exists. If not, moves the ref back, unless another writer has moved it since. */
async function isRetained(
  git: Git,
  gc: GcWatch,
  { ref, parent }: { ref: string; parent: string | null },
): Promise<boolean> {
  if (!gc.isDisturbed()) return true;
  const tip = await readRef(git, ref);
  if (tip === null || (await gc.hasRetained(tip, parent))) return true;
  const args = parent === null ? ['-d', ref, tip] : [ref, parent, tip];
  await git.run(['update-ref', ...args], { allow: NOTHING_THERE });
  return false;
}

/** Errors of a write during `git gc`, which prunes new objects and removes object directories that it has emptied. */
const PRUNED = /(?:temporary file|unable to write file .*): No such file or directory|is missing commits/;

/** Returns whether another writer has moved or locked the ref, or a `git gc` has interfered, so that a retry pays. */
export function isLostRace(failure: string): boolean {
  if (PRUNED.test(failure)) return true;
  return (
    /not updating|cannot lock|unable to (create|lock)|File exists|but expected/i.test(failure) &&
    !isDiskFailure(failure)
  );
}

/** Returns DISK, LOCKED or GIT_FAILED for a stderr of fast-import or update-ref. */
export function notesFailure(failure: string): SocraticodeError {
  if (isDiskFailure(failure)) return new SocraticodeError('DISK', `cannot write notes: ${reasonIn(failure)}`);
  return gitFailure(['fast-import'], 1, failure);
}

/** Runs one `fast-import` over a stream of commands (without `done`). If it fails, removes its crash report. `packs` learns of its pack. */
export async function fastImport(
  { git, gitDir }: Pick<Repository, 'git' | 'gitDir'>,
  blocks: Iterable<Buffer>,
  packs?: WrittenPacks,
) {
  const told = packs === undefined ? [] : [`--export-pack-edges=${packs.edges}`];
  const child = git.spawn(['fast-import', '--quiet', '--done', '--depth=0', '--date-format=now', ...told]);
  const ended = childEnd(child);
  let stdout = '';
  child.stdout.setEncoding('latin1').on('data', (text: string) => {
    stdout += text;
  });
  for (const block of blocks) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    if (!child.stdin.write(block) && !hasEnded) await drained(child);
  }
  child.stdin.end('done\n');
  const { code, stderr } = await ended;
  if (code !== 0) removeQuietly(join(gitDir, `fast_import_crash_${child.pid}`));
  return { code, stderr, stdout };
}

/** Makes a commit without a ref from a stream that commits mark 1 to a ref. Throws GIT_FAILED or DISK. */
export async function importLoose(
  repository: Repository,
  streamOf: (ref: string) => Iterable<Buffer>,
): Promise<string> {
  const ref = `refs/socraticode/passing-${randomBytes(12).toString('hex')}`;
  const length = repository.objectFormat === 'sha256' ? 64 : 40;
  // fast-import can commit to refs only. The stream deletes the temporary ref before it would be written.
  const drop = Buffer.from(`reset ${ref}\nfrom ${'0'.repeat(length)}\n\nget-mark :1\n`);
  const { code, stdout, stderr } = await fastImport(repository, [...streamOf(ref), drop]);
  const oid = stdout.trim();
  if (code === 0 && oid.length === length) return oid;
  throw notesFailure(stderr);
}

const BLOCK_BYTES = 256 * 1024;

/** Yields the fast-import stream of one commit in blocks of at least 256 KiB, to save system calls. */
function* importBlocks(
  { ref, parent, about }: { ref: string; parent: string | null; about?: string },
  entries: readonly NoteEntry[],
  foreign?: NotesListing['foreign'],
): Generator<Buffer> {
  const message = `Index ${entries.length} ${entries.length === 1 ? 'blob' : 'blobs'}${aboutLine(about)}`;
  let parts: Uint8Array[] = [];
  let size = 0;
  const add = (data: string | Uint8Array) => {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    parts.push(bytes);
    size += bytes.length;
  };
  add(`commit ${ref}\ncommitter ${NOTES_AUTHOR} now\ndata ${Buffer.byteLength(message)}\n${message}\n`);
  // The id, unlike "ref^0", makes the update fail if somebody moves the ref.
  if (parent !== null) add(`from ${parent}\n`);
  for (const { target, note } of entries) {
    for (const path of foreign?.get(target) ?? []) add(`D ${path}\n`);
    add(`M 100644 inline ${notePath(target)}\ndata ${note.length}\n`);
    add(note);
    add('\n');
    if (size < BLOCK_BYTES) continue;
    yield Buffer.concat(parts);
    parts = [];
    size = 0;
  }
  yield Buffer.concat(parts);
}

function drained(child: ReturnType<Git['spawn']>): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      child.stdin.off('drain', done);
      child.off('close', done);
      resolve();
    };
    child.stdin.once('drain', done);
    child.once('close', done);
  });
}

/** Error for a ref that cannot exist next to another: `refs/notes/x` and `refs/notes/x/y`. */
function refConflict(ref: string, failure: string): SocraticodeError {
  const blocker = /'(refs\/[^']+)' exists/.exec(failure)?.[1] ?? NOTES_PREFIX;
  return new SocraticodeError('GIT_FAILED', `cannot create ${ref}: ${blocker} is in the way`, {
    hint: `Rename or delete it: git update-ref -d ${shellWord(blocker)}`,
  });
}

/** Content of a symbolic ref's file. Other refs hold an object id. */
const SYMBOLIC = /^ref:/;
/** Greatest depth of our refs below a prefix. */
const MAX_DEPTH = 16;

/**
 * Throws GIT_FAILED if the ref is symbolic, or its file is reached through a symbolic link: git would write to the branch that it names,
 * and a `.git` directory can come in an archive. It reads files instead of starting git, as it precedes every write; a packed ref cannot
 * be symbolic.
 */
export async function requireDirect(repository: Repository, ref: string): Promise<void> {
  if (hasRefFiles(repository)) {
    const parts = ref.split('/');
    // `refs` itself may be a link: work trees were shared that way before `git worktree`.
    for (let length = 2; length < parts.length; length++) {
      const directory = parts.slice(0, length).join('/');
      if (statOf(repository, directory)?.isSymbolicLink()) throw linked(directory);
    }
    if (isSymbolicFile(repository, ref)) throw symbolic(ref);
    return;
  }
  const { code } = await repository.git.run(['symbolic-ref', '--quiet', ref], { allow: NOTHING_THERE });
  if (code === 0) throw symbolic(ref);
}

/** Checks all refs below a prefix like `requireDirect`, even symbolic refs to branches that do not exist yet. */
export async function requireDirectBelow(repository: Repository, prefix: string): Promise<void> {
  await requireDirect(repository, prefix);
  if (hasRefFiles(repository)) return searchFiles(repository, prefix, 0);
  const format = '--format=%(refname) %(symref)';
  const text = await repository.git.text(['for-each-ref', format, '--end-of-options', `${prefix}/`]);
  const found = text.split('\n').find((line) => / \S/.test(line));
  if (found !== undefined) throw symbolic(found.split(' ')[0]);
}

function searchFiles(repository: Repository, prefix: string, depth: number): void {
  const stat = statOf(repository, prefix);
  if (stat === undefined) return;
  if (stat.isSymbolicLink() || depth > MAX_DEPTH) throw linked(prefix);
  if (!stat.isDirectory()) {
    if (isSymbolicFile(repository, prefix)) throw symbolic(prefix);
    return;
  }
  for (const name of readdirSync(join(repository.commonDir, prefix)))
    searchFiles(repository, `${prefix}/${name}`, depth + 1);
}

function hasRefFiles({ commonDir }: Repository): boolean {
  return !existsSync(join(commonDir, 'reftable'));
}

function statOf({ commonDir }: Repository, ref: string) {
  return standingAt(join(commonDir, ref));
}

function isSymbolicFile(repository: Repository, ref: string): boolean {
  const stat = statOf(repository, ref);
  if (stat === undefined || stat.isDirectory()) return false;
  // Git treats a link as a symbolic ref. A pipe or device must not be opened.
  if (!stat.isFile()) return true;
  try {
    return SYMBOLIC.test(startOf(join(repository.commonDir, ref)));
  } catch (error) {
    // Git has packed the ref and removed the file.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw new SocraticodeError('DISK', `cannot read ${ref}: ${(error as Error).message}`, { cause: error });
  }
}

function startOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc('ref:'.length);
    return start.toString('latin1', 0, readSync(file, start, 0, start.length, 0));
  } finally {
    closeSync(file);
  }
}

function symbolic(ref: string): SocraticodeError {
  return new SocraticodeError('GIT_FAILED', `${ref} is a symbolic ref: writing to it would change another ref`, {
    hint: `Delete it, its target stays: git symbolic-ref -d ${ref}`,
  });
}

function linked(ref: string): SocraticodeError {
  return new SocraticodeError('GIT_FAILED', `${ref} is a link: writing below it would change other refs`, {
    hint: `Delete the link in the git directory, its target stays: ${ref}`,
  });
}

// Joins the packs of one run. Each batch of records is an import of its own, so that a killed run loses little, and each large import is a
// pack: with more than 50 packs, git collects garbage at the user's next commit.

/** Packs from which on they are joined during a run. */
const MANY = 30;
/** A limit of the user would make several packs. */
const ONE_PACK = [['pack.packSizeLimit', '0']] as const;
/** Files beside a pack that say that git keeps it, or keeps it apart. */
const MARKS = ['.keep', '.promisor', '.bitmap', '.mtimes'];
/** Files of a pack. git looks for the index first, so that it goes first. */
const PARTS = ['.idx', '.rev', '.pack'];

/** Packs that imports wrote since they were joined last. */
export class WrittenPacks {
  private isStarted = false;
  private readonly file: string;

  constructor(private readonly repository: Repository) {
    this.file = join(localStateDirectory(repository), `.tmp-${process.pid}-packs-${randomBytes(6).toString('hex')}`);
  }

  /** File to which imports add a line for each pack that they keep. */
  get edges(): string {
    if (!this.isStarted) makeDirectory(localStateDirectory(this.repository));
    this.isStarted = true;
    return this.file;
  }

  async joinIfMany(): Promise<void> {
    if (this.names().length >= MANY) await this.join();
  }

  /** Joins the packs to one, and removes them. They stay where git may need them as they are, or is older than 2.32. */
  async join(): Promise<void> {
    if (!this.isStarted) return;
    const names = this.names();
    removeQuietly(this.file);
    const { repository, folder } = this;
    // An index of several packs holds on to each of them.
    if (names.length < 2 || isGcRunning(repository) || standingAt(join(folder, 'multi-pack-index'))) return;
    const args = ['pack-objects', '--quiet', '--stdin-packs', '--window=0', join(folder, 'pack')];
    const input = names.map((name) => `${name}.pack\n`).join('');
    const { code, stdout, stderr } = await repository.git.run(args, { input, config: ONE_PACK, allow: [1, 128, 129] });
    const joined = `pack-${stdout.toString('latin1').trim()}`;
    if (code !== 0 || plainFileAt(join(folder, `${joined}.idx`)) === null) {
      log.debug(`packs are not joined: ${stderr}`);
      return;
    }
    for (const name of names) if (name !== joined) for (const part of PARTS) removeQuietly(join(folder, name + part));
  }

  private get folder(): string {
    return join(this.repository.commonDir, 'objects', 'pack');
  }

  private names(): string[] {
    if (!this.isStarted) return [];
    const named = textAt(this.file).matchAll(/^(.*\.pack):/gm);
    const names = new Set(Array.from(named, ([, path]) => basename(path, '.pack')));
    return [...names].filter((name) => {
      const has = (part: string) => standingAt(join(this.folder, name + part)) !== undefined;
      return /^pack-[0-9a-f]+$/.test(name) && has('.pack') && has('.idx') && !MARKS.some(has);
    });
  }
}
