/** Exact scores of rows for a question: an index knows their vectors only roughly. */
import type { RecordBatch } from './packages.js';

export interface ComparedRow {
  key: string;
  family: string;
  /** Cosine with the question. */
  score: number;
}

/** Adds the rows of a batch with the columns key, family and vector. */
export function compareRows(batch: RecordBatch, question: Float32Array, rows: ComparedRow[]): void {
  const [keys, families] = ['key', 'family'].map((name) => batch.getChild(name));
  const numbers = batch.getChild('vector')?.data[0];
  if (numbers === undefined) return;
  // Bits of 16-bit floats: a list of fixed size has one array for all rows.
  const bits: Uint16Array = numbers.children[0].values;
  const first = numbers.offset * question.length;
  const length = Math.hypot(...question);
  for (let row = 0; row < batch.numRows; row++) {
    const at = first + row * question.length;
    const score = cosine(bits.subarray(at, at + question.length), question) / length;
    rows.push({ key: keys?.get(row), family: families?.get(row), score });
  }
}

/** Cosine without division by the length of `question`; 0 for a zero vector. */
function cosine(bits: Uint16Array, question: Float32Array): number {
  const values = halves();
  let dot = 0;
  let square = 0;
  for (let i = 0; i < bits.length; i++) {
    const value = values[bits[i]];
    dot += value * question[i];
    square += value * value;
  }
  return square === 0 ? 0 : dot / Math.sqrt(square);
}

let known: Float32Array | null = null;

/** Number of each pattern of 16 bits: decoding 120,000 of them in each question would take longer than comparing. */
function halves(): Float32Array {
  known ??= Float32Array.from({ length: 0x10000 }, (_, bits) => {
    const exponent = (bits >>> 10) & 0x1f;
    const fraction = (bits & 0x3ff) / 1024;
    const size = exponent === 0 ? fraction * 2 ** -14 : (1 + fraction) * 2 ** (exponent - 15);
    return bits & 0x8000 ? -size : size;
  });
  return known;
}
