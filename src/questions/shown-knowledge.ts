/** Notes and summaries of code in an answer, at most three of a kind. */
import { mayHaveSummaries, NOTES_KIND, ONE_SET, refOfSet } from '../knowledge/kinds.js';
import type * as s from '../params/shape.js';
import type { Asker } from './asker.js';
import type { shownNotes, shownSummaries } from './graph/output.js';

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
