/** Pieces that documents about the past share. */
import * as s from '../../params/shape.js';
import { count, oid } from '../output-parts.js';

export const pastWindow = s
  .object({
    commits: count.describe('Newest commits that were counted from; at most 5,000.'),
    end: s.enum(['root', 'max-commits', 'shallow']).describe('Why they end; root: history begins there.'),
    unknown: count.describe('Of them, commits whose changes are not in this shallow or partial clone.'),
    oldest: s.string().nullable().describe('Date of the oldest.'),
  })
  .describe('How much of the history the answer is counted from.');

/** First fields of every document about the past. */
export const pastHeader = {
  schemaVersion: s.literal(1),
  ref: s.string().describe('The ref as asked for.'),
  commit: oid.describe('The commit whose past it is.'),
  window: pastWindow,
};

export type PastWindow = s.Infer<typeof pastWindow>;
