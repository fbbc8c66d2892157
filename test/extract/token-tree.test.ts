/** Trees of languages without a grammar: what the words, brackets and ends of statements of any text become. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTokens } from '../../src/extract/token-tree.js';
import type { TokenForm } from '../../src/languages/roles/definitions.js';

const FORM: TokenForm = {
  comments: [
    ['//', '\n'],
    ['/*', '*/'],
  ],
  strings: [
    { open: '"""', close: '"""', isLong: true },
    { open: '"', close: '"', escape: '\\' },
  ],
  word: /\w+/y,
  ...{ ends: ';', endsAfter: 'block', statementsIn: ['block'] },
};
const LINES: TokenForm = { ...FORM, ends: '', lines: true, continued: '\\' };

/** A tree in brackets, without the names of statements and words. */
function shape(text: string, form = FORM): string {
  const tree = parseTokens(text, form);
  const shown = (node: number): string => {
    const children: string[] = [];
    for (let i = node + 1; i < tree.next[node]; i = tree.next[i]) children.push(shown(i));
    const kind = tree.nameOf(node);
    const own = text.slice(tree.start[node], tree.end[node]);
    if (kind === 'word' || kind === 'string' || kind === 'comment' || !tree.isNamed(node)) return own;
    return `${kind === 'statement' ? '' : kind}(${children.join(' ')})`;
  };
  return shown(0);
}

test('statements end with their mark or their block, and blocks have statements', () => {
  assert.equal(shape('a b; c { d = 1; e } f'), 'file((a b ;) (c block((d = 1 ;) (e))) (f))');
  assert.equal(shape('f(a; b) [c]; g'), 'file((f list(a ; b) array(c) ;) (g))');
  assert.equal(shape(''), 'file()');
});

test('a line ends a statement, outside of brackets and where nothing continues it', () => {
  assert.equal(shape('a b\nc \\\n d\nf(x\ny)\n', LINES), 'file((a b) (c d) (f list(x y)))');
  assert.equal(shape('a\r\nb\r\n', LINES), 'file((a) (b))');
});

test('comments and strings hold nothing; a quote that nothing closes in its line is a mark', () => {
  assert.equal(shape('a /* b; { */ c; // d\n"e;\\"" """f\ng"""'), 'file((a /* b; { */ c ;) // d ("e;\\"" """f\ng"""))');
  assert.equal(shape('a "b\nc; d'), 'file((a " b c ;) (d))');
  assert.equal(shape('/* a'), 'file(/* a)');
});

test('a bracket without a partner damages no more than its statement', () => {
  assert.equal(shape('a ) b; c'), 'file((a ) b ;) (c))');
  assert.equal(shape('a { ( b; } c'), 'file((a block((list(b ;)))) (c))');
  assert.equal(shape('a { b;\ndef c;', { ...FORM, top: /def\b/y }), 'file((a block((b ;))) (def c ;))');
});

test('words open and close blocks', () => {
  const closed = { ...LINES, blocks: { open: /^def\b/, close: /^end\b/ } };
  assert.equal(shape('def a\nb\ndef c\nend\nend\nd', closed), 'file((def a body((b) (def c body((end))) (end))) (d))');
  assert.equal(shape('end\na', closed), 'file((end) (a))');
  const flat = { ...LINES, blocks: { open: /^from\b/, areFlat: true }, top: /run\b/y };
  assert.equal(
    shape('x\nfrom a\nb (\nrun c\nfrom d\ne', flat),
    'file((x) (from a body((b list()) (run c))) (from d body((e))))',
  );
});

test('any text gives a tree, in time in proportion to it', () => {
  const start = process.cpuUsage();
  for (const part of ['{', '(', '}', '"', '\\"', 'a;', '/*', '"""', 'a {\n', '\n', '[)', '\u{1F600}'])
    for (const form of [FORM, LINES]) {
      const text = part.repeat(100_000);
      const tree = parseTokens(text, form);
      assert.equal(tree.end[0], text.length);
      assert.equal(tree.next[0], tree.count);
    }
  assert.ok(process.cpuUsage(start).user < 10_000_000, 'seconds of processor time');
});
