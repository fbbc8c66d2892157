// What grows with the number of files: `npm run bench -- many [--files 100000]`. Makes a repository of so many small files and one of
// a tenth of them, and asks both the same. Processor seconds of all processes; memory and descriptors on Linux.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { makeManyFiles, usage } from './many-files.mjs';
import { QUERIES } from './queries.mjs';

const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const { values } = parseArgs({
  args: process.argv.slice(process.argv[2] === 'many' ? 3 : 2),
  options: { files: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '5' } },
});
const work = mkdtempSync(join(tmpdir(), 'many-'));
const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const at = (numbers, share) => sorted(numbers)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))];

/** User and system seconds of a command and of all processes that it waited for. */
function cpuOf(dir, ...args) {
  const script = 'TIMEFORMAT="%U %S"; time "$@" >/dev/null';
  const run = spawnSync('bash', ['-c', script, 'time', process.execPath, CLI, ...args], { cwd: dir, encoding: 'utf8' });
  if (run.status > 1) throw new Error(run.stderr);
  const [user, system] = run.stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return user + system;
}

function cpuOfProcess(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** A first index: processor seconds, and what its processes held at most. */
async function firstIndex(dir) {
  const script = 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>/dev/null';
  const child = spawn('bash', ['-c', script, 'time', process.execPath, CLI, 'index'], { cwd: dir });
  const peak = { bytes: 0, descriptors: 0 };
  const timer = setInterval(() => {
    const now = usage(child.pid);
    for (const key of Object.keys(peak)) peak[key] = Math.max(peak[key], now[key]);
  }, 200);
  let said = '';
  child.stderr.on('data', (text) => (said += text));
  await new Promise((done) => child.on('close', done));
  clearInterval(timer);
  const [user, system] = said.trim().split('\n').at(-1).split(' ').map(Number);
  return { cpu: user + system, ...peak };
}

/** `codebase_search` in a server that knows the repository: milliseconds by the clock, and of the server's processor time. */
async function inServer(dir) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, '-C', dir, 'mcp'],
    stderr: 'ignore',
  });
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(transport);
  const ask = async (query) => {
    const from = performance.now();
    await client.callTool({ name: 'codebase_search', arguments: { query } });
    return performance.now() - from;
  };
  for (const query of QUERIES) await ask(query);
  const times = [];
  const before = cpuOfProcess(transport.pid);
  for (let round = 0; round < Number(values.rounds); round++) for (const query of QUERIES) times.push(await ask(query));
  const cpu = (cpuOfProcess(transport.pid) - before) / times.length;
  const status = readFileSync(`/proc/${transport.pid}/status`, 'utf8');
  const bytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)[1]) * 1024;
  await client.close();
  return { p50: at(times, 0.5), p95: at(times, 0.95), cpu, bytes };
}

const stateBytes = (dir) => {
  const state = join(dir, '.git', 'socraticode');
  const files = readdirSync(state, { recursive: true }).map((name) => statSync(join(state, name)));
  return files.filter((file) => file.isFile()).reduce((sum, { size }) => sum + size, 0);
};

async function measure(files) {
  const dir = makeManyFiles(work, files);
  const index = await firstIndex(dir);
  const status = JSON.parse(execFileSync(process.execPath, [CLI, 'status', '--json'], { cwd: dir }));
  const five = (...args) =>
    at(
      [1, 2, 3, 4, 5].map((i) => cpuOf(dir, ...args, ...(args[0] === 'search' ? [QUERIES[i]] : []))),
      0.5,
    );
  five('search');
  const server = await inServer(dir);
  const figures = {
    chunks: status.chunks ?? status.index?.chunks,
    'first index, CPU s': index.cpu,
    'first index, MB of all processes': index.bytes / 1e6,
    'first index, most descriptors of a process': index.descriptors,
    'nothing to do, CPU s': five('index'),
    'status, CPU s': five('status'),
    'search, new process, CPU s': five('search'),
    'search by words, new process, CPU s': five('search', '--mode', 'lexical'),
    'server: search, p50 ms': server.p50,
    'server: search, p95 ms': server.p95,
    'server: search, CPU ms': server.cpu,
    'server, MB': server.bytes / 1e6,
    'local state, MB': stateBytes(dir) / 1e6,
  };
  rmSync(dir, { recursive: true, force: true });
  return figures;
}

try {
  const most = Number(values.files);
  const [small, large] = [await measure(most / 10), await measure(most)];
  console.log(`| what | ${most / 10} files | ${most} files | ratio |\n|---|---|---|---|`);
  for (const [name, value] of Object.entries(large)) {
    const show = (number) => Number(number?.toFixed?.(2) ?? Number.NaN).toLocaleString('en');
    console.log(`| ${name} | ${show(small[name])} | ${show(value)} | ${show(value / small[name])} |`);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
