/**
 * Makes the map of a repository, or of a part of it, within a budget of tokens: some definitions of every folder first,
 * then the most central ones.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { remember } from '../../../base/cache.js';
import { addTo, getOrMake, groupBy } from '../../../base/lists.js';
import { safeJson } from '../../../base/printable.js';
import { estimateTokens } from '../../../base/tokens.js';
import type { Graph } from '../../../graph/graph.js';
import {
  centralityOf,
  entriesOf,
  filesOnMap,
  foldersOf,
  type MapEntry,
  type MapFolder,
  secondaryFolders,
  shownContainer,
} from '../../../graph/query/file-edges.js';
import { declarationText, signatureText } from '../../../graph/query/signatures.js';
import { openFacts } from '../../../session/blob-facts.js';
import type { Session } from '../../../session/session.js';
import type { GraphAndHeader } from '../snapshot-graph.js';
import type { GraphMapResponse } from './question.js';

interface MapOptions {
  /** Requested parts by name, and a test for their paths; default: everything. */
  scope?: { names: string[]; accepts: (path: string) => boolean };
  /** Number of tokens. */
  budget: number;
  /** Shows declarations, not only names; default true. */
  signatures?: boolean;
  signal?: AbortSignal;
}

/** Tokens of the line about the snapshot, before the text. */
const AROUND = 30;
/** Approximate tokens of a file with its first definition. It limits the files that are read. */
const TOKENS_PER_FILE = 30;
const MAX_FILES = 400;
/** Minimum number of files of each folder that are considered, even if other folders have more central ones. */
const FILES_OF_FOLDER = 3;
/** Maximum number of fillings, each smaller than the one before. If none of them fits, the map lists no folder. */
const ATTEMPTS = 5;
/** Tokens that a filling gives up beyond those by which the last one was too large. */
const SLACK = 8;
/** Maximum number of folders of tests and examples, listed beside the map. */
const MAX_SECONDARY_FOLDERS = 6;

/** The last maps of each graph: the first view of the web page requests the same one again and again. */
const made = new WeakMap<Graph, Map<string, GraphMapResponse>>();
const MAX_CACHED_MAPS = 4;

export async function mapOf(
  session: Session,
  prepared: GraphAndHeader,
  options: MapOptions,
): Promise<GraphMapResponse> {
  const { graph, header } = prepared;
  const { scope, signatures, budget } = options;
  const key = JSON.stringify([header, scope?.names, signatures, budget, prepared.prefix]);
  const maps = made.get(graph) ?? new Map<string, GraphMapResponse>();
  made.set(graph, maps);
  const map = maps.get(key) ?? (await makeMap(session, prepared, options));
  remember(maps, key, map, MAX_CACHED_MAPS);
  return map;
}

async function makeMap(
  session: Session,
  prepared: GraphAndHeader,
  { scope, signatures = true, budget, signal }: MapOptions,
): Promise<GraphMapResponse> {
  const { graph, header } = prepared;
  const shown = filesOnMap(graph, scope?.accepts);
  // Cached for the next steps: for a newly linked graph it takes as long as all of them.
  centralityOf(graph);
  await othersFirst(signal);
  const folders = foldersOf(graph, shown);
  await othersFirst(signal);
  const entries = candidates(folders, budget).flatMap((file) => entriesOf(graph, file));
  const declared = await declareEntries(session, prepared, { entries, signatures, signal });
  const others = secondaryFolders(graph, new Set(shown), scope?.accepts).slice(0, MAX_SECONDARY_FOLDERS);
  const aside = others.map(([path, files]) => ({ path, files }));
  const head = { ...header, scope: scope?.names ?? [], budget, tokens: budget, folderCount: folders.length, aside };
  await othersFirst(signal);
  return withinBudget(new MapFiller({ graph, folders, declared }), head, signal);
}

/** Lets other questions, and a cancellation, go first. Throws the signal's reason. */
async function othersFirst(signal: AbortSignal | undefined): Promise<void> {
  await nextTurn();
  signal?.throwIfAborted();
}

/** Files that may be shown: the most central ones, and some of each folder. */
function candidates(folders: readonly MapFolder[], budget: number): number[] {
  const most = Math.min(MAX_FILES, Math.ceil(budget / TOKENS_PER_FILE));
  const few = folders.flatMap(({ files }) => files.slice(0, FILES_OF_FOLDER)).slice(0, most);
  const found = new Set(few);
  // Round by round, each folder in proportion to its share of the whole.
  const total = folders.reduce((sum, { value }) => sum + value, 0) || 1;
  for (const { files, value } of folders)
    for (const file of files.slice(0, Math.ceil((value / total) * most))) found.add(file);
  return [...found];
}

type Head = Omit<GraphMapResponse, 'folders'>;

/** Fills with less and less room until the whole document fits into its budget. Throws the signal's reason. */
async function withinBudget(filler: MapFiller, head: Head, signal?: AbortSignal): Promise<GraphMapResponse> {
  const budget = head.budget - AROUND;
  let room = Math.max(0, budget - tokensOf({ ...head, folders: [] }));
  for (let attempt = 1; ; attempt++) {
    const folders = attempt > ATTEMPTS ? [] : filler.fill(room);
    const document = { ...head, folders };
    const tokens = tokensOf(document);
    if (tokens <= budget || attempt > ATTEMPTS) return { ...document, tokens };
    room = Math.max(0, room - (tokens - budget) - SLACK);
    await othersFirst(signal);
  }
}

function tokensOf(document: GraphMapResponse): number {
  return estimateTokens(safeJson(document));
}

// Choice of files and definitions.

type Folder = GraphMapResponse['folders'][number];
type File = Folder['central'][number];
type Definition = File['defines'][number];

/** Share of the budget for the best files of each folder, before more central files of other folders. */
const EVERYWHERE = 0.45;
/** Number of definitions that these files show at first. */
const FIRST_DEFINITIONS = 2;
/** Factor for each further definition of a file, which means less than the previous one. */
const FURTHER = 0.75;
/** Exponent of centrality, which falls off steeply: without it a map would show only the ten most used files. */
const FLAT = 0.5;
const MAX_DEFINITIONS = 12;
const MAX_MEMBERS = 8;

/** Definitions of one file that the map shows. */
interface Chosen {
  /** Definitions at top level. */
  definitions: Declared[];
  /** Members by the node of their type. */
  members: Map<number, Declared[]>;
}

interface MapMaterial {
  graph: Graph;
  folders: readonly MapFolder[];
  /** Declarations, best first. */
  declared: readonly Declared[];
}

/** Fills budgets of any size from the same material; shared values are computed once. */
class MapFiller {
  private readonly known: Known;

  constructor(material: MapMaterial) {
    this.known = new Known(material);
  }

  fill(room: number): Folder[] {
    const filling = new Filling(this.known, room);
    const shown = filling.folders();
    filling.everywhere(shown);
    filling.rest(new Set(shown.flatMap(({ files }) => files)));
    return shown.map((folder) => filling.written(folder));
  }
}

/** Facts that are independent of the choice. Costs are in tokens. */
class Known {
  /** Definitions at top level, best first. */
  private readonly tops = new Map<number, Declared[]>();
  private readonly costs = new Map<Declared, number>();
  private readonly openings = new Map<number, number>();

  constructor(readonly material: MapMaterial) {
    for (const each of material.declared) {
      if (each.container >= 0) continue;
      addTo(this.tops, each.file, each);
    }
  }

  topOf(file: number): readonly Declared[] {
    return this.tops.get(file) ?? [];
  }

  costOf(each: Declared): number {
    return getOrMake(this.costs, each, () => costOf(each.container >= 0 ? memberText(each) : definitionOf(each, [])));
  }

  /** Cost of a file without its definitions. */
  openingOf(file: number): number {
    return getOrMake(this.openings, file, () => costOf(this.fileWith(file, [])));
  }

  fileWith(file: number, defines: Definition[]): File {
    const { graph } = this.material;
    const { path } = graph.tables.files[file];
    const lines = graph.endLine(graph.fileNode(file));
    return { path, lines, defined: this.topOf(file).length, defines };
  }
}

/**
 * One choice of files and definitions for `room` tokens. Each step spends tokens that the one before has left: `folders`, then `everywhere`,
 * then `rest`; `written` gives the result.
 */
class Filling {
  /** Choices by file. */
  private readonly chosen = new Map<number, Chosen>();
  /** Tokens that are not spent yet. */
  private left: number;

  constructor(
    private readonly known: Known,
    private readonly room: number,
  ) {
    this.left = room;
  }

  /** Folders whose headings fit into half of the budget. */
  folders(): MapFolder[] {
    const shown: MapFolder[] = [];
    for (const folder of this.known.material.folders) {
      const cost = costOf(this.written(folder));
      if (this.left - cost < this.room / 2) break;
      this.left -= cost;
      shown.push(folder);
    }
    return shown;
  }

  /** Adds the best file of each folder, with its first definitions, until their share of the tokens is spent. */
  everywhere(shown: readonly MapFolder[]): void {
    const least = this.left * (1 - EVERYWHERE);
    for (const { files } of shown) {
      const [best] = files;
      if (best === undefined || this.left < least) continue;
      for (const each of this.known.topOf(best).slice(0, FIRST_DEFINITIONS)) this.add(each);
      if (!this.chosen.has(best)) this.open(best);
    }
  }

  /** Spends all other tokens on the most central definitions of these files, whichever folders they are in. */
  rest(files: ReadonlySet<number>): void {
    const open = this.known.material.declared.filter(({ file }) => files.has(file));
    const order = new BestFirst(open, ({ value }, before) => value ** FLAT * FURTHER ** before, {
      chosen: (group) => this.chosenOf(group).length,
      isOpen: ({ file, container }) => container < 0 || this.isChosen(file, container),
    });
    while (this.left > 0) {
      const each = order.next();
      if (each === undefined) break;
      this.add(each);
      order.settle(each);
    }
  }

  /** Definitions that were chosen from the group of this one. */
  private chosenOf({ file, container }: Declared): readonly Declared[] {
    const known = this.chosen.get(file);
    return (container < 0 ? known?.definitions : known?.members.get(container)) ?? [];
  }

  private isChosen(file: number, node: number): boolean {
    return this.chosen.get(file)?.definitions.some((each) => each.node === node) ?? false;
  }

  /** Adds a file without definitions; false if it does not fit. */
  private open(file: number): boolean {
    const cost = this.known.openingOf(file);
    if (cost > this.left) return false;
    this.left -= cost;
    this.chosen.set(file, { definitions: [], members: new Map() });
    return true;
  }

  /** Adds a definition, with its file if that is new. Does nothing if it does not fit or if its list is full. */
  private add(each: Declared): void {
    const known = this.chosen.get(each.file);
    if (known?.definitions.includes(each)) return;
    const isMember = each.container >= 0;
    const cost = this.known.costOf(each);
    const opening = known === undefined ? this.known.openingOf(each.file) : 0;
    if (cost + opening > this.left) return;
    if (known === undefined && !this.open(each.file)) return;
    const { definitions, members } = this.chosen.get(each.file) as Chosen;
    const list = isMember ? (members.get(each.container) ?? []) : definitions;
    if (list.length >= (isMember ? MAX_MEMBERS : MAX_DEFINITIONS)) return;
    list.push(each);
    if (isMember) members.set(each.container, list);
    this.left -= cost;
  }

  /** The folder of the document, with the files and definitions that were chosen up to now. */
  written({ path, files, uses }: MapFolder): Folder {
    const central = files.filter((file) => this.chosen.has(file)).map((file) => this.fileOf(file));
    return { path, files: files.length, uses, central };
  }

  private fileOf(file: number): File {
    const { definitions = [], members = new Map<number, Declared[]>() } = this.chosen.get(file) ?? {};
    const defines = [...definitions]
      .sort((a, b) => a.line - b.line)
      .map((each) => definitionOf(each, members.get(each.node) ?? []));
    return this.known.fileWith(file, defines);
  }
}

function definitionOf({ line, text }: Declared, members: readonly Declared[]): Definition {
  const inside = [...members].sort((a, b) => a.line - b.line).map(memberText);
  return { line, text, ...(inside.length > 0 && { members: inside }) };
}

const memberText = ({ line, text }: Declared): string => `${line} ${text}`;

function costOf(part: unknown): number {
  return estimateTokens(JSON.stringify(part)) + 1;
}

// Order of definitions: the worth of each falls with the number of chosen ones of its group.

/** Top-level definitions of one file, or members of one type: they share the definitions chosen before them. */
interface Group {
  /** Members, best first, with their places among all definitions. */
  members: { each: Declared; place: number }[];
  /** Index of the first one that still waits. */
  at: number;
  worth: number;
}

interface Choice {
  /** Number of chosen definitions of the group. */
  chosen: (each: Declared) => number;
  /** Is its type shown? Members wait until then. */
  isOpen: (each: Declared) => boolean;
}

/** A heap of groups by their best definition: examining every definition for every choice would be quadratic. */
export class BestFirst {
  private readonly groups = new Map<string, Group>();
  private readonly waiting = new Map<number, Group>();
  private readonly heap: Group[] = [];

  /** `all`: best first. `worthOf` must not rise where the value falls. Among equals the first of `all` wins. */
  constructor(
    all: readonly Declared[],
    private readonly worthOf: (each: Declared, before: number) => number,
    private readonly choice: Choice,
  ) {
    for (const [place, each] of all.entries()) {
      const key = keyOf(each);
      const known = this.groups.get(key);
      if (known === undefined) this.groups.set(key, { members: [{ each, place }], at: 0, worth: 0 });
      else known.members.push({ each, place });
    }
    for (const group of this.groups.values()) {
      const [{ each }] = group.members;
      if (choice.isOpen(each)) this.push(group);
      else this.waiting.set(each.container, group);
    }
  }

  /** Next definition; undefined if none of any worth is left. `settle` must follow, whether or not it is chosen. */
  next(): Declared | undefined {
    const group = this.pop();
    return group?.members[group.at++].each;
  }

  /** Queues its successors: the rest of its group, and its members. */
  settle(each: Declared): void {
    const group = this.groups.get(keyOf(each));
    if (group !== undefined) this.push(group);
    const inside = this.waiting.get(each.node);
    if (inside === undefined || !this.choice.isOpen(inside.members[0].each)) return;
    this.waiting.delete(each.node);
    this.push(inside);
  }

  private push(group: Group): void {
    if (group.at >= group.members.length) return;
    const { each } = group.members[group.at];
    // A member is one further than its type.
    group.worth = this.worthOf(each, this.choice.chosen(each) + (each.container >= 0 ? 1 : 0));
    if (!(group.worth > 0)) return;
    const { heap } = this;
    let at = heap.push(group) - 1;
    for (let above = (at - 1) >> 1; at > 0 && isBefore(group, heap[above]); above = (at - 1) >> 1) {
      heap[at] = heap[above];
      at = above;
    }
    heap[at] = group;
  }

  private pop(): Group | undefined {
    const { heap } = this;
    const [best] = heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return best;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below + 1 < heap.length && isBefore(heap[below + 1], heap[below])) below++;
      if (below >= heap.length || !isBefore(heap[below], last)) break;
      heap[at] = heap[below];
      at = below;
    }
    heap[at] = last;
    return best;
  }
}

const keyOf = ({ file, container }: Declared): string => `${file} ${container}`;

function isBefore(a: Group, b: Group): boolean {
  return a.worth === b.worth ? a.members[a.at].place < b.members[b.at].place : a.worth > b.worth;
}

export interface Declared extends MapEntry {
  /** Enclosing type, -1 at top level. */
  container: number;
  line: number;
  text: string;
}

/** Definitions of all these files, best first. Without `signatures` they have only names, and no file is read. */
async function declareEntries(
  session: Session,
  prepared: GraphAndHeader,
  { entries, signatures, signal }: { entries: readonly MapEntry[]; signatures: boolean; signal?: AbortSignal },
): Promise<Declared[]> {
  const texts = signatures ? await readDeclarations(session, prepared, { entries, signal }) : new Map<number, string>();
  const { graph } = prepared;
  const all = entries.map((entry): Declared => {
    const container = shownContainer(graph, entry.node);
    const text = texts.get(entry.node) ?? graph.name(entry.node);
    return { ...entry, container, line: Math.max(1, graph.startLine(entry.node)), text };
  });
  return all.sort((a, b) => b.value - a.value || a.node - b.node);
}

/** Declarations as they are written, by node. A definition whose file cannot be read has none. */
async function readDeclarations(
  session: Session,
  prepared: GraphAndHeader,
  { entries, signal }: { entries: readonly MapEntry[]; signal?: AbortSignal },
): Promise<Map<number, string>> {
  const { graph } = prepared;
  const byFile = groupBy(entries, ({ file }) => file);
  const versions = [...byFile.keys()].map((file) => ({ ...graph.tables.files[file], file }));
  const texts = new Map<number, string>();
  const source = await openFacts(session, prepared, { count: versions.length, signal });
  try {
    // Files with the same bytes come one after the other, so each is found by its path.
    const byPath = new Map(versions.map(({ path, file }) => [path, file]));
    await source.prefetch(versions, undefined, ({ path }, facts, bytes) => {
      const file = byPath.get(path);
      if (file === undefined || facts === null || bytes === null) return;
      const first = graph.fileNode(file) + 1;
      for (const { node } of byFile.get(file) ?? []) {
        const symbol = facts.symbols[node - first];
        if (symbol !== undefined)
          texts.set(node, declarationText(signatureText(bytes, symbol), graph.tables.files[file].language));
      }
    });
  } finally {
    await source.close();
  }
  return texts;
}
