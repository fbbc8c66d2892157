/** Checks of the index, of what keeps it up to date, and of how it is shared. */
import { statSync } from 'node:fs';
import { TIMED_OUT, waitFor } from '../../base/async.js';
import { groupDigits, shellWord, withoutSecrets } from '../../base/printable.js';
import type { Config } from '../../config/settings.js';
import { listNotes } from '../../git/notes.js';
import { readAbout } from '../../git/notes-history.js';
import { type KnownRef, listRefs } from '../../git/ref-check.js';
import { Remote } from '../../git/remote.js';
import { automaticFault } from '../../git/remote-trust.js';
import { localStateDirectory, NOTES_PREFIX } from '../../git/repository.js';
import { INDEX_EVENTS, isEventInstalled, readHookState, readPlace, SHARE_EVENT } from '../../hooks/installed.js';
import { HookQueue, readHookLog } from '../../hooks/queue.js';
import { kindOfRef } from '../../knowledge/kinds.js';
import { commandText, optionText } from '../../params/param.js';
import { SYNTAX_KIND } from '../../record/syntax-codec.js';
import { readCoverage } from '../../session/indexing/known-snapshot.js';
import { countKnowledge } from '../../session/note-counts.js';
import { checkedAbout, currentConfig, useOf } from '../../session/records/profiles.js';
import type { Session } from '../../session/session.js';
import type { SnapshotOrigin } from '../../session/snapshot/snapshot.js';
import { createEmbedder, vectorSource } from '../../session/vectors/vector-source.js';
import {
  addressKey,
  chooseRemote,
  compare,
  type NotesSelector,
  RemoteMemory,
  readNotesFetchConfig,
  remoteNames,
  selectTrackedRefs,
} from '../../share/pull.js';
import { readHooksStatus } from '../hooks/answer.js';
import type { HooksStatus } from '../hooks/question.js';
import type { ProfilesReport } from '../state/question.js';
import { knowledgeLine } from '../status/text.js';
import { attempt, type Check, count, type Finding, fine, wrong } from './installation.js';

/** An embedder that takes longer to answer delays every question. */
const EMBEDDER_MS = 2_000;

const USES: Readonly<Record<ProfilesReport['profiles'][number]['use'], string>> = {
  ...{ current: 'in use', readable: 'not in use: of another embedder', newer: 'not in use: of a newer version' },
  ...{ older: 'not in use: of an older version', other: 'not in use: of another version', unknown: 'not in use' },
};

export async function checkCoverage(session: Session, origin: SnapshotOrigin): Promise<Check> {
  if (origin.resolved.commit === null) return fine('no commit yet');
  const { covered, total } = await readCoverage(session, origin);
  const text = `${groupDigits(covered)} of ${groupDigits(total)} files of HEAD`;
  if (covered < total) return fine(`${text}; the next search or \`git socraticode index\` brings in the rest`);
  return fine(text);
}

/** Needs shards opened with `heals` off, so that the check changes nothing. */
export function checkManifest({ shards }: Session): Check {
  const { state, manifest } = shards.inspectManifest();
  if (state === 'none') return fine('nothing is built here yet');
  if (state === 'older') return fine('built by an older version: the next search builds it anew');
  if (state === 'damaged')
    return wrong(
      'the list of shards is damaged, or was not written here by this user',
      'git socraticode index builds them anew from the records.',
    );
  const lost = manifest.unreadable.length;
  const text = count(manifest.shards.length, 'shard');
  if (!shards.hasShards(manifest))
    return wrong(`${text}, of which some are gone`, 'git socraticode index builds them anew.');
  if (lost === 0) return fine(text);
  return wrong(
    `${text}; ${count(lost, 'file')} could not be read`,
    'git fsck says what is missing; in a partial clone git fetch --refetch --no-filter brings it.',
  );
}

export async function checkEmbedder(session: Session, config: Config, signal?: AbortSignal): Promise<Check> {
  const { embedder, model, costly } = vectorSource(session, config);
  if (!costly) return fine(`built in, ${model}`);
  const where = config.embedder.endpoint ?? 'its usual address';
  const ready = createEmbedder(config, { brisk: true }).then((made) => made.prepare(signal));
  if ((await waitFor(ready, { ms: EMBEDDER_MS, signal })) !== TIMED_OUT)
    return fine(`${embedder} ${model} at ${where}`);
  const seconds = EMBEDDER_MS / 1_000;
  return wrong(
    `${embedder} at ${where} has not answered within ${seconds} s`,
    'Start it; searches use words meanwhile.',
  );
}

/** Describes the embedder without sending it a request. */
export function describeEmbedder(session: Session, config: Config): Check {
  const { embedder, model, costly } = vectorSource(session, config);
  if (!costly) return fine(`built in, ${model}`);
  return fine(
    `${embedder} ${model} at ${config.embedder.endpoint ?? 'its usual address'}; ${optionText('online')} asks whether it is there`,
  );
}

/** One finding for each of our refs; `checkSharing` covers those of remotes. */
export async function checkRefs(session: Session): Promise<Finding[]> {
  const { git } = session.repository;
  const { refs, broken } = await listRefs(git, NOTES_PREFIX);
  // The list of refs does not depend on settings.
  const settings = await attempt(() => currentConfig(session));
  const config = 'failed' in settings ? null : settings.value;
  const described = await Promise.all(refs.map((ref) => describeRef(session, config, ref)));
  // Readable entries share one line: a repository may have thousands of tasks, each with its ref.
  const found = described.filter(({ ok }, i) => !ok || kindOfRef(refs[i].ref) === null);
  const bad = broken.map((ref) => ({
    ...wrong(
      'git finds no commit in it',
      `git update-ref -d ${shellWord(ref)}, then git socraticode index; or ${commandText('fsck', { repair: true })}`,
    ),
    name: nameOf(ref),
  }));
  const none =
    found.length + bad.length === 0 ? [{ ...fine('no records yet: git socraticode index'), name: 'records' }] : [];
  const entries = await attempt(() => countKnowledge(session));
  // The list above already has the refs that cannot be read.
  const knowledge = 'failed' in entries ? '' : knowledgeLine(entries.value);
  return [...none, ...found, ...bad, ...(knowledge === '' ? [] : [{ ...fine(knowledge), name: 'knowledge' }])];
}

const nameOf = (ref: string): string => ref.slice(NOTES_PREFIX.length + 1);

async function describeRef(
  session: Session,
  config: Config | null,
  { ref, oid, symbolic }: KnownRef,
): Promise<Finding> {
  const name = nameOf(ref);
  const facts = { ref, tip: oid };
  if (symbolic !== null)
    return { ...wrong(`it stands for ${symbolic}, which is not followed`, `git symbolic-ref -d ${ref}`), name, facts };
  const { git } = session.repository;
  const [kind = '', profile = ''] = name.split('/');
  const listed = await attempt(async () => [await listNotes(git, oid), await readAbout(git, oid)] as const);
  if ('failed' in listed) {
    const hint = `git fsck says what is damaged; ${commandText('fsck', { repair: true })} keeps the records that can be read.`;
    return { ...wrong(`${oid.slice(0, 9)} cannot be read: ${listed.failed.detail}`, hint), name, facts };
  }
  const [{ notes }, text] = listed.value;
  const own = profile === session.profile ? session.about : text;
  const use = config === null ? null : useOf(session, config, { kind, profile }, checkedAbout(profile, own));
  const detail = `${use === null ? 'use not known' : USES[use]}, ${count(notes.size, 'record')}, tip ${oid.slice(0, 9)}`;
  return { ...fine(detail), name, facts: { ...facts, use, records: notes.size } };
}

// Checks of the hooks: which are installed, whether they find the program, and how the last run ended.

const INSTALL = 'git socraticode hooks install';
/** A worker starts within a second; events that wait longer have none. */
const WAITING_MS = 60_000;
const OFFERED = `not installed: ${INSTALL} keeps the index ready`;

/** State of the hooks in one line. */
export async function summariseHooks({ repository, gitConfig }: Session): Promise<Check> {
  const { installed, path } = await readHookState(repository, gitConfig);
  return fine(installed ? `installed (${path})` : OFFERED);
}

export async function checkHooks(session: Session): Promise<Finding[]> {
  const status = await readHooksStatus(session);
  const by = { ...fine(status.manager === 'files' ? (status.directory ?? 'unknown') : status.manager), name: 'run by' };
  const isOurs = ({ state }: HooksStatus['hooks'][number]) => state === 'installed' || state === 'outdated';
  if (!status.hooks.some(isOurs)) {
    const why = status.refusal === null ? OFFERED : `cannot be installed: ${status.refusal}`;
    return [by, fine(why), ...work(session, status)];
  }
  return [by, ...events(status), program(status), ...work(session, status)];
}

function events({ hooks, manager, managerFile }: HooksStatus): Finding[] {
  const add =
    manager === 'lefthook' || manager === 'pre-commit' ? `${INSTALL} says what to add to ${managerFile}` : INSTALL;
  return hooks.flatMap(({ event, state, path }): Finding[] => {
    const facts = { state, path };
    if (state === 'installed') return [{ ...fine('installed'), name: event, facts }];
    if (state === 'outdated') return [{ ...wrong('of another version', add), name: event, facts }];
    // Sharing is optional, so hooks that share may be absent.
    if (!(INDEX_EVENTS as readonly string[]).includes(event)) return [];
    const what = state === 'foreign' ? `${path} does not call us` : 'absent';
    return [{ ...wrong(what, add), name: event, facts }];
  });
}

function program({ tool, fallback }: HooksStatus): Finding {
  const name = 'program';
  if (tool !== null) return { ...fine(tool), name };
  if (fallback !== null) return { ...fine(`not on PATH; the hooks call ${fallback}`), name };
  return { ...wrong('not found on PATH: the hooks do nothing', `Put it on PATH, or run ${INSTALL} again.`), name };
}

/** Queued events, and the outcome of the last ones. */
function work(session: Session, { worker, queued, log }: HooksStatus): Finding[] {
  const state = localStateDirectory(session.repository);
  const findings: Finding[] = [];
  const since = statSync(new HookQueue(state).path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  if (queued > 0) {
    const text = `${count(queued, 'event')} ${queued === 1 ? 'waits' : 'wait'}`;
    const isStuck = worker === null && Math.abs(Date.now() - since) > WAITING_MS;
    const check = isStuck
      ? wrong(`${text}, and nobody serves them`, 'The next commit, or git socraticode index, makes up for it.')
      : fine(text);
    findings.push({ ...check, name: 'queue' });
  }
  const last = readHookLog(state, 1)[0];
  if (last !== undefined) {
    const text = `${last.time} ${last.message}`;
    const check =
      last.level === 'error' ? wrong(text, 'git socraticode index shows whether it fails still.') : fine(text);
    findings.push({ ...check, name: 'last run' });
  }
  if (log.output.length > 0)
    findings.push({
      ...wrong(`the last worker could not run: ${log.output.slice(0, 3).join(' ')}`, `Install again, then ${INSTALL}.`),
      name: 'worker',
    });
  return findings;
}

// Compares with the remote's index as of the last fetch; only `online` asks the remote.

/** With `online`, throws what asking the remote throws. */
export async function checkSharing(session: Session, online: boolean, signal?: AbortSignal): Promise<Finding[]> {
  const { repository, gitConfig } = session;
  const shared = { repository, config: gitConfig };
  const names = remoteNames(gitConfig);
  if (names.length === 0) return [fine('no remote: the index stays here')];
  const name = await chooseRemote(shared, undefined, 'fetch').catch(() => null);
  if (name === null)
    return [fine(`none of ${names.join(', ')} is the one to share with: name it, as in git socraticode push REMOTE`)];
  const remote = new Remote(repository, gitConfig, name, { signal });
  const findings: Finding[] = [place(session, remote, name), ...(await difference(session, name))];
  findings.push(...(await refused(session, remote, name)));
  const fault = automaticFault(repository, gitConfig, name);
  if (fault !== null)
    findings.push({ ...fine(`only when you pull: .git/config has ${fault}`), name: 'asked by itself' });
  if (online) findings.push(await news(session, remote, name));
  return findings;
}

function place(session: Session, remote: Remote, name: string): Finding {
  const { enabled } = readNotesFetchConfig({ config: session.gitConfig }, name);
  const how = enabled ? 'git fetch brings its index' : 'git socraticode pull brings its index';
  return { ...fine(`${name} (${withoutSecrets(remote.url)}): ${how}`), facts: { remote: name, fetched: enabled } };
}

/** Reports a refused push: the hook does not try again, since it would be refused each time, and says nothing more. */
async function refused({ repository, gitConfig }: Session, remote: Remote, name: string): Promise<Finding[]> {
  if (!new RemoteMemory(repository).isDenied(addressKey(remote.url))) return [];
  const detail = `${name} refused the last push of the index`;
  const isHooked = isEventInstalled(repository, await readPlace(repository, gitConfig), gitConfig, SHARE_EVENT);
  const finding = isHooked
    ? wrong(
        `${detail}: since then the pre-push hook sends nothing`,
        `\`git socraticode push ${shellWord(name)}\` tries again, and says why.`,
      )
    : fine(detail);
  return [{ ...finding, name: 'pushes' }];
}

/** Counts the syntax records of the current profile that only one of the two repositories has. */
async function difference(session: Session, name: string): Promise<Finding[]> {
  const selector: NotesSelector = { kind: SYNTAX_KIND, profile: session.profile };
  const shared = { repository: session.repository, config: session.gitConfig };
  const compared = await compare(shared, name, [selector]);
  return compared.map(({ ahead, behind, hasLocal, hasRemote }) => {
    const facts = { onlyHere: ahead, onlyThere: behind, seen: hasRemote };
    const said = () => {
      if (!hasRemote) return `none was seen there; ${count(ahead, 'record')} here`;
      if (!hasLocal) return `${count(behind, 'record')} there, none here: the next search takes them`;
      if (ahead + behind === 0) return 'the same records here and there, when it was last asked';
      return `${count(ahead, 'record')} only here, ${groupDigits(behind)} only there, when it was last asked`;
    };
    return { ...fine(said()), name: 'index of the remote', facts };
  });
}

async function news({ repository, gitConfig }: Session, remote: Remote, name: string): Promise<Finding> {
  const there = await remote.listNotes();
  const selectors: NotesSelector[] = [{ kind: SYNTAX_KIND, profile: null }];
  const tracked = (await selectTrackedRefs({ repository, config: gitConfig }, selectors)).get(name);
  const moved = [...there].filter(([ref, oid]) => ref.includes(`/${SYNTAX_KIND}/`) && tracked?.get(ref) !== oid);
  const text = `${count(there.size, 'ref')} of an index there`;
  const facts = { refs: there.size, moved: moved.length };
  const check =
    moved.length === 0
      ? fine(`${text}, nothing new`)
      : fine(`${text}, ${moved.length} changed since: git socraticode pull`);
  return { ...check, name: 'asked now', facts };
}
