import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calls } from './project.js';

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
