/** `remove`: deletes everything that this program stores in a repository, or one profile's part. `compact`: makes that smaller. */
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SocraticodeError } from '../../base/errors.js';
import { STATE_FOLDER } from '../../base/local-key.js';
import { log } from '../../base/log.js';
import { groupDigits, shellWord } from '../../base/printable.js';
import { removeStaleImportDebris } from '../../git/crash-recovery.js';
import { notesFailure } from '../../git/notes.js';
import { locallyReachable, moveRefs } from '../../git/notes-history.js';
import { isPartialClone, localStateDirectory, type Repository } from '../../git/repository.js';
import { readHookState } from '../../hooks/installed.js';
import { commandText } from '../../params/param.js';
import { isCurrent } from '../../session/records/profiles.js';
import type { Session } from '../../session/session.js';
import { withWriterLock } from '../../session/writer-lock.js';
import { type Compacted, compactRef, type FindReachable } from '../../share/compact.js';
import { INDEX, isIndex, KNOWLEDGE, listNotesRefs, type NotesRef } from '../../share/notes-refs.js';
import { chooseRemote, RemoteMemory } from '../../share/pull.js';
import { compactRemote, findRemote, removeRemote } from '../../share/remote-maintenance.js';
import type { Asker, ServerCaller } from '../asker.js';
import { formatBytes, formatCount } from '../format.js';
import { DEFAULT_REMOTE } from '../shared-params.js';
import type { CompactReport, CompactValues, RemoveReport, RemoveValues } from './question.js';

interface RemoveRequest {
  /** Also deletes on a remote: its name, or true for the default one. */
  remote?: string | true;
  /** Deletes this profile's part alone. */
  profile?: string;
  /** Also deletes notes, tasks and tags. */
  knowledge?: boolean;
  /** The user confirmed deletion on a remote, or of what people wrote. */
  yes?: boolean;
  dryRun?: boolean;
  signal?: AbortSignal;
}

export async function answerRemove({ session, signal }: Asker, { remote, ...values }: RemoveValues) {
  const named = remote === DEFAULT_REMOTE ? true : remote;
  return { schemaVersion: 1 as const, ...(await removeIndex(session, { ...values, remote: named, signal })) };
}

/** Deletes the local index; the next question makes it again. Throws LOCKED, GIT_FAILED and DISK. */
export async function answerServerRemove({ session, server, signal }: Asker) {
  await (server as ServerCaller).project.background.stop();
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
  if (!dryRun && !request.yes) refuseUnconfirmed(remote, remoteMoves.length, knowledge === true);
  const reportOf = async ({ refs, paths }: Removable): Promise<RemoveReport> => ({
    ...{ remote, dryRun, refs: refs.map(({ ref }) => ref), remoteRefs: remoteMoves.map(({ ref }) => ref) },
    ...{ paths, kept: await whatStays(session, what) },
  });
  const found = await findRemovable(repository, what);
  if (dryRun || found.refs.length + found.paths.length + remoteMoves.length === 0) return reportOf(found);
  const remove = async (): Promise<RemoveReport> => {
    const here = await findRemovable(repository, what);
    if (remote !== null) await removeRemote(shared, remote, remoteMoves, { signal });
    // Copies of the remote's refs may have gone with these.
    const left = remote === null ? here : await findRemovable(repository, what);
    await removeAll(repository, left);
    // Without a profile, the log is deleted, too.
    if (profile !== undefined) logRemoved(profile, left.refs.length);
    return reportOf(here);
  };
  return withWriterLock(session, remove, { signal });
}

/** Throws BAD_ARGUMENT if something is to be deleted that others have, or that nothing makes again. */
function refuseUnconfirmed(remote: string | null, onRemote: number, knowledge: boolean): void {
  if (remote !== null)
    throw new SocraticodeError(
      'BAD_ARGUMENT',
      `this would delete ${formatCount(onRemote, 'notes ref')} on ${remote}, for everybody`,
      { hint: `To do that: ${commandText('remove', { remote, yes: true })}` },
    );
  if (knowledge)
    throw new SocraticodeError(
      'BAD_ARGUMENT',
      'this would delete what people and agents wrote, and nothing makes it again',
      { hint: `To do that: ${commandText('remove', { knowledge: true, yes: true })}` },
    );
}

function logRemoved(profile: string, refs: number): void {
  log.event('remove', `remove: profile ${profile}, ${refs} refs`, { profile, refs });
}

async function whatStays(
  { repository, gitConfig }: Session,
  { profile, knowledge }: Pick<RemoveRequest, 'profile' | 'knowledge'>,
): Promise<string[]> {
  if (profile !== undefined) return [];
  const retained: string[] = [];
  const others = knowledge ? [] : (await listNotesRefs(repository, { own: true })).filter((ref) => !isIndex(ref));
  const written = others.filter((ref) => ref.isKnowledge).length;
  const later = others.length - written;
  const command = commandText('remove', { knowledge: true });
  if (written > 0) retained.push(`what people and agents wrote, in ${formatCount(written, 'ref')}: ${command}`);
  if (later > 0) retained.push(`what a later version keeps, in ${formatCount(later, 'ref')}: ${command}`);
  const hook = await readHookState(repository, gitConfig);
  if (hook.installed) retained.push('hooks, which index again after the next commit: git socraticode hooks uninstall');
  const remotes = gitConfig.flatMap(({ key, value }) => {
    const name = /^remote\.(.+)\.fetch$/s.exec(key)?.[1];
    return name !== undefined && value.includes('refs/notes/socraticode/') ? [name] : [];
  });
  for (const name of new Set(remotes))
    retained.push(
      `the refspec of ${name}, which brings its index with git fetch: git socraticode share disable ${shellWord(name)}`,
    );
  return retained;
}

export function removeText({ remote, dryRun, refs, remoteRefs, paths, kept }: RemoveReport): string {
  const verb = dryRun ? 'would delete' : 'deleted';
  const lines = [
    ...refs.map((ref) => `${verb} ${ref}`),
    ...remoteRefs.map((ref) => `${verb} ${ref} on ${remote ?? ''}`),
    ...paths.map(({ path, bytes }) => `${verb} ${path} (${formatBytes(bytes)})`),
  ];
  if (lines.length === 0) lines.push('nothing to delete');
  return `${[...lines, ...kept.map((what) => `kept ${what}`)].join('\n')}\n`;
}

interface Removable {
  refs: NotesRef[];
  /** Absolute paths of files and directories, with their sizes. */
  paths: { path: string; bytes: number }[];
}

/**
 * Finds everything of the index, which can be made again; with `profile` that profile's part, with `knowledge` also notes, tasks and tags.
 */
export async function findRemovable(
  repository: Repository,
  { profile, knowledge = false }: { profile?: string; knowledge?: boolean } = {},
): Promise<Removable> {
  const listed = await listNotesRefs(repository, { symbolic: true, own: knowledge });
  // Kinds that only a later version knows may be knowledge.
  const all = listed.filter((ref) => knowledge || isIndex(ref));
  const refs = profile === undefined ? all : all.filter((ref) => ref.profile === profile);
  const state = localStateDirectory(repository);
  const paths = profile === undefined ? existing([state]) : existing(statePaths(state, profile));
  return { refs, paths: paths.map((path) => ({ path, bytes: sizeOf(path) })) };
}

/** Paths of a profile: shard folders of a syntax profile, or a vector profile's files in all shard folders. */
function statePaths(state: string, profile: string): string[] {
  const isOfProfile = (name: string) => name.startsWith(`vectors-${profile}-`);
  const vectors = names(state).flatMap((shards) =>
    names(join(state, shards))
      .filter(isOfProfile)
      .map((name) => join(state, shards, name)),
  );
  const folders = names(state).filter((name) => STATE_FOLDER.exec(name)?.[1] === profile);
  return [...folders.map((name) => join(state, name)), ...vectors];
}

/** Deletes refs and paths. The caller holds the writer lock, whose file may be among them. Throws GIT_FAILED or DISK. */
export async function removeAll(repository: Repository, { refs, paths }: Removable): Promise<void> {
  const failure = await moveRefs(
    repository.git,
    refs.map(({ ref, commit }) => ({ ref, from: commit, to: null })),
  );
  if (failure !== null) throw notesFailure(failure);
  new RemoteMemory(repository).forgetUnited(new Set(refs.map(({ ref }) => ref)));
  try {
    for (const { path } of paths) rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (cause) {
    throw new SocraticodeError('DISK', `cannot delete: ${(cause as Error).message}`, { cause });
  }
}

function existing(paths: readonly string[]): string[] {
  return paths.filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
}

function names(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function sizeOf(path: string): number {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.size;
  return names(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}

// `compact`: drops the history of notes, and records that nothing needs.

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
