/** What queries of one process need of a file's path again and again: its terms, and their vector. */
import type { StaticModel } from '../embed/builtin/model.js';
import type { Corpus } from './corpus.js';
import { type PathTerms, pathTerms } from './paths.js';
import { wordVector } from './word-vector.js';

/** Files remembered per snapshot, at about 1.5 kB each; what is often found is soon found again. */
const FILES_KEPT = 4_096;

interface Place {
  terms: PathTerms;
  vector: Float32Array | null;
}

const places = new WeakMap<Corpus, Map<number, Place>>();

function placeOf(corpus: Corpus, file: number): Place {
  let known = places.get(corpus);
  if (known === undefined) {
    known = new Map();
    places.set(corpus, known);
  }
  let place = known.get(file);
  if (place === undefined) {
    if (known.size >= FILES_KEPT) known.clear();
    place = { terms: pathTerms(corpus.live.files.path(file)), vector: null };
    known.set(file, place);
  }
  return place;
}

export function pathTermsOf(corpus: Corpus, file: number): PathTerms {
  return placeOf(corpus, file).terms;
}

/** Vector of a path's words, of length 1. */
export function pathVectorOf(corpus: Corpus, file: number, model: StaticModel): Float32Array {
  const place = placeOf(corpus, file);
  const { words, directories } = place.terms;
  place.vector ??= wordVector(
    model,
    [...words, ...directories].map((term) => [term, 1]),
  );
  return place.vector;
}
