/**
 * Light English stemming for identifier parts and query words: plurals, -ing, -ed and irregular forms, so that
 * "requests sent" meets `sendRequest`. Deliberately weaker than Porter's algorithm, which merges words that code keeps
 * apart.
 */

/**
 * Light English stemming for identifier parts and query words: plurals, -ing, -ed and irregular forms, so that "requests sent"
 * meets `sendRequest`. Deliberately weaker than Porter's algorithm, which merges words that code keeps apart.
 */
const VOWEL = /[aeiouy]/;
const MIN_STEM = 3;
/** Words in -ed and -ing that are no form of the word in front of the ending. */
const WHOLE = /[^rt]eed$|^(?:embed|hundred|sacred|setting|heading)$/;
/** One syllable with a short vowel and one consonant: a word doubles it before -ed and -ing (`planned`), or has an e (`planed`). */
const SHORT = /^[^aeiouy]*[aeiouy][^aeiouywx]$/;
/** Longer words that only their e tells from another word: to unite is no unit, and a locale is not local (data). */
const WITH_E = new Set('finale humane locale morale paste quite rationale secrete severe taste unite waste'.split(' '));
/** Words, each with forms that no rule finds (data). Left out are found, left and bound, which are words of their own, and built-in. */
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

/** `word` is lower-case ASCII letters; anything else is returned as it is. */
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
