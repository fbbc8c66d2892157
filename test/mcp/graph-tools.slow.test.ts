/** The tools about the code graph, asked as an agent would of a small shop. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openTools } from '../support/in-process/tools.js';
import { createRepo, makeDirectory } from '../support/repositories/repo.js';

const PRICE = `export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function unused(): void {}
`;
const CART = `import { round } from './price';
import { log } from './log';

/** What somebody is about to buy. */
export class Cart {
  private items: number[] = [];

  total(): number {
    log('total');
    return round(this.sum());
  }

  private sum(): number {
    return this.items.reduce((a, b) => a + b, 0);
  }
}
`;
const FILES = {
  'src/shop/price.ts': PRICE,
  'src/shop/cart.ts': CART,
  'src/shop/log.ts': `import { Cart } from './cart';\nexport function log(text: string, cart = new Cart()): void {\n  console.log(text, cart);\n}\n`,
  'src/app.ts': `import { Cart } from './shop/cart';\n\nfunction main(): void {\n  print(new Cart().total());\n}\n\nfunction print(total: number): void {\n  console.log(total);\n}\n\nmain();\n`,
  'lib/price.ts': 'export function round(value: number): number {\n  return Math.floor(value);\n}\n',
  'lib/app.ts': "import { round } from './price';\nexport const rounded = round(1.5);\n",
  'test/cart.test.ts':
    "import { Cart } from '../src/shop/cart';\nimport { test } from 'node:test';\ntest('total', () => {\n  new Cart().total();\n});\n",
};

async function shop(t: TestContext, files: Record<string, string> = {}) {
  const repo = createRepo();
  repo.commit({ ...FILES, ...files });
  return { repo, ...(await openTools(t, repo.dir)) };
}

test('a symbol: where it is, who calls it, what it calls, tests; more than one meaning, or none, says what to ask', async (t) => {
  const { repo, ask, fail } = await shop(t);
  const { text, structured } = await ask('codebase_symbol', { name: 'Cart.total' });
  assert.match(text, /^HEAD @ [0-9a-f]{9} · 7\/7 files\nsrc\/shop\/cart\.ts:8-11 {2}Cart\.total {2}method, exported/);
  assert.match(text, /called from 2 places\n {2}src\/app\.ts:4 main\n {2}test\/cart\.test\.ts:4 top level/);
  assert.match(
    text,
    /src\/shop\/price\.ts:1 {2}round[\s\S]*1 test file reaches it by known uses\n {2}test\/cart\.test\.ts:4/,
  );
  assert.ok(structured.callers.list.every(({ confidence }: { confidence: number }) => confidence > 0.8));
  const none = await ask('codebase_symbol', { name: 'unused' });
  assert.match(none.text, /no callers, certainly: /);
  const both = await ask('codebase_symbol', { name: 'round' });
  assert.equal(both.structured.candidates.list.length, 2);
  assert.match(both.text, /round is ambiguous: 2 definitions[\s\S]*parameter file/);
  for (const file of ['src/shop/price.ts', join(repo.dir, 'src/shop/price.ts'), 'src', 'shop/price.ts'])
    assert.match((await ask('codebase_symbol', { name: 'round', file })).text, /^src\/shop\/price\.ts:1-3/m);
  assert.match(await fail('codebase_symbol', { name: 'rond' }), /no symbol rond is defined.*\nDid you mean round\?/);
  assert.match(await fail('codebase_symbol', { name: 'round', file: '/etc/passwd' }), /outside of this repository/);
  assert.match(await fail('codebase_symbol', { name: 'round', file: '../x.ts' }), /outside of this repository/);
  assert.match(await fail('codebase_symbol', { name: 'round', file: 'src/prices.ts' }), /Did you mean .*price\.ts/);
  assert.match(await fail('codebase_symbol', { name: 'src/app.ts' }), /is no symbol but a file/);
});

test('impact of a symbol, of uncommitted changes, of a range', async (t) => {
  const { repo, ask, fail } = await shop(t);
  const { text } = await ask('codebase_impact', { target: 'Cart.sum' });
  assert.match(
    text,
    /hop 1: 1\n {2}src\/shop\/cart\.ts:10 {2}Cart\.total\n\nhop 2: 1\n {2}src\/app\.ts:4 {2}main {2}calls Cart\.total/,
  );
  assert.match(text, /tests to run: 1 file\n {2}test\/cart\.test\.ts/);
  assert.match((await ask('codebase_impact')).text, /nothing that others could notice/);
  repo.write({ 'src/shop/price.ts': PRICE.replace('* 100', '* 10') });
  const dirty = await ask('codebase_impact');
  assert.match(
    dirty.text,
    /^HEAD @ .* 1 uncommitted included\nHEAD \([0-9a-f]{9}\) to the work tree: 1 file, 1 symbol changed/,
  );
  assert.match(dirty.text, /~ src\/shop\/price\.ts:1 {2}round {2}function {2}1 direct user, 3 in all, 1 test file/);
  repo.commit({}, 'round to tenths');
  const range = await ask('codebase_impact', { target: 'HEAD~1..HEAD', depth: 1 });
  assert.deepEqual([range.structured.affected, range.structured.changes.symbols.list.length], [1, 1]);
  assert.match(
    await fail('codebase_impact', { ref: 'HEAD~1' }),
    /Name a symbol, a file, or a range like main\.\.feature/,
  );
  assert.match(
    await fail('codebase_impact', { target: 'Cart', depth: 11 }),
    /depth takes a whole number from 1 to 10, not 11/,
  );
  assert.match(await fail('codebase_impact', { target: 'x..y' }), /UNKNOWN_REF/);
});

test('files: imports and importers, circles, statistics, symbols, entry points, flow', async (t) => {
  const { repo, ask, fail } = await shop(t);
  for (const filePath of ['src/shop/cart.ts', 'cart.ts', join(repo.dir, 'src/shop/cart.ts')]) {
    const { text } = await ask('codebase_graph_query', { filePath });
    assert.match(text, /imports 2 files[\s\S]*imported by 3 files\n {2}src\/app\.ts:1 {2}Cart/);
  }
  assert.match(await fail('codebase_graph_query', { filePath: 'src' }), /src\/ is a directory/);
  assert.equal((await ask('codebase_graph_query', { filePath: 'price.ts' })).structured.candidates.list.length, 2);
  assert.match(
    (await ask('codebase_graph_circular')).text,
    /2 files\n {2}src\/shop\/cart\.ts:2\n {2}src\/shop\/log\.ts:1/,
  );
  assert.match((await ask('codebase_graph_stats')).text, /cycles +1: codebase_graph_circular lists them/);
  const symbols = await ask('codebase_symbols', { file: 'src/shop', limit: 2 });
  assert.deepEqual([symbols.structured.total, symbols.structured.symbols.list.length], [7, 2]);
  assert.match(symbols.text, /more: 5 left out; cursor /);
  assert.match((await ask('codebase_symbols', { query: 'nothingLikeThis' })).text, /no symbols/);
  assert.match((await ask('codebase_flow')).text, /main functions: 1\n {2}src\/app\.ts:3 {2}main/);
  const flow = await ask('codebase_flow', { entrypoint: 'main', depth: 1 });
  assert.match(flow.text, /main {2}src\/app\.ts:3\n├─ [\s\S]*Cart\.total {2}src\/shop\/cart\.ts:8 .*deeper/);
});

test('several symbols share one budget, and a cursor leads to those that did not fit', async (t) => {
  const { ask } = await shop(t);
  const name = ['Cart.total', 'main', 'rond', 'round', 'log', 'print'];
  const first = await ask('codebase_symbol', { name, maxTokens: 700 });
  const seen = first.structured.symbols.map(({ target }: { target: string }) => target);
  assert.ok(seen.length > 0 && seen.length < 4, first.text);
  const problems = first.structured.problems.map(({ target, candidates }: Problem) => [target, sum(candidates)]);
  assert.deepEqual(problems, [
    ['rond', null],
    ['round', 2],
  ]);
  assert.match(first.text, /no symbol rond is defined[\s\S]*Did you mean round\?[\s\S]*round is ambiguous/);
  const { cursor } = first.structured.more;
  const next = await ask('codebase_symbol', { name, maxTokens: 700, cursor });
  const rest = next.structured.symbols.map(({ target }: { target: string }) => target);
  assert.deepEqual([...seen, ...rest], ['Cart.total', 'main', 'log', 'print'].slice(0, seen.length + rest.length));
  assert.doesNotMatch(next.text, /rond/, 'told once');
});

interface Problem {
  target: string;
  candidates?: Some;
}

interface Some {
  list: unknown[];
  leftOut: number;
}

const sum = (some?: Some) => (some === undefined ? null : some.list.length + some.leftOut);

test('a ref is asked as it was, and cursors lead through everything once', async (t) => {
  const callers = Array.from({ length: 60 }, (_, i) => `export const call${i} = () => round(${i});`).join('\n');
  const { repo, ask } = await shop(t, { 'src/many.ts': `import { round } from './shop/price';\n${callers}\n` });
  repo.commit({ 'src/many.ts': '' });
  const question = { name: 'src/shop/price.ts:round', ref: 'HEAD~1', maxTokens: 800 };
  const seen: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const { text, structured } = await ask('codebase_symbol', { ...question, cursor });
    assert.match(text, /called from 61 places/);
    seen.push(...structured.callers.list.map(({ symbol }: { symbol: string }) => symbol));
    cursor = structured.more?.cursor;
    pages++;
  } while (cursor !== undefined && pages < 50);
  assert.ok(pages > 2);
  assert.deepEqual([seen.length, new Set(seen).size], [61, 61]);
  assert.match((await ask('codebase_symbol', { name: 'src/shop/price.ts:round' })).text, /called from 1 place\n/);
});

test('later pages of an impact leave no hop out', async (t) => {
  const direct = Array.from({ length: 40 }, (_, i) => `export const near${i} = () => round(${i});`);
  const further = Array.from({ length: 30 }, (_, i) => `export const far${i} = () => near0();`);
  const many = `import { round } from './shop/price';\n${[...direct, ...further].join('\n')}\n`;
  const { ask } = await shop(t, { 'src/many.ts': many });
  const counts = new Map<number, number>();
  let cursor: string | undefined;
  do {
    const { text, structured } = await ask('codebase_impact', {
      target: 'src/shop/price.ts:round',
      maxTokens: 1_000,
      cursor,
    });
    for (const { hop, affected } of structured.hops) counts.set(hop, (counts.get(hop) ?? 0) + affected.length);
    assert.doesNotMatch(text, /hop \d: 0|nothing/);
    cursor = structured.more?.cursor;
  } while (cursor !== undefined);
  // The cart's total and forty more; who calls the first of those, and the program; its top level.
  assert.deepEqual(Object.fromEntries(counts), { 1: 41, 2: 31, 3: 1 });
});

test('pictures: Mermaid as text, a page as a file that the same question writes again', async (t) => {
  const { repo, ask, fail } = await shop(t);
  const { text } = await ask('codebase_graph_visualize', { target: 'src/shop/cart.ts', depth: 1 });
  assert.match(text, /flowchart[\s\S]*cart\.ts[\s\S]*files as \d+ nodes and \d+ links/);
  const { text: told, structured } = await ask('codebase_graph_visualize', { mode: 'interactive', open: true });
  assert.ok(structured.output.startsWith(join(repo.dir, '.git', 'socraticode', 'pages')));
  assert.match(readFileSync(structured.output, 'utf8'), /^<!doctype html>/i);
  assert.match(told, /wrote .*graph-[0-9a-f]+\.html .*open it in a browser\nnothing was opened/s);
  const again = await ask('codebase_graph_visualize', { mode: 'interactive' });
  assert.equal(again.structured.output, structured.output);
  assert.match(
    await fail('codebase_graph_visualize', { path: 'no/such/**' }),
    /no file of this snapshot matches no\/such/,
  );
});

test('status, build and remove: nothing is linked unasked, and what was removed is linked again', async (t) => {
  const { repo, project, ask } = await shop(t);
  const state = async () => (await ask('codebase_graph_status')).structured.state;
  assert.equal(await state(), 'none');
  assert.match((await ask('codebase_graph_status')).text, /not linked yet: the next question/);
  await ask('codebase_graph_stats');
  const linked = await ask('codebase_graph_status');
  assert.deepEqual([linked.structured.state, linked.structured.graph.files], ['linked', 7]);
  assert.match(linked.text, /graph +7 files, \d+ symbols, \d+ edges\nimports +.*resolved/);
  const removed = await ask('codebase_graph_remove', { projectPath: repo.dir });
  assert.ok(removed.structured.removed.files >= 1 && removed.structured.removed.bytes > 0);
  assert.equal(await state(), 'none');
  assert.match((await ask('codebase_graph_remove', { projectPath: repo.dir })).text, /no linked graphs are kept/);
  assert.equal((await ask('codebase_symbol', { name: 'main' })).structured.definitions.length, 1);
  await ask('codebase_graph_remove', { projectPath: repo.dir });
  await ask('codebase_graph_build');
  while (project.background.isBusy) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(await state(), 'linked');
});

test('a page does not follow links that came with the repository', async (t) => {
  const { repo, ask } = await shop(t);
  const elsewhere = makeDirectory('elsewhere');
  await ask('codebase_graph_stats');
  const { symlinkSync } = await import('node:fs');
  symlinkSync(elsewhere, join(repo.dir, '.git', 'socraticode', 'pages'));
  const { structured } = await ask('codebase_graph_visualize', { mode: 'interactive' });
  assert.ok(existsSync(structured.output) && !structured.output.startsWith(repo.dir));
  assert.ok(!structured.output.startsWith(elsewhere));
});

test('names that would move the cursor are shown as what they are', async (t) => {
  const evil = 'src/x\u001b[2J\n\u202ey.ts';
  const { ask, fail } = await shop(t, {
    [evil]: "import { round } from './shop/price';\nexport const evil = () => round(1);\n",
  });
  const calls: [string, object][] = [
    ['codebase_symbol', { name: 'src/shop/price.ts:round' }],
    ['codebase_impact', { target: 'src/shop/price.ts:round' }],
    ['codebase_graph_query', { filePath: 'src/shop/price.ts' }],
    ['codebase_graph_query', { filePath: evil }],
    ['codebase_symbols', { file: evil }],
    ['codebase_graph_visualize', { view: 'files' }],
  ];
  for (const [name, args] of calls) {
    const { text } = await ask(name, args as Record<string, unknown>);
    assert.ok(!text.includes('\u202e') && !text.includes('\u001b'), name);
    if (name !== 'codebase_graph_visualize') assert.match(text, /x\\x1b\[2J\\n\\u202ey\.ts/, name);
  }
  assert.ok(!(await fail('codebase_symbol', { name: '\u001b[2Jevil' })).includes('\u001b'));
});
