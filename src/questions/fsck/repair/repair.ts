/** `fsck --repair`: damaged parts are moved aside, then built again. Killed at any point, it can be run again. */
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { log } from '../../../base/log.js';
import { createProgress } from '../../../base/progress.js';
import { RefLocks } from '../../../git/crash-recovery.js';
import { type NoteEntry, readRef } from '../../../git/notes.js';
import { moveRefs } from '../../../git/notes-history.js';
import { lastLogged, quarantineRefFile } from '../../../git/ref-check.js';
import { NOTES_PREFIX, type Repository } from '../../../git/repository.js';
import { listTree } from '../../../git/snapshot.js';
import { deriveAgain } from '../../../indexer/derive-again.js';
import { ParserPool } from '../../../indexer/parser-pool.js';
import { PRIVATE_PREFIX } from '../../../knowledge/kinds.js';
import { SYNTAX_KIND } from '../../../record/codec.js';
import { MAX_RECORD_BYTES } from '../../../record/limits.js';
import { indexRef } from '../../../session/indexing/index-operation.js';
import type { Session } from '../../../session/session.js';
import { withWriterLock } from '../../../session/writer-lock.js';
import { type Check, freshCounts } from '../check.js';
import {
  type CheckedAll,
  type CheckRequest,
  checkAllNotes,
  checkLocal,
  isLocalAsked,
  rederiveAll,
  withCheck,
} from '../check-all.js';
import type { CheckedFiles } from '../checks/check-files.js';
import type { CheckedNotes } from '../checks/check-notes.js';
import { checkRefs } from '../checks/check-refs.js';
import type { CheckedShards } from '../checks/check-shards.js';
import { readNotes } from '../checks/note-reader.js';
import { type FindingKind, Findings } from '../findings.js';
import type { FsckReport } from '../output.js';
import { plannedBlob } from '../rederive.js';
import { Aside } from './aside.js';
import { commitGood, needsCommit, type RepairCommit } from './repair-notes.js';

type Repaired = NonNullable<FsckReport['repaired']>;

/** With these there is nowhere to write records or shards. */
const IN_THE_WAY: readonly FindingKind[] = ['ref-in-the-way', 'ref-symbolic', 'ref-unreadable', 'state-link'];

/** Says what was wrong and what was done. Throws LOCKED, DISK, GIT_FAILED or CANCELLED. */
export async function repairAll(
  session: Session,
  request: CheckRequest,
): Promise<{ repaired: Repaired; rederived: CheckedAll['rederived'] }> {
  const { signal } = request;
  const repair = () => withCheck(session, request, (check) => repairParts(check, request));
  const done = await withWriterLock(session, repair, { signal });
  const { findings } = done.check;
  const isStuck = IN_THE_WAY.some((kind) => findings.counts[kind] !== undefined);
  const isChanged = findings.faults > 0 || done.commits.length > 0;
  const indexed = isChanged && !isStuck && !request.knowledge && done.check.head !== null;
  // Other snapshots are built again from their records with the next question about them.
  if (indexed) await indexRef(session, { signal });
  const { aside, commits, rederived } = done;
  if (isChanged) logRepaired(findings.faults, aside.paths.length, commits.length);
  const repaired = { findings: [...findings.list], counts: findings.counts, aside: aside.paths, commits, indexed };
  return { repaired, rederived };
}

function logRepaired(faults: number, aside: number, commits: number): void {
  const message = `repair: ${faults} faults, ${aside} files moved aside, ${commits} refs written`;
  log.event('repair', message, { faults, aside, commits }, 'warn');
}

interface RepairedParts {
  check: Check;
  aside: Aside;
  commits: RepairCommit[];
  rederived: CheckedAll['rederived'];
}

async function repairParts(check: Check, request: CheckRequest): Promise<RepairedParts> {
  const aside = new Aside(check.session.repository);
  await repairRefs(check, aside);
  const notes = await checkAllNotes(check);
  const rederived = request.rederive === undefined ? null : await rederiveAll(check, notes, request.rederive);
  const commits: RepairCommit[] = [];
  for (const checked of notes) {
    // A profile that is not in use is repaired only if it was named.
    if (!needsCommit(checked) || !(checked.isOwn || checked.profile === request.profile)) continue;
    const replacements = checked.isOwn && checked.kind === SYNTAX_KIND ? await deriveBad(check, checked) : [];
    await keepAside(check, checked, aside);
    commits.push(await commitGood(check.session.repository, checked, replacements));
  }
  if (isLocalAsked(check)) {
    const unheard = { ...check, findings: new Findings(), counts: freshCounts() };
    const now = commits.length === 0 ? notes : await checkAllNotes(unheard);
    repairLocal(check, await checkLocal(check, now), aside);
  }
  return { check, aside, commits, rederived };
}

async function repairRefs(check: Check, aside: Aside): Promise<void> {
  const { repository } = check.session;
  const seen = { ...check, findings: new Findings(), counts: freshCounts() };
  const { broken, locks } = await checkRefs(seen);
  if (locks.length > 0) await clearLocks(repository);
  for (const ref of broken) if (quarantineRefFile(repository, ref, aside.placeFor(ref))) await restore(check, ref);
  for (const { kind, about, message } of seen.findings.list)
    if (kind === 'ref-broken' || kind === 'ref-lock-stale') check.findings.add(kind, about, message);
}

/** Time without change after which a lock counts as left behind. */
const STILL_MS = 1_100;

async function clearLocks(repository: Repository): Promise<void> {
  const locks = [NOTES_PREFIX, PRIVATE_PREFIX].map((prefix) => new RefLocks(repository, `${prefix}/`));
  for (const each of locks) await each.clear();
  await sleep(STILL_MS);
  for (const each of locks) await each.clear();
}

/** A power cut leaves a ref empty whose commit is whole, and named by the ref's log. */
async function restore({ session, objects }: Check, ref: string): Promise<void> {
  const { repository } = session;
  const oid = lastLogged(repository, ref);
  if (oid === null || (await objects.info(oid))?.type !== 'commit') return;
  try {
    await listTree(repository.git, oid);
  } catch {
    return;
  }
  const failure = await moveRefs(repository.git, [{ ref, from: '0'.repeat(oid.length), to: oid }]);
  if (failure !== null && (await readRef(repository.git, ref)) === null)
    log.warn(`${ref} was not restored: ${failure}`);
}

/** Records to put in the place of bad ones, where it is known what to derive. */
async function deriveBad(check: Check, checked: CheckedNotes): Promise<NoteEntry[]> {
  const wanted = new Map<string, readonly string[] | null>();
  for (const { target, languages } of checked.bad) {
    if (target === null || checked.good.has(target)) continue;
    if (languages !== null || check.headFiles.has(target)) wanted.set(target, languages);
  }
  const replacements: NoteEntry[] = [];
  if (wanted.size === 0) return replacements;
  const pool = new ParserPool();
  const progress = createProgress('deriving again', 'records');
  let done = 0;
  try {
    const blobs = [...wanted].map(([oid, languages]) => plannedBlob(check, oid, languages));
    for await (const { oid, note } of deriveAgain(check, blobs, pool)) {
      if (note !== null) replacements.push({ target: oid, note });
      progress.update(++done, blobs.length);
    }
  } finally {
    progress.finish();
    pool.stop();
  }
  return replacements;
}

async function keepAside(check: Check, checked: CheckedNotes, aside: Aside): Promise<void> {
  const kept = checked.bad.filter(({ note }) => note !== null);
  for await (const { item, content } of readNotes(
    kept,
    check.objects,
    ({ note }) => note as string,
    MAX_RECORD_BYTES,
  )) {
    if (content !== null) aside.keepNote(checked, item.target ?? item.path, content);
  }
}

function repairLocal(
  check: Check,
  { shards, files }: { shards: CheckedShards; files: CheckedFiles },
  aside: Aside,
): void {
  if (!shards.isOurs) return;
  for (const path of [...shards.bad, ...files.bad]) aside.moveFile(path);
  for (const path of files.leftovers) rmSync(path, { recursive: true, force: true });
  const { manifest, sound, incomplete, isWrongAboutNotes } = shards;
  const names = new Set(sound.map(({ name }) => name));
  const kept = manifest.shards.filter(({ file }) => names.has(file));
  const isLess = kept.length < manifest.shards.length;
  if (!isLess && incomplete.length === 0 && !isWrongAboutNotes) return;
  check.session.shards.publish({
    ...{ ...manifest, shards: kept, notes: isWrongAboutNotes ? null : manifest.notes },
    // The snapshots that needed the removed parts are unknown, so each is looked at again.
    complete: isLess ? [] : manifest.complete.filter(({ key }) => !incomplete.includes(key)),
  });
}
