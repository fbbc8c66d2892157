/** Bodies of the HTTP interface: what is sent is received, and strange bodies are refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as protocol from '../../fleet/src/protocol.js';
import { commitId, keyIn, PROFILE, sourceFile, uploadOf, viewOf } from './made.js';

const CART = sourceFile('src/cart.ts', 'Cart', ['discount']);
const ABOUT = { profile: PROFILE.id, repo: 'shop', family: 'shop', ref: 'main' };

test('requests and answers arrive as they were sent', () => {
  const keys = [keyIn('shop', CART)];
  const views = [
    { repo: 'shop', ref: 'main', commit: commitId('a'), publishedAt: 7, covered: 1, total: 2, isDefault: true },
  ];
  assert.deepEqual(protocol.decodePlan(protocol.encodePlan({ ...ABOUT, keys })), { ...ABOUT, keys });
  const answer = { previous: commitId('a'), missing: keys };
  assert.deepEqual(protocol.decodePlanAnswer(protocol.encodePlanAnswer(answer)), answer);
  const units = { ...ABOUT, units: [uploadOf(CART)] };
  assert.deepEqual(protocol.decodeUnits(protocol.encodeUnits(units)), units);
  assert.deepEqual(protocol.decodeView(protocol.encodeView(viewOf([CART]))), viewOf([CART]));
  assert.deepEqual(protocol.decodeUnitsAnswer(protocol.encodeUnitsAnswer({ stored: 3 })), { stored: 3 });
  assert.deepEqual(protocol.decodeRefs(protocol.encodeRefs(ABOUT)).repo, 'shop');
  assert.deepEqual(protocol.decodeRefsAnswer(protocol.encodeRefsAnswer(views)), views);
  const failure = { code: 'FLEET_DENIED', message: 'no', hint: 'ask' };
  assert.deepEqual(protocol.decodeFailure(protocol.encodeFailure(failure)), failure);
  for (const outcome of [
    { outcome: 'published' as const },
    { outcome: 'moved' as const, commit: commitId('b') },
    { outcome: 'incomplete' as const, missing: keys },
  ])
    assert.deepEqual(protocol.decodeViewAnswer(protocol.encodeViewAnswer(outcome)), outcome);
});

test('damaged and foreign bodies are refused as arguments', () => {
  const bodies = [
    protocol.encodePlan({ ...ABOUT, keys: [] }),
    protocol.encodeUnits({ ...ABOUT, units: [uploadOf(CART)] }),
  ];
  const decoders = [protocol.decodePlan, protocol.decodeUnits, protocol.decodeView, protocol.decodeRefs];
  const cases = fc.tuple(fc.constantFrom(...bodies), fc.constantFrom(...decoders), fc.nat(), fc.nat(255));
  fc.assert(
    fc.property(cases, ([body, decode, at, byte]) => {
      const bytes = Uint8Array.from(body);
      bytes[at % bytes.length] = byte;
      try {
        decode(bytes);
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'BAD_ARGUMENT');
      }
    }),
    { numRuns: 400 },
  );
});
