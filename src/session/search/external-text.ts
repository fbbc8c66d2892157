/**
 * Words about files from outside their text: the subjects and messages of the commits before a snapshot, and summaries. They are read
 * while the snapshot is prepared.
 */
import { join } from 'node:path';
import { remember } from '../../base/cache.js';
import { isSocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';
import { builtinModel } from '../../embed/builtin/index.js';
import { builtinIdentity } from '../../embed/builtin/model.js';
import { isPartialClone } from '../../git/config.js';
import { readShallow } from '../../git/log.js';
import { mayHaveSummaries } from '../../knowledge/kinds.js';
import {
  encodeMessages,
  encodeSubjects,
  type MessageField,
  MessageIndex,
  SubjectIndex,
} from '../../search/commit-subjects.js';
import { queryVector } from '../../search/dense.js';
import type { LexicalScores } from '../../search/lexical.js';
import type { LiveSet } from '../../shard/live-set.js';
import { hasCacheFile, MESSAGES_NAME, readCacheFile, SUBJECTS_NAME, writeCacheFile } from '../cache-file.js';
import { cacheKey } from '../graph/cache.js';
import type { SummaryScores } from '../knowledge/summaries.js';
import type { Session } from '../session.js';
import type { Target } from '../snapshot/target.js';
import { removeOldest, touch } from '../snapshot/view-cache.js';
import type { SearchOptions } from './searcher.js';

/** Scores; null for a source that has nothing to read. */
interface ExternalScores {
  history: ((path: string) => number) | null;
  /** By commits of near meaning; made when it is first asked for. */
  changes: (() => (path: string) => number) | null;
  summaries: ((blob: string) => number) | null;
}

export interface ExternalText {
  /** Messages of commits as a field of the chunks of a snapshot of `commit`; undefined until an index run has read them. */
  messages(commit: string | null, live: LiveSet): MessageField | undefined;
  /** Scores files by the words of a query, in a snapshot of `commit`. */
  scores(commit: string | null, lexical: LexicalScores): ExternalScores;
}

type HistoryOptions = Pick<SearchOptions, 'noHistory' | 'signal'>;

/** Throws CANCELLED. */
export async function readExternalText(
  session: Session,
  options: HistoryOptions,
  target: Target,
): Promise<ExternalText> {
  const [history, summaries] = await Promise.all([
    readHistory(session, options, target),
    readSummaries(session, target),
  ]);
  const tip = history === null ? null : target.origin.resolved.commit;
  const messages = tip === null ? null : readMessages(session, tip);
  return {
    messages: (commit, live) => (commit === tip ? messages?.fieldOf(live) : undefined),
    scores: (commit, lexical) => ({
      ...(history?.(commit, lexical) ?? { history: null, changes: null }),
      summaries: summaries?.(lexical) ?? null,
    }),
  };
}

/** Returns null for a search of many branches, which has no single past. */
async function readHistory(
  session: Session,
  { noHistory, signal }: HistoryOptions,
  { origin, all }: Target,
): Promise<HistoryScores | null> {
  const { commit } = origin.resolved;
  return noHistory || all !== null || commit === null ? null : historyScores(session, commit, signal);
}

async function readSummaries(session: Session, { origin }: Target): Promise<SummaryScores | null> {
  if (!mayHaveSummaries(session.repository)) return null;
  const { summaryScores } = await import('../knowledge/summaries.js');
  return summaryScores(session, origin);
}

/** Limits on cached files, as many as views of snapshots. */
const CACHE_LIMITS = { files: 12, bytes: 64 << 20 };

/** Indexes of sessions that ask more than once, by file name. */
const known = new WeakMap<Session, Map<string, SubjectIndex>>();
/** Histories that are being read, by file name. */
const reading = new WeakMap<Session, Map<string, Promise<SubjectIndex | null>>>();

/**
 * Returns the subjects of the last 5,000 commits up to `tip`; null if git cannot list them. Commits after `tip` do not count, so a past
 * commit is searched as it was. Throws CANCELLED.
 */
async function readSubjects(session: Session, tip: string, signal?: AbortSignal): Promise<SubjectIndex | null> {
  const { directory } = session.shards;
  const name = `subjects-${keyOf(session, tip, [builtinIdentity().version])}` as const;
  const open = known.get(session) ?? new Map<string, SubjectIndex>();
  known.set(session, open);
  const found = open.get(name) ?? readCacheFile(directory, name, ({ content }) => opened(directory, name, content));
  if (found !== null) {
    remember(open, name, found, CACHE_LIMITS.files);
    return found;
  }
  const { unlessAborted } = await import('../../base/async.js');
  return unlessAborted(readOnce(session, tip, name), signal);
}

/** A clone that gets more of its history has other files. */
function keyOf(session: Session, tip: string, versions: readonly string[]): string {
  return cacheKey(tip, [...versions, ...[...readShallow(session.repository)].sort()]);
}

/**
 * Reads a history once for all that wait for it, and to its end even if some stop waiting: a page cancels a search with the next key, and
 * would otherwise start again with each.
 */
function readOnce(session: Session, tip: string, name: `subjects-${string}`): Promise<SubjectIndex | null> {
  const under = reading.get(session) ?? new Map<string, Promise<SubjectIndex | null>>();
  reading.set(session, under);
  let found = under.get(name);
  if (found === undefined) {
    const closing = new AbortController();
    session.onClose(() => closing.abort());
    found = makeSubjects(session, { tip, name, signal: closing.signal }).finally(() => under.delete(name));
    under.set(name, found);
    // Perhaps nobody waits any more; the rejection must not count as unhandled.
    found.catch(() => {});
  }
  return found;
}

/** Reads and caches the subjects; null if git cannot list them. Throws CANCELLED. */
async function makeSubjects(
  session: Session,
  { tip, name, signal }: { tip: string; name: `subjects-${string}`; signal: AbortSignal },
): Promise<SubjectIndex | null> {
  const { directory } = session.shards;
  try {
    const { bytes, isWhole } = await encoded(session, tip, signal);
    if (isWhole) {
      writeCacheFile(directory, name, bytes, null);
      removeOldest(directory, SUBJECTS_NAME, CACHE_LIMITS);
    }
    const made = new SubjectIndex(bytes, name);
    const open = known.get(session);
    if (open !== undefined) remember(open, name, made, CACHE_LIMITS.files);
    return made;
  } catch (error) {
    if (isSocraticodeError(error, 'CANCELLED')) throw error;
    log.debug(`searched without what commits say: ${(error as Error).message}`);
    return null;
  }
}

/**
 * Makes the subjects up to `tip` ahead of the next search if a history was read before, so that a repository without searches pays
 * nothing. Throws CANCELLED.
 */
export async function keepSubjects(session: Session, tip: string, signal?: AbortSignal): Promise<void> {
  if (hasCacheFile(session.shards.directory, 'commits')) await readSubjects(session, tip, signal);
}

/** Messages of sessions that ask more than once, by file name. */
const knownMessages = new WeakMap<Session, Map<string, MessageIndex>>();

const messagesName = (session: Session, tip: string) => `messages-${keyOf(session, tip, [])}` as const;

/** Returns the messages of the last 5,000 commits up to `tip`; null until `keepMessages` has made them: no search waits for it. */
function readMessages(session: Session, tip: string): MessageIndex | null {
  const { directory } = session.shards;
  const name = messagesName(session, tip);
  const open = knownMessages.get(session) ?? new Map<string, MessageIndex>();
  knownMessages.set(session, open);
  const opening = ({ content }: { content: Buffer }) => {
    touch(join(directory, `${name}.bin`));
    return new MessageIndex(content, name);
  };
  const found = open.get(name) ?? (hasCacheFile(directory, name) ? readCacheFile(directory, name, opening) : null);
  if (found !== null) remember(open, name, found, CACHE_LIMITS.files);
  return found;
}

/**
 * Compares the last 5,000 commits up to `tip` line by line, those that are new, and keeps their messages for later searches; none in a
 * partial clone, which lacks the versions. It takes seconds the first time. Throws CANCELLED.
 */
export async function keepMessages(session: Session, tip: string, signal?: AbortSignal): Promise<void> {
  const { directory } = session.shards;
  const name = messagesName(session, tip);
  if (hasCacheFile(directory, name) || isPartialClone(session.gitConfig)) return;
  try {
    const [{ readChangeLog, readChangedLines }, { presentLines, tellingCommits }] = await Promise.all([
      import('../history/change-log.js'),
      import('../../history/change-log.js'),
    ]);
    const history = await readChangeLog(session, { tip, signal });
    const changed = await readChangedLines(session, history, signal);
    const ranges = presentLines(changed);
    const lines = new Map(changed.map(({ commit }, i) => [commit, ranges[i]]));
    const commits = tellingCommits(history).map((each) => ({ ...each, lines: lines.get(each.commit) ?? [] }));
    writeCacheFile(directory, name, encodeMessages(commits), null);
    removeOldest(directory, MESSAGES_NAME, CACHE_LIMITS);
  } catch (error) {
    if (isSocraticodeError(error, 'CANCELLED')) throw error;
    log.debug(`searched without messages of commits: ${(error as Error).message}`);
  }
}

/** Scores paths by the subjects; null if HEAD has moved and the snapshot is of another commit. */
type HistoryScores = (commit: string | null, lexical: LexicalScores) => Omit<ExternalScores, 'summaries'> | null;

export async function historyScores(session: Session, tip: string, signal?: AbortSignal): Promise<HistoryScores> {
  const index = await readSubjects(session, tip, signal);
  return (commit, { terms }) => {
    if (commit !== tip || !index) return null;
    const changes = () => index.near(queryVector(builtinModel(), terms));
    return { history: index.scores(terms.map(({ term }) => term)), changes };
  };
}

function opened(directory: string, name: string, content: Buffer): SubjectIndex {
  touch(join(directory, `${name}.bin`));
  return new SubjectIndex(content, name);
}

async function encoded(
  session: Session,
  tip: string,
  signal?: AbortSignal,
): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const [{ readChangeLog }, { tellingCommits }] = await Promise.all([
    import('../history/change-log.js'),
    import('../../history/change-log.js'),
  ]);
  const log = await readChangeLog(session, { tip, signal });
  return { bytes: encodeSubjects(tellingCommits(log), builtinModel()), isWhole: log.unknown === 0 };
}
