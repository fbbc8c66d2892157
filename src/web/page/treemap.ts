/** Squarified treemap: rectangles whose areas are the values, as square as can be (Bruls, Huizing and van Wijk, 2000). */

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Valued {
  value: number;
}

/** One rectangle for each of `items`, whose values are above 0 and sorted from the largest to the smallest. Takes linear time. */
export function treemap(items: readonly Valued[], within: Rect): Rect[] {
  const total = items.reduce((sum, { value }) => sum + value, 0);
  const scale = (within.width * within.height) / total;
  const rects: Rect[] = [];
  let rest = within;
  for (let at = 0; at < items.length; ) {
    const side = Math.min(rest.width, rest.height);
    let end = at + 1;
    let area = items[at].value * scale;
    while (end < items.length) {
      const wider = area + items[end].value * scale;
      const first = items[at].value * scale;
      const isBetter =
        worst({ first, last: items[end].value * scale, area: wider, side }) <=
        worst({ first, last: items[end - 1].value * scale, area, side });
      if (!isBetter) break;
      area = wider;
      end++;
    }
    rest = layRow(items.slice(at, end), { scale, area, rest, rects });
    at = end;
  }
  return rects;
}

interface Row {
  first: number;
  last: number;
  area: number;
  side: number;
}

/** The largest ratio of sides in a row: that of its largest or of its smallest rectangle. */
function worst({ first, last, area, side }: Row): number {
  const square = (area / side) ** 2;
  return Math.max(first / square, square / last, square / first);
}

interface Laying {
  scale: number;
  area: number;
  rest: Rect;
  rects: Rect[];
}

/** Lays a row along the shorter side; returns what is left. */
function layRow(row: readonly Valued[], { scale, area, rest, rects }: Laying): Rect {
  const isColumn = rest.width >= rest.height;
  const depth = area / (isColumn ? rest.height : rest.width);
  let along = isColumn ? rest.y : rest.x;
  for (const { value } of row) {
    const length = (value * scale) / depth;
    rects.push(
      isColumn
        ? { x: rest.x, y: along, width: depth, height: length }
        : { x: along, y: rest.y, width: length, height: depth },
    );
    along += length;
  }
  return isColumn
    ? { ...rest, x: rest.x + depth, width: Math.max(0, rest.width - depth) }
    : { ...rest, y: rest.y + depth, height: Math.max(0, rest.height - depth) };
}
