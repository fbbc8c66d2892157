/** The page in a browser, over a hostile repository: real keys and clicks, and nothing of the repository runs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noAxe, noBrowser } from '../support/processes/browser.js';
import { cli } from '../support/processes/cli.js';
import { createRepo } from '../support/repositories/repo.js';
import { inBrowser } from './in-browser.js';

const MARKUP = '<img src=x onerror=alert(1)>';
const UNSEEN = 'src/un\u2800seen.ts';
const repo = createRepo();
repo.commit(
  {
    'src/cart.ts':
      'import { price } from "./price.js";\n\n/** Sum of a cart. */\nexport class Cart {\n  total(): number {\n    return price();\n  }\n}\n',
    'src/price.ts': 'export function price(): number {\n  return 1;\n}\n',
    'test/cart.test.ts': 'import { Cart } from "../src/cart.js";\n\ntest("total", () => new Cart().total());\n',
    [`src/${MARKUP}.ts`]: `export const evil = "</script><script>alert(2)</script>"; // ${MARKUP}\n`,
    'docs/guide.md': `# Guide\n\n[click](javascript:alert(3)) the \`Cart.total\` ${MARKUP}\n\n<script>alert(4)</script>\n`,
    'src/many.ts': Array.from({ length: 3_000 }, (_, i) => `export const value${i} = ${i};\n`).join(''),
    [UNSEEN]:
      'export function unseen(): string {\n  const evil\u3164name = "hid\u202eden";\n  return evil\u3164name;\n}\n',
    'src/long.ts': `const long = "${'x'.repeat(5_000)}";\n`,
  },
  `${MARKUP} a project`,
);
repo.git('branch', 'old');
repo.commit({ 'src/price.ts': 'export function price(rate = 1): number {\n  return rate;\n}\n' }, 'a rate \u202e');
repo.git('config', 'remote.origin.url', 'git@github.com:owner/name.git');

const browser = inBrowser(repo.dir, async () => {
  assert.equal((await cli(['index'], { cwd: repo.dir })).code, 0);
  return undefined;
});
const { address } = browser;

const options = { skip: noBrowser };
const result = (text: string) => browser.page.locator('.result h2 a', { hasText: text });

test('the key leaves the address, and the page is ready to be typed into', options, async () => {
  await browser.page.waitForSelector('#query');
  assert.equal(new URL(browser.page.url()).hash, '');
  assert.equal(await browser.page.evaluate('document.activeElement.id'), 'query');
});

test('search as one types: results, marks, keys to the first one and into the reader', options, async () => {
  await browser.page.keyboard.type('Cart.total');
  await result('src/cart.ts').first().waitFor();
  assert.ok((await browser.page.locator('.result mark').count()) > 0);
  assert.ok(new URL(browser.page.url()).searchParams.get('q') === 'Cart.total');
  await browser.page.waitForTimeout(600);
  await browser.page.keyboard.press('ArrowDown');
  await browser.page.keyboard.press('Enter');
  await browser.page.waitForSelector('.row.chosen');
  assert.equal(new URL(browser.page.url()).searchParams.get('path'), 'src/cart.ts');
});

test('going back leads through the searches, each once, and not through their keys', options, async () => {
  const { page } = browser;
  const query = () => new URL(page.url()).searchParams.get('q');
  await page.goto(address('/'));
  await page.waitForSelector('#query');
  for (const text of ['total', 'price']) {
    await page.fill('#query', '');
    await page.type('#query', text, { delay: 30 });
    await result('src/').first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('#query').focus();
  }
  assert.equal(query(), 'price');
  await result('src/price.ts').first().click();
  await page.waitForSelector('.row');
  // A link to what is shown leaves no entry of its own.
  await page.evaluate('document.querySelector(".row a")?.click(); document.querySelector(".row a")?.click()');
  while (new URL(page.url()).pathname !== '/') await page.goBack();
  for (const before of ['price', 'total', null]) {
    assert.equal(query(), before);
    await page.goBack();
  }
});

test('beside the code: callers, callees, tests, documents and commits', options, async () => {
  await browser.page.goto(address('/read?path=src%2Fcart.ts&lines=5'));
  const side = browser.page.locator('aside');
  for (const text of ['Who calls it', 'price', 'test/cart.test.ts', 'docs/guide.md', 'Commits that made it'])
    await side.getByText(text).first().waitFor();
  // Long names break between their words, and none is cut off at the edge.
  assert.ok((await side.locator('h2 wbr').count()) > 0);
  assert.equal(await side.evaluate((panel) => getComputedStyle(panel).overflowWrap), 'anywhere');
  await browser.page.getByRole('heading', { name: 'Cart.total' }).waitFor();
});

test('blame and line links by keys and clicks', options, async () => {
  await browser.page.keyboard.press('b');
  await browser.page.locator('.blame', { hasText: 'A U Thor' }).first().waitFor();
  await browser.page.locator('a[data-line="2"]').click();
  await browser.page.locator('a[data-line="4"]').click({ modifiers: ['Shift'] });
  assert.equal(new URL(browser.page.url()).searchParams.get('lines'), '2-4');
  assert.equal(await browser.page.locator('.row.chosen').count(), 3);
  const forge = await browser.page.getByText('View on github.com').getAttribute('href');
  assert.match(forge ?? '', /^https:\/\/github\.com\/owner\/name\/blob\/[0-9a-f]{40}\/src\/cart\.ts#L2-L4$/);
  const editor = await browser.page.getByText('Open in editor').getAttribute('href');
  assert.equal(editor, `vscode://file${repo.dir}/src/cart.ts:2`);
});

test('another branch by the keyboard alone, and back', options, async () => {
  await browser.page.goto(address('/read?path=src%2Fprice.ts'));
  await browser.page.locator('.row', { hasText: 'rate' }).first().waitFor();
  await browser.page.keyboard.press('r');
  await browser.page.keyboard.type('old');
  await browser.page.keyboard.press('Enter');
  await browser.page.locator('.row', { hasText: 'return 1' }).waitFor();
  assert.equal(new URL(browser.page.url()).searchParams.get('ref'), 'old');
  await browser.page.goBack();
  await browser.page.locator('.row', { hasText: 'return rate' }).waitFor();
});

test(
  'lines that hold an exact text or match an expression: counted, below their file and symbol, marked',
  options,
  async () => {
    await browser.page.goto(address('/?q=return+p'));
    await browser.page.getByRole('link', { name: 'Exact text' }).click();
    await browser.page.getByText('1 line in 1 file.').waitFor();
    await browser.page.locator('.lines .above', { hasText: 'Cart.total' }).waitFor();
    assert.equal((await browser.page.locator('.lines mark').allTextContents()).join(''), 'return p');
    await browser.page.getByRole('link', { name: 'Regex' }).click();
    await browser.page.locator('#query').fill('(class|function) [a-z]+');
    await browser.page.getByText('3 lines in 3 files.').waitFor();
    await browser.page.getByLabel('Match case').check();
    await browser.page.getByText('2 lines in 2 files.').waitFor();
    assert.equal(new URL(browser.page.url()).search, '?q=%28class%7Cfunction%29+%5Ba-z%5D%2B&what=pattern&case=yes');
    await browser.page.locator('#query').fill('(class');
    await browser.page.getByText('missing closing )').waitFor();
    // A browser reports each refused request; the one after the pause is the last.
    await browser.page.waitForTimeout(600);
    browser.open.complaints.length = 0;
  },
);

test(
  'keys of a list: Escape leaves the query with its results, j and k move, Enter opens, back comes back',
  options,
  async () => {
    await browser.page.goto(address('/?q=price&what=exact'));
    await browser.page.locator('.lines .row').nth(2).waitFor();
    await browser.page.locator('#query').focus();
    for (const key of ['Escape', 'j', 'j', 'k']) await browser.page.keyboard.press(key);
    assert.equal(await browser.page.locator('#query').inputValue(), 'price');
    const second = (await browser.page.locator('.lines .row .no').nth(1).getAttribute('href')) ?? '';
    await browser.page.keyboard.press('Enter');
    await browser.page.waitForSelector('.row.chosen');
    assert.equal(browser.page.url(), address(second));
    await browser.page.goBack();
    await browser.page.waitForFunction(`document.activeElement.getAttribute('href') === ${JSON.stringify(second)}`);
    await browser.page.keyboard.press('/');
    assert.equal(await browser.page.evaluate('document.activeElement.id'), 'query');
  },
);

test('a range narrows a search, and marks what changed', options, async () => {
  await browser.page.goto(address('/?q=price&in=old..main'));
  await result('src/price.ts').first().waitFor();
  assert.equal(await result('src/cart.ts').count(), 0);
  await result('src/price.ts').first().click();
  await browser.page.waitForSelector('.row.changed');
});

test('facets narrow a search, and are undone', options, async () => {
  await browser.page.goto(address('/?q=total'));
  await result('docs/guide.md').first().waitFor();
  await browser.page.locator('.chip', { hasText: 'typescript' }).click();
  await result('docs/guide.md').waitFor({ state: 'detached' });
  await browser.page.locator('.chip.on').click();
  await result('docs/guide.md').first().waitFor();
});

test(
  'names and contents of a hostile repository are text: nothing runs, nothing is asked of others',
  options,
  async () => {
    for (const path of [
      '/?q=evil',
      '/?q=click+guide',
      '/?folder=src',
      '/?q=project&what=commits',
      '/?q=alert(&what=exact',
      '/?q=alert.&what=pattern',
    ]) {
      await browser.page.goto(address(path));
      await browser.page
        .locator(path.includes('folder') ? '.files li' : '.result')
        .first()
        .waitFor();
    }
    for (const path of [`src/${MARKUP}.ts`, 'docs/guide.md', 'src/long.ts']) {
      await browser.page.goto(address(`/read?path=${encodeURIComponent(path)}&blame=yes`));
      await browser.page.locator('.row .text').first().waitFor();
    }
    await browser.page.keyboard.press('t');
    await browser.page.keyboard.type('img');
    await browser.page.locator('dialog a', { hasText: MARKUP }).waitFor();
    assert.equal(await browser.page.locator('main img, main script, dialog img, a[href^="javascript"]').count(), 0);
    assert.deepEqual(browser.open.complaints, []);
  },
);

test('a long file has rows near to what is seen, its text everywhere, and colours', options, async () => {
  await browser.page.goto(address('/read?path=src%2Fmany.ts&lines=2500'));
  await browser.page.locator('#L2500 .c-keyword').first().waitFor();
  assert.ok((await browser.page.locator('.row').count()) < 2_000);
  assert.equal(await browser.page.locator('#L1').count(), 0);
  assert.match(
    (await browser.page.locator('.code').textContent()) ?? '',
    /export const value0 = 0;\nexport const value1 = 1;/,
  );
  await browser.page.locator('h1').first().evaluate('scrollTo(0, 0)');
  await browser.page.locator('#L1 .c-keyword').first().waitFor();
  assert.deepEqual(browser.open.complaints, []);
});

/** Words of headings that stand on more than one line. */
const BROKEN_WORDS = `[...document.querySelectorAll(':is(h1, h2, h3):not(.hidden)')].flatMap((heading) => {
  const walker = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
  const broken = [];
  while (walker.nextNode()) {
    for (const { 0: word, index } of walker.currentNode.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      const range = new Range();
      range.setStart(walker.currentNode, index);
      range.setEnd(walker.currentNode, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
    }
  }
  return broken;
})`;

test('on a narrow screen headings break between words, and nothing is wider than the screen', options, async () => {
  await browser.page.setViewportSize({ width: 360, height: 800 });
  for (const path of [
    '/',
    '/?q=total',
    '/?q=price&what=exact',
    '/read?path=src%2Fcart.ts&lines=5',
    '/review?range=old..main',
    '/people',
    '/map',
  ]) {
    await browser.page.goto(address(path));
    await browser.page.waitForLoadState('networkidle');
    assert.deepEqual(await browser.page.evaluate(BROKEN_WORDS), [], path);
    assert.equal(
      await browser.page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
      true,
      `${path} fits`,
    );
  }
  assert.equal(
    await browser.page.evaluate(
      `(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('.scrolled'))`,
    ),
    true,
  );
  await browser.page.locator('.layers a', { hasText: 'src' }).click();
  const panel = await browser.page.locator('.map aside').boundingBox();
  assert.ok(panel !== null && panel.y + panel.height <= 800, 'the panel of a chosen folder is in sight');
  await browser.page.setViewportSize({ width: 1280, height: 800 });
});

test('review, history, map, hotspots and people of the repository', options, async () => {
  await browser.page.goto(address('/review?range=old..main'));
  await browser.page.getByText('Changes, largest effect first').waitFor();
  await browser.page.locator('.row.changed').first().waitFor();
  await browser.page.goto(address('/history?q=price'));
  await browser.page.locator('.timeline li.changed', { hasText: 'a rate' }).waitFor();
  await browser.page.goto(address('/map?tests=yes'));
  await browser.page.locator('.layers a', { hasText: 'src' }).click();
  await browser.page.locator('aside li', { hasText: 'test' }).waitFor();
  await browser.page.getByRole('link', { name: 'Hotspots' }).last().click();
  await browser.page.locator('.treemap a').first().waitFor();
  assert.ok((await browser.page.locator('tbody tr').count()) > 0);
  await browser.page.goto(address('/people?path=src%2Fprice.ts'));
  await browser.page.locator('main li', { hasText: 'A U Thor' }).waitFor();
  assert.deepEqual(browser.open.complaints, []);
});

/** Holds the answer about history back behind one line of progress, until `goOn` is called. */
const SLOW_HISTORY = `{
  const ask = globalThis.fetch;
  const line = (text) => new TextEncoder().encode(text);
  globalThis.fetch = async (address, options) => {
    const response = await ask(address, options);
    if (!address.endsWith('/history')) return response;
    const document = await response.text();
    return new Response(new ReadableStream({
      async start(stream) {
        stream.enqueue(line('{"progress":{"done":1200,"total":4800,"message":"reading commits"}}\\n'));
        await new Promise((goOn) => { globalThis.goOn = goOn; });
        stream.enqueue(line(document));
        stream.close();
      },
    }));
  };
}`;

test('a history that takes long says how far it is, and then shows its answer', options, async () => {
  await browser.page.goto(address('/history'));
  await browser.page.evaluate(SLOW_HISTORY);
  await browser.page.fill('#query', 'Cart.total');
  await browser.page.keyboard.press('Enter');
  await browser.page.getByText('reading commits, 1,200 of 4,800').waitFor();
  const meter = browser.page.locator('progress');
  assert.deepEqual([await meter.getAttribute('max'), await meter.getAttribute('value')], ['4800', '1200']);
  await browser.page.evaluate('goOn()');
  await browser.page.locator('.timeline li', { hasText: 'a project' }).first().waitFor();
  assert.equal(await meter.count(), 0);
});

/** Holds each answer about history back until its `goOn` in `asked` is called. */
const HELD_HISTORY = `{
  const ask = globalThis.fetch;
  globalThis.asked = [];
  globalThis.fetch = async (address, options) => {
    const isHeld = address.endsWith('/history');
    if (isHeld) await new Promise((goOn) => { asked.push({ values: JSON.parse(options.body), goOn }); });
    return ask(address, options);
  };
}`;

test('the newest commits are read and shown first, then all of them', options, async () => {
  await browser.page.goto(address('/history'));
  await browser.page.evaluate(HELD_HISTORY);
  await browser.page.fill('#query', 'Cart.total');
  await browser.page.keyboard.press('Enter');
  const limits = 'asked.map(({ values }) => values.maxCommits ?? null)';
  await browser.page.waitForFunction('asked.length === 1');
  assert.deepEqual(await browser.page.evaluate(limits), [40]);
  await browser.page.evaluate('asked[0].goOn()');
  const status = browser.page.locator('.quiet[role=status]');
  await status.getByText(/^\d+ results? in the 40 newest commits; older ones are being read\.$/).waitFor();
  await browser.page.locator('.timeline li', { hasText: 'a project' }).first().waitFor();
  assert.deepEqual(await browser.page.evaluate(limits), [40, null]);
  await browser.page.evaluate('asked[1].goOn()');
  await status.getByText(/^\d+ results?\.$/).waitFor();
  assert.equal(await browser.page.evaluate('asked.length'), 2);
});

test('characters that nobody would see are shown in every view, and addresses keep them', options, async () => {
  for (const [path, text] of [
    [`/read?path=${encodeURIComponent(UNSEEN)}`, 'hid\\u202eden'],
    [`/read?path=${encodeURIComponent(UNSEEN)}`, 'evil\\u3164name'],
    ['/?q=unseen', 'un\\u2800seen'],
    ['/history?q=price', 'a rate \\u202e'],
  ]) {
    await browser.page.goto(address(path));
    await browser.page.getByText(text).first().waitFor();
    assert.doesNotMatch(
      await browser.page.evaluate('document.documentElement.textContent'),
      /[\u202e\u2800\u3164]/u,
      path,
    );
  }
  await browser.page.goto(address('/?q=unseen'));
  await result('un\\u2800seen').first().click();
  await browser.page.locator('.row.chosen', { hasText: 'unseen' }).first().waitFor();
});

test('an address without a view is a page that leads to the others, and to a file of that name', options, async () => {
  const response = await browser.page.goto(address('/src/cart.ts'));
  assert.equal(response?.status(), 404);
  await browser.page.getByRole('heading', { name: 'There is no page /src/cart.ts' }).waitFor();
  await browser.page.getByRole('link', { name: 'Open the file src/cart.ts' }).click();
  await browser.page.locator('.row', { hasText: 'class Cart' }).waitFor();
});

test('a server that does not answer is named, and the page goes on when it answers again', options, async () => {
  await browser.page.goto(address('/?q=total'));
  await browser.page.locator('.result').first().waitFor();
  await browser.page.route('**/api/**', (route) => route.abort());
  await browser.page.locator('#query').fill('price');
  await browser.page.getByText('The server does not answer').first().waitFor();
  await browser.page.unroute('**/api/**');
  await result('src/price.ts').first().waitFor();
});

test('without a key the page says what to do, and goes on when another page has it', options, async () => {
  const key = (await browser.page.evaluate('localStorage.getItem("socraticode.key")')) as string;
  await browser.page.evaluate('localStorage.clear()');
  await browser.page.goto(address('/?q=total'));
  await browser.page.getByText('This page has no key.').first().waitFor();
  await browser.page.evaluate(`localStorage.setItem("socraticode.key", ${JSON.stringify(key)})`);
  await browser.page.locator('.result').first().waitFor();
  browser.open.complaints.length = 0;
});

test('every view is accessible by the rules of axe, light and dark, wide and narrow', { skip: noAxe }, async () => {
  await browser.page.goto(browser.serving.url);
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 1280],
    ['light', 380],
  ] as const) {
    await browser.page.emulateMedia({ colorScheme });
    await browser.page.setViewportSize({ width, height: 800 });
    for (const path of [
      '/',
      '/?q=total',
      '/?q=price&what=exact',
      '/read?path=src%2Fcart.ts&lines=5&blame=yes',
      '/?folder=src',
      '/review?range=old..main',
      '/history?q=price',
      '/map?tests=yes&at=src',
      '/hotspots',
      '/people?path=src%2Fprice.ts',
    ]) {
      await browser.checkView(path, `${colorScheme} ${width}`);
    }
  }
});
