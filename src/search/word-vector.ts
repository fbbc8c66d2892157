/** Turns words into a vector of the built-in model. */
import type { StaticModel } from '../embed/builtin/model.js';

/**
 * Sums weighted terms into a vector of length `length`; zeros if the model knows none of them. Plain loops, because a
 * query makes hundreds of these, one for each path.
 */
export function wordVector(
  model: StaticModel,
  terms: readonly (readonly [term: string, weight: number])[],
  length = 1,
): Float32Array {
  const sum = new Float64Array(model.dimensions);
  for (const [term, weight] of terms) for (const row of model.rowsOf(term)) model.addWeighted(sum, row, weight);
  let squared = 0;
  for (let i = 0; i < sum.length; i++) squared += sum[i] * sum[i];
  const scale = squared === 0 ? 0 : length / Math.sqrt(squared);
  const vector = new Float32Array(sum.length);
  for (let i = 0; i < sum.length; i++) vector[i] = sum[i] * scale;
  return vector;
}
