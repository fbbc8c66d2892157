/** State of the picture: the drawing unpacked from the page's data, the open folders, the chosen box, and the boxes that are shown. */
import {
  chooseOverview,
  type Drawing,
  type DrawingNode,
  type Folder,
  folderTree,
  kindsOf,
  type Mark,
  type Marks,
  marksOf,
  type PackedDrawing,
  type PictureView,
} from '../folders.js';
import { type Box, maxLabel, plural, shortened, type Use } from './drawn.js';

interface Shown extends Marks {
  folders: readonly Folder[];
  boxes: Box[];
  uses: Use[];
}

/** A node by its number, or a folder by its path; null if nothing is chosen. */
export type Chosen = number | string | null;

/** One view, with the folders that the reader opened and closed, and what is chosen. */
export class Scenery {
  readonly unlinked: number;
  chosen: Chosen = null;
  /** Paths of the open folders. */
  private open = new Set<string>();
  private drawn: Shown | undefined;
  private hasUnlinked: boolean;
  private hasSecondary: boolean;

  /** `choose` is called with the box that a reader chooses. */
  constructor(
    readonly model: Model,
    private readonly limit: number,
    private readonly choose: (chosen: Chosen) => void,
  ) {
    const linked = model.nodes.flatMap((_, i) => (this.isLinked(i) ? [i] : []));
    this.unlinked = model.nodes.length - linked.length;
    this.hasUnlinked = linked.length === 0;
    this.hasSecondary = linked.every((node) => model.secondary.has(node));
    this.openFirst();
  }

  /** True if nodes without links are drawn. */
  get showUnlinked(): boolean {
    return this.hasUnlinked;
  }

  set showUnlinked(value: boolean) {
    this.hasUnlinked = value;
    this.refresh();
  }

  /** True if tests, fixtures, examples and generated files are drawn. */
  get showSecondary(): boolean {
    return this.hasSecondary;
  }

  set showSecondary(value: boolean) {
    this.hasSecondary = value;
    this.openFirst();
  }

  /** Number of the chosen box, -1 for none. */
  get chosenBox(): number {
    const { markOf, marks, folders } = this.shown;
    if (typeof this.chosen === 'number') return markOf[this.chosen];
    return marks.findIndex(({ folder }) => folder !== undefined && folders[folder].path === this.chosen);
  }

  private isLinked(node: number): boolean {
    return this.model.incoming[node].length + this.model.outgoing[node].length > 0;
  }

  /** Opens the folders of the first view. */
  private openFirst(): void {
    const folders = this.tree();
    this.open = new Set([...chooseOverview(folders, this.limit)].map((at) => folders[at].path));
    this.refresh();
  }

  private tree(): Folder[] {
    const { secondary, nodes } = this.model;
    const isShown = (node: number) =>
      (this.hasUnlinked || this.isLinked(node)) && (this.hasSecondary || !secondary.has(node));
    return folderTree(nodes, isShown);
  }

  /** Opens a folder, and those below it as long as there is but one. */
  openFolder(path: string): void {
    const { folders } = this.shown;
    let at = folders.find((folder) => folder.path === path);
    while (at !== undefined) {
      this.open.add(at.path);
      at = at.nodes.length === 0 && at.folders.length === 1 ? folders[at.folders[0]] : undefined;
    }
    this.refresh();
  }

  closeFolder(path: string): void {
    for (const other of this.open) if (other === path || other.startsWith(`${path}/`)) this.open.delete(other);
    this.refresh();
  }

  /** Chooses a node, and opens the folders that hide it. */
  reveal(node: number): void {
    const { folder } = this.model.nodes[node];
    if (!this.isLinked(node)) this.hasUnlinked = true;
    if (this.model.secondary.has(node)) this.hasSecondary = true;
    this.open.add('');
    for (let end = folder.indexOf('/'); end !== -1; end = folder.indexOf('/', end + 1))
      this.open.add(folder.slice(0, end));
    this.open.add(folder);
    this.chosen = node;
    this.refresh();
  }

  /** Makes the boxes anew: their labels fit the screen. */
  refresh(): void {
    this.drawn = undefined;
  }

  get shown(): Shown {
    this.drawn ??= this.draw();
    return this.drawn;
  }

  private draw(): Shown {
    const { nodes, edges, view } = this.model;
    const folders = this.tree();
    const open = new Set(folders.flatMap(({ path }, at) => (this.open.has(path) ? [at] : [])));
    const { marks, markOf, edges: joined } = marksOf(nodes.length, edges, folders, open);
    const cut = (textOf: (mark: Mark) => string) => shortened(marks.map(textOf), maxLabel());
    const names = cut(({ node, folder }) => (node === undefined ? folders[folder].path : nodes[node].label));
    const places = cut(({ node }) => (node === undefined ? '' : nodes[node].folder));
    const boxes = marks.map(({ node, folder }, i): Box => {
      const chosen = node ?? folders[folder].path;
      const rest = { label: names[i] || '/', href: '#', choose: () => this.choose(chosen) };
      return node === undefined
        ? { ...rest, name: folders[folder].path || '/', detail: plural(folders[folder].total, nounOf(view)) }
        : { ...rest, name: nameOf(nodes[node]), detail: places[i] || nodes[node].language };
    });
    const uses = joined.map(({ from, to, count, kinds }): Use => {
      return { from, to, weight: count, isWeak: kinds.every((kind) => kind === 'type-import') };
    });
    return { marks, markOf, edges: joined, folders, boxes, uses };
  }
}

/** A file by its path; a symbol by its name and its path. */
const nameOf = ({ label, path, kind }: DrawingNode): string => (kind === 'file' ? path : `${label} ${path}`);

export const nounOf = (view: PictureView): string => (view === 'files' ? 'file' : 'symbol');

// The page's data, unpacked.

/** Edge as seen from one of its ends. */
export interface Link {
  /** Node at the other end. */
  node: number;
  edge: number;
}

/** Drawing with indexes. */
export interface Model extends Drawing {
  incoming: Link[][];
  outgoing: Link[][];
  /** Nodes of tests, fixtures, examples and generated files. */
  secondary: ReadonlySet<number>;
}

export function unpack(view: PictureView, packed: PackedDrawing): Model {
  const { words } = packed;
  const nodes = packed.nodes.map(([label, at, language, kind, startLine, endLine]): DrawingNode => {
    const folder = words[at];
    const path = view === 'symbols' ? folder : folder === '' ? label : `${folder}/${label}`;
    return { label, path, folder, language: words[language], kind: words[kind], startLine, endLine };
  });
  const edges = packed.edges.map(([from, to, mask, count, cycle, ...lines]) => {
    return { from, to, kinds: kindsOf(mask), count, inCycle: cycle === 1, lines };
  });
  const incoming: Link[][] = nodes.map(() => []);
  const outgoing: Link[][] = nodes.map(() => []);
  edges.forEach(({ from, to }, edge) => {
    outgoing[from].push({ node: to, edge });
    incoming[to].push({ node: from, edge });
  });
  return { view, nodes, edges, incoming, outgoing, secondary: new Set(packed.aside) };
}

// Search, and cycles.

/** Most marked matches; a reader steps through fewer. */
export const MAX_MATCHES = 500;

/**
 * Nodes whose label or path contains the words in any letter case: equal labels first, then prefixes, then the rest,
 * each by number of users.
 */
export function findNodes({ nodes, incoming }: Pick<Model, 'nodes' | 'incoming'>, query: string): number[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [];
  const ranked: [rank: number, node: number][] = [];
  nodes.forEach(({ label, path }, node) => {
    const name = label.toLowerCase();
    const at = name.indexOf(wanted);
    if (name === wanted) ranked.push([0, node]);
    else if (at >= 0) ranked.push([at === 0 ? 1 : 2, node]);
    else if (path.toLowerCase().includes(wanted)) ranked.push([3, node]);
  });
  ranked.sort((a, b) => a[0] - b[0] || incoming[b[1]].length - incoming[a[1]].length || a[1] - b[1]);
  return ranked.slice(0, MAX_MATCHES).map(([, node]) => node);
}

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
