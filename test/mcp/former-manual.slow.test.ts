/** Tools and arguments that users of SocratiCode have in their habits and prompts: each call is answered. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cli } from '../support/in-process/cli.js';
import { createRepo } from '../support/repositories/repo.js';
import { startServer } from '../support/servers/mcp.js';

test('each tool of SocratiCode is answered under its name and with its arguments', async (t) => {
  const repo = createRepo();
  const linked = createRepo();
  linked.commit({ 'lib/money.ts': 'export function addTax(net: number): number {\n  return net * 1.2;\n}\n' });
  repo.commit({
    'src/cart.ts':
      "import { log } from './log.js';\nexport function total(): number {\n  log('total');\n  return 1;\n}\n",
    'src/log.ts': 'export function log(text: string): void {\n  console.log(text);\n}\n',
    'docs/schema.sql': 'create table carts (id integer);\n',
    '.socraticodecontextartifacts.json': JSON.stringify({
      artifacts: [{ name: 'schema', path: 'docs/schema.sql', description: 'the tables' }],
    }),
    '.socraticode.json': JSON.stringify({ linkedProjects: [linked.dir.replace(/.*\//, '../')] }),
  });
  for (const { dir } of [repo, linked]) await cli(['index'], { cwd: dir });
  const env = { SOCRATICODE_LINKED_ALLOW: linked.dir, EMBEDDING_PROVIDER: 'ollama' };
  const server = await startServer(t, repo.dir, { env });
  const projectPath = repo.dir;
  const calls: readonly [tool: string, given: Record<string, unknown>, answer: RegExp][] = [
    ['codebase_index', { projectPath, extraExtensions: '.tpl,.sql' }, /\.sql: 1 file/],
    ['codebase_update', { projectPath, extraExtensions: '.tpl' }, /\.tpl: no such file/],
    ['codebase_stop', { projectPath }, /nothing was being indexed|stopped/],
    ['codebase_watch', { action: 'start', projectPath }, /changes of the work tree/],
    ['codebase_watch', { action: 'status', projectPath }, /./],
    ['codebase_watch', { action: 'stop', projectPath }, /nothing to stop/],
    ['codebase_search', { query: 'total', projectPath, limit: 5, fileFilter: 'src/cart.ts' }, /src\/cart\.ts/],
    ['codebase_search', { query: 'total', languageFilter: 'typescript', minScore: 0.1 }, /src\/cart\.ts/],
    ['codebase_search', { query: 'add tax', includeLinked: true }, /lib\/money\.ts/],
    ['codebase_search', { query: 'add tax', projectPath: linked.dir, minScore: 0 }, /lib\/money\.ts/],
    ['codebase_status', { projectPath }, /HEAD|main/],
    ['codebase_graph_build', { projectPath, extraExtensions: '.tpl' }, /\.tpl: no such file/],
    ['codebase_graph_query', { filePath: 'src/cart.ts', projectPath }, /src\/log\.ts/],
    ['codebase_graph_stats', { projectPath }, /files/],
    ['codebase_graph_circular', { projectPath }, /in circles/],
    ['codebase_graph_visualize', { projectPath, mode: 'mermaid' }, /flowchart|graph/],
    ['codebase_graph_status', { projectPath }, /linked/],
    ['codebase_impact', { target: 'log', projectPath, depth: 2 }, /total/],
    ['codebase_impact', { target: 'src/log.ts' }, /cart/],
    ['codebase_flow', { entrypoint: 'total', projectPath, depth: 3 }, /log/],
    ['codebase_symbol', { name: 'log', projectPath, file: 'src/log.ts' }, /total/],
    ['codebase_symbols', { query: 'tot', projectPath }, /total/],
    ['codebase_symbols', { file: 'src/log.ts' }, /log/],
    ['codebase_context', { projectPath }, /schema/],
    ['codebase_context_index', { projectPath }, /schema/],
    ['codebase_context_search', { query: 'carts', artifactName: 'schema', limit: 3, minScore: 0 }, /schema\.sql/],
    ['codebase_list_projects', {}, new RegExp(`${linked.dir.replace(/.*\//, '')}`)],
    ['codebase_health', {}, /ok|well/],
    ['codebase_about', {}, /search/],
    ['codebase_context_remove', { projectPath }, /./],
    ['codebase_graph_remove', { projectPath }, /./],
    ['codebase_remove', { projectPath }, /deleted/],
  ];
  const wrong: string[] = [];
  for (const [tool, given, answer] of calls) {
    const { text, isError } = await server.call(tool, given);
    if (isError || !answer.test(text)) wrong.push(`${tool} ${JSON.stringify(given)}: ${text.slice(0, 300)}`);
  }
  assert.deepEqual(wrong, []);
});
