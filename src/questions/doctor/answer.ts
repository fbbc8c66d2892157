/**
 * `doctor`: checks the program's parts and how it is set up here, and says what to do. Every check fails alone, none writes, and other
 * machines are asked only on request.
 */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { standingAt, TEMP_PREFIX } from '../../base/atomic.js';
import { isSocraticodeError } from '../../base/errors.js';
import { STATE_FOLDER } from '../../base/local-key.js';
import { isVerbose, logPath, readLog, setLogLevel } from '../../base/log.js';
import { withoutSecrets } from '../../base/printable.js';
import { ARTIFACTS_FILE } from '../../config/context-artifacts.js';
import { localStateDirectory } from '../../git/repository.js';
import { currentConfig } from '../../session/records/profiles.js';
import { Session } from '../../session/session.js';
import type { SnapshotOrigin } from '../../session/snapshot/snapshot.js';
import type { Asker } from '../asker.js';
import { formatCount } from '../format.js';
import type { Pen } from '../pen.js';
import { readConfig } from '../state/answer.js';
import {
  checkCoverage,
  checkEmbedder,
  checkHooks,
  checkManifest,
  checkRefs,
  checkSharing,
  describeEmbedder,
  summariseHooks,
} from './index-state.js';
import {
  attempt,
  bytesOf,
  type Check,
  checkDisk,
  checkFeatures,
  checkGit,
  checkGitLocks,
  checkGrammars,
  checkHead,
  checkLocks,
  checkNode,
  checkParser,
  checkPlace,
  checkProgram,
  checkVectors,
  count,
  type DoctorCheck,
  diagnose,
  type Finding,
  fine,
  settle,
  wrong,
} from './installation.js';
import type { DoctorReport, DoctorValues, HealthCheck, HealthReport } from './question.js';

/** Throws BAD_ARGUMENT for a path that is no directory; every other fault is in the report. */
export async function answerDoctor(at: Asker, { online = false }: DoctorValues): Promise<DoctorReport> {
  const { directory, signal } = at;
  // The report has the same facts as the warnings.
  if (!isVerbose()) setLogLevel('error');
  const opened = await openSession(directory);
  const program = checkProgram(directory ?? process.cwd());
  const session = opened instanceof Session ? opened : null;
  try {
    const rest = opened instanceof Session ? await checkRepository(opened, online, signal) : opened;
    const checks = withoutRepeats([...(await program), ...rest]);
    const repository = session === null ? null : (session.repository.workTree ?? session.repository.gitDir);
    return { schemaVersion: 1, ok: checks.every(({ ok }) => ok), repository, online, checks };
  } finally {
    session?.close();
  }
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

async function checkRepository(session: Session, online: boolean, signal: AbortSignal): Promise<DoctorCheck[]> {
  const config = await attempt(() => currentConfig(session));
  // A bare repository without a commit has no files.
  const origin = session.origin(undefined, { unborn: true }).catch((error: unknown) => {
    if (isSocraticodeError(error, 'UNBORN_HEAD')) return null;
    throw error;
  });
  const coverage = async () => {
    const found = await origin;
    if (found === null) return fine('no commit yet');
    return 'failed' in config ? fine('not known without a valid configuration') : checkCoverage(session, found);
  };
  const embedder = () => {
    if ('failed' in config) return fine('not known without a valid configuration');
    return online ? checkEmbedder(session, config.value, signal) : describeEmbedder(session, config.value);
  };
  const groups = await Promise.all([
    settle('repository', 'place', () => checkPlace(session.repository)),
    settle('repository', 'HEAD', () => checkHead(session)),
    settle('repository', 'features', () => checkFeatures(session)),
    settle('repository', 'disk', () => checkDisk(session)),
    settle('configuration', 'settings', () => checkSettings(session)),
    settle('configuration', 'artifacts', async () => checkArtifacts((await origin) ?? {})),
    settle('configuration', 'embedder', embedder),
    settle('index', 'files', coverage),
    settle('index', 'shards', () => checkManifest(session)),
    settle('index', 'records', () => checkRefs(session)),
    settle('sharing', 'remote', () => checkSharing(session, online, signal)),
    settle('hooks', 'hooks', () => checkHooks(session)),
    settle('locks', 'ours', () => checkLocks(session)),
    settle('locks', 'of git', () => checkGitLocks(session)),
    settle('storage', 'objects', () => checkObjects(session)),
    settle('storage', 'local state', () => checkState(session)),
    settle('storage', 'log', () => checkLog(session)),
  ]);
  return groups.flat();
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

// Health check for agents: `doctor` in eleven lines, and a question to the embedder.

export const answerHealth = ({ session, signal }: Asker) => readHealth(session, signal);

/** Indexes nothing and sends no source text. */
export async function readHealth(session: Session, signal?: AbortSignal): Promise<HealthReport> {
  const origin = await attempt(() => session.origin(undefined, { unborn: true }));
  const config =
    'failed' in origin ? origin : await attempt(async () => (await session.configOfOrigin(origin.value)).config);
  const settled = async (name: HealthCheck['name'], check: () => Check | Promise<Check>): Promise<HealthCheck> => {
    const found = await attempt(check);
    const { ok, detail, hint } = 'failed' in found ? found.failed : found.value;
    return { name, ok, detail, hint };
  };
  const checks = await Promise.all([
    settled('node', checkNode),
    settled('git', () => checkGit(session.repository.git)),
    settled('configuration', () => ('failed' in config ? config.failed : fine('valid'))),
    settled('parser', checkParser),
    settled('grammars', checkGrammars),
    settled('vectors', checkVectors),
    settled('embedder', () => ('failed' in config ? unknown : checkEmbedder(session, config.value, signal))),
    settled('disk', () => checkDisk(session)),
    settled('locks', () => checkLocks(session)),
    settled('index', () => ('failed' in origin || 'failed' in config ? unknown : checkCoverage(session, origin.value))),
    settled('hooks', () => summariseHooks(session)),
  ]);
  return { schemaVersion: 1, ok: checks.every(({ ok }) => ok), checks };
}

const unknown = fine('not known without a valid configuration');

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

// Checks of disk space (local state by kind, git's objects, files left by killed processes) and of the log.

/** Kind of a file by the beginning of its name; the first match counts (data). */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/^lexical-/, 'words'],
  [/^vectors-.*\.hnsw$/, 'vector graphs'],
  [/^vectors-/, 'vectors'],
  [/^(?:graph|memory|work)-/, 'code graphs'],
  [/^view-/, 'views'],
  [/^past-/, 'past commits'],
  [/^(?:log\.jsonl|hook\.stderr)/, 'log'],
];
const MAX_DEPTH = 6;
/** Listing more files would take longer than anybody waits. */
const MAX_FILES = 100_000;
/** A younger file may still be in use by a writer. */
const FRESH_MS = 10 * 60_000;

interface Tally {
  bytes: Map<string, number>;
  leftovers: { path: string; bytes: number }[];
  files: number;
}

function checkState(session: Session): Finding[] {
  const state = localStateDirectory(session.repository);
  const tally: Tally = { bytes: new Map(), leftovers: [], files: 0 };
  visit(tally, state, basename(session.shards.directory), 0);
  const total = [...tally.bytes.values()].reduce((sum, bytes) => sum + bytes, 0);
  const kinds = [...tally.bytes].sort((a, b) => b[1] - a[1]);
  const detail =
    total === 0
      ? 'nothing'
      : `${bytesOf(total)}: ${kinds.map(([kind, bytes]) => `${kind} ${bytesOf(bytes)}`).join(', ')}`;
  const left = [...tally.leftovers, ...debrisOfGit(session)];
  return [
    { ...fine(detail), name: 'local state', facts: Object.fromEntries(kinds) },
    { ...leftovers(left), name: 'leftovers', facts: { files: left.length } },
  ];
}

function leftovers(left: Tally['leftovers']): Finding {
  if (left.length === 0) return fine('none');
  const names = left.slice(0, 3).map(({ path }) => basename(path));
  const more = left.length > names.length ? ', …' : '';
  const size = bytesOf(left.reduce((sum, { bytes }) => sum + bytes, 0));
  return fine(
    `${count(left.length, 'file')}, ${size}, of runs that were killed: later ones remove them (${names.join(', ')}${more})`,
  );
}

function visit(tally: Tally, directory: string, own: string, depth: number, folder: string | null = null): void {
  if (depth > MAX_DEPTH || !standingAt(directory)?.isDirectory()) return;
  for (const name of readdirSync(directory)) {
    if (++tally.files > MAX_FILES) return;
    const path = join(directory, name);
    const stat = standingAt(path);
    if (stat?.isDirectory()) visit(tally, path, own, depth + 1, kindOfFolder(name, own) ?? folder);
    else if (stat !== undefined) {
      const kind = folder ?? KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? 'other';
      tally.bytes.set(kind, (tally.bytes.get(kind) ?? 0) + stat.size);
      const isOld = Math.abs(Date.now() - stat.mtimeMs) > FRESH_MS;
      if (isOld && (name.startsWith(TEMP_PREFIX) || name.endsWith('.bad')))
        tally.leftovers.push({ path, bytes: stat.size });
    }
  }
}

function kindOfFolder(name: string, own: string): string | null {
  if (name.startsWith('overlay-')) return name.includes('-context-') ? 'outside artifacts' : 'uncommitted files';
  if (name === 'aside') return 'set aside by fsck';
  return STATE_FOLDER.test(name) && name !== own ? 'of other versions or users' : null;
}

/** Directories where killed git processes leave files: imports beside HEAD, packs among the objects. */
function debrisOfGit({ repository }: Session): Tally['leftovers'] {
  const places: [string, RegExp][] = [
    [repository.gitDir, /^fast_import_crash_\d+$/],
    [repository.commonDir, /^fast_import_crash_\d+$/],
    [join(repository.commonDir, 'objects', 'pack'), /^(?:\.tmp-|tmp_)/],
  ];
  const found = new Map<string, number>();
  for (const [directory, pattern] of places) {
    if (!standingAt(directory)?.isDirectory()) continue;
    for (const name of readdirSync(directory).filter((each) => pattern.test(each))) {
      const path = join(directory, name);
      const stat = standingAt(path);
      if (stat?.isFile() && Math.abs(Date.now() - stat.mtimeMs) > FRESH_MS) found.set(path, stat.size);
    }
  }
  return [...found].map(([path, bytes]) => ({ path, bytes }));
}

/** Reads `git count-objects`, which counts in kibibytes. */
async function checkObjects({ repository }: Session): Promise<Finding> {
  const text = await repository.git.text(['count-objects', '-v']);
  const value = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  const [loose, size, packs, packed] = ['count', 'size', 'packs', 'size-pack'].map(value);
  const detail = `${count(packs, 'pack')} of ${bytesOf(packed * 1024)}, ${count(loose, 'loose object')} of ${bytesOf(size * 1024)}`;
  return { ...fine(detail), facts: { packs, packedBytes: packed * 1024, loose, looseBytes: size * 1024 } };
}

function checkLog(session: Session): Finding {
  const state = localStateDirectory(session.repository);
  const lines = readLog(state, Number.MAX_SAFE_INTEGER);
  if (lines.length === 0) return fine('empty');
  const errors = lines.filter(({ level }) => level === 'error');
  const last = errors.at(-1);
  const facts = { path: logPath(state), lines: lines.length, errors: errors.length };
  if (last === undefined) return { ...fine(`${count(lines.length, 'line')}, no errors (${logPath(state)})`), facts };
  const code = typeof last.data.code === 'string' ? `${last.data.code} ` : '';
  const text = `the last of ${count(errors.length, 'error')}, ${last.time}, ${last.command}: ${code}${last.message}`;
  return { ...fine(`${text} (${logPath(state)})`), facts };
}
