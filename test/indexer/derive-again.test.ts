/** Records that are derived again: what is said of a note that somebody else wrote. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blobOid } from '../../src/git/objects.js';
import { compareAgain, deriveAgain } from '../../src/indexer/derive-again.js';
import { encodeSyntaxRecord } from '../../src/record/codec.js';
import { MAX_BLOB_BYTES } from '../../src/record/limits.js';
import { materialise } from '../support/generated/corpus.js';
import { source } from './vector-fixture.js';

const CART = materialise(source('Cart', 'add'));
const RECORD = encodeSyntaxRecord(CART.oid, { facts: { typescript: CART.facts } });
type Derived = Parameters<typeof compareAgain>[0];

const unit = (state?: string, facts: unknown = CART.facts) => ({ language: 'typescript', facts, state });
const derived = (more: object = {}) =>
  ({ oid: CART.oid, bytes: CART.bytes, size: 1, units: [unit()], note: RECORD, source: 'parse', ...more }) as Derived;

test('a note is equal when it has the bytes of the record, in either format of names', () => {
  for (const format of ['sha1', 'sha256'] as const) {
    const name = blobOid(RECORD as Uint8Array, format);
    assert.deepEqual(compareAgain(derived(), name, format), { isEqual: true, why: '' });
    assert.deepEqual(compareAgain(derived(), blobOid(Buffer.from('x'), format), format), { isEqual: false, why: '' });
  }
  assert.deepEqual(compareAgain(derived(), undefined, 'sha1'), { isEqual: false, why: '' });
});

test('nothing is said of a record that this machine cannot make, and the reason is told', () => {
  const why = (more: object) => {
    const { isEqual, why: reason } = compareAgain(derived(more), 'x', 'sha1');
    assert.equal(isEqual, null);
    return reason;
  };
  assert.equal(why({ bytes: null, note: null, units: [] }), 'not-here');
  assert.equal(why({ units: [unit(), unit('parse-timeout')] }), 'parse-timeout');
  assert.equal(why({ units: [unit('too-large', null)] }), 'too-large');
  assert.equal(why({ note: null }), 'not-derived');
  // What the content alone decides is a record as any other.
  assert.equal(compareAgain(derived({ units: [unit('binary', null)] }), 'x', 'sha1').isEqual, false);
});

test('the largest file that a record may describe is derived, whatever the settings of this machine, with relations', async () => {
  const asked: unknown[] = [];
  const pool = { size: 1, parse: async () => ({ record: RECORD, degraded: null }) };
  const derive = async (size: number, signal?: AbortSignal) => {
    const objects = {
      info: async (oid: string) => ({ oid, type: 'blob' as const, size }),
      read: async (oid: string) => ({ oid, type: 'blob' as const, size, content: CART.bytes }),
    };
    const blobs = [{ oid: CART.oid, languages: ['typescript'], path: 'cart.ts', sharded: false }];
    for await (const blob of deriveAgain({ objects, signal }, blobs, pool as never)) asked.push(blob);
    return asked.pop() as Derived;
  };
  const { note, source: from, units } = await derive(MAX_BLOB_BYTES);
  assert.deepEqual([note, from, units[0].state], [RECORD, 'parse', undefined]);
  assert.equal((await derive(MAX_BLOB_BYTES + 1)).units[0].state, 'too-large');
  await assert.rejects(derive(1, AbortSignal.abort()), { name: 'AbortError' });
});
