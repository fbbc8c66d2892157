/** Answers `review`. */
import { parseRange } from '../../session/snapshot/range.js';
import type { Asker } from '../asker.js';
import { prepareBothGraphs } from '../graph/both-graphs.js';
import { impactOfRange } from '../graph/impact/impact-of-range.js';
import { LISTED } from '../graph/limits.js';
import { checkStaged } from '../graph/staged.js';
import { notesOn } from '../note/mention/mention.js';
import type { ReviewDocument } from './output.js';
import type { ReviewValues } from './question.js';

/** Entries of lists for a program: it filters by itself. */
const LISTED_FOR_PROGRAMS = 1_000;

/** Throws BAD_ARGUMENT and UNKNOWN_REF. */
export async function answerReview(at: Asker, values: ReviewValues): Promise<ReviewDocument> {
  const { range = '', format, depth, committed, staged } = values;
  checkStaged(values, range);
  const both = await prepareBothGraphs(at, range === '' ? null : parseRange(range), { committed, staged });
  const limit = values.limit ?? (format === 'sarif' ? LISTED_FOR_PROGRAMS : LISTED.impact);
  const options = { depth, minConfidence: 0, limit };
  const document = await impactOfRange(at, both, { target: range, options, linked: values.linked });
  const { symbols, to } = document.changes;
  const newer = to === null ? {} : { ref: to.ref };
  return { ...document, ...(await notesOn(at, newer, symbols.list)) };
}
