/** Texts of a status: for people every row, for agents what affects answers, for programs lines that never change. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMAND_WORDS, plainPen } from '../../../src/questions/pen.js';
import { serverStatusText } from '../../../src/questions/status/answer.js';
import { knowledgeLine, statusText } from '../../../src/questions/status/text.js';

const pen = plainPen(COMMAND_WORDS);
const VECTORS = {
  ...{ embedder: 'builtin', model: 'small', dimensions: 64, profile: 'abcd', covered: 20, total: 20, bytes: 2_048 },
  ...{ endpoint: null, fault: null, notes: null, indexReason: null },
};
const STATUS = {
  ...{ schemaVersion: 1, ref: 'HEAD', commit: '0123456789abcdef', branch: 'main', chunks: 20, dirty: 0 },
  coverage: { covered: 7, total: 7 },
  ...{ skipped: {}, degraded: {}, languages: { typescript: 5, go: 2 }, records: { present: 7, missing: 0 } },
  notes: { ref: 'refs/notes/x', records: 7, packedBytes: 1_024 },
  shards: { count: 1, documents: 7, bytes: 4_096 },
  ...{ vectors: VECTORS, grammars: { available: ['a', 'b'], missing: [] }, compiler: null, writer: null, notice: null },
  ...{ hook: { installed: false, path: '.git/hooks/post-commit' }, remotes: [], next: [] },
};
const shown = (rest: object = {}) => statusText({ ...STATUS, ...rest } as never, { pen });
const row = (name: string, rest: object) =>
  shown(rest)
    .split('\n')
    .find((line) => line.startsWith(name))
    ?.slice(11);

test('a status has a row for each fact, and steps at its end', () => {
  assert.equal(
    shown({ next: ['git socraticode index'] }),
    `ref        HEAD 012345678 (main)
coverage   7 of 7 files, 20 chunks
left out   nothing
unparsed   no file
languages  5 typescript, 2 go
records    7 blobs with a record, 0 without
notes      refs/notes/x: 7 records, 1.0 KB packed
shards     1 shard, 7 documents, 4.0 KB
vectors    20 of 20 chunks, 2.0 KB
embedder   builtin small, 64 dimensions, profile abcd
grammars   all 2
dirty      no uncommitted files
hook       not installed (.git/hooks/post-commit)
remotes    none
next
  git socraticode index
`,
  );
});

test('each row says what is not as usual', () => {
  assert.equal(row('ref', { commit: null, branch: null }), 'HEAD (no commit)');
  const interrupted = { coverage: { covered: 2, total: 7 }, records: { present: 5, missing: 2 } };
  assert.equal(row('coverage', interrupted), '2 of 7 files, 20 chunks; 3 more are parsed, and are not parsed again');
  assert.equal(
    row('coverage', { ...interrupted, skipped: { unreadable: 4 } }),
    '2 of 7 files, 20 chunks; 1 more are parsed, and are not parsed again',
  );
  assert.equal(
    row('left out', { skipped: { binary: 1, builtin: 3 } }),
    '3 generated or vendored, 1 binary; which: git socraticode status --left-out',
  );
  assert.equal(row('unparsed', { degraded: { timeout: 2 } }), '2 timeout');
  const errors = (files: number) => row('incomplete', { parseErrors: { files, first: ['a.ts', 'b.ts'] } });
  assert.equal(
    errors(2),
    '2 files, whose parse errors may hide declarations: a.ts, b.ts; where: git socraticode explain FILE',
  );
  assert.match(errors(3) ?? '', /^3 files,.*: a\.ts, b\.ts …; where/);
  assert.equal(row('incomplete', {}), undefined);
  assert.equal(row('languages', { languages: {} }), 'none');
  assert.equal(row('grammars', { grammars: { available: [], missing: ['c', 'go'] } }), 'missing: c, go');
  assert.equal(row('dirty', { dirty: 1 }), '1 uncommitted file (searched as they are)');
  assert.equal(row('hook', { hook: { installed: true, path: '.git/hooks/post-commit' } }), '.git/hooks/post-commit');
  assert.equal(row('remotes', { remotes: ['a', 'b'] }), 'a, b');
  assert.equal(row('writer', { writer: 7 }), 'process 7 is indexing');
  assert.equal(row('notice', { notice: 'look' }), 'look');
  const compiler = { present: 2, ref: 'refs/notes/c', records: 3, packedBytes: 1_024 };
  assert.equal(row('compiler', { compiler }), 'told about 2 blobs; refs/notes/c: 3 records, 1.0 KB packed');
  const knowledge = [{ kind: 'notes', shared: 2, own: 1, sets: 1 }];
  assert.equal(row('knowledge', { knowledge }), 'notes: 2 shared, 1 only in this clone');
});

test('vectors say what is missing, why, whose they are and where they are shared', () => {
  const vectors = (rest: object) => ({ vectors: { ...VECTORS, ...rest } });
  assert.match(row('vectors', vectors({ covered: 19 })) ?? '', /^19 of 20 chunks \(1 chunk has no word/);
  assert.equal(row('vectors', vectors({ covered: 19, embedder: 'ollama' })), '19 of 20 chunks, 2.0 KB');
  const notes = { ref: 'refs/notes/v', records: 1, packedBytes: 1_024 };
  assert.equal(
    row('vectors', vectors({ indexReason: 'few', notes })),
    '20 of 20 chunks, 2.0 KB (few); refs/notes/v: 1 record, 1.0 KB packed',
  );
  const remote = { embedder: 'ollama', model: 'm', dimensions: null, endpoint: 'http://gpu' };
  assert.equal(
    row('embedder', vectors({ ...remote, fault: { message: 'no answer', hint: 'start it' } })),
    'ollama m at http://gpu, profile abcd; no answer',
  );
});

test('knowledge is counted by kind: shared, only here, and operations of tasks', () => {
  const kind = (kind: string, shared: number, own: number, sets = 1) => ({ kind, shared, own, sets }) as never;
  assert.equal(knowledgeLine([]), '');
  assert.equal(
    knowledgeLine([kind('notes', 2, 0), kind('tags', 0, 1), kind('tasks', 30, 11, 2)]),
    'notes: 2 shared; tags: 1 only in this clone; tasks: 2 in 41 operations',
  );
});

test('programs get five lines, whose names and order never change', () => {
  const plain = { schemaVersion: 1, ref: 'HEAD', coverage: { covered: 1, total: 2 } };
  const lines = (rest: object) => statusText({ ...plain, ...rest } as never, { pen });
  assert.equal(
    lines({ commit: '0123', branch: 'main', writer: 7 }),
    'branch.oid 0123\nbranch.head main\nindex.files 2\nindex.covered 1\nindex.writer 7\n',
  );
  assert.equal(
    lines({ commit: null, branch: null, writer: null }),
    'branch.oid (initial)\nbranch.head (detached)\nindex.files 2\nindex.covered 1\nindex.writer 0\n',
  );
});

test('what is left out stands below its rule, some paths of each and the number of the others', () => {
  const group = (count: number, next: string | null) => ({
    reason: 'binary',
    rule: null,
    count,
    paths: ['a.png'],
    next,
  });
  const text = (below: string, groups: object[]) =>
    statusText({ below, total: 1_200, leftOut: 3, groups } as never, { pen }).replace(
      /: [^\n]*binary[^\n]*/gi,
      ': WHY',
    );
  assert.equal(text('', []), '3 of 1,200 files not indexed\n');
  assert.equal(
    text('src', [group(1, null), group(3, 'do this')]),
    '3 of 1,200 files below src not indexed\n\n1 file: WHY\n  a.png\n3 files: WHY\n  a.png\n  (+2 more)\n  next: do this\n',
  );
});

const SERVER = { ...STATUS, watches: true, background: { running: null, queued: [], last: null } };
const line = (start: string, rest: object) =>
  serverStatusText({ ...SERVER, ...rest } as never, { pen })
    .split('\n')
    .find((each) => each.startsWith(start));

test('agents are told what affects answers, and what goes on in the background', () => {
  assert.equal(
    serverStatusText(SERVER as never, { pen }),
    `branch main; 20 chunks
vectors: 20 of 20 by builtin small
languages: 5 typescript, 2 go
not indexed: nothing
background: idle
work tree watched; git hook not installed
`,
  );
  assert.equal(line('no branch', { branch: null, chunks: 1 }), 'no branch checked out; 1 chunk');
  const fault = { message: 'no answer', hint: 'start it' };
  assert.equal(
    line('vectors', { vectors: { ...VECTORS, fault } }),
    'vectors: 20 of 20 by builtin small: no answer; start it',
  );
  assert.deepEqual(
    [line('languages', { languages: {} }), line('not indexed', { skipped: { builtin: 2 } })],
    ['languages: none', 'not indexed: 2 generated or vendored'],
  );
  assert.equal(line('without symbols', { degraded: { timeout: 1 } }), 'without symbols: 1 timeout');
  assert.equal(
    line('parse errors', { parseErrors: { files: 1, first: ['a.ts'] } }),
    'parse errors may hide declarations in 1 file: a.ts',
  );
  assert.equal(line('grammars', { grammars: { available: [], missing: ['c'] } }), 'grammars missing: c');
  assert.deepEqual(
    [line('look', { notice: 'look' }), line('process', { writer: 7 })],
    ['look', 'process 7 is writing the index'],
  );
  assert.equal(
    line('work tree', { watches: false, hook: { installed: true, path: 'x' } }),
    'work tree looked at with every question; git hook installed',
  );
});

test('the background says which job runs and which wait, or how the last one ended', () => {
  const background = (rest: object) => line('background', { background: { ...SERVER.background, ...rest } });
  const running = (phase: string, total: number | null) => ({ kind: 'index', ref: 'main', phase, done: 3, total });
  assert.equal(background({ running: running('indexing', 9) }), 'background: indexing main 3/9');
  assert.equal(
    background({ running: running('linking', null), queued: [{ ref: 'v1' }, { ref: 'v2' }] }),
    'background: linking the graph of main, then v1, v2',
  );
  const phases = { starting: 'about to index', 'waiting-for-lock': 'waiting for another process to index' };
  const further = { fetching: 'fetching records of', vectors: 'computing vectors of' };
  for (const [phase, words] of Object.entries({ ...phases, ...further }))
    assert.equal(background({ running: running(phase, null) }), `background: ${words} main`);
  const last = { ref: 'main', ok: true, error: null, endedAt: '2024-01-02T03:04:05Z' };
  assert.equal(background({ last }), 'background: idle; main done at 2024-01-02T03:04:05Z');
  const failed = { ...last, ok: false, error: { code: 'DISK', message: 'full', hint: 'free it' } };
  assert.equal(background({ last: failed }), 'background: idle; main failed: full; free it');
  assert.equal(background({ last: { ...failed, error: null } }), 'background: idle; main failed: unknown; ');
});
