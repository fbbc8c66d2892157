/** A pack that is being filled: candidates with their worth, disjoint pieces of files, and their cost in tokens. */
import { signs } from '../../base/printable.js';
import { estimateTokens } from '../../base/tokens.js';
import type { Lines } from './anchors.js';
import type { PackResponse } from './question.js';

/** Unchanged lines of a file. */
export interface Candidate extends Range {
  kind: 'code' | 'test';
  path: string;
  symbol: string | null;
  /** Short reason for the reader: `matches`, `defines total`. */
  why: string;
  /** Higher is better; the best search result has about 1. */
  value: number;
  /** Node that these lines define; -1 for other lines. */
  node: number;
  /** Essential lines, for a pack without room for the whole. */
  smaller?: Range;
}

/** A definition of which only the declaration is shown. */
export interface Neighbour {
  node: number;
  value: number;
  why: string;
}

export interface Declaration extends Range {
  path: string;
  symbol: string;
  why: string;
  value: number;
  /** As written, on one line. */
  text: string;
}

/** Joins candidates for the same lines: takes the best reason and worth, and a little more for each further one. */
export function unite(candidates: readonly Candidate[]): Candidate[] {
  const found = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const key = `${candidate.path}\0${candidate.startLine}-${candidate.endLine}`;
    const known = found.get(key);
    if (known === undefined) {
      found.set(key, { ...candidate });
      continue;
    }
    const [better, other] = known.value >= candidate.value ? [known, candidate] : [candidate, known];
    const smaller = better.smaller ?? other.smaller;
    found.set(key, { ...better, value: better.value + other.value * FURTHER_REASON, ...(smaller && { smaller }) });
  }
  return [...found.values()];
}

/** Gain for each further reason: two chunks of a function are hardly better than one. */
const FURTHER_REASON = 0.15;

/** First and last line, counted from 1, inclusive. */
export interface Range {
  startLine: number;
  endLine: number;
}

/** Gap at which two ranges are joined: its lines cost less than a second heading, and show how the ranges belong together. */
export const MAX_GAP = 5;

/** Joins a range with those it meets: `joined` replaces `met` in the sorted, disjoint `ranges`. */
export function join<T extends Range>(ranges: readonly T[], added: Range, gap = MAX_GAP): { joined: Range; met: T[] } {
  let { startLine, endLine } = added;
  const met: T[] = [];
  // Repeats, since a longer range may meet further ones.
  for (let known = -1; known !== met.length; ) {
    known = met.length;
    for (const range of ranges) {
      if (met.includes(range) || range.startLine > endLine + gap + 1 || range.endLine < startLine - gap - 1) continue;
      met.push(range);
      startLine = Math.min(startLine, range.startLine);
      endLine = Math.max(endLine, range.endLine);
    }
  }
  return { joined: { startLine, endLine }, met };
}

export function contains(ranges: readonly Range[], { startLine, endLine }: Range): boolean {
  return ranges.some((range) => range.startLine <= startLine && range.endLine >= endLine);
}

/** True if one of the ranges has a line of it. */
export function meets(ranges: readonly Range[], { startLine, endLine }: Range): boolean {
  return ranges.some((range) => range.startLine <= endLine && range.endLine >= startLine);
}

/** Lines of a text, without line endings. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Part of a range, of at most `count` lines, with most words of the task; `weigh` counts them in a line. */
function densest(lines: readonly string[], range: Range, count: number, weigh: (line: string) => number): Range {
  const { startLine, endLine } = range;
  if (endLine - startLine < count) return range;
  const weights = lines.slice(startLine - 1, endLine).map(weigh);
  let best = 0;
  let sum = weights.slice(0, count).reduce((total, weight) => total + weight, 0);
  let most = sum;
  for (let at = 1; at + count <= weights.length; at++) {
    sum += weights[at + count - 1] - weights[at - 1];
    if (sum > most) [best, most] = [at, sum];
  }
  return { startLine: startLine + best, endLine: startLine + best + count - 1 };
}

export type Item = PackResponse['items'][number];

/** Lines of a file in the pack, and the reasons. */
interface Piece extends Range {
  kind: 'code' | 'test';
  path: string;
  parts: Pick<Candidate, 'symbol' | 'why' | 'value'>[];
  value: number;
  content: string;
  tokens: number;
}

/** Most symbols and reasons shown for a piece. */
const MAX_SYMBOLS = 4;
const MAX_REASONS = 3;

/** Cached texts and costs of ranges: a pack is filled several times until it fits. */
export class Pages {
  private readonly known = new Map<string, { text: string; tokens: number } | null>();

  constructor(private readonly lines: Lines) {}

  /** Null if some of the lines are not known. */
  read(path: string, range: Range): { text: string; tokens: number } | null {
    const key = `${range.startLine}-${range.endLine} ${path}`;
    let found = this.known.get(key);
    if (found === undefined) {
      const text = textOf(this.lines(path), range);
      found = text === null ? null : { text, tokens: estimateTokens(JSON.stringify(text)) };
      this.known.set(key, found);
    }
    return found;
  }
}

function textOf(lines: readonly string[] | null, { startLine, endLine }: Range): string | null {
  if (lines === null || startLine > lines.length) return null;
  const text = lines.slice(startLine - 1, endLine);
  // Some lines are unknown if only parts of the file are.
  for (let i = 0; i < text.length; i++) if (text[i] === undefined) return null;
  return text.join('\n').replaceAll('\r\n', '\n').replace(/\s+$/, '');
}

export class Packing {
  readonly pieces = new Map<string, Piece[]>();
  readonly declared = new Map<string, Declaration[]>();
  /** Text of every added piece, with its place. */
  private readonly texts = new Map<string, string>();
  /** Files by the names of their definitions in the pack. */
  private readonly named = new Map<string, Set<string>>();

  constructor(
    private readonly pages: Pages,
    /** Lines between two pieces that are added with them. */
    private readonly gap: number,
  ) {}

  /** Tokens that these lines add to the pack; null for unknown lines. */
  price(candidate: Candidate, range: Range = candidate): { tokens: number; piece: Piece; met: Piece[] } | null {
    const { joined, met } = join(this.pieces.get(candidate.path) ?? [], range, this.gap);
    const page = this.pages.read(candidate.path, joined);
    if (page === null) return null;
    const parts = [...met.flatMap((piece) => piece.parts), candidate];
    const value = Math.max(candidate.value, ...met.map((piece) => piece.value));
    const kind = met.some((piece) => piece.kind === 'code') ? 'code' : candidate.kind;
    const piece: Piece = { kind, path: candidate.path, ...joined, parts, value, content: '', tokens: 0 };
    piece.tokens = costOf(pieceItem(piece)) + page.tokens;
    piece.content = page.text;
    return { tokens: piece.tokens - met.reduce((sum, { tokens }) => sum + tokens, 0), piece, met };
  }

  add({ piece, met }: { piece: Piece; met: readonly Piece[] }): void {
    const retained = (this.pieces.get(piece.path) ?? []).filter((other) => !met.includes(other));
    this.pieces.set(
      piece.path,
      [...retained, piece].sort((a, b) => a.startLine - b.startLine),
    );
  }

  /** Number of definitions with its name from other files in the pack. */
  countNamed({ symbol, path }: Candidate): number {
    const name = symbol?.split('.').at(-1);
    const files = name === undefined ? undefined : this.named.get(name);
    return files === undefined ? 0 : files.size - (files.has(path) ? 1 : 0);
  }

  /** Remembers a candidate's text, so that no copy of it is added. */
  remember(candidate: Candidate): void {
    const name = candidate.symbol?.split('.').at(-1);
    if (name !== undefined) this.named.set(name, (this.named.get(name) ?? new Set()).add(candidate.path));
    const page = this.pages.read(candidate.path, candidate);
    if (page !== null) this.texts.set(page.text, `${candidate.path}:${candidate.startLine}`);
  }

  /** Place of equal lines in the pack, in this or another file. */
  copyOf(candidate: Candidate): string | null {
    const page = this.pages.read(candidate.path, candidate);
    return page === null ? null : (this.texts.get(page.text) ?? null);
  }

  holds({ path, startLine, endLine }: Range & { path: string }): boolean {
    return contains(this.pieces.get(path) ?? [], { startLine, endLine });
  }

  /** True if the first line, its declaration, is in the pack. */
  declares({ path, startLine }: Range & { path: string }): boolean {
    return meets(this.pieces.get(path) ?? [], { startLine, endLine: startLine });
  }

  remove(piece: Piece): void {
    this.pieces.set(
      piece.path,
      (this.pieces.get(piece.path) ?? []).filter((other) => other !== piece),
    );
  }

  all(): Piece[] {
    return [...this.pieces.values()].flat();
  }
}

/** Tokens of an item in a list of the document. */
function costOf(item: Item): number {
  return estimateTokens(JSON.stringify(item)) + 1;
}

export function pieceItem(piece: Piece): Item {
  const { path, startLine, endLine, kind, parts, tokens, content } = piece;
  const best = [...parts].sort((a, b) => b.value - a.value);
  const why = [...new Set(best.map((part) => part.why))].slice(0, MAX_REASONS).join('; ');
  return { path, startLine, endLine, kind, symbol: symbolOf(parts), why, tokens, content };
}

/** Names of a piece: `Cart` covers `Cart.total`. */
function symbolOf(parts: Piece['parts']): string | null {
  const all = new Set(parts.flatMap(({ symbol }) => (symbol === null ? [] : [symbol])));
  const own = [...all].filter((name) => ![...all].some((other) => name.startsWith(`${other}.`)));
  if (own.length === 0) return null;
  return own.length > MAX_SYMBOLS ? `${own.slice(0, MAX_SYMBOLS).join(', ')}, ${signs.cut}` : own.join(', ');
}

/** Declarations of a file as one item: a heading for each would cost more than they do. */
export function declaredItem(path: string, declared: readonly Declaration[]): Item {
  const sorted = [...declared].sort((a, b) => a.startLine - b.startLine || a.endLine - b.endLine);
  const content = sorted.map(declarationLine).join('\n');
  const item: Item = {
    path,
    startLine: sorted[0].startLine,
    endLine: Math.max(...sorted.map(({ endLine }) => endLine)),
    kind: 'signature',
    symbol: sorted.length === 1 ? sorted[0].symbol : null,
    why: 'nearby',
    tokens: 0,
    content,
  };
  item.tokens = costOf(item);
  return item;
}

function declarationLine({ startLine, endLine, text, why }: Declaration): string {
  return `${endLine > startLine ? `${startLine}-${endLine}` : startLine} ${text} (${why})`;
}

// Fills a pack by worth per token: mostly code, some declarations and tests. Tokens that one kind leaves go to the next.

/** Shares of the tokens, in the order in which they are filled. Code is first: what is near depends on it. */
export const SHARES = { code: 0.65, test: 0.1, signature: 0.2 } as const;

/** Worth is divided by tokens to this power. With 1, a pack would be filled with the smallest pieces; with 0, in order of worth alone. */
const THRIFT = 0.4;
/** Weight of a further piece of the same file, which says less than a first piece of another. */
const SAME_FILE = 0.6;
/** Weight of a method that repeats another class's, such as another driver's: little of it is new after the first. */
const TWIN = 0.75;
/** Fewest lines of a part of a definition that are worth a heading. */
const LEAST_LINES = 6;
/** Largest share of the tokens for a whole definition with known essential lines: a second definition says more. */
const GREED = 0.3;
/** Worth from which a candidate comes first, and whole: the task points at it, or many results are near it. */
export const POINTED_AT = 1.1;
/** Number of the best candidates of which at least a part is shown, however small the budget. */
export const CUT_BEST = 3;

/** A candidate that is not in the pack, with the reason. */
export interface Refused {
  candidate: Pick<Candidate, 'path' | 'startLine' | 'endLine' | 'symbol' | 'value'>;
  tokens: number;
  why: string;
}

interface Filling {
  packing: Packing;
  lines: Lines;
  /** How well a line fits the task. */
  weigh: (line: string) => number;
}

/** Adds candidates that fit into `room` tokens; returns tokens used and candidates left. `cuts`: how many of the best may be cut. */
export function fillLines(
  { packing, lines, weigh }: Filling,
  candidates: readonly Candidate[],
  room: number,
  cuts = 0,
): { used: number; left: Candidate[] } {
  let used = 0;
  let left = [...candidates];
  const refused: Candidate[] = [];
  const prices = new Map<Candidate, ReturnType<Packing['price']>>();
  for (let round = 0; left.length > 0; round++) {
    left = left.filter((candidate) => !packing.holds(candidate));
    const best = pick(packing, left, prices);
    if (best === null) break;
    left = left.filter((candidate) => candidate !== best);
    if (packing.copyOf(best) !== null) {
      refused.push(best);
      continue;
    }
    const fitting = fit({ packing, lines, weigh }, best, { room: room - used, all: room, mayCut: round < cuts });
    if (fitting === null) {
      refused.push(best);
      continue;
    }
    packing.add(fitting);
    packing.remember(best);
    used += fitting.tokens;
    for (const candidate of left) if (candidate.path === best.path) prices.delete(candidate);
  }
  return { used, left: [...refused, ...left].filter((candidate) => !packing.holds(candidate)) };
}

type Price = NonNullable<ReturnType<Packing['price']>>;

function pick(packing: Packing, left: readonly Candidate[], prices: Map<Candidate, Price | null>): Candidate | null {
  let best: Candidate | null = null;
  let most = -1;
  for (const candidate of left) {
    if (!prices.has(candidate)) prices.set(candidate, packing.price(candidate));
    const price = prices.get(candidate) ?? null;
    if (price === null) continue;
    const again = (packing.pieces.get(candidate.path) ?? []).length - price.met.length;
    const twins = packing.countNamed(candidate);
    const thrift = candidate.value < POINTED_AT ? THRIFT : 0;
    const worth = (candidate.value * SAME_FILE ** again * TWIN ** twins) / Math.max(1, price.tokens) ** thrift;
    if (worth > most) [best, most] = [candidate, worth];
  }
  return best;
}

/** The whole candidate, else its essential lines, else (for the best ones) as many of them as fit. */
function fit(
  { packing, lines, weigh }: Filling,
  candidate: Candidate,
  { room, all, mayCut }: { room: number; all: number; mayCut: boolean },
): Price | null {
  for (const range of [candidate, candidate.smaller]) {
    const price = range === undefined ? null : packing.price(candidate, range);
    if (price === null || price.tokens > room) continue;
    const isCut = range === candidate && candidate.smaller !== undefined && candidate.value < POINTED_AT;
    if (!isCut || price.tokens <= all * GREED) return price;
  }
  const known = lines(candidate.path);
  if (!mayCut || known === null) return null;
  const whole: Range = candidate.smaller ?? candidate;
  for (let count = whole.endLine - whole.startLine; count >= LEAST_LINES; count = Math.floor(count * 0.7)) {
    const price = packing.price(candidate, densest(known, whole, count, weigh));
    if (price !== null && price.tokens <= room) return price;
  }
  return null;
}

/** Adds declarations, best first. Those of a file are one item, so that its heading costs once. */
export function fillDeclarations(
  { packing }: Pick<Filling, 'packing'>,
  declarations: readonly Declaration[],
  room: number,
): { used: number; left: Declaration[] } {
  let used = 0;
  const left: Declaration[] = [];
  for (const declaration of declarations) {
    if (packing.declares(declaration)) continue;
    const { path } = declaration;
    const before = packing.declared.get(path) ?? [];
    const after = [...before, declaration];
    const tokens = declaredItem(path, after).tokens - (before.length > 0 ? declaredItem(path, before).tokens : 0);
    if (used + tokens > room) {
      left.push(declaration);
      continue;
    }
    packing.declared.set(path, after);
    used += tokens;
  }
  return { used, left };
}

/** Tokens of a candidate by itself. */
export function ownTokens({ packing }: Pick<Filling, 'packing'>, candidate: Candidate): number {
  return packing.price(candidate)?.tokens ?? 0;
}

export const declarationTokens = (declaration: Declaration): number => estimateTokens(declaration.text) + 8;
