/** Walks from a definition against its edges, to its users and theirs: impact and reaching tests are found this way. */
import type { Graph } from '../graph.js';
import { CONFIDENCE, type EdgeKind, FILE_EDGE_KINDS } from '../types.js';
import { firstOf, overloadsOf } from './overloads.js';
import { isFunction, overriddenBy } from './uses.js';

/**
 * `overrides`: it uses the member of a parent type that the previous node overrides. `contains`: it is defined in the
 * previous node.
 */
type UserKind = EdgeKind | 'overrides' | 'contains';

/** A node on the way from a use to what is used in the end. */
export interface User {
  node: number;
  hop: number;
  how: UserKind;
  /** Evidence: a line of the node's file. */
  line: number;
  /** The likelihood that all of the steps to it are right. */
  confidence: number;
  /** The node that it uses. */
  via: number;
}

interface WalkOptions {
  depth: number;
  /** Leave out what is less likely than this. */
  minConfidence?: number;
}

/** Nodes that use the seeds, directly or through others; nearest first, each once, at its fewest hops. */
export function walkUsers(graph: Graph, seeds: readonly number[], { depth, minConfidence = 0 }: WalkOptions): User[] {
  const seen = new Set(seeds);
  // Imports are followed from files that were asked for, or that import one: not from each file with a use in it.
  const asFile = new Set(seeds.filter((node) => graph.isFile(node)));
  const found: User[] = [];
  let level: { node: number; confidence: number }[] = seeds.map((node) => ({ node, confidence: 1 }));
  for (let hop = 1; hop <= depth && level.length > 0; hop++) {
    const next = new Map<number, User>();
    // Declarations that share a body share their users: a generated file has thousands of them.
    const walked = new Map<number, number>();
    for (const { node, confidence } of level) {
      const first = firstOf(graph, node);
      const isWalked = (walked.get(first) ?? -1) >= confidence;
      if (!isWalked) walked.set(first, confidence);
      for (const step of stepsTo(graph, node, { asFile: asFile.has(node), declarations: !isWalked })) {
        const likelihood = confidence * step.confidence;
        if (seen.has(step.node) || likelihood < minConfidence) continue;
        const known = next.get(step.node);
        if (known === undefined || known.confidence < likelihood)
          next.set(step.node, { ...step, hop, via: node, confidence: likelihood });
      }
    }
    for (const user of next.values()) {
      seen.add(user.node);
      if (graph.isFile(user.node) && FILE_EDGE_KINDS.has(user.how as EdgeKind)) asFile.add(user.node);
      found.push(user);
    }
    level = [...next.values()];
  }
  return found;
}

type Step = Omit<User, 'hop' | 'via'>;

function* stepsTo(
  graph: Graph,
  node: number,
  { asFile, declarations }: { asFile: boolean; declarations: boolean },
): Generator<Step> {
  for (const declared of declarations ? overloadsOf(graph, node) : []) {
    for (const edge of graph.incoming(declared)) {
      if (!graph.isFileEdge(edge) || asFile) yield step(graph, edge, graph.edgeKind(edge));
    }
  }
  if (graph.isFile(node)) return;
  if (graph.kind(node) === 'constructor') {
    // `new Cart()` is a use of the class.
    for (const edge of graph.incoming(graph.container(node)))
      if (graph.edgeKind(edge) === 'new') yield step(graph, edge, 'new');
  } else {
    for (const parent of overriddenBy(graph, node))
      for (const edge of graph.incoming(parent)) yield step(graph, edge, 'overrides');
  }
  const container = graph.container(node);
  if (!graph.isFile(container) && isFunction(graph, container))
    yield { node: container, how: 'contains', line: graph.startLine(node), confidence: 1 };
}

function step(graph: Graph, edge: number, how: UserKind): Step {
  const confidence = CONFIDENCE[graph.tier(edge)];
  return { node: graph.source(edge), how, line: graph.tables.edgeLine[edge], confidence };
}
