/** Dictionaries of queries: words of programming in other languages with English ones, and English words with those that code has for them. */
import { existsSync, readFileSync } from 'node:fs';
import { SocraticodeError } from '../base/errors.js';
import { getOrMake } from '../base/lists.js';
import { STOP_WORDS, stem } from '../extract/terms.js';
import type { Tongue } from './query.js';

/** Columns of the file after the English word. */
const COLUMNS: readonly Tongue[] = ['de', 'es', 'zh', 'ja', 'pt', 'fr', 'ru', 'ko', 'it'];
const ASKS =
  /^(?:wie|wo|warum|wann|was|c[oó]mo|d[oó]nde|por qu[eé]|cu[aá]ndo|qu[eé]|onde|quando|comment|où|pourquoi|quand|dove|perch[eé]|как|где|почему|когда)(?!\p{L})|如何|怎么|怎样|哪里|哪儿|为什么|どのように|どう|方法|どこ|なぜ|어떻게|어디|왜|곳/iu;
/** Shortest beginning of a longer word that is looked up: "err" would be half the dictionary. */
const MIN_STEM = 4;

/** Shortest beginning that still counts if one or two letters more are known, too. */
const LONG_STEM = 6;

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
/** An article or a preposition that has lost its vowel before the next word: `l’`, `dell'`. */
const ELIDED = /(?<!\p{L})(?:\p{L}|qu|un|[ds]?all|dall|dell|nell|sull|quell|quest|jusqu|lorsqu)['’](?=\p{L})/giu;
const HAS_ELISION: ReadonlySet<Tongue> = new Set(['fr', 'it']);
/** Names and quoted texts, which stay as they are, and words. */
const WORDS =
  /(?<name>`[^`\n]+`|"[^"\n]+"|[A-Za-z_$][\w$]{0,80}(?:(?:\.|::|#|->|\\)[A-Za-z_$][\w$]{0,80})+(?:\(\))?)|[\p{L}\p{N}\p{M}_$ー]+/gu;
const ASCII_WORD = /^[a-z]+$/;

/** English words by word or beginning of one. Two words that mean something together have a `_` between them. */
type Words = ReadonlyMap<string, readonly string[]>;
const loaded = new Map<Tongue, Words>();

/** English words for each word of a question, and names and unknown words as they are; null if the dictionary knows none of them. */
export function englishOf(text: string, tongue: Tongue): (readonly string[])[] | null {
  const words = wordsOf(tongue);
  const found: (readonly string[])[] = [];
  let isKnown = false;
  const isJoined = WITHOUT_SPACES.has(tongue);
  const plain = HAS_ELISION.has(tongue) ? text.replace(ELIDED, '') : text;
  const typed = [...plain.matchAll(WORDS)].map(({ 0: word, groups }) => ({ word, isName: groups?.name !== undefined }));
  for (let at = 0; at < typed.length; at++) {
    const { word, isName } = typed[at];
    const pair = isName ? null : pairAt(typed, at, words, tongue);
    const english = pair?.english ?? (isName ? null : isJoined ? inRuns(word, words) : inflected(word, words, tongue));
    at = pair?.last ?? at;
    if (english === null) found.push([word]);
    else {
      isKnown ||= english.length > 0;
      found.push(...english);
    }
  }
  if (!isKnown) return null;
  return ASKS.test(text.trim()) ? [['how'], ...found] : found;
}

/** The file, kept once: the words of each language are parts of it, and a part keeps all of its text in memory. */
let questions: string | undefined;

function lines(): string[] {
  questions ??= readFileSync(fileOf('questions.txt'), 'utf8').trimEnd();
  return questions.split('\n');
}

function wordsOf(tongue: Tongue): Words {
  return getOrMake(loaded, tongue, () => read(tongue));
}

/** A line without an English word has those that say nothing about code. English words are words of languages with its letters, too. */
function read(tongue: Tongue): Words {
  const column = COLUMNS.indexOf(tongue) + 1;
  const table = new Map<string, string[]>();
  const add = (word: string, english: string) => {
    const known = table.get(word);
    if (known === undefined) table.set(word, english === '' ? [] : [english]);
    else if (english !== '' && !known.includes(english)) known.push(english);
  };
  for (const line of lines()) {
    const columns = line.split('|');
    for (const word of columns[column].split(' ')) {
      if (word === '') continue;
      add(word, columns[0]);
      const joint = word.indexOf('_');
      if (joint > 0 && !table.has(word.slice(0, joint + 1))) table.set(word.slice(0, joint + 1), []);
      if (tongue === 'ko') for (const form of koreanForms(word)) add(form, columns[0]);
    }
  }
  if (LATIN.includes(tongue))
    for (const line of lines()) {
      const own = line.slice(0, line.indexOf('|'));
      if (own.length > MIN_STEM) add(own, own);
    }
  return table;
}

const FIRST_SYLLABLE = 0xac00;
/** Syllables with one beginning and one vowel: without a final consonant, and with each of 27. */
const FINALS = 28;
const VOWELS = 21;
/** Endings that become the final consonant of a stem: ㄴ, ㄹ, ㅁ, ㅂ, ㅆ. */
const ENDINGS = [4, 8, 16, 17, 20];
/** Vowels of stems, and what they become before the ending 어: ㅗ ㅘ, ㅜ ㅝ, ㅣ ㅕ. */
const CONTRACTED = new Map([
  [8, 9],
  [13, 14],
  [20, 6],
]);

/** Forms of a stem of two syllables or more whose last one ends in a vowel: 보내 is 보낸 and 보냈, 멈추 is 멈춰. */
function koreanForms(stem: string): string[] {
  const last = stem.charCodeAt(stem.length - 1) - FIRST_SYLLABLE;
  if (stem.length < 2 || last < 0 || last % FINALS !== 0) return [];
  const form = (code: number) => stem.slice(0, -1) + String.fromCharCode(FIRST_SYLLABLE + code);
  const vowel = (last / FINALS) % VOWELS;
  const contracted = last + ((CONTRACTED.get(vowel) ?? vowel) - vowel) * FINALS;
  return [...ENDINGS.map((ending) => form(last + ending)), form(contracted), form(contracted + 20)];
}

/** Languages that English is taken for if only some words count: all others have letters of their own. */
const LATIN: readonly Tongue[] = ['de', 'es', 'pt', 'fr', 'it'];
/** Shortest word that tells a language, and most letters of it that may be an ending. */
const TELLING = { letters: 5, ending: 4 };
/** One in so many words that are not English must be known if some have letters that English lacks; of others, half. */
const MARKED = 4;
/** English words of the dictionary, and their stems. */
let englishWords: ReadonlySet<string> | null = null;

/**
 * Language of which most words are in the dictionary, for a text without the small words of a sentence; null if it may be English. Two
 * words are needed, or one and a letter that English lacks.
 */
export function tongueByWords(text: string): Tongue | null {
  englishWords ??= new Set(
    lines().flatMap((line) => [line.slice(0, line.indexOf('|')), stem(line.slice(0, line.indexOf('|')))]),
  );
  // An uppercase letter inside a word makes it a name. A word that begins as an English one may be of any language.
  const typed = [...new Set(text.match(/(?<![\p{L}\p{N}_.])\p{L}\p{Ll}{2,}(?![\p{L}\p{N}_(])/gu))]
    .map((word) => word.toLowerCase())
    .filter((word) => !beginnings(word, word.length - TELLING.letters).some((start) => englishWords?.has(start)));
  const isEnglish = (word: string) =>
    STOP_WORDS.has(word) || englishWords?.has(stem(word)) || synonymsOf(word).length > 0;
  const others = typed.filter((word) => !isEnglish(word));
  if (others.length * 2 < typed.length) return null;
  const isMarked = others.some((word) => plainOf(word) !== word);
  let best: Tongue | null = null;
  let most = 0;
  for (const tongue of LATIN) {
    const known = others.map((word) => knownLetters(plainOf(word), tongue)).filter((letters) => letters > 0);
    const letters = known.reduce((sum, each) => sum + each, 0);
    const isTold = isMarked
      ? known.length * MARKED >= others.length
      : known.length > 1 && known.length * 2 >= others.length;
    if (isTold && letters > most) [best, most] = [tongue, letters];
  }
  return best;
}

/** Letters of a word that the dictionary of a language knows, up to an ending; 0 if they may be the beginning of another word. */
function knownLetters(word: string, tongue: Tongue): number {
  const words = wordsOf(tongue);
  if (words.get(word)?.length === 0) return word.length;
  const from = (at: number) => longest(word, at, words, () => TELLING.letters);
  let end = from(0);
  if (tongue === 'de') {
    // German begins participles with "ge", and joins words.
    if (end === 0 && word.startsWith('ge') && from(2) > 0) end = 2 + from(2);
    for (let more = end; more > 0; end += more) {
      const link = from(end) === 0 && LINKS.has(word[end]) ? 1 : 0;
      more = from(end + link);
      if (more > 0) more += link;
    }
  }
  return word.length - end <= TELLING.ending ? end : 0;
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
export const isEmpty = (word: string, tongue: Tongue): boolean => wordsOf(tongue).get(plainOf(word))?.length === 0;

const plainOf = (word: string): string =>
  word.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').normalize('NFC');

/** Letters that a word may have after a beginning that is known together with another word. */
const MAX_ENDING = 5;

/** English for a word together with one after it, and the place of that one, where the language has such pairs; null for others. */
function pairAt(typed: readonly { word: string; isName: boolean }[], at: number, words: Words, tongue: Tongue) {
  if (tongue === 'ko') return apart(typed, at, words);
  return WITHOUT_SPACES.has(tongue) ? null : together(typed, at, words);
}

/** English for two words that mean something together, with words between them that say nothing: `base de datos`; null for others. */
function together(
  typed: readonly { word: string; isName: boolean }[],
  at: number,
  words: Words,
): { english: (readonly string[])[]; last: number } | null {
  const first = plainOf(typed[at].word);
  let last = at + 1;
  while (last < typed.length && words.get(plainOf(typed[last].word))?.length === 0) last++;
  if (last >= typed.length || typed[last].isName) return null;
  const second = plainOf(typed[last].word);
  for (const start of beginnings(first)) {
    if (!words.has(`${start}_`)) continue;
    for (const end of beginnings(second)) {
      const english = words.get(`${start}_${end}`);
      if (english !== undefined) return { english: [english], last };
    }
  }
  return null;
}

/** English for a Korean word that is written as two: 제한 시간; null for others. */
function apart(
  typed: readonly { word: string; isName: boolean }[],
  at: number,
  words: Words,
): { english: readonly (readonly string[])[]; last: number } | null {
  const { word } = typed[at];
  const next = typed[at + 1];
  if (next === undefined || next.isName || !HANGUL.test(word) || !HANGUL.test(next.word)) return null;
  const length = longest(word + next.word, 0, words, () => word.length + 1);
  const english = words.get((word + next.word).slice(0, length));
  return english === undefined || english.length === 0 ? null : { english: [english], last: at + 1 };
}

/** A word and its beginnings, the longest first. */
function beginnings(word: string, ending = MAX_ENDING): string[] {
  const most = Math.min(word.length, MAX_WORD);
  const count = Math.min(ending + 1, most - 1);
  return Array.from({ length: Math.max(0, count) }, (_, cut) => word.slice(0, most - cut));
}

/** Letters between two parts of a German word: Verzeichni-s-name, Date-ie-n-liste. */
const LINKS = new Set('ensr');

/** Place at which a German word begins behind the prefix of its participle: `ge-öffnet`. */
const behindPrefix = (plain: string, words: Words): number =>
  plain.startsWith('ge') && !words.has(plain.slice(0, MIN_STEM)) ? 2 : 0;

/** English for one word of a language with endings; null if it is a name or unknown. */
function inflected(word: string, words: Words, tongue: Tongue): (readonly string[])[] | null {
  if (/\p{Ll}\p{Lu}|_/u.test(word)) return null;
  const plain = plainOf(word);
  if (words.get(plain)?.length === 0) return [];
  const found: (readonly string[])[] = [];
  // German joins words, so each part of one may be known. After a part that is not, a short one is more often letters of another word.
  const last = tongue === 'de' ? plain.length - 1 : 0;
  let isAfterKnown = true;
  for (let at = tongue === 'de' ? behindPrefix(plain, words) : 0; at <= last; ) {
    const isShort = plain.length <= SHORT_STEM + ENDING && tongue !== 'de';
    const least = isShort ? SHORT_STEM : isAfterKnown ? MIN_STEM : MIN_STEM + 1;
    const length = longest(plain, at, words, (length) => (length === plain.length ? 2 : least));
    // A form of its own hardly changes what a long word means.
    const ends = [length, length - 1, length - 2].filter((end) => end === length || end >= LONG_STEM);
    const english = ends.flatMap((end) => words.get(plain.slice(at, at + end)) ?? []);
    if (english.length > 0) found.push([...new Set(english)]);
    isAfterKnown = length > 0 || (isAfterKnown && at > 0 && LINKS.has(plain[at]));
    at += Math.max(1, length);
  }
  return found.length > 0 ? found : null;
}

/** English for a text without spaces, cut from the left into the longest known words; null for a name. Names in it stay. */
function inRuns(run: string, words: Words): (readonly string[])[] | null {
  if (!JOINED.test(run)) return null;
  const found: (readonly string[])[] = [];
  for (const [part] of run.matchAll(RUNS)) {
    if (!JOINED.test(part)) found.push([part]);
    else
      for (let at = 0; at < part.length; ) {
        // Particles of Korean are single syllables, as some words are.
        const length = longest(part, at, words, () => (at > 0 && HANGUL.test(part[at]) ? 2 : 1));
        const english = words.get(part.slice(at, at + length)) ?? [];
        if (english.length > 0) found.push(english);
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
