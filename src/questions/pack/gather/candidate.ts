/** Candidates for a pack: lines of a file, or a declaration on one line, each with its worth. */
import type { Range } from './lines.js';

/** Lines as they are. */
export interface Candidate extends Range {
  kind: 'code' | 'test';
  path: string;
  symbol: string | null;
  /** Short, for a reader: `matches`, `defines total`. */
  why: string;
  /** Higher is better; the best search result is worth about 1. */
  value: number;
  /** Node of the graph that these lines define, -1 where they are something else. */
  node: number;
  /** Fewer lines that say the essential, where the whole does not fit. */
  smaller?: Range;
}

/** A definition of which only the declaration is told. */
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

/** Puts candidates for the same lines together: the best reason and worth, a little more for each further one. */
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

/** Two chunks of one function are hardly better than one. */
const FURTHER_REASON = 0.15;
