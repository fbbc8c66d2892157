/** A made-up language in one folder: the program indexes, searches and links its files without knowing more of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cliJson } from '../../support/processes/cli.js';
import { createRepo } from '../../support/repositories/repo.js';

const repo = createRepo();
repo.commit({
  'price.quill':
    '// Rounds a price to whole coins.\nfunction roundedPrice(price) {\n  return half(price) * 2;\n}\n\nfunction half(price) {\n  return price / 2;\n}\n',
  'shop.quill': 'import "price";\nimport "ledger";\n\nfunction begin() {\n  return roundedPrice(7);\n}\n',
  'bin/tool': '#!/usr/bin/env quill\nfunction ringTheBell() {}\n',
});
const env = { NODE_OPTIONS: `--import ${new URL('./register.js', import.meta.url).href}` };
const ask = <T>(...args: string[]): Promise<T> => cliJson<T>(args, { cwd: repo.dir, env });

test('its files are indexed by their definitions', async () => {
  const { results } = await ask<{ results: { path: string; language: string; symbol: { name: string } | null }[] }>(
    'search',
    'ring the bell',
  );
  assert.equal(results[0].path, 'bin/tool');
  assert.equal(results[0].language, 'quill');
});

test('they are found by language and by name', async () => {
  const { results } = await ask<{ results: { path: string; language: string }[] }>(
    'search',
    'roundedPrice',
    '--lang',
    'quill',
  );
  assert.deepEqual([results[0].path, results[0].language], ['price.quill', 'quill']);
});

test('their imports and calls are linked', async () => {
  const deps = await ask<{ imports: { path?: string }[] }>('graph', 'deps', 'shop.quill');
  assert.match(JSON.stringify(deps), /"price\.quill"/);
  const symbol = await ask<object>('graph', 'symbol', 'roundedPrice');
  assert.match(JSON.stringify(symbol), /"begin"/);
  assert.match(JSON.stringify(symbol), /"half"/);
});

test('its conventions count: a program starts at its main function', async () => {
  const flow = await ask<object>('graph', 'flow');
  assert.match(JSON.stringify(flow), /"begin"/);
});
