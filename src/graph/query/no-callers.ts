/** Reasons for an empty list of callers: nothing calls the symbol, or not everything is known. */
import { conventionsOf } from '../../languages/registry.js';
import type { Graph } from '../graph.js';
import { isFoundByRunner, isInitializer, isRuntimeHook, registrar } from './conventions.js';
import { isMain } from './entry-patterns.js';
import { cut, type Some, type UsePlace, useOf } from './place.js';
import { possibleUses } from './possible.js';
import { inheritEdges, isFunction, isType, overriddenBy, RUN_KINDS, siblingsNamed } from './uses.js';

const NO_CALLER_VERDICTS = [
  /** It is visible in its file alone, and nothing there uses it. */
  'certain',
  /** Uses of that name exist whose target is not known. */
  'unresolved-uses',
  /** Something outside starts it. */
  'entry-point',
  /** Code outside of this repository may use it. */
  'exported',
  /** A type outside of this repository declares it, the language calls it, or a decorator hands it to a framework. */
  'framework',
  /** It is a member of a value: code that holds the value can call it without naming this file. */
  'indirect',
  /** Nothing is known of calls in its language. */
  'no-call-facts',
  /** Its file could not be parsed as a whole. */
  'degraded',
] as const;
export type NoCallerVerdict = (typeof NO_CALLER_VERDICTS)[number];

export interface NoCallers {
  verdict: NoCallerVerdict;
  reason: string;
  /** Uses of that name that may mean it. */
  possible: Some<UsePlace>;
}

const MAX_POSSIBLE = 5;

/** For a symbol without callers. */
export function explainNoCallers(graph: Graph, node: number): NoCallers {
  const possible = possibleUses(graph, node);
  const [verdict, reason] = verdictOf(graph, node, possible.length);
  return {
    verdict,
    reason,
    possible: cut(
      possible.map((edge) => useOf(graph, edge)),
      MAX_POSSIBLE,
    ),
  };
}

/** For a symbol without callers: why it may be used all the same. `possible`: number of uses of its name that may mean it. */
export function verdictOf(graph: Graph, node: number, possible: number): [NoCallerVerdict, string] {
  const { state, language } = graph.tables.files[graph.fileOf(node)];
  if (state === 'none') return ['no-call-facts', `calls are not known in ${language} files`];
  if (state !== 'linked')
    return ['degraded', 'its file could not be parsed as a whole, so that calls in it may be missing'];
  const started = startOf(graph, node);
  if (started !== null) return ['entry-point', started];
  const outside = frameworkOf(graph, node);
  if (outside !== null) return ['framework', outside];
  if (possible > 0) {
    const uses = possible === 1 ? 'one use' : `${possible} uses`;
    return ['unresolved-uses', `${uses} of the name ${graph.name(node)} could not be resolved and may mean it`];
  }
  const parents = overriddenBy(graph, node);
  if (parents.length > 0)
    return ['framework', `it overrides ${graph.qualifiedName(parents[0])}, which nothing here calls`];
  if (hasCalledNamesake(graph, node))
    return [
      'unresolved-uses',
      'another function of this name in the same place is called, and calls may mean this one',
    ];
  if (graph.isExported(node)) return ['exported', 'it is exported, so code outside may use it'];
  if (isIncluded(graph, node)) return ['exported', 'it is in a file that others include, so code outside may use it'];
  const indirect = indirectly(graph, node);
  if (indirect !== null) return ['indirect', indirect];
  return ['certain', 'it is visible in its file alone, and nothing there uses it'];
}

function isIncluded(graph: Graph, node: number): boolean {
  const { language, path } = graph.tables.files[graph.fileOf(node)];
  return graph.isFile(graph.container(node)) && conventionsOf(language).includedPath?.test(path) === true;
}

function startOf(graph: Graph, node: number): string | null {
  if (isMain(graph, node)) return 'it is where a program starts';
  if (isInitializer(graph, node)) return 'it runs when its package is loaded';
  if (isFoundByRunner(graph, node)) return 'test runners find it by its name';
  return null;
}

function frameworkOf(graph: Graph, node: number): string | null {
  if (isRuntimeHook(graph, node))
    return `${graph.name(node)} is a name that the language itself, or its library, calls`;
  const decorator = registrar(graph, node);
  if (decorator !== null) return `it is decorated with ${decorator}, which may call it`;
  const container = graph.container(node);
  if (container < 0 || graph.isFile(container)) return null;
  for (const edge of inheritEdges(graph, container)) {
    if (graph.target(edge) < 0)
      return `${graph.qualifiedName(container)} inherits from ${graph.edge(edge).name}, which is outside of this repository and may call it`;
  }
  return null;
}

/** An overload of it, or the same function for another platform. */
function hasCalledNamesake(graph: Graph, node: number): boolean {
  if (!isFunction(graph, node)) return false;
  return siblingsNamed(graph, node).some(
    (other) => other !== node && [...graph.incoming(other)].some((edge) => RUN_KINDS.has(graph.edgeKind(edge))),
  );
}

/** Members of object literals and of anonymous classes; in JavaScript those of all objects, which go where they like. */
export function indirectly(graph: Graph, node: number): string | null {
  const container = graph.container(node);
  if (graph.kind(node) === 'macro') return 'macros are used in other files without being imported by name';
  if (container < 0 || graph.isFile(container) || graph.kind(node) === 'constructor') return null;
  const owner = graph.qualifiedName(container);
  const isMember = graph.kind(node) !== 'function';
  if (!isType(graph, container))
    return isMember ? `it is a member of an object in ${owner}, and whatever holds that object can call it` : null;
  const { language } = graph.tables.files[graph.fileOf(node)];
  // Private members of an exported class are not exported.
  return isMember &&
    conventionsOf(language).untypedMembers === true &&
    !graph.isExported(container) &&
    !/^(?:#|_(?!.*_$))/.test(graph.name(node))
    ? `objects of ${owner} may be used where the type is not named`
    : null;
}
