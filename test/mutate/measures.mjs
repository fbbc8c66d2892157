// How long each test takes without a mistake, and which code it executes: asked once, and remembered for later runs if there is a folder for it.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './copy.mjs';
import { Executed } from './executed.mjs';
import { passes } from './passes.mjs';

/** A test may take so many times as long as without a mistake, and so many milliseconds more. */
const SLOWER = 4;
const GRACE_MS = 15_000;

export class Measures {
  longestMs;
  #keep;
  /** By name of the test. Null for one that is not asked. */
  #known = new Map();
  #hashes = hashesOf('build');
  /** Of tests that are being measured. */
  #running = new Map();

  /** `keep` is a folder, or undefined. */
  constructor({ keep, longestMs }) {
    this.#keep = keep;
    this.longestMs = longestMs;
    if (keep !== undefined) mkdirSync(keep, { recursive: true });
  }

  /** Tests that fail without a mistake or take too long, of those asked so far. */
  get leftOut() {
    return [...this.#known].filter(([, measure]) => measure === null).map(([test]) => test);
  }

  /** What `of` has told of a test. */
  known(test) {
    return this.#known.get(test);
  }

  /** Its limit in milliseconds and whether it executes a mistake; null if it fails without one, or takes too long. */
  async of(test, copy) {
    if (this.remembered(test) === undefined) {
      if (!this.#running.has(test)) this.#running.set(test, this.#measured(test, copy));
      this.#know(test, await this.#running.get(test));
    }
    return this.known(test);
  }

  /** The same, or undefined where the test would have to be run. */
  remembered(test) {
    if (!this.#known.has(test)) {
      const told = this.#read(test);
      if (told !== undefined) this.#know(test, told);
    }
    return this.known(test);
  }

  #know(test, told) {
    const isAsked = told !== null && told.ms <= this.longestMs;
    this.#known.set(test, isAsked ? { ...told, limit: told.ms * SLOWER + GRACE_MS } : null);
  }

  /** A file that is another since then counts as executed all over: that may ask a test in vain. */
  #read(test) {
    if (this.#keep === undefined || !existsSync(this.#place(test))) return undefined;
    const { ms, own, hashes, executed } = JSON.parse(readFileSync(this.#place(test), 'utf8'));
    if (own !== this.#hashes.get(test)) return undefined;
    const spans = hasOf(executed);
    const then = new Map(hashes);
    const isOther = (file) => then.has(file) && then.get(file) !== this.#hashes.get(file);
    return { ms, has: (file, offset) => isOther(file) || spans(file, offset) };
  }

  async #measured(test, copy) {
    // A folder of its own: a process that outlives a test makes that of the test anew, and writes to it.
    const reports = mkdtempSync(copy.pathOf('reports-'));
    let from = performance.now();
    let isGood = await passes(copy.pathOf(test), this.longestMs, { NODE_V8_COVERAGE: reports });
    let executed = Executed.read(reports)
      .toJSON()
      .map(([file, spans]) => [copy.nameOf(file), spans]);
    rmSync(reports, { recursive: true, force: true });
    if (!isGood) {
      // Some count files or memory, of which reports take some: these are asked about everything.
      executed = null;
      from = performance.now();
      isGood = await passes(copy.pathOf(test), this.longestMs);
    }
    const ms = performance.now() - from;
    if (!isGood) {
      console.error(`${test} fails without a mistake, or takes too long: it is not asked`);
      return null;
    }
    if (this.#keep !== undefined) this.#remember(test, ms, executed);
    return { ms, has: hasOf(executed) };
  }

  #remember(test, ms, executed) {
    const hashes = executed?.map(([file]) => [file, this.#hashes.get(file)]);
    const draft = `${this.#place(test)}.${process.pid}`;
    writeFileSync(draft, JSON.stringify({ ms, own: this.#hashes.get(test), hashes, executed }));
    renameSync(draft, this.#place(test));
  }

  #place(test) {
    return join(this.#keep, `${test.replaceAll(/[^\w.-]/g, '+')}.json`);
  }
}

/** Tells whether a place in a file is executed; every place is, where nobody knows. */
function hasOf(executed) {
  if (executed === null) return () => true;
  const spans = new Executed(executed);
  return (file, offset) => spans.has(file, offset);
}

/** Hashes of all compiled files at the start: they may be compiled anew while mistakes are asked about. */
function hashesOf(folder) {
  const names = readdirSync(join(ROOT, folder), { recursive: true }).filter((name) => name.endsWith('.js'));
  return new Map(names.map((name) => [join(folder, name), hashAt(join(ROOT, folder, name))]));
}

function hashAt(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
