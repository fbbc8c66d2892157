/** Files that a grammar could not read as a whole: every question that they concern says so. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverStatusText } from '../../src/questions/status/answer.js';
import type { StatusReport } from '../../src/questions/status/question.js';
import { answer } from '../support/in-process/answer.js';
import { createRepo } from '../support/repositories/repo.js';

const FILES = {
  'lost.js': 'function known() {}\nexport wrapped class ID: string = string;\nknown();\n',
  'small.js': 'function other() {\n  return 1 +* 2;\n}\nexport const a = other();\n',
  'whole.js': 'export function whole() {}\n',
};

const repo = createRepo();
repo.commit(FILES);
const ask = (...args: string[]) => answer(['-C', repo.dir, ...args]);
const HIDDEN = 'parse errors may hide declarations and uses in lost.js';

test('index reports files that may lack declarations, and fails on them only where --strict asks for it', async () => {
  const first = await ask('index', '--require-complete');
  assert.match(first.stdout, /; parse errors may hide declarations in 1 file\n$/);
  assert.equal(first.code, 0);
  const strict = await ask('index', '--require-complete', '--strict');
  assert.match(strict.stdout, /\nincomplete: 1 parse-errors\n$/);
  assert.equal(strict.code, 1);
  // The report of a snapshot that is known to be complete says it as well.
  assert.equal((JSON.parse((await ask('index', '--json')).stdout) as { parseErrors?: number }).parseErrors, 1);
});

test('status names the files that may lack declarations, for people and agents', async () => {
  await ask('index');
  const report = JSON.parse((await ask('status', '--json')).stdout) as StatusReport;
  assert.deepEqual(report.parseErrors, { files: 1, first: ['lost.js'] });
  assert.match(
    (await ask('status')).stdout,
    /^incomplete 1 file, whose parse errors may hide declarations: lost\.js; /m,
  );
  const server = { ...report, background: { running: null, queued: [], last: null }, watches: false };
  const text = serverStatusText(server, {} as Parameters<typeof serverStatusText>[1]);
  assert.match(text, /^parse errors may hide declarations in 1 file: lost\.js$/m);
});

test('explain and the outline list the lines, and tell small errors from those that may hide declarations', async () => {
  const lost = 'parse errors: lines 2 could not be read, and declarations may be missing there';
  for (const question of ['explain', 'graph outline']) {
    const out = async (path: string) => (await ask(...question.split(' '), path)).stdout;
    assert.ok((await out('lost.js')).includes(lost), await out('lost.js'));
    assert.match(await out('small.js'), /small parse errors: lines 2\n/);
    assert.doesNotMatch(await out('whole.js'), /parse errors/);
  }
  const outline = JSON.parse((await ask('graph', 'outline', 'lost.js', 'whole.js', '--json')).stdout);
  assert.deepEqual(
    outline.files.map(({ parseErrors }: { parseErrors: unknown }) => parseErrors),
    [[{ startLine: 2, endLine: 2, lost: true }], []],
  );
});

test('an answer about a symbol says it if the file of the symbol may lack declarations, and no other does', async () => {
  for (const question of ['graph symbol', 'graph references', 'graph impact', 'graph flow']) {
    assert.ok((await ask(...question.split(' '), 'known')).stdout.includes(HIDDEN), question);
    assert.ok(!(await ask(...question.split(' '), 'whole')).stdout.includes('parse errors'), question);
    assert.ok(!(await ask(...question.split(' '), 'other')).stdout.includes('parse errors'), question);
  }
  assert.match((await ask('show', 'known')).stdout, /parse errors may hide declarations/);
  assert.match((await ask('graph', 'stats')).stdout, /parse errors that may hide declarations and uses: 1\n/);
});

test('what is not found may be hidden by parse errors, and what has no callers in such a file is not certainly unused', async () => {
  assert.match(
    (await ask('graph', 'symbol', 'ID')).stderr,
    /no symbol ID is defined .*; parse errors may hide it in a file/,
  );
  repo.commit({ 'lost.js': FILES['lost.js'].replace('known();\n', '') });
  assert.ok(!(await ask('graph', 'unused')).stdout.includes('known'));
  assert.match((await ask('graph', 'symbol', 'known')).stdout, /no callers are known: its file has parse errors/);
});
