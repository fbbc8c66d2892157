/** Many definitions of one name leave room for the uses; those of different things each show their own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTools } from '../../../support/in-process/tools.js';
import { createRepo } from '../../../support/repositories/repo.js';

/** Declarations of one function: a reply of 700 tokens would hold little else. */
const OVERLOADS = 13;
/** Uses that such a reply is to show. */
const USES = 5;

test('a small reply about a name with many overloads shows uses, and counts the declarations', async (t) => {
  const repo = createRepo();
  const parameters = (count: number) => Array.from({ length: count }, (_, i) => `int a${i}`).join(', ');
  const overloads = Array.from({ length: OVERLOADS }, (_, i) => `  static int pick(${parameters(i)}) { return 1; }\n`);
  const uses = Array.from({ length: 60 }, (_, i) => `  int n${i}() { return Pick.pick(); }\n`);
  repo.commit({
    'app/Pick.java': `package app;\n\nclass Pick {\n${overloads.join('')}}\n`,
    'app/Use.java': `package app;\n\nclass Use {\n${uses.join('')}}\n`,
  });
  const { ask } = await openTools(t, repo.dir);
  const { text, structured } = await ask('codebase_references', { name: 'Pick.pick', maxTokens: 700 });
  assert.match(text, /Pick\.pick {2}method {2}13 declarations\n/);
  assert.deepEqual([structured.definitions.length, structured.definitionCount], [3, OVERLOADS]);
  assert.ok(structured.uses.list.length >= USES, `${structured.uses.list.length} uses`);
});

test('a name of several definitions is answered with the uses of each', async (t) => {
  const repo = createRepo();
  repo.commit({
    'src/cart.ts': 'export function total() {\n  return 1;\n}\nexport function pay() {\n  return total();\n}\n',
    'src/stock.ts': 'export function total() {\n  return 2;\n}\nexport const all = () => total() + total();\n',
  });
  const { ask } = await openTools(t, repo.dir);
  const { text, structured } = await ask('codebase_references', { name: 'total' });
  const sites = structured.candidates.list.map(({ path, sites: own }: { path: string; sites: string[] }) => [
    path,
    own,
  ]);
  assert.deepEqual(Object.fromEntries(sites), {
    'src/cart.ts': ['src/cart.ts:5 pay'],
    'src/stock.ts': ['src/stock.ts:4 all', 'src/stock.ts:4 all'],
  });
  assert.match(text, /src\/cart\.ts:5 pay\n/);
});

test('a use of a general member counts once for a declaration and its body, in one file or in two', async (t) => {
  const repo = createRepo();
  repo.commit({
    'base.h': 'struct Base {\n  virtual int size();\n  int twice() { return size(); }\n};\n',
    'near.cpp': '#include "base.h"\n\nstruct Near : Base {\n  int size();\n};\n\nint Near::size() {\n  return 1;\n}\n',
    'far.h': '#include "base.h"\n\nstruct Far : Base {\n  int size() override;\n};\n',
    'far.cpp': '#include "far.h"\n\nint Far::size() {\n  return 2;\n}\n',
  });
  const { ask } = await openTools(t, repo.dir);
  const { structured } = await ask('codebase_references', { name: 'size' });
  const counted = structured.candidates.list.map(({ symbol, uses, sites }: Record<string, unknown>) => [
    symbol,
    uses,
    sites,
  ]);
  const site = ['base.h:3 Base.twice'];
  assert.deepEqual(counted.sort(), [
    ['Base.size', 1, site],
    ['Far.size', 1, site],
    ['Near.size', 1, site],
  ]);
  const { structured: far } = await ask('codebase_symbol', { name: 'Far.size' });
  assert.equal(far.callers.list.length, 1);
});

test('a call that may mean each of two overloads is one use', async (t) => {
  const repo = createRepo();
  repo.commit({
    'app/Pick.java': 'package app;\n\nclass Pick {\n  void pick(int a) {}\n  void pick(String a) {}\n}\n',
    'app/Use.java': [
      'package app;\n\nclass Use {',
      '  void one(Pick p, Source s) { p.pick(s.next()); }',
      '  void two(Pick p, Source s) { p.pick(s.next()); p.pick(s.next()); }\n}\n',
    ].join('\n'),
  });
  const { ask } = await openTools(t, repo.dir);
  const { structured } = await ask('codebase_references', { name: 'Pick.pick' });
  assert.equal(structured.definitionCount, 2);
  assert.deepEqual(structured.counts, { call: 3 });
  assert.deepEqual(
    structured.uses.list.map(({ line }: { line: number }) => line),
    [4, 5, 5],
  );
});
