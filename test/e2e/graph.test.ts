/** The questions of `graph`, asked as a user would of a small shop in TypeScript and Python. */
import assert from 'node:assert/strict';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { Any, Infer } from '../../src/params/shape.js';
import { graphCyclesResponseSchema } from '../../src/questions/graph/cycles/question.js';
import { graphDepsResponseSchema } from '../../src/questions/graph/deps/question.js';
import { graphEntriesResponseSchema, graphFlowResponseSchema } from '../../src/questions/graph/flow/question.js';
import { graphImpactResponseSchema } from '../../src/questions/graph/impact/question.js';
import { graphOutlineResponseSchema } from '../../src/questions/graph/outline/question.js';
import { graphCandidatesSchema } from '../../src/questions/graph/output.js';
import { graphPathResponseSchema } from '../../src/questions/graph/path/question.js';
import { graphReferencesResponseSchema } from '../../src/questions/graph/references/question.js';
import { graphStatsResponseSchema } from '../../src/questions/graph/stats/question.js';
import { graphSymbolResponseSchema } from '../../src/questions/graph/symbol/question.js';
import { graphSymbolsResponseSchema } from '../../src/questions/graph/symbols/question.js';
import { ROOT } from '../house/root.js';
import { check } from '../support/check.js';
import { type CliOptions, cli } from '../support/in-process/cli.js';
import { createRepo } from '../support/repositories/repo.js';

const CART = `import { round } from './price';
import { log } from './log';

/** What somebody is about to buy. */
export class Cart {
  private items: number[] = [];

  add(price: number): void {
    this.items.push(price);
  }

  total(): number {
    log('total');
    return round(this.sum());
  }

  private sum(): number {
    return this.items.reduce((a, b) => a + b, 0);
  }

  private unused(): void {}
}
`;
const PRICE = `import type { Cart } from './cart';

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

export function describe(cart: Cart): string {
  return String(cart.total());
}
`;
const APP = `import { Cart } from './shop/cart';
import { describe } from './shop/price';
import express from 'express';
import { gone } from './gone';

function checkout(): string {
  const cart = new Cart();
  cart.add(1);
  return describe(cart);
}

const app = express();
app.get('/checkout', checkout);

export function main(): void {
  checkout();
  gone();
}
`;
const LOG = `import { main } from '../app';

export function log(text: string): void {
  if (text === '') main();
}
`;
const TEST = `import { Cart } from '../src/shop/cart';

export function totals(): boolean {
  return new Cart().total() === 0;
}
`;
const TOOL = 'import os\n\n\ndef load(name):\n    return os.path.join("x", name)\n\n\nprint(load("y"))\n';

const repo = createRepo();
const options: CliOptions = { cwd: repo.dir };

before(async () => {
  repo.commit(
    {
      'src/shop/cart.ts': CART,
      'src/shop/price.ts': PRICE,
      'src/shop/log.ts': LOG,
      'src/app.ts': APP,
      'test/cart.test.ts': TEST,
      'tool.py': TOOL,
      'package.json': '{"name": "shop", "bin": {"shop": "dist/app.js"}}',
      'README.md': '# Shop\n\n## Cart\n\nText.\n',
    },
    'shop',
  );
  repo.git('tag', 'v1');
});

/** An answer of `--json`, checked against its schema, and the exit code. */
async function ask<S extends Any>(schema: S, args: string[], code = 0, where = options): Promise<Infer<S>> {
  const result = await cli(['graph', ...args, '--json'], where);
  assert.deepEqual([result.code, result.stderr], [code, ''], args.join(' '));
  return check(schema, JSON.parse(result.stdout));
}

async function text(args: string[], code = 0, where = options): Promise<string> {
  const result = await cli(['graph', ...args], where);
  assert.deepEqual([result.code, result.stderr], [code, ''], args.join(' '));
  return result.stdout;
}

test('deps: imports, packages, unresolved imports, dependents; from a directory and from the top', async () => {
  const deps = await ask(graphDepsResponseSchema, ['deps', 'src/app.ts']);
  assert.deepEqual(
    deps.imports.list.map(({ path }) => path),
    ['src/shop/cart.ts', 'src/shop/price.ts'],
  );
  assert.deepEqual(
    deps.external.list.map(({ specifier, line }) => [specifier, line]),
    [['express', 3]],
  );
  assert.deepEqual(
    deps.unresolved.list.map(({ specifier, line }) => [specifier, line]),
    [['./gone', 4]],
  );
  assert.deepEqual(
    deps.dependents.list.map(({ path }) => path),
    ['package.json', 'src/shop/log.ts'],
  );
  assert.deepEqual([deps.ref, deps.commit, deps.dirty], ['HEAD', repo.git('rev-parse', 'HEAD'), 0]);
  const inside = { cwd: join(repo.dir, 'src/shop') };
  assert.match(await text(['deps', 'cart.ts'], 0, inside), /^src\/shop\/cart\.ts {2}typescript, \d+ lines\n/);
  assert.match(await text(['deps', '../app.ts'], 0, inside), /^src\/app\.ts/);
  const { transitive } = await ask(graphDepsResponseSchema, ['deps', 'src/app.ts', '--depth', '2']);
  assert.deepEqual(transitive?.imports.list.at(-1), { path: 'src/shop/log.ts', hops: 2, via: 'src/shop/cart.ts' });
});

test('symbol: definition, callers, callees, tests; why there are no callers; a choice where there are several', async () => {
  const total = await ask(graphSymbolResponseSchema, ['symbol', 'Cart.total']);
  assert.deepEqual([total.definitions[0].signature, total.definitions[0].startLine], ['total(): number', 12]);
  assert.deepEqual(
    total.callers.list.map(({ symbol, line }) => [symbol, line]),
    [
      ['describe', 8],
      ['totals', 4],
    ],
  );
  assert.deepEqual(total.callees.resolved.list.map(({ symbol }) => symbol).sort(), ['Cart.sum', 'log', 'round']);
  assert.deepEqual(
    total.tests.list.map(({ path, hops }) => [path, hops]),
    [['test/cart.test.ts', 1]],
  );
  assert.equal((await ask(graphSymbolResponseSchema, ['symbol', 'unused'])).noCallers?.verdict, 'certain');
  assert.match(await text(['symbol', 'unused']), /no callers, certainly/);
  assert.equal((await ask(graphSymbolResponseSchema, ['symbol', 'Cart'])).doc, 'What somebody is about to buy.');
  const at = await ask(graphSymbolResponseSchema, ['symbol', 'src/shop/cart.ts:13']);
  assert.equal(at.definitions[0].symbol, 'Cart.total');
});

test('an ambiguous name is answered with candidates, exit code 1', async () => {
  repo.write({ 'src/other.ts': 'export function log(): void {}\n', 'src/third.ts': 'function log() {}\nlog();\n' });
  const { candidates } = await ask(graphCandidatesSchema, ['symbol', 'log'], 1);
  assert.deepEqual(
    candidates.list.map(({ pick }) => pick),
    ['src/shop/log.ts:log', 'src/other.ts:log', 'src/third.ts:log'],
  );
  assert.match(
    await text(['impact', 'log', '--limit', '1'], 1),
    /… 2 more: raise --limit\n\npick one .*src\/shop\/log\.ts:log/,
  );
  assert.match(await text(['symbol', 'log', '--file', 'src/other.ts']), /^src\/other\.ts:1 /);
  repo.git('clean', '-fdq');
});

test('references, impact, path, flow', async () => {
  const { counts } = await ask(graphReferencesResponseSchema, ['references', 'Cart']);
  assert.deepEqual([counts.new, counts.type], [2, 1]);
  const impact = await ask(graphImpactResponseSchema, ['impact', 'round']);
  assert.deepEqual(
    impact.hops.map(({ affected }) => affected.map(({ symbol }) => symbol)),
    [['Cart.total'], ['describe'], ['checkout']],
  );
  assert.deepEqual(
    impact.tests.list.map(({ path, hops }) => [path, hops]),
    [['test/cart.test.ts', 2]],
  );
  const way = await ask(graphPathResponseSchema, ['path', 'main', 'round']);
  assert.deepEqual(
    way.path?.steps.map(({ to, line }) => [to.symbol, line]),
    [
      ['checkout', 16],
      ['describe', 9],
      ['Cart.total', 8],
      ['round', 14],
    ],
  );
  assert.match(
    await text(['path', 'load', 'checkout'], 1),
    /^no way leads from load to checkout\n\nno use that is reached has the name/,
  );
  assert.match(await text(['path', 'round', 'totals'], 1), /no way leads .*\n.*add --reverse/);
  assert.match(await text(['path', 'round', 'totals', '--reverse']), /2 steps by uses/);
  const flow = await text(['flow', 'main', '--depth', '10']);
  assert.match(
    flow,
    /^main {2}src\/app\.ts:15.*\n└─ checkout .*\n {3}├─ Cart .*\n {3}├─ Cart\.add .*\n {3}└─ describe .*\n {6}└─ Cart\.total .*\n/,
  );
  assert.match(flow, /main {2}src\/app\.ts:15 {2}\(calls itself in a circle\)/);
  await ask(graphFlowResponseSchema, ['flow', 'main', '--limit', '2']);
});

test('flow without an entry: commands, routes, scripts, tests', async () => {
  const entries = await ask(graphEntriesResponseSchema, ['flow']);
  assert.deepEqual(
    entries.bins.list.map(({ label, path }) => [label, path]),
    [['shop', 'src/app.ts']],
  );
  assert.deepEqual(
    entries.routes.list.map(({ method, route, handler }) => [method, route, handler?.symbol]),
    [['GET', '/checkout', 'checkout']],
  );
  assert.deepEqual(
    entries.scripts.list.map(({ path }) => path),
    ['tool.py'],
  );
  assert.equal(entries.tests.files, 1);
  assert.match(await text(['flow']), /^commands: 1\n {2}src\/app\.ts .* shop/m);
});

test('stats, cycles, symbols, outline', async () => {
  const stats = await ask(graphStatsResponseSchema, ['stats']);
  assert.deepEqual([stats.states.linked, stats.cycles], [7, 1]);
  const { cycles } = await ask(graphCyclesResponseSchema, ['cycles']);
  assert.deepEqual(
    cycles.list[0].shortest.map(({ path, line }) => [path, line]),
    [
      ['src/app.ts', 1],
      ['src/shop/cart.ts', 2],
      ['src/shop/log.ts', 1],
    ],
  );
  assert.equal((await ask(graphCyclesResponseSchema, ['cycles', '--types'])).cycles.list[0].size, 4);
  assert.match(await text(['cycles', '--symbols']), /group/);
  const listed = await ask(graphSymbolsResponseSchema, ['symbols', 'tot']);
  assert.deepEqual(
    listed.symbols.list.map(({ symbol }) => symbol),
    ['Cart.total', 'totals'],
  );
  const none = await ask(graphSymbolsResponseSchema, ['symbols', '--query', 'chekout'], 1);
  assert.deepEqual(none.suggestions, ['checkout']);
  assert.match(
    await text(['symbols', '--file', 'src/shop', '--kind', 'class']),
    /^src\/shop\/cart\.ts\n {2}5-22 Cart {2}class/,
  );
  const { files } = await ask(graphOutlineResponseSchema, [
    'outline',
    'cart.ts',
    'README.md',
    '--signatures',
    '--docs',
  ]);
  assert.deepEqual(files[0].symbols.map(({ signature, depth }) => [depth, signature]).slice(0, 3), [
    [0, 'export class Cart'],
    [1, 'private items: number[]'],
    [1, 'add(price: number): void'],
  ]);
  assert.deepEqual(
    files[1].symbols.map(({ name }) => name),
    ['Shop', 'Cart'],
  );
});

test('outline: declarations take a fraction of the file, in this repository of short functions too', async () => {
  const paths = ['src/session/session.ts', 'src/search/scoring.ts', 'src/git/process.ts'];
  const sources = paths.map((path) => [path, readFileSync(new URL(path, ROOT), 'utf8')] as const);
  const outlined = createRepo();
  outlined.commit(Object.fromEntries(sources));
  const size = sources.reduce((sum, [, source]) => sum + source.length, 0);
  const where = { cwd: outlined.dir };
  assert.ok((await text(['outline', ...paths, '--signatures'], 0, where)).length < size * 0.17);
  assert.ok((await text(['outline', ...paths], 0, where)).length < size * 0.1);
});

test('outline: files that cannot be outlined are named below the others, and hide none of them', async () => {
  const linked = createRepo();
  linked.commit({ 'src/cart.ts': 'export function pay(): void {}\n', 'key.pem': 'secret\n' });
  symlinkSync('src/cart.ts', join(linked.dir, 'link.ts'));
  const where = { cwd: linked.dir };
  const link = /link\.ts exists but is not indexed: a symbolic link/;
  const several = await text(['outline', 'link.ts', 'src/cart.ts', 'gone.ts', 'key.pem'], 2, where);
  assert.match(several, /pay function/);
  assert.match(several, link);
  assert.match(several, /no file.*gone\.ts/);
  assert.match(several, /key\.pem exists but is not indexed/);
  for (const named of [['link.ts'], ['src', 'link.ts']]) {
    const alone = await cli(['graph', 'outline', ...named], where);
    assert.equal(alone.code, 2);
    assert.match(alone.stderr, link);
  }
});

test('uncommitted files belong to the answer unless a ref or --committed is given', async () => {
  repo.write({
    'src/shop/price.ts': PRICE.replace('* 100) / 100', '* 10) / 10').replace('describe', 'depict'),
    'src/new.ts': "import './app';\n",
  });
  const deps = await ask(graphDepsResponseSchema, ['deps', 'src/app.ts']);
  assert.deepEqual([deps.dirty, deps.overlay, deps.dependents.list.length], [2, 2, 3]);
  const old = await ask(graphDepsResponseSchema, ['deps', 'src/app.ts', '--committed']);
  assert.deepEqual([old.dirty, old.overlay, old.dependents.list.length], [2, 0, 2]);
  assert.equal((await ask(graphDepsResponseSchema, ['deps', 'src/app.ts', '--ref', 'v1'])).dependents.list.length, 2);
  assert.match(await text(['outline', 'src/shop/price.ts']), /depict function/);
  // What the work tree changes: one body, one name; the old name is still imported.
  const { changes, tests } = await ask(graphImpactResponseSchema, ['impact']);
  assert.deepEqual(
    changes?.symbols.list.map(({ symbol, change }) => [symbol, change]),
    [
      ['round', 'changed'],
      ['depict', 'renamed'],
    ],
  );
  assert.deepEqual(
    changes?.dangling.list.map(({ path, line, was, how }) => [path, line, was.symbol, how]),
    [['src/app.ts', 9, 'describe', 'renamed']],
  );
  assert.deepEqual([changes?.to, tests.list[0]?.path], [null, 'test/cart.test.ts']);
  repo.commit({}, 'second');
  const range = await ask(graphImpactResponseSchema, ['impact', 'v1..HEAD']);
  assert.deepEqual(
    range.changes?.symbols.list.map(({ symbol }) => symbol),
    ['round', 'depict'],
  );
  assert.equal(range.changes?.from.ref, 'v1');
  assert.match(
    await text(['impact', 'v1...']),
    /^v1 \([0-9a-f]{9}\) to the work tree: 2 files, 2 symbols changed\nrisk: high {2}\(1 certain dangling use in 1 file/,
  );
  assert.match(await text(['impact'], 1), /nothing that others could notice/);
  repo.git('reset', '-q', '--hard', 'v1');
});
