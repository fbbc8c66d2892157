/** The page: one file without a request, in which text of the repository is never markup. Tried in a browser where there is one. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Script } from 'node:vm';
import type { Graph } from '../../../src/graph/graph.js';
import type { PagePayload } from '../../../src/graph/picture/folders.js';
import { html } from '../../../src/graph/picture/html.js';
import { arrange, type LayoutName, type Scene } from '../../../src/graph/picture/page/layouts.js';
import { unpack } from '../../../src/graph/picture/page/scene.js';
import { partOf, payloadOf } from '../../../src/graph/picture/picture.js';
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
  assert.equal(scripts.length, 2);
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  assert.ok(policy.includes(`script-src ${scripts.map(hash).join(' ')};`));
  assert.ok(policy.includes(`style-src ${hash(style)};`));
  // Two modules that define the same name would not compile.
  for (const script of scripts) new Script(script);
  assert.match(scripts[0], /Permission is hereby granted, free of charge/, "the library's licence travels with it");
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

test('every layout gives each node its own position, including cycles and isolated nodes', () => {
  const links = [0, 1, 2, 3].map((from) => ({ from, to: from === 3 ? 1 : from + 1 }));
  for (const name of ['layers', 'concentric', 'circle', 'grid'] satisfies LayoutName[]) {
    const labels = ['a', 'b', 'c', 'd', 'e'];
    const fill = (value: number) => new Float64Array(5).fill(value);
    const scene: Scene = { x: fill(0), y: fill(0), radius: fill(9), group: new Int32Array(5), links, labels };
    arrange(name, scene);
    const places = new Set(labels.map((_, i) => `${scene.x[i].toFixed(1)} ${scene.y[i].toFixed(1)}`));
    assert.equal(places.size, 5, name);
    assert.ok(!/NaN|Infinity/.test([...places].join()), name);
  }
});

/** Where a mark is on the screen, so that the mouse can reach it. */
const placeOf = (label: string) => `(() => {
  const cy = document.getElementById('stage')._cyreg.cy;
  const node = cy.nodes().filter((each) => each.data('label') === ${JSON.stringify(label)})[0];
  if (node === undefined) return null;
  const { x, y } = node.renderedPosition();
  const { left, top } = document.getElementById('stage').getBoundingClientRect();
  return { x: left + x, y: top + y };
})()`;

test('in a browser: search, views, panel, folders, and names that stay text', { skip: noBrowser }, async () => {
  const file = join(makeDirectory(), 'graph.html');
  writeFileSync(file, page);
  const { page: tab, complaints, close } = await openPage(file);
  const ready = () => tab.waitForSelector('body[data-state="ready"]');
  const text = async (selector: string) => (await tab.locator(selector).textContent()) ?? '';
  const click = async (label: string) => {
    const at = await tab.evaluate<{ x: number; y: number } | null>(placeOf(label));
    assert.ok(at, `${label} is drawn`);
    await tab.mouse.click(at.x, at.y);
    await ready();
  };
  const accessible = async (what: string) => {
    for (const width of noAxe ? [] : [380, 1280]) {
      await tab.setViewportSize({ width, height: 800 });
      await ready();
      assert.deepEqual(await axeProblems(tab), [], `${what}, ${width} wide`);
    }
  };
  try {
    await ready();
    assert.match(await text('#counts'), /^47 files · 47 links$/);
    assert.match(await text('h1'), /<\/script><img/);
    assert.equal(await tab.evaluate(placeOf('part7.ts')), null);
    await click('many  40');
    assert.ok(await tab.evaluate(placeOf('part7.ts')), 'a click opens a folder');

    await click('price.ts');
    assert.match(await text('#panel'), /Used by \(42\)[\s\S]*Uses \(1\)[\s\S]*cart\.tsimport/);
    await tab
      .getByRole('button', { name: /^cart\.ts/ })
      .first()
      .click();
    await ready();
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
    await tab.getByRole('button', { name: '1 cycle: list it' }).click();
    assert.match(await text('#panel'), /1 cycle.*2 files.*cart\.ts.*price\.ts/s);
    await accessible('cycles in the panel');
    await tab
      .getByRole('button', { name: /^cart\.ts/ })
      .first()
      .click();
    await ready();

    await tab.keyboard.press('/');
    await tab.keyboard.type('part3');
    assert.equal(await text('#found'), '11');
    await tab.keyboard.press('Enter');
    await tab.keyboard.press('Enter');
    assert.equal(await text('#found'), '2/11');
    assert.match(await text('#panel h2'), /^part3\d\.ts$/);

    await tab.getByRole('button', { name: 'Symbols' }).click();
    await ready();
    await tab.fill('#search', 'Cart.total');
    await tab.keyboard.press('Enter');
    await ready();
    assert.match(await text('#panel'), /Callers \(1\)maincall · line 7app\.ts/);
    await accessible('a symbol in the panel');
    await tab.fill('#search', 'onerror');
    await tab.keyboard.press('Enter');
    await ready();
    assert.equal(await text('#panel h2'), MARKUP);
    assert.equal(await tab.locator('img').count(), 0);

    for (const layout of ['layers', 'concentric', 'circle', 'grid', 'cose', 'force']) {
      await tab.selectOption('#layout', layout);
      await ready();
    }
    const download = tab.waitForEvent('download');
    await tab.click('#png');
    assert.equal((await download).suggestedFilename(), 'symbols.png');
    assert.deepEqual(complaints, []);
  } finally {
    await close();
  }
});
