/** Reads and writes weights.bin: the trained weights, with the settings that made them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { packSections, Sections } from '../../../src/base/binary.js';
import type { TrainingSettings, VocabularySettings } from '../recipe.js';

const WEIGHTS_MAGIC = 'GSCWGHT1';

export interface TrainingRun {
  vocabulary: VocabularySettings;
  training: TrainingSettings;
  seconds: number;
  /** Mean loss by epoch. */
  losses: number[];
}

export function writeWeights(path: string, weights: Float32Array, run: TrainingRun): void {
  const bytes = new Uint8Array(weights.buffer, weights.byteOffset, weights.byteLength);
  writeFileSync(path, packSections(WEIGHTS_MAGIC, run, { weights: bytes }));
}

export function readWeights(path: string): { run: TrainingRun; weights: Float32Array } {
  const sections = new Sections<TrainingRun>(readFileSync(path), WEIGHTS_MAGIC, path);
  const bytes = sections.u8('weights');
  return { run: sections.meta, weights: new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4) };
}
