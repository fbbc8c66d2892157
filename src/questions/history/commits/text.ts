/** Text of a search for commits: what each says, and what it changed. */
import { visibleLine } from '../../../base/hygiene.js';
import { more } from '../../graph/text-parts.js';
import { dateText, windowLines } from '../../past/text.js';
import { formatCount } from '../../writing/format.js';
import type { Pen } from '../../writing/pen.js';
import type { CommitsDocument } from './output.js';

const SHORT_OID = 9;
const SHOWN_PATHS = 4;
const SHOWN_SYMBOLS = 6;

export function commitsText({ results, resultsLeftOut, window }: CommitsDocument, { pen }: { pen: Pen }): string {
  const lines = results.flatMap(({ commit, date, author, subject, paths, files, symbols, symbolsLeftOut }) => {
    const head = `${pen.line(commit.slice(0, SHORT_OID))} ${dateText(date)} ${visibleLine(subject)}`;
    const shown = paths.slice(0, SHOWN_PATHS).map((path) => pen.path(visibleLine(path)));
    const others = files - shown.length;
    const rest =
      others <= 0 ? '' : shown.length === 0 ? formatCount(files, 'file') : ` and ${formatCount(others, 'more file')}`;
    const names = symbols.slice(0, SHOWN_SYMBOLS).map((name) => pen.symbol(visibleLine(name)));
    const further = symbolsLeftOut + symbols.length - names.length;
    return [
      `${head} ${pen.dim(`(${visibleLine(author)})`)}`,
      ...(files === 0 ? [] : [`  ${shown.join(', ')}${rest}`]),
      ...(names.length === 0 ? [] : [`  ${names.join(', ')}${further > 0 ? pen.dim(` and ${further} more`) : ''}`]),
    ];
  });
  if (results.length === 0) lines.push('no commit has a word of the query');
  lines.push(...more(resultsLeftOut, pen), ...windowLines(window, pen, false));
  return `${lines.join('\n')}\n`;
}
