/** Text of the repositories of a fleet: a line each. */
import { visibleLine } from '../../../base/hygiene.js';
import { viewLine } from '../../search/text.js';
import { formatCount } from '../../writing/format.js';
import type { Pen } from '../../writing/pen.js';
import type { FleetReposDocument } from './output.js';

/** Refs named in a line. */
const SHOWN = 6;

export function fleetReposText(
  { results, resultsLeftOut, damaged }: FleetReposDocument,
  { pen }: { pen: Pen },
): string {
  const lines = results.map((each) => {
    const others = each.refs.filter((ref) => ref !== each.ref).map(visibleLine);
    const more = others.length - SHOWN + each.refsLeftOut;
    const rest = others.length > SHOWN ? `${others.slice(0, SHOWN).join(', ')} and ${more} more` : others.join(', ');
    return `${viewLine(each)}, ${formatCount(each.files, 'path')}${others.length > 0 ? `; also ${rest}` : ''}`;
  });
  if (results.length === 0) lines.push('the fleet has no repository that you may read');
  if (resultsLeftOut > 0)
    lines.push(pen.dim(`… ${formatCount(resultsLeftOut, 'more repository', 'more repositories')}`));
  if (damaged > 0) lines.push(pen.dim(`${damaged} damaged until they publish again`));
  return `${lines.join('\n')}\n`;
}
