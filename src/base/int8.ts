/** The largest int8 that has a negative counterpart. */
const LARGEST = 127;

/**
 * Writes a vector at `out[at]` as int8, its largest component as ±127; zeros stay zeros. Only directions are ever
 * compared, so no scale is kept. The same numbers give the same bytes on every machine.
 */
export function toInt8(vector: Float32Array | Float64Array, out: Int8Array, at = 0): void {
  let largest = 0;
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i]));
  const scale = largest > 0 ? LARGEST / largest : 0;
  for (let i = 0; i < vector.length; i++) out[at + i] = Math.round(vector[i] * scale);
}
