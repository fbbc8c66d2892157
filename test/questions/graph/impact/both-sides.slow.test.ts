/** What both sides of a change show: uses that dangle, renames, moves, deleted files, risk, users and tests of before. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changed, danglingIn, edit, SHOP } from '../../../support/in-process/changes.js';

test('a function that is gone: its uses and re-exports dangle, and the risk says so', async () => {
  const answer = await changed(SHOP, edit('src/cart.ts', /export function total[^}]*\}\n/, ''));
  assert.deepEqual(danglingIn(answer), [
    'src/app.ts:5 total certain removed',
    'src/cart.test.ts:3 total certain removed',
    'src/index.ts:1 total certain removed',
  ]);
  assert.equal(answer.risk.level, 'high');
  assert.match(answer.risk.reasons[0], /^3 certain dangling uses in 3 files$/);
  assert.ok(answer.changes.users.before > answer.changes.users.after);
  assert.ok(
    answer.tests.list.some(({ path }) => path === 'src/cart.test.ts'),
    'tests that reached it before',
  );
  assert.deepEqual(
    answer.changes.api.list.map(({ change, symbol }) => [change, symbol]),
    [['removed', 'total']],
  );
});

test('comments and white space within code change nothing, code beside them does', async () => {
  const commented = edit('src/cart.ts', '  return items', '  // Adds them up.\n  return items');
  assert.deepEqual((await changed(SHOP, commented)).changes.symbols.list, []);
  const both = { 'src/cart.ts': commented['src/cart.ts'].replace(', 0)', ', 1)') };
  assert.deepEqual(
    (await changed(SHOP, both)).changes.symbols.list.map(({ symbol }) => symbol),
    ['total'],
  );
});

test('a class whose own body differs beside a member: the users of the member count, unless it has other parents', async () => {
  const ruby = {
    'app.rb': 'class App\n  set :a, 1\n\n  def run\n    go\n  end\nend\n',
    'main.rb': "require_relative 'app'\n\ndef main\n  App.new.run\nend\n",
    'other.rb': "require_relative 'app'\n\ndef other\n  App\nend\n",
  };
  const users = async (...edits: [from: string, to: string][]) => {
    const text = edits.reduce((all, [from, to]) => all.replace(from, to), ruby['app.rb']);
    const { changes, hops } = await changed(ruby, { 'app.rb': text });
    const own = changes.symbols.list.filter(({ ownBody }) => ownBody).map(({ symbol }) => symbol);
    return [own, hops[0]?.affected.map(({ symbol }) => symbol).sort() ?? []];
  };
  assert.deepEqual(await users([':a, 1', ':a, 2'], ['go', 'stop']), [['App'], ['main']]);
  assert.deepEqual(await users([':a, 1', ':a, 2']), [[], ['main', 'other']]);
  assert.deepEqual(await users(['set :a, 1', 'include Other'], ['go', 'stop']), [[], ['main', 'other']]);
});

test('a method of a literal in a test is no symbol that changed, one that is used is', async () => {
  const test = (body: string) => ({ 'src/cart.test.ts': `it('adds', () => {\n  make({ ${body} });\n});\n` });
  const files = { ...SHOP, ...test('go() { return 1 }') };
  assert.deepEqual((await changed(files, test('go() { return 2 }, put() {}'))).changes.symbols.list, []);
});

test('a rename is recognised, and its former name dangles', async () => {
  const answer = await changed(SHOP, edit('src/cart.ts', 'function total', 'function sumOfItems'));
  const [symbol] = answer.changes.symbols.list;
  assert.deepEqual([symbol.symbol, symbol.change, symbol.was], ['sumOfItems', 'renamed', 'total']);
  assert.equal(answer.changes.removed.list.length, 0);
  assert.equal(danglingIn(answer)[0], 'src/app.ts:5 total certain renamed');
  assert.equal(answer.changes.dangling.list[0].now?.symbol, 'sumOfItems');
});

test('methods: by the type of the receiver, and by `this`', async () => {
  const answer = await changed(SHOP, {
    'src/cart.ts': SHOP['src/cart.ts'].replace('  add(item', '  put(item').replace('private check(', 'private verify('),
  });
  assert.deepEqual(danglingIn(answer), [
    'src/app.ts:4 cart.add certain renamed',
    'src/cart.ts:7 this.check certain renamed',
  ]);
});

test('a file that moves: imports of it dangle, unless they moved along', async () => {
  const moved = { 'src/cart.ts': null, 'src/basket.ts': SHOP['src/cart.ts'] };
  const lost = await changed(SHOP, moved);
  assert.deepEqual(danglingIn(lost), [
    'src/app.ts:1 ./cart certain moved',
    'src/cart.test.ts:1 ./cart certain moved',
    'src/index.ts:1 ./cart certain moved',
  ]);
  const files = ['src/app.ts', 'src/index.ts', 'src/cart.test.ts'] as const;
  const updated = Object.fromEntries(files.map((path) => [path, SHOP[path].replaceAll('./cart', './basket')]));
  assert.deepEqual(danglingIn(await changed(SHOP, { ...moved, ...updated })), []);
});

test('a function inside of a function is named nowhere else, whatever has its name', async () => {
  const inner = 'export function run(): void {\n  function stop() {}\n  stop();\n}\n';
  const project = { 'src/run.ts': inner, 'src/use.js': 'export function use(it) {\n  it.stop();\n  stop();\n}\n' };
  const { changes, risk } = await changed(project, { 'src/run.ts': 'export function run(): void {}\n' });
  const gone = changes.removed.list.find(({ symbol }) => symbol === 'run.stop');
  assert.deepEqual(gone?.uses.list, []);
  assert.deepEqual(changes.dangling.list, []);
  assert.doesNotMatch(risk.reasons.join(), /former name/);
});

test('what a module keeps to itself is named nowhere else; what a script defines, and what is exported, may be', async () => {
  const elsewhere = 'export function other(found) {\n  return found.code() + code(found);\n}\n';
  const helper = 'function code(text) {\n  return text;\n}\n';
  const kept = (start: string) => ({ 'a.js': `${start}const shown = 1;\n${helper}`, 'other.js': elsewhere });
  const without = (start: string) => ({ 'a.js': `${start}const shown = 1;\n` });
  for (const [start, isNamed] of [
    ["import './other.js';\n", false],
    ['export const top = 1;\n', false],
    ['', true],
  ] as const) {
    const answer = await changed(kept(start), without(start));
    const [removed] = answer.changes.removed.list;
    assert.equal(removed.symbol, 'code');
    assert.equal(removed.uses.list.length > 0, isNamed, `${start}: ${JSON.stringify(removed.uses)}`);
    assert.equal(
      /former name|possible dangling use/.test(answer.risk.reasons.join()),
      isNamed,
      start + answer.risk.reasons,
    );
  }
});

const SECOND = 'export class Basket {\n  add(item: number): void {}\n}\n';

test('a method that another type has, too: uses of the one that is gone dangle, as long as code says what the receiver is', async () => {
  const files = {
    ...SHOP,
    'src/basket.ts': SECOND,
    'src/made.ts': "import { Cart } from './cart';\nexport const made = () => new Cart('x');\n",
    'src/far.ts': "import { made } from './made';\nexport function far() {\n  made().add(1);\n}\n",
    'src/held.ts':
      "import { Cart } from './cart';\nexport class Held {\n  private cart: Cart;\n  run() {\n    this.cart.add(1);\n  }\n}\n",
  };
  const gone = edit('src/cart.ts', / {2}add\(item[^}]*\}\n/, '');
  assert.deepEqual(danglingIn(await changed(files, gone)), [
    'src/app.ts:4 cart.add certain removed',
    'src/held.ts:5 this.cart.add certain removed',
    'src/far.ts:3 made().add likely removed',
  ]);
  // A subtype that has it can be what stands behind the parent's name.
  const gift = {
    'src/gift.ts': "import { Cart } from './cart';\nexport class Gift extends Cart {\n  add(): void {}\n}\n",
  };
  const uses = danglingIn(await changed({ ...files, ...gift }, gone));
  assert.deepEqual(
    uses.filter((line) => line.includes('certain')),
    [],
  );
});

test('the same in Python and Go, also where a method stands in another file than its type', async () => {
  const python = {
    'cart.py': 'class Cart:\n    def add(self, item):\n        return item\n\n    def size(self):\n        return 1\n',
    'basket.py': 'class Basket:\n    def add(self, item):\n        return item\n',
    'main.py': 'from cart import Cart\n\n\ndef main():\n    cart = Cart()\n    cart.add(1)\n    return cart.size()\n',
  };
  const without = { 'cart.py': 'class Cart:\n    def size(self):\n        return 1\n' };
  assert.deepEqual(danglingIn(await changed(python, without)), ['main.py:6 cart.add certain removed']);
  const go = {
    'go.mod': 'module shop\n\ngo 1.19\n',
    'cart.go': 'package shop\n\ntype Cart struct{}\n\nfunc (c *Cart) Size() int { return 1 }\n',
    'add.go': 'package shop\n\nfunc (c *Cart) Add(n int) int { return n }\n\nfunc Other() {}\n',
    'basket.go': 'package shop\n\ntype Basket struct{}\n\nfunc (b *Basket) Add(n int) int { return n }\n',
    'main.go': 'package shop\n\nfunc Main(c *Cart) int {\n\treturn c.Add(1)\n}\n',
  };
  const gone = { 'add.go': 'package shop\n\nfunc Other() {}\n' };
  assert.deepEqual(danglingIn(await changed(go, gone)), ['main.go:4 c.Add certain removed']);
});

test('a use that had no target may have meant what is gone only with evidence: the receiver, or a name that no other has', async () => {
  const dialog = {
    'src/dialog.ts':
      'export class Dialog {\n  confirm(): void {}\n  ask(): void {}\n  openFully(): void {}\n  stay(): void {}\n}\n',
  };
  const without = { 'src/dialog.ts': 'export class Dialog {\n  stay(): void {}\n}\n' };
  const calls = '  window.confirm();\n  it.confirm();\n  dialog.ask();\n  it.ask();\n  it.openFully();\n}\n';
  const dangling = async (path: string, head: string): Promise<string[]> => {
    const { changes } = await changed({ ...dialog, [path]: `${head} {\n${calls}` }, without);
    return changes.dangling.list.map(({ line, text, certainty }) => `${line} ${text} ${certainty}`);
  };
  assert.deepEqual(await dangling('src/page.ts', 'export function leave(it: any, dialog: any): void'), [
    '4 dialog.ask possible',
    '6 it.openFully possible',
  ]);
  // Where no language states types, the one class with all three of them is the likely one.
  assert.deepEqual(await dangling('src/page.js', 'export function leave(it, dialog)'), [
    '3 it.confirm likely',
    '4 dialog.ask likely',
    '5 it.ask likely',
    '6 it.openFully likely',
  ]);
});
