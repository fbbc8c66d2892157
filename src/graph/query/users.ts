/**
 * Walks against the edges from a definition to its users and their users, for impact and for reaching tests. Also uses of a name
 * without a known target, with the likelihood that each means a symbol of that name, and the order of uses in answers.
 */
import { onePer } from '../../base/cache.js';
import { conventionsOf, sameFamily, semanticsOf } from '../../languages/registry.js';
import type { Use } from '../../questions/graph/output.js';
import type { Graph, NodeKind } from '../graph.js';
import { CONFIDENCE, type EdgeKind, EVIDENCE_TIERS, type EvidenceTier, FILE_EDGE_KINDS } from '../tables.js';
import { isUnusedPart } from './file-edges.js';
import { byPlace, isInnerTest, isProduction, isRunnableTest, packageReach } from './node-place.js';
import { firstOf, overloadsOf } from './overloads.js';
import {
  CALL_KINDS,
  descendants,
  encloses,
  isFunction,
  isLocalFunction,
  isLocalType,
  isOwnOfModule,
  isPlain,
  isType,
  languageOf,
  makersOf,
  overriddenBy,
  overridersOf,
  RUN_KINDS,
} from './uses.js';

/**
 * `overrides`: it uses the member of a parent type that the previous node overrides. `contains`: the previous node contains it. `named`: it
 * states a name by which the previous node runs, as that of an event, and asks for no route.
 */
type UserKind = EdgeKind | 'overrides' | 'contains' | 'named';

/** A node on the way from a use to the definition that is finally used. */
export interface User {
  node: number;
  hop: number;
  how: UserKind;
  /** Evidence: a line of the node's file. */
  line: number;
  /** Likelihood that all steps to it are right. */
  confidence: number;
  /** Node that it uses. */
  via: number;
  /** Is a step to it likely, and not proven? */
  isLikely?: boolean;
}

interface WalkOptions {
  depth: number;
  /** Leaves out less likely users. */
  minConfidence?: number;
}

/** Nodes that use the seeds, directly or through others, each once with its fewest hops; nearest first. */
export function walkUsers(graph: Graph, seeds: readonly number[], options: WalkOptions): User[] {
  return new Walk(graph, seeds, options).run();
}

/** Marks in columns: a walk passes most nodes of a graph, and maps would take ten times as long. */
interface Marks {
  /** By node: number of the last walk that saw it. */
  seen: Uint32Array;
  /** By node: number of the last hop that found it, and its index in the results of that hop. */
  hop: Uint32Array;
  slot: Uint32Array;
  walks: number;
  hops: number;
}

const marksOf = onePer((graph: Graph): Marks => {
  const column = () => new Uint32Array(graph.nodeCount);
  return { seen: column(), hop: column(), slot: column(), walks: 0, hops: 0 };
});

const LIKELY = EVIDENCE_TIERS.indexOf('likely');
const CONFIDENCES = EVIDENCE_TIERS.map((tier) => CONFIDENCE[tier]);

/** A node from which a walk goes on. */
type Step = Pick<User, 'node' | 'confidence' | 'isLikely'>;

class Walk {
  private readonly found: User[] = [];
  private readonly marks: Marks;
  private readonly walk: number;
  private readonly least: number;
  /** Files whose imports are followed: requested files, and files that import one, but not each file with a use in it. */
  private readonly asFile: Set<number>;
  /** Number of the current hop. */
  private hop = 0;
  private via = 0;
  private confidence = 1;
  private isLikely = false;

  constructor(
    private readonly graph: Graph,
    private readonly seeds: readonly number[],
    private readonly options: WalkOptions,
  ) {
    this.marks = marksOf(graph);
    this.walk = ++this.marks.walks;
    this.least = options.minConfidence ?? 0;
    this.asFile = new Set(seeds.filter((node) => graph.isFile(node)));
  }

  run(): User[] {
    const { graph, found, marks: columns, asFile, walk } = this;
    for (const seed of this.seeds) columns.seen[seed] = walk;
    let level: readonly Step[] = this.seeds.map((node) => ({ node, confidence: 1, isLikely: false }));
    for (this.hop = 1; this.hop <= this.options.depth && level.length > 0; this.hop++) {
      columns.hops++;
      const before = found.length;
      this.step(level);
      level = found.slice(before);
      for (const { node } of level) columns.seen[node] = walk;
      for (const { node, how } of found.slice(before))
        if (graph.isFile(node) && FILE_EDGE_KINDS.has(how as EdgeKind)) asFile.add(node);
    }
    return found;
  }

  private step(level: readonly Step[]): void {
    const { graph, asFile } = this;
    // Declarations that share a body share their users: a generated file has thousands of them.
    const walked = new Map<number, number>();
    for (const { node, confidence, isLikely } of level) {
      this.via = node;
      this.isLikely = isLikely === true;
      this.confidence = confidence;
      const first = firstOf(graph, node);
      if ((walked.get(first) ?? -1) < confidence) {
        walked.set(first, confidence);
        for (const declared of overloadsOf(graph, node)) this.uses(declared, asFile.has(node));
      }
      if (!graph.isFile(node)) this.further(node);
    }
  }

  private uses(node: number, asFile: boolean): void {
    const { graph } = this;
    const { base, edges } = graph.incomingLists();
    for (let i = base[node]; i < base[node + 1]; i++)
      if (asFile ? !isUnusedPart(graph, edges[i]) : !graph.isFileEdge(edges[i]))
        this.edge(edges[i], stepOf(graph, edges[i]));
  }

  /** Adds uses of a constructor's class and of overridden members, and the function around a definition. */
  private further(node: number): void {
    const { graph } = this;
    const container = graph.container(node);
    if (graph.kind(node) === 'constructor') {
      // `new Cart()` is a use of the class.
      for (const edge of makersOf(graph, node)) this.edge(edge, 'new');
    } else {
      for (const { edge } of usesAbove(graph, node).mayRun) this.edge(edge, 'overrides');
    }
    if (!graph.isFile(container) && isFunction(graph, container))
      this.offer(container, {
        how: 'contains',
        line: graph.startLine(node),
        confidence: this.confidence,
        isLikely: this.isLikely,
      });
  }

  private edge(edge: number, how: UserKind): void {
    const { graph } = this;
    const { edgeLine, edgeTier } = graph.tables;
    const confidence = this.confidence * CONFIDENCES[edgeTier[edge]];
    const source = graph.source(edge);
    if (this.marks.seen[source] !== this.walk && confidence >= this.least)
      this.offer(source, {
        how,
        line: edgeLine[edge],
        confidence,
        isLikely: this.isLikely || edgeTier[edge] === LIKELY,
      });
  }

  private offer(
    node: number,
    { how, line, confidence, isLikely }: Pick<User, 'how' | 'line' | 'confidence' | 'isLikely'>,
  ): void {
    const { marks: columns, found } = this;
    if (columns.seen[node] === this.walk || confidence < this.least) return;
    const user = { node, how, line, confidence, isLikely, hop: this.hop, via: this.via };
    if (columns.hop[node] !== columns.hops) {
      columns.hop[node] = columns.hops;
      columns.slot[node] = found.push(user) - 1;
    } else if (found[columns.slot[node]].confidence < confidence) found[columns.slot[node]] = user;
  }
}

// Test files among the users.

/** Minimum depth of the search for tests. Of those at the fifth hop fewer than half ran the definition, in traced repositories. */
export const TEST_DEPTH = 4;

export interface ReachingTest {
  path: string;
  /** The test function, if it is a symbol. */
  symbol: string | null;
  hops: number;
  line: number;
  /** A step to it is likely, and not proven. */
  likely?: true;
}

/** Test files with their nearest use, nearest first. `users` comes from `walkUsers`. */
export function testsAmong(graph: Graph, users: readonly User[]): ReachingTest[] {
  const found = new Map<number, ReachingTest>();
  for (const { node, hop, line, isLikely } of users) {
    const file = graph.fileOf(node);
    if (found.has(file) || !(isRunnableTest(graph, file) || isInnerTest(graph, node, file))) continue;
    const symbol = graph.isFile(node) ? null : graph.qualifiedName(node);
    const path = graph.tables.files[file].path;
    found.set(file, { path, symbol, hops: hop, line, ...(isLikely && { likely: true as const }) });
  }
  return [...found.values()].sort((a, b) => a.hops - b.hops || (a.path < b.path ? -1 : 1));
}

/** Method and path of a route that is asked for; the others are messages, keys, and names of routes. */
const ROUTE = /^(?!(?:NAME|TAKE|TOPIC) )[A-Z|]+ /;

function stepOf(graph: Graph, edge: number): UserKind {
  const kind = graph.edgeKind(edge);
  if (kind !== 'request') return kind;
  const { edgeTier, edgeLiteral, strings } = graph.tables;
  return edgeTier[edge] !== LIKELY && ROUTE.test(strings[edgeLiteral[edge]]) ? kind : 'named';
}

const importingOf = onePer((_: Graph) => new Map<number, number>());

/** Counts test files that import one of these files, directly or through others: they may run it in ways that no call shows. */
export function countTestsImporting(graph: Graph, files: ReadonlySet<number>): number {
  if (files.size !== 1) return countImporting(graph, files);
  // Each changed symbol of a file asks for the same walk.
  const [file] = files;
  const known = importingOf(graph);
  const count = known.get(file) ?? countImporting(graph, files);
  known.set(file, count);
  return count;
}

function countImporting(graph: Graph, files: Iterable<number>): number {
  const marks = marksOf(graph);
  const walk = ++marks.walks;
  const { seen } = marks;
  const { base, edges, sources } = graph.incomingLists();
  const queue = [...files].map((file) => graph.fileNode(file));
  for (const node of queue) seen[node] = walk;
  let count = 0;
  for (const node of queue) {
    for (let i = base[node]; i < base[node + 1]; i++) {
      const source = sources[edges[i]];
      if (seen[source] === walk || !graph.isFileEdge(edges[i])) continue;
      seen[source] = walk;
      queue.push(source);
      if (isRunnableTest(graph, graph.fileOf(source))) count++;
    }
  }
  return count;
}

/** Hints that a use means a symbol. */
interface Hints {
  /** Number of definitions that it could mean. */
  candidates: number;
  /** The receiver is named like the type that has the member: `cart.total` for `Cart.total`. */
  isCalledLike: boolean;
  /** It is in the file of the definition, or in one that imports that file. */
  isNear: boolean;
}

/**
 * Share of possible uses that a compiler confirmed: by the number of candidates (up to the first number), then with
 * both hints (receiver's name and nearness), the name alone, nearness alone, none. Measured on fourteen repositories of
 * Python and TypeScript with 32,000 possible uses (docs/graph.md); a compiler without knowledge did not confirm.
 * Rounded; cells of fewer than 30 uses are merged with their neighbours.
 */
const SHARES: readonly [candidates: number, both: number, name: number, near: number, none: number][] = [
  [1, 0.09, 0.03, 0.11, 0.05],
  [4, 0.22, 0.05, 0.07, 0.01],
  [10, 0.22, 0.05, 0.07, 0.003],
  [Number.POSITIVE_INFINITY, 0.12, 0.003, 0.02, 0.001],
];

/**
 * Shares in languages whose values state no types, with a hint and without one. Fitted on traces of twelve test suites of Python and
 * JavaScript (16,187 possible uses) and checked on ten others (6,074): .20 and .17, .04 and .08. The table above did not hold there, cell by
 * cell; it orders such uses. In Ruby and PHP neither share held (.13 and .72, .29 and .15), so none is stated there.
 */
const UNTYPED_SHARES = { hint: 0.2, none: 0.05 } as const;

/**
 * How likely an edge of the symbol's name means the symbol: `likelihood`, 0 to 1, left out where no share held. Uses are ordered by `rank`,
 * highest first, and those of one rank by `order`, their share in the finer table, which is no likelihood where values state no types.
 */
export function likelihoods(
  graph: Graph,
  node: number,
): (edge: number) => { likelihood?: number; rank: number; order: number } {
  const cellAt = likelihoodCells(graph, node);
  return (edge) => {
    const [row, column] = cellAt(edge);
    const order = SHARES[row][column];
    const { language } = graph.tables.files[graph.fileOf(graph.source(edge))];
    const rank = column === 4 ? UNTYPED_SHARES.none : UNTYPED_SHARES.hint;
    if (!semanticsOf(language).unstatedTypes) return { likelihood: order, rank: order, order };
    return conventionsOf(language).possibleShares === false ? { rank, order } : { likelihood: rank, rank, order };
  };
}

/** Row and column of the table of shares for an edge of the symbol's name; the benchmark counts by them. */
function likelihoodCells(graph: Graph, node: number): (edge: number) => [row: number, column: 1 | 2 | 3 | 4] {
  const hintsAt = hintsOf(graph, node);
  return (edge) => {
    const { candidates, isCalledLike, isNear } = hintsAt(edge);
    const row = SHARES.findIndex(([most]) => candidates <= most);
    return [row, isCalledLike ? (isNear ? 1 : 2) : isNear ? 3 : 4];
  };
}

/**
 * Edges of the same name that have no target, although they do not lead out of the repository, and those to a method of a trait that it
 * implements, on values of unknown type.
 */
export function possibleUses(graph: Graph, node: number): number[] {
  const canMean = canMeanIt(graph, node);
  // A key of a literal, or an assignment, gives something else the name of a function, and runs no function of that name.
  const isUse = (edge: number) => graph.edgeKind(edge) !== 'write' || !isFunction(graph, node);
  const dangling = graph.danglingNamesakes(node).filter((edge) => graph.tier(edge) !== 'external' && canMean(edge));
  return [...dangling.filter(isUse), ...usesAbove(graph, node).open];
}

/**
 * Is it more likely a method of a collection or a string that an edge without a target means? Every type of the language
 * itself has one of that name, and the receiver is not called like the type of the symbol.
 */
export function meansContainer(graph: Graph, node: number): (edge: number) => boolean {
  const container = graph.container(node);
  if (container < 0 || graph.isFile(container)) return () => false;
  const name = graph.name(node);
  const owner = plain(graph.name(container));
  return (edge) => {
    const { from, receiver } = graph.edge(edge);
    const { containerNames } = conventionsOf(graph.tables.files[graph.fileOf(from)].language);
    return receiver !== '' && containerNames?.has(name) === true && !isAlike(receiverName(receiver), owner);
  };
}

const AMBIGUOUS = EVIDENCE_TIERS.indexOf('ambiguous');
const EXTERNAL = EVIDENCE_TIERS.indexOf('external');
/** Minimum number of calls that show something of a language. */
const MIN_CALLS = 20;

const sharesOf = onePer(countResolved);

/** Resolved share, 0 to 1, of a language's calls that may stay inside the repository; 1 for a few calls. */
export function resolvedCalls(graph: Graph, language: string): number {
  return sharesOf(graph).get(language) ?? 1;
}

function countResolved(graph: Graph): ReadonlyMap<string, number> {
  const { files, nodeBase, edgeBase, edgeTier } = graph.tables;
  const counts = new Map<string, { all: number; resolved: number }>();
  for (let file = 0; file < graph.fileCount; file++) {
    const { language } = files[file];
    const count = counts.get(language) ?? { all: 0, resolved: 0 };
    counts.set(language, count);
    for (let edge = edgeBase[nodeBase[file]]; edge < edgeBase[nodeBase[file + 1]]; edge++) {
      if (edgeTier[edge] === EXTERNAL || !RUN_KINDS.has(graph.edgeKind(edge))) continue;
      count.all++;
      if (edgeTier[edge] < AMBIGUOUS) count.resolved++;
    }
  }
  return new Map([...counts].map(([language, { all, resolved }]) => [language, all < MIN_CALLS ? 1 : resolved / all]));
}

/** Can an edge of the symbol's name mean it, judged by its language and by who can name the symbol? */
export function canMeanIt(graph: Graph, node: number): (edge: number) => boolean {
  const file = graph.fileOf(node);
  const { language } = graph.tables.files[file];
  const isOwn = isOwnOfModule(graph, node);
  const isLocal = isOfItsFunction(graph, node);
  const isInReach = packageReach(graph, node);
  const needsReceiver = isMemberAlone(graph, node);
  return (edge) => {
    const { from, receiver, kind } = graph.edge(edge);
    const at = graph.fileOf(from);
    if (isLocal) return receiver === '' && encloses(graph, graph.container(node), from);
    if (isOwn) return at === file && receiver === '';
    if (!sameFamily(language, graph.tables.files[at].language) || !isInReach(graph.path(from))) return false;
    // A key of a literal, and an argument with a name, stand without a receiver.
    if (receiver === '' && needsReceiver && kind !== 'write') return encloses(graph, graph.container(node), from);
    return !isOfOtherType(graph, node, from, receiver);
  };
}

/** Is it a type inside of a function, or a function that nothing holds as a value? Then only the function around it can name it, bare. */
function isOfItsFunction(graph: Graph, node: number): boolean {
  if (isLocalType(graph, node)) return true;
  if (!isLocalFunction(graph, node)) return false;
  const isHeld = (edge: number) => !CALL_KINDS.has(graph.edgeKind(edge));
  return !semanticsOf(languageOf(graph, node)).unstatedTypes || !graph.incoming(node).some(isHeld);
}

/** Is it a member of a type that code outside of the type names through a value alone? Values of enumerations can be imported. */
function isMemberAlone(graph: Graph, node: number): boolean {
  const container = graph.container(node);
  if (container < 0 || graph.isFile(container) || !INSTANCE_KINDS.has(graph.kind(container))) return false;
  return MEMBER_KINDS.has(graph.kind(node)) && conventionsOf(languageOf(graph, node)).memberReceivers === 'always';
}

const INSTANCE_KINDS: ReadonlySet<NodeKind> = new Set(['class', 'struct', 'interface', 'trait', 'impl']);
const MEMBER_KINDS: ReadonlySet<NodeKind> = new Set(['method', 'field', 'property']);

/**
 * Does a use on the object itself, or on what it inherits, stand in a type that has nothing to do with the one of the member? `super` asks
 * the ancestors of a type, and no type outside of the repository inherits from one in it.
 */
function isOfOtherType(graph: Graph, node: number, from: number, receiver: string): boolean {
  if (receiver !== 'this' && receiver !== 'super') return false;
  const owner = graph.container(node);
  if (conventionsOf(languageOf(graph, node)).boundThis !== true || !isInstanceMember(graph, node)) return false;
  let type = from;
  while (type >= 0 && !graph.isFile(type) && !isType(graph, type)) type = graph.container(type);
  if (type < 0 || graph.kind(type) !== 'class' || encloses(graph, owner, type)) return false;
  const below = descendants(graph, owner);
  return (
    type !== owner && !below.has(type) && [...descendants(graph, type)].every((one) => one !== owner && !below.has(one))
  );
}

function isInstanceMember(graph: Graph, node: number): boolean {
  const owner = graph.container(node);
  return !graph.isFile(node) && !graph.isFile(owner) && INSTANCE_KINDS.has(graph.kind(owner));
}

/** Hints for an edge of the symbol's name. */
function hintsOf(graph: Graph, node: number): (edge: number) => Hints {
  const candidates = graph.namesakes(node).filter((other) => !isPlain(graph, other)).length;
  const owner = ownerOf(graph, node);
  const near = importersOf(graph, graph.fileOf(node));
  return (edge) => ({
    candidates,
    isCalledLike: owner !== '' && isAlike(receiverName(graph.edge(edge).receiver), owner),
    isNear: near.has(graph.fileOf(graph.source(edge))),
  });
}

/** Plain name of the type that a symbol is a member of; '' for none. */
function ownerOf(graph: Graph, node: number): string {
  const container = graph.container(node);
  return container < 0 || graph.isFile(container) || !isType(graph, container) ? '' : plain(graph.name(container));
}

/** Several words in one name: `readCart`, `read_cart`. Libraries have few of these in common with a repository. */
const COMPOSITE = /[\p{Ll}\d]\p{Lu}|[\p{L}\d]_[\p{L}\d]/u;

/**
 * Is there evidence that an edge without a target means this symbol, other than the name? The receiver is called like
 * the type of the symbol, or nothing else has the name: no other definition, no use that leads out of the repository, and
 * few uses without a target, since many of them mean a member of a library.
 */
export function evidenceFor(graph: Graph, node: number): (receiver: string) => boolean {
  const owner = ownerOf(graph, node);
  const name = graph.name(node);
  const others = graph.namesakes(node).some((other) => other !== node && !isPlain(graph, other));
  const isUnique = !others && (owner === '' ? !isBuiltin(graph, node) : COMPOSITE.test(name) && isRare(graph, node));
  return (receiver) => isUnique || (owner !== '' && isAlike(receiverName(receiver), owner));
}

/** Have few uses without a target the name, and none that leads out of the repository? Otherwise members of libraries have it, too. */
function isRare(graph: Graph, node: number): boolean {
  const uses = graph.danglingNamesakes(node);
  return uses.length <= MAX_RARE && uses.every((edge) => graph.tier(edge) !== 'external');
}

const MAX_RARE = 3;

function isBuiltin(graph: Graph, node: number): boolean {
  const { builtins } = conventionsOf(graph.tables.files[graph.fileOf(node)].language);
  return builtins?.has(graph.name(node)) === true;
}

function importersOf(graph: Graph, file: number): ReadonlySet<number> {
  const found = new Set([file]);
  for (const edge of graph.incoming(graph.fileNode(file))) {
    if (graph.isFileEdge(edge)) found.add(graph.fileOf(graph.source(edge)));
  }
  return found;
}

/** Last name of a receiver: `items` of `this.cart.items[]`. */
function receiverName(receiver: string): string {
  return plain(/([\p{L}\p{N}_$]+)(?:\([^)]*\)|\[\])*$/u.exec(receiver)?.[1] ?? '');
}

const plain = (name: string): string => name.replace(/[_$#]/g, '').toLowerCase();

/** Do the names resemble each other, as `column` and `ColumnMetadata`, `loadedPost` and `Post` do? */
function isAlike(receiver: string, owner: string): boolean {
  if (receiver.length < 3 || owner.length < 3) return receiver !== '' && receiver === owner;
  const one = receiver.replace(/s$/, '');
  return owner.startsWith(one) || owner.endsWith(one) || receiver.endsWith(owner) || one.endsWith(owner);
}

/** Sorts in place: production code before tests and copies, direct uses before those of an overridden member, then by place. */
export function sortUses(graph: Graph, uses: Use[]): Use[] {
  const rank = ({ path, through }: Use) =>
    (isProduction(graph, graph.findFile(path)) ? 0 : 2) + (through === undefined ? 0 : 1);
  return uses.sort((a, b) => rank(a) - rank(b) || byPlace(a, b));
}

// Uses through what a member overrides.

/** Uses of the members that a member overrides: those that may run it, and those whose receiver's type nothing tells. */
export interface UsesAbove {
  mayRun: { parent: number; edge: number }[];
  open: number[];
}

export function usesAbove(graph: Graph, member: number): UsesAbove {
  const found: UsesAbove = { mayRun: [], open: [] };
  for (const parent of overriddenBy(graph, member)) {
    const isOneOfMany = overridersOf(graph, parent).length > 1;
    for (const edge of graph.incoming(parent)) {
      if (isOneOfMany && isOfAnyType(graph, edge)) found.open.push(edge);
      else if (canBeAmong(graph, { edge, parent, member })) found.mayRun.push({ parent, edge });
    }
  }
  return found;
}

/** Uses of members above several nodes, each once: a declaration and its body override the same member. */
export function usesAboveAll(graph: Graph, nodes: readonly number[]): UsesAbove['mayRun'] {
  const found = new Map<number, UsesAbove['mayRun'][number]>();
  for (const node of nodes)
    if (!graph.isFile(node))
      for (const use of usesAbove(graph, node).mayRun) if (!found.has(use.edge)) found.set(use.edge, use);
  return [...found.values()];
}

/** Evidence for a member that is found by its name, not by the type of the receiver. */
const NAMED_TIERS: ReadonlySet<EvidenceTier> = new Set(['same-file', 'imported', 'reexported', 'package']);

/** Is it the method of a trait on a value of unknown type? The compiler chooses one of the implementations, and the text does not say which. */
function isOfAnyType(graph: Graph, edge: number): boolean {
  if (graph.edgeKind(edge) !== 'call' || !NAMED_TIERS.has(graph.tier(edge))) return false;
  return (
    graph.edge(edge).receiver !== '' &&
    semanticsOf(graph.tables.files[graph.fileOf(graph.source(edge))].language).traitMethods
  );
}

/** A receiver that is a type or is made on the spot: `Cart`, `Cart()`, `new Cart()`. */
const TYPE_RECEIVER = /^(?:new )?(\p{Lu}\w*)(?:\(\))?$/u;

/**
 * Can the receiver of a use of an inherited member be of the type of a member that overrides it? A value of one subtype is none of its
 * siblings, unless a type inherits from both. Only receivers whose text tells the type are judged. A name that many types have means
 * those which inherit the member.
 */
function canBeAmong(graph: Graph, { edge, parent, member }: Record<'edge' | 'parent' | 'member', number>): boolean {
  if (graph.tier(edge) !== 'inherited') return true;
  const { from, receiver } = graph.edge(edge);
  const family = descendants(graph, graph.container(parent));
  const isOwn = receiver === 'this' || receiver === 'super' || receiver === '';
  const types = isOwn
    ? typesAround(graph, from, family)
    : graph.nodesNamed(TYPE_RECEIVER.exec(receiver)?.[1] ?? '').filter((type) => family.has(type));
  if (types.length === 0) return true;
  const own = graph.container(member);
  if (receiver === 'super' && types.some((type) => type === own || descendants(graph, type).has(own))) return false;
  const below = descendants(graph, own);
  return types.some(
    (type) =>
      type === own || below.has(type) || [...descendants(graph, type)].some((one) => one === own || below.has(one)),
  );
}

/** The nearest type around a node that is among these, with its other definitions: a type can be opened several times. */
function typesAround(graph: Graph, node: number, among: ReadonlySet<number>): number[] {
  let at = node;
  while (at >= 0 && !graph.isFile(at) && !among.has(at)) at = graph.container(at);
  if (at < 0 || graph.isFile(at)) return [];
  const name = graph.qualifiedName(at);
  return graph.namesakes(at).filter((other) => among.has(other) && graph.qualifiedName(other) === name);
}
