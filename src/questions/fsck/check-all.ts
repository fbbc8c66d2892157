/** Checks the notes and the local state. */
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isLink, plainFileAt, standingAt, TEMP_PREFIX } from '../../base/atomic.js';
import { StateFiles } from '../../base/cache.js';
import { isSocraticodeError } from '../../base/errors.js';
import { STATE_FOLDER } from '../../base/local-key.js';
import { shellWord } from '../../base/printable.js';
import { createProgress } from '../../base/progress.js';
import { type KnownRef, listRefs, refLocks } from '../../git/crash-recovery.js';
import { localStateDirectory, NOTES_PREFIX } from '../../git/repository.js';
import { ParserPool } from '../../indexer/parser-pool.js';
import { computeStaticVectors } from '../../indexer/static-vectors.js';
import { KNOWLEDGE_KINDS, kindOfRef, PRIVATE_PREFIX } from '../../knowledge/kinds.js';
import { overlayFault } from '../../overlay/state-file.js';
import { COMPILER_KIND } from '../../record/format.js';
import { SYNTAX_KIND } from '../../record/syntax-codec.js';
import { VECTORS_KIND } from '../../record/vector-codec.js';
import { COMPILER_PROFILE, type Session } from '../../session/session.js';
import { isWholeHnsw } from '../../shard/hnsw.js';
import { vectorFileOwner } from '../../shard/lexical-format.js';
import type { LexicalShard } from '../../shard/lexical-shard.js';
import { inspectVectorShard, type VectorShard } from '../../shard/vector-shard.js';
import { isIndex } from '../../share/notes-refs.js';
import { formatCount } from '../format.js';
import { beginCheck, type Check, unlessThrown } from './check.js';
import {
  type CheckedNotes,
  checkNotes,
  checkVectorShapes,
  compareTexts,
  type NotesTarget,
  type Rederived,
  rederive,
  type Sample,
} from './check-notes.js';
import { type CheckedShards, checkShards } from './check-shards.js';

export interface CheckRequest {
  /** Number of records to derive again, or all. */
  rederive?: Sample;
  /** Checks this profile alone. */
  profile?: string;
  /** Checks notes, tasks and tags alone. */
  knowledge?: boolean;
  signal?: AbortSignal;
}

export interface CheckedAll {
  check: Check;
  /** Notes of readable refs. */
  notes: CheckedNotes[];
  /** Null if another profile was requested. */
  local: { shards: CheckedShards; files: CheckedFiles } | null;
  rederived: Rederived | null;
}

/** Checks everything, and reads only. Gives `use` the results; afterwards nothing more can be read. */
export async function withCheck<T>(
  session: Session,
  request: CheckRequest,
  use: (check: Check) => Promise<T>,
): Promise<T> {
  const check = await beginCheck(session, request);
  try {
    return await use(check);
  } finally {
    check.objects.close();
  }
}

export async function checkAll(check: Check, request: CheckRequest): Promise<CheckedAll> {
  const notes = await checkAllNotes(check);
  const rederived = request.rederive === undefined ? null : await rederiveAll(check, notes, request.rederive);
  const local = isLocalRequested(check) ? await checkLocal(check, notes) : null;
  return { check, notes, local, rederived };
}

export async function checkAllNotes(check: Check): Promise<CheckedNotes[]> {
  const refs = await checkRefs(check);
  const notes: CheckedNotes[] = [];
  const progress = createProgress('checking notes', 'records');
  try {
    for (const target of refs.targets) {
      try {
        notes.push(await checkNotes(check, target, progress));
      } catch (error) {
        // BAD_ARGUMENT is thrown for a tree beyond all limits.
        if (!(isSocraticodeError(error, 'GIT_FAILED') || isSocraticodeError(error, 'BAD_ARGUMENT'))) throw error;
        reportUnreadable(check, target.ref, `its tree cannot be listed: ${error.message}`);
      }
    }
  } finally {
    progress.finish();
  }
  const { syntax, vectors } = ownNotes(notes);
  if (syntax !== null && vectors !== null) checkVectorShapes(check, vectors, syntax);
  return notes;
}

/** Refs of the current profiles. */
function ownNotes(notes: readonly CheckedNotes[]): {
  syntax: CheckedNotes | null;
  vectors: CheckedNotes | null;
} {
  const own = notes.filter(({ isOwn, kind }) => isOwn && !KNOWLEDGE_KINDS.includes(kind));
  const syntax = own.find(({ kind }) => kind === SYNTAX_KIND) ?? null;
  return { syntax, vectors: own.find((each) => each !== syntax) ?? null };
}

/** Derives records of the current profiles again. Other versions made those of other profiles, and nothing here makes the same. */
export async function rederiveAll(check: Check, notes: readonly CheckedNotes[], sample: Sample): Promise<Rederived> {
  const { syntax, vectors } = ownNotes(notes);
  const pool = new ParserPool();
  const progress = createProgress('deriving again', 'records');
  const none: Rederived = { of: 0, equal: 0, different: 0, notComparable: {}, vectorsCompared: 0 };
  try {
    const report = syntax === null ? none : await rederive(check, syntax, { sample, pool, progress });
    if (syntax !== null && vectors !== null)
      report.vectorsCompared = await compareTexts(check, vectors, syntax, sample);
    return report;
  } finally {
    progress.finish();
    pool.stop();
  }
}

/** True if the local state is to be checked, which belongs to the current profiles. */
export function isLocalRequested({ profile, session, vectors, knowledge }: Check): boolean {
  if (knowledge) return false;
  return profile === null || profile === session.profile || profile === vectors.profile;
}

export async function checkLocal(
  check: Check,
  notes: readonly CheckedNotes[],
): Promise<{ shards: CheckedShards; files: CheckedFiles }> {
  const progress = createProgress('checking shards', 'shards');
  try {
    const shards = await checkShards(check, ownNotes(notes).syntax, progress);
    return { shards, files: checkFiles(check, shards) };
  } finally {
    progress.finish();
  }
}

// Checks the refs of our notes.

const NOTES_REF = new RegExp(`^(?:${NOTES_PREFIX}|${PRIVATE_PREFIX})/([^/]+)/([^/]+)$`);
/** Age of a lock that nobody holds: git holds one while it writes a line. */
const STALE_LOCK_MS = 10 * 60_000;

interface CheckedRefs {
  targets: NotesTarget[];
  /** Refs whose files hold no object id. */
  broken: string[];
  /** Absolute paths of lock files of refs that nobody holds. */
  locks: string[];
}

/** Reads the local notes refs. Copies of a remote's refs are left out, since the remote repairs its own. */
export async function checkRefs(check: Check): Promise<CheckedRefs> {
  const { repository } = check.session;
  const listed = [await listRefs(repository.git, NOTES_PREFIX), await listRefs(repository.git, PRIVATE_PREFIX)];
  const [refs, broken] = [listed.flatMap((each) => each.refs), listed.flatMap((each) => each.broken)];
  const targets: NotesTarget[] = [];
  for (const known of refs) {
    if (check.knowledge && kindOfRef(known.ref) === null) continue;
    check.counts.refs++;
    const target = await targetOf(check, known);
    if (target !== null && (check.profile === null || target.profile === check.profile)) targets.push(target);
  }
  for (const ref of broken) check.findings.add('ref-broken', ref, 'the file of the ref holds no object id');
  return { targets, broken: broken.filter((ref) => NOTES_REF.test(ref)), locks: checkLocks(check) };
}

async function targetOf(check: Check, { ref, oid, symbolic }: KnownRef): Promise<NotesTarget | null> {
  const { findings, session } = check;
  const [, kind, profile] = NOTES_REF.exec(ref) ?? [];
  if (kind === undefined) {
    const hint = `Rename or delete it: git update-ref -d ${shellWord(ref)}`;
    findings.add('ref-in-the-way', ref, 'no notes can be kept below a ref of that name', { hint });
    return null;
  }
  if (symbolic !== null) {
    const hint = `Delete it, its target stays: git symbolic-ref -d ${ref}`;
    findings.add('ref-symbolic', ref, `it stands for ${symbolic}, which writing to it would change`, { hint });
    return null;
  }
  const commit = await check.objects.info(oid).catch(() => null);
  if (commit?.type !== 'commit') {
    reportUnreadable(check, ref, commit === null ? `its commit ${oid} is missing` : `it points at a ${commit.type}`);
    return null;
  }
  if (!isIndex({ kind }) && kindOfRef(ref) === null) {
    findings.add('notes-of-later-version', ref, 'a later version keeps notes here, which this one cannot check');
    return null;
  }
  const own: Readonly<Record<string, string>> = {
    [SYNTAX_KIND]: session.profile,
    [VECTORS_KIND]: check.vectors.profile,
    [COMPILER_KIND]: COMPILER_PROFILE,
  };
  const isOwn = own[kind] === profile || kindOfRef(ref) !== null;
  return { ref, commit: oid, kind, profile, isOwn };
}

/** Reports an unreadable object, which git has to repair. */
function reportUnreadable(check: Check, ref: string, message: string): void {
  const hint = `git fsck; if nothing brings the objects back: git update-ref -d ${shellWord(ref)}, then git socraticode index`;
  check.findings.add('ref-unreadable', ref, message, { hint });
}

function checkLocks(check: Check): string[] {
  const { repository } = check.session;
  const locks = [NOTES_PREFIX, PRIVATE_PREFIX].flatMap((prefix) => refLocks(repository, prefix));
  const stale = locks.filter(({ ageMs }) => ageMs > STALE_LOCK_MS);
  for (const { path, ageMs } of stale) {
    const about = relative(repository.commonDir, path);
    check.findings.add(
      'ref-lock-stale',
      about,
      `it has been there for ${Math.round(ageMs / 60_000)} minutes, and stops every writer`,
    );
  }
  return stale.map(({ path }) => path);
}

// Checks the other files of the local state: vectors, caches, and superfluous files. Follows no link.

export interface CheckedFiles {
  /** Absolute paths of files that must not be used any more. */
  bad: string[];
  /** Absolute paths of superfluous files. */
  leftovers: string[];
}

/** Age of a file that no writer and no reader uses any more. */
const RETIRED_MS = 10 * 60_000;
const VECTOR_FILE = /^vectors-([0-9a-f]{4,64})-[0-9a-f]{16}\.(bin|hnsw)$/;
const LEXICAL_FILE = /^lexical-[0-9a-f]{16}\.bin$/;
const OVERLAY = /^overlay-/;

function checkFiles(check: Check, shards: CheckedShards): CheckedFiles {
  const checked: CheckedFiles = { bad: [], leftovers: [] };
  const state = localStateDirectory(check.session.repository);
  if (!shards.isOurs) return checked;
  count(check, state);
  checkOthers(check, state);
  const { directory } = check.session.shards;
  for (const name of namesIn(directory)) {
    check.signal?.throwIfAborted();
    checkFile(check, { directory, name }, shards, checked);
  }
  checkGraphs(check, directory, checked);
  for (const name of namesIn(directory).filter((each) => OVERLAY.test(each)))
    checkOverlay(check, join(directory, name), checked);
  reportLeftovers(check, state, checked);
  return checked;
}

function count({ counts }: Pick<Check, 'counts'>, directory: string): void {
  for (const name of namesIn(directory)) {
    const path = join(directory, name);
    const stat = standingAt(path);
    if (stat?.isDirectory()) count({ counts }, path);
    else if (stat !== undefined) {
      counts.files++;
      counts.fileBytes += stat.size;
    }
  }
}

function checkOthers(check: Check, state: string): void {
  const own = check.session.shards.directory;
  const others = namesIn(state).filter((name) => STATE_FOLDER.test(name) && join(state, name) !== own);
  if (others.length === 0) return;
  const count = formatCount(others.length, 'folder');
  const message = `${count} of other versions, users or containers, which check their own`;
  check.findings.add('state-of-others', others[0], message);
}

interface Place {
  directory: string;
  name: string;
}

function checkFile(check: Check, { directory, name }: Place, shards: CheckedShards, checked: CheckedFiles): void {
  const path = join(directory, name);
  if (name.startsWith(TEMP_PREFIX) || name.endsWith('.bad')) {
    leave(path, checked);
    return;
  }
  const owner = vectorFileOwner(name);
  const isListed = shards.manifest.shards.some(({ file }) => file === (owner ?? name));
  if (owner !== null && isListed) {
    const shard = shards.sound.find((each) => each.name === owner);
    if (shard !== undefined) checkVectors(check, { directory, name }, shard, checked);
  } else if ((owner !== null || LEXICAL_FILE.test(name)) && !isListed) leave(path, checked);
  else if (new StateFiles(directory).isWhole(path) === false) damaged(check, directory, name, checked);
}

function leave(path: string, checked: CheckedFiles): void {
  const stat = standingAt(path);
  if (stat !== undefined && Math.abs(Date.now() - stat.mtimeMs) > RETIRED_MS) checked.leftovers.push(path);
}

function damaged(check: Check, directory: string, name: string, checked: CheckedFiles): void {
  const about = relative(check.session.shards.directory, join(directory, name));
  check.findings.add('cache-damaged', about, 'it is damaged, or was not written here by this user');
  checked.bad.push(join(directory, name));
}

function checkVectors(check: Check, { directory, name }: Place, shard: LexicalShard, checked: CheckedFiles): void {
  const [, profile, ending] = VECTOR_FILE.exec(name) as RegExpExecArray;
  const path = join(directory, name);
  const bad = (kind: 'vector-file-damaged' | 'vector-file-differs', message: string) => {
    check.findings.add(kind, name, message);
    checked.bad.push(path);
  };
  if (ending === 'hnsw') {
    if (unlessThrown(() => isWholeHnsw(path)) !== true)
      bad('vector-file-damaged', 'it is damaged, or was not written here by this user');
    return;
  }
  const vectors = unlessThrown(() => inspectVectorShard(directory, profile, shard.name, shard.meta.documents));
  if (vectors === null)
    bad('vector-file-damaged', `it is damaged, not of ${shard.name}, or was not written here by this user`);
  // The built-in model computes the same vectors again; a provider would have to be paid.
  else if (profile === check.vectors.profile && !check.vectors.costly && !isEqual(vectors, computeStaticVectors(shard)))
    bad('vector-file-differs', 'the built-in model gives other vectors for these chunks');
}

function isEqual(a: VectorShard, b: VectorShard): boolean {
  if (a.dimensions !== b.dimensions || a.count !== b.count || a.covered !== b.covered) return false;
  return bytesOf(a.rows).equals(bytesOf(b.rows)) && bytesOf(a.squares).equals(bytesOf(b.squares));
}

function bytesOf({ buffer, byteOffset, byteLength }: Int8Array | Uint32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function checkGraphs(check: Check, profileDirectory: string, checked: CheckedFiles): void {
  const directory = join(profileDirectory, 'graphs');
  if (isLink(directory)) return;
  const state = new StateFiles(profileDirectory);
  for (const name of namesIn(directory)) {
    if (name.startsWith(TEMP_PREFIX) || name.endsWith('.bad')) leave(join(directory, name), checked);
    else if (state.isWhole(join(directory, name)) === false) damaged(check, directory, name, checked);
  }
}

/** Checks the overlay of a work tree, or of an outside artifact. */
function checkOverlay(check: Check, directory: string, checked: CheckedFiles): void {
  // Checked twice, since a process that writes now replaces one file after the other.
  const fault = overlayFault(directory) && overlayFault(directory);
  const path = join(directory, 'state.json');
  if (fault !== null && plainFileAt(path) !== null) {
    check.findings.add('cache-damaged', relative(check.session.shards.directory, path), fault);
    checked.bad.push(path);
  }
  for (const name of namesIn(directory).filter((each) => each.startsWith(TEMP_PREFIX)))
    leave(join(directory, name), checked);
}

function reportLeftovers(check: Check, state: string, { leftovers }: CheckedFiles): void {
  if (leftovers.length === 0) return;
  const bytes = leftovers.reduce((sum, path) => sum + (standingAt(path)?.size ?? 0), 0);
  const message = `${leftovers.length} files that nobody needs, ${bytes} bytes`;
  check.findings.add('leftover-files', relative(state, leftovers[0]), message);
}

const namesIn = (directory: string): string[] =>
  (isLink(directory) ? null : unlessThrown(() => readdirSync(directory).sort())) ?? [];
