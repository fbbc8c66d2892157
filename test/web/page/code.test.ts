/** Marks of a query's words in code, as people expect them: other forms of a word are marked, and words inside of others are not. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import {
  type Coloured,
  ColourQueue,
  codeBlock,
  defineChunks,
  type Marker,
  markerOf,
  splitAtMarks,
  splitAtSpans,
  wordsOf,
} from '../../../src/web/page/code.js';
import { ROOT } from '../../house/root.js';
import { Browser } from './drawn.js';

/** The text with its marks in brackets. */
function marked(text: string, query: string): string {
  const marker = markerOf(wordsOf(query)) as Marker;
  return splitAtMarks(text, marker)
    .map((part, i) => (i % 2 === 1 ? `[${part}]` : part))
    .join('');
}

test('words of a query are marked; its filters, and words that a search ignores, are not', () => {
  assert.deepEqual(wordsOf('Cart.total author:ann is:test of a'), ['Cart', 'total']);
  assert.deepEqual(wordsOf('where is the price taken off'), ['price', 'taken', 'off']);
  assert.deepEqual(wordsOf('how is this'), ['how', 'this']);
});

test('other forms of a word are marked where a word begins, the word itself everywhere', () => {
  assert.equal(marked('Rollback, rolling it back', 'rolled back'), '[Roll][back], [rolling] it [back]');
  assert.equal(marked('beforeTransactionROLLBACK', 'transactions'), 'before[Transaction]ROLLBACK');
  assert.equal(marked('parser, parseRequest, sparse', 'parsing requests'), '[parser], [parse][Request], sparse');
  assert.equal(marked('unparsed a.b', 'parsed'), 'un[parsed] a.b');
  assert.equal(marked('price$ and $price', '$price'), 'price$ and [$price]');
});

test('a word of three letters is marked where a word begins, and not inside of another one', () => {
  assert.equal(marked('if not another, isNot(knot)', 'does not clash'), 'if [not] another, is[Not](knot)');
  assert.equal(marked('getUrl(curl, url_for)', 'url'), 'get[Url](curl, [url]_for)');
});

test('a part of a line is marked where matches are, also where one begins before it or ends behind it', () => {
  const spans = [
    [0, 2],
    [4, 8],
  ] as const;
  assert.deepEqual(splitAtSpans('total()', 0, spans), ['', 'to', 'ta', 'l()', '']);
  assert.deepEqual(splitAtSpans('total()', 1, spans), ['', 't', 'ot', 'al()', '']);
  assert.deepEqual(splitAtSpans('total()', 9, spans), ['total()']);
  assert.deepEqual(splitAtSpans('plain', 0, []), ['plain']);
});

test('nothing to mark', () => {
  assert.equal(markerOf([]), null);
  assert.equal(markerOf(['a']), null);
});

const LIMIT_MS = 5_000;

/** A queue whose painters do nothing until they are told to. */
function queueOf(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const painted: string[] = [];
  const ended: number[] = [];
  let draws = 0;
  let time = 0;
  let painters = 0;
  let done: (lines: Coloured | null) => void = () => {};
  const queue = new ColourQueue({
    start: (finish) => {
      done = finish;
      const number = ++painters;
      return { paint: (code) => painted.push(code), end: () => ended.push(number) };
    },
    changed: () => draws++,
    now: () => time,
  });
  const colours = (text: string): Coloured => [[['title', text]]];
  return {
    ...{ queue, painted, ended, colours },
    /** Draws texts, and what follows when they are seen. */
    draw(...texts: string[]) {
      for (const text of texts) queue.coloursOf(text, 'go');
      queue.next();
    },
    finish: (text: string) => done(colours(text)),
    wait(ms: number) {
      time += ms;
      t.mock.timers.tick(ms);
    },
    draws: () => draws,
  };
}

test('one text at a time is coloured, in the order in which they are drawn', (t) => {
  const { queue, painted, finish, colours, draws } = queueOf(t);
  for (const text of ['a', 'b', 'c', 'b']) assert.equal(queue.coloursOf(text, 'go'), null);
  assert.deepEqual(painted, [], 'nothing before it is seen');
  queue.next();
  assert.deepEqual(painted, ['a']);
  finish('a');
  assert.deepEqual(painted, ['a', 'b']);
  assert.deepEqual(queue.coloursOf('a', 'go'), colours('a'));
  assert.equal(queue.coloursOf('a', 'rust'), null);
  assert.equal(draws(), 1);
});

test('a text that takes too long stays plain; its painter ends, and the others get their own time', (t) => {
  const { queue, draw, painted, ended, finish, wait, colours } = queueOf(t);
  draw('slow', 'b', 'c');
  wait(LIMIT_MS - 1);
  assert.deepEqual([painted, ended], [['slow'], []]);
  wait(1);
  assert.deepEqual([painted, ended], [['slow', 'b'], [1]]);
  assert.equal(queue.coloursOf('slow', 'go'), null);
  // The time that the first one took is not the second one's.
  wait(LIMIT_MS - 1);
  finish('b');
  assert.deepEqual(queue.coloursOf('b', 'go'), colours('b'));
  assert.deepEqual(painted, ['slow', 'b', 'c']);
  finish('c');
  draw('slow');
  assert.deepEqual([painted, ended], [['slow', 'b', 'c'], [1]]);
});

test('colours that come at once are drawn at once, and none waits for a slow text', (t) => {
  const { draw, finish, wait, draws } = queueOf(t);
  draw('a', 'b', 'c', 'slow');
  finish('a');
  finish('b');
  assert.equal(draws(), 1);
  wait(200);
  finish('c');
  assert.equal(draws(), 2);
  finish('slow');
  assert.equal(draws(), 3);
});

test('texts that left the page are not coloured before those that are on it', (t) => {
  const { queue, draw, painted, finish } = queueOf(t);
  draw('a', 'left', 'left too');
  queue.begin();
  draw('here');
  finish('a');
  finish('here');
  assert.deepEqual(painted, ['a', 'here']);
});

/** Runs of the lines of a text, as the worker that colours code makes them. */
function painted(code: string, language: string, isApart = false): [scope: string, text: string][][] {
  let lines = '[]';
  let paint: (event: { data: object }) => void = () => {};
  runInNewContext(readFileSync(new URL('web/highlighter.js', ROOT), 'utf8'), {
    addEventListener: (_: string, listener: typeof paint) => {
      paint = listener;
    },
    postMessage: (text: string) => {
      lines = text;
    },
  });
  paint({ data: { code, language, isApart } });
  return JSON.parse(lines);
}

test('a part of a file that begins inside of a block comment has the colours of a comment there', () => {
  const java = painted(" * do not return a session's case\n */\npublic int x;", 'java');
  assert.ok(java.slice(0, 2).every((runs) => runs.every(([scope]) => scope === 'comment')));
  assert.deepEqual(java[2][0], ['keyword', 'public']);
  assert.deepEqual(painted('* item\n', 'markdown')[0][0], ['bullet', '*']);
  assert.deepEqual(painted('return 1;\n', 'java')[0][0], ['keyword', 'return']);
});

test('lines from all over a file have their own colours each: a comment that one opens ends with it', () => {
  const scopes = painted('/** Sum of a cart.\nint total;\n * of a till\nint other;', 'java', true).map(
    ([[scope]]) => scope,
  );
  assert.deepEqual(scopes, ['comment', 'type', 'comment', 'type']);
});

/** What `<code-chunk>` draws, each time that it draws. */
function chunkElement(t: TestContext) {
  const draws: unknown[] = [];
  let isSeen = () => {};
  let Chunk: (new () => { chunk: object; connectedCallback(): void }) | undefined;
  const own = {
    HTMLElement: class {
      _$litPart$ = { _$AI: (drawn: unknown) => draws.push(drawn) };
    },
    IntersectionObserver: class {
      constructor(private readonly seen: (entries: object[]) => void) {}
      observe(target: object): void {
        isSeen = () => this.seen([{ target, isIntersecting: true }]);
      }
    },
    customElements: {
      define: (_name: string, made: typeof Chunk) => {
        Chunk = made;
      },
    },
  };
  const globals = globalThis as Record<string, unknown>;
  const before = Object.keys(own).map((name) => [name, Object.getOwnPropertyDescriptor(globals, name)] as const);
  t.after(() => {
    for (const [name, given] of before) {
      if (given === undefined) delete globals[name];
      else Object.defineProperty(globals, name, given);
    }
  });
  Object.assign(globals, own);
  defineChunks();
  assert.ok(Chunk);
  const element = new Chunk();
  element.connectedCallback();
  return {
    see: () => isSeen(),
    /** What is drawn for a chunk. */
    drawn(chunk: { text: string; look?: readonly unknown[]; isNear?: boolean }) {
      element.chunk = { isNear: true, ...chunk, rows: () => [`row of ${chunk.text}`] };
      return draws.splice(0);
    },
    draws: () => draws.splice(0),
  };
}

test('a part of a file is drawn again only if its text or its look changed, or it does not say how it looks', (t) => {
  const { drawn } = chunkElement(t);
  assert.deepEqual(drawn({ text: 'a', look: [1, null] }), [['row of a']]);
  assert.deepEqual(drawn({ text: 'a', look: [1, null] }), []);
  assert.deepEqual(drawn({ text: 'b', look: [1, null] }), [['row of b']], 'another text of the same look');
  assert.deepEqual(drawn({ text: 'b', look: [2, null] }), [['row of b']], 'another look');
  assert.deepEqual(drawn({ text: 'b', look: [2, 3] }), [['row of b']], 'another part of the look');
  assert.deepEqual(drawn({ text: 'b' }), [['row of b']]);
  assert.deepEqual(drawn({ text: 'b' }), [['row of b']]);
});

test('a part far away is plain text until it is seen, and has rows from then on', (t) => {
  const { drawn, draws, see } = chunkElement(t);
  assert.deepEqual(drawn({ text: 'a', isNear: false }), ['a']);
  assert.deepEqual(drawn({ text: 'a', isNear: false }), []);
  assert.deepEqual(drawn({ text: 'b', isNear: false }), ['b'], 'the file changed');
  see();
  assert.deepEqual(draws(), [['row of b']]);
  assert.deepEqual(drawn({ text: 'c', isNear: false }), [['row of c']]);
});

test('a chunk stays as it is drawn only where nothing but its text, colours and words is marked', (t) => {
  new Browser(t, {});
  const looks = (more: object) => {
    const block = { text: 'a\nb\n', language: null, first: 1, label: 'code', address: () => '', ...more };
    const [, chunks] = codeBlock(block as unknown as Parameters<typeof codeBlock>[0]).values;
    return (chunks as { values: { look?: unknown }[] }[]).map(({ values: [{ look }] }) => look !== undefined);
  };
  assert.deepEqual(looks({}), [true]);
  assert.deepEqual(looks({ words: ['total'] }), [true]);
  for (const marks of [{ chosen: { start: 1, end: 1 } }, { isChanged: () => true }, { before: () => null }])
    assert.deepEqual(looks(marks), [false], Object.keys(marks)[0]);
});
