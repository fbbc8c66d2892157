/** Doc comments of a file of code as a document: its symbols are the sections, and names mean first what the file itself knows. */
import type { CodeSymbol } from '../extract/facts.js';
import { decode } from '../extract/text.js';
import type { Graph } from '../graph/graph.js';
import { isType } from '../graph/query/uses.js';
import { readComment } from '../languages/comments.js';
import type { DocumentPart, Heading } from '../languages/roles/documents.js';
import type { DocumentFacts, Mention } from './facts.js';
import { only } from './lookup.js';
import { isCapitalized, isDistinctive, partsOf } from './names.js';
import { factsOf } from './read.js';
import type { Documented, Link, Resolver } from './resolve.js';

/** Bytes of one comment that are read. */
const MAX_COMMENT = 20_000;
/** Bytes of one signature whose words may be parameters. */
const MAX_SIGNATURE = 20_000;

/** `symbols`: of the file, each of which becomes the section of its number. */
export async function readComments(bytes: Buffer, symbols: readonly CodeSymbol[]): Promise<DocumentFacts> {
  const parts: DocumentPart[] = [];
  const { lineOf } = decode(bytes);
  for (const symbol of symbols) {
    parts.push(headingOf(symbols, symbol));
    if (symbol.doc === null) continue;
    const { start, end } = symbol.doc;
    const text = bytes.toString('utf8', start, Math.min(end, start + MAX_COMMENT));
    const signature = wordsOf(bytes, symbol.signature);
    for (const part of await readComment(text, lineOf(start)))
      if (part.is !== 'code' || part.isReference === true || !isParameter(part.text, signature)) parts.push(part);
  }
  return factsOf(parts);
}

function headingOf(symbols: readonly CodeSymbol[], symbol: CodeSymbol): Heading {
  let level = 1;
  for (let at = symbol.container; at >= 0; at = symbols[at].container) level++;
  return { is: 'heading', line: symbol.startLine, level, text: symbol.name, start: 0, nameStart: 0 };
}

function wordsOf(bytes: Buffer, { start, end }: CodeSymbol['signature']): ReadonlySet<string> {
  return new Set(bytes.toString('utf8', start, Math.min(end, start + MAX_SIGNATURE)).match(/[\w$]+/g));
}

/** Comments set parameters as code most of all. */
const isParameter = (text: string, signature: ReadonlySet<string>): boolean =>
  /^[a-z_$][\w$]*$/.test(text) && signature.has(text);

/** Confidence of a name that one definition of the file, or one that the file uses, has. */
const NEAR = { reference: 0.97, name: 0.9 } as const;

/** Links of a file's comments, in the order of its text; a comment that names its own symbol is none. */
export function commentLinks(resolver: Resolver, document: Documented): Link[] {
  const { graph } = resolver;
  const file = graph.findFile(document.path);
  if (file < 0) return [];
  const near = nearBy(graph, file);
  const others = new Map(resolver.links(document).map((link) => [link.mention, link]));
  return document.facts.mentions.flatMap((mention): Link[] => {
    const own = graph.fileNode(file) + 1 + mention.section;
    const link = nearLink(graph, mention, near) ?? others.get(mention);
    return link === undefined || link.node === own || link.node === graph.fileNode(file) ? [] : [link];
  });
}

function nearLink(graph: Graph, mention: Mention, near: ReadonlyMap<string, ReadonlySet<number>>): Link | undefined {
  const { kind, text, isCall } = mention;
  if ((kind !== 'name' && kind !== 'reference') || partsOf(text).length > 1) return undefined;
  const node = only([...(near.get(text) ?? [])]);
  if (node < 0) return undefined;
  const isMeant = kind === 'reference' || isCall || isDistinctive(text) || (isCapitalized(text) && isType(graph, node));
  return isMeant ? { mention, node, confidence: NEAR[kind] } : undefined;
}

/** Definitions of a file and what its code uses, by name. */
function nearBy(graph: Graph, file: number): ReadonlyMap<string, ReadonlySet<number>> {
  const found = new Map<string, Set<number>>();
  const add = (node: number) => {
    const name = graph.name(node);
    const known = found.get(name);
    if (known === undefined) found.set(name, new Set([node]));
    else known.add(node);
  };
  const end = graph.tables.nodeBase[file + 1];
  for (let node = graph.fileNode(file); node < end; node++) {
    if (!graph.isFile(node)) add(node);
    const [first, last] = graph.edgeRange(node);
    for (let edge = first; edge < last; edge++) {
      const target = graph.target(edge);
      if (target >= 0 && !graph.isFile(target)) add(target);
    }
  }
  return found;
}
