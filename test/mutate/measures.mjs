// How long each test takes without a mistake, and which code it executes: asked once, and remembered for later runs if there is a folder for it.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Executed } from './executed.mjs';
import { passes } from './passes.mjs';

/** A test may take so many times as long as without a mistake, and so many milliseconds more. */
const SLOWER = 4;
const GRACE_MS = 15_000;

export class Measures {
  #copy;
  #imports;
  #keep;
  #longestMs;
  /** Null for a test that is not asked. */
  #known = new Map();
  #sources;

  /** `copy` is the checkout with the mistakes, without any at first. `keep` is a folder, or undefined. */
  constructor(copy, imports, { keep, longestMs }) {
    this.#copy = copy;
    this.#imports = imports;
    this.#keep = keep;
    this.#longestMs = longestMs;
    if (keep === undefined) return;
    mkdirSync(keep, { recursive: true });
    this.#sources = hashOf(copy, filesBelow(join(copy, 'build', 'src')));
  }

  /** What `of` has told of a test. */
  known(test) {
    return this.#known.get(test);
  }

  /** Its limit in milliseconds and the code that it executes; null if it fails without a mistake, or takes too long. */
  async of(test) {
    if (!this.#known.has(test)) this.#known.set(test, this.#remembered(test) ?? (await this.#measured(test)));
    return this.#known.get(test);
  }

  #remembered(test) {
    if (this.#keep === undefined || !existsSync(this.#place(test))) return undefined;
    const { ms, executed } = JSON.parse(readFileSync(this.#place(test), 'utf8'));
    return this.#asked(ms, new Executed(executed.map(([file, runs]) => [join(this.#copy, file), runs])));
  }

  async #measured(test) {
    const reports = join(this.#copy, 'reports');
    mkdirSync(reports);
    const from = performance.now();
    const isGood = await passes(test, this.#longestMs, { NODE_V8_COVERAGE: reports });
    const ms = performance.now() - from;
    const executed = isGood ? Executed.read(reports) : null;
    rmSync(reports, { recursive: true, force: true });
    if (!isGood) {
      console.error(`${relative(this.#copy, test)} fails without a mistake, or takes too long: it is not asked`);
      return null;
    }
    if (this.#keep !== undefined) {
      const files = executed.toJSON().map(([file, runs]) => [relative(this.#copy, file), runs]);
      writeFileSync(this.#place(test), JSON.stringify({ ms, executed: files }));
    }
    return this.#asked(ms, executed);
  }

  #asked(ms, executed) {
    return ms > this.#longestMs ? null : { limit: ms * SLOWER + GRACE_MS, executed };
  }

  /** Named by all sources, since a test may start the program, and by what the test imports. */
  #place(test) {
    const own = [...this.#imports.distances(test).keys()].filter((file) => existsSync(file)).sort();
    return join(this.#keep, `${hashOf(this.#copy, own, this.#sources)}.json`);
  }
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

function hashOf(root, files, before = '') {
  const hash = createHash('sha256').update(before);
  for (const file of files) hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}
