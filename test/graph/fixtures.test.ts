/** Precision and recall per language, against edges that were written by hand. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { hasGrammar } from '../../src/extract/version.js';
import type { Graph } from '../../src/graph/graph.js';
import { hasRelations, languageOf } from '../../src/languages/registry.js';
import { ROOT } from '../house/root.js';
import { graphOf, type Project } from './link/project.js';

const FIXTURES = fileURLToPath(new URL('fixtures/graph/', ROOT));
/** What issue and design ask for. */
const LEAST_PRECISION = 0.95;
const LEAST_RECALL = 0.85;

/** From path and symbol ('' for the file) to path and symbol. */
type Expected = [from: string, symbol: string, to: string, target: string];
interface Edges {
  imports: [from: string, to: string][];
  calls: Expected[];
  inherits: Expected[];
}
type Sort = keyof Edges;
const SORTS: readonly Sort[] = ['imports', 'calls', 'inherits'];

function readProject(folder: string): Project {
  const project: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true }) as string[]) {
    const path = join(folder, name);
    if (name === 'expected.json' || !statSync(path).isFile()) continue;
    project[name.replaceAll('\\', '/')] = readFileSync(path, 'utf8');
  }
  return project;
}

function found(graph: Graph): Record<Sort, Set<string>> {
  const edges: Record<Sort, Set<string>> = { imports: new Set(), calls: new Set(), inherits: new Set() };
  const place = (node: number) => [graph.path(node), graph.isFile(node) ? '' : graph.qualifiedName(node)];
  for (let i = 0; i < graph.edgeCount; i++) {
    const { from, to, kind } = graph.edge(i);
    if (to < 0) continue;
    if (graph.isFileEdge(i)) edges.imports.add(`${graph.path(from)} -> ${graph.path(to)}`);
    else if (kind === 'call' || kind === 'new') edges.calls.add([...place(from), '->', ...place(to)].join(' '));
    else if (kind === 'extends' || kind === 'implements')
      edges.inherits.add([...place(from), '->', ...place(to)].join(' '));
  }
  return edges;
}

function expected(folder: string): Record<Sort, Set<string>> {
  const { imports, calls, inherits } = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Edges;
  const line = ([from, symbol, to, target]: Expected) => [from, symbol, '->', to, target].join(' ');
  return {
    imports: new Set(imports.map(([from, to]) => `${from} -> ${to}`)),
    calls: new Set(calls.map(line)),
    inherits: new Set(inherits.map(line)),
  };
}

interface Counts {
  right: number;
  found: number;
  expected: number;
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}

const show = ({ right, found: all, expected: wanted }: Counts): string =>
  `${ratio(right, all).toFixed(2)}/${ratio(right, wanted).toFixed(2)}`;

for (const language of readdirSync(FIXTURES).sort()) {
  const folder = join(FIXTURES, language);
  const grammar = languageOf(language)?.grammar?.name;
  const missing = grammar !== undefined && !hasGrammar(grammar);
  const skip = missing ? 'the grammar is not installed' : grammar !== undefined && !hasRelations(language);
  test(`edges of ${language} are the ones that the fixture expects`, { skip }, (t) => {
    const [is, wanted] = [found(graphOf(readProject(folder))), expected(folder)];
    const total: Counts = { right: 0, found: 0, expected: 0 };
    const parts: string[] = [];
    const wrong: string[] = [];
    for (const sort of SORTS) {
      const right = [...is[sort]].filter((edge) => wanted[sort].has(edge)).length;
      const counts = { right, found: is[sort].size, expected: wanted[sort].size };
      parts.push(`${sort} ${show(counts)}`);
      for (const edge of is[sort]) if (!wanted[sort].has(edge)) wrong.push(`+ ${edge}`);
      for (const edge of wanted[sort]) if (!is[sort].has(edge)) wrong.push(`- ${edge}`);
      total.right += right;
      total.found += counts.found;
      total.expected += counts.expected;
    }
    t.diagnostic(`${language.padEnd(12)}${parts.join('  ')}  all ${show(total)} (precision/recall)`);
    for (const line of wrong) t.diagnostic(line);
    const message = `\n${wrong.join('\n')}`;
    assert.ok(ratio(total.right, total.found) >= LEAST_PRECISION, `precision ${show(total)}${message}`);
    assert.ok(ratio(total.right, total.expected) >= LEAST_RECALL, `recall ${show(total)}${message}`);
  });
}
