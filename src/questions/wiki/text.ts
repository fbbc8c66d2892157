/** Text of `wiki`. */
import { groupDigits } from '../../base/digits.js';
import { visibleLine } from '../../base/hygiene.js';
import { formatBytes, formatCount } from '../writing/format.js';
import type { Pen } from '../writing/pen.js';
import type { WikiDocument } from './output.js';

export function wikiText({ output, pages, bytes, summaries }: WikiDocument, { pen }: { pen: Pen }): string {
  const { model, extracted } = summaries;
  const by = `${formatCount(model, 'summary', 'summaries')} by a model, ${groupDigits(extracted)} extracted from the code`;
  return `${pen.path(visibleLine(output))}  ${formatCount(pages, 'page')}, ${formatBytes(bytes)}\n${pen.dim(by)}\n`;
}
