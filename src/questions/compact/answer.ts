/** `compact`: drops the history of notes, and records that nothing needs. */
import { SocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';
import { groupDigits } from '../../base/printable.js';
import { isPartialClone } from '../../git/config.js';
import { removeStaleImportDebris } from '../../git/crash-recovery.js';
import { locallyReachable } from '../../git/notes-history.js';
import { commandText } from '../../params/param.js';
import { isCurrent } from '../../session/records/profiles.js';
import type { Session } from '../../session/session.js';
import { withWriterLock } from '../../session/writer-lock.js';
import { type Compacted, compactRef, type FindReachable } from '../../share/compact.js';
import { INDEX, isIndex, KNOWLEDGE, listNotesRefs } from '../../share/notes-refs.js';
import { chooseRemote } from '../../share/pull.js';
import { compactRemote } from '../../share/remote-maintenance.js';
import type { Asker } from '../asker.js';
import { formatBytes, formatCount } from '../format.js';
import { DEFAULT_REMOTE } from '../shared-params.js';
import type { CompactReport, CompactValues } from './question.js';

interface CompactRequest {
  /** Compacts the notes of a remote instead: its name, or true for the default one. */
  remote?: string | true;
  dryRun?: boolean;
  /** Only notes, tasks and tags. */
  knowledge?: boolean;
  signal?: AbortSignal;
}

const answerFor =
  (knowledge: boolean) =>
  async ({ session, signal }: Asker, { remote, dryRun }: CompactValues) => {
    const named = remote === DEFAULT_REMOTE ? true : remote;
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
      // A later version may store other kinds, and knows which of their entries are needed.
      if (!ref.isKnowledge && (request.knowledge || !isIndex(ref))) continue;
      const about = ref.profile === session.profile ? session.about : undefined;
      // Entries by people and agents stay, even if their code is gone.
      const retained = ref.isKnowledge ? null : reachable;
      refs.push(await compactRef(session.repository, ref, { reachable: retained, dryRun, about }));
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

export function compactText({ remote, dryRun, refs, reason, otherProfiles }: CompactReport): string {
  const at = remote === null ? '' : ` on ${remote}`;
  if (refs.length === 0) return `no notes${at} to compact\n`;
  const lines = refs.map(({ ref, records, commits, bytes, changed }) => {
    const name = `${ref}${at}`;
    if (!changed) return `${name}: ${formatCount(records.kept, 'record')} in one commit already`;
    const done = dryRun ? ['would be kept', 'would be dropped'] : ['kept', 'dropped'];
    const dropped = records.dropped > 0 ? `, ${groupDigits(records.dropped)} ${done[1]}` : '';
    const history = commits > 1 ? `, ${groupDigits(commits)} commits ${dryRun ? 'would be ' : ''}squashed` : '';
    const size = `${formatBytes(bytes.before)} -> ${formatBytes(bytes.after)}`;
    return `${name}: ${formatCount(records.kept, 'record')} ${done[0]}${dropped}${history}; ${size}`;
  });
  const changed = refs.some((ref) => ref.changed);
  if (changed && !dryRun && remote === null) lines.push('git gives the space back with its next `git gc`');
  if (reason !== null) lines.push(`no record was dropped: ${reason}`);
  for (const ref of otherProfiles) {
    const [id] = ref.split('/').slice(-1);
    lines.push(`${ref} is not of this version or these settings: ${commandText('remove', { profile: id })}`);
  }
  return `${lines.join('\n')}\n`;
}
