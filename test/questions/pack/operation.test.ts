/** A pack from a real index where something is missing: the graph, results, harmless text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SocraticodeError } from '../../../src/base/errors.js';
import { visibleDocument } from '../../../src/base/printable.js';
import { estimateTokens } from '../../../src/base/tokens.js';
import { openSources, type PackSources, packText, runPack } from '../../../src/questions/pack/answer.js';
import { question } from '../../../src/questions/pack/question.js';
import { plainPen, TOOL_WORDS } from '../../../src/questions/pen.js';
import { Session } from '../../../src/session/session.js';
import { createRepo, type Files } from '../../support/repositories/repo.js';
import { PROJECT } from '../../support/repositories/samples.js';
import '../../support/in-process/kept-parsers.js';

async function withSources<T>(files: Files, work: (session: Session, sources: PackSources) => Promise<T>): Promise<T> {
  const repo = createRepo();
  repo.commit(files);
  const session = await Session.open({ directory: repo.dir });
  try {
    return await work(session, await openSources(session));
  } finally {
    session.close();
  }
}

test('while the graph is being linked a pack is made of what the search finds, and says so', async () => {
  await withSources(PROJECT, async (session, sources) => {
    const notReady = () => Promise.reject(new SocraticodeError('NOT_READY', 'still linking'));
    const pack = await runPack(
      session,
      { task: 'remember the token of a user', maxTokens: 12_000 },
      { ...sources, graphs: { of: notReady } },
    );
    assert.equal(pack.linked, false);
    assert.equal(pack.items[0].path, 'src/session.ts');
    assert.match(packText(pack, plainPen(TOOL_WORDS)), /the graph is not linked yet/);
  });
});

test('nothing found is an empty pack; a path without files and other failures are not hidden', async () => {
  await withSources(PROJECT, async (session, sources) => {
    const none = await runPack(session, { task: 'qqqqzzzz', path: ['README.md'], maxTokens: 12_000 }, sources);
    assert.deepEqual([none.items, none.dropped], [[], { list: [], leftOut: 0 }]);
    assert.match(packText(none, plainPen(TOOL_WORDS)), /no results/);
    const nowhere = runPack(session, { task: 'token', path: ['nowhere/**'], maxTokens: 12_000 }, sources);
    await assert.rejects(nowhere, /no indexed file matches "nowhere/);
    const broken = { ...sources, graphs: { of: () => Promise.reject(new Error('broken')) } };
    await assert.rejects(runPack(session, { task: 'token', maxTokens: 12_000 }, broken), /broken/);
  });
});

test('what usually also changes and who knows the files ends a pack, with counts, within its budget', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  for (const i of [1, 2, 3])
    repo.commit({ 'src/session.ts': `${PROJECT['src/session.ts']}// ${i}\n`, 'docs/changes.md': `# Change ${i}\n` });
  const session = await Session.open({ directory: repo.dir });
  try {
    const sources = await openSources(session);
    const ask = (maxTokens: number) =>
      runPack(session, { task: 'remember the token of a user', path: ['src/**'], maxTokens }, sources);
    const pack = await ask(2_000);
    assert.deepEqual(pack.past?.coupled, [{ path: 'docs/changes.md', with: 'src/session.ts', together: 3, of: 4 }]);
    assert.equal(pack.past?.owners[0].commits, 4);
    assert.ok(pack.tokens <= 2_000);
    const text = packText(pack, plainPen(TOOL_WORDS));
    assert.match(text, /Usually also changes:\n {2}docs\/changes\.md \(in 3 of 4 commits of src\/session\.ts\)/);
    assert.match(text, /Who knows this: .+ \(4 commits, 100%, last \d{4}-\d\d-\d\d\)/);
    assert.equal((await ask(700)).past, undefined, 'a small pack is code alone');
  } finally {
    session.close();
  }
});

test('a chunk that ends within a long line is no file that changed: the graph is used', async () => {
  const long = `export function paginate(${Array.from({ length: 60 }, (_, i) => `argument${i} = ${i}`).join(', ')}) {\n  return each(argument0);\n}\n`;
  await withSources(
    { ...PROJECT, 'src/pages.ts': `${long}export function each(first: number) {\n  return first;\n}\n` },
    async (session, sources) => {
      assert.equal((await runPack(session, { task: 'paginate argument40', maxTokens: 3_000 }, sources)).linked, true);
    },
  );
});

/** A trace of Python, callers first: run5 to run0, then the line that fails. */
const TRACE = [
  'Traceback (most recent call last):',
  ...[5, 4, 3, 2, 1, 0].map((n) => `  File "shop/run${n}.py", line 3, in run${n}`),
  '  File "shop/cart.py", line 8, in total',
  "AttributeError: 'NoneType' object has no attribute 'strip'",
].join('\n');

test('a trace in a small pack is the lines where it failed, not what its words or repeated uses bring along', async () => {
  const runs = [0, 1, 2, 3, 4, 5].map((n) => {
    const next = n === 0 ? 'total' : `run${n - 1}`;
    return [`shop/run${n}.py`, `def run${n}(items):\n    log(Money, Money, Money, Money)\n    return ${next}(items)\n`];
  });
  const money = `class Money:\n    """${'What a thing costs. '.repeat(20)}"""\n\n\n`;
  const files: Files = {
    'shop/cart.py': `${money}def total(items):\n    if not items:\n        return Money(0)\n    return items.price.strip()\n`,
    'shop/strip.py':
      'def strip_attribute(object):\n    """NoneType object has no attribute strip"""\n    return None\n',
    ...Object.fromEntries(runs),
  };
  await withSources(files, async (session, sources) => {
    const { items } = await runPack(session, { task: TRACE, maxTokens: 700 }, sources);
    const shown = items.filter(({ kind }) => kind === 'code').map(({ path }) => path);
    for (const path of ['shop/cart.py', 'shop/run0.py', 'shop/run1.py']) assert.ok(shown.includes(path), path);
    assert.ok(items.some(({ content }) => content.includes('items.price.strip()')));
    assert.ok(!items.some(({ content }) => content.includes('What a thing costs')));
    assert.ok(!shown.includes('shop/strip.py'));
  });
});

/** A test of 40 lines: more than the share of tests in a small pack. */
const long = (lines: number) =>
  Array.from({ length: lines }, (_, i) => `\tt.Log("step ${i} of the cart that is long")\n`).join('');

const GO_SHOP: Files = {
  'go.mod': 'module example.org/shop\n\ngo 1.22\n',
  'cart.go': `${'// Copyright 2024 The Shop Authors. TestSum of example.org/shop\n// SPDX-License-Identifier: MIT\n\n'}package shop\n\nfunc Sum(prices []int) int {\n\treturn len(prices)\n}\n`,
  'cart_test.go': `package shop\n\nimport "testing"\n\nfunc TestSum(t *testing.T) {\n${long(40)}\tif Sum([]int{2}) != 2 {\n\t\tt.Fatal("sum")\n\t}\n}\n`,
};
const GO_FAILURE =
  '--- FAIL: TestSum (0.00s)\n    cart_test.go:47: sum\nFAIL\nFAIL\texample.org/shop\t0.021s\nFAIL github.com/shop';

test('the test that failed and the code it calls are in a small pack; go.mod and licences are not', async () => {
  await withSources(GO_SHOP, async (session, sources) => {
    for (const task of [GO_FAILURE, '--- FAIL: TestSum (0.00s)\nFAIL\texample.org/shop\t0.021s']) {
      const { items } = await runPack(session, { task, maxTokens: 1_600 }, sources);
      const failed = items.find(({ path }) => path === 'cart_test.go');
      assert.match(failed?.content ?? '', /func TestSum/);
      assert.ok(items.some(({ content }) => content.includes('func Sum')));
      assert.ok(!items.some(({ path, content }) => path === 'go.mod' || content.includes('Copyright')));
    }
  });
});

test('a test that is known by its title is shown from its title to its end', async () => {
  const files: Files = {
    'src/cart.ts': 'export function sum(prices: number[]): number {\n  return prices.length;\n}\n',
    'src/cart.test.ts': [
      "import { sum } from './cart.js';",
      "describe('Cart', () => {",
      "  it('adds prices', () => {",
      '    expect(sum([2])).toBe(2);',
      '  });',
      "  it('adds tax', () => {});",
      '});',
      '',
    ].join('\n'),
  };
  await withSources(files, async (session, sources) => {
    const task = 'FAIL src/cart.test.ts\n  ● Cart › adds prices\n    Expected: 2';
    const { items } = await runPack(session, { task, maxTokens: 2_000 }, sources);
    const failed = items.find(({ why }) => why.includes('failed'));
    assert.equal(failed?.path, 'src/cart.test.ts');
    assert.match(failed?.content ?? '', /it\('adds prices'[\s\S]*toBe\(2\);\n {2}\}\);/);
  });
});

test('text that tries to move the cursor is shown as text, and counted so', async () => {
  const escapes = `export function paint(): string {\n  return '${'\\u001b[31m\\u202e'.repeat(40)}';\n}\n`.replaceAll(
    /\\u([0-9a-f]{4})/g,
    (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)),
  );
  await withSources({ 'src/paint.ts': escapes }, async (session, sources) => {
    const pack = await runPack(session, { task: 'paint', maxTokens: 900 }, sources);
    const text = packText(visibleDocument(pack, question.multiline), plainPen(TOOL_WORDS));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
    assert.doesNotMatch(text, /[\u001b\u202e]/);
    for (const reply of [text, JSON.stringify(visibleDocument(pack))]) assert.ok(estimateTokens(reply) <= 900);
  });
});
