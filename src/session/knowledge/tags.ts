/**
 * Tags that rules give in a snapshot: from memory, from the cached file, or derived from the graph in one pass over files, symbols and
 * the edges that rules need.
 */
import { cacheKey, Memory, type StateFiles } from '../../base/cache.js';
import { addTo } from '../../base/lists.js';
import { phase } from '../../base/progress.js';
import type { Graph } from '../../graph/graph.js';
import { CALL_KINDS, isPlain } from '../../graph/query/uses.js';
import { EDGE_KINDS, LINK_VERSION } from '../../graph/tables.js';
import type { PreparedGraph } from '../graph/graphs.js';
import type { Session } from '../session.js';
import type { SnapshotOrigin } from '../snapshot/snapshot.js';
import { TAGS } from '../state-kinds.js';
import { hashOf, type KnownRule, type NamesTest, type NameTest, type RuleTests, testsOf } from './tag-rules.js';

/** Tags of the last snapshots of a long-lived process. */
const MEMORY = new Memory<CachedTags>(4);
/** Limit on the lines that one expression may match. With more it would tag the whole repository. */
const MAX_LINES = 200_000;

/** Tags of graphs with uncommitted files, which have no key. */
const OF_GRAPHS = new WeakMap<Graph, { hash: string; tags: CachedTags }>();

const keyOf = ({ key, compiled }: SnapshotOrigin, hash: string): string =>
  cacheKey(LINK_VERSION, key, compiled ?? null, hash);

/** Returns the cached tags of a snapshot as committed; null if there are none. */
export function cachedTags(session: Session, origin: SnapshotOrigin, rules: readonly KnownRule[]): CachedTags | null {
  const key = keyOf(origin, hashOf(rules));
  return MEMORY.find(session, key, () => phase('tags', () => readCachedTags(session.state, key)));
}

interface Derivation {
  /** Snapshot whose text the expressions are run over. */
  target: { ref?: string; committed?: boolean };
  signal: AbortSignal;
}

/** Throws BAD_CONFIG for a rule that cannot be applied. */
export async function derivedTags(
  session: Session,
  prepared: PreparedGraph,
  rules: readonly KnownRule[],
  derivation: Derivation,
): Promise<CachedTags> {
  const { graph, origin, coverage } = prepared;
  const hash = hashOf(rules);
  const known = OF_GRAPHS.get(graph);
  if (known?.hash === hash) return known.tags;
  const tests = rules.map(testsOf);
  const { matched, unread } = await matchLines(session, tests, derivation);
  const places = phase('tags', () => deriveTags(graph, tests, matched));
  const tags = { places, coverage, unread };
  OF_GRAPHS.set(graph, { hash, tags });
  if (prepared.uncommitted.size === 0 && isFinal(prepared) && unread === 0) {
    const key = keyOf(origin, hash);
    MEMORY.set(session, key, tags);
    session.state.write(TAGS, '', encode(places), { key, coverage, unread });
  }
  return tags;
}

/** Returns whether no later record or grammar can change the graph. */
function isFinal({ coverage: { covered, total }, graph }: PreparedGraph): boolean {
  return covered === total && graph.tables.files.every(({ state }) => state !== 'degraded' && state !== 'unreadable');
}

/** Runs the expressions of rules over the text of the snapshot, with the engine of `grep`. */
async function matchLines(
  session: Session,
  tests: readonly RuleTests[],
  { target, signal }: Derivation,
): Promise<{ matched: Map<number, MatchedLines>; unread: number }> {
  const matched = new Map<number, MatchedLines>();
  let unread = 0;
  for (const [rule, { pattern, acceptsFile }] of tests.entries()) {
    if (pattern === null) continue;
    const { grep } = await import('../grep/grep.js');
    const { matches, givenUp } = await grep(session, pattern, {
      ...target,
      within: acceptsFile,
      limit: MAX_LINES,
      signal,
    });
    unread += givenUp.length;
    matched.set(rule, new Map(matches.map(({ file, hits }) => [file.path, hits.map(({ line }) => line)])));
  }
  return { matched, unread };
}

interface TaggedPlace {
  path: string;
  /** Qualified name; null for a whole file. */
  symbol: string | null;
  startLine: number;
  endLine: number;
  /** Indexes of the rules. */
  rules: number[];
}

/** Lines that a rule's expression matched, by path. */
type MatchedLines = ReadonlyMap<string, readonly number[]>;

/** Returns places by file and line. `matched`: by the index of a rule with an expression. */
export function deriveTags(
  graph: Graph,
  rules: readonly RuleTests[],
  matched: ReadonlyMap<number, MatchedLines> = new Map(),
): TaggedPlace[] {
  const deriver = new Deriver(graph);
  const appliers = rules.map((tests, rule) => deriver.applier(tests, matched.get(rule)));
  const places: TaggedPlace[] = [];
  for (let file = 0; file < graph.fileCount; file++) {
    let given: Map<number, number[]> | null = null;
    for (let rule = 0; rule < appliers.length; rule++) {
      const nodes = appliers[rule](file);
      if (nodes.length === 0) continue;
      given ??= new Map();
      for (const node of nodes) addTo(given, node, rule);
    }
    if (given === null) continue;
    for (const [node, by] of [...given].sort(([one], [other]) => one - other)) places.push(placeOf(graph, node, by));
  }
  return places;
}

function placeOf(graph: Graph, node: number, rules: number[]): TaggedPlace {
  const symbol = graph.isFile(node) ? null : graph.qualifiedName(node);
  return { path: graph.path(node), symbol, startLine: graph.startLine(node), endLine: graph.endLine(node), rules };
}

/** Returns the nodes of a file that a rule accepts. */
type Applier = (file: number) => readonly number[];

const NONE: readonly number[] = [];
const CALLS = new Set([...CALL_KINDS].map((kind) => EDGE_KINDS.indexOf(kind)));
const FIRST_USE = EDGE_KINDS.indexOf('call');

class Deriver {
  constructor(private readonly graph: Graph) {}

  applier(
    { acceptsFile, acceptsLanguage, imports, symbol, calls, pattern }: RuleTests,
    matched?: MatchedLines,
  ): Applier {
    const { graph } = this;
    const importsIt = imports === null ? null : this.importTest(imports);
    const isNamed = symbol === null ? null : this.symbolTest(symbol);
    const callsIt = calls === null ? null : this.callTest(calls);
    return (file) => {
      const { path, language } = graph.tables.files[file];
      if (!acceptsLanguage(language) || (importsIt !== null && !importsIt(file))) return NONE;
      // Accepted files alone were searched for lines.
      if (pattern !== null ? matched?.has(path) !== true : !acceptsFile(path)) return NONE;
      if (isNamed === null && callsIt === null && pattern === null) return [graph.fileNode(file)];
      const holders = pattern === null ? null : this.holdersOf(file, matched?.get(path) ?? NONE);
      const isHolder = holders && ((node: number) => holders.has(node));
      const tests = [isNamed, isHolder, callsIt].filter((test) => test !== null);
      const found: number[] = [];
      const end = graph.tables.nodeBase[file + 1];
      for (let node = graph.fileNode(file); node < end; node++)
        if (tests.every((test) => test(node)) && !isPlain(graph, node)) found.push(node);
      return found;
    };
  }

  private importTest(test: NameTest): (file: number) => boolean {
    const { edgeKind, edgeName } = this.graph.tables;
    const isMatch = this.byText(test);
    return (file) => {
      const [start, end] = this.graph.edgeRange(this.graph.fileNode(file));
      for (let edge = start; edge < end; edge++) if (edgeKind[edge] < FIRST_USE && isMatch(edgeName[edge])) return true;
      return false;
    };
  }

  private symbolTest({ simple, qualified, ending }: NamesTest): (node: number) => boolean {
    const { graph } = this;
    const { nodeName } = graph.tables;
    const isMatch = simple === null ? null : this.byText(simple);
    const mayEnd = ending === null ? null : this.byText(ending);
    return (node) => {
      if (graph.isFile(node)) return false;
      if (isMatch?.(nodeName[node]) === true) return true;
      return mayEnd?.(nodeName[node]) === true && qualified?.(graph.qualifiedName(node)) === true;
    };
  }

  private callTest(names: NamesTest): (node: number) => boolean {
    const { edgeKind } = this.graph.tables;
    const isMatch = this.callEdgeTest(names);
    return (node) => {
      const [start, end] = this.graph.edgeRange(node);
      for (let edge = start; edge < end; edge++) if (CALLS.has(edgeKind[edge]) && isMatch(edge)) return true;
      return false;
    };
  }

  private callEdgeTest({ simple, qualified, ending }: NamesTest): (edge: number) => boolean {
    const { edgeName, edgeReceiver, strings } = this.graph.tables;
    const isMatch = simple === null ? null : this.byText(simple);
    const mayEnd = ending === null ? null : this.byText(ending);
    return (edge) => {
      if (isMatch?.(edgeName[edge]) === true) return true;
      if (qualified === null || mayEnd?.(edgeName[edge]) !== true) return false;
      const receiver = strings[edgeReceiver[edge]];
      return receiver !== '' && qualified(`${receiver}.${strings[edgeName[edge]]}`);
    };
  }

  /** Tests each text of the graph once, since names repeat a hundred times. */
  private byText(test: NameTest): (text: number) => boolean {
    const { strings } = this.graph.tables;
    const known = new Uint8Array(strings.length);
    return (text) => {
      if (known[text] === 0) known[text] = test(strings[text]) ? 2 : 1;
      return known[text] === 2;
    };
  }

  /** Returns the innermost symbols around lines; the file for a line outside all symbols. */
  private holdersOf(file: number, lines: readonly number[]): Set<number> {
    const { graph } = this;
    const first = graph.fileNode(file);
    const nodes: number[] = [];
    for (let node = first + 1; node < graph.tables.nodeBase[file + 1]; node++)
      if (!isPlain(graph, node)) nodes.push(node);
    nodes.sort((a, b) => graph.startLine(a) - graph.startLine(b) || graph.endLine(b) - graph.endLine(a));
    const holders = new Set<number>();
    // Symbols that contain the line so far, each inside the one before it.
    const open: number[] = [];
    let next = 0;
    for (const line of [...lines].sort((a, b) => a - b)) {
      for (; next < nodes.length && graph.startLine(nodes[next]) <= line; next++) open.push(nodes[next]);
      while (open.length > 0 && graph.endLine(open[open.length - 1]) < line) open.pop();
      holders.add(open.at(-1) ?? first);
    }
    return holders;
  }
}

interface CachedTags {
  places: TaggedPlace[];
  coverage: { covered: number; total: number };
  /** Files in which an expression took too long. */
  unread: number;
}

/** Numbers of a row: path, name (-1 for a whole file), first and last line, number of rules. The indexes of the rules follow. */
const FIXED = 5;

/** Null for tags of another snapshot, or of other rules. */
function readCachedTags(state: StateFiles, key: string): CachedTags | null {
  return state.read(TAGS, '', ({ content, note }) => {
    const { key: own, coverage, unread } = note as { key: string } & Omit<CachedTags, 'places'>;
    return own === key ? { places: decode(content), coverage, unread } : null;
  });
}

function encode(places: readonly TaggedPlace[]): Buffer {
  const texts = new Map<string, number>();
  const numberOf = (text: string): number => {
    const known = texts.get(text) ?? texts.size;
    texts.set(text, known);
    return known;
  };
  const rows = places.flatMap(({ path, symbol, startLine, endLine, rules }) => [
    ...[numberOf(path), symbol === null ? -1 : numberOf(symbol), startLine, endLine, rules.length],
    ...rules,
  ]);
  return Buffer.from(JSON.stringify({ texts: [...texts.keys()], rows }));
}

function decode(content: Buffer): TaggedPlace[] {
  const { texts, rows } = JSON.parse(content.toString('utf8')) as { texts: string[]; rows: number[] };
  const places: TaggedPlace[] = [];
  for (let at = 0; at < rows.length; ) {
    const [path, symbol, startLine, endLine, count] = rows.slice(at, at + FIXED);
    const rules = rows.slice(at + FIXED, at + FIXED + count);
    places.push({ path: texts[path], symbol: symbol < 0 ? null : texts[symbol], startLine, endLine, rules });
    at += FIXED + count;
  }
  return places;
}
