/** Arbitrary entries for property tests. */
import fc from 'fast-check';
import {
  type EvidenceBody,
  joined,
  packEvidence,
  SUMMARY_KINDS,
  type SummaryBody,
} from '../../src/knowledge/codecs.js';
import type { Anchor, ApprovalBody, Claim, NoteBody, TagBody } from '../../src/knowledge/entry.js';

export const hex = (length: number) =>
  fc.uint8Array({ minLength: length / 2, maxLength: length / 2 }).map((bytes) => Buffer.from(bytes).toString('hex'));

export const words = (maxLength: number, minLength = 1) =>
  fc
    .string({ unit: 'binary', minLength, maxLength })
    .filter((text) => text.length >= minLength && text.length <= maxLength && !text.startsWith('\ufeff'));

export const claims: fc.Arbitrary<Claim> = fc.record({
  author: fc.record(
    {
      name: words(40),
      email: words(40, 0),
      by: fc.constantFrom('person' as const, 'agent' as const),
      agent: words(20),
    },
    { requiredKeys: ['name', 'email', 'by'], noNullPrototype: true },
  ),
  time: fc.nat({ max: 0xffff_ffff }),
});

export const anchors: fc.Arbitrary<Anchor> = fc.record(
  {
    path: words(80),
    symbol: fc.option(words(40)),
    lines: fc.option(
      fc.tuple(fc.integer({ min: 1, max: 9_999 }), fc.nat(500)).map(([start, more]) => ({ start, end: start + more })),
    ),
    blob: hex(40),
    commit: fc.option(hex(40)),
    size: fc.nat(1_000_000),
    content: hex(32),
  },
  { noNullPrototype: true },
);

export const noteBodies: fc.Arbitrary<NoteBody> = fc.oneof(
  fc.record({ text: words(200), anchor: anchors }, { noNullPrototype: true }),
  fc.record({ settles: hex(40), text: words(50, 0) }, { noNullPrototype: true }),
);

export const tagBodies: fc.Arbitrary<TagBody> = fc.record(
  { tag: words(64), anchor: anchors, isOff: fc.boolean() },
  { noNullPrototype: true },
);

export const summaryBodies: fc.Arbitrary<SummaryBody> = fc.record(
  {
    kind: fc.constantFrom(...SUMMARY_KINDS),
    ...{ key: hex(32), model: words(40), text: words(200), objects: fc.array(hex(40), { maxLength: 3 }) },
  },
  { noNullPrototype: true },
);

const ranges = fc
  .array(
    fc.tuple(fc.integer({ min: 1, max: 9_999 }), fc.nat(50)).map(([start, more]) => ({ start, end: start + more })),
    { minLength: 1, maxLength: 9 },
  )
  .map(joined);

/** Lines of few blobs that few tests ran. */
export const ranLines = fc.array(
  fc.record({
    blob: fc.constantFrom('a'.repeat(40), 'b'.repeat(40)),
    test: fc.option(fc.record({ path: words(60), blob: hex(40) }, { noNullPrototype: true })),
    lines: ranges,
  }),
  { minLength: 1, maxLength: 80 },
);

export const evidenceBodies: fc.Arbitrary<EvidenceBody> = fc
  .tuple(words(40), hex(40), ranLines)
  .map(([label, commit, ran]) => packEvidence({ label, commit }, ran)[0]);

const approvedCode = fc.record(
  {
    what: fc.constantFrom('symbol' as const, 'outside' as const, 'file' as const, 'mode' as const, 'removed' as const),
    ...{ path: words(80), symbol: words(40, 0), blob: hex(40), exact: hex(64), nameless: hex(64), loose: hex(64) },
  },
  { noNullPrototype: true },
);

export const approvalBodies: fc.Arbitrary<ApprovalBody> = fc.record(
  {
    commit: hex(40),
    code: fc.array(approvedCode, { minLength: 1, maxLength: 60 }),
    isOff: fc.boolean(),
    signature: words(200, 0),
  },
  { noNullPrototype: true },
);
