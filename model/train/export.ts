/** Trained weights to the file that is shipped: int8 rows, each with its own 16-bit scale. */
import { createHash } from 'node:crypto';
import { packSections } from '../../src/base/sections.js';
import { MODEL_MAGIC, type ModelMeta } from '../../src/embed/builtin/model.js';

const LARGEST_SCALE = 4_095;

export function encodeModel(words: readonly string[], weights: Float32Array, dimensions: number): Buffer {
  const rows = new Int8Array(weights.length);
  const largest = words.map((_, row) => {
    let most = 1e-12;
    for (let d = 0; d < dimensions; d++) most = Math.max(most, Math.abs(weights[row * dimensions + d]));
    return most;
  });
  const unit = largest.reduce((a, b) => Math.max(a, b), 0) / LARGEST_SCALE;
  const scale = Uint16Array.from(largest, (most) => Math.max(1, Math.round(most / unit)));
  for (let i = 0; i < weights.length; i++) {
    const row = Math.floor(i / dimensions);
    rows[i] = Math.max(-127, Math.min(127, Math.round((weights[i] * 127) / (scale[row] * unit))));
  }
  const version = createHash('sha256').update(words.join(' ')).update(rows).update(scale).digest('hex').slice(0, 12);
  const meta: ModelMeta = { version, dimensions, words: words.join(' ') };
  return packSections(MODEL_MAGIC, meta, { scale, rows: new Uint8Array(rows.buffer) });
}
