/** Chooses a colour for each part of the repository, and reads the page's own colours. */
import type { Folder } from '../folders.js';

/** Folders of one colour: the folder `at` and those below it without a group of their own. */
export interface Group {
  path: string;
  colour: string;
  total: number;
}

/** Most groups: more hues than this look alike. */
const MAX_GROUPS = 16;

/** Smallest share of the picture's nodes that a group has, so that no colour goes to a handful of nodes. */
const MIN_SHARE = 0.015;

/** Group of each folder: the largest folders have one each, the others have that of their parent. */
export function groupFolders(folders: readonly Folder[], dark: boolean): { groups: Group[]; groupOf: number[] } {
  const enough = Math.max(2, folders[0].total * MIN_SHARE);
  const parts = new Map([[0, folders[0].total]]);
  const largest = folders.map((_, at) => at).sort((a, b) => folders[b].total - folders[a].total || a - b);
  for (const at of largest.slice(1)) {
    const { total } = folders[at];
    if (total < enough || [...parts.values()].filter((rest) => rest > 0).length >= MAX_GROUPS) break;
    let around = folders[at].parent;
    while (!parts.has(around)) around = folders[around].parent;
    parts.set(around, (parts.get(around) as number) - total);
    parts.set(at, total);
  }
  for (const [at, rest] of parts) if (rest === 0 && parts.size > 1) parts.delete(at);
  const order = [...parts.keys()].sort((a, b) => (folders[a].path < folders[b].path ? -1 : 1));
  const number = new Map(order.map((at, i) => [at, i]));
  const groupOf: number[] = [];
  folders.forEach(({ parent }, at) => {
    groupOf[at] = number.get(at) ?? (parent < 0 ? 0 : groupOf[parent]);
  });
  const groups = order.map((at, i) => ({
    path: folders[at].path === '' ? '/' : folders[at].path,
    colour: hue(i, order.length, dark),
    total: parts.get(at) as number,
  }));
  return { groupOf, groups };
}

/** Colour `i` of `count`: hues are spread evenly in OKLCH, and neighbours differ in brightness too. */
function hue(i: number, count: number, dark: boolean): string {
  const angle = ((i / count) * 2 * Math.PI + 4.4) % (2 * Math.PI);
  const lift = i % 2 === 0 ? 0 : 0.07;
  return oklch((dark ? 0.72 : 0.58) + lift, dark ? 0.13 : 0.15, angle);
}

/** Converts OKLCH to sRGB, as in the CSS Color 4 specification. */
function oklch(lightness: number, chroma: number, angle: number): string {
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const bytes = linear.map((value) => {
    const held = Math.min(1, Math.max(0, value));
    return Math.round(255 * (held <= 0.0031308 ? 12.92 * held : 1.055 * held ** (1 / 2.4) - 0.055));
  });
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Colour of the style sheet, which has one set for dark and one for light. */
export function cssColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
