/** Generated files of the web page are fresh, and all that a browser loads stays small. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { loadAssets } from '../../src/web/assets.js';
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

test('modules of the page are all that they import', () => {
  const assets = loadAssets();
  for (const [path, { body }] of assets) {
    if (!path.includes('/page/')) continue;
    for (const [, name] of body.toString().matchAll(/^(?:import|export)[^;]*? from '([^']+)';/gm))
      assert.ok(assets.has(new URL(name, `http://x${path}`).pathname), `${path} imports ${name}`);
  }
});
