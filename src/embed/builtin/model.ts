/**
 * The built-in model: one row of int8 numbers per sub-word. A text is the sum of the rows of its sub-words, each
 * weighted by the square root of its frequency and by the row's own length, which training has learned: words that
 * say little have short rows.
 *
 * Sums are of integers below 2^53 in float64, so they are exact in any order: the same text gives the same vector, to
 * the byte, on every machine.
 */
import { existsSync, readFileSync } from 'node:fs';
import { SocraticodeError } from '../../base/errors.js';
import { Sections } from '../../base/sections.js';
import { segment } from './vocabulary.js';

/** Magic bytes of the model file; they name its layout too. */
export const MODEL_MAGIC = 'GSCMODL1';

export interface ModelMeta {
  /** Version of the weights; part of the vectors profile. */
  version: string;
  dimensions: number;
  /** Sub-words in order of their rows, separated by spaces. */
  words: string;
}

/** Scale of the frequency weights, which are rounded to integers so that sums stay exact. */
const ROOT_SCALE = 64;
/** Frequencies are capped here: more occurrences add no information, and training saw no higher count. */
export const MAX_FREQUENCY = 255;
const ROOTS = Float64Array.from({ length: MAX_FREQUENCY + 1 }, (_, tf) => Math.round(Math.sqrt(tf) * ROOT_SCALE));

export class StaticModel {
  readonly version: string;
  readonly dimensions: number;
  readonly words: number;
  private readonly rowOf: ReadonlyMap<string, number>;
  private readonly rows: Int8Array;
  /** Length of each row as a 16-bit integer. Only ratios matter, because the sum is scaled to length 1 afterwards. */
  private readonly scale: Uint16Array;

  /** Throws SHARD_CORRUPT if the file is not a model file. */
  constructor(file: Buffer, name: string) {
    const sections = new Sections<ModelMeta>(file, MODEL_MAGIC, name);
    const words = sections.meta.words.split(' ');
    this.version = sections.meta.version;
    this.dimensions = sections.meta.dimensions;
    this.words = words.length;
    this.rowOf = new Map(words.map((word, row) => [word, row]));
    const bytes = sections.u8('rows');
    this.rows = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    this.scale = sections.u16('scale');
  }

  static read(path: string | URL): StaticModel {
    return new StaticModel(readFileSync(path), String(path));
  }

  /** True if the term has a row of its own. */
  has(term: string): boolean {
    return this.rowOf.has(term);
  }

  /** Rows whose sum is the term's vector; empty if the model does not know the term. */
  rowsOf(term: string): number[] {
    return segment(term, this.rowOf);
  }

  /**
   * Adds the rows of a text to `sum`, which has `dimensions` numbers. Takes four rows a pass, because reading and
   * writing the sum is most of the work; exact sums allow any grouping.
   */
  addAll(sum: Float64Array, rows: readonly number[], frequency: Uint32Array): void {
    const { dimensions, rows: table, scale } = this;
    const factor = (row: number) => ROOTS[Math.min(frequency[row], MAX_FREQUENCY)] * scale[row];
    const fours = rows.length - (rows.length % 4);
    for (let k = 0; k < fours; k += 4) {
      const [a, b, c, d] = [rows[k], rows[k + 1], rows[k + 2], rows[k + 3]];
      const [fa, fb, fc, fd] = [factor(a), factor(b), factor(c), factor(d)];
      const [ra, rb, rc, rd] = [a * dimensions, b * dimensions, c * dimensions, d * dimensions];
      for (let i = 0; i < dimensions; i++) {
        sum[i] += fa * table[ra + i] + fb * table[rb + i] + fc * table[rc + i] + fd * table[rd + i];
      }
    }
    for (let k = fours; k < rows.length; k++) {
      this.addWeighted(sum, rows[k], ROOTS[Math.min(frequency[rows[k]], MAX_FREQUENCY)]);
    }
  }

  /** Adds `weight` times a row to `sum`. */
  addWeighted(sum: Float64Array, row: number, weight: number): void {
    const { rows, dimensions } = this;
    const factor = weight * this.scale[row];
    const base = row * dimensions;
    for (let i = 0; i < dimensions; i++) sum[i] += factor * rows[base + i];
  }
}

/** Paths of the model file as seen from the compiled code: from `dist/` and from the test build. */
const MODEL_PATHS = ['../../../model/builtin.bin', '../../../../model/builtin.bin'];

/** The model file. Throws BROKEN_INSTALLATION if it is missing. */
export function modelFile(): URL {
  const file = MODEL_PATHS.map((path) => new URL(path, import.meta.url)).find((url) => existsSync(url));
  if (file === undefined)
    throw new SocraticodeError('BROKEN_INSTALLATION', 'model/builtin.bin is missing from the package');
  return file;
}

/**
 * Sums weighted terms into a vector of length `length`; zeros if the model knows none of them. Plain loops, because a
 * query makes hundreds of these, one for each path.
 */
export function wordVector(model: StaticModel, terms: readonly WeightedTerm[], length = 1): Float32Array {
  return scaled(wordSum(model, terms), length);
}

export type WeightedTerm = readonly [term: string, weight: number];

/** Sum of weighted terms. With whole weights it is a sum of whole numbers: exact, in whatever order terms are added. */
export function wordSum(model: StaticModel, terms: readonly WeightedTerm[], start?: Float64Array): Float64Array {
  const sum = start === undefined ? new Float64Array(model.dimensions) : start.slice();
  for (const [term, weight] of terms) for (const row of model.rowsOf(term)) model.addWeighted(sum, row, weight);
  return sum;
}

export function scaled(sum: Float64Array, length: number): Float32Array {
  let squared = 0;
  for (let i = 0; i < sum.length; i++) squared += sum[i] * sum[i];
  const scale = squared === 0 ? 0 : length / Math.sqrt(squared);
  const vector = new Float32Array(sum.length);
  for (let i = 0; i < sum.length; i++) vector[i] = sum[i] * scale;
  return vector;
}
