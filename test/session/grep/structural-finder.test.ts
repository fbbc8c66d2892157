/** Patterns of code: which languages read them, which files are parsed, and where a match lies. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { listGrepFiles } from '../../../src/session/grep/files.js';
import { type StructuralPattern, structuralFinder } from '../../../src/session/grep/structural-finder.js';
import { opened } from '../../support/in-process/asker.js';
import { createRepo } from '../../support/repositories/repo.js';

const FILES = {
  'a.ts': 'const x = 1;\n\nfetchCart(\n  1,\n); fetchCart(2);\n',
  'b.py': 'fetchCart(3)\n',
  'c.ts': 'other(4);\n',
  'd.md': 'fetchCart(5)\n',
  run: '#!/usr/bin/env python3\nfetchCart(6)\n',
  notes: 'fetchCart(7)\n',
};

async function finderOf(t: TestContext, pattern: StructuralPattern, files: Record<string, string> = FILES) {
  const repo = createRepo();
  repo.commit(files);
  const session = await opened(t, repo);
  const listed = await listGrepFiles(session, {});
  const finder = await structuralFinder(session, pattern, listed);
  t.after(() => finder.close());
  const file = (path: string) => listed.files.find((each) => each.path === path) as (typeof listed.files)[number];
  const hits = async (path: string) => {
    const found = await finder.hits(files[path], file(path), Buffer.from(files[path]));
    if (typeof found === 'string') return found;
    return [...found].map((hit) => hit && [hit.line, hit.endLine, hit.start, hit.end]);
  };
  return { finder, file, hits, session };
}

test('a pattern is looked for in code whose language can read it, and matches have whole lines', async (t) => {
  const { finder, file, hits } = await finderOf(t, { ast: 'fetchCart($A)' });
  assert.deepEqual(await hits('a.ts'), [
    [3, 5, 14, 46],
    [5, 5, 30, 46],
  ]);
  assert.deepEqual(await hits('b.py'), [[1, 1, 0, 12]]);
  assert.deepEqual(await hits('c.ts'), [], 'it lacks the word');
  assert.deepEqual(await hits('run'), [[2, 2, 23, 35]], 'its language shows in its content');
  assert.equal(await hits('d.md'), 'other-language');
  assert.equal(await hits('notes'), 'other-language');
  assert.deepEqual(
    ['a.ts', 'b.py', 'd.md', 'run'].map((path) => finder.skips(file(path))),
    [null, null, 'other-language', null],
  );
});

test('only the languages that are asked for are searched, and one without a grammar is refused with those that have one', async (t) => {
  const { finder, file, hits } = await finderOf(t, { ast: 'fetchCart($A)', languages: ['python'] });
  assert.deepEqual(
    [finder.skips(file('a.ts')), finder.skips(file('b.py')), await hits('a.ts'), await hits('b.py')],
    ['other-language', null, 'other-language', [[1, 1, 0, 12]]],
  );
  await assert.rejects(finderOf(t, { ast: 'x', languages: ['python', 'klingon'] }), (error: { hint?: string }) => {
    assert.match(String(error), /"klingon" is no language with a grammar/);
    assert.match(error.hint ?? '', /^Languages: typescript, .*python, /);
    return true;
  });
});

test('a pattern that no language can read is refused, with the reason of each', async (t) => {
  const broken = 'fetchCart($A); }}} ((';
  await assert.rejects(finderOf(t, { ast: broken, languages: ['python'] }), {
    code: 'BAD_ARGUMENT',
    message: `none of these languages can read the pattern ${JSON.stringify(broken)}`,
    hint: /^A pattern is one whole expression, statement or definition\. python: /,
  });
  await assert.rejects(finderOf(t, { ast: broken }), { message: /^no language of this snapshot can read/ });
});

test('words of a pattern are looked for in any case, and a pattern without words in every file', async (t) => {
  const files = { 'a.ts': 'FETCHCART(1);\n', 'b.ts': 'x + y;\n' };
  const { finder, hits } = await finderOf(t, { ast: 'fetchCart($A)' }, files);
  assert.deepEqual([await hits('a.ts'), finder.mayMatch(Buffer.from(''))], [[], true]);
  const any = await finderOf(t, { ast: '$A + $B' }, files);
  assert.deepEqual(await any.hits('b.ts'), [[1, 1, 0, 6]]);
});
