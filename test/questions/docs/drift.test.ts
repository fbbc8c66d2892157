/** What `docs drift` must not say: each case was said of a real repository once, and was wrong. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerDrift } from '../../../src/questions/docs/drift.js';
import { documentOf } from '../../support/in-process/document.js';
import { createRepo, type TestRepo } from '../../support/repositories/repo.js';

const said = async (repo: TestRepo, range?: string): Promise<string[]> =>
  (await documentOf(repo, (at) => answerDrift(at, { range }))).drift.list.map(
    ({ path, line, text, problem }) => `${path}:${line} ${text} ${problem}`,
  );

test('nothing is said of the number of arguments where a call runs with any', async () => {
  const repo = createRepo();
  const body = '(route, opts) {\n  return route;\n}\n';
  const sample = (language: string) =>
    `\`\`\`${language}\nimport { openRoute, closeRoute } from 'shop';\nopenRoute(1, 2, 3);\n\`\`\`\n`;
  repo.commit(
    {
      'package.json': '{"name":"shop","main":"lib/shop.js"}',
      'lib/shop.js': `export function openRoute${body}export function closeRoute${body}`,
      'README.md': sample('js'),
    },
    'scripts',
  );
  assert.deepEqual(await said(repo), []);
  repo.commit({ 'lib/shop.js': '' }, 'gone');
  assert.deepEqual(await said(repo, 'HEAD~1..HEAD'), [
    'README.md:2 openRoute gone',
    'README.md:2 closeRoute gone',
    'README.md:3 openRoute gone',
  ]);
});

test('a name at top level that its module, or one that answers for any name, still holds in a string is not gone', async () => {
  const repo = createRepo();
  const guide = '# Guide\n\n`shop.http.parse_tags` and `shop.http.parse_range`, and `shop.streams.text_stream`.\n';
  repo.commit(
    {
      'src/shop/http.py': 'def parse_tags(value):\n    return value\n\n\ndef parse_range(value):\n    return value\n',
      'src/shop/streams.py': 'def text_stream(name):\n    return name\n',
      'src/shop/__init__.py': '',
      'docs/guide.md': guide,
    },
    'helpers',
  );
  repo.commit(
    {
      'src/shop/http.py':
        'def _parse_tags(value):\n    return value\n\n\ndef __getattr__(name):\n    if name == "parse_tags":\n        return _parse_tags\n    raise AttributeError(name)\n',
      'src/shop/streams.py': 'def _text_stream(name):\n    return name\n',
      'src/shop/__init__.py':
        'def __getattr__(name):\n    if name == "text_stream":\n        from .streams import _text_stream\n        return _text_stream\n    raise AttributeError(name)\n',
    },
    'deprecated',
  );
  assert.deepEqual(await said(repo, 'HEAD~1..HEAD'), ['docs/guide.md:3 shop.http.parse_range gone']);
});

test('a name with a module before it is not gone where another definition of that name stands', async () => {
  const repo = createRepo();
  const command = 'type Command struct {\n\tName string\n}\n';
  repo.commit(
    {
      'command.go': `package tool\n\n${command}`,
      'tool/tpl/main.go': `package tpl\n\n${command}`,
      'docs/guide.md': '# Guide\n\nWrite a `tool.Command`.\n',
    },
    'two commands',
  );
  repo.git('rm', '-q', '-r', 'tool');
  repo.git('commit', '-q', '-m', 'one command');
  assert.deepEqual(await said(repo, 'HEAD~1..HEAD'), []);
});

test('a package that no manifest of the repository names is not its own, whatever names it shares', async () => {
  const repo = createRepo();
  const loaders = 'class TakeFirst:\n    pass\n\n\nclass MapCompose:\n    pass\n';
  repo.commit(
    {
      'pyproject.toml': '[project]\nname = "crawl"\n',
      'crawl/__init__.py': '',
      'crawl/processors.py': loaders,
      'docs/guide.md':
        '# Loaders\n\n```python\nfrom itemloaders.processors import TakeFirst, MapCompose\n\nTakeFirst()\n```\n\n```python\nfrom crawl.processors import TakeFirst\n```\n',
    },
    'loaders',
  );
  repo.commit({ 'crawl/processors.py': '' }, 'loaders are a package of their own');
  assert.deepEqual(await said(repo, 'HEAD~1..HEAD'), ['docs/guide.md:10 TakeFirst gone']);
});

test('a path means what it meant from where its document stood', async () => {
  const repo = createRepo();
  repo.commit({ 'src/index.ts': 'export const a = 1;\n', 'README.md': '# Top\n\nSee `src/index.ts`.\n' }, 'a project');
  repo.git('rm', '-q', 'src/index.ts');
  repo.commit({ 'bench/README.md': '# Bench\n\nWrites `src/index.ts`.\n', 'a.ts': 'export const b = 2;\n' }, 'a bench');
  assert.deepEqual(await said(repo, 'HEAD~1..HEAD'), ['README.md:3 src/index.ts gone']);
});

test('links that a generator of sites resolves are not broken, and guides of an old version may name what is gone', async () => {
  const repo = createRepo();
  const links = '[a](contexts.md) [b](assets/a.png) [c](Guide.epub) [d](missing.md) [e](/)';
  repo.commit(
    {
      'guides/howto/upload.md': `# Upload\n\n${links}\n`,
      'guides/howto/contexts.md': '# Contexts\n',
      'guides/data/other.md': '# Other\n\n[a](upload.md)\n',
      'guides/assets/a.png': 'x',
      'guides/howto.md': '# How\n',
      'versioned_docs/version-1/a.md': '# A\n\nCall `openOldShop()`.\n',
      'README.md':
        '# A\n\nCall `openOldShop()`.\n\n[`openOldShop`](https://docs.org/openOldShop)\n\n[x](https://forge.org/acme/shop/blob/v1.0/src/a.ts) [y](https://forge.org/acme/shop/blob/main/src/a.ts)\n',
      'src/a.ts': 'export function openOldShop() {}\n',
    },
    'guides',
  );
  assert.deepEqual(await said(repo), ['guides/howto/upload.md:3 missing.md no-file']);
  repo.git('mv', 'guides/howto/contexts.md', 'guides/data/contexts.md');
  repo.git('rm', '-q', 'src/a.ts', 'guides/howto.md');
  repo.git('commit', '-q', '-m', 'gone');
  assert.deepEqual(await said(repo, 'HEAD~1..HEAD'), ['README.md:3 openOldShop gone', 'README.md:7 /src/a.ts gone']);
});

test('pages of Antora link within their module, and to modules by name: what is there is not missing', async () => {
  const repo = createRepo();
  const pages = 'docs/modules/ROOT/pages';
  repo.commit(
    {
      'docs/antora.yml': 'name: shop\n',
      'docs/modules/ROOT/nav.adoc': '* xref:index.adoc[]\n* xref:core/cart.adoc[]\n* xref:gone.adoc[]\n',
      [`${pages}/index.adoc`]: '= Shop\n\nSee xref:api:calls.adoc#sum[calls] and xref:other:shop:far.adoc[].\n',
      [`${pages}/core/cart.adoc`]:
        '= Cart\n\nxref:index.adoc[Back], xref:api:lost.adoc[], xref:./cart.adoc[].\n\ninclude::partial$note.adoc[]\n\n include::shown.adoc[]\n',
      'docs/modules/ROOT/partials/note.adoc': 'Note.\n',
      'docs/modules/api/pages/calls.adoc': '= Calls\n\nlink:path/to/file.txt[a file]\n',
    },
    'site',
  );
  assert.deepEqual(await said(repo), [
    'docs/modules/ROOT/nav.adoc:3 gone.adoc no-file',
    `${pages}/core/cart.adoc:3 api:lost.adoc no-file`,
  ]);
});

test('a function at top level may be a member of a type that it extends', async () => {
  const repo = createRepo();
  const sample = '= Guide\n\n`Cart.sumLater()` and `Cart.lost()`.\n';
  repo.commit(
    {
      'src/main/kotlin/shop/Cart.kt': 'package shop\n\nclass Cart {\n  fun total(): Int = 1\n}\n',
      'src/main/kotlin/shop/Later.kt': 'package shop\n\nfun Cart.sumLater(): Int = 2\n',
      'guide.adoc': sample,
    },
    'extension',
  );
  assert.deepEqual(await said(repo), ['guide.adoc:3 Cart.lost no-member']);
});

test('a call with more arguments than a method takes may be one of a function that extends its type', async () => {
  const repo = createRepo();
  const sample =
    '= Guide\n\n[source,kotlin]\n----\nimport shop.Cart\n\nval cart = Cart()\ncart.sum(1, 2)\ncart.count(1, 2)\n----\n';
  repo.commit(
    {
      'src/main/kotlin/shop/Cart.kt':
        'package shop\n\nclass Cart {\n  fun sum(a: Int): Int = 1\n  fun count(a: Int): Int = 1\n}\n',
      'src/main/kotlin/shop/Later.kt': 'package shop\n\nfun Cart.sum(a: Int, b: Int): Int = 2\n',
      'guide.adoc': sample,
    },
    'extension',
  );
  assert.deepEqual(await said(repo), ['guide.adoc:9 Cart.count arguments']);
});

test('a method that documents name alone is gone where its name is, and where no word of its file tells otherwise', async () => {
  const repo = createRepo();
  const method = (name: string) => `func (c *Context) ${name}(to int) int { return to }\n\n`;
  const type = 'package shop\n\ntype Context struct{}\n\n';
  const sample = '```go\nimport "example.org/shop"\n\nshop.OpenCart(1)\n```\n';
  repo.commit(
    {
      'go.mod': 'module example.org/shop\n\ngo 1.22\n',
      'context.go': `${type}${method('ShouldBind')}${method('MustBind')}${method('KeepBound')}func OpenCart(a int) {}\n`,
      'guide.md': `# Guide\n\n\`ShouldBind\`\n\n\`c.MustBind()\`\n\n\`KeepBound\`\n\n${sample}`,
    },
    'methods',
  );
  repo.commit(
    {
      'context.go': `${type}${method('ShouldTie')}${method('MustTie')}// KeepBound is made elsewhere.\n\nfunc OpenCart(a int, b int) {}\n`,
    },
    'renamed',
  );
  const found = await said(repo, 'HEAD~1..HEAD');
  assert.deepEqual(
    found.map((each) => each.replace(/ (?:gone|renamed)$/, '')),
    ['guide.md:3 ShouldBind', 'guide.md:5 c.MustBind', 'guide.md:12 OpenCart arguments'],
  );
});

test('a call of a name that its document does not import is told only where it fitted before the change', async () => {
  const repo = createRepo();
  const sample = (lines: readonly string[]) => `Then::\n\n${lines.map((line) => `    ${line}\n`).join('')}\n`;
  const store = (extra: string) =>
    `class Store:\n    def put_item(self, item${extra}):\n        return item\n\n    def drop_item(self, item${extra}):\n        return item\n\n\ndef open_store(name${extra}):\n    return Store()\n`;
  repo.commit(
    {
      'shop/store.py': store(''),
      'shop/other.py': 'def close_store(name):\n    return name\n',
      'docs/guide.rst': `Guide\n=====\n\n${sample(['store = open_store("a")', 'store.put_item(item)', 'return open_store(name="a")'])}${sample(['open_store(*names)', 'store.put_item(a, b, c, d)', 'def drop_item(item):', '    store.drop_item(item)', 'close_store("a")'])}`,
      'docs/own.rst': `Own\n===\n\n${sample(['def open_store(name):', '    return name', 'open_store("a")'])}`,
      'docs/shell.md': '# Shell\n\n```js\nopen_store("a");\n```\n',
      'docs/till.rst': `Till\n====\n\n${sample(['open_till("a")'])}`,
    },
    'a store',
  );
  assert.deepEqual(await said(repo), []);
  const till = 'def open_till(name, key):\n    return name\n';
  repo.commit({ 'shop/store.py': store(', key, size'), 'shop/till.py': till }, 'more parameters, and a till');
  assert.deepEqual(await said(repo), [], 'without a range nothing is certain of them');
  assert.deepEqual(await said(repo, 'HEAD~1..HEAD'), [
    'docs/guide.rst:6 open_store arguments',
    'docs/guide.rst:7 store.put_item arguments',
    'docs/guide.rst:8 open_store arguments',
  ]);
});

test('a call of a member of what a function of a package gives is told where it fitted before the change', async () => {
  const repo = createRepo();
  const engine = (parameters: string) =>
    `package shop\n\ntype Engine struct{}\n\nfunc Default() *Engine { return &Engine{} }\n\nfunc (engine *Engine) SetTrusted(${parameters}) error { return nil }\n`;
  repo.commit(
    {
      'go.mod': 'module example.org/acme/shop\n',
      'engine.go': engine('names []string'),
      'README.md':
        '# Shop\n\n```go\nimport "example.org/acme/shop"\n\nfunc main() {\n  router := shop.Default()\n  router.SetTrusted([]string{"a"})\n}\n```\n',
    },
    'an engine',
  );
  repo.commit({ 'engine.go': engine('names []string, size int') }, 'a size');
  assert.deepEqual(await said(repo, 'HEAD~1..HEAD'), ['README.md:8 Default.SetTrusted arguments']);
});
