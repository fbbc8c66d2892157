/** Applies tag rules to a linked graph: one pass over files, symbols and the edges that rules ask about. */
import type { Graph } from '../../../graph/graph.js';
import { CALL_KINDS, isPlain } from '../../../graph/query/uses.js';
import { EDGE_KINDS } from '../../../graph/types.js';
import type { NameTest } from './names.js';
import type { NamesTest, RuleTests } from './rules.js';

/** A file or symbol that rules gave a tag. */
export interface TaggedPlace {
  path: string;
  /** Qualified name; null for a whole file. */
  symbol: string | null;
  startLine: number;
  endLine: number;
  /** Indexes of the rules. */
  rules: number[];
}

/** Lines that a rule's expression matched, by path. */
export type MatchedLines = ReadonlyMap<string, readonly number[]>;

/** By file and line. `matched`: by the index of a rule that has an expression. */
export function deriveTags(
  graph: Graph,
  rules: readonly RuleTests[],
  matched: ReadonlyMap<number, MatchedLines> = new Map(),
): TaggedPlace[] {
  const deriver = new Deriver(graph);
  const appliers = rules.map((tests, rule) => deriver.applier(tests, matched.get(rule)));
  const places: TaggedPlace[] = [];
  for (let file = 0; file < graph.fileCount; file++) {
    let given: Map<number, number[]> | null = null;
    for (let rule = 0; rule < appliers.length; rule++) {
      const nodes = appliers[rule](file);
      if (nodes.length === 0) continue;
      given ??= new Map();
      for (const node of nodes) given.set(node, [...(given.get(node) ?? []), rule]);
    }
    if (given === null) continue;
    for (const [node, by] of [...given].sort(([one], [other]) => one - other)) places.push(placeOf(graph, node, by));
  }
  return places;
}

function placeOf(graph: Graph, node: number, rules: number[]): TaggedPlace {
  const symbol = graph.isFile(node) ? null : graph.qualifiedName(node);
  return { path: graph.path(node), symbol, startLine: graph.startLine(node), endLine: graph.endLine(node), rules };
}

/** Nodes of a file that a rule accepts. */
type Applier = (file: number) => readonly number[];

const NONE: readonly number[] = [];
const CALLS = new Set([...CALL_KINDS].map((kind) => EDGE_KINDS.indexOf(kind)));
const FIRST_USE = EDGE_KINDS.indexOf('call');

class Deriver {
  constructor(private readonly graph: Graph) {}

  applier(
    { acceptsFile, acceptsLanguage, imports, symbol, calls, pattern }: RuleTests,
    matched?: MatchedLines,
  ): Applier {
    const { graph } = this;
    const importsIt = imports === null ? null : this.importTest(imports);
    const isNamed = symbol === null ? null : this.symbolTest(symbol);
    const callsIt = calls === null ? null : this.callTest(calls);
    return (file) => {
      const { path, language } = graph.tables.files[file];
      if (!acceptsLanguage(language) || (importsIt !== null && !importsIt(file))) return NONE;
      // Lines were looked for in accepted files alone.
      if (pattern !== null ? matched?.has(path) !== true : !acceptsFile(path)) return NONE;
      if (isNamed === null && callsIt === null && pattern === null) return [graph.fileNode(file)];
      const holders = pattern === null ? null : this.holdersOf(file, matched?.get(path) ?? NONE);
      const found: number[] = [];
      const end = graph.tables.nodeBase[file + 1];
      for (let node = graph.fileNode(file); node < end; node++) {
        if (isNamed !== null && !isNamed(node)) continue;
        if (holders !== null && !holders.has(node)) continue;
        if (callsIt !== null && !callsIt(node)) continue;
        if (!isPlain(graph, node)) found.push(node);
      }
      return found;
    };
  }

  private importTest(test: NameTest): (file: number) => boolean {
    const { edgeKind, edgeName } = this.graph.tables;
    const isMeant = this.byText(test);
    return (file) => {
      const [start, end] = this.graph.edgeRange(this.graph.fileNode(file));
      for (let edge = start; edge < end; edge++) if (edgeKind[edge] < FIRST_USE && isMeant(edgeName[edge])) return true;
      return false;
    };
  }

  private symbolTest({ simple, qualified, ending }: NamesTest): (node: number) => boolean {
    const { graph } = this;
    const { nodeName } = graph.tables;
    const isMeant = simple === null ? null : this.byText(simple);
    const mayEnd = ending === null ? null : this.byText(ending);
    return (node) => {
      if (graph.isFile(node)) return false;
      if (isMeant?.(nodeName[node]) === true) return true;
      return mayEnd?.(nodeName[node]) === true && qualified?.(graph.qualifiedName(node)) === true;
    };
  }

  private callTest(names: NamesTest): (node: number) => boolean {
    const { edgeKind } = this.graph.tables;
    const isMeant = this.callEdgeTest(names);
    return (node) => {
      const [start, end] = this.graph.edgeRange(node);
      for (let edge = start; edge < end; edge++) if (CALLS.has(edgeKind[edge]) && isMeant(edge)) return true;
      return false;
    };
  }

  private callEdgeTest({ simple, qualified, ending }: NamesTest): (edge: number) => boolean {
    const { edgeName, edgeReceiver, strings } = this.graph.tables;
    const isMeant = simple === null ? null : this.byText(simple);
    const mayEnd = ending === null ? null : this.byText(ending);
    return (edge) => {
      if (isMeant?.(edgeName[edge]) === true) return true;
      if (qualified === null || mayEnd?.(edgeName[edge]) !== true) return false;
      const receiver = strings[edgeReceiver[edge]];
      return receiver !== '' && qualified(`${receiver}.${strings[edgeName[edge]]}`);
    };
  }

  /** Tests each text of the graph once: names repeat a hundred times. */
  private byText(test: NameTest): (text: number) => boolean {
    const { strings } = this.graph.tables;
    const known = new Uint8Array(strings.length);
    return (text) => {
      if (known[text] === 0) known[text] = test(strings[text]) ? 2 : 1;
      return known[text] === 2;
    };
  }

  /** Innermost symbols around lines; the file for a line outside of all. */
  private holdersOf(file: number, lines: readonly number[]): Set<number> {
    const { graph } = this;
    const first = graph.fileNode(file);
    const nodes: number[] = [];
    for (let node = first + 1; node < graph.tables.nodeBase[file + 1]; node++)
      if (!isPlain(graph, node)) nodes.push(node);
    nodes.sort((a, b) => graph.startLine(a) - graph.startLine(b) || graph.endLine(b) - graph.endLine(a));
    const holders = new Set<number>();
    // Symbols that began, each inside of the one before it.
    const open: number[] = [];
    let next = 0;
    for (const line of [...lines].sort((a, b) => a - b)) {
      for (; next < nodes.length && graph.startLine(nodes[next]) <= line; next++) open.push(nodes[next]);
      while (open.length > 0 && graph.endLine(open[open.length - 1]) < line) open.pop();
      holders.add(open.at(-1) ?? first);
    }
    return holders;
  }
}
