// What the MCP server takes on one repository: node test/bench/mcp.mjs DIR [ROUNDS]. Works on a clone of DIR without any index,
// with the build in dist/ (or BENCH_BUILD), over stdio with the SDK's own client. Medians of ROUNDS calls (30), each with
// another argument; tokens as o200k counts them. The first call of a kind loads its code and is not among them.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { QUERIES } from './queries.mjs';

const [source = '.', rounds = '30'] = process.argv.slice(2);
const ROUNDS = Number(rounds);
const BUILD = resolve(process.env.BENCH_BUILD ?? fileURLToPath(new URL('../../dist', import.meta.url)));
const dir = join(realpathSync(mkdtempSync(join(tmpdir(), 'mcp-bench-'))), 'repo');
process.on('exit', () => rmSync(join(dir, '..'), { recursive: true, force: true }));
execFileSync('git', ['clone', '-q', resolve(source), dir]);

const sorted = (values) => [...values].sort((a, b) => a - b);
const at = (values, share) => sorted(values)[Math.min(values.length - 1, Math.floor(values.length * share))];
const whole = (value) => Math.round(value).toLocaleString('en').padStart(8);

async function start(...options) {
  const from = performance.now();
  const client = new Client({ name: 'bench', version: '1' });
  const args = [join(BUILD, 'cli/main.js'), '-C', dir, 'mcp', '--structured', ...options];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  return { client, ms: performance.now() - from };
}

async function ask(client, name, args = {}) {
  const from = performance.now();
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
  return { ms: performance.now() - from, text: content[0].text, document: structuredContent, isError };
}

console.log('definitions in tokens');
for (const toolsets of ['core', 'core,graph', 'core,history', 'core,context', 'core,admin', 'all']) {
  const { client } = await start('--toolsets', toolsets);
  const { tools } = await client.listTools();
  console.log(
    `  ${toolsets.padEnd(14)} ${String(tools.length).padStart(2)} tools ${whole(countTokens(JSON.stringify(tools)))}`,
  );
  await client.close();
}

// As a fresh clone meets it.
rmSync(join(dir, '.git/socraticode'), { recursive: true, force: true });
for (const ref of execFileSync('git', ['-C', dir, 'for-each-ref', '--format=%(refname)', 'refs/notes/socraticode'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter(Boolean))
  execFileSync('git', ['-C', dir, 'update-ref', '-d', ref]);
const { client, ms } = await start('--toolsets', 'all');
console.log(`initialize answered ${ms.toFixed(0)} ms after the process was started`);
const began = performance.now();
for (let i = 0; ; i++) {
  const answer = await ask(client, 'codebase_search', { query: QUERIES[0] });
  const { covered, total } = answer.document?.coverage ?? { covered: 0, total: 0 };
  const results = answer.document?.results?.length ?? 0;
  console.log(
    `  search ${i + 1}: answered in ${answer.ms.toFixed(0)} ms, ${((performance.now() - began) / 1000).toFixed(1)} s after initialize, ${covered}/${total} files, ${results} results${answer.isError ? `, ${answer.text.slice(0, 100)}` : ''}`,
  );
  if (total > 0 && covered === total) break;
  if (i > 100) throw new Error('never complete');
  await new Promise((done) => setTimeout(done, 500));
}
for (let i = 0; i < 100; i++) {
  const { isError } = await ask(client, 'codebase_graph_stats');
  if (!isError) break;
  await new Promise((done) => setTimeout(done, 500));
}
console.log(`  graph ready ${((performance.now() - began) / 1000).toFixed(1)} s after initialize`);

const listed = await ask(client, 'codebase_symbols', { limit: 200 });
const lists = Object.values(listed.document).find((value) => Array.isArray(value?.list))?.list ?? [];
const names = lists.map(({ symbol, name }) => symbol ?? name).filter(Boolean);
const files = [...new Set(lists.map(({ path }) => path))];
const head = execFileSync('git', ['-C', dir, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
const of = (values, i) => values[i % values.length];
const CALLS = {
  codebase_search: (i) => ({ query: of(QUERIES, i) }),
  codebase_symbol: (i) => ({ name: of(names, i * 3) }),
  codebase_impact: (i) => ({ target: of(files, i) }),
  codebase_outline: (i) => ({ files: [of(files, i)] }),
  codebase_pack: (i) => ({ task: of(QUERIES, i) }),
  codebase_status: () => ({}),
  codebase_symbols: (i) => ({ query: of(names, i).slice(0, 5) }),
  codebase_flow: (i) => ({ entrypoint: of(names, i * 3) }),
  codebase_graph_query: (i) => ({ filePath: of(files, i) }),
  codebase_graph_stats: () => ({}),
  codebase_graph_circular: () => ({}),
  codebase_graph_visualize: () => ({}),
  codebase_graph_status: () => ({}),
  codebase_history: (i) => ({ query: of(names, i) }),
  codebase_diff: (i) => ({ from: `${head}~${i + 1}`, to: head }),
  codebase_context: () => ({}),
  codebase_list_projects: () => ({}),
  codebase_health: () => ({}),
  codebase_about: () => ({}),
};
console.log(`\n${'tool'.padEnd(26)}   p50 ms   p95 ms   tokens  in JSON  text/JSON  errors`);
for (const [name, args] of Object.entries(CALLS)) {
  await ask(client, name, args(ROUNDS + 1)).catch(() => {});
  const answers = [];
  for (let i = 0; i < ROUNDS; i++) answers.push(await ask(client, name, args(i)));
  const fine = answers.filter(({ isError }) => !isError);
  const ms = fine.map((answer) => answer.ms);
  const text = fine.map((answer) => countTokens(answer.text));
  const json = fine.map((answer) => countTokens(JSON.stringify(answer.document)));
  const ratio = fine.map((answer) => answer.text.length / JSON.stringify(answer.document).length);
  if (fine.length === 0) console.log(`${name.padEnd(26)} only errors: ${answers[0].text.slice(0, 80)}`);
  else
    console.log(
      `${name.padEnd(26)} ${at(ms, 0.5).toFixed(1).padStart(8)} ${at(ms, 0.95).toFixed(1).padStart(8)} ${whole(at(text, 0.5))} ${whole(at(json, 0.5))} ${at(ratio, 0.5).toFixed(2).padStart(10)} ${String(answers.length - fine.length).padStart(7)}`,
    );
}
await client.close();
