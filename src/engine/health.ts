/** Is everything there that this program needs here? Each check says what it found, and what to do where that is not enough. */
import { accessSync, constants, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { TIMED_OUT, waitFor } from '../base/abortable.js';
import { standingAt } from '../base/atomic.js';
import { isSocraticodeError } from '../base/errors.js';
import { lockHolder } from '../base/lock.js';
import type { Config } from '../config/types.js';
import { grammarStatus } from '../extract/grammar.js';
import { localStateDirectory } from '../git/repository.js';
import { readHookState } from '../hooks/state.js';
import { describeEngine } from '../shard/vector-engine.js';
import type { HealthCheck, HealthReport } from './contract/health.js';
import { readCoverage } from './known-coverage.js';
import type { ScopeOrigin, Session } from './session.js';
import { createEmbedder, vectorSource } from './vectors/vector-source.js';

export type Check = Omit<HealthCheck, 'name'>;

const MIN_NODE = 20;
/** As the packages' own documents say; `error-codes` tells whoever has none. */
const MIN_GIT = [2, 31] as const;
/** An embedder that does not answer in this time keeps everybody waiting. */
const EMBEDDER_MS = 2_000;
/** Less than this is not enough for the next index of a middling repository. */
const MIN_FREE_BYTES = 200 * 1024 * 1024;

const fine = (detail: string): Check => ({ ok: true, detail, hint: null });
const wrong = (detail: string, hint: string): Check => ({ ok: false, detail, hint });

/** Writes nothing, indexes nothing, sends no source text. */
export async function readHealth(session: Session, signal?: AbortSignal): Promise<HealthReport> {
  const origin = await attempt(() => session.origin(undefined, { unborn: true }));
  const config =
    'failed' in origin ? origin : await attempt(async () => (await session.configOfOrigin(origin.value)).config);
  const settled = async (name: HealthCheck['name'], check: () => Check | Promise<Check>): Promise<HealthCheck> => {
    const found = await attempt(async () => check());
    return { name, ...('failed' in found ? found.failed : found.value) };
  };
  const checks = await Promise.all([
    settled('node', checkNode),
    settled('git', () => checkGit(session)),
    settled('configuration', () => ('failed' in config ? config.failed : fine('valid'))),
    settled('parser', checkParser),
    settled('grammars', checkGrammars),
    settled('vectors', checkVectors),
    settled('embedder', () => ('failed' in config ? unknown : checkEmbedder(session, config.value, signal))),
    settled('disk', () => checkDisk(session)),
    settled('locks', () => checkLocks(session)),
    settled('index', () => ('failed' in origin || 'failed' in config ? unknown : checkIndex(session, origin.value))),
    settled('hooks', () => checkHooks(session)),
  ]);
  return { schemaVersion: 1, ok: checks.every(({ ok }) => ok), checks };
}

const unknown = fine('not known without a valid configuration');

type Attempt<T> = { value: T } | { failed: Check };

/** What fails is what the check found. */
async function attempt<T>(work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    const hint = isSocraticodeError(error) ? error.hint : 'This is a bug in git-socraticode; please report it.';
    return { failed: wrong((error as Error).message, hint) };
  }
}

function checkNode(): Check {
  const version = process.versions.node;
  if (Number.parseInt(version, 10) >= MIN_NODE) return fine(version);
  return wrong(`${version} is too old`, `Install Node ${MIN_NODE} or newer.`);
}

async function checkGit({ repository }: Session): Promise<Check> {
  const text = (await repository.git.text(['version'])).replace(/^git version /, '');
  const [major, minor] = text.split('.').map(Number);
  const isNew = major > MIN_GIT[0] || (major === MIN_GIT[0] && minor >= MIN_GIT[1]);
  return isNew ? fine(text) : wrong(`${text} is too old`, `Install git ${MIN_GIT.join('.')} or newer.`);
}

const REINSTALL = 'Install again with optional packages: npm install --include=optional';

async function checkParser(): Promise<Check> {
  const { available } = await grammarStatus();
  if (available.length > 0) return fine('@ast-grep/napi is loaded');
  const platform = `${process.platform}-${process.arch}`;
  return wrong(`@ast-grep/napi cannot be loaded on ${platform}: every file is cut by lines`, REINSTALL);
}

async function checkGrammars(): Promise<Check> {
  const { available, missing } = await grammarStatus();
  if (missing.length === 0) return fine(`all ${available.length}`);
  return wrong(`missing, so that their files are cut by lines: ${missing.join(', ')}`, REINSTALL);
}

function checkVectors(): Check {
  const { reason } = describeEngine();
  // The same results, only later: nothing is wrong where usearch has no build.
  return fine(reason === null ? 'compared by usearch' : `compared by JavaScript, more slowly: ${reason}`);
}

async function checkEmbedder(session: Session, config: Config, signal?: AbortSignal): Promise<Check> {
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

function checkDisk({ repository }: Session): Check {
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
  const text = `${Math.round(free / 1024 ** 2).toLocaleString('en')} MB free`;
  return free < MIN_FREE_BYTES ? wrong(text, 'Free some space.') : fine(`writable, ${text}`);
}

const LOCKS = { 'writer.lock': 'the index is being written', 'hook.lock': 'the worker of the hooks runs' } as const;

function checkLocks({ repository }: Session): Check {
  const state = localStateDirectory(repository);
  const held = Object.entries(LOCKS).flatMap(([name, what]) => {
    const pid = lockHolder(join(state, name));
    return pid === null ? [] : [`${what}, process ${pid}`];
  });
  return fine(held.length === 0 ? 'none held' : held.join('; '));
}

async function checkIndex(session: Session, origin: ScopeOrigin): Promise<Check> {
  if (origin.resolved.commit === null) return fine('no commit yet');
  const { covered, total } = await readCoverage(session, origin);
  const text = `${covered.toLocaleString('en')} of ${total.toLocaleString('en')} files of HEAD`;
  // The next question brings in the rest.
  if (covered < total) return fine(`${text}; the next search or \`git socraticode index\` brings in the rest`);
  return fine(text);
}

async function checkHooks({ repository, gitConfig }: Session): Promise<Check> {
  const { installed, path } = await readHookState(repository, gitConfig);
  return fine(installed ? `installed (${path})` : 'not installed: git socraticode hooks install keeps the index ready');
}
