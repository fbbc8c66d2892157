/**
 * Boxes in layers with lines between them, and the lists beside them, for the page of `graph visualize` and for the map of the web page.
 * Text of a repository enters both pages as text alone.
 */
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { type Arrow, type Layered, layered } from './layers.js';

export type Template = TemplateResult | typeof nothing;

/** `1 file`, `2,000 files`. */
export const plural = (count: number, one: string): string =>
  `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;

/** Longest name that fits into the narrowest column, in letters. */
const NAME_LETTERS = 30;

/** A path that breaks between its names, and inside of a long one between its words. */
export const pathText = (path: string): (string | TemplateResult)[] =>
  path
    .split(/(?<=\/)/)
    .flatMap((name) => (name.length > NAME_LETTERS ? name.split(/(?<=[a-z])(?=[A-Z.])|(?<=[_-])(?=\w)/) : name))
    .map((part, i) => (i === 0 ? part : html`<wbr>${part}`));

/** A qualified name that breaks only between its words. */
export const nameText = (name: string): (string | TemplateResult)[] =>
  name.split(/(?<=[.:_])(?=\w)|(?<=[a-z])(?=[A-Z])/).map((part, i) => (i === 0 ? part : html`<wbr>${part}`));

/** A heading with a list under it, and the number of further entries. `merged`: how many more the entries stand for. */
export function listed(
  heading: string,
  { list, leftOut, merged = 0 }: { list: readonly unknown[]; leftOut: number; merged?: number },
  items: readonly TemplateResult[],
  empty = '',
  rest = `and ${leftOut.toLocaleString('en')} more`,
): Template {
  if (list.length === 0 && empty === '') return nothing;
  const total = list.length + merged + leftOut;
  return html`<details class="section" open>
    <summary><h3>${heading} <span class="count">${total.toLocaleString('en')}</span></h3></summary>
    ${items.length === 0 ? html`<p class="quiet">${empty}</p>` : html`<ul class="plain">${items}</ul>`}
    ${leftOut > 0 ? html`<p class="quiet">${rest}</p>` : nothing}
  </details>`;
}

export interface Box {
  /** The whole name, and what fits into the box of it. */
  name: string;
  label: string;
  /** The line below the label. */
  detail: string;
  href: string;
  /** Called in place of following the address. */
  choose?: () => void;
}

export interface Use extends Arrow {
  /** True if only types are used. */
  isWeak: boolean;
}

interface Picture {
  boxes: readonly Box[];
  uses: readonly Use[];
  /** The chosen box, -1 for none. */
  at: number;
  /** Boxes to show clearly; the others are faint. Default: the chosen one with its neighbours, or all. */
  clear?: ReadonlySet<number>;
  name: string;
}

/** Width of the picture in its own units; on a smaller screen that of the screen, so that a telephone shows whole rows of boxes. */
const MOST_WIDTH = 1_150;
const LEAST_WIDTH = 330;
const AROUND = 40;
const BOX_HEIGHT = 44;
const BOX_CHARACTER = 8.2;
/** Longest label and line below it; on a telephone two of them fit beside each other. */
const [LONG, SHORT] = [34, 17];
const NARROW = 600;
/** Most lines of a picture without a chosen box, the strongest ones: for few boxes, and for each of many. */
const STRONGEST = 70;
const STRONGEST_EACH = 1.5;

const screenWidth = (): number => document.documentElement.clientWidth;

/** Longest label on this screen. */
export const maxLabel = (): number => (screenWidth() < NARROW ? SHORT : LONG);

export function picture({ boxes, uses, at, clear, name }: Picture): TemplateResult {
  const sizes = boxes.map(({ label, detail }) => {
    return { width: Math.max(label.length, detail.length) * BOX_CHARACTER + 22, height: BOX_HEIGHT };
  });
  const places = layered(sizes, uses, Math.max(LEAST_WIDTH, Math.min(MOST_WIDTH, screenWidth() - AROUND)));
  const most = uses.reduce((max, { weight }) => Math.max(max, weight), 1);
  const strong = [...uses].sort((a, b) => b.weight - a.weight);
  const shown = (
    at < 0
      ? strong.slice(0, Math.max(STRONGEST, boxes.length * STRONGEST_EACH))
      : strong.filter(({ from, to }) => from === at || to === at)
  ).reverse();
  const near = clear ?? new Set(at < 0 ? boxes.keys() : [at, ...shown.flatMap(({ from, to }) => [from, to])]);
  const [width, height] = [Math.ceil(places.width + 20), places.height + 20];
  return html`<div class="scrolled"><svg class="layers" viewBox=${`-10 -10 ${width} ${height}`} width=${width} role="group" aria-label=${name}>
      ${shown.map((use) => line(use, { places, sizes, most, at }))}
      ${boxes.map((box, i) => boxed(box, { x: places.x[i], y: places.y[i], width: sizes[i].width, isFaint: !near.has(i), isChosen: i === at }))}
    </svg></div>`;
}

interface Placed {
  places: Layered;
  sizes: readonly { width: number }[];
  most: number;
  at: number;
}

function line({ from, to, weight, isWeak }: Use, { places: { x, y }, sizes, most, at }: Placed): TemplateResult {
  const middle = (i: number) => x[i] + sizes[i].width / 2;
  const isDown = y[from] < y[to];
  const [start, end] = [y[from] + (isDown ? BOX_HEIGHT : 0), y[to] + (isDown ? 0 : BOX_HEIGHT)];
  const bend = Math.max(30, Math.abs(end - start) / 2) * (isDown ? 1 : -1);
  const path = `M${middle(from)} ${start} C${middle(from)} ${start + bend} ${middle(to)} ${end - bend} ${middle(to)} ${end}`;
  const kind = at < 0 ? (isDown ? '' : 'up') : from === at ? 'out' : 'in';
  const width = 1 + 7 * Math.sqrt(weight / most);
  return svg`<path class=${`use ${kind}${isWeak ? ' weak' : ''}`} d=${path} stroke-width=${width.toFixed(1)}></path>` as unknown as TemplateResult;
}

interface BoxPlace {
  x: number;
  y: number;
  width: number;
  isFaint: boolean;
  isChosen: boolean;
}

function boxed({ name, label, detail, href, choose }: Box, { x, y, width, isFaint, isChosen }: BoxPlace) {
  const classes = `box${isFaint ? ' faint' : ''}${isChosen ? ' chosen' : ''}`;
  return svg`<a class=${classes} href=${href} @click=${choose && instead(choose)} aria-current=${isChosen ? 'true' : nothing}><title>${name}: ${detail}</title>
    <rect x=${x} y=${y} width=${width} height=${BOX_HEIGHT} rx="6"></rect>
    <text x=${x + 10} y=${y + 18}>${label}</text>
    <text class="small" x=${x + 10} y=${y + 34}>${detail}</text></a>` as unknown as TemplateResult;
}

/** Handles a click on a link by `act` alone. */
export const instead =
  (act: () => void) =>
  (event: Event): void => {
    event.preventDefault();
    act();
  };

/** Lists of what a box uses and of what uses it, strongest first. */
export function usesOf(boxes: readonly Box[], uses: readonly Use[], at: number): Template[] {
  const one = (heading: string, list: readonly Use[], other: (use: Use) => number) => {
    const sorted = [...list].sort((a, b) => b.weight - a.weight);
    const items = sorted.map((use) => {
      const { name, href, choose } = boxes[other(use)];
      return html`<li><a href=${href} @click=${choose && instead(choose)}>${pathText(name)}</a> <span class="quiet">${plural(use.weight, 'use')}</span></li>`;
    });
    return listed(heading, { list, leftOut: 0 }, items, 'Nothing.');
  };
  const [out, into] = [uses.filter(({ from }) => from === at), uses.filter(({ to }) => to === at)];
  return [one('Uses', out, ({ to }) => to), one('Used by', into, ({ from }) => from)];
}

/**
 * Paths cut to a length. A long path loses the names that most paths share, such as `src/main/java`, since they tell the least, and then as
 * many others as is necessary, the commonest first; the first name, often of a module, goes only then. The last name stays, and is cut in
 * its middle if it is too long by itself.
 */
export function shortened(paths: readonly string[], most: number): string[] {
  const times = new Map<string, number>();
  for (const path of paths) for (const name of new Set(path.split('/'))) times.set(name, (times.get(name) ?? 0) + 1);
  return paths.map((path) => {
    if (path.length <= most) return path;
    const names: (string | null)[] = path.split('/');
    const count = (at: number) => times.get(path.split('/')[at]) as number;
    const inner = names.slice(1, -1).map((_, i) => i + 1);
    inner.sort((a, b) => count(b) - count(a) || b - a);
    for (const at of names.length > 1 ? [...inner, 0] : []) {
      if ((at === 0 || count(at) <= paths.length / 2) && joined(names).length <= most) break;
      names[at] = null;
    }
    const text = joined(names);
    return text.length <= most ? text : cutMiddle(names.at(-1) as string, most);
  });
}

const joined = (names: readonly (string | null)[]): string =>
  names
    .filter((name, i) => name !== null || names[i - 1] !== null || i === 0)
    .map((name) => name ?? '…')
    .join('/');

function cutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor((most - 1) / 2);
  return `${text.slice(0, half)}…${text.slice(-half)}`;
}
