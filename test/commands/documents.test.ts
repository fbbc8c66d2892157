/** Commands about documents, in a repository whose guide speaks of its code. */
import assert from 'node:assert/strict';
import { createRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';
import { command } from './command.js';

const repo = createRepo();
const GUIDE = `# Guide

Sessions are kept by \`SessionStore\`.

## Tokens

Call \`SessionStore.rememberToken()\`; see [the code](../src/session.ts).
`;
repo.commit({ ...PROJECT, 'docs/guide.md': GUIDE }, 'a guide');

command('docs search', 'finds sections of documents alone, narrowed as other searches are', async (run) => {
  const { stdout } = await run(repo, ['remember', 'token']);
  assert.match(stdout, /^docs\/guide\.md:1 {2}Guide {2}section/);
  assert.doesNotMatch(stdout, /session\.ts {2}/);
  await run(repo, ['nowhereToBeFound'], { code: 1 });
  const books = createRepo();
  books.commit({ ...PROJECT, 'docs/old.md': '# Install\n\nInstall the harbour.\n' }, 'a guide');
  const first = books.git('rev-parse', 'HEAD').trim();
  books.write({ 'docs/auth/new.md': '# Again\n\nInstall the harbour again.\n' });
  books.git('add', '.');
  books.git('commit', '-q', '--author', 'Zoe Quay <zoe@example.org>', '-m', 'another guide');
  books.git('checkout', '-q', '-b', 'side');
  books.commit({ 'docs/side.md': '# Side\n\nInstall the harbour aside.\n' }, 'aside');
  books.git('checkout', '-q', '-');
  const found = async (...args: string[]): Promise<string[]> => {
    const { stdout } = await run(books, ['harbour', ...args, '--json']);
    return JSON.parse(stdout)
      .results.map(({ path }: { path: string }) => path)
      .sort();
  };
  assert.deepEqual(await found(), ['docs/auth/new.md', 'docs/old.md']);
  assert.deepEqual(await found('--in', `${first}..`), ['docs/auth/new.md']);
  assert.deepEqual(await found('--author', 'zoe'), ['docs/auth/new.md']);
  assert.deepEqual(await found('--since', '2000-01-01', '--is', 'document'), ['docs/auth/new.md', 'docs/old.md']);
  assert.deepEqual(await found('--tag', '!auth'), ['docs/old.md']);
  assert.deepEqual(await found('--all-refs'), ['docs/auth/new.md', 'docs/old.md', 'docs/side.md']);
  await run(books, ['harbour', '--until', '2000-01-01'], { code: 1 });
  assert.match((await run(books, ['harbour', '--explain'])).stdout, /^score \d.*factor:document/m);
});

command('docs links', 'lists documents that mention code, and code that a document mentions', async (run) => {
  const { stdout } = await run(repo, ['SessionStore']);
  assert.match(
    stdout,
    /mentioned in 2 places\n {2}docs\/guide\.md\n {4}3 SessionStore {2}Guide\n {4}7 \S+ {2}Guide > Tokens\n/,
  );
  const guide = JSON.parse((await run(repo, ['docs/guide.md', '--json'])).stdout);
  assert.deepEqual(
    guide.mentions.list.map(({ target, line }: { target: { symbol: string | null }; line: number }) => [
      line,
      target.symbol,
    ]),
    [
      [3, 'SessionStore'],
      [7, 'SessionStore.rememberToken'],
      [7, null],
    ],
  );
  await run(repo, ['nearest_depot'], { code: 1 });
  repo.write({ 'docs/other.md': 'Ask `nearest_depot()`.\n' });
  assert.match((await run(repo, ['nearest_depot'])).stdout, /docs\/other\.md/);
  await run(repo, ['nearest_depot', '--committed'], { code: 1 });
});

const SHOP = (tax: string) => `export class Cart {
  add(item: string, count = 1): void {}
  total(${tax}): number {
    return 0;
  }
}
export interface CartOptions {
  taxRate: number;
}
export function openCart(options: CartOptions): Cart {
  return new Cart();
}
`;
const SHOP_GUIDE = `# Cart

\`Cart.total()\` sums up, \`Cart.discount\` was never there, and \`CartOptions.taxRate\` is the rate.
See [the code](../src/shop/cart.ts), [the plan](plan.md) and [a picture](picture.png).

\`\`\`ts
import { Cart, openCart } from 'shop';
const cart = openCart({ taxRate: 1 > 0 ? 1 : 2 });
const other = new Cart();
other.add('a', 1);
other.add('a', 1, true);
other.total(0.2);
\`\`\`
`;

command('docs drift', 'lists what documents say that is not so, in a snapshot and since a change', async (run) => {
  const shop = createRepo();
  shop.commit(
    { 'src/shop/cart.ts': SHOP('tax: number'), 'docs/guide.md': SHOP_GUIDE, 'docs/picture.png': 'x' },
    'a shop',
  );
  const problems = async (args: readonly string[], code = 1): Promise<string[]> => {
    const { drift } = JSON.parse((await run(shop, [...args, '--json'], { code })).stdout);
    return drift.list.map(
      (one: { line: number; text: string; problem: string }) => `${one.line} ${one.text} ${one.problem}`,
    );
  };
  const old = ['3 Cart.discount no-member', '4 plan.md no-file', '11 Cart.add arguments'];
  assert.deepEqual(await problems([]), old);
  shop.write({ 'docs/plan.md': '# Plan\n' });
  assert.deepEqual(
    await problems([]),
    old.filter((one) => !one.includes('plan')),
  );
  assert.deepEqual(await problems(['--committed']), old);
  await run(shop, ['HEAD..']);
  shop.commit(
    {
      'src/shop/cart.ts': SHOP('').replaceAll('CartOptions', 'Rates'),
      'CHANGELOG.md': '`CartOptions.taxRate` is gone',
    },
    'rates',
  );
  assert.deepEqual(await problems(['HEAD~1..HEAD']), ['3 CartOptions.taxRate renamed', '12 Cart.total arguments']);
  const { stdout } = await run(shop, ['HEAD~1..HEAD'], { code: 1 });
  assert.match(stdout, /3 CartOptions\.taxRate: it is Rates\.taxRate now {2}src\/shop\/cart\.ts:8 {2}Cart\n/);
  assert.match(
    stdout,
    /mentions? of what changed, in documents that did not\n {2}docs\/guide\.md\n.*Cart\.total {2}method {2}declaration changed/,
  );
});
