/**
 * Resolves the mentions of a document against the graph of a snapshot. A qualified name or a path that leads to one place is nearly
 * certain. A plain word is a link only if its section is about a type that has such a member. Doc comments of code are documents, too:
 * their names stand first for what the file itself defines or uses.
 */
import { getOrMake } from '../base/lists.js';
import { decode } from '../extract/content.js';
import type { CodeSymbol } from '../extract/facts.js';
import type { Graph } from '../graph/graph.js';
import { isType } from '../graph/query/uses.js';
import { type CodeSpan, type DocumentPart, type Heading, MAX_SPAN } from '../languages/roles/definitions.js';
import {
  importedNames,
  Lookup,
  only,
  ownPackages,
  ownRepositories,
  type Published,
  packageOf,
  resolvePath,
} from './lookup.js';
import {
  abbreviates,
  type DocumentFacts,
  factsOf,
  isCapitalized,
  isDistinctive,
  type Mention,
  partsOf,
} from './read.js';

export interface Documented {
  path: string;
  facts: DocumentFacts;
}

export interface Link {
  mention: Mention;
  /** Node of the graph: a symbol, or a file. */
  node: number;
  /** Probability that the link is right, judged by hand on five repositories. */
  confidence: number;
}

/** Confidence of a link by its evidence. */
const SURE = {
  path: 0.98,
  import: 0.95,
  reference: 0.97,
  qualified: 0.95,
  used: 0.9,
  distinctive: 0.9,
  variable: 0.85,
  capitalized: 0.85,
  call: 0.8,
  ending: 0.8,
  member: 0.8,
  context: 0.75,
} as const;

const NONE = { node: -1, confidence: 0 };
const NOTHING_DEFINED: ReadonlySet<string> = new Set();
type Found = { node: number; confidence: number };

export class Resolver {
  readonly lookup: Lookup;
  private readonly own: ReadonlySet<string>;
  private readonly ownOnForges: ReadonlySet<string>;
  /** Names that documents import from packages of this repository. */
  readonly importedNames: ReadonlySet<string>;
  private readonly known = new WeakMap<Documented, Link[]>();

  /** `documents`: all of the snapshot, which together show the packages that are ours. `published`: the packages that its manifests name. */
  constructor(
    readonly graph: Graph,
    documents: Iterable<Documented>,
    published?: Published,
  ) {
    this.lookup = new Lookup(graph);
    const all = [...documents].map(({ facts }) => facts);
    this.own = ownPackages(all, this.lookup, published);
    this.importedNames = importedNames(all, this.own);
    this.ownOnForges = ownRepositories(all, (path) => graph.findFile(path) >= 0);
  }

  /** Links of one document, in the order of its text. Cached, since a server gets many questions about them. */
  links(document: Documented): readonly Link[] {
    return getOrMake(this.known, document, () => this.linksOf(document));
  }

  private linksOf({ path, facts }: Documented): Link[] {
    const defined = new Set(facts.defined);
    const first = facts.mentions.map((mention) => this.strong(mention, path, defined));
    const types = this.typesBySection(facts, first);
    return facts.mentions.flatMap((mention, i) => {
      const found = first[i].node >= 0 ? first[i] : this.inContext(mention, { facts, types, defined });
      return found.node < 0 ? [] : [{ mention, ...found }];
    });
  }

  /** Target of a mention, whatever its section is about; node -1 for none. */
  meaning(mention: Mention, path: string): Found {
    return this.strong(mention, path, NOTHING_DEFINED);
  }

  /** Type whose member a sample uses; -1 for none. */
  ownerOf({ text, from = '' }: Mention): number {
    return this.own.has(packageOf(from)) ? this.imported(partsOf(text)[0], from) : -1;
  }

  /**
   * Target that a mention has by itself: by its path, by an import, or by its name. Names in `defined` are those that samples of the
   * document define: alone they mean nothing else.
   */
  private strong(mention: Mention, path: string, defined: ReadonlySet<string>): Found {
    const { kind, text, from } = mention;
    if (kind === 'path') return this.file(text, path, false);
    if (kind === 'link') return from === undefined || this.ownOnForges.has(from) ? this.file(text, path, true) : NONE;
    if (kind === 'import' || kind === 'use') return this.sampled(mention);
    const words = partsOf(text);
    if (words.length > 1) return this.qualified(words, mention);
    if (kind === 'name' && defined.has(text)) return NONE;
    return this.single(text, mention);
  }

  private file(text: string, from: string, isLink: boolean): Found {
    const found = resolvePath(this.graph, { text, from, isLink });
    return found === null ? NONE : { node: found.node, confidence: found.isEnding ? SURE.ending : SURE.path };
  }

  /**
   * Tries the whole name, then ever shorter ends of it, whose first words must be modules around the definition. At last, two words can be
   * a variable, named after its type, and a member.
   */
  private qualified(words: readonly string[], { kind }: Mention): Found {
    const confidence = kind === 'reference' ? SURE.reference : SURE.qualified;
    for (let from = 0; from < words.length; from++) {
      const scope = words.slice(0, from);
      const rest = words.slice(from);
      const all = rest.length > 1 ? this.lookup.qualified(rest) : this.lookup.topLevel(rest[0]);
      const inside = all.filter((node) => this.isInside(node, scope));
      const node = only(inside.length > 1 ? inside.filter((each) => this.graph.isExported(each)) : inside);
      if (node >= 0) return { node, confidence };
      const inherited = rest.length === 2 ? this.inherited(rest[0], rest[1], scope) : -1;
      if (inherited >= 0) return { node: inherited, confidence };
    }
    if (words.length !== 2 || kind === 'reference') return NONE;
    const [variable, name] = words;
    const members = this.lookup.typesLike(variable).map((type) => this.lookup.member(type, name));
    const member = only([...new Set(members.filter((node) => node >= 0))]);
    return { node: member >= 0 ? member : this.ofAbbreviated(variable, name), confidence: SURE.variable };
  }

  /** `c.ShouldBindWith`, `ctx.ShouldBindWith`: the one definition of that name, if the variable abbreviates its type, `Context`. */
  private ofAbbreviated(variable: string, name: string): number {
    const member = isDistinctive(name) ? only(this.lookup.named(name)) : -1;
    const type = member < 0 ? member : this.owner(member);
    return type !== member && this.graph.isExported(type) && abbreviates(variable, this.graph.name(type)) ? member : -1;
  }

  private inherited(type: string, name: string, scope: readonly string[]): number {
    const types = this.lookup.named(type).filter((node) => isType(this.graph, node) && this.isInside(node, scope));
    return types.length === 1 ? this.lookup.member(types[0], name) : -1;
  }

  /** Is a definition inside these modules? Folders and files are modules in most languages. */
  isInside(node: number, scope: readonly string[]): boolean {
    if (scope.length === 0) return true;
    const segments = this.graph
      .path(node)
      .replace(/\.[^./]*$/, '')
      .split('/');
    return scope.every((word) => segments.includes(word));
  }

  /** A word alone: the only definition of it at top level if the word is distinctive, a type or a call; else the only member. */
  private single(name: string, { kind, isCall = false }: Mention): Found {
    const top = this.lookup.topLevel(name);
    const node = only(top);
    if (kind === 'reference') return { node, confidence: SURE.reference };
    if (node >= 0) {
      if (isDistinctive(name)) return { node, confidence: SURE.distinctive };
      if (isCapitalized(name) && isType(this.graph, node)) return { node, confidence: SURE.capitalized };
      return isCall && name.length > 2 ? { node, confidence: SURE.call } : NONE;
    }
    const member = top.length === 0 && isDistinctive(name) ? only(this.lookup.named(name)) : -1;
    return member >= 0 && this.graph.isExported(this.owner(member)) ? { node: member, confidence: SURE.member } : NONE;
  }

  private owner(node: number): number {
    const container = this.graph.container(node);
    return this.graph.isFile(container) ? node : container;
  }

  /** A name that a sample imports from a package of this repository, or a member of it. */
  private sampled({ text, from = '', kind }: Mention): Found {
    if (!this.own.has(packageOf(from))) return NONE;
    const [name, member] = partsOf(text);
    const node = this.imported(name, from);
    if (node < 0 || member === undefined) return { node, confidence: kind === 'import' ? SURE.import : SURE.used };
    return { node: this.lookup.member(node, member), confidence: SURE.used };
  }

  /** Picks among several definitions the one whose path shares most words with the source of the import. */
  private imported(name: string, from: string): number {
    const top = this.lookup.topLevel(name);
    if (top.length < 2) return only(top);
    const words = new Set(from.split(/[./]|::/));
    const shared = top.map(
      (node) =>
        this.graph
          .path(node)
          .split(/[/.]/)
          .filter((part) => words.has(part)).length,
    );
    const best = Math.max(...shared);
    return only(top.filter((_, i) => shared[i] === best));
  }

  /** Types that each section is about: its heading or a mention in it names the type or one of its members. */
  private typesBySection({ sections, mentions }: DocumentFacts, found: readonly Found[]): Set<number>[] {
    // The first set is for the text before the first heading.
    const types = Array.from({ length: sections.length + 1 }, () => new Set<number>());
    for (const [i, { title }] of sections.entries()) {
      const named = /^([\w.]+)(?: (?:API|class|object|options|methods|instance))?$/i.exec(title)?.[1];
      const words = new Set([...title.split(/[^\w]+/).filter(isDistinctive), ...(named === undefined ? [] : [named])]);
      for (const word of words) {
        const node = only(this.lookup.topLevel(word).filter((each) => isType(this.graph, each)));
        if (node >= 0) types[i + 1].add(node);
      }
    }
    for (const [i, { section }] of mentions.entries()) {
      const { node } = found[i];
      if (node < 0 || this.graph.isFile(node)) continue;
      const owner = this.owner(node);
      if (isType(this.graph, owner)) types[section + 1].add(owner);
    }
    return types;
  }

  /** A word that is a member of a type which its section, or one around that, is about. `types`: by section, from -1 on. */
  private inContext(
    mention: Mention,
    { facts, types, defined }: { facts: DocumentFacts; types: readonly Set<number>[]; defined: ReadonlySet<string> },
  ): Found {
    const { kind, text, section, isCall } = mention;
    if ((kind !== 'name' && kind !== 'reference') || partsOf(text).length > 1 || defined.has(text)) return NONE;
    if (!isDistinctive(text) && isCall !== true && kind === 'name') return NONE;
    for (const at of sectionAndAncestors(facts, section)) {
      const members = [...types[at + 1]].map((type) => this.lookup.member(type, text)).filter((node) => node >= 0);
      const node = only([...new Set(members)]);
      if (node >= 0) return { node, confidence: SURE.context };
    }
    return NONE;
  }
}

function* sectionAndAncestors({ sections }: DocumentFacts, section: number): Generator<number> {
  let level = Number.POSITIVE_INFINITY;
  for (let at = section; at >= 0 && level > 1; at--) {
    if (sections[at].level >= level) continue;
    yield at;
    level = sections[at].level;
  }
  if (section < 0) yield -1;
}

// Doc comments of a file of code, as a document whose sections are the symbols

/** Most bytes that are read of one comment. */
const MAX_COMMENT = 20_000;
/** Most bytes of a signature that are searched for parameters. */
const MAX_SIGNATURE = 20_000;

/** Reads the doc comments of a file. Each of its `symbols` becomes the section of the symbol's number. */
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

/** Is it a parameter of the signature? Most words that comments set as code are. */
const isParameter = (text: string, signature: ReadonlySet<string>): boolean =>
  /^[a-z_$][\w$]*$/.test(text) && signature.has(text);

/** Confidence of a name with exactly one definition among those that the file has or uses. */
const NEAR = { reference: 0.97, name: 0.9 } as const;

/** Links of a file's comments, in the order of its text, without those of a comment to its own symbol. */
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
  const isIntended =
    kind === 'reference' || isCall || isDistinctive(text) || (isCapitalized(text) && isType(graph, node));
  return isIntended ? { mention, node, confidence: NEAR[kind] } : undefined;
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

/** Comment marks at the beginning of a line, and at its end. */
const MARKS = /^[ \t]*(?:\/\*+!?|\*+(?!\/)|\/\/[/!]?|#+|--+|;+|"""|''')?[ \t]*|[ \t]*(?:\*+\/|"""|''')[ \t]*$/g;
/**
 * References in comments: `{@link Cart#total}`, `@see Cart`, `` :meth:`~shop.Cart.total` `` and `[Cart::total]` without a link target. A
 * single word in brackets counts only in camel case, as `[cartTotal]`.
 */
const REFERENCE =
  /\{@(?:link|linkplain|linkcode)\s+([^\s{}|]{1,200})[^{}]{0,200}\}|@see\s+([\w$.#:]{1,200})(?=\s|$)|:(?:\w{1,10}:)?(?:class|meth|func|attr|mod|exc|data|obj):`[~!.]{0,2}([\w.]{1,200})(?:\(\))?`|(?<![\]\w\\])\[`?(\w{1,100}(?:(?:::|\.)\w{1,100})+|\w{0,100}[a-z]\w{0,100}[A-Z]\w{0,100})(?:\(\))?`?\](?![([:\w])/g;
/** `{@code total}` */
const CODE = /\{@code\s+([^{}]{1,200})\}/g;

/** Reads a comment (`text`, with its marks, from `line` on) into parts in the order of lines. Linear in the length of the text. */
async function readComment(text: string, line: number): Promise<DocumentPart[]> {
  const { readMarkdown } = await import('../languages/data/readers.js');
  const references: CodeSpan[] = [];
  const plain = text.split('\n').map((written, at) => {
    const clean = written.replace(MARKS, '').replace(CODE, '`$1`');
    return clean.replace(REFERENCE, (_, ...names: (string | undefined)[]) => {
      const name = names.slice(0, 4).find((each) => each !== undefined) ?? '';
      references.push({ is: 'code', line: line + at, text: name.replace(/^#/, ''), isReference: true });
      return ' ';
    });
  });
  const parts = readMarkdown(plain.join('\n')).flatMap((part): DocumentPart[] => {
    const isMention = part.is === 'link' || (part.is === 'code' && part.text.length <= MAX_SPAN);
    return isMention ? [{ ...part, line: line + part.line - 1 }] : [];
  });
  return [...references, ...parts].sort((a, b) => a.line - b.line);
}
