/**
 * Layouts that are computed at once, in nearly linear time. Cytoscape has layouts of the same names, but spaces all nodes
 * as the largest one: with folders of up to 128 pixels, files of 12 vanish, and `breadthfirst` puts a rank of hundreds
 * of files on one line, which fits the screen as a stroke. These use the size of each node, and break long ranks.
 */
import { cyclicComponents } from '../../query/components.js';
import type { Bodies } from './force.js';

export type LayoutName = 'force' | 'layers' | 'concentric' | 'circle' | 'grid' | 'cose';

/** Bodies to arrange; their labels decide among equals. */
export interface Scene extends Bodies {
  labels: readonly string[];
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

/** Puts users above what they use, and a cycle on one layer. Breaks wide layers into lines. */
function layers(scene: Scene): void {
  const { x, y, radius, labels } = scene;
  const rows = rankRows(scene);
  const perLine = Math.max(8, Math.ceil(Math.sqrt(labels.length * 3.2)));
  let top = 0;
  for (const row of rows) {
    for (let at = 0; at < row.length; at += perLine) {
      const line = row.slice(at, at + perLine);
      const room = (i: number) => Math.max(2 * radius[i] + GAP, 74);
      const width = line.reduce((sum, i) => sum + room(i), 0);
      const height = Math.max(...line.map((i) => radius[i])) * 2 + 30;
      let left = -width / 2;
      for (const i of line) {
        x[i] = left + room(i) / 2;
        y[i] = top + height / 2;
        left += room(i);
      }
      top += height;
    }
    top += 70;
  }
}

function rankRows({ labels, links }: Scene): number[][] {
  const next: number[][] = labels.map(() => []);
  const all: number[][] = labels.map(() => []);
  for (const { from, to } of links) {
    next[from].push(to);
    all[from].push(to);
    all[to].push(from);
  }
  const rank = ranks(next);
  const rows: number[][] = [];
  const alone: number[] = [];
  labels.forEach((_, node) => {
    const row = all[node].length === 0 ? alone : (rows[rank[node]] ?? []);
    row.push(node);
    if (row !== alone) rows[rank[node]] = row;
  });
  return untangle(
    [...rows, alone].filter((row) => row !== undefined && row.length > 0),
    all,
    labels.length,
  );
}

/** Rank of each node: the longest way from a node without users, with each cycle counted as one node. */
function ranks(next: readonly number[][]): number[] {
  const lead = next.map((_, node) => node);
  for (const members of cyclicComponents(lead.slice(), (node) => next[node]))
    for (const node of members) lead[node] = members[0];
  const waits = next.map(() => 0);
  const onward: number[][] = next.map(() => []);
  next.forEach((targets, node) => {
    for (const to of targets) {
      if (lead[to] === lead[node]) continue;
      waits[lead[to]]++;
      onward[lead[node]].push(lead[to]);
    }
  });
  const rank = next.map(() => 0);
  const ready = lead.filter((node, i) => node === i && waits[node] === 0);
  for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
    for (const to of onward[node]) {
      rank[to] = Math.max(rank[to], rank[node] + 1);
      if (--waits[to] === 0) ready.push(to);
    }
  }
  return lead.map((node) => rank[node]);
}

/** Reduces crossings: moves each node near the middle of its neighbours, in six sweeps. */
function untangle(rows: number[][], all: readonly number[][], count: number): number[][] {
  const place = new Float64Array(count);
  const settle = (row: readonly number[]) => {
    row.forEach((node, i) => {
      place[node] = (i + 0.5) / row.length;
    });
  };
  rows.forEach(settle);
  for (let sweep = 0; sweep < 6; sweep++) {
    for (const row of sweep % 2 === 0 ? rows : [...rows].reverse()) {
      const middle = new Map(
        row.map((node) => [node, all[node].reduce((sum, other) => sum + place[other], 0) / (all[node].length || 1)]),
      );
      row.sort((a, b) => (middle.get(a) as number) - (middle.get(b) as number) || a - b);
      settle(row);
    }
  }
  return rows;
}
