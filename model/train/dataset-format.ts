/** Layout of dataset.bin (data). */
export const DATASET_MAGIC = 'GSCPAIR1';

export const KINDS = ['doc', 'name', 'inline', 'test', 'heading', 'path'] as const;

/** Where a pair is used: training, held out by file, or in a package that training never sees. */
export const SPLITS = ['train', 'file', 'package'] as const;

export interface DatasetMeta {
  /** In order of their rows. */
  words: string[];
  packages: string[];
  /** Pairs by language. */
  languages: Record<string, number>;
  pairs: number;
}
