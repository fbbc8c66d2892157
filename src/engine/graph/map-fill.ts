/** Which files and definitions a map shows: something of every folder, then whatever is most central for its tokens. */
import { estimateTokens } from '../../base/tokens.js';
import type { Graph } from '../../graph/graph.js';
import type { MapFolder } from '../../graph/query/map.js';
import type { GraphMapResponse } from '../contract.js';
import type { Declared } from './map-declarations.js';

type Folder = GraphMapResponse['folders'][number];
type File = Folder['central'][number];
type Definition = File['defines'][number];

/** Of the room, for the best files of each folder, before those of others that are more central. */
const EVERYWHERE = 0.45;
/** Definitions of those. */
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

export interface MapMaterial {
  graph: Graph;
  folders: readonly MapFolder[];
  /** Best first. */
  declared: readonly Declared[];
}

export function fillMap(material: MapMaterial, room: number): Folder[] {
  const filling = new Filling(material, room);
  const shown = filling.folders();
  filling.everywhere(shown);
  filling.rest(new Set(shown.flatMap(({ files }) => files)));
  return shown.map((folder) => filling.written(folder));
}

class Filling {
  private readonly chosen = new Map<number, Chosen>();
  private readonly ofFile = new Map<number, Declared[]>();
  private left: number;

  constructor(
    private readonly material: MapMaterial,
    private readonly room: number,
  ) {
    this.left = room;
    for (const each of material.declared) {
      const known = this.ofFile.get(each.file);
      if (known === undefined) this.ofFile.set(each.file, [each]);
      else known.push(each);
    }
  }

  /** As many as there are headings for, in half of the room. */
  folders(): MapFolder[] {
    const shown: MapFolder[] = [];
    for (const folder of this.material.folders) {
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
      for (const each of this.topOf(best).slice(0, FIRST_DEFINITIONS)) this.add(each);
      if (!this.chosen.has(best)) this.open(best);
    }
  }

  rest(files: ReadonlySet<number>): void {
    const open = this.material.declared.filter(({ file }) => files.has(file));
    const worth = (each: Declared) => {
      const { definitions = [], members } = this.chosen.get(each.file) ?? {};
      const inner = members?.get(each.container)?.length ?? 0;
      const before = each.container >= 0 ? inner + 1 : definitions.length;
      const isKnown = each.container < 0 || definitions.some(({ node }) => node === each.container);
      return isKnown ? each.value ** FLAT * FURTHER ** before : 0;
    };
    // Worth only falls as more is chosen, but for members whose type has come in: those are looked at again.
    for (let waiting = open; waiting.length > 0 && this.left > 0; ) {
      let best = -1;
      let most = 0;
      for (const [i, each] of waiting.entries()) {
        const value = worth(each);
        if (value > most) [best, most] = [i, value];
      }
      if (best < 0) break;
      const [each] = waiting.splice(best, 1);
      this.add(each);
    }
  }

  private topOf(file: number): Declared[] {
    return (this.ofFile.get(file) ?? []).filter(({ container }) => container < 0);
  }

  private open(file: number): boolean {
    const cost = costOf(this.fileOf(file));
    if (cost > this.left) return false;
    this.left -= cost;
    this.chosen.set(file, { definitions: [], members: new Map() });
    return true;
  }

  private add(each: Declared): void {
    const known = this.chosen.get(each.file);
    if (known?.definitions.includes(each)) return;
    const isMember = each.container >= 0;
    const cost = costOf(isMember ? memberText(each) : definitionOf(each, []));
    const opening = known === undefined ? costOf(this.fileOf(each.file)) : 0;
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
    const { graph } = this.material;
    const { definitions = [], members = new Map<number, Declared[]>() } = this.chosen.get(file) ?? {};
    const defines = [...definitions]
      .sort((a, b) => a.line - b.line)
      .map((each) => definitionOf(each, members.get(each.node) ?? []));
    const { path } = graph.tables.files[file];
    const lines = graph.endLine(graph.fileNode(file));
    return { path, lines, defined: this.topOf(file).length, defines };
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
