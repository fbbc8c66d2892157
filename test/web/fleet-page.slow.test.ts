/** The fleet in the page: repositories that others published, searched and read in a browser. Its store is one in memory. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { asking } from '../../src/fleet/ask/asking.js';
import { fleetStore } from '../../src/fleet/ask/store.js';
import { MemoryEngine } from '../../src/fleet/engines/memory.js';
import { FleetIntake } from '../../src/fleet/intake.js';
import { Projects } from '../../src/serve/projects.js';
import { listenForPages, type PageServing } from '../../src/web/serve.js';
import { PROFILE, sourceFile, uploadOf, viewOf } from '../fleet/made.js';
import { noBrowser, type OpenPage, openAddress } from '../support/processes/browser.js';
import { createRepo } from '../support/repositories/repo.js';

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

let projects: Projects;
let serving: PageServing;
let open: OpenPage;
let page: Page;

before(async () => {
  if (noBrowser) return;
  const engine = new MemoryEngine(PROFILE);
  const intake = new FleetIntake(engine, { now: () => 1_700_000_000_000 });
  for (const [repo, files] of Object.entries(FILES)) {
    const view = viewOf(files, { repo });
    await intake.units({ ...view, units: files.map(uploadOf) });
    assert.deepEqual(await intake.view(view), { outcome: 'published' });
  }
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const own = 1;\n' });
  projects = new Projects({ directory: repo.dir, allow: [] });
  const fleet = asking(fleetStore(engine), { mayRead: () => true });
  serving = await listenForPages(projects, { port: 0, idleMinutes: 60, fleet });
  open = await openAddress(serving.url);
  page = open.page;
  page.setDefaultTimeout(20_000);
});
after(async () => {
  if (noBrowser) return;
  await open.close();
  await serving.close();
  await projects.close();
});

const options = { skip: noBrowser };
const address = (path: string): string => new URL(path, serving.url).href;
const result = (text: string) => page.locator('.result', { hasText: text });

test('the view lists the repositories with the age of what they published', options, async () => {
  await page.getByRole('link', { name: 'Fleet' }).click();
  for (const repo of [SHOP, BANK]) await page.locator('.repositories li', { hasText: repo }).waitFor();
  await page.locator('.repositories time[datetime="2023-11-14T22:13:20.000Z"]').first().waitFor();
});

test('a search finds code of all of them, narrowed by repository, and leads to the lines', options, async () => {
  await page.goto(address('/fleet'));
  await page.locator('#query').fill('voucher');
  await result(SHOP).first().waitFor();
  await result(BANK).first().waitFor();
  await page.getByLabel('Repositories', { exact: true }).fill('github.com/acme/s*');
  await page.keyboard.press('Enter');
  await result(BANK).first().waitFor({ state: 'detached' });
  await result('src/cart.ts').first().waitFor();
  await page.locator('#query').press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.row.chosen');
  await page.getByText('published').waitFor();
  const forge = await page.getByText('View on github.com').getAttribute('href');
  assert.match(forge ?? '', /^https:\/\/github\.com\/acme\/shop\/blob\/a{40}\/src\/cart\.ts#L\d+-L\d+$/);
});

test('names of a published repository are text, and one that is not there is said not to be', options, async () => {
  await page.goto(
    address(`/fleet/read?repo=${encodeURIComponent(BANK)}&path=${encodeURIComponent(`src/${MARKUP}.ts`)}`),
  );
  await page.locator('.row', { hasText: 'Evil' }).first().waitFor();
  assert.equal(await page.locator('img').count(), 0);
  await page.goto(address('/fleet/read?repo=github.com%2Facme%2Fnone&path=a'));
  await page.getByText('the fleet has no such repository that you may read').waitFor();
  const others = open.complaints.filter((text) => !/status of 400/.test(text));
  assert.deepEqual(others, []);
});

/** axe-core is under the Mozilla licence, so it is no dependency: AXE names its `axe.min.js`. */
const axe = process.env.AXE;
const noAxe = noBrowser || (axe === undefined && 'AXE names no axe.min.js of axe-core');

test('the views are accessible by the rules of axe, and fit a narrow screen', { skip: noAxe }, async () => {
  const source = readFileSync(axe as string, 'utf8');
  const read = `/fleet/read?repo=${encodeURIComponent(SHOP)}&path=src%2Fcart.ts&lines=1`;
  for (const width of [1280, 380])
    for (const path of ['/fleet', '/fleet?q=voucher', read]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(address(path));
      await page.waitForLoadState('networkidle');
      await page.evaluate(source);
      const { violations } = (await page.evaluate('axe.run()')) as { violations: { id: string }[] };
      assert.deepEqual(
        violations.map(({ id }) => id),
        [],
        `${path} ${width}`,
      );
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, `${path} fits`);
    }
});
