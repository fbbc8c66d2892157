/** Words to a vector of the built-in model. */
import type { StaticModel } from '../embed/builtin/model.js';

/** Weighted terms as a vector of length 1; zeros for words the model does not know. */
export function wordVector(model: StaticModel, terms: readonly (readonly [string, number])[]): Float32Array {
  const sum = new Float64Array(model.dimensions);
  for (const [term, weight] of terms) for (const row of model.rowsOf(term)) model.addWeighted(sum, row, weight);
  let squared = 0;
  for (const x of sum) squared += x * x;
  const scale = squared === 0 ? 0 : 1 / Math.sqrt(squared);
  return Float32Array.from(sum, (x) => x * scale);
}
