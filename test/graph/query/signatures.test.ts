/** Declarations and comments on one line, parameters as languages write them, and how many arguments fit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  areEqual,
  commentText,
  declarationText,
  firstLine,
  fits,
  insideBrackets,
  parametersOf,
  shownDifference,
  shownSignature,
  signatureText,
  splitList,
} from '../../../src/graph/query/signatures.js';
import { conventionsOf, loadRules, rulesOf } from '../../../src/languages/registry.js';

async function read(language: string, text: string, isMember = false) {
  await loadRules(language);
  const lexical = rulesOf(language).relations?.lexical;
  const form = conventionsOf(language).parameters;
  assert.ok(lexical && form, language);
  const found = parametersOf(text, { form, lexical, isMember });
  return found && [found.least, found.most, found.names.join()];
}

test('elixir: documentation and marks above a function are no part of its declaration, its types are', () => {
  const head =
    '@doc """\nAdds "up".\n"""\n@doc since: "1.2"\n@impl true\n@spec total(t) :: integer\ndef total(cart) do';
  const bytes = Buffer.from(`${head}\n  0\nend\n`);
  const text = signatureText(bytes, {
    kind: 'function',
    start: 0,
    end: bytes.length,
    signature: { start: 0, end: head.length },
  });
  assert.equal(text, '@spec total(t) :: integer def total(cart) do');
});

test('fewest and most arguments, with the names that are passed by place', async () => {
  const cases: [language: string, text: string, expected: unknown, isMember?: boolean][] = [
    ['typescript', 'f(a: number, b?: Map<string, number>, c = [1, 2]) {', [1, 3, 'a,b,c']],
    ['typescript', 'f(a: (x: number, y: string) => void, ...rest: A[]) {', [1, Number.POSITIVE_INFINITY, 'a']],
    ['typescript', 'f<T extends A<B>>(this: T, { a, b }: Options) {', [1, 1, '?'], true],
    ['typescript', 'f(this: Cart, a: number) {', [1, 1, 'a']],
    ['typescript', 'f(a: Options<\n  Map<K, V>,\n  W\n>, b = (x) => x.length > 0 && x < 2, c?: C) {', [1, 3, 'a,b,c']],
    ['typescript', 'f = async (a, b = "x, y") => {', [1, 2, 'a,b']],
    ['typescript', 'f = memo((a, b) => a)', null],
    ['python', 'f(self, a, b=(1, 2), *, c, d=None, **kw):', [2, Number.POSITIVE_INFINITY, 'a,b'], true],
    ['python', 'f(a, /, b: dict[str, int] = {}, # none\n  c=1):', [1, 3, 'a,b,c']],
    ['go', 'Total(a, b int, rest ...string) (int, error) {', [2, Number.POSITIVE_INFINITY, 'a,b']],
    ['java', 'total(final Map<String, List<A>> a, int[] b, String... c) {', [2, Number.POSITIVE_INFINITY, 'a,b']],
    ['rust', "total<'a>(&'a mut self, n: Vec<(u8, u8)>) -> u8 {", [1, 1, 'n'], true],
    ['csharp', 'Total(int a, string b = "x") {', [1, 2, 'a,b']],
    [
      'c',
      'total(const struct cart *cart, int (*cb)(int, int), char names[], ...) {',
      [3, Number.POSITIVE_INFINITY, 'cart,?,names'],
    ],
    ['c', 'total(void)', [0, 0, '']],
    [
      'kotlin',
      'total(a: Map<String, Int>, vararg rest: Int, b: Int = max(1, 2)): Int {',
      [1, Number.POSITIVE_INFINITY, 'a,b'],
    ],
    ['kotlin', 'total(a: Int, then: (Int) -> Unit) {', null],
    [
      'swift',
      'add(_ item: Item, to cart: Cart = .main, tags: String...) -> Int {',
      [1, Number.POSITIVE_INFINITY, '?,to'],
    ],
    ['swift', 'add(_ item: Item, then: @escaping () -> Void) {', null],
    ['ruby', 'total(a, b = [1, 2], *rest, &block)\n  a', [1, Number.POSITIVE_INFINITY, 'a,b']],
    ['ruby', 'total!\n  (a + b)', [0, 0, '']],
    ['ruby', 'total a, b\n  (a + b)', null],
    ['ruby', 'total(a, by: 1)\n', null],
    ['php', 'total(?int $a, $b = [1, 2], ...$rest) {', [1, Number.POSITIVE_INFINITY, 'a,b']],
  ];
  for (const [language, text, expected, isMember] of cases)
    assert.deepEqual(await read(language, text, isMember), expected, `${language}: ${text}`);
});

/** The declaration of a text whose signature ends at `|`, as one line. */
function declared(text: string, kind: 'function' | 'constant' | 'class' = 'function', most?: number): string {
  const end = text.indexOf('|');
  const bytes = Buffer.from(text.replace('|', ''));
  return signatureText(bytes, { kind, start: 0, end: bytes.length, signature: { start: 0, end } }, most);
}

test('a declaration is one line without its body, remarks and long arguments of decorators', () => {
  for (const [text, expected, kind] of [
    ['function total(\n  a: number,\n  b: string,\n): number {|\n}', 'function total(a: number, b: string): number'],
    ['def total(a, b):|\n  pass', 'def total(a, b)'],
    ['function total(|\n  a: number,\n): void;', 'function total(a: number): void'],
    [
      'function total(a: { b: string }|, c = () => 1): void { return 1; }',
      'function total(a: { b: string }, c = () => 1): void',
    ],
    ['impl<T> Cart for T where T: Rule,| {\n}', 'impl<T> Cart for T where T: Rule'],
    ['const tax = 19 + 1|', 'const tax', 'constant'],
    ['@Override\npublic int total() {|', 'public int total()'],
    ['#[inline]\n#[cfg(test)]\nfn total() -> u8 {|', 'fn total() -> u8'],
    ['int total(int a, // the first\n  int b) {|', 'int total(int a, int b)'],
    ['int total(/* all */ int a) {|', 'int total(int a)'],
    ['@deprecated("use another one, which is better than this one") class Old {|', '@deprecated(…) class Old'],
    ['@route("/a)b") class Old {|', '@route("/a)b") class Old'],
  ] as const)
    assert.equal(declared(text, kind), expected, text);
  assert.equal(declared(`function total(${'a, '.repeat(9)}b) {|`, 'function', 20), 'function total(a, a,…');
});

test('the first difference of two long declarations stays in view', () => {
  const long = (last: string) =>
    `function total(${Array.from({ length: 40 }, (_, i) => `a${i}: number`).join(', ')}, ${last}): void`;
  const [now, was] = shownDifference(long('now: string'), long('was: string'));
  for (const [text, end] of [
    [now, 'now: string): void'],
    [was, 'was: string): void'],
  ] as const) {
    assert.ok(text.startsWith('function total(a0: number, a1: number') && text.endsWith(end), text);
    assert.ok(text.length < 120, text);
  }
  assert.deepEqual(shownDifference('f(a)', 'f(b)'), ['f(a)', 'f(b)']);
  assert.equal(shownDifference(`f(x, ${'y'.repeat(300)})`, 'g')[0].length, 201);
  assert.equal(shownSignature('x'.repeat(201)), `${'x'.repeat(200)}…`);
  assert.equal(shownSignature('x'.repeat(200)), 'x'.repeat(200));
});

test('a comment is read without its marks, its first line alone or all of it', () => {
  const comment = '/**\n * Sums it up.\n *\n * - each item\n */';
  assert.equal(firstLine(comment), 'Sums it up.');
  assert.equal(commentText(comment), 'Sums it up.\n\n- each item');
  for (const line of [
    '// one',
    '/// one',
    '//! one',
    '# one',
    '-- one',
    ';; one',
    '"""one"""',
    '<!-- one -->',
    '/* one */',
  ])
    assert.equal(firstLine(line), 'one', line);
  assert.equal(firstLine(`// ${'x'.repeat(101)}`), `${'x'.repeat(100)}…`);
  assert.equal(firstLine('/**\n */'), '');
});

test('a long declaration has its parameters cut, so that its result stays in sight', () => {
  const long = `search(${'text: string, '.repeat(9)}last: string): Promise<Result>`;
  const shown = declarationText(long, 'typescript');
  assert.match(shown, /^search\(text: string, .*…\): Promise<Result>$/);
  assert.ok(shown.length <= 98, shown);
  assert.equal(declarationText('search(text: string): void', 'typescript'), 'search(text: string): void');
  assert.equal(declarationText('x'.repeat(97), 'typescript'), `${'x'.repeat(96)}…`);
  assert.equal(declarationText('x'.repeat(96), 'typescript'), 'x'.repeat(96));
});

test('lists are cut at their own commas alone', async () => {
  await loadRules('typescript');
  const lexical = rulesOf('typescript').relations?.lexical ?? assert.fail();
  for (const [text, expected] of [
    ['a, b', ['a', 'b']],
    ['f(a, b), [c, d], { e, f }', ['f(a, b)', '[c, d]', '{ e, f }']],
    ['a: Map<K, V>, b', ['a: Map<K, V>', 'b']],
    ['a < b, c', ['a < b', 'c']],
    ['f: (x) => Map<a, b>, c', ['f: (x) => Map<a, b>', 'c']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a signature.
    ["',', `,${a}`, c", ["','", '`,${a}`', 'c']],
    ['a /* , */, // b,\n c', ['a', 'c']],
    ['', []],
    ['a,', ['a']],
  ] as const)
    assert.deepEqual(splitList(text, lexical), expected, text);
  assert.equal(insideBrackets('f(a, (b), ")")x', 1, lexical), 'a, (b), ")"');
  assert.equal(insideBrackets('f(a', 1, lexical), null);
});

test('arguments fit from the fewest to the most, and parameters are equal with their names', () => {
  const two = { least: 1, most: 2, names: ['a', 'b'], keywords: [], anyKeyword: false };
  assert.deepEqual(
    [0, 1, 2, 3].map((count) => fits(two, count)),
    [false, true, true, false],
  );
  const rest = { ...two, most: Number.POSITIVE_INFINITY };
  assert.deepEqual([areEqual(two, { ...two }), areEqual(rest, { ...rest }), areEqual(two, rest)], [true, true, false]);
  for (const other of [{ least: 0 }, { names: ['b', 'a'] }, { keywords: ['c'] }, { anyKeyword: true }])
    assert.equal(areEqual(two, { ...two, ...other }), false, JSON.stringify(other));
});
