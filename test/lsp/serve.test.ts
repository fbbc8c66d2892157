/** The language server, asked by real messages: what it answers, with text that is not saved. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import { cli } from '../support/processes/cli.js';
import { createRepo } from '../support/repositories/repo.js';
import { type Client, connect } from '../support/servers/lsp-client.js';

const CART = `/** Sum of the [prices](http://evil). */
export function total(prices: number[]): number {
  return prices.reduce((sum, price) => sum + price, 0);
}

export class Cart {
  prices: number[] = [];
  total(): number {
    return total(this.prices);
  }
}
`;
const SHOP = `import { Cart, total } from './cart.js';

export function pay(cart: Cart): number {
  return cart.total() + total([1]);
}
`;

const repo = createRepo();
repo.commit({
  'src/cart.ts': CART,
  'src/shop.ts': SHOP,
  'test/cart.test.ts': "import { total } from '../src/cart.js';\n\nexport function checks() {\n  total([2]);\n}\n",
  'src/ship.ts':
    'export class Boat {\n  ship() {}\n}\nexport class Van {\n  ship() {}\n}\nexport const send = (it: any) => it.ship();\n',
  '.gitignore': 'ignored.ts\n',
});

let editor: Client;
before(async () => {
  assert.equal((await cli(['index'], { cwd: repo.dir })).code, 0);
  editor = await connect(repo.dir, process.env);
  // The graph of a new repository is linked by another process.
  for (let tries = 0; tries < 50; tries++) if ((await lensTitles()).length > 0) break;
});
after(async () => {
  assert.equal(await editor.close(), 0);
});

/** `src/cart.ts:2:16` of each location, lines and columns from 1. */
const shown = (locations: { uri: string; range: { start: { line: number; character: number } } }[]) =>
  locations
    .map(({ uri, range: { start } }) => `${uri.slice(editor.uri('').length)}:${start.line + 1}:${start.character + 1}`)
    .sort();

async function lensTitles(): Promise<string[]> {
  const found = await editor.ask('textDocument/codeLens', { textDocument: { uri: editor.uri('src/cart.ts') } });
  const resolved = await Promise.all((found ?? []).map((lens: object) => editor.ask('codeLens/resolve', lens)));
  return resolved.map(({ range, command }) => `${range.start.line + 1}: ${command.title}`);
}

test('a definition is the one that the receiver says, not one of the same name', async () => {
  const of = (line: number, character: number) => editor.at('textDocument/definition', 'src/shop.ts', line, character);
  assert.deepEqual(shown(await of(3, 15)), ['src/cart.ts:8:3']);
  assert.deepEqual(shown(await of(3, 26)), ['src/cart.ts:2:17']);
  assert.deepEqual(shown(await of(0, 10)), ['src/cart.ts:6:14']);
  assert.deepEqual(shown(await of(2, 27)), ['src/cart.ts:6:14']);
  assert.deepEqual(shown(await of(1, 0)), []);
});

test('references have the columns of the name, with the declaration on request', async () => {
  const ask = (includeDeclaration: boolean) =>
    editor.at('textDocument/references', 'src/cart.ts', 1, 18, { context: { includeDeclaration } });
  const uses = shown(await ask(false));
  assert.ok(
    uses.includes('src/cart.ts:9:12') && uses.includes('src/shop.ts:4:25') && uses.includes('test/cart.test.ts:4:3'),
  );
  assert.ok(!uses.includes('src/cart.ts:2:17'));
  assert.ok(shown(await ask(true)).includes('src/cart.ts:2:17'));
});

test('symbols of a file lie in each other, and symbols of everything are found by parts of their names', async () => {
  const symbols = await editor.ask('textDocument/documentSymbol', { textDocument: { uri: editor.uri('src/cart.ts') } });
  const outline = symbols.map(({ name, children }: { name: string; children: { name: string }[] }) => [
    name,
    children.map((child) => child.name),
  ]);
  assert.deepEqual(outline, [
    ['total', []],
    ['Cart', ['prices', 'total']],
  ]);
  const found = await editor.ask('workspace/symbol', { query: 'pa' });
  assert.deepEqual(found.map(({ name }: { name: string }) => name)[0], 'pay');
});

test('a hover names callers and tests, and text of the repository stays text', async () => {
  const { contents } = await editor.at('textDocument/hover', 'src/shop.ts', 3, 26);
  assert.match(contents.value, /export function total\(prices: number\[\]\): number/);
  assert.match(contents.value, /3 callers, 1 test file/);
  assert.match(contents.value, /Tested by `test\/cart\.test\.ts`/);
  assert.match(contents.value, /\\\[prices\\\]\(http|\\\[prices\\\]\\\(http/);
  assert.equal(await editor.at('textDocument/hover', 'src/shop.ts', 1, 0), null);
});

test('the call hierarchy goes both ways', async () => {
  const [item] = await editor.at('textDocument/prepareCallHierarchy', 'src/shop.ts', 2, 17);
  assert.equal(item.name, 'pay');
  const outgoing = await editor.ask('callHierarchy/outgoingCalls', { item });
  assert.deepEqual(outgoing.map(({ to }: { to: { name: string } }) => to.name).sort(), ['Cart.total', 'total']);
  const incoming = await editor.ask('callHierarchy/incomingCalls', {
    item: outgoing.find(({ to }: { to: { name: string } }) => to.name === 'Cart.total').to,
  });
  assert.deepEqual(
    incoming.map(({ from }: { from: { name: string } }) => from.name),
    ['pay'],
  );
});

test('where several may be meant, each answer says so, and no uses are made up', async () => {
  const ask = (method: string) => editor.at(method, 'src/ship.ts', 6, 37, { context: { includeDeclaration: true } });
  assert.deepEqual(shown(await ask('textDocument/definition')), ['src/ship.ts:2:3', 'src/ship.ts:5:3']);
  assert.match((await ask('textDocument/hover')).contents.value, /^This may be meant, and so may 1 more:/);
  const items: { detail: string }[] = await ask('textDocument/prepareCallHierarchy');
  assert.ok(items.every(({ detail }) => detail.startsWith('may be meant')));
  assert.deepEqual(await ask('textDocument/references'), []);
});

test('lenses count callers and tests', async () => {
  assert.deepEqual(await lensTitles(), [
    '2: 3 callers, 1 test file',
    '6: 1 use, no test files',
    '8: 1 caller, no test files',
  ]);
});

test('text that is not saved is answered about, and forgotten when the document closes', async () => {
  const text = `\n\n${SHOP.replace('+ total([1])', '')}\nexport const more = () => pay(null as never);\n`;
  await editor.open('src/shop.ts', text);
  assert.deepEqual(shown(await editor.at('textDocument/definition', 'src/shop.ts', 5, 15)), ['src/cart.ts:8:3']);
  assert.deepEqual(shown(await editor.at('textDocument/definition', 'src/shop.ts', 8, 26)), ['src/shop.ts:5:17']);
  assert.equal((await lensTitles())[0], '2: 2 callers, 1 test file');
  // Of several changes in one message the last one counts.
  const textDocument = { uri: editor.uri('src/shop.ts'), version: 2 };
  await editor.tell('textDocument/didChange', { textDocument, contentChanges: [{ text: '' }, { text: `\n${text}` }] });
  assert.deepEqual(shown(await editor.at('textDocument/definition', 'src/shop.ts', 9, 26)), ['src/shop.ts:6:17']);
  await editor.tell('textDocument/didClose', { textDocument: { uri: editor.uri('src/shop.ts') } });
  assert.equal((await lensTitles())[0], '2: 3 callers, 1 test file');
});

test('a file that git ignores, and one outside, are no part of the answer', async () => {
  repo.write({ 'ignored.ts': '' });
  await editor.open('ignored.ts', 'export function secretly() {}\n');
  assert.deepEqual(await editor.ask('workspace/symbol', { query: 'secretly' }), []);
  const elsewhere = { textDocument: { uri: 'file:///etc/passwd' }, position: { line: 0, character: 0 } };
  assert.equal(await editor.ask('textDocument/definition', elsewhere), null);
});

test('an editor that exits without asking for shutdown ends the server with status 1', async () => {
  const other = await connect(repo.dir, process.env);
  assert.equal(await other.close(false), 1);
});

test('a request that the editor takes back fails in no way, however early', async () => {
  const textDocument = { uri: editor.uri('src/cart.ts') };
  const asked: [string, object][] = [
    ['textDocument/documentSymbol', { textDocument }],
    ['textDocument/codeLens', { textDocument }],
    ['textDocument/hover', { textDocument, position: { line: 1, character: 17 } }],
    ['workspace/symbol', { query: 'total' }],
    ['git-socraticode/search', { query: 'total' }],
  ];
  for (const after of [0, 1, 5, 20])
    for (const [method, params] of asked) {
      const cancel = new CancellationTokenSource();
      const answer = editor.ask(method, params, cancel.token);
      setTimeout(() => cancel.cancel(), after);
      await assert.doesNotReject(answer, `${method} after ${after} ms`);
    }
});

test('files of every folder of the workspace are answered about', async () => {
  const second = createRepo();
  second.commit({ 'boat.ts': 'export function sail() {}\n' });
  const both = await connect(repo.dir, process.env, second.dir);
  const textDocument = { uri: pathToFileURL(join(second.dir, 'boat.ts')).href };
  const symbols = await both.ask('textDocument/documentSymbol', { textDocument });
  assert.equal(await both.close(), 0);
  assert.deepEqual(
    symbols?.map(({ name }: { name: string }) => name),
    ['sail'],
  );
});
