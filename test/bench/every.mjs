// How what each command takes grows: `npm run bench -- every [--files 1000,4000,16000] [--commits 1] [--out FILE]`, or with several
// numbers of commits and one of files. Makes the repositories, asks all the same, and prints a row a command: processor seconds of all
// processes in each, the exponents of all steps and of the last one (1: in proportion), the memory of the first and last (proportional,
// of all processes together), and clock seconds and the most open descriptors of one process in the last. A step that fails, or takes
// longer than `--limit` seconds, leaves its cell empty. `--out` gets a line a step as soon as it is done. Linux.
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { makeManyFiles, usage } from './many-files.mjs';
import { QUERIES } from './queries.mjs';

const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const { values } = parseArgs({
  args: process.argv.slice(process.argv[2] === 'every' ? 3 : 2),
  options: {
    files: { type: 'string', default: '1000,4000,16000' },
    commits: { type: 'string', default: '1' },
    limit: { type: 'string', default: '900' },
    out: { type: 'string' },
  },
});
const LOOK_MS = 50;
const work = mkdtempSync(join(tmpdir(), 'every-'));
const git = (dir, ...args) =>
  execFileSync('git', ['-C', dir, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 }).trim();

/** Samples the processes below `pid` until `ended` resolves. */
async function peakOf(pid, ended) {
  const peak = { bytes: 0, descriptors: 0 };
  const timer = setInterval(() => {
    const now = usage(pid);
    for (const key of Object.keys(peak)) peak[key] = Math.max(peak[key], now[key]);
  }, LOOK_MS);
  await ended;
  clearInterval(timer);
  return peak;
}

/** One command: exit 1 is an answer, too (`review`, `diff` and `fsck` use it). */
async function run(dir, args) {
  const report = join(work, 'time');
  const child = spawn('/usr/bin/time', ['-o', report, '-f', '%U %S %e', process.execPath, CLI, ...args], {
    cwd: dir,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  const late = setTimeout(() => process.kill(-child.pid, 'SIGTERM'), Number(values.limit) * 1000);
  let said = '';
  child.stderr.on('data', (text) => (said = (said + text).slice(-2000)));
  const ended = new Promise((done) => child.on('close', done));
  const peak = await peakOf(child.pid, ended);
  clearTimeout(late);
  if (![0, 1].includes(await ended)) throw new Error(`${args.join(' ')}: ${said}`);
  const [user, system, clock] = readFileSync(report, 'utf8').trim().split('\n').at(-1).split(' ').map(Number);
  return { cpu: user + system, clock, ...peak };
}

function cpuOfProcess(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

/** A server from its start to its first answer, then the same questions five times. */
async function server(dir, note) {
  const from = performance.now();
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, '-C', dir, 'mcp'],
    stderr: 'ignore',
  });
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(transport);
  const call = (query) => client.callTool({ name: 'codebase_search', arguments: { query } });
  let over;
  const peak = peakOf(transport.pid, new Promise((done) => (over = done)));
  await call(QUERIES[0]);
  const first = { cpu: cpuOfProcess(transport.pid), clock: (performance.now() - from) / 1000, ...usage(transport.pid) };
  note('MCP server: start and first search', first);
  const times = [];
  const before = cpuOfProcess(transport.pid);
  for (let round = 0; round < 5; round++)
    for (const query of QUERIES) {
      const asked = performance.now();
      await call(query);
      times.push((performance.now() - asked) / 1000);
    }
  const cpu = (cpuOfProcess(transport.pid) - before) / times.length;
  times.sort((a, b) => a - b);
  over();
  const held = await peak;
  await client.close();
  note('a search of it, p50 by the clock', { cpu, clock: times[times.length >> 1], ...held });
  note('a search of it, p95 by the clock', { cpu, clock: times[Math.floor(times.length * 0.95)], ...held });
}

/** The questions that the page asks for its first view. */
const PAGE = [
  ['overview', {}],
  ['graph-outline', { maxTokens: 4000 }],
];

async function page(dir, note) {
  const from = performance.now();
  const child = spawn(process.execPath, [CLI, '-C', dir, 'web', '--no-open', '--port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const address = await new Promise((found) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const url = /http:\/\/\S+/.exec(line)?.[0];
      if (url !== undefined) found(url);
    });
  });
  const over = firstView(address);
  const peak = await peakOf(child.pid, over);
  note('web page: start and first view', {
    cpu: cpuOfProcess(child.pid),
    clock: (performance.now() - from) / 1000,
    ...peak,
  });
  child.kill('SIGINT');
}

/** Loads the page and asks what it asks for its first view, together. */
async function firstView(address) {
  const { origin, hash } = new URL(address);
  const given = new URLSearchParams(hash.slice(1));
  await (await fetch(origin)).text();
  const post = (name, body, key) =>
    fetch(`${origin}/api/${name}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/x-ndjson', Authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    });
  const key = given.get('key') ?? (await (await post('ticket', { ticket: given.get('ticket') }, 'none')).json()).token;
  for (const answer of await Promise.all(PAGE.map(([name, values]) => post(name, values, key)))) {
    const text = await answer.text();
    if (!answer.ok) throw new Error(`the page was refused: ${text.slice(0, 500)}`);
  }
}

function commit(dir, message) {
  git(dir, '-c', 'user.name=b', '-c', 'user.email=b', 'commit', '-q', '--no-verify', '-am', message);
}

const stateBytes = (dir) => {
  const state = join(dir, '.git', 'socraticode');
  const files = readdirSync(state, { recursive: true }).map((name) => statSync(join(state, name)));
  return files.filter((file) => file.isFile()).reduce((sum, { size }) => sum + size, 0);
};

/** Each command once, in the order in which a person would come to it. */
async function measure(files, commits) {
  const dir = makeManyFiles(work, files, commits);
  const rows = new Map();
  const note = (name, figures) => {
    rows.set(name, figures);
    const line = JSON.stringify({ files, commits, name, ...figures });
    console.error(line);
    if (values.out !== undefined) appendFileSync(values.out, `${line}\n`);
  };
  const attempt = async (name, work) => {
    await work().catch((error) => note(name, { failed: String(error).slice(0, 500) }));
  };
  const each = (name, ...args) => attempt(name, async () => note(name, await run(dir, args)));
  const inClone = (name, ...args) => attempt(name, async () => note(name, await run(clone, args)));
  const clone = join(work, `${files}-clone`);
  await each('first index', 'index');
  await each('index, nothing to do', 'index');
  await each('status', 'status');
  await each('search, first process', 'search', QUERIES[1]);
  await each('search, next process', 'search', QUERIES[2]);
  await each('search by words', 'search', '--mode', 'lexical', QUERIES[3]);
  await each('grep of a rare name', 'grep', 'parseStore400');
  await each('grep of a common word', 'grep', '--count', 'value');
  const paths = git(dir, 'ls-files', '*.ts').split('\n');
  const file = paths[paths.length >> 1];
  const symbol = file.split('/').at(-1).slice(0, -3);
  await each('graph symbol, first: links the graph', 'graph', 'symbol', symbol);
  await each('graph symbol', 'graph', 'symbol', symbol);
  await each('graph impact', 'graph', 'impact', symbol);
  await each('graph stats', 'graph', 'stats');
  await each('history of a name', 'history', symbol);
  await each('why of a line', 'why', `${file}:4`);
  for (let i = 0; i < 20; i++)
    appendFileSync(join(dir, paths[Math.floor((i * paths.length) / 20)]), `\nexport const added${i} = ${i};\n`);
  await each('search with 20 uncommitted files', 'search', QUERIES[4]);
  commit(dir, 'twenty');
  await each('index of a commit of 20 files', 'index');
  await each('review of that commit', 'review', 'HEAD~1..HEAD');
  await each('graph diff of it', 'graph', 'diff', 'HEAD~1..HEAD');
  await each('hotspots', 'hotspots');
  git(dir, 'branch', 'other', 'HEAD~1');
  git(dir, 'checkout', '-q', 'other');
  appendFileSync(join(dir, file), '\nexport const elsewhere = 1;\n');
  commit(dir, 'elsewhere');
  git(dir, 'checkout', '-q', 'main');
  await each('conflicts with another branch', 'conflicts');
  await each('conflicts, again', 'conflicts');
  await each('doctor', 'doctor');
  note('local state, MB', { cpu: stateBytes(dir) / 1e6, clock: 0, bytes: 0, descriptors: 0 });
  await attempt('MCP server: start and first search', () => server(dir, note));
  await attempt('web page: start and first view', () => page(dir, note));
  const remote = join(work, `${files}.git`);
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', remote]);
  git(dir, 'remote', 'add', 'origin', remote);
  git(dir, 'push', '-q', 'origin', 'main');
  await each('push of all', 'push');
  await each('push, nothing to do', 'push');
  execFileSync('git', ['clone', '-q', remote, clone]);
  await inClone('pull in a clone', 'pull');
  await inClone('search there, first: the index from records', 'search', QUERIES[5]);
  await inClone('index there', 'index');
  await each('fsck', 'fsck');
  await each('compact', 'compact');
  git(dir, 'gc', '-q');
  await each('index after git gc', 'index');
  for (const each of [dir, clone, remote]) rmSync(each, { recursive: true, force: true });
  return rows;
}

const shown = (number, digits) => Number(number.toFixed(digits)).toLocaleString('en');

/** Slope of a line through the logarithms of both. */
function exponent(sizes, values) {
  const [x, y] = [sizes, values].map((list) => list.map((each) => Math.log(Math.max(each, 0.01))));
  const mean = (list) => list.reduce((a, b) => a + b, 0) / list.length;
  const [mx, my] = [mean(x), mean(y)];
  const over = x.reduce((sum, each, i) => sum + (each - mx) * (y[i] - my), 0);
  return over / x.reduce((sum, each) => sum + (each - mx) ** 2, 0);
}

const numbersOf = (text) => text.split(',').map(Number);

function printTable(all, grown, unit) {
  const heads = grown.map((size, i) => `${i === 0 ? 'CPU s, ' : ''}${shown(size, 0)}${i === 0 ? ` ${unit}` : ''}`);
  const columns = ['what', ...heads, 'exponent, of the last step', 'MB, least and most', 'clock s', 'descriptors'];
  console.log(`| ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length)}`);
  for (const name of all[0].keys()) {
    const rows = all.map((each) => each.get(name) ?? {});
    const done = rows.flatMap(({ cpu }, i) => (cpu === undefined ? [] : [[grown[i], cpu]]));
    const { clock, bytes, descriptors } = rows.at(-1);
    // A fixed cost makes the first one low, so that of the last step stands beside it.
    const slopes = [done, done.slice(-2)].filter(({ length }) => length > 1);
    const slope = slopes
      .map((some) => exponent(...[0, 1].map((at) => some.map((each) => each[at]))).toFixed(2))
      .join(', ');
    const cell = (value, digits) => (value === undefined ? '' : shown(value, digits));
    const memory = [rows[0].bytes, bytes].map((each) => (each === undefined ? '' : shown(each / 1e6, 0))).join(', ');
    const cells = [...rows.map(({ cpu }) => cell(cpu, 2)), slope, memory, cell(clock, 2), descriptors ?? ''];
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
}

const [files, commits] = [numbersOf(values.files), numbersOf(values.commits)];
const unit = commits.length > 1 ? 'commits' : 'files';
const grown = unit === 'commits' ? commits : files;
const all = [];
try {
  for (const size of grown)
    all.push(unit === 'commits' ? await measure(files[0], size) : await measure(size, commits[0]));
} finally {
  if (all.length > 0) printTable(all, grown.slice(0, all.length), unit);
  rmSync(work, { recursive: true, force: true });
}
