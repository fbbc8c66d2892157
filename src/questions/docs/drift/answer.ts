/** Answers `docs drift`: outdated statements of documents, in a snapshot or since a change. */
import { posix } from 'node:path';
import { isDistinctive, isRecordOfChanges, type Mention, partsOf } from '../../../documents/read.js';
import { type Documented, type Link, Resolver } from '../../../documents/resolve.js';
import type { Comparison } from '../../../graph/compare/correspondence.js';
import { emptyGraph } from '../../../graph/graph.js';
import type { ChangedSymbol } from '../../../graph/query/impact.js';
import { cut, isProduction, placeOf } from '../../../graph/query/node-place.js';
import { conventionsOf } from '../../../languages/registry.js';
import { openFacts } from '../../../session/blob-facts.js';
import { publishedPackages, readDocuments } from '../../../session/documents.js';
import { parseRange } from '../../../session/snapshot/target.js';
import type { Asker } from '../../asker.js';
import { type BothGraphs, prepareBothGraphs } from '../../graph/changes/both-graphs.js';
import { FileTexts } from '../../graph/changes/call-mismatches.js';
import { changedSymbols, compareGraphs } from '../../graph/changes/changed-symbols.js';
import { type GraphAndHeader, prepareGraph } from '../../graph/snapshot-graph.js';
import { LISTED } from '../links/question.js';
import { codeThatHolds, linksTo, mentionOf, placeNamed } from '../mentions.js';
import { familyOf, isOwnDocument, misfits, missingFiles, missingMembers, newMisfits, pathsOf } from './broken.js';
import type { ChangedMention, DocsDriftDocument, Drift, DriftValues } from './question.js';

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

/** Most words that are looked up in the code; of further words, only certain drift is reported. */
const MAX_UNSURE = 30;

/** Mentions of removed code. Changelogs and guides to new versions are left out, since they may name it. */
async function goneMentions({ comparison, before, after, documents, texts, isInCode }: Change): Promise<Drift[]> {
  const guides = documents.filter(({ path }) => !isRecordOfChanges(path));
  const displaced = new Set(comparison.displaced().filter((node) => isDisplaced(comparison, node)));
  // Generators of sites find a document by its name alone.
  const names = new Set(documents.map(({ path }) => posix.basename(path)));
  const stillResolved = new Map<Documented, Set<unknown>>();
  const claims = linksTo(before, guides, displaced).filter(({ document, link }) => {
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
  const nodes = [...new Set(claims.map(({ link }) => link.node))];
  await texts.load(nodes.flatMap((node) => [...filesThatMayGive(comparison, node), ...ownFile(comparison, node)]));
  const given = new Set(nodes.filter((node) => isHeld(comparison, node, texts, filesThatMayGive(comparison, node))));
  const unsure = new Set(claims.flatMap(({ link }) => (link.confidence < MIN_CONFIDENCE ? [link.node] : [])));
  for (const [i, node] of [...unsure].entries())
    if (i < MAX_UNSURE && !(await isInCode(comparison.old.name(node)))) unsure.delete(node);
  return claims.flatMap(({ document, link }) => {
    const { node, confidence } = link;
    const isUnsure = confidence < MIN_CONFIDENCE && unsure.has(node);
    return given.has(node) || isUnsure ? [] : [driftOf(comparison, document, link)];
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
