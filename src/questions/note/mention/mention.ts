/** Notes on code that an answer shows: a line each, at most three. A repository without notes pays two look-ups of a ref. */
import { visibleLine } from '../../../base/hygiene.js';
import { NOTES_KIND, ONE_SET, refOfSet } from '../../../knowledge/kinds.js';
import type * as s from '../../../params/shape.js';
import type { Asker } from '../../asker.js';
import { formatCount } from '../../writing/format.js';
import type { Pen } from '../../writing/pen.js';
import type { mentions } from './output.js';

export type Mentions = s.Infer<typeof mentions>;

/** Lines of a file that an answer shows, or a whole file. */
export interface ShownPlace {
  path: string;
  startLine?: number;
  endLine?: number;
}

/** `{ notes }` for an answer about these places; nothing where there are none. A failure to read notes is no failure of the answer. */
export async function notesOn(
  at: Pick<Asker, 'session' | 'signal'>,
  snapshot: { ref?: string; committed?: boolean },
  places: readonly ShownPlace[],
): Promise<{ notes?: Mentions }> {
  const { objects } = at.session;
  const tips = await Promise.all([true, false].map((shared) => objects.info(refOfSet(NOTES_KIND, ONE_SET, shared))));
  if (tips.every((tip) => tip === null) || places.length === 0) return {};
  const { findMentions } = await import('./find.js');
  const notes = await findMentions(at, snapshot, places);
  return notes === null ? {} : { notes };
}

/** `note 3f2a01bc9d on src/cart.ts:10 by Ann Lee, stale: rounds half up`: a claim, marked as one. */
export function mentionLines(notes: Mentions | undefined, pen: Pen): string[] {
  if (notes === undefined) return [];
  const lines = notes.list.map(({ id, text, by, status, place }) => {
    const said = `${visibleLine(by)}${status === 'current' ? '' : `, ${status}`}`;
    return `note ${id.slice(0, 10)} on ${visibleLine(place)} by ${said}: ${visibleLine(text)}`;
  });
  if (notes.leftOut > 0) lines.push(`${formatCount(notes.leftOut, 'further note')} on this code`);
  return lines.map((line) => pen.dim(line));
}
