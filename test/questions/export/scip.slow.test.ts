/** SCIP indexes that `export` writes: exact places, symbols that last, relations, and nothing that readers refuse. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readScip, type ScipDocument, type ScipPart, scipBytes } from '../../../src/scip/index-file.js';
import { lintScip } from '../../scip/lint.js';
import { cli } from '../../support/in-process/cli.js';
import { createRepo, makeDirectory, type TestRepo } from '../../support/repositories/repo.js';

const FILES = {
  'package.json': '{\n  "name": "@acme/big shop",\n  "version": "1.0.0"\n}\n',
  'src/cart.ts': [
    '/** Counts total. */',
    'export class Cart {',
    '  items: Item[] = [];',
    '  total(): number {',
    '    return 1;',
    '  }',
    '}',
    'export interface Item {',
    '  price(): number;',
    '}',
    'export function run(a: string): void;',
    'export function run(a: number): void;',
    'export function run(a: unknown): void {}',
    '',
  ].join('\n'),
  'src/a`b.ts': [
    "import { Cart, run as start } from './cart';",
    'class Big extends Cart {',
    '  total(): number { /* total */ return super.total() + "total".length; } // total()',
    '}',
    "function go() { const c = new Big(), s = 'é😀'; start(c.total() + c.total()); start(1); }",
    '',
  ].join('\n'),
} as const;

async function exported(repo: TestRepo, ...args: string[]): Promise<ScipPart[]> {
  const file = join(makeDirectory('scip'), 'index.scip');
  const { code, stderr } = await cli(['export', '--scip', file, ...args], { cwd: repo.dir });
  assert.equal(code, 0, stderr);
  return [...readScip(scipBytes(readFileSync(file)))];
}

function documentOf(parts: readonly ScipPart[], path: string): ScipDocument {
  const found = parts.find((part) => part.kind === 'document' && part.document.path === path);
  return found?.kind === 'document' ? found.document : assert.fail(`no document ${path}`);
}

/** Occurrences as `line:start-end roles symbol`, the symbol without its package. */
function places({ occurrences }: ScipDocument): string[] {
  return occurrences.map(({ range: [line, start, , end], roles, symbol }) => {
    assert.ok(symbol.startsWith('scip-socraticode npm @acme/big  shop . '), symbol);
    return `${line}:${start}-${end} ${roles} ${symbol.slice('scip-socraticode npm @acme/big  shop . '.length)}`;
  });
}

test('an index has every definition and every proven use at its exact place', async () => {
  const repo = createRepo();
  repo.commit(FILES, 'a shop');
  const parts = await exported(repo);
  assert.deepEqual(
    lintScip(parts, (path) => FILES[path as keyof typeof FILES]),
    [],
  );
  const cart = 'src/`cart.ts`/';
  const big = 'src/`a``b.ts`/';
  assert.deepEqual(places(documentOf(parts, 'src/a`b.ts')), [
    `0:0-0 1 ${big}`,
    `0:9-13 2 ${cart}Cart#`,
    `0:15-18 2 ${cart}run().`,
    `0:22-27 2 ${cart}run().`,
    `0:36-42 2 ${cart}`,
    `1:6-9 1 ${big}Big#`,
    `1:18-22 0 ${cart}Cart#`,
    `2:2-7 1 ${big}Big#total().`,
    `2:45-50 8 ${cart}Cart#total().`,
    `4:9-11 1 ${big}go().`,
    `4:30-33 8 ${big}Big#`,
    `4:48-53 8 ${cart}run().`,
    `4:56-61 8 ${big}Big#total().`,
    `4:68-73 8 ${big}Big#total().`,
    `4:78-83 8 ${cart}run().`,
  ]);
});

test('symbols say what they inherit, override and are documented with', async () => {
  const repo = createRepo();
  repo.commit(FILES, 'a shop');
  const parts = await exported(repo);
  const cart = documentOf(parts, 'src/cart.ts');
  const named = (document: ScipDocument, name: string) =>
    document.symbols.find((symbol) => symbol.displayName === name) ?? assert.fail(name);
  assert.deepEqual(named(cart, 'Cart').documentation, ['Counts total.']);
  assert.match(named(cart, 'Cart').signature?.text ?? '', /class Cart/);
  const definition = cart.occurrences.find(({ symbol }) => symbol.endsWith('Cart#'));
  assert.deepEqual(definition?.enclosing, [0, 0, 6, 1]);
  const other = documentOf(parts, 'src/a`b.ts');
  const symbolOf = (name: string) => named(cart, name).symbol;
  assert.deepEqual(named(other, 'Big').relationships, [{ symbol: symbolOf('Cart'), isImplementation: true }]);
  assert.deepEqual(named(other, 'total').relationships, [
    { symbol: symbolOf('total'), isReference: true, isImplementation: true },
  ]);
});

test('another commit has the same symbols, without a checkout', async () => {
  const repo = createRepo();
  const first = repo.commit(FILES, 'a shop');
  repo.git('rm', '-q', 'src/cart.ts');
  repo.commit({ 'package.json': FILES['package.json'].replace('1.0.0', '2.0.0') }, 'less');
  const before = await exported(repo, '--ref', first);
  const after = await exported(repo);
  const symbols = (parts: readonly ScipPart[]) => documentOf(parts, 'src/a`b.ts').symbols.map(({ symbol }) => symbol);
  assert.deepEqual(symbols(before), symbols(after));
  assert.equal(before.filter(({ kind }) => kind === 'document').length, 2);
  assert.equal(after.filter(({ kind }) => kind === 'document').length, 1);
});
