/** HTML pages. All text of the repository is made visible and escaped here; no page has a script or makes a request. */
import { createHash } from 'node:crypto';
import { visibleLine } from '../../base/printable.js';

/** Markup that is safe to put into a page. */
export class Html {
  constructor(readonly text: string) {}
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => visibleLine(text).replace(/[&<>"']/g, (sign) => ESCAPES[sign]);

type Content = Html | string | number | readonly Content[];

const markup = (part: Content): string => {
  if (part instanceof Html) return part.text;
  return Array.isArray(part) ? part.map(markup).join('') : escaped(String(part));
};

/** A template whose values are escaped, unless they are markup. */
export function html(strings: TemplateStringsArray, ...values: Content[]): Html {
  return new Html(strings.map((text, i) => (i === 0 ? text : `${markup(values[i - 1])}${text}`)).join(''));
}

const STYLE = `
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1rem 1.5rem 4rem}
nav,footer,.note,.by{color:GrayText;font-size:.875rem}
h1{font-size:1.5rem;overflow-wrap:anywhere}h2{font-size:1.125rem;margin-top:2rem}
table{border-collapse:collapse;width:100%}
td,th{border-bottom:1px solid color-mix(in srgb,GrayText 30%,transparent);padding:.25rem .75rem .25rem 0;text-align:left;vertical-align:top;overflow-wrap:anywhere}
td.n,th.n{text-align:right;white-space:nowrap}
code{font:.875rem ui-monospace,monospace}
blockquote{border-left:3px solid GrayText;margin:1rem 0;padding:0 0 0 1rem}
svg{height:auto;max-width:100%}
svg rect{fill:Canvas;stroke:GrayText}svg text{fill:CanvasText;font:13px system-ui,sans-serif}svg line{stroke:GrayText}
`;

const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

export interface Page {
  /** Path from the top of the site, with slashes. */
  name: string;
  title: string;
  /** Links to the pages above. */
  trail: readonly Html[];
  body: Html;
}

export function pageText({ title, trail, body }: Page, footer: Html): string {
  const head = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
${trail.length === 0 ? '' : html`<nav>${trail.flatMap((link, i) => (i === 0 ? [link] : [' / ', link]))}</nav>`}
<main>
<h1>${title}</h1>
${body}
</main>
<footer>${footer}</footer>
</body>
</html>
`;
  return head.text;
}

// A drawing of the uses between parts, as SVG without a script: parts in rows, users above what they use.

interface Part {
  label: string;
  href: string;
}

/** `count` uses of part `to` by part `from`; both are indexes. */
interface Use {
  from: number;
  to: number;
  count: number;
}

const WIDTH = 170;
const HEIGHT = 34;
const GAP = 24;
const ROW = 96;
/** Boxes in a row. */
const IN_ROW = 5;
/** Characters of a label that fit into a box. */
const LABEL = 22;

/** Empty if no part uses another. */
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

/** A part's row is the length of the longest way to it from a part that nothing uses. A use that would close a circle does not count. */
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
