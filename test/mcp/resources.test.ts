/** Requests about resources: what is listed, and what a failed read says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Server } from '@modelcontextprotocol/server';
import { SocraticodeError } from '../../src/base/errors.js';
import { visibleLine } from '../../src/base/printable.js';
import { MAX_URI, parseUri, registerResources, TEMPLATES, uriOf } from '../../src/mcp/resources.js';
import type { Projects } from '../../src/serve/projects.js';
import { HOSTILE_URIS } from '../support/hostile/mcp-uris.js';

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
  const { ask } = server(() => ({ session: { origin: async () => ({ artifacts }) } }));
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

test('names survive', () => {
  const paths = [
    ...[
      'a.ts',
      'src/mcp/http.ts',
      'a b/c d.ts',
      'größe/naïve.ts',
      '日本/語.py',
      '100%.md',
      'a%20b.ts',
      '%2e%2e/x',
      '...',
    ],
    ...[
      '[id].tsx',
      '(group)/page.tsx',
      "it's.md",
      'a#b?c=d&e.ts',
      'back\\slash',
      '.github/x.yml',
      '..a/b..',
      '🙂.ts',
      '@scope/x+y,z;=!$*.ts',
    ],
  ];
  for (const value of paths) {
    const uri = uriOf({ kind: 'outline', value });
    assert.deepEqual(parseUri(uri), { kind: 'outline', value }, uri);
    assert.match(uri, /^[!-~]+$/);
  }
  // As a client expands `{+path}`: characters that paths may have stay readable.
  assert.equal(uriOf({ kind: 'outline', value: '@scope/x+y,z;=!$*.ts' }), 'socraticode://outline/@scope/x+y,z;=!$*.ts');
  for (const value of ['Cart.total', 'src/cart.ts:Cart.total', 'operator<<', 'a::b', 'größe', '#private', '$', '%'])
    for (const kind of ['symbol', 'context'] as const)
      assert.deepEqual(parseUri(uriOf({ kind, value })), { kind, value });
});

test('what clients make of the templates is read', () => {
  const expanded = [
    // `{+path}` leaves reserved characters alone, and clients differ in how much else they escape.
    ['socraticode://outline/src/a%20b.ts', 'src/a b.ts'],
    ['socraticode://outline/src%2Fa%20b.ts', 'src/a b.ts'],
    ['socraticode://outline/a#b?c[1].ts', 'a#b?c[1].ts'],
    ['socraticode://outline/gr%C3%B6%c3%9fe.ts', 'größe.ts'],
    ['socraticode://outline/größe.ts', 'größe.ts'],
    ['SocratiCode://Outline/README.md', 'README.md'],
  ] as const;
  for (const [uri, value] of expanded) assert.deepEqual(parseUri(uri), { kind: 'outline', value }, uri);
  assert.deepEqual(parseUri('socraticode://symbol/Cart.total'), { kind: 'symbol', value: 'Cart.total' });
  assert.deepEqual(parseUri('socraticode://status'), { kind: 'status', value: null });
  assert.deepEqual(parseUri('socraticode://outline'), { kind: 'outline', value: null });
  assert.equal(TEMPLATES.outline, 'socraticode://outline/{+path}');
});

test('hostile ones name nothing', () => {
  for (const uri of HOSTILE_URIS) assert.equal(parseUri(uri), null, JSON.stringify(uri));
  assert.equal(parseUri(`socraticode://symbol/${'a'.repeat(MAX_URI)}`), null);
});

test('an address of the greatest length is read, and a longer one is not', () => {
  const uri = uriOf({ kind: 'outline', value: 'x' });
  const longest = uri + 'x'.repeat(MAX_URI - uri.length);
  assert.equal(parseUri(longest)?.kind, 'outline');
  assert.equal(parseUri(`${longest}x`), null);
});
