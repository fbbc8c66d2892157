/**
 * Union of notes trees, whatever their histories. Notes that exist once are taken. Of two notes for one object the valid one wins, of two
 * valid ones the one with the smaller id. The union is commutative, associative and idempotent, so clones reach the same tree in whatever
 * order they exchange records.
 */
import { mapConcurrently } from '../base/async.js';
import { addTo } from '../base/lists.js';
import {
  aboutLine,
  fastImport,
  importLoose,
  isLostRace,
  NOTES_AUTHOR,
  notePath,
  notesFailure,
  retryWrite,
} from './notes.js';
import { CatFileReader, listTree, MAX_TREE_ENTRIES, tooManyEntries } from './objects.js';
import { childEnd, type Git, gitFailure, NOTHING_THERE } from './process.js';
import type { Repository } from './repository.js';

/** Target id -> id of the note's blob. */
export type Notes = Map<string, string>;

/** Decides conflicts between notes. It must be equal in all clones, or they would not reach the same tree. */
export interface ConflictPolicy {
  isValid(target: string, note: Uint8Array): boolean;
  /** Larger notes are invalid and not read. */
  maxBytes: number;
}

interface Gains {
  /** Notes of the union that `ours` lacks, or has in a version that loses. */
  notes: Notes;
  /** Paths in `ours` of notes for these targets at another fan-out depth than our own. */
  foreign: Map<string, string[]>;
  /** True if `theirs` holds only notes at our own depth. Known only if all of it was listed. */
  isClean?: boolean;
}

const REGULAR = '100644';

/** Target of a path in a notes tree at any fan-out depth; null if the path is no note. */
function targetOf(path: string): string | null {
  const target = path.replaceAll('/', '');
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(target) ? target : null;
}

/**
 * Computes the notes that `theirs` adds to `ours` (commits or trees, null for none). Without a policy all notes are valid. Throws
 * BAD_ARGUMENT for a tree that is too large, GIT_FAILED for one that cannot be read.
 */
export async function notesBeyond(
  git: Git,
  ours: string | null,
  theirs: string | null,
  policy?: ConflictPolicy,
): Promise<Gains> {
  if (theirs === null || ours === theirs) return { notes: new Map(), foreign: new Map() };
  const difference = ours === null ? null : await readDifference(git, ours, theirs);
  if (difference !== null) {
    await decideConflicts(git, difference, policy);
    return { notes: difference.notes, foreign: new Map() };
  }
  const mine = ours === null ? null : await listAll(git, ours);
  const other = await listAll(git, theirs);
  const gains: Difference = { notes: new Map(), conflicts: [] };
  for (const [target, theirNotes] of other.notes) {
    const ourNotes = mine?.notes.get(target) ?? [];
    const candidates = [...new Set([...ourNotes, ...theirNotes])];
    if (candidates.length > 1) gains.conflicts.push({ target, ours: ourNotes, candidates });
    else if (ourNotes.length === 0) gains.notes.set(target, candidates[0]);
  }
  await decideConflicts(git, gains, policy);
  return { notes: gains.notes, foreign: mine?.foreign ?? new Map(), isClean: other.isClean };
}

/** Conflicts that are decided at a time, with all their notes in memory. */
const DECIDED_AT_ONCE = 8;

/** Different notes for one object. */
interface Conflict {
  target: string;
  /** Notes of ours; the first is the one that a reader finds. */
  ours: readonly string[];
  candidates: readonly string[];
}

interface Difference {
  notes: Notes;
  conflicts: Conflict[];
}

async function decideConflicts(
  git: Git,
  { notes, conflicts }: Difference,
  policy: ConflictPolicy | undefined,
): Promise<void> {
  const objects = new CatFileReader(git);
  const isValid = async (target: string, note: string): Promise<boolean> => {
    const info = policy && (await objects.info(note));
    if (!info || info.size > policy.maxBytes) return false;
    const object = await objects.read(note);
    return object?.type === 'blob' && policy.isValid(target, object.content);
  };
  const decide = async ({ target, ours, candidates }: Conflict) => {
    const sorted = [...candidates].sort();
    const verdicts = await Promise.all(sorted.map((note) => isValid(target, note)));
    const winner = sorted[Math.max(0, verdicts.indexOf(true))];
    if (ours[0] !== winner) notes.set(target, winner);
  };
  try {
    await mapConcurrently(conflicts, DECIDED_AT_ONCE, decide);
  } finally {
    objects.close();
  }
}

interface Listing {
  /** All notes of a target at any depth. The one at our own depth comes first. */
  notes: Map<string, string[]>;
  foreign: Map<string, string[]>;
  isClean: boolean;
}

async function listAll(git: Git, tree: string): Promise<Listing> {
  const listing: Listing = { notes: new Map(), foreign: new Map(), isClean: true };
  for (const { path, oid, type } of await listTree(git, tree)) {
    const target = type === 'file' ? targetOf(path) : null;
    const isOurs = target !== null && path === notePath(target);
    if (!isOurs) listing.isClean = false;
    if (target === null) continue;
    if (!isOurs) addTo(listing.foreign, target, path);
    const known = listing.notes.get(target);
    if (known === undefined) listing.notes.set(target, [oid]);
    else if (isOurs) known.unshift(oid);
    else known.push(oid);
  }
  return listing;
}

/** New and different notes in another tree; null if notes at another depth make that ambiguous. */
async function readDifference(git: Git, ours: string, theirs: string): Promise<Difference | null> {
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--full-index', ours, theirs];
  const child = git.spawn(args);
  const ended = childEnd(child);
  child.stdin.end();
  const difference: Difference = { notes: new Map(), conflicts: [] };
  let [rest, entries, isAmbiguous] = ['', 0, false];
  for await (const chunk of child.stdout.setEncoding('latin1') as AsyncIterable<string>) {
    const fields = (rest + chunk).split('\0');
    const whole = (fields.length - 1) & ~1;
    rest = fields.slice(whole).join('\0');
    for (let i = 0; i < whole; i += 2) isAmbiguous = takeLine(fields[i], fields[i + 1], difference) || isAmbiguous;
    entries += whole / 2;
    if (entries <= 2 * MAX_TREE_ENTRIES) continue;
    child.kill('SIGKILL');
    await ended;
    throw tooManyEntries(MAX_TREE_ENTRIES);
  }
  const { code, stderr } = await ended;
  if (code !== 0) throw gitFailure(args, code, stderr);
  return isAmbiguous ? null : difference;
}

/** Takes one `:mode mode oid oid status` and its path. Returns true for a note at another depth than ours. */
function takeLine(line: string, path: string, { notes, conflicts }: Difference): boolean {
  const [oldMode, newMode, oldOid, newOid] = line.slice(1).split(' ');
  const target = targetOf(path);
  if (target === null || (oldMode !== REGULAR && newMode !== REGULAR)) return false;
  if (path !== notePath(target)) return true;
  if (newMode !== REGULAR) return false;
  if (oldMode !== REGULAR) notes.set(target, newOid);
  else if (oldOid !== newOid) conflicts.push({ target, ours: [oldOid], candidates: [oldOid, newOid] });
  return false;
}

/**
 * Adds the notes of the commit `theirs` to `ref`, which is made if it does not exist, and returns their number. Retries a lost race on
 * the new tip. Throws GIT_FAILED (also for a symbolic ref), LOCKED, DISK or BAD_ARGUMENT; then the ref is unchanged.
 */
export async function uniteNotes(
  repository: Repository,
  ref: string,
  theirs: string,
  policy?: ConflictPolicy,
): Promise<number> {
  const { git } = repository;
  let failure = '';
  const added = await retryWrite(repository, ref, async (ours) => {
    const gains = await notesBeyond(git, ours, theirs, policy);
    const { size } = gains.notes;
    if (size === 0) return 0;
    if (ours === null && gains.isClean) {
      const made = await git.run(['update-ref', '--no-deref', ref, theirs, '0'.repeat(theirs.length)], {
        allow: NOTHING_THERE,
      });
      if (made.code === 0) return size;
      failure = made.stderr;
    } else {
      const commit = { ref, parent: ours, merged: theirs, message: `Unite ${size} notes` };
      const done = await fastImport(repository, blocksOf(commit, gains));
      if (done.code === 0) return size;
      failure = done.stderr;
    }
    if (!isLostRace(failure)) throw notesFailure(failure);
    return undefined;
  });
  if (added === undefined) throw notesFailure(failure);
  return added;
}

/** Makes a commit of `notes` on top of `parent`, without a ref, and returns its id. Throws GIT_FAILED or DISK. */
export async function commitNotes(
  repository: Repository,
  parent: string | null,
  notes: Notes,
  about?: string,
): Promise<string> {
  const { size } = notes;
  const message = `Share ${size} ${size === 1 ? 'record' : 'records'}${aboutLine(about)}`;
  const gains = { notes, foreign: new Map() };
  return importLoose(repository, (ref) => blocksOf({ ref, parent, merged: null, message }, gains));
}

interface Commit {
  ref: string;
  parent: string | null;
  merged: string | null;
  message: string;
}

const LINES_PER_BLOCK = 2_000;

/** Yields the fast-import stream of one commit whose notes are already in the object store. */
function* blocksOf(commit: Commit, { notes, foreign }: Pick<Gains, 'notes' | 'foreign'>): Generator<Buffer> {
  const { ref, parent, merged, message } = commit;
  let lines = [
    `commit ${ref}`,
    'mark :1',
    `committer ${NOTES_AUTHOR} now`,
    `data ${Buffer.byteLength(message)}`,
    message,
  ];
  if (parent !== null) lines.push(`from ${parent}`);
  if (merged !== null) lines.push(`merge ${merged}`);
  for (const [target, note] of notes) {
    for (const path of foreign.get(target) ?? []) lines.push(`D ${path}`);
    lines.push(`M ${REGULAR} ${note} ${notePath(target)}`);
    if (lines.length < LINES_PER_BLOCK) continue;
    yield Buffer.from(`${lines.join('\n')}\n`);
    lines = [];
  }
  yield Buffer.from(`${lines.join('\n')}\n\n`);
}
