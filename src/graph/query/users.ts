/** Walks against the edges from a definition to its users and their users, for impact and for reaching tests. */
import type { Graph } from '../graph.js';
import { CONFIDENCE, type EdgeKind, EVIDENCE_TIERS, FILE_EDGE_KINDS } from '../tables.js';
import { isInnerTest, isRunnableTest } from './node-place.js';
import { firstOf, overloadsOf } from './overloads.js';
import { isFunction, makersOf, overriddenBy } from './uses.js';

/**
 * `overrides`: it uses the member of a parent type that the previous node overrides. `contains`: the previous node contains it. `named`: it
 * states a name by which the previous node runs, as that of an event, and asks for no route.
 */
type UserKind = EdgeKind | 'overrides' | 'contains' | 'named';

/** A node on the way from a use to the definition that is finally used. */
export interface User {
  node: number;
  hop: number;
  how: UserKind;
  /** Evidence: a line of the node's file. */
  line: number;
  /** Likelihood that all steps to it are right. */
  confidence: number;
  /** Node that it uses. */
  via: number;
  /** Is a step to it likely, and not proven? */
  isLikely?: boolean;
}

interface WalkOptions {
  depth: number;
  /** Leaves out less likely users. */
  minConfidence?: number;
}

/** Nodes that use the seeds, directly or through others, each once with its fewest hops; nearest first. */
export function walkUsers(graph: Graph, seeds: readonly number[], options: WalkOptions): User[] {
  return new Walk(graph, seeds, options).run();
}

/** Marks in columns: a walk passes most nodes of a graph, and maps would take ten times as long. */
interface Marks {
  /** By node: number of the last walk that saw it. */
  seen: Uint32Array;
  /** By node: number of the last hop that found it, and its index in the results of that hop. */
  hop: Uint32Array;
  slot: Uint32Array;
  walks: number;
  hops: number;
}

const marks = new WeakMap<Graph, Marks>();

function marksOf(graph: Graph): Marks {
  let known = marks.get(graph);
  if (known === undefined) {
    const column = () => new Uint32Array(graph.nodeCount);
    known = { seen: column(), hop: column(), slot: column(), walks: 0, hops: 0 };
    marks.set(graph, known);
  }
  return known;
}

const LIKELY = EVIDENCE_TIERS.indexOf('likely');
const CONFIDENCES = EVIDENCE_TIERS.map((tier) => CONFIDENCE[tier]);

/** A node from which a walk goes on. */
type Step = Pick<User, 'node' | 'confidence' | 'isLikely'>;

class Walk {
  private readonly found: User[] = [];
  private readonly marks: Marks;
  private readonly walk: number;
  private readonly least: number;
  /** Files whose imports are followed: requested files, and files that import one, but not each file with a use in it. */
  private readonly asFile: Set<number>;
  /** Number of the current hop. */
  private hop = 0;
  private via = 0;
  private confidence = 1;
  private isLikely = false;

  constructor(
    private readonly graph: Graph,
    private readonly seeds: readonly number[],
    private readonly options: WalkOptions,
  ) {
    this.marks = marksOf(graph);
    this.walk = ++this.marks.walks;
    this.least = options.minConfidence ?? 0;
    this.asFile = new Set(seeds.filter((node) => graph.isFile(node)));
  }

  run(): User[] {
    const { graph, found, marks: columns, asFile, walk } = this;
    for (const seed of this.seeds) columns.seen[seed] = walk;
    let level: readonly Step[] = this.seeds.map((node) => ({ node, confidence: 1, isLikely: false }));
    for (this.hop = 1; this.hop <= this.options.depth && level.length > 0; this.hop++) {
      columns.hops++;
      const before = found.length;
      this.step(level);
      level = found.slice(before);
      for (const { node } of level) columns.seen[node] = walk;
      for (const { node, how } of found.slice(before))
        if (graph.isFile(node) && FILE_EDGE_KINDS.has(how as EdgeKind)) asFile.add(node);
    }
    return found;
  }

  private step(level: readonly Step[]): void {
    const { graph, asFile } = this;
    // Declarations that share a body share their users: a generated file has thousands of them.
    const walked = new Map<number, number>();
    for (const { node, confidence, isLikely } of level) {
      this.via = node;
      this.isLikely = isLikely === true;
      this.confidence = confidence;
      const first = firstOf(graph, node);
      if ((walked.get(first) ?? -1) < confidence) {
        walked.set(first, confidence);
        for (const declared of overloadsOf(graph, node)) this.uses(declared, asFile.has(node));
      }
      if (!graph.isFile(node)) this.further(node);
    }
  }

  private uses(node: number, asFile: boolean): void {
    const { graph } = this;
    const { base, edges } = graph.incomingLists();
    for (let i = base[node]; i < base[node + 1]; i++)
      if (asFile || !graph.isFileEdge(edges[i])) this.edge(edges[i], stepOf(graph, edges[i]));
  }

  /** Adds uses of a constructor's class and of overridden members, and the function around a definition. */
  private further(node: number): void {
    const { graph } = this;
    const container = graph.container(node);
    if (graph.kind(node) === 'constructor') {
      // `new Cart()` is a use of the class.
      for (const edge of makersOf(graph, node)) this.edge(edge, 'new');
    } else {
      for (const parent of overriddenBy(graph, node))
        for (const edge of graph.incoming(parent)) this.edge(edge, 'overrides');
    }
    if (!graph.isFile(container) && isFunction(graph, container))
      this.offer(container, {
        how: 'contains',
        line: graph.startLine(node),
        confidence: this.confidence,
        isLikely: this.isLikely,
      });
  }

  private edge(edge: number, how: UserKind): void {
    const { graph } = this;
    const { edgeLine, edgeTier } = graph.tables;
    const confidence = this.confidence * CONFIDENCES[edgeTier[edge]];
    const source = graph.source(edge);
    if (this.marks.seen[source] !== this.walk && confidence >= this.least)
      this.offer(source, {
        how,
        line: edgeLine[edge],
        confidence,
        isLikely: this.isLikely || edgeTier[edge] === LIKELY,
      });
  }

  private offer(
    node: number,
    { how, line, confidence, isLikely }: Pick<User, 'how' | 'line' | 'confidence' | 'isLikely'>,
  ): void {
    const { marks: columns, found } = this;
    if (columns.seen[node] === this.walk || confidence < this.least) return;
    const user = { node, how, line, confidence, isLikely, hop: this.hop, via: this.via };
    if (columns.hop[node] !== columns.hops) {
      columns.hop[node] = columns.hops;
      columns.slot[node] = found.push(user) - 1;
    } else if (found[columns.slot[node]].confidence < confidence) found[columns.slot[node]] = user;
  }
}

// Test files among the users.

/** Minimum depth of the search for tests. Of those at the fifth hop fewer than half ran the definition, in traced repositories. */
export const TEST_DEPTH = 4;

export interface ReachingTest {
  path: string;
  /** The test function, if it is a symbol. */
  symbol: string | null;
  hops: number;
  line: number;
  /** A step to it is likely, and not proven. */
  likely?: true;
}

/** Test files with their nearest use, nearest first. `users` comes from `walkUsers`. */
export function testsAmong(graph: Graph, users: readonly User[]): ReachingTest[] {
  const found = new Map<number, ReachingTest>();
  for (const { node, hop, line, isLikely } of users) {
    const file = graph.fileOf(node);
    if (found.has(file) || !(isRunnableTest(graph, file) || isInnerTest(graph, node, file))) continue;
    const symbol = graph.isFile(node) ? null : graph.qualifiedName(node);
    const path = graph.tables.files[file].path;
    found.set(file, { path, symbol, hops: hop, line, ...(isLikely && { likely: true as const }) });
  }
  return [...found.values()].sort((a, b) => a.hops - b.hops || (a.path < b.path ? -1 : 1));
}

/** Method and path of a route that is asked for; the others are messages, keys, and names of routes. */
const ROUTE = /^(?!(?:NAME|TAKE|TOPIC) )[A-Z|]+ /;

function stepOf(graph: Graph, edge: number): UserKind {
  const kind = graph.edgeKind(edge);
  if (kind !== 'request') return kind;
  const { edgeTier, edgeLiteral, strings } = graph.tables;
  return edgeTier[edge] !== LIKELY && ROUTE.test(strings[edgeLiteral[edge]]) ? kind : 'named';
}

/** Counts test files that import one of these files, directly or through others: they may run it in ways that no call shows. */
export function countTestsImporting(graph: Graph, files: Iterable<number>): number {
  const seen = new Set([...files].map((file) => graph.fileNode(file)));
  let count = 0;
  for (const node of seen) {
    for (const edge of graph.incoming(node)) {
      const source = graph.source(edge);
      if (!graph.isFileEdge(edge) || seen.has(source)) continue;
      seen.add(source);
      if (isRunnableTest(graph, graph.fileOf(source))) count++;
    }
  }
  return count;
}
