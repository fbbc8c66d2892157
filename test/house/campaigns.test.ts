/** Every bar of reliability and security has one campaign, a row in README, and figures of a long run. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { ROOT } from './root.js';

const BARS = [
  ...Array.from({ length: 10 }, (_, i) => `R${i + 1}`),
  ...Array.from({ length: 12 }, (_, i) => `S${i + 1}`),
  'L1',
  'L2',
];
const read = (name: string) => readFileSync(new URL(name, ROOT), 'utf8');
const README = read('README.md');
const HEADING = '| --- | -------- | ---------- | --------------- |\n';
const ENDING = '.test.ts';

/** Bar and name, as `campaign('NAME', { bar: 'R1'` says. */
function campaigns(): { name: string; bar: string; claim: string }[] {
  const files = readdirSync(new URL('test/campaign/', ROOT)).filter((name) => name.endsWith(ENDING));
  return files.map((file) => {
    const text = read(`test/campaign/${file}`);
    const [, name, bar] = /campaign(?:<[^>]*>)?\(\s*'([\w-]+)',\s*\{\s*bar: '(\w+)'/.exec(text) ?? [];
    const claim = /claim:\s*(['"])(.*?)\1,\n/.exec(text)?.[2] ?? '';
    assert.equal(`${name}${ENDING}`, file);
    return { name, bar, claim };
  });
}

test('one campaign a bar', () => {
  assert.deepEqual(
    campaigns()
      .map(({ bar }) => bar)
      .sort(),
    [...BARS].sort(),
  );
});

interface LongRun {
  name: string;
  bar: string;
  claim: string;
  figures: Record<string, number | string>;
}

/** `| R1 | `kill` | what holds | tried: 200; … |` */
function row({ bar, name, claim, figures }: LongRun): string {
  const seen = Object.entries(figures).map(([key, value]) => `${key}: ${value}`);
  const text = seen.length > 0 ? seen.join('; ').replaceAll('|', '\\|') : 'no long run recorded yet';
  return `| ${bar} | \`${name}\` | ${claim} | ${text} |`;
}

test('the table of README is what figures.jsonl has, and says of which campaign it has nothing', () => {
  const runs = read('test/campaign/figures.jsonl')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as LongRun);
  const known = campaigns();
  for (const { name } of runs)
    assert.ok(
      known.some((each) => each.name === name),
      name,
    );
  const rows = known
    .sort((a, b) => a.bar.localeCompare(b.bar, 'en', { numeric: true }))
    .map((each) => row(runs.find(({ name }) => name === each.name) ?? { ...each, figures: {} }));
  const start = README.indexOf(HEADING) + HEADING.length;
  const table = README.slice(start, README.indexOf('\n\n', start)).trim();
  if (process.env.UPDATE_FIXTURES)
    writeFileSync(new URL('README.md', ROOT), README.replace(table || '\n\n', rows.join('\n')));
  else assert.equal(table, rows.join('\n'));
});
