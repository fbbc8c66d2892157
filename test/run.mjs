// Runs compiled tests: the fast loop, `--all` of them, or those whose path contains one of the arguments. Fails if none is found.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const compiled = join(here, '..', 'build', 'test');
/** Left out of the fast loop: see docs/contributing.md. */
const SLOW = /^(e2e|campaign)\/|\.slow\.test\.ts$/;

const parts = process.argv.slice(2).filter((arg) => arg !== '--all');
const isAll = process.argv.includes('--all');
const isWanted = (name) => (parts.length > 0 ? parts.some((part) => name.includes(part)) : isAll || !SLOW.test(name));

/** Commands change the directory, and share repositories within a file. */
const ALONE = /^commands\//;
/** Files that share a process: starting one and loading what all tests import takes a third of a second. */
const GROUP = 6;

// From the sources: the folder of compiled files may still hold tests that were moved or deleted.
const files = readdirSync(here, { recursive: true })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.test.ts') && isWanted(name))
  .map((name) => name.replace(/\.ts$/, '.js'))
  .sort();
if (files.length === 0) {
  console.error('no test files found');
  process.exit(1);
}

/** A module for each group, which imports its files. Tests that start and kill others, or change what a process has, are alone in theirs. */
function grouped() {
  const folder = join(compiled, '.groups');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const quick = files.filter((name) => !ALONE.test(name) && !SLOW.test(name.replace(/\.js$/, '.ts')));
  const groups = [];
  for (let at = 0; at < quick.length; at += GROUP) {
    const path = join(folder, `${String(groups.length).padStart(3, '0')}.test.mjs`);
    writeFileSync(
      path,
      quick
        .slice(at, at + GROUP)
        .map((name) => `import '../${name}';\n`)
        .join(''),
    );
    groups.push(path);
  }
  return [...groups, ...files.filter((name) => !quick.includes(name)).map((name) => join(compiled, name))];
}

/** Milliseconds that a file may take, five times the longest: one that failed may leave a server open, and would never end. */
const LONGEST = 10 * 60_000;

/** Files at once: many wait for a timer, a lock or git's own processes, and two at once leave a quarter of two cores idle. */
const AT_ONCE = 3;

// As users run it.
spawnSync(process.execPath, [join(here, '../release/bundle.mjs'), 'build/src'], { stdio: 'inherit' });
const options = [`--test-concurrency=${AT_ONCE}`, `--test-timeout=${LONGEST}`];
const run = spawnSync(process.execPath, ['--test', ...options, ...grouped()], { stdio: 'inherit' });
process.exit(run.status ?? 1);
