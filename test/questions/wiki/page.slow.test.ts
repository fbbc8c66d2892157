/** A page of the wiki in a real browser: its style passes its own policy, and it asks for nothing. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setLogLevel } from '../../../src/base/log.js';
import { answer } from '../../support/in-process/answer.js';
import { noBrowser, openPage } from '../../support/processes/browser.js';
import { createRepo } from '../../support/repositories/repo.js';
import { PROJECT } from '../../support/repositories/samples.js';

setLogLevel('silent');

test('a page is styled, links work, and the browser has nothing to complain about', { skip: noBrowser }, async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  const out = join(repo.dir, '..', 'site');
  assert.equal((await answer(['-C', repo.dir, 'wiki', '--out', out])).code, 0);
  const { page, complaints, close } = await openPage(join(out, 'index.html'));
  try {
    assert.notEqual(await page.evaluate('getComputedStyle(document.body).maxWidth'), 'none');
    await page.click('a[href^="folders/"]');
    assert.match(`${await page.textContent('h1')}`, /^(?:cmd|lib|src)$/);
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});
