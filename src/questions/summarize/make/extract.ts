/** Summaries without a model: facts of the graph and of comments, put into a sentence that claims no more than they say. */
import type { BlobFacts } from '../../../extract/facts.js';
import type { Graph } from '../../../graph/graph.js';
import { isProduction } from '../../../graph/query/place.js';
import { firstLine, signatureText } from '../../../graph/query/signatures.js';
import { isPlain, usesOf } from '../../../graph/query/uses.js';
import { formatCount } from '../../writing/format.js';

/** Names that a sentence lists. */
const NAMES = 6;

/** A tag of a documentation tool, or one word. */
const MEANINGLESS = /^(?:@|[^\s]*$)/;

/** First line of the comment on a symbol; '' for none that says something. */
export function docOf(facts: BlobFacts, bytes: Buffer, symbol: number): string {
  const doc = facts.symbols[symbol]?.doc ?? null;
  const text = doc === null ? '' : firstLine(bytes.toString('utf8', doc.start, doc.end));
  return MEANINGLESS.test(text) ? '' : text;
}

/** `Defines Cart, round and 3 more. "Keeps the goods of a customer." Used by 4 files.` */
export function extractFile(graph: Graph, file: number, source: { facts: BlobFacts; bytes: Buffer } | null): string {
  const tops = topSymbols(graph, file);
  const first = graph.fileNode(file);
  const docs = source === null ? [] : tops.map((node) => docOf(source.facts, source.bytes, node - first - 1));
  const doc = docs.find((text) => text !== '');
  const users = usersOf(graph, file).size;
  const sentences = [
    tops.length === 0
      ? 'Defines nothing that the graph knows.'
      : `Defines ${listed([...new Set(tops.map((node) => graph.name(node)))])}.`,
    ...(doc === undefined ? [] : [quotedSentence(doc)]),
    ...(users > 0 ? [`Used by ${formatCount(users, 'file')}.`] : []),
  ];
  return sentences.join(' ');
}

/** Symbols at the top of a file, those that are visible outside and much used first. */
export function topSymbols(graph: Graph, file: number): number[] {
  const first = graph.fileNode(file);
  const nodes: number[] = [];
  for (let node = first + 1; node < graph.tables.nodeBase[file + 1]; node++)
    if (graph.container(node) === first && !isPlain(graph, node)) nodes.push(node);
  const weight = (node: number) => (graph.isExported(node) ? 1_000_000 : 0) + Math.min(usesOf(graph, node), 999_999);
  return nodes.sort((a, b) => weight(b) - weight(a) || a - b);
}

/** By graph and file: every folder around a file asks for its users. */
const USERS = new WeakMap<Graph, (ReadonlySet<number> | undefined)[]>();

/** Files that use something of a file. */
export function usersOf(graph: Graph, file: number): ReadonlySet<number> {
  const known = USERS.get(graph) ?? [];
  USERS.set(graph, known);
  known[file] ??= findUsers(graph, file);
  return known[file];
}

function findUsers(graph: Graph, file: number): Set<number> {
  const users = new Set<number>();
  for (let node = graph.fileNode(file); node < graph.tables.nodeBase[file + 1]; node++)
    for (const edge of graph.incoming(node)) {
      const from = graph.fileOf(graph.source(edge));
      if (from !== file) users.add(from);
    }
  return users;
}

export function extractSymbol(
  graph: Graph,
  node: number,
  { facts, bytes }: { facts: BlobFacts; bytes: Buffer },
): string {
  const index = node - graph.fileNode(graph.fileOf(node)) - 1;
  const symbol = facts.symbols[index];
  const doc = docOf(facts, bytes, index);
  const callers = new Set([...graph.incoming(node)].map((edge) => graph.qualifiedName(graph.source(edge))));
  const sentences = [
    `${symbol === undefined ? graph.qualifiedName(node) : signatureText(bytes, symbol)}.`,
    ...(doc === '' ? [] : [quotedSentence(doc)]),
    callers.size === 0 ? 'Nothing is known to use it.' : `Used by ${listed([...callers])}.`,
  ];
  return sentences.join(' ');
}

/** A folder by its size, and by what is used most from outside of it. */
export function extractFolder(graph: Graph, files: readonly number[]): string {
  const languages = new Map<string, number>();
  for (const file of files) {
    const { language } = graph.tables.files[file];
    languages.set(language, (languages.get(language) ?? 0) + 1);
  }
  const [most] = [...languages].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const inside = files.length === graph.fileCount ? new Set<number>() : new Set(files);
  const central = files
    .filter((file) => isProduction(graph, file))
    .map((file) => ({ file, users: [...usersOf(graph, file)].filter((user) => !inside.has(user)).length }))
    .filter(({ users }) => users > 0)
    .sort((a, b) => b.users - a.users || a.file - b.file)
    .slice(0, NAMES)
    .flatMap(({ file }) =>
      topSymbols(graph, file)
        .slice(0, 1)
        .map((node) => graph.name(node)),
    );
  const main = most === undefined ? '' : `, most of them ${most[0]}`;
  const used = central.length === 0 ? '' : ` Most used${inside.size > 0 ? ' from elsewhere' : ''}: ${listed(central)}.`;
  return `${formatCount(files.length, 'file')}${files.length > 1 ? main : ''}.${used}`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMES);
  const rest = names.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
}

const quotedSentence = (doc: string): string => `"${doc}"`;
