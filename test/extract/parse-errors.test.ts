/** Regions that a grammar could not read: where they are, and whether declarations may be lost there. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from './helpers.js';

/** `3-4 lost` or `7 small` for each region. */
function errorsOf(source: string, language: string): string[] {
  return factsOf(source, language).parseErrors.map(({ startLine, endLine, lost }) => {
    const lines = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
    return `${lines} ${lost ? 'lost' : 'small'}`;
  });
}

test('a text that its grammar reads has no parse errors, and neither has one without a grammar', () => {
  assert.deepEqual(errorsOf('export function total(a) {\n  return a;\n}\n', 'javascript'), []);
  assert.deepEqual(errorsOf('class {{ (\n', 'text'), []);
  assert.deepEqual(errorsOf('', 'python'), []);
});

test('declarations that no symbol stands for are lost, at any depth', () => {
  const unknown = 'const a = 1;\nexport wrapped class ID: string = string;\nfunction b() {}\n';
  assert.deepEqual(errorsOf(unknown, 'javascript'), ['2 lost']);
  assert.deepEqual(errorsOf('class A {\n  fun a(\n  }}}\n  val x: Int = 4\n}\n', 'kotlin'), ['2-3 lost', '5 small']);
  assert.deepEqual(errorsOf('fun a() {}\nclass B : = {\nfun c() {}\n', 'kotlin'), ['2-3 lost']);
});

test('an error in an expression or between whole declarations is small', () => {
  assert.deepEqual(errorsOf('function a() {\n  return 1 +* 2;\n}\nfunction b() {}\n', 'javascript'), ['2 small']);
  assert.deepEqual(errorsOf('int a(void) {\n  return 1 + @ 2;\n}\n}\nint b(void) { return 2; }\n', 'c'), [
    '2 small',
    '4 small',
  ]);
  assert.deepEqual(errorsOf('def a():\n    return 1 +* 2\n\n\ndef b():\n    pass\n', 'python'), ['2 small']);
});

test('an enumerator, a field and a property that cannot be read are lost', () => {
  assert.deepEqual(errorsOf('enum E {\n  A,\n  OPTION(B, "b", 1),\n  C\n};\n', 'c'), ['3 lost']);
  assert.deepEqual(errorsOf('class A {\n  x = 1;\n  abstract override accessor total! {\n  }\n}\n', 'typescript'), [
    '3-4 lost',
  ]);
});

test('a declaration that the grammar takes for something else, or a repair leaves out, is lost', () => {
  assert.deepEqual(errorsOf('fun a() {}\nvalue data class ]B[ {\n}\nfun c() {}\n', 'kotlin'), ['2 lost']);
  assert.deepEqual(errorsOf('int a;\nFOO int cart_total(EV_ struct a *b) BAR baz\nint b;\n', 'c'), ['2 lost']);
  assert.deepEqual(errorsOf('public interface Rolls {\n  void (roll(int by);\n}\nclass C {}\n', 'java'), ['2 lost']);
  assert.deepEqual(errorsOf('class A {}\nclass class Cart {}\nclass B {}\n', 'csharp'), ['2 lost']);
});

test('a statement that cannot be read declares nothing', () => {
  const source = 'class A {}\ncart.add(1 @@ 2);\nawait run(@@);\nclass B {}\n';
  assert.deepEqual(errorsOf(source, 'javascript'), ['2-3 small']);
});

test('calls of macros among declarations declare nothing', () => {
  const main = 'int main(void) { return 0; }\n';
  const lostIn = (text: string, language: string) => errorsOf(text, language).filter((each) => each.endsWith('lost'));
  for (const macros of [
    'G_DEFINE_TYPE (Cart, shop_cart, G_TYPE_OBJECT)\nstatic void init(void) {}\n',
    'DEFINE_TYPE (Cart, shop_cart,\n             OBJECT)\n\nstatic void\ninit(void) {}\n',
    'MODULE_LICENSE("GPL")\nEXPORT_SYMBOL(total)\nDEFINE_MUTEX(lock)\n',
  ])
    assert.deepEqual(lostIn(macros + main, 'c'), [], macros);
  assert.deepEqual(lostIn('class A {\n  Q_THING(1)\n  int a();\n};\n', 'cpp'), []);
});

test('a list of types that a module hands on loses no declaration, and others beside it do', () => {
  const handsOn =
    "import a from './a.js';\nexport type * from './b.js';\nexport type * as C from './c.js';\nexport { a };\n";
  for (const language of ['typescript', 'tsx']) assert.deepEqual(errorsOf(handsOn, language), [], language);
  assert.deepEqual(errorsOf(`${handsOn}export type A B = {{;\nconst c = 2;\n`, 'typescript').length, 1);
});

test('comments among what cannot be read decide nothing', () => {
  assert.deepEqual(errorsOf('int a;\n)\n/* struct of a class */\n)\nint b;\n', 'c'), ['2 small', '4 small']);
});

test('pages and data lose no declarations, and the lines of a script are those of its page', () => {
  const page = '<p>\n<script>\nvar a = 1;\n@@ function b() +\n</script>\n</div></p>\n';
  const errors = errorsOf(page, 'html');
  assert.ok(errors.includes('4 lost'), String(errors));
  assert.ok(!errors.some((error) => error !== '4 lost' && error.endsWith('lost')), String(errors));
  assert.deepEqual(errorsOf('<script>\nlet a = 1;\n)) class B;\n</script>\n', 'vue'), ['3 lost']);
});

test('more than a hundred regions are joined in the last one, so that none is left out', () => {
  const source = 'int a;\n)\nint b;\nint b;\n'.repeat(300);
  const errors = factsOf(source, 'c').parseErrors;
  assert.deepEqual([errors.length, errors[0].startLine, errors.at(-1)?.endLine], [100, 2, 1_198]);
});

test('a file in which each line is wrong is not tried again, and says that definitions may be lost', () => {
  for (const [language, line] of [
    ['c', 'int total(struct cart *c) { return c->sum ( ; ]\n'],
    ['typescript', 'class Cart { total( { return ] => ; @@\n'],
    ['javascript', 'function total( { return ] => ; @@\n'],
  ]) {
    const { parseErrors } = factsOf(line.repeat(2_000), language);
    assert.ok(
      parseErrors.some(({ lost }) => lost),
      language,
    );
  }
});

test('a large file of broken lines is lost as a whole, as samples of it show; a small one is read as far as it goes', () => {
  for (const [language, head] of [['typescript', 'class Cart {}\n']]) {
    const lines = (count: number) =>
      factsOf(head + 'total(cart, 1) )\nsum(items) ]\nopen(2) }\n'.repeat(count), language);
    const { symbols, parseErrors } = lines(4_000);
    assert.deepEqual([symbols, parseErrors.length, parseErrors[0].startLine], [[], 1, 1], language);
    assert.ok(parseErrors[0].endLine >= 12_000, language);
    assert.ok(lines(100).parseErrors[0].startLine > 1, language);
  }
});

test('a large file is not judged by places within its comments and strings', () => {
  const prose = 'It\'s 5% off (if you\'re quick: "all" of it] } <?\n';
  for (const [language, source] of [
    ['php', `<?php\n/**\n${` * ${prose}`.repeat(4_000)} */\nclass Cart {\n  function total() { return 1; }\n}\n`],
    ['go', `package cart\n\nconst docs = \`\n${prose.repeat(4_000)}\`\n\nfunc Total() int { return 1 }\n`],
    ['python', `DOCS = """\n${prose.replaceAll('"', '').repeat(4_000)}"""\n\n\ndef total():\n    return 1\n`],
  ]) {
    const { symbols, parseErrors } = factsOf(source, language);
    assert.deepEqual(parseErrors, [], language);
    assert.ok(
      symbols.some(({ name }) => name.toLowerCase() === 'total'),
      language,
    );
  }
});

test('the facts of a file are the same whatever was read before it', () => {
  const texts = [
    ['fun a() {}\nclass B : = {\nfun c() {}\n', 'kotlin'],
    ['class A {\n  fun a(\n  }}}\n  val x: Int = 4\n}\n', 'kotlin'],
    ['x @@ y\ndef total(a) {\n', 'groovy'],
    ['task t {\n  doLast { @@ }\n}\ndef z = = 1\n', 'groovy'],
    ["<?php\nreturn view('cart.show.twig');\nreturn view('cart/list.twig', ['a' => 1]);\n", 'php'],
    ["<?php\nreturn view('cart');\n", 'php'],
  ] as const;
  const alone = texts.map(([text, language]) => factsOf(text, language));
  for (const [before, language] of texts)
    for (const [i, [text, own]] of texts.entries()) {
      factsOf(before, language);
      assert.deepEqual(factsOf(text, own), alone[i], `${own} after ${language}: ${text}`);
    }
});
