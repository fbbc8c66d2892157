/** Files of the repository that training reads and writes, found from wherever the code was compiled to. */
import { fileURLToPath } from 'node:url';

/** `build/model/train/` -> `model/`. */
export const MODEL_FOLDER = fileURLToPath(new URL('../../../model/', import.meta.url));
export const CORPUS = `${MODEL_FOLDER}corpus.json`;
export const README = `${MODEL_FOLDER}README.md`;
export const METRICS = `${MODEL_FOLDER}metrics.json`;
/** The model itself. */
export const BUILTIN = `${MODEL_FOLDER}builtin.bin`;
