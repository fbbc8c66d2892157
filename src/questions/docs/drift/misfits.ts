/** Calls in samples that do not fit the parameters of what they call. */
import type { Mention } from '../../../documents/facts.js';
import { isRecordOfChanges } from '../../../documents/kinds.js';
import type { Documented, Resolver } from '../../../documents/resolve.js';
import type { Graph } from '../../../graph/graph.js';
import { isFunction, isType, membersOf } from '../../../graph/query/uses.js';
import { fits, type Parameters } from '../../../graph/sides/parameters.js';
import { conventionsOf } from '../../../languages/registry.js';
import { overloads, parametersAt, plural, rangeOf } from '../../graph/impact/sides/calls.js';
import type { FileTexts } from '../../graph/impact/sides/file-texts.js';
import { mentionOf, placeNamed } from '../mention.js';
import type { Drift } from './output.js';

interface Call {
  document: Documented;
  mention: Mention & { args: number };
  node: number;
}

/** `texts`: of the resolver's graph. */
export async function misfits(
  resolver: Resolver,
  documents: readonly Documented[],
  texts: FileTexts,
): Promise<Drift[]> {
  const { graph } = resolver;
  const calls = documents
    .filter(({ path }) => !isRecordOfChanges(path))
    .flatMap((document) => callsOf(resolver, document));
  await texts.load(new Set(calls.map(({ node }) => graph.fileOf(node))));
  return calls.flatMap(({ document, mention, node }): Drift[] => {
    const all = parametersOf(graph, node, texts);
    // Samples leave arguments out where they do not matter: a call with none says nothing.
    if (all === null || mention.args === 0 || all.some((one) => fits(one, mention.args))) return [];
    const detail = `${plural(mention.args)} where it takes ${all.map(rangeOf).join(' or ')}`;
    return [{ ...mentionOf(document, mention), problem: 'arguments', detail, now: placeNamed(graph, node) }];
  });
}

function callsOf(resolver: Resolver, document: Documented): Call[] {
  return document.facts.mentions.flatMap((mention): Call[] => {
    if (mention.kind !== 'use' || mention.args === undefined) return [];
    const { node } = resolver.meaning(mention, document.path);
    const called = node >= 0 && isType(resolver.graph, node) ? constructorOf(resolver.graph, node) : node;
    if (called < 0 || !isFunction(resolver.graph, called) || isLenient(resolver.graph, called)) return [];
    if (called === node && isExtended(resolver, called)) return [];
    return [{ document, mention: { ...mention, args: mention.args }, node: called }];
  });
}

/** Functions at top level that have the name of a method may extend its type, as in Kotlin: the sample may call one of those. */
const isExtended = ({ graph, lookup }: Resolver, node: number): boolean =>
  !graph.isFile(graph.container(node)) && lookup.topLevel(graph.name(node)).length > 0;

/** A call runs with any number of arguments there, and functions read them in ways of their own: a declaration proves nothing. */
const isLenient = (graph: Graph, node: number): boolean =>
  conventionsOf(graph.tables.files[graph.fileOf(node)].language).parameters?.isLenient === true;

/** A type without a constructor of its own may have one that it inherits: nothing is said of its calls. */
const constructorOf = (graph: Graph, type: number): number =>
  graph.kind(type) === 'class'
    ? (membersOf(graph, type).find(
        (node) =>
          graph.container(node) === type &&
          CONSTRUCTORS.test(graph.kind(node) === 'constructor' ? 'constructor' : graph.name(node)),
      ) ?? -1)
    : -1;

const CONSTRUCTORS = /^(?:constructor|__init__)$/;

/** Of every declaration; null where one cannot be read. */
function parametersOf(graph: Graph, node: number, texts: FileTexts): Parameters[] | null {
  if (isMerged(graph, node, texts)) return null;
  const all = overloads(graph, node).map((one) => parametersAt(graph, one, texts));
  return all.length > 0 && all.every((one) => one !== null) ? (all as Parameters[]) : null;
}

/** Do several declarations without a body stand before it? They are one symbol with it, and only the first would be read. */
function isMerged(graph: Graph, node: number, texts: FileTexts): boolean {
  const text = texts.get(graph.fileOf(node));
  const symbol = text?.facts.symbols[node - graph.fileNode(graph.fileOf(node)) - 1];
  if (text === undefined || symbol === undefined) return true;
  const declared = text.bytes.toString('utf8', symbol.start, symbol.end);
  return (
    declared.split(`${symbol.name}(`).length > 2 &&
    declared.split('\n').filter((line) => line.trimStart().startsWith(`${symbol.name}(`)).length > 1
  );
}
