/** Sorts files in the order in which a reader wants them: code, then its tests, then text about it. */
import type { PathClass } from './corpus.js';
import { classByName } from './path-classes.js';

/** Classes in the order of display. All other classes come last. */
const TURNS: readonly PathClass[] = ['source', 'declaration', 'test', 'example', 'legacy', 'document'];

/** Names of files that are not code, in any folder. */
const PLAIN = /(?:^|\/)\.|\.(?:lock|sum|cfg|conf|env|mod)$|(?:^|\/)(?:[A-Z]+|[A-Z]\w+file)$/;

/** Sorts by class. The sort is stable, so that the order within a class stays. */
export function codeFirst<T>(all: readonly T[], pathOf: (each: T) => string): T[] {
  const placed = all.map((each) => ({ each, turn: turnOf(pathOf(each)) }));
  return placed.sort((a, b) => a.turn - b.turn).map(({ each }) => each);
}

function turnOf(path: string): number {
  const turn = TURNS.indexOf(classByName(path) ?? (PLAIN.test(path) ? 'data' : 'source'));
  return turn < 0 ? TURNS.length : turn;
}
