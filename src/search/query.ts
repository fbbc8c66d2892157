/** Parses a query into terms, decides whether it names a symbol or describes behaviour, and translates words of other languages. */
import { eachIdentifier, identifierParts, identifierTerms, STOP_WORDS, stem, wholeTerm } from '../extract/terms.js';

/** One name, a description of code, or a question about how it works. */
type QueryKind = 'symbol' | 'natural' | 'question';

export interface ParsedQuery {
  text: string;
  kind: QueryKind;
  /** Distinct terms without stop words, in the order of appearance. */
  terms: string[];
  /** Verbs joined with the particle after them, as names have them: "times out" may be `timeout`. Code may have none of them. */
  phrasal: string[];
  /** Terms that are whole identifiers of several parts. */
  wholes: ReadonlySet<string>;
  /** Word of the query by term. */
  typed: ReadonlyMap<string, string>;
  /** Names written like identifiers: quoted, camelCase, snake_case, dotted, called. */
  identifiers: string[];
  /** The text in English, if it is in another language. */
  english?: string;
}

const SYMBOL_SHAPE = /^[\p{L}_$@#][\p{L}\p{N}_$]*(?:(?:\.|::|#|\/|->|\\)[\p{L}_$][\p{L}\p{N}_$]*)*(?:\(\))?[?!]?$/u;
const QUESTION = /^(?:how|why|where|what|when|which|who)\b(?=.*\s)/is;
const QUOTED = /[`'"]([\p{L}_$][\p{L}\p{N}_$.:#]*)[`'"]/gu;
const SEPARATORS = /\.|::|#|\/|->|\\/;

/** Marks in front of the title of an issue: "[Bug]", "Feature request:", with a picture or without. They say nothing of the code. */
const TAG =
  /^[^\p{L}\p{N}[]{0,8}(?:\[(?:bug|bug report|enhancement|feature|feature request|issue|question|request)\]:?|(?:bug|bug report|enhancement|error|feat|feature|feature request|issue|question|request):)\s{1,8}(?=\S{1,80}\s)/iu;

/** The text without the mark in front. */
export const untagged = (text: string): string => text.replace(TAG, '');

/** Words for people about whom a rule may be. */
const ACTOR =
  '(?:admin(?:istrator)?|anyone|author|client|collaborator|customer|editor|everyone|guest|maintainer|manager|member|moderator|owner|people|person|reader|somebody|someone|staff|user|viewer|visitor)s?';

/** "Who can see it", "may a guest delete it", "whether a user may edit it". "Who can be" asks for something else. */
const PERMISSION: readonly RegExp[] = [
  /^(?:who|(?:which|what) (?:users?|roles?|people|members?)) (?:may|can|could|(?:is|are) (?:able|allowed|authori[sz]ed|permitted)) (?!be\b)/i,
  new RegExp(`^(?:may|can|could|is|are) (?:an? |the |any |every |only )?(?:[\\w-]{1,30} )?${ACTOR}\\b`, 'i'),
  new RegExp(`\\b${ACTOR} (?:may|(?:is|are) (?:allowed|authori[sz]ed|permitted))\\b`, 'i'),
];

/** Does a query ask for the rules of who may do what? */
export const asksForPermission = ({ kind, text }: Pick<ParsedQuery, 'kind' | 'text'>): boolean =>
  kind !== 'symbol' && PERMISSION.some((words) => words.test(text.trim()));

/** Words of such a question that its answer lacks, or that half of the code has: most programs are about users. */
const ASKING: ReadonlySet<string> = new Set(
  `allow allowed anyone app authorised authorized check checks decide decided decides determine determines everyone may people permitted person
   program server somebody someone user users`.split(/\s+/),
);

export function parseQuery(text: string): ParsedQuery {
  const trimmed = untagged(
    text
      .trim()
      .replace(/^[`'"](.*)[`'"]$/s, '$1')
      .trim(),
  );
  const kind = isSymbol(trimmed) ? 'symbol' : QUESTION.test(trimmed) ? 'question' : 'natural';
  return {
    text,
    kind,
    ...queryTerms(trimmed, kind),
    phrasal: phrasalTerms(trimmed),
    identifiers: queryIdentifiers(trimmed, kind),
  };
}

/** Letters of languages that write sentences without spaces. */
const JOINED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
/** Most of them in one name: longer ones are sentences, with a question mark or without. */
const NAME_LETTERS = 6;

const isSymbol = (text: string): boolean =>
  SYMBOL_SHAPE.test(text) && (text.match(JOINED)?.length ?? 0) <= NAME_LETTERS;

/** Words of people who write to other people. */
const ADDRESS = new Set('hello hi please bug bugs'.split(' '));
/** Number of words from which on they are left out: fewer may be about bugs. */
const MANY = 4;

const UNIT = /^\d+([a-z]{1,3})$/i;

/** Returns the terms of a query. If all words are stop words ("what is this"), uses them rather than search for nothing. */
function queryTerms(text: string, kind: QueryKind): Pick<ParsedQuery, 'terms' | 'wholes' | 'typed'> {
  const significant = new Set<string>();
  const all = new Set<string>();
  const wholes = new Set<string>();
  const typed = new Map<string, string>();
  eachIdentifier(text, (identifier) => {
    const stop = STOP_WORDS.has(identifier.toLowerCase());
    // A unit alone is part of many names: `ms` of `5000ms` would find `maxTimeMS`.
    const unit = UNIT.exec(identifier)?.[1].toLowerCase();
    const terms = identifierTerms(identifier).filter((term) => term !== unit);
    for (const term of terms) {
      all.add(term);
      typed.set(term, identifier);
      if (!stop) significant.add(term);
    }
    if (identifierParts(identifier).length > 1) wholes.add(wholeTerm(identifier));
  });
  const isTold = (words: ReadonlySet<string>) => (term: string) => !words.has(typed.get(term)?.toLowerCase() ?? term);
  const asked = asksForPermission({ kind, text }) ? [...significant].filter(isTold(ASKING)) : [];
  if (asked.length > 1) return { terms: asked, wholes, typed };
  const telling = [...significant].filter(isTold(ADDRESS));
  const terms = telling.length >= MANY ? telling : significant.size > 0 ? significant : all;
  return { terms: [...terms], wholes, typed };
}

const PHRASAL = /\b([a-z]{3,}) (?=(out|up|down|in|off|on|back|over)\b)/gi;

/** Joins verb and particle, for every verb that the word may be an inflection of: timed, timing and times give `time`. */
function phrasalTerms(text: string): string[] {
  const found = new Set<string>();
  for (const [, verb, particle] of text.toLowerCase().matchAll(PHRASAL)) {
    const bases = [
      verb,
      verb.replace(/e?s$/, ''),
      verb.replace(/s$/, ''),
      verb.replace(/ed$/, ''),
      verb.replace(/d$/, ''),
    ];
    const bare = verb.replace(/ing$/, '');
    for (const base of [...bases, bare, `${bare}e`]) {
      const undoubled = base.replace(/([b-df-hj-np-tv-z])\1$/, '$1');
      for (const form of [base, undoubled]) if (form.length >= 3) found.add(stem(form + particle));
    }
  }
  return [...found];
}

function queryIdentifiers(text: string, kind: QueryKind): string[] {
  const found = new Set<string>();
  const add = (path: string) => {
    const name = path
      .replace(/^@|\(\)$/g, '')
      .split(SEPARATORS)
      .pop();
    if (name) found.add(name);
  };
  if (kind === 'symbol') add(text);
  for (const [, quoted] of text.matchAll(QUOTED)) add(quoted);
  for (const match of text.matchAll(/[\p{L}_$][\p{L}\p{N}_$.:#]*(?:\(\))?/gu)) {
    const bare = match[0].replace(/[.:#]+$/, '');
    // A capital inside a sentence marks a name: "how does Applicative combine effects" means a type.
    const isName = looksLikeCode(bare) || (/\s/.test(text[match.index - 1] ?? '') && /^\p{Lu}\p{Ll}{2,}$/u.test(bare));
    if (isName && !STOP_WORDS.has(bare.toLowerCase())) add(bare);
  }
  return [...found];
}

/**
 * Returns whether a word is camelCase, snake_case, dotted or called. A capital at the start is not enough, because sentences begin with
 * one.
 */
function looksLikeCode(word: string): boolean {
  if (/\(\)$/.test(word) || /[_$]/.test(word) || /\w(?:\.|::|#)\w/.test(word)) return true;
  return identifierParts(word).length > 1 && /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u.test(word);
}

/**
 * Languages of questions besides English. Code is in English, so these questions share hardly a word with it. English words from a small
 * dictionary are added to them; it is read only for such questions.
 */
export type Tongue = 'de' | 'es' | 'fr' | 'it' | 'ja' | 'ko' | 'pt' | 'ru' | 'zh';
type SmallTongue = 'de' | 'es' | 'fr' | 'it' | 'pt';

/** Letters that tell a language, the first that matches: Japanese has letters of Chinese, too. */
const SCRIPTS: readonly (readonly [Tongue, RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['ko', /\p{Script=Hangul}/u],
  ['zh', /\p{Script=Han}/u],
  ['ru', /\p{Script=Cyrillic}/u],
];

/** Small words that English and names in code hardly have. One alone may be a name (`del`, `von`), so two are needed. */
const SMALL: Record<SmallTongue, ReadonlySet<string>> = {
  de: setOf(
    `wie wo wird werden wurde und oder der die das dem ein eine einen einem einer eines für über von zur zum mit auf aus bei nicht ist sind
     nach durch ohne wenn sich dass den des bevor im beim alle kein keine`,
  ),
  es: setOf(
    `cómo dónde qué cuándo cuando se el la los las de del que y en con por para una un sin es al más como donde antes entre hasta`,
  ),
  fr: setOf(
    `le la les un une et est sont dans avec sur sans qui que où ce cette ces par au aux de du il elle quand lorsque à pourquoi
     avant en est-ce sont trop l d qu`,
  ),
  it: setOf(
    `il lo la le gli un uno una chi di del della dello dei delle degli dal dalla nel nella alla al per con senza che è sono dove quando finché più
     prima non viene vengono troppo quelle quelli dopo l dell nell sull dall`,
  ),
  pt: setOf(
    `os um uma de da dos das em na nas nos para por com sem que é são não ao à pelo pela dele onde quando como se seu sua seus suas mais
     até antes`,
  ),
};
/** Letters that make a small word enough. */
const ACCENTED: Record<SmallTongue, RegExp> = {
  de: /[äöüß]/i,
  es: /[ñ¿¡óáíú]/i,
  fr: /[éèêëçœûîô]/i,
  it: /[àèéìòù]/i,
  pt: /[ãõçâêóáí]/i,
};
const LEAST = 2;
/** Words that no other language has: one is enough. */
const TELLING: Record<string, SmallTongue> = {
  ...{ cómo: 'es', dónde: 'es', qué: 'es', cuándo: 'es', où: 'fr', pourquoi: 'fr' },
  ...{ não: 'pt', são: 'pt', onde: 'pt', perché: 'it', più: 'it', finché: 'it' },
};

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/));
}

/** Language of a question; null for English, and for any other. */
export function tongueOf(text: string): Tongue | null {
  const script = SCRIPTS.find(([, letters]) => letters.test(text));
  if (script !== undefined) return script[0];
  // A part of `de_DE` or of a hash is no word.
  const words = [...new Set(text.toLowerCase().match(/(?<![\p{L}\p{N}_])\p{L}+(?![\p{L}\p{N}_])/gu))];
  const told = words.find((word) => Object.hasOwn(TELLING, word));
  if (told !== undefined) return TELLING[told];
  let best: SmallTongue | null = null;
  let most = LEAST - 1;
  for (const tongue of Object.keys(SMALL) as SmallTongue[]) {
    const found = words.filter((word) => SMALL[tongue].has(word)).length;
    const count = found > 0 && ACCENTED[tongue].test(text) ? found + 1 : found;
    if (count > most) [best, most] = [tongue, count];
  }
  return best;
}

/**
 * Adds English words for those that the dictionary knows; of several for one word, those that the snapshot has. The query's own words stay
 * if the snapshot has them (`has`): there may be comments in that language. A query without a word of the dictionary stays as it is, and
 * so does a name that the snapshot has.
 */
export async function inEnglish(query: ParsedQuery, has: (term: string) => boolean): Promise<ParsedQuery> {
  const told = tongueOf(query.text);
  if (query.terms.every(has) && (told === null || query.kind === 'symbol')) return query;
  const { englishOf, isEmpty, tongueByWords } = await import('./foreign-words.js');
  const tongue = told ?? tongueByWords(query.text);
  if (tongue === null) return query;
  const found = englishOf(query.text, tongue);
  // A name that the snapshot lacks is a description, whether the dictionary knows it or not.
  if (found === null) return query.kind === 'symbol' ? { ...query, kind: 'natural' } : query;
  const english = found
    .flatMap((words) => {
      const kept = words.filter((word) => has(stem(word)));
      return kept.length > 0 ? kept : words;
    })
    .join(' ');
  const parsed = parseQuery(english);
  const own = query.terms.filter((term) => has(term) && !isEmpty(query.typed.get(term) ?? term, tongue));
  const terms = [...new Set([...parsed.terms, ...own])];
  const kind = parsed.kind === 'symbol' ? 'natural' : parsed.kind;
  return { ...parsed, text: query.text, kind, terms, english };
}
