/**
 * Every edge between files and symbols of the projects in fixtures/graph and fixtures/truth, as lines in fixtures/edges. After a change that
 * is meant: `UPDATE_FIXTURES=1 node build/test/graph/link/recorded-edges.test.js`, and read the difference.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hasGrammar } from '../../../src/extract/version.js';
import { Graph } from '../../../src/graph/graph.js';
import { linkSnapshot } from '../../../src/graph/link/link-snapshot.js';
import { languageOf } from '../../../src/languages/registry.js';
import { FIXTURES, inputOf, nodeText, type Project, readProject } from './project.js';

/** The edges of each file under its path: `line symbol kind target tier`. */
function edgesOf(project: Project): string[] {
  const graph = new Graph(linkSnapshot(inputOf(project), null).tables);
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

for (const kind of ['graph', 'truth'])
  for (const name of readdirSync(join(FIXTURES, kind)).filter((each) => !each.includes('.'))) {
    const grammar = languageOf(name)?.grammar?.name;
    const skip = grammar !== undefined && !hasGrammar(grammar) ? 'the grammar is not installed' : false;
    test(`uses in the ${kind} project of ${name} lead where they led when they were recorded`, { skip }, () => {
      const found = `${edgesOf(readProject(join(FIXTURES, kind, name))).join('\n')}\n`;
      const kept = join(FIXTURES, 'edges', `${kind}-${name}.edges`);
      if (process.env.UPDATE_FIXTURES === '1') writeFileSync(kept, found);
      assert.deepEqual(found.split('\n'), readFileSync(kept, 'utf8').split('\n'));
    });
  }
