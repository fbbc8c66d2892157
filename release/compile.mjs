/**
 * Compiles what changed since the last time: the program to `dist/`, or with the argument `tests` program and tests to `build/`. Removes
 * what is left of sources that are gone, so that no test of a moved file runs and no import of one succeeds.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Folders of sources below `from`, each compiled to the folder of the same name in `out`. Of `partly`, some may be left out. */
const PROGRAM = { config: 'tsconfig.json', from: 'src', out: 'dist', folders: ['.'], partly: [] };
const TESTS = {
  config: 'test/tsconfig.json',
  from: '.',
  out: 'build',
  folders: ['src', 'fleet/src', 'test'],
  partly: ['model/train'],
};
/** Not compiled: the bundle and its pages, the code that V8 compiled of it, and packages. */
const MADE = /^(?:src\/)?(?:code\/|node_modules\/|bundle\.js$|web\/page-bundle\.js$|graph\/picture\/page-bundle\.js$)/;

/**
 * Compiles program and tests, with types checked unless told otherwise; false if something is wrong, which the compiler said. One
 * thread takes two thirds of the processor time of several, which check the same types, and a process that lives for seconds need not
 * collect garbage: it would take a third longer.
 */
export function compile({ isChecked = true, target = TESTS } = {}) {
  const state = join(ROOT, target.out, '.tsbuildinfo');
  if (isDoubtful(state, target)) rmSync(state);
  let passed = runCompiler(state, target, isChecked);
  let { stale, missing } = listed(target);
  if (missing.length > 0) {
    rmSync(state, { force: true });
    passed = runCompiler(state, target, isChecked);
    ({ stale } = listed(target));
  }
  // After the compiler, which has forgotten them by now: it would write none anew whose source comes back as it was.
  for (const name of stale)
    for (const path of [name, name.replace(/\.js$/, '.d.ts')]) rmSync(join(ROOT, target.out, path), { force: true });
  return passed;
}

function runCompiler(state, { config }, isChecked) {
  const options = ['-p', config, '--incremental', '--tsBuildInfoFile', state, '--singleThreaded'];
  if (!isChecked) options.push('--noCheck');
  const { status } = spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { GOGC: 'off', GOMEMLIMIT: '2GiB', ...process.env },
  });
  return status === 0;
}

/** True if a compiled file is not what the compiler remembers, since something else wrote it later. */
function isDoubtful(state, target) {
  const modified = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  const last = modified(state);
  return last !== undefined && listed(target).compiled.some((name) => modified(join(ROOT, target.out, name)) > last);
}

/** Names of compiled modules below `out`, of those without a source, and of those that a source should have. */
export function listed({ from, out, folders, partly } = TESTS) {
  const within = (root, ending, names) =>
    names.flatMap((folder) =>
      existsSync(join(root, folder))
        ? readdirSync(join(root, folder), { recursive: true })
            .map((name) => join(folder, name).replaceAll('\\', '/'))
            .filter((name) => name.endsWith(ending) && !name.endsWith('.d.ts') && !MADE.test(name))
        : [],
    );
  const sources = (names) => within(join(ROOT, from), '.ts', names).map((name) => name.replace(/\.ts$/, '.js'));
  const compiled = within(join(ROOT, out), '.js', [...folders, ...partly]);
  const [needed, there] = [sources(folders), new Set(compiled)];
  const allowed = new Set([...needed, ...sources(partly)]);
  return {
    compiled,
    stale: compiled.filter((name) => !allowed.has(name)),
    missing: needed.filter((name) => !there.has(name)),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const target = process.argv[2] === 'tests' ? TESTS : PROGRAM;
  process.exit(compile({ target }) ? 0 : 1);
}
