/** Parts of the page that need no browser. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { html, nothing, type TemplateResult } from 'lit-html';
import { bestLines } from '../../../src/web/page/code.js';
import { callsOutside, linesOf } from '../../../src/web/page/read-view.js';
import {
  bestPaths,
  count,
  counted,
  day,
  editorLink,
  FirstScreen,
  facets,
  listOf,
  onRest,
  short,
  waiting,
  when,
} from '../../../src/web/page/widgets.js';
import { Browser, Drawn } from './drawn.js';

test('a file is found by its name first, then by its path, then by initials; never by scattered letters', () => {
  const paths = ['test/cart.ts', 'src/shopping/carter.ts', 'src/c/a/r/t.ts', 'src/cart.ts', 'docs/cache-parts.md'];
  assert.deepEqual(bestPaths(paths, 'cart'), [
    'src/cart.ts',
    'test/cart.ts',
    'src/shopping/carter.ts',
    'src/c/a/r/t.ts',
  ]);
  assert.deepEqual(bestPaths(paths, 'src cart')[0], 'src/cart.ts');
  assert.deepEqual(bestPaths(paths, ' src  cart '), bestPaths(paths, 'src cart'));
  const classes = ['z/long/way/to/cart', 'z/cart.tsx', 'a/carts', 'a/mycart', 'cart/b', 'c/a/r/t'];
  assert.deepEqual(bestPaths([...classes].reverse(), 'cart'), [
    'z/cart.tsx',
    'z/long/way/to/cart',
    ...classes.slice(2),
  ]);
  assert.equal(
    bestPaths(
      Array.from({ length: 61 }, (_, i) => `cart${i}`),
      'cart',
    ).length,
    60,
  );
  assert.deepEqual(bestPaths(paths, 'cart shop'), ['src/shopping/carter.ts']);
  assert.deepEqual(bestPaths(paths, 'xyz'), []);
  const gutters = ['src/gutter.ts', 'src/graph/utils/tree/trimmer.ts', 'config/generated-output-tests.yml'];
  assert.deepEqual(bestPaths(gutters, 'gutter'), ['src/gutter.ts']);
  assert.deepEqual(bestPaths(['src/HttpClientPool.ts', 'src/http.ts'], 'hcp'), ['src/HttpClientPool.ts']);
  assert.deepEqual(bestPaths(['a/a/a/a/a/b.ts'], 'aaaaaaab'), []);
});

test('a long result shows the lines that hold most of the words', () => {
  const text = Array.from({ length: 40 }, (_, i) => (i === 30 ? 'the total of a cart' : `line ${i}`)).join('\n');
  const { text: shown, skipped } = bestLines(text, ['total', 'cart']);
  assert.deepEqual([shown.split('\n'), skipped], [text.split('\n').slice(22, 31), 22]);
  assert.deepEqual(bestLines(text.slice(0, text.indexOf('line 9')), ['total']).skipped, 0);
  assert.deepEqual(bestLines('short', ['x']), { text: 'short', skipped: 0 });
});

test('calls outside of the repository are no parameters and no values, and types in a signature may be made', () => {
  const place = { symbol: 'f', path: 'a.ts', startLine: 1, endLine: 3, kind: 'function' as const };
  const signature = 'function f(done: () => void, seen: Map<string, number>)';
  const outside = [
    ['done', 'call'],
    ['Map', 'new'],
    ['readFile', 'call'],
    ['process', 'value'],
  ] as const;
  const list = outside.map(([text, use]) => ({ text, use, lines: [2] }));
  const symbol = { definitions: [{ ...place, signature }], callees: { external: { list, leftOut: 0 } } };
  assert.deepEqual(callsOutside(symbol as never), ['Map', 'readFile']);
});

test('an answer that is awaited says how far it is, and one that failed says why and what to do', (t) => {
  const browser = new Browser(t, {});
  browser.at('/');
  const said = (loaded: object) => {
    const template = waiting({ isLoading: false, ...loaded } as never, 'Asking');
    return template === nothing ? '' : new Drawn(template as TemplateResult).text;
  };
  assert.deepEqual([said({}), said({ isLoading: true, document: {} })], ['', '']);
  assert.equal(said({ isLoading: true }), 'Asking…');
  const progress = (done: number, total: number | null) => ({
    isLoading: true,
    progress: { done, total, message: 'reading' },
  });
  assert.equal(said(progress(0, null)), 'Asking…\nreading');
  assert.equal(said(progress(1_200, null)), 'Asking…\nreading, 1,200');
  assert.equal(said(progress(1, 1_200)), 'Asking…\nreading, 1 of 1,200');
  const failure = (code: string) => ({ failure: { code, message: 'it failed', hint: 'try again' } });
  assert.equal(said(failure('GIT_FAILED')), 'it failed\ntry again');
  assert.match(said(failure('NO_KEY')), /^This page has no key\./);
  assert.equal(said({ ...failure('NOT_READY'), isLoading: true }), 'This page goes on by itself: it failed');
  assert.equal(said({ ...failure('NOT_READY'), ...progress(2, 3) }), 'Asking…\nreading, 2 of 3');
});

test('dates and commits are short, and absent ones are nothing', () => {
  assert.deepEqual([day('2024-01-02T03:04:05Z'), day(null)], ['2024-01-02', '']);
  assert.deepEqual([short('0123456789abcdef'), short(null), short(undefined)], ['012345678', '', '']);
  assert.equal(when(null), nothing);
  assert.equal(new Drawn(when('2024-01-02T03:04:05Z') as TemplateResult).text, '2024-01-02');
  assert.deepEqual(listOf(new URLSearchParams('lang=go,ts&empty='), 'lang'), ['go', 'ts']);
  for (const name of ['empty', 'gone']) assert.equal(listOf(new URLSearchParams('empty='), name), undefined);
});

test('values are counted, the most frequent first', () => {
  assert.deepEqual(count(['rust', 'go', 'go', 'c', 'go', 'c']), [
    ['go', 3],
    ['c', 2],
    ['rust', 1],
  ]);
});

test('folders of results are those one level below the chosen one, the fullest first', async (t) => {
  const browser = new Browser(t, {});
  const paths = ['src/a/x.ts', 'src/b/y.ts', 'src/b/z.ts', 'src/top.ts', 'lib/src/a/x.ts', 'README.md'];
  const folders = async (address: string) => {
    const drawn = await browser.draw(address, () => facets(paths.map((path) => ({ path })) as never));
    return Object.keys(drawn.links);
  };
  assert.deepEqual(await folders('/'), ['src 4', 'lib 1']);
  assert.deepEqual(await folders('/?folder=src'), ['src ✕', 'src/b 2', 'src/a 1']);
  assert.deepEqual(await folders('/?folder=sr'), ['sr ✕']);
});

test('a chosen value keeps its chip, which takes it back, also beyond the values that are shown', async (t) => {
  const browser = new Browser(t, {});
  const found = 'abcdefghij'.split('').map((name, i) => [name, 10 - i] as const);
  const chips = async (address: string) => {
    const drawn = await browser.draw(address, () => counted('Kind', 'kind', found) as TemplateResult);
    return Object.entries(drawn.links).map(([text, to]) => `${text} ${to}`);
  };
  const all = found.slice(0, 8).map(([name, times]) => `${name} ${times} /?kind=${name}`);
  assert.deepEqual(await chips('/'), all);
  assert.deepEqual(await chips('/?kind=b'), [all[0], 'b 9 ✕ /', ...all.slice(2)]);
  for (const beyond of ['i', 'j', 'none'])
    assert.deepEqual(await chips(`/?kind=${beyond}`), [`${beyond} ✕ /`, ...all], beyond);
});

test('a path is escaped in the address that opens it in the editor, its folders are kept', async (t) => {
  const rows: [path: string, address: string][] = [
    ['src/cart.ts', 'src/cart.ts'],
    ['src/a b.ts', 'src/a%20b.ts'],
    ['src/#a?.ts', 'src/%23a%3F.ts'],
    ['c%20d/é&e=1.ts', 'c%2520d/%C3%A9%26e%3D1.ts'],
  ];
  const browser = new Browser(t, {});
  for (const [path, address] of rows) {
    const { links } = await browser.draw('/', () => html`${editorLink(path, 7)}`);
    assert.deepEqual(links, { 'Open in editor': `vscode://file/home/ann/shop/${address}:7` }, path);
  }
});

test('lines in an address', () => {
  assert.deepEqual(linesOf('3-5'), { start: 3, end: 5 });
  assert.deepEqual(linesOf('7'), { start: 7, end: 7 });
  for (const wrong of [null, '', 'x', '3-', '-3', '3-5-7', '1e3'])
    assert.equal(linesOf(wrong), undefined, String(wrong));
});

/** A window of three items, whose frames come when they are asked for. */
function windowOf(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const frames: (() => void)[] = [];
  const globals = globalThis as Record<string, unknown>;
  Object.assign(globals, { innerHeight: 300, requestAnimationFrame: (frame: () => void) => frames.push(frame) });
  t.after(() => {
    for (const name of ['innerHeight', 'requestAnimationFrame']) delete globals[name];
  });
  let draws = 0;
  onRest(() => draws++);
  return {
    nextFrame() {
      for (const frame of frames.splice(0)) frame();
      t.mock.timers.tick(1);
    },
    draws: () => draws,
  };
}

test('items below the window stay those of the list before until the next frame', (t) => {
  const { nextFrame, draws } = windowOf(t);
  const screen = new FirstScreen<string>(100);
  const [first, second] = [
    ['a', 'b', 'c', 'd', 'e'],
    ['A', 'B', 'C', 'D'],
  ];
  assert.deepEqual(screen.of(first), ['a', 'b', 'c']);
  nextFrame();
  assert.deepEqual([screen.of(first), draws()], [first, 1]);
  assert.deepEqual(screen.of(second), ['A', 'B', 'C', 'd', 'e']);
  nextFrame();
  assert.deepEqual([screen.of(second), draws()], [second, 2]);
});

test('a list that came while another one was drawn is the one that is finished', (t) => {
  const { nextFrame, draws } = windowOf(t);
  const screen = new FirstScreen<string>(100);
  const [old, fresh] = [
    ['a', 'b', 'c', 'd'],
    ['A', 'B', 'C', 'D'],
  ];
  screen.of(old);
  assert.deepEqual(screen.of(fresh), ['A', 'B', 'C']);
  nextFrame();
  assert.deepEqual([screen.of(fresh), draws()], [fresh, 1]);
});

test('a list that fits the window is drawn at once', (t) => {
  const { nextFrame, draws } = windowOf(t);
  const screen = new FirstScreen<string>(100);
  assert.deepEqual(screen.of(['a', 'b']), ['a', 'b']);
  nextFrame();
  assert.equal(draws(), 0);
});
