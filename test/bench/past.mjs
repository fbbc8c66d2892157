// What a search at a commit costs that was never asked about: `npm run bench -- past DIR [--commits 10] [--files 40]`.
// Walks back from HEAD in steps of so many changed files. Processor seconds of all processes, as the shell counts them.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { QUERIES } from './queries.mjs';

const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const { values, positionals } = parseArgs({
  args: process.argv.slice(process.argv[2] === 'past' ? 3 : 2),
  allowPositionals: true,
  options: {
    commits: { type: 'string', default: '10' },
    files: { type: 'string', default: '40' },
    cli: { type: 'string', default: CLI },
  },
});
const source = resolve(positionals[0] ?? '.');
const work = mkdtempSync(join(tmpdir(), 'past-'));
const dir = join(work, 'clone');
const git = (...args) => execFileSync('git', ['-C', dir, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 }).trim();
const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

/** User and system seconds of a command and of all processes that it waited for. */
function cpuOf(...command) {
  const script = 'TIMEFORMAT="%U %S"; time "$@" >/dev/null';
  const { stderr, status } = spawnSync('bash', ['-c', script, 'time', ...command], { cwd: dir, encoding: 'utf8' });
  if (status !== 0 && status !== 1) throw new Error(stderr);
  const [user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return user + system;
}

/** Commits on the way back from HEAD, each so many changed files from the one before. */
function chooseCommits() {
  const chosen = [git('rev-parse', 'HEAD')];
  for (const commit of git('rev-list', '--first-parent', '--max-count=3000', 'HEAD').split('\n')) {
    const changed = git('diff-tree', '-r', '--name-only', '--diff-filter=AM', chosen.at(-1), commit).split('\n');
    if (changed.length >= Number(values.files)) chosen.push(commit);
    if (chosen.length > Number(values.commits)) break;
  }
  return chosen.slice(1);
}

function localState() {
  const state = join(dir, '.git', 'socraticode');
  const files = readdirSync(state, { recursive: true }).map((name) => statSync(join(state, name)));
  const plain = files.filter((file) => file.isFile());
  return { files: plain.length, bytes: plain.reduce((sum, { size }) => sum + size, 0) };
}

/** Processor seconds of a process and of the children that it has now (Linux); of one that has ended 0. */
function cpuOfTree(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1).split(' ');
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').filter(Boolean);
    return (Number(fields[11]) + Number(fields[12])) / 100 + children.reduce((sum, child) => sum + cpuOfTree(child), 0);
  } catch {
    return 0;
  }
}

/** The same questions in one process that stays, after one about HEAD. */
async function inOpenProcess(commits) {
  const options = { cwd: dir, stdio: ['pipe', 'pipe', 'ignore'] };
  const child = spawn('node', [values.cli, 'search', '--stdin', '--jsonl'], options);
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (ref, i) => {
    const before = cpuOfTree(child.pid);
    child.stdin.write(`${JSON.stringify({ query: QUERIES[i % QUERIES.length], ref })}\n`);
    await answers.next();
    return cpuOfTree(child.pid) - before;
  };
  await ask('HEAD', 0);
  const [first, again] = [[], []];
  for (const [i, commit] of commits.entries()) {
    first.push(await ask(commit, i));
    again.push(await ask(commit, i));
  }
  child.stdin.end();
  return { neverSeen: median(first), seen: median(again) };
}

/** Forgets the local state and all records. */
function forget() {
  rmSync(join(dir, '.git', 'socraticode'), { recursive: true, force: true });
  for (const ref of git('for-each-ref', '--format=%(refname)', 'refs/notes/socraticode').split('\n').filter(Boolean))
    git('update-ref', '-d', ref);
}

try {
  execFileSync('git', ['clone', '-q', source, dir], { stdio: 'ignore' });
  const search = (commit, i) => cpuOf('node', values.cli, 'search', '--ref', commit, QUERIES[i % QUERIES.length]);
  const commits = chooseCommits();
  cpuOf('node', values.cli, 'index');
  const atHead = localState();
  const [first, again, bare] = [[], [], []];
  for (const [i, commit] of commits.entries()) {
    bare.push(cpuOf('node', '-e', '0'));
    first.push(search(commit, i));
    again.push(search(commit, i));
  }
  const report = {
    commits: commits.length,
    filesAtHead: git('ls-files').split('\n').length,
    neverSeen: median(first),
    seen: median(again),
    atHead: median(commits.map((_, i) => search('HEAD', i))),
    bareNode: median(bare),
    stateAtHead: atHead,
    state: localState(),
    each: { first, again },
  };
  forget();
  cpuOf('node', values.cli, 'index');
  report.openProcess = await inOpenProcess(commits);
  process.stdout.write(`${JSON.stringify(report, null, 1)}\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
