/**
 * Finds definitions that nothing reaches. A walk starts at code that runs by itself (top-level code, entry points) and
 * at definitions that may be used unseen. Definitions that it does not reach are unused, including those that only
 * unused code uses. There are three walks, from "anything that could be used unseen" to "entry points alone" as
 * starting points; the first one that does not reach a definition determines how certain it is that nothing uses it.
 */
import { onePer } from '../../base/cache.js';
import { addTo } from '../../base/lists.js';
import { conventionsOf, languageOf, semanticsOf } from '../../languages/registry.js';
import type { Graph, NodeKind } from '../graph.js';
import {
  folderOf,
  isRuntimeHook,
  isValue,
  type NoCallerVerdict,
  reachedThroughType,
  verdictOf,
} from './entry-patterns.js';
import { classOf, isTest, isTestCode, PAGE } from './node-place.js';
import { firstOf, overloadsOf } from './overloads.js';
import { canMeanIt } from './users.js';
import {
  directMembers,
  encloses,
  inheritEdges,
  isFunction,
  isModule,
  isType,
  lastNodeOf,
  outgoing,
  overridersOf,
  partsOfType,
} from './uses.js';

/**
 * `certain`: it cannot be used unseen. `exported`: code outside of the repository may use it. `possible`: code of the repository may.
 */
export const CERTAINTIES = ['certain', 'exported', 'possible'] as const;
export type Certainty = (typeof CERTAINTIES)[number];

/** `mentioned`: the text of the repository has its name in a place without a known use, such as a string. */
type UnusedVerdict = NoCallerVerdict | 'mentioned';

export interface Excuse {
  verdict: UnusedVerdict;
  reason: string;
}

export interface Unused extends Excuse {
  node: number;
  certainty: Certainty;
  /** Users: none, only unused definitions, or only tests. */
  usedBy: 'nothing' | 'unused' | 'tests';
}

/** Makes a reason agree with `usedBy`. */
function consistent(excuse: Excuse, usedBy: Unused['usedBy']): Excuse {
  if (excuse.verdict !== 'certain' || usedBy === 'nothing') return excuse;
  const users = usedBy === 'tests' ? 'tests use it' : 'unused code uses it';
  return { ...excuse, reason: `it is not exported, and only ${users}` };
}

/** Verdicts that make a definition a starting point, by the certainty of the walk. */
const STARTS: Readonly<Record<Certainty, ReadonlySet<UnusedVerdict>>> = (() => {
  const possible = ['entry-point', 'no-call-facts', 'degraded'] as const;
  const exported = [...possible, 'framework', 'unresolved-uses', 'mentioned', 'indirect'] as const;
  return {
    possible: new Set(possible),
    exported: new Set(exported),
    certain: new Set([...exported, 'exported' as const]),
  };
})();

const NEEDS_OBJECT: ReadonlySet<UnusedVerdict> = new Set(['unresolved-uses', 'mentioned', 'indirect'] as const);

const JUDGED_KINDS: ReadonlySet<NodeKind> = new Set([
  ...(['function', 'method', 'class', 'interface', 'struct', 'enum', 'trait', 'type'] as const),
  ...(['constant', 'variable', 'field', 'property', 'enum-member'] as const),
]);
/** A name that code can use; `_` alone is none. */
const IDENTIFIER = /^#?(?!_+$)[\p{L}_$][\p{L}\p{N}_$]*[?!]?$/u;

export class UnusedFinder {
  private readonly verdicts = new Map<number, Excuse>();
  private readonly without: ReadonlySet<number>;

  /** `without`: nodes to treat as deleted. */
  constructor(
    private readonly graph: Graph,
    { without = new Set() }: { without?: ReadonlySet<number> } = {},
  ) {
    this.without = without;
  }

  /**
   * Unused definitions of a minimum certainty in the order of nodes, without those inside of another listed one.
   * `found`: knowledge of definitions from outside of the graph, such as that a string holds their name.
   */
  find(least: Certainty, found: ReadonlyMap<number, Excuse> = new Map()): Unused[] {
    const { graph } = this;
    const unused = new Map<number, Unused>();
    const excuseOf = (node: number) => this.excuseOf(node, found);
    for (const certainty of CERTAINTIES.slice(0, CERTAINTIES.indexOf(least) + 1)) {
      const all = this.walk(certainty, excuseOf, { tests: true });
      const production = this.walk(certainty, excuseOf, { tests: false });
      for (let node = 0; node < graph.nodeCount; node++) {
        if (unused.has(node) || this.without.has(node) || !isJudged(graph, node)) continue;
        const isReached = isReachedBy(graph, all, node);
        if (isReached && (isReachedBy(graph, production, node) || isTestCode(graph, node))) continue;
        const usedBy = isReached ? 'tests' : this.isNamed(node) ? 'unused' : 'nothing';
        const excuse = excuseOf(node);
        // A value starts nothing, so its excuse is read here.
        if (isValue(graph, node) && STARTS[certainty].has(excuse.verdict)) continue;
        unused.set(node, { node, certainty, usedBy, ...consistent(excuse, usedBy) });
      }
    }
    return [...unused.values()].filter(({ node }) => !isInside(graph, node, unused)).sort((a, b) => a.node - b.node);
  }

  private walk(certainty: Certainty, excuseOf: (node: number) => Excuse, { tests }: { tests: boolean }): Reachable {
    const { graph } = this;
    const reached = new Reachable(graph, this.without);
    const starts = STARTS[certainty];
    const isStart = (node: number) => tests || !isTestCode(graph, node);
    reached.add(filesOf(graph, tests));
    if (starts.has('exported')) reached.add(exportedOf(graph, isStart));
    let further: number[] = [];
    for (let node = 0; node < graph.nodeCount; node++) {
      if (graph.isFile(node) || reached.runs(node) || runsWithContainer(graph, node)) continue;
      const isOpen = starts.has(excuseOf(node).verdict) || (certainty === 'certain' && mayRunUnjudged(graph, node));
      if (isOpen && isStart(node)) further.push(node);
    }
    // A member can be used only if something makes an object of its type. Frameworks make objects of their types.
    const needsObject = (node: number) => isMember(graph, node) && NEEDS_OBJECT.has(excuseOf(node).verdict);
    for (let before = -1; further.length !== before; ) {
      before = further.length;
      reached.add(further.filter((node) => !needsObject(node) || reached.runs(graph.container(node))));
      further = further.filter((node) => !reached.runs(node));
    }
    return reached;
  }

  /** The strongest reason why a definition may be used unseen. */
  private excuseOf(node: number, found: ReadonlyMap<number, Excuse>): Excuse {
    const { graph } = this;
    let known = this.verdicts.get(node);
    if (known === undefined) {
      known = this.judge(node);
      this.verdicts.set(node, known);
    }
    // An excuse of one variant is one of each: of a prototype, and of the body that it names.
    const other = found.get(node) ?? found.get(firstOf(graph, node));
    if (other?.verdict === 'entry-point') return other;
    if (other === undefined || (known.verdict !== 'certain' && known.verdict !== 'exported')) return known;
    return known.verdict === 'exported' && other.verdict === 'exported' ? known : other;
  }

  private judge(node: number): Excuse {
    const { graph } = this;
    const [verdict, reason] = verdictOf(graph, node, this.countPossibleUses(node));
    const isSure = verdict === 'certain' || verdict === 'exported';
    const container = graph.container(node);
    const type = isType(graph, node) ? node : isType(graph, container) ? container : -1;
    const parent = isSure && type >= 0 ? unknownParent(graph, type) : null;
    const reached = isSure && parent === null ? reachedThroughType(graph, node) : null;
    if (reached !== null) return reached;
    if (isSure && hasUsedNamesake(graph, node))
      return {
        verdict: 'unresolved-uses',
        reason: 'another type or value of this name is used here or beside it, and uses may mean this one',
      };
    const other = verdict === 'certain' ? excuseOfFile(graph, node) : null;
    if (other !== null) return other;
    if (parent === null) return { verdict, reason };
    const who = type === node ? 'it' : graph.qualifiedName(type);
    return { verdict: 'framework', reason: `${who} inherits from ${parent}, which is not known here and may use it` };
  }

  /** Uses within the definition itself or in deleted code do not count. */
  private countPossibleUses(node: number): number {
    const { graph } = this;
    const canMean = canMeanIt(graph, node);
    return graph.danglingNamesakes(node).filter((edge) => {
      if (isSurelyOutside(graph, edge) || !canMean(edge)) return false;
      const source = graph.source(edge);
      return !encloses(graph, node, source) && !this.without.has(source);
    }).length;
  }

  /** Does code that is not deleted use it? */
  private isNamed(node: number): boolean {
    const { graph } = this;
    return [...graph.incoming(node)].some((edge) => {
      const source = graph.source(edge);
      return !encloses(graph, node, source) && !this.without.has(source);
    });
  }
}

function isReachedBy(graph: Graph, walked: Reachable, node: number): boolean {
  return isValue(graph, node) ? walked.isUsed(node) : walked.runs(node);
}

function isMember(graph: Graph, node: number): boolean {
  const container = graph.container(node);
  return !graph.isFile(container) && isType(graph, container);
}

/** Values of an enumeration that code names without it. */
export function openMembers(graph: Graph, node: number): number[] {
  const { language } = graph.tables.files[graph.fileOf(node)];
  return graph.kind(node) === 'enum' && semanticsOf(language).openEnums ? [...directMembers(graph, node)] : [];
}

function* filesOf(graph: Graph, tests: boolean): Generator<number> {
  for (let file = 0; file < graph.fileCount; file++) if (tests || !isTest(graph, file)) yield graph.fileNode(file);
}

function* exportedOf(graph: Graph, isStart: (node: number) => boolean): Generator<number> {
  for (let node = 0; node < graph.nodeCount; node++) if (graph.isExported(node) && isStart(node)) yield node;
}

/**
 * Does a use lead out of the repository by its name alone? It is less sure with a receiver whose type is from outside,
 * or with a name that its own file defines.
 */
export function isSurelyOutside(graph: Graph, edge: number): boolean {
  const { edgeReceiver, edgeName, strings } = graph.tables;
  if (graph.tier(edge) !== 'external' || !FROM_MODULE.test(strings[edgeReceiver[edge]])) return false;
  const file = graph.fileOf(graph.source(edge));
  const isScript = isScriptFile(graph, file);
  return !graph
    .nodesNamed(strings[edgeName[edge]])
    .some((node) => graph.fileOf(node) === file || (isScript && isGlobal(graph, node)));
}

/** No receiver, or a module that an expression loads. */
const FROM_MODULE = /^(?:import(?:#\d+)?)?$/;

/** Is a file a page, or does it import and export nothing, in a language with modules? Scripts of one page share their names. */
function isScriptFile(graph: Graph, file: number): boolean {
  const { language, path } = graph.tables.files[file];
  return PAGE.test(path) || (conventionsOf(language).modules === true && !isModule(graph, file));
}

function isGlobal(graph: Graph, node: number): boolean {
  return graph.isFile(graph.container(node)) && isScriptFile(graph, graph.fileOf(node));
}

/** Folders that have a page, which can load scripts in it and below it. */
const pageFolders = onePer((graph: Graph) => {
  const pages = graph.tables.files.filter(({ path }) => PAGE.test(path));
  return new Set(pages.map(({ path }) => folderOf(path)));
});

/** May a page that is not known load a script, as none that is known does? A browser runs no language that states types. */
function mayBeLoaded(graph: Graph, file: number): boolean {
  const { path, language } = graph.tables.files[file];
  if (!semanticsOf(language).unstatedTypes) return false;
  if ([...graph.incoming(graph.fileNode(file))].some((edge) => graph.isFileEdge(edge))) return false;
  for (let folder = folderOf(path); ; folder = folderOf(folder.slice(0, -1))) {
    if (pageFolders(graph).has(folder)) return true;
    if (folder === '') return false;
  }
}

/** Does a page load a script that is not in the repository? */
const loadsOutside = (graph: Graph, file: number): boolean =>
  [...outgoing(graph, graph.fileNode(file))].some(
    (edge) => graph.edgeKind(edge) === 'include' && graph.target(edge) < 0,
  );

/** Is a file included behind a definition whose text is not in the repository? It sees what stands above it. */
function includesUnknownBehind(graph: Graph, node: number): boolean {
  const { edgeLine } = graph.tables;
  return [...outgoing(graph, graph.fileNode(graph.fileOf(node)))].some(
    (edge) => graph.edgeKind(edge) === 'include' && graph.target(edge) < 0 && edgeLine[edge] > graph.startLine(node),
  );
}

/** Folders from which sites are served. */
const SERVED = /(?:^|\/)(?:static|public|assets|www|wwwroot|htdocs|webroot|webapp)\//i;

/** Why other code may use what only its file seems to see: pages share the names of scripts, and other programs read files of their kind. */
function excuseOfFile(graph: Graph, node: number): Excuse | null {
  const file = graph.fileOf(node);
  const { path, language } = graph.tables.files[file];
  if (isGlobal(graph, node)) {
    if (PAGE.test(path) ? loadsOutside(graph, file) : SERVED.test(path) || mayBeLoaded(graph, file))
      return { verdict: 'exported', reason: 'other scripts of its page may use it' };
  }
  if (includesUnknownBehind(graph, node))
    return { verdict: 'framework', reason: 'a file that is included behind it is not known here and may use it' };
  const { extensions = [], sharedExtensions = [] } = languageOf(language) ?? {};
  const extension = /[^/.]\.([^/.]+)$/.exec(path)?.[1].toLowerCase();
  if (extension === undefined || extensions.length === 0) return null;
  if (extensions.includes(extension) || sharedExtensions.includes(extension)) return null;
  return {
    verdict: 'framework',
    reason: `only its text shows that its file is ${language}, so another tool may read it`,
  };
}

/** Values that can have the name of their type: `ProviderCache ProviderCache = new()`. */
const HOLDERS: ReadonlySet<NodeKind> = new Set(['field', 'property', 'constant', 'variable']);

/**
 * Is another type of this name, or a value, used, which is in its file or is used beside it? A type can be written several times: for
 * some arguments of a template, or for other platforms. Two namespaces can have types of one name.
 */
function hasUsedNamesake(graph: Graph, node: number): boolean {
  if (!isType(graph, node)) return false;
  const file = graph.fileOf(node);
  const folder = folderOf(graph.path(node));
  return graph.namesakes(node).some((other) => {
    if (other === node || !(isType(graph, other) || HOLDERS.has(graph.kind(other)))) return false;
    if (graph.fileOf(other) === file) return graph.incoming(other).length > 0;
    return [...graph.incoming(other)].some((edge) => folderOf(graph.path(graph.source(edge))) === folder);
  });
}

/** Maximum number of ancestors of a type that are visited: a hostile family has no end. */
const MAX_ANCESTORS = 100;

/** A parent or ancestor outside of the repository, or a value of unknown type. */
function unknownParent(graph: Graph, type: number): string | null {
  const ancestors = new Set([type]);
  for (const each of ancestors) {
    for (const edge of inheritEdges(graph, each)) {
      const parent = graph.target(edge);
      if (parent < 0 || !isType(graph, parent)) return graph.edge(edge).name;
      if (ancestors.size < MAX_ANCESTORS) ancestors.add(parent);
    }
  }
  return null;
}

/** Values that JVM runtimes find by name when they write or read objects. */
const RUNTIME_VALUES: ReadonlySet<string> = new Set(['serialVersionUID', 'serialPersistentFields']);

/** Classes of files whose code is nobody's to remove, or is no code of the repository. */
const UNJUDGED: ReadonlySet<string> = new Set(['generated', 'vendored', 'declaration', 'data']);

/** Examples can have declarations, too. */
function isUnjudged(graph: Graph, file: number): boolean {
  const { language, path } = graph.tables.files[file];
  return UNJUDGED.has(classOf(graph, file) ?? '') || conventionsOf(language).declarationPath?.test(path) === true;
}

function isJudged(graph: Graph, node: number): boolean {
  if (!JUDGED_KINDS.has(graph.kind(node)) || firstOf(graph, node) !== node) return false;
  const file = graph.fileOf(node);
  if (isUnjudged(graph, file)) return false;
  const container = graph.container(node);
  const owner = graph.kind(container);
  // Code may need them to implement an interface; a type within a description of another one only narrows that.
  if (owner === 'interface' || owner === 'trait' || (owner === 'type' && graph.kind(node) === 'type')) return false;
  // A type that describes an object names values that other code puts into it. Unused locals are the task of compilers.
  const isHeld = owner !== 'type' && (graph.isFile(container) || isType(graph, container));
  if (isValue(graph, node) && (!isHeld || RUNTIME_VALUES.has(graph.name(node)))) return false;
  return graph.tables.files[file].state === 'linked' && IDENTIFIER.test(graph.name(node));
}

/** Is it a function of which nothing is claimed, such as one of a trait, of generated code, or with a name in quotes? What it uses may run. */
const mayRunUnjudged = (graph: Graph, node: number): boolean =>
  isFunction(graph, node) && firstOf(graph, node) === node && !isJudged(graph, node);

/**
 * Number of definitions without a use in one file whose names begin alike, from which on something is thought to find them by name. It
 * is smaller where calls by name are usual.
 */
const MANY_ALIKE = { stated: 12, unstated: 4 } as const;
/** A name that ends with one of a type, such as a visitor puts together: `cmp_Symbol`. */
const ENDS_WITH_TYPE = /^_{0,2}\p{Ll}[\p{Ll}\d_]*_\p{Lu}\p{L}*\p{Ll}\p{L}*$/u;

/** Definitions of one file and kind whose names begin with the same word, if there are too many to be all dead: `prop_add`, `prop_drop`… */
export function manyAlike(graph: Graph, nodes: readonly number[]): number[] {
  const groups = new Map<string, number[]>();
  for (const node of nodes) {
    const first = /^_{0,2}(?:\p{L}[\p{Ll}\d]*_|[\p{Ll}\d]+(?=\p{Lu}))/u.exec(graph.name(node))?.[0];
    if (first === undefined || !isFunction(graph, node)) continue;
    addTo(groups, `${graph.fileOf(node)} ${first}`, node);
  }
  const isUnstated = (node: number) => semanticsOf(graph.tables.files[graph.fileOf(node)].language).unstatedTypes;
  const many = ([node, ...rest]: number[]) =>
    rest.length + 1 >= (isUnstated(node) ? MANY_ALIKE.unstated : MANY_ALIKE.stated);
  const typed = nodes.filter(
    (node) => isFunction(graph, node) && isUnstated(node) && ENDS_WITH_TYPE.test(graph.name(node)),
  );
  return [...[...groups.values()].filter(many).flat(), ...typed];
}

/** Number of subtypes of one type without a use, from which on something is thought to find them. */
const MANY_SUBTYPES = 3;

/** Types that inherit from one type of the repository, if too many of them have no use: reflection may make each. */
export function manySubtypes(graph: Graph, nodes: readonly number[]): number[] {
  const groups = new Map<number, number[]>();
  for (const node of nodes) {
    if (!isType(graph, node)) continue;
    for (const parent of new Set(Array.from(inheritEdges(graph, node), (edge) => graph.target(edge))))
      if (parent >= 0) addTo(groups, parent, node);
  }
  return [...groups.values()].filter((group) => group.length >= MANY_SUBTYPES).flat();
}

export const SUBTYPES: Excuse = {
  verdict: 'indirect',
  reason: 'several types that inherit from the same one have no use, so something may find them by it',
};

export const ALIKE: Excuse = {
  verdict: 'indirect',
  reason: 'its name is like that of others without a use, or ends with one of a type: something may find them by name',
};

/** Is it inside of a definition that is unused with the same certainty? */
function isInside(graph: Graph, node: number, found: ReadonlyMap<number, Unused>): boolean {
  const rank = (at: number) => CERTAINTIES.indexOf(found.get(at)?.certainty ?? 'possible');
  for (let at = graph.container(node); at >= 0; at = graph.container(at))
    if (found.has(at) && rank(at) <= rank(node)) return true;
  return false;
}

// The walk along all edges between symbols.

/** Mark of a definition whose code runs; the code of a variable is its first value. */
const RUNS = 1;
/** Mark of a definition that running code names. */
const USED = 2;

/** Definitions that are no values, and whose code runs with the enclosing one, whether or not something names them. */
const PART_KINDS: ReadonlySet<NodeKind> = new Set([
  'constructor',
  'impl',
  'key',
  'module',
  'namespace',
  'macro',
  'object',
]);

class Reachable {
  private readonly state: Uint8Array;
  private readonly waiting: number[] = [];
  private readonly parts: Parts;
  /** By type that nothing uses yet: members that override one which runs. */
  private readonly overriding = new Map<number, number[]>();

  /** `without`: nodes to treat as deleted. */
  constructor(
    private readonly graph: Graph,
    private readonly without: ReadonlySet<number> = new Set(),
  ) {
    this.state = new Uint8Array(graph.nodeCount);
    this.parts = partsOf(graph);
  }

  /** Adds starting points, and everything that they reach. */
  add(nodes: Iterable<number>): void {
    for (const node of nodes) this.use(node);
    for (let node = this.waiting.pop(); node !== undefined; node = this.waiting.pop()) this.walk(node);
  }

  runs(node: number): boolean {
    return (this.state[node] & RUNS) !== 0;
  }

  isUsed(node: number): boolean {
    return (this.state[node] & USED) !== 0;
  }

  private use(node: number): void {
    if (this.without.has(node)) return;
    this.state[node] |= USED;
    this.run(node);
    const overriding = this.overriding.get(node);
    if (overriding === undefined) return;
    this.overriding.delete(node);
    for (const member of overriding) this.use(member);
  }

  private run(node: number): void {
    if (this.runs(node) || this.without.has(node)) return;
    this.state[node] |= RUNS;
    this.waiting.push(node);
  }

  private walk(node: number): void {
    const { graph } = this;
    const { edgeBase, edgeTo } = graph.tables;
    const container = graph.container(node);
    // A member is reached through its type. Code at the top of a file is a starting point of its own.
    if (container >= 0 && !graph.isFile(container)) this.use(container);
    for (const part of this.parts.of(node)) {
      if (isValue(graph, part)) this.run(part);
      else this.use(part);
    }
    this.overriders(node);
    for (let edge = edgeBase[node]; edge < edgeBase[node + 1]; edge++) {
      const to = edgeTo[edge];
      if (to < 0 || graph.isFile(to)) continue;
      for (const declared of overloadsOf(graph, to)) this.use(declared);
    }
  }

  /** A call of a member runs those that override it, in types that are used. */
  private overriders(node: number): void {
    const { graph, overriding } = this;
    if (graph.isFile(node) || !isFunction(graph, node)) return;
    for (const member of overridersOf(graph, node)) {
      const type = graph.container(member);
      const parts = partsOfType(graph, type);
      if (parts.some((part) => this.isUsed(part))) this.use(member);
      else for (const part of parts) addTo(overriding, part, member);
    }
  }
}

/** Definitions inside of another one that run with it. */
interface Parts {
  of: (node: number) => Iterable<number>;
}

const partsOf = onePer(findParts);

function findParts(graph: Graph): Parts {
  const byContainer = new Map<number, number[]>();
  for (let file = 0; file < graph.fileCount; file++) {
    const first = graph.fileNode(file);
    for (let node = first + 1; node < lastNodeOf(graph, first); node++) {
      if (!runsWithContainer(graph, node)) continue;
      addTo(byContainer, graph.container(node), node);
    }
  }
  return { of: (node) => byContainer.get(node) ?? [] };
}

/** Does a definition run with the enclosing one, or can code reach it without naming it? */
function runsWithContainer(graph: Graph, node: number): boolean {
  const kind = graph.kind(node);
  if (isValue(graph, node) || PART_KINDS.has(kind)) return true;
  if (!isFunction(graph, node) || kind === 'function') return false;
  return isRuntimeHook(graph, node) || isHeld(graph, node);
}

/** A private name by convention; one between two underscores is part of a protocol. */
const PRIVATE_NAME = /^(?:#|_(?!.*_$))/;

/** Is it a member of an object or of an anonymous type? In some languages, members of all types that stay in their file count. */
function isHeld(graph: Graph, node: number): boolean {
  const container = graph.container(node);
  if (container < 0 || graph.isFile(container)) return false;
  // `Cart.prototype.total = …` stands behind the function `Cart`, which is the type of its objects.
  const isOfPrototype = isFunction(graph, container) && graph.startLine(node) > graph.endLine(container);
  if (!isOfPrototype && !isType(graph, container)) return true;
  const { untypedMembers, structuralInterfaces } = conventionsOf(graph.tables.files[graph.fileOf(node)].language);
  // Packages outside of the repository have interfaces too: a member with a small first letter implements none of them.
  if (structuralInterfaces === true) return /^\p{Lu}/u.test(graph.name(node));
  return untypedMembers === true && !graph.isExported(container) && !PRIVATE_NAME.test(graph.name(node));
}
