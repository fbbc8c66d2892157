/** `impact`: what may break when something changes: its users and theirs, hop by hop, and the tests to run. */
import type { Graph } from '../../../graph/graph.js';
import { isInnerTest, isRunnableTest, isTestCode, placeOf } from '../../../graph/query/place.js';
import { possibleUses } from '../../../graph/query/possible.js';
import { riskOf } from '../../../graph/query/risk.js';
import { type ReachingTest, TEST_DEPTH, testsAmong } from '../../../graph/query/tests-reaching.js';
import { type User, walkUsers } from '../../../graph/query/users.js';
import { membersOf } from '../../../graph/query/uses.js';

import type { Affected, Hop, Impact } from './output.js';

export interface ImpactOptions {
  depth: number;
  minConfidence: number;
  limit: number;
  /** The limit is for each hop, so that lists can be read on page by page; default: for all hops together. */
  perHop?: boolean;
  /** Does what is in a type or a file change with it? Default: yes. */
  membersToo?: boolean;
  /** Nodes of files that differ, where more than definitions: tests that a script calls have none (`test('…', () => …)`). */
  differing?: readonly number[];
}

/** The impact of a change of `nodes`: of a file's node that of all in it, of a type that of its members too. */
export function impactOf(graph: Graph, nodes: readonly number[], options: ImpactOptions): Impact {
  const { membersToo = true, differing = [] } = options;
  const seeds = membersToo ? [...new Set(nodes.flatMap((node) => [node, ...insideOf(graph, node)]))] : [...nodes];
  const { depth } = options;
  const reached = walkUsers(graph, seeds, { ...options, depth: Math.max(depth, TEST_DEPTH) });
  const users = reached.filter(({ hop }) => hop <= depth);
  const own = users.filter(({ node }) => !isTestCode(graph, node));
  const tests = testsAmong(graph, reached);
  const changedTests = changedTestFiles(graph, [...nodes, ...differing]);
  const known = new Set(changedTests.map(({ path }) => path));
  const all = [...changedTests, ...tests.filter(({ path }) => !known.has(path))];
  const names = nodes.filter((node) => !graph.isFile(node));
  return {
    affected: own.length,
    files: new Set(own.map(({ node }) => graph.fileOf(node))).size,
    risk: riskOf(graph, nodes, { users: own, tests: all.length }),
    hops: hopsOf(graph, own, options),
    tests: { list: all.slice(0, options.limit), leftOut: Math.max(0, all.length - options.limit) },
    possible: new Set(names.flatMap((node) => possibleUses(graph, node))).size,
  };
}

function insideOf(graph: Graph, node: number): number[] {
  if (!graph.isFile(node)) return membersOf(graph, node);
  const end = graph.tables.nodeBase[graph.fileOf(node) + 1];
  return Array.from({ length: end - node - 1 }, (_, i) => node + 1 + i);
}

/** A test that changes is to be run, used or not. */
function changedTestFiles(graph: Graph, nodes: readonly number[]): ReachingTest[] {
  const changed = nodes
    .map((node) => ({ node, file: graph.fileOf(node) }))
    .filter(({ node, file }) => isRunnableTest(graph, file) || isInnerTest(graph, node, file));
  const files = [...new Set(changed.map(({ file }) => file))];
  return files.map((file) => ({ path: graph.tables.files[file].path, symbol: null, hops: 0, line: 1 }));
}

/** Nearest and surest first. */
function hopsOf(graph: Graph, users: readonly User[], { limit, perHop = false }: ImpactOptions): Hop[] {
  const byHop = new Map<number, User[]>();
  for (const user of users) {
    const list = byHop.get(user.hop);
    if (list === undefined) byHop.set(user.hop, [user]);
    else list.push(user);
  }
  let room = limit;
  return [...byHop].map(([hop, list]) => {
    list.sort((a, b) => b.confidence - a.confidence || a.node - b.node);
    const shown = list.slice(0, room);
    if (!perHop) room -= shown.length;
    return { hop, affected: shown.map((user) => affectedOf(graph, user)), leftOut: list.length - shown.length };
  });
}

function affectedOf(graph: Graph, { node, how, line, confidence, via }: User): Affected {
  return {
    ...placeOf(graph, node),
    use: how,
    line,
    confidence: Math.round(confidence * 100) / 100,
    via: graph.qualifiedName(via),
  };
}
