/** A tool that is made from a question: what the question is asked, page by page, and with what it writes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toolOf } from '../../src/mcp/question-tool.js';
import type { ToolCall } from '../../src/mcp/tool-call.js';
import { integer, text } from '../../src/params/param.js';
import * as s from '../../src/params/shape.js';
import type { AnyQuestion } from '../../src/questions/question.js';

interface Asked {
  at: Record<string, unknown> & { server: Record<string, unknown> };
  values: Record<string, unknown>;
}
interface Written {
  pen: { skipped?: number };
  isCommand: boolean;
}

const document = s.object({ found: s.number() });

/** A question that notes how it is asked; `form` changes its tool. */
function question(form: object = {}, more: object = {}) {
  const asked: Asked[] = [];
  const written: Written[] = [];
  const declared = {
    effect: 'reads',
    params: {
      query: text({ summary: 'What to find.' }),
      limit: integer({ summary: 'Most of them, {default}.', min: 1, max: 99, default: 10 }),
      depth: integer({ summary: 'How deep.', min: 1, max: 9, default: 3 }),
    },
    documents: { one: { schema: document } },
    answer: async () => async (at: Asked['at'], values: Asked['values']) => {
      asked.push({ at, values });
      return { found: 1 };
    },
    text: async () => (shown: object, options: Written) => {
      written.push(options);
      return `text of ${JSON.stringify(shown)}`;
    },
    ...more,
    tool: {
      ...{ name: 'codebase_x', title: 'X', toolset: 'core', description: 'Finds.', maxTokens: 500 },
      params: { query: 'What to look for.', limit: { summary: 'Most.', default: 5 } },
      ...form,
    },
  };
  return { tool: toolOf(declared as unknown as AnyQuestion), asked, written };
}

const project = {
  ...{ session: 'session', root: '/shop' },
};
const call = (skip = 0, more: object = {}) =>
  ({
    project: async () => project,
    projects: 'projects',
    skip,
    signal: 'signal',
    model: 'model',
    structured: true,
    ...more,
  }) as unknown as ToolCall;

test('the question is asked with its defaults, those that agents are not offered as well, and about the repository', async () => {
  const { tool, asked, written } = question();
  const { document: found, write } = await tool.answer({ query: 'cart', maxTokens: 300 }, call());
  assert.deepEqual([found, write({ a: 1 })], [{ found: 1 }, 'text of {"a":1}']);
  const [{ at, values }] = asked;
  assert.deepEqual(values, { query: 'cart', limit: 10, depth: 3, maxTokens: 300 });
  assert.deepEqual([at.session, at.directory, at.signal], ['session', '/shop', 'signal']);
  assert.deepEqual(at.server, {
    project,
    projects: 'projects',
    skip: 0,
    model: 'model',
    structured: true,
    maxTokens: 300,
  });
  assert.deepEqual([written[0].pen.skipped, written[0].isCommand], [undefined, false]);
});

test('a later page asks for the entries before it too, never for more than there may be, and says where it begins', async () => {
  const limits = async (page: object, skip: number, input: object = {}) => {
    const { tool, asked, written } = question({ page });
    const { write } = await tool.answer({ ...input }, call(skip));
    write({});
    return [asked[0].values.limit, written[0].pen.skipped];
  };
  assert.deepEqual(await limits({ size: 20, most: 100 }, 0), [10, undefined], 'the default of the parameter');
  assert.deepEqual(await limits({ size: 20, most: 100 }, 40, { limit: 7 }), [47, 40]);
  assert.deepEqual(await limits({ size: 20, most: 45 }, 40, { limit: 7 }), [45, 40]);
  assert.deepEqual(await limits({ size: 20, most: 100, isOpenEnded: true }, 40, { limit: 7 }), [48, 40]);
});

test('pages have the size that the form says where the question has no limit of its own', async () => {
  const params = { query: text({ summary: 'What.' }) };
  const asked = async (size: unknown) => {
    const made = question({ params: { query: 'What.' }, page: { size, most: 99, isOpenEnded: true } }, { params });
    await made.tool.answer({ query: 'four' }, call(2));
    return [made.asked[0].values.limit, made.tool.limit?.({ query: 'four' })];
  };
  assert.deepEqual(await asked(20), [23, 20]);
  assert.deepEqual(await asked(({ query }: { query: string }) => query.length), [7, 4]);
  assert.equal(question({ page: { size: 20, most: 99 } }).tool.limit, undefined, 'a document that counts the rest');
});

test('a first page ends where entries are no longer worth it, unless a number of them was asked for', () => {
  const page = { size: 20, most: 99, isOpenEnded: true, worth: (document: object) => Object.keys(document).length };
  const { limit } = question({ page }).tool;
  assert.equal(limit?.({}, { a: 1, b: 2 }), 2);
  assert.equal(limit?.({ limit: 7 }, { a: 1, b: 2 }), 7);
  assert.equal(limit?.({}), 20, 'a later page');
});

test('fields say what agents give: the own ones first, those of the reply after them', () => {
  const { tool } = question();
  assert.deepEqual(
    tool.fields.map(({ key, name, listsDefault }) => [key, name, listsDefault]),
    [
      ['query', 'query', false],
      ['limit', 'limit', true],
      ['maxTokens', 'maxTokens', undefined],
      ['cursor', 'cursor', undefined],
      ['projectPath', 'projectPath', undefined],
    ],
  );
  assert.deepEqual([tool.fields[0].param.summary, tool.fields[1].param.summary], ['What to look for.', 'Most.']);
  assert.deepEqual([[...tool.unoffered], tool.openWorld, tool.effect], [['depth'], false, 'reads']);
  const told = question({ params: { limit: { summary: 'Most, {default}.', default: 5 } }, reply: ['cursor'] }).tool;
  assert.deepEqual(
    told.fields.map(({ name }) => name),
    ['limit', 'cursor'],
  );
  assert.deepEqual([told.fields[0].param.summary, told.fields[0].listsDefault], ['Most, 5.', false]);
  const other = question({ params: { query: { name: 'text', summary: 'What.' } } }, { openWorld: true }).tool;
  assert.deepEqual([other.fields[0].name, other.fields[0].alias, other.openWorld], ['text', 'query', true]);
});

test('the schema is that of the documents that a tool gives, one of them or each', async () => {
  assert.equal(await question().tool.output(), document);
  const hidden = {
    documents: { one: { schema: document }, page: { schema: s.object({}), tool: false } },
  };
  assert.equal(await question({}, hidden).tool.output(), document);
  const two = {
    documents: { one: { schema: document }, other: { schema: s.object({ other: s.string() }) } },
  };
  assert.ok((await question({}, two).tool.output()) !== document);
});

test("a client of a fleet's server is asked about no repository of its own", async () => {
  const { tool, asked } = question();
  const fleet = { name: 'fleet' };
  await tool.answer({ maxTokens: 200 }, call(3, { fleet, project: () => assert.fail('there is none') }));
  const [{ at }] = asked;
  assert.deepEqual(
    [at.fleet, at.directory, at.signal, at.server.skip, at.server.maxTokens],
    [fleet, undefined, 'signal', 3, 200],
  );
  for (const read of [() => at.session, () => at.server.project, () => at.server.projects])
    assert.throws(read, /no repository of its own/);
});
