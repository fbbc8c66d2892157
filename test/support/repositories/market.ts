/** A made-up market, of which each part is a condition of some question about code: circles, overriding, unused code, tests, documents. */
import { createRepo, type TestRepo } from './repo.js';

const MONEY = `import type { Cart } from './cart';
import { log } from './log';

/** Adds tax to a net price. */
export function withTax(net: number, rate = 0.2): number {
  log('tax');
  return roundUp(net * (1 + rate));
}

function roundUp(value: number): number {
  return Math.ceil(value);
}

function halve(value: number): number {
  return quarter(value) * 2;
}

function quarter(value: number): number {
  return value / 4;
}

export function describe(cart: Cart): string {
  return \`\${cart.total()}\`;
}

export function coupon(code: string): number {
  return code.length;
}
`;

const CART = `import { EventEmitter } from 'node:events';
import { sum } from 'lodash';
import { withTax } from './money';
import { Shelf } from './shelf';
import { gone } from './missing';

export interface Priced {
  price(): number;
}

export class Item implements Priced {
  constructor(readonly net: number) {}
  price(): number {
    return withTax(this.net);
  }
}

export class Gift extends Item {
  price(): number {
    return 0;
  }
}

/** Collects what a customer wants. */
export class Cart extends EventEmitter {
  private readonly items: Priced[] = [];

  add(item: Priced): void {
    this.items.push(item);
    this.emit('added', gone());
  }

  total(): number {
    return sum(this.items.map((item) => item.price()));
  }

  restock(): void {
    new Shelf().fill(this);
  }
}
`;

const SHELF = `import { Cart, Gift, Item } from './cart';

export class Shelf {
  fill(cart: Cart): void {
    cart.add(new Item(1));
    cart.add(new Gift(0));
  }

  restock(): void {}
}

export function ping(count: number): number {
  return count > 0 ? pong(count - 1) : 0;
}

export function pong(count: number): number {
  return ping(count);
}
`;

const MAIN = `import { Cart } from './cart';
import * as money from './money';
import { Shelf } from './shelf';

export function main(given: any): void {
  const cart = new Cart();
  new Shelf().fill(cart);
  money.describe(cart);
  given.restock();
}

main({});
`;

const TEST = `import { test } from 'node:test';
import { Cart, Item } from './cart';
import { coupon } from './money';

test('a cart adds up', () => {
  const cart = new Cart();
  cart.add(new Item(2));
  cart.total();
});

test('a coupon', () => {
  coupon('a');
});
`;

const GUIDE = `# Guide

[The cart](../src/cart.ts) adds up with \`Cart.total\`; [taxes](../src/taxes.ts) are gone.

## Prices

\`withTax\` adds tax, \`oldTax\` did so before. See [prices](#prices) and [none](#none).
`;

const FIRST = {
  'src/money.ts': MONEY.replace('rate = 0.2', 'rate = 0.1').replace("  log('tax');\n", ''),
  'src/cart.ts': CART,
  'src/shelf.ts': SHELF,
  'src/log.ts': 'export function log(text: string): void {\n  console.log(text);\n}\n',
  'src/main.ts': MAIN.replace('money.describe(cart);', 'money.describe(cart);\n  money.coupon("b");'),
  'src/routes.ts':
    "import express from 'express';\nimport { main } from './main';\n\nconst app = express();\napp.get('/prices/:id', (request, response) => response.send(main(request)));\napp.post('/carts', list);\n\nfunction list(request: any, response: any): void {\n  response.send(String(request));\n}\n",
  'src/cart.test.ts': TEST,
  'src/broken.ts': 'export function half(: number {\n  return 1;\n}\nfunc tion lost(a b) {{{\n',
  'lib/report.py':
    'import os\nfrom lib.fmt import pad\n\n\ndef render(rows):\n    return [pad(row) for row in rows]\n\n\ndef walk(tree):\n    return [walk(part) for part in tree]\n',
  'lib/fmt.py': 'def pad(text):\n    return text.rjust(9)\n',
  'lib/__init__.py': '',
  'docs/guide.md': GUIDE,
  'notes.txt': 'taxes and coupons\n',
  'settings.json': '{ "handler": "quarter" }\n',
};

/** Edits of the branch `topic`: what others use is renamed, moved, hidden, removed, or called in another way. */
const TOPIC: Record<string, string> = {
  'src/money.ts': MONEY.replace('rate = 0.2)', 'rate: number, country: string)')
    .replace(/export function describe[\s\S]*?\n}\n\n/, '')
    .replace('coupon(', 'voucher(')
    .replace('value / 4', '(value * 2) / 8')
    .replace('Math.ceil', 'Math.floor'),
  'src/util/log.ts': 'export function log(text: string): void {\n  console.log(text);\n}\n',
  'src/shelf.ts': SHELF.replace('export function pong', 'function pong').replace(
    'fill(cart: Cart)',
    'fill(cart: Cart, count = 1)',
  ),
  'src/fresh.ts': "import { Shelf } from './shelf';\n\nexport function fresh(): Shelf {\n  return new Shelf();\n}\n",
  'src/routes.ts':
    "import express from 'express';\n\nconst app = express();\napp.post('/carts', list);\napp.delete('/carts/:id', list);\n\nfunction list(request: any, response: any): void {\n  response.send(String(request));\n}\n",
  'notes.txt': 'taxes and vouchers\n',
};

/** The market with the branches `topic`, of two authors, `other`, which edits what it edits, and `guest`, which uses that; `main` is checked out. */
export function branchedMarket(): TestRepo {
  const repo = makeMarket();
  repo.git('checkout', '-qb', 'other');
  repo.commit(
    {
      'src/money.ts': MONEY.replace('Math.ceil(value)', 'Math.round(value)'),
      'src/main.ts': MAIN.replace('main({})', 'main(withTax(1))').replace(
        'import { Shelf }',
        "import { withTax } from './money';\nimport { Shelf }",
      ),
    },
    'rounds to the nearest',
  );
  repo.git('checkout', '-q', '-b', 'guest', 'main');
  repo.commit(
    {
      'src/guest.ts': "import { withTax } from './money';\n\nexport const bill = (net: number) => withTax(net);\n",
      'src/inn.ts': "import { withTax } from './money';\n\nexport const bed = (net: number) => withTax(net);\n",
    },
    'a guest',
  );
  repo.git('checkout', '-q', '-b', 'topic', 'main');
  repo.git('rm', '-q', 'src/log.ts');
  repo.commit({ ...TOPIC, 'src/money.ts': MONEY.replace('Math.ceil(value)', 'Math.floor(value)') }, 'the log moves');
  repo.write({ 'src/money.ts': TOPIC['src/money.ts'] });
  repo.git('commit', '-qam', 'a voucher', '--author=Bob Old <bob@old.example>', '--date=2024-03-01T00:00:00Z');
  repo.git('checkout', '-q', 'main');
  return repo;
}

/** Made and indexed once in a process; no test writes to it. Two commits, the second by another author. */
export const market: TestRepo = makeMarket();

export function makeMarket(): TestRepo {
  const repo = createRepo();
  repo.commit(FIRST, 'a market');
  repo.write({ 'src/money.ts': MONEY, 'src/main.ts': MAIN });
  repo.git('commit', '-qam', 'taxes rise', '--author=Bob Old <bob@old.example>', '--date=2024-02-01T00:00:00Z');
  return repo;
}
