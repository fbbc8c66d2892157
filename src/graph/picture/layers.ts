/**
 * Layered drawing of a graph (Sugiyama, Tagawa and Toda, 1981): users above what they use, a cycle on one layer, and
 * nodes near the middle of their neighbours. Wide layers are broken into lines.
 */

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

/** Arranges the nodes in time linear in nodes and arrows, except for sorting. */
export function layered(nodes: readonly LayeredNode[], arrows: readonly Arrow[], maxWidth: number): Layered {
  const rank = longestWays(nodes.length, downward(nodes.length, arrows));
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
 * Arrows without those that point back. Nodes are taken from the most used to the least: each time one whose users are
 * all taken, or else the one with the largest balance (Eades, Lin and Smyth, 1993).
 */
function downward(count: number, arrows: readonly Arrow[]): Arrow[] {
  const balance = new Float64Array(count);
  for (const { from, to, weight } of arrows) {
    balance[from] += weight;
    balance[to] -= weight;
  }
  const order = new Int32Array(count);
  [...balance.keys()]
    .sort((a, b) => balance[b] - balance[a] || a - b)
    .forEach((node, at) => {
      order[node] = at;
    });
  return arrows.filter(({ from, to }) => order[from] < order[to]);
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
