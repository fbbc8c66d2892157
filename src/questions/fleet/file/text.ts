/** Text of a file of a fleet: a heading, then its lines with their numbers, or its definitions. */
import { visibleLine } from '../../../base/hygiene.js';
import { viewLine } from '../../search/text.js';
import type { Pen } from '../../writing/pen.js';
import type { FleetFileDocument } from './output.js';

export function fleetFileText(document: FleetFileDocument, { pen }: { pen: Pen }): string {
  const { repo, path, startLine = 1, endLine, lines, content, symbols } = document;
  const range = endLine === undefined ? '' : `:${startLine}-${endLine} of ${lines}`;
  const heading = `${pen.path(`${visibleLine(repo)}:${visibleLine(path)}${range}`)}\n${pen.dim(viewLine(document))}\n`;
  const shown =
    symbols?.map(
      (each) => `${pen.line(`${each.startLine}-${each.endLine}`)} ${pen.symbol(visibleLine(each.symbol))} ${each.kind}`,
    ) ??
    (content ?? '')
      .split('\n')
      .map((line, i) => `${pen.line(String(startLine + i))}:${line.split('\t').map(visibleLine).join('\t')}`);
  return `${heading}${shown.join('\n')}\n`;
}
