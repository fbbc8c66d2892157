/** Texts of all questions: what stands in a document can move no cursor and begin no line. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Params } from '../../src/params/param.js';
import type { JsonSchema } from '../../src/params/shape.js';
import { COMMAND_WORDS, createPen } from '../../src/questions/pen.js';
import type { AnyQuestion } from '../../src/questions/question.js';
import { loadQuestions } from '../../src/questions/table.js';
import { writtenText } from '../../src/questions/view.js';

const HOSTILE = 'x\x1b[2J\nFORGED: y\u202e\r\nFORGED\tz\u200b';
const PATCH = `@@ -1 +1 @@\n+${HOSTILE.replaceAll('\n', '\n+')}\n`;
const pen = { ...createPen({ stdout: { isTTY: true } }, false), words: COMMAND_WORDS };

/** Documents whose text prints whole files of this program's own making. */
const WHOLE = new Set(['hooks-change', 'mcp-install']);

/** A document of a schema in which every free text is hostile; `isFull`: with all that may be missing. */
function hostile(schema: JsonSchema, isFull: boolean): unknown {
  const { anyOf, type, properties, required = [], items, additionalProperties } = schema as Record<string, never>;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (Array.isArray(anyOf)) return hostile(pick(anyOf as JsonSchema[], isFull), isFull);
  const kind = Array.isArray(type) ? pick(type as string[], isFull) : type;
  if (kind === 'string') return schema.pattern === undefined ? HOSTILE : 'a'.repeat(40);
  if (kind === 'integer' || kind === 'number') return Math.max(2, (schema.minimum as number) ?? 0);
  if (kind === 'boolean') return isFull;
  if (kind === 'array') return [0, 1].map(() => hostile(items, isFull));
  if (kind !== 'object') return null;
  if (properties === undefined) return { [HOSTILE]: hostile(additionalProperties, isFull) };
  const fields = Object.entries(properties as Record<string, JsonSchema>);
  const here = fields.filter(([name]) => isFull || (required as string[]).includes(name));
  // Each line of a patch has its sign before the text of the repository.
  return Object.fromEntries(here.map(([name, field]) => [name, name === 'patch' ? PATCH : hostile(field, isFull)]));
}

const pick = <T>(all: readonly T[], isFull: boolean): T => (isFull ? all[0] : (all.at(-1) as T));

/** Values that a question has where none are given; a pattern has no default. */
function defaultsOf({ params }: AnyQuestion): Record<string, unknown> {
  const defaults = Object.entries(params as Params).map(([key, param]) => [key, param.default]);
  return { ...Object.fromEntries(defaults), ...('pattern' in params && { pattern: 'FORGED' }) };
}

test('no text of a question lets names or texts of a repository move the cursor or begin a line', async () => {
  let texts = 0;
  for (const question of await loadQuestions()) {
    const write = await question.text();
    for (const [name, { schema }] of Object.entries(question.documents as AnyQuestion['documents'])) {
      if (name === 'error') continue;
      for (const isFull of [true, false])
        for (const isCommand of [true, false]) {
          const values = defaultsOf(question);
          const document = hostile(schema.jsonSchema, isFull) as object;
          if (question.isExact?.(document, values)) continue;
          const text = writtenText(write(document, { pen, values, isCommand }), pen);
          const where = `${question.name}, ${name}${isFull ? '' : ', short'}${isCommand ? '' : ', for agents'}`;
          // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
          assert.doesNotMatch(text, /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202e]/, where);
          if (!WHOLE.has(name)) assert.doesNotMatch(text, /^FORGED/m, `${where}:\n${text}`);
          texts++;
        }
    }
  }
  assert.ok(texts > 200, String(texts));
});

/** Lists of each answer of which one entry is enough for a command to exit with 0. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  tests: ['will', 'may'],
  coupling: ['coupled', 'symbols'],
  'docs links': ['mentions', 'mentionedIn'],
  'graph deps': ['imports', 'external', 'unresolved', 'dependents'],
  'graph diff': ['dependencies', 'cycles', 'api'],
  'graph references': ['uses', 'likely', 'possible'],
};

test('a command exits with 1 only if all lists of its answer are empty, or if its target is one of several', async () => {
  const questions = await loadQuestions();
  for (const [name, lists] of Object.entries(LISTS)) {
    const isNegative = questions.find((one) => one.name === name)?.command?.isNegative;
    assert.ok(isNegative, name);
    const isNothing = (filled: readonly string[]) =>
      isNegative(Object.fromEntries(lists.map((list) => [list, { list: filled.includes(list) ? [{}] : [] }])), {});
    assert.equal(isNothing([]), true, name);
    assert.equal(isNothing(lists), false, name);
    for (const list of lists) assert.equal(isNothing([list]), false, `${name}: ${list}`);
  }
  const tests = questions.find((one) => one.name === 'tests')?.command?.isNegative;
  assert.equal(tests?.({ target: 'total', candidates: { list: [{}], leftOut: 0 } }, {}), true);
});

const KEPT = new URL('../../../fixtures/declarations.txt', import.meta.url);

/** Bounds of a parameter that states none. */
const USUAL: Readonly<Record<string, unknown>> = {
  ...{ required: false, commas: false, minLength: 0, maxLength: 4_096, maxEntries: 1_000 },
};

/** Functions say only that they are there; texts are checked where people read them. */
function shown(key: string, value: unknown): unknown {
  if (['summary', 'details', 'description'].includes(key) || value === (USUAL[key] ?? null)) return undefined;
  if (typeof value === 'function') return '()';
  return value instanceof RegExp ? String(value) : value;
}

/** After a change that is meant: `UPDATE_FIXTURES=1 node build/test/questions/question.test.js`, and read the difference. */
test('parameters of every question, with their bounds, defaults and forms, are those that were recorded', async () => {
  const lines = (await loadQuestions()).flatMap(({ name, effect, params, command, tool }) => {
    const { examples: _, ...form } = { examples: [], ...command };
    const about = { effect, command: command && form, tool: tool && { name: tool.name, toolset: tool.toolset } };
    const each = Object.entries(params).map(([key, param]) => `  ${key} ${JSON.stringify(param, shown)}`);
    return [`${name} ${JSON.stringify(about, shown)}`, ...each];
  });
  if (process.env.UPDATE_FIXTURES === '1') writeFileSync(KEPT, `${lines.join('\n')}\n`);
  assert.deepEqual(lines, readFileSync(KEPT, 'utf8').trimEnd().split('\n'));
});
