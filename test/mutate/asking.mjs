// Which tests are asked about mistakes, and what they say. Several copies of the checkout work side by side.
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Imports, nearestFirst } from './nearest.mjs';
import { passes } from './passes.mjs';

/** Campaigns and tests about the text of the code are left out. */
const TESTS = /^(?!campaign\/|house\/|model\/).*\.test\.js$/;
/** Tests about the whole of the program. */
const WHOLE = /^(?:e2e|commands)\//;
/** Tests that are looked through for some that execute a mistake, for each that is asked. */
const LOOKED_THROUGH = 4;

export class Asking {
  #copies;
  #measures;
  #tests;

  constructor(copies, measures) {
    this.#copies = copies;
    this.#measures = measures;
    const imports = new Imports();
    const [{ root }] = copies;
    // From the sources: the folder of compiled files may still hold tests that were moved or deleted.
    this.#tests = readdirSync(join(root, 'test'), { recursive: true })
      .map((name) => name.replaceAll('\\', '/').replace(/\.ts$/, '.js'))
      .filter((name) => TESTS.test(name))
      .sort()
      .map((name) => ({
        name: `build/test/${name}`,
        folder: dirname(name),
        isWhole: WHOLE.test(name),
        steps: new Map(
          [...imports.distances(join(root, 'build/test', name))].map(([path, steps]) => [
            copies[0].nameOf(path),
            steps,
          ]),
        ),
      }));
  }

  /** Runs tests without a mistake, where what they execute is not known yet. */
  async measureAll(tests = this.#tests) {
    await this.#each(tests, (test, copy) => this.#measures.of(test.name, copy));
  }

  /** Asks the `count` nearest tests that execute a mistake, each mistake by itself. Sets `isNoticed`, `isExecuted` and `asked`. */
  async askNear(mutations, count) {
    await this.#each(mutations, async (mutation, copy) => {
      Object.assign(mutation, { isNoticed: false, isExecuted: false, asked: new Set() });
      const all = nearestFirst(this.#tests, mutation.file, folderOf(mutation.file));
      const ordered = all.slice(0, LOOKED_THROUGH * count);
      for (const test of ordered) {
        if (mutation.isNoticed || mutation.asked.size === count) return;
        const measure = await this.#measures.of(test.name, copy);
        if (measure?.has(mutation.file, mutation.start)) await this.#askOne(test, mutation, copy);
      }
      // A process that is killed leaves no report of what it executed.
      if (mutation.asked.size === 0)
        for (const test of ordered.slice(0, count)) await this.#askOne(test, mutation, copy);
    });
  }

  async #askOne(test, mutation, copy) {
    const measure = this.#measures.known(test.name);
    if (measure === null || mutation.isNoticed) return;
    mutation.isExecuted ||= measure.has(mutation.file, mutation.start);
    mutation.isNoticed = await this.#isNoticed([mutation], test, copy);
    mutation.asked.add(test.name);
  }

  /**
   * Asks every other test, those nearest to some mistake first, until a moment. All that survived so far are planted at once, since nearly
   * every test passes; where one fails, it is asked about each by itself. Returns how many tests there was no time for.
   */
  async askAll(mutations, until) {
    const rank = new Map();
    for (const file of new Set(mutations.map((each) => each.file)))
      nearestFirst(this.#tests, file, folderOf(file)).forEach(({ name }, at) => {
        rank.set(name, Math.min(at, rank.get(name) ?? at));
      });
    const ordered = [...this.#tests].sort((a, b) => rank.get(a.name) - rank.get(b.name));
    let late = 0;
    await this.#each(ordered, async (test, copy) => {
      const unasked = mutations.filter((each) => !each.isNoticed && !each.asked.has(test.name));
      if (unasked.length === 0) return;
      if (Date.now() > until) late++;
      else for (const pool of apart(unasked)) await this.#askPooled(test, pool, copy);
    });
    return late;
  }

  /** What a test executes is asked only where it fails: without that, it would run twice. */
  async #askPooled(test, pool, copy) {
    const measure = this.#measures.remembered(test.name);
    if (measure === null) return;
    const isExecuted = ({ file, start }) => this.#measures.known(test.name)?.has(file, start) ?? true;
    const alive = () => pool.filter((each) => !each.isNoticed && isExecuted(each));
    while (alive().length > 0 && (await this.#isNoticed(alive(), test, copy))) {
      if ((await this.#measures.of(test.name, copy)) === null) return;
      const before = alive();
      for (const each of before) each.isNoticed = await this.#isNoticed([each], test, copy);
      // Only together do they do harm, or the test fails now and then.
      if (alive().length === before.length) break;
    }
    for (const each of pool) each.asked.add(test.name);
    for (const each of pool) each.isExecuted ||= this.#measures.known(test.name)?.has(each.file, each.start) ?? false;
  }

  /** True if a test fails with all of the mistakes. */
  #isNoticed(mutations, { name }, copy) {
    const limit = this.#measures.known(name)?.limit ?? this.#measures.longestMs;
    return copy.with(mutations, async () => !(await passes(copy.pathOf(name), limit)));
  }

  /** Does something with each of a list, as many at once as there are copies. */
  async #each(list, work) {
    const waiting = [...list];
    const worker = async (copy) => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next, copy);
    };
    await Promise.all(this.#copies.map(worker));
  }
}

/** `mcp/http` of `build/src/mcp/http.js`. */
function folderOf(file) {
  return dirname(file).replace(/^build\/src\/?/, '');
}

/** Parts of which none has two mistakes that lie in one another. */
function apart(mutations) {
  const parts = [];
  for (const each of mutations) {
    const isFree = (part) =>
      part.every((other) => other.file !== each.file || other.end <= each.start || each.end <= other.start);
    const part = parts.find(isFree);
    if (part) part.push(each);
    else parts.push([each]);
  }
  return parts;
}
