/** Summaries of code that an answer shows: a line each, at most three. A repository without any pays for three looks at git's files. */
import { visibleLine } from '../../../base/hygiene.js';
import type * as s from '../../../params/shape.js';
import { mayHaveSummaries } from '../../../session/summaries/may-have.js';
import type { Asker } from '../../asker.js';
import { formatCount } from '../../writing/format.js';
import type { Pen } from '../../writing/pen.js';
import type { toldSummaries } from './output.js';

export type ToldSummaries = s.Infer<typeof toldSummaries>;

/** A file, or a definition of it, that an answer shows. */
export interface SummarizedPlace {
  path: string;
  /** Qualified name; null or undefined: the file, or lines of it. */
  symbol?: string | null;
}

/** `{ summaries }` for an answer about these places; nothing where there are none. A failure to read them is no failure of the answer. */
export async function summariesOn(
  at: Pick<Asker, 'session' | 'signal'>,
  snapshot: { ref?: string; committed?: boolean },
  places: readonly SummarizedPlace[],
): Promise<{ summaries?: ToldSummaries }> {
  if (places.length === 0 || !mayHaveSummaries(at.session.repository)) return {};
  const { findSummaries } = await import('./find.js');
  const summaries = await findSummaries(at, snapshot, places);
  return summaries === null ? {} : { summaries };
}

/** `src/cart.ts Cart.total, by the model ollama:qwen3, 2026-01-02: sums up the goods`: a model's words, marked as such. */
export function summaryLines(summaries: ToldSummaries | undefined, pen: Pen): string[] {
  if (summaries === undefined) return [];
  const lines = summaries.list.map(
    ({ place, by, text }) => `${visibleLine(place)}, by ${visibleLine(by)}: ${visibleLine(text)}`,
  );
  if (summaries.leftOut > 0) lines.push(formatCount(summaries.leftOut, 'further summary', 'further summaries'));
  return lines.map((line) => pen.dim(line));
}
