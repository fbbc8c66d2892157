/**
 * The built-in model: one row of int8 numbers per sub-word. A text is the sum of the rows of its sub-words, each
 * weighted by the square root of its frequency and by the row's own length, which training has learned: words that say
 * little have short rows. Sums are of integers below 2^53 in float64, so they are exact in any order: the same text
 * gives the same vector, to the byte, on every machine.
 */
import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs';
import { Sections, toInt8 } from '../../base/binary.js';
import { SocraticodeError } from '../../base/errors.js';

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

/** Settings that decide the vectors of a shard in addition to the model; part of the vectors profile. */
export const STATIC_VECTORS = {
  /** Change it when the same model gives other vectors. */
  version: 1,
  /**
   * Weight of one occurrence in the name that a chunk defines. `enclosing`: in the names of the definitions around it. These names say
   * what the chunk belongs to, and a method's text rarely repeats its class.
   */
  name: 3,
  enclosing: 4,
} as const;

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
   * Adds the rows of a text to `sum`, which has `dimensions` numbers; `frequency` is by row of the model. Takes four rows a pass, because
   * reading and writing the sum is most of the work; exact sums allow any grouping.
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

  /** Product of a row with the `dimensions` numbers of a vector from `at` on. */
  product(row: number, vector: Float32Array, at: number): number {
    const { rows, dimensions } = this;
    const base = row * dimensions;
    let sum = 0;
    for (let i = 0; i < dimensions; i++) sum += vector[at + i] * rows[base + i];
    return this.scale[row] * sum;
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
  const sum = new Float64Array(model.dimensions);
  for (const [term, weight] of terms) for (const row of model.rowsOf(term)) model.addWeighted(sum, row, weight);
  return scaled(sum, length);
}

type WeightedTerm = readonly [term: string, weight: number];

/** The sum as a vector of that length; zeros for a sum of zeros. */
export function scaled(sum: Float64Array, length: number): Float32Array {
  let squared = 0;
  for (let i = 0; i < sum.length; i++) squared += sum[i] * sum[i];
  const scale = squared === 0 ? 0 : length / Math.sqrt(squared);
  const vector = new Float32Array(sum.length);
  for (let i = 0; i < sum.length; i++) vector[i] = sum[i] * scale;
  return vector;
}

/** Shorter unknown terms are taken for abbreviations and not cut into words. */
const MIN_COMPOUND = 4;
/** Shortest word that a term is cut into. */
const MIN_SEGMENT = 3;
/** Longest word of the vocabulary, in UTF-16 code units. */
const MAX_WORD = 24;

/**
 * Returns the term's own row, or the rows of the words it consists of, cut greedily from left to right with the longest
 * word first. Returns an empty list if the term cannot be cut into words. When the words were trained, stems had no final e.
 */
export function segment(term: string, rowOf: ReadonlyMap<string, number>): number[] {
  const own = rowOf.get(term) ?? (term.endsWith('e') ? rowOf.get(term.slice(0, -1)) : undefined);
  if (own !== undefined) return [own];
  const rows: number[] = [];
  if (term.length < MIN_COMPOUND) return rows;
  const longest = longestBySlot(rowOf);
  for (let at = 0; at + MIN_SEGMENT <= term.length; ) {
    let end = Math.min(term.length, at + longest[slotAt(term, at)]);
    let row: number | undefined;
    for (; end >= at + MIN_SEGMENT && row === undefined; end--) row = rowOf.get(term.slice(at, end));
    if (row === undefined) at++;
    else {
      rows.push(row);
      at = end + 1;
    }
  }
  return rows;
}

/** By vocabulary: the length of its longest word by the slot of the first letters. Words that share a slot only make it longer. */
const longestWords = new WeakMap<ReadonlyMap<string, number>, Uint8Array>();
/** More than there are words in the model, so that few of them share a slot. */
const SLOTS = 1 << 15;

/** Slot of the three letters at `at`. */
function slotAt(text: string, at: number): number {
  return (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) & (SLOTS - 1);
}

/** How long a word of the vocabulary can be that begins with certain letters: at most places of a term none begins, and nothing is cut out. */
function longestBySlot(rowOf: ReadonlyMap<string, number>): Uint8Array {
  const known = longestWords.get(rowOf);
  if (known !== undefined) return known;
  const longest = new Uint8Array(SLOTS);
  for (const word of rowOf.keys()) {
    if (word.length < MIN_SEGMENT || word.length > MAX_WORD) continue;
    const slot = slotAt(word, 0);
    longest[slot] = Math.max(longest[slot], word.length);
  }
  longestWords.set(rowOf, longest);
  return longest;
}

/** Counts the sub-words of one text after another, and makes the vector of each. It is reused, since its arrays are large. */
export class SubwordPool {
  private readonly frequency: Uint32Array;
  private readonly touched: number[] = [];
  private readonly sum: Float64Array;

  constructor(private readonly model: StaticModel) {
    this.frequency = new Uint32Array(model.words);
    this.sum = new Float64Array(model.dimensions);
  }

  /** Counts `times` more occurrences of a row of the model. */
  count(row: number, times: number): void {
    if (this.frequency[row] === 0) this.touched.push(row);
    this.frequency[row] += times;
  }

  /** Writes the vector of the counted rows at `out[at]` and resets the counts. Returns false if nothing was counted. */
  finish(out: Int8Array, at = 0): boolean {
    const { model, sum, frequency } = this;
    sum.fill(0);
    model.addAll(sum, this.touched, frequency);
    for (const row of this.touched) frequency[row] = 0;
    const any = this.touched.length > 0;
    this.touched.length = 0;
    toInt8(sum, out, at);
    return any;
  }
}

type BuiltinIdentity = Pick<ModelMeta, 'version' | 'dimensions'>;

/** Magic and length of the header, as `packSections` writes them. */
const PREFIX_BYTES = 12;

let known: BuiltinIdentity | null = null;

/**
 * Version and size of the model, read once from the header of its file without loading the weights: a run that embeds nothing
 * needs no more. Throws BROKEN_INSTALLATION if the model file is missing or damaged.
 */
export function builtinIdentity(): BuiltinIdentity {
  known ??= readIdentity();
  return known;
}

function readIdentity(): BuiltinIdentity {
  const fd = openSync(modelFile(), 'r');
  try {
    const prefix = Buffer.alloc(PREFIX_BYTES);
    readSync(fd, prefix, 0, PREFIX_BYTES, 0);
    if (prefix.toString('latin1', 0, 8) !== MODEL_MAGIC) throw new Error('another format');
    const header = Buffer.alloc(prefix.readUInt32LE(8));
    readSync(fd, header, 0, header.length, PREFIX_BYTES);
    const { version, dimensions } = (JSON.parse(header.toString('utf8')) as { meta: ModelMeta }).meta;
    return { version, dimensions };
  } catch (cause) {
    throw new SocraticodeError('BROKEN_INSTALLATION', 'model/builtin.bin of the package is damaged', { cause });
  } finally {
    closeSync(fd);
  }
}
