/** Fills a pack by worth for its tokens: most of it code, some declarations and tests; what one sort leaves goes to the next. */
import { estimateTokens } from '../../../base/tokens.js';
import type { Candidate, Declaration } from '../gather/candidate.js';
import { densest, type Range } from '../gather/lines.js';
import type { Lines } from '../gather/texts.js';
import { declaredItem, type Packing } from './packing.js';

/** Shares of the room, in the order in which they are filled. Code first: what is near it depends on what it is. */
export const SHARES = { code: 0.65, test: 0.1, signature: 0.2 } as const;

/** Worth is divided by tokens to this power: 1 would fill a pack with the smallest pieces, 0 with the first. */
const THRIFT = 0.4;
/** A further piece of a file that is there says less than a first of another. */
const SAME_FILE = 0.6;
/** Repeats a method of another class, such as another driver's: little of it is new to a reader of the first. */
const TWIN = 0.75;
/** Least lines of a part of a definition that are worth a heading. */
const LEAST_LINES = 6;
/** A whole definition takes no more of the room than this where its essential lines are known: a second one says more. */
const GREED = 0.3;
/** Worth of what the task itself points at, or much else of what is found is near: it comes first, and whole. */
export const POINTED_AT = 1.1;
/** So many of the best are there in part at least, however small the budget. */
export const CUT_BEST = 3;

/** A candidate that is not in the pack, and why. */
export interface Refused {
  candidate: Pick<Candidate, 'path' | 'startLine' | 'endLine' | 'symbol' | 'value'>;
  tokens: number;
  why: string;
}

interface Filling {
  packing: Packing;
  lines: Lines;
  /** How much a line says of the task. */
  weigh: (line: string) => number;
}

/** Adds what fits into `room` tokens; returns what is used of it, and who is left. `cuts`: how many of the best may be cut. */
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
    packing.tell(best);
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

/** The whole, else the essential lines, else (of the best) as many of them as there is room for. */
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

/** Adds declarations, best first; those of a file are one item, whose heading is paid once. */
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

/** Tokens that a candidate would take by itself. */
export function ownTokens({ packing }: Pick<Filling, 'packing'>, candidate: Candidate): number {
  return packing.price(candidate)?.tokens ?? 0;
}

export const declarationTokens = (declaration: Declaration): number => estimateTokens(declaration.text) + 8;
