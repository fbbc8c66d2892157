/** Uses of Python that are not written as calls: fixtures, tables, tasks, settings, fields of models. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uses } from '../../graph/link/project.js';

test('pytest: a parameter named like a fixture uses it, of the same file or the nearest conftest', () => {
  const project = {
    'shop.py': 'class Cart:\n    def total(self):\n        pass\n\ndef client():\n    pass\n',
    'tests/conftest.py':
      'import pytest\nfrom shop import Cart\n\n@pytest.fixture\ndef cart():\n    return Cart()\n\n@pytest.fixture\ndef basket(cart):\n    yield Cart()\n',
    'tests/deep/conftest.py':
      'import pytest\n\n@pytest.fixture(scope="module")\ndef cart(basket):\n    return basket\n',
    'tests/test_shop.py':
      'import pytest\n\n@pytest.fixture\ndef own():\n    return 1\n\ndef test_all(cart, own, client, tmp_path, basket):\n    cart.total()\n    basket.total()\n',
    'tests/deep/test_more.py': 'def test_more(cart):\n    cart.total()\n',
    'other/test_none.py': 'def test_none(cart):\n    cart.total()\n',
  };
  assert.deepEqual(uses(project, /^(?!.*\bimport\b).*(?:test_|conftest.*value tests)/), [
    'other/test_none.py:test_none call shop.py:Cart.total (likely)',
    'tests/conftest.py:basket value tests/conftest.py:cart (same-file)',
    'tests/deep/conftest.py:cart value tests/conftest.py:basket (package)',
    'tests/deep/test_more.py:test_more value tests/deep/conftest.py:cart (package)',
    'tests/deep/test_more.py:test_more call shop.py:Cart.total (receiver)',
    'tests/test_shop.py:own decorator ?fixture (external)',
    'tests/test_shop.py:test_all value tests/conftest.py:cart (package)',
    'tests/test_shop.py:test_all value tests/test_shop.py:own (same-file)',
    'tests/test_shop.py:test_all value tests/conftest.py:basket (package)',
    'tests/test_shop.py:test_all call shop.py:Cart.total (receiver)',
    'tests/test_shop.py:test_all call shop.py:Cart.total (receiver)',
  ]);
});

test('Python: tables, partial, tasks, getattr and fields of models use what they name', () => {
  const project = {
    'shop.py': `from functools import partial
from celery import shared_task

def add(x):
    pass

def drop(x):
    pass

@shared_task
def mail(x):
    pass

PAIR = (add, drop)
SET = {add, drop}
TABLE = {"add": add}
later = partial(drop, 1)

class User:
    def greet(self):
        pass

class Order(Model):
    user = models.ForeignKey("shop.User", on_delete=models.CASCADE)
    payer = relationship(User)

    def send(self):
        mail.delay(1)
        getattr(self, "sum")()
        self.user.greet()
        self.payer.greet()

    def sum(self):
        pass
`,
  };
  assert.deepEqual(uses(project, /(?:value|call) shop\.py:/), [
    'shop.py:PAIR value shop.py:add (same-file)',
    'shop.py:PAIR value shop.py:drop (same-file)',
    'shop.py:SET value shop.py:add (same-file)',
    'shop.py:SET value shop.py:drop (same-file)',
    'shop.py:TABLE value shop.py:add (same-file)',
    'shop.py:later value shop.py:drop (same-file)',
    'shop.py:Order.payer value shop.py:User (same-file)',
    'shop.py:Order.send call shop.py:mail (same-file)',
    'shop.py:Order.send value shop.py:Order.sum (receiver)',
    'shop.py:Order.send call shop.py:User.greet (receiver)',
    'shop.py:Order.send call shop.py:User.greet (receiver)',
  ]);
});

test('Python: an attribute is likely what the parameter is called that it was given', () => {
  const project = {
    'ledger.py':
      'class Ledger:\n    def close_book(self):\n        pass\n\nclass Other:\n    def close_book(self):\n        pass\n',
    'view.py':
      'class View:\n    def __init__(self, ledger):\n        self.db = ledger\n    def run(self):\n        self.db.close_book()\n',
  };
  assert.deepEqual(uses(project, /View.run/), ['view.py:View.run call ledger.py:Ledger.close_book (likely)']);
});

test('Python: paths in strings are uses of what they name, where a function or a setting takes them', () => {
  const project = {
    'setup.py':
      'from setuptools import setup\nsetup(entry_points={"console_scripts": ["shop = shop.cli:main [extra]"]})\n',
    'shop/__init__.py': '',
    'shop/cli.py': 'def main(): pass\ndef sweep(): pass\ndef other(): pass\n',
    'shop/urls.py':
      'from django.urls import include, path\nurlpatterns = [path("carts/", include("shop.cart_urls"))]\n',
    'shop/cart_urls.py': 'urlpatterns = []\n',
    'shop/settings.py':
      'MIDDLEWARE = ["shop.base.Timing"]\nWSGI_APPLICATION = "shop.cli.other"\nBEAT = {"clean": {"task": "shop.cli.sweep"}}\nTEXT = "shop.cli.main"\n',
    'shop/base.py': 'class Timing:\n    def stop(self): pass\n',
    'tests/test_cli.py':
      'from unittest import mock\n\ndef test_main():\n    with mock.patch("shop.base.Timing.stop"):\n        mock.patch("os.path.join")\n',
  };
  assert.deepEqual(uses(project, / (?:value|dynamic-import) /), [
    'setup.py dynamic-import shop/cli.py (path)',
    'setup.py value shop/cli.py:main (imported)',
    'shop/settings.py dynamic-import shop/base.py (path)',
    'shop/settings.py dynamic-import shop/cli.py (path)',
    'shop/settings.py dynamic-import shop/cli.py (path)',
    'shop/settings.py:MIDDLEWARE value shop/base.py:Timing (imported)',
    'shop/settings.py:WSGI_APPLICATION value shop/cli.py:other (imported)',
    'shop/settings.py:BEAT value shop/cli.py:sweep (imported)',
    'shop/urls.py dynamic-import shop/cart_urls.py (path)',
    'tests/test_cli.py dynamic-import shop/base.py (path)',
    'tests/test_cli.py dynamic-import ?os.path (external)',
    'tests/test_cli.py:test_main value shop/base.py:Timing.stop (receiver)',
    'tests/test_cli.py:test_main value ?join (external)',
  ]);
});

test('Python: relationships of models hold one object or many, and a module can be called like an index of other languages', () => {
  const project = {
    'models.py':
      'class Cart(Base):\n    items = relationship("Item")\n    owner: Mapped["Owner"] = relationship()\n    def total(self):\n        for item in self.items:\n            item.price()\n        self.owner.name()\n\nclass Item(Base):\n    cart = relationship("Cart")\n    def price(self):\n        self.cart.total()\n\nclass Owner(Base):\n    def name(self): pass\n\nclass Shop(Base):\n    def name(self): pass\n    def price(self): pass\n    def total(self): pass\n',
    'tools/inner/lib.py': 'def sum_up(): pass\n',
    'use.py': 'from tools.inner import lib\n\ndef f():\n    lib.sum_up()\n',
  };
  assert.deepEqual(uses(project, / call /), [
    'models.py:Cart.items call ?relationship (external)',
    'models.py:Cart.owner call ?relationship (external)',
    'models.py:Cart.total call models.py:Item.price (receiver)',
    'models.py:Cart.total call models.py:Owner.name (receiver)',
    'models.py:Item.cart call ?relationship (external)',
    'models.py:Item.price call models.py:Cart.total (receiver)',
    'use.py:f call tools/inner/lib.py:sum_up (imported)',
  ]);
});

test('Python: a copy is of the type of what it copies, and a value that a library gives is judged by names', () => {
  const project = {
    'shop.py':
      'import copy, lib\n\nclass Cart:\n    def apply_tax(self): pass\n    def get(self): pass\n\ndef run(cart: Cart):\n    other = copy.deepcopy(cart)\n    other.get()\n    item = lib.stack().pop()\n    item.apply_tax()\n    item.get()\n',
  };
  assert.deepEqual(uses(project, / call .*(?:tax|get)/), [
    'shop.py:run call shop.py:Cart.get (receiver)',
    'shop.py:run call shop.py:Cart.apply_tax (likely)',
    'shop.py:run call ?get (external)',
  ]);
});

test('Python: what a function of FastAPI depends on is its result, and tables, descriptors and typed queries are followed', () => {
  const source = `HANDLERS = {"open": open_cart, "shut": shut_cart}

def open_cart(): ...

def shut_cart(): ...

def handle(kind):
    HANDLERS[kind]()

class Store:
    def save(self): ...
    def total(self): ...

class Other:
    def save(self): ...
    def total(self): ...

def get_store():
    return Store()

def read(store=Depends(get_store), again=Depends(Store)):
    store.save()
    again.total()

class Price:
    def __get__(self, item, owner): ...
    def __set__(self, item, value): ...

class Item:
    price = Price()

def raise_price(item: Item):
    item.price = item.price

class Late(QuerySet):
    def late(self): ...

class Order(Model):
    overdue = Late.as_manager()
    def total(self): ...

def orders(session):
    Order.objects.filter(open=True).first().total()
    session.query(Order).filter(Order.open).one().total()
    session.get(Order, 1).total()
    Order.overdue.late()
    for order in Order.objects.exclude(open=True):
        order.total()
`;
  const project = { 'shop.py': source };
  assert.deepEqual(uses(project, /shop.py:(?:handle|read|raise_price|orders) call shop/), [
    'shop.py:handle call shop.py:open_cart (likely)',
    'shop.py:handle call shop.py:shut_cart (likely)',
    'shop.py:read call shop.py:Store.save (receiver)',
    'shop.py:read call shop.py:Store.total (receiver)',
    'shop.py:raise_price call shop.py:Price.__set__ (receiver)',
    'shop.py:raise_price call shop.py:Price.__get__ (receiver)',
    ...Array.from({ length: 3 }, () => 'shop.py:orders call shop.py:Order.total (receiver)'),
    'shop.py:orders call shop.py:Late.late (receiver)',
    'shop.py:orders call shop.py:Order.total (receiver)',
  ]);
});
