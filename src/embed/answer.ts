/** Checks the vectors that a server answered with, which may be anything, shortens them and scales them to length 1. */
import { SocraticodeError } from '../base/errors.js';

function bad(message: string): never {
  throw new SocraticodeError('EMBEDDER_BAD_ANSWER', message);
}

/** The first `size` numbers of `numbers`, scaled to length 1. */
function unitVector(numbers: readonly unknown[], size: number, at: number): Float32Array {
  let squares = 0;
  for (let i = 0; i < numbers.length; i++) {
    const value = numbers[i];
    if (typeof value !== 'number' || !Number.isFinite(value)) bad(`vector ${at} holds a value that is not a number`);
    if (i < size) squares += (value as number) ** 2;
  }
  const norm = Math.sqrt(squares);
  if (!(norm > 0 && Number.isFinite(norm))) bad(`vector ${at} has no direction: its length is ${norm}`);
  const vector = new Float32Array(size);
  for (let i = 0; i < size; i++) vector[i] = (numbers[i] as number) / norm;
  return vector;
}

/**
 * Returns `raw` as `count` unit vectors. `accept` takes the length that all vectors have in common and returns the
 * length to cut them to.
 * Throws EMBEDDER_BAD_ANSWER unless `raw` holds exactly `count` lists of equally many finite numbers, none of them all
 * zero.
 */
export function readVectors(raw: unknown, count: number, accept: (length: number) => number): Float32Array[] {
  if (!Array.isArray(raw)) return bad('the answer does not hold a list of vectors');
  if (raw.length !== count) return bad(`the answer holds ${raw.length} vectors for ${count} texts`);
  const lengths = new Set(raw.map((vector) => (Array.isArray(vector) ? vector.length : 0)));
  const [length = 0] = lengths;
  if (lengths.size > 1 || length === 0) return bad('the answer holds vectors of different or no length');
  const size = accept(length);
  return raw.map((vector: readonly unknown[], at) => unitVector(vector, size, at));
}
