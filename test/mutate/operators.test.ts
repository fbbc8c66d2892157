/** Which mistakes are planted: each kind as an edit of a line, written as the line that it leaves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROOT } from '../house/root.js';

interface Mutation {
  start: number;
  end: number;
  text: string;
  line: number;
  what: string;
}
const { mutationsOf } = (await import(new URL('test/mutate/operators.mjs', ROOT).href)) as {
  mutationsOf: (source: string) => Mutation[];
};

/** What an edit leaves of a line, for each edit of some kinds. */
function left(source: string, ...kinds: string[]): string[] {
  const edits = mutationsOf(source).filter(({ what }) => kinds.includes(what));
  return edits.map(({ start, end, text }) => source.slice(0, start) + text + source.slice(end));
}

test('of a condition, each part alone is left out', () => {
  const parts = ['without the last part', 'without the first part'];
  assert.deepEqual(left('x = a && b && c;', ...parts), ['x = a && b;', 'x = a && c;', 'x = b && c;']);
  assert.deepEqual(left('x = a && b || c;', ...parts), ['x = a && b;', 'x = c;', 'x = a || c;', 'x = b || c;']);
  assert.deepEqual(left('x = a ?? b;', 'without its default', 'always its default'), ['x = a;', 'x = b;']);
});

test('a body is left out where the other way remains, and what happens to an error', () => {
  assert.deepEqual(left('if (a) b(); else c();', 'body left out', 'else left out'), [
    'if (a) {} else c();',
    'if (a) b(); ',
  ]);
  assert.deepEqual(left('if (a) b();', 'body left out', 'else left out'), []);
  assert.deepEqual(left('try { a(); } catch (e) { throw e; }', 'error swallowed'), ['try { a(); } catch (e) {}']);
  assert.deepEqual(left('try { a(); } catch { /* none */ }', 'error swallowed'), []);
});

test('of a list only the first is read, and of a chain a step is left out', () => {
  assert.deepEqual(left('for (const a of b) c(a);', 'only the first'), ['for (const a of [...b].slice(0, 1)) c(a);']);
  assert.deepEqual(left('for await (const a of b) c(a);', 'only the first'), []);
  assert.deepEqual(left('for (const a in b) c(a);', 'only the first'), []);
  assert.deepEqual(left('x = [...a, b];', 'only the first'), ['x = [...[...a].slice(0, 1), b];']);
  assert.deepEqual(left('x = a.filter(b).map(c).sort();', 'filter left out', 'sort left out', 'map left out'), [
    'x = a.map(c).sort();',
    'x = a.filter(b).map(c);',
  ]);
});

test('two arguments of one kind are swapped, unless their order does not matter', () => {
  const what = 'arguments swapped';
  assert.deepEqual(left('f(a, b.c, 1, d);', what), ['f(b.c, a, 1, d);']);
  assert.deepEqual(left('x = new F(a, b);', what), ['x = new F(b, a);']);
  assert.deepEqual(left('Math.max(a, b); list.push(a, b); f(a, a);', what), []);
});

test('results of Promise.all that somebody reads come in another order', () => {
  const what = 'results in another order';
  const other = 'const [a, b] = await Promise.all(c).then((all) => all.reverse());';
  assert.deepEqual(left('const [a, b] = await Promise.all(c);', what), [other]);
  assert.deepEqual(left('await Promise.all(c);', what), []);
});

test('a later member of an object with a spread is left out, and a part of a key, but not of a message', () => {
  assert.deepEqual(left('x = { a, ...b, c, d: 1 };', 'member after a spread left out'), [
    'x = { a, ...b, ...{}, d: 1 };',
    'x = { a, ...b, c, ...{} };',
  ]);
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are texts of code
  assert.deepEqual(left('x = `${a}/${b}`;', 'part of a text left out'), ['x = `/${b}`;', 'x = `${a}/`;']);
  assert.deepEqual(left('x = `no such ${a} here`;', 'part of a text left out'), []);
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: these are texts of code
});

test('a mistake names its line', () => {
  const [first, second] = mutationsOf('let a;\na = b < c;\na = !d;');
  assert.deepEqual([first?.line, first?.what, second?.line, second?.what], [2, '< -> <=', 3, 'without !']);
});
