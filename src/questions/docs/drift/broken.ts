/**
 * False statements of documents: links to missing files, members that their types lack, and calls in samples that do not fit the function.
 * Reports only what is certain.
 */
import { lstatSync } from 'node:fs';
import { join, posix } from 'node:path';
import { only, unboundCallee } from '../../../documents/lookup.js';
import { antoraPath, isModuleLink, isRecordOfChanges, type Mention, partsOf } from '../../../documents/read.js';
import type { Documented, Resolver } from '../../../documents/resolve.js';
import type { Parameters } from '../../../graph/compare/parameters.js';
import type { Graph } from '../../../graph/graph.js';
import { classOf } from '../../../graph/query/node-place.js';
import { inheritEdges, isFunction, isType, membersOf } from '../../../graph/query/uses.js';
import { conventionsOf } from '../../../languages/registry.js';
import type { Asker } from '../../asker.js';
import { type FileTexts, overloads, parametersAt, plural, rangeOf } from '../../graph/changes/call-mismatches.js';
import type { GraphAndHeader } from '../../graph/snapshot-graph.js';
import { mentionOf, placeNamed } from '../mentions.js';
import type { Drift } from './question.js';

/** Every path of a snapshot, directories included: links also lead to pictures, which no graph has. */
export async function pathsOf(
  { session }: Asker,
  { graph, origin, overlay }: GraphAndHeader,
): Promise<(path: string) => boolean> {
  const known = new Set<string>();
  const add = (path: string) => {
    for (let at = path; at !== '' && !known.has(at); at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) known.add(at);
  };
  for (const { path } of await session.objects.list(origin.resolved.tree)) add(path);
  for (const { path } of graph.tables.files) add(path);
  const { workTree } = session.repository;
  const isWorkTree = overlay > 0 && workTree !== null;
  return (path) =>
    known.has(path) || (isWorkTree && lstatSync(join(workTree, path), { throwIfNoEntry: false }) !== undefined);
}

/** False for copies, tests and generated pages, which nobody corrects. */
export function isOwnDocument(graph: Graph, { path }: Documented): boolean {
  const name = classOf(graph, graph.findFile(path));
  return name === null || !COPIED.has(name);
}

const COPIED: ReadonlySet<string> = new Set(['test', 'generated', 'vendored', 'legacy']);

/** `exists` tests any path. Generators of sites may find a document by its name alone, wherever it is. */
export function missingFiles(documents: readonly Documented[], exists: (path: string) => boolean): Drift[] {
  const names = new Set(documents.map(({ path }) => posix.basename(path)));
  return documents.flatMap((document) =>
    document.facts.mentions.flatMap((mention): Drift[] => {
      const path = mention.kind === 'link' ? linkedPath(document.path, mention.text) : null;
      if (path === null || exists(path) || exists(posix.join(posix.dirname(document.path), mention.text))) return [];
      // Generators of sites accept a document of another form.
      if (DOCUMENT.test(path) && FORMS.some((form) => exists(path.replace(DOCUMENT, form)))) return [];
      if (names.has(mention.text) || isAbove(document.path, mention.text, exists)) return [];
      return [{ ...mentionOf(document, mention), problem: 'no-file', detail: `${path} does not exist` }];
    }),
  );
}

/** True if a folder above has the file: generators put shared files, such as pictures, beside all documents. */
function isAbove(from: string, text: string, exists: (path: string) => boolean): boolean {
  for (let at = posix.dirname(from); at !== '.' && at !== ''; at = posix.dirname(at))
    if (exists(posix.normalize(posix.join(at, '..', text)))) return true;
  return false;
}

const DOCUMENT = /\.(?:md|mdx|markdown|rst|adoc|ipynb)$/;
const FORMS = ['', '.md', '.mdx', '.rst', '/index.md', '/README.md'];
/** Paths that a site's generator makes, or placeholders for any path. */
const MADE = /[{}$<>*|\\]|(?:^|\/)path\/to\/|\.(?:html?|php|aspx|epub|pdf)$/;

/** Path, from the top, of a relative link; null for links that need not lead to a file of the repository. */
function linkedPath(from: string, text: string): string | null {
  const page = antoraPath(from, text);
  if (/^\/|^www\./.test(text) || MADE.test(page ?? text) || !/\.[A-Za-z]\w{0,6}$/.test(text)) return null;
  if (page !== null) return page;
  if (isModuleLink(text)) return null;
  const path = posix.normalize(posix.join(posix.dirname(from), text));
  return path.startsWith('..') ? null : path;
}

interface MemberClaim {
  document: Documented;
  mention: Mention;
  type: number;
  name: string;
  /** The type and all types that it inherits from. */
  family: readonly number[];
}

/** Missing members: `Cart.sum` if `Cart` is one type of ours, and neither it nor its ancestors have `sum`. */
export async function missingMembers(
  resolver: Resolver,
  documents: readonly Documented[],
  texts: FileTexts,
): Promise<Drift[]> {
  const { graph } = resolver;
  const described = new Set(documents.flatMap(({ facts }) => facts.described.map(shortName)));
  const claims = documents
    .filter(({ path }) => !isRecordOfChanges(path))
    .flatMap((document) => document.facts.mentions.flatMap((mention) => claimOf(resolver, document, mention)));
  await texts.load(new Set(claims.flatMap(({ family }) => family.map((node) => graph.fileOf(node)))));
  return claims.flatMap(({ document, mention, type, name, family }): Drift[] => {
    const files = [...new Set(family.map((node) => graph.fileOf(node)))];
    // A top-level function may extend the type, as in Kotlin.
    if (described.has(shortName(mention.text)) || resolver.lookup.topLevel(name).length > 0) return [];
    // Code that defines members at run time would at least write their names.
    if (!files.every((file) => texts.get(file)?.mentions(name).length === 0)) return [];
    const detail = `${graph.qualifiedName(type)} has no member ${name}`;
    return [{ ...mentionOf(document, mention), problem: 'no-member', detail, now: placeNamed(graph, type) }];
  });
}

/** `Cart.total` of `shop.cart.Cart.total`. */
const shortName = (text: string): string => partsOf(text).slice(-2).join('.');

/** Names that every type has in some language, without a declaration. */
const GIVEN =
  /^(?:prototype|name|length|constructor|toString|valueOf|call|apply|bind|class|new|default|clone|from|into|self|__\w+__)$/;

function claimOf(resolver: Resolver, document: Documented, mention: Mention): MemberClaim[] {
  const { kind, text } = mention;
  const words = partsOf(text);
  const [owner, name] = words.slice(-2);
  if (!['name', 'reference', 'use'].includes(kind) || words.length < 2 || GIVEN.test(name) || !/^[A-Z]/.test(owner))
    return [];
  if (kind !== 'use' && document.facts.defined.includes(owner)) return [];
  if (resolver.meaning(mention, document.path).node >= 0) return [];
  const type = kind === 'use' ? resolver.ownerOf(mention) : only(resolver.lookup.topLevel(owner));
  if (type < 0 || !CLOSED.has(resolver.graph.kind(type))) return [];
  const scope = words.slice(0, -2);
  const family = resolver.isInside(type, scope) ? familyOf(resolver.graph, type) : null;
  return family === null ? [] : [{ document, mention, type, name, family }];
}

/** Kinds of types that list all their members. */
const CLOSED: ReadonlySet<string> = new Set(['class', 'interface', 'enum']);
const MAX_ANCESTORS = 100;

/** Null for a type that inherits from outside of the repository, is decorated, or answers to any name. */
export function familyOf(graph: Graph, type: number): number[] | null {
  const family = new Set([type]);
  for (const node of family) {
    const { dynamicNames = [] } = conventionsOf(graph.tables.files[graph.fileOf(node)].language);
    if (graph.isFile(node) || family.size > MAX_ANCESTORS) return null;
    for (const edge of inheritEdges(graph, node)) {
      if (graph.target(edge) < 0) return null;
      family.add(graph.target(edge));
    }
    for (const hook of dynamicNames)
      if (graph.nodesNamed(hook).some((other) => graph.container(other) === node)) return null;
    const [start, end] = graph.edgeRange(node);
    for (let edge = start; edge < end; edge++) if (graph.edgeKind(edge) === 'decorator') return null;
  }
  return [...family];
}

// Calls in samples that do not fit the parameters of the called function.

interface Call {
  document: Documented;
  mention: Mention;
  node: number;
  /** The called function is known. For other calls, a claim needs proof: that they fitted before a change. */
  isSure: boolean;
}

/** A call of a function whose parameters could be read. */
interface Judged extends Call {
  isFit: boolean;
  parameters: readonly Parameters[];
}

/** Calls of imported names that do not fit. `texts` are those of the resolver's graph. */
export async function misfits(
  resolver: Resolver,
  documents: readonly Documented[],
  texts: FileTexts,
): Promise<Drift[]> {
  const judged = await judge(callsIn(resolver, documents), resolver.graph, texts);
  return judged.filter(({ isFit, isSure }) => isSure && !isFit).map((call) => driftOf(resolver.graph, call));
}

interface DriftVersion {
  resolver: Resolver;
  /** Texts of the resolver's graph. */
  texts: FileTexts;
}

/** Calls that fitted before a change and no longer do. `changed`: paths of changed files; functions in others have the same parameters. */
export async function newMisfits(
  before: DriftVersion,
  after: DriftVersion,
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
  // Cached, since samples call the same few functions again and again.
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
      // Samples leave out arguments that do not matter, so a call without any proves nothing.
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

/** True for a name that nothing in the document imports, or a member of what our function returns. */
function isOpen(resolver: Resolver, mention: Mention): boolean {
  const owner = resolver.ownerOf(mention);
  return mention.from === undefined || (owner >= 0 && isFunction(resolver.graph, owner));
}

/** True if a top-level function has the method's name: it may extend the type, as in Kotlin, and be the one that is called. */
const isExtended = ({ graph, lookup }: Resolver, node: number): boolean =>
  !graph.isFile(graph.container(node)) && lookup.topLevel(graph.name(node)).length > 0;

/** True for languages whose calls run with any number of arguments: a declaration proves nothing there. */
const isLenient = (graph: Graph, node: number): boolean =>
  conventionsOf(graph.tables.files[graph.fileOf(node)].language).parameters?.isLenient === true;

/** A type without its own constructor may inherit one, so nothing is claimed about its calls. */
const constructorOf = (graph: Graph, type: number): number =>
  graph.kind(type) === 'class'
    ? (membersOf(graph, type).find(
        (node) =>
          graph.container(node) === type &&
          CONSTRUCTORS.test(graph.kind(node) === 'constructor' ? 'constructor' : graph.name(node)),
      ) ?? -1)
    : -1;

const CONSTRUCTORS = /^(?:constructor|__init__)$/;

/** Parameters of every declaration; null if one cannot be read. */
function parametersOf(graph: Graph, node: number, texts: FileTexts): Parameters[] | null {
  if (isMerged(graph, node, texts)) return null;
  const all = overloads(graph, node).map((one) => parametersAt(graph, one, texts));
  return all.length > 0 && all.every((one) => one !== null) ? (all as Parameters[]) : null;
}

/** True if declarations without a body precede it: they form one symbol with it, and only the first would be read. */
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
