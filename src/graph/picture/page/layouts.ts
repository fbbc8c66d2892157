/**
 * Layouts that are computed at once, in nearly linear time. Cytoscape has layouts of the same names, but spaces all nodes
 * as the largest one: with folders of up to 128 pixels, files of 12 vanish, and `breadthfirst` puts a rank of hundreds
 * of files on one line, which fits the screen as a stroke. These use the size of each node, and break long ranks.
 */
import { layered } from '../layers.js';
import type { Bodies } from './force.js';

export type LayoutName = 'force' | 'layers' | 'concentric' | 'circle' | 'grid' | 'cose';

/** Bodies to arrange; their labels decide among equals. */
export interface Scene extends Bodies {
  labels: readonly string[];
  /** Width of each with its label. */
  widths?: readonly number[];
  /** Width of the window in its heights; default: as wide as screens are. */
  aspect?: number;
  /** Room below each for its label. */
  below?: number;
}

/** Most nodes for `cose`, which compares every pair many times and would freeze the page. */
export const COSE_LIMIT = 300;

const GAP = 16;

export function arrange(name: Exclude<LayoutName, 'force' | 'cose'>, scene: Scene): void {
  const linked = degreesOf(scene);
  const byPlace = (a: number, b: number) =>
    scene.group[a] - scene.group[b] || (scene.labels[a] < scene.labels[b] ? -1 : 1);
  const order = Array.from(scene.labels, (_, i) => i);
  if (name === 'layers') layers(scene);
  else if (name === 'circle') rings(scene, order.sort(byPlace), true);
  else if (name === 'concentric')
    rings(
      scene,
      order.sort((a, b) => linked[b] - linked[a] || byPlace(a, b)),
      false,
    );
  else grid(scene, order.sort(byPlace));
}

function degreesOf({ links, labels }: Scene): number[] {
  const found = labels.map(() => 0);
  for (const { from, to } of links) {
    found[from]++;
    found[to]++;
  }
  return found;
}

/** Arranges all on a single circle, or on circles around the first of the order. */
function rings({ x, y, radius }: Scene, order: readonly number[], single: boolean): void {
  const room = (i: number) => 2 * radius[i] + GAP;
  const whole = order.reduce((sum, i) => sum + room(i), 0);
  let at = 0;
  let distance = single ? whole / (2 * Math.PI) : 0;
  while (at < order.length) {
    const round = single ? whole : Math.max(2 * Math.PI * distance, 1);
    const ring: number[] = [];
    let [used, widest] = [0, 0];
    while (at < order.length && (ring.length === 0 || used + room(order[at]) <= round)) {
      used += room(order[at]);
      widest = Math.max(widest, room(order[at]));
      ring.push(order[at++]);
    }
    let turned = 0;
    for (const i of ring) {
      const angle = ((turned + room(i) / 2) / used) * 2 * Math.PI - Math.PI / 2;
      x[i] = ring.length === 1 && distance === 0 ? 0 : distance * Math.cos(angle);
      y[i] = ring.length === 1 && distance === 0 ? 0 : distance * Math.sin(angle);
      turned += room(i);
    }
    distance += widest + GAP * 1.5;
  }
}

function grid({ x, y, radius }: Scene, order: readonly number[]): void {
  const width = 96;
  const columns = Math.max(1, Math.ceil(Math.sqrt(order.length * 1.1)));
  let top = 0;
  for (let row = 0; row * columns < order.length; row++) {
    const cells = order.slice(row * columns, (row + 1) * columns);
    const height = Math.max(...cells.map((i) => radius[i])) * 2 + 34;
    cells.forEach((i, column) => {
      x[i] = column * width;
      y[i] = top + height / 2;
    });
    top += height;
  }
}

/** Users above what they use. Nodes without links go below, in lines. */
function layers({ x, y, radius, labels, links, widths = [], below = LABEL_ROOM, aspect = 1 }: Scene): void {
  const boxes = labels.map((_, i) => ({
    width: Math.max(2 * radius[i], widths[i] ?? 0),
    height: 2 * radius[i] + below,
  }));
  const whole = boxes.reduce((sum, { width, height }) => sum + (width + GAP) * (height + GAP), 0);
  const arrows = links.map(({ from, to, count = 1 }) => ({ from, to, weight: count }));
  const places = layered(boxes, arrows, Math.min(1, aspect) * Math.max(MIN_WIDTH, Math.sqrt(whole) * 2.2));
  labels.forEach((_, i) => {
    x[i] = places.x[i] + boxes[i].width / 2;
    y[i] = places.y[i] + radius[i];
  });
}

/** Room below a node for its label, and the least width of a picture. */
export const LABEL_ROOM = 26;
const MIN_WIDTH = 900;
