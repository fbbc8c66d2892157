/**
 * Says what edges mean for questions, and makes steps between nodes that have no edge: members, overrides, and
 * interfaces that types implement by their methods alone.
 */
import { onePer } from '../../base/cache.js';
import { addTo, firstFrom } from '../../base/lists.js';
import { MARK_UNIT, parameterMark } from '../../extract/facts.js';
import { conventionsOf, semanticsOf } from '../../languages/registry.js';
import { type Graph, NODE_KINDS } from '../graph.js';
import type { EdgeKind } from '../tables.js';
import { folderOf } from './node-place.js';

/** Edges that run their target. */
export const CALL_KINDS: ReadonlySet<EdgeKind> = new Set(['call', 'new', 'decorator']);
/** Edges that run their target, or hand it to code that does. */
export const RUN_KINDS: ReadonlySet<EdgeKind> = new Set([...CALL_KINDS, 'value', 'route', 'request']);
export const INHERIT_KINDS: ReadonlySet<EdgeKind> = new Set(['extends', 'implements']);
export const TYPE_IMPORT_KINDS: ReadonlySet<EdgeKind> = new Set(['type-import', 'type-reexport']);

const FUNCTION_KINDS: ReadonlySet<string> = new Set(['function', 'method', 'constructor', 'macro']);
const TYPE_KINDS: ReadonlySet<string> = new Set([
  ...['class', 'interface', 'trait', 'struct', 'enum', 'type', 'object', 'impl', 'module', 'namespace'],
]);
/** Kinds of symbols of documents, data and styles: nothing calls them. */
const PLAIN_KINDS: ReadonlySet<string> = new Set(['section', 'table', 'selector', 'key']);

/** 1 by the code of each kind that is in the set. Walks ask for the kind of every node that they pass. */
const codesOf = (kinds: ReadonlySet<string>) => Uint8Array.from(NODE_KINDS, (kind) => Number(kinds.has(kind)));
const FUNCTION_CODES = codesOf(FUNCTION_KINDS);
const TYPE_CODES = codesOf(TYPE_KINDS);

export function isFunction(graph: Graph, node: number): boolean {
  return FUNCTION_CODES[graph.kindCode(node)] === 1;
}

export function isType(graph: Graph, node: number): boolean {
  return TYPE_CODES[graph.kindCode(node)] === 1;
}

/** Is it a function inside of a function? Code outside cannot name it. */
export function isLocalFunction(graph: Graph, node: number): boolean {
  const container = graph.container(node);
  return graph.kind(node) === 'function' && container >= 0 && !graph.isFile(container) && isFunction(graph, container);
}

/** Is it a type inside of a function, in a language that states types? Code outside cannot name it. */
export function isLocalType(graph: Graph, node: number): boolean {
  const container = graph.container(node);
  if (!isType(graph, node) || container < 0 || graph.isFile(container) || !isFunction(graph, container)) return false;
  return !semanticsOf(languageOf(graph, node)).unstatedTypes;
}

/** Can no other file name it? */
export function isHidden(graph: Graph, node: number): boolean {
  return isLocalFunction(graph, node) || isLocalType(graph, node) || isOwnOfModule(graph, node);
}

/** Files of the type that a definition is in, or of the definition: those with the parts of a type that stands in several. */
export function filesOfParts(graph: Graph, node: number): ReadonlySet<number> {
  const container = graph.container(node);
  const type = graph.isFile(container) || !isType(graph, container) ? node : container;
  return new Set([node, ...(isType(graph, type) ? partsOfType(graph, type) : [])].map((part) => graph.fileOf(part)));
}

/** Is a node another one, or inside of it? */
export function encloses(graph: Graph, outer: number, node: number): boolean {
  for (let at = node; at >= 0; at = graph.container(at)) if (at === outer) return true;
  return false;
}

/** Is it at the top of a module that does not export it? No other file can name it. */
export function isOwnOfModule(graph: Graph, node: number): boolean {
  if (graph.isFile(node) || graph.isExported(node) || !graph.isFile(graph.container(node))) return false;
  const file = graph.fileOf(node);
  return conventionsOf(graph.tables.files[file].language).modules === true && isModule(graph, file);
}

/** Files that are modules, since questions test each symbol of a file. */
const modules = onePer((_: Graph) => new Map<number, boolean>());

/** Does the file import or export? Definitions of another file are known to all others. */
export function isModule(graph: Graph, file: number): boolean {
  const known = modules(graph);
  const found = known.get(file) ?? importsOrExports(graph, file);
  known.set(file, found);
  return found;
}

/** Methods of an object without a name are taken for exported, since nobody knows who gets it. */
const isOfNamelessObject = (graph: Graph, node: number): boolean =>
  graph.kind(node) === 'method' && graph.isFile(graph.container(node));

function importsOrExports(graph: Graph, file: number): boolean {
  const first = graph.fileNode(file);
  for (let node = first; node < lastNodeOf(graph, first); node++) {
    if (!graph.isFile(node) && graph.isExported(node) && !isOfNamelessObject(graph, node)) return true;
    for (const edge of outgoing(graph, node)) if (graph.isFileEdge(edge)) return true;
  }
  return false;
}

export function isPlain(graph: Graph, node: number): boolean {
  return PLAIN_KINDS.has(graph.kind(node));
}

/** Numbers of the edges that leave a node. */
export function* outgoing(graph: Graph, node: number): Generator<number> {
  const [start, end] = graph.edgeRange(node);
  for (let edge = start; edge < end; edge++) yield edge;
}

/** All symbols inside, at any depth. A type includes those of its `impl` blocks in the same file. */
export function membersOf(graph: Graph, node: number): number[] {
  const found: number[] = [];
  for (const owner of [node, ...implsOf(graph, node)]) {
    if (owner !== node) found.push(owner);
    const inside = new Set([owner]);
    const end = lastNodeOf(graph, owner);
    for (let at = owner + 1; at < end; at++) {
      if (!inside.has(graph.container(at))) continue;
      inside.add(at);
      found.push(at);
    }
  }
  return found;
}

/** The nodes and everything inside of them, each once. A file includes all its definitions. */
export function withInside(graph: Graph, nodes: readonly number[]): Set<number> {
  const all = nodes.flatMap((node) => {
    if (!graph.isFile(node)) return [node, ...membersOf(graph, node)];
    return Array.from({ length: lastNodeOf(graph, node) - node }, (_, i) => node + i);
  });
  return new Set(all);
}

/** Symbols directly inside of a node, within its lines. */
export function* directMembers(graph: Graph, node: number): Generator<number> {
  const end = lastNodeOf(graph, node);
  for (let at = node + 1; at < end && graph.startLine(at) <= graph.endLine(node); at++)
    if (graph.container(at) === node) yield at;
}

/** Direct members of its container with its name, including itself. */
export function siblingsNamed(graph: Graph, node: number): number[] {
  const container = graph.container(node);
  const owners = [container, ...implsOf(graph, container)];
  const same = graph.namesakes(node);
  const end = lastNodeOf(graph, node);
  const found: number[] = [];
  // All of them are in its file; a common name has thousands of definitions in others.
  const first = graph.fileNode(graph.fileOf(node));
  for (let i = firstFrom(same.length, (at) => same[at] < first); i < same.length && same[i] < end; i++)
    if (owners.includes(graph.container(same[i]))) found.push(same[i]);
  return found;
}

function implsOf(graph: Graph, node: number): readonly number[] {
  if (graph.isFile(node) || graph.kind(node) === 'impl' || !isType(graph, node)) return [];
  return implsNamed(graph, node);
}

function implsNamed(graph: Graph, node: number): readonly number[] {
  const same = graph.namesakes(node);
  if (same.length < 2) return NONE;
  const file = graph.fileOf(node);
  return same.filter((other) => graph.kind(other) === 'impl' && graph.fileOf(other) === file);
}

/** The node after the last one of the node's file. */
export function lastNodeOf(graph: Graph, node: number): number {
  return graph.tables.nodeBase[graph.fileOf(node) + 1];
}

const wholes = onePer((_: Graph) => new Map<number, readonly number[]>());

/**
 * All definitions of the type that one is a part of, itself included: partial classes of C#, classes of Ruby that are opened again. Where
 * a name tells no package, they stand in one folder.
 */
export function partsOfType(graph: Graph, type: number): readonly number[] {
  const known = wholes(graph);
  let parts = known.get(type);
  if (parts === undefined) {
    const { parts: where, reopens } = semanticsOf(languageOf(graph, type));
    const kind = graph.kind(type);
    const isOpen = (where === 'package' || where === 'anywhere') && kind !== 'file' && reopens.has(kind);
    parts = isOpen
      ? graph.namesakes(type).filter((other) => isPartOf(graph, other, type, where === 'package'))
      : [type];
    known.set(type, parts);
  }
  return parts;
}

function isPartOf(graph: Graph, other: number, type: number, isNear: boolean): boolean {
  if (other === type) return true;
  if (graph.kind(other) !== graph.kind(type) || languageOf(graph, other) !== languageOf(graph, type)) return false;
  const folder = (node: number) => folderOf(graph.path(node));
  return graph.qualifiedName(other) === graph.qualifiedName(type) && (!isNear || folder(other) === folder(type));
}

/**
 * Edges by which a type inherits. An `impl` block has those on its own lines: all edges of a type leave one node, the
 * type itself or the first of its blocks.
 */
export function* inheritEdges(graph: Graph, node: number): Generator<number> {
  const isBlock = graph.kind(node) === 'impl';
  const owners = isBlock
    ? blocksOf(graph, node)
    : partsOfType(graph, node).flatMap((part) => [part, ...implsOf(graph, part)]);
  for (const owner of owners) {
    for (const edge of outgoing(graph, owner)) {
      if (!INHERIT_KINDS.has(graph.edgeKind(edge))) continue;
      if (!isBlock || standsIn(graph, edge, node)) yield edge;
    }
  }
}

/** The type of an `impl` block, and all its blocks in the same file. */
function blocksOf(graph: Graph, block: number): number[] {
  const file = graph.fileOf(block);
  return graph.namesakes(block).filter((other) => graph.fileOf(other) === file && isType(graph, other));
}

function standsIn(graph: Graph, edge: number, node: number): boolean {
  const line = graph.tables.edgeLine[edge];
  return line >= graph.startLine(node) && line <= graph.endLine(node);
}

/** Types that this one inherits from or implements, by its declaration or by its methods. */
export function parentsOf(graph: Graph, node: number): number[] {
  const found = new Set<number>(interfacesOf(graph, node));
  for (const edge of inheritEdges(graph, node)) if (graph.target(edge) >= 0) found.add(graph.target(edge));
  return [...found];
}

/** Maximum number of ancestors that are visited: a hostile family could be as large as the graph. */
const MAX_ANCESTORS = 50;

/** Members of that name in the nearest ancestors that have one. `type`: nodes of the type. */
export function inheritedMembers(graph: Graph, type: readonly number[], name: string): number[] {
  const members = graph.nodesNamed(name);
  const seen = new Set(type);
  for (let level = [...type]; level.length > 0 && members.length > 0 && seen.size <= MAX_ANCESTORS; ) {
    const parents = [...new Set(level.flatMap((each) => parentsOf(graph, each)))].filter((each) => !seen.has(each));
    for (const parent of parents) seen.add(parent);
    const found = members.filter((node) => parents.includes(graph.container(node)));
    if (found.length > 0) return found;
    level = parents;
  }
  return [];
}

/** Types that inherit from this one, or implement it, and the `impl` blocks in which they do. */
export function childrenOf(graph: Graph, node: number): number[] {
  const found = new Set<number>(typesOf(graph, node));
  for (const edge of partsOfType(graph, node).flatMap((part) => [...graph.incoming(part)])) {
    if (!INHERIT_KINDS.has(graph.edgeKind(edge))) continue;
    const source = graph.source(edge);
    for (const part of graph.isFile(source) ? [source] : partsOfType(graph, source)) found.add(part);
    if (graph.isFile(source)) continue;
    for (const block of implsNamed(graph, source)) if (standsIn(graph, edge, block)) found.add(block);
  }
  return [...found];
}

/** Maximum number of types of a family: a hostile one could be as large as the graph. */
const MAX_FAMILY = 2_000;

function family(first: number, next: (node: number) => number[]): number[] {
  const seen = new Set([first]);
  for (const node of seen) {
    if (seen.size > MAX_FAMILY) break;
    for (const other of next(node)) seen.add(other);
  }
  seen.delete(first);
  return [...seen];
}

/** Members of parent types that this member overrides: a call of one of them may run this one. */
export function overriddenBy(graph: Graph, member: number): readonly number[] {
  return knownRelatives(graph, member, true);
}

type Relatives = Map<number, readonly number[]>;
/** Overridden members, and overriding ones: walks from many changes pass the same members. */
const overridden = onePer((_: Graph): Relatives => new Map());
const overriding = onePer((_: Graph): Relatives => new Map());

function knownRelatives(graph: Graph, member: number, isHigher: boolean): readonly number[] {
  const known = (isHigher ? overridden : overriding)(graph);
  let found = known.get(member);
  if (found === undefined) {
    found = relatives(graph, member, isHigher);
    known.set(member, found.length === 0 ? NONE : found);
  }
  return found;
}
const NONE: readonly number[] = [];

/** Edges that make an object by a constructor: of its class, and of the classes below that have none of their own. */
export function makersOf(graph: Graph, maker: number): number[] {
  const own = graph.container(maker);
  if (graph.isFile(own)) return [];
  const made = [own];
  const seen = new Set(made);
  for (let i = 0; i < made.length && made.length < MAX_FAMILY; i++) {
    for (const child of childrenOf(graph, made[i])) {
      if (seen.has(child) || graph.isFile(child)) continue;
      seen.add(child);
      const named = graph.namesakes(maker).some((other) => graph.container(other) === child);
      const hasOwn = named || [...directMembers(graph, child)].some((member) => graph.kind(member) === 'constructor');
      if (!hasOwn && inheritsConstructors(graph, child)) made.push(child);
    }
  }
  const constructors = [...directMembers(graph, own)].filter((member) => graph.kind(member) === 'constructor');
  const number = String(constructors.indexOf(maker));
  const isMade = (edge: number) => {
    const meant = graph.target(edge) === own ? graph.edge(edge).literal : '';
    return meant === '' || meant.split(',').includes(number);
  };
  return made.flatMap((type) =>
    [...graph.incoming(type)].filter((edge) => graph.edgeKind(edge) === 'new' && isMade(edge)),
  );
}

/** Are objects of a type made by the constructor of its parent, if it has none? */
function inheritsConstructors(graph: Graph, type: number): boolean {
  return conventionsOf(graph.tables.files[graph.fileOf(type)].language).inheritedConstructors === true;
}

/** Members of descendants that override this one. */
export function overridersOf(graph: Graph, member: number): readonly number[] {
  return knownRelatives(graph, member, false);
}

const higher = onePer((_: Graph) => new Map<number, ReadonlySet<number>>());
const lower = onePer((_: Graph) => new Map<number, ReadonlySet<number>>());
const NO_TYPES: ReadonlySet<number> = new Set();

/** Types above one, or below it, with all their parts and without its own. Each of its members asks for them. */
function otherTypes(graph: Graph, type: number, isHigher: boolean): ReadonlySet<number> {
  const known = (isHigher ? higher : lower)(graph);
  let types = known.get(type);
  if (types === undefined) {
    const next = (one: number) =>
      (isHigher ? parentsOf : childrenOf)(graph, one).flatMap((each) => partsOfType(graph, each));
    const own = new Set(partsOfType(graph, type));
    const found = family(type, next).filter((one) => !own.has(one));
    types = found.length === 0 ? NO_TYPES : new Set(found);
    known.set(type, types);
  }
  return types;
}

/** Members of that name in the types above, or below. */
function relatives(graph: Graph, member: number, isHigher: boolean): number[] {
  const container = graph.container(member);
  if (graph.isFile(member) || container < 0 || graph.isFile(container)) return [];
  const same = graph.namesakes(member);
  if (same.length === 1 || !isVirtual(graph, member)) return [];
  const types = otherTypes(graph, container, isHigher);
  if (types.size === 0) return [];
  return same.filter((other) => {
    if (other === member || !types.has(graph.container(other)) || !isVirtual(graph, other)) return false;
    if (!mayHaveSameParameters(graph, member, other)) return false;
    return isOverridable(graph, isHigher ? other : member);
  });
}

/** Can both have the same parameters, as far as the facts tell? */
export function mayHaveSameParameters(graph: Graph, member: number, other: number): boolean {
  const [own, its] = [graph.arity(member), graph.arity(other)];
  if (own < 0 || its < 0) return true;
  return own === its && fitByTypes(graph, member, other);
}

/** Can both have the same types of parameters? Other languages, and aliases of types, call one type by several names. */
function fitByTypes(graph: Graph, member: number, other: number): boolean {
  const language = languageOf(graph, member);
  if (languageOf(graph, other) !== language) return true;
  return haveSameMarks(graph.parameters(member), graph.parameters(other), (mark) =>
    aliasesOf(graph, language).has(mark),
  );
}

const aliasMarks = onePer((_: Graph) => new Map<string, ReadonlySet<number>>());

/** Marks of names in a language that stand for other types. */
function aliasesOf(graph: Graph, language: string): ReadonlySet<number> {
  const known = aliasMarks(graph);
  let marks = known.get(language);
  if (marks === undefined) {
    const aliases = [...Array(graph.nodeCount).keys()].filter(
      (node) => graph.kind(node) === 'type' && languageOf(graph, node) === language,
    );
    marks = new Set(aliases.map((node) => parameterMark(graph.name(node))));
    known.set(language, marks);
  }
  return marks;
}

export const languageOf = (graph: Graph, node: number): string => graph.tables.files[graph.fileOf(node)].language;

/** Kinds of members that a subtype can have anew. */
const VIRTUAL_KINDS: ReadonlySet<string> = new Set(['method', 'function', 'property']);

/** Can the member take the place of another one, or another one its place? */
function isVirtual(graph: Graph, member: number): boolean {
  const kind = graph.kind(member);
  const { fixedFields } = conventionsOf(graph.tables.files[graph.fileOf(member)].language);
  // Interfaces make nothing: a member named like its interface is a method.
  if (kind === 'constructor') return graph.kind(graph.container(member)) === 'interface';
  if (!VIRTUAL_KINDS.has(kind) && (fixedFields || !FIELD_KINDS.has(kind))) return false;
  return !isFixed(graph, member);
}

const FIELD_KINDS: ReadonlySet<string> = new Set(['field', 'constant', 'variable']);

/** Embedding in Go overrides nothing: only interfaces are called for their types. */
function isOverridable(graph: Graph, member: number): boolean {
  return !isStructural(graph, member) || graph.kind(graph.container(member)) === 'interface';
}

/** A member that is written outside of its type is as its declaration there says. */
function isFixed(graph: Graph, member: number): boolean {
  const { nodeOwner, nodeContainer } = graph.tables;
  const owner = nodeOwner.length === 0 ? -1 : nodeOwner[member];
  if (owner < 0) return graph.isFixed(member);
  const declared = graph.namesakes(member).filter((other) => nodeContainer[other] === owner);
  return declared.length > 0 && declared.every((other) => graph.isFixed(other));
}

const below = onePer((_: Graph) => new Map<number, ReadonlySet<number>>());

/** Types below one, at any depth. */
export function descendants(graph: Graph, type: number): ReadonlySet<number> {
  const known = below(graph);
  const found = known.get(type) ?? new Set(family(type, (each) => childrenOf(graph, each)));
  known.set(type, found);
  return found;
}

/**
 * Member of the same name that a type below has from another parent, with that type: `class Page(Mixin, Base)`. A call of the one runs the
 * other on such an object, though neither type knows of the other.
 */
export function mixedWith(graph: Graph, member: number): { other: number; heir: number } | null {
  const container = graph.container(member);
  const same = graph.namesakes(member);
  if (ownerOf(graph, member) < 0 || same.length === 1 || !isVirtual(graph, member)) return null;
  const heirs = descendants(graph, container);
  if (heirs.size === 0) return null;
  for (const other of same) {
    const owner = ownerOf(graph, other);
    if (owner < 0 || owner === container || !isVirtual(graph, other)) continue;
    const heir = [...descendants(graph, owner)].find((type) => heirs.has(type));
    if (heir !== undefined && mayHaveSameParameters(graph, member, other)) return { other, heir };
  }
  return null;
}

/** Number of edges that run it or hand it on. */
export function usesOf(graph: Graph, node: number): number {
  let count = 0;
  for (const edge of graph.incoming(node)) if (RUN_KINDS.has(graph.edgeKind(edge))) count++;
  return count;
}

/** Symbol around a member, -1 for none. */
export function ownerOf(graph: Graph, member: number): number {
  const container = graph.container(member);
  return container < 0 || graph.isFile(container) ? -1 : container;
}

// Interfaces of Go types, which have no edges: a type implements each interface whose methods it has. Their names, numbers of
// parameters and results, and built-in types of the first of each are compared: other types can have two names.

/** Maximum number of pairs of type and interface: in a hostile repository all interfaces could fit all types. */
const MAX_PAIRS = 50_000;
/** Maximum number of embedded interfaces and types. */
const MAX_EMBEDDED = 200;

interface Fits {
  /** Types by the interface that they fit. */
  types: Map<number, number[]>;
  /** Interfaces by the type that fits them. */
  interfaces: Map<number, number[]>;
}

/** Interfaces whose methods a type has. */
export function interfacesOf(graph: Graph, type: number): readonly number[] {
  return isStructural(graph, type) ? (fitsOf(graph).interfaces.get(type) ?? []) : [];
}

/** Types that have all methods of an interface. */
export function typesOf(graph: Graph, face: number): readonly number[] {
  return isStructural(graph, face) ? (fitsOf(graph).types.get(face) ?? []) : [];
}

const hasStructuralInterfaces = (language: string): boolean => conventionsOf(language).structuralInterfaces === true;

/** Does a type of its language fit the interfaces whose methods it has? */
const isStructural = (graph: Graph, node: number): boolean =>
  hasStructuralInterfaces(graph.tables.files[graph.fileOf(node)].language);

const fitsOf = onePer((graph: Graph): Fits => {
  const own = methodNames(graph);
  const byMethod = new Map<string, Set<number>>();
  const all = new Map<number, Methods>();
  for (const type of own.keys()) {
    if (graph.kind(type) === 'interface') continue;
    const methods = withEmbedded(graph, type, own);
    all.set(type, methods);
    for (const name of methods.keys()) push(byMethod, name, type);
  }
  const fits: Fits = { types: new Map(), interfaces: new Map() };
  let pairs = 0;
  for (const face of own.keys()) {
    if (graph.kind(face) !== 'interface') continue;
    const wanted = withEmbedded(graph, face, own);
    for (const type of typesWith([...wanted.keys()], byMethod)) {
      if (++pairs > MAX_PAIRS) return fits;
      if (!hasSignatures(all.get(type) as Methods, wanted)) continue;
      addTo(fits.types, face, type);
      addTo(fits.interfaces, type, face);
    }
  }
  return fits;
});

/** Marks of the signatures of methods, by their names with the numbers of their parameters. */
type Methods = Map<string, number>;

/** Methods of types and interfaces, without those of embedded types. */
function methodNames(graph: Graph): Map<number, Methods> {
  const found = new Map<number, Methods>();
  const { files, nodeBase } = graph.tables;
  for (const [file, { language }] of files.entries()) {
    if (!hasStructuralInterfaces(language)) continue;
    for (let node = nodeBase[file] + 1; node < nodeBase[file + 1]; node++) {
      const container = graph.container(node);
      if (graph.kind(node) === 'struct' && !found.has(node)) found.set(node, new Map());
      if (graph.isFile(container) || !METHODS.has(graph.kind(node))) continue;
      const methods = found.get(container) ?? new Map<string, number>();
      found.set(container, methods.set(`${graph.name(node)} ${graph.arity(node)}`, graph.parameters(node)));
    }
  }
  return found;
}

const METHODS: ReadonlySet<string> = new Set(['method', 'constructor']);

/** Its methods, including those of embedded types that it has not itself. */
function withEmbedded(graph: Graph, node: number, own: ReadonlyMap<number, Methods>): Methods {
  const parts = new Set([node]);
  const names: Methods = new Map();
  for (const part of parts) {
    for (const [name, marks] of own.get(part) ?? []) if (!names.has(name)) names.set(name, marks);
    const [start, end] = graph.edgeRange(part);
    for (let edge = start; edge < end && parts.size < MAX_EMBEDDED; edge++) {
      const to = graph.target(edge);
      if (to >= 0 && graph.edgeKind(edge) === 'extends') parts.add(to);
    }
  }
  return names;
}

/** Can the methods of a type be those of an interface, as far as their marks tell? A mark of 0 tells nothing. */
function hasSignatures(methods: Methods, wanted: Methods): boolean {
  return [...wanted].every(([name, marks]) => haveSameMarks(methods.get(name) ?? 0, marks, () => false));
}

function typesWith(names: readonly string[], byMethod: ReadonlyMap<string, ReadonlySet<number>>): number[] {
  const sets = names.map((name) => byMethod.get(name) ?? new Set<number>()).sort((a, b) => a.size - b.size);
  const [fewest, ...others] = sets;
  return fewest === undefined ? [] : [...fewest].filter((type) => others.every((set) => set.has(type)));
}

function push<K, V>(map: Map<K, Set<V>>, key: K, value: V): void {
  const set = map.get(key);
  if (set === undefined) map.set(key, new Set([value]));
  else set.add(value);
}

/** Are the marks of two members the same, but for those of 0 and those that may mean any type? */
function haveSameMarks(all: number, others: number, isAny: (mark: number) => boolean): boolean {
  for (let [own, its] = [all, others]; own > 0 && its > 0 && own !== its; ) {
    const [mark, another] = [own % MARK_UNIT, its % MARK_UNIT];
    if (mark !== another && mark !== 0 && another !== 0 && !isAny(mark) && !isAny(another)) return false;
    [own, its] = [Math.floor(own / MARK_UNIT), Math.floor(its / MARK_UNIT)];
  }
  return true;
}
