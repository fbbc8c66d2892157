/** `--merged`: questions about the tree that branches make together, before anybody merges them. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cli, cliJson } from '../../support/in-process/cli.js';
import { createRepo, makeDirectory } from '../../support/repositories/repo.js';

const PRICE = 'export function price(id: string): number {\n  return id.length;\n}\n';

/** `one` adds a function that calls price(), `two` a test of that function; neither is merged. */
function repository() {
  const repo = createRepo();
  repo.commit({ 'src/price.ts': PRICE, 'src/other.ts': 'export const other = 1;\n' }, 'a shop');
  repo.git('checkout', '-q', '-b', 'one', 'main');
  repo.commit({ 'src/cart.ts': "import { price } from './price';\nexport const total = () => price('x');\n" }, 'one');
  repo.git('checkout', '-q', '-b', 'two', 'main');
  repo.commit({ 'src/cart.test.ts': "import { total } from './cart';\ntest('total', () => total());\n" }, 'two');
  repo.git('checkout', '-q', '-b', 'other', 'main');
  repo.commit({ 'src/price.ts': PRICE.replace('length', 'length + 1') }, 'other');
  repo.git('checkout', '-q', '-b', 'another', 'main');
  repo.commit({ 'src/price.ts': PRICE.replace('length', 'length + 2') }, 'another');
  repo.git('checkout', '-q', 'main');
  return repo;
}

test('impact, search, tests and the graph answer for branches as merged, and write no ref', async () => {
  const repo = repository();
  const refs = repo.git('for-each-ref', 'refs/heads');
  const merged = ['--merged', 'one', '--merged', 'two', '--json'];
  const impact = await cliJson<{ ref: string; tests: object }>(['graph', 'impact', 'price', ...merged], {
    cwd: repo.dir,
  });
  assert.equal(impact.ref, 'HEAD + one + two');
  assert.match(JSON.stringify(impact), /src\/cart\.ts/, 'the user comes from one');
  assert.match(JSON.stringify(impact.tests), /src\/cart\.test\.ts/, 'its test from two');
  const found = await cliJson<object>(['search', 'total', ...merged], { cwd: repo.dir });
  assert.ok(JSON.stringify(found).includes('src/cart.test.ts'));
  const tests = await cliJson<object>(['tests', 'src/price.ts', ...merged], { cwd: repo.dir });
  assert.ok(JSON.stringify(tests).includes('src/cart.test.ts'));
  const stats = await cliJson<object>(['graph', 'stats', ...merged], { cwd: repo.dir });
  assert.match(JSON.stringify(stats), /HEAD \+ one \+ two/);
  assert.equal(repo.git('for-each-ref', 'refs/heads'), refs);
});

test('uncommitted files of both sides are in what is merged', async () => {
  const repo = repository();
  writeFileSync(join(repo.dir, 'src/mine.ts'), "import { other } from './other';\nexport const mine = other;\n");
  const tree = join(makeDirectory(), 'agent');
  repo.git('worktree', 'add', '-q', tree, 'one');
  writeFileSync(join(tree, 'src/theirs.ts'), "import { other } from './other';\nexport const theirs = other;\n");
  const { hops } = await cliJson<{ hops: object }>(['graph', 'impact', 'other', '--merged', 'one', '--json'], {
    cwd: repo.dir,
  });
  assert.match(JSON.stringify(hops), /src\/mine\.ts.*src\/theirs\.ts/);
});

test('branches that do not merge are refused with the files in which they conflict', async () => {
  const repo = repository();
  const { code, stderr } = await cli(['search', 'x', '--merged', 'other', '--merged', 'another'], { cwd: repo.dir });
  assert.equal(code, 2);
  assert.match(stderr, /another does not merge into HEAD \+ other: 1 conflict \(src\/price\.ts\)/);
});

test('a name like an option, an unknown one and a range are refused', async () => {
  const repo = repository();
  for (const [name, why] of [
    ['--output=x', /--output=x/],
    ['nothing', /nothing/],
    ['one..two', /one\.\.two/],
  ] as const) {
    const { code, stderr } = await cli(['search', 'x', `--merged=${name}`], { cwd: repo.dir });
    assert.equal(code, 2);
    assert.match(stderr, why);
  }
});
