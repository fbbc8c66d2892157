// What `conflicts` costs with many branches: `npm run bench -- conflicts DIR [BRANCHES]`. Works on a clone of DIR. Its branches
// leave the first-parent history at different commits, and each carries three later commits of it; the checked out branch
// carries five, and a file that is not committed. "cold" has the index of what is checked out and knows no blob of the branches
// (their records are removed), "warm" comes after it. Medians; wall and processor seconds, git and parsers included. With
// `--planted`, how many planted breaks `conflicts --plan` names (`planted-breaks.mjs`).
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const ROUNDS = 5;
const COLD_ROUNDS = 3;
/** Commits behind the newest one at which branches leave. */
const FIRST_FORK = 200;
const FORKS = 60;
const TIME = '/usr/bin/time';
const times = (count, work) => Array.from({ length: count }, work);

function measureConflicts(source, count = 50) {
  const folder = mkdtempSync(join(tmpdir(), 'conflicts-bench-'));
  const dir = join(folder, 'repo');
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const env = {
    ...process.env,
    GIT_AUTHOR_NAME: 'b',
    GIT_AUTHOR_EMAIL: 'b',
    GIT_COMMITTER_NAME: 'b',
    GIT_COMMITTER_EMAIL: 'b',
  };
  const git = (...args) =>
    execFileSync('git', args, {
      cwd: dir,
      env,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  execFileSync('git', ['clone', '-q', '--no-local', '--single-branch', resolve(source), dir]);
  makeBranches(git, count);
  appendFileSync(join(dir, git('diff', '--name-only', 'HEAD~1', 'HEAD').split('\n')[0]), '\n');
  const run = (...args) => timedRun(dir, folder, args);
  const unindexed = run('conflicts', '--json');
  const cold = times(COLD_ROUNDS, () => {
    forget(dir, git);
    run('index');
    run('graph', 'stats');
    return run('conflicts', '--json');
  });
  const warm = times(ROUNDS, () => run('conflicts', '--json'));
  const document = JSON.parse(warm[0].stdout);
  const { compared, clean, leftOut, branches } = document;
  const sum = (name) => branches.list.reduce((all, each) => all + each[name].list.length + each[name].leftOut, 0);
  console.log(
    `${git('ls-files').split('\n').length} files, ${count} branches: ${compared} compared, ${clean} with nothing in common`,
  );
  console.log(
    `found: ${sum('merge')} merge conflicts, ${sum('symbols')} symbols, ${sum('uses')} uses; left out ${JSON.stringify(leftOut)}`,
  );
  for (const [name, runs] of [
    ['no index at all', [unindexed]],
    ['cold', cold],
    ['warm', warm],
  ]) {
    const middle = (key) =>
      runs
        .map((each) => each[key])
        .sort((a, b) => a - b)
        [runs.length >> 1].toFixed(2);
    console.log(`${name.padEnd(16)} ${middle('wall')} s wall, ${middle('cpu')} s processor`);
  }
}

function makeBranches(git, count) {
  const commits = git('rev-list', '--first-parent', '--max-count=400', 'HEAD').split('\n');
  const carry = (name, fork, picks) => {
    git('checkout', '-q', '-f', '-B', name, commits[fork]);
    for (const pick of picks) {
      const parents = git('rev-list', '--parents', '-1', commits[pick]).split(' ').length - 1;
      try {
        git(
          'cherry-pick',
          '-X',
          'theirs',
          ...(parents > 1 ? ['-m', '1'] : []),
          '--allow-empty',
          '--keep-redundant-commits',
          commits[pick],
        );
      } catch {
        git('cherry-pick', '--abort');
      }
    }
  };
  for (let i = 0; i < count; i++) {
    const newest = FIRST_FORK - 10 - ((i * 3) % (FIRST_FORK - 20));
    carry(`branch-${i}`, FIRST_FORK + (i % FORKS), [newest, newest - 1, newest - 2]);
  }
  carry('mine', FIRST_FORK, [34, 33, 32, 31, 30]);
}

/** Removes the index and all records. */
function forget(dir, git) {
  rmSync(join(dir, '.git', 'socraticode'), { recursive: true, force: true });
  for (const ref of git('for-each-ref', '--format=%(refname)', 'refs/notes/socraticode').split('\n').filter(Boolean))
    git('update-ref', '-d', ref);
}

function timedRun(dir, folder, args) {
  const report = join(folder, 'time');
  const command = [process.execPath, CLI, ...args];
  const whole = existsSync(TIME) ? [TIME, '-o', report, '-f', '%U %S', ...command] : command;
  const from = performance.now();
  const { status, stdout, stderr } = spawnSync(whole[0], whole.slice(1), { cwd: dir, maxBuffer: 1 << 28 });
  if (status > 1) throw new Error(`${args.join(' ')}: ${stderr}`);
  const cpu = existsSync(report)
    ? readFileSync(report, 'utf8')
        .match(/[\d.]+(?=[ \n])/g)
        .slice(-2)
        .reduce((a, b) => a + Number(b), 0)
    : 0;
  return { wall: (performance.now() - from) / 1000, cpu, stdout: stdout.toString() };
}

const words = process.argv.slice(process.argv[2] === 'conflicts' ? 3 : 2);
const isPlanted = words[0] === '--planted';
const [source = '.', count, seed] = isPlanted ? words.slice(1) : words;
const number = (text) => (text === undefined ? undefined : Number(text));
if (isPlanted) (await import('./planted-breaks.mjs')).measurePlanted(source, number(count), number(seed));
else measureConflicts(source, number(count));
