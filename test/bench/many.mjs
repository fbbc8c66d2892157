// What grows with the number of files: `npm run bench -- many [--files 100000]`. Makes a repository of so many small files and one of
// a tenth of them, and asks both the same. Processor seconds of all processes; memory and descriptors on Linux.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { QUERIES } from './queries.mjs';

const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const { values } = parseArgs({
  args: process.argv.slice(process.argv[2] === 'many' ? 3 : 2),
  options: { files: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '5' } },
});
const work = mkdtempSync(join(tmpdir(), 'many-'));
const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const at = (numbers, share) => sorted(numbers)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))];

/** Words of code; file `i` takes some of them, so that words are as unevenly spread as in real repositories. */
const WORDS =
  'parse user config cache error route file string value test connection option log plugin escape version memory stream event sort date type query handle schema permission order parcel depot session token'.split(
    ' ',
  );
const wordOf = (i, k) => WORDS[(i * (k * 7 + 3) + (i >> 5) * k + k) % WORDS.length];
const capital = (word) => word[0].toUpperCase() + word.slice(1);

/** Text of file `i`: two definitions, one of which uses a definition of a file before. */
const TEXTS = [
  (i, [a, b, c]) => ({
    path: `ts/${a}${i}.ts`,
    text: `import { ${b}${i - 4} } from './${b}${i - 4}.js';\n\n/** Finds the ${a} of a ${b}. */\nexport function ${a}${i}(${c}: string): number {\n  const found = ${b}${i - 4}(${c});\n  return found + ${c}.length;\n}\n\nexport class ${capital(c)}Store${i} {\n  private readonly ${a} = new Map<string, number>();\n\n  ${b}(${c}: string): number | undefined {\n    return this.${a}.get(${c});\n  }\n}\n`,
  }),
  (i, [a, b, c]) => ({
    path: `py/${a}_${i}.py`,
    text: `"""The ${a} of each ${b}."""\n\n\ndef ${a}_${b}_${i}(${c}):\n    """Reads one ${c}."""\n    if not ${c}:\n        raise ValueError("no ${c}")\n    return ${c}.strip()\n\n\nclass ${capital(a)}${capital(c)}${i}:\n    def ${b}(self, ${c}):\n        return ${a}_${b}_${i}(${c})\n`,
  }),
  (i, [a, b, c]) => ({
    path: `go/${a}${i}.go`,
    text: `package ${a}${i % 100}\n\n// ${capital(b)}${i} keeps the ${c} of a ${a}.\ntype ${capital(b)}${i} struct {\n\t${c} string\n}\n\n// ${capital(a)} returns it.\nfunc (x *${capital(b)}${i}) ${capital(a)}() string {\n\treturn x.${c}\n}\n`,
  }),
  (i, [a, b, c]) => ({
    path: `docs/${a}-${i}.md`,
    text: `# The ${a} of a ${b}\n\nEvery ${b} has a ${c}, which the ${a} reads.\n\n## How to set the ${c}\n\nCall \`${a}${i}\` with it.\n`,
  }),
];

/** One commit with so many files, a hundred in a folder. */
function makeRepository(files) {
  const dir = join(work, String(files));
  mkdirSync(dir);
  execFileSync('git', ['init', '-q', '-b', 'main', dir]);
  const parts = ['commit refs/heads/main\ncommitter bench <bench@example.invalid> 1700000000 +0000\ndata 4\nmany\n'];
  for (let i = 0; i < files; i++) {
    const { path, text } = TEXTS[i % TEXTS.length](i, [wordOf(i, 1), wordOf(i, 2), wordOf(i, 3)]);
    const folder = `part${Math.floor(i / 10_000)}/group${Math.floor(i / 100)}`;
    parts.push(`M 100644 inline ${folder}/${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
  }
  execFileSync('git', ['-C', dir, 'fast-import', '--quiet'], { input: parts.join('') });
  execFileSync('git', ['-C', dir, 'reset', '-q', '--hard', 'main']);
  return dir;
}

/** User and system seconds of a command and of all processes that it waited for. */
function cpuOf(dir, ...args) {
  const script = 'TIMEFORMAT="%U %S"; time "$@" >/dev/null';
  const run = spawnSync('bash', ['-c', script, 'time', process.execPath, CLI, ...args], { cwd: dir, encoding: 'utf8' });
  if (run.status > 1) throw new Error(run.stderr);
  const [user, system] = run.stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return user + system;
}

/** Bytes of memory, and most open descriptors of one process, of a process and everything below it. */
function usage(pid) {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const bytes = Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) * 1024;
    const descriptors = readdirSync(`/proc/${pid}/fd`).length;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    const all = [{ bytes, descriptors }, ...children.map(usage)];
    return {
      bytes: all.reduce((sum, each) => sum + each.bytes, 0),
      descriptors: Math.max(...all.map((each) => each.descriptors)),
    };
  } catch {
    return { bytes: 0, descriptors: 0 };
  }
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
  const dir = makeRepository(files);
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
