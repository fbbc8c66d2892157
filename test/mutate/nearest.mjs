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

/**
 * Tests to ask about a mistake in `target`: of the same name, then of the same folder (`test/search` for `src/search`), then
 * those from which fewest imports lead to it. `folder` is that of the target, below `src/`. Tests that start the program instead of
 * importing it count where they lie in the same folder.
 */
export function nearestTests(tests, target, folder, count) {
  const own = basename(target, '.js');
  const isOther = ({ file }) => {
    const name = basename(file).split('.')[0];
    return Number(name !== own && !name.startsWith(`${own}-`));
  };
  const isElsewhere = (test) => Number(!isWithin(test.folder, folder));
  const far = ({ steps }) => steps.get(target) ?? Number.POSITIVE_INFINITY;
  const order = (one, other) => (one === other ? 0 : one - other);
  return tests
    .filter((test) => (test.steps.has(target) && (!test.isWhole || far(test) === 1)) || !isElsewhere(test))
    .sort(
      (a, b) =>
        isOther(a) - isOther(b) ||
        isElsewhere(a) - isElsewhere(b) ||
        order(far(a), far(b)) ||
        a.steps.size - b.steps.size,
    )
    .slice(0, count)
    .map(({ file }) => file);
}

/** True for folders of one part of the program, as `mcp` and `mcp/http`. */
function isWithin(one, other) {
  return one.split('/')[0] === other.split('/')[0];
}

/**
 * Tests of the whole program that speak of the folder or of the file by name, as `e2e/share-hostile` of `share/pull`: what no import
 * tells. Those that speak of the file come first.
 */
export function namesakes(tests, target, folder) {
  const file = stemsOf(basename(target, '.js'));
  const either = new Set([...file, ...stemsOf(folder)]);
  const shared = (test, stems) => stemsOf(basename(test.file).split('.')[0]).filter((stem) => stems.has(stem)).length;
  return tests
    .filter((test) => test.isWhole && shared(test, either) > 0)
    .sort((a, b) => shared(b, new Set(file)) - shared(a, new Set(file)))
    .map(({ file }) => file);
}

/** The words of a name without their endings: `sharing` and `share` are one. */
function stemsOf(name) {
  return name.split(/[^a-z]+/).map((word) => word.slice(0, 4));
}
