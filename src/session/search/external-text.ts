/**
 * Words about files from outside their text: the subjects and messages of the commits before a snapshot, and summaries. They are read
 * while the snapshot is prepared.
 */
import { SingleFlight, unlessAborted } from '../../base/async.js';
import { cacheKey, Memory, onePer, type StateFile } from '../../base/cache.js';
import { isSocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';
import { builtinModel } from '../../embed/builtin/index.js';
import { builtinIdentity } from '../../embed/builtin/model.js';
import { readShallow } from '../../git/log.js';
import { isPartialClone } from '../../git/repository.js';
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
import type { SummaryScores } from '../knowledge/summaries.js';
import type { Session } from '../session.js';
import type { Target } from '../snapshot/target.js';
import { COMMITS, MESSAGES, SUBJECTS } from '../state-kinds.js';
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

/** Indexes of sessions that ask more than once. */
const known = new Memory<SubjectIndex>(12);
/**
 * Histories that are being read, once for all that wait for one, and to its end even if some stop waiting: a page cancels a search with the
 * next key, and would otherwise start again with each.
 */
const reading = onePer((session: Session) => {
  const controller = new AbortController();
  session.onClose(() => controller.abort());
  return { flights: new SingleFlight<SubjectIndex | null>(), closing: controller.signal };
});

/**
 * Returns the subjects of the last 5,000 commits up to `tip`; null if git cannot list them. Commits after `tip` do not count, so a past
 * commit is searched as it was. Throws CANCELLED.
 */
async function readSubjects(session: Session, tip: string, signal?: AbortSignal): Promise<SubjectIndex | null> {
  const key = keyOf(session, tip, [builtinIdentity().version]);
  const opened = ({ content, path }: StateFile) => new SubjectIndex(content, path);
  const found = known.find(session, key, () => session.state.read(SUBJECTS, key, opened));
  if (found !== null) return found;
  const { flights, closing } = reading(session);
  const made = flights.run(key, () => makeSubjects(session, { tip, key, signal: closing }), closing);
  // Perhaps nobody waits any more; the rejection must not count as unhandled.
  made.catch(() => {});
  return unlessAborted(made, signal);
}

/** A clone that gets more of its history has other files. */
function keyOf(session: Session, tip: string, versions: readonly string[]): string {
  return cacheKey(tip, [...versions, ...[...readShallow(session.repository)].sort()]);
}

/** Reads and caches the subjects; null if git cannot list them. Throws CANCELLED. */
async function makeSubjects(
  session: Session,
  { tip, key, signal }: { tip: string; key: string; signal: AbortSignal },
): Promise<SubjectIndex | null> {
  try {
    const { bytes, isWhole } = await encoded(session, tip, signal);
    if (isWhole) session.state.write(SUBJECTS, key, bytes);
    return known.set(session, key, new SubjectIndex(bytes, SUBJECTS.name));
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
  if (session.state.has(COMMITS)) await readSubjects(session, tip, signal);
}

/** Messages of sessions that ask more than once. */
const knownMessages = new Memory<MessageIndex>(12);

/** Returns the messages of the last 5,000 commits up to `tip`; null until `keepMessages` has made them: no search waits for it. */
function readMessages(session: Session, tip: string): MessageIndex | null {
  const key = keyOf(session, tip, []);
  const opened = ({ content, path }: StateFile) => new MessageIndex(content, path);
  return knownMessages.find(session, key, () => session.state.read(MESSAGES, key, opened));
}

/**
 * Compares the last 5,000 commits up to `tip` line by line, those that are new, and keeps their messages for later searches; none in a
 * partial clone, which lacks the versions. It takes seconds the first time. Throws CANCELLED.
 */
export async function keepMessages(session: Session, tip: string, signal?: AbortSignal): Promise<void> {
  const key = keyOf(session, tip, []);
  if (session.state.has(MESSAGES, key) || isPartialClone(session.gitConfig)) return;
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
    session.state.write(MESSAGES, key, encodeMessages(commits));
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

async function encoded(
  session: Session,
  tip: string,
  signal?: AbortSignal,
): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const [{ isSettled, readChangeLog }, { tellingCommits }] = await Promise.all([
    import('../history/change-log.js'),
    import('../../history/change-log.js'),
  ]);
  const history = await readChangeLog(session, { tip, signal });
  return { bytes: encodeSubjects(tellingCommits(history), builtinModel()), isWhole: isSettled(session, history) };
}
