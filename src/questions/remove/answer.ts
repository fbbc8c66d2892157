/** `remove`: everything this program keeps in a repository, or what belongs to one profile. */

import { SocraticodeError } from '../../base/errors.js';
import { shellWord } from '../../base/hygiene.js';
import { log } from '../../base/log.js';
import { readHookState } from '../../hooks/state.js';
import { commandText } from '../../params/command-line.js';
import type { Session } from '../../session/session.js';
import { withWriterLock } from '../../session/writer-lock.js';
import { isIndex, listNotesRefs } from '../../share/notes-refs.js';
import { findRemote, removeRemote } from '../../share/remote-maintenance.js';
import { chooseRemote } from '../../share/remotes.js';
import { findRemovable, removeAll } from '../../share/remove.js';
import type { Asker, ServerSide } from '../asker.js';
import { USUAL_REMOTE } from '../shared-params.js';
import type { RemoveReport } from './output.js';
import type { RemoveValues } from './question.js';

interface RemoveRequest {
  /** Delete on a remote as well: its name, or true for the usual one. */
  remote?: string | true;
  /** Only what belongs to this profile. */
  profile?: string;
  /** Also delete notes, tasks and tags. */
  knowledge?: boolean;
  /** The user confirmed that a remote's records, or what people wrote, may be deleted. */
  yes?: boolean;
  dryRun?: boolean;
  signal?: AbortSignal;
}

export async function answerRemove({ session, signal }: Asker, { remote, ...values }: RemoveValues) {
  const named = remote === USUAL_REMOTE ? true : remote;
  return { schemaVersion: 1 as const, ...(await removeIndex(session, { ...values, remote: named, signal })) };
}

/** Deletes the local index; the next question makes it anew. Throws LOCKED, GIT_FAILED and DISK. */
export async function answerServerRemove({ session, server, signal }: Asker) {
  await (server as ServerSide).project.background.stop();
  return { schemaVersion: 1 as const, ...(await removeIndex(session, { signal })) };
}

/** Throws BAD_ARGUMENT (a remote or knowledge without `yes`), LOCKED, GIT_FAILED, DISK, NO_REMOTE and REMOTE_…. */
async function removeIndex(session: Session, request: RemoveRequest): Promise<RemoveReport> {
  const { repository, gitConfig } = session;
  const { profile, signal, knowledge, dryRun = false } = request;
  const what = { profile, knowledge };
  if (profile !== undefined && !/^[0-9a-f]{4,64}$/.test(profile))
    throw new SocraticodeError('BAD_ARGUMENT', `not a profile: ${profile}`, { hint: 'git socraticode profiles' });
  const shared = { repository, config: gitConfig };
  const name = request.remote === true ? undefined : request.remote;
  const remote = request.remote === undefined ? null : await chooseRemote(shared, name, 'push');
  const remoteMoves = remote === null ? [] : await findRemote(shared, remote, { ...what, signal });
  if (remote !== null && !dryRun && !request.yes) {
    const refs = `${remoteMoves.length} notes ${remoteMoves.length === 1 ? 'ref' : 'refs'}`;
    throw new SocraticodeError('BAD_ARGUMENT', `this would delete ${refs} on ${remote}, for everybody`, {
      hint: `To do that: ${commandText('remove', { remote, yes: true })}`,
    });
  }
  if (knowledge && !dryRun && !request.yes) {
    throw new SocraticodeError(
      'BAD_ARGUMENT',
      'this would delete what people and agents wrote, and nothing makes it again',
      {
        hint: `To do that: ${commandText('remove', { knowledge: true, yes: true })}`,
      },
    );
  }
  const report = async (): Promise<RemoveReport> => {
    const found = await findRemovable(repository, what);
    if (remote !== null && !dryRun) await removeRemote(shared, remote, remoteMoves, { signal });
    const left = remote === null || dryRun ? found : await findRemovable(repository, what);
    if (!dryRun) await removeAll(repository, left);
    // With everything the log goes as well.
    if (!dryRun && profile !== undefined) logRemoved(profile, left.refs.length);
    return {
      ...{ remote, dryRun, refs: found.refs.map(({ ref }) => ref), remoteRefs: remoteMoves.map(({ ref }) => ref) },
      ...{ paths: found.paths, kept: await whatStays(session, what) },
    };
  };
  const { refs, paths } = await findRemovable(repository, what);
  const isEmpty = refs.length + paths.length + remoteMoves.length === 0;
  return dryRun || isEmpty ? report() : withWriterLock(session, report, { signal });
}

function logRemoved(profile: string, refs: number): void {
  log.event('remove', `remove: profile ${profile}, ${refs} refs`, { profile, refs });
}

async function whatStays(
  { repository, gitConfig }: Session,
  { profile, knowledge }: Pick<RemoveRequest, 'profile' | 'knowledge'>,
): Promise<string[]> {
  if (profile !== undefined) return [];
  const kept: string[] = [];
  const others = knowledge ? [] : (await listNotesRefs(repository, { own: true })).filter((ref) => !isIndex(ref));
  const written = others.filter((ref) => ref.isKnowledge).length;
  const later = others.length - written;
  const command = commandText('remove', { knowledge: true });
  if (written > 0) kept.push(`what people and agents wrote, in ${written} refs: ${command}`);
  if (later > 0) kept.push(`what a later version keeps, in ${later} refs: ${command}`);
  const hook = await readHookState(repository, gitConfig);
  if (hook.installed) kept.push('hooks, which index again after the next commit: git socraticode hooks uninstall');
  const remotes = gitConfig.flatMap(({ key, value }) => {
    const name = /^remote\.(.+)\.fetch$/s.exec(key)?.[1];
    return name !== undefined && value.includes('refs/notes/socraticode/') ? [name] : [];
  });
  for (const name of new Set(remotes))
    kept.push(
      `the refspec of ${name}, which brings its index with git fetch: git socraticode share disable ${shellWord(name)}`,
    );
  return kept;
}
