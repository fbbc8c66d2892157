/** Notes and summaries of code in an answer: one line each, at most three of a kind. */
import { mayHaveSummaries, NOTES_KIND, ONE_SET, refOfSet } from '../knowledge/kinds.js';
import type * as s from '../params/shape.js';
import type { Asker } from './asker.js';
import { formatCount } from './format.js';
import type { shownNotes, shownSummaries } from './graph/output.js';
import type { Pen } from './pen.js';

export type ShownNotes = s.Infer<typeof shownNotes>;

/** Lines of a file in an answer, or a whole file. */
export interface ShownPlace {
  path: string;
  startLine?: number;
  endLine?: number;
}

/**
 * `{ notes }` on these places; empty if there are none, or if reading them fails. A repository without notes pays for two look-ups of a
 * ref.
 */
export async function notesOn(
  at: Pick<Asker, 'session' | 'signal'>,
  snapshot: { ref?: string; committed?: boolean },
  places: readonly ShownPlace[],
): Promise<{ notes?: ShownNotes }> {
  const { objects } = at.session;
  const tips = await Promise.all([true, false].map((shared) => objects.info(refOfSet(NOTES_KIND, ONE_SET, shared))));
  if (tips.every((tip) => tip === null) || places.length === 0) return {};
  const { findNotesOn } = await import('./note/answer.js');
  const notes = await findNotesOn(at, snapshot, places);
  return notes === null ? {} : { notes };
}

/** `note 3f2a01bc9d on src/cart.ts:10 by Ann Lee, stale: rounds half up`: marked as somebody's claim. */
export function noteLines(notes: ShownNotes | undefined, pen: Pen): string[] {
  if (notes === undefined) return [];
  const lines = notes.list.map(({ id, text, by, status, place }) => {
    const said = `${by}${status === 'current' ? '' : `, ${status}`}`;
    return `note ${id.slice(0, 10)} on ${place} by ${said}: ${text}`;
  });
  if (notes.leftOut > 0) lines.push(`${formatCount(notes.leftOut, 'further note')} on this code`);
  return lines.map((line) => pen.dim(line));
}

export type ShownSummaries = s.Infer<typeof shownSummaries>;

/** A file in an answer, or a definition in it. */
export interface SummarizedPlace {
  path: string;
  /** Qualified name; null or undefined for the file, or for lines of it. */
  symbol?: string | null;
}

/**
 * `{ summaries }` of these places; empty if there are none, or if reading them fails. Without summaries this costs three looks at git's
 * files.
 */
export async function summariesOn(
  at: Pick<Asker, 'session' | 'signal'>,
  snapshot: { ref?: string; committed?: boolean },
  places: readonly SummarizedPlace[],
): Promise<{ summaries?: ShownSummaries }> {
  if (places.length === 0 || !mayHaveSummaries(at.session.repository)) return {};
  const { findSummaries } = await import('./summarize/writer.js');
  const summaries = await findSummaries(at, snapshot, places);
  return summaries === null ? {} : { summaries };
}

/** `src/cart.ts Cart.total, by the model ollama:qwen3, 2026-01-02: sums up the goods`: marked as a model's words. */
export function summaryLines(summaries: ShownSummaries | undefined, pen: Pen): string[] {
  if (summaries === undefined) return [];
  const lines = summaries.list.map(({ place, by, text }) => `${place}, by ${by}: ${text}`);
  if (summaries.leftOut > 0) lines.push(formatCount(summaries.leftOut, 'further summary', 'further summaries'));
  return lines.map((line) => pen.dim(line));
}
