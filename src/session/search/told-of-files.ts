/** Words about files that are in no file: subjects of commits, and what models wrote. They are read while the snapshot is prepared. */
import type { LexicalScores } from '../../search/bm25.js';
import { parseQuery } from '../../search/query.js';
import type { HistoryScores } from '../history/subjects.js';
import type { Session } from '../session.js';
import type { Target } from '../snapshot/target.js';
import { mayHaveSummaries } from '../summaries/may-have.js';
import type { SearchOptions } from './searcher.js';
import type { SummaryScores } from './summary-matches.js';

/** Null where the order does not depend on it. */
export interface ToldOfFiles {
  history: Promise<HistoryScores> | null;
  summaries: Promise<SummaryScores | null> | null;
}

type Asked = Pick<SearchOptions, 'noHistory' | 'query' | 'mode' | 'signal'>;

/** Starts reading both. A name is found by what code defines, and vectors know no words. */
export function startReading(session: Session, asked: Asked, target: Target): ToldOfFiles {
  const isByWords = asked.mode !== 'semantic' && parseQuery(asked.query).kind !== 'symbol';
  if (!isByWords) return { history: null, summaries: null };
  const told = { history: startHistory(session, asked, target), summaries: startSummaries(session, target) };
  // Awaited when the words of the query are scored; until then a rejection must not count as unhandled.
  for (const scores of [told.history, told.summaries]) scores?.catch(() => {});
  return told;
}

/** A search of many branches has no commit whose past could speak. */
function startHistory(session: Session, { noHistory, signal }: Asked, { origin, all }: Target): ToldOfFiles['history'] {
  const { commit } = origin.resolved;
  if (noHistory || all !== null || commit === null) return null;
  return import('../history/subjects.js').then((module) => module.historyScores(session, commit, signal));
}

function startSummaries(session: Session, { origin }: Target): ToldOfFiles['summaries'] {
  if (!mayHaveSummaries(session.repository)) return null;
  return import('./summary-matches.js').then((module) => module.summaryScores(session, origin));
}

/** Scores of what was read: by path, and by blob. */
interface ToldScores {
  history: ((path: string) => number) | null;
  summaries: ((blob: string) => number) | null;
}

/** `commit`: of the snapshot that is searched. Throws CANCELLED. */
export async function toldScores(
  told: ToldOfFiles,
  commit: string | null,
  lexical: LexicalScores,
): Promise<ToldScores> {
  const [history, summaries] = await Promise.all([told.history, told.summaries]);
  return { history: history?.(commit, lexical) ?? null, summaries: summaries?.(lexical) ?? null };
}
