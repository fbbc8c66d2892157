/**
 * Answers `docs drift`: outdated statements of documents, since a change, and false ones of a snapshot: links to missing files, members
 * that their types lack, calls in samples that do not fit the function. Reports only what is certain.
 */
import { lstatSync } from 'node:fs';
import { join, posix } from 'node:path';
import { only, unboundCallee } from '../../documents/lookup.js';
import {
  antoraPath,
  isDistinctive,
  isModuleLink,
  isRecordOfChanges,
  type Mention,
  partsOf,
} from '../../documents/read.js';
import { type Documented, type Link, Resolver } from '../../documents/resolve.js';
import type { Comparison } from '../../graph/compare/correspondence.js';
import { emptyGraph, type Graph } from '../../graph/graph.js';
import type { ChangedSymbol } from '../../graph/query/impact.js';
import { classOf, cut, isProduction, placeOf } from '../../graph/query/node-place.js';
import type { Parameters } from '../../graph/query/signatures.js';
import { inheritEdges, isFunction, isType, membersOf } from '../../graph/query/uses.js';
import { conventionsOf } from '../../languages/registry.js';
import { openFacts } from '../../session/blob-facts.js';
import { publishedPackages, readDocuments } from '../../session/documents.js';
import { parseRange } from '../../session/snapshot/target.js';
import type { Asker } from '../asker.js';
import { type BothGraphs, FileTexts, prepareBothGraphs } from '../graph/changes/both-graphs.js';
import { countText, overloads, parametersAt } from '../graph/changes/call-mismatches.js';
import { changedSymbols, compareGraphs } from '../graph/changes/changed-symbols.js';
import { type GraphAndHeader, prepareGraph } from '../graph/snapshot-graph.js';
import { codeThatHolds, linksTo, mentionOf, placeNamed } from './mentions.js';
import { type ChangedMention, type DocsDriftDocument, type Drift, type DriftValues, LISTED } from './question.js';

/** Throws BAD_ARGUMENT and UNKNOWN_REF. */
export async function answerDrift(at: Asker, values: DriftValues): Promise<DocsDriftDocument> {
  const { range, limit = LISTED.drift } = values;
  const both = range === undefined ? null : await prepareBothGraphs(at, parseRange(range), values);
  const after = both?.after ?? (await prepareGraph(at, values));
  const { documents: all, leftOut, published } = await readDocuments(at.session, after);
  const documents = all.filter((document) => isOwnDocument(after.graph, document));
  const resolver = new Resolver(after.graph, all, published);
  const shared = { ...after.header, documents: { read: all.length, leftOut } };
  if (both === null) {
    const drift = await stateDrift(at, { after, resolver, documents });
    return { ...shared, drift: cut(drift, limit) };
  }
  const { drift, changed } = await rangeDrift(at, both, { after, resolver, documents });
  return { ...shared, from: both.from, drift: cut(drift, limit), changed: cut(changed, limit) };
}

interface Snapshot {
  after: GraphAndHeader;
  resolver: Resolver;
  documents: readonly Documented[];
}

/** Drift within a snapshot. */
async function stateDrift(at: Asker, { after, resolver, documents }: Snapshot): Promise<Drift[]> {
  const source = await openFacts(at.session, after, { relations: true, signal: at.signal });
  try {
    const texts = new FileTexts(after.graph, source);
    const exists = await pathsOf(at, after);
    const members = await missingMembers(resolver, documents, texts);
    return inOrder([...missingFiles(documents, exists), ...members, ...(await misfits(resolver, documents, texts))]);
  } finally {
    await source.close();
  }
}

/** Drift that a change caused, without the problems that existed before. */
async function rangeDrift(
  at: Asker,
  { before, after }: BothGraphs,
  snapshot: Snapshot,
): Promise<{ drift: Drift[]; changed: ChangedMention[] }> {
  const { resolver, documents } = snapshot;
  const older = before ?? { ...after, graph: emptyGraph() };
  const source = await openFacts(at.session, after, { relations: true, signal: at.signal });
  const digests = await openFacts(at.session, after, { signal: at.signal });
  try {
    const tree = before?.origin.resolved.tree ?? null;
    const changes = await changedSymbols(at.session, after, { tree, source: digests });
    const comparison = compareGraphs(older.graph, after.graph, changes);
    const oldResolver = new Resolver(older.graph, documents, await publishedPackages(older, after));
    const texts = new FileTexts(after.graph, source);
    const isInCode = async (word: string) => {
      const files = await codeThatHolds(at, after, [word]);
      return files.some((file) => isProduction(after.graph, file));
    };
    const gone = await goneMentions({ comparison, before: oldResolver, after: resolver, documents, texts, isInCode });
    const former = new FileTexts(older.graph, source);
    const wrong = await newMisfits(
      { resolver: oldResolver, texts: former },
      { resolver, texts },
      { documents, changed: changes.paths },
    );
    const unchanged = documents.filter(({ path }) => isSame(older, after, path));
    const changed = mentionsOfChanged(resolver, unchanged, changes.symbols);
    return { drift: inOrder([...gone, ...wrong]), changed };
  } finally {
    await Promise.all([source.close(), digests.close()]);
  }
}

function isSame({ graph: old }: Pick<GraphAndHeader, 'graph'>, { graph: now }: GraphAndHeader, path: string): boolean {
  const [before, after] = [old.findFile(path), now.findFile(path)];
  return before >= 0 && after >= 0 && old.tables.files[before].oid === now.tables.files[after].oid;
}

/** By place. */
const inOrder = (drift: readonly Drift[]): Drift[] =>
  [...drift].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));

interface Change {
  comparison: Comparison;
  /** Resolvers of both graphs, for the documents after the change. */
  before: Resolver;
  after: Resolver;
  documents: readonly Documented[];
  /** Texts of the graph after the change. */
  texts: FileTexts;
  /** True if maintained code after the change holds the word. */
  isInCode: (word: string) => Promise<boolean>;
}

/** Least confidence of a mention for a claim. */
const MIN_CONFIDENCE = 0.9;
/** Least confidence for a name that had one definition and now has none, since it was probably intended. */
const MIN_DISTINCTIVE = 0.8;

/** Most names of unsure mentions that are looked up in the code; of further names, only sure mentions are reported. */
const MAX_UNSURE = 30;

/**
 * Mentions of removed code, which led to it before and lead to nothing now. Nothing is claimed where a file that could give the name still
 * holds it, and of an unsure mention, where any maintained code does.
 */
async function goneMentions(change: Change): Promise<Drift[]> {
  const { comparison, texts, isInCode } = change;
  const claims = lostLinks(change);
  const nodes = [...new Set(claims.map(({ link }) => link.node))];
  await texts.load(nodes.flatMap((node) => [...filesThatMayGive(comparison, node), ...ownFile(comparison, node)]));
  const given = new Set(nodes.filter((node) => isHeld(comparison, node, texts, filesThatMayGive(comparison, node))));
  const isUnsure = ({ confidence }: Link) => confidence < MIN_CONFIDENCE;
  const unsure = [...new Set(claims.flatMap(({ link }) => (isUnsure(link) ? [link.node] : [])))];
  const absent = new Set<number>();
  for (const node of unsure.slice(0, MAX_UNSURE)) if (!(await isInCode(comparison.old.name(node)))) absent.add(node);
  return claims.flatMap(({ document, link }) =>
    given.has(link.node) || (isUnsure(link) && !absent.has(link.node)) ? [] : [driftOf(comparison, document, link)],
  );
}

/** Links of documents to code that is gone or renamed. Changelogs and guides to new versions are left out, since they may name it. */
function lostLinks({ comparison, before, after, documents }: Change): ReturnType<typeof linksTo> {
  const guides = documents.filter(({ path }) => !isRecordOfChanges(path));
  const displaced = new Set(comparison.displaced().filter((node) => isDisplaced(comparison, node)));
  // Generators of sites find a document by its name alone.
  const names = new Set(documents.map(({ path }) => posix.basename(path)));
  const stillResolved = new Map<Documented, Set<unknown>>();
  return linksTo(before, guides, displaced).filter(({ document, link }) => {
    const still = stillResolved.get(document) ?? new Set(after.links(document).map(({ mention }) => mention));
    stillResolved.set(document, still);
    const { mention, confidence } = link;
    if (mention.isPinned || mention.isOutside || still.has(mention)) return false;
    if (confidence < (isDistinctiveName(mention) ? MIN_DISTINCTIVE : MIN_CONFIDENCE)) return false;
    if (isStillNamed(comparison, link)) return false;
    return (
      !mayInherit(comparison, link.node) && !isFromElsewhere(comparison, document, link) && !names.has(mention.text)
    );
  });
}

const isDistinctiveName = ({ kind, text }: Mention): boolean =>
  kind === 'name' && isDistinctive(partsOf(text).at(-1) ?? '');

/** True if a node is gone or renamed. A symbol that moved to another file still has its name. */
function isDisplaced(comparison: Comparison, node: number): boolean {
  const { old, now } = comparison;
  const newer = comparison.node(node);
  if (newer < 0) return true;
  return old.isFile(node) ? old.path(node) !== now.path(newer) : old.qualifiedName(node) !== now.qualifiedName(newer);
}

/** True if a remaining type may inherit the member from outside of the repository. */
function mayInherit(comparison: Comparison, node: number): boolean {
  const { old, now } = comparison;
  const container = old.isFile(node) ? -1 : old.container(node);
  const owner = container < 0 || old.isFile(container) ? -1 : comparison.node(container);
  return owner >= 0 && !now.isFile(owner) && familyOf(now, owner) === null;
}

/** True if some node still has the name, even if it may not be the intended one. Of a qualified name, the last two words count. */
function isStillNamed({ old, now }: Comparison, { node, confidence, mention: { kind, text } }: Link): boolean {
  if (kind === 'path' || kind === 'link') return false;
  const words = confidence < MIN_CONFIDENCE ? partsOf(text).slice(-1) : partsOf(text).slice(-2);
  const all = now.nodesNamed(words[words.length - 1]);
  if (words.length === 1) return all.length > 0;
  // A definition at top level may be mentioned with its module, which is no part of its qualified name.
  const isSame = (other: number) => now.qualifiedName(other) === old.qualifiedName(node);
  return all.some((other) => isSame(other) || `.${now.qualifiedName(other)}`.endsWith(`.${words.join('.')}`));
}

/** True for a relative path in a new or moved document: there it had another meaning, or none. */
function isFromElsewhere({ old }: Comparison, { path }: Documented, { mention: { kind, text } }: Link): boolean {
  return (kind === 'path' || kind === 'link') && !text.startsWith('/') && old.findFile(path) < 0;
}

/** File of a definition after the change, if it exists. */
const ownFile = (comparison: Comparison, node: number): number[] =>
  [comparison.file(comparison.old.fileOf(node))].filter((file) => file >= 0);

/** Files after the change that can provide a top-level name without declaring it: its own file, and modules that answer to any name. */
function filesThatMayGive(comparison: Comparison, node: number): number[] {
  const { old, now } = comparison;
  if (old.isFile(node) || !old.isFile(old.container(node))) return [];
  const { dynamicNames = [] } = conventionsOf(old.tables.files[old.fileOf(node)].language);
  const modules = [...dynamicNames].flatMap((hook) => now.nodesNamed(hook).map((other) => now.fileOf(other)));
  return [...ownFile(comparison, node), ...modules];
}

/** True if one of the files holds the word, for instance in a string: then nothing is claimed. */
function isHeld({ old }: Comparison, node: number, texts: FileTexts, files: readonly number[]): boolean {
  return files.some((file) => holdsWord(texts.get(file)?.text ?? '', old.name(node)));
}

function holdsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!/[\w$]/.test(`${text[at - 1] ?? ''}${text[at + word.length] ?? ''}`)) return true;
  return false;
}

function driftOf(comparison: Comparison, document: Documented, { mention, node }: Link): Drift {
  const { old, now } = comparison;
  const newer = comparison.node(node);
  const was = placeNamed(old, node);
  const shown = mentionOf(document, mention);
  if (newer < 0) return { ...shown, problem: 'gone', detail: `${was.symbol ?? was.path} does not exist any more`, was };
  const place = placeNamed(now, newer);
  const detail = `it is ${place.symbol ?? place.path} now`;
  return { ...shown, problem: 'renamed', detail, was, now: place };
}

/** `documents` are unchanged ones. Changed declarations come first, with one entry for each symbol of a document. */
function mentionsOfChanged(
  resolver: Resolver,
  documents: readonly Documented[],
  symbols: readonly ChangedSymbol[],
): ChangedMention[] {
  const { graph } = resolver;
  const changed = new Map(symbols.filter(({ change }) => change !== 'added').map((one) => [one.node, one]));
  const found = new Map<string, ChangedMention>();
  for (const { document, link } of linksTo(resolver, documents, new Set(changed.keys()))) {
    if (link.confidence < MIN_CONFIDENCE || isRecordOfChanges(document.path)) continue;
    const key = `${link.node} ${document.path}`;
    const known = found.get(key);
    if (known !== undefined) known.mentions++;
    else
      found.set(key, {
        ...mentionOf(document, link.mention),
        target: placeOf(graph, link.node),
        confidence: link.confidence,
        signature: changed.get(link.node)?.signature ?? false,
        mentions: 1,
      });
  }
  return [...found.values()].sort((a, b) => Number(b.signature) - Number(a.signature) || b.mentions - a.mentions);
}

/** Every path of a snapshot, directories included: links also lead to pictures, which no graph has. */
async function pathsOf(
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
function isOwnDocument(graph: Graph, { path }: Documented): boolean {
  const name = classOf(graph, graph.findFile(path));
  return name === null || !COPIED.has(name);
}

const COPIED: ReadonlySet<string> = new Set(['test', 'generated', 'vendored', 'legacy']);

/** `exists` tests any path. Generators of sites may find a document by its name alone, wherever it is. */
function missingFiles(documents: readonly Documented[], exists: (path: string) => boolean): Drift[] {
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
async function missingMembers(
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
function familyOf(graph: Graph, type: number): number[] | null {
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
async function misfits(resolver: Resolver, documents: readonly Documented[], texts: FileTexts): Promise<Drift[]> {
  const judged = await judge(callsIn(resolver, documents), resolver.graph, texts);
  return judged.filter(({ isFit, isSure }) => isSure && !isFit).map((call) => unfitDrift(resolver.graph, call));
}

interface DriftVersion {
  resolver: Resolver;
  /** Texts of the resolver's graph. */
  texts: FileTexts;
}

/** Calls that fitted before a change and no longer do. `changed`: paths of changed files; functions in others have the same parameters. */
async function newMisfits(
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
  return wrong.filter(({ mention, isSure }) => didFit.get(mention) ?? isSure).map((call) => unfitDrift(graph, call));
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

function unfitDrift(graph: Graph, { document, mention, node, parameters }: Judged): Drift {
  const { args = 0, named = 0 } = mention;
  const detail = countText(args + named, parameters);
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
