/** Cache of data about files that many queries of one process need: the terms of a path, and vectors. */
import { Recent } from '../base/remember.js';
import type { StaticModel } from '../embed/builtin/model.js';
import { scaled, type WeightedTerm, wordSum } from '../embed/builtin/model.js';
import type { VectorIndex } from '../shard/nearest.js';
import type { Corpus } from './corpus.js';
import { type FolderTerms, type PathTerms, pathTerms } from './paths.js';
import { DENSE } from './weights.js';

/** Files remembered per snapshot in each of two generations, at about 2.3 kB a file. Files that were found often are likely to be found again. */
const FILES_KEPT = 3_072;
/** Folders remembered in each generation, at about 2.5 kB. They have ten files on average. */
const FOLDERS_KEPT = 1_024;

interface CachedFile {
  terms: PathTerms;
  /** Vector of the path's words. */
  path: Float32Array | null;
  /** Vector of the whole file, and the vector index that it was made from. */
  whole: { from: VectorIndex; vector: Float32Array } | null;
}

interface Places {
  files: Recent<number, CachedFile>;
  folders: Recent<string, FolderTerms>;
}

const places = new WeakMap<Corpus, Places>();

function placeOf(corpus: Corpus, file: number): CachedFile {
  let known = places.get(corpus);
  if (known === undefined) {
    known = { files: new Recent(FILES_KEPT), folders: new Recent(FOLDERS_KEPT) };
    places.set(corpus, known);
  }
  let place = known.files.get(file);
  if (place === undefined) {
    place = { terms: pathTerms(corpus.live.files.path(file), known.folders), path: null, whole: null };
    known.files.set(file, place);
  }
  return place;
}

export function pathTermsOf(corpus: Corpus, file: number): PathTerms {
  return placeOf(corpus, file).terms;
}

/** Sums of the words of folders, by their terms, which the files of a folder share. */
const folderSums = new WeakMap<readonly string[], { model: StaticModel; sum: Float64Array }>();

const once = (term: string): WeightedTerm => [term, 1];

function folderSum(model: StaticModel, directories: readonly string[]): Float64Array {
  const known = folderSums.get(directories);
  if (known?.model === model) return known.sum;
  const sum = wordSum(model, directories.map(once));
  folderSums.set(directories, { model, sum });
  return sum;
}

/** Vector of a path's words, scaled to the weight that it has next to a chunk. */
export function pathVectorOf(corpus: Corpus, file: number, model: StaticModel): Float32Array {
  const place = placeOf(corpus, file);
  if (place.path === null) {
    const { words, directories } = place.terms;
    place.path = scaled(wordSum(model, words.map(once), folderSum(model, directories)), DENSE.path);
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
