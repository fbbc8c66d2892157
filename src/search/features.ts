/** Features of one candidate's file for one query: how well path and query match. */
import type { TermMatch } from './bm25.js';
import type { PathTerms } from './corpus.js';

export interface FileFeatures {
  fileName: number;
  directory: number;
  prefix: number;
  nameCoverage: number;
}

const MIN_PREFIX = 3;

/** Shares are of the query's idf mass, 0..1; `nameCoverage` is the share of the file name's words. */
export function fileFeatures(path: PathTerms, terms: readonly TermMatch[], mass: number): FileFeatures {
  const stem = new Set(path.stem);
  const parent = new Set(path.parent);
  let fileName = 0;
  let directory = 0;
  let prefix = 0;
  const covered = new Set<string>();
  for (const { term, idf } of terms) {
    if (stem.has(term)) {
      fileName += idf;
      covered.add(term);
    }
    if (parent.has(term)) directory += idf;
    const relative = path.stem.find((word) => isPrefix(word, term));
    if (relative !== undefined) {
      prefix += idf;
      covered.add(relative);
    }
  }
  return {
    fileName: fileName / mass,
    directory: directory / mass,
    prefix: prefix / mass,
    nameCoverage: stem.size === 0 ? 0 : covered.size / stem.size,
  };
}

function isPrefix(a: string, b: string): boolean {
  if (a.length < MIN_PREFIX || b.length < MIN_PREFIX) return false;
  return a.length > b.length ? a.startsWith(b) : b.startsWith(a);
}
