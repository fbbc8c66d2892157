/** Which tests `node test/run.mjs --changed` takes, in made-up projects. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROOT } from './root.js';

interface Imports {
  reaching(tests: string[], changed: string[]): { near: { test: string; steps: number }[]; whole: string[] };
  startsProgram(test: string): boolean;
}
const { Imports } = await import(new URL('test/selection.mjs', ROOT).href);
const project = (files: Record<string, string>): Imports => new Imports((path: string) => files[path] ?? null);

const FILES = {
  'src/git/log.ts': "import { run } from './run.js';\nimport type { Shape } from '../shape.js';\n",
  'src/git/run.ts': "export { one } from './one.js';\n",
  'src/git/one.ts': "const two = () => import(\n  './two.js'\n);\ntype Two = typeof import('../shape.js');\n",
  'src/git/two.ts': "const BIN = new URL('../../model/builtin.bin', import.meta.url);\n",
  'src/shape.ts': 'export type Shape = 1;\n',
  'src/questions/table.ts': "export const all = { log: () => import('./log.js') };\n",
  'src/questions/log.ts': "import { log } from '../git/log.js';\n",
  'src/cli/main.ts': "import '../questions/table.js';\n",
  'test/support/cli.ts': "export const CLI = new URL('../../src/cli/main.js', import.meta.url);\n",
  'test/support/spy.ts': "new URL('./spy-hooks.js', import.meta.url);\n",
  'test/support/spy-hooks.ts': '',
  'test/git/log.test.ts': "import { log } from '../../src/git/log.js';\n",
  'test/git/two.test.ts': "import { two } from '../../src/git/two.js';\n",
  'test/all.test.ts': "import { all } from '../src/questions/table.js';\n",
  'test/process.test.ts': "import { CLI } from './support/cli.js';\nimport './support/spy.js';\n",
  'test/house/docs.test.ts': "new URL('docs/', ROOT); new URL('../../../fixtures/a.json', import.meta.url);\n",
};
const TESTS = Object.keys(FILES).filter((path) => path.endsWith('.test.ts'));

/** Names of near tests with their steps, and of those that reach it by the whole program. */
function taken(...changed: string[]) {
  const { near, whole } = project(FILES).reaching(TESTS, changed);
  return [near.map(({ test, steps }) => `${steps} ${test}`), whole];
}

test('imports lead to a changed file however they are written, types aside, and the nearest test comes first', () => {
  assert.deepEqual(taken('src/git/two.ts')[0], ['1 test/git/two.test.ts', '4 test/git/log.test.ts']);
  assert.deepEqual(taken('src/git/run.ts')[0], ['2 test/git/log.test.ts']);
  assert.deepEqual(taken('src/shape.ts'), [[], []]);
  assert.deepEqual(taken('test/git/two.test.ts')[0], ['0 test/git/two.test.ts']);
});

test('tests that start the program or may ask any question reach all of it, and are kept apart', () => {
  assert.deepEqual(taken('src/git/log.ts')[1], ['test/all.test.ts', 'test/process.test.ts']);
  // What is nearer than the whole program counts as for every test.
  assert.deepEqual(taken('src/questions/table.ts'), [['1 test/all.test.ts'], ['test/process.test.ts']]);
  assert.deepEqual(taken('test/support/cli.ts')[0], ['1 test/process.test.ts']);
  assert.deepEqual(taken('test/support/spy-hooks.ts')[0], ['2 test/process.test.ts']);
});

test('files that are read count where they, or a folder of theirs, are named', () => {
  assert.deepEqual(taken('docs/cli.md')[0], ['1 test/house/docs.test.ts']);
  assert.deepEqual(taken('fixtures/a.json')[0], ['1 test/house/docs.test.ts']);
  assert.deepEqual(taken('fixtures/b.json', 'docs'), [[], []]);
  assert.deepEqual(taken('model/builtin.bin')[0], ['2 test/git/two.test.ts', '5 test/git/log.test.ts']);
});

test('a file that is gone is reached by those that still import it; one in a circle is found once', () => {
  const { near } = project({
    'test/a.test.ts': "import './b.js';\n",
    'test/b.ts': "import './gone.js';\nimport './a.test.js';\n",
  }).reaching(['test/a.test.ts'], ['test/gone.ts']);
  assert.deepEqual(near, [{ test: 'test/a.test.ts', steps: 2 }]);
});

test('only tests that start processes of the program want its bundle', () => {
  const starting = TESTS.filter((path) => project(FILES).startsProgram(path));
  assert.deepEqual(starting, ['test/process.test.ts']);
});
