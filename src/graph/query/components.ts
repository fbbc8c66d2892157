/** Strongly connected components (Tarjan, without recursion: chains of files and calls can be long), and their cycles. */

/** Successors of a node; each may be named more than once. */
export type Successors = (node: number) => readonly number[];

/** Components in the order in which they are finished; those of one node only where it leads to itself. */
export function cyclicComponents(nodes: Iterable<number>, next: Successors): number[][] {
  const index = new Map<number, number>();
  const low = new Map<number, number>();
  const onStack = new Set<number>();
  const stack: number[] = [];
  const found: number[][] = [];
  for (const root of nodes) {
    if (index.has(root)) continue;
    const work: { node: number; successors: readonly number[]; at: number }[] = [];
    const enter = (node: number) => {
      index.set(node, index.size);
      low.set(node, index.size - 1);
      stack.push(node);
      onStack.add(node);
      work.push({ node, successors: next(node), at: 0 });
    };
    enter(root);
    while (work.length > 0) {
      const frame = work[work.length - 1];
      const { node, successors } = frame;
      if (frame.at < successors.length) {
        const to = successors[frame.at++];
        if (!index.has(to)) enter(to);
        else if (onStack.has(to)) low.set(node, Math.min(low.get(node) as number, index.get(to) as number));
        continue;
      }
      work.pop();
      const lowest = low.get(node) as number;
      const parent = work[work.length - 1];
      if (parent !== undefined) low.set(parent.node, Math.min(low.get(parent.node) as number, lowest));
      if (lowest !== index.get(node)) continue;
      const component = takeUntil(stack, onStack, node);
      if (component.length > 1 || successors.includes(node)) found.push(component.sort((a, b) => a - b));
    }
  }
  return found;
}

function takeUntil(stack: number[], onStack: Set<number>, node: number): number[] {
  const taken: number[] = [];
  for (;;) {
    const top = stack.pop() as number;
    onStack.delete(top);
    taken.push(top);
    if (top === node) return taken;
  }
}

/** Steps taken in looking for a component's shortest cycle: beyond, the shortest found so far has to do. */
const MAX_STEPS = 2_000_000;

/** Nodes of a shortest cycle of a component, in order, each once. */
export function shortestCycle(component: readonly number[], next: Successors): number[] {
  const inside = new Set(component);
  let best: number[] = [];
  let steps = 0;
  for (const start of component) {
    if (best.length === 1 || best.length === 2 || (steps > MAX_STEPS && best.length > 0)) break;
    const from = new Map<number, number>();
    let level = [start];
    let closed = -1;
    for (let length = 1; level.length > 0 && closed < 0 && (best.length === 0 || length < best.length); length++) {
      const following: number[] = [];
      for (const node of level) {
        for (const to of next(node)) {
          steps++;
          if (to === start) closed = closed < 0 ? node : closed;
          else if (inside.has(to) && !from.has(to)) {
            from.set(to, node);
            following.push(to);
          }
        }
      }
      level = following;
    }
    if (closed < 0) continue;
    const cycle = [closed];
    for (let at = closed; at !== start; cycle.unshift(at)) at = from.get(at) as number;
    if (best.length === 0 || cycle.length < best.length) best = cycle;
  }
  return best;
}
