/** List of the cycles of a view: nodes that use each other, directly or through others. */
import type { Model } from './data.js';
import { byId, make, makeButton, plural } from './dom.js';

/** Most cycles, and most nodes of a cycle, that are listed. */
const MAX_CYCLES = 40;
const MAX_MEMBERS = 25;

/** Cycles of a model as lists of nodes, the largest first. Edges marked as part of a cycle join the nodes of one. */
export function cyclesOf({ nodes, edges }: Model): number[][] {
  const parent = nodes.map((_, node) => node);
  const rootOf = (node: number): number => {
    let at = node;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  };
  const cyclic = edges.filter(({ inCycle }) => inCycle);
  for (const { from, to } of cyclic) parent[rootOf(from)] = rootOf(to);
  const found = new Map<number, Set<number>>();
  for (const { from, to } of cyclic) {
    const root = rootOf(from);
    const members = found.get(root) ?? new Set();
    found.set(root, members.add(from).add(to));
  }
  return [...found.values()].map((members) => [...members]).sort((a, b) => b.length - a.length || a[0] - b[0]);
}

export function showCycles(model: Model, actions: { goTo: (node: number) => void; dismiss: () => void }): void {
  const cycles = cyclesOf(model);
  const one = model.view === 'files' ? 'file' : 'symbol';
  const head = make('div', 'panel-head');
  const close = makeButton('icon', '✕', actions.dismiss);
  close.setAttribute('aria-label', 'Close');
  head.append(make('h2', '', plural(cycles.length, 'cycle')), close);
  const panel = byId('panel');
  panel.replaceChildren(head, make('p', 'none', `Each ${one} of a cycle uses the others, directly or through others.`));
  for (const members of cycles.slice(0, MAX_CYCLES)) {
    const rows = make('ul');
    for (const node of members.slice(0, MAX_MEMBERS)) {
      const button = makeButton('row', '', () => actions.goTo(node));
      button.append(make('span', 'name', model.nodes[node].label), make('span', 'where', model.nodes[node].path));
      const item = make('li');
      item.append(button);
      rows.append(item);
    }
    panel.append(make('h3', '', plural(members.length, one)), rows);
    if (members.length > MAX_MEMBERS) panel.append(make('p', 'none', `and ${members.length - MAX_MEMBERS} more`));
  }
  if (cycles.length > MAX_CYCLES)
    panel.append(make('p', 'none', `and ${plural(cycles.length - MAX_CYCLES, 'cycle')} more`));
  panel.hidden = false;
  panel.scrollTop = 0;
}
