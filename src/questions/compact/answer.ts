/** `compact`: notes without history and without records that nothing needs any more. */
import { SocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';
import { removeStaleImportDebris } from '../../git/crash-recovery.js';
import { locallyReachable } from '../../git/notes-history.js';
import { isPartialClone } from '../../git/worktree.js';
import { isCurrent } from '../../session/records/profile-use.js';
import type { Session } from '../../session/session.js';
import { withWriterLock } from '../../session/writer-lock.js';
import { type Compacted, compactRef, type FindReachable } from '../../share/compact.js';
import { INDEX, isIndex, KNOWLEDGE, listNotesRefs } from '../../share/notes-refs.js';
import { compactRemote } from '../../share/remote-maintenance.js';
import { chooseRemote } from '../../share/remotes.js';
import type { Asker } from '../asker.js';
import { USUAL_REMOTE } from '../shared-params.js';
import type { CompactReport } from './output.js';
import type { CompactValues } from './question.js';

interface CompactRequest {
  /** Compact the notes of a remote instead: its name, or true for the usual one. */
  remote?: string | true;
  dryRun?: boolean;
  /** Only what people and agents wrote. */
  knowledge?: boolean;
  signal?: AbortSignal;
}

const answerFor =
  (knowledge: boolean) =>
  async ({ session, signal }: Asker, { remote, dryRun }: CompactValues) => {
    const named = remote === USUAL_REMOTE ? true : remote;
    return {
      schemaVersion: 1 as const,
      ...(await compactNotes(session, { remote: named, dryRun, knowledge, signal })),
    };
  };

export const answerCompact = answerFor(false);
export const answerKnowledgeCompact = answerFor(true);

const PARTIAL = 'a partial clone does not have every tree, so nobody can tell which blobs are still reached';

/** Throws LOCKED, GIT_FAILED, DISK; with a remote also NO_REMOTE, BAD_ARGUMENT, REMOTE_… and CANCELLED. */
async function compactNotes(session: Session, request: CompactRequest): Promise<CompactReport> {
  const { dryRun = false } = request;
  if (request.remote !== undefined) return compactOn(session, request.remote, request);
  const reason = isPartialClone(session.gitConfig) ? PARTIAL : null;
  const { git } = session.repository;
  const reachable: FindReachable = reason === null ? (targets) => locallyReachable(git, targets) : null;
  const compact = async () => {
    const refs: Compacted[] = [];
    const all = (await listNotesRefs(session.repository, { own: true })).filter(({ remote }) => remote === null);
    for (const ref of all) {
      // A later version knows what else it keeps, and by what.
      if (!ref.isKnowledge && (request.knowledge || !isIndex(ref))) continue;
      const about = ref.profile === session.profile ? session.about : undefined;
      // Entries are kept, whatever became of the code that they are about.
      const kept = ref.isKnowledge ? null : reachable;
      refs.push(await compactRef(session.repository, ref, { reachable: kept, dryRun, about }));
    }
    return refs;
  };
  const refs = dryRun ? await compact() : await withWriterLock(session, compact, { signal: request.signal });
  if (!dryRun) {
    removeStaleImportDebris(session.repository);
    logCompacted(refs, null);
  }
  if (request.knowledge) return { remote: null, dryRun, refs, reason: null, otherProfiles: [] };
  return { remote: null, dryRun, refs, reason, otherProfiles: await otherProfiles(session) };
}

async function compactOn(session: Session, named: string | true, request: CompactRequest): Promise<CompactReport> {
  const { repository, gitConfig, objects } = session;
  const { dryRun = false, signal } = request;
  const shallow = (await repository.git.text(['rev-parse', '--is-shallow-repository'])) === 'true';
  if (shallow || isPartialClone(gitConfig)) {
    throw new SocraticodeError('BAD_ARGUMENT', `a ${shallow ? 'shallow' : 'partial'} clone cannot compact a remote`, {
      hint: 'Run it in a complete clone: what this one lacks would count as unreached.',
    });
  }
  const shared = { repository, config: gitConfig, objects };
  const remote = await chooseRemote(shared, named === true ? undefined : named, 'push');
  const refs = await compactRemote(shared, remote, request.knowledge ? KNOWLEDGE : [...INDEX, ...KNOWLEDGE], {
    dryRun,
    signal,
  });
  if (!dryRun) logCompacted(refs, remote);
  return { remote, dryRun, refs, reason: null, otherProfiles: [] };
}

function logCompacted(refs: readonly Compacted[], remote: string | null): void {
  const changed = refs.filter((ref) => ref.changed);
  if (changed.length === 0) return;
  const dropped = changed.reduce((sum, { records }) => sum + records.dropped, 0);
  const commits = changed.reduce((sum, ref) => sum + ref.commits, 0);
  const message = `compact: ${changed.length} refs, ${commits} commits squashed, ${dropped} records dropped`;
  log.event('compact', message, { remote, refs: changed.length, commits, dropped });
}

async function otherProfiles(session: Session): Promise<string[]> {
  const local = (await listNotesRefs(session.repository)).filter((ref) => ref.remote === null && isIndex(ref));
  const others = await Promise.all(local.map(async (ref) => ((await isCurrent(session, ref)) ? [] : [ref.ref])));
  return others.flat();
}
