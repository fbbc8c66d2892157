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
 * Tests in the order in which to ask them about a mistake in `target`: of the same name, then of the same folder (`test/search` for
 * `src/search`), then those from which fewest imports lead to it. Those of the whole of the program reach everything and notice little:
 * they come last, but for those that speak of the file or the folder by name, as `e2e/share-hostile` of `share/pull`.
 */
export function nearestFirst(tests, target, folder) {
  const own = basename(target, '.js');
  const file = stemsOf(own);
  const either = new Set([...file, ...stemsOf(folder)]);
  const placed = tests.map((test) => {
    const name = basename(test.name).split('.')[0];
    const shared = (stems) => stemsOf(name).filter((stem) => stems.has(stem)).length;
    const isOther = name !== own && !name.startsWith(`${own}-`);
    const isWhole = test.isWhole && test.steps.get(target) !== 1;
    const steps = test.steps.get(target) ?? Number.MAX_SAFE_INTEGER;
    const isElsewhere = !isWithin(test.folder, folder);
    const kin = isWhole ? shared(new Set(file)) * 2 + shared(either) : 0;
    return { test, order: [isOther, isWhole, isElsewhere, -kin, steps, test.steps.size].map(Number) };
  });
  return placed.sort((a, b) => compared(a.order, b.order)).map(({ test }) => test);
}

function compared(one, other) {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at < 0 ? 0 : one[at] - other[at];
}

/** True for folders of one part of the program, as `mcp` and `mcp/http`. */
function isWithin(one, other) {
  return one.split('/')[0] === other.split('/')[0];
}

/** The words of a name without their endings: `sharing` and `share` are one. */
function stemsOf(name) {
  return name.split(/[^a-z]+/).map((word) => word.slice(0, 4));
}
