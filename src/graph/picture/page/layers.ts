/**
 * Places of nodes in layers, users above what they use, as Sugiyama, Tagawa and Toda drew them in 1981: a cycle is broken where it has the
 * fewest uses, and nodes stand near the middle of their neighbours. Long layers are broken into lines.
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
const BELOW = 40;
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
