/** Text of unused definitions, below their files. */
import { visibleLine } from '../../../base/hygiene.js';
import { optionText } from '../../../params/command-line.js';
import { formatCount } from '../../writing/format.js';
import type { Pen } from '../../writing/pen.js';
import { count, more } from '../text-parts.js';
import type { GraphUnusedResponse, UnusedSymbol } from './output.js';

const TITLES: Readonly<Record<UnusedSymbol['certainty'], string>> = {
  certain: 'certain: nothing can use them',
  likely: 'likely: only code outside of this repository can use them',
  possible: 'possible: something here may use them unseen',
};
const SHORT_OID = 9;

export function unusedText(
  response: GraphUnusedResponse,
  { pen, isCommand }: { pen: Pen; isCommand: boolean },
): string {
  const { unused, lines: all } = response;
  const number = count(unused, pen);
  const what = response.if === undefined ? 'unused' : `unused without ${visibleLine(response.if.target)}`;
  const lines = [
    number === 0 ? `nothing is ${what}` : `${formatCount(number, 'definition')} ${what}, ${formatCount(all, 'line')}`,
  ];
  let certainty = '';
  let path = '';
  for (const each of unused.list) {
    if (each.certainty !== certainty) lines.push('', TITLES[each.certainty]);
    if (each.certainty !== certainty || each.path !== path) lines.push(`  ${pen.path(visibleLine(each.path))}`);
    certainty = each.certainty;
    path = each.path;
    lines.push(...symbolLines(each, pen));
  }
  lines.push(...more(unused.leftOut, pen));
  const rest = isCommand ? hints(response) : [];
  return `${[...lines, ...(rest.length > 0 ? [''] : []), ...rest.map((line) => pen.dim(line))].join('\n')}\n`;
}

function hints({ inTests, minCertainty }: GraphUnusedResponse): string[] {
  const tests = `${formatCount(inTests, 'definition')} in tests left out: ${optionText('tests')}`;
  const others = `only certain ones; others: ${optionText('minCertainty')} likely, or possible`;
  return [...(inTests > 0 ? [tests] : []), ...(minCertainty === 'certain' ? [others] : [])];
}

function symbolLines(
  { symbol, kind, startLine, endLine, usedBy, certainty, verdict, reason, members, since }: UnusedSymbol,
  pen: Pen,
): string[] {
  const size = formatCount(endLine - startLine + 1, 'line');
  const inside = members === 0 ? '' : `, with ${formatCount(members, 'member')}`;
  // The heading says it.
  const isUsual = verdict === 'exported' && certainty === 'likely' && reason.startsWith('it is exported');
  const why = [
    ...(usedBy === 'nothing' ? [] : [usedBy === 'tests' ? 'only tests use it' : 'only unused code uses it']),
    ...(verdict === 'certain' || isUsual ? [] : [visibleLine(reason)]),
  ].join('; ');
  const line = `    ${pen.line(String(startLine))} ${pen.symbol(visibleLine(symbol ?? ''))}  ${pen.dim(`${kind}, ${size}${inside}${why === '' ? '' : `: ${why}`}`)}`;
  if (since === undefined) return [line];
  return [line, pen.dim(`      ${sinceText(since)}`)];
}

function sinceText(since: UnusedSymbol['since']): string {
  if (since === undefined || since === null) return 'unused for longer than the history that was walked';
  const { event, commit, date, subject, path } = since;
  const who = `${commit.slice(0, SHORT_OID)} ${date?.slice(0, 10) ?? ''} ${visibleLine(subject)}`;
  return event === 'never-used' ? `never used since ${who}` : `last used in ${visibleLine(path)}, until ${who}`;
}
