/** The directories that a client works in: asked once, again after a change, and never of a client that has none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Server } from '@modelcontextprotocol/server';
import { rootsOf } from '../../src/mcp/roots.js';

function client(capabilities: object | undefined, list: () => { uri: string }[]) {
  const asked: unknown[] = [];
  let changed = () => {};
  const server = {
    getClientCapabilities: () => capabilities,
    setNotificationHandler: (name: string, handler: () => void) => {
      if (name === 'notifications/roots/list_changed') changed = handler;
    },
    listRoots: async (_params: unknown, options: unknown) => {
      asked.push(options);
      return { roots: list() };
    },
  } as unknown as Server;
  return { roots: rootsOf(server), asked, change: () => changed() };
}

test('roots are asked once, with a bound of two seconds, and again after a change', async () => {
  let uris = [{ uri: pathToFileURL('/shop/a b').href }, { uri: 'https://example.com/x' }];
  const { roots, asked, change } = client({ roots: {} }, () => uris);
  assert.deepEqual([await roots(), await roots()], [['/shop/a b'], ['/shop/a b']]);
  assert.deepEqual(asked, [{ timeout: 2_000 }]);
  uris = [];
  change();
  assert.deepEqual([await roots(), asked.length], [[], 2]);
});

test('a client without roots is not asked, and one that refuses has none', async () => {
  for (const capabilities of [undefined, {}]) {
    const { roots, asked } = client(capabilities, () => [{ uri: 'file:///shop' }]);
    assert.deepEqual([await roots(), asked], [[], []]);
  }
  const { roots } = client({ roots: {} }, () => assert.fail('refused'));
  assert.deepEqual(await roots(), []);
});
