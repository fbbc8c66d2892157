// What uncommitted files cost a search: node test/bench/overlay.mjs DIR [ROUNDS]. Works on a copy of DIR (a clone with a
// work tree), with the build in dist/ (or BENCH_BUILD). Medians in milliseconds. "parse" is the edited file alone in
// a parser that is running already, "boot" what starting one takes.
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [source, rounds = '10'] = process.argv.slice(2);
const ROUNDS = Number(rounds);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BUILD = resolve(process.env.BENCH_BUILD ?? join(ROOT, 'dist'));
const CLI = join(BUILD, 'cli/main.js');
const QUERY = 'where is the configuration read';

const dir = join(realpathSync(mkdtempSync(join(tmpdir(), 'overlay-bench-'))), 'repo');
process.on('exit', () => rmSync(join(dir, '..'), { recursive: true, force: true }));
cpSync(source, dir, { recursive: true, verbatimSymlinks: true });

const git = (...args) => spawnSync('git', args, { cwd: dir, maxBuffer: 1 << 28 }).stdout.toString();
git('reset', '-q', '--hard');
git('clean', '-qfd');
git('status');
const sources = git('ls-files', '-z', 'src', 'packages', 'lib')
  .split('\0')
  .filter((path) => /(?<!\.d)\.(?:ts|js)$/.test(path) && !/fixtures?\/|\.min\./.test(path));
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const shown = (ms) => ms.toFixed(0).padStart(6);

let serial = 0;
/** A new definition at the end of files, never the same twice. */
function edit(paths) {
  serial++;
  for (const path of paths)
    appendFileSync(join(dir, path), `\nexport function benchEdit${serial}() { return ${serial}; }\n`);
  return `benchEdit${serial}`;
}

function once(args) {
  const started = performance.now();
  const { stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], { cwd: dir, maxBuffer: 1 << 26 });
  const ms = performance.now() - started;
  return { ms, text: stdout.toString() || stderr.toString() };
}

/** A search that must find what was just written. */
function check(text, name, what) {
  if (!text.includes(name)) throw new Error(`${what}: ${name} is not found: ${text.slice(0, 300)}`);
}

async function parseTimes(path) {
  const load = (file) => import(pathToFileURL(join(BUILD, file)).href);
  const { ParserPool } = await load('indexer/parser-pool.js');
  const bytes = readFileSync(join(dir, path));
  const job = { oid: 'a'.repeat(40), language: path.endsWith('.ts') ? 'typescript' : 'javascript', bytes };
  const [boots, parses] = [[], []];
  for (let i = 0; i < ROUNDS; i++) {
    const pool = new ParserPool(undefined, 1);
    let from = performance.now();
    await pool.parse({ ...job, bytes: Buffer.from('let a = 1;\n') });
    boots.push(performance.now() - from);
    from = performance.now();
    await pool.parse(job);
    parses.push(performance.now() - from);
    pool.stop();
  }
  return { boot: median(boots), parse: median(parses) };
}

/** A process that stays: asks, and waits for the answer. */
function server() {
  const child = spawn(process.execPath, [CLI, 'search', '--stdin', '--limit', '3'], {
    cwd: dir,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = [];
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()(line));
  return {
    ask: (query) => {
      const from = performance.now();
      return new Promise((done) => {
        waiting.push((line) => done({ ms: performance.now() - from, text: line }));
        child.stdin.write(`${query}\n`);
      });
    },
    close: () =>
      new Promise((done) => {
        child.on('close', done);
        child.stdin.end();
      }),
  };
}

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

async function measure(title, count, file) {
  const cold = { still: [], edited: [], committed: [] };
  const many = sources.filter((path) => path !== file).slice(0, count - 1);
  if (count > 0) {
    edit(many);
    edit([file]);
  }
  for (let i = 0; i < 2; i++) once(['search', QUERY]);
  for (let i = 0; i < ROUNDS; i++) {
    cold.committed.push(once(['search', QUERY, '--committed']).ms);
    cold.still.push(once(['search', QUERY]).ms);
    if (count === 0) continue;
    const name = edit([file]);
    const { ms, text } = once(['search', name]);
    check(text, name, title);
    cold.edited.push(ms);
  }
  const warm = server();
  for (let i = 0; i < 3; i++) await warm.ask(QUERY);
  await sleep(3_000); // Until everything is watched.
  await warm.ask(QUERY);
  const stay = { still: [], edited: [] };
  for (let i = 0; i < ROUNDS; i++) {
    stay.still.push((await warm.ask(QUERY)).ms);
    if (count === 0) continue;
    const name = edit([file]);
    const { ms, text } = await warm.ask(name);
    check(text, name, title);
    stay.edited.push(ms);
    await sleep(50);
  }
  await warm.close();
  const of = (values) => (values.length === 0 ? '     -' : shown(median(values)));
  console.log(
    `${title.padEnd(16)} new process: committed${of(cold.committed)} as is${of(cold.still)} after an edit${of(cold.edited)}` +
      `   staying: as is${of(stay.still)} after an edit${of(stay.edited)}`,
  );
}

once(['index']);
const bySize = sources
  .map((path) => ({ path, size: readFileSync(join(dir, path)).length }))
  .sort((a, b) => a.size - b.size);
// Neither the smallest nor the largest: nine in ten files are smaller.
const file = bySize[Math.floor(bySize.length * 0.9)];
const { boot, parse } = await parseTimes(file.path);
console.log(
  `${git('ls-files').split('\n').length - 1} files; edited: ${file.path}, ${file.size} bytes; parse ${parse.toFixed(1)} ms, boot ${boot.toFixed(0)} ms`,
);
await measure('clean', 0, file.path);
await measure('1 dirty', 1, file.path);
await measure('50 dirty', 50, file.path);
await measure('1,000 dirty', 1000, file.path);
