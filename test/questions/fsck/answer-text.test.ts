/** The text of a check: findings by kind, what a repair did, what was looked at, and the verdict. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fsckText } from '../../../src/questions/fsck/answer.js';

type Report = Parameters<typeof fsckText>[0];
const CHECKED = {
  ...{ refs: 1, records: 1, vectors: 0, compiler: 0, knowledge: 0, noteBytes: 1_024 },
  ...{ shards: 2, units: 3, snapshots: 1, files: 4, fileBytes: 2_048 },
};
const REPORT = {
  ...{ ok: true, indexed: true, checked: CHECKED, rederived: null, findings: [], counts: {}, repaired: null, ms: 12 },
};
const told = (rest: object = {}) => fsckText({ ...REPORT, ...rest } as unknown as Report);
const finding = (kind: string, rest: object = {}) => ({
  ...{ kind, isFault: true, about: 'refs/notes/x', blob: null, path: null, message: `${kind} it is` },
  ...{ repair: 'moves it aside', hint: null, ...rest },
});
const LOOKED = 'checked 1 record (1.0 KB), 2 shards with 3 blobs, 1 complete snapshot, 4 local files (2.0 KB) in 12 ms';

test('where nothing is indexed, or nothing is wrong, the text says so', () => {
  assert.equal(told({ indexed: false }), 'nothing indexed yet\n');
  assert.equal(told(), `${LOOKED}\nnothing is wrong\n`);
  const all = { ...CHECKED, records: 2, vectors: 1, compiler: 2, knowledge: 1 };
  assert.match(
    told({ checked: all }),
    /^checked 2 records and 1 vector record and 2 compiler records and 1 entry of people and agents \(/,
  );
  assert.match(told({ checked: { ...all, knowledge: 2 } }), / and 2 entries of people and agents/);
});

test('findings stand by their kind, eight of each, with the next step below the last', () => {
  const many = Array.from({ length: 9 }, (_, i) => finding('note-bad', { path: i === 0 ? 'a.ts' : null }));
  const findings = [
    ...many,
    finding('seen', { isFault: false, repair: null, hint: 'Look.' }),
    finding('stuck', { repair: null }),
  ];
  assert.equal(
    told({ ok: false, findings, counts: { 'note-bad': 1_000, seen: 1 } }),
    `error: note-bad: refs/notes/x: note-bad it is (a.ts)
${'error: note-bad: refs/notes/x: note-bad it is\n'.repeat(7)}  and 992 more (--json)
  --repair moves it aside
note: seen: refs/notes/x: seen it is
  Look.
error: stuck: refs/notes/x: stuck it is
${LOOKED}
1,000 errors
`,
  );
  assert.equal(
    told({ ok: false, findings: [finding('a')], counts: { a: 1 } })
      .split('\n')
      .at(-2),
    '1 error',
  );
});

test('a repair says what it found, what it did, and what is left', () => {
  const repaired = {
    ...{ findings: [finding('a')], counts: { a: 1 }, aside: ['kept/1', 'kept/2', 'kept/3'], indexed: true },
    commits: [{ ref: 'refs/notes/x', removed: 1_000, replaced: 1 }],
  };
  assert.equal(
    told({ repaired, ok: false, findings: [finding('b')], counts: { b: 2 } }),
    `found error: a: refs/notes/x: a it is
repaired refs/notes/x: 1 record derived again, 1,000 taken out
set aside, in the local state: kept/1 and 2 more
HEAD was indexed
left: error: b: refs/notes/x: b it is
  and 1 more (--json)
${LOOKED}
2 errors
`,
  );
  const little = { findings: [], counts: {}, aside: ['kept/1'], commits: [], indexed: false };
  assert.equal(
    told({ repaired: little, indexed: false }),
    `set aside, in the local state: kept/1\n${LOOKED}\nnothing is wrong\n`,
  );
});

test('records that were derived again are counted: equal, different, and not comparable here', () => {
  const of = (rest: object) =>
    told({ rederived: { of: 1_200, equal: 2, different: 0, notComparable: {}, vectorsCompared: 0, ...rest } })
      .split('\n')
      .slice(1, -2);
  assert.deepEqual(of({}), ['derived 2 of 1,200 records again: all equal']);
  assert.deepEqual(of({ different: 1, notComparable: { timeout: 1, 'grammar-missing': 3 }, vectorsCompared: 1 }), [
    'derived 3 of 1,200 records again: 1 differ',
    'not comparable on this machine: 3 grammar-missing, 1 timeout',
    '1 vector record compared with the texts of their chunks; no provider was asked again',
  ]);
});
