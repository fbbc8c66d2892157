/** The order in which a reader wants files: code, then its tests, then what is about it. */
import { classByName, type PathClass } from './path-classes.js';

/** What is in none of them comes last. */
const TURNS: readonly PathClass[] = ['source', 'declaration', 'test', 'example', 'legacy', 'document'];

/** Names of files that are no code, whatever folder they are in. */
const PLAIN = /(?:^|\/)\.|\.(?:lock|sum|cfg|conf|env|mod)$|(?:^|\/)(?:[A-Z]+|[A-Z]\w+file)$/;

/** Stable: within a class the order stays. */
export function codeFirst<T>(all: readonly T[], pathOf: (each: T) => string): T[] {
  const placed = all.map((each) => ({ each, turn: turnOf(pathOf(each)) }));
  return placed.sort((a, b) => a.turn - b.turn).map(({ each }) => each);
}

function turnOf(path: string): number {
  const turn = TURNS.indexOf(classByName(path) ?? (PLAIN.test(path) ? 'data' : 'source'));
  return turn < 0 ? TURNS.length : turn;
}
