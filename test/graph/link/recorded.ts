/**
 * Every edge between files and symbols of the projects in fixtures/graph and fixtures/truth, as lines in fixtures/edges. After a change that
 * is meant: `UPDATE_FIXTURES=1 node build/test/graph/link/recorded-edges.test.js`, and read the difference.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hasGrammar } from '../../../src/extract/version.js';
import { Graph } from '../../../src/graph/graph.js';
import type { LinkedSnapshot, LinkInput } from '../../../src/graph/tables.js';
import { languageOf } from '../../../src/languages/registry.js';
import { FIXTURES, inputOf, nodeText, readProject } from './project.js';

type Linker = (input: LinkInput, previous: LinkedSnapshot | null) => LinkedSnapshot;

const KINDS = ['graph', 'truth'];

/** Languages that have a project. */
export const LINKED = [
  ...new Set(KINDS.flatMap((kind) => readdirSync(join(FIXTURES, kind)).filter((name) => !name.includes('.')))),
];

/** The edges of each file under its path: `line symbol kind target tier`. */
function edgesOf(graph: Graph): string[] {
  const lines: string[] = [];
  let path = '';
  for (let i = 0; i < graph.edgeCount; i++) {
    const { from, to, kind, tier, startLine, literal } = graph.edge(i);
    if (to < 0) continue;
    if (graph.path(from) !== path) lines.push(`## ${graph.path(from)}`);
    path = graph.path(from);
    const at = graph.isFile(from) ? '-' : graph.qualifiedName(from);
    lines.push(`${startLine} ${at} ${kind} ${nodeText(graph, to)} ${tier}${literal === '' ? '' : ` "${literal}"`}`);
  }
  return lines;
}

/** Checks that uses in the projects of languages lead where they led when they were recorded. */
export function testEdges(link: Linker, ...languages: readonly string[]): void {
  for (const name of languages)
    for (const kind of KINDS.filter((each) => existsSync(join(FIXTURES, each, name)))) {
      const grammar = languageOf(name)?.grammar?.name;
      const skip = grammar !== undefined && !hasGrammar(grammar) ? 'the grammar is not installed' : false;
      test(`${name}: uses in the ${kind} project lead where they led when they were recorded`, { skip }, () => {
        const graph = new Graph(link(inputOf(readProject(join(FIXTURES, kind, name))), null).tables);
        const found = `${edgesOf(graph).join('\n')}\n`;
        const kept = join(FIXTURES, 'edges', `${kind}-${name}.edges`);
        if (process.env.UPDATE_FIXTURES === '1') writeFileSync(kept, found);
        assert.deepEqual(found.split('\n'), readFileSync(kept, 'utf8').split('\n'));
      });
    }
}
