/** Calls in samples that do not fit the parameters of what they call. */
import type { Mention } from '../../../documents/facts.js';
import { isRecordOfChanges } from '../../../documents/kinds.js';
import type { Documented, Resolver } from '../../../documents/resolve.js';
import { unboundCallee } from '../../../documents/unbound.js';
import type { Graph } from '../../../graph/graph.js';
import { isFunction, isType, membersOf } from '../../../graph/query/uses.js';
import type { Parameters } from '../../../graph/sides/parameters.js';
import { conventionsOf } from '../../../languages/registry.js';
import { overloads, parametersAt, plural, rangeOf } from '../../graph/impact/sides/calls.js';
import type { FileTexts } from '../../graph/impact/sides/file-texts.js';
import { mentionOf, placeNamed } from '../mention.js';
import type { Drift } from './output.js';

interface Call {
  document: Documented;
  mention: Mention;
  node: number;
  /** Something says what is called. Of other calls a claim needs a proof: that they fitted before a change. */
  isSure: boolean;
}

/** A call whose parameters could be read. */
interface Judged extends Call {
  isFit: boolean;
  parameters: readonly Parameters[];
}

/** Calls of names that documents import, which do not fit. `texts`: of the resolver's graph. */
export async function misfits(
  resolver: Resolver,
  documents: readonly Documented[],
  texts: FileTexts,
): Promise<Drift[]> {
  const judged = await judge(callsIn(resolver, documents), resolver.graph, texts);
  return judged.filter(({ isFit, isSure }) => isSure && !isFit).map((call) => driftOf(resolver.graph, call));
}

interface Side {
  resolver: Resolver;
  /** Of the resolver's graph. */
  texts: FileTexts;
}

/** Calls that do not fit any more. `changed`: paths of files that differ; what is in others takes what it took before. */
export async function newMisfits(
  before: Side,
  after: Side,
  { documents, changed }: { documents: readonly Documented[]; changed: ReadonlySet<string> },
): Promise<Drift[]> {
  const { graph } = after.resolver;
  const all = callsIn(after.resolver, documents).filter(({ node }) => changed.has(graph.path(node)));
  const wrong = (await judge(all, graph, after.texts)).filter(({ isFit }) => !isFit);
  const mentions = new Set(wrong.map(({ mention }) => mention));
  const older = callsIn(before.resolver, new Set(wrong.map(({ document }) => document)), (one) => mentions.has(one));
  const judged = await judge(older, before.resolver.graph, before.texts);
  const didFit = new Map(judged.map(({ mention, isFit }) => [mention, isFit]));
  return wrong.filter(({ mention, isSure }) => didFit.get(mention) ?? isSure).map((call) => driftOf(graph, call));
}

async function judge(calls: readonly Call[], graph: Graph, texts: FileTexts): Promise<Judged[]> {
  await texts.load(new Set(calls.map(({ node }) => graph.fileOf(node))));
  // Samples call the same few functions again and again.
  const known = new Map(
    [...new Set(calls.map(({ node }) => node))].map((node) => [node, parametersOf(graph, node, texts)]),
  );
  return calls.flatMap((call): Judged[] => {
    const parameters = known.get(call.node) ?? null;
    if (parameters === null) return [];
    const { args = 0, named = 0 } = call.mention;
    return [{ ...call, parameters, isFit: parameters.some((one) => args <= one.most && args + named >= one.least) }];
  });
}

function driftOf(graph: Graph, { document, mention, node, parameters }: Judged): Drift {
  const { args = 0, named = 0 } = mention;
  const detail = `${plural(args + named)} where it takes ${parameters.map(rangeOf).join(' or ')}`;
  return { ...mentionOf(document, mention), problem: 'arguments', detail, now: placeNamed(graph, node) };
}

function callsIn(
  resolver: Resolver,
  documents: Iterable<Documented>,
  isWanted: (mention: Mention) => boolean = () => true,
): Call[] {
  const { graph } = resolver;
  return [...documents].flatMap((document) => {
    if (isRecordOfChanges(document.path)) return [];
    return document.facts.mentions.flatMap((mention): Call[] => {
      const { kind, args = 0, named = 0 } = mention;
      // Samples leave arguments out where they do not matter: a call with none says nothing.
      if (kind !== 'use' || args + named === 0 || !isWanted(mention)) return [];
      const sure = resolver.meaning(mention, document.path).node;
      const node = sure >= 0 || !isOpen(resolver, mention) ? sure : unboundCallee(resolver, document, mention);
      const called = node >= 0 && isType(graph, node) ? constructorOf(graph, node) : node;
      if (called < 0 || !isFunction(graph, called) || isLenient(graph, called)) return [];
      return called === node && isExtended(resolver, called)
        ? []
        : [{ document, mention, node: called, isSure: sure >= 0 }];
    });
  });
}

/** Is it a name that nothing in the document imports, or a member of what a function of ours gives? */
function isOpen(resolver: Resolver, mention: Mention): boolean {
  const owner = resolver.ownerOf(mention);
  return mention.from === undefined || (owner >= 0 && isFunction(resolver.graph, owner));
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
