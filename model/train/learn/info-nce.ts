/**
 * Symmetric InfoNCE (van den Oord et al., 2018; Radford et al., 2021) over one batch: every query's own code against
 * the batch's other codes, and the other way round.
 */
import { Matrices, transpose } from './matrix.js';

export interface Batch {
  /** Unit rows, one per pair: size x dimensions. */
  query: Float32Array;
  code: Float32Array;
  /** Pairs with equal values are the same text and no negatives of each other. */
  queryHash: Uint32Array;
  codeHash: Uint32Array;
}

const MASKED = -1e9;

export class InfoNce {
  readonly query: Float32Array;
  readonly code: Float32Array;
  /** Gradients of the loss by the unit rows, after `run`. */
  readonly queryGradient: Float32Array;
  readonly codeGradient: Float32Array;
  private readonly scores: Float32Array;
  private readonly turned: Float32Array;
  private readonly byRow: Float32Array;
  private readonly byColumn: Float32Array;

  private constructor(
    private readonly matrices: Matrices,
    readonly size: number,
    readonly dimensions: number,
    private readonly temperature: number,
  ) {
    const rows = size * dimensions;
    const square = size * size;
    const room = matrices.allocate({
      query: rows,
      code: rows,
      queryGradient: rows,
      codeGradient: rows,
      turned: rows,
      scores: square,
      byRow: square,
      byColumn: square,
    });
    this.query = room.query;
    this.code = room.code;
    this.queryGradient = room.queryGradient;
    this.codeGradient = room.codeGradient;
    this.turned = room.turned;
    this.scores = room.scores;
    this.byRow = room.byRow;
    this.byColumn = room.byColumn;
  }

  static async create(size: number, dimensions: number, temperature: number): Promise<InfoNce> {
    return new InfoNce(await Matrices.create(), size, dimensions, temperature);
  }

  /** Computes both gradients for the rows in `query` and `code`; returns the mean loss of finding the code. */
  run(queryHash: Uint32Array, codeHash: Uint32Array): number {
    const { size, dimensions, matrices } = this;
    matrices.multiplyTransposed(this.query, this.code, this.scores, [size, size, dimensions]);
    for (let i = 0; i < this.scores.length; i++) this.scores[i] /= this.temperature;
    this.mask(queryHash);
    this.mask(codeHash);
    transpose(this.scores, this.byColumn, size, size);
    this.byRow.set(this.scores);
    const loss = softmaxRows(this.byRow, size);
    softmaxRows(this.byColumn, size);
    // byRow becomes the gradient by the scores, byColumn its transpose.
    const factor = 1 / (2 * this.temperature);
    transpose(this.byColumn, this.scores, size, size);
    for (let i = 0; i < this.byRow.length; i++) this.byRow[i] += this.scores[i];
    for (let i = 0; i < size; i++) this.byRow[i * size + i] -= 2;
    for (let i = 0; i < this.byRow.length; i++) this.byRow[i] *= factor;
    transpose(this.byRow, this.byColumn, size, size);
    transpose(this.code, this.turned, size, dimensions);
    matrices.multiplyTransposed(this.byRow, this.turned, this.queryGradient, [size, dimensions, size]);
    transpose(this.query, this.turned, size, dimensions);
    matrices.multiplyTransposed(this.byColumn, this.turned, this.codeGradient, [size, dimensions, size]);
    return loss;
  }

  private mask(hashes: Uint32Array): void {
    const first = new Map<number, number[]>();
    for (const [i, hash] of hashes.entries()) {
      const same = first.get(hash) ?? [];
      for (const j of same) {
        this.scores[i * this.size + j] = MASKED;
        this.scores[j * this.size + i] = MASKED;
      }
      first.set(hash, [...same, i]);
    }
  }
}

/** Softmax of each row in place; returns the mean of -ln of the diagonal. */
function softmaxRows(matrix: Float32Array, size: number): number {
  let loss = 0;
  for (let i = 0; i < size; i++) {
    const row = matrix.subarray(i * size, (i + 1) * size);
    let largest = Number.NEGATIVE_INFINITY;
    for (let j = 0; j < size; j++) if (row[j] > largest) largest = row[j];
    let sum = 0;
    for (let j = 0; j < size; j++) {
      row[j] = Math.exp(row[j] - largest);
      sum += row[j];
    }
    for (let j = 0; j < size; j++) row[j] /= sum;
    loss -= Math.log(row[i] + 1e-20);
  }
  return loss / size;
}
