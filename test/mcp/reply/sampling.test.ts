/** Questions to the client's model: sixteen a round, six rounds a call, and answers belong to the question that was asked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Server, ServerContext } from '@modelcontextprotocol/server';
import { samplingOf } from '../../../src/mcp/reply/sampling.js';

interface Asked {
  state?: unknown;
  responses?: Record<string, unknown>;
  capabilities?: object | null;
}

function sampling({ state, responses, capabilities = { sampling: {} } }: Asked = {}) {
  const server = { getClientCapabilities: () => capabilities ?? undefined } as unknown as Server;
  const mcpReq = { requestState: () => state, inputResponses: responses };
  return samplingOf(server, { mcpReq } as unknown as ServerContext);
}

interface Round {
  inputRequests: Record<string, { params: { systemPrompt: string; maxTokens: number } }>;
  requestState: string;
}

/** The round that asks what was wanted; null: nothing is asked. */
function rounds(given: Asked, ...questions: string[]): Round | null {
  const model = sampling(given);
  assert.ok(model !== null);
  for (const question of questions) model.ask('system', question);
  return model.next() as Round | null;
}

test('a client that has not offered its model is never asked', () => {
  assert.equal(sampling({ capabilities: {} }), null);
  assert.equal(sampling({ capabilities: null }), null);
  assert.equal(rounds({}), null, 'nothing was wanted');
});

test('a question is asked once a round, with its bound, and no more than sixteen', () => {
  const round = rounds({}, 'one', 'one', 'two');
  const requests = Object.values(round?.inputRequests ?? {});
  assert.deepEqual(
    requests.map(({ params }) => [params.systemPrompt, params.maxTokens]),
    [
      ['system', 300],
      ['system', 300],
    ],
  );
  const many = rounds({}, ...Array.from({ length: 20 }, (_, i) => `question ${i}`));
  assert.equal(Object.keys(many?.inputRequests ?? {}).length, 16);
});

test('a round says which it is, and after the sixth nothing is asked', () => {
  assert.deepEqual(
    [undefined, '1', '5', '6', '-1', '1.5', 'x'].map((state) => rounds({ state }, 'one')?.requestState ?? null),
    ['1', '2', '6', null, '1', '1', '1'],
  );
});

test('an answer is taken for its own question alone, with the name of the model in one line', () => {
  const key = Object.keys(rounds({}, 'one')?.inputRequests ?? {})[0];
  const result = {
    role: 'assistant',
    model: `m\n${'x'.repeat(200)}`,
    content: [
      { type: 'text', text: 'first' },
      { type: 'text', text: 'second' },
    ],
  };
  const model = sampling({ state: '1', responses: { [key]: result } });
  const said = model?.ask('system', 'one');
  assert.equal(said?.text, 'first second');
  assert.deepEqual([said?.model.length, said?.model.includes('\n')], [100, false]);
  assert.equal(model?.next(), null);
  assert.equal(model?.ask('system', 'other'), null);
  assert.notEqual(model?.next(), null);
});
