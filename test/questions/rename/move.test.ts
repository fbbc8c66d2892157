/** `rename --to-file`: the text of a symbol goes to another file, with the imports that it needs there, and those of its users. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
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
  'ts/money.ts': `import { readFileSync } from 'node:fs';
import type { Rate } from './rates';
import defaults, { LIMIT } from './lib/limits';

const cents = 100;

/** Rounds to cents. */
export function rounded(value: number, rate: Rate): number {
  return Math.min(LIMIT, Math.round(value * cents * rate) / cents);
}

export function shown(value: number): string {
  return String(rounded(value, 1)) + defaults + readFileSync('x');
}

export function alone(): number {
  return 1;
}
`,
  'ts/rates.ts': 'export type Rate = number;\n',
  'ts/lib/limits.ts': 'export const LIMIT = 9;\nexport default 1;\n',
  'ts/lib/taken.ts': 'export function alone(): number {\n  return 2;\n}\n',
  'ts/lib/sums.ts': `import { rounded } from '../money';

export function sum(values: number[]): number {
  return rounded(values[0], 1);
}
`,
  'ts/index.ts': "export * from './money';\nexport { shown as display } from './money';\n",
  'ts/till.ts': `import { rounded as round, shown } from './money';
import * as money from './money';

console.log(round(1, 1), shown(2), money.alone());
`,
  'ts/star.ts':
    "import { alone, rounded } from './index';\nconsole.log(rounded(1, 1));\nexport const one = () => alone();\n",
  'py/shop/__init__.py': 'from .cart import Cart, restore\n',
  'py/shop/base.py': 'class Base:\n    pass\n',
  'py/shop/cart.py': `"""Carts."""
from __future__ import annotations

import json
from .base import Base

STORE = {}


# Keeps items.
class Cart(Base):
    pass


@staticmethod
def restore(key: str) -> Cart:
    return Cart(json.loads(STORE[key]))


def told(key):
    return "told"


def counted():
    global STORE
    STORE = {}
`,
  'py/shop/deep/__init__.py': '',
  'py/shop/deep/saved.py': '"""Saved."""\nimport os\n\n\ndef path():\n    return os.getcwd()\n',
  'py/main.py': `from shop.cart import Cart, told
from shop import cart


print(Cart(), told(1), cart.told(2))
`,
  'py/shop/hint.py': 'from collections.abc import Mapping\n\n\ndef hinted() -> Mapping:\n    return {}\n',
  'py/shop/own.py': 'from shop import base\n\n\nclass Own(base.Base):\n    pass\n',
  'py/second.py': 'from shop import cart\n\n\nprint(cart.told(2))\n',
  'go.mod': 'module example.org/shop\n\ngo 1.21\n',
  'go/a.go': 'package a\n\nfunc one() int { return 1 }\n',
};

const repo = createRepo();
repo.commit(FILES);

const session = await Session.open({ directory: repo.dir });
after(() => session.close());

async function plan(name: string, toFile: string, values: Partial<RenameValues> = {}): Promise<RenameDocument> {
  const given = { name, toFile, noBranches: true, ...values } as RenameValues;
  return check(renameSchema, (await answerRename(askerOf(session), given)) as RenameDocument);
}

/** Applies the patch of a plan as git does, and returns a file after it; all files are restored. */
async function applied(document: RenameDocument): Promise<(path: string) => string> {
  const pen = plainPen(COMMAND_WORDS);
  const text = renameText(document, { pen, values: {} as RenameValues, isCommand: true });
  repo.write({ 'plan.patch': text });
  repo.git('apply', 'plan.patch');
  const paths = [...Object.keys(FILES), ...document.files.list.map(({ path }) => path)];
  const texts = new Map(paths.map((path) => [path, readFileSync(join(repo.dir, path), 'utf8')]));
  repo.git('add', '-A');
  repo.git('reset', '-q', '--hard');
  return (path) => texts.get(path) ?? '';
}

const conflicts = ({ conflicts }: RenameDocument) => conflicts.map(({ is, blocks }) => `${blocks ? '!' : ''}${is}`);

test('a function goes to a new file with its comment, its imports and an export of what it uses', async () => {
  const found = await plan('ts/money.ts:rounded', 'ts/lib/round.ts');
  const text = await applied(found);
  assert.equal(
    text('ts/lib/round.ts'),
    `import type { Rate } from '../rates';
import { LIMIT } from './limits';
import { cents } from '../money';

/** Rounds to cents. */
export function rounded(value: number, rate: Rate): number {
  return Math.min(LIMIT, Math.round(value * cents * rate) / cents);
}
`,
  );
  assert.equal(
    text('ts/money.ts'),
    `import { readFileSync } from 'node:fs';
import defaults from './lib/limits';
import { rounded } from './lib/round';

export const cents = 100;

export function shown(value: number): string {
  return String(rounded(value, 1)) + defaults + readFileSync('x');
}

export function alone(): number {
  return 1;
}
`,
  );
  assert.deepEqual(conflicts(found), ['helper', 'circular']);
});

test('all who import a function that moves import it from its new file', async () => {
  const text = await applied(await plan('ts/money.ts:rounded', 'ts/lib/round.ts'));
  assert.match(text('ts/lib/sums.ts'), /^import \{ rounded \} from '\.\/round';\n/);
  assert.match(
    text('ts/till.ts'),
    /^import \{ shown \} from '\.\/money';\nimport \{ rounded as round \} from '\.\/lib\/round';\n/,
  );
  assert.match(text('ts/index.ts'), /^export \* from '\.\/money';\nexport \{ rounded \} from '\.\/lib\/round';\n/);
  assert.equal(text('ts/star.ts'), FILES['ts/star.ts']);
});

test('a function goes to the end of a file that uses it, which imports it no more', async () => {
  const text = await applied(await plan('ts/money.ts:rounded', 'ts/lib/sums.ts'));
  assert.match(
    text('ts/lib/sums.ts'),
    /^import type \{ Rate \} from '\.\.\/rates';\nimport \{ LIMIT \} from '\.\/limits';/,
  );
  assert.match(text('ts/lib/sums.ts'), /\n\}\n\n\/\*\* Rounds to cents\. \*\/\nexport function rounded/);
  assert.doesNotMatch(text('ts/lib/sums.ts'), /import \{ rounded/);
});

test('a use through the file becomes a use of the name, which is imported', async () => {
  const text = await applied(await plan('ts/money.ts:alone', 'ts/lib/one.ts'));
  assert.match(text('ts/till.ts'), /import \{ alone \} from '\.\/lib\/one';[\s\S]*shown\(2\), alone\(\)\)/);
  const python = await applied(await plan('told', 'py/shop/deep/saved.py'));
  assert.equal(python('py/second.py'), 'from shop import cart\nfrom shop.deep.saved import told\n\n\nprint(told(2))\n');
});

test('a name that the other file has, or that both ways use in one file, keeps the plan from being written', async () => {
  assert.deepEqual(conflicts(await plan('ts/money.ts:alone', 'ts/lib/taken.ts')), ['!taken']);
  assert.ok(conflicts(await plan('told', 'py/shop/deep/saved.py')).includes('!used'));
  await assert.rejects(plan('ts/money.ts:alone', 'ts/lib/taken.ts', { write: true }), /nothing is written/);
});

test('a class of Python goes with its comment, and packages hand it on from its new file', async () => {
  const found = await plan('py/shop/cart.py:Cart', 'py/shop/deep/kept.py');
  const text = await applied(found);
  assert.equal(
    text('py/shop/deep/kept.py'),
    'from __future__ import annotations\nfrom ..base import Base\n\n\n# Keeps items.\nclass Cart(Base):\n    pass\n',
  );
  assert.match(text('py/shop/__init__.py'), /^from \.cart import restore\nfrom \.deep\.kept import Cart\n$/);
  assert.match(text('py/shop/cart.py'), /import json\nfrom \.deep\.kept import Cart\n\nSTORE = \{\}\n/);
  assert.match(text('py/main.py'), /^from shop\.cart import told\nfrom shop\.deep\.kept import Cart\n/);
  assert.deepEqual(conflicts(found), []);
});

test('the type of a result is imported in the other file', async () => {
  const text = await applied(await plan('hinted', 'py/shop/hints.py'));
  assert.match(text('py/shop/hints.py'), /^from collections\.abc import Mapping\n\n\ndef hinted/);
});

test('decorators go along, and what another function assigns keeps the plan from being written', async () => {
  const found = await plan('py/shop/cart.py:restore', 'py/shop/deep/saved.py');
  const text = await applied(found);
  assert.match(text('py/shop/deep/saved.py'), /\n\n\n@staticmethod\ndef restore\(key: str\)/);
  assert.match(text('py/shop/deep/saved.py'), /import os\nimport json\nfrom \.\.cart import /);
  assert.doesNotMatch(text('py/shop/cart.py'), /restore|import json/);
  assert.ok(conflicts(found).includes('!used'));
});

test('a file that defines nothing any more stays one that others can import', async () => {
  const found = await plan('Rate', 'ts/lib/rate.ts');
  const text = await applied(found);
  assert.equal(text('ts/rates.ts'), 'export {};\n');
  assert.match(text('ts/money.ts'), /import type \{ Rate \} from '\.\/lib\/rate';/);
  assert.deepEqual(conflicts(found), ['file']);
});

test('the other file imports the symbol no more, also where a third one handed it on', async () => {
  const text = await applied(await plan('ts/money.ts:alone', 'ts/star.ts'));
  assert.match(text('ts/star.ts'), /^import \{ rounded \} from '\.\/index';\nconsole[\s\S]*export function alone/);
});

test('a definition that names the other file as a module cannot go there without a word', async () => {
  assert.ok(conflicts(await plan('Own', 'py/shop/base.py')).includes('!file'));
});

test('members, and languages whose imports are not rewritten, are refused with a reason', async () => {
  await assert.rejects(plan('go/a.go:one', 'go/b.go'), /is not moved to another file/);
  await assert.rejects(plan('ts/money.ts:rounded', 'ts/money.py'), /no path of another file/);
  await assert.rejects(plan('ts/money.ts:rounded', 'ts/money.ts'), /is in ts\/money\.ts already/);
  await assert.rejects(plan('ts/money.ts:rounded', 'ts/x.ts', { to: 'other' }), /keeps its name/);
});

test('the files are written and read again', async () => {
  const found = await plan('py/shop/cart.py:Cart', 'py/shop/deep/kept.py', { write: true });
  assert.equal(found.written, true);
  assert.ok(existsSync(join(repo.dir, 'py/shop/deep/kept.py')));
  repo.git('add', '-A');
  repo.git('reset', '-q', '--hard');
});
