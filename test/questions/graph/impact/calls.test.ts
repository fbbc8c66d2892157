/** Calls that fitted the parameters before a change and do not fit those of now. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changed, mismatchesIn } from '../../../support/in-process/changes.js';

test('TypeScript: too few, too many, and constructors; optional and rest parameters take what they take', async () => {
  const before = {
    'a.ts':
      'export function one(a: number) {}\nexport function two(a: number, b: Map<string, number>) {}\nexport function many(a: number) {}\nexport function maybe(a: number) {}\nexport class C {\n  constructor(a: string) {}\n}\n',
    'b.ts':
      "import { C, many, maybe, one, two } from './a';\nexport function use(all: number[]) {\n  one(1);\n  two(1, new Map());\n  many(1);\n  maybe(1);\n  new C('x');\n  one(...all);\n}\n",
  };
  const after = before['a.ts']
    .replace('one(a: number)', 'one(a: number, b: string)')
    .replace('two(a: number, b: Map<string, number>)', 'two(a: number)')
    .replace('many(a: number)', 'many(a: number, ...rest: number[])')
    .replace('maybe(a: number)', 'maybe(a: number, b?: () => void, c = 2)')
    .replace('constructor(a: string)', 'constructor()');
  const answer = await changed(before, { 'a.ts': after });
  assert.deepEqual(mismatchesIn(answer), ['b.ts:3 one too-few', 'b.ts:4 two too-many', 'b.ts:7 C too-many']);
  assert.ok(answer.changes.mismatches.list.every(({ level }) => level === 'error'));
  assert.equal(answer.risk.level, 'high');
});

test('JavaScript runs such calls: warnings', async () => {
  const before = { 'a.js': 'export function one(a) {}\n', 'b.js': "import { one } from './a.js';\none(1);\n" };
  const answer = await changed(before, { 'a.js': 'export function one(a, b) {}\n' });
  assert.deepEqual(
    answer.changes.mismatches.list.map(({ level, problem }) => [level, problem]),
    [['warning', 'too-few']],
  );
});

test('Python: parameters that are gone by name, another order, methods; decorators tell nothing', async () => {
  const before = {
    'a.py':
      'def get(url, timeout=1, verify=True):\n    return url\n\n\ndef put(key, value):\n    return key\n\n\n@wrap\ndef odd(a):\n    return a\n\n\nclass C:\n    def m(self, a):\n        return a\n',
    'b.py':
      'from a import C, get, odd, put\n\n\ndef use():\n    get("x", timeout=2)\n    get("x", verify=False)\n    put(1, 2)\n    odd(1)\n    c = C()\n    c.m(1)\n    C.m(c, 1)\n',
  };
  const after = before['a.py']
    .replace('timeout=1, ', '')
    .replace('put(key, value)', 'put(value, key)')
    .replace('odd(a)', 'odd(a, b)')
    .replace('m(self, a)', 'm(self, a, b)');
  assert.deepEqual(mismatchesIn(await changed(before, { 'a.py': after })), [
    'b.py:5 get keyword',
    'b.py:10 c.m too-few',
    'b.py:7 put order',
  ]);
});

test('Go and Java: groups of parameters, several results as arguments, overloads', async () => {
  const go = {
    'go.mod': 'module example.com/x\n',
    'a.go':
      'package x\n\nfunc two(a, b int) int { return a }\n\nfunc pair() (int, int) { return 1, 2 }\n\nfunc use() {\n\ttwo(1, 2)\n\ttwo(pair())\n}\n',
  };
  const edited = go['a.go'].replace('two(a, b int)', 'two(a, b, c int)');
  assert.deepEqual(mismatchesIn(await changed(go, { 'a.go': edited })), ['a.go:8 two too-few']);
  const java = {
    'A.java': 'class A {\n  void f(int a) {}\n  void f(int a, String b) {}\n  void g(Map<String, Integer> m) {}\n}\n',
    'B.java': 'class B {\n  void use(A a) {\n    a.f(1);\n    a.f(1, "x");\n    a.g(null);\n  }\n}\n',
  };
  const less = java['A.java'].replace('  void f(int a, String b) {}\n', '').replace('m)', 'm, int... n)');
  assert.deepEqual(mismatchesIn(await changed(java, { 'A.java': less })), ['B.java:4 a.f too-many']);
});
