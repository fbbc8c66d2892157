/** Chooses the files and definitions that a map shows: some of every folder, then the most central for the tokens left. */
import { estimateTokens } from '../../../../base/tokens.js';
import type { Graph } from '../../../../graph/graph.js';
import type { Declared } from './declarations.js';
import type { MapFolder } from './folders.js';
import { BestFirst } from './order.js';
import type { GraphMapResponse } from './output.js';

type Folder = GraphMapResponse['folders'][number];
type File = Folder['central'][number];
type Definition = File['defines'][number];

/** Share of the room for the best files of each folder, before more central files of other folders. */
const EVERYWHERE = 0.45;
/** Definitions that these files show at first. */
const FIRST_DEFINITIONS = 2;
/** The n-th definition of a file says less than the one before. */
const FURTHER = 0.75;
/** Centrality falls off steeply: by it alone, a map would show the ten most used files and nothing else. */
const FLAT = 0.5;
const MAX_DEFINITIONS = 12;
const MAX_MEMBERS = 8;

interface Chosen {
  definitions: Declared[];
  members: Map<number, Declared[]>;
}

interface MapMaterial {
  graph: Graph;
  folders: readonly MapFolder[];
  /** Best first. */
  declared: readonly Declared[];
}

/** Fills rooms of any size from the same material; what they share is computed once. */
export class MapFiller {
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

/** Facts that do not depend on the choice. */
class Known {
  /** At top level, best first. */
  private readonly tops = new Map<number, Declared[]>();
  private readonly costs = new Map<Declared, number>();
  private readonly openings = new Map<number, number>();

  constructor(readonly material: MapMaterial) {
    for (const each of material.declared) {
      if (each.container >= 0) continue;
      const known = this.tops.get(each.file);
      if (known === undefined) this.tops.set(each.file, [each]);
      else known.push(each);
    }
  }

  topOf(file: number): readonly Declared[] {
    return this.tops.get(file) ?? [];
  }

  costOf(each: Declared): number {
    let cost = this.costs.get(each);
    if (cost === undefined) {
      cost = costOf(each.container >= 0 ? memberText(each) : definitionOf(each, []));
      this.costs.set(each, cost);
    }
    return cost;
  }

  /** Cost of a file without its definitions. */
  openingOf(file: number): number {
    let cost = this.openings.get(file);
    if (cost === undefined) {
      cost = costOf(this.fileWith(file, []));
      this.openings.set(file, cost);
    }
    return cost;
  }

  fileWith(file: number, defines: Definition[]): File {
    const { graph } = this.material;
    const { path } = graph.tables.files[file];
    const lines = graph.endLine(graph.fileNode(file));
    return { path, lines, defined: this.topOf(file).length, defines };
  }
}

class Filling {
  private readonly chosen = new Map<number, Chosen>();
  private left: number;

  constructor(
    private readonly known: Known,
    private readonly room: number,
  ) {
    this.left = room;
  }

  /** Folders whose headings fit into half of the room. */
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

  everywhere(shown: readonly MapFolder[]): void {
    const least = this.left * (1 - EVERYWHERE);
    for (const { files } of shown) {
      const [best] = files;
      if (best === undefined || this.left < least) continue;
      for (const each of this.known.topOf(best).slice(0, FIRST_DEFINITIONS)) this.add(each);
      if (!this.chosen.has(best)) this.open(best);
    }
  }

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

  private chosenOf({ file, container }: Declared): readonly Declared[] {
    const known = this.chosen.get(file);
    return (container < 0 ? known?.definitions : known?.members.get(container)) ?? [];
  }

  private isChosen(file: number, node: number): boolean {
    return this.chosen.get(file)?.definitions.some((each) => each.node === node) ?? false;
  }

  private open(file: number): boolean {
    const cost = this.known.openingOf(file);
    if (cost > this.left) return false;
    this.left -= cost;
    this.chosen.set(file, { definitions: [], members: new Map() });
    return true;
  }

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
