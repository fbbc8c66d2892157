/** Resources as text: each is the answer of one tool about exactly what its URI names. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { readResource } from '../../../src/mcp/resources/read.js';
import type { ResourceName } from '../../../src/mcp/resources/uri.js';
import type { Projects } from '../../../src/serve/projects.js';
import { openTools } from '../../support/in-process/tools.js';
import { createRepo } from '../../support/repositories/repo.js';

const LINES = Array.from({ length: 900 }, (_, i) => `export function aFunctionWithALongName${i}(one: string): void {}`);

const repo = createRepo();
repo.commit({
  'src/cart.ts': 'export class Cart {\n  total(): number {\n    return 1;\n  }\n}\n',
  'lib/cart.ts': 'export function other(): void {}\n',
  'long.ts': LINES.join('\n'),
  'docs/rules.md': '# Rules\n\nPrices are whole numbers.\n',
  '.socraticodecontextartifacts.json': JSON.stringify({
    artifacts: [{ name: 'rules', path: 'docs/rules.md', description: 'How prices are made' }],
  }),
});

async function reader(t: TestContext) {
  const { project, ask } = await openTools(t, repo.dir);
  await ask('codebase_index');
  const projects = { open: async () => project } as unknown as Projects;
  const { signal } = new AbortController();
  return (kind: ResourceName['kind'], value: string | null = null) =>
    readResource({ kind, value }, { projects, signal });
}

test('each kind of resource is the text about what it names', async (t) => {
  const read = await reader(t);
  assert.match(await read('status'), /5 files|files: 5/);
  assert.match(await read('outline'), /long\.ts {2}900 lines/);
  const outline = await read('outline', 'src/cart.ts');
  assert.match(outline, /total\(\): number/);
  assert.doesNotMatch(outline, /other/);
  assert.match(await read('symbol', 'Cart.total'), /src\/cart\.ts:2/);
  assert.match(await read('context', 'rules'), /Prices are whole numbers/);
});

test('the end of a path is another file: refused with the paths that were meant', async (t) => {
  const read = await reader(t);
  await assert.rejects(read('outline', 'cart.ts'), { code: 'BAD_ARGUMENT', hint: /Did you mean .*lib\/cart\.ts/ });
  await assert.rejects(read('outline', 'no/such.ts'), { code: 'BAD_ARGUMENT' });
  await assert.rejects(read('context', 'rule'), { code: 'BAD_ARGUMENT' });
});

test('a long resource ends with how much is left out, and names the tool instead of a cursor', async (t) => {
  const text = await (await reader(t))('outline', 'long.ts');
  const [, left] = /\nmore: (\d+) left out; codebase_outline lists the rest$/.exec(text) ?? [];
  assert.ok(Number(left) > 0 && Number(left) < LINES.length, text.slice(-200));
  assert.ok(!text.includes('cursor'));
});
