/** Notes: where they are kept, whether their code is as it was, and how they are listed, settled and shared. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../../support/in-process/told.js';
import { makeMarket } from '../../support/repositories/market.js';
import { createRepo } from '../../support/repositories/repo.js';

const repo = makeMarket();
const { text, document, refusal } = await openTold(repo);
const add = (target: string, note: string, more = {}) =>
  document<{ note: { id: string } }>('note add', { target, text: note, ...more });

test('notes on symbols, lines and files are listed by their place, of some places where these are named', async () => {
  assert.equal(
    await text('note add', { target: 'Cart.total', text: 'sums\n all', share: true }),
    `
<id>  src/cart.ts:33-35  Cart.total  current
 sums
  all
  A U Thor <author@example.com>, <now>, shared
`,
  );
  await add('src/cart.ts:7-9', 'anything with a price', { agent: 'robot' });
  await add('lib/fmt.py', 'pads');
  assert.equal(
    await text('note list'),
    `
<id>  lib/fmt.py  current
 pads
  A U Thor <author@example.com>, <now>, only in this clone

<id>  src/cart.ts:7-9  current
 anything with a price
  the agent robot of A U Thor <author@example.com>, <now>, only in this clone

<id>  src/cart.ts:33-35  Cart.total  current
 sums
  all
  A U Thor <author@example.com>, <now>, shared

3 open notes, 0 settled; notes are claims of their authors
`,
  );
  for (const [targets, said] of [
    [
      ['src'],
      `
<id>  src/cart.ts:7-9  current
 anything with a price
  the agent robot of A U Thor <author@example.com>, <now>, only in this clone

<id>  src/cart.ts:33-35  Cart.total  current
 sums
  all
  A U Thor <author@example.com>, <now>, shared

3 open notes, 0 settled; notes are claims of their authors
`,
    ],
    [
      ['lib/'],
      `
<id>  lib/fmt.py  current
 pads
  A U Thor <author@example.com>, <now>, only in this clone

3 open notes, 0 settled; notes are claims of their authors
`,
    ],
    [
      ['total'],
      `
<id>  src/cart.ts:33-35  Cart.total  current
 sums
  all
  A U Thor <author@example.com>, <now>, shared

3 open notes, 0 settled; notes are claims of their authors
`,
    ],
    [
      ['src/cart.ts#total', 'lib/fmt.py'],
      `
<id>  lib/fmt.py  current
 pads
  A U Thor <author@example.com>, <now>, only in this clone

<id>  src/cart.ts:7-9  current
 anything with a price
  the agent robot of A U Thor <author@example.com>, <now>, only in this clone

<id>  src/cart.ts:33-35  Cart.total  current
 sums
  all
  A U Thor <author@example.com>, <now>, shared

3 open notes, 0 settled; notes are claims of their authors
`,
    ],
    [
      ['src/c'],
      `
no such notes

3 open notes, 0 settled; notes are claims of their authors
exit 1
`,
    ],
  ] as const)
    assert.equal(await text('note list', { targets }), said, targets.join());
  assert.equal(
    await text('note list', { limit: 1 }),
    `
<id>  lib/fmt.py  current
 pads
  A U Thor <author@example.com>, <now>, only in this clone

2 more: raise --limit

3 open notes, 0 settled; notes are claims of their authors
`,
  );
});

test('a note says whether its code changed, moved or is gone, and shows what changed', async () => {
  const file = repo.git('show', 'HEAD:src/cart.ts');
  repo.write({
    'src/cart.ts': `// first\n${file.replace('sum(', 'add(')}\n`,
    'lib/pad.py': repo.git('show', 'HEAD:lib/fmt.py'),
  });
  repo.git('rm', '-q', 'lib/fmt.py');
  assert.equal(
    await text('note list'),
    `
<id>  lib/fmt.py  gone: its code is not there any more
 pads
  A U Thor <author@example.com>, <now>, only in this clone

<id>  src/cart.ts:8-10  current
 anything with a price
  the agent robot of A U Thor <author@example.com>, <now>, only in this clone

<id>  src/cart.ts:34-36  Cart.total  stale: its code changed
 sums
  all
  A U Thor <author@example.com>, <now>, shared

3 open notes, 0 settled; notes are claims of their authors
`,
  );
  assert.equal(
    await text('note list', { status: 'stale' }),
    `
<id>  src/cart.ts:34-36  Cart.total  stale: its code changed
 sums
  all
  A U Thor <author@example.com>, <now>, shared

3 open notes, 0 settled; notes are claims of their authors
`,
  );
  assert.equal(
    await text('note list', { committed: true, status: 'current' }),
    `
<id>  lib/fmt.py  current
 pads
  A U Thor <author@example.com>, <now>, only in this clone

<id>  src/cart.ts:7-9  current
 anything with a price
  the agent robot of A U Thor <author@example.com>, <now>, only in this clone

<id>  src/cart.ts:33-35  Cart.total  current
 sums
  all
  A U Thor <author@example.com>, <now>, shared

3 open notes, 0 settled; notes are claims of their authors
`,
  );
  const { notes } = await document<{ notes: { list: { id: string; symbol: string | null }[] } }>('note list');
  const total = notes.list.find(({ symbol }) => symbol === 'Cart.total')?.id ?? '';
  assert.equal(
    await text('note show', { id: total }),
    `
<id>  src/cart.ts:34-36  Cart.total  stale: its code changed
 sums
  all
  A U Thor <author@example.com>, <now>, shared

-   total(): number {
-     return sum(this.items.map((item) => item.price()));
-   }
+   total(): number {
+     return add(this.items.map((item) => item.price()));
+   }
`,
  );
  assert.equal(
    await text('note show', { id: total, committed: true }),
    `
<id>  src/cart.ts:33-35  Cart.total  current
 sums
  all
  A U Thor <author@example.com>, <now>, shared

    total(): number {
      return sum(this.items.map((item) => item.price()));
    }
`,
  );
  repo.git('checkout', '-q', 'HEAD', '--', '.');
  repo.git('clean', '-qfd');
});

test('a settled note is left out of lists, and settled once', async () => {
  const { note } = await add('src/log.ts', 'to be replaced');
  assert.equal(
    await text('note resolve', { id: note.id.slice(0, 20), text: 'it was' }),
    `
<id>  src/log.ts  current
 to be replaced
  A U Thor <author@example.com>, <now>, only in this clone
  settled by A U Thor <author@example.com>, <now>
 it was
`,
  );
  assert.equal(
    await text('note resolve', { id: note.id, text: 'again' }),
    `
<id>  src/log.ts  current
 to be replaced
  A U Thor <author@example.com>, <now>, only in this clone
  settled by A U Thor <author@example.com>, <now>
 it was
`,
  );
  assert.equal(
    await text('note list', { targets: ['src/log.ts'] }),
    `
no such notes

3 open notes, 1 settled; notes are claims of their authors
exit 1
`,
  );
  assert.equal(
    await text('note list', { targets: ['src/log.ts'], all: true }),
    `
<id>  src/log.ts  current
 to be replaced
  A U Thor <author@example.com>, <now>, only in this clone
  settled by A U Thor <author@example.com>, <now>
 it was

3 open notes, 1 settled; notes are claims of their authors
`,
  );
  assert.equal(
    await text('note share', { id: note.id }),
    `
<id>  src/log.ts  current
 to be replaced
  A U Thor <author@example.com>, <now>, shared
  settled by A U Thor <author@example.com>, <now>
 it was
`,
  );
});

test('notes stand beside the code that other questions show', async () => {
  assert.equal(
    await text('graph symbol', { names: ['Cart.total'] }),
    `
src/cart.ts:33-35  Cart.total  method, exported
  total(): number

called from 2 places
  src/money.ts:23 describe
  src/cart.test.ts:8 top level

calls 1 symbol
  src/cart.ts:8  Priced.price  method  line 34

outside: sum 34, this.items.map 34

1 test file reaches it by known uses
  src/cart.test.ts:8  directly

mentioned in 1 document: docs/guide.md:3

note <id> on src/cart.ts:33 by A U Thor: sums all
`,
  );
});

test('what cannot be kept or found is refused', async () => {
  assert.equal(
    await refusal('note show', { id: 'zz' }),
    'BAD_ARGUMENT: id takes the first digits of an id, as a list shows it, or "last", not "zz"',
  );
  assert.equal(
    await refusal('note add', { target: 'src/nowhere.ts', text: 'x' }),
    'BAD_ARGUMENT: no file src/nowhere.ts is indexed in this snapshot (The status says which files are indexed, and why others are not.)',
  );
  assert.equal(
    await refusal('note add', { target: 'src/log.ts:9-10', text: 'x' }),
    'BAD_ARGUMENT: src/log.ts has no line 9 (It has 3 lines.)',
  );
  assert.equal(
    await refusal('note add', { target: 'restock', text: 'x' }),
    'BAD_ARGUMENT: restock is ambiguous: 2 definitions (Name one of them: src/cart.ts:Cart.restock, src/shelf.ts:Shelf.restock)',
  );
  assert.equal(
    await refusal('note add', { target: 'src/log.ts', text: '\ufeff' }),
    'BAD_ARGUMENT: the text is empty, or no text (Say it in words.)',
  );
  assert.equal(
    await refusal('note list', { targets: ['../elsewhere'] }),
    'BAD_ARGUMENT: ../elsewhere is outside of this repository (Name a file of the repository, from the current directory or from its top.)',
  );
});

test('before the first commit, a note is kept on a file of the work tree', async () => {
  const unborn = createRepo();
  unborn.write({ 'a.ts': 'export const a = 1;\n' });
  const told = await openTold(unborn);
  await told.text('note add', { target: 'a.ts', text: 'begun' });
  assert.match(await told.text('note list'), /a\.ts {2}current\n begun\n/);
});
