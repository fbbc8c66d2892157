/** Text of what is out of date in documents. */
import { visibleLine } from '../../../base/hygiene.js';
import { count, more, placeText, type Some, section } from '../../graph/text-parts.js';
import { formatCount } from '../../writing/format.js';
import type { Pen } from '../../writing/pen.js';
import { sectionText } from '../text-parts.js';
import type { ChangedMention, DocsDriftDocument, Drift } from './output.js';

export function driftText({ drift, changed, documents }: DocsDriftDocument, { pen }: { pen: Pen }): string {
  const found = count(drift, pen);
  const read = formatCount(documents.read, 'document');
  const lines =
    found === 0
      ? [`nothing in ${read} is known to be out of date`]
      : [`${formatCount(found, 'mention')} out of date`, ...driftLines(drift, pen)];
  if (changed !== undefined) {
    const title = `${formatCount(count(changed, pen), 'mention')} of what changed, in documents that did not`;
    lines.push(...section(title, changedLines(changed, pen)));
  }
  if (documents.leftOut > 0)
    lines.push('', pen.dim(`${formatCount(documents.leftOut, 'document')} left out: too many or too large`));
  return `${lines.join('\n')}\n`;
}

function driftLines(drift: Some<Drift>, pen: Pen): string[] {
  return [
    ...belowPaths(drift.list, pen, ({ line, text, detail, section: titles, now, problem }) => {
      const where = titles.length === 0 ? '' : `  ${pen.dim(sectionText(titles))}`;
      const place =
        now === undefined || problem === 'no-file' ? '' : pen.dim(`  ${visibleLine(now.path)}:${now.startLine}`);
      return `${pen.line(String(line))}  ${pen.symbol(visibleLine(text))}: ${visibleLine(detail)}${place}${where}`;
    }),
    ...more(drift.leftOut, pen),
  ];
}

function changedLines(changed: Some<ChangedMention>, pen: Pen): string[] {
  return [
    ...belowPaths(changed.list, pen, ({ line, target, signature, mentions }) => {
      const often = mentions > 1 ? `, ${mentions} mentions` : '';
      return `${pen.line(String(line))}  ${placeText(target, pen)}  ${pen.dim(`${signature ? 'declaration' : 'body'} changed${often}`)}`;
    }),
    ...more(changed.leftOut, pen),
  ];
}

/** Entries below their documents, in the order in which these come first. */
function belowPaths<T extends { path: string }>(entries: readonly T[], pen: Pen, line: (entry: T) => string): string[] {
  const byPath = new Map<string, T[]>();
  for (const entry of entries) {
    const known = byPath.get(entry.path);
    if (known === undefined) byPath.set(entry.path, [entry]);
    else known.push(entry);
  }
  return [...byPath].flatMap(([path, inside]) => [
    `  ${pen.path(visibleLine(path))}`,
    ...inside.map((entry) => `    ${line(entry)}`),
  ]);
}
