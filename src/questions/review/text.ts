/** Text of a review for terminals; other forms are made by files of their own. */

import { groupDigits } from '../../base/digits.js';
import { bothSidesLines, historyLines } from '../graph/impact/sides/text.js';
import { changedLine, changeLines, isUnnoticed, riskText } from '../graph/impact/text.js';
import { count, linkedUsesLines, mentionedInLines, renderFooter, section, testLines } from '../graph/text-parts.js';
import { mentionLines } from '../note/mention/mention.js';
import { formatCount } from '../writing/format.js';
import type { Pen } from '../writing/pen.js';
import { reviewMarkdown } from './markdown.js';
import type { ReviewDocument } from './output.js';
import type { ReviewValues } from './question.js';
import { reviewSarif } from './sarif.js';

export function reviewText(document: ReviewDocument, { pen, values }: { pen: Pen; values: ReviewValues }): string {
  if (values.format === 'sarif') return reviewSarif(document);
  if (values.format === 'markdown') return reviewMarkdown(document);
  const { changes, risk, tests, affected } = document;
  const { users } = changes;
  const lines = [changedLine(changes, pen)];
  if (isUnnoticed(changes)) lines.push(pen.dim('nothing that others could notice'));
  else {
    lines.push(`risk: ${riskText(risk, pen)}`, ...bothSidesLines(changes, pen), '');
    const now = `${groupDigits(affected)} now, within ${formatCount(document.depth, 'hop')}`;
    lines.push(`users: ${groupDigits(users.before)} before, ${now}`);
    lines.push(...changeLines(changes, pen));
    lines.push(
      ...section(`tests to run: ${formatCount(count(tests, pen), 'file')}`, testLines(tests, pen)),
      ...mentionedInLines(document.mentionedIn, pen),
    );
  }
  if (document.linked !== undefined) lines.push(...linkedUsesLines(document.linked, pen));
  lines.push(...historyLines(changes, pen), ...mentionLines(document.notes, pen));
  return `${lines.join('\n')}\n${renderFooter(document, pen)}`;
}
