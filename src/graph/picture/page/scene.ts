/** State of the picture: the open folders and the shown nodes, as elements for Cytoscape. */
import type cytoscape from 'cytoscape';
import { chooseOverview, type Folder, folderTree, type Mark, type Marks, marksOf } from '../folders.js';
import type { PictureView } from '../types.js';
import { type Group, groupFolders } from './colours.js';
import type { Model } from './data.js';

export interface Shown extends Marks {
  folders: readonly Folder[];
  groups: readonly Group[];
  /** Group of each mark. */
  groupOf: number[];
  ids: string[];
  radius: Float64Array;
}

/** One view, with the folders that the reader opened, closed or hid. */
export class Scenery {
  /** Paths of the open folders. */
  private open = new Set<string>();
  private readonly hidden = new Set<string>();
  private readonly limit: number;
  showUnlinked: boolean;
  /** Tests, fixtures, examples and generated files are drawn, too. */
  showAside: boolean;
  readonly unlinked: number;

  constructor(
    readonly view: PictureView,
    readonly model: Model,
    limit: number,
  ) {
    const linked = model.nodes.flatMap((_, i) => (this.isLinked(i) ? [i] : []));
    this.unlinked = model.nodes.length - linked.length;
    this.showUnlinked = linked.length === 0;
    this.showAside = linked.every((node) => model.aside.has(node));
    this.limit = limit;
    this.openFirst();
  }

  isLinked(node: number): boolean {
    return this.model.incoming[node].length + this.model.outgoing[node].length > 0;
  }

  /** Opens the folders of the first view. */
  private openFirst(): void {
    const folders = this.tree();
    this.open = new Set([...chooseOverview(folders, this.limit)].map((at) => folders[at].path));
  }

  toggleAside(): void {
    this.showAside = !this.showAside;
    this.openFirst();
  }

  private tree(): Folder[] {
    const { aside, nodes } = this.model;
    return folderTree(
      nodes,
      (node) => (this.showUnlinked || this.isLinked(node)) && (this.showAside || !aside.has(node)),
    );
  }

  isHidden = (path: string): boolean => this.hidden.has(path);

  toggleGroup(path: string): void {
    if (!this.hidden.delete(path)) this.hidden.add(path);
  }

  openFolder(path: string): void {
    this.open.add(path);
  }

  closeFolder(path: string): void {
    for (const other of this.open) if (other === path || other.startsWith(`${path}/`)) this.open.delete(other);
  }

  /** Opens the folders that hide a node. */
  reveal(node: number): void {
    const { folder } = this.model.nodes[node];
    if (!this.isLinked(node)) this.showUnlinked = true;
    if (this.model.aside.has(node)) this.showAside = true;
    this.open.add('');
    for (let end = folder.indexOf('/'); end !== -1; end = folder.indexOf('/', end + 1))
      this.open.add(folder.slice(0, end));
    this.open.add(folder);
  }

  unhide(path: string): void {
    this.hidden.delete(path);
  }

  /** Marks to draw, with their colours. */
  show(dark: boolean): Shown {
    const { nodes, edges } = this.model;
    const all = this.tree();
    const { groups, groupOf } = groupFolders(all, dark);
    const folders = all.map((folder, at) =>
      this.hidden.has(groups[groupOf[at]].path) ? { ...folder, nodes: [] } : folder,
    );
    const open = new Set(all.flatMap(({ path }, at) => (this.open.has(path) ? [at] : [])));
    const marks = dropEmpty(marksOf(nodes.length, edges, folders, open));
    const known = new Map(all.map(({ path }, at) => [path, at]));
    const folderOf = (mark: Mark) =>
      mark.folder === undefined ? (known.get(nodes[mark.node].folder) as number) : mark.folder;
    return {
      ...marks,
      folders: all,
      groups,
      groupOf: marks.marks.map((mark) => groupOf[folderOf(mark)]),
      ids: marks.marks.map((mark) => (mark.folder === undefined ? `n${mark.node}` : `f${all[mark.folder].path}`)),
      radius: radii(marks, all),
    };
  }
}

/** Drops closed folders of which every node is hidden. */
function dropEmpty(shown: Marks): Marks {
  const held = new Set<number>();
  for (const mark of shown.markOf) if (mark >= 0) held.add(mark);
  if (held.size === shown.marks.length) return shown;
  const numbers = new Map([...held].sort((a, b) => a - b).map((mark, i) => [mark, i]));
  return {
    marks: shown.marks.filter((_, i) => held.has(i)),
    markOf: shown.markOf.map((mark) => (mark < 0 ? -1 : (numbers.get(mark) as number))),
    edges: shown.edges.map((edge) => ({
      ...edge,
      from: numbers.get(edge.from) as number,
      to: numbers.get(edge.to) as number,
    })),
  };
}

function radii({ marks, edges }: Marks, folders: readonly Folder[]): Float64Array {
  const degree = new Float64Array(marks.length);
  for (const { from, to } of edges) {
    degree[from]++;
    degree[to]++;
  }
  return degree.map((links, i) => {
    const { folder } = marks[i];
    if (folder !== undefined) return Math.min(64, 11 + 2.8 * Math.sqrt(folders[folder].total));
    return Math.min(30, 6 + 2 * Math.sqrt(links));
  });
}

interface ElementOptions {
  model: Model;
  positionOf: (mark: number) => { x: number; y: number };
}

export function elementsOf(shown: Shown, { model, positionOf }: ElementOptions): cytoscape.ElementDefinition[] {
  const labels = labelsOf(shown, model);
  const nodes = shown.marks.map((mark, i) => {
    const colour = shown.groups[shown.groupOf[i]].colour;
    const radius = shown.radius[i];
    const isFolder = mark.folder !== undefined;
    const letters = isFolder ? Math.min(22, 10 + radius / 4) : Math.min(19, 7 + radius / 2.1);
    const data = {
      ...{ id: shown.ids[i], mark: i, colour, size: 2 * radius, label: labels[i], letters, font: letters },
      rank: Math.round(radius),
    };
    return { group: 'nodes' as const, data, position: positionOf(i), classes: isFolder ? 'folder' : 'leaf' };
  });
  const edges = shown.edges.map(({ from, to, kinds, count }, i) => ({
    group: 'edges' as const,
    data: {
      ...{ id: `e${i}`, source: shown.ids[from], target: shown.ids[to] },
      ...{ colour: shown.groups[shown.groupOf[from]].colour, width: Math.min(9, 0.9 + 0.6 * Math.log2(count)) },
    },
    // Cycles are listed instead: nearly all folders of many repositories are in one, and painting it would tell nothing.
    classes: kinds.every((kind) => kind === 'type-import') ? 'weak' : '',
  }));
  return [...nodes, ...edges];
}

/** Names of marks, each longer by as many folders as it takes to be the only one. */
function labelsOf(shown: Shown, { nodes }: Model): string[] {
  const paths = shown.marks.map((mark) =>
    mark.folder === undefined ? undefined : shown.folders[mark.folder].path || 'all',
  );
  const bases = shown.marks.map((mark, i) => paths[i] ?? pathOf(nodes[mark.node as number]));
  const names = shown.marks.map((mark, i) =>
    paths[i] === undefined ? nodes[mark.node as number].label : lastOf(bases[i]),
  );
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return shown.marks.map((mark, i) => {
    const name = (counts.get(names[i]) as number) > 1 ? bases[i] : names[i];
    return mark.folder === undefined ? name : `${name}  ${shown.folders[mark.folder].total.toLocaleString('en')}`;
  });
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** A symbol's file goes before its name. */
const pathOf = ({ path, label, kind }: Model['nodes'][number]): string => (kind === 'file' ? path : `${path} ${label}`);
