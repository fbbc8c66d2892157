/** Contents of `model/metrics.json`: the data that the shipped model was trained on, and its quality. */
import { createHash } from 'node:crypto';
import { StaticModel, SubwordPool } from '../../../src/embed/builtin/model.js';
import { KINDS, type Kind, SPLITS, type Split } from '../dataset/format.js';
import type { Dataset } from '../dataset/read.js';
import type { TrainingRun } from '../learn/weights.js';
import { bm25Scores } from './bm25.js';
import { Evaluator, type Vectors } from './evaluate.js';
import { addScores } from './rank.js';

export interface Score {
  /** Mean reciprocal rank of the shipped model, and of BM25 on the same candidates. */
  model: number;
  bm25: number;
  /**
   * Mean reciprocal rank of both scores added, each scaled to 0 to 1 per query; shows whether they complement each
   * other.
   */
  both: number;
  queries: number;
  candidates: number;
}

export type HeldOut = Exclude<Split, 'train'>;
export type Scores = Record<HeldOut, Partial<Record<Kind, Score>>>;

export interface Metrics {
  model: { sha256: string; version: string; bytes: number; words: number; dimensions: number };
  run: TrainingRun;
  corpus: {
    packages: number;
    pairs: Record<Split, Partial<Record<Kind, number>>>;
    /** Share of the pairs by language, largest first. */
    languages: Record<string, number>;
  };
  scores: Scores;
}

export async function measure(dataset: Dataset, file: Buffer, run: TrainingRun): Promise<Metrics> {
  const model = new StaticModel(file, 'the model');
  const { version, words, dimensions } = model;
  const { meta } = dataset;
  const shares = Object.entries(meta.languages).map(([id, n]): [string, number] => [id, round(n / meta.pairs, 5)]);
  return {
    model: {
      ...{ sha256: createHash('sha256').update(file).digest('hex'), version },
      ...{ bytes: file.length, words, dimensions },
    },
    run: { ...run, seconds: Math.round(run.seconds), losses: run.losses.map((loss) => round(loss, 4)) },
    corpus: {
      packages: meta.packages.length,
      pairs: pairCounts(dataset),
      languages: Object.fromEntries(shares.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))),
    },
    scores: await scoresOf(dataset, model),
  };
}

/** Results of the int8 vectors that a search compares, not of the float weights. */
async function scoresOf(dataset: Dataset, model: StaticModel): Promise<Scores> {
  const evaluator = await Evaluator.create(dataset);
  const vectors = vectorsOfModel(dataset, model);
  const scores: Scores = { file: {}, package: {} };
  for (const split of ['file', 'package'] as const) {
    for (const kind of KINDS) {
      const rounds = evaluator.rounds(kind, split);
      const found = evaluator.mrr(rounds, (pairs) => evaluator.scores(vectors, model.dimensions, pairs));
      const bm25 = evaluator.mrr(rounds, (pairs) => bm25Scores(dataset, pairs));
      const both = evaluator.mrr(rounds, (pairs) =>
        addScores(evaluator.scores(vectors, model.dimensions, pairs), bm25Scores(dataset, pairs), pairs.length),
      );
      if (found === null || bm25 === null || both === null) continue;
      const queries = rounds.length * rounds[0].length;
      scores[split][kind] = {
        ...{ model: round(found, 4), bm25: round(bm25, 4), both: round(both, 4) },
        ...{ queries, candidates: rounds[0].length },
      };
    }
  }
  return scores;
}

export function vectorsOfModel({ start, row, count }: Dataset, model: StaticModel): Vectors {
  const pool = new SubwordPool(model);
  const bytes = new Int8Array(model.dimensions);
  return (side, out, at) => {
    for (let i = start[side]; i < start[side + 1]; i++) pool.count(row[i], count[i]);
    pool.finish(bytes);
    const length = Math.hypot(...bytes) || 1;
    for (let d = 0; d < bytes.length; d++) out[at + d] = bytes[d] / length;
  };
}

function pairCounts({ kind, split }: Dataset): Metrics['corpus']['pairs'] {
  const counts: Metrics['corpus']['pairs'] = { train: {}, file: {}, package: {} };
  for (let i = 0; i < kind.length; i++) {
    const ofSplit = counts[SPLITS[split[i]]];
    ofSplit[KINDS[kind[i]]] = (ofSplit[KINDS[kind[i]]] ?? 0) + 1;
  }
  return counts;
}

function round(number: number, digits: number): number {
  return Number(number.toFixed(digits));
}

/** Formats the metrics as lines of text. */
export function scoreLines({ scores }: Pick<Metrics, 'scores'>): string {
  const rows = (['file', 'package'] as const).flatMap((split) =>
    Object.entries(scores[split]).map(
      ([kind, { model, bm25, both, candidates }]) =>
        `${split.padEnd(9)}${kind.padEnd(9)}${model.toFixed(4)}   ${bm25.toFixed(4)}   ${both.toFixed(4)}  of ${candidates}`,
    ),
  );
  return ['held out kind     MRR      BM25     both', ...rows].join('\n');
}
