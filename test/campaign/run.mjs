// The long form of campaigns: `npm run campaign -- NAME… [size=number…]`, or `all`; without a name it lists them. Prints the
// figures of each. --figures FILE keeps them, too, a line of JSON each, in place of what the file had of that campaign.
// --repository DIR: real history in place of made-up one. `replay` makes the commits of this repository again, and `grep` searches
// all repositories at or below it; no other campaign takes one.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundle } from '../bundle.mjs';

const here = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'build', 'test', 'campaign');
const ENDING = '.test.js';
const known = readdirSync(here)
  .filter((name) => name.endsWith(ENDING))
  .map((name) => name.slice(0, -ENDING.length))
  .sort();

const USAGE = `usage: npm run campaign -- NAME… [size=number…] [--figures FILE] [--repository DIR]
NAME: all, ${known.join(', ')}`;

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { figures: { type: 'string' }, repository: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    return refuse(`${error.message}\n${USAGE}`);
  }
}

const { values, positionals } = readArguments();
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
const sizes = Object.fromEntries(
  positionals.filter((arg) => arg.includes('=')).map((arg) => [arg.split('=')[0], Number(arg.split('=')[1])]),
);
const asked = positionals.filter((arg) => !arg.includes('='));
const names = asked.includes('all') ? known : asked;
const stranger = names.find((name) => !known.includes(name));
if (names.length === 0 || stranger !== undefined || Object.values(sizes).some(Number.isNaN)) refuse(USAGE);

const WITH_REPOSITORY = ['grep', 'replay'];
const repository = values.repository && resolve(values.repository);
const without = asked.find((name) => name !== 'all' && !WITH_REPOSITORY.includes(name));
if (repository !== undefined && without !== undefined)
  refuse(`${without} takes no --repository: it makes what it needs`);
if (repository !== undefined && !statSync(repository, { throwIfNoEntry: false })?.isDirectory())
  refuse(`--repository ${values.repository}: there is no such folder`);

function refuse(why) {
  console.error(why);
  process.exit(2);
}

const parse = (path) =>
  (existsSync(path) ? readFileSync(path, 'utf8') : '')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

// As users run it.
if (!bundle()) process.exit(1);
const work = mkdtempSync(join(tmpdir(), 'campaign-'));
const figures = join(work, 'figures.jsonl');
const failed = [];
for (const name of names) {
  const { status } = spawnSync(process.execPath, [join(here, name + ENDING)], {
    stdio: 'inherit',
    env: { ...process.env, SOCRATICODE_CAMPAIGN: JSON.stringify({ sizes, figures, repository }) },
  });
  if (status !== 0) failed.push(name);
}
const seen = parse(figures);
rmSync(work, { recursive: true, force: true });
for (const { name, bar, claim, seed, seconds, figures } of seen) {
  console.log(`${bar} ${name}: ${claim} (seed ${seed}, ${seconds} s)`);
  for (const [key, value] of Object.entries(figures)) console.log(`  ${key}: ${value}`);
}
if (values.figures !== undefined && seen.length > 0) {
  const kept = parse(values.figures).filter(({ name }) => !seen.some((each) => each.name === name));
  const lines = [...kept, ...seen].sort((a, b) => a.bar.localeCompare(b.bar, 'en', { numeric: true }));
  writeFileSync(values.figures, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
}
if (failed.length > 0) console.error(`failed: ${failed.join(', ')}`);
process.exit(failed.length > 0 ? 1 : 0);
