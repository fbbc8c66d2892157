/** Finds the nodes that definitions and relations ask for, in one pass over a tree. */
import type { DefinitionRules } from '../languages/roles/definitions.js';
import type { RelationRules } from '../languages/roles/relations.js';
import { matcherOf } from './matcher.js';
import { type NodeTest, nodeTest } from './node-rule.js';
import { type GrammarNames, type SyntaxTree, TreeNode } from './syntax-tree.js';

/** Nodes in document order. */
interface Found {
  definitions: readonly TreeNode[];
  relations: readonly TreeNode[];
}

/** Questions about the nodes of each kind, by the kind's number in the grammar. */
interface Query {
  /** Undefined: no definition. Otherwise one of the conditions has to hold; null where the kind is enough. */
  definitions: (readonly NodeTest[] | null | undefined)[];
  relations: Uint8Array;
}

const compiled = new WeakMap<DefinitionRules, Map<RelationRules | undefined, Query>>();

export function findNodes(tree: SyntaxTree, rules: DefinitionRules, relationRules?: RelationRules): Found {
  const query = queryOf(rules, relationRules, tree.names);
  const definitions: TreeNode[] = [];
  const relations: TreeNode[] = [];
  const { kind, count } = tree;
  for (let i = 0; i < count; i++) {
    const tests = query.definitions[kind[i]];
    const isAsked = query.relations[kind[i]] === 1;
    if (tests === undefined && !isAsked) continue;
    const node = new TreeNode(tree, i);
    if (tests === null || tests?.some((test) => test(tree, i))) definitions.push(node);
    if (isAsked) relations.push(node);
  }
  const top = new Set(relationRules?.top);
  if (top.size > 0) for (const child of tree.root.namedChildren) if (top.has(child.kind)) relations.push(child);
  return { definitions, relations };
}

function queryOf(rules: DefinitionRules, relationRules: RelationRules | undefined, names: GrammarNames): Query {
  let queries = compiled.get(rules);
  if (queries === undefined) {
    queries = new Map();
    compiled.set(rules, queries);
  }
  let query = queries.get(relationRules);
  if (query === undefined) {
    query = compile(rules, relationRules, names);
    queries.set(relationRules, query);
  }
  return query;
}

function compile(rules: DefinitionRules, relationRules: RelationRules | undefined, names: GrammarNames): Query {
  const definitions: Query['definitions'] = [];
  for (const { kind, ...conditions } of matcherOf(rules).found) {
    const test = Object.keys(conditions).length === 0 ? null : nodeTest(conditions);
    for (const number of numbersOf(String(kind), names)) {
      const known = definitions[number];
      definitions[number] = test === null || known === null ? null : [...(known ?? []), test];
    }
  }
  const relations = new Uint8Array(names.kinds.length);
  for (const kind of askedKinds(relationRules)) for (const number of numbersOf(kind, names)) relations[number] = 1;
  return { definitions, relations };
}

/** Throws for a kind that the grammar does not have: rules that can find nothing are a mistake. */
export function numbersOf(kind: string, names: GrammarNames): readonly number[] {
  const numbers = names.numbers.get(kind);
  if (numbers === undefined) throw new Error(`the grammar has no kind ${kind}`);
  return numbers;
}

function askedKinds(rules: RelationRules | undefined): ReadonlySet<string> {
  if (rules === undefined) return new Set();
  const { nodes, names, top = [] } = rules;
  const kinds = new Set([...Object.keys(nodes), ...(names?.opaque ?? []), ...(names?.code ?? [])]);
  for (const kind of top) kinds.delete(kind);
  return kinds;
}
