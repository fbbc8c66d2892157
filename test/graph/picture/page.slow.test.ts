/** The page: one file without a request, in which text of the repository is never markup. Tried in a browser where there is one. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Script } from 'node:vm';
import type { Graph } from '../../../src/graph/graph.js';
import type { PagePayload } from '../../../src/graph/picture/folders.js';
import { unpack } from '../../../src/graph/picture/page/scene.js';
import { html, partOf, payloadOf } from '../../../src/graph/picture/picture.js';
import { axeProblems, noAxe, noBrowser, openPage } from '../../support/processes/browser.js';
import { makeDirectory } from '../../support/repositories/repo.js';
import { graphOf } from '../build.js';

const MARKUP = '</script><img src=x onerror=alert(1)>';
const BIDI = 'evil\u202egnp.ts';
const many = Array.from({ length: 40 }, (_, i) => `many/part${i}.ts`);

/** Names that the literals of a test graph can't spell. */
const NAMES = new Map([
  ['Markup', MARKUP],
  ['Template', `\${alert(2)}`],
  ['Onload', '"onload=alert(3)'],
]);

const graph = graphOf({
  files: {
    'app.ts': ['function main', 'function Markup', 'function Template'],
    'shop/cart.ts': ['class Cart', 'method Cart.total'],
    'shop/price.ts': ['function price'],
    'shop/alone.ts': [],
    [MARKUP]: [],
    [`shop/${BIDI}`]: ['function Onload'],
    '<b>/&amp;.ts': [],
    ...Object.fromEntries(many.map((path) => [path, []])),
  },
  edges: [
    'app.ts -> shop/cart.ts',
    'shop/cart.ts -> shop/price.ts',
    'shop/price.ts -> shop/cart.ts',
    { from: MARKUP, to: 'app.ts' },
    { from: 'app.ts', to: `shop/${BIDI}` },
    { from: '<b>/&amp;.ts', to: 'app.ts' },
    'app.ts:main -> shop/cart.ts:Cart new',
    { from: 'app.ts:main', to: 'shop/cart.ts:Cart.total', line: 7 },
    { from: 'app.ts:Markup', to: 'shop/price.ts:price' },
    { from: 'app.ts:main', to: 'app.ts:Markup' },
    { from: 'app.ts:main', to: 'app.ts:Template' },
    { from: 'app.ts:main', to: `shop/${BIDI}:Onload` },
    ...many.map((path) => ({ from: path, to: 'shop/price.ts' })),
  ],
});

for (const [i, text] of graph.tables.strings.entries()) graph.tables.strings[i] = NAMES.get(text) ?? text;

const PLACES = [
  { title: 'View on forge', address: 'https://forge.example/blob/0123/{path}#L{start}-L{end}' },
  { title: 'Open in editor', address: 'vscode://file{root}{path}:{start}', up: '../' },
];

const payloadFor = (from: Graph, limit = 20): PagePayload =>
  payloadOf(
    { files: partOf(from, 'files', {}), symbols: partOf(from, 'symbols', {}) },
    {
      repository: `shop ${MARKUP}`,
      ref: 'main\u2028',
      commit: '0123abcd',
      scope: '',
      view: 'files',
      limit,
      places: PLACES,
    },
  );

const page = html(payloadFor(graph));

test("the content security policy allows the page's own scripts and style, and no request", () => {
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] as string;
  assert.match(policy, /^default-src 'none'; /);
  const scripts = [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text]) => text);
  const [style] = [...page.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, text]) => text);
  assert.equal(scripts.length, 1);
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  assert.ok(policy.includes(`script-src ${scripts.map(hash).join(' ')};`));
  assert.ok(policy.includes(`style-src ${hash(style)};`));
  // Modules that define the same name would not compile as one.
  new Script(scripts[0]);
  assert.match(scripts[0], /lit-html [\d.]+: BSD-3-Clause/, "the library's licence travels with it");
  assert.ok(!/\b(?:src|href)=(?!"data:,")/.test(page.replaceAll(/<script.*?<\/script>/gs, '')));
});

test('text of the repository is only in the escaped data, and is read back unchanged', () => {
  assert.ok(!page.includes('onerror=alert(1)>') && !page.includes(MARKUP));
  const data = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)?.[1] as string;
  assert.ok(!/[<>&\u2028\u2029\u202e]/.test(data));
  const payload = JSON.parse(data) as PagePayload;
  const { nodes, edges } = unpack('files', payload.views.files);
  assert.ok(nodes.some(({ path }) => path === MARKUP));
  assert.ok(
    nodes.some(({ path }) => path === 'shop/evil\\u202egnp.ts'),
    'a reordering character is shown',
  );
  assert.equal(edges.filter(({ inCycle }) => inCycle).length, 2);
});

test('in a browser: search, views, panel, folders, and names that stay text', { skip: noBrowser }, async () => {
  const file = join(makeDirectory(), 'graph.html');
  writeFileSync(file, page);
  const { page: tab, complaints, close } = await openPage(file);
  const text = async (selector: string) => (await tab.locator(selector).textContent()) ?? '';
  const box = (label: string) => tab.locator('.layers a', { has: tab.getByText(label, { exact: true }) });
  const accessible = async (what: string) => {
    for (const width of noAxe ? [] : [380, 1280]) {
      await tab.setViewportSize({ width, height: 800 });
      assert.deepEqual(await axeProblems(tab), [], `${what}, ${width} wide`);
    }
  };
  try {
    assert.match(await text('#counts'), /^47 files · 47 links$/);
    assert.match(await text('h1'), /<\/script><img/);
    assert.equal(await box('part7.ts').count(), 0);
    await box('many').click();
    assert.match(await text('#panel'), /folder.*40 files.*Uses 1.*shop\/price\.ts.*40 uses.*Used by 0/s);
    await accessible('a folder in the panel');
    await tab.getByRole('button', { name: 'Open it' }).click();
    assert.equal(await box('part7.ts').count(), 1);

    await box('price.ts').click();
    assert.match(await text('#panel'), /Used by 42[\s\S]*Uses 1[\s\S]*cart\.ts/);
    await tab.locator('#panel').getByRole('link', { name: 'cart.ts' }).first().click();
    assert.equal(await text('#panel h2'), 'cart.ts');
    assert.match(
      (await tab.getByRole('link', { name: 'View on forge' }).getAttribute('href')) ?? '',
      /^https:\/\/forge\.example\/blob\/0123\/shop\/cart\.ts#L1-L\d+$/,
    );
    assert.equal(
      await tab.getByRole('link', { name: 'Open in editor' }).getAttribute('href'),
      `vscode://file${join(file, '../..')}/shop/cart.ts:1`,
    );
    await accessible('a file in the panel');
    await tab.getByTitle('Draw it as one box').click();
    assert.match(await text('#panel'), /✕\s*shop\s*folder/);
    assert.equal(await box('cart.ts').count(), 0);
    await tab.getByRole('button', { name: '1 cycle' }).click();
    assert.match(await text('#panel'), /1 cycle.*Cycle 1 2.*cart\.ts.*price\.ts/s);
    await accessible('cycles in the panel');
    await tab.locator('#panel').getByRole('link', { name: 'cart.ts' }).click();
    assert.equal(await box('cart.ts').count(), 1, 'the folder of a chosen file opens');

    await tab.keyboard.press('/');
    await tab.keyboard.type('part3');
    assert.equal(await text('#found'), '11');
    await tab.keyboard.press('Enter');
    await tab.keyboard.press('Enter');
    assert.equal(await text('#found'), '2/11');
    assert.match(await text('#panel h2'), /^part3\d\.ts$/);

    await tab.getByRole('link', { name: 'Symbols' }).click();
    await tab.fill('#search', 'Cart.total');
    await tab.keyboard.press('Enter');
    assert.match(await text('#panel'), /Callers 1\s*main app\.ts call · line 7/);
    await accessible('a symbol in the panel');
    await tab.fill('#search', 'onerror');
    await tab.keyboard.press('Enter');
    assert.equal(await text('#panel h2'), MARKUP);
    assert.equal(await tab.locator('img').count(), 0);

    const download = tab.waitForEvent('download');
    await tab.getByRole('button', { name: 'Save as PNG' }).click();
    assert.equal((await download).suggestedFilename(), 'symbols.png');
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});

/** Boxes whose text reaches out of them, that lie on others, or whose name is missing or tiny. */
const UNREADABLE = `(() => {
  const boxes = [...document.querySelectorAll('.layers a')];
  const rects = boxes.map((box) => box.querySelector('rect').getBoundingClientRect());
  return boxes.flatMap((box, i) => {
    const texts = [...box.querySelectorAll('text')];
    const isOutside = texts.some((text) => text.getBoundingClientRect().right > rects[i].right);
    const isCovered = rects.some(({ left, right, top, bottom }, j) =>
      j !== i && left < rects[i].right && right > rects[i].left && top < rects[i].bottom && bottom > rects[i].top);
    const isUnnamed = texts[0].textContent === '' || texts[0].getBoundingClientRect().height < 12;
    return isOutside || isCovered || isUnnamed ? [box.textContent] : [];
  });
})()`;

test('long paths that begin alike: every box has a readable name, on a telephone too', {
  skip: noBrowser,
}, async () => {
  const paths = Array.from({ length: 60 }, (_, i) => {
    const place = `support/module-${i % 12}/src/main/java/org/example/project/part${i % 12}/deep${i % 4}`;
    return `${place}/SomeRatherLongName${i}Factory.java`;
  });
  const nested = graphOf({
    files: Object.fromEntries(paths.map((path) => [path, []])),
    edges: paths.slice(1).map((path, i) => ({ from: path, to: paths[Math.floor(i / 3)] })),
  });
  const file = join(makeDirectory(), 'nested.html');
  writeFileSync(file, html(payloadFor(nested, 40)));
  const { page: tab, close } = await openPage(file);
  try {
    for (const width of [390, 1280]) {
      await tab.setViewportSize({ width, height: 800 });
      assert.ok((await tab.locator('.layers a').count()) >= 12);
      assert.deepEqual(await tab.evaluate(UNREADABLE), [], `${width} wide`);
      assert.equal(await tab.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, `${width} fits`);
    }
  } finally {
    await close();
  }
});
