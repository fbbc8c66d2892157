import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSocraticodeError, SocraticodeError } from '../../src/base/errors.js';
import { noRelations } from '../../src/languages/roles/relation-facts.js';
import { encodeCanonical } from '../../src/record/cbor.js';
import { decodeLinkFacts, decodeReferences, encodeLinkFacts, type LinkFacts } from '../../src/record/link-facts.js';
import { hostilePayloads } from './hostile.js';
import { anyFacts, SAMPLE } from './sample.js';

const facts = ({ lines, symbols, relations }: LinkFacts): LinkFacts => ({
  ...{ lines, relations },
  symbols: symbols.map(({ name, kind, container, exported, fixed, arity, parameters, startLine, endLine }) => ({
    ...{ name, kind, container, exported, startLine, endLine },
    ...(fixed && { fixed }),
    ...(arity !== undefined && { arity }),
    ...(parameters !== undefined && { parameters }),
  })),
});

/** Decodes; anything but RECORD_CORRUPT fails the test. */
function tryDecode(bytes: Uint8Array): LinkFacts | null {
  try {
    return decodeLinkFacts(bytes);
  } catch (error) {
    assert.ok(isSocraticodeError(error, 'RECORD_CORRUPT'), String(error));
    return null;
  }
}

test('any facts decode to the part that linking needs, and have one encoding', () => {
  fc.assert(
    fc.property(anyFacts, (any) => {
      const bytes = encodeLinkFacts(any);
      assert.deepEqual(decodeLinkFacts(bytes), facts(any));
      assert.deepEqual(decodeReferences(bytes), facts(any).relations.references);
      assert.deepEqual(encodeLinkFacts(decodeLinkFacts(bytes)), bytes);
    }),
    { numRuns: 200 },
  );
});

test('facts without relations have no references', () => {
  const bytes = encodeLinkFacts({ lines: 1, symbols: [], relations: noRelations() });
  assert.deepEqual([decodeReferences(bytes), decodeLinkFacts(bytes).relations], [[], noRelations()]);
});

test('every truncation is refused, and a changed byte is refused or means something else', () => {
  assert.ok('facts' in SAMPLE);
  const bytes = encodeLinkFacts(SAMPLE.facts.c);
  for (let at = 0; at < bytes.length; at++) {
    assert.equal(tryDecode(bytes.subarray(0, at)), null, `cut at ${at}`);
    for (const bits of [1, 0x20, 0x80, 0xff]) {
      const damaged = bytes.slice();
      damaged[at] ^= bits;
      const read = tryDecode(damaged);
      if (read !== null) assert.deepEqual(encodeLinkFacts(read), damaged, `byte ${at} xor ${bits}`);
    }
  }
});

test('bytes that are refused as records are refused as facts for linking too', () => {
  for (const { name, bytes } of hostilePayloads()) assert.equal(tryDecode(bytes), null, name);
  const none = new Uint8Array();
  const wrong = {
    'four fields': [0, 0, none, none],
    'symbols without columns': [9, 20_000, none, none, null],
    'more symbols than a blob has': [9, 20_001, new Uint8Array(200_000), none, null],
    'symbol on line 0': [9, 1, Buffer.from([1, 0, 0, 0, 0, 0]), Buffer.from('a'), null],
    'symbol beyond the last line': [9, 1, Buffer.from([1, 0, 0, 0, 1, 9]), Buffer.from('a'), null],
    'container after its content': [9, 1, Buffer.from([1, 0, 1, 0, 1, 0]), Buffer.from('a'), null],
    'a name of 513': [9, 1, Buffer.from([0x81, 4, 0, 0, 0, 1, 0]), Buffer.from('x'.repeat(513)), null],
    'text after the last name': [9, 1, Buffer.from([1, 0, 0, 0, 1, 0]), Buffer.from('ab'), null],
  };
  for (const [name, value] of Object.entries(wrong)) assert.equal(tryDecode(encodeCanonical(value)), null, name);
  assert.notEqual(tryDecode(encodeCanonical([9, 1, Buffer.from([1, 0, 0, 0, 1, 0]), Buffer.from('a'), null])), null);
});

test('a bug of the extractor is refused when writing', () => {
  assert.ok('facts' in SAMPLE);
  const { lines, symbols, relations } = SAMPLE.facts.c;
  const odd = { lines, relations, symbols: [{ ...symbols[0], kind: 'monad' as 'class' }] };
  assert.throws(() => encodeLinkFacts(odd), SocraticodeError);
  const many = Array.from({ length: 4_500 }, () => ({ ...symbols[0], container: -1, name: 'x'.repeat(500) }));
  assert.throws(() => encodeLinkFacts({ lines, relations, symbols: many }), /more than 2 MiB/);
  for (const name of ['\ud800', 'x\udc00']) {
    const broken = { lines, relations, symbols: [{ ...symbols[0], name }] };
    assert.throws(() => encodeLinkFacts(broken), SocraticodeError);
  }
});

test('names that a compiler resolved are kept beside the facts, and facts without them have none', () => {
  const none = { lines: 1, symbols: [], relations: noRelations() };
  const compiled = Uint8Array.from([1, 2, 3]);
  assert.deepEqual(decodeLinkFacts(encodeLinkFacts({ ...none, compiled })), { ...none, compiled });
  assert.equal('compiled' in decodeLinkFacts(encodeLinkFacts(none)), false);
  assert.deepEqual(decodeReferences(encodeLinkFacts({ ...none, compiled })), []);
});
