/** SCIP indexes: everything that is written is read again, and no bytes make the reader do more than refuse them. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSocraticodeError } from '../../src/base/errors.js';
import {
  encodeDocument,
  encodeExternalSymbol,
  encodeMetadata,
  readScip,
  readScipFile,
  type ScipPart,
  scipBytes,
} from '../../src/scip/index-file.js';
import { document, metadata, symbolInformation } from './samples.js';

const part: fc.Arbitrary<ScipPart> = fc.oneof(
  metadata.map((it) => ({ kind: 'metadata' as const, metadata: it })),
  document.map((it) => ({ kind: 'document' as const, document: it })),
  symbolInformation.map((it) => ({ kind: 'external' as const, symbol: it })),
);

function encode(it: ScipPart): Uint8Array {
  if (it.kind === 'metadata') return encodeMetadata(it.metadata);
  return it.kind === 'document' ? encodeDocument(it.document) : encodeExternalSymbol(it.symbol);
}

const bytesOf = (parts: readonly ScipPart[]) => new Uint8Array(Buffer.concat(parts.map(encode)));
const read = (bytes: Uint8Array) => [...readScip(scipBytes(bytes))];

test('parts that are written come back the same, from memory and from a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'socraticode-scip-'));
  try {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const bytes = bytesOf(parts);
        assert.deepEqual(read(bytes), parts);
        const file = join(folder, 'index.scip');
        writeFileSync(file, bytes);
        assert.deepEqual([...readScipFile(file)], parts);
      }),
      { numRuns: 60 },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a damaged index is read or refused, and nothing else happens', () => {
  const damaged = fc
    .tuple(fc.array(part, { minLength: 1, maxLength: 4 }), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 5 }))
    .chain(([parts, changes]) => {
      const bytes = bytesOf(parts);
      for (const [at, value] of changes) bytes[at % bytes.length] = value;
      return fc.nat(bytes.length).map((length) => bytes.subarray(0, length));
    });
  fc.assert(
    fc.property(fc.oneof(damaged, fc.uint8Array({ maxLength: 200 })), (bytes) => {
      try {
        for (const it of read(bytes)) assert.ok(it.kind);
      } catch (error) {
        assert.ok(isSocraticodeError(error, 'BAD_ARGUMENT'), String(error));
        assert.match(error.message, /^not a SCIP index: .*, at byte \d+$/);
      }
    }),
    { numRuns: 500 },
  );
});

/** Field of `number` with a length and the given content. */
const field = (number: number, ...content: number[]) => [number * 8 + 2, content.length, ...content];

test('every cut within a part is refused', () => {
  const bytes = bytesOf(fc.sample(document, { numRuns: 1, seed: 7 }).map((it) => ({ kind: 'document', document: it })));
  for (let length = 1; length < bytes.length; length++)
    assert.throws(() => read(bytes.subarray(0, length)), /not a SCIP index/, `${length} of ${bytes.length} bytes`);
});

test('lengths and numbers that pass their bounds are refused, without reading them', () => {
  const huge = [0xff, 0xff, 0xff, 0xff, 0x0f];
  assert.throws(() => read(new Uint8Array([18, ...huge])), /a part of 4294967295 bytes/);
  assert.throws(() => read(new Uint8Array(field(2, 18, ...huge))), /a message longer than its part/);
  assert.throws(() => read(new Uint8Array(field(2, 18, 2, 24, ...huge))), /passes the end|out of bounds/);
  assert.throws(
    () => read(new Uint8Array(field(2, ...field(2, ...field(1, 1, 2, 3, 4, 5))))),
    /more than four numbers/,
  );
  assert.throws(() => read(new Uint8Array(field(2, 0, 0))), /a field without a number/);
  assert.throws(() => read(new Uint8Array([8, 1])), /a field that an index does not have/);
});

test('ranges have three or four numbers, packed or single, and others cost only their occurrence', () => {
  const ranges = [field(1, 5, 2, 8), field(1, 5, 2, 6, 1), [8, 5, 8, 2, 8, 8], field(1, 5, 2), field(1, 5, 8, 2), []];
  const bytes = new Uint8Array(field(2, ...ranges.flatMap((it) => field(2, ...it))));
  const [only] = read(bytes);
  assert.ok(only.kind === 'document');
  assert.deepEqual(
    only.document.occurrences.map((it) => it.range),
    [
      [5, 2, 5, 8],
      [5, 2, 6, 1],
      [5, 2, 5, 8],
    ],
  );
});

test('fields that nobody here knows are passed over, at every level', () => {
  const unknown = [...field(15, 1, 2, 3), 14 * 8, 0x96, 1, 13 * 8 + 5, 1, 2, 3, 4, 12 * 8 + 1, 1, 2, 3, 4, 5, 6, 7, 8];
  const bytes = new Uint8Array([
    ...field(15, 9, 9),
    ...field(2, ...unknown, ...field(2, ...unknown, ...field(1, 1, 2, 3))),
  ]);
  const [only] = read(bytes);
  assert.ok(only.kind === 'document');
  assert.deepEqual(only.document.occurrences, [{ range: [1, 2, 1, 3], symbol: '', roles: 0 }]);
});

test('a part keeps a bounded number of entries, however they are spread over its symbols', () => {
  const symbol = field(3, ...Array.from({ length: 60 }, () => field(4)).flat());
  const symbols = Buffer.concat(Array<Buffer>(20_000).fill(Buffer.from(symbol)));
  const head = [18, ...varint(symbols.length)];
  const [only] = read(new Uint8Array(Buffer.concat([Buffer.from(head), symbols])));
  assert.ok(only.kind === 'document');
  const kept = only.document.symbols.reduce((sum, { relationships }) => sum + 1 + relationships.length, 0);
  assert.ok(kept > 499_000 && kept <= 500_000, `${kept}`);
});

test('a text of more than 64 KiB is left out, and what stands behind it is read', () => {
  const long = Buffer.alloc(65_537, 'a');
  const path = Buffer.concat([Buffer.from([10, ...varint(long.length)]), long]);
  const content = Buffer.concat([path, Buffer.from(field(4, 67))]);
  const [only] = read(new Uint8Array(Buffer.concat([Buffer.from([18, ...varint(content.length)]), content])));
  assert.ok(only.kind === 'document');
  assert.deepEqual([only.document.path, only.document.language], ['', 'C']);
});

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)];
}
