/** The fleet in the page: repositories that others published, searched and read in a browser. Its store is one in memory. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asking } from '../../fleet/src/ask/asking.js';
import { fleetStore } from '../../fleet/src/ask/store.js';
import { FleetIntake } from '../../fleet/src/intake.js';
import { PROFILE, sourceFile, uploadOf, viewOf } from '../fleet/made.js';
import { noAxe, noBrowser } from '../support/processes/browser.js';
import { createRepo } from '../support/repositories/repo.js';
import { MemoryEngine } from '../support/servers/memory-engine.js';
import { inBrowser } from './in-browser.js';

const MARKUP = '<img src=x onerror=alert(1)>';
const SHOP = 'github.com/acme/shop';
const BANK = 'github.com/acme/bank';
const FILES = {
  [SHOP]: [sourceFile('src/cart.ts', 'Cart', ['voucher', 'discount'])],
  [BANK]: [
    sourceFile('src/ledger.ts', 'Ledger', ['voucher', 'balance']),
    sourceFile(`src/${MARKUP}.ts`, 'Evil', ['odd']),
  ],
};

const repo = createRepo();
repo.commit({ 'a.ts': 'export const own = 1;\n' });
const browser = inBrowser(repo.dir, async () => {
  const engine = new MemoryEngine(PROFILE);
  const intake = new FleetIntake(engine, { now: () => 1_700_000_000_000 });
  for (const [repo, files] of Object.entries(FILES)) {
    const view = viewOf(files, { repo });
    await intake.units({ ...view, units: files.map(uploadOf) });
    assert.deepEqual(await intake.view(view), { outcome: 'published' });
  }
  return asking(fleetStore(engine), { mayRead: () => true });
});
const { address } = browser;

const options = { skip: noBrowser };
const result = (text: string) => browser.page.locator('.result', { hasText: text });

test('the view lists the repositories with the age of what they published', options, async () => {
  await browser.page.getByRole('link', { name: 'Fleet' }).click();
  for (const repo of [SHOP, BANK]) await browser.page.locator('.repositories li', { hasText: repo }).waitFor();
  await browser.page.locator('.repositories time[datetime="2023-11-14T22:13:20.000Z"]').first().waitFor();
});

test('a search finds code of all of them, narrowed by repository, and leads to the lines', options, async () => {
  await browser.page.goto(address('/fleet'));
  await browser.page.locator('#query').fill('voucher');
  await result(SHOP).first().waitFor();
  await result(BANK).first().waitFor();
  await browser.page.getByLabel('Repositories', { exact: true }).fill('github.com/acme/s*');
  await browser.page.keyboard.press('Enter');
  await result(BANK).first().waitFor({ state: 'detached' });
  await result('src/cart.ts').first().waitFor();
  await browser.page.locator('#query').press('ArrowDown');
  await browser.page.keyboard.press('Enter');
  await browser.page.waitForSelector('.row.chosen');
  await browser.page.getByText('published').waitFor();
  const forge = await browser.page.getByText('View on github.com').getAttribute('href');
  assert.match(forge ?? '', /^https:\/\/github\.com\/acme\/shop\/blob\/a{40}\/src\/cart\.ts#L\d+-L\d+$/);
});

test('names of a published repository are text, and one that is not there is said not to be', options, async () => {
  await browser.page.goto(
    address(`/fleet/read?repo=${encodeURIComponent(BANK)}&path=${encodeURIComponent(`src/${MARKUP}.ts`)}`),
  );
  await browser.page.locator('.row', { hasText: 'Evil' }).first().waitFor();
  assert.equal(await browser.page.locator('img').count(), 0);
  await browser.page.goto(address('/fleet/read?repo=github.com%2Facme%2Fnone&path=a'));
  await browser.page.getByText('the fleet has no such repository that you may read').waitFor();
  const others = browser.open.complaints.filter((text) => !/status of 400/.test(text));
  assert.deepEqual(others, []);
});

test('the views are accessible by the rules of axe, and fit a narrow screen', { skip: noAxe }, async () => {
  const read = `/fleet/read?repo=${encodeURIComponent(SHOP)}&path=src%2Fcart.ts&lines=1`;
  for (const width of [1280, 380])
    for (const path of ['/fleet', '/fleet?q=voucher', read]) {
      await browser.page.setViewportSize({ width, height: 800 });
      await browser.checkView(path, `${width}`);
    }
});
