/**
 * Squashes the history of a notes ref to one commit and drops records of unreachable blobs. The ref moves only if it still points at the
 * commit that was read, so records that another process adds in the meantime are never lost. Also finds the blobs that given commits
 * reach (`reachableBlobs`), for which a push may send records.
 */
import { SocraticodeError } from '../base/errors.js';
import { isLostRace, listNotes, notesFailure, retryWrite } from '../git/notes.js';
import { countCommits, diskUsage, moveRefs, readAbout, squashNotes } from '../git/notes-history.js';
import { childEnd, type Git, gitFailure } from '../git/process.js';
import type { Repository } from '../git/repository.js';

export interface Compacted {
  ref: string;
  records: { kept: number; dropped: number };
  /** Number of commits before squashing. */
  commits: number;
  /** Size in the object store before (with history) and after. Loose objects count more than packed ones. */
  bytes: { before: number; after: number };
  /** False if the ref was compact already. */
  changed: boolean;
}

/** Returns the blobs that are still reachable. Null if that cannot be found out; then no record is dropped. */
export type FindReachable = ((targets: Iterable<string>) => Promise<ReadonlySet<string>>) | null;

interface CompactOptions {
  reachable: FindReachable;
  /** Description of the profile, used if the history has none. */
  about?: string;
  /** Report the result without writing anything. */
  dryRun?: boolean;
}

/** Compacts one local ref. Throws GIT_FAILED, DISK, or LOCKED if other processes moved the ref in each attempt. */
export async function compactRef(
  repository: Repository,
  { ref, commit }: { ref: string; commit: string },
  options: CompactOptions,
): Promise<Compacted> {
  const { git } = repository;
  let failure = '';
  const done = await retryWrite(repository, ref, async (parent) => {
    const tip = parent ?? commit;
    const { compacted, to } = await compactCommit(repository, { ref, commit: tip }, options);
    if (to === null) return compacted;
    const refused = await moveRefs(git, [{ ref, from: tip, to }]);
    if (refused === null) return compacted;
    failure = refused;
    if (!isLostRace(failure)) throw notesFailure(failure);
    return undefined;
  });
  if (done !== undefined) return done;
  if (/File exists/.test(failure)) throw notesFailure(failure);
  throw new SocraticodeError('LOCKED', `${ref} kept changing`);
}

/** Writes the compact commit without moving the ref. `to` is null if the ref is compact already, and in a dry run. */
export async function compactCommit(
  repository: Repository,
  { ref, commit }: { ref: string; commit: string },
  { reachable, dryRun, about: fallback }: CompactOptions,
): Promise<{ compacted: Compacted; to: string | null }> {
  const { git } = repository;
  const [commits, before, listing] = await Promise.all([
    countCommits(git, commit),
    diskUsage(git, commit, 'history'),
    listNotes(git, commit),
  ]);
  const reached = reachable === null ? null : await reachable(listing.notes.keys());
  const drop = new Set(reached === null ? [] : [...listing.notes.keys()].filter((target) => !reached.has(target)));
  const records = { kept: listing.notes.size - drop.size, dropped: drop.size };
  const changed = commits > 1 || drop.size > 0 || listing.foreign.size > 0;
  const compacted: Compacted = { ref, records, commits, bytes: { before, after: before }, changed };
  if (!changed) return { compacted, to: null };
  if (dryRun) {
    const dropped = [...drop].map((target) => listing.notes.get(target) as string);
    compacted.bytes.after = (await diskUsage(git, commit, 'tree')) - (await sizesOf(git, dropped));
    return { compacted, to: null };
  }
  const about = (await readAbout(git, commit)) ?? fallback;
  const to = await squashNotes(repository, { from: commit, listing, drop, about });
  compacted.bytes.after = await diskUsage(git, to, 'tree');
  return { compacted, to };
}

/** Bytes of objects in the object store, or of their contents. Objects that are not here count as 0. */
export async function sizesOf(git: Git, oids: Iterable<string>, of = 'objectsize:disk'): Promise<number> {
  const text = await git.text(['cat-file', `--batch-check=%(${of})`], { input: `${[...oids].join('\n')}\n` });
  return text.split('\n').reduce((sum, line) => sum + (Number(line) || 0), 0);
}

// Finds blobs that a remote already has: those reachable from the branches and tags that it lists now. Tracking refs are not used, since
// they may be stale, and neither are its pull requests, which are not visible to everybody.

/** Returns the blobs of `wanted` that are reachable from `tips` through local objects, without network access. */
export async function reachableBlobs(
  git: Git,
  tips: readonly string[],
  wanted: Iterable<string>,
): Promise<Set<string>> {
  const left = new Set(wanted);
  const found = new Set<string>();
  // The tips' own trees come first: they have most blobs and take a hundredth of the time of the whole history.
  for (const walk of [['--no-walk'], []]) {
    if (left.size === 0 || tips.length === 0) break;
    await walkObjects(git, walk, tips, (oid) => {
      if (left.delete(oid)) found.add(oid);
      return left.size > 0;
    });
  }
  return found;
}

/** Calls `visit` with every object until it returns false. Skips tips and objects that this repository lacks. */
async function walkObjects(
  git: Git,
  options: readonly string[],
  tips: readonly string[],
  visit: (oid: string) => boolean,
): Promise<void> {
  const args = [
    ...['rev-list', '--objects', '--no-object-names', '--missing=print', '--ignore-missing', ...options],
    '--stdin',
  ];
  const child = git.spawn(args);
  const ended = childEnd(child);
  child.stdin.end(`${tips.join('\n')}\n`);
  let rest = '';
  let goesOn = true;
  for await (const chunk of child.stdout.setEncoding('latin1') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() as string;
    // Git prints a blob that a partial clone lacks as ?OID. It counts, since the remote has it.
    goesOn = lines.every((line) => visit(line.startsWith('?') ? line.slice(1) : line));
    if (!goesOn) break;
  }
  if (!goesOn) child.kill('SIGKILL');
  const { code, stderr } = await ended;
  if (goesOn && code !== 0) throw gitFailure(args, code, stderr);
}
