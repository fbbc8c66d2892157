/** `pack` and the map of `graph outline`, asked as a user would, and as an agent. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { estimateTokens } from '../../src/base/tokens.js';
import { graphMapResponseSchema } from '../../src/questions/graph/outline/question.js';
import { type PackResponse, packResponseSchema } from '../../src/questions/pack/question.js';
import { check } from '../support/check.js';
import { type CliOptions, cli } from '../support/in-process/cli.js';
import { createRepo } from '../support/repositories/repo.js';
import { startServer } from '../support/servers/mcp.js';

const CART = `import { round } from './price';

/** What somebody is about to buy. */
export class Cart {
  private items: number[] = [];

  add(price: number): void {
    this.items.push(price);
  }

  /** The sum of all prices, with the discount taken off. */
  total(discount: number): number {
    const sum = this.items.reduce((all, price) => all + price, 0);
    return round(sum - discount);
  }
}
`;
const PRICE = `/** To whole cents. */
export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

export function format(value: number): string {
  return \`\${round(value)} EUR\`;
}
`;
const CHECKOUT = `import { Cart } from '../shop/cart';
import { format } from '../shop/price';

export function checkout(prices: number[]): string {
  const cart = new Cart();
  for (const price of prices) cart.add(price);
  return format(cart.total(0));
}
`;
const TEST = `import { Cart } from '../src/shop/cart';

export function totals(): boolean {
  return new Cart().total(0) === 0;
}
`;

const repo = createRepo();
const options: CliOptions = { cwd: repo.dir };

before(() => {
  repo.commit({
    'src/shop/cart.ts': CART,
    'src/shop/price.ts': PRICE,
    'src/web/checkout.ts': CHECKOUT,
    'test/cart.test.ts': TEST,
    'README.md': '# Shop\n\nSells things.\n',
  });
});

async function pack(args: string[], where = options): Promise<PackResponse> {
  const { code, stdout, stderr } = await cli(['pack', ...args, '--json'], where);
  assert.deepEqual([code, stderr], [0, ''], args.join(' '));
  return check(packResponseSchema, JSON.parse(stdout));
}

const find = ({ items }: PackResponse, path: string, kind?: string) =>
  items.find((item) => item.path === path && (kind === undefined || item.kind === kind));

test('a task is given the code it means, what that calls, and its tests', async () => {
  const found = await pack(['how', 'is', 'the', 'discount', 'taken', 'off', 'the', 'total', '--max-tokens', '4000']);
  assert.equal(found.linked, true);
  assert.match(
    find(found, 'src/shop/cart.ts', 'code')?.content ?? '',
    /total\(discount: number\): number \{\n[^}]*sum - discount/,
  );
  assert.match(find(found, 'src/shop/price.ts')?.content ?? '', /round\(value: number\)/);
  assert.match(find(found, 'test/cart.test.ts', 'test')?.content ?? '', /new Cart\(\)\.total\(0\)/);
  assert.equal(found.dropped.leftOut, 0);
});

test('a trace is taken at its word: the places in it come first, paths of other machines included', async () => {
  const trace =
    'Error: NaN\n    at format (/srv/app/src/shop/price.ts:7:3)\n    at /srv/app/src/web/checkout.ts:7:10\n';
  const found = await pack(['--stdin', '--max-tokens', '3000'], { ...options, input: trace });
  assert.match(find(found, 'src/shop/price.ts')?.why ?? '', /named at line 7/);
  assert.match(find(found, 'src/web/checkout.ts')?.why ?? '', /named at line 7/);
});

test('the budget holds in text and JSON; filters, tests, refs; what is uncommitted is seen', async () => {
  const task = ['cart', 'total', 'price'];
  const { stdout } = await cli(['pack', ...task, '--max-tokens', '500'], options);
  assert.ok(estimateTokens(stdout) <= 500, stdout);
  const small = await pack([...task, '--max-tokens', '500']);
  assert.ok(estimateTokens(JSON.stringify(small)) <= 500);
  assert.ok(small.items.length > 0);
  const inShop = await pack([...task, '--path', 'src/shop/**']);
  assert.ok(inShop.items.every(({ path }) => path.startsWith('src/shop/')));
  const untested = await pack([...task, '--no-tests']);
  assert.equal(find(untested, 'test/cart.test.ts'), undefined);
  repo.write({
    'src/shop/coupon.ts': 'export function redeemCoupon(code: string): number {\n  return code.length;\n}\n',
  });
  assert.match(find(await pack(['redeemCoupon']), 'src/shop/coupon.ts')?.content ?? '', /code\.length/);
  assert.equal(find(await pack(['redeemCoupon', 'total', '--committed']), 'src/shop/coupon.ts'), undefined);
  assert.equal(find(await pack(['redeemCoupon', 'total', '--ref', 'HEAD']), 'src/shop/coupon.ts'), undefined);
  rmSync(join(repo.dir, 'src/shop/coupon.ts'));
});

test('a bad budget and an empty task say what to do', async () => {
  const bad = await cli(['pack', 'cart', '--max-tokens', '10'], options);
  assert.equal(bad.code, 2);
  assert.match(bad.stderr, /--max-tokens takes a whole number from 500 to 100,000, not 10/);
  const empty = await cli(['pack'], options);
  assert.equal(empty.code, 2);
  assert.match(empty.stderr, /empty/);
});

test('an outline of nothing is a map by folders, of a directory a map of it; of a file its skeleton, as before', async () => {
  const { stdout, code } = await cli(['graph', 'outline'], options);
  assert.equal(code, 0);
  assert.match(stdout, /^src\/ {2}3 files\n/);
  assert.match(stdout, / {4}4 class Cart\n {6}7 add\(price: number\): void\n/);
  assert.doesNotMatch(stdout, /cart\.test\.ts|README/);
  const json = await cli(['graph', 'outline', 'src/web', '--max-tokens', '1000', '--json'], options);
  const map = check(graphMapResponseSchema, JSON.parse(json.stdout));
  assert.deepEqual([map.scope, map.folders.map(({ path }) => path)], [['src/web'], ['src/web']]);
  assert.ok(estimateTokens(json.stdout) <= 1_000);
  const globbed = await cli(['graph', 'outline', 'src/**/c*.ts'], options);
  assert.match(globbed.stdout, /src\/shop\/cart\.ts {2}typescript/);
  assert.equal((await cli(['graph', 'outline', '--max-tokens', '5'], options)).code, 2);
});

test('agents get the same within the budget they name', async (t) => {
  const server = await startServer(t, repo.dir);
  const packed = await server.ask('codebase_pack', { task: 'discount of the cart total', maxTokens: 1_500 });
  assert.match(packed.text, /src\/shop\/cart\.ts\n\d+-\d+ Cart/);
  for (const reply of [packed.text, JSON.stringify(packed.structured)]) assert.ok(estimateTokens(reply) <= 1_500);
  const map = await server.ask('codebase_outline', {});
  assert.match(map.text, /src\/ {2}3 files/);
  assert.ok(map.text.length <= 0.6 * JSON.stringify(map.structured).length);
  const outline = await server.ask('codebase_outline', { files: ['src/shop/cart.ts'] });
  assert.match(outline.text, /total\(discount: number\): number/);
});
