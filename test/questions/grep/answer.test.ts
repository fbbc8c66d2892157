/** How hits read: below their file and symbol, with context, marks and what was not searched. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visibleDocument } from '../../../src/base/printable.js';
import { grepText } from '../../../src/questions/grep/answer.js';
import {
  type GrepResponse,
  type GrepValues,
  type HitDocument,
  question,
} from '../../../src/questions/grep/question.js';
import type { Pen } from '../../../src/questions/pen.js';
import { PLAIN } from '../../support/in-process/document.js';

const hit = (line: number, more: Partial<HitDocument> = {}): HitDocument => ({
  ...{ path: 'a.ts', line, column: 1, symbol: null, text: 'total = total' },
  ...more,
});

function responseOf(hits: HitDocument[], more: Partial<GrepResponse> = {}): GrepResponse {
  const files = new Set(hits.map(({ path }) => path)).size;
  return {
    ...{ schemaVersion: 1, pattern: 'total', ref: 'HEAD', commit: '0'.repeat(40), dirty: 0, overlay: 0 },
    ...{ coverage: { covered: 9, total: 9 }, total: { hits: hits.length, files }, skipped: {}, hits, hitsLeftOut: 0 },
    ...more,
  };
}

const MARKING: Pen = { ...PLAIN.pen, match: (text) => `<${text}>` };

function written(response: GrepResponse, values: Partial<GrepValues> = {}, { pen = PLAIN.pen, isCommand = true } = {}) {
  return grepText(visibleDocument(response, question.multiline), {
    pen,
    isCommand,
    values: { pattern: 'total', ...values } as GrepValues,
  });
}

test('hits stand below their file and their symbol, each named once', () => {
  const hits = [
    hit(1, { symbol: 'Cart.total' }),
    hit(3, { symbol: 'Cart.total' }),
    hit(9),
    hit(2, { path: 'b\u001b.ts', uncommitted: true, text: 'a total\r' }),
  ];
  assert.equal(
    written(responseOf(hits)),
    [
      ...['a.ts', ' Cart.total', '1:total = total', '3:total = total', ' top level', '9:total = total', ''],
      ...['b\\x1b.ts  (uncommitted)', '2:a total', '', '4 hits in 2 files, all shown', ''],
    ].join('\n'),
  );
});

test('versions of one path in several branches are shown by themselves, each with all of its hits and its branches', () => {
  const hits = [hit(8, { refs: ['main'] }), hit(9, { refs: ['main'] }), hit(3, { refs: ['older', 'oldest'] })];
  const [main, older] = written(responseOf(hits)).split('\n\n');
  assert.deepEqual(main.match(/^\d+/gm), ['8', '9']);
  assert.deepEqual(older.match(/^\d+/gm), ['3']);
  assert.match(older, /^a\.ts {2}on older, oldest$/m);
});

test('lines of context are given once, with a gap where lines lie between', () => {
  const around = (line: number, symbol: string | null = null) =>
    hit(line, { symbol, before: [`${line - 1}`], after: [`${line + 1}`] });
  assert.equal(
    written(responseOf([around(2), around(3), around(6), around(9)])).split('\n\n')[0],
    [
      ...['a.ts', '1-1', '2:total = total', '3:total = total', '4-4'],
      ...['5-5', '6:total = total', '7-7', '8-8', '9:total = total', '10-10'],
    ].join('\n'),
  );
  assert.match(written(responseOf([around(2), around(9)])), /3-3\n…\n8-8\n9:/);
  const lines = hit(4, { endLine: 5, text: 'total\nmore', after: ['after'] });
  assert.match(written(responseOf([lines])), /4:total\n5:more\n6-after\n/);
});

test('every match of a line is marked, of structural search the piece that matches', () => {
  const marked = (one: HitDocument, values: Partial<GrepValues> = {}) =>
    written(responseOf([one]), values, { pen: MARKING }).split('\n')[1];
  assert.equal(marked(hit(1)), '1:<total> = <total>');
  assert.equal(marked(hit(1, { text: '\ttotals' })), '1:\t<total>s');
  assert.equal(marked(hit(1, { text: 'total '.repeat(30) })).split('<').length - 1, 20, 'a bound on marks');
  const piece = hit(1, { column: 5, endColumn: 8, text: 'one two three' });
  assert.equal(marked(piece, { ast: true }), '1:one <two> three');
  assert.equal(marked({ ...piece, text: '…one two' }, { ast: true }), '1:…one two');
  const several = hit(1, { endLine: 2, column: 5, endColumn: 4, text: 'one two\nsix seven' });
  const text = written(responseOf([several]), { ast: true }, { pen: MARKING }).split('\n');
  assert.deepEqual(text.slice(1, 3), ['1:one <two>', '2:<six> seven']);
});

test('matches of a pattern that is given by -e are marked', () => {
  const values = { pattern: undefined, expression: 'total' } as unknown as Partial<GrepValues>;
  assert.match(written(responseOf([hit(1)]), values, { pen: MARKING }), /^1:<total> = <total>$/m);
});

test('branches are named up to four, and how many were not searched', () => {
  const one = hit(1, { refs: ['a', 'b', 'c', 'd', 'e'] });
  const text = written(responseOf([one], { branches: { searched: 5, leftOut: 2 } }));
  assert.match(text, /^a\.ts {2}on a, b, c, d and 1 more branch\n/);
  assert.match(text, /\n5 branches searched; 2 older ones not searched\n/);
  assert.match(written(responseOf([hit(1, { refs: ['a', 'b', 'c', 'd'] })])), /^a\.ts {2}on a, b, c, d\n/);
  assert.match(written(responseOf([one], { branches: { searched: 1, leftOut: 0 } })), /\n1 branch searched\n/);
  const cut = responseOf([hit(1, { refs: ['a', 'b', 'c', 'd', 'e'], refsLeftOut: 1_000 })]);
  assert.match(written(cut), /^a\.ts {2}on a, b, c, d and 1,001 more branches\n/);
});

test('the end counts what is shown and says what was not searched, and why', () => {
  const end = (more: Partial<GrepResponse>, options: { isCommand?: boolean; skipped?: number } = {}) => {
    const pen = { ...PLAIN.pen, ...(options.skipped && { skipped: options.skipped }) };
    return written(responseOf([hit(1)], more), {}, { pen, isCommand: options.isCommand ?? true })
      .split('\n\n')
      .at(-1);
  };
  assert.equal(end({ total: { hits: 3_204, files: 310 } }), 'first 1 of 3,204 hits in 310 files; raise --limit\n');
  assert.match(end({ total: { hits: 9, files: 2 } }, { skipped: 4 }) ?? '', /^5 to 5 of 9 hits in 2 files/);
  const skipped = { secret: 1, unreadable: 2, 'too-large': 3, 'not-parsed': 4, binary: 5, 'too-slow': 1 };
  assert.equal(
    end({ skipped, givenUp: ['slow.txt'] })
      ?.split('\n')
      .slice(1, 3)
      .join('\n'),
    'files not searched: 4 not parsed, 3 too large, 2 unreadable, 1 secret\n1 file given up, where this pattern takes too long: slow.txt',
  );
  assert.equal(
    written(responseOf([], { skipped: { binary: 5, 'other-language': 2 } })),
    '\nno line matches\nfiles not searched: 5 binary, 2 of other languages\n'.replace(/^\n/, ''),
  );
  assert.match(written(responseOf([]), { ast: true }), /^no code matches\n/);
  assert.match(
    end({ dirty: 3, overlay: 2 }) ?? '',
    /\n2 uncommitted files included, 1 left out: not indexed, too many, or not readable\n/,
  );
  assert.match(end({ dirty: 3 }) ?? '', /\n3 uncommitted files not searched: this is HEAD as committed\n/);
  assert.doesNotMatch(end({ dirty: 3 }, { isCommand: false }) ?? '', /uncommitted/);
  const range = { from: '1'.repeat(40), unread: 2 };
  assert.match(
    end({ range }) ?? '',
    /\nonly lines that are new or changed since 1{12}\nall lines of 2 files count as new/,
  );
  assert.match(end({ range: { from: null, unread: 0 } }) ?? '', /since that tree\n$/);
});

test('nothing found for what may be plain text says how to find it as it is', () => {
  const missed = (pattern: string, fixed = false) =>
    written(responseOf([], { pattern }), { pattern, fixed }).split('\n', 1)[0];
  const asText = 'no line matches; -F finds its signs as they are written';
  for (const text of ['run(task, now)', 'rows[0]', 'a || b', 'cost $5', '{ ...all }'])
    assert.equal(missed(text), asText);
  for (const other of ['cart', 'a.b', 'run\\(task', 'run.*(task|now)']) assert.equal(missed(other), 'no line matches');
  assert.equal(missed('rows[0]', true), 'no line matches');
});

test('a whole list of files is names alone; one that is cut, empty or for an agent has its end', () => {
  const files = [
    { path: 'a.ts', hits: 3 },
    { path: 'b.ts', hits: 1, uncommitted: true as const },
  ];
  const list = responseOf([], { hits: undefined, files, filesLeftOut: 0, total: { hits: 4, files: 2 } });
  assert.equal(written(list, { files: true }), 'a.ts\nb.ts\n');
  assert.equal(written(list, { count: true }), 'a.ts:3\nb.ts:1  (uncommitted)\n');
  assert.equal(written(list, { files: true }, { isCommand: false }), 'a.ts\nb.ts\n4 hits in 2 files\n');
  const cut = { ...list, filesLeftOut: 1, total: { hits: 5, files: 3 } };
  assert.equal(written(cut, { files: true }), 'a.ts\nb.ts\nfirst 2 files; 5 hits in 3 files\n');
  assert.equal(written({ ...list, files: [], total: { hits: 0, files: 0 } }, { files: true }), 'no line matches\n');
});

test('behind patches stands what a reader has to know, and nothing where they are whole', () => {
  const files = [{ path: 'a.ts', hits: 1, patch: '--- a\n+++ b\n' }];
  const values = { ast: true, rewrite: 'x' };
  const list = responseOf([], { hits: undefined, files, filesLeftOut: 0, total: { hits: 1, files: 1 }, inner: 0 });
  assert.equal(written(list, values), '--- a\n+++ b\n');
  const more = { filesLeftOut: 2, inner: 1, skipped: { 'not-utf8': 1 } };
  assert.equal(
    written({ ...list, ...more }, values),
    '--- a\n+++ b\nfirst 1 file; 2 more change\n1 match lies inside of others: apply this, then ask again\n1 file not changed: not UTF-8\n',
  );
  assert.equal(written({ ...list, files: [] }, values), 'no match changes\n');
  assert.equal(written({ ...list, files: [], total: { hits: 0, files: 0 } }, values), 'no code matches\n');
});
