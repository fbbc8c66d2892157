import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../extract/helpers.js';
import { relationLines } from '../relations-lines.js';

const SOURCE = `import app.db as db
from .models import Item as Thing, Base
if TYPE_CHECKING:
    from .rules import Rule

@app.get("/carts")
def carts(store, rule: "Rule" = None) -> list[Thing]:
    with db.open("x") as file:
        return [thing.total() for thing in store.load(file)]

class Cart(Base, metaclass=Meta):
    rules: dict[str, Rule]

    def __init__(self, store: db.Store) -> None:
        super().__init__("cart")
        self.store = store
        self.last = Thing(1)

    def run(self, *names: str):
        for i, name in enumerate(names):
            self.store.put(name, key=carts)
        return self.last

    @classmethod
    def make(cls):
        return cls(db.connect())
`;

test('python: decorators, annotations, fields, comprehensions and shadowing names', () => {
  const { imports, references, bindings } = relationLines(SOURCE, 'python');
  assert.deepEqual(imports, ['import app.db [* db]', 'import .models [Item Thing, Base]', 'type .rules [Rule]']);
  assert.deepEqual(references, [
    'carts: decorator app.get/1 "/carts"',
    'carts: type Rule',
    'carts: type Thing',
    'carts: call db.open/1',
    'carts: call thing.total/0',
    'carts: call store.load/1',
    'Cart: extends Base',
    'Cart: call Meta',
    'Cart.rules: type Rule',
    'Cart.__init__: type db.Store',
    'Cart.__init__: call super.__init__/1',
    'Cart.__init__: call Thing/1',
    'Cart.run: call this.store.put/2',
    'Cart.run: value carts',
    'Cart.make: decorator classmethod',
    'Cart.make: call Cart/1',
    'Cart.make: call db.connect/0',
  ]);
  assert.deepEqual(bindings, [
    'carts: store',
    'carts: (): list[Thing]',
    'carts: thing = store.load()[]',
    'Cart: rules: dict[str, Rule]',
    'Cart.__init__: store: db.Store',
    'Cart.__init__: (): None',
    'Cart: store: db.Store',
    'Cart: last = Thing()',
    'Cart.run: names',
    'Cart.run: () = this.last',
    'Cart.make: () = new Cart()',
  ]);
});

test('python: the first string of a route, raw or in a tuple', () => {
  const source =
    "urlpatterns = [\n  path('', views.home),\n  re_path(r'^x/$', views.x),\n  path('s/', include(('shop.urls', 'shop'))),\n]\n";
  const { references } = relationLines(source, 'python');
  const routes = references.filter((line) => /call (?:re_)?path|call include/.test(line));
  assert.deepEqual(
    routes.map((line) => line.slice(line.indexOf('call'))),
    ['call path/2', 'call re_path/2 "^x/$"', 'call path/2 "s/"', 'call include/1 "shop.urls"'],
  );
});

test('python: a type that a check tells holds up to the end of its block, and of the file', () => {
  const checked = 'def run(cart):\n    if isinstance(cart, Basket):\n        cart.fill()';
  for (const [end, after] of [
    ['', []],
    ['\n', []],
    ['\n    cart.empty()\n', [': 4']],
  ] as const) {
    const { lines, relations } = factsOf(checked + end, 'python');
    const told = relations.bindings.map(({ type, line }) => `${type}: ${line}`);
    assert.deepEqual(told, [': 1', 'Basket: 2', ...after], JSON.stringify(end));
    assert.ok(relations.bindings.every(({ line }) => line <= lines));
  }
});

test('python: a name has the type that the condition of a branch checks it for', () => {
  const source =
    'def f(x):\n    if isinstance(x, Cart):\n        x.total()\n    elif isinstance(x, Basket):\n        x.weigh()\n';
  assert.deepEqual(relationLines(source, 'python').bindings, ['f: x', 'f: x: Cart', 'f: x', 'f: x: Basket']);
});

test('python: every default of a type parameter is read over, whatever stands around it', () => {
  for (const head of ['[A = int]', '[A, B = str]', '[A = int, B = str]', '[A = int, *B = (1, 2), C = list[int]]']) {
    const source = `class Pair${head}:\n    def left(self) -> A:\n        return 1\n`;
    const { symbols, parseErrors } = factsOf(source, 'python');
    assert.deepEqual([symbols.map(({ name }) => name), parseErrors], [['Pair', 'left'], []], head);
  }
});
