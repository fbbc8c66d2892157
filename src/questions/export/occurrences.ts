/**
 * Occurrences of a SCIP index: the graph's uses of a file, at exact places in its text. Facts have offsets of definitions, but only lines
 * of uses.
 */
import { groupBy, lineAt, lineStarts } from '../../base/lists.js';
import type { Graph } from '../../graph/graph.js';
import { outgoing } from '../../graph/query/uses.js';
import type { GraphFile } from '../../graph/tables.js';
import { conventionsOf } from '../../languages/registry.js';
import type { LexicalConventions } from '../../languages/roles/relations.js';
import { skipOpaque } from '../../languages/roles/scan.js';
import { SCIP_ROLES, type ScipOccurrence, type ScipRange } from '../../scip/index-file.js';

export interface Use {
  edge: number;
  from: number;
  line: number;
  name: string;
  receiver: string;
  isCall: boolean;
}

function* edgesOf(graph: Graph, file: number): Generator<number> {
  const { nodeBase } = graph.tables;
  for (let node = nodeBase[file]; node < nodeBase[file + 1]; node++) yield* outgoing(graph, node);
}

/** Edges to other files that have a document. */
export function fileEdges(graph: Graph, file: number): number[] {
  return [...edgesOf(graph, file)].filter((edge) => {
    const to = graph.target(edge);
    return graph.isFileEdge(edge) && to >= 0 && isDescribed(graph, to);
  });
}

/** True for code. Imported data and documents have no SCIP document of their own. */
export function isDescribed(graph: Graph, node: number): boolean {
  return hasDocument(graph.tables.files[graph.fileOf(node)]);
}

export function hasDocument({ state, language }: GraphFile): boolean {
  return state === 'linked' && conventionsOf(language).pathClass !== 'data';
}

/** Uses of names in a file, by line from 0. A use without a target still takes its place. */
export function usesByLine(graph: Graph, file: number): Map<number, Use[]> {
  const found: Use[] = [];
  for (const edge of edgesOf(graph, file)) {
    if (graph.isFileEdge(edge)) continue;
    const { from, startLine, name, kind } = graph.edge(edge);
    const receiver = graph.tables.strings[graph.tables.edgeReceiver[edge]];
    found.push({ edge, from, line: startLine - 1, name, receiver, isCall: kind === 'call' || kind === 'new' });
  }
  return groupBy(found, ({ line }) => line);
}

const IMPORTED: ReadonlySet<string> = new Set(['imported', 'reexported', 'package', 'compiler']);
export const WORDS = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** Targets of imported names without a receiver, by their names here and where they are defined. */
export function importedNames(graph: Graph, file: number): Map<string, number> {
  const found = new Map<string, number>();
  const add = (name: string, to: number): void => {
    const known = found.get(name);
    // A name with two targets counts as unresolved.
    found.set(name, known === undefined || known === to ? to : -1);
  };
  for (const edge of edgesOf(graph, file)) {
    const { to, name, receiver, tier } = graph.edge(edge);
    if (to < 0 || receiver !== '' || graph.isFileEdge(edge) || !IMPORTED.has(tier)) continue;
    if (graph.fileOf(to) === file) continue;
    add(name, to);
    if (graph.name(to) !== name) add(graph.name(to), to);
  }
  return found;
}

/** Occurrences without repetitions. A definition or import takes precedence over a use of the symbol at the same place. */
export class Occurrences {
  private readonly found = new Map<string, ScipOccurrence>();

  add(range: ScipRange, symbol: string, roles: number, around?: ScipRange): void {
    const key = `${range.join(' ')} ${symbol}`;
    const known = this.found.get(key);
    if (known !== undefined && (known.roles & SCIP_ROLES.definition || !(roles & SCIP_ROLES.definition))) return;
    this.found.set(key, { range, symbol, roles, ...(around !== undefined && { enclosing: around }) });
  }

  sorted(): ScipOccurrence[] {
    return [...this.found.values()].sort(
      (a, b) =>
        a.range[0] - b.range[0] || a.range[1] - b.range[1] || a.range[3] - b.range[3] || (a.symbol < b.symbol ? -1 : 1),
    );
  }
}

/** Limits for minified files: the longest line that is searched for names, and most places of one name on it. */
const MAX_LINE = 20_000;
const MAX_PLACES = 64;
const WORD = /[\p{L}\p{N}_$]/u;

/** Lines of a file. Lines and columns count from 0, columns in UTF-16 units, offsets in bytes. */
export class Lines {
  private readonly starts: readonly number[];

  constructor(private readonly bytes: Buffer) {
    this.starts = lineStarts(bytes);
  }

  get count(): number {
    return this.starts.length;
  }

  text(line: number): string {
    if (line < 0 || line >= this.starts.length) return '';
    return this.bytes
      .toString('utf8', this.starts[line], this.starts[line + 1] ?? this.bytes.length)
      .replace(/\r?\n$/, '');
  }

  place(offset: number): readonly [line: number, column: number] {
    const line = lineAt(this.starts, offset) - 1;
    const start = this.starts[line];
    return [line, Math.min(this.bytes.toString('utf8', start, offset).length, this.text(line).length)];
  }

  offset(line: number, column: number): number {
    return this.starts[line] + Buffer.byteLength(this.text(line).slice(0, column));
  }
}

/** Columns at which `name` stands as a whole word. */
export function columnsOf(line: string, name: string): number[] {
  const found: number[] = [];
  if (name === '' || line.length > MAX_LINE) return found;
  const opensWord = WORD.test(name[0]);
  const closesWord = WORD.test(name[name.length - 1]);
  for (let at = line.indexOf(name); at !== -1 && found.length < MAX_PLACES; at = line.indexOf(name, at + 1)) {
    const before = line[at - 1] ?? ' ';
    const after = line[at + name.length] ?? ' ';
    if (!(opensWord && WORD.test(before)) && !(closesWord && WORD.test(after))) found.push(at);
  }
  return found;
}

/** Removes columns in strings and comments, as far as one line shows them. A template may hold code. */
export function outsideOfProse(line: string, columns: readonly number[], lexical: LexicalConventions): number[] {
  const ends: [start: number, end: number][] = [];
  for (let at = 0; at < line.length; ) {
    const end = skipOpaque(line, at, line.length, lexical);
    if (end > at + 1 && line[at] !== '`') ends.push([at, end]);
    at = end;
  }
  return columns.filter((column) => !ends.some(([start, end]) => column >= start && column < end));
}

/** A use of a name on a line, from the graph. */
interface NamedUse {
  name: string;
  receiver: string;
  isCall: boolean;
}

/**
 * Chooses columns for several uses of one name on a line, in order; -1 if there are too few. If there are more columns than uses, the ones
 * with fitting surroundings are taken: a dot before a member, a bracket after a call.
 */
export function alignUses(line: string, uses: readonly NamedUse[], columns: readonly number[]): number[] {
  if (uses.length >= columns.length) return uses.map((_, i) => columns[i] ?? -1);
  // best[i][j]: highest sum for the uses from `i` with the columns from `j`.
  const best = Array.from({ length: uses.length + 1 }, () => new Array<number>(columns.length + 1).fill(0));
  for (let i = uses.length - 1; i >= 0; i--) {
    best[i].fill(Number.NEGATIVE_INFINITY);
    for (let j = columns.length - 1; j >= 0; j--)
      best[i][j] = Math.max(best[i][j + 1], fit(line, uses[i], columns[j]) + best[i + 1][j + 1]);
  }
  const chosen: number[] = [];
  for (let j = 0; chosen.length < uses.length && j < columns.length; j++) {
    const i = chosen.length;
    if (fit(line, uses[i], columns[j]) + best[i + 1][j + 1] >= best[i][j + 1]) chosen.push(columns[j]);
  }
  return chosen;
}

/** True if the text before a name makes it a member's. */
export function isMemberAt(line: string, column: number): boolean {
  return /(?:\.|->|::|[@$:#\\])\s*$/.test(line.slice(Math.max(0, column - MAX_GAP), column));
}

/** Longest white space between a dot and a name. */
const MAX_GAP = 40;

function fit(line: string, { name, receiver, isCall }: NamedUse, column: number): number {
  const isMember = isMemberAt(line, column);
  const isCalled = /^\s*(?:\?\.)?[(<[{`!]/.test(line.slice(column + name.length));
  const before = line.slice(0, column).replace(/\s*[?!]?(?:\.|->|::)\s*$/, '');
  const isOfReceiver = receiver !== '' && before.endsWith(receiver.slice(receiver.lastIndexOf('.') + 1));
  return (isMember === (receiver !== '') ? 2 : 0) + (isOfReceiver ? 3 : 0) + (isCalled === isCall ? 1 : 0);
}
