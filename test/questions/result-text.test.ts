/** Results as text: headings, the lines that answer, colours, hostile text, and what the last lines admit. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { visibleDocument } from '../../src/base/printable.js';
import { shortName } from '../../src/questions/format.js';
import { createPen, wantsColor } from '../../src/questions/pen.js';
import {
  chooseLines,
  createHighlighter,
  highlighterOf,
  searchText,
  withExcerpts,
} from '../../src/questions/result-text.js';
import { worthShowing } from '../../src/questions/search/output.js';
import { question, type SearchResponse } from '../../src/questions/search/question.js';
import { similarText } from '../../src/questions/similar/answer.js';
import type { SimilarResponse } from '../../src/questions/similar/question.js';
import { fakeIo } from '../cli/io.js';

type Result = SearchResponse['results'][number];

const result = (more: Partial<Result> = {}): Result => ({
  ...{ path: 'src/session.ts', startLine: 10, endLine: 12, language: 'typescript' },
  ...{ kind: 'class', symbol: 'SessionStore', score: 1.5 },
  ...{ content: 'class SessionStore {\n\topen() {}\n}' },
  ...more,
});

const at = (path: string) => ({ path, startLine: 1, endLine: 3 });

const response = (more: Partial<SearchResponse> = {}): SearchResponse => ({
  ...{ schemaVersion: 1, query: 'open', kind: 'symbol', mode: 'lexical', ref: 'HEAD', commit: 'a'.repeat(40) },
  ...{ coverage: { covered: 5, total: 5 }, dirty: 0, overlay: 0, results: [result()] },
  ...more,
});

const render = (more: Partial<SearchResponse> = {}, lines = 8, env: NodeJS.ProcessEnv = {}, isTTY = false) =>
  searchText(visibleDocument(response(more), question.multiline), {
    pen: createPen({ stdout: { isTTY } }, wantsColor(fakeIo(env, isTTY), undefined, [])),
    values: { lines },
    isCommand: true,
  });

/** What an agent sees of results that have thirty lines each. */
function forAgent(scores: readonly number[], query = 'open'): string[] {
  const content = Array.from({ length: 30 }, (_, i) => (i === 25 ? 'open()' : `line ${i}`)).join('\n');
  const own = (score: number, i: number) => result({ path: `src/f${i}.ts`, score, content, startLine: 1, endLine: 30 });
  const pen = createPen({ stdout: { isTTY: false } }, false);
  const text = searchText(response({ query, results: scores.map(own) }), { pen, values: {}, isCommand: false });
  return text.trimEnd().split('\n\n').map(shown);
}

test('the surer the first result is, the more of it and the less of the others agents get', () => {
  const counts = (...scores: number[]) => forAgent(scores).map((text) => text.match(/\d+/g)?.length ?? 0);
  assert.deepEqual(counts(10, 9.5, 8), [8, 3, 3], 'another file comes near');
  assert.deepEqual(counts(10, 8.5, 8), [30, 3, 3]);
  assert.deepEqual(counts(10, 7, 7), [30, 0], 'far ahead: the others are a list');
});

test('a line that a trace names is shown, with those above it, and its result counts as sure', () => {
  const [first, second] = forAgent([10, 9.9, 5], 'open failed at src/f1.ts:12');
  assert.equal(first.split(' ').length, 30);
  assert.equal(second, '11 12 13');
});

test('agents are shown the results that have half of the best score, and further ones when they ask', () => {
  const results = [10, 6, 5, 4.9, 1].map((score) => result({ score }));
  assert.equal(worthShowing({ results }), 3);
  assert.equal(worthShowing({ results: [] }), Infinity);
  assert.equal(worthShowing({ results, window: {} }), Infinity, 'commits are another list');
});

/** Line numbers that are shown, '…' for a gap. */
const shown = (text: string) => [...text.matchAll(/^(\d+(?=:)|…)/gm)].map(([first]) => first).join(' ');

test('agents get the first result whole where it is short and ahead, and the fourth to the tenth as a list of places', () => {
  const own = (i: number) =>
    result({ path: `src/f${i}.ts`, symbol: i === 5 ? null : `f${i}`, score: i === 0 ? 1 : 0.85 });
  const results = Array.from({ length: 6 }, (_, i) => own(i));
  const pen = createPen({ stdout: { isTTY: false } }, false);
  const text = (context?: number) => searchText(response({ results }), { pen, values: { context }, isCommand: false });
  const lines = text().split('\n');
  assert.deepEqual(lines.slice(0, 4), [
    'src/f0.ts:10-12  f0  class',
    '10:class SessionStore {',
    '11:\topen() {}',
    '12:}',
  ]);
  assert.deepEqual(lines.slice(-8, -2), [
    '',
    'src/f3.ts:10  f3',
    'src/f4.ts:10  f4',
    '',
    'src/f5.ts:10-12  class',
    '10:class SessionStore {',
  ]);
  assert.match(text(3), /f4 {2}class\n10:/);
});

test('a heading with path, symbol and kind, then numbered lines', () => {
  const lines = render().split('\n');
  assert.deepEqual(lines.slice(0, 4), [
    'src/session.ts:10  SessionStore  class',
    '10:class SessionStore {',
    '11:\topen() {}',
    '12:}',
  ]);
});

test('the heading opens a file at the first line that answers, and context moves it no further up', () => {
  const lines = ['class SessionStore {', ' a;', ' b;', ' c;', ' d;', ' read() {', '  open();', ' }', '}'];
  const long = result({ symbol: 'SessionStore.read', endLine: 18, content: lines.join('\n') });
  assert.match(render({ results: [long] }, 2), /^src\/session\.ts:15 {2}SessionStore\.read {2}class\n15:/);
  const near = { ...long, startLine: 15, endLine: 16, contentLine: 10 };
  const values = { lines: 8, context: 5 };
  const pen = createPen({ stdout: {} }, false);
  const text = searchText(response({ results: [near] }), { pen, values, isCommand: true });
  assert.match(text, /^src\/session\.ts:15 .*\n10:class/);
});

test('the heading is at the line of the symbol that it names, where that is shown', () => {
  const lines = ['', ' RootLifetime int', '', ' // Root certificate.', ' Root *KeyPair', '', ' Rooted bool'];
  const field = result({ symbol: 'CA.Root', endLine: 16, content: lines.join('\n') });
  assert.match(render({ results: [field] }), /^src\/session\.ts:14 {2}CA\.Root {2}class\n10:\n/);
  const unnamed = result({ symbol: null, endLine: 16, content: lines.join('\n') });
  assert.match(render({ results: [unnamed] }), /^src\/session\.ts:10 {2}class\n10:\n/);
  const other = result({ symbol: 'CA.Other', endLine: 16, content: lines.join('\n') });
  assert.match(render({ results: [other] }, 2), /^src\/session\.ts:\d+ {2}CA\.Other/);
});

test('results stand apart by an empty line', () => {
  const text = render({ results: [result(), result({ path: 'b.ts', symbol: null, kind: 'text' })] });
  assert.match(text, /12:}\n\nb\.ts:10 {2}text\n10:/);
});

test('more places are counted, contributions and ranges are shown where asked for', () => {
  assert.match(render({ results: [result({ places: [at('b.ts')] })] }), / class {2}\(\+1 more path\)\n/);
  assert.match(render({ results: [result({ places: [at('b'), at('c'), at('c')] })] }), /\(\+2 more paths\)\n/);
  const explained = render({ results: [result({ explain: { bm25: 1.25, 'factor:test': 0.3 } })] });
  assert.match(explained, /\nscore 1\.500 = bm25 1\.250, factor:test 0\.300\n/);
  const places = render({ results: [result({ explain: { dense: 1.5, 'rank:lexical': 7, 'rank:vectors': 2 } })] });
  assert.match(places, /\nscore 1\.500 = dense 1\.500; #7 by lexical; #2 by vectors\n/);
  assert.match(render({ results: [result({ content: undefined })] }), /class\n10-12\n/);
});

const LONG = Array.from({ length: 40 }, (_, i) => (i === 0 ? 'class SessionStore {' : `line ${i + 1}`));
const withWords = (words: Record<number, string>) =>
  result({ startLine: 1, content: LONG.map((line, i) => words[i + 1] ?? line).join('\n') });

test('of a long chunk: the first line and the densest window of matches', () => {
  const query = 'apple pear';
  const at = (words: Record<number, string>, lines: number) =>
    shown(render({ query, kind: 'natural', results: [withWords(words)] }, lines));
  assert.equal(at({}, 4), '1 2 3 4');
  assert.equal(at({ 3: 'apple' }, 4), '1 2 3 4');
  // Both words beat one word twice; no line that matches falls out at either end of the window.
  assert.equal(at({ 5: 'apple', 6: 'apple', 20: 'apple', 22: 'pear' }, 4), '1 … 20 21 22');
  assert.equal(at({ 38: 'apple', 39: 'pear', 40: 'pear' }, 4), '1 … 38 39 40');
  assert.equal(at({ 30: 'apple' }, 1), '1');
  for (const lines of [2, 3, 8]) {
    const found = at({ 30: 'apple' }, lines)
      .split(' ')
      .filter((part) => part !== '…');
    assert.equal(found.length, lines);
    assert.ok(found.includes('1') && found.includes('30'), found.join());
  }
});

test('lines that were cut out of a definition have no first line, and a long one is shown by its code, without the words of its name', () => {
  const query = 'apple store';
  const text = (lines: string[], most: number, symbol = 'SessionStore') =>
    shown(
      render({ query, kind: 'natural', results: [result({ startLine: 1, symbol, content: lines.join('\n') })] }, most),
    );
  const plain = LONG.slice(1);
  const put = (lines: string[], words: Record<number, string>) => lines.map((line, i) => words[i + 1] ?? line);
  assert.equal(text(put(plain, { 30: 'apple' }), 3), '28 29 30');
  const long = ['// an apple, for the store', 'class SessionStore {', ...plain, ...plain, ...plain];
  assert.equal(text(put(long, { 90: 'apple', 60: 'SessionStore: in the store' }), 4), '2 … 88 89 90');
});

test('names beside a path are without the namespaces that its folders say', () => {
  assert.equal(shortName('Shop.Core.Carts.Cart.Total', 'src/Shop.Core/Carts/Cart.cs'), 'Cart.Total');
  assert.equal(shortName('Shop.Web.Cart.Total', 'src/Shop.Core/Carts/Cart.cs'), 'Web.Cart.Total');
  assert.equal(shortName('Cart.Total', 'src/Cart/Total.cs'), 'Cart.Total');
});

test('--lines 0 shows everything, as do chunks that fit', () => {
  assert.equal(shown(render({ results: [withWords({})] }, 0)), LONG.map((_, i) => i + 1).join(' '));
  assert.equal(shown(render({ results: [withWords({})] }, 40)).split(' ').length, 40);
});

test('windows line ends leave no trace', () => {
  assert.match(render({ results: [result({ content: 'one\r\ntwo\r' })] }), /\n10:one\n11:two\n/);
});

test('colours: only for a terminal that wants them, or where forced', () => {
  const coloured = (env: NodeJS.ProcessEnv, isTTY: boolean) => render({}, 8, env, isTTY).includes('\x1b[');
  assert.deepEqual([coloured({}, true), coloured({}, false)], [true, false]);
  assert.equal(coloured({ NO_COLOR: '1' }, true), false);
  assert.equal(coloured({ TERM: 'dumb' }, true), false);
  assert.equal(coloured({ FORCE_COLOR: '1' }, false), true);
  assert.equal(coloured({ FORCE_COLOR: '0' }, false), false);
});

test('matches are highlighted in place, and colours change no character', () => {
  const forced = render({ query: 'how to open' }, 8, { FORCE_COLOR: '1' });
  assert.ok(forced.includes('\x1b[32m11\x1b[0m:\t\x1b[1;31mopen\x1b[0m() {}'), JSON.stringify(forced));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
  assert.equal(forced.replace(/\x1b\[[\d;]*m/g, ''), render({ query: 'how to open' }));
});

test('nothing of a repository reaches the terminal as a control character', () => {
  const hostile = '\x1b]0;title\x07\x1b[2J\u202eevil\x9b31m\u200b';
  const text = render({
    query: 'open',
    ref: `ref${hostile}`,
    dirty: 1,
    corrections: { [hostile]: [hostile] },
    results: [
      result({ path: `a${hostile}\n.ts`, symbol: hostile, content: `open ${hostile}\nx\ropen\n\topen\x1b[31m` }),
    ],
  });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
  assert.doesNotMatch(text, /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202e]/);
  assert.ok(text.startsWith('a\\x1b]0;title'), text);
  assert.match(text, /^\d+:\topen\\x1b\[31m$/m);
});

test('long lines are cut', () => {
  const text = render({ results: [result({ content: `open ${'x'.repeat(5_000)} open` })] });
  const [, line] = text.split('\n');
  assert.ok(line.length < 260 && line.endsWith('…'), String(line.length));
});

test('what is missing from the answer is said', () => {
  assert.doesNotMatch(render(), /partial|uncommitted|no results|no document/);
  assert.match(render({ coverage: { covered: 1_200, total: 3_400 } }), /\npartial: 1,200 of 3,400 files could be/);
  assert.match(render({ dirty: 1 }), /\n1 uncommitted file not searched: this is HEAD as committed\n$/);
  assert.match(render({ dirty: 2 }), /\n2 uncommitted files not/);
  assert.match(render({ dirty: 2, overlay: 2 }), /\n2 uncommitted files included\n$/);
  assert.match(
    render({ dirty: 3, overlay: 2 }),
    /\n2 uncommitted files included, 1 left out: not indexed, too many, or not readable\n$/,
  );
  const corrected = render({ corrections: { sesion: ['session', 'mission'] } });
  assert.match(corrected, /\n"sesion" does not occur here; searched for "session", "mission"\n$/);
});

test('no results: a next step, and nothing else', () => {
  assert.equal(render({ results: [] }), 'no results; try other words, fewer filters, or `git socraticode status`\n');
});

test('the reason why vectors were not used is printed below the results', () => {
  const vectors = { covered: 3, total: 5, reason: 'no server\x1b[2J (start it)' };
  assert.match(render({ vectors }), /\n\nno server\\x1b\[2J \(start it\)\n$/);
  assert.equal(render({ vectors: { ...vectors, reason: null } }), render());
});

const like = (more: Partial<SimilarResponse> = {}, lines = 8) => {
  const { query, kind, mode, ...rest } = response();
  const vectors = { covered: 5, total: 5, reason: null };
  const answer = { ...rest, place: result({ path: 'src/here.ts' }), vectors, ...more };
  return similarText(visibleDocument(answer, question.multiline), {
    pen: createPen(fakeIo(), false),
    values: { lines },
    isCommand: true,
  });
};

test('similar: first the place that was asked about, then results as of a search', () => {
  const lines = like().split('\n');
  assert.deepEqual(lines.slice(0, 4), [
    'like src/here.ts:10-12 (SessionStore)',
    '',
    'src/session.ts:10  SessionStore  class',
    '10:class SessionStore {',
  ]);
  assert.match(like({ place: result({ symbol: null, path: 'a\x07.ts' }) }), /^like a\\x07\.ts:10-12\n/);
  assert.match(like({ results: [] }), /^like src\/here\.ts:10-12 \(SessionStore\)\n\nno results/);
});

test('similar: exact copies of the place are named', () => {
  const places = Array.from({ length: 7 }, (_, i) => ({ path: `copy${i}.ts`, startLine: 1, endLine: 3 }));
  const text = like({ place: result({ path: 'src/here.ts', places }) });
  assert.match(text, /^like src\/here\.ts:10-12 \(SessionStore\)\nsame text: copy0\.ts:1-3\n/);
  assert.match(text, /\nsame text: copy4\.ts:1-3\n\(\+2 more places\)\n\n/);
});

test('no results of nothing indexed is no advice to use other words', () => {
  const none = { results: [], coverage: { covered: 0, total: 5 } };
  assert.match(render(none), /^nothing is indexed yet\n/);
  assert.match(render({ results: [] }), /^no results; try other words/);
  const range = { from: 'b'.repeat(40), files: 0 };
  assert.match(render({ results: [], range }), /^no file changed since .*, so there was nothing to search\n$/);
});

test('for agents the name of a section is its end, which is its own', () => {
  const long = `Guide.${'All about it. '.repeat(10)}.Closing`;
  const text = (path: string) =>
    searchText(response({ results: [result({ path, symbol: long })] }), {
      ...{ pen: createPen(fakeIo(), false), values: {}, isCommand: false },
    }).split('\n')[0];
  assert.match(text('docs/guide.md'), /^docs\/guide\.md:10-12 {2}….{60,80}\.Closing {2}class$/);
  assert.ok(text('src/guide.ts').includes(long));
});

test('an identifier that nothing has is told', () => {
  assert.match(render({ corrections: { openIt: [] } }), /"openIt" does not occur here; searched for its parts\n$/);
});

describe('excerpt', () => {
  const TEXT = [
    '/** Reads the token. */',
    'export function readToken(file) {',
    ...Array.from({ length: 20 }, (_, i) => `  step(${i});`),
    '  const session = openSession(file);',
    '  return session.token;',
    '}',
  ].join('\n');

  function response(query: string, content: string | undefined): SearchResponse {
    const place = { path: 'a.js', startLine: 10, endLine: 34, language: 'javascript', kind: 'function' };
    const result = { ...place, symbol: 'readToken', score: 1, content };
    return { query, results: [result] } as unknown as SearchResponse;
  }

  test('an excerpt is the piece with most words of the query, and has the number of its first line', () => {
    const [result] = withExcerpts(response('session', TEXT), () => 4).results;
    assert.equal(result.content?.split('\n').length, 4);
    assert.match(result.content ?? '', /openSession/);
    assert.equal(result.content?.split('\n')[0], TEXT.split('\n')[(result.contentLine ?? 0) - 10]);
    // The place itself stays: what is cut is the text.
    assert.deepEqual([result.startLine, result.endLine], [10, 34]);
  });

  test('where no line has more of the query than others, it begins with the definition', () => {
    const [result] = withExcerpts(response('elsewhere', TEXT), () => 3).results;
    assert.equal(result.contentLine, 11);
    assert.match(result.content ?? '', /^export function readToken/);
  });

  test('short texts, results without text, and 0 for all lines are left as they are', () => {
    for (const [content, most] of [
      [TEXT, 100],
      [TEXT, 0],
      [undefined, 3],
      ['', 3],
    ] as const) {
      const given = response('session', content);
      assert.deepEqual(
        withExcerpts(given, () => most),
        given,
      );
    }
  });

  test('lines by rank', () => {
    const two = response('session', TEXT);
    two.results.push(two.results[0]);
    const sizes = withExcerpts(two, ({ rank }) => [5, 2][rank]).results.map(
      ({ content }) => content?.split('\n').length,
    );
    assert.deepEqual(sizes, [5, 2]);
  });

  test('lines that are shown have the definition among them, wherever the matches are', () => {
    const lines = TEXT.split('\n');
    const shown = chooseLines(lines, 'readToken', { matches: highlighterOf(response('session', TEXT)), lines: 4 });
    assert.equal(shown.length, 4);
    assert.ok(shown.includes(1) && shown.includes(22));
  });
});

const words = (query: string, text: string, extra?: string[]) =>
  createHighlighter(query, extra)(text).map(({ offset, length }) => text.slice(offset, offset + length));

test('all forms of a word, parts of names included, stop words not', () => {
  const text = 'the parser is parsing parsed text: parseText(the_text)';
  assert.deepEqual(words('how is the text parsed', text), ['parsing', 'parsed', 'text', 'parseText', 'the_text']);
});

test('a name in another style', () => {
  assert.deepEqual(words('get_user', 'getUser(user_id)'), ['getUser', 'user_id']);
});

test('corrections count like the words they stand for', () => {
  assert.deepEqual(words('pasword', 'const password = 1;', ['password']), ['password']);
});

test('property: places are in order, do not overlap, and lie within the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.string({ maxLength: 20 }), (text, query) => {
      let end = 0;
      for (const { offset, length, terms } of createHighlighter(`${query} ${text.slice(0, 10)}`)(text)) {
        assert.ok(offset >= end && length > 0 && terms.length > 0);
        end = offset + length;
      }
      assert.ok(end <= text.length);
    }),
  );
});
