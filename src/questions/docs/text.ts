/** Text of `docs links` and `docs drift`: mentions of code in documents, and outdated statements. */
import { formatCount } from '../format.js';
import { count, definitionLines, doubt, more, othersLine, placeText, type Some, section } from '../graph/graph-text.js';
import type { Pen } from '../pen.js';
import type { ChangedMention, DocsDriftDocument, Drift } from './drift/question.js';
import type { DocLink, DocMention, DocsLinksDocument } from './links/question.js';

export function linksText(response: DocsLinksDocument, { pen }: { pen: Pen }): string {
  const { definitions, documents, comments, mentions, mentionedIn } = response;
  const lines = [...definitionLines(definitions, pen)];
  const said = count(mentions, pen);
  if (said > 0)
    lines.push(
      ...section(
        `mentions ${formatCount(said, 'place')} of code`,
        mentionLines(mentions, pen, (link) => targetText(link, pen)),
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
      const place = now === undefined || problem === 'no-file' ? '' : pen.dim(`  ${now.path}:${now.startLine}`);
      return `${pen.line(String(line))}  ${pen.symbol(text)}: ${detail}${place}${where}`;
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

/** Entries below their documents, in the documents' first order. */
function belowPaths<T extends { path: string }>(entries: readonly T[], pen: Pen, line: (entry: T) => string): string[] {
  const byPath = new Map<string, T[]>();
  for (const entry of entries) {
    const known = byPath.get(entry.path);
    if (known === undefined) byPath.set(entry.path, [entry]);
    else known.push(entry);
  }
  return [...byPath].flatMap(([path, inside]) => [
    `  ${pen.path(path)}`,
    ...inside.map((entry) => `    ${line(entry)}`),
  ]);
}

const MAX_SECTION = 80;

function sectionText(section: readonly string[]): string {
  const text = section.join(' > ');
  return text.length > MAX_SECTION ? `…${text.slice(-MAX_SECTION)}` : text;
}

/** Mentions below their documents; those of one target in one section share a line. `target` describes it. */
function mentionLines(mentions: Some<DocLink>, pen: Pen, target: (link: DocLink) => string): string[] {
  const lines: string[] = [];
  let path = '';
  for (const [first, ...rest] of groups(mentions.list)) {
    if (first.path !== path) lines.push(`  ${pen.path(first.path)}`);
    path = first.path;
    const numbers = [...new Set([first, ...rest].map(({ line }) => line))];
    const where = pen.line(numbers.slice(0, MAX_LINES).join(', ') + (numbers.length > MAX_LINES ? ', …' : ''));
    const section = first.section.length === 0 ? '' : `  ${pen.dim(sectionText(first.section))}`;
    lines.push(`    ${where}  ${target(first)}${section}${doubt(first, pen)}`);
  }
  return [...lines, ...more(mentions.leftOut, pen)];
}

const MAX_LINES = 6;

/** Mentions grouped by document, target and section, in the order of documents. */
function groups(links: readonly DocLink[]): [DocLink, ...DocLink[]][] {
  const byPath = new Map<string, Map<string, [DocLink, ...DocLink[]]>>();
  for (const link of links) {
    const inside = byPath.get(link.path) ?? new Map();
    byPath.set(link.path, inside);
    const key = JSON.stringify([link.section, link.target.path, link.target.symbol, link.target.startLine]);
    const known = inside.get(key);
    if (known === undefined) inside.set(key, [link]);
    else known.push(link);
  }
  return [...byPath.values()].flatMap((inside) => [...inside.values()]);
}

/** `Cart.total`, if the text is not the name itself. */
function targetText({ text, target }: DocLink, pen: Pen): string {
  return `${pen.symbol(text)}  ${placeText(target, pen)}`;
}

const asWritten = ({ text }: DocMention, pen: Pen): string => pen.symbol(text);
