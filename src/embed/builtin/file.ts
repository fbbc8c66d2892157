/** Finds the file of the built-in model, without reading it. */
import { existsSync } from 'node:fs';
import { SocraticodeError } from '../../base/errors.js';

/** Paths of the model file as seen from the compiled code: from `dist/` and from the test build. */
const MODEL_PATHS = ['../../../model/builtin.bin', '../../../../model/builtin.bin'];

/** The model file. Throws BROKEN_INSTALLATION if it is missing. */
export function modelFile(): URL {
  const file = MODEL_PATHS.map((path) => new URL(path, import.meta.url)).find((url) => existsSync(url));
  if (file === undefined)
    throw new SocraticodeError('BROKEN_INSTALLATION', 'model/builtin.bin is missing from the package');
  return file;
}
