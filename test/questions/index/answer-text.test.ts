/** Texts of indexing: a report, a plan, a job of a server, further extensions, and what stops or watches. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  describeExtensions,
  dryRunText,
  extensionLine,
  indexingText,
  indexReportText,
  indexText,
  serverWatchText,
  stopText,
} from '../../../src/questions/index/answer.js';
import { gaps } from '../../../src/questions/index/question.js';
import type { Session } from '../../../src/session/session.js';

const VECTORS = { embedder: 'builtin', model: 'small', covered: 20, total: 20, embedded: 0, loaded: 0, fault: null };
const REPORT = {
  ...{ ref: 'HEAD', commit: '0123456789abcdef', tree: 'fedcba9876543210', files: 2_930, chunks: 20 },
  ...{
    new: 0,
    reused: 0,
    bytesAdded: 0,
    ms: { total: 12 },
    skipped: {},
    degraded: {},
    parseErrors: 0,
    vectors: VECTORS,
  },
};
const told = (rest: object = {}) => indexReportText({ ...REPORT, ...rest } as never);

test('a report says what was done, and what is special behind it', () => {
  assert.equal(told(), 'HEAD 012345678: 2,930 files, 20 chunks (nothing to do) in 12 ms; 20 vectors\n');
  assert.match(told({ commit: null }), /^HEAD fedcba987: /);
  assert.match(told({ bytesAdded: 2_048 }), /\(loaded from records, 2\.0 KB added\)/);
  assert.match(told({ new: 2, reused: 1_000, bytesAdded: 2_048 }), /\(2 new, 1,000 reused, 2\.0 KB added\)/);
  assert.match(
    told({ skipped: { binary: 2, builtin: 3 }, degraded: { timeout: 1 }, parseErrors: 1 }),
    /; 20 vectors; skipped 3 generated or vendored, 2 binary; chunked by lines 1 timeout; parse errors may hide declarations in 1 file\n$/,
  );
  const vectors = (rest: object) => /; (.*)\n$/.exec(told({ vectors: { ...VECTORS, ...rest } }))?.[1];
  assert.equal(vectors({ total: 0 }), undefined);
  assert.equal(vectors({ covered: 19 }), '19 of 20 vectors (1 chunk has no word that the model knows)');
  assert.equal(vectors({ embedder: 'ollama', covered: 19 }), '19 of 20 vectors of small');
  assert.equal(
    vectors({ embedder: 'ollama', embedded: 2, loaded: 18 }),
    '20 vectors of small (18 from records, 2 made)',
  );
});

test('the past and what is incomplete stand in lines of their own', () => {
  const text = (document: object, values: object = {}) =>
    indexText({ ...REPORT, ...document } as never, { values } as never);
  const history = { commits: 1, blobs: 1_830, new: 0, reused: 0, failed: 0, bytesAdded: 2_048 };
  assert.equal(text({ history }).split('\n')[1], 'past: 1 commit, 1,830 versions of files');
  assert.equal(
    text({ history: { ...history, new: 1_700, reused: 130, failed: 1 } }).split('\n')[1],
    'past: 1 commit, 1,830 versions of files (1,700 new, 130 reused, 1 not parsed, 2.0 KB added)',
  );
  assert.equal(
    text({ history: { ...history, reused: 3 } }).split('\n')[1],
    'past: 1 commit, 1,830 versions of files (3 reused)',
  );
  assert.equal(text({}), told());
});

test('a plan says what would be done, with whom, and how long it may take', () => {
  const plan = {
    ...{ ref: 'HEAD', commit: '0123456789abcdef', files: 3, blobs: 1, wouldParse: 2, wouldLoad: 1, sourceBytes: 2_048 },
    ...{ estimatedSeconds: 1.5, estimatedBytes: 4_096, skipped: {} },
    vectors: { embedder: 'builtin', model: 'small', endpoint: null, wouldEmbed: 1, isEstimate: false },
  };
  assert.equal(
    dryRunText(plan as never),
    `HEAD 012345678: 3 files, 1 blob
  would parse 2 blobs (2.0 KB), load 1 record
  would embed 1 chunk with the built-in model
  estimated: 1.5 s, 4.0 KB on disk
`,
  );
  const vectors = { embedder: 'ollama', model: 'm', endpoint: 'http://gpu', wouldEmbed: 2, isEstimate: true };
  const lines = dryRunText({ ...plan, vectors, commit: null, skipped: { binary: 1 } } as never).split('\n');
  assert.deepEqual(
    [lines[0], lines[2], lines[4]],
    ['HEAD : 3 files, 1 blob', '  would embed about 2 chunks with ollama m at http://gpu', '  skipped: 1 binary'],
  );
  assert.match(indexText(plan as never, { values: {} } as never), /^HEAD 012345678: 3 files/);
});

test('a job of a server is done, failed or under way, with what became of further extensions', () => {
  const indexing = { ref: 'main', state: 'running', progress: null, report: null, error: null };
  const text = (rest: object) => indexingText({ ...indexing, ...rest } as never);
  const rest = '; until then searches answer from the files indexed so far; call again to see progress\n';
  assert.equal(text({}), `main: starting${rest}`);
  assert.equal(text({ progress: { phase: 'indexing', done: 1, total: 3 } }), `main: indexing 33% (1/3)${rest}`);
  assert.equal(text({ progress: { phase: 'linking', done: 0, total: null } }), `main: linking${rest}`);
  const error = { message: 'full', hint: 'free it' };
  assert.equal(text({ state: 'failed', error }), 'indexing main failed: full; free it\n');
  assert.equal(text({ state: 'done', report: REPORT }), told());
  const fault = { message: 'no answer', hint: 'start it' };
  assert.equal(
    text({ state: 'done', report: { ...REPORT, vectors: { ...VECTORS, fault } } }),
    `${told()}vectors are missing: no answer; start it\n`,
  );
  const extensions = [
    { extension: '.tpl', files: 0, languages: [] },
    { extension: '.inc', files: 1, languages: [] },
    { extension: '.ts', files: 2, languages: ['tsx', 'typescript'] },
  ];
  assert.deepEqual(
    extensions.map((each) => extensionLine(each)),
    [
      '.tpl: no such file is indexed; if a rule leaves it out: "include": ["*.tpl"] in .socraticode.json',
      '.inc: 1 file indexed as plain text without it; to parse: "languages": {".inc": "php"} in .socraticode.json',
      '.ts: 2 files indexed as tsx, typescript without it',
    ],
  );
  assert.equal(text({ extensions }).split('\n').length, 5);
});

test('extensions are given with dots or without, once each, and nothing else is one', async () => {
  const files = ['a.TPL', 'b.tpl', 'c.inc', 'tpl'].map((path, i) => ({
    path,
    language: ['php', 'html', null, 'go'][i],
  }));
  const session = { filesOf: async () => ({ catalog: { files } }), origin: async () => ({}) } as unknown as Session;
  assert.deepEqual(await describeExtensions(session, ' tpl, .TPL,,.inc,x'), [
    { extension: '.tpl', files: 2, languages: ['html', 'php'] },
    { extension: '.inc', files: 1, languages: [] },
    { extension: '.x', files: 0, languages: [] },
  ]);
  const many = (count: number) => Array.from({ length: count }, (_, i) => `x${i}`).join();
  assert.equal((await describeExtensions(session, many(50))).length, 50);
  for (const list of ['', ' , ', 'a/b', '*.ts', many(51), 'x'.repeat(32)])
    await assert.rejects(describeExtensions(session, list), { code: 'BAD_ARGUMENT' }, list);
});

test('what stops and what watches says what goes on elsewhere', () => {
  const stop = (stopped: boolean, writer: number | null) => stopText({ schemaVersion: 1, stopped, writer });
  assert.equal(stop(true, null), 'stopped; what was finished is kept\n');
  assert.equal(stop(false, 7), 'nothing was being indexed here; process 7 is writing the index, and is left alone\n');
  const watch = { action: 'status', watches: true, watcher: null, reason: null, indexing: null };
  const text = (rest: object) => serverWatchText({ ...watch, ...rest } as never);
  assert.equal(text({}), 'changes of the work tree are noticed by themselves\n');
  assert.equal(text({ watches: false }), 'git is asked for changes with every question\n');
  assert.equal(text({ reason: 'no work tree' }), 'no work tree\n');
  assert.equal(
    text({ action: 'stop', watcher: 7 }),
    'changes of the work tree are noticed by themselves\nnothing to stop: answers always know uncommitted files\nprocess 7 keeps this work tree ready, too\n',
  );
  const indexing = {
    ref: 'main',
    state: 'failed',
    error: { message: 'full', hint: 'free it' },
    progress: null,
    report: null,
  };
  assert.equal(text({ action: 'start', indexing }).split('\n')[0], 'indexing main failed: full; free it');
});

test('an index lacks files that were not read or not parsed, and chunks without a vector; parse errors count on request', () => {
  const lacks = (rest: object, strict?: boolean) => gaps({ ...REPORT, ...rest } as never, strict);
  assert.equal(lacks({ skipped: { secret: 2, binary: 1 } }), '', 'what a rule leaves out is not missing');
  assert.equal(lacks({ degraded: { 'parse-timeout': 3, 'parser-crash': 1 } }), '3 parse-timeout, 1 parser-crash');
  assert.equal(lacks({ skipped: { unreadable: 2 } }), '2 unreadable');
  assert.equal(lacks({ vectors: { ...VECTORS, covered: 12, fault: {} } }), '8 chunks without a vector');
  assert.equal(
    lacks({ vectors: { ...VECTORS, covered: 12, fault: null } }),
    '',
    'those that follow later are not missing',
  );
  assert.equal(lacks({ parseErrors: 1 }), '');
  assert.equal(lacks({ parseErrors: 1 }, true), '1 parse-errors');
});
