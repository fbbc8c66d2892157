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
