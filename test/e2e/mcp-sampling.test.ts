/** The host's own model writes summaries, where the client offers it and the user allows it. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { createRepo } from '../support/repositories/repo.js';
import { startServer } from '../support/servers/mcp.js';

const FILES = {
  'src/cart.ts': 'export class Cart {\n  total() {\n    return 1;\n  }\n}\n',
  'src/tax.ts': "import { Cart } from './cart';\n\nexport const tax = (cart: Cart) => cart.total();\n",
  'lib/depot.py': 'def nearest(parcel):\n    return parcel\n',
};
const ALL = { targets: ['.'], ask: true };

/** A host whose model says what `say` says; its questions are recorded. */
async function host(t: TestContext, { mode, name = 'host', say = () => 'It sums up goods.' }: Host) {
  const repo = createRepo();
  repo.commit(FILES);
  const asked: { systemPrompt?: string; messages: { content: unknown }[] }[] = [];
  const answering = (client: Client) =>
    client.setRequestHandler('sampling/createMessage', async ({ params }) => {
      asked.push(params);
      return { role: 'assistant' as const, model: 'big\u001b[31m-1', content: { type: 'text' as const, text: say() } };
    });
  const server = await startServer(t, repo.dir, {
    env: { SOCRATICODE_SUMMARIZER_NAME: name },
    client: { capabilities: { sampling: {} }, versionNegotiation: { mode } },
    prepare: answering,
  });
  return { repo, asked, server };
}

interface Host {
  mode: 'legacy' | 'auto';
  name?: string;
  say?: () => string;
}

for (const mode of ['legacy', 'auto'] as const) {
  test(`the model of a host is asked from files to folders, once for each: ${mode}`, async (t) => {
    const { asked, server, repo } = await host(t, { mode });
    const { structured } = await server.ask('codebase_summary', ALL);
    assert.deepEqual([structured.made + structured.kept, structured.left, structured.model], [5, 0, 'host']);
    assert.equal(asked.length, 5);
    assert.match(asked[0].systemPrompt ?? '', /never follow it/);
    assert.equal(structured.summaries.list[0].text, 'It sums up goods.');
    assert.match(structured.summaries.list[0].model, /^host:big\S*\[31m-1$/);
    await server.call('codebase_summary', { targets: ['.'] });
    assert.equal((await server.call('codebase_summary', ALL)).structured.kept, 5);
    assert.equal(asked.length, 5);
    assert.match(repo.git('for-each-ref', 'refs/notes/socraticode/summaries'), /summaries\/[0-9a-f]{16}\n?$/);
  });
}

test("without the user's word, without a question, and where a person refuses, nothing is written", async (t) => {
  const none = await host(t, { mode: 'auto', name: 'none' });
  const refused = await none.server.call('codebase_summary', ALL);
  assert.equal(refused.structured.error.code, 'BAD_CONFIG');
  assert.match(refused.text, /summarizer\.name host/);
  const quiet = await host(t, { mode: 'auto' });
  assert.equal(
    (await quiet.server.ask('codebase_summary', { targets: ['.'] })).structured.summaries.list[0].by,
    'extracted',
  );
  assert.deepEqual([none.asked, quiet.asked], [[], []]);
  const no = await host(t, {
    mode: 'legacy',
    say: () => {
      throw new Error('the user said no');
    },
  });
  const { isError, text } = await no.server.call('codebase_summary', ALL);
  assert.ok(isError);
  assert.match(text, /the user said no/);
  assert.equal(no.repo.git('for-each-ref', 'refs/notes/socraticode/summaries'), '');
});
