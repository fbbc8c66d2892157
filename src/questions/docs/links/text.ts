/** Text of the mentions of code in documents. */

import { count, definitionLines, othersLine, section } from '../../graph/text-parts.js';
import { formatCount } from '../../writing/format.js';
import type { Pen } from '../../writing/pen.js';
import { asWritten, meantText, mentionLines } from '../text-parts.js';
import type { DocsLinksDocument } from './output.js';

export function linksText(response: DocsLinksDocument, { pen }: { pen: Pen }): string {
  const { definitions, documents, comments, mentions, mentionedIn } = response;
  const lines = [...definitionLines(definitions, pen)];
  const said = count(mentions, pen);
  if (said > 0)
    lines.push(
      ...section(
        `mentions ${formatCount(said, 'place')} of code`,
        mentionLines(mentions, pen, (link) => meantText(link, pen)),
      ),
    );
  const known = count(mentionedIn, pen);
  if (known > 0)
    lines.push(
      ...section(
        `mentioned in ${formatCount(known, 'place')}`,
        mentionLines(mentionedIn, pen, (link) => asWritten(link, pen)),
      ),
    );
  if (said + known === 0) lines.push('', `no mention of it in ${formatCount(documents.read, 'document')}`);
  if (documents.leftOut > 0)
    lines.push('', pen.dim(`${formatCount(documents.leftOut, 'document')} left out: too many or too large`));
  if (comments.leftOut > 0)
    lines.push('', pen.dim(`comments of ${formatCount(comments.leftOut, 'file')} that hold its name were not read`));
  return `${[...lines, ...othersLine(response, pen)].join('\n')}\n`;
}
