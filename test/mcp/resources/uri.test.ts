/** URIs of resources: what names something, what leads outside, and that a name survives the way there and back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_URI, parseUri, TEMPLATES, uriOf } from '../../../src/mcp/resources/uri.js';
import { HOSTILE_URIS } from '../../support/hostile/mcp-uris.js';

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
