/** Declarations of valid programs are broken by one token: each definition is then found, or said to be lost, but for a known share. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BlobFacts, CodeSymbol } from '../../src/extract/extract.js';
import { parseWithGrammar } from '../../src/extract/syntax-tree.js';
import { languageOf } from '../../src/languages/registry.js';
import { randomFrom } from '../support/generated/random.js';
import { factsOf, sample } from './helpers.js';

/** Per cent of broken programs in which a definition may be lost without a word. */
const MOST_SILENT: Readonly<Record<string, number>> = {
  ...{ c: 13, cpp: 8, csharp: 22, dart: 5, go: 11, java: 8, kotlin: 14, php: 13 },
  ...{ python: 18, ruby: 5, rust: 11, scala: 7, swift: 15, typescript: 17 },
};
const BREAKS = 100;
const NOISE = ['(', ')', '{', '}', '[', ']', '@@', ']B['];
/** Characters of a declaration that are broken. */
const HEAD = 300;

interface Broken {
  text: string;
  at: number;
  /** Characters that the text is longer. */
  by: number;
}

/** A token of a declaration left out, doubled, or with noise before it; null if a name itself would be gone. */
function broken(text: string, symbols: readonly CodeSymbol[], random: (below: number) => number): Broken | null {
  const { start, signature, nameStart, name } = symbols[random(symbols.length)];
  const head = text.slice(start, Math.min(start + HEAD, Math.max(signature.end, nameStart + name.length) + 1));
  const tokens = [...head.matchAll(/[\w$]+|[^\s\w$]/g)];
  const { 0: token, index } = tokens[random(tokens.length)];
  const at = start + index;
  const way = random(3);
  if (way === 0 && symbols.some((symbol) => symbol.nameStart === at)) return null;
  const written = [' ', `${token} ${token}`, `${NOISE[random(NOISE.length)]}${token}`][way];
  return {
    text: text.slice(0, at) + written + text.slice(at + token.length),
    at,
    by: written.length - token.length,
  };
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;

/** Definitions that are neither found, nor in lines that are said to hold lost ones. */
function silent(
  before: readonly CodeSymbol[],
  { text, at, by }: Broken,
  { symbols, parseErrors }: BlobFacts,
): string[] {
  const found = new Set(symbols.map(({ name, nameStart }) => `${name} ${nameStart}`));
  const lost = parseErrors.filter((error) => error.lost);
  return before.flatMap(({ name, start, nameStart }) => {
    const moved = nameStart + by;
    // A name that was doubled stands in two places.
    const places = nameStart < at ? [nameStart] : [moved, moved - name.length - 1, at];
    if (places.some((place) => found.has(`${name} ${place}`))) return [];
    const first = lineAt(text, start <= at ? start : start + by);
    const last = lineAt(text, nameStart < at ? nameStart : moved);
    return lost.some(({ startLine, endLine }) => startLine <= last && endLine >= first) ? [] : [name];
  });
}

for (const [language, most] of Object.entries(MOST_SILENT))
  test(`${language}: of programs with one broken declaration, at most ${most} % lose a definition without a word`, () => {
    const text = sample(language).replace(/[^\0-\x7f]/g, 'x');
    const grammar = languageOf(language)?.grammar?.name ?? '';
    const mistakes = (source: string) => parseWithGrammar(grammar, source)?.mistakes() ?? 0;
    const { symbols } = factsOf(text, language);
    const few = mistakes(text);
    const random = randomFrom(7);
    let [count, losses] = [0, 0];
    for (let i = 0; i < BREAKS; i++) {
      const each = broken(text, symbols, random);
      if (each === null || mistakes(each.text) <= few) continue;
      count++;
      if (silent(symbols, each, factsOf(each.text, language)).length > 0) losses++;
    }
    const share = Math.round((100 * losses) / count);
    assert.ok(count > BREAKS / 3 && share <= most, `${losses} of ${count}: ${share} %`);
  });
