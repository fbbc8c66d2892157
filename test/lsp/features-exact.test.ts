/** What an editor is told, with lines and columns: places, symbols, the call hierarchy, lines above definitions, and the box beside a name. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Range } from 'vscode-languageserver-types';
import {
  callItems,
  definitions,
  documentSymbols,
  type Editor,
  hover,
  incomingCalls,
  LastChanges,
  lenses,
  outgoingCalls,
  outline,
  type Position,
  references,
  resolveLens,
  Workspace,
  workspaceSymbols,
} from '../../src/lsp/features.js';
import type { GraphSymbolResponse } from '../../src/questions/graph/symbol/question.js';
import type { Project } from '../../src/serve/project.js';
import { Projects } from '../../src/serve/projects.js';
import { Session } from '../../src/session/session.js';
import { createRepo } from '../support/repositories/repo.js';

const FILES = {
  'src/cart.ts': `/** Sum of [prices](http://evil). */
export function total(prices: number[]): number {
  return prices.length;
}

export class Cart {
  prices: number[] = [];
  total(): number {
    return total(this.prices);
  }
}
`,
  'src/shop.ts': `import { Cart, total } from './cart';

export function pay(cart: Cart): number {
  return cart.total() + total([1]) + total([2]);
}

const first = total([3]);
`,
  'src/ship.ts':
    'export class Boat {\n  ship() {}\n}\nexport class Van {\n  ship() {}\n}\nexport const send = (it: any) => it.ship();\n',
  'test/cart.test.ts': "import { total } from '../src/cart';\n\nexport function checks() {\n  total([2]);\n}\n",
  'data/prices.json': '{\n  "tax.rate": 1\n}\n',
};

const repo = createRepo();
repo.write(FILES);
const projects = new Projects({ directory: repo.dir, allow: [repo.dir] });
const workspace = new Workspace(projects, [repo.dir]);
const editor: Editor = { workspace, signal: new AbortController().signal };
after(async () => {
  await workspace.close();
  await projects.close();
});
const uriOf = (path: string) => pathToFileURL(join(repo.dir, path)).href;
const top = uriOf('');

async function at(path: string, line: number, character: number): Promise<Position> {
  const place = await workspace.locate(uriOf(path));
  assert.ok(place !== null, path);
  return { ...place, line: line - 1, character: character - 1 };
}
/** As `2:17-22`, or `2:1-4:2`, lines and columns from 1. */
const span = ({ start, end }: Range) =>
  `${start.line + 1}:${start.character + 1}-${start.line === end.line ? '' : `${end.line + 1}:`}${end.character + 1}`;
const shown = (found: readonly { uri: string; range: Range }[]) =>
  found.map(({ uri, range }) => `${uri.slice(top.length).replace(/^\//, '')} ${span(range)}`);

test('a definition is the range of its name, a file its beginning', async () => {
  const of = async (line: number, character: number) =>
    shown(await definitions(await at('src/shop.ts', line, character), editor));
  assert.deepEqual(await of(4, 15), ['src/cart.ts 8:3-8']);
  assert.deepEqual(await of(4, 26), ['src/cart.ts 2:17-22']);
  assert.deepEqual(await of(1, 10), ['src/cart.ts 6:14-18']);
  assert.deepEqual(await of(1, 32), ['src/cart.ts 1:1-1']);
  assert.deepEqual(await of(2, 1), []);
  const either = shown(await definitions(await at('src/ship.ts', 7, 38), editor));
  assert.deepEqual(either, ['src/ship.ts 2:3-7', 'src/ship.ts 5:3-7'], 'both may be meant');
});

test('references are ranges of the name as it is written there, the definition first if it is asked for', async () => {
  // What an import names is its file.
  const isCall = (place: string) => !/ 1:\d/.test(place);
  const of = async (withDefinition: boolean) =>
    shown(await references(await at('src/cart.ts', 2, 18), withDefinition, editor)).filter(isCall);
  const uses = [
    ...['src/cart.ts 9:12-17', 'src/shop.ts 4:25-30', 'src/shop.ts 4:25-30', 'src/shop.ts 7:15-20'],
    'test/cart.test.ts 4:3-8',
  ];
  assert.deepEqual(await of(false), uses);
  assert.deepEqual(await of(true), ['src/cart.ts 2:17-22', ...uses]);
  assert.deepEqual(
    shown(await references(await at('src/shop.ts', 4, 15), false, editor)),
    ['src/shop.ts 4:15-20'],
    'a member behind its receiver',
  );
  assert.deepEqual(await references(await at('src/ship.ts', 7, 38), true, editor), [], 'one of several is no answer');
  assert.deepEqual(await references(await at('src/shop.ts', 2, 1), true, editor), []);
});

test('symbols of a file have their whole lines and the range of their name, and lie in each other', async () => {
  const place = await at('src/cart.ts', 1, 1);
  const [total, cart] = await documentSymbols(place, editor);
  const told = ({ name, kind, range, selectionRange }: typeof total) =>
    `${name} ${kind} ${span(range)} ${span(selectionRange)}`;
  assert.deepEqual([total, cart].map(told), ['total 12 2:1-4:2 2:17-22', 'Cart 5 6:1-11:2 6:14-18']);
  assert.deepEqual(cart.children?.map(told), ['prices 8 7:1-25 7:3-9', 'total 6 8:1-10:4 8:3-8']);
  assert.deepEqual(total.children, []);
  assert.deepEqual(
    (await outline(place, editor)).map(({ qualified, depth }) => `${qualified} ${depth}`),
    ['total 0', 'Cart 0', 'Cart.prices 1', 'Cart.total 1'],
  );
  const [key] = await documentSymbols(await at('data/prices.json', 1, 1), editor);
  assert.equal(told(key), 'tax.rate 20 2:1-16 2:8-12');
});

test('symbols of everything are found by a part of their names, at the start of their line', async () => {
  const found = (await workspaceSymbols('pa', editor)).map(
    ({ name, kind, location }) => `${name} ${kind} ${shown([location])}`,
  );
  assert.deepEqual(found, ['pay 12 src/shop.ts 3:1-1']);
  assert.deepEqual(await workspaceSymbols('nothing', editor), []);
});

test('an item of the call hierarchy has its kind, its file, its ranges and what to ask for', async () => {
  const [item, ...more] = await callItems(await at('src/shop.ts', 4, 15), editor);
  assert.deepEqual(more, []);
  assert.deepEqual(
    [item.name, item.kind, item.detail, shown([item])[0], span(item.selectionRange), item.data],
    ['Cart.total', 6, 'src/cart.ts', 'src/cart.ts 8:1-10:4', '8:3-8', 'src/cart.ts:Cart.total'],
  );
  const either = await callItems(await at('src/ship.ts', 7, 38), editor);
  assert.deepEqual(
    either.map(({ name, detail }) => [name, detail]),
    [
      ['Boat.ship', 'may be meant  src/ship.ts'],
      ['Van.ship', 'may be meant  src/ship.ts'],
    ],
  );
  assert.deepEqual(await callItems(await at('src/shop.ts', 1, 32), editor), [], 'a file calls nothing');
});

test('callers come once each with all of their calls, and code outside of functions as its file', async () => {
  const { project } = await at('src/cart.ts', 1, 1);
  const callers = await incomingCalls(project, 'src/cart.ts:total', editor);
  assert.deepEqual(
    callers.map(
      ({ from, fromRanges }) => `${from.name} ${from.kind} ${from.detail} ${from.data} ${fromRanges.map(span)}`,
    ),
    [
      'Cart.total 12 src/cart.ts src/cart.ts:Cart.total 9:12-17',
      'pay 12 src/shop.ts src/shop.ts:pay 4:25-30,4:25-30',
      'first 12 src/shop.ts src/shop.ts:first 7:15-20',
      'checks 12 test/cart.test.ts test/cart.test.ts:checks 4:3-8',
    ],
  );
  assert.deepEqual(await incomingCalls(project, 'src/cart.ts:none', editor), []);
});

test('callees have the ranges of the calls in the function, one for each line', async () => {
  const { project } = await at('src/cart.ts', 1, 1);
  const callees = await outgoingCalls(project, 'src/shop.ts:pay', editor);
  assert.deepEqual(
    callees.map(({ to, fromRanges }) => `${to.name} ${shown([to])} ${fromRanges.map(span)}`),
    ['Cart.total src/cart.ts 8:1-10:4 4:15-20', 'total src/cart.ts 2:1-4:2 4:25-30'],
  );
  assert.deepEqual(await outgoingCalls(project, 'src/shop.ts:none', editor), []);
});

test('a line above each function and type counts callers and test files, or says that it is not in the index', async () => {
  const place = await at('src/cart.ts', 1, 1);
  const found = await lenses(place, editor);
  assert.deepEqual(
    found.map(({ range, data }) => `${span(range)} ${data.target} ${data.uri === uriOf('src/cart.ts')}`),
    ['2:17-22 src/cart.ts:total true', '6:14-18 src/cart.ts:Cart true', '8:3-8 src/cart.ts:Cart.total true'],
  );
  const titles = await Promise.all(found.map(async (lens) => (await resolveLens(lens, place.project, editor)).command));
  assert.deepEqual(
    titles.map((command) => command?.title),
    ['5 callers, 1 test file', '1 use, no test files', '1 caller, no test files'],
  );
  assert.deepEqual(titles[0]?.arguments, [uriOf('src/cart.ts'), { line: 1, character: 16 }]);
  const gone = { ...found[0], data: { uri: '', target: 'src/cart.ts:gone' } };
  assert.equal((await resolveLens(gone, place.project, editor)).command?.title, 'not in the index');
});

test('the box has the declaration, the comment as plain text, counts, three callers and the tests', async () => {
  const text = async (path: string, line: number, character: number) => {
    const found = await hover(await at(path, line, character), new LastChanges(), editor);
    return found === null ? null : (found.contents as { value: string }).value.split('\n\n');
  };
  assert.deepEqual(await text('src/shop.ts', 4, 26), [
    '```\nexport function total(prices: number[]): number\n```',
    'Sum of \\[prices\\]\\(http\\://evil\\).',
    '5 callers, 1 test file · `src/cart.ts:2`',
    'Called in `src/cart.ts:9` Cart.total, `src/shop.ts:4` pay, `src/shop.ts:4` pay, and 2 more',
    'Tested by `test/cart.test.ts`',
  ]);
  const either = await text('src/ship.ts', 7, 38);
  assert.equal(either?.[0], 'This may be meant, and so may 1 more:');
  assert.deepEqual([await text('src/shop.ts', 2, 1), await text('src/shop.ts', 1, 32)], [null, null]);
});

test('the last change of a symbol is that of the commit which is asked about', async () => {
  const shop = createRepo();
  const text = (rate: number) => `export function tax() {\n  return ${rate};\n}\n`;
  shop.commit({ 'tax.ts': text(1) }, 'set the tax');
  const raised = shop.commit({ 'tax.ts': text(2) }, 'raise the tax');
  const session = await Session.open({ directory: shop.dir });
  const changes = new LastChanges();
  const last = async (commit: string) => {
    const project = { session, root: shop.dir } as unknown as Project;
    const found = { commit, definitions: [{ path: 'tax.ts', symbol: 'tax' }] } as unknown as GraphSymbolResponse;
    // It is empty while the walk goes on.
    for (let i = 0; i < 200; i++) {
      const line = await changes.of(project, found);
      if (line !== '') return line.replace(/\d{4}-\d\d-\d\d by [^:]*/, 'DAY by NAME');
    }
    return '';
  };
  try {
    const before = `Last changed DAY by NAME: raise the tax (${raised.slice(0, 8)})`;
    assert.equal(await last(raised), before);
    const lowered = shop.commit({ 'tax.ts': text(1) }, 'lower the tax');
    assert.equal(await last(lowered), `Last changed DAY by NAME: lower the tax (${lowered.slice(0, 8)})`);
    assert.equal(await last(raised), before);
  } finally {
    await session.close();
  }
});

test('text that is not saved stands for its file, until it is closed or the same again', async () => {
  const uri = uriOf('src/shop.ts');
  const lines = async () => workspace.lines(await at('src/shop.ts', 1, 1));
  const before = await lines();
  assert.equal(before[2], 'export function pay(cart: Cart): number {');
  await workspace.update(uri, 'one\r\ntwo\nthree\rfour');
  assert.deepEqual(await lines(), ['one', 'two', 'three', 'four']);
  await workspace.update(uri, FILES['src/shop.ts']);
  assert.deepEqual(await lines(), before);
  await workspace.update(uri, 'one');
  await workspace.update(uri, null);
  assert.deepEqual(await lines(), before);
  assert.deepEqual((await workspace.opened()).length, 1);
  const { project } = await at('src/shop.ts', 1, 1);
  assert.deepEqual(workspace.lines({ project, path: 'src/none.ts' }), []);
});
