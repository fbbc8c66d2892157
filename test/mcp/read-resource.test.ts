/** Resources as text: each is the answer of one tool about exactly what its URI names. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Asking, completions, type ResourceName, readResource, TEMPLATES } from '../../src/mcp/resources.js';
import type { Projects } from '../../src/serve/projects.js';
import { openTools } from '../support/in-process/tools.js';
import { createRepo } from '../support/repositories/repo.js';

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

const NOTHING = { values: [], total: 0, hasMore: false };

/** A repository whose context artifacts have these names. */
function asking(names: readonly string[] | Promise<never>): Asking {
  const origin = async () => ({ artifacts: (await names).map((name) => ({ name })) });
  const project = { session: { origin } };
  return { projects: { open: async () => project }, signal: new AbortController().signal } as unknown as Asking;
}

async function complete(
  names: Parameters<typeof asking>[0],
  value: string,
  uri: string = TEMPLATES.context,
  name = 'name',
) {
  const { completion } = await completions(
    { ref: { type: 'ref/resource', uri }, argument: { name, value } },
    asking(names),
  );
  return completion;
}

test('names that contain what was typed, in any case, are suggested; no more than a hundred', async () => {
  assert.deepEqual(await complete(['Price Rules', 'schema', 'prices'], 'PRI'), {
    values: ['Price Rules', 'prices'],
    total: 2,
    hasMore: false,
  });
  const { values, total, hasMore } = await complete(
    Array.from({ length: 101 }, (_, i) => `n${i}`),
    'n',
  );
  assert.deepEqual([values.length, values[0], total, hasMore], [100, 'n0', 101, true]);
});

test('a name that would be sent back in another spelling is counted, but not suggested', async () => {
  assert.deepEqual(await complete(['good', 'go\u200bod'], 'go'), { values: ['good'], total: 2, hasMore: true });
});

test('an argument that no template has is refused; free text of prompts and long text gets no suggestion', async () => {
  for (const [uri, name] of [
    [TEMPLATES.context, 'path'],
    [TEMPLATES.outline, 'name'],
    [TEMPLATES.symbol, 'path'],
    ['socraticode://other/{name}', 'name'],
  ])
    await assert.rejects(complete([], 'x', uri, name), { code: -32_602 }, `${uri} ${name}`);
  const prompt = { ref: { type: 'ref/prompt' as const, name: 'explore' }, argument: { name: 'topic', value: 'x' } };
  assert.deepEqual((await completions(prompt, asking(['x']))).completion, NOTHING);
  const name = 'x'.repeat(1_024);
  assert.equal((await complete([name], name)).total, 1);
  assert.deepEqual(await complete([`${name}x`], `${name}x`), NOTHING);
});

test('a failure suggests nothing', async () => {
  assert.deepEqual(await complete(Promise.reject(new Error('broken')), 'x'), NOTHING);
  // Paths need an index, and there is no repository.
  assert.deepEqual(await complete([], 'x', TEMPLATES.outline, 'path'), NOTHING);
  assert.deepEqual(await complete([], 'x', TEMPLATES.symbol, 'name'), NOTHING);
});

test('who types is not kept waiting for more than a second', async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const never = new Promise<never>(() => {});
  let isDone = false;
  const asked = complete(never, 'x').then((completion) => {
    isDone = true;
    return completion;
  });
  await new Promise(setImmediate);
  t.mock.timers.tick(999);
  await new Promise(setImmediate);
  assert.equal(isDone, false);
  t.mock.timers.tick(1);
  assert.deepEqual(await asked, NOTHING);
});
