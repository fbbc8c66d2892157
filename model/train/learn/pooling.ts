/**
 * Computes a side's vector during training: the sum of its rows, weighted by the root of their frequency, at length 1.
 */
import type { Dataset } from '../dataset/read.js';

export const ROOTS = Float64Array.from({ length: 256 }, (_, frequency) => Math.sqrt(frequency));

export interface Rows {
  weights: Float32Array;
  dimensions: number;
}

/** Writes the unit vector of a side at `out[at]`; returns the length of the sum. */
export function poolSide(dataset: Dataset, rows: Rows, side: number, out: Float32Array, at: number): number {
  const { start, row, count } = dataset;
  const { weights, dimensions } = rows;
  out.fill(0, at, at + dimensions);
  for (let t = start[side]; t < start[side + 1]; t++) {
    const weight = ROOTS[count[t]];
    const base = row[t] * dimensions;
    for (let d = 0; d < dimensions; d++) out[at + d] += weight * weights[base + d];
  }
  let squared = 1e-12;
  for (let d = 0; d < dimensions; d++) squared += out[at + d] * out[at + d];
  const length = Math.sqrt(squared);
  for (let d = 0; d < dimensions; d++) out[at + d] /= length;
  return length;
}
