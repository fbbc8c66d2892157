/** Words about files that are in no file: subjects of commits, and what models wrote. They are read while the snapshot is prepared. */
import type { LexicalScores } from '../../search/bm25.js';
import { type HistoryScores, historyScores } from '../history/subjects.js';
import type { Session } from '../session.js';
import type { Target } from '../snapshot/target.js';
import { mayHaveSummaries } from '../summaries/may-have.js';
import type { SearchOptions } from './searcher.js';
import type { SummaryScores } from './summary-matches.js';

/** Scores of what was read; null where nothing was. */
interface ToldScores {
  history: ((path: string) => number) | null;
  summaries: ((blob: string) => number) | null;
}

/** Scores by the words of a query, in a snapshot of `commit`. */
export type ToldOfFiles = (commit: string | null, lexical: LexicalScores) => ToldScores;

type Asked = Pick<SearchOptions, 'noHistory' | 'signal'>;

/** Reads both. Throws CANCELLED. */
export async function readTold(session: Session, asked: Asked, target: Target): Promise<ToldOfFiles> {
  const [history, summaries] = await Promise.all([readHistory(session, asked, target), readSummaries(session, target)]);
  return (commit, lexical) => ({
    history: history?.(commit, lexical) ?? null,
    summaries: summaries?.(lexical) ?? null,
  });
}

/** A search of many branches has no commit whose past could speak. */
async function readHistory(
  session: Session,
  { noHistory, signal }: Asked,
  { origin, all }: Target,
): Promise<HistoryScores | null> {
  const { commit } = origin.resolved;
  return noHistory || all !== null || commit === null ? null : historyScores(session, commit, signal);
}

async function readSummaries(session: Session, { origin }: Target): Promise<SummaryScores | null> {
  if (!mayHaveSummaries(session.repository)) return null;
  const { summaryScores } = await import('./summary-matches.js');
  return summaryScores(session, origin);
}
