/** Uses of other repositories as they are stored: refused in another form, found by their sketch. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FleetIntake } from '../../fleet/src/intake.js';
import { decodeLinks, decodeSketch, encodeLinks, isLinkedFacts } from '../../fleet/src/links.js';
import { deflated, sealed } from '../../fleet/src/sealed.js';
import { mayUse, Published, placeKey, type ReachedPlace, sketchOf, wantedOf } from '../../src/graph/across/facts.js';
import { usesQueryOf } from '../../src/questions/graph/sibling-uses.js';
import { MemoryEngine } from '../support/servers/memory-engine.js';
import { exported, LIBRARY, NOTHING, PROFILE, user, viewOf } from './made.js';

test('facts of other shapes are refused, and come back as they were otherwise', async () => {
  assert.deepEqual(decodeLinks(encodeLinks(user('tax'))), user('tax'));
  assert.equal(decodeLinks(new Uint8Array(0)), null);
  const pack = (facts: unknown, sketch = new Uint8Array(0)) =>
    sealed([1, sketch, deflated(Buffer.from(JSON.stringify(facts)))]);
  const [use] = user('tax').uses;
  const wrong: unknown[] = [
    { ...NOTHING, uses: [{ ...use, line: -1 }] },
    { ...NOTHING, uses: [{ ...use, path: null }] },
    { ...NOTHING, uses: [{ ...use, more: 1 }] },
    { ...NOTHING, uses: {} },
    { ...NOTHING, exports: [exported('Cart')] },
    { ...NOTHING, routes: [{ method: 'GET', route: '/', path: 'a', line: 1, handler: { path: 3 } }] },
    { ...NOTHING, more: [] },
    [],
    null,
  ];
  assert.deepEqual([user('tax'), NOTHING].map(isLinkedFacts), [true, true]);
  for (const facts of wrong) assert.equal(isLinkedFacts(facts), false, JSON.stringify(facts));
  for (const facts of wrong) assert.throws(() => decodeLinks(pack(facts)), { code: 'FLEET_STORE' });
  assert.throws(() => decodeLinks(pack(user('tax'))), { code: 'FLEET_STORE' }, 'a sketch of other facts');
  const intake = new FleetIntake(new MemoryEngine(PROFILE));
  await assert.rejects(intake.view(viewOf([], { links: pack(user('tax')) })), { code: 'BAD_ARGUMENT' });
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (bytes) => {
      if (bytes.length > 0) assert.throws(() => decodeLinks(bytes), { code: 'FLEET_STORE' });
    }),
    { numRuns: 50 },
  );
});

const name = fc.constantFrom('Cart', 'Cart.total', 'Cart.add', 'openCart', 'openCart.total', 'tax', 'money.tax', '');

const module = fc.constantFrom('cart-kit', 'cart-kit/money', 'other');

const anyFacts = fc.record({
  exports: fc.array(
    fc
      .record({ name, module, symbol: name, result: fc.constantFrom(undefined, 'Cart') })
      .map(({ result, ...rest }) => exported(rest.name, { ...rest, ...(result !== undefined && { result }) })),
    { maxLength: 8 },
  ),
  routes: fc.array(
    fc.constantFrom('/users/:id', '/:id', '/users', '/api/:x/list').map((route) => ({
      ...{ method: 'GET', route, path: 'api.ts', line: 1, handler: { path: 'api.ts', symbol: route } },
    })),
    { maxLength: 3 },
  ),
});

const anyUser = fc.record({
  uses: fc.array(
    fc.record({ name, specifier: module, told: fc.boolean() }).map(({ told, ...rest }) => ({
      ...{
        ecosystem: 'npm',
        path: 'app.ts',
        symbol: null,
        line: 1,
        uses: 1,
        ...rest,
        ...(told && { told: true as const }),
      },
    })),
    { maxLength: 4 },
  ),
  calls: fc.array(
    fc
      .constantFrom('/users/*', '/users/7', '/*', '/x/list', '/users')
      .map((route) => ({ method: 'GET', route, path: 'web.ts', symbol: null, line: 1 })),
    { maxLength: 2 },
  ),
});

test('neither the sketch nor what is left out of a question loses a use, or makes one up', () => {
  fc.assert(
    fc.property(anyFacts, anyUser, fc.array(name, { maxLength: 4 }), (offered, used, meant) => {
      const facts = { ...NOTHING, packages: LIBRARY.packages, ...offered };
      const asking = { ...NOTHING, ...used };
      const places = [
        ...meant.map((symbol) => ({ path: 'src/cart.ts', symbol })),
        { path: 'api.ts', symbol: '/users/:id' },
      ];
      const reached = new Map<string, ReachedPlace>(
        places.map((place) => [placeKey(place), { hop: 0, confidence: 1 }]),
      );
      const expected = new Published(facts).usesBy(asking, reached);
      const asked = usesQueryOf(facts, reached);
      const kept = new Map<string, ReachedPlace>(asked.reached.map((place) => [placeKey(place), place]));
      assert.deepEqual(new Published({ ...NOTHING, ...asked.published }).usesBy(asking, kept), expected);
      const sketch = decodeSketch(encodeLinks(asking)) ?? assert.fail();
      assert.deepEqual(sketch, sketchOf(asking));
      if (expected.length > 0) assert.ok(mayUse(sketch, wantedOf(asked.published)));
    }),
    { numRuns: 500 },
  );
});
