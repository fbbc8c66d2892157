/** `graph visualize` from the command line, over a real repository with hostile names; the page in a browser where there is one. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  type GraphPicture,
  type GraphVisualizeReport,
  graphPictureSchema,
  graphVisualizeReportSchema,
} from '../../src/questions/graph/visualize/question.js';
import { check } from '../support/check.js';
import { cli, cliJson } from '../support/in-process/cli.js';
import { noBrowser, openPage } from '../support/processes/browser.js';
import { createRepo, makeDirectory } from '../support/repositories/repo.js';

/** A name that git, every file system and a parser take. */
const HOSTILE = '<img src=x onerror=alert(1)>.ts';

const repo = createRepo();
repo.commit({
  'src/cart.ts': [
    "import { price } from './price.js';",
    'export class Cart {',
    '  total() {',
    '    return price();',
    '  }',
    '}',
    '',
  ].join('\n'),
  'src/price.ts': "import { Cart } from './cart.js';\nexport function price() {\n  return new Cart().total();\n}\n",
  'src/main.ts': `import { Cart } from './cart.js';\nimport { evil } from "./${HOSTILE.slice(0, -3)}";\nevil();\nnew Cart();\n`,
  [`src/${HOSTILE}`]: 'export function evil() {\n  return 1;\n}\n',
  'docs/readme.md': '# Words\n',
});
const options = { cwd: repo.dir };
const picture = async (...args: string[]): Promise<GraphPicture> =>
  check(graphPictureSchema, await cliJson(['graph', 'visualize', ...args], options));

test('JSON: files and what they import, symbols and what they call', async () => {
  const files = await picture();
  const name = (id: string) => files.nodes.find((node) => node.id === id)?.path.replace('src/', '');
  assert.deepEqual(
    files.edges
      .map(({ from, to, kinds, inCycle }) => `${name(from)} > ${name(to)} ${kinds.join()}${inCycle ? ' !' : ''}`)
      .sort(),
    [
      `cart.ts > price.ts import,call !`,
      `main.ts > ${HOSTILE} import,call`,
      `main.ts > cart.ts import,new`,
      `price.ts > cart.ts import,new,call !`,
    ],
  );
  assert.ok(files.nodes.some(({ path }) => path === 'docs/readme.md'));
  const symbols = await picture('--view', 'symbols', '--path', 'src/{cart,price}.ts');
  const label = (id: string) => symbols.nodes.find((node) => node.id === id)?.label;
  assert.deepEqual(symbols.edges.map(({ from, to, lines }) => `${label(from)} > ${label(to)} ${lines}`).sort(), [
    'Cart.total > price 4',
    'price > Cart 3',
    'price > Cart.total 3',
  ]);
});

test('a focus, a limit, folders in place of what does not fit', async () => {
  const near = await picture('--focus', 'src/price.ts', '--depth', '1');
  assert.deepEqual(
    near.nodes.map(({ label }) => label),
    ['cart.ts', 'price.ts'],
  );
  assert.equal((await picture('--focus', 'Cart.total', '--depth', '1')).view, 'symbols');
  const small = await picture('--limit', '2');
  assert.deepEqual(
    small.nodes.map(({ kind, path, members }) => [kind, path, members]),
    [
      ['file', 'docs/readme.md', undefined],
      ['folder', 'src', 4],
    ],
  );
});

test('text for Mermaid and Graphviz goes to standard output, or to a file whose name says which', async () => {
  const { stdout } = await cli(['graph', 'visualize'], options);
  assert.match(stdout, /^flowchart LR\n/);
  assert.ok(!stdout.includes('<img'));
  const output = join(makeDirectory(), 'graph.dot');
  const report = check(
    graphVisualizeReportSchema,
    await cliJson<GraphVisualizeReport>(['graph', 'visualize', '--output', output], options),
  );
  assert.deepEqual([report.format, report.output, report.unlinked], ['dot', output, 1]);
  assert.equal(statSync(output).size, report.bytes);
  assert.match(readFileSync(output, 'utf8'), /^digraph "code" \{/);
});

test('mistakes are told, and leave no file behind', async () => {
  const fails = async (pattern: RegExp, ...args: string[]) => {
    const { code, stderr, stdout } = await cli(['graph', 'visualize', ...args], options);
    assert.deepEqual([code, stdout], [2, ''], stderr);
    assert.match(stderr, pattern);
  };
  await fails(/--format takes one of mermaid, dot, json, html, not "svg"/, '--format', 'svg');
  await fails(/--view takes one of folders, files, symbols, not "rooms"/, '--view', 'rooms');
  await fails(/--limit takes a whole number from 1 to 10,000, not 0/, '--limit', '0');
  await fails(/no symbol nowhere is defined/, '--focus', 'nowhere');
  await fails(/outside of this repository/, '--focus', '../elsewhere.ts');
  const missing = join(makeDirectory(), 'no', 'graph.html');
  await fails(/cannot write/, '--output', missing);
  assert.ok(!existsSync(missing));
});

test('the page of a real repository runs without a complaint or a request', { skip: noBrowser }, async () => {
  const output = join(makeDirectory(), 'graph.html');
  const { code, stdout } = await cli(['graph', 'visualize', '--output', output], options);
  assert.deepEqual(
    [code, /5 files and 4 links; 1 without links are left out at first/.test(stdout)],
    [0, true],
    stdout,
  );
  const { page, complaints, close } = await openPage(output);
  try {
    await page.waitForSelector('.layers');
    await page.fill('#search', 'onerror');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#panel h2');
    assert.equal(await page.locator('#panel h2').textContent(), HOSTILE);
    assert.match(
      (await page.locator('#panel').textContent()) ?? '',
      /Used by 1\s*main\.ts src\/main\.ts import, call · lines 2, 3/,
    );
    assert.deepEqual([await page.locator('img').count(), complaints], [0, []]);
  } finally {
    await close();
  }
});

test('a page within the work tree leads into the editor and names no directory of the machine; one elsewhere does neither', async () => {
  const pageAt = async (output: string) => {
    assert.equal((await cli(['graph', 'visualize', '--output', output], options)).code, 0);
    return readFileSync(output, 'utf8');
  };
  const within = await pageAt(join(repo.dir, 'docs', 'graph.html'));
  assert.match(within, /"address":"vscode:\/\/file\{root\}\{path\}:\{start\}","up":"\.\.\/"/);
  assert.doesNotMatch(await pageAt(join(makeDirectory(), 'graph.html')), /"up":/);
  assert.ok(!within.includes(repo.dir));
});
