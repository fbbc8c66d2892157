/** Globs and expressions that make a matcher go back and forth: each is refused, or answered in seconds of processor time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measured } from '../support/processes/measured.js';
import { createRepo } from '../support/repositories/repo.js';

const LIMIT_MS = 60_000;
/** Most need half a second; one that tries all ways would not end. */
const MOST_CPU_MS = 10_000;

const NAME = 'a'.repeat(240);
const GLOBS = [
  `${'*a'.repeat(3)}b`,
  `${'*a'.repeat(20)}b`,
  `${'**/'.repeat(6)}b`,
  `${'**/'.repeat(30)}b`,
  `${'{a,aa}'.repeat(4)}b`,
  `${'{a,aa}'.repeat(20)}b`,
  '*{a,aa}*{a,aa}b',
  `{${'{'.repeat(100)}a,b${'}'.repeat(100)}}`,
  `${'[a-z]*'.repeat(3)}[!a]`,
  '+(a|aa)+(a|aa)b',
  '(a+)+b',
  `{1..${'9'.repeat(12)}}`,
  `${'?'.repeat(200)}b`,
];
const EXPRESSIONS = [
  '(a+)+b',
  '(a|aa)+b',
  '(a*)*b',
  '(.*)(.*)(.*)(.*)(.*)b$',
  '(a?){30}a{30}b',
  '((a{0,100}){0,100}){0,100}b',
];

/** Long names, deep folders, and a file of one long line. */
function longNames() {
  const repo = createRepo();
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`${NAME}${i}.ts`, `export const v${i} = 1;\n`]),
  );
  repo.commit({
    ...files,
    [`${'a/'.repeat(60)}a.ts`]: 'export const deep = 1;\n',
    'line.txt': `${'a'.repeat(200_000)}\n`,
  });
  return repo;
}

/** 0: found; 1: nothing found; 2: refused with a reason. */
async function assertBounded(args: readonly string[], cwd: string): Promise<void> {
  const { code, late, cpuMs, stderr } = await measured(args, cwd, LIMIT_MS);
  const what = `${args.join(' ').slice(0, 200)}: ${code}, ${Math.round(cpuMs)} ms, ${stderr}`;
  assert.ok(!late && cpuMs < MOST_CPU_MS, what);
  assert.ok(code !== null && code <= 2 && !/\bbug\b/.test(stderr), what);
}

test('globs of --path, -g and exclude', async () => {
  const repo = longNames();
  await assertBounded(['index'], repo.dir);
  for (const glob of GLOBS) {
    await assertBounded(['search', 'deep', '--path', glob], repo.dir);
    await assertBounded(['grep', 'export', '-g', glob], repo.dir);
  }
  repo.write({ '.socraticode.json': JSON.stringify({ exclude: GLOBS }) });
  await assertBounded(['search', 'deep'], repo.dir);
  repo.commit({ '.socraticode.json': JSON.stringify({ exclude: GLOBS }) });
  await assertBounded(['index'], repo.dir);
});

test('expressions of grep, on one line and on many', async () => {
  const repo = longNames();
  for (const expression of EXPRESSIONS)
    for (const options of [[], ['--multiline']]) await assertBounded(['grep', '-e', expression, ...options], repo.dir);
});
