/** The wiki: pages that need nothing, whose links lead to pages, and in which text of the repository is never markup. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { setLogLevel } from '../../../src/base/log.js';
import { answer } from '../../support/in-process/answer.js';
import { createRepo, type TestRepo } from '../../support/repositories/repo.js';

setLogLevel('silent');

const EVIL = '<script>alert(1)<';
const FILES = {
  'src/shop/cart.ts': '/** Goods <b>of</b> a customer. */\nexport class Cart {\n  total() {\n    return 1;\n  }\n}\n',
  'src/shop/tax.ts': "import { Cart } from './cart';\n\nexport const tax = (cart: Cart) => cart.total();\n",
  'src/main.ts': "import { tax } from './shop/tax';\n\nexport const main = () => tax;\n",
  [`src/${EVIL}/x" onload=".ts`]: "import { tax } from '../shop/tax';\n\nexport const x = () => tax;\n",
};

async function wiki(repo: TestRepo, out: string, ...args: string[]) {
  const { code, stdout, stderr } = await answer(['-C', repo.dir, 'wiki', '--out', out, '--json', ...args]);
  return { code, stderr, report: code === 0 ? JSON.parse(stdout) : null };
}

/** Texts of all files by their names. */
function pagesOf(directory: string): Map<string, string> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));
  return new Map(names.sort().map((name) => [name, readFileSync(join(directory, name), 'utf8')]));
}

test('every link leads to a page, and the pages say what the graph knows', async () => {
  const repo = createRepo();
  repo.commit(FILES);
  const out = join(repo.dir, '..', 'site');
  const { report } = await wiki(repo, out);
  const pages = pagesOf(out);
  // The overview, three folders, four files.
  assert.deepEqual([report.pages, pages.size], [8, 8]);
  for (const [name, text] of pages)
    for (const [, href, anchor] of text.matchAll(/href="([^"#]*)#?([^"]*)"/g)) {
      const page = join(out, dirname(name), href);
      assert.ok(existsSync(page), `${name}: ${href}`);
      assert.ok(anchor === '' || readFileSync(page, 'utf8').includes(`id="${anchor}"`), `${name}: ${href}#${anchor}`);
    }
  const overview = pages.get('index.html') as string;
  assert.match(overview, /<a href="files\/[0-9a-f]{20}\.html#L\d+"><code>Cart<\/code><\/a>/);
  const src = [...pages.values()].find((text) => text.includes('<h1>src</h1>')) as string;
  assert.match(src, /<svg .*role="img"/);
  assert.match(src, /<title>main\.ts uses shop: \d+<\/title>/);
  const cart = [...pages.values()].find((text) => text.includes('<h1>src/shop/cart.ts</h1>')) as string;
  assert.match(cart, /Defines Cart\. &quot;Goods &lt;b&gt;of&lt;\/b&gt; a customer\.&quot; Used by 1 file\./);
  assert.match(
    cart,
    /<h2>Used by<\/h2>\s*<table><tr><td><a href="\.\.\/files\/[0-9a-f]{20}\.html">src\/shop\/tax\.ts<\/a>/,
  );
});

test('text of the repository is never markup, and no page has a script or makes a request', async () => {
  const repo = createRepo();
  repo.commit(FILES);
  const out = join(repo.dir, '..', 'hostile');
  await wiki(repo, out);
  for (const [name, text] of pagesOf(out)) {
    assert.doesNotMatch(text, /<script|<[^>]*\sonload=|<b>|https?:/i, name);
    assert.match(
      text,
      /http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-/,
    );
  }
});

test('the same snapshot gives the same bytes, over an earlier site as well', async () => {
  const repo = createRepo();
  repo.commit(FILES);
  const [one, other] = ['one', 'other'].map((name) => join(repo.dir, '..', name));
  await wiki(repo, one);
  repo.commit({ 'src/extra.ts': 'export const extra = 1;\n' });
  await wiki(repo, other);
  await wiki(repo, other, '--ref', 'HEAD~1');
  const strip = (pages: Map<string, string>) =>
    [...pages].map(([name, text]) => [name, text.replace(/<footer>.*/, '')]);
  assert.deepEqual(strip(pagesOf(other)), strip(pagesOf(one)));
});

test('a directory with anything else, a file and a link are left alone', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  symlinkSync(repo.dir, join(repo.dir, '..', 'link'));
  writeFileSync(join(repo.dir, '..', 'file'), '');
  for (const out of ['.', '../link', '../file']) {
    const { code, stderr } = await wiki(repo, join(repo.dir, out));
    assert.equal(code, 2, out);
    assert.match(stderr, /holds other files|is a symbolic link|is a file/);
  }
  assert.equal(existsSync(join(repo.dir, 'index.html')), false);
});
