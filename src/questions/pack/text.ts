/** A pack as text: a heading a file, then code without line numbers, which would cost a tenth more, and lists. */
import { visibleLine } from '../../base/hygiene.js';
import { mentionedInLines } from '../graph/text-parts.js';
import { mentionLines } from '../note/mention/mention.js';
import { summaryLines } from '../summarize/told/told.js';
import { formatCount, quoted, shortName } from '../writing/format.js';
import type { Pen } from '../writing/pen.js';
import type { PackResponse } from './output.js';

type Item = PackResponse['items'][number];

export function packText(pack: PackResponse, pen: Pen): string {
  const { items, linked, tokens, budget } = pack;
  const lines: string[] = [];
  let path: string | null = null;
  for (const item of items) {
    if (item.path !== path) {
      if (path !== null) lines.push('');
      lines.push(pen.path(visibleLine(item.path)));
      path = item.path;
    }
    lines.push(...itemLines(item, pen));
  }
  if (items.length === 0) lines.push(pen.words.noResults);
  if (!linked) lines.push('', 'Callers, callees and tests are missing: the graph is not linked yet.');
  lines.push(
    '',
    ...pastLines(pack),
    ...mentionedInLines(pack.mentionedIn, pen).slice(1),
    ...summaryLines(pack.summaries, pen),
    ...mentionLines(pack.notes, pen),
    ...droppedLines(pack, pen),
    pen.dim(`${tokens} of ${budget} tokens`),
  );
  return `${lines.join('\n')}\n`;
}

function itemLines({ kind, path, startLine, endLine, symbol, why, content }: Item, pen: Pen): string[] {
  if (kind === 'signature') return content.split('\n').map((line) => `  ${visibleLine(line)}`);
  const name = symbol === null ? '' : ` ${pen.symbol(visibleLine(shortName(symbol, path)))}`;
  const head = `${pen.line(`${startLine}-${endLine}`)}${name} ${pen.dim(`(${visibleLine(why)})`)}`;
  return [head, quoted(content)];
}

/** Digits of a day in a date of ISO 8601. */
const DAY = 10;

function pastLines({ past }: PackResponse): string[] {
  if (past === undefined) return [];
  const { coupled, owners } = past;
  const files = coupled.map(
    ({ path, with: changed, together, of }) =>
      `  ${visibleLine(path)} (in ${together} of ${of} commits of ${visibleLine(changed)})`,
  );
  const people = owners.map(({ author, commits, share, last }) => {
    const until = last === null ? '' : `, last ${last.slice(0, DAY)}`;
    return `${visibleLine(author)} (${formatCount(commits, 'commit')}, ${Math.round(share * 100)}%${until})`;
  });
  return [
    ...(files.length > 0 ? ['Usually also changes:', ...files] : []),
    ...(people.length > 0 ? [`Who knows this: ${people.join(', ')}`] : []),
  ];
}

/** Most places left out that have lines of their own. */
const MAX_LISTED = 20;

function droppedLines({ dropped }: PackResponse, pen: Pen): string[] {
  const { list, leftOut } = dropped;
  if (list.length + leftOut === 0) return [];
  const shown = list.slice(0, MAX_LISTED).map(({ path, startLine, endLine, symbol, tokens, why }) => {
    const name = symbol === null ? '' : ` ${visibleLine(shortName(symbol, path))}`;
    return `  ${pen.path(visibleLine(path))}:${startLine}-${endLine}${name} ${pen.dim(`(${visibleLine(why)}, ${tokens})`)}`;
  });
  const rest = leftOut + list.length - shown.length;
  const more = rest > 0 ? [`  … and ${rest} more`] : [];
  return [`Left out, with tokens: ${formatCount(list.length + leftOut, 'place')}`, ...shown, ...more];
}
