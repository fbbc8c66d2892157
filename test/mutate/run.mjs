// Plants mistakes, one at a time, and counts how many the tests notice:
// `npm run mutate -- DIR… [--sample 60] [--tests 6] [--whole 3] [--seed 1] [--longest SECONDS] [--keep FOLDER]`.
// DIR is a folder of src/ or a file in it. Of each folder `--sample` mistakes are drawn by the seed (0: all), and for each the
// `--tests` nearest tests that execute it are run, the shortest first, then up to `--whole` of the whole program that execute it and are
// named for it, until one fails. Works on a copy of what is compiled. Prints mistakes that no test noticed, and which of them none of the
// asked tests executes. --json FILE keeps all. --longest leaves out tests that take longer, which can only lower the count; --keep
// remembers which code each test executes for the next run on the same sources, which saves running each test once.
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { randomOf } from '../bench/random.mjs';
import { Measures } from './measures.mjs';
import { Imports, namesakes, nearestTests } from './nearest.mjs';
import { mutationsOf } from './operators.mjs';
import { passes } from './passes.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
/** Campaigns and tests about the text of the code are left out. */
const TESTS = /^(?!campaign\/|house\/|model\/).*\.test\.js$/;
/** Tests about the whole of the program reach everything and notice little: asked where they import the file themselves. */
const WHOLE = /^(?:e2e|commands)\//;
/** Tests that are looked through for some that execute a mistake, for each that is asked. */
const LOOKED_THROUGH = 4;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '60' },
    tests: { type: 'string', default: '6' },
    // Each takes ten seconds or more: 0 leaves them out, for a nightly run on a small machine.
    whole: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    longest: { type: 'string', default: '600' },
    keep: { type: 'string' },
    json: { type: 'string' },
  },
});
if (positionals.length === 0) {
  console.error(
    'usage: npm run mutate -- DIR… [--sample N] [--tests N] [--whole N] [--seed N] [--longest S] [--keep FOLDER] [--json FILE]',
  );
  process.exit(2);
}

/** It would run modules as they were. */
const BUNDLE = /[\\/]src[\\/]bundle\.js$/;

/** Written to by tests: `build` has the mistakes, and some tests add files to `src`. */
const COPIED = new Set(['build', 'src']);

/** A checkout whose compiled files may be changed; everything else is that of this one. */
function makeCopy() {
  // V8 reports real paths.
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'mutate-')));
  process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
  for (const name of readdirSync(ROOT)) {
    if (COPIED.has(name))
      cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter: (path) => !BUNDLE.test(path) });
    else if (name !== '.git') symlinkSync(join(ROOT, name), join(copy, name));
  }
  return copy;
}

const filesIn = (directory) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();

function drawn(list, count, random) {
  const waiting = [...list];
  if (count === 0 || waiting.length <= count) return waiting;
  return Array.from({ length: count }, () => waiting.splice(Math.floor(random() * waiting.length), 1)[0]);
}

class Mutator {
  #copy = makeCopy();
  #imports = new Imports();
  #measures = new Measures(this.#copy, this.#imports, {
    keep: values.keep && resolve(values.keep),
    longestMs: 1_000 * Number(values.longest),
  });
  #tests;

  constructor() {
    const folder = join(this.#copy, 'build', 'test');
    this.#tests = filesIn(folder)
      .filter((file) => TESTS.test(relative(folder, file)))
      .map((file) => ({
        file,
        folder: dirname(relative(folder, file)),
        isWhole: WHOLE.test(relative(folder, file)),
        steps: this.#imports.distances(file),
      }));
  }

  /** Every mistake of a folder or a file, of files that some test reaches. */
  mutations(path) {
    const target = join(this.#copy, 'build', 'src', path.replace(/^src\//, '').replace(/\.ts$/, '.js'));
    const files = target.endsWith('.js') ? [target] : filesIn(target);
    return files.flatMap((file) => {
      const source = readFileSync(file, 'utf8');
      return mutationsOf(source).map((mutation) => ({ ...mutation, file, source }));
    });
  }

  /** Whether a test noticed it, and whether one executed it. */
  async tryOne(mutation) {
    const { file, start } = mutation;
    const folder = dirname(relative(join(this.#copy, 'build', 'src'), file));
    const count = Number(values.tests);
    const near = nearestTests(this.#tests, file, folder, LOOKED_THROUGH * count);
    const found = await this.#executing(near, file, start, count);
    if (await this.#isNoticed(mutation, found)) return { isNoticed: true, isExecuted: true };
    const rest = namesakes(this.#tests, file, folder).filter((test) => !found.includes(test));
    const others = await this.#executing(rest, file, start, Number(values.whole));
    const isNoticed = await this.#isNoticed(mutation, others);
    return { isNoticed, isExecuted: found.length + others.length > 0 };
  }

  /** True if one of some tests fails with a mistake. */
  async #isNoticed({ file, source, start, end, text }, tests) {
    writeFileSync(file, source.slice(0, start) + text + source.slice(end));
    try {
      for (const test of tests) if (!(await passes(test, this.#measures.known(test).limit))) return true;
      return false;
    } finally {
      writeFileSync(file, source);
    }
  }

  /** The first `count` of some tests that execute an offset of a file. */
  async #executing(tests, file, offset, count) {
    const found = [];
    for (const test of tests) {
      if (found.length === count) break;
      if ((await this.#measures.of(test))?.executed.has(file, offset)) found.push(test);
    }
    return found.sort((a, b) => this.#measures.known(a).limit - this.#measures.known(b).limit);
  }

  nameOf(file) {
    return relative(join(this.#copy, 'build'), file).replace(/\.js$/, '');
  }
}

const mutator = new Mutator();
const random = randomOf(Number(values.seed));
const results = [];
for (const path of positionals) {
  const all = mutator.mutations(path);
  const some = drawn(all, Number(values.sample), random).sort(
    (a, b) => a.file.localeCompare(b.file) || a.start - b.start,
  );
  const survivors = [];
  for (const mutation of some) {
    const { isNoticed, isExecuted } = await mutator.tryOne(mutation);
    if (isNoticed) continue;
    const line = mutation.source.split('\n')[mutation.line - 1].trim();
    const survivor = { file: mutator.nameOf(mutation.file), what: mutation.what, line, isExecuted };
    survivors.push(survivor);
    const where = isExecuted ? '' : '  (no near test executes it)';
    console.log(`${survivor.file}  ${survivor.what}${where}\n  ${line}`);
  }
  const killed = some.length - survivors.length;
  const unseen = survivors.filter(({ isExecuted }) => !isExecuted).length;
  results.push({ path, possible: all.length, tried: some.length, killed, unseen, survivors });
  console.log(
    `${path}: ${killed} of ${some.length} noticed (${Math.round((100 * killed) / some.length)} %), ${unseen} not executed\n`,
  );
}
if (values.json !== undefined) writeFileSync(resolve(values.json), `${JSON.stringify(results, null, 1)}\n`);
