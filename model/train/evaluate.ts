/** How well the model finds a held-out pair's code among a thousand others: mean reciprocal rank. */
import type { Dataset } from './data.js';
import { KINDS } from './dataset-format.js';
import { Matrices } from './matrix.js';
import { Random } from './random.js';

const CANDIDATES = 1_000;
/** Rounds of that many candidates, at most. */
const ROUNDS = 5;
const SEED = 7;

export class Evaluator {
  private constructor(
    private readonly dataset: Dataset,
    private readonly matrices: Matrices,
  ) {}

  static async create(dataset: Dataset): Promise<Evaluator> {
    return new Evaluator(dataset, await Matrices.create());
  }

  /** MRR over pairs of a kind in a split; null for fewer than a thousand. Weights are rows x dimensions. */
  mrr(weights: Float32Array, dimensions: number, kind: (typeof KINDS)[number], split: number): number | null {
    const wanted = KINDS.indexOf(kind);
    const pairs: number[] = [];
    for (let i = 0; i < this.dataset.kind.length; i++)
      if (this.dataset.kind[i] === wanted && this.dataset.split[i] === split) pairs.push(i);
    new Random(SEED).shuffle(pairs);
    let sum = 0;
    let count = 0;
    for (let at = 0; at + CANDIDATES <= pairs.length && at < ROUNDS * CANDIDATES; at += CANDIDATES) {
      sum += this.round(weights, dimensions, pairs.slice(at, at + CANDIDATES));
      count += CANDIDATES;
    }
    return count === 0 ? null : sum / count;
  }

  private round(weights: Float32Array, dimensions: number, pairs: readonly number[]): number {
    const n = pairs.length;
    const { query, code, scores } = this.matrices.allocate({
      query: n * dimensions,
      code: n * dimensions,
      scores: n * n,
    });
    for (const [i, pair] of pairs.entries()) {
      this.pool(weights, dimensions, 2 * pair, query.subarray(i * dimensions, (i + 1) * dimensions));
      this.pool(weights, dimensions, 2 * pair + 1, code.subarray(i * dimensions, (i + 1) * dimensions));
    }
    this.matrices.multiplyTransposed(query, code, scores, [n, n, dimensions]);
    let sum = 0;
    for (let i = 0; i < n; i++) {
      let rank = 1;
      for (let j = 0; j < n; j++) if (scores[i * n + j] > scores[i * n + i]) rank++;
      sum += 1 / rank;
    }
    return sum;
  }

  private pool(weights: Float32Array, dimensions: number, side: number, out: Float32Array): void {
    const { start, row, count } = this.dataset;
    out.fill(0);
    for (let t = start[side]; t < start[side + 1]; t++) {
      const weight = Math.sqrt(count[t]);
      for (let d = 0; d < dimensions; d++) out[d] += weight * weights[row[t] * dimensions + d];
    }
    const length = Math.sqrt(out.reduce((squared, x) => squared + x * x, 1e-12));
    for (let d = 0; d < dimensions; d++) out[d] /= length;
  }
}
