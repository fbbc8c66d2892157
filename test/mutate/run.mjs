// Plants mistakes, one at a time, and counts how many the tests notice; HELP says how it is asked. Works on copies of what is compiled.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { randomOf } from '../bench/random.mjs';
import { Asking } from './asking.mjs';
import { Copy, ROOT } from './copy.mjs';
import { Explained } from './explained.mjs';
import { Measures } from './measures.mjs';
import { mutationsOf } from './operators.mjs';

const HELP = `usage: npm run mutate -- DIR… [options]

Plants mistakes in compiled code, one at a time, and prints those that no test notices. DIR is a folder of src/, fleet/src, or a file in them.
Those that test/mutate/explained.json calls equal are not planted and not counted.

  --sample N      mistakes of each DIR, drawn by the seed (60; 0: all)
  --seed N        another draw (1)
  --tests N       ask only the N nearest tests that execute a mistake (0: all that do; campaigns never)
  --minutes N     leave out the farthest tests when so much time is over (600): can only lower the count
  --longest S     leave out tests that take more than S seconds (600): can only lower the count
  --jobs N        tests at once (2)
  --keep FOLDER   remember which code each test executes: without it each test runs once more
  --measure       only fill that folder
  --list          only print the mistakes
  --json FILE     write all that is found
  --help          this text`;

const OPTIONS = {
  sample: { type: 'string', default: '60' },
  seed: { type: 'string', default: '1' },
  tests: { type: 'string', default: '0' },
  minutes: { type: 'string', default: '600' },
  longest: { type: 'string', default: '600' },
  jobs: { type: 'string', default: '2' },
  keep: { type: 'string' },
  measure: { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  json: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
};
/** Nearest tests, asked about each mistake by itself, before all others are asked. */
const NEAR = 5;

function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options: OPTIONS });
  } catch (error) {
    console.error(`${error.message}\n\n${HELP}`);
    process.exit(2);
  }
}

/** Every mistake of a folder or a file, as `share`, `src/share/push.ts` or `share/push`. */
function mutationsIn(path) {
  const stem = join(
    'build/src',
    path
      .replace(/^(?:\.\/)?src\//, '')
      .replace(/^(?:\.\/)?fleet\/src/, '../fleet/src')
      .replace(/\.ts$/, ''),
  );
  const files = existsSync(join(ROOT, `${stem}.js`)) ? [`${stem}.js`] : filesIn(stem);
  if (files.length === 0) {
    console.error(`no compiled code of ${path}`);
    process.exit(2);
  }
  return files.flatMap((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    return mutationsOf(source).map((mutation) => ({ ...mutation, path, file, source }));
  });
}

function filesIn(folder) {
  const path = join(ROOT, folder);
  const names = existsSync(path) ? readdirSync(path, { recursive: true }) : [];
  return names
    .filter((name) => name.endsWith('.js'))
    .sort()
    .map((name) => join(folder, name));
}

function drawn(list, count, random) {
  const waiting = [...list];
  if (count === 0 || waiting.length <= count) return waiting;
  const some = Array.from({ length: count }, () => waiting.splice(Math.floor(random() * waiting.length), 1)[0]);
  return some.sort((a, b) => a.file.localeCompare(b.file) || a.start - b.start);
}

function told({ file, line, source, what, isExecuted, kind, why }) {
  const where = isExecuted === false ? '  (no test executes it)' : '';
  const reason = why === undefined ? '' : `\n  ${kind}: ${why}`;
  return `${file.replace(/^build\/(.*)\.js$/, '$1')}  ${what}${where}\n  ${source.split('\n')[line - 1].trim()}${reason}`;
}

function resultOf(path, possible, drawn) {
  const tried = drawn.filter(isPlanted);
  const equal = drawn.length - tried.length;
  const survivors = tried.filter(({ isNoticed }) => !isNoticed);
  const unseen = survivors.filter(({ isExecuted }) => !isExecuted).length;
  const killed = tried.length - survivors.length;
  const unexplained = survivors.filter(({ why }) => why === undefined).length;
  for (const survivor of survivors) console.log(told(survivor));
  const share = Math.round((100 * killed) / tried.length);
  console.log(
    `${path}: ${killed} of ${tried.length} noticed (${share} %), ${equal} more are equal; ${unseen} not executed, ${unexplained} not explained\n`,
  );
  const brief = ({ file, what, line, source, isNoticed, isExecuted, asked, kind }) => ({
    ...{ file, what, line: source.split('\n')[line - 1].trim(), kind, isNoticed, isExecuted, asked: [...asked] },
  });
  return { path, possible, equal, tried: tried.length, killed, unseen, unexplained, mutations: tried.map(brief) };
}

function isPlanted({ kind }) {
  return kind !== 'equal';
}

function samplesOf(paths, { seed, sample }) {
  const random = randomOf(Number(seed));
  const samples = paths.map((path) => {
    const all = mutationsIn(path);
    return { path, all, drawn: drawn(all, Number(sample), random) };
  });
  const explained = new Explained();
  const all = samples.flatMap((each) => each.all);
  explained.mark(all);
  for (const { file, line, what } of explained.stale(all.map((each) => each.file)))
    console.error(`explained.json names what is not there any more: ${file}  ${what}\n  ${line}`);
  return samples;
}

async function main() {
  const { values, positionals } = readArguments();
  if (values.help) return console.log(HELP);
  if (positionals.length === 0 && !values.measure) {
    console.error(HELP);
    process.exit(2);
  }
  const started = Date.now();
  const samples = samplesOf(positionals, values);
  if (values.list) return console.log(samples.flatMap((each) => each.drawn.map(told)).join('\n'));
  const planted = samples.flatMap((each) => each.drawn.filter(isPlanted));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
  const copies = Array.from({ length: Number(values.jobs) }, () => new Copy());
  const measures = new Measures({
    keep: values.keep && resolve(values.keep),
    longestMs: 1_000 * Number(values.longest),
  });
  const asking = new Asking(copies, measures);
  if (values.measure) await asking.measureAll();
  await asking.askNear(planted, Number(values.tests) || NEAR);
  const alive = planted.filter(({ isNoticed }) => !isNoticed);
  console.error(`${alive.length} of ${planted.length} not noticed by near tests:\n${alive.map(told).join('\n')}\n`);
  const late = values.tests === '0' ? await asking.askAll(alive, started + 60_000 * Number(values.minutes)) : 0;
  const results = samples.map((each) => resultOf(each.path, each.all.length, each.drawn));
  if (late > 0) console.log(`no time was left for ${late} tests, the farthest`);
  if (measures.leftOut.length > 0)
    console.log(`not asked, since they fail without a mistake or take too long: ${measures.leftOut.join(' ')}`);
  if (values.json !== undefined) writeFileSync(resolve(values.json), `${JSON.stringify(results, null, 1)}\n`);
}

await main();
