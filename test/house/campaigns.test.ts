/** Every bar of reliability and security has one campaign, and a row and the figures of its last long run in docs/campaigns.md. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { ROOT } from './root.js';

const BARS = [
  ...Array.from({ length: 12 }, (_, i) => `R${i + 1}`),
  ...Array.from({ length: 12 }, (_, i) => `S${i + 1}`),
  'L1',
  'L2',
  'L3',
  'L4',
];
const read = (name: string) => readFileSync(new URL(name, ROOT), 'utf8');
const PAGE = 'docs/campaigns.md';
const START = '<!-- campaigns -->\n';
const END = '<!-- /campaigns -->';
const COLUMNS = 120;
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

/** `text` in lines of at most 120 columns, broken at spaces; a single word may be longer. */
function wrap(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1];
    if (last === '') lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= COLUMNS) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}

/** `tried: 200; found: 0`, in characters that Markdown takes as they are. */
function listFigures(figures: LongRun['figures']): string {
  const seen = Object.entries(figures).map(([key, value]) => `${key}: ${value}`);
  return wrap(
    seen.length > 0
      ? `${seen.join('; ')}.`
      : 'No long run is recorded yet: the short form in the tests is all there is.',
  );
}

/** A table of what holds, then the figures of each campaign under a heading. */
function render(runs: readonly LongRun[]): string {
  const rows = runs.map(
    ({ bar, name, claim }) => `| ${bar} | [\`${name}\`](#${bar.toLowerCase()}-${name}) | ${claim} |`,
  );
  const parts = runs.map(({ bar, name, figures }) => `### ${bar} ${name}\n\n${listFigures(figures)}\n`);
  return `\n| bar | campaign | what holds |\n|---|---|---|\n${rows.join('\n')}\n\n## Figures\n\n${parts.join('\n')}\n`;
}

test('docs/campaigns.md shows what figures.jsonl has, and says which campaign it has nothing of', () => {
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
  const expected = known
    .sort((a, b) => a.bar.localeCompare(b.bar, 'en', { numeric: true }))
    .map((each) => ({ ...each, figures: runs.find(({ name }) => name === each.name)?.figures ?? {} }));
  const page = read(PAGE);
  const [start, end] = [page.indexOf(START) + START.length, page.indexOf(END)];
  if (process.env.UPDATE_FIXTURES === '1')
    writeFileSync(new URL(PAGE, ROOT), page.slice(0, start) + render(expected) + page.slice(end));
  else
    assert.equal(
      page.slice(start, end),
      render(expected),
      'UPDATE_FIXTURES=1 node build/test/house/campaigns.test.js writes it anew',
    );
});
