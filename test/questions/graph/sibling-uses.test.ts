/** Uses in linked repositories: of what is exported, reexported and served, and of what is gone. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTold } from '../../support/in-process/told.js';
import { createRepo } from '../../support/repositories/repo.js';

const repo = createRepo();
repo.commit(
  {
    'package.json': '{"name": "@shop/cart", "main": "src/index.ts"}',
    'src/index.ts': "export { Cart } from './cart.js';\nexport { tax } from './tax.js';\n",
    'src/cart.ts': 'export class Cart {\n  total(): number {\n    return 1;\n  }\n}\n',
    'src/tax.ts': 'function rate(): number {\n  return 2;\n}\n\nexport function tax(): number {\n  return rate();\n}\n',
    'src/server.ts':
      "import express from 'express';\n\nexport const show = () => {};\n\nconst app = express();\napp.get('/carts/:id', show);\n",
    'src/own.ts': 'export function own(): void {}\n',
    '.socraticode.json': '{"linkedProjects": ["app", "../private"]}',
    '.gitignore': 'app/\n',
  },
  'a library',
);
createRepo({ directory: join(repo.dir, 'app') }).commit({
  'package.json': '{"name": "app", "dependencies": {"@shop/cart": "^2.0.0"}}',
  'src/run.ts':
    "import { Cart, tax as fee } from '@shop/cart';\n\nexport function run(cart: Cart): number {\n  return cart.total() + fee() + fee();\n}\n\nexport const load = (id: string) => fetch('https://shop.example/api/carts/' + id);\n",
});
const { text } = await openTold(repo);
const linked = async (name: string, given: object) => {
  const told = (await text(name, { linked: true, ...given }))
    .replace(/@ \w+/g, '@ <id>')
    .replace(/ \/tmp\/\S*/g, ' PATH');
  return `\n${told.slice(told.indexOf('linked repositories'))}`;
};

test('direct users come before those of what uses it here, each with its evidence and version', async () => {
  assert.equal(
    await linked('graph impact', { target: 'Cart.total' }),
    `
linked repositories: 1 use in 1 file
  app:src/run.ts:4  run  uses @shop/cart.Cart.total  ^2.0.0
also asked: app @ <id>
../private: not allowed: it leads out of this repository; to allow that: git config --global --add socraticode.linked.allow PATH
`,
  );
  assert.equal(
    await linked('graph impact', { target: 'rate' }),
    `
linked repositories: 1 use in 1 file
  app:src/run.ts:4  run  uses @shop/cart.tax  hop 2, ^2.0.0
also asked: app @ <id>
../private: not allowed: it leads out of this repository; to allow that: git config --global --add socraticode.linked.allow PATH
`,
  );
  assert.equal(
    await linked('graph impact', { target: 'rate', depth: 1 }),
    `
linked repositories: no known uses (no package here exports it)
also asked: app @ <id>
../private: not allowed: it leads out of this repository; to allow that: git config --global --add socraticode.linked.allow PATH
`,
  );
  assert.equal(
    await linked('graph impact', { target: 'show' }),
    `
linked repositories: 1 use in 1 file
  app:src/run.ts:7  load  requests GET /carts/:id  (right in 70% of such uses)
also asked: app @ <id>
../private: not allowed: it leads out of this repository; to allow that: git config --global --add socraticode.linked.allow PATH
`,
  );
  assert.equal(
    await linked('graph impact', { target: 'own' }),
    `
linked repositories: no known uses (no package here exports it)
also asked: app @ <id>
../private: not allowed: it leads out of this repository; to allow that: git config --global --add socraticode.linked.allow PATH
exit 1
`,
  );
  assert.equal(
    await linked('graph impact', { target: 'src/cart.ts', limit: 1 }),
    `
linked repositories: 2 uses in 1 file
  app:src/run.ts:3  run  uses @shop/cart.Cart  ^2.0.0
  … 1 more: raise --limit
also asked: app @ <id>
../private: not allowed: it leads out of this repository; to allow that: git config --global --add socraticode.linked.allow PATH
`,
  );
  assert.equal(
    await linked('graph impact', { target: 'Cart.total', minConfidence: 0.99 }),
    `
linked repositories: no known uses (exported by @shop/cart)
also asked: app @ <id>
../private: not allowed: it leads out of this repository; to allow that: git config --global --add socraticode.linked.allow PATH
exit 1
`,
  );
});

test('a symbol and its references name them as well, and what is gone has users still', async () => {
  assert.equal(
    await linked('graph symbol', { names: ['tax'] }),
    `
linked repositories: 1 use in 1 file
  app:src/run.ts:4  run  uses @shop/cart.tax  ^2.0.0
also asked: app @ <id>
../private: not allowed: it leads out of this repository; to allow that: git config --global --add socraticode.linked.allow PATH
`,
  );
  assert.equal(
    await linked('graph references', { name: 'Cart' }),
    `
linked repositories: 2 uses in 1 file
  app:src/run.ts:3  run  uses @shop/cart.Cart  ^2.0.0
  app:src/run.ts:4  run  uses @shop/cart.Cart.total  ^2.0.0
also asked: app @ <id>
../private: not allowed: it leads out of this repository; to allow that: git config --global --add socraticode.linked.allow PATH
`,
  );
  repo.write({ 'src/index.ts': "export { Cart } from './cart.js';\n", 'src/tax.ts': 'export {};\n' });
  assert.equal(
    await linked('graph impact', {}),
    `
linked repositories: 1 use in 1 file
  app:src/run.ts:4  run  uses @shop/cart.tax  ^2.0.0
also asked: app @ <id>
../private: not allowed: it leads out of this repository; to allow that: git config --global --add socraticode.linked.allow PATH

2 uncommitted files included
`,
  );
});
