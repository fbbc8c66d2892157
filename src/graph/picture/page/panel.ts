/** Side panel of the selected node: its kind, its users and its uses, all of which are links. */
import type { DrawingEdge, Place } from '../types.js';
import type { Link, Model } from './data.js';
import { byId, make, makeButton, plural } from './dom.js';

interface PanelActions {
  goTo: (node: number) => void;
  closeFolder: (path: string) => void;
  dismiss: () => void;
}

/** Most rows of a list; further ones are counted. */
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

/** Links to the code elsewhere. */
function placesOf(places: readonly Place[], path: string, { start, end }: { start: number; end: number }): HTMLElement {
  const row = make('p', 'places');
  for (const { title, address, up } of places) {
    // An editor opens what lies on the disk beside the page.
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

/** Path as buttons, one a folder: a click closes that folder. */
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
