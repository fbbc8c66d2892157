// How long each test takes without a mistake, and which code it executes: asked once, and remembered for later runs if there is a folder for it.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  #hashes = new Map();

  /** `copy` is the checkout with the mistakes, without any at first. `keep` is a folder, or undefined. */
  constructor(copy, imports, { keep, longestMs }) {
    this.#copy = copy;
    this.#imports = imports;
    this.#keep = keep;
    this.#longestMs = longestMs;
    if (keep !== undefined) mkdirSync(keep, { recursive: true });
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
    const { ms, executed, hashes } = JSON.parse(readFileSync(this.#place(test), 'utf8'));
    if (hashes.some(([file, hash]) => this.#hashOf(file) !== hash)) return undefined;
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
      const own = [...this.#imports.distances(test).keys()].map((file) => relative(this.#copy, file));
      const hashes = [...new Set([...own, ...files.map(([file]) => file)])].map((file) => [file, this.#hashOf(file)]);
      writeFileSync(this.#place(test), JSON.stringify({ ms, hashes, executed: files }));
    }
    return this.#asked(ms, executed);
  }

  #asked(ms, executed) {
    return ms > this.#longestMs ? null : { limit: ms * SLOWER + GRACE_MS, executed };
  }

  #place(test) {
    return join(this.#keep, `${relative(this.#copy, test).replaceAll(/[^\w.-]/g, '+')}.json`);
  }

  /** Tells whether a file that a test imports or executes is still the same. Asked before there is a mistake in it. */
  #hashOf(file) {
    if (!this.#hashes.has(file)) this.#hashes.set(file, hashAt(join(this.#copy, file)));
    return this.#hashes.get(file);
  }
}

function hashAt(path) {
  return existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : '';
}
