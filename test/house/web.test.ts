/** Generated files of the web page are fresh, and all that a browser loads stays small. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { loadAssets } from '../../src/web/serve.js';
import { ROOT } from './root.js';

test('the worker that colours code is fresh; if not, run `node web/build.mjs`', async () => {
  const { makeWorker } = (await import(new URL('web/build.mjs', ROOT).href)) as { makeWorker: () => string };
  assert.equal(readFileSync(new URL('web/highlighter.js', ROOT), 'utf8'), makeWorker());
});

/** Bytes of the whole page, compressed. */
const MOST_BYTES = 400_000;

test('the page is small', (t) => {
  const assets = [...new Map([...loadAssets().values()].map((asset) => [asset.tag, asset.body])).values()];
  const bytes = assets.reduce((sum, body) => sum + brotliCompressSync(body).length, 0);
  t.diagnostic(`${assets.length} files, ${bytes} bytes compressed`);
  assert.ok(bytes < MOST_BYTES, `${bytes} bytes`);
});

test('the program of the page is one module that imports nothing', () => {
  const programs = [...loadAssets()].filter(([path]) => path.endsWith('/page/main.js'));
  assert.equal(programs.length, 1);
  assert.doesNotMatch(programs[0][1].body.toString(), /^(?:import|export)\b|\bimport\(/m);
});
