/**
 * Selects candidates for a pack within its budget, sorts them in the order of reading, and adds facts about the rest while there is room.
 * Candidates are also definitions within two steps of those that a task is about: what they call and use, their callers, and tests.
 */
import { safeJson, visibleDocument } from '../../base/printable.js';
import { estimateTokens } from '../../base/tokens.js';
import type { Graph } from '../../graph/graph.js';
import { filesUsedBy, shareOfBest } from '../../graph/query/file-edges.js';
import { classOf, isInnerTest, isProduction, isRunnableTest, isTestCode } from '../../graph/query/node-place.js';
import { walkUsers } from '../../graph/query/users.js';
import {
  INHERIT_KINDS,
  inheritEdges,
  isPlain,
  isType,
  membersOf,
  outgoing,
  RUN_KINDS,
} from '../../graph/query/uses.js';
import { CONFIDENCE } from '../../graph/tables.js';
import { type Lines, rangeOf } from './anchors.js';
import {
  type Candidate,
  CUT_BEST,
  type Declaration,
  declarationTokens,
  declaredItem,
  fillDeclarations,
  fillLines,
  type Item,
  MAX_GAP,
  meets,
  type Neighbour,
  ownTokens,
  Packing,
  Pages,
  POINTED_AT,
  pieceItem,
  type Range,
  type Refused,
  SHARES,
  unite,
} from './packing.js';
import type { PackResponse } from './question.js';

export type Head = Omit<PackResponse, 'tokens' | 'items' | 'dropped'>;

/** Tokens of the line about the snapshot that a reply adds to the document. */
const AROUND = 30;
/** Most unselected places that are named, and their share of the budget. */
const MAX_DROPPED = 20;
const DROPPED_SHARE = 0.05;
const LEAST_FOR_DROPPED = 90;
/** Attempts to fit the budget: each reduces the room by the last one's excess and SLACK. */
const ATTEMPTS = 6;
const SLACK = 8;

/** Makes a pack whose JSON has at most `head.budget` tokens, by estimate. */
export function packDocument(material: Selecting, head: Head): PackResponse {
  const selecting = { ...material, pages: new Pages(material.lines) };
  const budget = head.budget - AROUND;
  const base = tokensOf({ ...head, tokens: head.budget, items: [], dropped: { list: [], leftOut: 99_999 } });
  const forDropped = Math.max(LEAST_FOR_DROPPED, head.budget * DROPPED_SHARE);
  let room = Math.max(0, budget - base - forDropped);
  for (let attempt = 1; ; attempt++) {
    const document = written(head, select(selecting, room), forDropped);
    const over = document.tokens - budget;
    if (over <= 0) return document;
    if (attempt >= ATTEMPTS) return written(head, { items: [], refused: [] }, 0);
    room = Math.max(0, room - over - SLACK);
  }
}

function written(head: Head, { items, refused }: Selection, forDropped: number): PackResponse {
  const list: PackResponse['dropped']['list'] = [];
  let used = 0;
  for (const each of refused.slice(0, MAX_DROPPED)) {
    const entry = droppedOf(each);
    used += estimateTokens(JSON.stringify(entry)) + 1;
    if (used > forDropped) break;
    list.push(entry);
  }
  const document = { ...head, tokens: head.budget, items, dropped: { list, leftOut: refused.length - list.length } };
  return { ...document, tokens: tokensOf(document) };
}

function droppedOf({ candidate, tokens, why }: Refused): PackResponse['dropped']['list'][number] {
  const { path, startLine, endLine, symbol } = candidate;
  return { path, startLine, endLine, symbol, tokens, why };
}

/** Tokens of the longer form: a reply shows invisible characters as text, JSON for programs escapes them. */
function tokensOf(document: PackResponse): number {
  return Math.max(estimateTokens(safeJson(document)), estimateTokens(JSON.stringify(visibleDocument(document))));
}

interface Selection {
  items: Item[];
  /** All unselected ones, best first. */
  refused: Refused[];
}

export interface Selecting {
  graph: Graph | null;
  candidates: readonly Candidate[];
  declarations: readonly Declaration[];
  lines: Lines;
  pages?: Pages;
  weigh: (line: string) => number;
}

/** Selects candidates for `room` tokens of items, as JSON. */
export function select(
  { graph, lines, weigh, pages = new Pages(lines), ...given }: Selecting,
  room: number,
): Selection {
  // Without a graph, files are known in parts, and gaps between them cannot be filled.
  const packing = new Packing(pages, graph === null ? 0 : MAX_GAP);
  const filling = { packing, lines, weigh };
  const all = unite(given.candidates);
  // A failed test comes with the code: it shows the fault, and the share of other tests does not limit it.
  const isFirst = ({ kind, value }: Candidate) => kind === 'code' || value >= POINTED_AT;
  const code = all.filter(isFirst);
  const tests = all.filter((candidate) => !isFirst(candidate));
  const declarations = [...given.declarations].sort((a, b) => b.value - a.value);

  const chosen = fillLines(filling, code, room * SHARES.code, CUT_BEST);
  const chosenTests = fillLines(filling, tests, room * SHARES.test);
  let used = chosen.used + chosenTests.used;
  const declared = fillDeclarations(filling, declarations, Math.min(room - used, room * SHARES.signature));
  used += declared.used;
  // The tokens that the shares left go to further code, then to tests, then to declarations.
  const more = fillLines(filling, chosen.left, room - used);
  used += more.used;
  const moreTests = fillLines(filling, chosenTests.left, room - used);
  used += moreTests.used;
  const moreDeclared = fillDeclarations(filling, declared.left, room - used);
  dropDeclaredTwice(packing);

  const left = [...more.left, ...moreTests.left].map((candidate) => refusedLines(packing, candidate));
  const undeclared = moreDeclared.left.filter((declaration) => !packing.declares(declaration)).map(refusedDeclaration);
  const refused = [...left, ...undeclared].sort((a, b) => b.candidate.value - a.candidate.value);
  return { items: orderItems(graph, packing), refused };
}

/** Drops declarations of definitions that were added whole later. */
function dropDeclaredTwice(packing: Packing): void {
  for (const [path, declared] of packing.declared) {
    const retained = declared.filter((declaration) => !packing.declares(declaration));
    if (retained.length === 0) packing.declared.delete(path);
    else packing.declared.set(path, retained);
  }
}

function refusedLines(packing: Packing, candidate: Candidate): Refused {
  const copy = packing.copyOf(candidate);
  const tokens = ownTokens({ packing }, candidate);
  return { candidate, tokens, why: copy === null ? candidate.why : `same as ${copy}` };
}

function refusedDeclaration(declaration: Declaration): Refused {
  return { candidate: declaration, tokens: declarationTokens(declaration), why: declaration.why };
}

// Sorts for reading: files by importance, used ones before their users, tests and declarations last.

/** A file goes before its user if it has this share of the user's worth: the best result stays first. */
const NEAR = 0.5;
/** Share of worth that a further piece adds to its file. */
const FURTHER_PIECE = 0.3;

interface FileOfPack {
  path: string;
  value: number;
  items: Item[];
}

function orderItems(graph: Graph | null, packing: Packing): Item[] {
  const code: FileOfPack[] = [];
  const tests: FileOfPack[] = [];
  const near: FileOfPack[] = [];
  for (const [path, pieces] of packing.pieces) {
    if (pieces.length === 0) continue;
    const values = pieces.map(({ value }) => value).sort((a, b) => b - a);
    const value = values.reduce((sum, each, i) => sum + (i === 0 ? each : each * FURTHER_PIECE), 0);
    const declared = packing.declared.get(path);
    const items = [...pieces.map(pieceItem), ...(declared === undefined ? [] : [declaredItem(path, declared)])];
    (pieces.every(({ kind }) => kind === 'test') ? tests : code).push({ path, value, items });
  }
  for (const [path, declared] of packing.declared) {
    if ((packing.pieces.get(path)?.length ?? 0) > 0 || declared.length === 0) continue;
    near.push({ path, value: Math.max(...declared.map(({ value }) => value)), items: [declaredItem(path, declared)] });
  }
  const byValue = (a: FileOfPack, b: FileOfPack) => b.value - a.value || (a.path < b.path ? -1 : 1);
  const ordered = definitionsFirst(graph, code.sort(byValue));
  return [...ordered, ...near.sort(byValue), ...tests.sort(byValue)].flatMap(({ items }) => items);
}

function definitionsFirst(graph: Graph | null, files: FileOfPack[]): FileOfPack[] {
  if (graph === null) return files;
  const used = new Map(files.map(({ path }) => [path, usedBy(graph, path)]));
  const ordered: FileOfPack[] = [];
  for (const file of files) {
    let at = ordered.length;
    while (at > 0) {
      const before = ordered[at - 1];
      const isUsed = used.get(before.path)?.has(file.path) && !used.get(file.path)?.has(before.path);
      if (!isUsed || file.value < before.value * NEAR) break;
      at--;
    }
    ordered.splice(at, 0, file);
  }
  return ordered;
}

function usedBy(graph: Graph, path: string): Set<string> {
  const file = graph.findFile(path);
  return new Set(file < 0 ? [] : filesUsedBy(graph, file).map((link) => link.path));
}

/** A definition that the task is about, and its relevant lines. */
export interface Anchor {
  node: number;
  value: number;
  ranges: readonly Range[];
}

/** Most anchors that are followed, and most of their neighbours. */
const MAX_ANCHORS = 24;
const MAX_FOLLOWED = 32;
/** Most edges of a definition that are followed: a class may have a thousand methods. */
const MAX_EDGES = 400;

/** Share of a definition's worth that its neighbour gets. */
const WORTH = { called: 0.5, calls: 0.4, type: 0.4, parent: 0.45, child: 0.25, used: 0.3, family: 0.25 };
/** Further factor for two steps. */
const FURTHER = 0.35;
/** Gain for each further anchor that leads to a neighbour. */
const FURTHER_ANCHOR = 0.4;
/** Number of uses beyond which a definition loses worth: it says little about any of its users. */
const HUB_USES = 12;
/** Factor for a constant, which says less than a function, and is shown where it is used. */
const CONSTANT = 0.4;
/** Largest gain for use all over the repository. */
const CENTRAL = 0.4;
/** Factor for copies, examples and generated code. */
const NOT_OURS = 0.2;

interface Neighbourhood {
  /** Neighbours without anchors and tests, best first. */
  near: Neighbour[];
  /** By node: gain of anchors that use others or are used by them. */
  support: Map<number, number>;
}

export function neighboursOf(graph: Graph, anchors: readonly Anchor[]): Neighbourhood {
  const found = new Map<number, Neighbour>();
  const support = new Map<number, number>();
  const known = new Set(anchors.map(({ node }) => node));
  const first = [...anchors].sort((a, b) => b.value - a.value || a.node - b.node).slice(0, MAX_ANCHORS);
  const take = (step: Neighbour) => {
    if (known.has(step.node)) support.set(step.node, (support.get(step.node) ?? 0) + step.value);
    else add(found, step);
  };
  for (const anchor of first) for (const step of nearest(graph, anchor)) take(step);
  for (const { node, value } of [...found.values()].sort(byValue).slice(0, MAX_FOLLOWED)) {
    const further = { node, value: value * FURTHER, ranges: [rangeOf(graph, node)] };
    for (const step of nearest(graph, further)) take(step);
  }
  return { near: [...found.values()].sort(byValue), support };
}

/** The best step to each neighbour: a definition that is used on six lines counts once. */
function nearest(graph: Graph, anchor: Anchor): Iterable<Neighbour> {
  const best = new Map<number, Neighbour>();
  for (const step of stepsFrom(graph, anchor))
    if (step.value > (best.get(step.node)?.value ?? 0)) best.set(step.node, step);
  return best.values();
}

const byValue = (a: Neighbour, b: Neighbour): number => b.value - a.value || a.node - b.node;

function add(found: Map<number, Neighbour>, step: Neighbour): void {
  const before = found.get(step.node);
  if (before === undefined) found.set(step.node, step);
  else if (before.value >= step.value) before.value += step.value * FURTHER_ANCHOR;
  else found.set(step.node, { ...step, value: step.value + before.value * FURTHER_ANCHOR });
}

/** Largest gain of a definition by matches around it. */
const MAX_SUPPORT = 0.3;
const SUPPORT = 0.5;

export function supported(candidates: readonly Candidate[], support: ReadonlyMap<number, number>): Candidate[] {
  return candidates.map((candidate) => {
    const more = Math.min(MAX_SUPPORT, SUPPORT * (support.get(candidate.node) ?? 0));
    return more > 0 ? { ...candidate, value: candidate.value + more } : candidate;
  });
}

function* stepsFrom(graph: Graph, anchor: Anchor): Generator<Neighbour> {
  const { node, value, ranges } = anchor;
  const own = new Set(isType(graph, node) ? [node, ...membersOf(graph, node)] : [node]);
  const left = { edges: MAX_EDGES };
  yield* usesFrom(graph, anchor, own, left);
  if (left.edges < 0) return;
  yield* family(graph, { node, value });
  const head = Math.max(1, graph.startLine(node));
  // Users of a class have little to do with a few lines in its middle.
  if (meets(ranges, { startLine: head, endLine: head })) yield* usersOf(graph, anchor, own, left);
}

function* usesFrom(
  graph: Graph,
  { node, value, ranges }: Anchor,
  own: ReadonlySet<number>,
  left: { edges: number },
): Generator<Neighbour> {
  const name = shortName(graph, node);
  for (const from of own) {
    for (const edge of outgoing(graph, from)) {
      if (--left.edges < 0) return;
      const to = graph.target(edge);
      const line = graph.tables.edgeLine[edge];
      if (to < 0 || own.has(to) || !isShowable(graph, to) || !meets(ranges, { startLine: line, endLine: line }))
        continue;
      const kind = graph.edgeKind(edge);
      const way = RUN_KINDS.has(kind) ? 'called' : INHERIT_KINDS.has(kind) ? 'parent' : 'type';
      const why = way === 'called' ? `called by ${name}` : way === 'parent' ? `parent of ${name}` : `used by ${name}`;
      yield {
        node: to,
        why,
        value: value * WORTH[way] * plausibilityOf(graph, edge) * spread(graph, to) * ours(graph, to),
      };
    }
  }
}

function* usersOf(
  graph: Graph,
  { node, value }: Anchor,
  own: ReadonlySet<number>,
  left: { edges: number },
): Generator<Neighbour> {
  const name = shortName(graph, node);
  for (const edge of graph.incoming(node)) {
    if (--left.edges < 0) return;
    const from = graph.source(edge);
    if (own.has(from) || !isShowable(graph, from)) continue;
    const kind = graph.edgeKind(edge);
    const way = INHERIT_KINDS.has(kind) ? 'child' : kind === 'call' || kind === 'new' ? 'calls' : 'used';
    const why = way === 'child' ? `extends ${name}` : way === 'calls' ? `calls ${name}` : `uses ${name}`;
    yield {
      node: from,
      why,
      value: value * WORTH[way] * plausibilityOf(graph, edge) * spread(graph, node) * ours(graph, from),
    };
  }
}

/** Parent type of a method: overrides in several siblings share it, and it says what they are for. */
function* family(graph: Graph, { node, value }: Pick<Anchor, 'node' | 'value'>): Generator<Neighbour> {
  const container = graph.container(node);
  if (container < 0 || graph.isFile(container) || !isType(graph, container)) return;
  for (const edge of inheritEdges(graph, container)) {
    const to = graph.target(edge);
    if (to < 0 || !isShowable(graph, to)) continue;
    const worth = value * WORTH.family * plausibilityOf(graph, edge) * ours(graph, to);
    yield { node: to, why: `parent of ${shortName(graph, container)}`, value: worth };
  }
}

/** Longest name that is shown qualified, as a common name such as `run` needs to be. */
const MAX_NAME = 40;
function shortName(graph: Graph, node: number): string {
  const qualified = graph.qualifiedName(node);
  return qualified.length <= MAX_NAME ? qualified : graph.name(node);
}

function isShowable(graph: Graph, node: number): boolean {
  return !graph.isFile(node) && !isPlain(graph, node) && !isTestCode(graph, node);
}

function plausibilityOf(graph: Graph, edge: number): number {
  return CONFIDENCE[graph.tier(edge)];
}

/** Factor for a definition by its number of uses: one that is used everywhere says little. */
function spread(graph: Graph, node: number): number {
  return 1 / Math.sqrt(Math.max(1, graph.incoming(node).length / HUB_USES));
}

/** Factor for a definition by what it is, and by how central its file is. */
function ours(graph: Graph, node: number): number {
  const file = graph.fileOf(node);
  const kind = VALUES.has(graph.kind(node)) ? CONSTANT : 1;
  return kind * (isProduction(graph, file) ? 1 + CENTRAL * Math.sqrt(shareOfBest(graph, file)) : NOT_OURS);
}

const VALUES: ReadonlySet<string> = new Set(['constant', 'variable', 'field', 'property', 'enum-member']);

/** Worth of a neighbour's whole code, relative to its declaration's. */
const AS_CODE = 0.8;
const MAX_AS_CODE = 24;
const MAX_CODE_LINES = 80;

/** Code of the nearest neighbours: most tasks need what the found code calls. */
export function nearestCode(graph: Graph, neighbours: readonly Neighbour[]): Candidate[] {
  const found: Candidate[] = [];
  for (const { node, value, why } of neighbours.slice(0, MAX_AS_CODE)) {
    const range = rangeOf(graph, node);
    if (range.endLine - range.startLine >= MAX_CODE_LINES) continue;
    const [path, symbol] = [graph.path(node), graph.qualifiedName(node)];
    found.push({ kind: 'code', path, ...range, symbol, why, value: value * AS_CODE, node });
  }
  return found;
}

// Tests that reach the chosen definitions: short ones whole, of others the first lines.

/** Most definitions whose tests are looked for. */
const MAX_TESTED = 6;
/** Most steps from a test to a definition. */
const DEPTH = 2;
const MAX_TESTS = 12;
/** Longest test that is shown whole, and lines shown of a longer one. */
const MAX_TEST_LINES = 25;
const TEST_HEAD_LINES = 12;
/** Lines around the use in tests that are not functions (`describe`, `it`). */
const LINES_BEFORE = 2;
const LINES_AFTER = 8;

const TEST_WORTH = 0.6;
const TEST_FURTHER = 0.5;

export function testsOf(graph: Graph, anchors: readonly Anchor[]): Candidate[] {
  const best = [...anchors].sort((a, b) => b.value - a.value || a.node - b.node).slice(0, MAX_TESTED);
  const found = new Map<number, Candidate>();
  for (const { node, value } of best) {
    if (graph.isFile(node)) continue;
    for (const user of walkUsers(graph, [node], { depth: DEPTH })) {
      const file = graph.fileOf(user.node);
      if (!(isRunnableTest(graph, file) || isInnerTest(graph, user.node, file))) continue;
      const worth = value * TEST_WORTH * user.confidence * TEST_FURTHER ** (user.hop - 1);
      if ((found.get(file)?.value ?? 0) >= worth) continue;
      found.set(file, testAt(graph, user, { file, value: worth, why: `tests ${graph.name(node)}` }));
    }
  }
  return [...found.values()].sort((a, b) => b.value - a.value || (a.path < b.path ? -1 : 1)).slice(0, MAX_TESTS);
}

function testAt(
  graph: Graph,
  { node, line }: { node: number; line: number },
  { file, value, why }: { file: number; value: number; why: string },
): Candidate {
  const base = { kind: 'test' as const, path: graph.tables.files[file].path, why, value, node };
  if (graph.isFile(node)) {
    const last = Math.max(1, graph.endLine(node));
    const startLine = Math.min(last, Math.max(1, line - LINES_BEFORE));
    return { ...base, symbol: null, node: -1, startLine, endLine: Math.min(last, line + LINES_AFTER) };
  }
  const whole = rangeOf(graph, node);
  const endLine =
    whole.endLine - whole.startLine < MAX_TEST_LINES ? whole.endLine : whole.startLine + TEST_HEAD_LINES - 1;
  return { ...base, symbol: graph.qualifiedName(node), startLine: whole.startLine, endLine };
}

// Leaves out translations of documents.

const ORIGINAL = 'en';
/** `de`, `pt-BR`, `zh-hant`: a folder, or before the extension (`README.fr.md`, `README_ZH.md`). */
const LANGUAGE = /(?<=^|\/)[a-z]{2}(?:-[a-z]{2,4})?(?=\/)|(?<=[._-])[a-z]{2}(?:-[a-z]{2,4})?(?=\.[a-z]+$)/gi;

/** True if the repository has this document in English, too. */
export function isTranslated(graph: Graph, path: string): boolean {
  const file = graph.findFile(path);
  if (file < 0 || classOf(graph, file) !== 'document') return false;
  for (const match of path.matchAll(LANGUAGE)) {
    const { index } = match;
    if (match[0].toLowerCase() === ORIGINAL) continue;
    const before = path.slice(0, index);
    const after = path.slice(index + match[0].length);
    // `README.fr.md` beside `README.md`
    const bare = `${before.replace(/[._-]$/, '')}${after}`;
    if (graph.findFile(`${before}${ORIGINAL}${after}`) >= 0 || graph.findFile(bare) >= 0) return true;
  }
  return false;
}
