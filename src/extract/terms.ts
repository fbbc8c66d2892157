/**
 * Text to terms, for documents and queries alike. An identifier gives its camelCase, snake_case and digit parts,
 * lower-cased and lightly stemmed, and, if it has several parts, the whole identifier lower-cased. Runs of CJK
 * characters, which have no spaces, give bigrams. Stored indexes hold terms: whoever changes them bumps `LEXICAL_MAGIC` in
 * `shard/lexical-format.ts`.
 */

/** Longer runs are keys, hashes or encoded data: no query contains them. */
export const MAX_IDENTIFIER = 64;

/** The class of each ASCII code: 0 other, 1 lower, 2 upper, 3 digit, 4 joiner (_ and $). */
export const ASCII_CLASS = new Uint8Array(128);
const CLASS = ASCII_CLASS;
for (let c = 97; c <= 122; c++) CLASS[c] = 1;
for (let c = 65; c <= 90; c++) CLASS[c] = 2;
for (let c = 48; c <= 57; c++) CLASS[c] = 3;
CLASS[95] = 4;
CLASS[36] = 4;

const CJK = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u;
const WORD = /[\p{L}\p{N}\p{M}_$]+/gu;

/** Calls `visit` for every identifier-like run of `text`, with its offset. Runs over `MAX_IDENTIFIER` are left out. */
export function eachIdentifier(text: string, visit: (identifier: string, at: number) => void): void {
  const length = text.length;
  let i = 0;
  while (i < length) {
    let c = text.charCodeAt(i);
    if (c < 128 && CLASS[c] === 0) {
      i++;
      continue;
    }
    const from = i;
    let ascii = true;
    for (; i < length; i++) {
      c = text.charCodeAt(i);
      if (c >= 128) ascii = false;
      else if (CLASS[c] === 0) break;
    }
    if (!ascii) visitUnicode(text.slice(from, i), from, visit);
    else if (i - from <= MAX_IDENTIFIER) visit(text.slice(from, i), from);
  }
}

/** A run with non-ASCII characters may hold punctuation (typographic quotes, arrows) that ends words. */
function visitUnicode(run: string, offset: number, visit: (identifier: string, at: number) => void): void {
  for (const match of run.matchAll(WORD)) if (match[0].length <= MAX_IDENTIFIER) visit(match[0], offset + match.index);
}

/** The parts of one identifier as written: `parseHTTPRequest2` gives parse, HTTP, Request, 2. */
export function identifierParts(identifier: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let before = 0;
  const cut = (at: number) => {
    if (at > from) parts.push(identifier.slice(from, at));
    from = at;
  };
  for (let i = 0; i < identifier.length; i++) {
    const code = identifier.charCodeAt(i);
    const now = code < 128 ? CLASS[code] : 1;
    if (now === 4) {
      cut(i);
      from = i + 1;
    } else if (now !== before && before !== 4 && i > from) {
      if (now === 2 || now === 3 || before === 3) cut(i);
      // The capital before a lower-case letter starts its word: HTTPServer is HTTP + Server, but URLs is one word.
      else if (now === 1 && before === 2 && i - from > 1 && !isPlural(identifier, i)) cut(i - 1);
    }
    before = now;
  }
  cut(identifier.length);
  return parts;
}

/** Is the letter at `i` the s of an acronym's plural? */
function isPlural(identifier: string, i: number): boolean {
  const next = identifier.charCodeAt(i + 1);
  return identifier[i] === 's' && !(next >= 128 || CLASS[next] === 1);
}

/** Single letters (loop variables, type parameters) say nothing about what code does. */
const LETTER = /[a-z]/i;

/** The terms of one identifier, parts first, then the whole if it has several parts. */
export function identifierTerms(identifier: string): string[] {
  if (CJK.test(identifier)) return cjkTerms(identifier);
  const parts = identifierParts(identifier);
  const terms: string[] = [];
  for (const part of parts) if (part.length > 1 || !LETTER.test(part)) terms.push(stem(part.toLowerCase()));
  if (parts.length > 1) terms.push(wholeTerm(identifier));
  return terms;
}

/** How a whole identifier is written as a term: lower-cased, without joiners (`get_user` and `getUser` meet). */
export function wholeTerm(identifier: string): string {
  return identifier.toLowerCase().replace(/[_$]/g, '');
}

/** Term of a definition's name: `reserveStock`, `reserve_stock` and `ReserveStock` meet. */
export function nameKey(name: string): string {
  return wholeTerm(name) || name.toLowerCase();
}

function cjkTerms(text: string): string[] {
  const terms: string[] = [];
  for (const run of text.match(
    /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]+|[^\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]+/gu,
  ) ?? []) {
    // Characters, not UTF-16 units: rare ones take two.
    const characters = [...run];
    if (!CJK.test(run)) terms.push(...identifierTerms(run));
    else if (characters.length === 1) terms.push(run);
    else for (let i = 0; i + 1 < characters.length; i++) terms.push(characters[i] + characters[i + 1]);
  }
  return terms;
}

/** All terms of a text in order: the straightforward form, for queries, paths and tests. */
export function textTerms(text: string): string[] {
  const terms: string[] = [];
  eachIdentifier(text, (identifier) => {
    for (const term of identifierTerms(identifier)) terms.push(term);
  });
  return terms;
}

const VOWEL = /[aeiouy]/;
const MIN_STEM = 3;
/** Words in -ed and -ing that are no form of the word in front of the ending. */
const WHOLE = /[^rt]eed$|^(?:embed|hundred|sacred|setting|heading)$/;
/** One syllable with a short vowel and one consonant: a word doubles it before -ed and -ing (`planned`), or has an e (`planed`). */
const SHORT = /^[^aeiouy]*[aeiouy][^aeiouywx]$/;
/** Longer words that only their e tells from another word: to unite is no unit, and a locale is not local (data). */
const WITH_E = new Set('finale humane locale morale paste quite rationale secrete severe taste unite waste'.split(' '));
/**
 * Words, each with forms that no rule finds (data). Left out are found, left and bound, which are words of their own, and built-in. Stems
 * are made by `finish` while this module loads, so the constants that it needs stand above.
 */
const IRREGULAR = new Map(
  `begin began begun | break broke broken | bus buses | catch caught | child children | choose chose chosen | cpu cpus | db dbs |
   draw drew drawn | emoji emojis | freeze froze frozen | gas gases | give gave given | gpu gpus | hide hid hidden | hold held | id ids |
   index indices | keep kept | know knew known | lose lost | make made | matrix matrices | menu menus | override overrode overridden |
   overwrite overwrote overwritten | prove proven | rewrite rewrote rewritten | run ran | send sent | show shown |
   spend spent | take took taken | throw threw thrown | ui uis | use used using | vertex vertices | vm vms | wake woke woken | wiki wikis |
   write wrote written`
    .split('|')
    .flatMap((row) => {
      const [word, ...forms] = row.trim().split(' ');
      return forms.map((form) => [form, finish(word)] as const);
    }),
);

/**
 * Light English stemming for identifier parts and query words: plurals, -ing, -ed and irregular forms, so that "requests sent"
 * meets `sendRequest`. Deliberately weaker than Porter's algorithm, which merges words that code keeps apart. `word` is lower-case
 * ASCII letters; anything else is returned as it is.
 */
export function stem(word: string): string {
  const known = IRREGULAR.get(word);
  if (known !== undefined || word.length <= MIN_STEM) return known ?? word;
  return finish(word.endsWith('s') ? stemPlural(word) : word);
}

function stemPlural(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|[tz]z)es$/.test(word)) return word.slice(0, -2);
  // Schemas and lambdas, but alias and canvas; APIs and URIs, but axis and redis.
  if (/[^aeious]s$|[eo]s$|(?<!i|nv)as$|^(?:api|cli|gui|uri)s$/.test(word)) return word.slice(0, -1);
  return word;
}

/** Strips -ing, -ed and most final e, so that parse, parsed and parsing meet. */
function finish(word: string): string {
  // Cookies, queried and verified meet cookie, query and verify; need and exceed are no past tense, nor is embed.
  if (word.length > 4 && /ied?$/.test(word)) return `${word.replace(/ied?$/, '')}y`;
  const base = withoutEnding(word);
  if (base === word || WHOLE.test(word)) return word;
  const single = undouble(base);
  if (single !== base && !word.endsWith('e')) return single;
  if (SHORT.test(base) || WITH_E.has(`${base}e`)) return `${base}e`;
  // Queueing loses its e as queue does; agreed has lost it with the ending.
  return base.length > MIN_STEM && /eing$/.test(word) ? base.slice(0, -1) : base;
}

/** Endings need two letters before them, one of them a vowel: `string` and `bed` have none. */
function withoutEnding(word: string): string {
  const ending = /ing$/.test(word) ? 3 : /ed$/.test(word) ? 2 : 0;
  const base = word.slice(0, word.length - ending);
  if (ending > 0 && base.length > 2 && VOWEL.test(base)) return base;
  return word.length > MIN_STEM && word.endsWith('e') ? word.slice(0, -1) : word;
}

/** Stopped without one p, cancelled without one l; but called, sniffed and buzzed keep theirs, as installed does. */
function undouble(word: string): string {
  const last = word.charCodeAt(word.length - 1);
  if (word.length <= MIN_STEM || last !== word.charCodeAt(word.length - 2)) return word;
  const whole = word.endsWith('ll')
    ? /^[^aeiou]*[aeiou]ll$|(?:st|c|f)all$|[cfksp][ie]ll$|[ft]ull$|poll$|(?<!t)roll$/.test(word) &&
      !/^(?:canc|exc|parc|exp|prop|comp|rep|disp)ell$/.test(word)
    : /[fsz]$/.test(word);
  return whole ? word : word.slice(0, -1);
}

/** Words of questions that say nothing about code (data), including words that are keywords too (for, if, with). */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about all also an and any are as at be been being between but by can code could did do does doing done for from
   get gets had has have having how i if in into is it its like me my of on or our out over so some such that the
   their them then there these they this those through to under up us use used uses using via was way we were what
   when where which while who why will with within would you your vs e.g i.e work works implemented implementation
   implements defined definition find show
   aren couldn didn doesn don hasn haven isn shouldn wasn weren wouldn`.split(/\s+/),
);
