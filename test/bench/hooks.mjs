// What the hooks add to `git commit`: 20 commits with and 20 without, interleaved, each of one changed file; once with
// output captured through pipes and once with the caller's own terminal. `node test/bench/hooks.mjs DIR` works on a clone of
// DIR, with its objects copied; `npm run build` comes first.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const COMMITS = 20;
const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const source = process.argv[2] ?? '.';
const root = mkdtempSync(join(tmpdir(), 'socraticode-bench-'));
const repo = join(root, 'repo');
const identity = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', '-c', 'commit.gpgsign=false'];

function git(args, stdio = 'pipe') {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: repo, stdio, encoding: 'utf8', maxBuffer: 1 << 28 });
  const ms = performance.now() - started;
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return { ms, stdout };
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const p95 = (values) => [...values].sort((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1];
const log = join(repo, '.git/socraticode/log.jsonl');
const runs = () => (existsSync(log) ? readFileSync(log, 'utf8').split('"message":"indexed ').length - 1 : 0);

/** The worker of one commit must not slow down the next: it is waited for unless the commits are a storm. */
async function quiet() {
  await sleep(150);
  for (const name of ['hook.queue', 'hook.lock', 'hook.starting']) {
    while (existsSync(join(repo, '.git/socraticode', name))) await sleep(50);
  }
}

async function measure(stdio, wait) {
  const times = { without: [], with: [] };
  for (let i = 0; i < COMMITS; i++) {
    for (const kind of i % 2 === 0 ? ['without', 'with'] : ['with', 'without']) {
      appendFileSync(join(repo, 'bench.js'), `export function bench${i}${kind}() {}\n`);
      git(['add', 'bench.js']);
      const off = kind === 'without' ? ['-c', 'core.hooksPath=/dev/null'] : [];
      const quietly = stdio === 'pipe' ? [] : ['-q'];
      times[kind].push(git([...off, ...identity, 'commit', ...quietly, '-m', `${kind} ${i}`], stdio).ms);
      if (wait && kind === 'with') await quiet();
    }
  }
  return times;
}

try {
  const clone = spawnSync('git', ['clone', '-q', '--no-hardlinks', source, repo], { stdio: 'inherit' });
  if (clone.status !== 0) process.exit(1);
  const installed = spawnSync(process.execPath, [CLI, '-C', repo, 'hooks', 'install'], { stdio: 'inherit' });
  if (installed.status !== 0) process.exit(1);
  spawnSync(process.execPath, [CLI, '-C', repo, 'index'], { stdio: 'ignore' });
  for (const [name, stdio, wait] of [
    ['captured', 'pipe', true],
    ['terminal', 'inherit', true],
    ['captured, the worker of the last commit still running', 'pipe', false],
  ]) {
    const before = runs();
    const times = await measure(stdio, wait);
    await quiet();
    const [without, withHooks] = [median(times.without), median(times.with)];
    console.log(
      `${name}: without ${without.toFixed(1)} ms, with ${withHooks.toFixed(1)} ms, adds ${(withHooks - without).toFixed(1)} ms` +
        ` (${(withHooks / without).toFixed(2)} times; p95 ${p95(times.without).toFixed(1)} and ${p95(times.with).toFixed(1)} ms),` +
        ` ${runs() - before} runs of the indexer for ${COMMITS} commits`,
    );
  }
} finally {
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}
