/** Dictionaries of queries: words of programming in other languages with English ones, and English words with those that code has for them. */
import { existsSync, readFileSync } from 'node:fs';
import { SocraticodeError } from '../base/errors.js';
import type { Tongue } from './query.js';

/** Columns of the file after the English word. */
const COLUMNS: readonly Tongue[] = ['de', 'es', 'zh', 'ja', 'pt', 'fr', 'ru', 'ko', 'it'];
/** Words, without accents, that say nothing about code. */
const EMPTY = new Set(
  `wie wo was wird werden wurde und oder der die das den dem des ein eine einen einem einer eines an im fur uber von zu zur zum mit auf aus bei
   beim in im nicht ist sind nach durch ohne vor als kann wenn sich dass sie bevor
   como donde que cuando se el la los las lo le de del al y o u en con por para un una unos sin es son su sus a si no
   os as um uma do da dos das em na nas nos com sem e ao aos pelo pela pelos seu sua seus suas dele nao sao onde quando ate mais
   les l d qu une et est sont dans avec sur sans qui ou ce cette ces par au aux du il elle on quand lorsque quelqu pourquoi comment aussi pour apres
   il lo gli i di della dei delle degli dal dalla nel nella alla allo ai per senza che e sono dove quando finche piu non come viene quelle quelli dopo
   и в во на с со к ко от до по из за о об у при для без что как где когда почему или не это этот эта эти его ее их если ли же бы после`.split(
    /\s+/,
  ),
);
const ASKS =
  /^(?:wie|wo|warum|wann|was|c[oó]mo|d[oó]nde|por qu[eé]|cu[aá]ndo|qu[eé]|onde|quando|comment|où|pourquoi|quand|dove|perch[eé]|как|где|почему|когда)(?!\p{L})|如何|怎么|怎样|哪里|哪儿|为什么|どのように|どう|方法|どこ|なぜ|어떻게|어디|왜|곳/iu;
/** Shortest beginning of a longer word that is looked up: "err" would be half the dictionary. */
const MIN_STEM = 4;

/** Longest word that is looked up. A question of 10,000 letters in one word must not cost their cube. */
const MAX_WORD = 40;

/** Shortest beginning if an ending of at most two letters follows. */
const SHORT_STEM = 3;
const ENDING = 2;

/** Languages whose words are found within runs of letters, as they are written. */
const WITHOUT_SPACES: ReadonlySet<Tongue> = new Set(['zh', 'ja', 'ko']);

/** Letters of languages that put words together without spaces. */
const JOINED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const RUNS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+/gu;
const HANGUL = /\p{Script=Hangul}/u;
/** Names and quoted texts, which stay as they are, and words. */
const WORDS =
  /(?<name>`[^`\n]+`|"[^"\n]+"|[A-Za-z_$][\w$]{0,80}(?:(?:\.|::|#|->|\\)[A-Za-z_$][\w$]{0,80})+(?:\(\))?)|[\p{L}\p{N}\p{M}_$ー]+/gu;
const ASCII_WORD = /^[a-z]+$/;

type Words = ReadonlyMap<string, readonly string[]>;
let loaded: Record<Tongue, Words> | null = null;

/** English words for a question, with names and unknown words as they are; null if the dictionary knows none of it. */
export function englishOf(text: string, tongue: Tongue): string | null {
  loaded ??= read();
  const words = loaded[tongue];
  const found: string[] = [];
  let known = 0;
  const isJoined = WITHOUT_SPACES.has(tongue);
  for (const { 0: word, groups } of text.matchAll(WORDS)) {
    if (groups?.name !== undefined) {
      found.push(word);
      continue;
    }
    const english = !isJoined ? inflected(word, words, tongue) : JOINED.test(word) ? inRuns(word, words) : null;
    if (english === null) found.push(word);
    else {
      known += english.length;
      found.push(...english);
    }
  }
  if (known === 0) return null;
  return [...(ASKS.test(text.trim()) ? ['how'] : []), ...found].join(' ');
}

function read(): Record<Tongue, Words> {
  const lines = readFileSync(fileOf('questions.txt'), 'utf8').trim().split('\n');
  const tables = COLUMNS.map((tongue, column): [Tongue, Words] => {
    const table = new Map<string, string[]>();
    for (const line of lines) {
      const [english, ...others] = line.split('|');
      for (const written of others[column]?.split(' ').filter(Boolean) ?? []) {
        const word = WITHOUT_SPACES.has(tongue) ? written : plainOf(written);
        const known = table.get(word) ?? [];
        if (!known.includes(english)) table.set(word, [...known, english]);
      }
    }
    return [tongue, table];
  });
  return Object.fromEntries(tables) as Record<Tongue, Words>;
}

/** From the compiled program, and from compiled tests. */
const FOLDERS = ['../../words/', '../../../words/'];

/** Throws BROKEN_INSTALLATION if the dictionary is missing. */
function fileOf(name: string): URL {
  const file = FOLDERS.map((folder) => new URL(folder + name, import.meta.url)).find((url) => existsSync(url));
  if (file === undefined)
    throw new SocraticodeError('BROKEN_INSTALLATION', `words/${name} is missing from the package`);
  return file;
}

/**
 * Returns whether a word of another language says nothing about code. If tests or documents happen to have one, it would count as a rare
 * word.
 */
export const isEmpty = (word: string): boolean => EMPTY.has(plainOf(word));

const plainOf = (word: string): string =>
  word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss');

/** English for one word of a language with endings; null if it is a name or unknown. */
function inflected(word: string, words: Words, tongue: Tongue): readonly string[] | null {
  if (/\p{Ll}\p{Lu}|_/u.test(word)) return null;
  const plain = plainOf(word);
  if (EMPTY.has(plain)) return [];
  const found: string[] = [];
  // German joins words, so each part of one may be known.
  const last = tongue === 'de' ? plain.length - 1 : 0;
  for (let at = 0; at <= last; ) {
    const isShort = plain.length <= SHORT_STEM + ENDING && tongue !== 'de';
    const length = longest(plain, at, words, (length) =>
      length === plain.length ? 2 : isShort ? SHORT_STEM : MIN_STEM,
    );
    found.push(...(words.get(plain.slice(at, at + length)) ?? []));
    at += Math.max(1, length);
  }
  return found.length > 0 ? found : null;
}

/** English for a text without spaces, cut from the left into the longest known words. Names in it stay. */
function inRuns(run: string, words: Words): readonly string[] | null {
  const found: string[] = [];
  for (const [part] of run.matchAll(RUNS)) {
    if (!JOINED.test(part)) found.push(part);
    else
      for (let at = 0; at < part.length; ) {
        // Particles of Korean are single syllables, as some words are.
        const length = longest(part, at, words, () => (at > 0 && HANGUL.test(part[at]) ? 2 : 1));
        found.push(...(words.get(part.slice(at, at + length)) ?? []));
        at += Math.max(1, length);
      }
  }
  return found;
}

/** Letters of the longest known word that begins there; 0 without one, or if it is shorter than `least` allows. */
function longest(text: string, at: number, words: Words, least: (length: number) => number): number {
  for (let length = Math.min(MAX_WORD, text.length - at); length > 0; length--)
    if (length >= least(length) && words.has(text.slice(at, at + length))) return length;
  return 0;
}

let dictionary: Buffer | null = null;

/**
 * Words of code whose meaning is near to that of an English term, the nearest first (model/README.md says how they were found). A line
 * has the term and such words as people write them; the whole file is searched, since parsing it takes longer than a few look-ups.
 */
export function synonymsOf(term: string): string[] {
  if (!ASCII_WORD.test(term)) return [];
  dictionary ??= readFileSync(fileOf('synonyms.txt'));
  const from = dictionary.indexOf(`\n${term} `, 0, 'latin1');
  if (from < 0) return [];
  const line = dictionary.toString('latin1', from + 1, dictionary.indexOf('\n', from + 1));
  return line.split(' ').slice(1);
}
