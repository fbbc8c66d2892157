/** Cache of data about files that many queries of one process need: the terms of a path, and vectors. */
import type { StaticModel } from '../embed/builtin/model.js';
import { wordVector } from '../embed/builtin/model.js';
import type { VectorIndex } from '../shard/nearest.js';
import type { Corpus } from './corpus.js';
import { type PathTerms, pathTerms } from './paths.js';
import { DENSE } from './weights.js';

/** Files remembered per snapshot, at about 2.5 kB each. Files that were found often are likely to be found again. */
const FILES_KEPT = 4_096;

interface CachedFile {
  terms: PathTerms;
  /** Vector of the path's words. */
  path: Float32Array | null;
  /** Vector of the whole file, and the vector index that it was made from. */
  whole: { from: VectorIndex; vector: Float32Array } | null;
}

const places = new WeakMap<Corpus, Map<number, CachedFile>>();

function placeOf(corpus: Corpus, file: number): CachedFile {
  let known = places.get(corpus);
  if (known === undefined) {
    known = new Map();
    places.set(corpus, known);
  }
  let place = known.get(file);
  if (place === undefined) {
    if (known.size >= FILES_KEPT) known.clear();
    place = { terms: pathTerms(corpus.live.files.path(file)), path: null, whole: null };
    known.set(file, place);
  }
  return place;
}

export function pathTermsOf(corpus: Corpus, file: number): PathTerms {
  return placeOf(corpus, file).terms;
}

/** Vector of a path's words, scaled to the weight that it has next to a chunk. */
export function pathVectorOf(corpus: Corpus, file: number, model: StaticModel): Float32Array {
  const place = placeOf(corpus, file);
  if (place.path === null) {
    const { words, directories } = place.terms;
    const terms = [...words, ...directories].map((term) => [term, 1] as const);
    place.path = wordVector(model, terms, DENSE.path);
  }
  return place.path;
}

/**
 * Vector of a whole file, made on first use. If two vector indexes alternate, only the last one's vector is remembered.
 */
export function fileVectorOf(corpus: Corpus, file: number, from: VectorIndex, make: () => Float32Array): Float32Array {
  const place = placeOf(corpus, file);
  if (place.whole?.from !== from) place.whole = { from, vector: make() };
  return place.whole.vector;
}
