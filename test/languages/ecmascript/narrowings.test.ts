/** Members of values of which a condition, an alternative or a literal tells the type, in scripts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { graphOf } from '../../graph/link/project.js';

const TYPES = `
export interface Done { ok: true; kind: 'done'; value: string; error?: never }
export interface Failed { ok: false; kind: 'failed'; value?: undefined; error: Reason }
export interface Late { ok: false; kind: 'late'; value?: undefined; error: Reason; since: number }
export interface Reason { text: string }
export type Result = Done | Failed | Late;
export interface Held { result: Result }
`;

/** Uses of members in the text, from its second line on, as `line Type.member`. */
function uses(text: string): string[] {
  const graph = graphOf({ 'types.ts': TYPES, 'a.ts': `import type * as t from './types';\n${text}` });
  const found = new Set<string>();
  for (let i = 0; i < graph.edgeCount; i++) {
    const { to, startLine, from } = graph.edge(i);
    const name = to < 0 ? '' : graph.qualifiedName(to);
    if (graph.path(from) === 'a.ts' && /^[A-Z]\w*\.\w/.test(name)) found.add(`${startLine} ${name}`);
  }
  return [...found].sort();
}

/** Only the uses of that member: `error` of whichever type. */
function usesOf(member: string, text: string): string[] {
  return uses(text).filter((use) => use.endsWith(`.${member}`));
}

const CASES: readonly [name: string, member: string, text: string, ...uses: string[]][] = [
  [
    'a method of its own that says what it is',
    'more',
    'class Cart { isGift(): this is Gift { return false; } held?: Cart }\nclass Gift extends Cart { more = 1 }\nfunction f(x: Cart) {\n if (x.isGift()) x.more;\n if (!x.held?.isGift()) return;\n x.held.more;\n}',
    '5 Gift.more',
    '7 Gift.more',
  ],
  [
    'a member that is an instance of a class',
    'more',
    'class Gift { more = 1 }\nclass Cart { held?: object }\nfunction f(x: Cart) {\n if (x.held instanceof Gift) { x.held.more; }\n}',
    '5 Gift.more',
  ],
  ['a property that is true', 'value', 'function f(x: t.Result) {\n if (x.ok) { x.value; }\n}', '3 Done.value'],
  [
    'a property that is not',
    'value',
    'function f(x: t.Result) {\n if (!x.ok) { x.value; }\n}',
    '3 Failed.value',
    '3 Late.value',
  ],
  ['the rest of a condition', 'value', 'function f(x: t.Result) {\n return x.ok && x.value;\n}', '3 Done.value'],
  [
    'both sides of an alternative',
    'value',
    'function f(x: t.Result) {\n return x.ok\n  ? x.value\n  : x.value;\n}',
    '4 Done.value',
    '5 Failed.value',
    '5 Late.value',
  ],
  [
    'what is left behind a block that is left',
    'value',
    "function f(x: t.Result) {\n if (x.kind === 'failed') return;\n if (x.kind === 'late') {\n  return { x };\n }\n x.value;\n}",
    '7 Done.value',
  ],
  [
    'nothing behind a block that goes on',
    'value',
    "function f(x: t.Result) {\n if (x.kind === 'failed') { f(x); }\n x.value;\n}",
    '4 Done.value',
    '4 Failed.value',
    '4 Late.value',
  ],
  [
    'the last of several alternatives, and nothing behind them',
    'value',
    'function f(x: t.Result, y: boolean) {\n if (x.ok) { f(x, y); }\n else if (y) { f(x, y); }\n else { x.value; }\n x.value;\n}',
    '5 Failed.value',
    '5 Late.value',
    '6 Done.value',
    '6 Failed.value',
    '6 Late.value',
  ],
  [
    'nothing behind one of two reasons to go on',
    'value',
    "function f(x: t.Result, y: boolean) {\n if (y && x.kind === 'failed') return;\n x.value;\n}",
    '4 Done.value',
    '4 Failed.value',
    '4 Late.value',
  ],
  [
    'all of several reasons to leave',
    'value',
    "function f(x: t.Result) {\n if (x.kind === 'failed' || x.kind === 'late') return;\n x.value;\n}",
    '4 Done.value',
  ],
  [
    'a value of a property',
    'value',
    'function f(x: t.Held) {\n if (x.result.ok) { x.result.value; }\n}',
    '3 Done.value',
  ],
  ['a property that is there', 'kind', "function f(x: t.Result) {\n if ('since' in x) { x.kind; }\n}", '3 Late.kind'],
  [
    'the other clauses of a switch',
    'value',
    "function f(x: t.Result) {\n switch (x.kind) {\n  case 'failed':\n  case 'late': break;\n  default: x.value;\n }\n}",
    '6 Done.value',
  ],
  [
    'nothing behind another value of the name',
    'value',
    'function f(x: t.Result, y: t.Result) {\n if (x.ok) {\n  const z = (x: t.Result) => x.value;\n }\n}',
    '4 Done.value',
    '4 Failed.value',
    '4 Late.value',
  ],
  [
    'one of two values',
    'text',
    'declare const a: t.Reason, b: t.Reason;\nconst c = Math.random() > 1 ? a : b;\nc.text;\nconst d = undefined ?? b;\nd.text;',
    '4 Reason.text',
    '6 Reason.text',
  ],
  [
    'members of a literal that a function gives',
    'text',
    'function make(reason: t.Reason) {\n const more = reason;\n return { more, other: reason };\n}\nmake(null!).more.text;\nconst { other } = make(null!);\nother.text;',
    '6 Reason.text',
    '8 Reason.text',
  ],
  [
    'a name that a callback binds, behind it',
    'text',
    'declare function each(run: (x: t.Held) => void): void;\nfunction f(x: t.Reason) {\n each((x) => {\n  x.result;\n });\n x.text;\n}',
    '7 Reason.text',
  ],
  ['nothing of what is any', 'text', 'function f(x: t.Reason) {\n (x as any).text;\n}'],
  [
    'the last of two casts',
    'text',
    'declare const x: t.Held;\nconst y = x as unknown as t.Reason;\ny.text;',
    '4 Reason.text',
  ],
  [
    'members that are left out',
    'kind',
    "function f(x: Omit<t.Done, 'kind'> & t.Late, y: Pick<t.Done, 'kind'>) {\n x.kind;\n y.kind;\n}",
    '3 Late.kind',
    '4 Done.kind',
  ],
  [
    'the first parent that has a member, or whose parent has it',
    'text',
    'interface First extends t.Reason {}\ninterface Second { text: string }\ninterface Both extends First, Second {}\nfunction f(x: Both) { x.text; }',
    '5 Reason.text',
  ],
  ['items of another tuple', 'text', 'function f(x: [string, ...t.Reason[]]) { x[1].text; }', '2 Reason.text'],
  [
    'call signatures on lines of their own',
    'text',
    `interface Make<S> {
  <R, A = void>(
    first: First<
      R,
      A
    >,
  ): Second<
    S,
    R
  >
  <
    R,
    A,
  >(
    first: First<
      R
    >,
  ): Second<S, R>
  more<
    A extends S,
  >(): Make<
    S
  >
}
function f(x: t.Reason) { x.text; }`,
    '26 Reason.text',
  ],
];

for (const [name, member, text, ...expected] of CASES) {
  test(name, () => {
    assert.deepEqual(usesOf(member, text), expected);
  });
}
