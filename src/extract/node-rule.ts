/** Conditions on a node that a kind alone does not say: a small part of ast-grep's rules, over the columns of a tree. */
import type { NodeRule } from '../languages/roles/definitions.js';
import type { SyntaxTree } from './syntax-tree.js';

/** True for nodes that meet a condition. */
export type NodeTest = (tree: SyntaxTree, index: number) => boolean;

/** All parts of a rule hold. Throws for a part that is not known. */
export function nodeTest(rule: NodeRule): NodeTest {
  const tests = partsOf(rule).map(([name, value]) => testOf(name, value));
  return tests.length === 1 ? tests[0] : (tree, index) => tests.every((test) => test(tree, index));
}

/** A field is no condition of its own: `has` looks for the child in it. */
const partsOf = (rule: NodeRule): [string, unknown][] => Object.entries(rule).filter(([name]) => name !== 'field');

/** Conditions by their names in rules. */
const CONDITIONS: Readonly<Record<string, (value: unknown) => NodeTest>> = {
  kind: (value) => kindTest(String(value)),
  regex: (value) => regexTest(new RegExp(String(value), 'u')),
  any: (value) => anyOf((value as NodeRule[]).map(nodeTest)),
  all: (value) => allOf((value as NodeRule[]).map(nodeTest)),
  not: (value) => not(nodeTest(value as NodeRule)),
  has: (value) => hasTest(value as NodeRule),
  inside: (value) => insideTest(nodeTest(value as NodeRule)),
};

function testOf(name: string, value: unknown): NodeTest {
  if (!Object.hasOwn(CONDITIONS, name)) throw new Error(`no condition on nodes is called ${name}`);
  return CONDITIONS[name](value);
}

const kindTest =
  (kind: string): NodeTest =>
  (tree, index) =>
    tree.isNamed(index) && tree.nameOf(index) === kind;

const regexTest =
  (pattern: RegExp): NodeTest =>
  (tree, index) =>
    pattern.test(tree.text.slice(tree.start[index], tree.end[index]));

const anyOf =
  (tests: readonly NodeTest[]): NodeTest =>
  (tree, index) =>
    tests.some((test) => test(tree, index));

const allOf =
  (tests: readonly NodeTest[]): NodeTest =>
  (tree, index) =>
    tests.every((test) => test(tree, index));

const not =
  (test: NodeTest): NodeTest =>
  (tree, index) =>
    !test(tree, index);

const insideTest =
  (test: NodeTest): NodeTest =>
  (tree, index) =>
    index > 0 && test(tree, tree.parent[index]);

/** A child that meets the condition; of a rule with a field, the first child in it. */
function hasTest(rule: NodeRule): NodeTest {
  const test = nodeTest(rule);
  return (tree, index) => {
    const field = rule.field === undefined ? null : (tree.names.fields.get(String(rule.field)) ?? -1);
    for (let i = index + 1; i < tree.next[index]; i = tree.next[i]) {
      if (field === null ? test(tree, i) : tree.field[i] === field) return field === null || test(tree, i);
    }
    return false;
  };
}
