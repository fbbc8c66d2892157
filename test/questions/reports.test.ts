/** What `index` and `status` print: numbers people can read, and the next step. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatBytes, formatCount, formatCounts, formatSeconds } from '../../src/questions/format.js';
import { dryRunText, indexReportText } from '../../src/questions/index/answer.js';
import type { DryRun, IndexReport } from '../../src/questions/index/question.js';
import type { StatusReport } from '../../src/questions/status/question.js';
import { statusReportText as statusText } from '../../src/questions/status/text.js';

test('numbers', () => {
  assert.deepEqual([0, 1023, 1024, 1_500_000].map(formatBytes), ['0 B', '1023 B', '1.0 KB', '1.4 MB']);
  assert.deepEqual(
    [formatCount(1, 'file'), formatCount(0, 'file'), formatCount(1234, 'file')],
    ['1 file', '0 files', '1,234 files'],
  );
  assert.deepEqual([4.4, 999, 1000, 61_250].map(formatSeconds), ['4 ms', '999 ms', '1.0 s', '61.3 s']);
  assert.equal(formatCounts({ binary: 2, secret: 1_000, lfs: 0, excluded: 2 }), '1,000 secret, 2 binary, 2 excluded');
});

const BUILTIN: IndexReport['vectors'] = {
  ...{ embedder: 'builtin', model: '0123456789ab', dimensions: 256, profile: 'def', covered: 8_120, total: 8_120 },
  ...{ embedded: 8_120, reused: 0, loaded: 0, fault: null },
};
const OLLAMA: IndexReport['vectors'] = {
  ...{ ...BUILTIN, embedder: 'ollama', model: 'nomic-embed-text', covered: 8_000 },
  ...{ embedded: 120, loaded: 7_880 },
};

const report = (more: Partial<IndexReport> = {}): IndexReport => ({
  ...{ ref: 'HEAD', commit: '1a2b3c4d5e'.padEnd(40, '0'), tree: 'f'.repeat(40), files: 2_930, blobs: 2_930 },
  ...{ new: 2_900, reused: 30, skipped: {}, degraded: {}, chunks: 8_120, bytesAdded: 12_687_770, ms: { total: 4_100 } },
  vectors: BUILTIN,
  ...more,
});

test('index: one line that says what was done', () => {
  assert.equal(
    indexReportText(report()),
    'HEAD 1a2b3c4d5: 2,930 files, 8,120 chunks (2,900 new, 30 reused, 12.1 MB added) in 4.1 s; 8,120 vectors\n',
  );
  assert.match(indexReportText(report({ new: 0, bytesAdded: 2048 })), /\(loaded from records, 2\.0 KB added\)/);
  assert.match(indexReportText(report({ new: 0, bytesAdded: 0 })), /\(nothing to do\)/);
  assert.match(indexReportText(report({ commit: null })), /^HEAD fffffffff: /);
});

test('index: files that are not searched, and files that are only cut by lines', () => {
  const text = indexReportText(report({ skipped: { binary: 3, secret: 4 }, degraded: { 'parse-timeout': 1 } }));
  assert.match(text, /s; 8,120 vectors; skipped 4 secret, 3 binary; chunked by lines 1 parse-timeout\n$/);
});

test('index: vectors of a provider say how they came about', () => {
  assert.match(
    indexReportText(report({ vectors: OLLAMA })),
    /; 8,000 of 8,120 vectors of nomic-embed-text \(7,880 from records, 120 made\)\n$/,
  );
  assert.match(indexReportText(report({ vectors: { ...BUILTIN, covered: 0, total: 0 } })), /in 4\.1 s\n$/);
});

test('index: chunks that can have no vector of the built-in model are counted and explained', () => {
  const some = indexReportText(report({ vectors: { ...BUILTIN, covered: 8_113 } }));
  assert.match(some, /; 8,113 of 8,120 vectors \(7 chunks have no word that the model knows\)\n$/);
  assert.match(indexReportText(report({ vectors: { ...BUILTIN, covered: 8_119 } })), /\(1 chunk has no word/);
});

test('index --dry-run', () => {
  const plan: DryRun = {
    ...{ ref: 'HEAD', commit: 'a'.repeat(40), files: 10, blobs: 9, wouldParse: 5, sourceBytes: 10_240, wouldLoad: 4 },
    ...{ skipped: { binary: 1 }, estimatedBytes: 3_379, estimatedSeconds: 1 },
    vectors: {
      ...{ embedder: 'ollama', model: 'm', profile: 'def', endpoint: 'http://127.0.0.1:1' },
      ...{ wouldEmbed: 15, isEstimate: true },
    },
  };
  assert.deepEqual(dryRunText(plan).split('\n'), [
    'HEAD aaaaaaaaa: 10 files, 9 blobs',
    '  would parse 5 blobs (10.0 KB), load 4 records',
    '  would embed about 15 chunks with ollama m at http://127.0.0.1:1',
    '  estimated: 1.0 s, 3.3 KB on disk',
    '  skipped: 1 binary',
    '',
  ]);
});

const VECTORS: StatusReport['vectors'] = {
  ...{ embedder: 'builtin', model: '0123456789ab', dimensions: 256, profile: 'def', covered: 19, total: 20 },
  ...{
    bytes: 8192,
    notes: null,
    endpoint: null,
    engine: 'usearch',
    engineReason: null,
    indexReason: null,
    fault: null,
  },
};

const status = (more: Partial<StatusReport> = {}): StatusReport => ({
  ...{ schemaVersion: 1, ref: 'HEAD', commit: 'a'.repeat(40), profile: 'abc', coverage: { covered: 9, total: 10 } },
  ...{ records: { present: 8, missing: 2 }, chunks: 20, skipped: { binary: 1 }, degraded: {}, languages: { go: 9 } },
  ...{ grammars: { available: ['Go', 'Rust'], missing: [] } },
  ...{
    notes: { ref: 'refs/notes/socraticode/syntax/abc', commit: null, records: 8, packedBytes: 2048 },
    compiler: null,
  },
  ...{
    shards: { directory: '/d', count: 1, bytes: 4096, documents: 20 },
    vectors: VECTORS,
    dirty: 0,
    branch: 'main',
    remotes: [],
  },
  ...{
    hook: { installed: false, path: '.git/hooks/post-commit' },
    writer: null,
    notice: null,
    next: ['git socraticode index'],
  },
  ...more,
});

/** Rows of the page by their names. */
const rows = (more: Partial<StatusReport> = {}) =>
  Object.fromEntries(
    statusText(status(more))
      .split('\n')
      .map((line) => [line.slice(0, 10).trim(), line.slice(11)]),
  );

test('status: chunks that can have no vector of the built-in model are explained, those of a provider are not', () => {
  assert.match(rows().vectors, /^19 of 20 chunks \(1 chunk has no word that the model knows\), 8\.0 KB/);
  assert.match(rows({ vectors: { ...VECTORS, embedder: 'ollama' } }).vectors, /^19 of 20 chunks, 8\.0 KB/);
});

test('status: a row for each question', () => {
  const page = rows();
  assert.equal(page.ref, 'HEAD aaaaaaaaa (main)');
  assert.equal(page.coverage, '9 of 10 files, 20 chunks');
  assert.equal(page['left out'], '1 binary; which: git socraticode status --left-out');
  assert.equal(page.unparsed, 'no file');
  assert.equal(page.records, '8 blobs with a record, 2 without');
  assert.equal(page.shards, '1 shard, 20 documents, 4.0 KB');
  assert.match(page.vectors, /8\.0 KB$/);
  assert.equal(page.embedder, 'builtin 0123456789ab, 256 dimensions, profile def');
  assert.equal(page.grammars, 'all 2');
  assert.equal(page.hook, 'not installed (.git/hooks/post-commit)');
  assert.equal(page.writer, undefined);
  assert.ok(statusText(status()).endsWith('\nnext\n  git socraticode index\n'));
});

test('status: what needs attention', () => {
  const page = rows({
    ...{ branch: null, dirty: 2, writer: 42, remotes: ['origin', 'fork'], skipped: {} },
    vectors: {
      ...{ ...VECTORS, embedder: 'ollama', model: 'm', dimensions: null, endpoint: 'http://127.0.0.1:1' },
      ...{ engine: 'javascript', engineReason: 'no build', fault: { code: 'X', message: 'it is down', hint: '' } },
      notes: { ref: 'refs/notes/socraticode/vectors/def', commit: null, records: 3, packedBytes: 1024 },
    },
    grammars: { available: ['Go'], missing: ['Rust', 'Swift'] },
    hook: { installed: true, path: '.husky/post-commit' },
  });
  assert.equal(page.ref, 'HEAD aaaaaaaaa');
  assert.equal(page['left out'], 'nothing');
  assert.equal(page.grammars, 'missing: Rust, Swift');
  assert.equal(page.dirty, '2 uncommitted files (searched as they are)');
  assert.equal(page.hook, '.husky/post-commit');
  assert.equal(page.writer, 'process 42 is indexing');
  assert.equal(page.remotes, 'origin, fork');
  assert.equal(page.vectors, '19 of 20 chunks, 8.0 KB; refs/notes/socraticode/vectors/def: 3 records, 1.0 KB packed');
  assert.equal(page.embedder, 'ollama m at http://127.0.0.1:1, profile def; it is down');
  assert.ok(!statusText(status({ next: [] })).includes('\nnext'));
});
