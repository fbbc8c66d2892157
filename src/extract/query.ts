/** One native query over a tree for definitions and relations together: walking it costs as much as a third of its parse. */
import type { NapiConfig } from '@ast-grep/napi';
import type { DefinitionRules, NodeRule } from '../languages/roles/definitions.js';
import type { RelationRules } from '../languages/roles/relations.js';
import { Capture } from './capture.js';
import { matcherOf } from './matcher.js';

/** Nodes that were found natively, in document order. */
interface Found {
  definitions: readonly Capture[];
  relations: readonly Capture[];
}

interface Query {
  config: NapiConfig;
  /** Kinds that only relations ask for; null where both ask for one, so that each needs a query of its own. */
  relationKinds: ReadonlySet<string> | null;
}

const compiled = new WeakMap<DefinitionRules, Map<RelationRules | undefined, Query>>();

export function findNodes(root: Capture, rules: DefinitionRules, relationRules?: RelationRules): Found {
  const { config, relationKinds } = queryOf(rules, relationRules);
  const definitions: Capture[] = [];
  const relations: Capture[] = [];
  for (const node of root.node.findAll(config)) {
    const capture = new Capture(node);
    (relationKinds?.has(capture.kind) ? relations : definitions).push(capture);
  }
  if (relationKinds === null && relationRules !== undefined) {
    for (const node of root.node.findAll(configOf(kindRules(relationRules)))) relations.push(new Capture(node));
  }
  const top = new Set(relationRules?.top);
  if (top.size > 0) for (const child of root.children) if (top.has(child.kind)) relations.push(child);
  return { definitions, relations };
}

function queryOf(rules: DefinitionRules, relationRules: RelationRules | undefined): Query {
  let queries = compiled.get(rules);
  if (queries === undefined) {
    queries = new Map();
    compiled.set(rules, queries);
  }
  let query = queries.get(relationRules);
  if (query === undefined) {
    query = compile(rules, relationRules);
    queries.set(relationRules, query);
  }
  return query;
}

function compile(rules: DefinitionRules, relationRules: RelationRules | undefined): Query {
  const { native, nativeKinds } = matcherOf(rules);
  const asked = relationRules === undefined ? [] : kindRules(relationRules);
  const kinds = new Set(asked.map(({ kind }) => String(kind)));
  const shared = nativeKinds.some((kind) => kinds.has(kind));
  return { config: configOf(shared ? native : [...native, ...asked]), relationKinds: shared ? null : kinds };
}

function kindRules({ nodes, names, top = [] }: RelationRules): NodeRule[] {
  const kinds = new Set([...Object.keys(nodes), ...(names?.opaque ?? []), ...(names?.code ?? [])]);
  for (const kind of top) kinds.delete(kind);
  return [...kinds].map((kind) => ({ kind }));
}

function configOf(any: readonly NodeRule[]): NapiConfig {
  return { rule: { any } } as unknown as NapiConfig;
}
