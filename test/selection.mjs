// Tests that imports lead from to changed files: `node test/run.mjs --changed`. Paths are relative to the top folder, with `/`.
import { posix } from 'node:path';

const STATIC = /^(?:import|export)\s(?<clause>[^'";]*?)\bfrom\s+'(?<from>\.[^']+)'/gm;
const BARE = /^import\s+'(?<from>\.[^']+)'/gm;
const DYNAMIC = /(?<type>typeof\s+)?\bimport\(\s*'(?<from>\.[^']+)'/gm;
/** A module that a process or a thread starts from, or a file that is read. */
const NAMED = /\bnew URL\(\s*'(?<from>[^']+)'/g;

/** Loads the module of whichever question is asked: who imports it reaches the whole program. */
const EVERY_QUESTION = 'src/questions/table.ts';

/** Imports of sources, each read when it is first asked about. `read` gives the text of a path, null where there is none. */
export class Imports {
  #read;
  #known = new Map();

  constructor(read) {
    this.#read = read;
  }

  /** Modules imported statically, when they are needed, and as a process or thread; and other files and folders that are named. */
  of(path) {
    let known = this.#known.get(path);
    if (known === undefined) {
      known = this.#parse(path, this.#read(path) ?? '');
      this.#known.set(path, known);
    }
    return known;
  }

  #parse(path, text) {
    const found = (pattern) =>
      [...text.matchAll(pattern)]
        .map(({ groups }) => groups)
        .filter(({ clause = '', type }) => !clause.startsWith('type ') && type === undefined)
        .map(({ from }) => posix.join(posix.dirname(path), from).replace(/\.js$/, '.ts'));
    const named = [...text.matchAll(NAMED)].map(({ groups }) => groups.from);
    return {
      direct: [...found(STATIC), ...found(BARE)],
      later: found(DYNAMIC),
      started: found(NAMED).filter((to) => to.endsWith('.ts')),
      // `../../../docs/` of a compiled test is `docs/` of the top folder.
      data: named.map((name) => name.replace(/^(?:\.\.?\/)+/, '')).filter((name) => /[^.]/.test(name)),
    };
  }

  /**
   * Steps from a test to each file that it reaches: with `isWhole` all of the program, where it starts a process of it or imports the
   * table of its questions; otherwise no further than that.
   */
  stepsFrom(test, isWhole) {
    const steps = new Map([[test, 0]]);
    for (const [path, step] of steps) {
      const { direct, later, started } = this.of(path);
      const next = [
        ...direct,
        ...(isWhole || path !== EVERY_QUESTION ? later : []),
        ...started.filter((to) => isWhole || to.startsWith('test/')),
      ];
      for (const to of next) if (!steps.has(to)) steps.set(to, step + 1);
    }
    return steps;
  }

  /** True for a test that starts the program, or a part of it, as a process. */
  startsProgram(test) {
    return [...this.stepsFrom(test, false).keys()].some(
      (path) => path.startsWith('test/') && this.of(path).started.some((to) => to.startsWith('src/')),
    );
  }

  /**
   * Of tests, those that reach a changed file, the nearest first, and those that reach one as they reach all: by the whole program. A
   * file that is read counts where a module names it, or a folder of it.
   */
  reaching(tests, changed) {
    const near = [];
    const whole = [];
    for (const test of tests) {
      const steps = this.#leastSteps(test, changed);
      if (steps < Infinity) near.push({ test, steps });
      else if (changed.some((path) => this.stepsFrom(test, true).has(path))) whole.push(test);
    }
    return { near: near.sort((a, b) => a.steps - b.steps), whole };
  }

  #leastSteps(test, changed) {
    for (const [path, step] of this.stepsFrom(test, false)) {
      if (changed.includes(path)) return step;
      const { data } = this.of(path);
      if (data.some((name) => changed.some((each) => each === name || (name.endsWith('/') && each.startsWith(name)))))
        return step + 1;
    }
    return Infinity;
  }
}
