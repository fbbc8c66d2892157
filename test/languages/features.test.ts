/** The table in docs/languages.md says of newer versions what the grammars cannot read, and changes with this. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { factsOf } from '../extract/helpers.js';
import { ROOT } from '../house/root.js';
import { FEATURES } from './features.js';

/** Features that leave an error, by language. */
function unread(): Record<string, string[]> {
  const found = Object.entries(FEATURES).map(([language, features]): [string, string[]] => [
    language,
    Object.entries(features).flatMap(([name, source]) =>
      factsOf(source, language).parseErrors.length > 0 ? [name] : [],
    ),
  ]);
  return Object.fromEntries(found.filter(([, names]) => names.length > 0));
}

test('each feature that a grammar cannot read is in the table of docs/languages.md, and no other', () => {
  const rows = readFileSync(new URL('reference/prose/languages.md', ROOT), 'utf8').matchAll(
    /^\| `(\w+)` \| `[^|]+@[\d.]+` \| \d+ \| (.*) \|$/gm,
  );
  const told = [...rows].map(([, language, names]): [string, string[]] => [language, names.split('; ')]);
  assert.deepEqual(Object.fromEntries(told.filter(([, names]) => names[0] !== '')), unread());
});

test('the table names the grammars that are built, and counts the features that were tried', () => {
  const { grammars } = JSON.parse(readFileSync(new URL('grammars/manifest.json', ROOT), 'utf8'));
  const text = readFileSync(new URL('reference/prose/languages.md', ROOT), 'utf8');
  for (const [language, features] of Object.entries(FEATURES)) {
    const name = { javascript: 'JavaScript', typescript: 'TypeScript' }[language] ?? language;
    const row = `| \`${language}\` | \`${grammars[name].from}\` | ${Object.keys(features).length} |`;
    assert.ok(text.includes(row), row);
  }
});

/** Declarations behind forms that no grammar knows: all stand at their names. */
const BEHIND: readonly (readonly [language: string, source: string, names: string])[] = [
  [
    'python',
    'class Box[T = list[int], *Ts = *tuple[int]]:\n    def get(self): pass\ntype P[T = int] = T\n',
    'Box get P',
  ],
  ['java', 'class A extends B { A(int a) { check(a); super(a); } void f() {} }\n', 'A A f'],
  ['kotlin', 'fun f(a: Any) = when (a) {\n  is Cart if a.isEmpty() -> 1\n  else if b() -> 2\n}\nfun g() = 1\n', 'f g'],
  [
    'csharp',
    'static class E {\n  extension<T>(List<T> l) where T : class {\n    public int F() => 1;\n    public int P => 2;\n  }\n  static void G() { a?.b = 1; }\n}\n',
    'E F P G',
  ],
  [
    'cpp',
    'struct A { auto get(this const A& self) -> int; void set(); };\nint f() { if !consteval { return 1; } }\nint g();\n',
    'A get set f g',
  ],
  [
    'rust',
    'unsafe extern "C" { pub safe fn a(x: f64) -> f64; pub unsafe fn b(); }\n#[unsafe(no_mangle)]\nfn c() {}\n',
    'a b c',
  ],
  ['swift', 'struct A {\n  func f() async throws(E) -> Int { 1 }\n  func g() {}\n}\n', 'A f g'],
  ['typescript', 'import defer * as a from "a";\ninterface Box<in out T, in U> { f(): T }\nclass C {}\n', 'Box f C'],
];

test('declarations in and behind newer forms are found', () => {
  for (const [language, source, names] of BEHIND) {
    const { symbols } = factsOf(source, language);
    assert.equal(symbols.map(({ name }) => name).join(' '), names, language);
  }
});
