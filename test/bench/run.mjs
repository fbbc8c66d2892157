// Prints the figures of docs/benchmarks.md for one repository: `npm run bench -- DIR [--json]`;
// `npm run bench -- ranking …` is in ranking.mjs, `npm run bench -- replay …` in replay.mjs.
// Works on a clone in a temporary directory; medians of several runs, the raw limits measured between them.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { QUERIES } from './queries.mjs';
import { rawLimits } from './raw.mjs';

const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const source = resolve(process.argv.slice(2).find((arg) => !arg.startsWith('--')) ?? '.');
/** The clone; made by `speed`. */
let dir;

const git = (...args) =>
  execFileSync('git', ['-C', dir, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const percentile = (values, p) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * p))];
const times = (n, work) => Array.from({ length: n }, (_, i) => work(i));

function timed(args, options = {}) {
  const from = performance.now();
  const run = spawnSync(process.execPath, [CLI, ...args], { cwd: dir, maxBuffer: 1 << 28, ...options });
  const ms = performance.now() - from;
  if (run.status > 1) throw new Error(`${args.join(' ')}: ${run.stderr}`);
  return { ms, stdout: run.stdout.toString() };
}

/** Module that writes the processor milliseconds of the process itself to descriptor 3 when it ends. */
const OWN_TIME = `data:text/javascript,${encodeURIComponent(
  "import { writeSync } from 'node:fs'; process.on('exit', () => { const { user, system } = process.cpuUsage(); writeSync(3, String((user + system) / 1000)); });",
)}`;

/** A first index: its report, and processor milliseconds of all its processes and of the main one, which is the serial part. */
function firstIndex() {
  const from = performance.now();
  const command = [process.execPath, '--import', OWN_TIME, CLI, 'index', '--json'];
  const options = { cwd: dir, maxBuffer: 1 << 28, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe', 'pipe'] };
  const run = spawnSync('bash', ['-c', 'TIMEFORMAT="%U %S"; time "$@"', 'time', ...command], options);
  if (run.status > 1) throw new Error(`index: ${run.stderr}`);
  const [user, system] = run.stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return {
    ms: performance.now() - from,
    report: JSON.parse(run.stdout),
    cpuMs: (user + system) * 1000,
    ownMs: Number(run.output[3]),
  };
}

function forget() {
  rmSync(join(dir, '.git', 'socraticode'), { recursive: true, force: true });
  for (const ref of git('for-each-ref', '--format=%(refname)', 'refs/notes/socraticode').split('\n').filter(Boolean)) {
    git('update-ref', '-d', ref);
  }
}

/** Sum of the proportional set sizes of a process and everything below it, in bytes, at its highest (Linux). */
async function peakMemory(args) {
  const child = spawn(process.execPath, [CLI, ...args], { cwd: dir, stdio: 'ignore' });
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, treeMemory(child.pid));
  }, 40);
  await new Promise((done) => child.on('exit', done));
  clearInterval(timer);
  return peak;
}

function treeMemory(pid) {
  try {
    const own = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    return Number(own) * 1024 + children.reduce((sum, child) => sum + treeMemory(child), 0);
  } catch {
    return 0;
  }
}

async function warmLatencies() {
  const child = spawn(process.execPath, [CLI, 'search', '--stdin', '--jsonl'], {
    cwd: dir,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (query) => {
    const from = performance.now();
    child.stdin.write(`${query}\n`);
    await answers.next();
    return performance.now() - from;
  };
  await ask(QUERIES[0]);
  const latencies = [];
  for (let round = 0; round < 5; round++) for (const query of QUERIES) latencies.push(await ask(query));
  child.stdin.end();
  return latencies;
}

function changeFiveFiles(round) {
  const files = git('ls-files', '-z')
    .split('\0')
    .filter((path) => /\.(ts|js|py|go|rs|java|kt|rb|c|cpp|ex|scala)$/.test(path));
  for (let i = 0; i < 5; i++)
    appendFileSync(join(dir, files[Math.floor(((i + 0.5) / 5) * files.length)]), `\n// ${round}\n`);
  git(
    '-c',
    'user.name=bench',
    '-c',
    'user.email=bench@example.invalid',
    'commit',
    '--quiet',
    '--no-verify',
    '-am',
    `change ${round}`,
  );
}

const directoryBytes = (path, pattern) =>
  readdirSync(path, { recursive: true })
    .filter((name) => pattern.test(name))
    .reduce((sum, name) => sum + statSync(join(path, name)).size, 0);

async function measure() {
  execFileSync('git', ['clone', '--quiet', source, dir], { stdio: ['ignore', 'ignore', 'inherit'] });
  const first = [];
  const raws = [];
  for (let i = 0; i < 3; i++) {
    raws.push(await rawLimits(dir));
    forget();
    first.push(firstIndex());
  }
  const { report } = first[0];
  const status = JSON.parse(timed(['status', '--json']).stdout);
  const noop = times(7, () => timed(['index']).ms);
  const five = times(7, (round) => {
    changeFiveFiles(round);
    return timed(['index']).ms;
  });
  timed(['search', QUERIES[0]]);
  const cold = times(9, (i) => timed(['search', QUERIES[i], '--json']).ms);
  const warm = await warmLatencies();
  const viewBytes = directoryBytes(join(dir, '.git', 'socraticode'), /view-[0-9a-f]+\.bin$/);
  rmSync(join(dir, '.git', 'socraticode'), { recursive: true, force: true });
  const fromRecords = timed(['index']).ms;
  forget();
  const memory = await peakMemory(['index']);
  return {
    files: report.files,
    chunks: report.chunks,
    sourceBytes: raws[0].bytes,
    rawCatFileMs: median(raws.map((raw) => raw.catFileMs)),
    rawParseNativeMs: median(raws.map((raw) => raw.parseMs)),
    rawParseWasmMs: median(raws.map((raw) => raw.wasmParseMs)),
    rawParseNativeCpuMs: median(raws.map((raw) => raw.parseCpuMs)),
    rawParseWasmCpuMs: median(raws.map((raw) => raw.wasmParseCpuMs)),
    filesWithoutNativeParser: raws[0].withoutNative,
    firstIndexMs: median(first.map(({ ms }) => ms)),
    firstIndexCpuMs: median(first.map(({ cpuMs }) => cpuMs)),
    serialShare: median(first.map(({ cpuMs, ownMs }) => ownMs / cpuMs)),
    ratioToRawNative: median(first.map(({ ms }, i) => ms / (raws[i].catFileMs + raws[i].parseMs))),
    ratioToRawWasm: median(first.map(({ ms }, i) => ms / (raws[i].catFileMs + raws[i].wasmParseMs))),
    nothingToDoMs: median(noop),
    fiveFilesMs: median(five),
    fromRecordsMs: fromRecords,
    coldSearchMs: median(cold),
    warmP50Ms: median(warm),
    warmP95Ms: percentile(warm, 0.95),
    versionMs: median(times(9, () => timed(['--version']).ms)),
    bareNodeMs: median(times(9, () => nodeStart())),
    peakMemoryBytes: memory,
    notesBytesPerFile: status.notes.packedBytes / report.files,
    shardBytes: status.shards.bytes,
    viewBytes,
  };
}

function nodeStart() {
  const from = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - from;
}

async function speed() {
  const work = mkdtempSync(join(tmpdir(), 'socraticode-bench-'));
  dir = join(work, 'clone');
  try {
    const figures = await measure();
    if (process.argv.includes('--json')) console.log(JSON.stringify(figures));
    else
      for (const [name, value] of Object.entries(figures))
        console.log(`${name.padEnd(20)} ${Number(value.toFixed(2)).toLocaleString('en')}`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const OTHERS = [
  'ranking',
  'ranking-both',
  'ranking-facts',
  'ranking-lines',
  'ranking-models',
  'replay',
  'growth',
  'graph-truth',
  'run-truth',
  'agents',
  'grep',
  'conflicts',
  'coupling',
  'past',
  'quiz',
  'every',
  'soak',
  'definitions',
  'served',
  'slowest',
  'planted-drift',
  'web',
];
if (process.argv[2] === 'graph-truth' && process.argv.includes('--fixtures'))
  await import('./graph-truth-fixtures.mjs');
else if (OTHERS.includes(process.argv[2])) await import(`./${process.argv[2]}.mjs`);
else await speed();
