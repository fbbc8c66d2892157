/** Doc comments of code that mention symbols and files. The words are looked up by `grep`, so that only files that hold them are read. */
import { remember } from '../../base/remember.js';
import { commentLinks, readComments } from '../../documents/comments.js';
import type { DocumentFacts } from '../../documents/facts.js';
import { isDocument } from '../../documents/read.js';
import type { Documented, Link, Resolver } from '../../documents/resolve.js';
import type { Graph } from '../../graph/graph.js';
import { isProduction } from '../../graph/query/place.js';
import type { GraphFile } from '../../graph/types.js';
import { compilePattern } from '../../search/grep/pattern.js';
import { openFacts } from '../../session/graph/facts-source.js';
import type { PreparedGraph } from '../../session/graph/prepare.js';
import type { FoundHit } from '../../session/grep/finder.js';
import { grep } from '../../session/grep/grep.js';
import type { Session } from '../../session/session.js';
import type { Asker } from '../asker.js';
import { markedWordsOf } from './marked-words.js';
import type { Mentioned } from './mentioned.js';

/** Files whose comments are read for an answer about links: parsing facts of more takes seconds. */
const MAX_FILES = 400;

/** Keeps the mentions in comments, by blob and language; null where a file has none. Agents ask about the same files again and again. */
const KNOWN = new WeakMap<Session, Map<string, DocumentFacts | null>>();
const KEPT = 4_096;

/** Comments of files of the graph, in their order. */
export async function commentsOf(
  { session, signal }: Reader,
  prepared: Prepared,
  files: readonly number[],
): Promise<Documented[]> {
  const listed = prepared.graph.tables.files;
  const wanted = files.map((file) => listed[file]).filter(isCode);
  const known = KNOWN.get(session) ?? new Map<string, DocumentFacts | null>();
  KNOWN.set(session, known);
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
  for (const [key, comments] of found) if (comments !== undefined) remember(known, key, comments, KEPT);
  return wanted.flatMap((version) => {
    const facts = found.get(keyOf(version)) ?? null;
    return facts === null ? [] : [{ path: version.path, facts }];
  });
}

/** The session, and what ends the work. */
type Reader = Pick<Asker, 'session' | 'signal'>;
type Prepared = Pick<PreparedGraph, 'graph' | 'objects' | 'origin' | 'overlay'>;

/** A line of a comment that mentions a name has a mark: `Cart`, {@link Cart}, @see Cart, [Cart]. Most uses in code have none. */
const MARKED = /[`[]|\{@|@see\s/;
/** Hits whose lines are looked at; files with further ones are read. */
const MAX_HITS = 5_000;

const isCode = ({ state, language }: GraphFile) => state === 'linked' && !isDocument(language);
const keyOf = ({ oid, language }: { oid: string; language?: string | null }) => `${oid} ${language}`;

interface InComments {
  prepared: Prepared;
  resolver: Resolver;
  nodes: readonly number[];
  /** Files that are read, those of tests last. */
  most?: number;
}

/** Mentions of the nodes themselves in comments of other symbols. */
export async function mentionsInComments(
  at: Reader,
  { prepared, resolver, nodes, most = MAX_FILES }: InComments,
): Promise<{ mentioned: Mentioned[]; read: number; leftOut: number }> {
  const { graph } = prepared;
  const words = [...new Set(nodes.map((node) => wordOf(graph, node)))].filter((word) => word.length > 1);
  if (words.length === 0) return { mentioned: [], read: 0, leftOut: 0 };
  const holding = await codeThatHolds(at, prepared, words, MARKED);
  const isTest = (file: number) => (isProduction(graph, file) ? 0 : 1);
  const files = holding.sort((a, b) => isTest(a) - isTest(b) || a - b);
  const wanted = new Set(nodes);
  const read = files.slice(0, most);
  const documents = await commentsOf(at, prepared, read);
  const mentioned = documents.flatMap((document) =>
    linksIn(resolver, document).flatMap((link: Link) => (wanted.has(link.node) ? [{ document, link }] : [])),
  );
  return { mentioned, read: read.length, leftOut: files.length - read.length };
}

/** Links of documents by path, which depend on the resolver's graph alone. */
const LINKS = new WeakMap<Resolver, Map<string, { facts: DocumentFacts; links: readonly Link[] }>>();

function linksIn(resolver: Resolver, document: Documented): readonly Link[] {
  const { path, facts } = document;
  const byPath = LINKS.get(resolver) ?? new Map();
  LINKS.set(resolver, byPath);
  const known = byPath.get(path);
  if (known?.facts === facts) return known.links;
  const links = commentLinks(resolver, document);
  byPath.set(path, { facts, links });
  return links;
}

/** Files of code, by number, that hold one of the words, in comments and strings as well. `marked`: matches their lines. */
export async function codeThatHolds(
  { session, signal }: Reader,
  { graph, origin, overlay }: Prepared,
  words: readonly string[],
  marked?: RegExp,
): Promise<number[]> {
  const quoted = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const pattern = compilePattern({ pattern: quoted.join('|'), words: true });
  const known = marked === undefined || !words.every((word) => /^\w+$/.test(word)) ? null : markedWordsOf(session);
  const { commit, tree } = origin.resolved;
  const target = overlay > 0 ? {} : { ref: commit ?? tree };
  const isKnown = known === null ? undefined : (oid: string) => known.has(oid);
  const limit = marked === undefined ? 0 : MAX_HITS;
  const held = known === null ? [] : known.holding(graph.tables.files, words);
  const { matches } = await grep(session, pattern, { ...target, limit, isKnown, signal });
  const found = matches.filter(({ file, hits, text, count }) => {
    if (marked === undefined || hits.length < count) return true;
    if (file.oid !== null) known?.add(file.oid, text, marked);
    return hits.some((hit) => isMarked(hit, text, marked));
  });
  return [...held, ...found.map(({ file }) => graph.findFile(file.path))].filter(
    (file) => file >= 0 && isCode(graph.tables.files[file]),
  );
}

const isMarked = ({ start, end }: FoundHit, text: string, marked: RegExp): boolean =>
  marked.test(text.slice(start, end));

const wordOf = (graph: Graph, node: number): string =>
  graph.isFile(node) ? (graph.path(node).split('/').at(-1) ?? '') : graph.name(node);
