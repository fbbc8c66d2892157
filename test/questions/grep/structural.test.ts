/** `grep --ast`: patterns of syntax in several languages, at any ref, and files that cannot be parsed. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isSocraticodeError } from '../../../src/base/errors.js';
import { answerGrep, grepText } from '../../../src/questions/grep/answer.js';
import type { GrepValues } from '../../../src/questions/grep/question.js';
import { COMMAND_WORDS, plainPen } from '../../../src/questions/pen.js';
import { Session } from '../../../src/session/session.js';
import { askerOf } from '../../support/in-process/asker.js';
import { createRepo } from '../../support/repositories/repo.js';

const repo = createRepo();
repo.commit({
  'a.ts': 'console.log("first");\n',
});
repo.git('tag', 'old');
repo.commit({
  'a.ts': '// console.log(comment)\nfunction run() {\n  é = console.log(1, console.log(2));\n}\n',
  'b.py': 'def run():\n    if ok:\n        show("x", y)\n',
  'c.go': 'package c\n\nfunc run() {\n\tfmt.Println(a, b)\n}\n',
  'd.c': 'int run(void) {\n  release(p);\n  return 0;\n}\n',
  'e.rs': 'fn run() {\n    a.b().unwrap();\n}\n',
  'f.php': '<?php\nfunction run() { return show($x); }\n',
  tool: '#!/usr/bin/env python3\nshow(1)\n',
  'notes.md': 'console.log($A) show(1)\n',
});
const session = await Session.open({ directory: repo.dir });
after(() => session.close());

const ask = (pattern: string, more: Partial<GrepValues> = {}) =>
  answerGrep(askerOf(session), { pattern, ast: true, context: 0, ...more } as GrepValues);

async function found(pattern: string, more: Partial<GrepValues> = {}) {
  const { hits = [] } = await ask(pattern, more);
  return hits.map(({ path, line, column, endColumn, captures }) => [
    `${path}:${line}:${column}-${endColumn}`,
    captures,
  ]);
}

test('patterns find syntax in each language, with what their variables stand for', async () => {
  assert.deepEqual(await found('console.log($$$ARGS)'), [
    ['a.ts:3:7-37', { ARGS: '1, console.log(2)' }],
    ['a.ts:3:22-36', { ARGS: '2' }],
  ]);
  assert.deepEqual(await found('fmt.Println($$$ARGS)'), [['c.go:4:2-19', { ARGS: 'a, b' }]]);
  assert.deepEqual(await found('release($A)'), [['d.c:2:3-13', { A: 'p' }]]);
  assert.deepEqual(await found('$A.unwrap()'), [['e.rs:2:5-19', { A: 'a.b()' }]]);
  assert.deepEqual(await found('if $A:\n  $$$BODY'), [['b.py:2:5-21', { A: 'ok', BODY: 'show("x", y)' }]]);
  assert.deepEqual(await found('show($A)'), [
    ['f.php:2:25-33', { A: '$x' }],
    ['tool:2:1-8', { A: '1' }],
  ]);
  assert.deepEqual(await found('show($A)', { language: ['python'] }), [['tool:2:1-8', { A: '1' }]]);
});

test('a ref that is not checked out, and only new code of a range', async () => {
  assert.deepEqual(await found('console.log($A)', { ref: 'old' }), [['a.ts:1:1-21', { A: '"first"' }]]);
  repo.write({ 'a.ts': 'console.log("first");\nconsole.log("edited");\n' });
  try {
    assert.deepEqual(await found('console.log($A)', { in: 'old..' }), [['a.ts:2:1-22', { A: '"edited"' }]]);
  } finally {
    repo.git('checkout', '-q', 'a.ts');
  }
});

test('uncommitted text is searched as it is now, in new files as well', async () => {
  repo.write({ 'a.ts': 'function edited() {\n  audit(1);\n}\n', 'new.ts': 'audit(2);\n' });
  try {
    const { hits, overlay } = await ask('audit($A)');
    assert.deepEqual(
      hits?.map(({ path, line, symbol, uncommitted }) => [path, line, symbol, uncommitted]),
      [
        ['a.ts', 2, 'edited', true],
        ['new.ts', 1, null, true],
      ],
    );
    assert.equal(overlay, 2);
    await assert.rejects(ask('audit($A)', { committed: true, path: ['new.ts'] }), /no file matches/);
    assert.deepEqual(await found('audit($A)', { committed: true }), []);
  } finally {
    repo.git('checkout', '-q', 'a.ts');
    repo.git('clean', '-fq');
  }
});

test('a rewrite is a patch of the ref or of the work tree, and writes nothing', async () => {
  const values = { pattern: 'console.log($$$A)', rewrite: 'log($$$A)', ast: true, context: 0 } as GrepValues;
  const write = (response: Awaited<ReturnType<typeof ask>>) =>
    grepText(response, { pen: plainPen(COMMAND_WORDS), values, isCommand: true });
  const at = (more: Partial<GrepValues>) => answerGrep(askerOf(session), { ...values, ...more });
  const old = await at({ ref: 'old' });
  assert.equal(
    write(old),
    'diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1,1 +1,1 @@\n-console.log("first");\n+log("first");\n',
  );
  const now = await at({});
  assert.deepEqual([now.total.hits, now.inner, now.files?.[0].hits], [2, 1, 1]);
  assert.match(write(now), /\+ {2}é = log\(1, console\.log\(2\)\);\n/);
  assert.match(write(now), /^1 match lies inside of others: apply this, then ask again$/m);
  repo.gitInput(write(now), 'apply', '--check');
  repo.write({ 'bytes.ts': Buffer.from([...Buffer.from('console.log("'), 0xe9, ...Buffer.from('");\n')]) });
  try {
    assert.equal((await at({ path: ['bytes.ts'] })).skipped['not-utf8'], 1);
  } finally {
    repo.git('clean', '-fq');
  }
  assert.equal(repo.git('status', '--porcelain'), '');
  await assert.rejects(at({ rewrite: 'log($B)' }), /captures no \$B/);
  await assert.rejects(at({ ast: false }), /rewrite needs ast/);
  await assert.rejects(at({ count: true }), /count and rewrite exclude each other/);
});

test('hits have the symbol around them, and their number counts matches', async () => {
  const values = { pattern: 'console.log($$$A)', ast: true, context: 0 } as GrepValues;
  const response = await ask(values.pattern as string);
  assert.equal(response.hits?.[0].symbol, 'run');
  assert.equal(response.skipped['other-language'], 1);
  const text = grepText(response, { pen: plainPen(COMMAND_WORDS), values, isCommand: true });
  assert.equal(text, 'a.ts\n run\n3:  é = console.log(1, console.log(2));\n\n2 hits in 1 file, all shown\n');
});

test('a pattern that no language can read is refused, and so are options about letters', async () => {
  const refused = (message: RegExp) => (error: unknown) =>
    isSocraticodeError(error, 'BAD_ARGUMENT') && message.test(error.message);
  await assert.rejects(ask('console.log($A'), refused(/no language of this snapshot can read the pattern/));
  await assert.rejects(ask('a(); b()', { language: ['typescript'] }), refused(/none of these languages/));
  await assert.rejects(ask('a()', { language: ['cobol'] }), refused(/"cobol" is no language with a grammar/));
  await assert.rejects(ask('a()', { words: true }), refused(/words and ast exclude each other/));
  await assert.rejects(ask('a()', { ast: false, language: ['go'] }), refused(/language needs ast/));
});

test('a file that cannot be parsed in time is left out and counted', async () => {
  const other = createRepo();
  // A tree so deep that searching it takes more than the memory or the time of a parser.
  const deep = `${'f('.repeat(1_000_000)}1${')'.repeat(1_000_000)};\n`;
  other.commit({ 'deep.ts': deep, 'ok.ts': 'f(1);\n' });
  const opened = await Session.open({ directory: other.dir });
  try {
    const { hits, coverage, skipped } = await answerGrep(askerOf(opened), {
      pattern: 'f($A)',
      ast: true,
      context: 0,
    } as GrepValues);
    assert.deepEqual(
      hits?.map(({ path }) => path),
      ['ok.ts'],
    );
    assert.equal(skipped['not-parsed'], 1);
    assert.equal(coverage.total - coverage.covered, 1);
  } finally {
    opened.close();
  }
});
