// Compiles what changed, then runs tests: the fast loop, `--all` of them, or those that are asked for; USAGE says how. Fails if none is found.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { compile } from '../release/compile.mjs';
import { bundle } from './bundle.mjs';
import { Imports } from './selection.mjs';

const USAGE = `usage: node test/run.mjs [PART…] [options]

Compiles what changed and runs the fast tests, or those whose path contains a PART.

  --all           slow tests as well
  --changed       those alone that imports lead from to files with uncommitted changes, the nearest first
  --since REV     the same for files that differ from a commit
  --steps N       of these, those at most N imports away
  --whole         and those that reach the files as they reach all: through a process or any command of the program
  --no-types      compile without checking types, which costs a second to seven
  --slowest       run nothing: print the ten files that took longest when they ran last
  --help          this text`;
const OPTIONS = {
  all: { type: 'boolean' },
  changed: { type: 'boolean' },
  since: { type: 'string' },
  steps: { type: 'string' },
  whole: { type: 'boolean' },
  'no-types': { type: 'boolean' },
  slowest: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
};

const here = dirname(fileURLToPath(import.meta.url));
const top = join(here, '..');
const compiled = join(top, 'build/test');
/** Left out of the fast loop: see docs/contributing.md. */
const SLOW = /^(e2e|campaign)\/|\.slow\.test\.ts$/;
/** Commands change the directory, and share repositories within a file; the fallback needs a process that has not loaded usearch. */
const ALONE = /^commands\/|^shard\/nearest-fallback/;
/** Files that share a process: starting one and loading what all tests import takes a third of a second. */
const GROUP = 24;
/** Milliseconds that a file may take, five times the longest: one that failed may leave a server open, and would never end. */
const LONGEST = 10 * 60_000;
/** Files at once: many wait for a timer, a lock or git's own processes, and two at once leave a quarter of two cores idle. */
const AT_ONCE = 3;
/** Milliseconds that each file took when it ran last. */
const DURATIONS = join(top, 'build/.durations.json');
const MOST_SLOWEST = 10;

const { values: options, positionals: parts } = readArguments();
const durations = existsSync(DURATIONS) ? JSON.parse(readFileSync(DURATIONS, 'utf8')) : {};
const imports = new Imports((path) => (existsSync(join(top, path)) ? readFileSync(join(top, path), 'utf8') : null));
if (options.help) finish(USAGE);
if (options.slowest) finish(slowest());
// From the sources: compiled files of tests that were moved or deleted may be there until the next compilation.
const files = options.changed || options.since !== undefined ? changedTests() : named(isWanted);
if (files.length === 0) {
  console.error('no test files found');
  process.exit(1);
}
if (!compile({ isChecked: !options['no-types'] })) process.exit(1);
// As users run it, where processes of it are started.
if (!bundle(files.some((name) => imports.startsProgram(`test/${name}`)))) process.exit(1);
process.exit(run());

function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options: OPTIONS });
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`);
    process.exit(2);
  }
}

function finish(text) {
  console.log(text);
  process.exit(0);
}

/** Names of tests, as `git/log.test.ts`. */
function named(isIn) {
  return readdirSync(here, { recursive: true })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.test.ts') && isIn(name))
    .sort();
}

function isWanted(name) {
  return parts.length > 0 ? parts.some((part) => name.includes(part)) : options.all || !SLOW.test(name);
}

/** Tests that reach what differs from a commit, nearest first; says which of them are left out, and how to run those. */
function changedTests() {
  const changed = changedFiles(options.since ?? 'HEAD');
  if (changed.length === 0) finish('nothing has changed');
  const asked = named((name) => parts.length === 0 || isWanted(name)).map((name) => `test/${name}`);
  const { near, whole } = imports.reaching(asked, changed);
  const most = Number(options.steps ?? Infinity);
  const farther = near.filter(({ steps }) => steps > most).map(({ test }) => test);
  const wanted = [
    ...near.filter(({ steps }) => steps <= most).map(({ test }) => test),
    ...(options.whole ? whole : []),
  ];
  const isSlow = (test) => SLOW.test(test.slice('test/'.length));
  const isLeft = options.all ? () => false : isSlow;
  const left = [
    [farther.filter((test) => !isLeft(test)), `are more than ${most} imports away (without --steps)`],
    [options.whole ? [] : whole.filter((test) => !isLeft(test)), 'reach it by the whole program (--whole)'],
    [[...near.map(({ test }) => test), ...whole].filter(isLeft), 'are slow (--all)'],
  ];
  const tests = wanted.filter((test) => !isLeft(test)).map((test) => test.slice('test/'.length));
  console.log(`${changed.length} changed files, ${tests.length} tests reach them`);
  for (const [some, why] of left) if (some.length > 0) console.log(`  left out: ${some.length} that ${why}`);
  if (tests.length === 0) process.exit(0);
  return tests;
}

function changedFiles(commit) {
  const git = (...args) => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: top, encoding: 'utf8', maxBuffer: 1 << 28 });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
    return stdout.split('\0').filter(Boolean);
  };
  const differing = git('diff', '--name-only', '--no-renames', '-z', '--relative', commit, '--');
  return [...new Set([...differing, ...git('ls-files', '--others', '--exclude-standard', '-z')])];
}

/** A module for each group, which imports its files; tests that start and kill others, or change what a process has, are alone in theirs. */
function grouped() {
  const folder = join(compiled, '.groups');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const isAlone = (name) => ALONE.test(name) || SLOW.test(name);
  const quick = files.filter((name) => !isAlone(name));
  const groups = files.filter(isAlone).map((name) => [name]);
  for (let at = 0; at < quick.length; at += GROUP) groups.push(quick.slice(at, at + GROUP));
  // The longest first, so that none is left over when all others are done; what never ran is taken for long.
  const length = (group) => group.reduce((sum, name) => sum + (durations[name] ?? LONGEST), 0);
  if (!options.changed) groups.sort((a, b) => length(b) - length(a));
  // Node runs them in the order of their names.
  return groups.map((group, at) => {
    const path = join(folder, `${String(at).padStart(3, '0')}.test.mjs`);
    writeFileSync(path, group.map((name) => `import '../${name.replace(/\.ts$/, '.js')}';\n`).join(''));
    return path;
  });
}

function run() {
  const taken = join(compiled, '.groups/durations.tsv');
  const groups = grouped();
  const reporters = [
    ['spec', 'stdout'],
    [pathToFileURL(join(here, 'durations.mjs')).href, taken],
  ].flatMap(([reporter, to]) => [`--test-reporter=${reporter}`, `--test-reporter-destination=${to}`]);
  const limits = [`--test-concurrency=${AT_ONCE}`, `--test-timeout=${LONGEST}`];
  const { status } = spawnSync(process.execPath, ['--test', ...limits, ...reporters, ...groups], { stdio: 'inherit' });
  record(taken);
  return status ?? 1;
}

function record(taken) {
  const sums = {};
  for (const line of existsSync(taken) ? readFileSync(taken, 'utf8').split('\n').filter(Boolean) : []) {
    const [milliseconds, path] = line.split('\t');
    const name = relative(compiled, path).replaceAll('\\', '/').replace(/\.js$/, '.ts');
    sums[name] = (sums[name] ?? 0) + Number(milliseconds);
  }
  writeFileSync(DURATIONS, JSON.stringify({ ...durations, ...sums }));
}

function slowest() {
  const known = named(() => true).filter((name) => durations[name] !== undefined);
  return known
    .sort((a, b) => durations[b] - durations[a])
    .slice(0, MOST_SLOWEST)
    .map((name) => `${(durations[name] / 1_000).toFixed(1).padStart(6)} s  ${name}`)
    .join('\n');
}
