/**
 * Mentions of symbols and files in a snapshot's documents and in doc comments of its code. Answers `docs links`, gives other answers their
 * line about documents (`mentionedIn`), and has the text of `docs links` and `docs drift`.
 */
import { remember } from '../../base/cache.js';
import { groupBy, hashOf, indexIn } from '../../base/lists.js';
import { signs } from '../../base/printable.js';
import {
  type DocumentFacts,
  headingPath,
  isDocument,
  isRecordOfChanges,
  type Mention,
  partsOf,
} from '../../documents/read.js';
import { commentLinks, type Documented, type Link, Resolver, readComments } from '../../documents/resolve.js';
import type { Graph } from '../../graph/graph.js';
import { cut, isProduction, placeOf } from '../../graph/query/node-place.js';
import { resolveTarget } from '../../graph/query/target.js';
import { withInside } from '../../graph/query/uses.js';
import type { GraphFile } from '../../graph/tables.js';
import { compilePattern } from '../../search/grep/required-texts.js';
import { openFacts } from '../../session/blob-facts.js';
import { readDocuments } from '../../session/documents.js';
import type { PreparedGraph } from '../../session/graph/graphs.js';
import type { FoundHit } from '../../session/grep/files.js';
import { grep } from '../../session/grep/grep.js';
import type { Session } from '../../session/session.js';
import type { Asker } from '../asker.js';
import { formatCount } from '../format.js';
import { definitionBlocks, doubtText, othersBlocks, placeColumns } from '../graph/graph-text.js';
import type { GraphCandidates, MentionedIn } from '../graph/output.js';
import { ambiguous, prepareGraph } from '../graph/snapshot-graph.js';
import { asides, type Block, type Item, type Section, type Some, sectionOf, total } from '../view.js';
import {
  type ChangedMention,
  type DocLink,
  type DocMention,
  type DocsDriftDocument,
  type DocsLinksDocument,
  type Drift,
  LISTED,
  type LinksValues,
} from './question.js';

/** A link with the document, or the doc comments of a file, that it stands in. */
interface Mentioned {
  document: Documented;
  link: Link;
}

/** Mentions of nodes and their members: in guides before changelogs, of nodes before members, the most certain first. */
function mentionsOfNodes(resolver: Resolver, documents: readonly Documented[], nodes: readonly number[]): Mentioned[] {
  const { graph } = resolver;
  const own = new Set(nodes);
  const wanted = withInside(graph, nodes);
  const paths = new Set(nodes.filter((node) => graph.isFile(node)).map((node) => graph.path(node)));
  const rank = ({ document, link }: Mentioned) =>
    (isRecordOfChanges(document.path) ? 0 : 2) + (own.has(link.node) ? 1 : 0);
  return linksTo(resolver, documents, wanted)
    .filter(({ document: { path } }) => !paths.has(path))
    .sort((a, b) => rank(b) - rank(a) || b.link.confidence - a.link.confidence);
}

/** Links that lead to one of the nodes, in the order of documents. Resolves only documents that hold one of the names. */
export function linksTo(
  resolver: Resolver,
  documents: readonly Documented[],
  wanted: ReadonlySet<number>,
): Mentioned[] {
  const words = new Set([...wanted].map((node) => lastWord(resolver.graph, node)));
  const index = indexOf(documents);
  const found = new Set([...words].flatMap((word) => index.get(word) ?? []));
  return [...found]
    .sort((a, b) => a - b)
    .flatMap((i) =>
      resolver.links(documents[i]).flatMap((link) => (wanted.has(link.node) ? [{ document: documents[i], link }] : [])),
    );
}

/** Numbers of documents that mention a word. */
type WordIndex = ReadonlyMap<string, readonly number[]>;

/** Cached by documents: for a server, reading each mention again took most of the time of a warm answer. */
const INDEXES = new WeakMap<readonly Documented[], WordIndex>();

function indexOf(documents: readonly Documented[]): WordIndex {
  const known = INDEXES.get(documents);
  if (known !== undefined) return known;
  const index = new Map<string, number[]>();
  for (const [i, { facts }] of documents.entries()) {
    for (const { text } of facts.mentions) {
      const word = lastPart(text);
      const list = index.get(word);
      if (list === undefined) index.set(word, [i]);
      else if (list.at(-1) !== i) list.push(i);
    }
  }
  INDEXES.set(documents, index);
  return index;
}

/**
 * Last part of a name or path, without an extension, which links may leave out. It has to equal `lastWord` of the nodes that the text may
 * mean, since `linksTo` finds documents by it.
 */
function lastPart(text: string): string {
  const isPath = text.includes('/') || /\.(?:md|mdx|rst|adoc)$/.test(text);
  // Antora writes `module:page.adoc` and `partial$page.adoc`.
  const file =
    text
      .replace(/\/+$/, '')
      .split(isPath ? /[/:$]/ : '/')
      .at(-1) ?? '';
  return isPath ? file.replace(/\.[^.]*$/, '') : (partsOf(file).at(-1) ?? '');
}

const lastWord = (graph: Graph, node: number): string =>
  graph.isFile(node) ? (graph.path(node).split('/').at(-1) ?? '').replace(/\.[^.]*$/, '') : graph.name(node);

// Doc comments that mention symbols and files. `grep` finds the words, so that only files that hold them are read.

/** Most files whose comments are read for an answer about links: parsing the facts of more takes seconds. */
const MAX_FILES = 400;

/** Cached mentions in comments, by blob and language; null for a file without any. Agents ask about the same files again and again. */
const COMMENTS = new WeakMap<Session, Map<string, DocumentFacts | null>>();
const MAX_CACHED_COMMENT_FILES = 4_096;

/** Doc comments of the code among the files, one entry for each file that has any. Files that are remembered are not read. */
async function commentsOf(
  { session, signal }: Reader,
  prepared: Prepared,
  files: readonly number[],
): Promise<Documented[]> {
  const listed = prepared.graph.tables.files;
  const wanted = files.map((file) => listed[file]).filter(isCode);
  const known = COMMENTS.get(session) ?? new Map<string, DocumentFacts | null>();
  COMMENTS.set(session, known);
  const found = new Map(wanted.map((version) => [keyOf(version), known.get(keyOf(version))]));
  const unread = wanted.filter((version) => found.get(keyOf(version)) === undefined);
  if (unread.length > 0) {
    const source = await openFacts(session, prepared, { count: unread.length, signal });
    const reading: Promise<void>[] = [];
    try {
      await source.prefetch(unread, undefined, (version, facts, bytes) => {
        const isSilent = facts === null || bytes === null || !facts.symbols.some(({ doc }) => doc !== null);
        const comments = isSilent ? Promise.resolve(null) : readComments(bytes, facts.symbols);
        reading.push(comments.then((value) => void found.set(keyOf(version), value)));
      });
      await Promise.all(reading);
    } finally {
      await source.close();
    }
  }
  for (const [key, comments] of found)
    if (comments !== undefined) remember(known, key, comments, MAX_CACHED_COMMENT_FILES);
  return wanted.flatMap((version) => {
    const facts = found.get(keyOf(version)) ?? null;
    return facts === null ? [] : [{ path: version.path, facts }];
  });
}

type Reader = Pick<Asker, 'session' | 'signal'>;
type Prepared = Pick<PreparedGraph, 'graph' | 'objects' | 'origin' | 'overlay' | 'uncommitted'>;

/** Mark on the line of a comment that mentions a name: `Cart`, {@link Cart}, @see Cart, [Cart]. Most uses in code have none. */
const MARKED = /[`[]|\{@|@see\s/;
/** Most hits whose lines are examined; files with further hits are read. */
const MAX_HITS = 5_000;

const isCode = ({ state, language }: GraphFile) => state === 'linked' && !isDocument(language);
const keyOf = ({ oid, language }: { oid: string; language?: string | null }) => `${oid} ${language}`;

interface InComments {
  prepared: Prepared;
  resolver: Resolver;
  nodes: readonly number[];
  /** Most files that are read, tests last. */
  most?: number;
}

/** Mentions of nodes in comments of other symbols. */
async function mentionsInComments(
  at: Reader,
  { prepared, resolver, nodes, most = MAX_FILES }: InComments,
): Promise<{ mentioned: Mentioned[]; read: number; leftOut: number }> {
  const { graph } = prepared;
  const words = [...new Set(nodes.map((node) => nameOf(graph, node)))].filter((word) => word.length > 1);
  if (words.length === 0) return { mentioned: [], read: 0, leftOut: 0 };
  const holding = (await codeThatMarks(at, prepared, words)) ?? (await codeThatHolds(at, prepared, words, MARKED));
  const isTest = (file: number) => (isProduction(graph, file) ? 0 : 1);
  const files = holding.sort((a, b) => isTest(a) - isTest(b) || a - b);
  const wanted = new Set(nodes);
  const read = files.slice(0, most);
  const documents = await commentsOf(at, prepared, read);
  const mentioned = documents.flatMap((document) =>
    commentLinks(resolver, document).flatMap((link: Link) => (wanted.has(link.node) ? [{ document, link }] : [])),
  );
  return { mentioned, read: read.length, leftOut: files.length - read.length };
}

/** Numbers of code files that hold one of the words, in comments and strings as well. `marked` selects lines. */
export async function codeThatHolds(
  { session, signal }: Reader,
  { graph, origin, overlay }: Prepared,
  words: readonly string[],
  marked?: RegExp,
): Promise<number[]> {
  const quoted = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const pattern = compilePattern({ pattern: quoted.join('|'), words: true });
  const { commit, tree } = origin.resolved;
  const target = overlay > 0 ? {} : { ref: commit ?? tree };
  const limit = marked === undefined ? 0 : MAX_HITS;
  const { matches } = await grep(session, pattern, { ...target, limit, signal });
  const found = matches.filter(({ hits, text, count }) => {
    return marked === undefined || hits.length < count || hits.some((hit) => isMarked(hit, text, marked));
  });
  return found
    .map(({ file }) => graph.findFile(file.path))
    .filter((file) => file >= 0 && isCode(graph.tables.files[file]));
}

/** Most files without known words that are read for an answer; for more, `grep` reads them faster. */
const MAX_UNKNOWN = 1_000;

/**
 * Numbers of code files with one of the words on a marked line. The words of the index say which files to look at; null for words that it
 * does not have, or that very many unread files have.
 */
async function codeThatMarks(
  { session, signal }: Reader,
  prepared: Prepared,
  words: readonly string[],
): Promise<number[] | null> {
  if (!words.every((word) => /^\w+$/.test(word))) return null;
  const { NameIndex } = await import('../../session/graph/text-uses.js');
  const index = await NameIndex.open(session, prepared, signal);
  const found = new Set<number>();
  for (const word of words) {
    const files = index.filesWith(word);
    if (files === null) return null;
    for (const file of files) found.add(file);
  }
  const { files } = prepared.graph.tables;
  const known = markedWordsOf(session);
  const code = [...found].filter((file) => isCode(files[file]));
  const unknown = code.filter((file) => !known.has(files[file].oid));
  if (unknown.length > MAX_UNKNOWN) return null;
  const learn = async (file: number) => {
    const object = await prepared.objects.read(files[file].oid);
    if (object?.type === 'blob') known.add(files[file].oid, object.content.toString('utf8'));
  };
  await Promise.all(unknown.map(learn));
  const wanted = words.map(hashOf);
  return code.filter((file) => known.holds(files[file].oid, wanted));
}

const isMarked = ({ start, end }: FoundHit, text: string, marked: RegExp): boolean =>
  marked.test(text.slice(start, end));

const nameOf = (graph: Graph, node: number): string =>
  graph.isFile(node) ? (graph.path(node).split('/').at(-1) ?? '') : graph.name(node);

// Words on marked lines of files that were read for an answer, so that the next question need not read them again.

const MARKED_WORDS = new WeakMap<Session, MarkedWords>();

/** Most files that are remembered, at some hundred bytes each. */
const MAX_CACHED_WORD_SETS = 16_384;

function markedWordsOf(session: Session): MarkedWords {
  const known = MARKED_WORDS.get(session) ?? new MarkedWords();
  MARKED_WORDS.set(session, known);
  return known;
}

/** Words by blob, as numbers. If two words have one number, a file is read in vain. */
class MarkedWords {
  private readonly byBlob = new Map<string, Uint32Array>();

  has(oid: string): boolean {
    return this.byBlob.has(oid);
  }

  add(oid: string, text: string): void {
    const found = new Set<number>();
    for (const line of text.split('\n')) {
      if (MARKED.test(line)) for (const [word] of line.matchAll(/\w+/g)) found.add(hashOf(word));
    }
    remember(this.byBlob, oid, Uint32Array.from(found).sort(), MAX_CACHED_WORD_SETS);
  }

  /** Is a blob known to have one of the words, as numbers, on a marked line? */
  holds(oid: string, words: readonly number[]): boolean {
    const numbers = this.byBlob.get(oid);
    return numbers !== undefined && words.some((word) => indexIn(numbers, word) >= 0);
  }
}

// Shapes of mentions in documents of answers.

export function mentionOf({ path, facts }: Documented, { line, section, kind, text }: Mention): DocMention {
  return { path, line, section: headingPath(facts.sections, section), kind, text };
}

function linkOf(graph: Graph, document: Documented, { mention, node, confidence }: Link): DocLink {
  return { ...mentionOf(document, mention), target: placeOf(graph, node), confidence };
}

/** A symbol or a file. */
export function placeNamed(graph: Graph, node: number): { path: string; symbol: string | null; startLine: number } {
  const { path, symbol, startLine } = placeOf(graph, node);
  return { path, symbol, startLine };
}

// One line for answers about code: how often documents mention it.

/** Most places that are named; the others are counted. */
const NAMED = 3;
/** Most changed symbols whose comments are searched: a change of all code is mentioned everywhere. */
const MAX_NODES = 20;
/** Most files whose comments are read, at a millisecond each. */
const MAX_SUMMARY_FILES = 20;

interface Opened {
  documents: readonly Documented[];
  resolver: Resolver;
}

/** Cached by graph, which has the blobs of its snapshot's documents. */
const OPEN = new WeakMap<Graph, Opened>();

async function open(session: Session, prepared: Pick<PreparedGraph, 'graph' | 'objects'>): Promise<Opened> {
  const { graph } = prepared;
  const known = OPEN.get(graph);
  if (known !== undefined) return known;
  const { documents, published } = await readDocuments(session, prepared);
  const opened = { documents, resolver: new Resolver(graph, documents, published) };
  OPEN.set(graph, opened);
  return opened;
}

/** Undefined if no document mentions a node or its members, and no doc comment of another file a node. */
export async function mentionedIn(
  at: Pick<Asker, 'session' | 'signal'>,
  prepared: Prepared,
  nodes: readonly number[],
): Promise<MentionedIn | undefined> {
  const { documents, resolver } = await open(at.session, prepared);
  const comments = await countInComments(at, { prepared, resolver, nodes });
  const { mentions, files, first } = placesOf(mentionsOfNodes(resolver, documents, nodes));
  if (mentions === 0 && comments === undefined) return undefined;
  return { mentions, documents: files, first, ...(comments !== undefined && { comments }) };
}

function placesOf(found: readonly Mentioned[]) {
  const places = new Map(
    found.map(({ document: { path }, link }) => [path, { path, line: link.mention.line }] as const).reverse(),
  );
  return { mentions: found.length, files: places.size, first: [...places.values()].reverse().slice(0, NAMED) };
}

/** Mentions of nodes in doc comments of other files; undefined without any, and for very many nodes. */
async function countInComments(
  at: Pick<Asker, 'session' | 'signal'>,
  { prepared, resolver, nodes }: { prepared: Prepared; resolver: Resolver; nodes: readonly number[] },
) {
  if (nodes.length > MAX_NODES) return undefined;
  const { graph } = prepared;
  const own = new Set(nodes.map((node) => graph.path(node)));
  const { mentioned, leftOut } = await mentionsInComments(at, { prepared, resolver, nodes, most: MAX_SUMMARY_FILES });
  const places = placesOf(mentioned.filter(({ document: { path } }) => !own.has(path)));
  return places.mentions === 0 ? undefined : { ...places, unread: leftOut };
}

/** True if the comment with the link belongs to one of the nodes, or to a symbol inside of one. */
function isAbout(graph: Graph, nodes: readonly number[], file: number, { mention }: Link): boolean {
  for (let at = graph.fileNode(file) + 1 + mention.section; ; at = graph.container(at)) {
    if (nodes.includes(at)) return true;
    if (graph.isFile(at)) return false;
  }
}

/** Throws BAD_ARGUMENT for an unknown name. */
export async function answerLinks(at: Asker, values: LinksValues): Promise<DocsLinksDocument | GraphCandidates> {
  const { target, file, limit = LISTED.links, minConfidence } = values;
  const prepared = await prepareGraph(at, values);
  const { graph, header, prefix } = prepared;
  const found = resolveTarget(graph, target, { file, prefix });
  if ('candidates' in found) return ambiguous(prepared, { target, ...found, limit: values.limit });
  const { nodes, others, alternatives } = found;
  const { documents, leftOut, published } = await readDocuments(at.session, prepared);
  const resolver = new Resolver(graph, documents, published);
  const isSure = ({ confidence }: Link) => confidence >= minConfidence;
  const shown = (document: Documented, link: Link) => linkOf(graph, document, link);
  const own = documents.filter(({ path }) => nodes.some((node) => graph.isFile(node) && graph.path(node) === path));
  const mentions = own.flatMap((document) =>
    resolver
      .links(document)
      .filter(isSure)
      .map((link) => shown(document, link)),
  );
  const requested = new Set(nodes.map((node) => graph.fileOf(node)));
  const comments = await commentsOf(at, prepared, [...requested]);
  const said = comments.flatMap((document) =>
    commentLinks(resolver, document)
      .filter((link) => isSure(link) && isAbout(graph, nodes, graph.findFile(document.path), link))
      .map((link) => shown(document, link)),
  );
  const commented = await mentionsInComments(at, { prepared, resolver, nodes });
  const all = [...mentionsOfNodes(resolver, documents, nodes), ...commented.mentioned];
  const mentioning = all.filter(({ link }) => isSure(link));
  return {
    ...{ ...header, target, others, alternatives },
    definitions: nodes.map((node) => placeOf(graph, node)),
    documents: { read: documents.length, leftOut },
    comments: { read: commented.read, leftOut: commented.leftOut },
    mentions: cut([...mentions, ...said], limit),
    mentionedIn: cut(
      mentioning.map(({ document, link }) => shown(document, link)),
      limit,
    ),
  };
}

// Text of `docs links` and `docs drift`: mentions of code in documents, and outdated statements.

export function linksBlocks(response: DocsLinksDocument): Block[] {
  const { definitions, documents, comments, mentions, mentionedIn } = response;
  const none = `no mention of it in ${formatCount(documents.read, 'document')}`;
  const unread = `comments of ${formatCount(comments.leftOut, 'file')} that hold its name were not read`;
  return [
    ...definitionBlocks(definitions),
    mentionSection('mentions of code', mentions, ({ text, target }) => [{ symbol: text }, ...placeColumns(target)], {
      counted: (all) => `mentions ${formatCount(all, 'place')} of code`,
    }),
    mentionSection('mentioned in', mentionedIn, ({ text }) => [{ symbol: text }], {
      counted: (all) => `mentioned in ${formatCount(all, 'place')}`,
    }),
    ...(total(mentions) + total(mentionedIn) === 0 ? [{ say: [none], isApart: true }] : []),
    ...leftOutBlocks(documents),
    ...asides(comments.leftOut > 0 ? [unread] : [], true),
    ...othersBlocks(response),
  ];
}

const leftOutBlocks = ({ leftOut }: DocsLinksDocument['documents']): Block[] =>
  asides(leftOut > 0 ? [`${formatCount(leftOut, 'document')} left out: too many or too large`] : [], true);

export function driftBlocks({ drift, changed, documents }: DocsDriftDocument): Block[] {
  const none = `nothing in ${formatCount(documents.read, 'document')} is known to be out of date`;
  const title = 'mentions of what changed, in documents that did not';
  return [
    ...(total(drift) === 0 ? [{ say: [none] }] : []),
    sectionOf('mentions out of date', drift, driftItem, {
      counted: (all) => `${formatCount(all, 'mention')} out of date`,
      isByFile: true,
    }),
    ...(changed === undefined
      ? []
      : [
          sectionOf(title, changed, changedItem, {
            counted: (all) => `${formatCount(all, 'mention')} of what changed, in documents that did not`,
            isByFile: true,
          }),
        ]),
    ...leftOutBlocks(documents),
  ];
}

function driftItem({ path, line, text, detail, section: titles, now, problem }: Drift): Item {
  const place = now === undefined || problem === 'no-file' ? '' : { path: now.path, line: now.startLine };
  return [{ path, line }, [{ symbol: text }, `: ${detail}`], { aside: place }, { aside: sectionText(titles) }];
}

function changedItem({ path, line, target, signature, mentions }: ChangedMention): Item {
  const often = mentions > 1 ? `, ${mentions} mentions` : '';
  return [{ path, line }, ...placeColumns(target), { aside: `${signature ? 'declaration' : 'body'} changed${often}` }];
}

const MAX_SECTION = 80;

function sectionText(section: readonly string[]): string {
  const text = section.join(' > ');
  return text.length > MAX_SECTION ? `${signs.cut}${text.slice(-MAX_SECTION)}` : text;
}

/** Mentions below their documents; those of one target in one section share a line. `target` describes it. */
function mentionSection(
  title: string,
  { list, leftOut }: Some<DocLink>,
  target: (first: DocLink) => Item,
  more: Partial<Section>,
) {
  const items = groups(list).map((all): Item => {
    const [first] = all;
    const numbers = [...new Set(all.map(({ line }) => line))];
    const lines = numbers.length > MAX_LINES ? [...numbers.slice(0, MAX_LINES), signs.cut] : numbers;
    const place = { path: first.path, line: first.line, lines };
    return [place, ...target(first), { aside: sectionText(first.section) }, { aside: doubtText(first) }];
  });
  return { title, list: items, leftOut, merged: list.length - items.length, isByFile: true, ...more };
}

const MAX_LINES = 6;

/** Mentions grouped by document, target and section, in the order of documents. */
function groups(links: readonly DocLink[]): DocLink[][] {
  const keyOf = ({ section, target }: DocLink) =>
    JSON.stringify([section, target.path, target.symbol, target.startLine]);
  const byPath = groupBy(links, ({ path }) => path);
  return [...byPath.values()].flatMap((own) => [...groupBy(own, keyOf).values()]);
}
