/** What every tool that is made from a question does with texts that say nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadTools, readArguments, TOOLSETS, type Tool } from '../../src/mcp/tool-call.js';

const tools = await loadTools([...TOOLSETS, 'fleet'], false);
const toolOf = (name: string): Tool => tools.get(name) ?? assert.fail(`there is no tool ${name}`);

/** A parameter that takes one text, also where the question takes a list of them. */
const takesText = ({ one, param }: Tool['fields'][number]) => param.type === 'text' || one;

test('an empty text is refused by every parameter of every tool, and the refusal names the parameter', () => {
  let asked = 0;
  for (const tool of tools.values()) {
    for (const field of tool.fields) {
      if (!takesText(field) || field.key === 'cursor') continue;
      asked++;
      assert.throws(
        () => readArguments(tool, { [field.name]: '' }),
        (error: Error) => error.message.includes(field.name),
        `${tool.name} ${field.name}`,
      );
    }
  }
  assert.ok(asked > 100, String(asked));
});

test('a text of one character is taken, and a longer minimum of the question stays', () => {
  assert.deepEqual(readArguments(toolOf('codebase_search'), { query: 'x' }), { query: 'x' });
  for (const tool of tools.values())
    for (const { name, param, one } of tool.fields)
      if (takesText({ param, one } as Tool['fields'][number]) && name !== 'cursor')
        assert.ok(param.minLength >= 1, `${tool.name} ${name}`);
});

test('only a tool that deletes wants its repository named', () => {
  assert.throws(() => readArguments(toolOf('codebase_remove'), {}), /projectPath/);
  assert.deepEqual(readArguments(toolOf('codebase_remove'), { projectPath: 'x' }), { projectPath: 'x' });
  assert.deepEqual(readArguments(toolOf('codebase_status'), {}), {});
  const search = toolOf('codebase_search');
  for (const [maxTokens, isTaken] of [
    [199, false],
    [200, true],
    [50_000, true],
    [50_001, false],
  ] as const) {
    const read = () => readArguments(search, { query: 'x', maxTokens });
    if (isTaken) assert.deepEqual(read(), { query: 'x', maxTokens });
    else assert.throws(read, /maxTokens/);
  }
});
