/**
 * Lists the definitions of a graph, and describes one: callers, callees, relatives, tests that reach it. The verdict "no callers" is
 * checked against the text of the file, which may hold calls that the facts lack.
 */
import { posix } from 'node:path';
import { identifierParts } from '../../extract/terms.js';
import type { Place, Use } from '../../questions/graph/output.js';
import type { Callee, OutsideCall, Parent, SymbolFacts } from '../../questions/graph/symbol/question.js';
import type { SymbolList } from '../../questions/graph/symbols/question.js';
import type { Graph } from '../graph.js';
import { type NoCallerVerdict, verdictOf } from './entry-patterns.js';
import { byPlace, cut, isProduction, placeOf, type Some, type UsePlace, useOf } from './node-place.js';
import { reachingTests } from './tests-to-run.js';
import { possibleUses, sortUses, TEST_DEPTH, usesAboveAll, walkUsers } from './users.js';
import {
  CALL_KINDS,
  childrenOf,
  INHERIT_KINDS,
  interfacesOf,
  isFunction,
  isPlain,
  isType,
  makersOf,
  membersOf,
  outgoing,
  overriddenBy,
  overridersOf,
  RUN_KINDS,
  usesOf,
  withInside,
} from './uses.js';

/** Describes one definition; `nodes` are its overloads or parts. */
export function describeSymbol(
  graph: Graph,
  nodes: readonly number[],
  limit: number,
): SymbolFacts & { definitions: Place[] } {
  const own = new Set(nodes.flatMap((node) => [node, ...membersOf(graph, node)]));
  const callers = callersOf(graph, nodes);
  const kinds = nodes
    .flatMap((node) => [...graph.incoming(node)])
    .filter((edge) => !RUN_KINDS.has(graph.edgeKind(edge)));
  const users = walkUsers(graph, [...own], { depth: TEST_DEPTH });
  const memberUses = callers.length + kinds.length === 0 ? usesOfMembers(graph, nodes).length : 0;
  const related = (find: (node: number) => readonly number[]) =>
    cut(
      [...new Set(nodes.flatMap((node) => [...find(node)]))].map((node) => placeOf(graph, node)).sort(byPlace),
      limit,
    );
  return {
    definitions: nodes.map((node) => placeOf(graph, node)),
    containers: containersOf(graph, nodes[0]),
    decorators: decoratorsOf(graph, nodes),
    callers: cut(callers, limit),
    otherUses: kinds.length,
    ...(callers.length === 0 && { noCallers: explainNoCallers(graph, nodes[0]) }),
    ...(memberUses > 0 && { memberUses }),
    possibleCallers: possibleUses(graph, nodes[0]).length,
    callees: calleesOf(graph, own, limit),
    parents: parentsWithNames(graph, own),
    subtypes: related((node) => (isType(graph, node) ? onceNamed(graph, childrenOf(graph, node)) : [])),
    overrides: related((node) => (isFunction(graph, node) ? overriddenBy(graph, node) : [])),
    overriddenBy: related((node) => (isFunction(graph, node) ? overridersOf(graph, node) : [])),
    tests: cut(reachingTests(graph, nodes, users), limit),
  };
}

/** Counts a type and its `impl` blocks as one. */
function onceNamed(graph: Graph, types: readonly number[]): number[] {
  const key = (type: number) => `${graph.fileOf(type)} ${graph.qualifiedName(type)}`;
  return [...new Map(types.map((type): [string, number] => [key(type), type]).reverse()).values()];
}

/** Uses, by others, of what is inside of nodes. */
export function usesOfMembers(graph: Graph, nodes: readonly number[]): number[] {
  const own = withInside(graph, nodes);
  const members = [...own].filter((node) => !nodes.includes(node));
  return members.flatMap((member) => [...graph.incoming(member)].filter((edge) => !own.has(graph.source(edge))));
}

function containersOf(graph: Graph, node: number): Place[] {
  const found: Place[] = [];
  for (let at = graph.container(node); at >= 0 && !graph.isFile(at); at = graph.container(at))
    found.unshift(placeOf(graph, at));
  return found;
}

function decoratorsOf(graph: Graph, nodes: readonly number[]): string[] {
  const found = new Set<string>();
  for (const node of nodes) {
    for (const edge of outgoing(graph, node))
      if (graph.edgeKind(edge) === 'decorator') found.add(useOf(graph, edge).text);
  }
  return [...found];
}

/** Calls, and uses as a value that may be called. A member also gets calls of the members that it overrides, which may run it. */
function callersOf(graph: Graph, nodes: readonly number[]): Use[] {
  const found: Use[] = [];
  for (const node of nodes) {
    for (const edge of graph.incoming(node)) if (RUN_KINDS.has(graph.edgeKind(edge))) found.push(useOf(graph, edge));
    if (graph.kind(node) === 'constructor') for (const edge of makersOf(graph, node)) found.push(useOf(graph, edge));
  }
  for (const { parent, edge } of usesAboveAll(graph, nodes))
    if (CALL_KINDS.has(graph.edgeKind(edge)))
      found.push({ ...useOf(graph, edge), through: graph.qualifiedName(parent) });
  return sortUses(graph, found);
}

function calleesOf(graph: Graph, own: ReadonlySet<number>, limit: number): SymbolFacts['callees'] {
  const resolved = new Map<number, Callee>();
  const outside = { external: new Map<string, OutsideCall>(), unresolved: new Map<string, OutsideCall>() };
  for (const node of own) {
    for (const number of outgoing(graph, node)) {
      if (!RUN_KINDS.has(graph.edgeKind(number)) || (graph.edgeKind(number) === 'request' && graph.target(number) < 0))
        continue;
      const { to, kind: use, tier, confidence, startLine: line } = graph.edge(number);
      if (to < 0) {
        const list = tier === 'external' ? outside.external : outside.unresolved;
        const { text } = useOf(graph, number);
        addLine(list, text, line, () => ({ text, use, lines: [] }));
      } else if (!own.has(to) || to === node) {
        addLine(resolved, to, line, () => ({ ...placeOf(graph, to), lines: [], use, tier, confidence }));
      }
    }
  }
  return {
    resolved: cut([...resolved.values()], limit),
    external: cut([...outside.external.values()], limit),
    unresolved: cut([...outside.unresolved.values()], limit),
  };
}

const MAX_LINES = 8;

/** Adds a line to the entry of a key, which `make` begins. */
function addLine<Key, Entry extends { lines: number[] }>(
  to: Map<Key, Entry>,
  key: Key,
  line: number,
  make: () => Entry,
): void {
  const entry = to.get(key) ?? make();
  to.set(key, entry);
  if (entry.lines.length < MAX_LINES && !entry.lines.includes(line)) entry.lines.push(line);
}

function parentsWithNames(graph: Graph, own: ReadonlySet<number>): Parent[] {
  const found = new Map<string, Parent>();
  for (const node of own) {
    if (!isType(graph, node)) continue;
    for (const number of outgoing(graph, node)) {
      const { kind: use, to } = graph.edge(number);
      if (!INHERIT_KINDS.has(use)) continue;
      const { text } = useOf(graph, number);
      const name = to < 0 ? text : graph.qualifiedName(to);
      found.set(name, { name, use, place: to < 0 ? null : placeOf(graph, to) });
    }
    for (const face of interfacesOf(graph, node)) {
      const name = graph.qualifiedName(face);
      if (!found.has(name)) found.set(name, { name, use: 'implements', place: placeOf(graph, face) });
    }
  }
  return [...found.values()];
}

// The verdict "no callers", and its check against the text.

interface DeclaredText {
  /** Text of the whole file. */
  text: string;
  name: string;
  /** Text before the body, attributes included. */
  header: string;
  /** Lines of its definitions, 1-based and inclusive. */
  ranges: readonly { startLine: number; endLine: number }[];
}

/** Attributes of Rust and C# that do not register a function anywhere. */
const INERT_ATTRIBUTES =
  /^(?:inline|must_use|cfg|cfg_attr|allow|warn|deny|expect|doc|deprecated|cold|track_caller|derive|target_feature|repr|rustfmt|clippy|Obsolete|MethodImpl|DebuggerStepThrough)\b/;
const ATTRIBUTE = /(?:#|^[ \t]*)\[\s*(?:unsafe\()?([\w:.]+)/gm;
/** Comments of most languages. `#` before `[` or `!` is an attribute of Rust, not a comment of Ruby, Python or a shell. */
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#(?!\[|!)|--|;|%)/;
const MAX_LISTED_LINES = 3;
/** Maximum number of code units of a header that are examined: a longer one is a hostile list of parameters. */
const MAX_HEADER = 2_000;

/** Checks the verdict against the text: returns the answer as it is, or a more careful one. */
export function secondLook(answer: NoCallers, whole: DeclaredText): NoCallers {
  const { verdict } = answer;
  const declared = { ...whole, header: whole.header.slice(0, MAX_HEADER) };
  if (verdict !== 'certain' && verdict !== 'exported' && verdict !== 'indirect') return answer;
  const attribute = registeringAttribute(`${attributesAbove(declared)}${declared.header}`);
  if (attribute !== null)
    return { ...answer, verdict: 'framework', reason: `it has the attribute ${attribute}, which may call it` };
  if (isGetter(declared))
    return { ...answer, verdict: 'indirect', reason: 'it is read as a property, which is no call' };
  if (verdict === 'certain' && isAssigned(declared))
    return { ...answer, verdict: 'indirect', reason: 'it is put into an object: who has that can call it' };
  if (verdict !== 'certain') return answer;
  const lines = linesNaming(declared);
  if (lines.length === 0) return answer;
  const where = `${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, MAX_LISTED_LINES).join(', ')}`;
  const more = lines.length > MAX_LISTED_LINES ? ' and others' : '';
  return { ...answer, verdict: 'unresolved-uses', reason: `its name stands in ${where}${more} of its file, too` };
}

function registeringAttribute(header: string): string | null {
  if (!/^\s*#?\[/.test(header)) return null;
  for (const [, name] of header.matchAll(ATTRIBUTE)) {
    if (!INERT_ATTRIBUTES.test(name)) return name;
  }
  return null;
}

/** Maximum number of lines of attributes. */
const MAX_ABOVE = 12;

/** Attributes above the definition and comments between them, back to the end of the previous declaration. */
function attributesAbove({ text, ranges }: DeclaredText): string {
  const lines = text.split('\n');
  const found: string[] = [];
  const first = (ranges[0]?.startLine ?? 1) - 1;
  for (let i = first - 1; i >= Math.max(0, first - MAX_ABOVE) && !/^\s*$|[;{}]\s*$/.test(lines[i]); i--)
    if (!/^\s*\/\//.test(lines[i])) found.unshift(lines[i]);
  const start = found.findIndex((line) => /^\s*#?\[/.test(line));
  return start < 0
    ? ''
    : found
        .slice(start)
        .map((line) => `${line}\n`)
        .join('');
}

/** Is it assigned to a property: `request.onabort = () => …`? */
function isAssigned({ header, name }: DeclaredText): boolean {
  return new RegExp(`^[\\w$.\\[\\]?!() ]*[.\\]]\\s*${escaped(name)}\\s*=(?!=)`).test(header);
}

function isGetter({ header, name }: DeclaredText): boolean {
  return new RegExp(`\\b(?:get|set)\\s+${escaped(name)}\\s*\\(`).test(header);
}

function linesNaming({ text, name, ranges }: DeclaredText): number[] {
  const word = new RegExp(`(?<![\\w$])${escaped(name)}(?![\\w$])`);
  const found: number[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    if (ranges.some(({ startLine, endLine }) => i + 1 >= startLine && i + 1 <= endLine)) continue;
    if (word.test(line) && !COMMENT.test(line)) found.push(i + 1);
  }
  return found;
}

const escaped = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

interface NoCallers {
  verdict: NoCallerVerdict;
  reason: string;
  /** Uses of that name that may mean it. */
  possible: Some<UsePlace>;
}

const MAX_POSSIBLE = 5;

function explainNoCallers(graph: Graph, node: number): NoCallers {
  const possible = possibleUses(graph, node);
  const [verdict, reason] = verdictOf(graph, node, possible.length);
  return {
    verdict,
    reason,
    possible: cut(
      possible.map((edge) => useOf(graph, edge)),
      MAX_POSSIBLE,
    ),
  };
}

interface SymbolsOptions {
  limit: number;
  accepts?: (path: string) => boolean;
  /** Part of a name, first letters of its words (`gUN` for `getUserName`), or a qualified name. */
  query?: string;
  /** Default: all but headings, keys and selectors. */
  kinds?: ReadonlySet<string>;
}

/** Lists symbols, best first for a query, else by file and line. */
export function listSymbols(graph: Graph, { limit, accepts, query = '', kinds }: SymbolsOptions): SymbolList {
  const match = matcher(query);
  const found: { node: number; score: number }[] = [];
  for (let file = 0; file < graph.fileCount; file++) {
    if (accepts !== undefined && !accepts(graph.tables.files[file].path)) continue;
    const first = graph.fileNode(file);
    for (let node = first + 1; node < graph.tables.nodeBase[file + 1]; node++) {
      if (kinds === undefined ? accepts === undefined && isPlain(graph, node) : !kinds.has(graph.kind(node))) continue;
      const score = match(graph, node);
      if (score !== null) found.push({ node, score });
    }
  }
  if (query !== '')
    found.sort((a, b) => a.score - b.score || weigh(graph, b.node) - weigh(graph, a.node) || a.node - b.node);
  const shown = cut(found, limit);
  const list = shown.list.map(({ node }) => ({ ...placeOf(graph, node), uses: usesOf(graph, node) }));
  return { total: found.length, symbols: { list, leftOut: shown.leftOut } };
}

/** Weight among equal matches: production code first, then exported symbols, then used ones. */
function weigh(graph: Graph, node: number): number {
  const own = isProduction(graph, graph.fileOf(node)) ? 4 : 0;
  return own + (graph.isExported(node) ? 2 : 0) + Math.min(1, usesOf(graph, node) / 100);
}

type Match = (graph: Graph, node: number) => number | null;

/** Scores a symbol for a query: lower is better, null for no match. */
function matcher(query: string): Match {
  if (query === '') return () => 0;
  const words = query.split(/::|->|[.#]/).filter((word) => word !== '');
  const last = (words[words.length - 1] ?? query).trim();
  const owner = words.slice(0, -1).join('.').toLowerCase();
  return (graph, node) => {
    const score = scoreOf(graph.name(node), last);
    if (score === null || owner === '') return score;
    const qualified = graph.qualifiedName(node).toLowerCase();
    return qualified.slice(0, -graph.name(node).length).includes(owner) ? score : null;
  };
}

/** Score from best to worst: exact, another case, a beginning, a part, beginnings of words. */
function scoreOf(name: string, query: string): number | null {
  if (name === query) return 0;
  const [lower, wanted] = [name.toLowerCase(), query.toLowerCase()];
  if (lower === wanted) return 1;
  if (lower.startsWith(wanted)) return 2;
  if (lower.includes(wanted)) return 3;
  return humps(identifierParts(name), query) ? 4 : null;
}

/** Do the words begin with the query's letters, each word with at least one, in order: `gUN`, `getUN`, `gun`? */
function humps(parts: readonly string[], query: string): boolean {
  const wanted = query.toLowerCase();
  if (wanted.length < 2 || parts.length < 2) return false;
  // Lengths of the query that the words so far can cover.
  let reached = new Set([0]);
  for (const part of parts) {
    const lower = part.toLowerCase();
    const further = new Set<number>(reached);
    for (const at of reached) {
      for (let length = 1; length <= lower.length && lower[length - 1] === wanted[at + length - 1]; length++)
        further.add(at + length);
    }
    reached = further;
  }
  return reached.has(wanted.length) && parts[0][0]?.toLowerCase() === wanted[0];
}

// Completions.

export interface Completed {
  values: string[];
  total: number;
}

/** Paths that begin with the text, then those whose file name does, then those that contain it. */
export function completePath(graph: Graph, text: string, limit: number): Completed {
  const wanted = text.toLowerCase();
  const found: Ranked[] = [];
  for (const [file, { path }] of graph.tables.files.entries()) {
    const rank = rankOf(path.toLowerCase(), wanted, posix.basename);
    if (rank !== null) found.push({ value: path, rank: rank * 2 + (isProduction(graph, file) ? 0 : 1), weight: 0 });
  }
  return best(found, limit);
}

/** Names that begin with the text, then qualified names that do, then names that contain it; most used first. */
export function completeName(graph: Graph, text: string, limit: number): Completed {
  const wanted = text.toLowerCase();
  const found = new Map<string, Ranked>();
  for (const name of graph.names()) {
    for (const node of graph.nodesNamed(name)) {
      if (isPlain(graph, node)) continue;
      const value = graph.qualifiedName(node);
      const rank = rankOf(value.toLowerCase(), wanted, (qualified) => qualified.slice(qualified.lastIndexOf('.') + 1));
      if (rank === null) continue;
      const weight = (found.get(value)?.weight ?? 0) + usesOf(graph, node);
      found.set(value, { value, rank, weight });
    }
  }
  return best([...found.values()], limit);
}

interface Ranked {
  value: string;
  /** Rank of the match; lower is better. */
  rank: number;
  weight: number;
}

function rankOf(text: string, wanted: string, lastPart: (text: string) => string): number | null {
  if (text.startsWith(wanted)) return 0;
  if (lastPart(text).startsWith(wanted)) return 1;
  return text.includes(wanted) ? 2 : null;
}

function best(found: Ranked[], limit: number): Completed {
  found.sort((a, b) => a.rank - b.rank || b.weight - a.weight || (a.value < b.value ? -1 : 1));
  return { values: found.slice(0, limit).map(({ value }) => value), total: found.length };
}
