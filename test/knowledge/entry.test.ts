/** Entries: every one survives its bytes, and no other bytes count as one. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSocraticodeError } from '../../src/base/errors.js';
import {
  EVIDENCE,
  Evidence,
  inspectEntry,
  joined,
  outcomeSets,
  packEvidence,
  packOutcomes,
  SUMMARIES,
  summariesOf,
} from '../../src/knowledge/codecs.js';
import {
  type Anchor,
  APPROVALS,
  anchorAt,
  approvalDigest,
  decodeEntry,
  EntryStore,
  encodeEntry,
  handTagsOf,
  MAX_ENTRIES,
  MAX_ENTRY_BYTES,
  NOTES,
  notesOf,
  packApproved,
  packed,
  TAGS,
} from '../../src/knowledge/entry.js';
import { ONE_SET } from '../../src/knowledge/kinds.js';
import { type CborValue, encodeCanonical, seal } from '../../src/record/cbor.js';
import { Session } from '../../src/session/session.js';
import { createRepo } from '../support/repositories/repo.js';
import { approvalBodies, claims, evidenceBodies, noteBodies, ranLines, summaryBodies, tagBodies } from './sample.js';

test('an entry is read back as it was written, under an id that only its own bytes have', () => {
  fc.assert(
    fc.property(claims, noteBodies, fc.constantFrom('sha1' as const, 'sha256' as const), (claim, body, format) => {
      const { id, bytes } = encodeEntry(NOTES, { ...claim, body }, format);
      assert.equal(id.length, format === 'sha1' ? 40 : 64);
      const decoded = decodeEntry(NOTES, bytes, id);
      assert.deepEqual(decoded, { ok: true, record: { id, ...claim, body } });
      assert.equal(
        decodeEntry(
          NOTES,
          bytes,
          id.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
        ).ok,
        false,
      );
    }),
  );
});

const anchor = anchorAt(Buffer.from('a\nb\nc\n'), {
  ...{ path: 'a.ts', symbol: null, lines: { start: 2, end: 2 }, blob: 'b'.repeat(40), commit: null },
}) as Anchor;
const author = { name: 'a', email: '', by: 'person' as const };

test('of several that settle a note the first one counts, in whatever order they arrive', () => {
  const [id, other] = ['1'.repeat(40), '2'.repeat(40)];
  const settles = (letter: string, time: number) => ({
    id: letter,
    author,
    time,
    body: { settles: id, text: `${time}` },
  });
  const said = [id, other].map((each, i) => ({ id: each, author, time: i, body: { text: 'x', anchor } }));
  for (const entries of [
    [...said, settles('a', 5), settles('b', 3), settles('c', 9)],
    [settles('c', 9), settles('b', 3), settles('a', 5), ...said],
  ])
    assert.deepEqual(
      notesOf(entries).map(({ id: of, settled }) => [of, settled?.text ?? null]),
      [
        [id, '3'],
        [other, null],
      ],
    );
});

test('tags are in the order in which they were last given', () => {
  const entries = ['one', 'two', 'one'].map((tag, time) => ({
    id: `${time}`,
    author,
    time,
    body: { tag, anchor, isOff: false },
  }));
  assert.deepEqual(
    handTagsOf(entries).map(({ tag }) => tag),
    ['two', 'one'],
  );
});

test('lines are anchored only where a text has all of them', () => {
  const sizeOf = (text: string, start: number, end: number) =>
    anchorAt(Buffer.from(text), { ...anchor, lines: { start, end } })?.size ?? null;
  for (const text of ['a\nbb\n', 'a\nbb', 'a\r\nbb\r\n'])
    assert.deepEqual(
      [sizeOf(text, 1, 1), sizeOf(text, 2, 2), sizeOf(text, 2, 4), sizeOf(text, 4, 4)],
      [1, 2, null, null],
      text,
    );
  assert.deepEqual([sizeOf('a\nbb\n', 1, 2), sizeOf('a\nbb', 1, 2), sizeOf('a\nbb', 1, 3)], [4, 4, null]);
});

test('a tag by hand is read back as it was written, and of two words on the same bytes the later one counts', () => {
  fc.assert(
    fc.property(claims, tagBodies, (claim, body) => {
      const { id, bytes } = encodeEntry(TAGS, { ...claim, body }, 'sha1');
      assert.deepEqual(decodeEntry(TAGS, bytes, id), { ok: true, record: { id, ...claim, body } });
      assert.equal(inspectEntry('tags', bytes, id).ok, true);
      assert.equal(inspectEntry('notes', bytes, id).ok, false);
      const later = { id: 'f', ...claim, time: claim.time + 1, body: { ...body, isOff: !body.isOff } };
      for (const entries of [
        [later, { id: 'a', ...claim, body }],
        [{ id: 'a', ...claim, body }, later],
      ])
        assert.deepEqual(
          handTagsOf(entries).map(({ id: each }) => each),
          ['f'],
        );
    }),
  );
});

test('an approval is read back as it was written, its signature is about all else, and forged forms are refused', () => {
  fc.assert(
    fc.property(claims, approvalBodies, (claim, body) => {
      const { id, bytes } = encodeEntry(APPROVALS, { ...claim, body }, 'sha1');
      assert.deepEqual(decodeEntry(APPROVALS, bytes, id), { ok: true, record: { id, ...claim, body } });
      assert.equal(inspectEntry('approvals', bytes, id).ok, true);
      const digest = approvalDigest({ ...claim, body });
      assert.equal(approvalDigest({ ...claim, body: { ...body, signature: 'another' } }), digest);
      assert.notEqual(approvalDigest({ ...claim, body: { ...body, isOff: !body.isOff } }), digest);
      assert.notEqual(approvalDigest({ ...claim, time: claim.time ^ 1, body }), digest);
      assert.deepEqual(packApproved(body.code).flat(), body.code);
      const written = APPROVALS.write(body);
      const asRead = (change: object) => () => APPROVALS.read({ ...written, ...change });
      assert.throws(asRead({ code: [] }), /no list/);
      assert.throws(asRead({ code: [[5, 'a', '', Buffer.alloc(20), Buffer.alloc(96)]] }), /the kind/);
      assert.throws(asRead({ code: [[0, 'a', '', Buffer.alloc(20), Buffer.alloc(95)]] }), /hashes/);
      assert.throws(asRead({ off: false }), /off is neither/);
    }),
  );
});

test('code is approved in as many entries as it takes, each with no more items and bytes than it may have', () => {
  const sizes = (all: number[], most: number, bytes: number) => packed(all, (one) => one, most, bytes);
  assert.deepEqual(sizes([], 2, 9), []);
  assert.deepEqual(sizes([1, 1, 1, 1, 1], 2, 9), [[1, 1], [1, 1], [1]]);
  assert.deepEqual(sizes([5, 4, 1, 9, 3], 9, 9), [[5, 4], [1], [9], [3]]);
  assert.deepEqual(sizes([5, 5, 2, 2, 5, 4], 9, 9), [[5], [5, 2, 2], [5, 4]]);
});

test('a summary is read back as it was written, and of two on the same code the earlier one counts', () => {
  fc.assert(
    fc.property(claims, summaryBodies, (claim, body) => {
      const { id, bytes } = encodeEntry(SUMMARIES, { ...claim, body }, 'sha1');
      assert.deepEqual(decodeEntry(SUMMARIES, bytes, id), { ok: true, record: { id, ...claim, body } });
      assert.deepEqual(inspectEntry('summaries', bytes, id), {
        ok: true,
        revealed: { objects: body.objects, branches: [] },
      });
      const later = { id: 'a', ...claim, time: claim.time + 1, body: { ...body, text: 'later' } };
      for (const entries of [
        [later, { id: 'f', ...claim, body }],
        [{ id: 'f', ...claim, body }, later],
      ])
        assert.equal(summariesOf(entries).get(body.key)?.text, body.text);
    }),
  );
});

test('evidence is read back as it was written, and packed into entries it tells the same of every line', () => {
  fc.assert(
    fc.property(claims, evidenceBodies, ranLines, (claim, body, ran) => {
      const { id, bytes } = encodeEntry(EVIDENCE, { ...claim, body }, 'sha1');
      assert.deepEqual(decodeEntry(EVIDENCE, bytes, id), { ok: true, record: { id, ...claim, body } });
      // Whoever reads it learns of the commit, of each test and of each blob that ran.
      const told =
        'ran' in body
          ? [body.commit, ...body.tests, ...body.ran].map((it) => (typeof it === 'string' ? it : it.blob))
          : [];
      const verdict = inspectEntry('evidence', bytes, id);
      assert.deepEqual(verdict.ok && new Set(verdict.revealed.objects), new Set(told));
      const bodies = packEvidence({ label: 'ci', commit: body.commit }, ran);
      for (const each of bodies) encodeEntry(EVIDENCE, { ...claim, body: each }, 'sha1');
      const evidence = new Evidence(bodies.map((each) => ({ id: 'a', ...claim, body: each })));
      for (const { blob, test, lines } of ran) {
        const { start } = lines[lines.length - 1];
        const found = evidence.ranAt(blob, { start, end: start }).map(({ test: by }) => by);
        assert.ok(found.some((by) => by?.path === test?.path && by?.blob === test?.blob));
      }
    }),
  );
});

test('outcomes are read back as they were written, and columns that do not fit together are refused', () => {
  const claim = { author: { name: 'a', email: '', by: 'person' as const }, time: 1 };
  const outcomes = Array.from({ length: 1_000 }, (_, i) => ({
    path: `${'é'.repeat(i % 90)}/${i}.test.ts`,
    key: i.toString(16).padStart(32, '0'),
    isPassed: i % 3 > 0,
  }));
  const packs = packOutcomes([...outcomes, { path: 'two\nlines', key: '0'.repeat(32), isPassed: true }]);
  const read = packs.flatMap((pack) => {
    const body = { label: 'ci', commit: 'c'.repeat(40), outcomes: pack, again: 2, signature: '' };
    const { id, bytes } = encodeEntry(EVIDENCE, { ...claim, body }, 'sha1');
    const found = decodeEntry(EVIDENCE, bytes, id);
    assert.ok(found.ok);
    assert.deepEqual(found.record.body, body);
    assert.deepEqual(inspectEntry('evidence', bytes, id), {
      ok: true,
      revealed: { objects: ['c'.repeat(40)], branches: [] },
    });
    return pack;
  });
  assert.deepEqual(read, outcomes);
  const columns = (...all: [unknown, unknown, unknown]) => ({
    label: 'ci',
    commit: Buffer.alloc(20, 1),
    outcomes: all,
    again: 0,
  });
  const [key, one] = [new Uint8Array(16), new Uint8Array([1])];
  assert.ok(EVIDENCE.read(columns('a.test.ts', key, one)));
  for (const wrong of [
    columns('a\nb', key, one),
    columns('a', new Uint8Array(15), one),
    columns('a', key, new Uint8Array([2])),
    columns('', key, one),
    columns(1, key, one),
    { ...columns('a', key, one), tests: [] },
    { ...columns('a', key, one), again: -1 },
  ])
    assert.throws(() => EVIDENCE.read(wrong));
});

test('ranges are joined where they touch or lie in each other, in whatever order they come', () => {
  const ranges = (text: string) =>
    text.split(' ').map((range) => ({ start: Number(range.split('-')[0]), end: Number(range.split('-')[1]) }));
  for (const [given, expected] of [
    ['1-9 2-3', '1-9'],
    ['2-3 1-9 4-5', '1-9'],
    ['1-3 4-5', '1-5'],
    ['1-3 5-6', '1-3 5-6'],
    ['7-8 1-2 2-6', '1-8'],
    ['1-9 3-4 5-12', '1-12'],
  ])
    assert.deepEqual(joined(ranges(given)), ranges(expected), given);
});

test('outcomes are kept by month, over the end of a year', () => {
  const january = Date.UTC(2027, 0, 31) / 1_000;
  assert.deepEqual(outcomeSets(january), ['outcomes-2027-01', 'outcomes-2026-12', 'outcomes-2026-11']);
});

test('a large report makes entries within their limits, and lines that are in no order or of no test are refused', () => {
  const run = { label: 'ci', commit: 'c'.repeat(40) };
  const claim = { author: { name: 'a', email: '', by: 'person' as const }, time: 1 };
  const lines = Array.from({ length: 50_000 }, (_, i) => ({ start: 2 * i + 1, end: 2 * i + 1 }));
  const tests = Array.from({ length: 300 }, (_, i) => ({ path: `${'é'.repeat(900)}${i}`, blob: 'd'.repeat(40) }));
  const ran = [
    { blob: 'a'.repeat(40), test: null, lines },
    ...tests.map((by) => ({ blob: 'b'.repeat(40), test: by, lines: lines.slice(0, 9) })),
  ];
  const bodies = packEvidence(run, ran);
  for (const body of bodies) encodeEntry(EVIDENCE, { ...claim, body }, 'sha256');
  assert.equal(bodies.flatMap((body) => body.tests).length, 300);
  const [{ ran: first }] = bodies;
  for (const bad of [{ by: 1 }, { lines: [lines[1], lines[0]] }, { lines: [{ start: 0, end: 1 }] }, { lines: [] }])
    assert.throws(() =>
      encodeEntry(EVIDENCE, { ...claim, body: { ...run, tests: [], ran: [{ ...first[0], ...bad }] } }, 'sha1'),
    );
});

test('bytes that were changed anywhere are no entry', () => {
  fc.assert(
    fc.property(claims, noteBodies, fc.nat(), fc.integer({ min: 1, max: 255 }), (claim, body, at, bits) => {
      const { id, bytes } = encodeEntry(NOTES, { ...claim, body }, 'sha1');
      bytes[at % bytes.length] ^= bits;
      assert.equal(decodeEntry(NOTES, bytes, id).ok, false);
    }),
  );
});

test('random bytes, and bytes that claim to be an entry, are refused without an exception', () => {
  const { id } = encodeEntry(NOTES, { ...SOMEBODY, body: { settles: 'a'.repeat(40), text: '' } }, 'sha1');
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      assert.equal(decodeEntry(NOTES, bytes, id).ok, false);
      const sealed = seal('notes', 1, id, bytes) as Uint8Array;
      assert.equal(decodeEntry(NOTES, sealed, id).ok, false);
    }),
  );
  assert.equal(decodeEntry(NOTES, new Uint8Array(MAX_ENTRY_BYTES + 1), id).ok, false);
});

const SOMEBODY = { author: { name: 'Ann', email: '', by: 'person' as const }, time: 1 };

test('an envelope whose id is not the hash of what it holds is refused', () => {
  const payload = encodeCanonical({ by: { name: 'Ann', email: '', by: 'person' }, at: 1, settles: Buffer.alloc(20) });
  const id = 'b'.repeat(40);
  const decoded = decodeEntry(NOTES, seal('notes', 1, id, payload) as Uint8Array, id);
  assert.deepEqual(decoded, { ok: false, reason: 'wrong-blob', detail: 'the id is not that of the entry' });
});

test('an entry with more than its kind has, or less, is refused', () => {
  const anchor = { path: 'a', size: 1, blob: Buffer.alloc(20), content: Buffer.alloc(16) };
  const by = { name: 'Ann', email: '', by: 'person' };
  const payloads: CborValue[] = [
    { by, at: 1, text: 'x', about: anchor, more: 1 },
    { by, at: 1, text: 'x' },
    { by, at: 1, about: anchor, text: '' },
    { by, at: 1, about: anchor, text: 'x'.repeat(4_001) },
    { by, at: 1, about: { ...anchor, lines: [3, 2] }, text: 'x' },
    { by, at: 1, about: { ...anchor, lines: [0, 2] }, text: 'x' },
    { by, at: 1, about: { ...anchor, blob: Buffer.alloc(19) }, text: 'x' },
    { by, at: 1, about: anchor, settles: Buffer.alloc(20) },
    { by: { ...by, by: 'robot' }, at: 1, about: anchor, text: 'x' },
    { by: { name: '', email: '', by: 'person' }, at: 1, about: anchor, text: 'x' },
    { at: 1, about: anchor, text: 'x' },
  ];
  for (const payload of payloads) {
    const { id } = forged(payload);
    assert.equal(decodeEntry(NOTES, forged(payload).bytes, id).ok, false, JSON.stringify(payload).slice(0, 200));
  }
  assert.equal(
    decodeEntry(
      NOTES,
      forged({ by, at: 1, about: anchor, text: 'x' }).bytes,
      forged({ by, at: 1, about: anchor, text: 'x' }).id,
    ).ok,
    true,
  );
});

test('an entry that a reader would refuse is never written', () => {
  const body = {
    text: 'x'.repeat(5_000),
    anchor: {
      path: 'a',
      symbol: null,
      lines: null,
      blob: 'a'.repeat(40),
      commit: null,
      size: 1,
      content: 'a'.repeat(32),
    },
  };
  assert.throws(
    () => encodeEntry(NOTES, { ...SOMEBODY, body }, 'sha1'),
    (error) => isSocraticodeError(error, 'INTERNAL'),
  );
});

test('what an entry tells of the repository are its blob and its commit', () => {
  fc.assert(
    fc.property(claims, noteBodies, (claim, body) => {
      const { id, bytes } = encodeEntry(NOTES, { ...claim, body }, 'sha1');
      const verdict = inspectEntry('notes', bytes, id);
      const told =
        'anchor' in body ? [body.anchor.blob, ...(body.anchor.commit === null ? [] : [body.anchor.commit])] : [];
      assert.deepEqual(verdict, { ok: true, revealed: { objects: told, branches: [] } });
    }),
  );
  assert.equal(inspectEntry('syntax', new Uint8Array(), 'a'.repeat(40)).ok, false);
});

/** An entry with any payload, under the id that it would have. */
function forged(payload: CborValue): { id: string; bytes: Uint8Array } {
  const bytes = encodeCanonical(payload);
  const id = createHash('sha256').update('notes\0').update(bytes).digest('hex').slice(0, 40);
  return { id, bytes: seal('notes', 1, id, bytes) as Uint8Array };
}

test('entries that a set has no room for are refused together, before any is written', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': '1\n' });
  const session = await Session.open({ directory: repo.dir });
  const store = new EntryStore(session, NOTES, ONE_SET);
  const [claim, body] = [
    fc.sample(claims, { numRuns: 1, seed: 1 })[0],
    fc.sample(noteBodies, { numRuns: 1, seed: 1 })[0],
  ];
  const some = (count: number) => Array.from({ length: count }, (_, i) => ({ ...claim, time: i + 1, body }));
  const kept = async () => (await store.read()).entries.length;
  const full = { code: 'BAD_ARGUMENT', message: /20,000 are the most/ };
  try {
    await assert.rejects(store.addAll(some(2), true, MAX_ENTRIES - 1), full);
    await assert.rejects(store.addAll(some(3), false, MAX_ENTRIES - 2), full);
    await assert.rejects(store.addAll(some(1), true, MAX_ENTRIES), full);
    await assert.rejects(store.add(some(1)[0], true, MAX_ENTRIES), full);
    assert.deepEqual(await store.addAll([], true, MAX_ENTRIES), []);
    assert.equal(await kept(), 0);
    assert.equal((await store.addAll(some(2), true, MAX_ENTRIES - 2)).length, 2);
    assert.equal(await kept(), 2);
  } finally {
    session.close();
  }
});

test('a set is read from both refs, shared entries first and once; what cannot be read is counted', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': '1\n' });
  const session = await Session.open({ directory: repo.dir });
  const store = new EntryStore(session, NOTES, ONE_SET);
  const said = (text: string, time: number) => ({ author, time, body: { text, anchor } });
  const read = async () => {
    const { entries, unreadable } = await store.read();
    return [
      ...entries.map(({ entry: { time }, isShared }) => `${time} ${isShared ? 'shared' : 'own'}`).sort(),
      unreadable,
    ];
  };
  try {
    assert.deepEqual([await store.tips(), await read()], [[null, null], [0]]);
    const [first, second] = await store.addAll([said('one', 1), said('two', 2)], false, 0);
    assert.deepEqual(
      [store.refOf(true), store.refOf(false)],
      ['refs/notes/socraticode/notes/v1', 'refs/socraticode/local/notes/v1'],
    );
    assert.deepEqual(await store.tips(), [null, repo.git('rev-parse', store.refOf(false))]);
    assert.deepEqual(await read(), ['1 own', '2 own', 0]);
    const { entries } = await store.read();
    const one = entries.find(({ entry }) => entry.id === first);
    assert.ok(one);
    await store.share([one.entry]);
    assert.deepEqual(await read(), ['1 shared', '2 own', 0]);
    assert.equal(await store.add(said('three', 3), true, 2), encodeEntry(NOTES, said('three', 3), 'sha1').id);
    assert.deepEqual(await read(), ['1 shared', '2 own', '3 shared', 0]);
    const files = repo
      .git('ls-tree', '-r', store.refOf(false))
      .split('\n')
      .map((line) => line.split(/\s+/));
    const blobs = new Map(files.map(([, , blob, path]) => [path.replaceAll('/', ''), blob]));
    assert.deepEqual([...blobs.keys()].sort(), [first, second].sort());
    // Of another id, too large, and no blob at all.
    const ref = store.refOf(true);
    repo.git('notes', `--ref=${ref}`, 'add', '-C', blobs.get(second) ?? '', 'HEAD');
    repo.git('notes', `--ref=${ref}`, 'add', '-C', repo.blob('x'.repeat(MAX_ENTRY_BYTES + 1)), 'HEAD^{tree}');
    repo.git('notes', `--ref=${ref}`, 'add', '-C', repo.blob('no entry'), repo.git('rev-parse', 'HEAD:a.ts'));
    assert.deepEqual(await read(), ['1 shared', '2 own', '3 shared', 3]);
  } finally {
    session.close();
  }
});

test('texts are counted in units of UTF-16, up to the limit of each field', () => {
  const by = { name: 'n'.repeat(200), email: 'e'.repeat(200), by: 'agent' as const, agent: 'a'.repeat(200) };
  const place = { ...anchor, path: 'p'.repeat(4_096), symbol: 's'.repeat(512), lines: { start: 1, end: 0x7fff_ffff } };
  const entry = {
    author: by,
    time: 0xffff_ffff,
    body: { text: 't'.repeat(4_000), anchor: { ...place, size: 16 << 20 } },
  };
  const isWritten = (change: object) => {
    try {
      encodeEntry(NOTES, { ...entry, ...change }, 'sha1');
      return true;
    } catch (error) {
      assert.ok(isSocraticodeError(error, 'INTERNAL'), String(error));
      return false;
    }
  };
  assert.equal(isWritten({}), true);
  const about = (change: object) => ({ body: { text: 't', anchor: { ...place, ...change } } });
  for (const change of [
    { author: { ...by, name: 'n'.repeat(201) } },
    { author: { ...by, email: 'e'.repeat(201) } },
    { author: { ...by, agent: '' } },
    { author: { ...by, agent: 'a'.repeat(201) } },
    { time: 0x1_0000_0000 },
    { time: -1 },
    about({ path: 'p'.repeat(4_097) }),
    about({ symbol: 's'.repeat(513) }),
    about({ symbol: '' }),
    about({ lines: { start: 1, end: 0x8000_0000 } }),
    about({ size: (16 << 20) + 1 }),
    about({ content: 'c'.repeat(30) }),
  ])
    assert.equal(isWritten(change), false, JSON.stringify(change).slice(0, 60));
});

test('bytes up to the limit of an entry are looked at, and more are told as too many', () => {
  const reasonOf = (length: number) => {
    const decoded = decodeEntry(NOTES, new Uint8Array(length), 'a'.repeat(40));
    return decoded.ok ? null : [decoded.reason, decoded.detail];
  };
  assert.deepEqual(reasonOf(MAX_ENTRY_BYTES + 1), ['too-large', `${MAX_ENTRY_BYTES + 1} bytes`]);
  assert.notEqual(reasonOf(MAX_ENTRY_BYTES)?.[0], 'too-large');
  assert.equal(MAX_ENTRY_BYTES, 65_536);
});
