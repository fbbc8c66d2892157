// The long form of campaigns: `npm run campaign -- NAME… [size=value…]`, or `all`; without a name it lists them. Prints the
// figures of each, and writes them to --figures FILE, a line of JSON each.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'build', 'test', 'campaign');
const ENDING = '.test.js';
const known = readdirSync(here)
  .filter((name) => name.endsWith(ENDING))
  .map((name) => name.slice(0, -ENDING.length))
  .sort();

const { values, positionals } = parseArgs({ allowPositionals: true, options: { figures: { type: 'string' } } });
const sizes = Object.fromEntries(
  positionals.filter((arg) => arg.includes('=')).map((arg) => [arg.split('=')[0], Number(arg.split('=')[1])]),
);
const asked = positionals.filter((arg) => !arg.includes('='));
const names = asked.includes('all') ? known : asked;
const stranger = names.find((name) => !known.includes(name));
if (names.length === 0 || stranger !== undefined || Object.values(sizes).some(Number.isNaN)) {
  console.error(`usage: npm run campaign -- NAME… [size=number…] [--figures FILE]\nNAME: all, ${known.join(', ')}`);
  process.exit(2);
}

const work = mkdtempSync(join(tmpdir(), 'campaign-'));
const figures = resolve(values.figures ?? join(work, 'figures.jsonl'));
const failed = [];
try {
  for (const name of names) {
    const { status } = spawnSync(process.execPath, [join(here, name + ENDING)], {
      stdio: 'inherit',
      env: { ...process.env, SOCRATICODE_CAMPAIGN: JSON.stringify({ sizes, figures }) },
    });
    if (status !== 0) failed.push(name);
  }
  let text = '';
  try {
    text = readFileSync(figures, 'utf8');
  } catch {
    // Nothing got to its end.
  }
  for (const line of text.split('\n').filter(Boolean)) {
    const { name, bar, claim, seed, seconds, figures: seen } = JSON.parse(line);
    if (!names.includes(name)) continue;
    console.log(`${bar} ${name}: ${claim} (seed ${seed}, ${seconds} s)`);
    for (const [key, value] of Object.entries(seen)) console.log(`  ${key}: ${value}`);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
if (failed.length > 0) console.error(`failed: ${failed.join(', ')}`);
process.exit(failed.length > 0 ? 1 : 0);
