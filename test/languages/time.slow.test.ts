/** Time of a file is in proportion to its bytes, in ordinary code and in broken files, for each language that is parsed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extract, LANGUAGE_IDS } from '../../src/extract/extract.js';
import { languageOf, rulesOf } from '../../src/languages/registry.js';
import '../extract/helpers.js';
import { randomFrom } from '../support/generated/random.js';
import { cpuTimer } from '../support/processes/cpu-time.js';
import { ORDINARY, type Ordinary } from './ordinary.js';

/** `TIMES=1` measures 1 MB and 20,000 broken lines, which takes half an hour on a busy machine, and prints each figure. */
const isWhole = process.env.TIMES !== undefined;
const SMALL = 100_000;
const LARGE = isWhole ? 1_000_000 : 400_000;
const BROKEN_LINES = isWhole ? 20_000 : 8_000;
/** How much longer a text may take than in proportion to its bytes: a busy machine adds to that, the square of the bytes four times and more. */
const MOST_GROWTH = 2.5;
/** A broken line takes up to eight times as long as a whole one, since the parser tries more; time that grows with the square takes fifty and more. */
const MOST_FOR_BROKEN = 20;
/** Milliseconds that are noise. */
const FLOOR_MS = 40;
const BRACKETS = '()[]{}';

const numbered = (text: string, number: number): string => text.replaceAll('#N', String(number));

/** Ordinary code of at least so many characters. */
function ordinary({ piece, before = '', after = '' }: Ordinary, length: number): string {
  const count = Math.ceil(length / piece.length);
  return before + Array.from({ length: count }, (_, i) => numbered(piece, i + 1)).join('') + after;
}

/** Lines that are broken in four ways, a quarter of them each: brackets, strings, heads of functions, tokens in any order. */
function broken({ piece, head, before = '', after = '' }: Ordinary, count: number): string {
  const random = randomFrom(7);
  const lines = piece.split('\n').filter((line) => line.trim() !== '');
  const tokens = piece.match(/[\w$]+|[^\s\w]/g) ?? [];
  const ways: readonly ((i: number) => string)[] = [
    (i) => `${lines[i % lines.length]} ${BRACKETS[random(BRACKETS.length)]}`,
    (i) => `${lines[i % lines.length]} "cart`,
    () => head,
    () => Array.from({ length: 8 }, () => tokens[random(tokens.length)]).join(' '),
  ];
  const all = Array.from({ length: count }, (_, i) => numbered(ways[Math.floor((4 * i) / count)](i), i + 1));
  return `${before}${all.join('\n')}\n${after}`;
}

function timeOf(text: string, language: string): number {
  const bytes = Buffer.from(text);
  const usedMs = cpuTimer();
  extract(bytes, language);
  return usedMs();
}

const parsed = LANGUAGE_IDS.filter((id) => {
  const { definitions, template, braces, sections } = rulesOf(id);
  const isParsed = definitions !== undefined && (definitions.tokens ?? languageOf(id)?.grammar) !== undefined;
  return isParsed || (template ?? braces ?? sections) !== undefined;
});

test('each language that is parsed has a piece of ordinary code, which is read without mistakes', () => {
  assert.deepEqual(Object.keys(ORDINARY).sort(), [...parsed].sort());
  for (const [language, each] of Object.entries(ORDINARY)) {
    const found = extract(Buffer.from(ordinary(each, 5 * each.piece.length)), language);
    assert.ok('facts' in found && found.degraded === undefined, language);
    assert.deepEqual(found.facts.parseErrors, [], language);
  }
});

for (const [language, each] of Object.entries(ORDINARY))
  test(`${language}: time grows with the bytes, and broken lines cost not much more than whole ones`, () => {
    const small = ordinary(each, SMALL);
    timeOf(small, language);
    const few = Math.max(FLOOR_MS, Math.min(timeOf(small, language), timeOf(small, language)));
    const large = ordinary(each, LARGE);
    const many = timeOf(large, language);
    const lines = broken(each, BROKEN_LINES);
    const forBroken = timeOf(lines, language);
    const growth = (many * small.length) / (few * large.length);
    const ratio = forBroken / Math.max(FLOOR_MS, (many * lines.length) / large.length);
    const words = `${language}: ${Math.round(few)} and ${Math.round(many)} ms, x${growth.toFixed(1)}; ${lines.length} broken: ${Math.round(forBroken)} ms, x${ratio.toFixed(1)}`;
    if (isWhole) console.log(words);
    assert.ok(growth <= MOST_GROWTH, words);
    assert.ok(ratio <= MOST_FOR_BROKEN, words);
  });
