/** Requests about resources: what is listed, and what a failed read says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Server } from '@modelcontextprotocol/server';
import { SocraticodeError } from '../../../src/base/errors.js';
import { visibleLine } from '../../../src/base/hygiene.js';
import { registerResources } from '../../../src/mcp/resources/resources.js';
import type { Projects } from '../../../src/serve/projects.js';

type Handler = (request: unknown, context: unknown) => Promise<Record<string, unknown>>;

/** Asks the handlers of a server whose repository opens as `open` says. */
function server(open: () => unknown) {
  const handlers = new Map<string, Handler>();
  const capabilities: unknown[] = [];
  const registered = {
    registerCapabilities: (each: unknown) => capabilities.push(each),
    setRequestHandler: (name: string, handler: Handler) => handlers.set(name, handler),
  } as unknown as Server;
  registerResources(registered, { projects: { open: async () => open() } as unknown as Projects });
  const mcpReq = { signal: new AbortController().signal };
  const ask = async (name: string, params: object = {}) => handlers.get(name)?.({ params }, { mcpReq });
  return { capabilities, ask, read: (uri: string) => ask('resources/read', { uri }) };
}
const fails = (error: unknown) => () => {
  throw error;
};

test('a repository that cannot be opened still lists the status, the map and what else can be read', async () => {
  const { capabilities, ask } = server(fails(new Error('no repository')));
  assert.deepEqual(capabilities, [{ resources: {}, completions: {} }]);
  const { resources } = (await ask('resources/list')) as { resources: { uri: string; name: string }[] };
  assert.deepEqual(
    resources.map(({ name, uri }) => [name, uri]),
    [
      ['status', 'socraticode://status'],
      ['map', 'socraticode://outline'],
    ],
  );
  const { resourceTemplates } = (await ask('resources/templates/list')) as { resourceTemplates: { name: string }[] };
  assert.deepEqual(
    resourceTemplates.map(({ name }) => name),
    ['outline', 'symbol', 'context'],
  );
});

test('a hundred artifacts are listed, by names in which nothing is invisible', async () => {
  const artifacts = Array.from({ length: 101 }, (_, i) => ({ name: `a\u0007${i}` }));
  const { ask } = server(() => ({ once: async () => ({ origin: async () => ({ artifacts }) }) }));
  const { resources } = (await ask('resources/list')) as { resources: Record<string, string>[] };
  assert.equal(resources.length, 2 + 100);
  const { uri, name, title, mimeType } = resources[2];
  assert.deepEqual([name, title, mimeType], [visibleLine('a\u00070'), visibleLine('a\u00070'), 'text/plain']);
  assert.ok(uri.startsWith('socraticode://context/'));
  assert.ok(name !== 'a\u00070');
});

test('an address that names nothing is told with those that do, and no more than 200 characters of it', async () => {
  const { read } = server(() => assert.fail('not opened'));
  const long = `https://example.com/${'x'.repeat(180)}`;
  await assert.rejects(read(long), ({ message }: Error) => {
    assert.ok(message.includes(`${long}. Here are socraticode://status, socraticode://outline, `), message);
    return message.includes('symbol') && message.includes('context');
  });
  await assert.rejects(read(`${long}y`), ({ message }: Error) => message.includes(`${long}…. Here are`));
});

test('a name that is unknown is not found; other failures say what they are', async () => {
  const unknown = new SocraticodeError('BAD_ARGUMENT', 'no such symbol', { hint: 'Did you mean it?' });
  await assert.rejects(server(fails(unknown)).read('socraticode://symbol/Cart'), {
    message: /^Resource not found: socraticode:\/\/symbol\/Cart\. no such symbol\. Did you mean it\?$/,
  });
  await assert.rejects(server(fails(unknown)).read('socraticode://status'), { code: -32_603 });
  const locked = new SocraticodeError('DISK', 'the disk\nis full', { hint: 'Make room.' });
  await assert.rejects(server(fails(locked)).read('socraticode://symbol/Cart'), ({ message }: Error) => {
    assert.ok(message.includes('is full. Make room.'), message);
    return !message.includes('\n');
  });
});
