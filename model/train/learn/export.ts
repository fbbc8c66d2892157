/** Converts trained weights to the shipped file: int8 rows, each with its own 16-bit scale. */
import { createHash } from 'node:crypto';
import { packSections } from '../../../src/base/binary.js';
import { MODEL_MAGIC, type ModelMeta } from '../../../src/embed/builtin/model.js';

/**
 * Keeps sums exact: 4,095 (scale) x 127 (row) x 1,021 (root of the highest frequency) x a million different words is
 * still below 2^53.
 */
const MAX_SCALE = 4_095;
const MAX_NUMBER = 127;

export function encodeModel(words: readonly string[], weights: Float32Array, dimensions: number): Buffer {
  const rows = new Int8Array(weights.length);
  const largest = words.map((_, row) => {
    const numbers = weights.subarray(row * dimensions, (row + 1) * dimensions);
    return numbers.reduce((most, number) => Math.max(most, Math.abs(number)), Number.MIN_VALUE);
  });
  const unit = largest.reduce((a, b) => Math.max(a, b), 0) / MAX_SCALE;
  const scale = Uint16Array.from(largest, (most) => Math.max(1, Math.round(most / unit)));
  for (let i = 0; i < weights.length; i++) {
    const step = (scale[Math.floor(i / dimensions)] * unit) / MAX_NUMBER;
    rows[i] = Math.max(-MAX_NUMBER, Math.min(MAX_NUMBER, Math.round(weights[i] / step)));
  }
  const version = createHash('sha256').update(words.join(' ')).update(rows).update(scale).digest('hex').slice(0, 12);
  const meta: ModelMeta = { version, dimensions, words: words.join(' ') };
  return packSections(MODEL_MAGIC, meta, { scale, rows: new Uint8Array(rows.buffer) });
}
