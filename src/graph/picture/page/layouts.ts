/**
 * Layouts of the picture: a force-directed one with groups, and several that take nearly linear time. Cytoscape has
 * layouts of the same names, but spaces all nodes as the largest one: beside folders of up to 128 pixels, files of 12
 * vanish, and `breadthfirst` puts a rank of hundreds of files on one line, which is a mere stroke on the screen. These
 * use the size of each node, and break long ranks. The layered one draws as Sugiyama, Tagawa and Toda did in 1981: users above what they
 * use, a cycle on one layer, and nodes near the middle of their neighbours.
 */

export type LayoutName = 'force' | 'layers' | 'concentric' | 'circle' | 'grid' | 'cose';

/** Bodies to arrange; their labels decide among equals. */
export interface Scene extends Bodies {
  labels: readonly string[];
  /** Width of each body with its label. */
  widths?: readonly number[];
  /** Width of the window divided by its height; default: that of most screens. */
  aspect?: number;
  /** Room for the label below each body. */
  below?: number;
}

/** Maximum number of nodes for `cose`, which compares every pair many times and would freeze the page. */
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

/** Arranges all bodies on a single circle, or on circles around the first one of the order. */
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

/** Width of a column of the grid, and the room for labels between its rows. */
const COLUMN = 96;
const ROW_GAP = 34;
/** A grid has more columns than rows. */
const WIDER = 1.1;

function grid({ x, y, radius }: Scene, order: readonly number[]): void {
  const columns = Math.max(1, Math.ceil(Math.sqrt(order.length * WIDER)));
  let top = 0;
  for (let row = 0; row * columns < order.length; row++) {
    const cells = order.slice(row * columns, (row + 1) * columns);
    const height = Math.max(...cells.map((i) => radius[i])) * 2 + ROW_GAP;
    cells.forEach((i, column) => {
      x[i] = column * COLUMN;
      y[i] = top + height / 2;
    });
    top += height;
  }
}

/** Arranges users above what they use. Nodes without links go below, in lines. */
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

/** Room for the label below a node, and the minimum width of a picture. */
export const LABEL_ROOM = 26;
const MIN_WIDTH = 900;

// Force-directed layout: links pull, nodes push, and nodes of one group attract each other, so that parts of the repository become
// islands. Cytoscape's `cose` knows no groups, and takes quadratic time. This one runs in steps, so that the page stays responsive.

interface Bodies {
  x: Float64Array;
  y: Float64Array;
  radius: Float64Array;
  /** Group of each body; bodies of one group attract each other. */
  group: Int32Array;
  /** `count`: number of uses. */
  links: readonly { from: number; to: number; count?: number }[];
}

const PUSH = 260;
const GATHER = 0.11;
const CENTRE = 0.02;
/** Pull of a link within a group, and of one between groups. */
const WITHIN = 0.9;
const ACROSS = 0.22;
/** Length of a link that pulls no more, from rim to rim. */
const REST = 34;
const FRICTION = 0.58;
/** Longest way of a node in one step. */
const MAX_STEP = 90;
/** Least square of a distance: two nodes in one place would fly apart. */
const MIN_SQUARE = 25;
/** Distance beyond which nodes do not push: for few nodes, and what each further one adds by its square root. */
const REACH = 250;
const REACH_BY_ROOT = 38;
/** Least width of a cell whose nodes count as one. */
const MIN_CELL = 60;
/** Free space around a node. */
const MARGIN = 12;
/** Maximum number of nodes for which every pair is compared; for more, distant nodes count as the centre of their cell. */
const EXACT = 500;

/** Offsets of a cell and of the eight around it. */
const NEIGHBOURS = [-1, 0, 1].flatMap((column) => [-1, 0, 1].map((row) => [column, row]));

export class Force {
  private readonly vx: Float64Array;
  private readonly vy: Float64Array;
  private readonly degree: Float64Array;
  private readonly count: number;
  /** Square of the distance beyond which nodes do not push, so that unlinked ones do not drift far away. */
  private readonly reach: number;

  constructor(private readonly bodies: Bodies) {
    this.count = bodies.x.length;
    this.reach = (REACH + REACH_BY_ROOT * Math.sqrt(this.count)) ** 2;
    this.vx = new Float64Array(this.count);
    this.vy = new Float64Array(this.count);
    this.degree = new Float64Array(this.count);
    for (const { from, to } of bodies.links) {
      this.degree[from]++;
      this.degree[to]++;
    }
  }

  /** Makes one step; `heat` falls from 1 to 0. */
  step(heat: number): void {
    this.pull(heat);
    this.gather(heat);
    const cells = this.cells(Math.max(MIN_CELL, this.extent() / Math.ceil(Math.sqrt(this.count / 3) + 1)));
    if (this.count <= EXACT) this.pushAll(heat);
    else this.pushCells(heat, cells);
    const { x, y } = this.bodies;
    for (let i = 0; i < this.count; i++) {
      this.vx[i] = Math.max(-MAX_STEP, Math.min(MAX_STEP, this.vx[i] * FRICTION));
      this.vy[i] = Math.max(-MAX_STEP, Math.min(MAX_STEP, this.vy[i] * FRICTION));
      x[i] += this.vx[i];
      y[i] += this.vy[i];
    }
    this.separate();
    this.separate();
  }

  private pull(heat: number): void {
    const { x, y, radius, group, links } = this.bodies;
    for (const { from, to } of links) {
      const [dx, dy] = [x[to] - x[from] || 0.1, y[to] - y[from] || 0.1];
      const distance = Math.sqrt(dx * dx + dy * dy);
      const rest = REST + radius[from] + radius[to];
      const tie = group[from] === group[to] ? WITHIN : ACROSS;
      const strength = (tie * heat * (distance - rest)) / distance / Math.min(this.degree[from], this.degree[to]);
      const share = this.degree[from] / (this.degree[from] + this.degree[to]);
      this.vx[to] -= dx * strength * share;
      this.vy[to] -= dy * strength * share;
      this.vx[from] += dx * strength * (1 - share);
      this.vy[from] += dy * strength * (1 - share);
    }
  }

  private gather(heat: number): void {
    const { x, y, group } = this.bodies;
    const sums = new Map<number, [number, number, number]>();
    for (let i = 0; i < this.count; i++) {
      const sum = sums.get(group[i]) ?? [0, 0, 0];
      sum[0] += x[i];
      sum[1] += y[i];
      sum[2]++;
      sums.set(group[i], sum);
    }
    for (let i = 0; i < this.count; i++) {
      const [sx, sy, n] = sums.get(group[i]) as [number, number, number];
      this.vx[i] += ((sx / n - x[i]) * GATHER - x[i] * CENTRE) * heat;
      this.vy[i] += ((sy / n - y[i]) * GATHER - y[i] * CENTRE) * heat;
    }
  }

  private push(i: number, dx: number, dy: number, weight: number): void {
    const square = Math.max(dx * dx + dy * dy, MIN_SQUARE);
    if (square > this.reach) return;
    this.vx[i] += (dx / square) * weight;
    this.vy[i] += (dy / square) * weight;
  }

  private weight(i: number): number {
    return PUSH * (0.5 + this.bodies.radius[i] / 20);
  }

  private pushAll(heat: number): void {
    const { x, y } = this.bodies;
    for (let i = 0; i < this.count; i++) {
      for (let j = i + 1; j < this.count; j++) {
        const [dx, dy] = [x[i] - x[j] || 0.01 * (i - j), y[i] - y[j] || 0.01];
        this.push(i, dx, dy, this.weight(j) * heat);
        this.push(j, -dx, -dy, this.weight(i) * heat);
      }
    }
  }

  private pushCells(heat: number, cells: Map<string, number[]>): void {
    const { x, y } = this.bodies;
    const list = [...cells].map(([key, members]) => {
      const [column, row] = key.split(' ').map(Number);
      const sum = (values: Float64Array) => members.reduce((total, i) => total + values[i], 0);
      const weight = members.reduce((total, i) => total + this.weight(i), 0);
      return { column, row, members, weight, x: sum(x) / members.length, y: sum(y) / members.length };
    });
    for (const here of list) {
      for (const there of list) {
        if (Math.abs(here.column - there.column) > 1 || Math.abs(here.row - there.row) > 1) {
          for (const i of here.members) this.push(i, x[i] - there.x, y[i] - there.y, there.weight * heat);
          continue;
        }
        for (const i of here.members)
          for (const j of there.members)
            if (i !== j) this.push(i, x[i] - x[j] || 0.01 * (i - j), y[i] - y[j] || 0.01, this.weight(j) * heat);
      }
    }
  }

  private extent(): number {
    const { x, y } = this.bodies;
    let most = 1;
    for (let i = 0; i < this.count; i++) most = Math.max(most, Math.abs(x[i]), Math.abs(y[i]));
    return 2 * most;
  }

  private cells(size: number): Map<string, number[]> {
    const { x, y } = this.bodies;
    const found = new Map<string, number[]>();
    for (let i = 0; i < this.count; i++) {
      const key = `${Math.floor(x[i] / size)} ${Math.floor(y[i] / size)}`;
      const list = found.get(key);
      if (list === undefined) found.set(key, [i]);
      else list.push(i);
    }
    return found;
  }

  /** Moves overlapping nodes apart. */
  private separate(): void {
    const { radius } = this.bodies;
    let size = 1;
    for (const value of radius) size = Math.max(size, 2 * (value + MARGIN));
    const cells = this.cells(size);
    for (const [key, members] of cells) {
      const [column, row] = key.split(' ').map(Number);
      const near = NEIGHBOURS.flatMap(([dc, dr]) => cells.get(`${column + dc} ${row + dr}`) ?? []);
      for (const i of members) for (const j of near) if (i < j) this.part(i, j);
    }
  }

  private part(i: number, j: number): void {
    const { x, y, radius } = this.bodies;
    const [dx, dy] = [x[i] - x[j] || 0.1, y[i] - y[j] || 0.1];
    const distance = Math.sqrt(dx * dx + dy * dy);
    const overlap = radius[i] + radius[j] + MARGIN - distance;
    if (overlap <= 0) return;
    const shift = (overlap / distance) * 0.5;
    x[i] += dx * shift;
    y[i] += dy * shift;
    x[j] -= dx * shift;
    y[j] -= dy * shift;
  }
}

export interface LayeredNode {
  width: number;
  height: number;
}

export interface Arrow {
  from: number;
  to: number;
  weight: number;
}

export interface Layered {
  /** Top left corner of each node. */
  x: number[];
  y: number[];
  width: number;
  height: number;
}

const BESIDE = 26;
const BELOW = 58;
const SWEEPS = 8;

/** Arranges the nodes in time linear in nodes and arrows, except for sorting, and for nodes in cycles. Those without arrows go last. */
export function layered(nodes: readonly LayeredNode[], arrows: readonly Arrow[], maxWidth: number): Layered {
  const ways = longestWays(nodes.length, downward(nodes.length, arrows));
  const linked = new Set(arrows.flatMap(({ from, to }) => [from, to]));
  const rank = ways.map((way, node) => (linked.has(node) ? way : nodes.length));
  const rows: number[][] = [];
  rank.forEach((at, node) => {
    rows[at] ??= [];
    rows[at].push(node);
  });
  const lines = rows.filter(Boolean).flatMap((row) => broken(row, nodes, maxWidth));
  sortLines(lines, arrows, nodes.length);
  return placed(lines, nodes);
}

/**
 * Arrows without those that point back. Of two nodes that use each other, the one with more uses is the user. Nodes without users come
 * first and nodes that use none last; if all of the rest are in cycles, the next one is that which uses most compared with its users
 * (Eades, Lin and Smyth, 1993).
 */
function downward(count: number, arrows: readonly Arrow[]): Arrow[] {
  const net = netOf(count, arrows);
  const near: Map<number, number>[] = Array.from({ length: count }, () => new Map());
  const [out, into] = [new Float64Array(count), new Float64Array(count)];
  for (const { from, to, weight } of net) {
    near[from].set(to, weight);
    near[to].set(from, -weight);
    out[from] += weight;
    into[to] += weight;
  }
  const left = new Set(near.keys());
  const order = new Int32Array(count);
  const free: number[] = [];
  const take = (node: number, place: number) => {
    left.delete(node);
    order[node] = place;
    for (const [other, weight] of near[node]) {
      if (!left.has(other)) continue;
      if (weight > 0) into[other] -= weight;
      else out[other] += weight;
      if (into[other] <= 0 || out[other] <= 0) free.push(other);
    }
  };
  let [first, last] = [0, count];
  const takeFree = (node: number) => {
    if (!left.has(node)) return;
    if (into[node] <= 0) take(node, first++);
    else take(node, --last);
  };
  for (const node of near.keys()) if (into[node] <= 0 || out[node] <= 0) free.push(node);
  while (left.size > 0) {
    for (let node = free.pop(); node !== undefined; node = free.pop()) takeFree(node);
    let best = -1;
    for (const node of left) if (best < 0 || out[node] - into[node] > out[best] - into[best]) best = node;
    if (best >= 0) take(best, first++);
  }
  return net.filter(({ from, to }) => order[from] < order[to]);
}

/** One arrow between two nodes, in the direction with more uses; none where both have as many. */
function netOf(count: number, arrows: readonly Arrow[]): Arrow[] {
  const sums = new Map<number, number>();
  for (const { from, to, weight } of arrows) {
    const key = from < to ? from * count + to : to * count + from;
    sums.set(key, (sums.get(key) ?? 0) + (from < to ? weight : -weight));
  }
  return [...sums].flatMap(([key, weight]) => {
    const [low, high] = [Math.floor(key / count), key % count];
    if (weight === 0 || low === high) return [];
    return [weight > 0 ? { from: low, to: high, weight } : { from: high, to: low, weight: -weight }];
  });
}

/** Length of the longest way down to each node. The arrows have no cycle. */
function longestWays(count: number, arrows: readonly Arrow[]): number[] {
  const next: number[][] = Array.from({ length: count }, () => []);
  const waits = new Int32Array(count);
  for (const { from, to } of arrows) {
    next[from].push(to);
    waits[to]++;
  }
  const rank = new Array<number>(count).fill(0);
  const ready = [...rank.keys()].filter((node) => waits[node] === 0);
  for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
    for (const to of next[node]) {
      rank[to] = Math.max(rank[to], rank[node] + 1);
      if (--waits[to] === 0) ready.push(to);
    }
  }
  return rank;
}

function broken(row: readonly number[], nodes: readonly LayeredNode[], maxWidth: number): number[][] {
  const total = row.reduce((sum, node) => sum + nodes[node].width + BESIDE, 0);
  const wanted = total / Math.ceil(total / maxWidth);
  const lines: number[][] = [[]];
  let width = 0;
  for (const node of row) {
    if (width > 0 && width + nodes[node].width / 2 > wanted) {
      lines.push([]);
      width = 0;
    }
    lines[lines.length - 1].push(node);
    width += nodes[node].width + BESIDE;
  }
  return lines;
}

/** Reduces crossings: moves each node near the middle of its neighbours, in several sweeps down and up. */
function sortLines(lines: number[][], arrows: readonly Arrow[], count: number): void {
  const near: { node: number; weight: number }[][] = Array.from({ length: count }, () => []);
  for (const { from, to, weight } of arrows) {
    near[from].push({ node: to, weight });
    near[to].push({ node: from, weight });
  }
  const place = new Float64Array(count);
  const settle = (line: readonly number[]) => {
    line.forEach((node, i) => {
      place[node] = (i + 0.5) / line.length;
    });
  };
  lines.forEach(settle);
  const middle = (node: number): number => {
    const weight = near[node].reduce((sum, one) => sum + Math.log1p(one.weight), 0);
    if (weight === 0) return place[node];
    return near[node].reduce((sum, one) => sum + place[one.node] * Math.log1p(one.weight), 0) / weight;
  };
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const line of sweep % 2 === 0 ? lines : [...lines].reverse()) {
      const wanted = new Map(line.map((node) => [node, middle(node)]));
      line.sort((a, b) => (wanted.get(a) as number) - (wanted.get(b) as number) || a - b);
      settle(line);
    }
  }
}

function placed(lines: readonly (readonly number[])[], nodes: readonly LayeredNode[]): Layered {
  const widths = lines.map((line) => line.reduce((sum, node) => sum + nodes[node].width + BESIDE, -BESIDE));
  const width = Math.max(0, ...widths);
  const [x, y]: [number[], number[]] = [[], []];
  let top = 0;
  lines.forEach((line, at) => {
    let left = (width - widths[at]) / 2;
    for (const node of line) {
      x[node] = left;
      y[node] = top;
      left += nodes[node].width + BESIDE;
    }
    top += Math.max(...line.map((node) => nodes[node].height)) + BELOW;
  });
  return { x, y, width, height: Math.max(0, top - BELOW) };
}
