/** Measures how well the code of held-out pairs is found among a thousand others of its kind. */
import { KINDS, type Kind, SPLITS, type Split } from '../dataset/format.js';
import type { Dataset } from '../dataset/read.js';
import { Matrices } from '../learn/matrix.js';
import { poolSide } from '../learn/pooling.js';
import { Random } from '../learn/random.js';
import { MEASURE } from '../recipe.js';
import { type Round, reciprocalRanks } from './rank.js';

/** Writes the unit vector of a side at `out[at]`. */
export type Vectors = (side: number, out: Float32Array, at: number) => void;

/** Vectors of float weights, as training makes them. */
export function vectorsOfWeights(dataset: Dataset, weights: Float32Array, dimensions: number): Vectors {
  return (side, out, at) => {
    poolSide(dataset, { weights, dimensions }, side, out, at);
  };
}

export class Evaluator {
  private constructor(
    private readonly dataset: Dataset,
    private readonly matrices: Matrices,
  ) {}

  static async create(dataset: Dataset): Promise<Evaluator> {
    return new Evaluator(dataset, await Matrices.create());
  }

  /**
   * Divides held-out pairs into rounds of a thousand, or one smaller round, or none if there are too few. Always the
   * same ones.
   */
  rounds(kind: Kind, split: Split): Round[] {
    const { dataset } = this;
    const pairs: number[] = [];
    for (let i = 0; i < dataset.kind.length; i++)
      if (KINDS[dataset.kind[i]] === kind && SPLITS[dataset.split[i]] === split) pairs.push(i);
    if (pairs.length < MEASURE.fewest) return [];
    new Random(MEASURE.seed).shuffle(pairs);
    // The matrix kernel needs a multiple of four.
    const size = Math.min(MEASURE.candidates, pairs.length & ~3);
    const rounds = Math.min(MEASURE.rounds, Math.floor(pairs.length / size));
    return Array.from({ length: rounds }, (_, i) => pairs.slice(i * size, (i + 1) * size));
  }

  /** Cosines of queries x candidates; valid until the next call. */
  scores(vectors: Vectors, dimensions: number, round: Round): Float32Array {
    const n = round.length;
    const sizes = { query: n * dimensions, code: n * dimensions, scores: n * n };
    const { query, code, scores } = this.matrices.allocate(sizes);
    for (const [i, pair] of round.entries()) {
      vectors(2 * pair, query, i * dimensions);
      vectors(2 * pair + 1, code, i * dimensions);
    }
    this.matrices.multiplyTransposed(query, code, scores, [n, n, dimensions]);
    return scores;
  }

  /** Mean over all queries of the rounds; null without any. */
  mrr(rounds: readonly Round[], scoresOf: (round: Round) => ArrayLike<number>): number | null {
    const queries = rounds.reduce((sum, round) => sum + round.length, 0);
    if (queries === 0) return null;
    return rounds.reduce((sum, round) => sum + reciprocalRanks(scoresOf(round), round, this.dataset), 0) / queries;
  }
}
