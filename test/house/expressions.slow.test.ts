/** Expressions over other people's text: none takes exponential or cubic time for texts that are made of its own parts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import ts from 'typescript-api';
import { type Attack, attacksOn } from '../support/hostile/expressions.js';
import { cpuTimer } from '../support/processes/cpu-time.js';
import { ROOT, sourceFiles } from './root.js';

/** Folders whose modules may be loaded here, for the expressions that they put together then. Others begin to work. */
const LOADED = ['languages', 'extract', 'graph', 'search'];
/** Parts of web pages, which run in browsers. */
const PAGES = /(?:^|\/)page\//;

interface Expression {
  expression: RegExp;
  where: string;
}

/** Expressions that are written as such. */
function literals(path: string, text: string): Expression[] {
  const found: Expression[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const expression = new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
      found.push({ expression, where: `${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}` });
    }
    ts.forEachChild(node, visit);
  };
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  visit(file);
  return found;
}

/** Expressions that modules put together while they are loaded. */
async function composed(paths: readonly string[]): Promise<Expression[]> {
  const found: Expression[] = [];
  const { RegExp: original } = globalThis;
  let where = '';
  globalThis.RegExp = new Proxy(original, {
    construct(target, words, self) {
      const expression = Reflect.construct(target, words, self) as RegExp;
      found.push({ expression, where });
      return expression;
    },
  });
  try {
    for (const path of paths) {
      where = path;
      await import(new URL(`build/src/${path.replace(/\.ts$/, '.js')}`, ROOT).href);
    }
  } finally {
    globalThis.RegExp = original;
  }
  return found;
}

/** Repetitions: few at first, so that exponential time is seen before it takes minutes. The last two are units of text. */
const SIZES = [2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 32, 128, 512];
const FEW = 32;
/** Milliseconds that few repetitions may take: nothing but exponential time takes more. */
const FEW_MS = 40;
/** Milliseconds that are noise on any machine. Of 512 units, quadratic time takes a tenth of them, and cubic time four times as many. */
const FLOOR_MS = 8;
/** Between 128 and 512 units quadratic time grows 16 times, cubic time 64 times. */
const MOST_GROWTH = 24;

function timeOf(expression: RegExp, text: string): number {
  const usedMs = cpuTimer();
  expression.lastIndex = 0;
  if (!expression.global) expression.exec(text);
  else for (const _ of text.matchAll(expression));
  return usedMs();
}

/** The text and the time by which an expression is over quadratic time, '' if it is not. */
function excess(expression: RegExp, [lead, piece]: Attack, tail: string): string {
  let before = 0;
  for (const size of SIZES) {
    const text = lead + piece.repeat(size <= FEW ? size : Math.max(1, Math.floor(size / piece.length))) + tail;
    let ms = timeOf(expression, text);
    // Again, since other work of the process may have fallen into a measurement.
    for (let i = 0; i < 2 && ms > FLOOR_MS; i++) ms = Math.min(ms, timeOf(expression, text));
    if (ms > FLOOR_MS && (size <= FEW ? ms > FEW_MS : ms > MOST_GROWTH * before))
      return `${JSON.stringify(lead)}, ${size} of ${JSON.stringify(piece)}: ${Math.round(ms)} ms`;
    before = ms;
  }
  return '';
}

test('no expression takes more than quadratic time for any text that is made of its parts', async () => {
  const files = sourceFiles().filter(({ path }) => !PAGES.test(path) && !path.endsWith('.d.ts'));
  const written = files.flatMap(({ path, text }) => literals(path, text));
  const loaded = files.map(({ path }) => path).filter((path) => LOADED.includes(path.split('/')[0]));
  const all = [...written, ...(await composed(loaded))];
  assert.ok(written.length > 1_000 && all.length > written.length + 10);
  const wrong: string[] = [];
  for (const { expression, where } of new Map(all.map((each) => [String(each.expression), each])).values()) {
    const attacks = attacksOn(expression).flatMap((attack) => ['\0', '\n'].map((tail) => ({ attack, tail })));
    let found = '';
    for (const { attack, tail } of attacks) if (found === '') found = excess(expression, attack, tail);
    if (found !== '') wrong.push(`${where} ${expression} ${found}`);
  }
  assert.deepEqual(wrong, []);
});

test('no expression that goes on where it stopped is also asked for all matches', () => {
  const wrong = sourceFiles().flatMap(({ path, text }) =>
    [...text.matchAll(/(?:matchAll|replaceAll)\(([A-Z_]+)[,)]/g)]
      .filter(([, name]) => new RegExp(`\\b${name}\\.(?:test|exec)\\(`).test(text))
      // `test` leaves a place in it, from which the next list of matches begins: an answer about another text.
      .map(([, name]) => `${path}: ${name}`),
  );
  assert.deepEqual([...new Set(wrong)], []);
});
