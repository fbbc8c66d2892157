/** Links to files that are not there, and members that their types do not have. Nothing is said where that is not certain. */
import { lstatSync } from 'node:fs';
import { join, posix } from 'node:path';
import { antoraPath, isModuleLink } from '../../../documents/antora.js';
import type { Mention } from '../../../documents/facts.js';
import { isRecordOfChanges } from '../../../documents/kinds.js';
import { only } from '../../../documents/lookup.js';
import { partsOf } from '../../../documents/names.js';
import type { Documented, Resolver } from '../../../documents/resolve.js';
import type { Graph } from '../../../graph/graph.js';
import { classOf } from '../../../graph/query/place.js';
import { inheritEdges } from '../../../graph/query/uses.js';
import { conventionsOf } from '../../../languages/registry.js';
import type { Asker } from '../../asker.js';
import type { FileTexts } from '../../graph/impact/sides/file-texts.js';
import type { GraphAndHeader } from '../../graph/snapshot-graph.js';
import { mentionOf, placeNamed } from '../mention.js';
import type { Drift } from './output.js';

/** Every path of a snapshot, directories included: links lead to pictures, too, which no graph knows. */
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

/** Copies, tests and generated pages are nobody's to mend. */
export function isOwnDocument(graph: Graph, { path }: Documented): boolean {
  const name = classOf(graph, graph.findFile(path));
  return name === null || !COPIED.has(name);
}

const COPIED: ReadonlySet<string> = new Set(['test', 'generated', 'vendored', 'legacy']);

/** `exists`: of any path. A generator of sites may find a document by its name alone, wherever it is. */
export function missingFiles(documents: readonly Documented[], exists: (path: string) => boolean): Drift[] {
  const names = new Set(documents.map(({ path }) => posix.basename(path)));
  return documents.flatMap((document) =>
    document.facts.mentions.flatMap((mention): Drift[] => {
      const path = mention.kind === 'link' ? linkedPath(document.path, mention.text) : null;
      if (path === null || exists(path) || exists(posix.join(posix.dirname(document.path), mention.text))) return [];
      // Generators of sites take a document of another form for it.
      if (DOCUMENT.test(path) && FORMS.some((form) => exists(path.replace(DOCUMENT, form)))) return [];
      if (names.has(mention.text) || isAbove(document.path, mention.text, exists)) return [];
      return [{ ...mentionOf(document, mention), problem: 'no-file', detail: `${path} does not exist` }];
    }),
  );
}

/** Is it there from a folder above? Generators put what documents share, such as pictures, beside all of them. */
function isAbove(from: string, text: string, exists: (path: string) => boolean): boolean {
  for (let at = posix.dirname(from); at !== '.' && at !== ''; at = posix.dirname(at))
    if (exists(posix.normalize(posix.join(at, '..', text)))) return true;
  return false;
}

const DOCUMENT = /\.(?:md|mdx|markdown|rst|adoc|ipynb)$/;
const FORMS = ['', '.md', '.mdx', '.rst', '/index.md', '/README.md'];
/** Paths that a site's generator makes, or that stand for any path. */
const MADE = /[{}$<>*|\\]|(?:^|\/)path\/to\/|\.(?:html?|php|aspx|epub|pdf)$/;

/** Path from the top of a relative link to a file; null for links that need not lead to a file of the repository. */
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
  /** The type and everything that it inherits from. */
  family: readonly number[];
}

/** `Cart.sum` where `Cart` is one type of ours, and neither it nor a type that it inherits from has `sum`. */
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
    // A function at top level may extend the type, as in Kotlin.
    if (described.has(shortName(mention.text)) || resolver.lookup.topLevel(name).length > 0) return [];
    // Code that builds a member in ways of its own would at least write its name.
    if (!files.every((file) => texts.get(file)?.mentions(name).length === 0)) return [];
    const detail = `${graph.qualifiedName(type)} has no member ${name}`;
    return [{ ...mentionOf(document, mention), problem: 'no-member', detail, now: placeNamed(graph, type) }];
  });
}

/** `Cart.total` of `shop.cart.Cart.total`. */
const shortName = (text: string): string => partsOf(text).slice(-2).join('.');

/** Members of every type of some language, which none declares. */
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

/** Null where it inherits from something outside of the repository, is decorated, or answers for any name. */
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
