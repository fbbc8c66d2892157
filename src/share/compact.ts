/**
 * Makes notes as small as they can be: one commit without history, without the records of blobs that nothing reaches
 * any more. A ref moves only from the commit that was looked at, so what another writer adds meanwhile is never lost.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SocraticodeError } from '../base/errors.js';
import { isLostRace, listNotes, notesFailure } from '../git/notes.js';
import { countCommits, diskUsage, moveRefs, readAbout, squashNotes } from '../git/notes-history.js';
import type { Git } from '../git/process.js';
import { RefLocks } from '../git/ref-locks.js';
import type { Repository } from '../git/repository.js';
import { requireDirect } from '../git/symbolic.js';

export interface Compacted {
  ref: string;
  records: { kept: number; dropped: number };
  /** Commits of the history before. */
  commits: number;
  /** In the object store: with the history before, and of what is left; loose objects count more than packed ones. */
  bytes: { before: number; after: number };
  /** False if there was nothing to do. */
  changed: boolean;
}

/** Which of these blobs are still reached; null if nobody can know, so that nothing is dropped. */
export type FindReachable = ((targets: Iterable<string>) => Promise<ReadonlySet<string>>) | null;

interface CompactOptions {
  reachable: FindReachable;
  /** What a profile stands for, where the history does not say it. */
  about?: string;
  /** Only say what would be done. */
  dryRun?: boolean;
}

const ATTEMPTS = 7;

/** Compacts one local ref. Throws GIT_FAILED, DISK, or LOCKED if other writers were faster again and again. */
export async function compactRef(
  repository: Repository,
  { ref, commit }: { ref: string; commit: string },
  options: CompactOptions,
): Promise<Compacted> {
  const { git } = repository;
  const locks = new RefLocks(repository, ref);
  let tip = commit;
  let failure: string | null = null;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0 && !(await locks.clear())) await sleep(20 * 2 ** attempt);
    await requireDirect(repository, ref);
    const { compacted, to } = await compactCommit(repository, { ref, commit: tip }, options);
    if (to === null) return compacted;
    failure = await moveRefs(git, [{ ref, from: tip, to }]);
    if (failure === null) return compacted;
    if (!isLostRace(failure) && !/is at .* but expected/.test(failure)) throw notesFailure(failure);
    tip = await git.text(['rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`]);
  }
  if (failure !== null && /File exists/.test(failure)) throw notesFailure(failure);
  throw new SocraticodeError('LOCKED', `${ref} kept changing`);
}

/** The commit that a ref should move to, which no ref points at yet; null if nothing is to be done, or only asked. */
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
  const kept = reachable === null ? null : await reachable(listing.notes.keys());
  const drop = new Set(kept === null ? [] : [...listing.notes.keys()].filter((target) => !kept.has(target)));
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

/** What objects take in the object store, in bytes. */
export async function sizesOf(git: Git, oids: readonly string[]): Promise<number> {
  if (oids.length === 0) return 0;
  const format = '--batch-check=%(objectsize:disk)';
  const text = await git.text(['cat-file', format], { input: `${oids.join('\n')}\n` });
  return text.split('\n').reduce((sum, line) => sum + (Number(line) || 0), 0);
}
