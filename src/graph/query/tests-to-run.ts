/**
 * Tests to run after a change, in two tiers. *Will*: calls lead from the test to the change, or a walk forward from the test
 * reaches it with a high share; first those that are known to have run it. *May*: the walk reaches it with a lower share, or the test
 * imports its file, directly or through others, or has its name.
 */
import { onePer } from '../../base/cache.js';
import { addTo, getOrMake, indexIn } from '../../base/lists.js';
import type { Graph } from '../graph.js';
import { EDGE_KINDS, FILE_EDGE_KINDS } from '../tables.js';
import { folderOf, isRuntimeHook } from './entry-patterns.js';
import { isRunnableTest } from './node-place.js';
import { overloadsOf } from './overloads.js';
import { type ReachingTest, testsAmong, type User } from './users.js';
import { childrenOf, directMembers, inheritEdges, isFunction, isType, overridersOf } from './uses.js';

/**
 * `ran`: a coverage report says so, of the very same bytes. `changes`: the test itself differs. `calls`: uses lead from the test to the
 * change. `reaches`: the change runs where everything does that the test names, makes and calls by name. `imports`: the test imports its
 * file. `named`: the test has the name of its file.
 */
export type TestReason = 'ran' | 'changes' | 'calls' | 'reaches' | 'imports' | 'named';

export interface TestToRun extends ReachingTest {
  reason?: TestReason;
  /** Run that a report is of. */
  ran?: string;
}

/** A test file that a report says ran something, and in which run; without a path where the report names none. */
export interface RanTest {
  path: string | null;
  by: string;
}

/** Puts tests that are known to have run it first, in place of what is guessed of them. */
export function ranFirst<T extends ReachingTest>(tests: readonly T[], ran: readonly RanTest[]): (T | TestToRun)[] {
  const known = new Map<string, ReachingTest>(tests.map((test) => [test.path, test]));
  const paths = new Set(ran.map(({ path }) => path));
  const first = ran.flatMap(({ path, by }): TestToRun[] => {
    if (path === null) return [];
    const { likely: _, ...guessed } = known.get(path) ?? { path, symbol: null, hops: 0, line: 1 };
    return [{ ...guessed, reason: 'ran', ran: by }];
  });
  return [...first, ...tests.filter(({ path }) => !paths.has(path))];
}

export interface TestsToRun {
  /** Nearest first, then by share. */
  will: TestToRun[];
  /** By share, then by name, then by distance of imports. */
  may: TestToRun[];
}

/**
 * Shares from which on a test counts as one that runs a definition, if it imports the file through others, if it does so itself, and if it
 * has the file's name as well. Chosen on traced repositories (docs/graph.md): where tests are named after files nine in ten ran it with a
 * low share, and elsewhere one in four did.
 */
const WILL = 0.6;
const WILL_DIRECTLY = 0.5;
const WILL_NAMED = 0.1;
/** Hops from which on a test that calls lead from needs a share as well, and this share: in four more repositories, with less .4 ran it. */
const FAR = 4;
const WILL_FAR = 0.3;
/** Most edges that the walks of one answer follow: about a fifth of a second. */
const MOST_EDGES = 600_000;

/** `users`: what `walkUsers` found from the nodes. `known`: tests that change themselves. `ran`: those that evidence names. */
export function testsToRun(
  graph: Graph,
  nodes: readonly number[],
  { users, known, ran = [] }: { users: readonly User[]; known: readonly ReachingTest[]; ran?: readonly RanTest[] },
): TestsToRun {
  const seen = new Set(known.map(({ path }) => path));
  const isNew = ({ path }: ReachingTest) => !seen.has(path);
  const guessed: TestToRun[] = known.map((test) => ({ ...test, reason: 'changes' }));
  const run = new TestRun(graph, MOST_EDGES);
  // A walk back can pass a place that a walk forward never comes to, such as a member of a type that nothing makes.
  const further: (TestToRun & { share: number; isNamed: boolean })[] = [];
  const byParent = testsByParent(graph, users);
  for (const test of testsAmong(graph, users).filter(isNew)) {
    const file = graph.findFile(test.path);
    const share = test.hops === 1 && !byParent.has(file) ? 1 : (run.shareOf(file, nodes) ?? 1);
    if (share === 0) continue;
    if (test.hops < FAR || share >= WILL_FAR) guessed.push({ ...test, reason: 'calls' });
    else further.push({ ...test, reason: 'calls', share, isNamed: false });
  }
  const will = ranFirst(guessed, ran);
  for (const { path } of [...will, ...further]) seen.add(path);
  for (const { file, distance, isNamed } of candidates(graph, nodes)) {
    const { path } = graph.tables.files[file];
    if (seen.has(path)) continue;
    const share = run.shareOf(file, nodes, false) ?? 0;
    const reason: TestReason = share > 0 ? 'reaches' : distance > 0 ? 'imports' : 'named';
    further.push({ path, symbol: null, hops: distance, line: 1, reason, share, isNamed });
  }
  further.sort((a, b) => b.share - a.share || Number(b.isNamed) - Number(a.isNamed) || a.hops - b.hops);
  const shown = ({ share, isNamed, ...test }: (typeof further)[number]): TestToRun => test;
  const willRun = ({ share, hops, reason, isNamed }: (typeof further)[number]) =>
    reason !== 'calls' && share >= (hops > 1 ? WILL : isNamed ? WILL_NAMED : WILL_DIRECTLY);
  return {
    will: [...will, ...further.filter(willRun).map(shown)],
    may: further.filter((test) => !willRun(test)).map(shown),
  };
}

/** Tests that uses lead from, without those that make no type whose member runs in place of the general one that they call. */
export function reachingTests(graph: Graph, nodes: readonly number[], users: readonly User[]): ReachingTest[] {
  const tests = testsAmong(graph, users);
  const byParent = testsByParent(graph, users);
  if (!tests.some(({ path }) => byParent.has(graph.findFile(path)))) return tests;
  const run = new TestRun(graph, MOST_EDGES);
  const comesThere = (file: number) => !byParent.has(file) || run.shareOf(file, nodes) !== 0;
  return tests.filter(({ path }) => comesThere(graph.findFile(path)));
}

/** Files whose nearest use comes there by a member that is overridden: whether the test makes a type that overrides it is not known yet. */
function testsByParent(graph: Graph, users: readonly User[]): Set<number> {
  // Nearest first, so that what a node uses is known before it.
  const byParent = new Map<number, boolean>();
  const files = new Map<number, boolean>();
  for (const { node, how, via } of users) {
    const isByParent = how === 'overrides' || byParent.get(via) === true;
    if (!byParent.has(node)) byParent.set(node, isByParent);
    const file = graph.fileOf(node);
    if (!files.has(file)) files.set(file, isByParent);
  }
  return new Set([...files].flatMap(([file, isSo]) => (isSo ? [file] : [])));
}

interface CandidateTest {
  file: number;
  /** Imports between the test and the file of the change; 0 for none. */
  distance: number;
  isNamed: boolean;
}

/** Tests that import one of the files, directly or through others, and tests of the same name; likeliest first. */
function candidates(graph: Graph, nodes: readonly number[]): CandidateTest[] {
  const files = new Set(nodes.map((node) => graph.fileOf(node)));
  const names = new Set([...files].map((file) => stemOf(graph.tables.files[file].path)));
  const found: CandidateTest[] = [];
  const isNamed = (file: number) => names.has(stemOf(graph.tables.files[file].path));
  const distances = new Map([...files].map((file) => [graph.fileNode(file), 0]));
  const packages = packagesOf(graph);
  for (const [node, distance] of distances) {
    const file = graph.fileOf(node);
    if (distance > 0 && isRunnableTest(graph, file)) found.push({ file, distance, isNamed: isNamed(file) });
    const addBehind = (source: number) => {
      if (!distances.has(source)) distances.set(source, distance + 1);
    };
    for (const edge of graph.incoming(node))
      if (graph.isFileEdge(edge)) addBehind(graph.fileNode(graph.fileOf(graph.source(edge))));
    for (const inside of packages.inside(file)) addBehind(graph.fileNode(inside));
  }
  const { tests, sources } = stemsOf(graph);
  const named = [...names].flatMap((name) => tests.get(name) ?? []);
  for (const file of named) {
    // A test that stands beside another file of the name is that file's.
    const beside = sources.get(placeOf(graph.tables.files[file].path)) ?? [];
    const isOther = beside.length > 0 && !beside.some((source) => files.has(source));
    if (!isOther && !distances.has(graph.fileNode(file))) found.push({ file, distance: 0, isNamed: true });
  }
  return found.sort((a, b) => Number(b.isNamed) - Number(a.isNamed) || a.distance - b.distance || a.file - b.file);
}

/** Files that run before any other file of their folder: `__init__.py`. */
const PACKAGE = /(?:^|\/)__init__\.py$/;

interface Packages {
  /** Files that load this one before themselves, since it begins their package. */
  inside(file: number): readonly number[];
  /** Beginnings of the packages that a file is in. */
  around(file: number): readonly number[];
}

const known = new WeakMap<Graph, Packages>();

function packagesOf(graph: Graph): Packages {
  let found = known.get(graph);
  if (found !== undefined) return found;
  const byFolder = new Map<string, number>();
  for (let file = 0; file < graph.fileCount; file++)
    if (PACKAGE.test(graph.tables.files[file].path)) byFolder.set(folderOf(graph.tables.files[file].path), file);
  const around = (file: number): number[] => {
    const all: number[] = [];
    const { path } = graph.tables.files[file];
    for (let folder = folderOf(path); ; folder = folderOf(folder.slice(0, -1))) {
      const first = byFolder.get(folder);
      if (first === undefined) break;
      if (first !== file) all.push(first);
      if (folder === '') break;
    }
    return all;
  };
  const inside = new Map([...byFolder.values()].map((first) => [first, [] as number[]]));
  if (byFolder.size > 0)
    for (let file = 0; file < graph.fileCount; file++) for (const first of around(file)) inside.get(first)?.push(file);
  found = { around, inside: (file) => inside.get(file) ?? [] };
  known.set(graph, found);
  return found;
}

interface Stems {
  /** Test files by the name that they share with what they test. */
  tests: Map<string, number[]>;
  /** Other files of code by their folder and that name. */
  sources: Map<string, number[]>;
}

const STEMS = new WeakMap<Graph, Stems>();

function stemsOf(graph: Graph): Stems {
  const known = STEMS.get(graph);
  if (known !== undefined) return known;
  const stems: Stems = { tests: new Map(), sources: new Map() };
  for (const [file, { path }] of graph.tables.files.entries()) {
    const [map, key] = isRunnableTest(graph, file) ? [stems.tests, stemOf(path)] : [stems.sources, placeOf(path)];
    addTo(map, key, file);
  }
  STEMS.set(graph, stems);
  return stems;
}

/** Folder of a file and the name that it shares with its tests. */
const placeOf = (path: string): string => folderOf(path) + stemOf(path);

/** Name that a file shares with its tests: `cart` of `cart.ts`, `test_cart.py`, `CartTest.java` and `cart_spec.rb`. */
function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const stem = name.slice(0, name.indexOf('.', 1) < 0 ? name.length : name.indexOf('.', 1));
  return stem.replace(/^(?:test|tests|spec)[_-]|(?:[_-](?:test|tests|spec)|Tests?|Spec|IT)$/g, '').toLowerCase();
}

/** Shares of uses that run when the code around them does. Those of values and failures are counted on two traced repositories. */
const SHARES = {
  /** The test itself names it. */
  test: 0.97,
  /** A type that is made. */
  type: 0.8,
  constructor: 0.95,
  /** A value that is handed over. */
  value: 0.7,
  /** A member of a type that was made, called by name on a receiver of no known type. */
  name: 0.5,
  /** A member that overrides a called one. */
  override: 0.4,
  /** A member that the language itself calls. */
  hook: 0.35,
  /** A function inside of a function. */
  inner: 0.6,
  /** A function for what goes wrong, which few runs come to. */
  failure: 0.4,
} as const;
const FAILURE = /error|fail|throw|raise|panic|abort|warn|exception|invalid|unexpected|mismatch/i;
/** Share of calls that run with a function: of 8,805 in two traced repositories .88, and .78 in functions with 55 uses and more. */
const shareOfCall = (uses: number): number => Math.max(0.75, 0.92 - 0.0025 * uses);
const CALLS: ReadonlySet<string> = new Set(['call', 'new', 'decorator']);
const RUNS: ReadonlySet<string> = new Set([...CALLS, 'value', 'read', 'write']);
const TYPES: ReadonlySet<string> = new Set(['type-import', 'type-reexport']);

/** Effect of an edge in a walk forward, by the code of its kind. A walk follows hundreds of thousands of edges. */
const [NOTHING, LOADS, CALLED, HANDED_ON] = [0, 1, 2, 3];
const EFFECTS = Uint8Array.from(EDGE_KINDS, (kind) => {
  if (FILE_EDGE_KINDS.has(kind)) return TYPES.has(kind) ? NOTHING : LOADS;
  return CALLS.has(kind) ? CALLED : RUNS.has(kind) ? HANDED_ON : NOTHING;
});

/** A walk from a test, with everything that it reached. */
interface Walk {
  /** Ascending. */
  nodes: Int32Array;
  shares: Float64Array;
  /** Types that were made, ascending. */
  made: Int32Array;
  /** Number of edges that it followed. */
  edges: number;
}

/** Nodes of the remembered walks of a generation, at 12 bytes each. */
const MAX_WALKED = 400_000;

/** The last walks, in two generations: whole ones by test, and those that stopped early by test and room. */
class Walks {
  private newer = new Map<number | string, Walk>();
  private older = new Map<number | string, Walk>();
  private size = 0;

  get(test: number | string): Walk | undefined {
    return this.newer.get(test) ?? this.older.get(test);
  }

  set(test: number | string, walk: Walk): void {
    if (this.size > MAX_WALKED) {
      this.older = this.newer;
      this.newer = new Map();
      this.size = 0;
    }
    this.newer.set(test, walk);
    this.size += walk.nodes.length;
  }
}

const walksOf = onePer((_: Graph) => new Walks());

/** 1 for each node of which a walk has found that nothing else runs with it. */
const lonely = onePer((graph: Graph) => new Uint8Array(graph.nodeCount));

const unseen = onePer((_: Graph) => new Map<number, boolean>());

/** Does no code of the repository make or hand on a type that implements another? A container makes such types, by annotation or configuration. */
function isMadeUnseen(graph: Graph, type: number): boolean {
  const known = unseen(graph);
  let found = known.get(type);
  if (found === undefined) {
    const makers = [...directMembers(graph, type)].filter((member) => graph.kind(member) === 'constructor');
    const isMade = (node: number) => [...graph.incoming(node)].some((edge) => MAKES.has(graph.edgeKind(edge)));
    found = graph.kind(type) === 'class' && childrenOf(graph, type).length === 0 && ![type, ...makers].some(isMade);
    known.set(type, found);
  }
  return found;
}

/** Type whose members a block has, as those of Rust, which stand beside their type or in another file; the block itself where the type is from outside. */
function typeOfBlock(graph: Graph, block: number): number {
  if (graph.kind(block) !== 'impl') return block;
  const types = graph.namesakes(block).filter((node) => isType(graph, node) && graph.kind(node) !== 'impl');
  return types.find((type) => graph.fileOf(type) === graph.fileOf(block)) ?? types[0] ?? block;
}

const MAKES: ReadonlySet<string> = new Set([...CALLS, 'value']);

/**
 * Everything that a test file may run, with the share of such cases in which it does: a walk forward over calls, with members of
 * the types that are made on the way (rapid type analysis). One object serves many tests, so that its columns are made once.
 */
class TestRun {
  private readonly queue: number[] = [];
  /** By node: 1 if it was reached, and the share of cases in which no known way runs it. */
  private readonly reached: Uint8Array;
  private readonly missed: Float32Array;
  /** By node: the last node that led to it, as several uses by one count once. */
  private readonly last: Int32Array;
  private made = new Set<number>();
  private names = new Set<number>();
  private waiting = new Map<number, number[]>();
  private readonly failures = new Map<number, boolean>();
  private readonly lonely: Uint8Array;
  private test = -1;
  private from = -1;

  constructor(
    private readonly graph: Graph,
    private edgesLeft: number,
  ) {
    this.reached = new Uint8Array(graph.nodeCount);
    this.missed = new Float32Array(graph.nodeCount);
    this.last = new Int32Array(graph.nodeCount);
    this.lonely = lonely(graph);
  }

  /**
   * Share of cases, 0 to 1, in which the test runs one of the nodes; null if there is no room for more walks, or if all nodes are files, of
   * which a walk says nothing. `loaded`: a type counts as run where its file is loaded, though nothing names it.
   */
  shareOf(test: number, nodes: readonly number[], loaded = true): number | null {
    if (this.edgesLeft <= 0) return null;
    const { nodes: reached, shares, made } = this.walkFrom(test);
    const { graph } = this;
    if (nodes.every((node) => graph.isFile(node))) return null;
    const isOut = (node: number) => graph.isFile(node) || (!loaded && isType(graph, node) && indexIn(made, node) < 0);
    return nodes.reduce((most, node) => Math.max(most, isOut(node) ? 0 : (shares[indexIn(reached, node)] ?? 0)), 0);
  }

  /** The walk from a test. It is the same for every question; one that had to stop early is the same for all with as much room. */
  private walkFrom(test: number): Walk {
    const walks = walksOf(this.graph);
    const before = this.edgesLeft;
    const inRoom = `${test} ${before}`;
    const whole = walks.get(test);
    const known = whole !== undefined && whole.edges < before ? whole : walks.get(inRoom);
    if (known !== undefined) {
      this.edgesLeft -= known.edges;
      return known;
    }
    this.walk(test);
    const nodes = Int32Array.from(this.queue).sort();
    const shares = Float64Array.from(nodes, (node) => this.shareAt(node));
    const walk = { nodes, shares, made: Int32Array.from(this.made).sort(), edges: before - this.edgesLeft };
    walks.set(this.edgesLeft > 0 ? test : inRoom, walk);
    return walk;
  }

  private shareAt(node: number): number {
    return this.reached[node] === 1 ? 1 - this.missed[node] : 0;
  }

  private walk(test: number): void {
    const { graph, queue } = this;
    for (const node of queue) this.reached[node] = 0;
    queue.length = 0;
    this.made = new Set();
    this.names = new Set();
    this.waiting = new Map();
    this.test = test;
    this.from = -1;
    for (let node = graph.fileNode(test); node < graph.tables.nodeBase[test + 1]; node++) {
      this.run(node, 1);
      if (isType(graph, node)) this.make(node);
    }
    // The queue grows while it is walked.
    for (let i = 0; i < queue.length && this.edgesLeft > 0; i++) {
      this.from = queue[i];
      this.around(queue[i]);
      this.uses(queue[i]);
    }
  }

  private run(node: number, share: number): void {
    const { from } = this;
    if (this.reached[node] === 0) {
      this.reached[node] = 1;
      this.missed[node] = 1;
      this.last[node] = -2;
      this.queue.push(node);
    }
    if (this.last[node] === from || node === from) return;
    this.last[node] = from;
    this.missed[node] *= 1 - share * (from < 0 ? 1 : this.shareAt(from));
  }

  /** Functions that run with one: variants, functions inside, members of made types that override it. */
  private around(node: number): void {
    const { graph } = this;
    if (this.lonely[node] === 1) return;
    if (!isFunction(graph, node)) {
      this.lonely[node] = 1;
      return;
    }
    const variants = overloadsOf(graph, node);
    const inside = [...directMembers(graph, node)];
    const others = overridersOf(graph, node);
    const isMaker = graph.kind(node) === 'constructor' && isType(graph, graph.container(node));
    if (variants.length === 1 && inside.length === 0 && others.length === 0 && !isMaker) this.lonely[node] = 1;
    for (const other of variants) if (other !== node) this.run(other, 1);
    for (const inner of inside) this.run(inner, SHARES.inner);
    for (const other of others) {
      const owner = typeOfBlock(graph, graph.container(other));
      if (this.isMade(owner)) this.run(other, SHARES.override);
      else addTo(this.waiting, owner, other);
    }
    if (isMaker) this.make(graph.container(node));
  }

  private isMade(type: number): boolean {
    // A block of a type from outside is left: who makes that is not known.
    return this.graph.kind(type) === 'impl' || this.made.has(type) || isMadeUnseen(this.graph, type);
  }

  private uses(node: number): void {
    const { graph } = this;
    const { edgeTo, edgeName, edgeKind } = graph.tables;
    const [start, end] = graph.edgeRange(node);
    this.edgesLeft -= end - start;
    const isOwn = graph.fileOf(node) === this.test;
    // Code at the top of a file runs when it is loaded; functions that it only names may never run.
    const isTop = !isOwn && (graph.isFile(node) || isType(graph, node));
    const ofCall = shareOfCall(end - start);
    for (let edge = start; edge < end; edge++) {
      const effect = EFFECTS[edgeKind[edge]];
      const to = edgeTo[edge];
      if (effect === NOTHING) continue;
      if (to < 0) {
        if (effect !== LOADS && graph.tier(edge) !== 'external') this.callByName(edgeName[edge]);
      } else if (effect === LOADS || graph.isFile(to)) this.load(graph.fileOf(to));
      else if (isTop && effect !== CALLED) continue;
      else if (isType(graph, to)) this.make(to);
      else if (isOwn) this.run(to, SHARES.test);
      else this.run(to, this.isFailure(to) ? SHARES.failure : effect === CALLED ? ofCall : SHARES.value);
    }
  }

  private isFailure(node: number): boolean {
    const name = this.graph.tables.nodeName[node];
    return getOrMake(this.failures, name, () => FAILURE.test(this.graph.name(node)));
  }

  private load(file: number): void {
    const { graph } = this;
    const node = graph.fileNode(file);
    if (this.reached[node] === 1) return;
    this.run(node, 1);
    for (const first of packagesOf(graph).around(file)) this.load(first);
    for (let at = node + 1; at < graph.tables.nodeBase[file + 1]; at++)
      if (isType(graph, at)) this.run(at, 1);
      else if (this.isMemberOfObject(at) && this.names.has(graph.tables.nodeName[at])) this.run(at, SHARES.name / 2);
  }

  private isMemberOfObject(node: number): boolean {
    return this.graph.kind(node) === 'method' && !isType(this.graph, this.graph.container(node));
  }

  /** Runs what making an object of a type does, and members of which the names were called. */
  private make(type: number): void {
    const { graph, made } = this;
    if (made.has(type)) return;
    made.add(type);
    this.run(type, SHARES.type);
    for (const member of directMembers(graph, type)) {
      if (!isFunction(graph, member)) continue;
      if (graph.kind(member) === 'constructor') this.run(member, SHARES.constructor);
      else if (this.names.has(graph.tables.nodeName[member])) this.run(member, SHARES.name);
      else if (isRuntimeHook(graph, member)) this.run(member, SHARES.hook);
    }
    for (const member of this.waiting.get(type) ?? []) this.run(member, SHARES.override);
    for (const edge of inheritEdges(graph, type)) {
      const parent = graph.target(edge);
      if (parent >= 0 && isType(graph, parent)) this.make(parent);
    }
  }

  private callByName(name: number): void {
    const { graph, names } = this;
    if (names.has(name)) return;
    names.add(name);
    const named = graph.nodesNamed(graph.tables.strings[name]);
    for (const node of named) {
      if (!isFunction(graph, node)) continue;
      if (this.made.has(graph.container(node))) this.run(node, SHARES.name / Math.sqrt(named.length));
      else if (this.isMemberOfObject(node) && this.reached[graph.fileNode(graph.fileOf(node))] === 1)
        this.run(node, SHARES.name / 2);
    }
  }
}
