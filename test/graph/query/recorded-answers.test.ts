/**
 * What questions say of each symbol and file of six projects in fixtures/graph, as lines in fixtures/answers. After a change that is meant:
 * `UPDATE_FIXTURES=1 node build/test/graph/query/recorded-answers.test.js`, and read the difference.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Graph } from '../../../src/graph/graph.js';
import { findEntries, flowFrom } from '../../../src/graph/query/call-tree.js';
import { describeSymbol, listSymbols } from '../../../src/graph/query/describe-symbol.js';
import {
  centralityOf,
  dependenciesOf,
  entriesOf,
  filesOnMap,
  filesUsedBy,
  filesUsing,
  foldersOf,
  usesWithoutImport,
} from '../../../src/graph/query/file-edges.js';
import { impactOf } from '../../../src/graph/query/impact.js';
import { findCycles, statsOf } from '../../../src/graph/query/statistics.js';
import { resolveTarget } from '../../../src/graph/query/target.js';
import { UnusedFinder } from '../../../src/graph/query/unused.js';
import { possibleUses, walkUsers } from '../../../src/graph/query/users.js';
import { findRoutes } from '../../../src/graph/routes.js';
import { placeOf } from '../build.js';
import { FIXTURES, graphOf, readProject } from '../link/project.js';

const PROJECTS = ['web', 'java', 'python', 'go', 'rust', 'php'];

/** A document in one line: places as text, and no empty lists. */
const line = (name: string, value: unknown) => `${name} ${JSON.stringify(value, shortened)}`;

function shortened(_: string, value: unknown): unknown {
  if (typeof value === 'number') return Math.round(value * 1e4) / 1e4;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value;
  if ('list' in value && 'leftOut' in value)
    return value.leftOut === 0 ? value.list : [...(value.list as unknown[]), `and ${value.leftOut}`];
  if (!('path' in value) || !('symbol' in value)) return value;
  const { path, symbol, kind, exported, startLine, endLine, ...rest } = value as Record<string, unknown>;
  const at = `${path}:${symbol ?? ''}:${startLine ?? ''} ${kind}`;
  return Object.keys(rest).length === 0 ? at : { at, ...rest };
}

function ofSymbol(graph: Graph, node: number): string[] {
  const { definitions: _, ...told } = describeSymbol(graph, [node], 3);
  const users = walkUsers(graph, [node], { depth: 3 });
  return [
    `## ${placeOf(graph, node)}`,
    line('told', { ...told, callers: told.callers.list.map((use) => [use.path, use.line, use.kind, use.through]) }),
    line(
      'users',
      users.map((user) => [placeOf(graph, user.node), user.hop, user.how, user.line, user.confidence]),
    ),
    line(
      'possible',
      possibleUses(graph, node).map((edge) => placeOf(graph, graph.source(edge))),
    ),
  ];
}

function ofFile(graph: Graph, file: number): string[] {
  const node = graph.fileNode(file);
  return [
    `## ${graph.path(node)}`,
    line('uses', filesUsedBy(graph, file)),
    line('used', filesUsing(graph, file)),
    line('unimported', usesWithoutImport(graph, file)),
    line('entries', entriesOf(graph, file)),
    line('impact', impactOf(graph, [node], { depth: 3, minConfidence: 0, limit: 5 })),
    line('flow', flowFrom(graph, [node], { depth: 3, limit: 12 })),
  ];
}

function ofProject(graph: Graph): string[] {
  const names = [...new Set(Array.from({ length: graph.nodeCount }, (_, node) => graph.name(node)))].sort();
  const depended = [...dependenciesOf(graph)].map(([from, to]) => [from, [...to.keys()]]);
  const target = (text: string) => {
    try {
      return resolveTarget(graph, text, {});
    } catch (error) {
      return (error as Error).message;
    }
  };
  return [
    '## project',
    line('stats', statsOf(graph, { connected: 5, orphans: 5 })),
    line(
      'cycles',
      [{ limit: 5 }, { limit: 5, types: true }, { limit: 5, symbols: true }].map((o) => findCycles(graph, o)),
    ),
    line('entries', findEntries(graph, { limit: 10 })),
    line('centrality', [...centralityOf(graph)]),
    line('folders', foldersOf(graph, filesOnMap(graph))),
    line('dependencies', depended),
    line('routes', findRoutes(graph)),
    line('symbols', listSymbols(graph, { limit: 20, query: 'to' })),
    ...new UnusedFinder(graph).find('possible').map(({ node, ...why }) => line(`unused ${placeOf(graph, node)}`, why)),
    ...names.map((name) => line(`target ${name}`, target(name))),
    // One letter is missing, as people type.
    ...names.filter(({ length }) => length > 6).map((name) => line(`near ${name}`, target(name.slice(1)))),
  ];
}

for (const name of PROJECTS)
  test(`answers about the ${name} project are those that were recorded`, () => {
    const graph = graphOf(readProject(join(FIXTURES, 'graph', name)));
    const nodes = Array.from({ length: graph.nodeCount }, (_, node) => node);
    const lines = [
      ...ofProject(graph),
      ...Array.from({ length: graph.fileCount }, (_, file) => ofFile(graph, file)).flat(),
      ...nodes.filter((node) => !graph.isFile(node)).flatMap((node) => ofSymbol(graph, node)),
    ];
    const kept = join(FIXTURES, 'answers', `${name}.txt`);
    if (process.env.UPDATE_FIXTURES === '1') writeFileSync(kept, `${lines.join('\n')}\n`);
    assert.deepEqual(lines, readFileSync(kept, 'utf8').trimEnd().split('\n'));
  });
