/** A toy language to train on: what is asked for in some words is always coded in others, which only pairs can teach. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildDataset } from '../../model/train/dataset/build.js';
import { type Dataset, readDataset } from '../../model/train/dataset/read.js';
import { Random } from '../../model/train/learn/random.js';
import type { Pair } from '../../model/train/pairs/types.js';
import { TRAINING, type TrainingSettings, VOCABULARY } from '../../model/train/recipe.js';

const CONCEPTS = 24;
const PACKAGES = 6;
const PAIRS_PER_PACKAGE = 160;
const CONSONANTS = 'bdfgklmnprtvz';

/** Two lanes, 16 dimensions: seconds, not minutes. */
export const TOY: TrainingSettings = {
  ...TRAINING,
  ...{ dimensions: 16, batch: 32, lanes: 2, group: 8, epochs: 10, rate: 0.2 },
};

/** A made-up word of a concept, as asked (`ask`) or as coded. */
function word(concept: number, ask: boolean): string {
  const letter = (n: number) => CONSONANTS[n % CONSONANTS.length];
  return `${letter(concept)}${ask ? 'u' : 'o'}${letter(Math.floor(concept / CONSONANTS.length) + 3)}${ask ? 'ak' : 'im'}`;
}

/** Pairs about three concepts each. */
function pairsOf(pack: number): Pair[] {
  const random = new Random(100 + pack);
  return Array.from({ length: PAIRS_PER_PACKAGE }, (_, i) => {
    const concepts = random.shuffle([...Array(CONCEPTS).keys()]).slice(0, 3);
    const query = concepts.map((concept) => word(concept, true)).join(' ');
    const code = random.shuffle([...concepts.map((concept) => word(concept, false)), 'common', 'noise']).join(' ');
    return { kind: 'doc', language: 'toy', file: `file${i}`, query, code };
  });
}

/** Writes the pairs below `folder` and makes the dataset of them, a third of the files held out. */
export function toyDataset(folder: string): Dataset {
  const pairs = join(folder, 'pairs');
  mkdirSync(pairs, { recursive: true });
  for (let pack = 0; pack < PACKAGES; pack++) {
    const lines = pairsOf(pack).map((pair) => `${JSON.stringify(pair)}\n`);
    writeFileSync(join(pairs, `package${pack}.jsonl`), lines.join(''));
  }
  const out = join(folder, 'dataset.bin');
  buildDataset({ pairs, out, settings: { ...VOCABULARY, heldOutFile: 3, heldOutPackage: 1 << 30 } });
  return readDataset(out);
}
