/** Arithmetic of `npm run bench -- definitions`: what counts as lost, as wrong, and as neither. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '../house/root.js';

interface Judged {
  path: string;
  line: number;
  name: string;
  kind: string;
  may?: boolean;
}
type Judge = (input: { directory: string; paths: string[]; language: string }) => {
  definitions: Judged[];
  unread: Set<string>;
  covers?: string;
};

const { compare, blanked, branchOf, JUDGE } = await import(new URL('test/bench/definitions-judges.mjs', ROOT).href);

const ours = (...symbols: [name: string, kind: string, line: number][]) =>
  new Map([
    ['a', symbols.map(([name, kind, line]) => ({ path: 'a', name, kind, line, startLine: line, endLine: line + 2 }))],
  ]);

function judged(judge: Judge, language: string, text: string): string[] {
  const directory = mkdtempSync(join(tmpdir(), 'definitions-'));
  try {
    writeFileSync(join(directory, 'a'), text);
    const { definitions, unread } = judge({ directory, paths: ['a'], language });
    if (unread.has('a')) return ['unread'];
    return definitions.filter(({ may }) => may !== true).map(({ line, name }) => `${line} ${name}`);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

test('what one side lacks is counted, apart from what may be a definition and what nobody judges', () => {
  const theirs: Judged[] = [
    { path: 'a', line: 1, name: 'Cart', kind: 'class' },
    { path: 'a', line: 2, name: 'lost', kind: 'function' },
    { path: 'a', line: 3, name: 'local', kind: 'variable', may: true },
    { path: 'a', line: 12, name: 'Shop::total', kind: 'function' },
  ];
  const found = compare(
    ours(['Cart', 'class', 1], ['local', 'variable', 3], ['total', 'function', 11], ['no', 'class', 30]),
    theirs,
  );
  assert.deepEqual([found.judged, found.counted], [3, 4]);
  assert.deepEqual(
    found.lost.map(({ name }: Judged) => name),
    ['lost'],
  );
  assert.deepEqual(
    found.extra.map(({ name }: Judged) => name),
    ['no'],
  );
  const covered = compare(ours(['no', 'class', 30], ['key', 'key', 1]), theirs, { covers: 'function' });
  assert.deepEqual([covered.counted, covered.lost.length], [0, 3]);
  assert.equal(compare(ours(['Cart', 'class', 1]), theirs, { unread: new Set(['a']) }).judged, 0);
});

test('the compiler of TypeScript knows definitions, and which can be none', () => {
  const text =
    "import x from 'y';\nconst { a } = x, fs = require('fs');\nexport const b = 1;\nfunction f() {\n  const c = 1;\n  type T = 1;\n  interface I { p: 1 }\n}\nclass K { q = 1; m() {} }\n";
  assert.deepEqual(judged(JUDGE.tsc.judge, 'typescript', text), ['3 b', '4 f', '6 T', '7 I', '9 K', '9 q', '9 m']);
  assert.deepEqual(judged(JUDGE.tsc.judge, 'typescript', 'class {'), ['unread']);
});

test('rules of lines see no declarations in comments and strings', () => {
  const text =
    '// class A\n/* class B /* */ class C */\nval x = """\nclass D\n"""\nval y = "\\"class E"\nclass F\nfun `g h`() = 1\n';
  assert.deepEqual(judged(JUDGE.lines.judge, 'kotlin', text), ['7 F', '8 `g h`']);
  const blank = blanked('a "b\\"" /* c */ d', { strings: [['"', '"']] });
  assert.equal(blank, `a${' '.repeat(15)}d`);
});

test('the judge of C reads each branch of a condition, and knows what Universal Ctags takes for a definition without reason', (t) => {
  const text = '#if 0\nint a;\n#elif B\nint b;\n#ifdef C\nint c;\n#endif\n#else\nint d;\n#endif\nint e;\n';
  const lines = (branch: number) =>
    branchOf(text, branch)
      .split('\n')
      .filter((line: string) => line !== '');
  assert.deepEqual([0, 1, 2, 3].map(lines), [
    ['int a;', 'int e;'],
    ['int b;', 'int c;', 'int e;'],
    ['int d;', 'int e;'],
    ['int d;', 'int e;'],
  ]);
  if (!JUDGE.ctags.has()) return t.skip('no Universal Ctags here');
  const all = (language: string, source: string) => judged(JUDGE.ctags.judge, language, source);
  assert.deepEqual(all('c', text), ['4 b', '6 c', '9 d', '11 e']);
  assert.deepEqual(all('c', 'const struct cart __cart = {\n1 };\n'), ['1 __cart']);
  assert.deepEqual(all('c', '#define step(n) static int step_##n(void)\nstep(total) { return 1; }\n'), ['1 step']);
  assert.deepEqual(
    all('c', 'enum step steps[2] = {\n  STEP_A,\n};\nCart (cart_type)(Cart x) { return x; }\n').includes('2 STEP_A'),
    false,
  );
  assert.deepEqual(all('cpp', 'namespace shop::cart {\nint n;\n}\n'), ['1 cart', '2 n']);
  assert.deepEqual(all('cpp', 'class Cart SHOP_FINAL : public Base {\n};\n'), ['1 Cart']);
});
