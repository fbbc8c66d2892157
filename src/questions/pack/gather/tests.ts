/** Tests of what was chosen: those that reach it, as whole small ones or their first lines. */
import type { Graph } from '../../../graph/graph.js';
import { isInnerTest, isRunnableTest } from '../../../graph/query/place.js';
import { walkUsers } from '../../../graph/query/users.js';
import { rangeOf } from './anchors.js';
import type { Candidate } from './candidate.js';
import type { Anchor } from './neighbours.js';

/** Definitions whose tests are looked for. */
const MAX_ANCHORS = 6;
const DEPTH = 2;
const MAX_TESTS = 12;
/** A longer test is shown by its first lines. */
const WHOLE = 25;
const HEAD = 12;
/** Lines before and after the use in tests that are not functions (`describe`, `it`). */
const BEFORE = 2;
const AFTER = 8;

const WORTH = 0.6;
const FURTHER = 0.5;

export function testsOf(graph: Graph, anchors: readonly Anchor[]): Candidate[] {
  const best = [...anchors].sort((a, b) => b.value - a.value || a.node - b.node).slice(0, MAX_ANCHORS);
  const found = new Map<number, Candidate>();
  for (const { node, value } of best) {
    if (graph.isFile(node)) continue;
    for (const user of walkUsers(graph, [node], { depth: DEPTH })) {
      const file = graph.fileOf(user.node);
      if (!(isRunnableTest(graph, file) || isInnerTest(graph, user.node, file))) continue;
      const worth = value * WORTH * user.confidence * FURTHER ** (user.hop - 1);
      if ((found.get(file)?.value ?? 0) >= worth) continue;
      found.set(file, testAt(graph, user, { file, value: worth, why: `tests ${graph.name(node)}` }));
    }
  }
  return [...found.values()].sort((a, b) => b.value - a.value || (a.path < b.path ? -1 : 1)).slice(0, MAX_TESTS);
}

function testAt(
  graph: Graph,
  { node, line }: { node: number; line: number },
  { file, value, why }: { file: number; value: number; why: string },
): Candidate {
  const base = { kind: 'test' as const, path: graph.tables.files[file].path, why, value, node };
  if (graph.isFile(node)) {
    const last = Math.max(1, graph.endLine(node));
    const startLine = Math.min(last, Math.max(1, line - BEFORE));
    return { ...base, symbol: null, node: -1, startLine, endLine: Math.min(last, line + AFTER) };
  }
  const whole = rangeOf(graph, node);
  const endLine = whole.endLine - whole.startLine < WHOLE ? whole.endLine : whole.startLine + HEAD - 1;
  return { ...base, symbol: graph.qualifiedName(node), startLine: whole.startLine, endLine };
}
