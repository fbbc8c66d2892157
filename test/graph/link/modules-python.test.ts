import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calls, edgeLines, graphOf } from './project.js';

test('Python: a package has its modules as members, and `import a.b` makes `a` known', () => {
  const found = calls({
    'shop/__init__.py': 'from .cart import Cart\n',
    'shop/cart.py': 'class Cart:\n    pass\n',
    'shop/errors.py': 'class Full(Exception):\n    pass\n',
    'first.py': 'import shop\n\ndef run():\n    raise shop.errors.Full()\n',
    'second.py': 'import shop.errors\n\ndef run():\n    return shop.Cart()\n',
  });
  assert.deepEqual(found, [
    'first.py:run -> shop/errors.py:Full (imported)',
    'second.py:run -> shop/cart.py:Cart (reexported)',
  ]);
});

test('Python: `from . import cart` means the module, although a name in it is the same', () => {
  const found = calls({
    'shop/__init__.py': '',
    'shop/cart.py': 'def cart():\n    pass\n\ndef total():\n    pass\n',
    'shop/app.py': 'from . import cart\n\ndef run():\n    cart.total()\n    cart.cart()\n',
    'shop/other.py': 'from .cart import cart\n\ndef run():\n    cart()\n',
  });
  assert.deepEqual(found, [
    'shop/app.py:run -> shop/cart.py:total (imported)',
    'shop/app.py:run -> shop/cart.py:cart (imported)',
    'shop/other.py:run -> shop/cart.py:cart (imported)',
  ]);
});

test('Python: isinstance tells a type where it holds, and nowhere else', () => {
  const found = calls({
    'cart.py': `class Cart:
    def total(self):
        pass

class Basket:
    def total(self):
        pass

def run(one, two, three):
    if isinstance(one, Cart):
        one.total()
    elif isinstance(one, (str, Basket)):
        one.total()
    one.total()
    if not isinstance(two, Cart):
        return two.total()
    two.total()
    assert isinstance(three, Basket)
    three.total()
    four = Cart() if one else None
    four.total()
`,
  });
  assert.deepEqual(
    found.filter((line) => line.includes('total')),
    [
      'cart.py:run -> cart.py:Cart.total (receiver)',
      'cart.py:run -> cart.py:Basket.total (receiver)',
      'cart.py:run -> ?one.total (unresolved)',
      'cart.py:run -> ?two.total (unresolved)',
      'cart.py:run -> cart.py:Cart.total (receiver)',
      'cart.py:run -> cart.py:Basket.total (receiver)',
      'cart.py:run -> cart.py:Cart.total (receiver)',
    ],
  );
});

test('Python: properties give what they return, collections their elements, and dataclasses take fields by name', () => {
  const graph = graphOf({
    'cart.py': `@dataclass
class Item:
    price: int

class Items:
    def __iter__(self) -> Iterator[Item]:
        pass

class Cart:
    @property
    def items(self) -> Items:
        return self.rows

class Shop:
    def __init__(self, price):
        pass

def run(cart: Cart):
    rows = cart.items
    show(rows)
    for item in rows:
        item.price
    Item(price=1)
    Shop(price=2)
`,
  });
  assert.deepEqual(
    edgeLines(graph).filter((line) => line.includes('run ') && /price|items|Items/.test(line)),
    [
      'cart.py:run value cart.py:Cart.items (receiver)',
      'cart.py:run read cart.py:Item.price (receiver)',
      'cart.py:run write cart.py:Item.price (receiver)',
    ],
  );
});

test('a class that stands in for one that cannot be imported is not what other files mean', () => {
  const graph = graphOf({
    'shop/__init__.py': 'try:\n    from .cart import Cart\nexcept ImportError:\n    class Cart:\n        pass\n',
    'shop/cart.py': 'class Cart:\n    def total(self): pass\n',
    'a.py': 'import shop\ndef run():\n    shop.Cart().total()\n',
  });
  assert.deepEqual(
    edgeLines(graph)
      .filter((line) => line.startsWith('a.py:run'))
      .sort(),
    ['a.py:run call shop/cart.py:Cart.total (receiver)', 'a.py:run new shop/cart.py:Cart (reexported)'],
  );
});

test('`with` holds what a context manager yields', () => {
  const graph = graphOf({
    'cart.py': `from contextlib import contextmanager
class Cart:
    items: int
class Shop:
    @contextmanager
    def open(self) -> Iterator[Cart]:
        yield Cart()
def run(shop: Shop):
    with shop.open() as cart:
        cart.items
`,
  });
  const reads = edgeLines(graph).filter((line) => line.startsWith('cart.py:run read'));
  assert.deepEqual(reads, ['cart.py:run read cart.py:Cart.items (receiver)']);
});

test('Python: a use of an attribute that only gets a value is one of the property or attribute of a parent type, too', () => {
  const graph = graphOf({
    'base.py': `class Base:
    limit: int
    plain = 1

    @property
    def made(self):
        raise NotImplementedError
`,
    'form.py': `from base import Base

class Form(Base):
    limit = 3
    plain = 2
    made = dict

class Own(Form):
    limit: float = 4
    made = list

    def run(self):
        self.limit
        self.plain
        self.made()
`,
  });
  const found = edgeLines(graph).filter((line) => line.startsWith('form.py:Own.run'));
  assert.deepEqual(found, [
    'form.py:Own.run read form.py:Own.limit (receiver)',
    'form.py:Own.run read form.py:Form.plain (inherited)',
    'form.py:Own.run call form.py:Own.made (receiver)',
    'form.py:Own.run call base.py:Base.made (inherited)',
  ]);
});

test('Python: a name that is imported, or else defined, is the imported one; its own definition is used, too', () => {
  const gate = 'def dump(x):\n    return x\n\nclass Box:\n    def open(self):\n        pass\n';
  const found = calls({
    'gate.py': gate,
    'none.py': 'try:\n    from gate import dump\nexcept ImportError:\n    dump = None\n\ndef run():\n    dump(1)\n',
    'typing.py': 'if CHECKING:\n    from gate import dump\nelse:\n    dump = None\n\ndef run():\n    dump(2)\n',
    'first.py':
      'dump = None\ntry:\n    from gate import dump\nexcept ImportError:\n    pass\n\ndef run():\n    dump(3)\n',
    'other.py':
      'try:\n    from gate import dump\nexcept ImportError:\n    def dump(x):\n        pass\n\ndef run():\n    dump(4)\n',
    'through.py': 'from none import dump\nfrom other import dump as other\n\ndef run():\n    dump(5)\n    other(6)\n',
    'whole.py': 'try:\n    import gate\nexcept ImportError:\n    gate = None\n\ndef run():\n    gate.dump(7)\n',
    'outside.py':
      'try:\n    from json import dump\nexcept ImportError:\n    def dump(x):\n        pass\n\ndef run():\n    dump(8)\n',
    'local.py':
      'def run():\n    try:\n        from gate import dump\n    except ImportError:\n        dump = None\n    dump(9)\n',
    'either.py':
      'if FAST:\n    from gate import dump as d, Box\nelse:\n    from slow import dump as d, Box\n\ndef run():\n    d(11)\n    Box().open()\n',
    'slow.py': gate,
    'hidden.py': 'from gate import dump\n\ndef run(dump):\n    dump(10)\n',
  });
  assert.deepEqual(found.sort(), [
    'either.py:run -> gate.py:Box (imported)',
    'either.py:run -> gate.py:Box.open (receiver)',
    'either.py:run -> gate.py:dump (imported)',
    'either.py:run -> slow.py:Box (imported)',
    'either.py:run -> slow.py:Box.open (receiver)',
    'either.py:run -> slow.py:dump (imported)',
    'first.py:run -> gate.py:dump (imported)',
    'hidden.py:run -> ?dump (unresolved)',
    'local.py:run -> gate.py:dump (imported)',
    'none.py:run -> gate.py:dump (imported)',
    'other.py:run -> gate.py:dump (imported)',
    'other.py:run -> other.py:dump (same-file)',
    'outside.py:run -> outside.py:dump (same-file)',
    'through.py:run -> gate.py:dump (reexported)',
    'through.py:run -> gate.py:dump (reexported)',
    'typing.py:run -> gate.py:dump (imported)',
    'whole.py:run -> gate.py:dump (imported)',
  ]);
});

test('Python: of a name that is imported from a library, or else from the repository, the one that is here is meant', () => {
  const own = {
    'shop/__init__.py': '',
    'shop/own.py': 'def dump(x):\n    pass\n\nclass Cart:\n    def add(self): pass\n',
  };
  const either = (first: string, second: string) =>
    `try:\n    ${first}\nexcept ImportError:\n    ${second}\n\ndef run():\n    dump(1)\n    Cart().add()\n`;
  const [here, there] = ['from shop.own import dump, Cart', 'from fast import dump, Cart'];
  for (const text of [either(there, here), either(here, there)])
    assert.deepEqual(calls({ ...own, 'app.py': text }).sort(), [
      'app.py:run -> shop/own.py:Cart (imported)',
      'app.py:run -> shop/own.py:Cart.add (receiver)',
      'app.py:run -> shop/own.py:dump (imported)',
    ]);
});

test('JavaScript: a variable that gets a module, or else nothing, is that module', () => {
  const found = calls({
    'gate.js': 'exports.dump = (x) => x;\nexports.open = function open() {};\n',
    'one.js': 'exports.work = () => 1;\n',
    'two.js': 'exports.work = () => 2;\n',
    'a.js': `let dump;
try { dump = require('./gate').dump } catch { dump = null }
let gate; try { gate = require('./gate') } catch (e) { gate = null }
let impl;
if (process.env.Y) impl = require('./one'); else impl = require('./two');
function run() { dump(1); gate.open(2); impl.work(3); }
module.exports = { run, dump };
`,
    'b.js': `const { dump } = require('./a');\nfunction go() { dump(4); }\n`,
  });
  assert.deepEqual(found, [
    'a.js:run -> gate.js:dump (imported)',
    'a.js:run -> gate.js:open (imported)',
    'a.js:run -> one.js:work (imported)',
    'a.js:run -> two.js:work (imported)',
    'b.js:go -> gate.js:dump (reexported)',
  ]);
});

test('JavaScript: a class that is the whole export is a class', () => {
  const found = calls({
    'lib/app.js':
      'module.exports = class App extends Base {\n  use() {}\n\n  go() {\n    this.use();\n  }\n};\nexports.Kit = class Other {\n  open() {}\n};\n',
    'run.js': "const App = require('./lib/app');\n\nfunction run() {\n  const app = new App();\n  app.go();\n}\n",
  });
  assert.deepEqual(found, [
    'lib/app.js:App.go -> lib/app.js:App.use (receiver)',
    'run.js:run -> lib/app.js:App (imported)',
    'run.js:run -> lib/app.js:App.go (receiver)',
  ]);
});
