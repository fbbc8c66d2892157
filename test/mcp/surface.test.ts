/**
 * What a client is shown, word for word: names, schemas, annotations, instructions, prompts, resources. A change here changes
 * what every agent reads; to accept one:
 *
 *     npx tsc -p test/tsconfig.json && UPDATE_FIXTURES=1 node build/test/mcp/surface.test.js
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { instructions } from '../../src/mcp/server.js';
import { loadTools, TOOLSETS } from '../../src/mcp/tool-call.js';
import { listTool } from '../../src/mcp/tool-schemas.js';
import { ROOT } from '../house/root.js';
import { createRepo } from '../support/repositories/repo.js';
import { startServer } from '../support/servers/mcp.js';

const GOLDEN = new URL('fixtures/mcp/surface.json', ROOT);

/** What every session pays before its first question; with `--structured`, the schemas of answers too. */
const MAX_CORE = 1_700;
const MAX_CORE_STRUCTURED = 3_000;
const MAX_TOOL = 550;
const MAX_INSTRUCTIONS = 400;

const tools = [...(await loadTools(TOOLSETS, false)).values()];
const tokens = (value: unknown) => countTokens(typeof value === 'string' ? value : JSON.stringify(value));

test('what a client is shown', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.txt': 'a\n' });
  const { client } = await startServer(t, repo.dir, { structured: false });
  const surface = {
    instructions: instructions(['core']).split('\n'),
    tools: (await client.listTools()).tools,
    prompts: (await client.listPrompts()).prompts,
    resources: (await client.listResources()).resources,
    templates: (await client.listResourceTemplates()).resourceTemplates,
  };
  const text = `${JSON.stringify(surface, null, 2)}\n`;
  if (process.env.UPDATE_FIXTURES === '1') {
    mkdirSync(new URL('.', GOLDEN), { recursive: true });
    writeFileSync(GOLDEN, text);
  }
  assert.equal(text, readFileSync(GOLDEN, 'utf8'));
});

test('no parameter has another one for its name on the command line', () => {
  for (const { name: tool, fields } of tools) {
    const names = fields.map(({ name }) => name);
    const clash = fields.filter(({ name, alias = name }) => alias !== name && names.includes(alias));
    assert.deepEqual(
      clash.map(({ name }) => `${tool} ${name}`),
      [],
    );
  }
});

test('what it costs, in tokens', async (t) => {
  for (const toolset of TOOLSETS) {
    const listed = await Promise.all(
      tools.filter((tool) => tool.toolset === toolset).map((tool) => listTool(tool, false)),
    );
    const each = listed.map((tool) => `${tool.name.replace('codebase_', '')} ${tokens(tool)}`).join(', ');
    t.diagnostic(`${toolset}: ${tokens(listed)} (${each})`);
    if (toolset === 'core') await checkCore(listed);
    for (const tool of listed) assert.ok(tokens(tool) <= MAX_TOOL, `${tool.name}: ${tokens(tool)}`);
  }
  for (const toolsets of [['core'], TOOLSETS] as const) {
    const count = tokens(instructions(toolsets));
    t.diagnostic(`instructions: ${count}`);
    assert.ok(count <= MAX_INSTRUCTIONS, `${count} tokens`);
  }
});

async function checkCore(listed: readonly unknown[]): Promise<void> {
  assert.ok(tokens(listed) <= MAX_CORE, `${tokens(listed)} tokens`);
  const core = tools.filter(({ toolset }) => toolset === 'core');
  const whole = tokens(await Promise.all(core.map((tool) => listTool(tool, true))));
  assert.ok(whole <= MAX_CORE_STRUCTURED, `${whole} tokens with schemas of answers`);
}

test('every tool says what it does to the repository, and takes names that others take', async () => {
  for (const tool of tools) {
    const { name, title, description, annotations, inputSchema } = await listTool(tool, true);
    assert.match(name, /^codebase_[a-z_]+$/);
    assert.ok(title && description, name);
    const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
    for (const hint of hints) assert.equal(typeof annotations?.[hint], 'boolean', `${name} ${hint}`);
    assert.equal(annotations?.readOnlyHint && annotations.destructiveHint, false, name);
    const parameters = Object.keys(inputSchema.properties ?? {});
    assert.ok(
      parameters.every((parameter) => /^[a-z][A-Za-z]*$/.test(parameter)),
      name,
    );
    if (tool.effect === 'deletes')
      assert.ok(inputSchema.required?.includes('projectPath'), `${name} deletes what is not named`);
  }
});

test('schemas are plain: nothing that some clients do not know', async () => {
  for (const tool of tools) {
    const text = JSON.stringify(await listTool(tool, true));
    assert.doesNotMatch(text, /"\$(?:schema|ref|defs)"|"pattern":"|"additionalProperties"|9007199254740991/, tool.name);
    const { outputSchema } = await listTool(tool, true);
    assert.equal(outputSchema?.type, 'object', tool.name);
    assert.equal(outputSchema?.required, undefined, `${tool.name}: a failure is an answer as well`);
  }
});

test('an answer has no field that only another surface can ask for', async () => {
  const fieldsOf = async (name: string) => {
    const tool = tools.find((each) => each.name === name);
    assert.ok(tool, name);
    return Object.keys((await listTool(tool, true)).outputSchema?.properties ?? {});
  };
  const impact = await fieldsOf('codebase_impact');
  assert.ok(!impact.includes('fleet') && impact.includes('linked'), impact.join());
  const references = await fieldsOf('codebase_references');
  assert.ok(!references.includes('linked') && references.includes('uses'), references.join());
  // Always there, whatever was asked: it is listed although agents cannot choose it.
  assert.ok((await fieldsOf('codebase_doc_search')).includes('mode'));
});

test('no tool takes an empty text: it is a variable that is not set', () => {
  for (const tool of tools) {
    const texts = tool.fields.filter(({ name, param, one }) => name !== 'cursor' && (param.type === 'text' || one));
    for (const { name, param } of texts) assert.ok(param.minLength >= 1, `${tool.name}: ${name}`);
  }
});
