/**
 * `doctor`: checks the program's parts and how it is set up here, and says what to do. Every check fails alone, none writes, and other
 * machines are asked only on request. `health`, for agents, takes fewer of the checks and asks the embedder.
 */
import { statSync } from 'node:fs';
import { TIMED_OUT, waitFor } from '../../base/async.js';
import { isSocraticodeError } from '../../base/errors.js';
import { isVerbose, setLogLevel } from '../../base/log.js';
import { groupDigits, shellWord, shortOid, withoutSecrets } from '../../base/printable.js';
import { ARTIFACTS_FILE } from '../../config/context-artifacts.js';
import type { Config } from '../../config/settings.js';
import { type KnownRef, listRefs } from '../../git/crash-recovery.js';
import { listNotes } from '../../git/notes.js';
import { readAbout } from '../../git/notes-history.js';
import { Remote } from '../../git/remote.js';
import { automaticFault } from '../../git/remote-trust.js';
import { localStateDirectory, NOTES_PREFIX } from '../../git/repository.js';
import { INDEX_EVENTS, isEventInstalled, readHookState, readPlace, SHARE_EVENT } from '../../hooks/installed.js';
import { HookQueue, readHookLog } from '../../hooks/queue.js';
import { kindOfRef } from '../../knowledge/kinds.js';
import { commandText, optionText } from '../../params/param.js';
import { SYNTAX_KIND } from '../../record/syntax-codec.js';
import { readCoverage } from '../../session/indexing/known-snapshot.js';
import { checkedAbout, countKnowledge, currentConfig, useOf } from '../../session/records/profiles.js';
import { Session } from '../../session/session.js';
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
import type { Asker } from '../asker.js';
import { formatCount } from '../format.js';
import { readHooksStatus } from '../hooks/answer.js';
import type { HooksStatus } from '../hooks/question.js';
import type { Pen } from '../pen.js';
import { readConfig } from '../state/answer.js';
import type { ProfilesReport } from '../state/question.js';
import { knowledgeLine } from '../status/text.js';
import {
  type Attempt,
  attempt,
  type Check,
  checkDisk,
  checkFeatures,
  checkGit,
  checkGitLocks,
  checkGrammars,
  checkHead,
  checkLocks,
  checkLog,
  checkNode,
  checkObjects,
  checkParser,
  checkPlace,
  checkProgram,
  checkState,
  checkVectors,
  type DoctorCheck,
  diagnose,
  type Finding,
  type Found,
  fine,
  settle,
  wrong,
} from './local-checks.js';
import type { DoctorReport, DoctorValues, HealthCheck, HealthReport } from './question.js';

/** A repository under check, and the facts that several checks need. */
interface Subject {
  session: Session;
  config: Attempt<Config>;
  /** Null in a bare repository without a commit, which has no files. */
  origin: Promise<SnapshotOrigin | null>;
  online: boolean;
  signal?: AbortSignal;
}

type Row = readonly [group: DoctorCheck['group'], name: string, find: (subject: Subject) => Found | Promise<Found>];

/** The checks of a repository, in the order of the report (data). */
const CHECKS: readonly Row[] = [
  ['repository', 'place', ({ session }) => checkPlace(session.repository)],
  ['repository', 'HEAD', ({ session }) => checkHead(session)],
  ['repository', 'features', ({ session }) => checkFeatures(session)],
  ['repository', 'disk', ({ session }) => checkDisk(session)],
  ['configuration', 'settings', ({ session }) => checkSettings(session)],
  ['configuration', 'artifacts', async ({ origin }) => checkArtifacts((await origin) ?? {})],
  ['configuration', 'embedder', checkEmbedder],
  ['index', 'files', checkCoverage],
  ['index', 'shards', ({ session }) => checkManifest(session)],
  ['index', 'records', ({ session }) => checkRefs(session)],
  ['sharing', 'remote', ({ session, online, signal }) => checkSharing(session, online, signal)],
  ['hooks', 'hooks', ({ session }) => checkHooks(session)],
  ['locks', 'ours', ({ session }) => checkLocks(session)],
  ['locks', 'of git', ({ session }) => checkGitLocks(session)],
  ['storage', 'objects', ({ session }) => checkObjects(session)],
  ['storage', 'local state', ({ session }) => checkState(session)],
  ['storage', 'log', ({ session }) => checkLog(session)],
];

/** The checks for agents, each of which has one line (data). */
const HEALTH: Readonly<Record<HealthCheck['name'], (subject: Subject) => Check | Promise<Check>>> = {
  node: checkNode,
  git: ({ session }) => checkGit(session.repository.git),
  configuration: ({ config }) => ('failed' in config ? config.failed : fine('valid')),
  parser: checkParser,
  grammars: checkGrammars,
  vectors: checkVectors,
  embedder: checkEmbedder,
  disk: ({ session }) => checkDisk(session),
  locks: ({ session }) => checkLocks(session),
  index: checkCoverage,
  hooks: async ({ session: { repository, gitConfig } }) => {
    const { installed, path } = await readHookState(repository, gitConfig);
    return fine(installed ? `installed (${path})` : OFFERED);
  },
};

const unknown = fine('not known without a valid configuration');

async function subjectOf(session: Session, online: boolean, signal?: AbortSignal): Promise<Subject> {
  const config = await attempt(() => currentConfig(session));
  const origin = session.origin(undefined, { unborn: true }).catch((error: unknown) => {
    if (isSocraticodeError(error, 'UNBORN_HEAD')) return null;
    throw error;
  });
  return { session, config, origin, online, signal };
}

/** Throws BAD_ARGUMENT for a path that is no directory; every other fault is in the report. */
export async function answerDoctor(at: Asker, { online = false }: DoctorValues): Promise<DoctorReport> {
  const { directory, signal } = at;
  // The report has the same facts as the warnings.
  if (!isVerbose()) setLogLevel('error');
  const opened = await openSession(directory);
  const program = checkProgram(directory ?? process.cwd());
  const session = opened instanceof Session ? opened : null;
  try {
    const subject = session && (await subjectOf(session, online, signal));
    const rows = subject && CHECKS.map(([group, name, find]) => settle(group, name, () => find(subject)));
    const rest = rows === null ? (opened as DoctorCheck[]) : (await Promise.all(rows)).flat();
    const checks = withoutRepeats([...(await program), ...rest]);
    const repository = session && (session.repository.workTree ?? session.repository.gitDir);
    return { schemaVersion: 1, ok: checks.every(({ ok }) => ok), repository, online, checks };
  } finally {
    session?.close();
  }
}

/** Answer of the tool; a fault is in the report. */
export const answerHealth = ({ session, signal }: Asker) => readHealth(session, signal);

/** Asks the embedder, indexes nothing and sends no source text. */
export async function readHealth(session: Session, signal?: AbortSignal): Promise<HealthReport> {
  const subject = await subjectOf(session, true, signal);
  const asked = Object.entries(HEALTH).map(async ([name, find]): Promise<HealthCheck> => {
    const found = await attempt(() => find(subject));
    const { ok, detail, hint } = 'failed' in found ? found.failed : found.value;
    return { name: name as HealthCheck['name'], ok, detail, hint };
  });
  const checks = await Promise.all(asked);
  return { schemaVersion: 1, ok: checks.every(({ ok }) => ok), checks };
}

/** Keeps the first of several checks that failed for the same reason. */
function withoutRepeats(checks: readonly DoctorCheck[]): DoctorCheck[] {
  const first = new Map<string, DoctorCheck>();
  return checks.map((check) => {
    if (check.ok) return check;
    const before = first.get(check.detail);
    if (before === undefined) first.set(check.detail, check);
    return before === undefined ? check : { ...check, ...fine(`not known: see ${before.group}, ${before.name}`) };
  });
}

/** Returns no check outside a repository, and a failed one for a repository that cannot be opened. */
async function openSession(directory: string | undefined): Promise<Session | DoctorCheck[]> {
  try {
    const session = await Session.open({ directory });
    session.shards.heals = false;
    return session;
  } catch (error) {
    if (isSocraticodeError(error, 'BAD_ARGUMENT')) throw error;
    return settle('repository', 'place', () => {
      const fault = diagnose(directory ?? process.cwd());
      if (fault !== null) return fault;
      if (isSocraticodeError(error, 'NOT_A_REPOSITORY') && /is not in a git repository$/.test(error.message))
        return fine('none here: only the program was checked');
      throw error;
    });
  }
}

// Text of `doctor`: by group, one line for each check, and the next step below a failed one.

type ReportedCheck = DoctorReport['checks'][number];

export function doctorText({ checks }: DoctorReport, { pen }: { pen: Pen }): string {
  const groups = [...new Set(checks.map(({ group }) => group))];
  const lines = groups.flatMap((group) => {
    const own = checks.filter((check) => check.group === group);
    const width = Math.max(...own.map(({ name }) => name.length));
    return [pen.symbol(group), ...own.flatMap((check) => linesOf(check, width, pen))];
  });
  return `${[...lines, '', summary(checks)].join('\n')}\n`;
}

function linesOf({ name, ok, detail, hint }: ReportedCheck, width: number, pen: Pen): string[] {
  const mark = ok ? pen.line('ok') : pen.match('! ');
  const line = `  ${mark} ${name.padEnd(width)}  ${detail}`;
  return hint === null ? [line] : [line, `     ${' '.repeat(width)}  -> ${hint}`];
}

function summary(checks: readonly ReportedCheck[]): string {
  const bad = checks.filter(({ ok }) => !ok);
  if (bad.length === 0) return `all is well (${formatCount(checks.length, 'check')})`;
  const names = [...new Set(bad.map(({ group, name }) => (group === name ? name : `${group} ${name}`)))];
  return `${bad.length} of ${formatCount(checks.length, 'check')} need attention: ${names.join(', ')}`;
}

export function healthText({ checks }: HealthReport): string {
  const bad = checks.filter(({ ok }) => !ok);
  const good = checks.filter(({ ok }) => ok);
  const lines = [
    ...bad.map(({ name, detail, hint }) => `! ${name}: ${detail}${hint === null ? '' : `; ${hint}`}`),
    ...good.map(({ name, detail }) => `${name}: ${detail}`),
  ];
  return `${lines.join('\n')}\n`;
}

// Checks of the configuration in effect: each value, its source, and its faults.

/** Throws BAD_CONFIG for the first fault, and names its place. */
async function checkSettings(session: Session): Promise<Finding[]> {
  const { values, unread = [] } = await readConfig(session);
  const chosen = values.filter(({ origin }) => origin !== 'default');
  const summary = chosen.length === 0 ? 'defaults' : `valid, ${chosen.length} of ${values.length} chosen`;
  return [
    fine(summary),
    ...chosen.map(({ key, value, origin }): Finding => {
      const text = withoutSecrets(typeof value === 'string' ? value : JSON.stringify(value));
      return { ...fine(`${text} (${origin})`), name: key, facts: { value: text, origin } };
    }),
    // Other programs may mean them, so they are no fault.
    ...unread.map(({ name, instead }): Finding => ({ ...fine(`not read here: ${instead}`), name, facts: { instead } })),
  ];
}

function checkArtifacts({ artifacts, artifactsFault }: Pick<SnapshotOrigin, 'artifacts' | 'artifactsFault'>): Finding {
  if (artifactsFault !== undefined)
    return wrong(artifactsFault, `Correct ${ARTIFACTS_FILE}; until then it is passed over.`);
  const n = artifacts?.length ?? 0;
  return fine(n === 0 ? 'none named' : `${n} named`);
}

// Checks of the index.

/** An embedder that takes longer to answer delays every question. */
const EMBEDDER_MS = 2_000;

const USES: Readonly<Record<ProfilesReport['profiles'][number]['use'], string>> = {
  ...{ current: 'in use', readable: 'not in use: of another embedder', newer: 'not in use: of a newer version' },
  ...{ older: 'not in use: of an older version', other: 'not in use: of another version', unknown: 'not in use' },
};

async function checkCoverage({ session, config, origin }: Subject): Promise<Check> {
  const found = await origin;
  if (found === null || found.resolved.commit === null) return fine('no commit yet');
  if ('failed' in config) return unknown;
  const { covered, total } = await readCoverage(session, found);
  const text = `${groupDigits(covered)} of ${groupDigits(total)} files of HEAD`;
  return fine(covered < total ? `${text}; the next search or \`git socraticode index\` brings in the rest` : text);
}

/** Needs shards opened with `heals` off, so that the check changes nothing. */
function checkManifest({ shards }: Session): Check {
  const { state, manifest } = shards.inspectManifest();
  if (state === 'none') return fine('nothing is built here yet');
  if (state === 'older') return fine('built by an older version: the next search builds it anew');
  if (state === 'damaged')
    return wrong(
      'the list of shards is damaged, or was not written here by this user',
      'git socraticode index builds them anew from the records.',
    );
  const lost = manifest.unreadable.length;
  const text = formatCount(manifest.shards.length, 'shard');
  if (!shards.hasShards(manifest))
    return wrong(`${text}, of which some are gone`, 'git socraticode index builds them anew.');
  if (lost === 0) return fine(text);
  return wrong(
    `${text}; ${formatCount(lost, 'file')} could not be read`,
    'git fsck says what is missing; in a partial clone git fetch --refetch --no-filter brings it.',
  );
}

/** `online`: asks it, else only describes it. */
async function checkEmbedder({ session, config, online, signal }: Subject): Promise<Check> {
  if ('failed' in config) return unknown;
  const { embedder, model, costly } = vectorSource(session, config.value);
  if (!costly) return fine(`built in, ${model}`);
  const where = config.value.embedder.endpoint ?? 'its usual address';
  const text = `${embedder} ${model} at ${where}`;
  if (!online) return fine(`${text}; ${optionText('online')} asks whether it is there`);
  const ready = createEmbedder(config.value, { brisk: true }).then((made) => made.prepare(signal));
  if ((await waitFor(ready, { ms: EMBEDDER_MS, signal })) !== TIMED_OUT) return fine(text);
  const seconds = EMBEDDER_MS / 1_000;
  return wrong(
    `${embedder} at ${where} has not answered within ${seconds} s`,
    'Start it; searches use words meanwhile.',
  );
}

/** One finding for each of our refs; `checkSharing` covers those of remotes. */
async function checkRefs(session: Session): Promise<Finding[]> {
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
    return { ...wrong(`${shortOid(oid)} cannot be read: ${listed.failed.detail}`, hint), name, facts };
  }
  const [{ notes }, text] = listed.value;
  const own = profile === session.profile ? session.about : text;
  const use = config === null ? null : useOf(session, config, { kind, profile }, checkedAbout(profile, own));
  const detail = `${use === null ? 'use not known' : USES[use]}, ${formatCount(notes.size, 'record')}, tip ${shortOid(oid)}`;
  return { ...fine(detail), name, facts: { ...facts, use, records: notes.size } };
}

// Checks of the hooks: which are installed, whether they find the program, and how the last run ended.

const INSTALL = 'git socraticode hooks install';
/** A worker starts within a second; events that wait longer have none. */
const WAITING_MS = 60_000;
const OFFERED = `not installed: ${INSTALL} keeps the index ready`;

async function checkHooks(session: Session): Promise<Finding[]> {
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
    const text = `${formatCount(queued, 'event')} ${queued === 1 ? 'waits' : 'wait'}`;
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
      if (!hasRemote) return `none was seen there; ${formatCount(ahead, 'record')} here`;
      if (!hasLocal) return `${formatCount(behind, 'record')} there, none here: the next search takes them`;
      if (ahead + behind === 0) return 'the same records here and there, when it was last asked';
      return `${formatCount(ahead, 'record')} only here, ${groupDigits(behind)} only there, when it was last asked`;
    };
    return { ...fine(said()), name: 'index of the remote', facts };
  });
}

async function news({ repository, gitConfig }: Session, remote: Remote, name: string): Promise<Finding> {
  const there = await remote.listNotes();
  const selectors: NotesSelector[] = [{ kind: SYNTAX_KIND, profile: null }];
  const tracked = (await selectTrackedRefs({ repository, config: gitConfig }, selectors)).get(name);
  const moved = [...there].filter(([ref, oid]) => ref.includes(`/${SYNTAX_KIND}/`) && tracked?.get(ref) !== oid);
  const text = `${formatCount(there.size, 'ref')} of an index there`;
  const facts = { refs: there.size, moved: moved.length };
  const check =
    moved.length === 0
      ? fine(`${text}, nothing new`)
      : fine(`${text}, ${moved.length} changed since: git socraticode pull`);
  return { ...check, name: 'asked now', facts };
}
