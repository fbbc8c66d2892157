/** Vectors as int8. */

/** Largest int8 whose negative is an int8 too. */
const MAX_COMPONENT = 127;

/**
 * Writes a vector at `out[at]` as int8, its largest component as ±127; a zero vector stays zero. Only directions are
 * compared, so no scale is kept. Equal numbers give equal bytes on every machine.
 */
export function toInt8(vector: Float32Array | Float64Array, out: Int8Array, at = 0): void {
  let largest = 0;
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i]));
  const scale = largest > 0 ? MAX_COMPONENT / largest : 0;
  for (let i = 0; i < vector.length; i++) out[at + i] = Math.round(vector[i] * scale);
}
