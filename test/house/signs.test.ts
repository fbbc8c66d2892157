/** Signs beyond ASCII come from one table, so that a terminal without UTF-8 gets none of ours. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ROOT } from './root.js';

/** Parts that print on a terminal. Pages, tools of agents and descriptions in schemas are UTF-8 by their formats. */
const PRINTED =
  /^(?:base|cli|config|git|indexer|overlay|params|questions|search|serve|session|share|graph\/query)\/.*\.ts$/;
/** The table itself, the characters of an encoding, what queries are read by, and pages of a site. */
const OTHERS = new Set([
  'base/printable.ts',
  'base/binary.ts',
  'search/exact.ts',
  'search/foreign-words.ts',
  'search/query.ts',
  'search/scoring.ts',
  'questions/wiki/answer.ts',
]);
const COMMENT = /^(?:\/\/|\/\*|\*)/;
/** Text for schemas and for pages of `docs/`, and expressions that look for signs of others. */
const ELSEWHERE = /describe\(|\btitle:|\bdetails:|\bpattern: \/|^\s*'(?:By|Used) |\/\[|Doc\\\(|'"…"'/;

const signsIn = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => /[^\0-\x7f]/.test(line) && !COMMENT.test(line.trimStart()) && !ELSEWHERE.test(line));

test('what a terminal is shown has no sign beyond ASCII that is not of the table', () => {
  const faults = readdirSync(new URL('src/', ROOT), { recursive: true, encoding: 'utf8' })
    .filter((name) => PRINTED.test(name) && !OTHERS.has(name))
    .flatMap((name) => signsIn(readFileSync(new URL(`src/${name}`, ROOT), 'utf8')).map((line) => `${name}:${line}`));
  assert.deepEqual(faults, []);
});

test('the rule sees what it is for', () => {
  assert.equal(signsIn("lines.push('… 3 more');").length, 1);
  assert.equal(signsIn("// … is a sign\nlines.push('... 3 more');").length, 0);
});
