/** Places the names of the picture's islands: above each, or below, or nowhere if the name of a larger island is in the way. */
import type cytoscape from 'cytoscape';
import { pathEnd } from './dom.js';
import type { Shown } from './scene.js';

/** Fewest nodes of an island. */
const CAPTION_MARKS = 4;
const CAPTION_WIDTH = 24;
/** Width and height of a letter, in font sizes. */
const LETTER = { width: 0.62, height: 1.25 };

interface Point {
  x: number;
  y: number;
}

interface Box extends Point {
  width: number;
  height: number;
}

export function captionsOf(shown: Shown, positionOf: (mark: number) => Point): cytoscape.ElementDefinition[] {
  const { islands, height } = islandsOf(shown, positionOf);
  const font = Math.max(15, height / 48);
  const taken: Box[] = [];
  const captions: cytoscape.ElementDefinition[] = [];
  for (const { group, x, top, bottom } of islands) {
    const { path, colour } = shown.groups[group];
    const label = pathEnd(path, CAPTION_WIDTH);
    const box = { width: label.length * font * LETTER.width, height: font * LETTER.height };
    const place = [top - 6, bottom + box.height + 6].find(
      (y) => !taken.some((other) => overlaps({ ...box, x, y }, other)),
    );
    if (place === undefined) continue;
    taken.push({ ...box, x, y: place });
    captions.push({
      group: 'nodes',
      data: { id: `g${path}`, label, colour, font },
      position: { x, y: place },
      classes: 'caption',
    });
  }
  return captions;
}

const overlaps = (a: Box, b: Box): boolean =>
  2 * Math.abs(a.x - b.x) < a.width + b.width && Math.abs(a.y - b.y) < (a.height + b.height) / 2;

/** Islands of the picture, the largest first. */
function islandsOf({ groups, groupOf, radius }: Shown, positionOf: (mark: number) => Point) {
  const found = groups.map((_, group) => {
    return { group, count: 0, x: 0, top: Number.POSITIVE_INFINITY, bottom: Number.NEGATIVE_INFINITY };
  });
  groupOf.forEach((group, mark) => {
    const { x, y } = positionOf(mark);
    const island = found[group];
    island.count++;
    island.x += (x - island.x) / island.count;
    island.top = Math.min(island.top, y - radius[mark]);
    island.bottom = Math.max(island.bottom, y + radius[mark]);
  });
  const islands = found
    .filter(({ group, count }) => count >= CAPTION_MARKS && groups[group].path !== '/')
    .sort((a, b) => b.count - a.count || a.group - b.group);
  const [top, bottom] = [Math.min(...found.map((each) => each.top)), Math.max(...found.map((each) => each.bottom))];
  return { islands, height: bottom - top };
}
