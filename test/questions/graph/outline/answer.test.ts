/** Outlines of files as text: which symbols share a line. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outlineOf, outlineText } from '../../../../src/questions/graph/outline/answer.js';
import type { OutlineValues } from '../../../../src/questions/graph/outline/question.js';
import { plainPen, TOOL_WORDS } from '../../../../src/questions/pen.js';
import { bytesOf, factsOf } from '../../../extract/helpers.js';

/** Lines of the outline below the file's own. */
function linesOf(code: string, language: string, values: Partial<OutlineValues> = {}): string[] {
  const [facts, bytes] = [factsOf(code, language), Buffer.from(bytesOf(code))];
  const all = { signatures: true, docs: true, all: false, ...values } as OutlineValues;
  const file = { path: 'a', language, lines: facts.lines, bytes: bytes.length, degraded: false, leftOut: 0 };
  const files = [{ ...file, symbols: outlineOf(facts, bytes, all) }];
  const header = { schemaVersion: 1 as const, ref: 'HEAD', commit: null, coverage: { covered: 1, total: 1 } };
  const answer = { ...header, dirty: 0, overlay: 0, files } as unknown as Parameters<typeof outlineText>[0];
  return outlineText(answer, { pen: plainPen(TOOL_WORDS), values: all })
    .split('\n')
    .slice(1, -1);
}

test('fields of one type share a line, those of a type inside of it stand in their own', () => {
  const java = `public class Outer {
  public int a;
  public int b;
  public static class Inner {
    public int c;
    public int d;
  }
  public int e;
  public int f;
}
`;
  assert.deepEqual(linesOf(java, 'java'), [
    ' 1-10 class Outer',
    '  int a; int b',
    '  4-7 static class Inner',
    '   int c; int d',
    '  int e; int f',
  ]);
  const python =
    'class Outer:\n    a: int = 1\n    class Inner:\n        b: int = 2\n    c: int = 4\n\nclass Last:\n    d: int = 5\n';
  assert.deepEqual(linesOf(python, 'python'), [
    ' 1-5 class Outer',
    '  a: int',
    '  3-4 class Inner',
    '   b: int',
    '  c: int',
    ' 7-8 class Last',
    '  d: int',
  ]);
});

test('what a file keeps to itself shares a line with its like alone, and with no fields', () => {
  const code = `export class Cart {
  a: number;
  private b = 1;
  private one() {}
  private two() {}
  c = 2;
}
class Hidden {}
function own() {}
export const shown = () => 1;
const x = 1;
`;
  assert.deepEqual(linesOf(code, 'typescript'), [
    ' 1-7 class Cart',
    '  a: number; b',
    '  4 one, 5 two',
    '  c',
    ' 8 Hidden, 9 own',
    ' 10 shown = ()',
    ' 11 x',
  ]);
  assert.deepEqual(linesOf(code, 'typescript', { all: true }), [
    ' 1-7 class Cart',
    '  a: number; private b',
    '  4 private one()',
    '  5 private two()',
    '  c',
    ' 8 class Hidden',
    ' 9 own()',
    ' 10 shown = ()',
    ' 11 x',
  ]);
  assert.deepEqual(linesOf('', 'typescript'), ['  no symbols are known']);
});
