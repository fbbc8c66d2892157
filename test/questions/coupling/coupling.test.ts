/** Coupling of files, symbols, ranges and uncommitted changes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerCoupling, couplingBlocks } from '../../../src/questions/coupling/answer.js';
import {
  type CouplingDocument,
  type CouplingValues,
  couplingSchema,
} from '../../../src/questions/coupling/question.js';
import { answerCommits } from '../../../src/questions/history/commits.js';
import { writtenText } from '../../../src/questions/view.js';
import { check } from '../../support/check.js';
import { documentOf, PLAIN } from '../../support/in-process/document.js';
import { createRepo, type TestRepo } from '../../support/repositories/repo.js';

const cart = (n: number) =>
  `export function total(): number {\n  return ${n};\n}\n\nexport function other(): number {\n  return 1;\n}\n`;
const tax = (n: number) => `export function rate(): number {\n  return ${n};\n}\n`;

function withHabit(): TestRepo {
  const repo = createRepo();
  for (let n = 1; n <= 4; n++) repo.commit({ 'cart.ts': cart(n), 'tax.ts': tax(n), [`n${n}.txt`]: 'x' }, `rates ${n}`);
  repo.commit({ 'cart.ts': cart(4).replace('return 1', 'return 2') }, 'only the other one');
  return repo;
}
const repo = withHabit();

const asked = async (values: Partial<CouplingValues> = {}, from = repo): Promise<CouplingDocument> =>
  check(
    couplingSchema,
    await documentOf(from, (at) =>
      answerCoupling(at, { limit: 20, minShare: 0.3, minCommits: 3, ...values } as CouplingValues),
    ),
  );
const files = ({ coupled }: CouplingDocument) => coupled.list.map(({ path, together, of }) => [path, together, of]);
const names = ({ coupled }: CouplingDocument) => coupled.list.map(({ path }) => path).sort();

test('a symbol is answered with the symbols that change with it, not with others of its file', async () => {
  const document = await asked({ target: 'total' });
  const symbols = document.symbols?.list.map(({ path, symbol, together, of, with: own }) => [
    path,
    symbol,
    together,
    of,
    own,
  ]);
  assert.deepEqual(symbols, [['tax.ts', 'rate', 4, 4, 'total']]);
  assert.deepEqual([files(document), document.files, document.changes], [[['tax.ts', 4, 5]], 1, 5]);
  assert.deepEqual((await asked({ target: 'total' })).symbols, document.symbols, 'the second time from what was kept');
  const kept = await asked({ target: 'other' });
  assert.deepEqual([kept.symbols?.list, names(kept)], [[], ['tax.ts']], 'it changed twice, once alone');
});

test('files need enough common commits and a large enough share; deleted ones are not named', async () => {
  assert.deepEqual(files(await asked({ target: 'cart.ts' })), [['tax.ts', 4, 5]]);
  assert.deepEqual(names(await asked({ target: 'cart.ts', minCommits: 1, minShare: 0 })), [
    ...['n1.txt', 'n2.txt', 'n3.txt', 'n4.txt'],
    'tax.ts',
  ]);
  assert.deepEqual(names(await asked({ target: 'cart.ts', minCommits: 4 })), ['tax.ts']);
  assert.deepEqual(names(await asked({ target: 'cart.ts', minCommits: 5 })), []);
  assert.deepEqual(names(await asked({ target: 'cart.ts', minShare: 0.9 })), []);
  const gone = withHabit();
  gone.git('rm', '-q', 'tax.ts');
  gone.commit({}, 'gone');
  assert.deepEqual(names(await asked({ target: 'cart.ts' }, gone)), []);
  const cut = await asked({ target: 'cart.ts', minCommits: 1, minShare: 0, limit: 2 });
  assert.deepEqual([cut.coupled.list.length, cut.coupled.leftOut], [2, 3]);
});

test('of a range and of uncommitted changes, files that were forgotten are named', async () => {
  const habit = withHabit();
  habit.commit({ 'tax.ts': tax(9) }, 'tax alone');
  const range = await asked({ target: 'HEAD~1..HEAD' }, habit);
  assert.deepEqual([names(range), range.files, range.symbols], [['cart.ts'], 1, undefined]);
  habit.git('checkout', '-q', '-b', 'side', 'HEAD~1');
  habit.commit({ 'cart.ts': cart(8) }, 'cart alone');
  assert.deepEqual(names(await asked({ target: 'main...side' }, habit)), ['tax.ts'], 'what the branch changes');
  assert.deepEqual(names(await asked({ target: 'main..side' }, habit)), [], 'both differ');
  assert.deepEqual([names(await asked({}, habit)), (await asked({}, habit)).files], [[], 0]);
  habit.write({ 'cart.ts': cart(10) });
  assert.deepEqual(names(await asked({}, habit)), ['tax.ts']);
  await assert.rejects(asked({ ref: 'HEAD' }, habit), /without a target, coupling is about uncommitted changes/);
  await assert.rejects(asked({ target: 'main..side', ref: 'HEAD' }, habit), /a ref and a range exclude each other/);
});

test('a file that a range renames is asked about by its former name as well', async () => {
  const habit = withHabit();
  habit.git('checkout', '-q', '-b', 'renamed');
  habit.git('mv', 'cart.ts', 'basket.ts');
  habit.commit({}, 'another name');
  assert.deepEqual(names(await asked({ target: 'main..renamed' }, habit)), ['tax.ts']);
});

const couplingText = (document: CouplingDocument) => writtenText(couplingBlocks(document, PLAIN), PLAIN.pen);

test('the text names the counts, of a symbol its symbols first', async () => {
  const [head, , symbols, one, , title, file] = couplingText(await asked({ target: 'total' })).split('\n');
  assert.equal(head, 'total: its file changed in 5 commits');
  assert.deepEqual([symbols, one], ['symbols that usually also change', '  tax.ts  rate  in 4 of 4 commits']);
  assert.deepEqual([title, file], ['with its file usually also changes', '  tax.ts  in 4 of 5 commits']);
  const ofFile = couplingText(await asked({ target: 'cart.ts' }));
  assert.match(
    ofFile,
    /^cart\.ts changed in 5 commits\n\nusually also changes\n {2}tax\.ts {2}in 4 of 5 commits\n\nfrom all 5/,
  );
  const two = couplingText(await asked({ target: 'HEAD~2..HEAD', minCommits: 1, minShare: 0.9 }));
  assert.match(two, /^HEAD~2\.\.HEAD \(3 files\) changed in 3 commits\n/);
  assert.match(
    couplingText(await asked({ target: 'cart.ts', minCommits: 5 })),
    /\nnothing else usually changes with it\n/,
  );
  assert.equal(couplingText(await asked()), 'nothing is uncommitted\n');
  repo.write({ 'fresh.ts': 'export {};\n' });
  assert.match(
    couplingText(await asked()),
    /^the uncommitted changes changed in 0 commits\nno commit tells what changes with it\n/,
  );
});

test('commits are found by message, path and symbol; a range and a path narrow them', async () => {
  const found = async (query: string, values: Record<string, unknown> = {}) => {
    const { results } = await documentOf(repo, (at) => answerCommits(at, { query, limit: 10, ...values } as never));
    return results.map(({ subject }) => subject);
  };
  assert.deepEqual(await found('other'), ['only the other one']);
  assert.equal((await found('rates')).length, 4);
  assert.deepEqual(await found('rates', { in: 'HEAD~2..HEAD' }), ['rates 4']);
  assert.deepEqual(await found('cart', { path: ['n2.txt'] }), ['rates 2']);
});
