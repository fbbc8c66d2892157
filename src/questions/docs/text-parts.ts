/** Pieces of what `docs` prints. */
import { visibleLine } from '../../base/hygiene.js';
import { doubt, more, placeText, type Some } from '../graph/text-parts.js';
import type { Pen } from '../writing/pen.js';
import type { DocLink, DocMention } from './output-parts.js';

const MAX_SECTION = 80;

export function sectionText(section: readonly string[]): string {
  const text = visibleLine(section.join(' > '));
  return text.length > MAX_SECTION ? `…${text.slice(-MAX_SECTION)}` : text;
}

/** Mentions below their documents; those of one thing in one section are one line. `target`: says what each means. */
export function mentionLines(mentions: Some<DocLink>, pen: Pen, target: (link: DocLink) => string): string[] {
  const lines: string[] = [];
  let path = '';
  for (const [first, ...rest] of groups(mentions.list)) {
    if (first.path !== path) lines.push(`  ${pen.path(visibleLine(first.path))}`);
    path = first.path;
    const numbers = [...new Set([first, ...rest].map(({ line }) => line))];
    const where = pen.line(numbers.slice(0, MAX_LINES).join(', ') + (numbers.length > MAX_LINES ? ', …' : ''));
    const section = first.section.length === 0 ? '' : `  ${pen.dim(sectionText(first.section))}`;
    lines.push(`    ${where}  ${target(first)}${section}${doubt(first, pen)}`);
  }
  return [...lines, ...more(mentions.leftOut, pen)];
}

const MAX_LINES = 6;

/** In the order of documents, as they come first; each group holds mentions of one thing in one section. */
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

/** `Cart.total` where the words are not the name itself. */
export function meantText({ text, target }: DocLink, pen: Pen): string {
  return `${pen.symbol(visibleLine(text))}  ${placeText(target, pen)}`;
}

export const asWritten = ({ text }: DocMention, pen: Pen): string => pen.symbol(visibleLine(text));
