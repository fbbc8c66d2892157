/**
 * State of the picture: the drawing unpacked from the page's data, the open folders, and the shown nodes with their
 * colours, as elements for Cytoscape.
 */
import type cytoscape from 'cytoscape';
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
  type PagePayload,
  type PictureView,
} from '../folders.js';

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
  /** True if tests, fixtures, examples and generated files are drawn too. */
  showSecondary: boolean;
  readonly unlinked: number;

  constructor(
    readonly view: PictureView,
    readonly model: Model,
    limit: number,
  ) {
    const linked = model.nodes.flatMap((_, i) => (this.isLinked(i) ? [i] : []));
    this.unlinked = model.nodes.length - linked.length;
    this.showUnlinked = linked.length === 0;
    this.showSecondary = linked.every((node) => model.secondary.has(node));
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

  toggleSecondary(): void {
    this.showSecondary = !this.showSecondary;
    this.openFirst();
  }

  private tree(): Folder[] {
    const { secondary, nodes } = this.model;
    return folderTree(
      nodes,
      (node) => (this.showUnlinked || this.isLinked(node)) && (this.showSecondary || !secondary.has(node)),
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
    if (this.model.secondary.has(node)) this.showSecondary = true;
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

/** Drops closed folders in which every node is hidden. */
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
    // Cycles are listed instead: nearly all folders of many repositories are in one, so painting them shows nothing.
    classes: kinds.every((kind) => kind === 'type-import') ? 'weak' : '',
  }));
  return [...nodes, ...edges];
}

/** Names of marks, each with as many folders as make it unique. */
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

/** Path for a label: a symbol's file precedes its name. */
const pathOf = ({ path, label, kind }: Model['nodes'][number]): string => (kind === 'file' ? path : `${path} ${label}`);

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

export function readPayload(): PagePayload {
  return JSON.parse((document.getElementById('data') as HTMLElement).textContent as string) as PagePayload;
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

// Colours.

/** Folders of one colour: the folder `at` and those below it without a group of their own. */
interface Group {
  path: string;
  colour: string;
  total: number;
}

/** Maximum number of groups: more hues look alike. */
const MAX_GROUPS = 16;

/** Minimum share of the picture's nodes in a group, so that no colour goes to a handful of nodes. */
const MIN_SHARE = 0.015;

/** Group of each folder: the largest folders have their own, the others have that of their parent. */
function groupFolders(folders: readonly Folder[], dark: boolean): { groups: Group[]; groupOf: number[] } {
  const enough = Math.max(2, folders[0].total * MIN_SHARE);
  const parts = new Map([[0, folders[0].total]]);
  const largest = folders.map((_, at) => at).sort((a, b) => folders[b].total - folders[a].total || a - b);
  for (const at of largest.slice(1)) {
    const { total } = folders[at];
    if (total < enough || [...parts.values()].filter((rest) => rest > 0).length >= MAX_GROUPS) break;
    let around = folders[at].parent;
    while (!parts.has(around)) around = folders[around].parent;
    parts.set(around, (parts.get(around) as number) - total);
    parts.set(at, total);
  }
  for (const [at, rest] of parts) if (rest === 0 && parts.size > 1) parts.delete(at);
  const order = [...parts.keys()].sort((a, b) => (folders[a].path < folders[b].path ? -1 : 1));
  const number = new Map(order.map((at, i) => [at, i]));
  const groupOf: number[] = [];
  folders.forEach(({ parent }, at) => {
    groupOf[at] = number.get(at) ?? (parent < 0 ? 0 : groupOf[parent]);
  });
  const groups = order.map((at, i) => ({
    path: folders[at].path === '' ? '/' : folders[at].path,
    colour: hue(i, order.length, dark),
    total: parts.get(at) as number,
  }));
  return { groupOf, groups };
}

/** Colour `i` of `count`: hues are spread evenly in OKLCH, and neighbours differ in brightness too. */
function hue(i: number, count: number, dark: boolean): string {
  const angle = ((i / count) * 2 * Math.PI + 4.4) % (2 * Math.PI);
  const lift = i % 2 === 0 ? 0 : 0.07;
  return oklch((dark ? 0.72 : 0.58) + lift, dark ? 0.13 : 0.15, angle);
}

/** Converts OKLCH to sRGB, as in the CSS Color 4 specification. */
function oklch(lightness: number, chroma: number, angle: number): string {
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const bytes = linear.map((value) => {
    const held = Math.min(1, Math.max(0, value));
    return Math.round(255 * (held <= 0.0031308 ? 12.92 * held : 1.055 * held ** (1 / 2.4) - 0.055));
  });
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** Colour of the style sheet, which has one set for dark mode and one for light mode. */
export function cssColour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
