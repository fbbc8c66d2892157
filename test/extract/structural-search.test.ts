/** Patterns are matched as ast-grep matches them, in every language with a grammar; places are those of the file's own text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadPatternParsers, searchOurs, searchTree } from '../../src/extract/structural-search.js';
import { allLanguages, languageOf } from '../../src/languages/registry.js';

test('a byte order mark moves every match and every capture by itself', async () => {
  await loadPatternParsers();
  for (const mark of ['', '\ufeff']) {
    const text = `${mark}show(price);\nshow(1, 2);\n`;
    const search = searchTree(Buffer.from(text), 'typescript', 'show($$$ARGS)');
    assert.ok('matches' in search, JSON.stringify(search));
    assert.deepEqual(
      search.matches.map(({ start, end, captures: [args] }) => [
        text.slice(start, end),
        text.slice(args.start, args.end),
      ]),
      [
        ['show(price)', 'price'],
        ['show(1, 2)', '1, 2'],
      ],
    );
  }
});

/** Texts of the matches, each with what its variables stand for. */
function found(language: string, text: string, pattern: string): string[] {
  const search = searchTree(Buffer.from(text), language, pattern);
  if ('fault' in search) return [search.fault];
  const at = ({ start, end }: { start: number; end: number }) => text.slice(start, end);
  return search.matches.map((match) =>
    [at(match), ...match.captures.map((each) => `${each.name}=${at(each)}`)].join(' | '),
  );
}

/** Pattern, and its matches in a text of the same language. */
const MATCHES: Readonly<Record<string, readonly [text: string, pattern: string, ...matches: string[]][]>> = {
  python: [
    ['show(1)\nshow(2, b=3)\n', 'show($$$ARGS)', 'show(1) | ARGS=1', 'show(2, b=3) | ARGS=2, b=3'],
    ['show(1)\nshow(2, 3)\n', 'show($A)', 'show(1) | A=1'],
    ['show()\n', 'show($$$)', 'show()'],
    // A variable that stands twice stands for the same code.
    ['a == a\na == b\n', '$X == $X', 'a == a | X=a'],
    ['f(a, b, c)\nf(c)\n', 'f($$$FIRST, c)', 'f(a, b, c) | FIRST=a, b', 'f(c)'],
    // Comments of the code may be left out, and tokens without a name.
    ['show(1,  # one\n  2)\n', 'show($A, $B)', 'show(1,  # one\n  2) | A=1 | B=2'],
    ['async def run(): pass\n', 'def $NAME(): pass', 'async def run(): pass | NAME=run'],
    ['x = 1\n', 'x = 1; y = 2', 'it is more than one piece of syntax'],
    ['x = 1\n', 'f(', 'it does not parse'],
    ['x = 1\n', '$$$A', 'it matches anything'],
    ['_x = 1\n', '$_ = 1', '_x = 1'],
  ],
  go: [
    [
      'package p\nfunc f() { if err != nil { return err } }\n',
      'if err != nil { return $E }',
      'if err != nil { return err } | E=err',
    ],
    ['package p\nfunc f() { fmt.Println(1, 2) }\n', 'fmt.Println($$$A)', 'fmt.Println(1, 2) | A=1, 2'],
  ],
  rust: [['fn f() { a.unwrap(); }\n', '$X.unwrap()', 'a.unwrap() | X=a']],
  java: [['class A { void f() { log.info("x"); } }\n', 'log.info($M)', 'log.info("x") | M="x"']],
  csharp: [['class A { void F() { Log.Info("x"); } }\n', 'Log.Info($M)', 'Log.Info("x") | M="x"']],
  ruby: [['puts a\nputs b\n', 'puts $X', 'puts a | X=a', 'puts b | X=b']],
  php: [['<?php foo($a, 2);\n', 'foo($$$ARGS)', 'foo($a, 2) | ARGS=$a, 2']],
  c: [['int f(void) { free(p); return 0; }\n', 'free($P)', 'free(p) | P=p']],
  cpp: [
    ['int f() { std::move(x); }\n', 'std::move($X)', 'std::move(x) | X=x'],
    ['int f() { Cart* cart = make(); }\n', 'Cart* $A = make()', 'Cart* cart = make(); | A=cart'],
    ['int f() { if (x) y = 1; }\n', 'if ($A) y = 1', 'if (x) y = 1; | A=x'],
    ['int f() { if (x) z = 1; }\n', 'if ($A) y = 1'],
    ['int f() { if (x) z = 1; }\n', 'if ($A)', 'if (x) z = 1; | A=x'],
  ],
  kotlin: [['fun f() { println(1) }\n', 'println($X)', 'println(1) | X=1']],
  swift: [['func f() { print(1) }\n', 'print($X)', 'print(1) | X=1']],
  scala: [['object A { def f = println(1) }\n', 'println($X)', 'println(1) | X=1']],
  bash: [['echo one\n', 'echo $X', 'echo one | X=one']],
  groovy: [['def f() { println(1) }\n', 'println($X)', 'println(1) | X=1']],
  julia: [['show(1)\n', 'show($X)', 'show(1) | X=1']],
  zig: [['fn f() void { show(1); }\n', 'show($X)', 'show(1) | X=1']],
};

for (const [language, cases] of Object.entries(MATCHES))
  test(`patterns of ${language}, without any package of npm`, async () => {
    await loadPatternParsers();
    for (const [text, pattern, ...matches] of cases) assert.deepEqual(found(language, text, pattern), matches, pattern);
  });

test('our own trees give what ast-grep gives where it has a grammar', async () => {
  await loadPatternParsers();
  const text =
    'const a = show(1, /* two */ 2);\nif (a) { show(a, a); }\nclass C { show(x) { return this.show(x) ?? a; } }\n';
  const patterns = [
    ...['show($A, $B)', 'show($A, $A)', '$F($$$ARGS)', 'show($$$A, 2)', 'const $N = $V', 'if ($C) { $$$BODY }'],
    ...['class $C { $$$ }', 'return $X ?? $Y', 'this.$M($$$)', '$A', 'a', '$$OP'],
  ];
  const { grammar } = languageOf('typescript') ?? {};
  assert.ok(grammar !== undefined);
  for (const pattern of patterns) {
    const native = searchTree(Buffer.from(text), 'typescript', pattern);
    const ours = searchOurs(grammar, text, pattern);
    assert.deepEqual(ours, native, pattern);
  }
});

/** Pieces of code of which each grammar can read one. */
const PIECES = [
  ...[
    'name',
    'f(1)',
    'f(1);',
    'a = 1',
    'a: 1',
    '<a/>',
    'a { b: c }',
    'select a from b',
    '[1]',
    'all: b',
    'local a = 1',
  ],
  ...['module a; endmodule', 'contract A {}', 'class A {}', 'int a = 1;', '"a"', 'a = b c', 'a = 1\n'],
];

test('every language with a grammar reads patterns', async () => {
  await loadPatternParsers();
  const none = [...allLanguages()].flatMap(({ id, grammar }) => {
    const isRead = (piece: string) => 'matches' in searchTree(Buffer.from(''), id, piece);
    return grammar === undefined || PIECES.some(isRead) ? [] : [id];
  });
  assert.deepEqual(none, []);
});
