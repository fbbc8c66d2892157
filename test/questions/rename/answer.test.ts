/** `rename`: which places the patch changes, which it leaves to people, and what speaks against it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { COMMAND_WORDS, plainPen } from '../../../src/questions/pen.js';
import { answerRename, renameText } from '../../../src/questions/rename/answer.js';
import { type RenameDocument, type RenameValues, renameSchema } from '../../../src/questions/rename/question.js';
import { Session } from '../../../src/session/session.js';
import { check } from '../../support/check.js';
import { askerOf } from '../../support/in-process/asker.js';
import { createRepo } from '../../support/repositories/repo.js';

const FILES = {
  'ts/cart.ts': `/** Sums, see total. */
export function total(items: number[]): number {
  return items.length;
}
export class Cart {
  items: number[] = [];
  sum(): number {
    return total(this.items);
  }
}
export const helpers = { total };
`,
  'ts/index.ts': `export { total, Cart } from './cart';\n`,
  'ts/use.ts': `import { total, Cart as Basket } from './index';
import * as all from './cart';
function local(total: number) {
  return total + 1;
}
console.log(total([1]), all.total([3]), 'total', new Basket().sum());
export const report = { total };
export const unknown = (x: any) => x.total;
`,
  'java/shop/Priced.java': 'package shop;\npublic interface Priced {\n  int price();\n}\n',
  'java/shop/Item.java': `package shop;
public class Item implements Priced {
  private int n;
  public Item(int n) { this.n = n; }
  @Override public int price() { return n; }
  static Item of(int n) { return new Item(n); }
}
`,
  'java/till/Till.java': `package till;
import shop.Item;
class Till extends java.util.Timer {
  int run(shop.Priced p) { return new Item(1).price() + p.price(); }
  @Override public void cancel() {}
}
`,
  'py/store.py': `def fetch(key):
    return key


class Store:
    def load(self):
        return fetch(1)
`,
  'py/use.py': `from py.store import fetch, Store
from py import store


def show(fetch):
    return fetch


print(fetch(1), store.fetch(2), Store().load())
`,
  'go/cart/cart.go': `package cart

type Box struct{ n int }

func (b *Box) Weigh() int { return b.n }

func Heavy(b *Box) bool { return b.Weigh() > 9 }
`,
  'go/cmd/main.go': `package main

import "example.org/shop/go/cart"

func run(b *cart.Box) int { return b.Weigh() }
`,
  'go.mod': 'module example.org/shop\n\ngo 1.21\n',
  'README.md': 'Call `total`.\n',
};

const repo = createRepo();
repo.commit(FILES);
repo.git('checkout', '-q', '-b', 'other');
repo.commit({ 'ts/more.ts': `import { total } from './cart';\ntotal([]);\n` });
repo.git('checkout', '-q', 'main');

const session = await Session.open({ directory: repo.dir });
after(() => session.close());

async function plan(name: string, to?: string, values: Partial<RenameValues> = {}): Promise<RenameDocument> {
  const given = { name, to, noBranches: true, ...values } as RenameValues;
  return check(renameSchema, (await answerRename(askerOf(session), given)) as RenameDocument);
}

/** Applies the patch of a plan as git does, and returns the files after it, which are restored. */
async function applied(document: RenameDocument, ...paths: string[]): Promise<string[]> {
  const pen = plainPen(COMMAND_WORDS);
  const text = renameText(document, { pen, values: {} as RenameValues, isCommand: true });
  repo.write({ 'plan.patch': text });
  repo.git('apply', 'plan.patch');
  const texts = paths.map((path) => readFileSync(join(repo.dir, path), 'utf8'));
  repo.git('add', '-A');
  repo.git('reset', '-q', '--hard');
  return texts;
}

const places = (list: readonly { path: string; line: number }[]) => list.map(({ path, line }) => `${path}:${line}`);

test('a function is renamed where it is imported, handed on, and written as a key and its value', async () => {
  const found = await plan('ts/cart.ts:total', 'count');
  const [cart, index, use] = await applied(found, 'ts/cart.ts', 'ts/index.ts', 'ts/use.ts');
  assert.equal(
    cart,
    FILES['ts/cart.ts'].replace(/(?<!see )total(?! })/g, 'count').replace('{ total }', '{ total: count }'),
  );
  assert.equal(index, `export { count, Cart } from './cart';\n`);
  assert.match(use, /import \{ count, Cart as Basket \}[\s\S]*local\(total: number\)[\s\S]*return total \+ 1/);
  assert.match(use, /count\(\[1\]\), all\.count\(\[3\]\), 'total'/);
  assert.match(use, /report = \{ total: count \}/);
  assert.deepEqual(places(found.decide.list), ['ts/use.ts:8']);
  const kinds = found.mentions.list.map(({ path, is }) => [path, is]);
  assert.deepEqual(kinds, [
    ['ts/cart.ts', 'comment'],
    ['ts/use.ts', 'string'],
    ['README.md', 'document'],
  ]);
});

test('an imported name that has an alias changes in its import alone', async () => {
  const [index, use] = await applied(await plan('ts/cart.ts:Cart', 'Trolley'), 'ts/index.ts', 'ts/use.ts');
  assert.equal(index, `export { total, Trolley } from './cart';\n`);
  assert.equal(use, FILES['ts/use.ts'].replace('Cart as', 'Trolley as'));
});

test('a class of Java is renamed with its constructors and its file', async () => {
  const found = await plan('shop/Item.java:Item', 'Article');
  const [item, till] = await applied(found, 'java/shop/Article.java', 'java/till/Till.java');
  assert.equal(item, FILES['java/shop/Item.java'].replaceAll('Item', 'Article'));
  assert.equal(till, FILES['java/till/Till.java'].replaceAll('Item', 'Article'));
});

test('members that override each other are renamed together, and what a library may call is refused', async () => {
  const found = await plan('Item.price', 'cost');
  const [priced, item, till] = await applied(
    found,
    'java/shop/Priced.java',
    'java/shop/Item.java',
    'java/till/Till.java',
  );
  for (const text of [priced, item, till]) assert.doesNotMatch(text, /price/);
  assert.deepEqual(found.conflicts, []);
  const { conflicts } = await plan('Till.cancel', 'stop');
  assert.deepEqual(
    conflicts.map(({ is, blocks }) => [is, blocks]),
    [['outside', true]],
  );
});

test('a name in Python changes behind its module, and not where a parameter has it', async () => {
  const [use] = await applied(await plan('py/store.py:fetch', 'read'), 'py/use.py');
  assert.match(use, /import read, Store[\s\S]*show\(fetch\):\n {4}return fetch[\s\S]*read\(1\), store\.read\(2\)/);
});

test('a name in Go that begins with a small letter is refused where other packages use it', async () => {
  const [cart, main] = await applied(await plan('Box.Weigh', 'Mass'), 'go/cart/cart.go', 'go/cmd/main.go');
  assert.doesNotMatch(cart + main, /Weigh/);
  const { conflicts } = await plan('Box.Weigh', 'mass');
  assert.deepEqual(
    conflicts.map(({ is, path }) => [is, path]),
    [['visibility', 'go/cmd/main.go']],
  );
});

test('a name that is taken, or that means something else where the symbol is used, is a conflict', async () => {
  const taken = await plan('ts/cart.ts:total', 'helpers');
  assert.deepEqual(
    taken.conflicts.map(({ is }) => is),
    ['taken'],
  );
  const shadowed = await plan('ts/cart.ts:total', 'report');
  assert.deepEqual(
    shadowed.conflicts.map(({ is, path }) => [is, path]),
    [['shadowed', 'ts/use.ts']],
  );
});

test('a branch that adds a use of the old name is told', async () => {
  const { conflicts } = await plan('ts/cart.ts:total', 'count', { noBranches: false });
  assert.deepEqual(
    conflicts.map(({ is, path, blocks }) => [is, path, blocks]),
    [['branch', 'ts/more.ts', false]],
  );
});

test('files are written if they are clean, and read again', async () => {
  const found = await plan('ts/cart.ts:total', 'count', { write: true });
  assert.equal(found.written, true);
  assert.match(readFileSync(join(repo.dir, 'ts/use.ts'), 'utf8'), /count\(\[1\]\)/);
  await assert.rejects(plan('ts/cart.ts:count', 'total', { write: true }), /has uncommitted changes/);
  repo.git('checkout', '-q', '.');
});
