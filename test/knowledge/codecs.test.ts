/** Kinds of knowledge at their limits, what an entry tells of the repository, evidence by lines, and authors of new entries. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { SocraticodeError } from '../../src/base/errors.js';
import {
  claimNow,
  EVIDENCE,
  Evidence,
  type EvidenceBody,
  inspectEntry,
  type Outcome,
  operationAfter,
  outcomesDigest,
  packEvidence,
  packOutcomes,
  type RanBody,
  SUMMARIES,
  type SummaryBody,
  summariesOf,
  summaryKey,
  TASKS,
  type TaskChange,
  taskOf,
} from '../../src/knowledge/codecs.js';
import { type Entry, encodeEntry } from '../../src/knowledge/entry.js';

const [A, B, C] = ['a', 'b', 'c'].map((digit) => digit.repeat(40));
const bytes = (length: number, fill = 1) => new Uint8Array(length).fill(fill);
const ANN = { name: 'Ann', email: 'ann@example.com', by: 'person' as const };
const CLAIM = { author: ANN, time: 7 };

/** Says whether fields are read, as a reader of a forged entry does. */
function isRead(kind: { read: (fields: never) => unknown }, fields: object): boolean {
  try {
    kind.read(fields as never);
    return true;
  } catch (error) {
    assert.ok(error instanceof SocraticodeError, String(error));
    return false;
  }
}

test('a task is refused beyond each of its limits, and read up to it', () => {
  const fields = { clock: 1, nonce: bytes(8) };
  const read = (more: object) => isRead(TASKS, { ...fields, ...more });
  for (const [accepted, refused] of [
    [{ title: 't'.repeat(200) }, { title: 't'.repeat(201) }],
    [{ title: 't' }, { title: '' }],
    [{ description: '' }, { description: 'd'.repeat(4_001) }],
    [{ note: 'n' }, { note: '' }],
    [{ status: 'blocked' }, { status: 'open' }],
    [{ clock: 0xffff_ffff }, { clock: 0x1_0000_0000 }],
    [{ clock: 0 }, { clock: -1 }],
    [{ nonce: bytes(8) }, { nonce: bytes(7) }],
    [{ links: Array(20).fill(['plan', 'p.md']) }, { links: Array(21).fill(['plan', 'p.md']) }],
    [{ unlinks: [['branch', 'main']] }, { unlinks: [['branch', '']] }],
    [{ links: [['commit', bytes(20)]] }, { links: [['commit', A]] }],
    [{ links: [['plan', 'p'.repeat(1_024)]] }, { links: [['plan', 'p'.repeat(1_025)]] }],
    [{ links: [] }, { links: [['plan', 'a', 'b']] }],
    [{ links: [] }, { links: 'plan' }],
    [{ links: [] }, { links: [['tag', 'v1']] }],
  ])
    assert.deepEqual([read(accepted), read(refused)], [true, false], JSON.stringify(refused).slice(0, 80));
});

const operation = (id: string, clock: number, change: TaskChange, time = clock): Entry<never> =>
  ({ id, author: ANN, time, body: { ...change, clock, nonce: id.slice(0, 16) } }) as never;

test('a task is what its operations made of it, in the order of their clocks and then of their ids', () => {
  const plan = { kind: 'plan' as const, to: 'p.md' };
  const branch = { kind: 'branch' as const, to: 'p.md' };
  const log = [
    operation('3b', 3, { status: 'done', unlinks: [plan] }, 50),
    operation('1a', 1, { title: 'Carts', links: [plan, branch] }, 40),
    operation('3a', 3, { status: 'blocked', title: 'Carts and more', description: 'All of them.' }, 60),
  ];
  const task = taskOf('1a', log);
  assert.deepEqual([task?.title, task?.description, task?.status], ['Carts and more', 'All of them.', 'done']);
  assert.deepEqual([task?.links, task?.clock], [[branch], 3]);
  assert.deepEqual([task?.created.time, task?.updated.time], [40, 50]);
  assert.deepEqual(
    task?.events.map(({ id, change }) => [id, Object.keys(change)]),
    [
      ['1a', ['title', 'links']],
      ['3a', ['status', 'title', 'description']],
      ['3b', ['status', 'unlinks']],
    ],
  );
  assert.equal(taskOf('3b', log), null, 'it has no title');
  assert.deepEqual(
    [operationAfter(task, {}).clock, operationAfter(null, { title: 'x' }).clock, operationAfter(null, {}).nonce.length],
    [4, 1, 16],
  );
});

test('a clock may run a thousand ahead of the one before it, and no further', () => {
  const log = (clock: number) => [operation('1a', 1, { title: 'x' }), operation('2a', clock, { status: 'done' })];
  assert.equal(taskOf('1a', log(1_001))?.status, 'done');
  assert.equal(taskOf('1a', log(1_002))?.status, 'todo');
  assert.equal(taskOf('1a', [operation('1a', 1_000, { title: 'x' })])?.title, 'x');
  assert.equal(taskOf('1a', [operation('1a', 1_001, { title: 'x' })]), null);
});

test('a task tells of commits and branches that it is linked to or was, and of no plan', () => {
  const body = {
    ...{ clock: 1, nonce: '0'.repeat(16) },
    links: [
      { kind: 'commit' as const, to: A },
      { kind: 'plan' as const, to: 'p.md' },
    ],
    unlinks: [
      { kind: 'branch' as const, to: 'feature' },
      { kind: 'commit' as const, to: B },
    ],
  };
  assert.deepEqual(TASKS.reveals(body), { objects: [A, B], branches: ['feature'] });
});

test('a summary is refused beyond each of its limits; its key is of what was shown, and of what kind', () => {
  const fields = { kind: 'file', key: bytes(16), model: 'm', text: 't', objects: [bytes(20)] };
  const read = (more: object) => isRead(SUMMARIES, { ...fields, ...more });
  for (const [accepted, refused] of [
    [{ kind: 'repository' }, { kind: 'commit' }],
    [{ key: bytes(16) }, { key: bytes(17) }],
    [{ model: 'm'.repeat(200) }, { model: 'm'.repeat(201) }],
    [{ text: 't'.repeat(1_000) }, { text: 't'.repeat(1_001) }],
    [{ text: 't' }, { text: '' }],
    [{ objects: Array(8).fill(bytes(32)) }, { objects: Array(9).fill(bytes(32)) }],
    [{ objects: [] }, { objects: undefined }],
    [{ objects: [] }, { objects: [bytes(21)] }],
  ])
    assert.deepEqual([read(accepted), read(refused)], [true, false], Object.keys(refused)[0]);
  assert.equal(summaryKey('file', 'x'), createHash('sha256').update('file\0x').digest('hex').slice(0, 32));
  assert.notEqual(summaryKey('file', 'x'), summaryKey('symbol', 'x'));
  const body: SummaryBody = { kind: 'file', key: '0'.repeat(32), model: 'm', text: 'first', objects: [A, B] };
  assert.deepEqual(SUMMARIES.reveals(body), { objects: [A, B], branches: [] });
  const entries = [
    { id: '2', ...CLAIM, time: 9, body: { ...body, text: 'later' } },
    { id: '3', ...CLAIM, body: { ...body, text: 'same second' } },
    { id: '1', ...CLAIM, body },
  ];
  assert.deepEqual([...summariesOf(entries)], [['0'.repeat(32), { ...CLAIM, ...body }]]);
});

const RUN = { label: 'ci', commit: C };
const TEST = { path: 'a.test.ts', blob: A };
const OTHER = { path: 'b.test.ts', blob: A };
const at = (start: number, end = start) => ({ start, end });

test('links are written by their kinds: a commit as bytes, all else as text; and read back', () => {
  const links = [
    { kind: 'branch' as const, to: 'main' },
    { kind: 'commit' as const, to: A },
    { kind: 'plan' as const, to: 'p.md' },
  ];
  const body = { clock: 3, nonce: '0123456789abcdef', links, unlinks: [links[0]] };
  const written = TASKS.write(body);
  assert.deepEqual(written, {
    ...{ clock: 3, nonce: Buffer.from('0123456789abcdef', 'hex') },
    links: [
      ['branch', 'main'],
      ['commit', Buffer.from(A, 'hex')],
      ['plan', 'p.md'],
    ],
    unlinks: [['branch', 'main']],
  });
  assert.deepEqual(TASKS.read(written), body);
});

test('lines that ran and outcomes are written in the form that the next versions read', () => {
  const outcomes = [
    { path: 'a', key: '0'.repeat(32), isPassed: true },
    { path: 'b', key: '1'.repeat(32), isPassed: false },
  ];
  const body = { ...RUN, outcomes, again: 7, signature: 's' };
  const written = EVIDENCE.write(body);
  assert.deepEqual(written, {
    ...{ label: 'ci', commit: Buffer.from(C, 'hex'), again: 7, signature: 's' },
    outcomes: ['a\nb', Buffer.from('0'.repeat(32) + '1'.repeat(32), 'hex'), Buffer.from([1, 0])],
  });
  assert.deepEqual(EVIDENCE.read(written), body);
  const none = { ...body, outcomes: [], signature: '' };
  assert.deepEqual(EVIDENCE.read(EVIDENCE.write(none)), none);
  const read = (again: unknown) => isRead(EVIDENCE, { ...written, again });
  assert.deepEqual([read(0xffff_ffff), read(0x1_0000_0000), read(-1), read(undefined)], [true, false, false, false]);
  const ran = { ...RUN, tests: [TEST], ran: [{ blob: B, by: 1, lines: [at(3, 9), at(12)] }] };
  assert.deepEqual(EVIDENCE.write(ran), {
    ...{ label: 'ci', commit: Buffer.from(C, 'hex'), tests: [['a.test.ts', Buffer.from(A, 'hex')]] },
    ran: [[Buffer.from(B, 'hex'), 1, '3-9,12']],
  });
});

test('lines that ran are refused in another form, and with fields of outcomes', () => {
  const fields = { label: 'ci', commit: bytes(20), tests: [['a', bytes(20)]], ran: [[bytes(20), 1, '3-9,12']] };
  const read = (more: object) => isRead(EVIDENCE, { ...fields, ...more });
  assert.ok(read({}));
  const lines = (text: string) => ({ ran: [[bytes(20), 0, text]] });
  for (const text of ['1', '1-1', '1-2,3', '9999999']) assert.ok(read(lines(text)), text);
  for (const text of ['', '0', '2-1', '1,1', '3-4,4', '10000000', '1-', '-1', '1 ,2', '01'])
    assert.ok(!read(lines(text)), text);
  for (const wrong of [
    { label: '' },
    { label: 'l'.repeat(41) },
    { commit: bytes(19) },
    { again: 0 },
    { signature: 's' },
    { tests: undefined },
    { tests: [['a']] },
    { tests: [['p'.repeat(1_025), bytes(20)]] },
    { ran: [[bytes(20), 2, '1']] },
    { ran: [[bytes(20), -1, '1']] },
    { ran: [[bytes(20), 0.5, '1']] },
    { ran: [[bytes(20), 0]] },
    { tests: Array(61).fill(['a', bytes(20)]) },
  ])
    assert.ok(!read(wrong), JSON.stringify(wrong));
  assert.ok(read({ tests: Array(60).fill(['a', bytes(20)]), label: 'l'.repeat(40) }));
  const body: RanBody = {
    ...RUN,
    tests: [TEST],
    ran: [
      { blob: A, by: 0, lines: [at(1)] },
      { blob: B, by: 1, lines: [at(1)] },
    ],
  };
  assert.deepEqual(EVIDENCE.reveals(body), { objects: [C, A, B], branches: [] });
});

test('evidence is packed by tests, each named once in an entry, and what no test ran has the number of tests', () => {
  const ran = [
    { blob: B, test: TEST, lines: [at(1, 3)] },
    { blob: C, test: null, lines: [at(5)] },
    { blob: C, test: OTHER, lines: [at(6)] },
    { blob: A, test: { ...TEST }, lines: [at(2)] },
  ];
  assert.deepEqual(packEvidence(RUN, ran), [
    {
      ...{ ...RUN, tests: [TEST, OTHER] },
      ran: [
        { blob: B, by: 0, lines: [at(1, 3)] },
        { blob: C, by: 2, lines: [at(5)] },
        { blob: C, by: 1, lines: [at(6)] },
        { blob: A, by: 0, lines: [at(2)] },
      ],
    },
  ]);
  assert.deepEqual(packEvidence(RUN, []), []);
  const many = Array.from({ length: 61 }, (_, i) => ({ blob: B, test: TEST, lines: [at(i + 1)] }));
  assert.deepEqual(
    packEvidence(RUN, many).map((body) => [body.ran.length, body.tests.length]),
    [
      [60, 1],
      [1, 1],
    ],
  );
});

test('outcomes are packed by number and by bytes; a path that no entry holds is left out', () => {
  const outcome = (path: string): Outcome => ({ path, key: '0'.repeat(32), isPassed: true });
  const sizes = (all: readonly Outcome[]) => packOutcomes(all).map((pack) => pack.length);
  assert.deepEqual(sizes(Array(401).fill(outcome('a'))), [400, 1]);
  // Each path takes one byte more than its own: 29 of 1,001 and one of 971 fill an entry.
  const long = Array(29).fill(outcome('p'.repeat(1_000)));
  assert.deepEqual(sizes([...long, outcome('p'.repeat(970))]), [30]);
  assert.deepEqual(sizes([...long, outcome('p'.repeat(971))]), [29, 1]);
  assert.deepEqual(sizes([outcome('p'.repeat(1_024)), outcome('p'.repeat(1_025)), outcome('a\nb')]), [1]);
  assert.deepEqual(sizes([]), []);
});

test('what ran a line: the newest run first, and each of the lines that a test ran', () => {
  const entry = (id: string, time: number, body: EvidenceBody): Entry<EvidenceBody> => ({
    id,
    author: ANN,
    time,
    body,
  });
  const ran = (label: string, test: typeof TEST): RanBody => ({
    ...{ label, commit: C, tests: [test] },
    ran: [
      { blob: B, by: 0, lines: [at(3, 5), at(9)] },
      { blob: A, by: 1, lines: [at(1)] },
    ],
  });
  const evidence = new Evidence([
    entry('1', 10, ran('old', TEST)),
    entry('3', 20, ran('new', OTHER)),
    entry('2', 20, ran('newer', TEST)),
    entry('4', 30, { ...RUN, outcomes: [], again: 0, signature: '' }),
  ]);
  const labels = (start: number, end = start) => evidence.ranAt(B, at(start, end)).map(({ label }) => label);
  assert.deepEqual(labels(1, 3), ['newer', 'new', 'old']);
  for (const [start, end, isRun] of [
    [1, 2, false],
    [5, 8, true],
    [6, 8, false],
    [9, 9, true],
    [10, 12, false],
  ] as const)
    assert.equal(labels(start, end).length > 0, isRun, `${start}-${end}`);
  assert.deepEqual(evidence.ranAt(A, at(1))[0], { test: null, label: 'newer', commit: C, lines: [at(1)] });
  assert.deepEqual(evidence.ranAt(C, at(1)), []);
  const known = { blob: B, test: TEST, lines: [at(3, 5), at(9)] };
  assert.ok(evidence.has('old', known));
  for (const other of [{ blob: C }, { test: null }, { test: { ...TEST, blob: B } }, { lines: [at(3, 5)] }])
    assert.ok(!evidence.has('old', { ...known, ...other }), JSON.stringify(other));
  assert.ok(!evidence.has('new', known), 'that run ran another test');
});

test('a signature of outcomes is about all but itself', () => {
  const body = { ...RUN, outcomes: [{ path: 'a', key: '0'.repeat(32), isPassed: true }], again: 1, signature: '' };
  const digest = outcomesDigest({ ...CLAIM, body });
  assert.equal(outcomesDigest({ ...CLAIM, body: { ...body, signature: 'signed' } }), digest);
  for (const other of [{ again: 2 }, { label: 'other' }, { outcomes: [] }])
    assert.notEqual(outcomesDigest({ ...CLAIM, body: { ...body, ...other } }), digest);
  assert.notEqual(outcomesDigest({ ...CLAIM, time: 8, body }), digest);
});

test('an entry of an unknown kind, or of another one, is refused by its name', () => {
  const { id, bytes: written } = encodeEntry(
    TASKS,
    { ...CLAIM, body: { clock: 1, nonce: '0'.repeat(16), links: [{ kind: 'commit', to: A }] } },
    'sha1',
  );
  assert.deepEqual(inspectEntry('tasks', written, id), { ok: true, revealed: { objects: [A], branches: [] } });
  assert.deepEqual(inspectEntry('todo', written, id), {
    ok: false,
    reason: 'not-a-record',
    detail: 'todo is no kind of knowledge',
  });
  assert.equal(inspectEntry('notes', written, id).ok, false);
});

test('a new entry is by whom git would name, in a form that a terminal can show', (t) => {
  const before = { ...process.env };
  t.after(() => {
    process.env = before;
  });
  process.env = {};
  const config = (...all: [key: string, value: string][]) => ({
    gitConfig: all.map(([key, value]) => ({ key, value, scope: 'local' })) as never,
  });
  const two = config(['user.name', 'Old'], ['user.name', ' A\u001bnn\u202e '], ['user.email', 'a@b.c']);
  const { author, time } = claimNow(two, { isAgent: false });
  assert.deepEqual(author, { name: 'A nn', email: 'a@b.c', by: 'person' });
  assert.ok(Math.abs(time - Date.now() / 1_000) < 60);
  assert.deepEqual(claimNow(two, { isAgent: true, agent: 'robot' }).author, {
    name: 'A nn',
    email: 'a@b.c',
    by: 'agent',
    agent: 'robot',
  });
  assert.equal('agent' in claimNow(two, { isAgent: true, agent: ' ' }).author, false);
  assert.throws(() => claimNow(config(['user.email', 'a@b.c']), { isAgent: false }), /git does not know who you are/);
  Object.assign(process.env, { GIT_AUTHOR_NAME: `${'é'.repeat(199)}😀`, GIT_AUTHOR_EMAIL: 'env@b.c' });
  assert.deepEqual(claimNow(two, { isAgent: false }).author, { name: 'é'.repeat(199), email: 'env@b.c', by: 'person' });
});

test('columns of outcomes are three, of one length, and no more than an entry holds', () => {
  const fields = { label: 'ci', commit: bytes(20), again: 0 };
  const read = (...outcomes: unknown[]) => isRead(EVIDENCE, { ...fields, outcomes });
  const columns = (paths: number, keys = paths, ends = paths): unknown[] => [
    Array.from({ length: paths }, (_, i) => `t${i}`).join('\n'),
    bytes(16 * keys),
    bytes(ends),
  ];
  for (const fine of [columns(0), columns(1), columns(3), columns(400)]) assert.ok(read(...fine));
  for (const [paths, keys, ends] of [
    [2, 1, 2],
    [2, 3, 2],
    [2, 2, 1],
    [2, 2, 3],
    [1, 0, 1],
    [1, 1, 0],
    [0, 1, 0],
    [0, 0, 1],
    [401, 401, 401],
  ])
    assert.ok(!read(...columns(paths, keys, ends)), `${paths} ${keys} ${ends}`);
  assert.ok(!read(...columns(1).slice(0, 2)));
  assert.ok(!read(...columns(1), 1));
  assert.ok(!isRead(EVIDENCE, { ...fields, outcomes: 'abc' }));
  assert.ok(!read(`${'p'.repeat(1_025)}`, bytes(16), bytes(1)));
  assert.ok(!read('a\n\nb', bytes(48), bytes(3)), 'an empty path');
  assert.ok(!read(1, bytes(16), bytes(1)));
});

test('lists of tests and of what ran are refused one beyond their limit, and for each wrong member', () => {
  const fields = { label: 'ci', commit: bytes(20) };
  const [test, ran] = [
    ['a', bytes(20)],
    [bytes(20), 0, '1'],
  ];
  const read = (tests: unknown, runs: unknown) => isRead(EVIDENCE, { ...fields, tests, ran: runs });
  assert.ok(read([], []));
  assert.ok(read(Array(60).fill(test), Array(60).fill(ran)));
  assert.ok(!read(Array(61).fill(test), []));
  assert.ok(!read([], Array(61).fill(ran)));
  for (const wrong of [[...test, 1], ['a'], 'ab', null]) assert.ok(!read([test, wrong], []), `${wrong}`);
  for (const wrong of [
    [...ran, 1],
    ran.slice(0, 2),
    'abc',
    [bytes(20), '0', '1'],
    [bytes(19), 0, '1'],
    [bytes(20), 0, 1],
  ])
    assert.ok(!read([], [ran, wrong]), `${wrong}`);
});
