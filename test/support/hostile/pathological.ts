/**
 * Files that were seen to make parsers, linkers or readers take forever, run out of memory or crash, and their
 * neighbours: at least one for every language with a grammar. Generated, the same on every machine.
 */
import { randomFrom } from '../generated/random.js';

export type Sources = Record<string, string | Buffer>;

/** Length of a file just within the limit of what is read at all. */
const MEBIBYTE = 1 << 20;

/** Printable ASCII in lines, without any sense. */
export function randomText(length: number, seed = 1): string {
  const random = randomFrom(seed);
  const out = Buffer.alloc(length);
  for (let i = 0; i < length; i++) out[i] = i % 97 === 96 ? 10 : 32 + random(95);
  return out.toString('latin1');
}

/** What `name` with `count` of something nested or in a row looks like, by language. */
type Shape = (count: number) => string;

const around = (open: string, middle: string, close: string): Shape => {
  return (count) => `${open.repeat(count)}${middle}${close.repeat(count)}\n`;
};
const inside = (before: string, shape: Shape, after: string): Shape => {
  return (count) => `${before}${shape(count).trimEnd()}${after}\n`;
};
const lines = (line: (i: number) => string): Shape => {
  return (count) => Array.from({ length: count }, (_, i) => line(i)).join('\n');
};
const indented = (line: string): Shape => {
  // Each level is one column deeper, so the text grows with the square of the levels.
  return (count) => Array.from({ length: Math.min(count, 1_400) }, (_, i) => `${' '.repeat(i)}${line}`).join('\n');
};

/** One or more files for each grammar, with how often the shape is repeated at full size. */
const SHAPES: Readonly<Record<string, readonly [count: number, shape: Shape]>> = {
  'parentheses.js': [100_000, inside('x = ', around('(', '1', ')'), ';')],
  'arrays.js': [100_000, inside('x = ', around('[', '1', ']'), ';')],
  'blocks.js': [100_000, around('{', 'a()', '}')],
  'ternaries.js': [60_000, (n) => `x = ${'a ? b : '.repeat(n)}c;`],
  'plus.js': [450_000, (n) => `var a=${'b+'.repeat(n)}1;`],
  'templates.js': [100_000, inside('x = ', around('`${', 'a', '}`'), ';')],
  'lambdas.js': [100_000, (n) => `x = ${'a=>'.repeat(n)}1;`],
  'members.js': [300_000, (n) => 'a->'.repeat(n)],
  'comments.js': [400_000, (n) => '/*'.repeat(n)],
  'calls.js': [100_000, (n) => `a${'.b()'.repeat(n)};`],
  'functions.js': [40_000, around('function f(){', '', '}')],
  'regexes.js': [40_000, (n) => `x = ${'/(a+)+[b/]*$/.test(/'.repeat(n)}`],
  'string.js': [900_000, (n) => `x = "${'y'.repeat(n)}";`],
  'identifier.ts': [900_000, (n) => `const ${'x'.repeat(n)} = 1;`],
  'imports.ts': [12_000, lines((i) => `import { a${i}, b${i} as c${i} } from './module${i}.js';`)],
  'alike.ts': [20_000, lines((i) => `export function alike(a) { return alike(a + ${i % 10}); }`)],
  'generics.ts': [100_000, inside('let x: ', around('a<', 'b', '>'), ';')],
  'unclosed.ts': [100_000, (n) => 'a<'.repeat(n)],
  'union.ts': [60_000, (n) => `type A = ${'"a" | '.repeat(n)}"z";`],
  'conditional.ts': [30_000, (n) => `type A<T> = ${'T extends string ? T : '.repeat(n)}never;`],
  'blanks.ts': [140_000, (n) => `f({a${' '.repeat(n)}:${' '.repeat(n)}{b: 1}${' '.repeat(n)}});`],
  'types-of-functions.ts': [20_000, inside('let x: ', around('(a: ', 'B', ') => C'), ' = y;')],
  'elements.tsx': [60_000, inside('x = ', around('<a>', '', '</a>'), ';')],
  'parameters.py': [100_000, around('f(', '1', ')')],
  'indentation.py': [1_400, indented('if a:')],
  'ternaries.py': [60_000, (n) => `x = ${'1 if a else '.repeat(n)}2`],
  'interpolation.py': [40_000, inside('x = ', around("f'{", 'a', "}'"), '')],
  'targets.py': [100_000, inside('class A:\n  def m(self):\n    ', (n) => 'self.a, '.repeat(n), ' = b')],
  'outer.py': [
    20_000,
    inside(
      'def f():\n',
      lines((i) => `  global a${i}\n  b${i} = c`),
      '',
    ),
  ],
  'classes.java': [40_000, around('class A {', '', '}')],
  'generics.java': [60_000, inside('class A { ', around('List<', 'String', '>'), ' x; }')],
  'lambdas.kt': [60_000, inside('val x = ', around('{ ', '1', ' }'), '')],
  'comments.kt': [150_000, around('/*', '', '*/')],
  'blocks.scala': [60_000, inside('object A { val x = ', around('{', '1', '}'), ' }')],
  'comments.scala': [150_000, around('/*', '', '*/')],
  'conditionals.c': [40_000, (n) => `${'#if A\n'.repeat(n)}${'#endif\n'.repeat(n)}`],
  'pointers.c': [100_000, (n) => `int ${'*'.repeat(n)}a;`],
  'arrows.c': [300_000, (n) => 'a=>'.repeat(n)],
  'negations.c': [200_000, (n) => '<!--'.repeat(n)],
  'braces.c': [100_000, inside('int a[] = ', around('{', '1', '}'), ';')],
  'templates.cpp': [100_000, inside('', around('A<', 'int', '>'), ' x;')],
  'raw.cpp': [60_000, (n) => `auto x = R"${'('.repeat(n)}`],
  'queries.cs': [30_000, (n) => `class A { void B() { var x = ${'from a in b '.repeat(n)}select a; } }`],
  'interpolation.cs': [40_000, inside('class A { string x = ', around('$"{', 'a', '}"'), '; }')],
  'literals.go': [60_000, inside('package a\nvar x = ', around('[]int{', '1', '}'), '')],
  'functions.go': [40_000, inside('package a\nvar x = ', around('func() {', '', '}'), '')],
  'shared.go': [60_000, (n) => `package a\ntype A struct { ${lines((i) => `F${i},`)(n).replaceAll('\n', ' ')} F B }`],
  'switches.go': [
    15_000,
    inside('package a\nfunc f(a any) {', around('switch b := a.(type) {\ncase B: b.C(); ', '', '}\n'), '}'),
  ],
  'types.rs': [60_000, inside('type A = ', around('Vec<', 'u8', '>'), ';')],
  'macros.rs': [60_000, inside('fn a() { ', around('m!(', '1', ')'), ' }')],
  'comments.rs': [150_000, around('/*', '', '*/')],
  'interpolation.rb': [40_000, inside('x = ', around('"#{', 'a', '}"'), '')],
  'heredocs.rb': [20_000, (n) => `x = ${'<<A + '.repeat(n)}1\n${'text\nA\n'.repeat(n)}`],
  'switching.php': [
    30_000,
    (n) => '<?php if ($a): ?><b><?php else: ?></b><?php endif ?>\n'.repeat(Math.min(n, 19_000)),
  ],
  'members.php': [300_000, (n) => `<?php ${'a->'.repeat(n)}`],
  'arrays.php': [60_000, inside('<?php $x = ', around('[', '1', ']'), ';')],
  'closures.swift': [60_000, inside('let x = ', around('{ ', '1', ' }'), '')],
  'implicit.swift': [150_000, (n) => `let x: [T] = [${'.a, '.repeat(n)}.b]`],
  'chain.swift': [30_000, (n) => `let x = ${'a + '.repeat(n)}1 + "b"`],
  'substitution.sh': [60_000, inside('x=', around('$(', 'a', ')'), '')],
  'heredocs.sh': [20_000, (n) => `${'cat <<A '.repeat(n)}\n${'text\nA\n'.repeat(n)}`],
  'tables.lua': [60_000, inside('x = ', around('{', '1', '}'), '')],
  'functions.lua': [40_000, inside('x = ', around('function() return ', '1', ' end'), '')],
  'blocks.ex': [40_000, around('if a do\n', '1\n', 'end\n')],
  'pipes.ex': [60_000, (n) => `x = a${' |> b()'.repeat(n)}`],
  'widgets.dart': [60_000, inside('var x = ', around('A(b: ', '1', ')'), ';')],
  'layout.hs': [1_400, indented('do a')],
  'parentheses.hs': [60_000, inside('x = ', around('(', '1', ')'), '')],
  'operators.hs': [60_000, (n) => `x = ${'a $ b . '.repeat(n)}c`],
  'nested.html': [100_000, (n) => '<div>'.repeat(n)],
  'comments.html': [200_000, (n) => '<!--'.repeat(n)],
  'attributes.html': [60_000, (n) => `<a ${'b="c" '.repeat(n)}>`],
  'selectors.css': [60_000, (n) => `${':not('.repeat(n)}a${')'.repeat(n)} {}`],
  'rules.scss': [60_000, around('a { ', 'b: c', '}')],
  'rules.less': [60_000, around('a { ', 'b: c', '}')],
  'ors.sql': [50_000, (n) => `SELECT * FROM a WHERE ${'b = 1 OR '.repeat(n)}c = 2;`],
  'selects.sql': [30_000, inside('', around('SELECT * FROM (', 'SELECT 1', ')'), ';')],
  'brackets.json': [200_000, (n) => '['.repeat(n)],
  'objects.json': [150_000, around('{"a":', '1', '}')],
  'elements.json': [100_000, (n) => `[${'1,'.repeat(n)}1]`],
  'laughs.yaml': [
    100_000,
    (n) => `a0: &a0 [lol]\n${lines((i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}]`)(Math.min(n, 20_000))}\n`,
  ],
  'flow.yaml': [100_000, inside('a: ', around('[', '1', ']'), '')],
  'indentation.yaml': [1_400, indented('a:')],
  'arrays.toml': [100_000, inside('a = ', around('[', '1', ']'), '')],
  'tables.toml': [40_000, (n) => `[${'a.'.repeat(n)}b]\nc = 1`],
  'quotes.md': [100_000, (n) => `${'>'.repeat(n)} a`],
  'links.md': [100_000, (n) => `${'['.repeat(n)}a${'](b)'.repeat(n)}`],
  'emphasis.md': [100_000, (n) => `${'*a _b '.repeat(n)}`],
  'blocks.tf': [40_000, around('a "b" {\n', 'c = 1\n', '}\n')],
  'interpolation.tf': [40_000, inside('a = ', around('"${', 'b', '}"'), '')],
  'functions.mk': [60_000, inside('A = ', around('$(call b,', 'c', ')'), '')],
  'parentheses.r': [60_000, inside('x <- ', around('f(', '1', ')'), '')],
  'brackets.jl': [60_000, inside('x = ', around('[', '1', ']'), '')],
  'comments.jl': [100_000, around('#=', '', '=#')],
  'lets.ml': [40_000, (n) => `${'let a = '.repeat(n)}1${' in a'.repeat(n)}`],
  'comments.ml': [100_000, around('(*', '', '*)')],
  'literals.zig': [60_000, inside('const a = ', around('.{ ', '1', ' }'), ';')],
  'closures.groovy': [60_000, inside('def x = ', around('{ ', '1', ' }'), '')],
  'messages.mm': [60_000, inside('@implementation A\n- (void)b { ', around('[a b:', 'c', ']'), '; }\n@end')],
  'conditions.sv': [40_000, inside('module a; assign b = ', (n) => 'c ? d : '.repeat(n), 'e; endmodule')],
  'pipelines.ps1': [40_000, inside('$a = ', around('$(', '1', ')'), '')],
  'mappings.sol': [40_000, inside('contract A { ', around('mapping(uint => ', 'uint', ')'), ' a; }')],
  'cases.elm': [1_400, indented('case a of')],
  'elements.xml': [60_000, around('<a>', '', '</a>')],
  'unclosed.xml': [100_000, (n) => '<a b="c">'.repeat(n)],
  'groups.tex': [60_000, around('\\a{', 'b', '}')],
  'messages.proto': [40_000, around('message A {\n', '', '}\n')],
  'quotes.pl': [100_000, (n) => `my $a = q{${'{'.repeat(n)}`],
  'lists.clj': [100_000, around('(a ', '1', ')')],
  'sets.nix': [60_000, around('{ a = ', '1', '; }')],
  'nested.vue': [
    60_000,
    (n) => `<template>${'<a v-if="b">'.repeat(n)}</template>\n<script>x = ${'('.repeat(n)}</script>`,
  ],
  'blocks.erb': [60_000, (n) => `${'<% if a %><b>'.repeat(n)}<%= ${'('.repeat(n)} %>`],
  'tags.haml': [1_400, indented('%a{ b: [')],
  'blocks.blade.php': [60_000, (n) => `${'@if ($a)\n<b>'.repeat(n)}{{ ${'('.repeat(n)} }}`],
  'blocks.twig': [60_000, (n) => `${'{% if a %}<b>'.repeat(n)}{{ ${'['.repeat(n)} }}`],
  'nested.svelte': [60_000, (n) => `${'{#if a}<b>'.repeat(n)}\n<script>x = ${'['.repeat(n)}</script>`],
};

/** Random text in languages whose grammars recover from errors by trying: the first was seen to take a minute. */
const RANDOM = [
  'ts',
  'tsx',
  'js',
  'py',
  'java',
  'c',
  'cpp',
  'rs',
  'rb',
  'swift',
  'scala',
  'sql',
  'hs',
  'php',
  'kt',
  'md',
];

/** Bytes that are no text, or none that is well formed. */
function oddBytes(): Sources {
  const count = 100_000;
  const surrogate = Buffer.from([0xed, 0xa0, 0x80]);
  const many = (bytes: Buffer, times: number) => Buffer.concat(Array<Buffer>(times).fill(bytes));
  return {
    'odd/surrogates.ts': many(Buffer.concat([Buffer.from('let a = "'), surrogate, Buffer.from('";\n')]), count / 10),
    'odd/utf16.ts': Buffer.concat([
      Buffer.from([0xff, 0xfe]),
      Buffer.from('export const wide = 1;\n'.repeat(count / 10), 'utf16le'),
    ]),
    'odd/nul.ts': Buffer.concat([
      Buffer.from(`${'let a = 1;\n'.repeat(1_000)}`),
      Buffer.alloc(100),
      Buffer.from('let b;\n'),
    ]),
    'odd/overlong.py': many(Buffer.from([0xc0, 0xaf, 0x0a]), count),
    'odd/continuation.go': many(Buffer.from([0x80]), count),
    'odd/carriage.py': 'def a():\r  pass\r'.repeat(count / 4),
    'odd/combining.js': `var a${'\u0301'.repeat(count)} = 1;\n`,
    'odd/joiners.rs': `fn a() { let ${'x\u200d'.repeat(count)} = 1; }\n`,
    'odd/bidi.c': `int a; /* ${'\u202e\u2066'.repeat(count / 2)} */\n`,
    'odd/astral.kt': `val a = "${'\u{1f600}'.repeat(count)}"\n`,
    'odd/empty-lines.rb': '\n'.repeat(count * 5),
    'odd/tabs.yaml': '\t'.repeat(count * 5),
    'odd/backslashes.sh': '\\'.repeat(count * 5),
    'odd/quotes.lua': '"'.repeat(count * 5),
  };
}

/** One line without a break: what a bundler writes, once beyond the limit of a file and once cut at it. */
function minified(): Sources {
  const text = 'function a(b,c){return b?c(b):a(c,function(){return{d:b,e:[1,2,3]}})};'.repeat(72_000);
  return {
    'minified/whole.js': text,
    'minified/cut.js': text.slice(0, MEBIBYTE),
    'minified/comment.ts': `// ${'x'.repeat(2 * MEBIBYTE)}`,
  };
}

/** All of them at full size, or those with these names. No file but two is above 1 MiB. */
export function pathologicalFiles(names?: readonly string[]): Sources {
  const isWanted = (name: string) => names === undefined || names.includes(name);
  const shapes = Object.entries(SHAPES).filter(([name]) => isWanted(name));
  const random = RANDOM.map((extension, i) => [`random/text.${extension}`, i + 1] as const);
  const others = Object.entries({ ...oddBytes(), ...minified() }).filter(([name]) => isWanted(name));
  return Object.fromEntries([
    ...shapes.map(([name, [count, shape]]) => [name, shape(count).slice(0, MEBIBYTE)]),
    ...random.filter(([name]) => isWanted(name)).map(([name, seed]) => [name, randomText(1_000_000, seed)]),
    ...others,
  ]);
}

/** The languages of files by name that have a grammar or are read like one. */
export const SHAPED = Object.keys(SHAPES);
