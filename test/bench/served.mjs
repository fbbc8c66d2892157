// What questions cost in a server that has been asked before: `npm run bench -- served DIR…`, with the build in dist/ (or BENCH_BUILD).
// Each DIR is a clone, which is indexed and linked in place. `codebase_search` gets every query of queries.mjs, after other ones that
// are made of names of files; graph questions get names of the repository. By the clock, and the server's processor time in all threads.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { QUERIES } from './queries.mjs';

const { values, positionals } = parseArgs({
  args: process.argv.slice(process.argv[2] === 'served' ? 3 : 2),
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' }, graph: { type: 'boolean', default: false } },
});
const BUILD = resolve(process.env.BENCH_BUILD ?? fileURLToPath(new URL('../../dist', import.meta.url)));
const NODE_OPTIONS = (process.env.BENCH_NODE ?? '').split(' ').filter(Boolean);
/** Questions that come before the measured ones. */
const WARMING = 60;
const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const at = (numbers, share) => sorted(numbers)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))];

/** Processor milliseconds of all threads of a process (Linux). */
function cpuOf(pid) {
  let sum = 0;
  for (const task of readdirSync(`/proc/${pid}/task`))
    try {
      sum += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
    } catch {
      // The thread has just ended.
    }
  return sum;
}

const memoryOf = (pid) => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]) / 1e3;

async function start(dir) {
  const args = [...NODE_OPTIONS, join(BUILD, 'cli/main.js'), '-C', dir, 'mcp', '--toolsets', 'all'];
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' });
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(transport);
  const ask = async (name, input) => {
    const [from, before] = [performance.now(), cpuOf(transport.pid)];
    const { content, isError } = await client.callTool({ name, arguments: input }, { timeout: 600_000 });
    return { ms: performance.now() - from, cpu: cpuOf(transport.pid) - before, text: content[0].text, isError };
  };
  return { client, ask, pid: transport.pid };
}

/** Words of the names of some files of a repository. */
function warmingQueries(dir) {
  const files = execFileSync('git', ['-C', dir, 'ls-files'], { encoding: 'utf8', maxBuffer: 1 << 28 }).split('\n');
  const step = Math.max(1, Math.floor(files.length / WARMING));
  const words = (path) => path.match(/\p{Lu}?\p{Ll}+/gu)?.slice(-4) ?? ['main'];
  return Array.from({ length: WARMING }, (_, i) => words(files[(i * step) % files.length]).join(' '));
}

function row(name, answers) {
  const fine = answers.filter(({ isError }) => !isError);
  const of = (key, share) =>
    at(
      fine.map((each) => each[key]),
      share,
    )?.toFixed(1) ?? '';
  return `| ${name} | ${of('ms', 0.5)} | ${of('ms', 0.95)} | ${of('cpu', 0.5)} | ${of('cpu', 0.95)} | ${answers.length - fine.length} |`;
}

async function graphRows({ ask }, dir) {
  for (let i = 0; i < 600 && (await ask('codebase_graph_stats', {})).isError; i++)
    await new Promise((done) => setTimeout(done, 500));
  const listed = JSON.parse(
    execFileSync(
      process.execPath,
      [join(BUILD, 'cli/main.js'), '-C', dir, 'graph', 'symbols', '--limit', '200', '--json'],
      {
        maxBuffer: 1 << 28,
      },
    ),
  );
  const list = Object.values(listed).find((value) => Array.isArray(value?.list))?.list ?? listed.symbols ?? [];
  const names = [...new Set(list.map(({ symbol, name }) => symbol ?? name))];
  const rows = [];
  const calls = {
    codebase_symbol: (name) => ({ name }),
    codebase_impact: (target) => ({ target }),
    codebase_references: (name) => ({ name }),
  };
  for (const [tool, input] of Object.entries(calls)) {
    const answers = [];
    for (const name of names.slice(0, 20)) await ask(tool, input(name));
    for (const name of names.slice(20, 80)) answers.push(await ask(tool, input(name)));
    rows.push(row(tool, answers));
  }
  return rows;
}

for (const dir of positionals.map((each) => resolve(each))) {
  const said = execFileSync(process.execPath, [join(BUILD, 'cli/main.js'), '-C', dir, 'index'], { encoding: 'utf8' });
  const server = await start(dir);
  for (const query of warmingQueries(dir)) await server.ask('codebase_search', { query });
  const first = [];
  const again = [];
  for (let round = 0; round < Number(values.rounds); round++)
    for (const query of QUERIES) (round === 0 ? first : again).push(await server.ask('codebase_search', { query }));
  const memory = memoryOf(server.pid);
  const rows = [row('search, asked for the first time', first), row('search, asked before', again)];
  if (values.graph) rows.push(...(await graphRows(server, dir)));
  console.log(`\n${basename(dir)}: ${/[\d,]+ files, [\d,]+ chunks/.exec(said)?.[0] ?? said.trim()}`);
  console.log('| question | p50 ms | p95 ms | CPU p50 | CPU p95 | errors |\n|---|---|---|---|---|---|');
  console.log(rows.join('\n'));
  console.log(
    `memory ${memory.toFixed(0)} MB${values.graph ? `, with the graph ${memoryOf(server.pid).toFixed(0)} MB` : ''}`,
  );
  await server.client.close();
}
