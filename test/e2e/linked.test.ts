// biome-ignore-all lint/suspicious/noTemplateCurlyInString: text of a template.
/** `search --linked` as people type it: what is printed, exit codes, and several queries in one process. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { cli } from '../support/in-process/cli.js';
import { createRepo } from '../support/repositories/repo.js';

const source = (name: string) => `export function ${name}(session: string): string {\n  return session;\n}\n`;

test('search --linked marks results with their project and says what was not searched', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': source('alpha'), '.socraticode.json': '{"linkedProjects": ["inner", "../private"]}' });
  createRepo({ directory: join(repo.dir, 'inner') }).commit({ 'src/b.ts': source('beta') });
  const { code, stdout } = await cli(['search', 'session', '--linked', '--path', '**/*.ts'], { cwd: repo.dir });
  assert.equal(code, 0);
  assert.match(stdout, /^inner:src\/b\.ts:1 {2}beta/m);
  assert.match(stdout, /^a\.ts:1 {2}alpha/m);
  assert.match(
    stdout,
    /also searched: inner @ [0-9a-f]{9}\n\.\.\/private: not allowed: .*--add socraticode\.linked\.allow \//,
  );
  const none = await cli(['search', 'session', '--linked', '--path', 'docs/**'], { cwd: repo.dir });
  assert.equal(none.code, 1);
  const wrong = await cli(['search', 'session', '--linked', '--all-refs'], { cwd: repo.dir });
  assert.deepEqual([wrong.code, /searched at their own HEAD/.test(wrong.stderr)], [2, true]);
  const input = '{"query": "beta", "linked": true, "limit": 1}\n{"query": "beta", "linked": true, "limit": 1}\nalpha\n';
  const lines = (await cli(['search', '--stdin'], { cwd: repo.dir, input })).stdout.trim().split('\n');
  const answers = lines.map((line) => JSON.parse(line));
  assert.deepEqual(
    answers.map(({ results }) => results[0].project),
    ['inner', 'inner', undefined],
  );
  assert.equal(answers[2].linked, undefined);
});

const LIBRARY = {
  'package.json': '{"name": "@shop/cart", "main": "src/index.ts"}',
  'src/index.ts': "export { Cart } from './cart.js';\nexport { tax } from './tax.js';\n",
  'src/cart.ts': 'export class Cart {\n  total(): number {\n    return 1;\n  }\n}\n',
  'src/tax.ts': 'function rate(): number {\n  return 2;\n}\n\nexport function tax(): number {\n  return rate();\n}\n',
  'src/server.ts':
    "import express from 'express';\n\nexport const show = () => {};\n\nconst app = express();\napp.get('/carts/:id', show);\n",
};
const APP = {
  'package.json': '{"name": "app", "dependencies": {"@shop/cart": "^2.0.0"}}',
  'src/run.ts':
    "import { Cart, tax as fee } from '@shop/cart';\n\nexport function run(cart: Cart): number {\n  return cart.total() + fee();\n}\n\nexport const load = (id: string) => fetch(`https://shop.example/api/carts/${id}`);\n",
};

test('impact --linked names users in linked repositories, how sure each is, and what was not asked', async () => {
  const repo = createRepo();
  repo.commit({ ...LIBRARY, '.socraticode.json': '{"linkedProjects": ["app", "../private"]}' });
  createRepo({ directory: join(repo.dir, 'app') }).commit(APP);
  const ask = async (...args: string[]) => (await cli([...args, '--linked'], { cwd: repo.dir })).stdout;
  const uses = async (...args: string[]) =>
    JSON.parse(await ask(...args, '--json')).linked.uses.list.map(
      ({ project, path, line, symbol, name, hop, evidence }: Record<string, unknown>) =>
        [project, `${path}:${line}`, symbol, name, hop, evidence].join(' '),
    );
  assert.deepEqual(await uses('graph', 'impact', 'Cart.total'), ['app src/run.ts:4 run @shop/cart.Cart.total 1 typed']);
  assert.deepEqual(await uses('graph', 'impact', 'rate'), ['app src/run.ts:4 run @shop/cart.tax 2 reexported']);
  assert.deepEqual(await uses('graph', 'impact', 'rate', '--depth', '1'), []);
  assert.deepEqual(await uses('graph', 'impact', 'show'), ['app src/run.ts:7 load GET /carts/:id 1 end']);
  const text = await ask('graph', 'impact', 'Cart.total');
  assert.match(
    text,
    /linked repositories: 1 use in 1 file\n {2}app:src\/run\.ts:4 {2}run {2}uses @shop\/cart\.Cart\.total .*\^2\.0\.0/,
  );
  assert.match(text, /also asked: app @ [0-9a-f]{9}\n\.\.\/private: not allowed/);
  assert.match(text, /risk: medium {2}\(1 use in other repositories; /);
});

test('review --linked names uses of what is gone, in Markdown as well', async () => {
  const repo = createRepo();
  repo.commit({ ...LIBRARY, '.socraticode.json': '{"linkedProjects": ["app"]}' });
  createRepo({ directory: join(repo.dir, 'app') }).commit(APP);
  repo.write({ 'src/index.ts': "export { Cart } from './cart.js';\n", 'src/tax.ts': 'export {};\n' });
  const { stdout } = await cli(['review', '--linked', '--format', 'markdown'], { cwd: repo.dir });
  assert.match(
    stdout,
    /### Linked repositories: 1 use in 1 file\n\n- `app:src\/run\.ts:4` `run` uses `@shop\/cart\.tax`: \^2\.0\.0\n/,
  );
});
