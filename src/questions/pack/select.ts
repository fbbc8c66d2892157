/**
 * Selects candidates for a pack within its budget, sorts them in the order of reading, and adds facts about the rest while there is room.
 */
import { safeJson, visibleDocument } from '../../base/printable.js';
import { estimateTokens } from '../../base/tokens.js';
import type { Graph } from '../../graph/graph.js';
import { filesUsedBy } from '../../graph/query/file-edges.js';
import type { Lines } from './anchors.js';
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
  ownTokens,
  Packing,
  Pages,
  POINTED_AT,
  pieceItem,
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

  const first = fillLines(filling, code, room * SHARES.code, CUT_BEST);
  const second = fillLines(filling, tests, room * SHARES.test);
  let used = first.used + second.used;
  const third = fillDeclarations(filling, declarations, Math.min(room - used, room * SHARES.signature));
  used += third.used;
  const more = fillLines(filling, first.left, room - used);
  used += more.used;
  const moreTests = fillLines(filling, second.left, room - used);
  used += moreTests.used;
  const last = fillDeclarations(filling, third.left, room - used);
  forget(packing);

  const left = [...more.left, ...moreTests.left].map((candidate) => refusedLines(packing, candidate));
  const undeclared = last.left.filter((declaration) => !packing.declares(declaration)).map(refusedDeclaration);
  const refused = [...left, ...undeclared].sort((a, b) => b.candidate.value - a.candidate.value);
  return { items: orderItems(graph, packing), refused };
}

/** Drops declarations of definitions that were added whole later. */
function forget(packing: Packing): void {
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
