/** Hotspots: files and functions by how often they change, how complex they are, and how much rests on them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HotspotsDocument } from '../../../src/questions/hotspots/output.js';
import { cli, cliJson } from '../../support/processes/cli.js';
import { createRepo } from '../../support/repositories/repo.js';

const hot = (n: number) =>
  `export function hot(a: number): number {\n  if (a > 1) {\n    for (;;) {\n      a += ${n};\n    }\n  }\n  return a;\n}\n\nexport function still(a: number): number {\n  if (a > 1) {\n    return 1;\n  }\n  return 2;\n}\n`;
const user = "import { hot } from './hot';\n\nexport function use(): number {\n  return hot(1);\n}\n";

function busy() {
  const repo = createRepo();
  repo.commit({ 'src/use.ts': user, 'src/calm.ts': hot(0), 'readme.md': 'x' }, 'first');
  for (let n = 1; n <= 3; n++) repo.commit({ 'src/hot.ts': hot(n), 'test/hot.test.ts': hot(n) }, `heat ${n}`);
  return repo;
}

const asked = (dir: string, ...args: string[]) => cliJson<HotspotsDocument>(['hotspots', ...args], { cwd: dir });

const BUSY = new Map([
  ['src/hot.ts', 3],
  ['src/use.ts', 1],
  ['src/calm.ts', 1],
]);

test('files are ranked by a product whose factors are told; tests, text and data are counted, not ranked', async () => {
  const { dir } = busy();
  const { hotspots, aside } = await asked(dir);
  assert.deepEqual(new Map(hotspots.list.map(({ path, commits }) => [path, commits])), BUSY);
  assert.equal(hotspots.list[0].path, 'src/hot.ts');
  for (const { heat, churn, centrality, complexity } of hotspots.list)
    assert.equal(heat, Number((churn * centrality * complexity).toPrecision(3)));
  assert.deepEqual(aside, { tests: 1, others: 1 });
  const { hotspots: withTests } = await asked(dir, 'test', '--tests');
  assert.deepEqual(
    withTests.list.map(({ path }) => path),
    ['test/hot.test.ts'],
  );
});

test('a function that changed is a hotspot, its neighbour that did not is as old as its file', async () => {
  const { dir } = busy();
  const { hotspots, compared } = await asked(dir, 'src/hot.ts', '--symbols');
  assert.deepEqual(
    hotspots.list.map(({ symbol, commits, complexity }) => [symbol, commits, complexity]),
    [
      ['hot', 3, 7],
      ['still', 1, 4],
    ],
  );
  assert.deepEqual(compared, { files: 1, commits: 3 });
});

test('another ref has the hotspots of its past, and a date leaves older commits out', async () => {
  const repo = busy();
  const { hotspots } = await asked(repo.dir, '--ref', 'HEAD~2');
  assert.equal(hotspots.list.find(({ path }) => path === 'src/hot.ts')?.commits, 1);
  const { code, stdout } = await cli(['hotspots', '--since', '2999-01-01'], { cwd: repo.dir });
  assert.equal(code, 1);
  assert.match(stdout, /^no code changed/);
});
