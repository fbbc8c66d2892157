/** Checks of the program, of the repository, of locks and of disk space. A check that throws becomes a result, too. */
import { accessSync, constants, existsSync, readdirSync, statfsSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { execPath } from 'node:process';
import { plainFileAt, readPlainFile, standingAt, TEMP_PREFIX } from '../../base/atomic.js';
import { unexpected } from '../../base/errors.js';
import { describeLocalKey, STATE_FOLDER } from '../../base/local-key.js';
import { lockState } from '../../base/lock.js';
import { logPath, readLog } from '../../base/log.js';
import { groupDigits, shortOid, signs } from '../../base/printable.js';
import { packageVersion } from '../../base/runtime.js';
import { hasNative, loadPatternParsers } from '../../extract/structural-search.js';
import { parseWithGrammar } from '../../extract/syntax-tree.js';
import { GRAMMAR_HASHES, grammarStatus, NAPI_VERSION, PARSER_VERSION } from '../../extract/version.js';
import { refLocks } from '../../git/crash-recovery.js';
import { Git } from '../../git/process.js';
import {
  headBranch,
  isPartialClone,
  localStateDirectory,
  NOTES_PREFIX,
  type Repository,
} from '../../git/repository.js';
import { allLanguages } from '../../languages/registry.js';
import type { Session } from '../../session/session.js';
import { describeEngine, engineVersion } from '../../shard/hnsw.js';
import { formatCount } from '../format.js';
import type { DoctorReport, HealthCheck } from './question.js';

/** Outcome of one check; `hint` says what to do, and is null if nothing need be done. */
export type Check = Omit<HealthCheck, 'name'>;
export type DoctorCheck = DoctorReport['checks'][number];
type Facts = DoctorCheck['facts'];

export const fine = (detail: string): Check => ({ ok: true, detail, hint: null });
export const wrong = (detail: string, hint: string): Check => ({ ok: false, detail, hint });

export type Attempt<T> = { value: T } | { failed: Check };

/** Runs a check; its error becomes its result. */
export async function attempt<T>(work: () => T | Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    const { message, hint } = unexpected(error);
    return { failed: wrong(message, hint) };
  }
}

/** One finding of a check of `doctor`: with facts for programs, and with a name if it is not that of the check. */
export type Finding = Check & { name?: string; facts?: Facts };

/** Some checks find several things. */
export type Found = Finding | Finding[];

/** Runs one check of a group; each fails alone. */
export async function settle(
  group: DoctorCheck['group'],
  name: string,
  check: () => Found | Promise<Found>,
): Promise<DoctorCheck[]> {
  const found = await attempt(check);
  const findings: Finding[] = 'failed' in found ? [found.failed] : [found.value].flat();
  return findings.map(({ facts = {}, ...finding }) => ({ group, ...finding, name: finding.name ?? name, facts }));
}

function bytesOf(bytes: number): string {
  return bytes < 1e6 ? `${groupDigits(Math.ceil(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** How long ago. A clock that was set back gives an age as well. */
function ageOf(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 120) return formatCount(minutes, 'minute');
  return minutes < 48 * 60
    ? formatCount(Math.round(minutes / 60), 'hour')
    : formatCount(Math.round(minutes / 1_440), 'day');
}

// Checks of the program and its parts, which need no repository.

const MIN_NODE = 20;
const MIN_GIT = [2, 31] as const;
const REINSTALL = 'The package is damaged. Install it again: npm install -g git-socraticode';

export async function checkProgram(directory: string): Promise<DoctorCheck[]> {
  const settled = await Promise.all([
    settle('program', 'git-socraticode', () => ({ ...fine(packageVersion()), facts: { version: packageVersion() } })),
    settle('program', 'node', () => ({ ...checkNode(), facts: { version: process.versions.node, path: execPath } })),
    settle('program', 'git', () => checkGit(new Git(directory))),
    settle('program', 'parser', checkParser),
    settle('program', 'grammars', checkGrammars),
    settle('program', 'patterns', checkPatterns),
    settle('program', 'vectors', checkVectors),
    settle('program', 'key', checkKey),
  ]);
  return settled.flat();
}

export function checkNode(): Check {
  const version = process.versions.node;
  if (Number.parseInt(version, 10) >= MIN_NODE) return fine(version);
  return wrong(`${version} is too old`, `Install Node ${MIN_NODE} or newer.`);
}

export async function checkGit(git: Git): Promise<Finding> {
  const text = (await git.text(['version'])).replace(/^git version /, '');
  const [major, minor] = text.split('.').map(Number);
  const isNew = major > MIN_GIT[0] || (major === MIN_GIT[0] && minor >= MIN_GIT[1]);
  const check = isNew ? fine(text) : wrong(`${text} is too old`, `Install git ${MIN_GIT.join('.')} or newer.`);
  return { ...check, facts: { version: text } };
}

export function checkParser(): Finding {
  const facts = { version: PARSER_VERSION };
  try {
    const { available } = grammarStatus(allLanguages());
    if (available.length > 0) parseWithGrammar(available[0], '');
    return { ...fine(PARSER_VERSION), facts };
  } catch (error) {
    return {
      ...wrong(`does not start, so that every file is cut by lines: ${(error as Error).message}`, REINSTALL),
      facts,
    };
  }
}

export function checkGrammars(): Finding {
  const { available, missing } = grammarStatus(allLanguages());
  const facts = { ...GRAMMAR_HASHES };
  if (missing.length === 0) return { ...fine(`all ${available.length}`), facts };
  return { ...wrong(`missing, so that their files are cut by lines: ${missing.join(', ')}`, REINSTALL), facts };
}

/** Patterns of `grep --ast` are matched by ast-grep in the grammars that it contains, and as it does in all others. */
async function checkPatterns(): Promise<Finding> {
  await loadPatternParsers();
  const facts = { wanted: NAPI_VERSION, native: hasNative() };
  const by = hasNative() ? '' : '; @ast-grep/napi has no build for this system, and is done without';
  return { ...fine(`read in all languages with a grammar${by}`), facts };
}

export function checkVectors(): Finding {
  const { reason } = describeEngine();
  // Only very many vectors need a graph, so the absence of usearch is no failure.
  const check = fine(reason === null ? 'compared one by one; usearch makes graphs' : `compared one by one: ${reason}`);
  return { ...check, facts: { usearch: reason === null ? engineVersion() : null } };
}

function checkKey(): Finding {
  const { kind, path, problem, id } = describeLocalKey();
  const facts = { kind, path, id };
  if (problem === null) return { ...fine(`${path}`), facts };
  const until = kind === 'boot' ? 'this machine is started again' : 'the process ends';
  const what = `what is built here is kept only until ${until}: ${problem}`;
  return { ...wrong(what, `Make ${path ?? 'the home directory'} a place that you alone can read and write.`), facts };
}

// Checks of the repository itself: its place, its kind, whether it can be written, and what is wrong with a broken one.

/** With less free space than this, the next index of a middling repository may not fit. */
const MIN_FREE_BYTES = 200 * 1024 * 1024;
const MAX_HEAD_BYTES = 4_096;

export function checkPlace({ gitDir, commonDir, workTree, bare, objectFormat }: Repository): Finding {
  const linked = gitDir === commonDir ? '' : ', a linked work tree';
  const facts = { gitDir, commonDir, workTree, bare, objectFormat };
  return { ...fine(bare ? `${gitDir} (bare)` : `${workTree ?? gitDir}${linked}`), facts };
}

/** Checks HEAD, and reports what is unusual about the repository, such as a partial clone. Throws UNREADABLE_OBJECT. */
export async function checkHead(session: Session): Promise<Finding> {
  const { objects, repository } = session;
  const branch = await headBranch(repository);
  const commit = await objects.resolve('HEAD').then(
    (resolved) => resolved.commit,
    (error: { code?: string }) => {
      if (error.code === 'UNBORN_HEAD') return null;
      throw error;
    },
  );
  const where = branch ?? 'detached';
  const facts = { branch, commit };
  return { ...fine(commit === null ? `${where}, no commit yet` : `${where} at ${shortOid(commit)}`), facts };
}

export function checkFeatures({ repository, gitConfig }: Session): Finding {
  const { commonDir, objectFormat } = repository;
  const facts = {
    shallow: existsSync(join(commonDir, 'shallow')),
    partial: isPartialClone(gitConfig),
    sha256: objectFormat === 'sha256',
    reftable: existsSync(join(commonDir, 'reftable', 'tables.list')),
    grafts: existsSync(join(commonDir, 'info', 'grafts')),
    alternates: existsSync(join(commonDir, 'objects', 'info', 'alternates')),
  };
  const names = Object.entries(facts).flatMap(([name, is]) => (is ? [name] : []));
  return { ...fine(names.length === 0 ? 'nothing special' : names.join(', ')), facts };
}

export function checkDisk({ repository }: Pick<Session, 'repository'>): Finding {
  const state = localStateDirectory(repository);
  const place = standingAt(state) === undefined ? repository.commonDir : state;
  if (standingAt(state)?.isSymbolicLink())
    return wrong(`${state} is a symbolic link, which is not followed`, 'Remove it: it is made again.');
  try {
    accessSync(place, constants.W_OK);
  } catch {
    return wrong(`${place} cannot be written to`, 'Check its permissions; what is indexed already can be searched.');
  }
  const { bavail, bsize } = statfsSync(place);
  const free = bavail * bsize;
  const text = `${groupDigits(Math.round(free / 1024 ** 2))} MB free`;
  const check = free < MIN_FREE_BYTES ? wrong(text, 'Free some space.') : fine(`writable, ${text}`);
  return { ...check, facts: { freeBytes: free } };
}

/**
 * Explains why git does not accept a directory as a repository: finds the nearest `.git` above and its broken part. Null if there is no
 * `.git`.
 */
export function diagnose(start: string): Check | null {
  const found = nearestGit(resolve(start));
  if (found === null) return null;
  const stat = standingAt(found);
  if (stat?.isFile()) {
    const target = /^gitdir: (.*?)[\r\n]*$/s.exec(textOf(found))?.[1];
    if (target === undefined) return wrong(`${found} names no git directory`, 'It should hold one line: gitdir: PATH');
    const directory = resolve(dirname(found), target);
    if (!existsSync(directory))
      return wrong(
        `${found} leads to ${directory}, which is gone`,
        'In the main work tree: git worktree repair PATH, or git worktree prune and add it again.',
      );
    return faultOf(directory);
  }
  return stat?.isDirectory() ? faultOf(found) : wrong(`${found} is no directory`, 'Remove it, or clone again.');
}

function nearestGit(start: string): string | null {
  for (let at = start; ; at = dirname(at)) {
    if (standingAt(join(at, '.git')) !== undefined) return join(at, '.git');
    if (dirname(at) === at) return null;
  }
}

function faultOf(directory: string): Check | null {
  const head = textOf(join(directory, 'HEAD')).trim();
  const common = resolve(directory, textOf(join(directory, 'commondir')).trim() || '.');
  if (!/^(?:ref: refs\/\S+|[0-9a-f]{40}|[0-9a-f]{64})$/.test(head)) {
    const what = existsSync(join(directory, 'HEAD')) ? 'says nothing that git understands' : 'is missing';
    return wrong(
      `${join(directory, 'HEAD')} ${what}`,
      `Write into it the branch that was checked out: ref: refs/heads/NAME (${join(directory, 'logs', 'HEAD')} may tell)`,
    );
  }
  for (const part of ['objects', 'refs']) {
    if (existsSync(join(common, part))) continue;
    const hint = part === 'refs' ? `mkdir ${join(common, part)}` : 'Clone again: the content of the files is gone.';
    return wrong(`${join(common, part)} is missing`, hint);
  }
  return null;
}

function textOf(path: string): string {
  try {
    return readPlainFile(path, MAX_HEAD_BYTES)?.toString('utf8') ?? '';
  } catch {
    return '';
  }
}

// Checks of locks: ours, and those that git makes while it writes.

const OWN = { 'writer.lock': 'the index is being written', 'hook.lock': 'the worker of the hooks runs' } as const;
/** A lock of git that is older was left by a killed process, or its process is stuck. */
const OLD_MS = 60_000;
const OF_WORK_TREE = ['index.lock', 'HEAD.lock'];
const OF_REPOSITORY = ['packed-refs.lock', 'config.lock', 'shallow.lock'];

/** Reports our locks without ever failing: if a lock's holder is dead, the next process that needs the lock takes it over. */
export function checkLocks({ repository }: Pick<Session, 'repository'>): Finding {
  const state = localStateDirectory(repository);
  const places = [
    ...Object.entries(OWN).map(([name, what]) => ({ path: join(state, name), what })),
    ...watchers(state),
  ];
  const found = places.flatMap(({ path, what }) => describe(path, what));
  return fine(found.length === 0 ? 'none held' : found.join('; '));
}

/** Work trees that are being watched: each has a lock in its own folder, below the profile's. */
function watchers(state: string): { path: string; what: string }[] {
  return foldersIn(state).flatMap((profile) =>
    foldersIn(join(state, profile))
      .filter((name) => name.startsWith('overlay-'))
      .map((name) => ({ path: join(state, profile, name, 'watch.lock'), what: 'a work tree is watched' })),
  );
}

function describe(path: string, what: string): string[] {
  const stat = standingAt(path);
  if (stat === undefined) return [];
  const holder = lockState(path);
  const since = ageOf(Date.now() - stat.mtimeMs);
  if (holder === null) return [`${path} is ${since} old and nobody's: whoever needs it takes it over`];
  const where = holder.elsewhere === null ? '' : ` on ${holder.elsewhere}`;
  return [`${what}, process ${holder.pid}${where}, for ${since}`];
}

export function checkGitLocks({ repository }: Pick<Session, 'repository'>): Finding[] {
  const { gitDir, commonDir } = repository;
  const others = [
    ...OF_WORK_TREE.map((name) => join(gitDir, name)),
    ...OF_REPOSITORY.map((name) => join(commonDir, name)),
  ];
  const locks = [
    ...others.flatMap((path) => {
      const stat = plainFileAt(path);
      return stat === null ? [] : [{ path, ageMs: Math.abs(Date.now() - stat.mtimeMs) }];
    }),
    ...refLocks(repository as Repository, NOTES_PREFIX),
  ];
  if (locks.length === 0) return [fine('none held')];
  return locks.map(({ path, ageMs }) => {
    const text = `${relative(commonDir, path)} is ${ageOf(ageMs)} old`;
    if (ageMs < OLD_MS) return fine(`${text}: git is at work`);
    return wrong(text, `If no git command runs here, a killed one left it: rm ${path}`);
  });
}

function foldersIn(directory: string): string[] {
  if (!standingAt(directory)?.isDirectory()) return [];
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
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

export function checkState(session: Session): Finding[] {
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
  const more = left.length > names.length ? `, ${signs.cut}` : '';
  const size = bytesOf(left.reduce((sum, { bytes }) => sum + bytes, 0));
  return fine(
    `${formatCount(left.length, 'file')}, ${size}, of runs that were killed: later ones remove them (${names.join(', ')}${more})`,
  );
}

/** Adds what a folder holds to the tally. `own`: name of this user's folder; `around`: kind of all files here, null if their names tell. */
function visit(tally: Tally, directory: string, own: string, depth: number, around: string | null = null): void {
  if (depth > MAX_DEPTH || !standingAt(directory)?.isDirectory()) return;
  for (const name of readdirSync(directory)) {
    if (++tally.files > MAX_FILES) return;
    const path = join(directory, name);
    const stat = standingAt(path);
    if (stat?.isDirectory()) visit(tally, path, own, depth + 1, kindOfFolder(name, own) ?? around);
    else if (stat !== undefined) {
      const kind = around ?? KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? 'other';
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
export async function checkObjects({ repository }: Session): Promise<Finding> {
  const text = await repository.git.text(['count-objects', '-v']);
  const value = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
  const [loose, size, packs, packed] = ['count', 'size', 'packs', 'size-pack'].map(value);
  const detail = `${formatCount(packs, 'pack')} of ${bytesOf(packed * 1024)}, ${formatCount(loose, 'loose object')} of ${bytesOf(size * 1024)}`;
  return { ...fine(detail), facts: { packs, packedBytes: packed * 1024, loose, looseBytes: size * 1024 } };
}

export function checkLog(session: Session): Finding {
  const state = localStateDirectory(session.repository);
  const lines = readLog(state, Number.MAX_SAFE_INTEGER);
  if (lines.length === 0) return fine('empty');
  const errors = lines.filter(({ level }) => level === 'error');
  const last = errors.at(-1);
  const facts = { path: logPath(state), lines: lines.length, errors: errors.length };
  if (last === undefined)
    return { ...fine(`${formatCount(lines.length, 'line')}, no errors (${logPath(state)})`), facts };
  const code = typeof last.data.code === 'string' ? `${last.data.code} ` : '';
  const text = `the last of ${formatCount(errors.length, 'error')}, ${last.time}, ${last.command}: ${code}${last.message}`;
  return { ...fine(`${text} (${logPath(state)})`), facts };
}
