/**
 * The child that parses: a grammar may hang or crash on hostile text, and then only this process is lost. Receives
 * one file at a time, `{ root, path, language }`, and answers with its pairs.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAllRules } from '../../../src/languages/registry.js';
import { makePairs } from './make.js';
import type { FilePairs } from './types.js';

export interface PairJob {
  root: string;
  path: string;
  language: string;
}

await loadAllRules();
process.on('message', ({ root, path, language }: PairJob) => {
  let made: FilePairs = { pairs: [], functions: [], tests: [] };
  try {
    made = makePairs(path, readFileSync(join(root, path)), language);
  } catch (error) {
    console.error(`${root}/${path}: ${(error as Error).message}`);
  }
  process.send?.(made);
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
