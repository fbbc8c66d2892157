/**
 * Takes out of a question what all vectors of a model have in common. Vectors of many models point in nearly one direction: texts that have
 * nothing to do with each other have a cosine of .5 to .8. Without that part, a question's similarities tell chunks apart as well as those of other models do.
 * Source: "All-but-the-Top" (Mu and Viswanath, ICLR 2018), its first step, here applied to the question alone.
 */
import { documentsOf, type LiveSet } from '../shard/live.js';
import type { VectorIndex } from '../shard/nearest.js';

/** Chunks for the mean: each of its numbers is then known to a fiftieth of its spread. */
export const CENTRE_SAMPLE = 2_048;

const means = new WeakMap<VectorIndex, Float64Array>();

/** The question's vector of length 1 without what all chunks have in common; the mean is remembered. */
export function centred(question: Float32Array, live: LiveSet, vectors: VectorIndex): Float32Array {
  const mean = means.get(vectors) ?? meanOf(live, vectors);
  means.set(vectors, mean);
  return without(question, mean);
}

/**
 * Takes the direction of `mean`, that of chunks' unit vectors, out of a vector of length 1. The result is longer by as much as that
 * shortens a chunk, so that the similarities keep their weight beside those of paths.
 */
export function without(question: Float32Array, mean: Float64Array): Float32Array {
  let common = 0;
  let square = 0;
  for (let i = 0; i < mean.length; i++) {
    common += question[i] * mean[i];
    square += mean[i] * mean[i];
  }
  const rest = question.map((x, i) => (square === 0 ? x : x - (common / square) * mean[i]));
  let left = 0;
  for (const x of rest) left += x * x;
  // A model whose vectors are all equal leaves nothing.
  const scale = 1 / (Math.sqrt(left * (1 - square)) || 1);
  return rest.map((x) => x * scale);
}

/** Mean of the unit vectors of up to CENTRE_SAMPLE chunks: those of the lowest blob ids, since numbers of files depend on the order of indexing. */
function meanOf(live: LiveSet, vectors: VectorIndex): Float64Array {
  const ids = Array.from({ length: live.files.length }, (_, file) => `${live.files.oid(file)} ${file}`).sort();
  const documents = ids.map((id) => documentsOf(live, Number(id.split(' ')[1])));
  return meanOfChunks(vectors, documents);
}

/** Mean of the unit vectors of the first CENTRE_SAMPLE chunks with vectors; zeros without any. */
export function meanOfChunks(vectors: VectorIndex, ranges: Iterable<{ first: number; end: number }>): Float64Array {
  const sum = new Float32Array(vectors.dimensions);
  let count = 0;
  for (const { first, end } of ranges) {
    for (let document = first; document < end && count < CENTRE_SAMPLE; document++) {
      if (!vectors.has(document)) continue;
      vectors.addTo(sum, document, 1);
      count++;
    }
    if (count === CENTRE_SAMPLE) break;
  }
  return Float64Array.from(sum, (x) => x / Math.max(1, count));
}
