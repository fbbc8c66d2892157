/**
 * The recipe of the built-in model: every number that decides what it becomes, with its reason. What a rule of text
 * cleaning calls too short or too long stands with its rule in `pairs/`.
 */
import type { PairKind } from './pairs/types.js';

/** Limits on the files of a package that are read. */
export const FILES = {
  /** Breadth teaches more than depth: half the packages with more pairs each did worse than all with fewer. */
  perPackage: 250,
  /** Maximum of prose pairs among them, so that a package that is mostly manual still gives code. */
  prosePerPackage: 60,
  /** Limits of files: smaller ones say nothing; larger ones and longer lines are generated or data. */
  smallestBytes: 120,
  largestBytes: 256 << 10,
  longestLine: 2_000,
} as const;

/** Limits on the pairs that are made and kept. */
export const PAIRS = {
  /** Limit for the same reason: large packages would otherwise be most of the corpus. */
  perPackage: 4_000,
  /** Generated-looking files and long tables of small definitions. */
  perFile: 200,
  /** "Returns the value": the same words for different code teach nothing after a few times. */
  perQuery: 3,
  /** Size in UTF-16 units, that of one chunk of the index. */
  longestCode: 1_500,
  /** Code by its path: the largest chunks of a file; more are too alike. */
  chunksPerFile: 2,
  messagesPerFile: 20,
  /** Of 100 name pairs, so many have the name masked in the code: else the model learns to look for the name only. */
  maskedNames: 60,
  /** One message in so many stays in the code: words that are there should be found too. */
  oneInKeptMessage: 4,
  /** Of the documentation pairs of test files, one in so many is kept. */
  oneInTestFile: 5,
} as const;

export interface VocabularySettings {
  /** Rows of the model. */
  words: number;
  /** A word has to be in so many packages. */
  packages: number;
  /** One file in so many is held out, and of the packages one in so many as a whole. */
  heldOutFile: number;
  heldOutPackage: number;
}

export const VOCABULARY: VocabularySettings = { words: 12_288, packages: 2, heldOutFile: 50, heldOutPackage: 20 };

export interface TrainingSettings {
  /** Numbers per row; a multiple of 4. */
  dimensions: number;
  /** Pairs whose codes are each other's negatives; a multiple of 4. */
  batch: number;
  /** Batches per step, each in a thread of its own. */
  lanes: number;
  /** Pairs of one package that stand together in a batch. */
  group: number;
  /** Temperature of InfoNCE. */
  temperature: number;
  /** Adagrad's rate at the start; it falls to 0 in a straight line. */
  rate: number;
  epochs: number;
  /** Standard deviation of the first weights. */
  initialScale: number;
  /** Initial value of Adagrad's sums of squares. */
  initialSquares: number;
  /** Most pairs of a package per epoch. */
  perPackage: number;
  seed: number;
  /** Share of each kind's pairs that an epoch uses, drawn anew each time; 1 is the most. */
  kinds: Readonly<Record<PairKind, number>>;
}

export const TRAINING: TrainingSettings = {
  dimensions: 256,
  batch: 512,
  lanes: 2,
  group: 64,
  temperature: 0.06,
  rate: 0.05,
  epochs: 3,
  initialScale: 0.05,
  initialSquares: 1e-6,
  perPackage: PAIRS.perPackage,
  seed: 1,
  kinds: { doc: 1, name: 0.5, inline: 1, test: 1, heading: 1, path: 0, message: 1 },
};

/**
 * Why each is what it is; also a column of `model/README.md`. "Study" is an earlier one, on another corpus: 66
 * repositories, judged by the same benchmark.
 */
export const REASONS: Readonly<Record<keyof VocabularySettings | keyof TrainingSettings, string>> = {
  words: 'study: 24k did no better than 12k; bytes are better spent on dimensions',
  packages: 'a word that one package alone has is a name that no other code will have',
  heldOutFile: 'a thousand pairs of nearly every kind to measure by',
  heldOutPackage: 'the same, for code of strangers, which is what users have',
  dimensions:
    '512 gained 0.011 alone and 0.002 in hybrid search, less than two seeds differ by, for twice the size and time',
  batch: '1,024 gained nothing, as in the study',
  lanes: 'the cores at hand; another number gives another model',
  group: 'negatives about the same subject are the hard ones; study: +0.005',
  temperature: '0.05 was 0.006 worse on the benchmark, 0.08 the same',
  rate: 'study; it falls to 0, so that the last weights are settled',
  epochs: 'two were 0.003 worse, five no better',
  initialScale: 'short, so that a row which training hardly meets weighs little; not tuned',
  initialSquares: 'small, so that rare rows move at once; not tuned',
  perPackage: 'no further cap than the one on pairs',
  seed: 'the first one; study: two seeds differ by up to 0.009',
  kinds:
    'no paths: search compares their words apart, and a chunk vector has none; names by half, as they are many and easy',
};

/** Evaluation of held-out pairs, which are never part of training. */
export const MEASURE = {
  /** Number of candidates, one of which is the right code. */
  candidates: 1_000,
  /** Kinds with fewer held-out pairs than this are not judged. */
  fewest: 200,
  /** Maximum number of rounds. */
  rounds: 5,
  seed: 7,
  /** Usual constants of BM25. */
  k1: 1.2,
  b: 0.75,
} as const;
