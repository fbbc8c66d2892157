/** Features of one candidate's file for one query: how well the path and the query match. */
import type { TermMatch } from './bm25.js';
import type { PathTerms } from './paths.js';
import { KINSHIP } from './weights.js';

export interface FileFeatures {
  fileName: number;
  directory: number;
  prefix: number;
  nameCoverage: number;
}

/**
 * Computes the features. Shares are of the query's idf mass, 0 to 1; `nameCoverage` is a share of the file name's
 * letters.
 */
export function fileFeatures(path: PathTerms, terms: readonly TermMatch[], mass: number): FileFeatures {
  let fileName = 0;
  let directory = 0;
  let prefix = 0;
  const covered = new Float64Array(path.words.length);
  for (const { term, idf } of terms) {
    let best = path.stem.includes(term) ? 1 : 0;
    for (let i = 0; i < path.words.length; i++) {
      const near = kinship(term, path.words[i]);
      covered[i] = Math.max(covered[i], near);
      best = Math.max(best, near);
    }
    if (best === 1) fileName += idf;
    else prefix += idf * best;
    if (path.parent.includes(term)) directory += idf;
  }
  let letters = 0;
  let matched = 0;
  for (const [i, word] of path.words.entries()) {
    letters += word.length;
    matched += word.length * covered[i];
  }
  return {
    fileName: fileName / mass,
    directory: directory / mass,
    prefix: prefix / mass,
    nameCoverage: letters === 0 ? 0 : matched / letters,
  };
}

/**
 * Returns 1 for equal words, the shared fraction for words with a long common beginning (auth, authentication), else 0.
 */
function kinship(a: string, b: string): number {
  if (a === b) return 1;
  const shorter = Math.min(a.length, b.length);
  let common = 0;
  while (common < shorter && a.charCodeAt(common) === b.charCodeAt(common)) common++;
  if (common < KINSHIP.minLetters || common < KINSHIP.minShare * shorter) return 0;
  return (common / shorter) * KINSHIP.discount;
}
