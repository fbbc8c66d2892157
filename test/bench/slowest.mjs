// Files that take longest for their size: `npm run bench -- slowest DIR… [--language ID] [--files N] [--least KB] [--most N]`.
// Extracts files of HEAD in this process, in baseline WebAssembly as `index` does, and prints processor time by language and the
// slowest files by ms a kB, each measured three times. `--files`: at most so many of a language and repository, spread over its paths.
// `--least`: smaller files are no candidates. Names of repositories that cannot be read are printed and left out.
import { basename, dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { blobsOf, readBlobs } from './blobs.mjs';

const dist = new URL('../../dist/', import.meta.url);
const { keepBaselineWasm } = await import(new URL('base/runtime.js', dist));
keepBaselineWasm();
const { Session } = await import(new URL('session/session.js', dist));
const { extract, loadAllRules } = await import(new URL('extract/extract.js', dist));

/** Kilobytes that are read at once. */
const BATCH = 400;
const AGAIN = 2;

const { values, positionals } = parseArgs({
  args: process.argv.slice(process.argv[2] === 'slowest' ? 3 : 2),
  options: {
    language: { type: 'string' },
    files: { type: 'string', default: '100000' },
    least: { type: 'string', default: '4' },
    most: { type: 'string', default: '20' },
  },
  allowPositionals: true,
});

const spread = (list, most) =>
  list.length <= most ? list : Array.from({ length: most }, (_, i) => list[Math.floor((i * list.length) / most)]);

function msOf(content, language) {
  const from = process.cpuUsage();
  try {
    extract(content, language);
  } catch (error) {
    return { ms: msSince(from), failed: error.message };
  }
  return { ms: msSince(from) };
}

const msSince = (from) => {
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1_000;
};

async function filesOf(directory) {
  const session = await Session.open({ directory });
  const { catalog } = await session.files('HEAD');
  session.close();
  const byLanguage = new Map();
  for (const file of catalog.files) {
    const { language } = file;
    if (language === null || (values.language ?? language) !== language) continue;
    if (!byLanguage.has(language)) byLanguage.set(language, []);
    byLanguage.get(language).push(file);
  }
  return [...byLanguage.values()].flatMap((files) => spread(files, Number(values.files)));
}

/** The name of a repository, also of a folder `repo` or `.git` inside it. */
const nameOf = (directory) => {
  const path = resolve(directory);
  return /^(?:repo|\.git)$/.test(basename(path)) ? basename(dirname(path)) : basename(path);
};

const totals = new Map();
const candidates = [];

function measure(name, { path, language }, content) {
  const { ms, failed } = msOf(content, language);
  const total = totals.get(language) ?? { language, files: 0, kB: 0, ms: 0 };
  const kB = content.length / 1_000;
  totals.set(language, { language, files: total.files + 1, kB: total.kB + kB, ms: total.ms + ms });
  if (kB >= Number(values.least)) candidates.push({ name, path, language, kB, ms, failed, content });
  // Few more than are wanted, since a later measurement may be shorter than the first.
  if (candidates.length < 20 * Number(values.most)) return;
  candidates.sort((a, b) => b.ms / b.kB - a.ms / a.kB).splice(4 * Number(values.most));
}

async function measureAll(directory) {
  const name = nameOf(directory);
  const files = await filesOf(directory);
  for (let at = 0; at < files.length; at += BATCH) {
    const part = new Map(files.slice(at, at + BATCH).map((file) => [file.oid, file]));
    for (const { oid, content } of blobsOf(readBlobs(directory, part.keys())))
      measure(name, part.get(oid), Buffer.from(content));
  }
}

await loadAllRules();
let read = 0;
for (const directory of positionals) {
  try {
    await measureAll(directory);
    read++;
  } catch (error) {
    console.log(`${nameOf(directory)}: ${error.message}`);
  }
}
console.log(`${read} repositories\n\nlanguage files kB ms ms/kB`);
for (const { language, files, kB, ms } of [...totals.values()].sort((a, b) => b.ms - a.ms))
  console.log(`${language} ${files} ${kB.toFixed(0)} ${ms.toFixed(0)} ${(ms / kB).toFixed(2)}`);
for (const each of candidates)
  for (let i = 0; i < AGAIN; i++) each.ms = Math.min(each.ms, msOf(each.content, each.language).ms);
console.log('\nms/kB kB ms language repository path');
candidates.sort((a, b) => b.ms / b.kB - a.ms / a.kB);
for (const { name, path, language, kB, ms, failed } of candidates.slice(0, Number(values.most)))
  console.log(
    `${(ms / kB).toFixed(2)} ${kB.toFixed(1)} ${ms.toFixed(0)} ${language} ${name} ${path}${failed === undefined ? '' : `: ${failed}`}`,
  );
