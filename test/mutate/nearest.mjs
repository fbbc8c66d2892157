// Tests that should notice a mistake in a file: the one of its name, then those from which fewest imports lead to it.
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)['"](\.[^'"]+)['"]/g;

export class Imports {
  #known = new Map();

  /** Files that a file imports, static and dynamic. */
  of(file) {
    let list = this.#known.get(file);
    if (list === undefined) {
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      list = [...text.matchAll(IMPORT)].map(([, path]) => resolve(dirname(file), path));
      this.#known.set(file, list);
    }
    return list;
  }

  /** Steps from a file to every file that it leads to. */
  distances(from) {
    const steps = new Map([[from, 0]]);
    for (const file of steps.keys())
      for (const next of this.of(file)) if (!steps.has(next)) steps.set(next, steps.get(file) + 1);
    return steps;
  }
}

/** For each test file its distances, once. */
export function nearestTests(tests, target, count) {
  const own = basename(target, '.js');
  const isOther = ({ file }) => Number(basename(file).split('.')[0] !== own);
  const far = ({ steps }) => steps.get(target);
  return tests
    .filter(({ isWhole, steps }) => steps.has(target) && (!isWhole || steps.get(target) === 1))
    .sort((a, b) => isOther(a) - isOther(b) || far(a) - far(b) || a.steps.size - b.steps.size)
    .slice(0, count)
    .map(({ file }) => file);
}
