/**
 * Controls around the picture: side panel, search box, list of cycles, tooltip and legend; and the DOM helpers that
 * make them. Text of the repository enters the page only through `make`, as text.
 */
import type { DrawingEdge, Place } from '../folders.js';
import type { Link, Model, Scenery, Shown } from './scene.js';

interface PanelActions {
  goTo: (node: number) => void;
  closeFolder: (path: string) => void;
  dismiss: () => void;
}

/** Maximum number of rows of a list; further ones are counted. */
const MAX_ROWS = 200;

export function showPanel(model: Model, node: number, places: readonly Place[], actions: PanelActions): void {
  const panel = byId('panel');
  const { label, path, kind, language, startLine, endLine } = model.nodes[node];
  const lineSpan = { start: startLine, end: endLine };
  const isFile = kind === 'file';
  const head = make('div', 'panel-head');
  const close = makeButton('icon', '✕', actions.dismiss);
  close.setAttribute('aria-label', 'Close');
  head.append(make('h2', '', label), close);
  const facts = make('p', 'facts');
  facts.append(
    make('span', 'badge', kind),
    make('span', '', language),
    make('span', '', lines(isFile, startLine, endLine)),
  );
  panel.replaceChildren(head, facts, trail(path, isFile, actions), placesOf(places, path, lineSpan));
  const files = model.view === 'files';
  panel.append(
    list(files ? 'Used by' : 'Callers', model, model.incoming[node], actions),
    list(files ? 'Uses' : 'Calls', model, model.outgoing[node], actions),
  );
  panel.hidden = false;
  panel.scrollTop = 0;
}

export function hidePanel(): void {
  byId('panel').hidden = true;
}

const lines = (isFile: boolean, start: number, end: number): string =>
  isFile ? plural(end, 'line') : start === end ? `line ${start}` : `lines ${start}–${end}`;

/** Links to the code in forges and editors. */
function placesOf(places: readonly Place[], path: string, { start, end }: { start: number; end: number }): HTMLElement {
  const row = make('p', 'places');
  for (const { title, address, up } of places) {
    // An editor opens files on the disk beside the page.
    if (up !== undefined && location.protocol !== 'file:') continue;
    const link = make('a', '', title);
    const root = up === undefined ? '' : new URL(up, location.href).pathname;
    const filled = { root, path: path.split('/').map(encodeURIComponent).join('/'), start: `${start}`, end: `${end}` };
    link.href = address.replace(/\{(root|path|start|end)\}/g, (_, name: keyof typeof filled) => filled[name]);
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
    row.append(link);
  }
  row.hidden = row.childElementCount === 0;
  return row;
}

/** Path as one button for each folder: a click closes that folder. */
function trail(path: string, isFile: boolean, { closeFolder }: PanelActions): HTMLElement {
  const row = make('p', 'trail');
  const parts = path.split('/');
  parts.forEach((part, i) => {
    const folder = parts.slice(0, i + 1).join('/');
    const isLast = i === parts.length - 1;
    if (isLast && isFile) row.append(make('span', '', part));
    else {
      const button = makeButton('crumb', part, () => closeFolder(folder));
      button.title = 'Draw it as one node';
      row.append(button);
    }
    if (!isLast) row.append(make('span', 'slash', '/'));
  });
  return row;
}

function list(title: string, model: Model, links: readonly Link[], { goTo }: PanelActions): HTMLElement {
  const section = make('section');
  section.append(make('h3', '', `${title} (${links.length.toLocaleString('en')})`));
  if (links.length === 0) section.append(make('p', 'none', 'Nothing that this picture knows of.'));
  const sorted = [...links].sort(
    (a, b) => model.edges[b.edge].count - model.edges[a.edge].count || (nameOf(model, a) < nameOf(model, b) ? -1 : 1),
  );
  const rows = make('ul');
  for (const link of sorted.slice(0, MAX_ROWS)) {
    const item = make('li');
    const button = makeButton('row', '', () => goTo(link.node));
    const edge = model.edges[link.edge];
    const { label, path, kind } = model.nodes[link.node];
    button.append(make('span', edge.inCycle ? 'name circular' : 'name', label), make('span', 'uses', usesOf(edge)));
    button.append(make('span', 'where', model.view === 'files' || kind === 'file' ? path : path));
    if (edge.inCycle) button.title = 'Part of a cycle';
    item.append(button);
    rows.append(item);
  }
  section.append(rows);
  if (links.length > MAX_ROWS) section.append(make('p', 'none', `and ${plural(links.length - MAX_ROWS, 'more one')}`));
  return section;
}

const nameOf = ({ nodes }: Model, { node }: Link): string => `${nodes[node].path} ${nodes[node].label}`;

/** Text of an edge: `type import, calls · lines 3, 9, 12 …` */
function usesOf({ kinds, count, lines: at }: DrawingEdge): string {
  const where =
    at.length === 0 ? '' : ` · ${at.length === 1 ? 'line' : 'lines'} ${at.join(', ')}${count > at.length ? ' …' : ''}`;
  return `${kinds.map((kind) => kind.replace('-', ' ')).join(', ')}${where}`;
}

// Search box: Enter goes to the next match.

/** Maximum number of marked matches; a reader steps through fewer. */
const MAX_MATCHES = 500;

/**
 * Nodes whose label or path contains the words in any letter case: equal labels first, then prefixes, then the rest,
 * each by number of users.
 */
function findNodes({ nodes, incoming }: Pick<Model, 'nodes' | 'incoming'>, query: string): number[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [];
  const ranked: [rank: number, node: number][] = [];
  nodes.forEach(({ label, path }, node) => {
    const name = label.toLowerCase();
    const at = name.indexOf(wanted);
    if (name === wanted) ranked.push([0, node]);
    else if (at === 0) ranked.push([1, node]);
    else if (at > 0) ranked.push([2, node]);
    else if (path.toLowerCase().includes(wanted)) ranked.push([3, node]);
  });
  ranked.sort((a, b) => a[0] - b[0] || incoming[b[1]].length - incoming[a[1]].length || a[1] - b[1]);
  return ranked.slice(0, MAX_MATCHES).map(([, node]) => node);
}

interface SearchActions {
  model: () => Model;
  /** Receives the matches when they change; none for an empty box. */
  mark: (nodes: readonly number[]) => void;
  goTo: (node: number) => void;
}

export class Search {
  private readonly box = byId<HTMLInputElement>('search');
  private readonly status = byId('found');
  private matches: number[] = [];
  private at = -1;

  constructor(private readonly actions: SearchActions) {
    this.box.addEventListener('input', () => this.look());
    this.box.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') {
        event.preventDefault();
        this.step(event.shiftKey ? -1 : 1);
      } else if (event.key === 'Escape') {
        this.clear();
        this.box.blur();
      }
      event.stopPropagation();
    });
  }

  focus(): void {
    this.box.focus();
    this.box.select();
  }

  clear(): void {
    if (this.box.value === '') return;
    this.box.value = '';
    this.look();
  }

  /** Searches again, after the view changed. */
  look(): void {
    this.matches = findNodes(this.actions.model(), this.box.value);
    this.at = -1;
    this.actions.mark(this.matches);
    this.showStatus();
  }

  private step(by: number): void {
    const { length } = this.matches;
    if (length === 0) return;
    this.at = this.at < 0 && by < 0 ? length - 1 : (this.at + by + length) % length;
    this.actions.goTo(this.matches[this.at]);
    this.showStatus();
  }

  private showStatus(): void {
    const { length } = this.matches;
    const many = length === MAX_MATCHES ? `${MAX_MATCHES}+` : String(length);
    this.status.textContent = this.box.value === '' ? '' : this.at < 0 ? many : `${this.at + 1}/${many}`;
  }
}

// List of cycles.

/** Maximum number of cycles, and of nodes of a cycle, that are listed. */
const MAX_CYCLES = 40;
const MAX_MEMBERS = 25;

/** Cycles of a model as lists of nodes, the largest first. Edges marked as part of a cycle join their nodes. */
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

// Tooltip.

export function showTip(model: Model, shown: Shown, mark: number, at: { x: number; y: number }): void {
  const tip = byId('tip');
  const { node, folder } = shown.marks[mark];
  const [used, uses] = [shown.edges.filter(({ to }) => to === mark), shown.edges.filter(({ from }) => from === mark)];
  const counts = `${used.length.toLocaleString('en')} in · ${uses.length.toLocaleString('en')} out`;
  if (folder === undefined) {
    const { label, path, kind, startLine } = model.nodes[node];
    tip.replaceChildren(make('strong', '', kind === 'file' ? path : label));
    if (kind !== 'file') tip.append(make('span', '', `${kind} · ${path}:${startLine}`));
    tip.append(make('span', '', counts));
  } else {
    const { path, total } = shown.folders[folder];
    tip.replaceChildren(make('strong', '', path === '' ? '/' : path));
    tip.append(make('span', '', `${plural(total, model.view === 'files' ? 'file' : 'symbol')} · ${counts}`));
    tip.append(make('span', 'hint', 'Click to open'));
  }
  tip.hidden = false;
  const { offsetWidth, offsetHeight } = tip;
  tip.style.left = `${Math.max(8, Math.min(at.x + 14, innerWidth - offsetWidth - 8))}px`;
  tip.style.top = `${Math.max(8, Math.min(at.y + 14, innerHeight - offsetHeight - 8))}px`;
}

export function hideTip(): void {
  byId('tip').hidden = true;
}

// Legend: a click hides or shows a folder.

export function showLegend(scenery: Scenery, { groups }: Shown, onToggle: (path: string) => void): void {
  const rows = groups
    .filter(({ total }) => total > 0)
    .map(({ path, colour, total }) => {
      const button = make('button', 'legend-row');
      button.type = 'button';
      button.setAttribute('aria-pressed', String(!scenery.isHidden(path)));
      const dot = make('span', 'dot');
      dot.style.background = colour;
      const name = make('span', 'legend-name', pathEnd(path, 25));
      name.title = path;
      button.append(dot, name, make('span', 'legend-count', total.toLocaleString('en')));
      button.addEventListener('click', () => onToggle(path));
      return button;
    });
  byId('legend-rows').replaceChildren(...rows);
}

// DOM helpers.

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

/** Creates an element with a class and a text, never from markup. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = '',
  text = '',
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className !== '') element.className = className;
  if (text !== '') element.textContent = text;
  return element;
}

function makeButton(className: string, text: string, onClick: () => void): HTMLButtonElement {
  const button = make('button', className, text);
  button.type = 'button';
  button.addEventListener('click', onClick);
  return button;
}

/** `1 file`, `2,000 files`. */
export function plural(count: number, one: string): string {
  return `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;
}

/** End of a path: as many whole names as fit into `width` characters. */
export function pathEnd(path: string, width: number): string {
  if (path.length <= width) return path;
  const cut = path.indexOf('/', path.length - width);
  return `…${cut === -1 ? path.slice(path.lastIndexOf('/')) : path.slice(cut)}`;
}
