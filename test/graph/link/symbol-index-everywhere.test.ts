/** Types that need no import, types that only a block knows, and names that look like uses and are none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { edgeLines, graphOf, link, type Project } from './project.js';

/** Uses in a file that lead somewhere, without its imports. */
function uses(path: string, project: Project): string[] {
  const leads = (line: string) => line.startsWith(path) && /:\S+ \(/.test(line);
  return edgeLines(graphOf(project)).filter(leads);
}

const TYPES = `import type Real from './cart';
declare global {
  type Cart = Real;
  interface Item { tax: number }
  namespace shop { type Key = { id: string } }
}
type Own = number;`;
const CART = 'export default class Cart { total(): number { return 1; } }';

test('what `declare global` declares is known in all files, and nothing else of that file is', () => {
  const project = {
    'types.d.ts': TYPES,
    'cart.ts': CART,
    'a.ts': 'export function f(cart: Cart, item: Item, key: shop.Key, own: Own) { cart.total(); item.tax; key.id; }',
  };
  assert.deepEqual(uses('a.ts', project), [
    'a.ts:f type types.d.ts:Cart (package)',
    'a.ts:f type types.d.ts:Item (package)',
    'a.ts:f type types.d.ts:shop.Key (receiver)',
    'a.ts:f call cart.ts:Cart.total (receiver)',
    'a.ts:f read types.d.ts:Item.tax (receiver)',
    'a.ts:f read types.d.ts:shop.Key.id (receiver)',
  ]);
});

test('a name of the file itself hides one that all files know', () => {
  const own = { 'a.ts': 'interface Item { own: 1 } export function f(item: Item) { item.own; }' };
  const lines = uses('a.ts', { 'types.d.ts': TYPES, 'cart.ts': CART, ...own });
  assert.deepEqual(lines, ['a.ts:f type a.ts:Item (same-file)', 'a.ts:f read a.ts:Item.own (receiver)']);
});

test('a file of declarations gives its names to all files unless it is a module', () => {
  const a = { 'a.ts': 'export function f(item: Item) { return item.tax; }' };
  const script = 'interface Item { tax: number }\ndeclare const VERSION: string;\n';
  assert.deepEqual(uses('a.ts', { 'env.d.ts': script, ...a }), [
    'a.ts:f type env.d.ts:Item (package)',
    'a.ts:f read env.d.ts:Item.tax (receiver)',
  ]);
  assert.deepEqual(uses('a.ts', { 'env.d.ts': `${script}export {};\n`, ...a }), []);
  assert.deepEqual(uses('a.ts', { 'env.ts': `${script}run();\n`, ...a }), []);
});

test('files that use a global type are linked again when another file begins to declare it, or ends to', () => {
  const a = { 'a.ts': 'export function f(item: Item) {}' };
  const globals = { 'g.ts': 'export {};\ndeclare global { interface Item { tax: number } }' };
  const plain = { 'g.ts': 'export {};\ninterface Item { tax: number }' };
  for (const [before, after] of [
    [a, { ...a, ...globals }],
    [{ ...a, ...globals }, a],
    [
      { ...a, ...plain },
      { ...a, ...globals },
    ],
  ])
    assert.deepEqual(link(after, link(before)).tables, link(after).tables);
});

test('a type that a block declares hides an imported one in that block only', () => {
  const project = {
    'types.ts': 'export interface Env { tax: number }',
    'a.ts': `import type { Env } from './types';
describe('one', () => {
  type Env = { own: string };
  const read = (env: Env) => env.tax;
  new App<Env>();
});
export function f(env: Env) { env.tax; }
export function g() { interface Env { x: 1 } let env: Env; }`,
  };
  assert.deepEqual(uses('a.ts', project), [
    'a.ts:f type types.ts:Env (imported)',
    'a.ts:f read types.ts:Env.tax (receiver)',
    'a.ts:g type a.ts:g.Env (same-file)',
  ]);
});

test('a type that a callback declares is used in that callback, and means nothing around it', () => {
  const project = {
    'a.ts': `describe('one', () => {
  interface Row { own: string }
  it('x', () => { const read = (row: Row) => row.own; });
});
export function f(row: Row) {}
export function g() { type Part = 1; const h = (part: Part) => part; }`,
  };
  assert.deepEqual(uses('a.ts', project), [
    'a.ts:read type a.ts:Row (same-file)',
    'a.ts:g.h type a.ts:g.Part (same-file)',
  ]);
});

test("the page's own elements and their attributes are no uses of imports with those names", () => {
  const project = {
    'ui.ts': 'export const html = 1; export const title = 2; export const Cart = 3;',
    'a.tsx': `import { html, title, Cart } from './ui';
export const page = () => <html title="x"><Cart></Cart></html>;
export const real = () => <p title={title}>{html}</p>;`,
  };
  assert.deepEqual(uses('a.tsx', project), [
    'a.tsx:page new ui.ts:Cart (imported)',
    'a.tsx:page read ui.ts:Cart (imported)',
    'a.tsx:real value ui.ts:title (imported)',
    'a.tsx:real value ui.ts:html (imported)',
  ]);
});

test('aliases of Python types tell what is called and returned, also in quotes', () => {
  const project = {
    'shop.py':
      'class Cart:\n    def total(self): ...\nclass Basket:\n    def total(self): ...\nclass Item:\n    tax = 1\n',
    'a.py': `from shop import Basket, Cart, Item
Maker: TypeAlias = "type[Cart | Basket]"
Thing = Union[Item, None]
def made(maker: Maker):
    cart = maker()
    return cart
def f(maker: Maker, thing: Thing):
    made(maker).total()
    thing.tax
`,
  };
  const lines = uses('a.py', project);
  for (const line of [
    'a.py:Maker type shop.py:Cart (imported)',
    'a.py:Maker type shop.py:Basket (imported)',
    'a.py:f call shop.py:Cart.total (receiver)',
    'a.py:f call shop.py:Basket.total (receiver)',
    'a.py:f read shop.py:Item.tax (receiver)',
  ])
    assert.ok(lines.includes(line), `${line}\nnot in\n${lines.join('\n')}`);
});

test('a value is never an interface or an alias: `new Response()` beside one of that name means that of the runtime', () => {
  const a = `interface Response { own: number }
type Error = { code: number };
export class Failed extends Error {}
export function f(r: Response, e: Error) { new Response(); throw e instanceof Error; }`;
  assert.deepEqual(uses('a.ts', { 'a.ts': a }), [
    'a.ts:f type a.ts:Response (same-file)',
    'a.ts:f type a.ts:Error (same-file)',
  ]);
});

test('imports of a package mean what a module of its name declares', () => {
  const project = {
    'package.json': '{"dependencies":{"expect.js":"1","shop":"1"}}',
    'expect.d.ts': `declare function expect(value: any): Checks;
interface Checks { be(): void }
declare module 'expect.js' {
  export = expect;
}
declare module 'shop' { export class Cart { total: number } }`,
    'a.ts': `import expect from 'expect.js';\nimport { Cart } from 'shop';\nexport function f() { expect(1).be(); new Cart().total; }`,
    'other/package.json': '{}',
    'other/shop.d.ts': "declare module 'tea' { export class Tea {} }",
    'c.ts': "import { Tea } from 'tea';\nnew Tea();",
    'b.js': `const expect = require('expect.js');\nfunction g() { expect(1); }`,
  };
  assert.deepEqual(uses('a.ts', project), [
    'a.ts:f call expect.d.ts:expect (imported)',
    'a.ts:f call expect.d.ts:Checks.be (receiver)',
    'a.ts:f new expect.d.ts:shop.Cart (imported)',
    'a.ts:f read expect.d.ts:shop.Cart.total (receiver)',
  ]);
  assert.deepEqual(uses('b.js', project), ['b.js:g call expect.d.ts:expect (imported)']);
  // Another package's declarations are not seen.
  assert.deepEqual(uses('c.ts', project), []);
});
