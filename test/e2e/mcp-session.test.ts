/**
 * A real question, answered in three calls: kept word for word in fixtures/mcp/session.md, so that a change of what agents
 * read is seen. To accept one:
 *
 *     npx tsc -p test/tsconfig.json && UPDATE_FIXTURES=1 node build/test/e2e/mcp-session.test.js
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { ROOT } from '../house/root.js';
import { shop } from '../support/repositories/shop.js';
import { startServer } from '../support/servers/mcp.js';

const GOLDEN = new URL('fixtures/mcp/session.md', ROOT);

const QUESTION =
  'Where are pricing rules applied to the items of a cart, what depends on it, is it tested, and when did it change?';
const CALLS: readonly [tool: string, args: Record<string, unknown>][] = [
  ['codebase_search', { query: 'where are pricing rules applied to the items of a cart', limit: 3 }],
  ['codebase_impact', { target: 'apply_rules' }],
  ['codebase_history', { query: 'apply_rules' }],
];
const MAX_TOKENS = 1_500;

test('a question of a newcomer is answered in three calls', async (t) => {
  const server = await startServer(t, shop().dir, { args: ['--toolsets', 'core,history'], structured: false });
  let session = `# ${QUESTION}\n`;
  let tokens = 0;
  for (const [tool, args] of CALLS) {
    const { text, isError } = await server.ask(tool, args);
    assert.equal(isError, false, text);
    tokens += countTokens(text);
    session += `\n## ${tool} ${JSON.stringify(args)}\n\n\`\`\`text\n${text.trimEnd()}\n\`\`\`\n`;
  }
  assert.ok(tokens <= MAX_TOKENS, `${tokens} tokens`);
  // The parts of the question, one by one.
  assert.match(session, /rules\.py:\d+-\d+ {2}apply_rules/);
  assert.match(session, /hop 1: 2\n.*add_item\n.*Cart\.total/);
  assert.match(session, /1 test file reaches it/);
  assert.match(session, /last changed +\w{9} 2024-01-02 a rule has to match every item/);
  if (process.env.UPDATE_FIXTURES === '1') writeFileSync(GOLDEN, session);
  assert.equal(session, readFileSync(GOLDEN, 'utf8'));
});
