/** Layout of dataset.bin. */
export const DATASET_MAGIC = 'GSCPAIR2';

export { PAIR_KINDS as KINDS, type PairKind as Kind } from '../pairs/types.js';

/** Splits of the pairs: training, held out by file, or in a package that training never sees. */
export const SPLITS = ['train', 'file', 'package'] as const;
export type Split = (typeof SPLITS)[number];

export interface DatasetMeta {
  /** In order of their rows. */
  words: string[];
  packages: string[];
  /** Pairs by language. */
  languages: Record<string, number>;
  pairs: number;
}

/**
 * Columns of the file. Side 2i is pair i's query, side 2i + 1 its code; each side owns entries
 * [start[side], start[side + 1]) of the columns behind `start`.
 */
export interface DatasetColumns {
  /** By pair: index into KINDS, into the packages, and into SPLITS. */
  kind: Uint8Array;
  pack: Uint16Array;
  split: Uint8Array;
  /** By side: hash of the text. */
  hash: Uint32Array;
  /** Rows of the vocabulary, and the frequency of each. */
  start: Uint32Array;
  row: Uint16Array;
  count: Uint8Array;
  /** Terms and their frequencies for BM25, which also needs words outside the vocabulary. Empty for training pairs. */
  termStart: Uint32Array;
  term: Uint32Array;
  termCount: Uint8Array;
}
