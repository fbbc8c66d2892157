import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameWithOwner } from '../../src/extract/collect-drafts.js';
import { type CodeSymbol, qualifiedName } from '../../src/extract/extract.js';
import { decodeSyntaxRecord, encodeSyntaxRecord } from '../../src/record/syntax-codec.js';
import { EXPECTED } from './expected.js';
import { assertSound, factsOf, sample, symbolLines } from './helpers.js';

const OID = 'a'.repeat(40);

for (const [language, expected] of Object.entries(EXPECTED)) {
  test(`${language}: finds what the sample defines`, () => {
    const source = sample(language);
    const facts = factsOf(source, language === 'jsx' ? 'javascript' : language);
    assert.deepEqual(symbolLines(facts), expected);
    assertSound(source, facts);
  });
}

function describe(source: string, language: string, name: string): { signature: string; doc: string | null } {
  const facts = factsOf(source, language);
  const symbol = facts.symbols.find((_, index) => qualifiedName(facts.symbols, index) === name);
  assert.ok(symbol, `no symbol ${name}`);
  const text = (range: { start: number; end: number }) =>
    Buffer.from(source).subarray(range.start, range.end).toString();
  assert.equal(text({ start: symbol.nameStart, end: symbol.nameStart + Buffer.byteLength(symbol.name) }), symbol.name);
  return { signature: text(symbol.signature), doc: symbol.doc && text(symbol.doc) };
}

test('a definition begins at its attributes, above and below its comment', () => {
  const cases: [language: string, source: string, name: string, doc: string | null][] = [
    ['rust', '#[get("/")]\n/// A page.\nfn page() {}\n', 'page', '/// A page.'],
    ['rust', '/// A page.\n#[get("/")]\nfn page() {}\n', 'page', '/// A page.'],
    ['rust', '#[cold]\n// why\n#[inline]\nfn page() {}\n', 'page', null],
    ['rust', 'fn first() {}\n/// A page.\nfn page() {}\n', 'page', '/// A page.'],
    ['typescript', 'class Pages {\n@Get()\n/** A page. */\npage() {}\n}\n', 'page', '/** A page. */'],
  ];
  for (const [language, source, name, doc] of cases) {
    const { symbols } = factsOf(source, language);
    const { startLine, ...found } = symbols.find((symbol) => symbol.name === name) ?? assert.fail(source);
    const firstLine = source.split('\n').findIndex((line) => /^[#@]/.test(line)) + 1;
    assert.equal(startLine, firstLine || 3, source);
    assert.equal(found.doc && source.slice(found.doc.start, found.doc.end), doc, source);
  }
});

test('signatures end where bodies begin, and docs are found where each language puts them', () => {
  const cases: [string, string, string, string | null][] = [
    ['typescript', 'Cart.roll', 'roll(by: number): void', '/** Rolls on. */'],
    ['typescript', 'Cart', '@sealed\nexport class Cart<T> extends Base implements Rolls', '/** A cart that rolls. */'],
    ['python', 'make', '@decorate(1)\ndef make(x):', '"""Makes it."""'],
    ['go', 'Cart.Roll', 'func (c *Cart) Roll(by int) error', '// Roll rolls.'],
    ['go', 'Red', 'Red = iota', '// Red is first.'],
    ['rust', 'Cart.new', '#[inline]\n    pub fn new() -> Self', '/// Makes one.'],
    ['java', 'Cart.roll', '@Override\n    public void roll(int by)', '/** Rolls. */'],
    ['dart', 'Cart.roll', '@override\n  int roll(int by)', '/// Rolls.'],
    ['ruby', 'Shop.Cart.roll', 'def roll(by)', '# Rolls.'],
    ['haskell', 'roll', 'roll :: Cart -> Int -> Int', '-- | Rolls it.'],
    ['lua', 'M.roll', 'function M.roll(by)', '-- Rolls.'],
    ['bash', 'roll', 'roll()', '# Rolls.'],
  ];
  for (const [language, name, signature, doc] of cases) {
    assert.deepEqual(describe(sample(language), language, name), { signature, doc }, `${language} ${name}`);
  }
  assert.match(describe(sample('elixir'), 'elixir', 'Shop.Cart.roll').doc ?? '', /^@doc """\s+Rolls\.\s+"""$/);
});

test('a definition in one file belongs to its owner by name, however it is written', () => {
  const js = 'var app = exports = module.exports = {};\n\napp.use = function use(fn) {};\napp.on("x", () => {});\n';
  assert.deepEqual(symbolLines(factsOf(js, 'javascript')), ['+ variable app', '+ method app.use']);
  const go = 'package a\n\ntype A struct{}\n\nfunc (a A) M() {}\n\nfunc (b *Other) N() {}\n';
  assert.deepEqual(symbolLines(factsOf(go, 'go')), ['+ struct A', '+ method A.M', '+ method N']);
  const cpp = 'class A { public: void m(); };\nvoid A::m() {}\nvoid B::n() {}\n';
  assert.deepEqual(symbolLines(factsOf(cpp, 'cpp')), ['+ class A', '+ method A.m', '+ method A.m', '+ function n']);
});

test('locals and loop variables are no symbols', () => {
  const source = 'export function f() {\n  const a = 1;\n  let b = 2;\n  for (const c of []) {}\n  x.y = 3;\n}\n';
  assert.deepEqual(symbolLines(factsOf(source, 'typescript')), ['+ function f']);
  assert.deepEqual(symbolLines(factsOf('def f():\n    A = 1\n    b = 2\n', 'python')), ['+ function f']);
});

test('values of blocks that run where an object is made or a file is loaded are no members and no variables', () => {
  const namesOf = (source: string, language: string) => {
    const { symbols } = factsOf(source, language);
    return symbols.map((_, index) => qualifiedName(symbols, index));
  };
  const kotlin = [
    'class Cart(val size: Int) : Box by inner.deep {\n  val total: Int\n    get() {\n      val sum = size\n      return sum\n    }',
    '  init {\n    val first = 1\n    launch { val second = 2 }\n  }\n}',
    'val top = run { val third = 3 }\nandroid { val fourth = 4 }\nif (top) { val fifth = 5 }\n',
  ];
  assert.deepEqual(namesOf(kotlin.join('\n'), 'kotlin'), ['Cart', 'Cart.size', 'Cart.total', 'top']);
  const scala = [
    'class Cart {\n  val total = { val sum = 1; sum }\n  if (total > 1) { val first = 3 }',
    '  try { val second = 1 } catch { case e: Exception => val third = 2 }\n}\nclass Till:\n  val open = 1\n  locally:\n    val fourth = 2\n',
  ];
  assert.deepEqual(namesOf(scala.join('\n'), 'scala'), ['Cart', 'Cart.total', 'Till', 'Till.open']);
  const swift =
    'class Cart {\n  var total: Int { let sum = 1; return sum }\n}\nif true { let first = 1 }\nlet top = 1\n';
  assert.deepEqual(namesOf(swift, 'swift'), ['Cart', 'Cart.total', 'top']);
});

test('python: what methods assign to the instance is a field, once, and changes no chunk', () => {
  const source = `class Cart:
    late = 0

    def roll(self):
        self.speed = self.late = 4
        if self.total == 3 or f"{self.debug=}":
            self.count += 1

    def __init__(self, by):
        """self.documented = 1"""
        # self.commented = 1
        self.speed: dict[str, int] = {}
        (self.left, other) = by
        self.bare: int
        call(self.passed, by=3)
        by[self.low:self.high] = 1
        with open(by) as self.file:
            self.late = self.owner.name = 1

    @property
    def name(self):
        return 1
`;
  const facts = factsOf(source, 'python');
  assert.deepEqual(
    symbolLines(facts).filter((line) => line.includes('field')),
    ['late', 'speed', 'left', 'bare', 'file'].map((name) => `+ field Cart.${name}`),
  );
  assert.equal(describe(source, 'python', 'Cart.speed').signature, 'self.speed: dict[str, int]');
  const without = factsOf(source.replaceAll('self', 'them'), 'python');
  assert.deepEqual(
    facts.chunks.map(({ start, end, symbol }) => [start, end, facts.symbols[symbol].name]),
    without.chunks.map(({ start, end, symbol }) => [start, end, without.symbols[symbol].name]),
  );
});

test('python: a name that is assigned again is one symbol, and its other assignments are writes', () => {
  const facts = factsOf('try:\n    import fast\n    FAST = True\nexcept ImportError:\n    FAST = False\n', 'python');
  assert.deepEqual(symbolLines(facts), ['+ constant FAST']);
  assert.deepEqual(
    facts.relations.references.map(({ kind, name, startLine }) => `${startLine} ${kind} ${name}`),
    ['5 write FAST'],
  );
});

test('clauses and overloads of one function are one symbol', () => {
  const facts = factsOf('def f(1), do: 1\ndef f(2), do: 2\ndef g(x), do: x\n', 'elixir');
  assert.deepEqual(symbolLines(facts), ['+ function f', '+ function g']);
  assert.deepEqual([facts.symbols[0].startLine, facts.symbols[0].endLine], [1, 2]);
});

test('positions are right behind text that is neither ASCII nor in the basic plane', () => {
  const source = '// été 😀\nexport const größe = "😀";\n/** Дом. */\nexport function naïve() {}\n';
  assert.equal(describe(source, 'typescript', 'naïve').doc, '/** Дом. */');
  assert.equal(describe(source, 'typescript', 'größe').signature, 'export const größe = "😀";');
  const withMark = `\ufeff${source}`;
  assert.equal(describe(withMark, 'typescript', 'naïve').signature, 'export function naïve()');
});

test('the number of keys and symbols of a data file is bounded', () => {
  const keys = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`key${i}`, i]));
  assert.equal(factsOf(JSON.stringify(keys, null, 1), 'json').symbols.length, 200);
});

test('members of a type behind type arguments, and of a literal that a value is made from', () => {
  const source = `export type Made = Readonly<{ is(n: Part): boolean; name: string }>;
export const Made = freeze<Made>({ is(n) { return true; }, make: () => 1 });
app.use({ go() {}, stop: () => 1 });
it('runs', () => { call({ hidden() {} }); });
export default { z() {} };
`;
  assert.deepEqual(symbolLines(factsOf(source, 'typescript')), [
    '+ type Made',
    '+ method Made.is',
    '+ property Made.name',
    '+ constant Made',
    '+ method Made.is',
    '+ method Made.make',
    '+ method go',
    '- method hidden',
    '+ method z',
  ]);
});

test('a name that goes on past its definition is none: a record with it would be refused', () => {
  const source = '@plugin "x" {\n  name: "dark";\n  --c: oklch(1% 0 0);\n}\na { color: red }\n';
  const facts = factsOf(source, 'css');
  assertSound(source, facts);
  const { ok } = decodeSyntaxRecord(encodeSyntaxRecord(OID, { facts: { css: facts } }) as Uint8Array, OID);
  assert.equal(ok, true);
});

test('the type before the name of a C++ function is found, and no text before it takes long', () => {
  const named = (source: string) => {
    const { symbols } = factsOf(source, 'cpp');
    return nameWithOwner(Buffer.from(source), symbols, symbols.length - 1);
  };
  assert.equal(named('int Shop::Cart<T> :: total() { return 1; }'), 'Shop.Cart.total');
  const hostile = `${'a'.repeat(256)}${' '.repeat(255)}f() { return 1; }`;
  const { symbols } = factsOf(hostile, 'cpp');
  const from = process.cpuUsage();
  for (let i = 0; i < 50; i++) assert.equal(nameWithOwner(Buffer.from(hostile), symbols, symbols.length - 1), 'f');
  const { user, system } = process.cpuUsage(from);
  assert.ok(user + system < 2_000_000, `${user + system} µs`);
});

test('dots alone join the parts of a qualified name, also of one that is written with its containers', () => {
  const symbols = [
    { name: 'Shop', kind: 'module', container: -1 },
    { name: 'Order::Number', kind: 'class', container: 0 },
    { name: 'next', kind: 'method', container: 1 },
    { name: 'operator std::string', kind: 'method', container: 1 },
    { name: 'a::before', kind: 'selector', container: -1 },
    { name: '::Order::Line', kind: 'class', container: -1 },
  ] as unknown as CodeSymbol[];
  assert.deepEqual(
    symbols.map((_, at) => qualifiedName(symbols, at)),
    [
      'Shop',
      'Shop.Order.Number',
      'Shop.Order.Number.next',
      'Shop.Order.Number.operator std::string',
      'a::before',
      'Order.Line',
    ],
  );
});

test('a list of exports means what stands at the top of the file, not members and inner functions of the same name', () => {
  const source = `class Cart {
  private total() {}
  #count() {}
  open() {}
}
function total() {
  function open() {}
}
function open() {}
function rest() {}
export { Cart, total, open };
`;
  assert.deepEqual(symbolLines(factsOf(source, 'typescript')), [
    '+ class Cart',
    '- method Cart.total',
    '- method Cart.#count',
    '+ method Cart.open',
    '+ function total',
    '- function total.open',
    '+ function open',
    '- function rest',
  ]);
});
