/**
 * Declarations of one symbol: those that share a body, where uses lead to one and another one has the code; and variants, of which the
 * build or the arguments of a call choose one, where uses lead to any.
 */
import { onePer } from '../../base/cache.js';
import { SYMBOL_KINDS, type SymbolKind } from '../../extract/facts.js';
import { conventionsOf, semanticsOf } from '../../languages/registry.js';
import type { Graph } from '../graph.js';
import { FILE_EDGE_KINDS } from '../tables.js';
import { classOf } from './node-place.js';
import { mayHaveSameParameters, outgoing } from './uses.js';

/** Columns for the few symbols that are declared several times: the next declaration, the first one, and the one with the body. */
interface Overloads {
  next: Map<number, number>;
  first: Map<number, number>;
  body: Map<number, number>;
}

/** All declarations of a node's symbol, in order; mostly the node alone. A definition stands before its declarations elsewhere. */
export function overloadsOf(graph: Graph, node: number): number[] {
  const { next, first } = overloads(graph);
  const found: number[] = [];
  for (let at: number | undefined = first.get(node) ?? node; at !== undefined; at = next.get(at)) found.push(at);
  return found;
}

/** The first of a node's declarations, which is the same for all of them. */
export function firstOf(graph: Graph, node: number): number {
  return overloads(graph).first.get(node) ?? node;
}

/** The declaration with the code: of those that share a body the last, of one elsewhere its definition. A variant has a body of its own. */
export function bodyOf(graph: Graph, node: number): number {
  return overloads(graph).body.get(node) ?? node;
}

const overloads = onePer((graph: Graph): Overloads => {
  const found = findOverloads(graph);
  for (const pairs of [declaredElsewhere(graph), declaredInTypes(graph), declaredInHeaders(graph)])
    for (const [declaration, definition] of pairs) joinDeclaration(found, declaration, definition);
  joinVariants(graph, found);
  joinSystems(graph, found);
  return found;
});

function findOverloads(graph: Graph): Overloads {
  const { nodeName, nodeContainer, nodeBase, files } = graph.tables;
  const found: Overloads = { next: new Map(), first: new Map(), body: new Map() };
  const { next, first, body } = found;
  for (const [file, { language }] of files.entries()) {
    if (conventionsOf(language).overloadsShareBody !== true) continue;
    const base = nodeBase[file];
    const youngest = new Int32Array(nodeBase[file + 1] - base).fill(-1);
    for (let node = base + 1; node < nodeBase[file + 1]; node++) {
      const holder = nodeContainer[node] - base;
      const before = youngest[holder];
      youngest[holder] = node;
      if (before < 0 || nodeName[before] !== nodeName[node]) continue;
      next.set(before, node);
      first.set(node, first.get(before) ?? before);
    }
  }
  for (const [before, node] of [...next].sort((a, b) => b[0] - a[0])) body.set(before, body.get(node) ?? node);
  return found;
}

/** Puts the declarations of a node behind those of another one. */
function join({ next, first }: Overloads, before: number, node: number): void {
  const start = first.get(before) ?? before;
  const own = first.get(node) ?? node;
  if (own === start) return;
  let last = before;
  for (let at: number | undefined = before; at !== undefined; at = next.get(at)) last = at;
  next.set(last, own);
  for (let at: number | undefined = own; at !== undefined; at = next.get(at)) first.set(at, start);
}

/** Puts a declaration behind its definition, whose body it has. If it follows another node already, the definition goes behind that. */
function joinDeclaration(found: Overloads, declaration: number, definition: number): void {
  const { next, first, body } = found;
  const known = first.get(declaration);
  if (known === undefined) {
    join(found, definition, declaration);
    for (let at: number | undefined = declaration; at !== undefined; at = next.get(at))
      body.set(at, body.get(definition) ?? definition);
  } else join(found, known, definition);
}

const VARIANT_KINDS: ReadonlySet<SymbolKind | 'file'> = new Set<SymbolKind>([
  ...([
    'function',
    'method',
    'constructor',
    'class',
    'struct',
    'enum',
    'trait',
    'type',
    'module',
    'constant',
    'macro',
  ] as const),
]);
/** Functions that a package can have several of. */
const SEVERAL: ReadonlySet<string> = new Set(['init', 'main', '_']);
/** Containers whose functions can be members of different types that are defined elsewhere. */
const SPACES: ReadonlySet<SymbolKind | 'file'> = new Set<SymbolKind | 'file'>(['file', 'namespace', 'module']);
const KIND_CODES = 256;

/**
 * Variants follow each other in the order of their files and lines. Each has a body of its own. A class that any file can open again is
 * one class: `class Shop::Cart` in a second file.
 */
function joinVariants(graph: Graph, found: Overloads): void {
  const { files, nodeBase, nodeName, strings } = graph.tables;
  // Most keys are numbers: a graph can have a million nodes.
  const last = new Map<number | string, number>();
  const folders = new Map<string, number>();
  for (const [file, { path, language }] of files.entries()) {
    const { variants, overloadsAreTold = false } = conventionsOf(language);
    if (variants === undefined) continue;
    const { reopens, parts, headers: hasHeaders, readers: hasReaders } = semanticsOf(language);
    const folder = `${path.slice(0, path.lastIndexOf('/') + 1)}\0${classOf(graph, file)}`;
    const place = folders.get(folder) ?? graph.nodeCount + folders.size;
    folders.set(folder, place);
    for (let node = nodeBase[file] + 1; node < nodeBase[file + 1]; node++) {
      const container = graph.container(node);
      const kind = graph.kind(node);
      // A container stands before its members, so its own variants are joined by now.
      const holder = found.first.get(container) ?? container;
      const keyOf = (): number | string | null => {
        if (parts === 'anywhere' && reopens.has(kind as SymbolKind))
          return `${language} ${kind} ${graph.qualifiedName(node)}`;
        if (overloadsAreTold && FUNCTIONS.has(kind as SymbolKind))
          return hasHeaders ? toldApart(graph, node, holder) : null;
        // A reader and a writer are one attribute, and so are those of an object and of its class.
        if (!(hasReaders && kind === 'property') && !isVariant(graph, node, variants)) return null;
        const isShared = variants === 'package' && graph.isFile(container) && !SEVERAL.has(graph.name(node));
        const named = (isShared ? place : holder) * strings.length + nodeName[node];
        return named * KIND_CODES + SYMBOL_KINDS.indexOf(kind as SymbolKind);
      };
      const key = keyOf();
      if (key !== null) joinTo(found, last, key, node);
    }
  }
}

/** Key of members of a type that differ in nothing that a call could tell: by a condition, or by `const`. Null if no others have the name. */
function toldApart(graph: Graph, node: number, holder: number): string | null {
  const [arity, parameters] = [graph.arity(node), graph.parameters(node)];
  return arity < 0 || SPACES.has(graph.kind(holder)) ? null : `${holder} ${graph.name(node)} ${arity} ${parameters}`;
}

/** Puts a node behind the last one with that key. */
function joinTo<Key>(found: Overloads, last: Map<Key, number>, key: Key, node: number): void {
  const before = last.get(key);
  last.set(key, node);
  if (before !== undefined) join(found, before, node);
}

/** Definitions of one name at the top of files of a package that are built for different systems. */
function joinSystems(graph: Graph, found: Overloads): void {
  const seen = new Map<string, { system: string; node: number }[]>();
  for (const [file, { path, language }] of graph.tables.files.entries()) {
    const { systemPath } = conventionsOf(language);
    const system = systemPath?.exec(path)?.[0];
    if (systemPath === undefined || system === undefined) continue;
    const folder = path.slice(0, path.lastIndexOf('/')).replace(systemPath, '*');
    for (let node = graph.tables.nodeBase[file] + 1; node < graph.tables.nodeBase[file + 1]; node++) {
      const kind = graph.kind(node);
      if (!VARIANT_KINDS.has(kind) || !graph.isFile(graph.container(node))) continue;
      const key = `${folder} ${kind} ${graph.name(node)}`;
      const same = seen.get(key) ?? [];
      seen.set(key, [...same, { system, node }]);
      const other = same.find((one) => one.system !== system);
      if (other !== undefined) join(found, other.node, node);
    }
  }
}

/** Does its place tell what a definition is a member of? A method beside its type in another file may be of any type. */
function isVariant(graph: Graph, node: number, variants: 'type' | 'file' | 'package'): boolean {
  const kind = graph.kind(node);
  const container = graph.container(node);
  if (!VARIANT_KINDS.has(kind)) return false;
  return variants === 'type' ? !SPACES.has(graph.kind(container)) : kind !== 'method' || !graph.isFile(container);
}

/**
 * Pairs of a declaration in a file without code (`cart.pyi`, `cart.d.ts`) and its definition. The definition is in the
 * file beside it (`cart.py`, `cart.js`), or in the only file that this one imports and that has the name.
 */
function* declaredElsewhere(graph: Graph): Generator<[declaration: number, definition: number]> {
  const members = new Members(graph);
  for (const [file, { path, language }] of graph.tables.files.entries()) {
    const { declarationPath, declares = [] } = conventionsOf(language);
    if (declarationPath?.test(path) !== true) continue;
    const definitionFile = declares
      .map((end) => graph.findFile(path.replace(declarationPath, end)))
      .find((at) => at >= 0);
    if (definitionFile !== undefined) yield* pairsOf(graph, members, file, definitionFile);
  }
}

function* pairsOf(graph: Graph, members: Members, file: number, definitionFile: number): Generator<[number, number]> {
  const { nodeBase, nodeContainer } = graph.tables;
  const definitions = new Map([[graph.fileNode(file), graph.fileNode(definitionFile)]]);
  for (let node = nodeBase[file] + 1; node < nodeBase[file + 1]; node++) {
    const holder = definitions.get(nodeContainer[node]);
    if (holder === undefined) continue;
    const name = graph.name(node);
    const own = members.named(holder, name);
    const found = own >= 0 || !graph.isFile(holder) ? own : importedBy(graph, members, holder, name);
    if (found < 0) continue;
    definitions.set(node, found);
    yield [node, found];
  }
}

/** Definition of that name in the files that a file imports; -1 for none or several. */
function importedBy(graph: Graph, members: Members, file: number, name: string): number {
  const found = new Set<number>();
  for (const edge of outgoing(graph, file)) {
    const target = graph.target(edge);
    if (target >= 0 && graph.isFile(target) && FILE_EDGE_KINDS.has(graph.edgeKind(edge)))
      found.add(members.named(target, name));
  }
  found.delete(-1);
  const [only] = found;
  return found.size === 1 ? only : -1;
}

/**
 * Pairs of a member that its type declares, and its definition outside of the type: by their parameters, else the first that is left of
 * each, the second, and so on.
 */
function* declaredInTypes(graph: Graph): Generator<[declaration: number, definition: number]> {
  const { nodeOwner, nodeContainer } = graph.tables;
  const seen = new Set<number>();
  for (let node = 0; node < nodeOwner.length; node++) {
    const owner = nodeOwner[node];
    if (owner < 0 || seen.has(node)) continue;
    const same = graph.namesakes(node);
    const definitions = same.filter((other) => nodeOwner[other] === owner);
    for (const definition of definitions) seen.add(definition);
    const declarations = same.filter((other) => nodeContainer[other] === owner && FUNCTIONS.has(graph.kind(other)));
    yield* pairedByParameters(graph, declarations, definitions);
  }
}

function* pairedByParameters(
  graph: Graph,
  declarations: readonly number[],
  definitions: readonly number[],
): Generator<[declaration: number, definition: number]> {
  const left = new Set(definitions);
  const open: number[] = [];
  for (const declaration of declarations) {
    const [arity, parameters] = [graph.arity(declaration), graph.parameters(declaration)];
    const same = [...left].find((other) => graph.arity(other) === arity && graph.parameters(other) === parameters);
    if (same === undefined) open.push(declaration);
    else yield [declaration, same];
    left.delete(same ?? -1);
  }
  for (const declaration of open) {
    const fits = (other: number) => mayHaveSameParameters(graph, declaration, other);
    const definition = [...left].find(fits) ?? [...definitions].reverse().find(fits);
    if (definition === undefined) continue;
    left.delete(definition);
    yield [declaration, definition];
  }
}

const FUNCTIONS: ReadonlySet<SymbolKind | 'file'> = new Set<SymbolKind | 'file'>(['function', 'method', 'constructor']);

/** Pairs of a function or variable that a header declares, and its definitions in files that include the header, directly or through others. */
function* declaredInHeaders(graph: Graph): Generator<[declaration: number, definition: number]> {
  const { files, nodeBase } = graph.tables;
  const isHeader = (file: number) => conventionsOf(files[file].language).includedPath?.test(files[file].path) === true;
  for (let file = 0; file < files.length; file++) {
    if (!isHeader(file)) continue;
    let including: Set<number> | undefined;
    const isDefinition = (node: number) => {
      const other = graph.fileOf(node);
      if (isHeader(other) || !isOuter(graph, node) || classOf(graph, other) !== classOf(graph, file)) return false;
      including ??= includersOf(graph, file, isHeader);
      return including.has(other);
    };
    for (let node = nodeBase[file] + 1; node < nodeBase[file + 1]; node++) {
      if (!isOuter(graph, node)) continue;
      const name = graph.qualifiedName(node);
      const isData = DATA.has(graph.kind(node));
      for (const other of graph.namesakes(node))
        if (
          DATA.has(graph.kind(other)) === isData &&
          mayHaveSameParameters(graph, node, other) &&
          graph.qualifiedName(other) === name &&
          isDefinition(other)
        )
          yield [node, other];
    }
  }
}

const DATA: ReadonlySet<SymbolKind | 'file'> = new Set<SymbolKind | 'file'>(['variable', 'constant']);

/** Can other files see a function or a variable by its name alone? */
function isOuter(graph: Graph, node: number): boolean {
  const kind = graph.kind(node);
  return (
    (kind === 'function' || DATA.has(kind)) && graph.isExported(node) && SPACES.has(graph.kind(graph.container(node)))
  );
}

/** Files that include a header: many projects have one header that includes all others. */
function includersOf(graph: Graph, file: number, isHeader: (file: number) => boolean): Set<number> {
  const found = new Set([file]);
  for (const at of found) {
    if (!isHeader(at)) continue;
    for (const edge of graph.incoming(graph.fileNode(at)))
      if (graph.edgeKind(edge) === 'include') found.add(graph.fileOf(graph.source(edge)));
  }
  return found;
}

/** First symbol of each name in each container. */
class Members {
  private readonly byFile = new Map<number, Map<string, number>>();

  constructor(private readonly graph: Graph) {}

  named(holder: number, name: string): number {
    const { graph, byFile } = this;
    const file = graph.fileOf(holder);
    let known = byFile.get(file);
    if (known === undefined) {
      known = new Map();
      const { nodeBase, nodeContainer } = graph.tables;
      for (let node = nodeBase[file + 1] - 1; node > nodeBase[file]; node--)
        known.set(`${nodeContainer[node]} ${graph.name(node)}`, node);
      byFile.set(file, known);
    }
    return known.get(`${holder} ${name}`) ?? -1;
  }
}
