/** Suggestions while a user types: quick, of what can be sent back, and never a failure. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { completions } from '../../../src/mcp/resources/complete.js';
import type { Asking } from '../../../src/mcp/resources/read.js';
import { TEMPLATES } from '../../../src/mcp/resources/uri.js';

const NOTHING = { values: [], total: 0, hasMore: false };

/** A repository whose context artifacts have these names. */
function asking(names: readonly string[] | Promise<never>): Asking {
  const origin = async () => ({ artifacts: (await names).map((name) => ({ name })) });
  const project = { once: async () => ({ origin }) };
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
