// Replays real commits through the hooks: `npm run bench -- replay DIR [--commits 200] [--quiet]`. For each commit: blobs
// that are new (from git alone, and the settings that select files), blobs the hook parsed (must be as many), milliseconds,
// bytes added. Then a branch switch and a clone that fetches the index, beside indexing everything.
// Works on clones in a temporary directory; DIR needs as much history as commits are asked for.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Session } from '../../dist/session/session.js';

const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const WAIT_MS = 60_000;
const QUERY = 'how are options parsed';

const args = process.argv.slice(2);
const source = resolve(args.find((arg) => !arg.startsWith('--') && arg !== 'replay') ?? '.');
const at = args.indexOf('--commits');
const wanted = at < 0 ? 200 : Number(args[at + 1]);
const quiet = args.includes('--quiet');

const root = mkdtempSync(join(tmpdir(), 'socraticode-replay-'));
const bin = join(root, 'bin');
mkdirSync(bin);
symlinkSync(CLI, join(bin, 'git-socraticode'));
// As a user has it: nothing of this machine's configuration, the program on PATH.
const env = {
  ...process.env,
  ...{ PATH: `${bin}${delimiter}${process.env.PATH}`, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
  ...{
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.com',
  },
};
const git = (cwd, ...argv) =>
  execFileSync('git', argv, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    stdio: ['pipe', 'pipe', 'ignore'],
  }).trim();
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

function timed(work) {
  const from = performance.now();
  const result = work();
  return { ms: performance.now() - from, result };
}

function program(cwd, argv, extra = {}) {
  const run = spawnSync(process.execPath, [CLI, ...argv], { cwd, env: { ...env, ...extra }, maxBuffer: 1 << 28 });
  if (run.status > 1) throw new Error(`${argv.join(' ')}: ${run.stderr}`);
  return run.stdout.toString();
}

/** Distinct blobs that the settings select at HEAD. */
async function selected(directory) {
  const session = await Session.open({ directory });
  try {
    return new Set((await session.files('HEAD')).catalog.files.map(({ oid }) => oid));
  } finally {
    session.close();
  }
}

const LINE = /: ([0-9a-f]{9}), (\d+) new of \d+ blobs, (\d+) bytes added, (\d+) ms/;

/** What the hook's worker wrote down about a commit. */
async function indexed(directory, commit) {
  const log = join(directory, '.git', 'socraticode', 'log.jsonl');
  for (const from = performance.now(); performance.now() - from < WAIT_MS; await sleep(20)) {
    let lines = [];
    try {
      lines = readFileSync(log, 'utf8').split('\n');
    } catch {
      // Not yet.
    }
    const line = lines.map((text) => LINE.exec(text)).find((match) => match?.[1] === commit.slice(0, 9));
    if (line) return { parsed: Number(line[2]), bytes: Number(line[3]), ms: Number(line[4]) };
  }
  throw new Error(`the hook did not index ${commit}`);
}

async function replay() {
  const dir = join(root, 'replay');
  git(root, 'clone', '-q', source, dir);
  // An index that stands there already must not help.
  git(dir, 'remote', 'remove', 'origin');
  const commits = git(dir, 'rev-list', '--first-parent', '--reverse', `-n${wanted}`, 'HEAD').split('\n');
  git(dir, 'checkout', '-q', '-B', 'replay', `${commits[0]}~1`);
  const first = timed(() => program(dir, ['index']));
  console.log(`first index of ${git(dir, 'ls-files').split('\n').length} files: ${Math.round(first.ms)} ms`);
  program(dir, ['hooks', 'install']);
  const seen = await selected(dir);
  const rows = [];
  for (const commit of commits) {
    const { ms: gitMs } = timed(() => git(dir, 'merge', '-q', '--ff-only', commit));
    const fresh = [...(await selected(dir))].filter((oid) => !seen.has(oid));
    for (const oid of fresh) seen.add(oid);
    const row = {
      commit: commit.slice(0, 9),
      changed: fresh.length,
      gitMs: Math.round(gitMs),
      ...(await indexed(dir, commit)),
    };
    rows.push(row);
    if (!quiet || row.changed !== row.parsed)
      console.log(
        `${row.commit} changed ${row.changed} parsed ${row.parsed} git ${row.gitMs} ms hook ${row.ms} ms +${row.bytes} B`,
      );
  }
  const wrong = rows.filter(({ changed, parsed }) => changed !== parsed).length;
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  console.log(
    `${rows.length} commits: ${sum('changed')} blobs changed, ${sum('parsed')} parsed, ${wrong} commits differ; ` +
      `hook median ${median(rows.map(({ ms }) => ms))} ms, ${Math.round(sum('bytes') / rows.length)} B added a commit`,
  );
  return { dir, first: first.ms, base: `${commits[0]}~1` };
}

/** First search after a checkout, beside one more search. */
function switchBranches({ dir, base }) {
  git(dir, 'branch', '-f', 'before', base);
  program(dir, ['hooks', 'uninstall']);
  for (const branch of ['before', 'replay']) program(dir, ['index', '--ref', branch]);
  const [after, again] = [[], []];
  for (let i = 0; i < 10; i++) {
    git(dir, 'checkout', '-q', i % 2 === 0 ? 'before' : 'replay');
    after.push(timed(() => program(dir, ['search', QUERY])).ms);
    again.push(timed(() => program(dir, ['search', QUERY])).ms);
  }
  git(dir, 'checkout', '-q', 'replay');
  const [first, next] = [median(after), median(again)].map(Math.round);
  console.log(`branch switch: first search ${first} ms, the next ${next} ms: switching costs ${first - next} ms`);
}

/** First search in a clone of a remote with an index, beside one where everything has to be indexed. */
function cloneAndGo({ dir }) {
  const remote = join(root, 'remote.git');
  git(root, 'clone', '-q', '--bare', dir, remote);
  git(dir, 'remote', 'add', 'origin', remote);
  const clone = (name) => {
    rmSync(join(root, name), { recursive: true, force: true });
    git(root, 'clone', '-q', `file://${remote}`, name);
    return join(root, name);
  };
  // A bare clone of a repository brings no notes: nothing is there yet.
  const scratch = [0, 1, 2].map((i) => {
    const path = clone(`scratch${i}`);
    return timed(() => program(path, ['search', QUERY], { SOCRATICODE_SHARE_FETCH: 'never' })).ms;
  });
  program(dir, ['push', 'origin']);
  const fetched = [0, 1, 2].map((i) => {
    const path = clone(`fetched${i}`);
    const { ms } = timed(() => program(path, ['search', QUERY]));
    if (JSON.parse(program(path, ['index', '--json'])).new !== 0) throw new Error('something was parsed');
    return ms;
  });
  const [slow, fast] = [median(scratch), median(fetched)].map(Math.round);
  console.log(
    `clone and go: first search ${fast} ms, without a shared index ${slow} ms: ${(fast / slow).toFixed(2)} of it`,
  );
}

try {
  const done = await replay();
  switchBranches(done);
  cloneAndGo(done);
} finally {
  rmSync(root, { recursive: true, force: true, maxRetries: 3 });
}
