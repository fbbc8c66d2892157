/** A drawing of which parts use which, as SVG without a script: parts in rows, users above what they use. */
import { Html, html } from './html.js';

export interface Part {
  label: string;
  href: string;
}

/** `count` uses of part `to` by part `from`, by their indexes. */
export interface Use {
  from: number;
  to: number;
  count: number;
}

const WIDTH = 170;
const HEIGHT = 34;
const GAP = 24;
const ROW = 96;
/** Boxes of a row. */
const IN_ROW = 5;
/** Characters of a label that fit into a box. */
const LABEL = 22;

/** Nothing for parts that do not use each other. */
export function diagram(parts: readonly Part[], uses: readonly Use[]): Html {
  if (uses.length === 0) return html``;
  const places = placesOf(parts.length, uses);
  const width = Math.max(...places.map(({ x }) => x)) + WIDTH + 1;
  const height = Math.max(...places.map(({ y }) => y)) + HEIGHT + 1;
  const most = Math.max(...uses.map(({ count }) => count));
  const lines = uses.map(({ from, to, count }) => {
    const [a, b] = [places[from], places[to]];
    const isDown = a.y <= b.y;
    const weight = (1 + (3 * Math.log(count + 1)) / Math.log(most + 1)).toFixed(1);
    const at = {
      x1: a.x + WIDTH / 2,
      y1: a.y + (isDown ? HEIGHT : 0),
      x2: b.x + WIDTH / 2,
      y2: b.y + (isDown ? 0 : HEIGHT),
    };
    const dash = isDown ? '' : new Html(' stroke-dasharray="4 3"');
    return html`<line x1="${at.x1}" y1="${at.y1}" x2="${at.x2}" y2="${at.y2}" stroke-width="${weight}"${dash}><title>${parts[from].label} uses ${parts[to].label}: ${count}</title></line>
`;
  });
  const boxes = parts.map(({ label, href }, i) => {
    const { x, y } = places[i];
    const short = label.length > LABEL ? `…${label.slice(1 - LABEL)}` : label;
    return html`<a href="${href}"><rect x="${x}" y="${y}" width="${WIDTH}" height="${HEIGHT}" rx="4"/><text x="${x + WIDTH / 2}" y="${y + 22}" text-anchor="middle">${short}</text><title>${label}</title></a>
`;
  });
  return html`<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Which parts use which">
${lines}${boxes}</svg>
<p class="note">Users stand above what they use; a dashed line leads upwards. Thicker lines stand for more uses.</p>`;
}

/** Longest way from a part that nothing uses gives the row; a use that would close a circle is left out for that. */
function placesOf(count: number, uses: readonly Use[]): { x: number; y: number }[] {
  const below = Array.from({ length: count }, () => [] as number[]);
  for (const { from, to } of [...uses].sort((a, b) => b.count - a.count || a.from - b.from || a.to - b.to))
    if (!reaches(below, to, from)) below[from].push(to);
  const row = new Array<number>(count).fill(0);
  for (let round = 0; round < count; round++)
    for (const [from, targets] of below.entries()) for (const to of targets) row[to] = Math.max(row[to], row[from] + 1);
  const places: { x: number; y: number }[] = new Array(count);
  let line = 0;
  for (let level = 0; level <= Math.max(...row); level++) {
    const inRow = row.flatMap((each, i) => (each === level ? [i] : []));
    for (const [i, part] of inRow.entries())
      places[part] = { x: (i % IN_ROW) * (WIDTH + GAP), y: (line + Math.floor(i / IN_ROW)) * ROW };
    line += Math.ceil(inRow.length / IN_ROW);
  }
  return places;
}

function reaches(below: readonly (readonly number[])[], from: number, to: number): boolean {
  const seen = new Set([from]);
  for (const at of seen) {
    if (at === to) return true;
    for (const next of below[at]) seen.add(next);
  }
  return false;
}
