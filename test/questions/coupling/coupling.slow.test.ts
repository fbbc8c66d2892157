/** Coupling of symbols, ranges and uncommitted changes, and the search for commits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CouplingDocument } from '../../../src/questions/coupling/output.js';
import type { CommitsDocument } from '../../../src/questions/history/commits/output.js';
import { cliJson } from '../../support/processes/cli.js';
import { createRepo } from '../../support/repositories/repo.js';

const cart = (n: number) =>
  `export function total(): number {\n  return ${n};\n}\n\nexport function other(): number {\n  return 1;\n}\n`;
const tax = (n: number) => `export function rate(): number {\n  return ${n};\n}\n`;

function withHabit() {
  const repo = createRepo();
  for (let n = 1; n <= 4; n++) repo.commit({ 'cart.ts': cart(n), 'tax.ts': tax(n), [`n${n}.txt`]: 'x' }, `rates ${n}`);
  repo.commit({ 'cart.ts': cart(4).replace('return 1', 'return 2') }, 'only the other one');
  return repo;
}

test('a symbol is answered with the symbols that change with it, not with others of its file', async () => {
  const repo = withHabit();
  const asked = (target: string) => cliJson<CouplingDocument>(['coupling', target], { cwd: repo.dir });
  const { symbols, coupled } = await asked('total');
  assert.deepEqual(
    symbols?.list.map(({ path, symbol, together, of }) => [path, symbol, together, of]),
    [['tax.ts', 'rate', 4, 4]],
  );
  assert.deepEqual(
    coupled.list.map(({ path, together, of }) => [path, together, of]),
    [['tax.ts', 4, 5]],
  );
  assert.deepEqual((await asked('total')).symbols, symbols, 'the second time from what was kept');
});

test('of a range and of uncommitted changes, files that were forgotten are named', async () => {
  const repo = withHabit();
  repo.commit({ 'tax.ts': tax(9) }, 'tax alone');
  const named = async (...args: string[]) =>
    (await cliJson<CouplingDocument>(['coupling', ...args], { cwd: repo.dir })).coupled.list.map(({ path }) => path);
  assert.deepEqual(await named('HEAD~1..HEAD'), ['cart.ts']);
  repo.write({ 'cart.ts': cart(10) });
  assert.deepEqual(await named(), ['tax.ts']);
});

test('commits are found by message, path and symbol; a range and a path narrow them', async () => {
  const repo = withHabit();
  const found = async (...args: string[]) => {
    const { results } = await cliJson<CommitsDocument>(['search', '--commits', ...args], { cwd: repo.dir });
    return results.map(({ subject }) => subject);
  };
  assert.deepEqual(await found('other'), ['only the other one']);
  assert.equal((await found('rates')).length, 4);
  assert.deepEqual(await found('rates', '--in', 'HEAD~2..HEAD'), ['rates 4']);
  assert.deepEqual(await found('cart', '--path', 'n2.txt'), ['rates 2']);
});
