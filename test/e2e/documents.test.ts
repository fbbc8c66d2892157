/** Answers about code name the documents that mention it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cli } from '../support/in-process/cli.js';
import { createRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';

const GUIDE = `# Guide

Sessions are kept by \`SessionStore\`.

## Tokens

Call \`SessionStore.rememberToken()\`; see [the code](../src/session.ts).
`;

test('symbols, impacts and reviews name the documents that mention them', async () => {
  const shop = createRepo();
  shop.commit({ ...PROJECT, 'docs/guide.md': GUIDE }, 'a guide');
  const line = /^mentioned in 1 document, 2 times: docs\/guide\.md:3$/m;
  for (const args of [
    ['symbol', 'SessionStore'],
    ['impact', 'SessionStore'],
  ]) {
    const { stdout } = await cli(['graph', ...args], { cwd: shop.dir });
    assert.match(stdout, line);
  }
  shop.write({ 'src/session.ts': PROJECT['src/session.ts'].toString().replace('token: string)', 'token: number)') });
  const { stdout } = await cli(['review'], { cwd: shop.dir });
  assert.match(stdout, /^mentioned in 1 document: docs\/guide\.md:7$/m);
  const markdown = (await cli(['review', '--format', 'markdown'], { cwd: shop.dir })).stdout;
  assert.match(markdown, /\nmentioned in 1 document: `docs\/guide\.md:7`\n/);
  const pack = await cli(['pack', 'SessionStore.rememberToken', '--path', 'src/**'], { cwd: shop.dir });
  assert.match(pack.stdout, /^mentioned in 1 document(?:, \d times)?: docs\/guide\.md:\d$/m);
  const none = await cli(['graph', 'symbol', 'nearest_depot', '--json'], { cwd: shop.dir });
  assert.equal(JSON.parse(none.stdout).mentionedIn, undefined);
});
