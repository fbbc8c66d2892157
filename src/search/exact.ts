/**
 * Texts that a query has as typed, and the same in the snapshot: quoted phrases, pasted code, literals, names, routes and messages in the
 * text of chunks, paths and places among the files.
 */
import { posix } from 'node:path';
import { identifierParts, nameKey, STOP_WORDS } from '../extract/terms.js';
import { documentsOf, type LiveSet, locate } from '../shard/live-set.js';
import { type Corpus, PATH_CLASSES } from './corpus.js';
import { findDefinitions } from './definitions.js';
import { type LexicalScores, releaseScores, scoreBm25f } from './lexical.js';
import { type ParsedQuery, parseQuery } from './query.js';
import type { RankedChunk } from './scoring.js';
import { CLASS_FACTOR, EXACT } from './weights.js';

export interface ExactTexts {
  /** Quoted phrases: each must occur, in any case. */
  phrases: string[];
  /** Quoted phrases of a sentence, which the code may lack, by their share of its letters. */
  mentions?: ReadonlyMap<string, number>;
  /** Lines of code, or literals. A chunk with more of them comes first. */
  lines: string[];
  /** One name, one route, or the parts of a message that code may hold: looked for by their very bytes. */
  names?: string[];
  /** Words stand beside the names. */
  isAmongWords?: boolean;
  /** Places in files, the failure before its callers. */
  places?: Place[];
  /** Words that may be paths of files. */
  paths?: string[];
  /** The query is nothing but this: one phrase, one name or one path. */
  isWhole?: boolean;
}

const PHRASE = /"([^"\n]{2,})"|“([^“”\n]{2,})”/g;
/** Signs between words that prose does not have. */
const CODE = /[\w)\]>](?:::|->|=>|\.|#)[\w$]|\w\(|[{};=<>[\]]|^\s*[@#]\w/;

/** A number with its unit, a version, or a number of base 16: `5000ms`, `v1.2.3`, `0x1F`. Their parts alone mean other things. */
const LITERAL =
  /(?<![\p{L}\p{N}_.])(?:\d[\d_]*(?:\.\d+)?\p{L}[\p{L}\p{N}]*|v?\d+(?:\.\d+)+(?:-[\w.]+)?)(?![\p{L}\p{N}_]|\.\d)/giu;

/**
 * Reads the texts of a query. The first kind that it has counts: code, phrases, literals, one name or a message, names among words. A phrase
 * between words of prose comes before code. Places and paths are found beside any of them.
 */
export function exactTexts(query: Pick<ParsedQuery, 'text'> & Partial<Pick<ParsedQuery, 'kind'>>): ExactTexts {
  const { text } = query;
  const isWhole = WHOLE.test(text.trim());
  const phrases = [...text.matchAll(PHRASE)].flatMap(([, plain, curly]) => {
    const phrase = plain ?? curly;
    return hasWord(phrase) ? [phrase.trim()] : [];
  });
  const [places, paths] = [placesIn(text), pathsIn(text, isWhole)];
  const found = {
    ...(places.length > 0 && { places }),
    ...(paths.length > 0 && { paths }),
    ...(isWhole && phrases.length + paths.length > 0 && { isWhole }),
  };
  // Quotes next to code belong to the code, and make no phrase.
  const rest = text.replace(PHRASE, ' ').trim();
  if (CODE.test(rest.replace(QUOTED_VALUE, ' ')) && !QUOTES_OF_PROSE.test(text))
    return { phrases: [], ...codeOf(text), ...found };
  if (phrases.length > 0) return { ...asked(phrases, rest), lines: [], ...found };
  // A message may hold a path or a call as its value.
  if (CODE.test(text.replace(QUOTED_VALUE, ' '))) return { phrases, ...codeOf(text), ...found };
  const lines = literalsOf(text);
  if (lines.length > 0) return { phrases, lines, ...found };
  const names = isName(text.trim()) ? [text.trim()] : messagesIn(query);
  return { phrases, lines, ...(names.length > 0 ? { names } : namesAmongWords(text)), ...found };
}

/** Somebody who writes a whole sentence mentions what a button or a message says: the code to change is elsewhere as often. */
function asked(phrases: string[], rest: string): Pick<ExactTexts, 'phrases' | 'mentions'> {
  const beside = (rest.match(/[\p{L}\p{N}_]+/gu) ?? []).filter((word) => !STOP_WORDS.has(word.toLowerCase()));
  if (beside.length <= EXACT.wordsBesidePhrase) return { phrases };
  const letters = phrases.reduce((sum, phrase) => sum + phrase.length, rest.length);
  return { phrases: [], mentions: new Map(phrases.map((phrase) => [phrase, phrase.length / letters])) };
}

/** One phrase in quotes, or one word. */
const WHOLE = /^(?:"[^"\n]+"|“[^“”\n]+”|[^\s"“”]+)$/;

/** A name is looked for by its bytes, beside a few words, too; other code line by line, whatever its spaces. */
function codeOf(text: string): Pick<ExactTexts, 'lines' | 'names' | 'isAmongWords'> {
  if (isName(text.trim())) return { lines: [], names: [text.trim()] };
  const among = namesAmongWords(text);
  return among === null ? { lines: linesOf(text) } : { lines: [], ...among };
}

const WORD_OF_PROSE = /^\p{L}[\p{L}'’-]*[,?]?$/u;

/** Names with separators, and routes, beside a few words: `endpoint documents.move`, `who handles /api/users`. */
function namesAmongWords(text: string): Pick<ExactTexts, 'names' | 'isAmongWords'> | null {
  const words = text.trim().split(/\s+/);
  const names = words.map((word) => word.replace(/[,?]$/, '')).filter((word) => SEPARATORS.test(word) && isName(word));
  const beside = words.filter((word) => WORD_OF_PROSE.test(word));
  const telling = beside.filter((word) => !STOP_WORDS.has(word.toLowerCase()));
  const isFew = telling.length <= EXACT.wordsBesidePhrase;
  const isAll = names.length > 0 && names.length + beside.length === words.length;
  return isFew && isAll ? { names, isAmongWords: true } : null;
}

/** A name of several parts, or a route. */
const NAME = /^[@$]?[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|\/|->|\\|-)[\p{L}_$][\p{L}\p{N}_$]*)*$/u;
const ROUTE = /^(?:[A-Z]{3,7} )?\/[\w.~%:{}<>*[\]-]+(?:\/[\w.~%:{}<>*[\]-]*)*$/;

function isName(text: string): boolean {
  const hasParts = /[.:#/\\-]/.test(text) || identifierParts(text).length > 1;
  return (hasParts && NAME.test(text)) || ROUTE.test(text);
}

/**
 * Words of a message that code may hold in a row, and letters: fewer are found everywhere. `parts`: most parts that are looked for; `text`:
 * longest query that may be a message.
 */
const MESSAGE = { words: 4, letters: 12, parts: 3, text: 400 } as const;
/** Values that a message has in place of the code's own words: quoted and bracketed values, numbers, and what follows a colon. */
const VALUES = /'[^'\n]*'|`[^`\n]*`|"[^"\n]*"|\([^()\n]*\)|\b\d[\w.]*|: |[\n,;!?]|\.(?= |$)/;

const QUOTED_VALUE = /'[^'\n]*'|`[^`\n]*`/g;

/** Parts of a message between its values, if the query may be one: a question is none. */
function messagesIn({ text, kind }: Parameters<typeof exactTexts>[0]): string[] {
  if (kind !== 'natural' || text.length > MESSAGE.text) return [];
  const parts = text.split(VALUES).map((part) => part.trim());
  const long = parts.filter(
    (part) => part.length >= MESSAGE.letters && part.split(/\s+/).length >= MESSAGE.words && /^[ -~]+$/.test(part),
  );
  return [...new Set(long)].slice(0, MESSAGE.parts);
}

/** Literals that the query is about: a sentence that mentions a version is about something else. */
function literalsOf(text: string): string[] {
  const rest = text.replace(LITERAL, ' ').match(/\S+/g) ?? [];
  return rest.length > EXACT.wordsBesideLiteral ? [] : [...new Set(text.match(LITERAL) ?? [])];
}

const CONTINUES = /^(?:[\p{L}\p{N}_]|\.\d)/u;

/** Returns whether a text contains a line as typed; a literal in any case, but not as a part of a longer one. */
function holds(text: string, line: string): boolean {
  if (line.replace(LITERAL, '') !== '') return text.includes(line);
  const [own, wanted] = [text.toLowerCase(), line.toLowerCase()];
  for (let at = own.indexOf(wanted); at >= 0; at = own.indexOf(wanted, at + 1))
    if (
      !/[\p{L}\p{N}_.]/u.test(own[at - 1] ?? '') &&
      !CONTINUES.test(own.slice(at + wanted.length, at + wanted.length + 2))
    )
      return true;
  return false;
}

/** Returns whether a text has a name or a message by its very bytes, not as a part of a longer word. */
function hasBytes(text: string, name: string): boolean {
  const isWord = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}_]/u.test(sign);
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!(isWord(name[0]) && isWord(text[at - 1])) && !isWord(text[at + name.length])) return true;
  return false;
}

/** A quoted phrase between spaces. */
const QUOTES_OF_PROSE = /(?:^|\s)(?:"[^"]+"|“[^“”]+”)(?:\s+[\w"“]|$)/;

const hasWord = (text: string): boolean => /[\p{L}\p{N}_$]/u.test(text);

function linesOf(text: string): string[] {
  const lines = text.split('\n').flatMap((line) => (hasWord(line) ? [squeezed(line)] : []));
  return [...new Set(lines)].slice(0, EXACT.lines);
}

/** Makes one space of white space, and none next to a sign: the indentation and spacing of code do not matter. */
export function squeezed(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/ ?([^\p{L}\p{N}_$ ]) ?/gu, '$1')
    .trim();
}

interface ExactOptions {
  accept?: (document: number, file: number) => boolean;
  textOf: (document: number) => Promise<string>;
  /** Called with the documents whose texts come next, if reading many at once is cheaper than one after the other. */
  ahead?: (documents: readonly number[]) => Promise<void>;
  /** Called with the phrases that occur in no result, and whose words count instead. */
  asWords?: (phrases: readonly string[]) => void;
  /** The query is a name, so its definitions stay above its uses. */
  keepsDefinitions: boolean;
  /** Scores of the query's words. */
  lexical?: LexicalScores;
  /** Best score of the ranking without a filter, which must not change a score; default: that of the ranked chunks. */
  top?: number;
}

/** Applies the texts that the query has as typed to the ranked chunks. */
export async function asTyped(
  corpus: Corpus,
  ranked: readonly RankedChunk[],
  options: ExactOptions & ExactTexts,
): Promise<RankedChunk[]> {
  const { phrases, mentions, lines, names = [], places = [], paths = [] } = options;
  let chosen: RankedChunk[] = [...ranked];
  if (mentions !== undefined) chosen = await withMentions(corpus, ranked, { ...options, mentions });
  else if (phrases.length > 0) chosen = await withPhrases(corpus, ranked, options);
  else if (lines.length > 0) chosen = await exactFirst(corpus, ranked, { ...options, shareOf: shareOfLines(lines) });
  else if (names.length > 0)
    chosen = await exactFirst(corpus, ranked, {
      ...options,
      lines: names,
      shareOf: shareOfNames(corpus, names),
    });
  if (paths.length > 0) chosen = lifted(corpus, chosen, atPaths(corpus, paths, { ranked: chosen, options }));
  return places.length > 0 ? lifted(corpus, chosen, atPlaces(corpus, places, options)) : chosen;
}

/**
 * Selects the chunks with the phrases, and finds others that were no candidates of the ranking. A phrase that occurs nowhere filters only
 * if it is the whole query: else its words count.
 */
async function withPhrases(
  corpus: Corpus,
  ranked: readonly RankedChunk[],
  { phrases, isWhole = false, ...options }: ExactOptions & ExactTexts,
): Promise<RankedChunk[]> {
  const wanted = phrases.map((phrase) => squeezed(phrase).toLowerCase());
  const further = phrases.flatMap((phrase) => candidates(corpus, phrase, options));
  await options.ahead?.([...ranked, ...further].map(({ document }) => document));
  const held = new Map<number, readonly number[]>();
  for (const { document } of [...ranked, ...further]) {
    if (held.has(document)) continue;
    const own = squeezed(await options.textOf(document)).toLowerCase();
    held.set(
      document,
      [...wanted.keys()].filter((i) => own.includes(wanted[i])),
    );
  }
  const most = Math.max(0, ...[...held.values()].map((own) => own.length));
  if (most < phrases.length) {
    const found = new Set([...held.values()].flatMap((own) => (own.length === most ? own : [])));
    options.asWords?.(phrases.filter((_, i) => !found.has(i)));
  }
  if (most === 0) return isWhole ? [] : [...ranked];
  const hasMost = (document: number) => held.get(document)?.length === most;
  const matched = ranked.filter(({ document }) => hasMost(document));
  const known = new Set(ranked.map(({ document }) => document));
  const least = matched.at(-1)?.score ?? 1;
  for (const { document, share } of further) {
    if (known.has(document) || !hasMost(document)) continue;
    known.add(document);
    matched.push({
      document,
      file: corpus.live.fileOf[document],
      score: least * share,
      explain: { bm25: least * share },
    });
  }
  return matched;
}

/** Raises the chunks that hold a mention. Its words count anyway. */
async function withMentions(
  corpus: Corpus,
  ranked: readonly RankedChunk[],
  { mentions, ...options }: ExactOptions & ExactTexts & { mentions: ReadonlyMap<string, number> },
): Promise<RankedChunk[]> {
  const wanted = [...mentions].map(([phrase, share]) => ({ phrase, bytes: squeezed(phrase).toLowerCase(), share }));
  const absent = new Set(mentions.keys());
  const shareOf: ShareOf = (document, text) => {
    const own = squeezed(text).toLowerCase();
    const held = wanted.filter(({ bytes }) => own.includes(bytes));
    for (const { phrase } of held) absent.delete(phrase);
    return held.reduce((sum, { share }) => sum + share, 0) * factorOf(corpus, document);
  };
  const found = await exactFirst(corpus, ranked, { ...options, lines: [...mentions.keys()], shareOf });
  if (absent.size > 0) options.asWords?.([...absent]);
  return found;
}

/** Share of the top score that a chunk gains by its text. */
type ShareOf = (document: number, text: string) => number;
const NO_SHARES: ReadonlyMap<number, number> = new Map();

const shareOfLines =
  (lines: readonly string[]): ShareOf =>
  (_, text) => {
    const own = squeezed(text);
    return lines.filter((line) => holds(own, line)).length / lines.length;
  };

/** Bytes count by the letters of the names that a chunk holds, less in files that are rarely intended. */
function shareOfNames(corpus: Corpus, names: readonly string[]): ShareOf {
  const letters = names.reduce((sum, name) => sum + name.length, 0);
  return (document, text) => {
    const held = names.reduce((sum, name) => sum + (hasBytes(text, name) ? name.length : 0), 0);
    return (held / letters) * factorOf(corpus, document);
  };
}

const factorOf = ({ live, classes }: Corpus, document: number): number =>
  CLASS_FACTOR[PATH_CLASSES[classes[live.fileOf[document]]]];

/** Share of definitions whose names differ in joiners or case, beside one that does not. */
const COUSIN = 0.5;

/**
 * Shares of the definitions of a name, whatever the filter; none if no definition has its very bytes. Uses have none: beside its
 * definition they keep the order of the ranking.
 */
async function sharesOfDefinitions(
  corpus: Corpus,
  name: string,
  { textOf }: Pick<ExactOptions, 'textOf'>,
): Promise<Map<number, number>> {
  const own = name.split(SEPARATORS).pop() ?? name;
  const all = [...findDefinitions(corpus.live, [own.replace(/^[@$]/, '')])];
  const best = all.sort(([a, x], [b, y]) => y.strength - x.strength || a - b).slice(0, EXACT.candidates);
  const shares = new Map<number, number>();
  let isFound = false;
  for (const [document, definition] of best) {
    const isExact = definesExactly(corpus.live, document, { name, text: await textOf(document) });
    isFound ||= isExact;
    const share = isExact ? 1 : definition.name === null ? 0 : COUSIN;
    shares.set(document, share * factorOf(corpus, document));
  }
  return isFound ? shares : new Map();
}

const SEPARATORS = /\.|::|#|\/|->|\\/;

/** Returns whether a chunk has the definition by its bytes, below what the name puts before it. */
function definesExactly(live: LiveSet, document: number, { name, text }: { name: string; text: string }): boolean {
  const parts = name.split(SEPARATORS).filter(Boolean);
  const own = parts.pop() ?? name;
  if (!hasBytes(text, own.replace(/^[@$]/, ''))) return false;
  const { shard, local } = locate(live, document);
  const path = live.files.path(live.fileOf[document]).split(/[/.]/);
  const around = [...(shard.documentSymbol(local) ?? '').split('.'), ...path].map(nameKey);
  return parts.every((part) => around.includes(nameKey(part)) || hasBytes(text, part));
}

/** `lines`: the texts to look for, which are `names` or mentions where the query has those. */
type Sought = ExactOptions & ExactTexts & { shareOf: ShareOf };
type Candidates = ReturnType<typeof candidates>;

/** Puts chunks first that contain texts of the query as typed. */
async function exactFirst(
  corpus: Corpus,
  ranked: readonly RankedChunk[],
  { isAmongWords, keepsDefinitions, names, top = ranked[0]?.score ?? 1, ...options }: Sought,
): Promise<RankedChunk[]> {
  const isByName = names !== undefined;
  const asksDefinitions = isByName && (keepsDefinitions || isAmongWords);
  const defined = asksDefinitions ? await sharesOfDefinitions(corpus, names[0], options) : NO_SHARES;
  const isEnough = defined.size > 0 && !SEPARATORS.test(options.lines[0]);
  // Names are looked for one by one. Lines are looked for together, and each of the first results may have some of them.
  const sought = isEnough ? [] : isByName ? options.lines : [options.lines.join('\n')];
  const further = sought.map((text) => candidates(corpus, text, options));
  const near = isByName ? [] : ranked.slice(0, EXACT.ranked);
  const first = isByName ? EXACT.named : EXACT.candidates;
  const shares = await sharesInTexts([further.flatMap((list) => list.slice(0, first)), near], {
    left: further.flatMap((list) => list.slice(first)),
    ...options,
  });
  for (const [document, share] of defined)
    if (options.accept?.(document, corpus.live.fileOf[document]) ?? true)
      shares.set(document, Math.max(share, shares.get(document) ?? 0));
  // A chunk without the words beside a name is ranked by the name alone.
  const least = isAmongWords ? (ranked.at(-1)?.score ?? 0) : 0;
  const all = [...ranked, ...unranked(corpus, ranked, { shares, further, least })];
  // With names, a definition has to have the very bytes.
  const isKept = (chunk: RankedChunk) => !isByName && keepsDefinitions && chunk.defines !== undefined;
  const raised = all.map((chunk): RankedChunk => {
    const exact = (isKept(chunk) ? 1 : (shares.get(chunk.document) ?? 0)) * top;
    return exact === 0 ? chunk : { ...chunk, score: chunk.score + exact, explain: { ...chunk.explain, exact } };
  });
  return raised.sort(order);
}

/** Shares of the documents of some lists by their texts. `left`: read if a name or a route is in none of them. */
async function sharesInTexts(
  lists: readonly (readonly { document: number }[])[],
  {
    left,
    lines,
    shareOf,
    textOf,
    ahead,
  }: Pick<Sought, 'lines' | 'shareOf' | 'textOf' | 'ahead'> & { left: Candidates },
): Promise<Map<number, number>> {
  const shares = new Map<number, number>();
  const readAll = async (read: readonly { document: number }[]) => {
    await ahead?.(read.map(({ document }) => document));
    for (const { document } of read)
      if (!shares.has(document)) shares.set(document, shareOf(document, await textOf(document)));
  };
  // A chunk with the bytes of a name has all of its words.
  await readAll(lists.flat());
  // A name or a route may have one common word: then twenty chunks that have more of it say nothing.
  if (isName(lines[0]) && ![...shares.values()].some((share) => share > 0)) await readAll(left);
  return shares;
}

/** Chunks with a share that are not ranked yet, with `least` of the score that their words give. */
function unranked(
  { live }: Corpus,
  ranked: readonly RankedChunk[],
  { shares, further, least }: { shares: ReadonlyMap<number, number>; further: readonly Candidates[]; least: number },
): RankedChunk[] {
  const known = new Set(ranked.map(({ document }) => document));
  const words = new Map(further.flat().map(({ document, share }) => [document, share * least]));
  return [...shares]
    .filter(([document, share]) => share > 0 && !known.has(document))
    .map(([document]) => ({ document, file: live.fileOf[document], score: words.get(document) ?? 0, explain: {} }));
}

const order = (a: RankedChunk, b: RankedChunk) => b.score - a.score || a.file - b.file || a.document - b.document;

/** Documents with every word of a text, the best first, each with its share of the best score. */
function candidates(corpus: Corpus, text: string, { accept, lexical }: Pick<ExactOptions, 'accept' | 'lexical'>) {
  const { terms } = parseQuery(text);
  const isScored = lexical?.terms.length === terms.length && lexical.terms.every(({ term }, i) => term === terms[i]);
  const scored = isScored ? lexical : scoreBm25f(corpus, terms);
  const { coverage, matched, scores, terms: found } = scored;
  const mass = found.reduce((sum, { idf }) => sum + idf, 0);
  const { fileOf } = corpus.live;
  const whole: number[] = [];
  // A common word has tens of thousands of matches, few of which have every word.
  for (const document of matched)
    if (coverage[document] > mass - 1e-6 && (accept?.(document, fileOf[document]) ?? true)) whole.push(document);
  whole.sort((a, b) => scores[b] - scores[a] || fileOf[a] - fileOf[b] || a - b);
  const best = scores[whole[0]] || 1;
  const first = whole.slice(0, EXACT.candidates).map((document) => ({ document, share: scores[document] / best }));
  if (!isScored) releaseScores(corpus, scored);
  return first;
}

/** Puts documents first, in their order. */
function lifted(corpus: Corpus, ranked: readonly RankedChunk[], documents: readonly number[]): RankedChunk[] {
  if (documents.length === 0) return [...ranked];
  const known = new Map(ranked.map((chunk) => [chunk.document, chunk]));
  const top = ranked[0]?.score ?? 1;
  const first = documents.map((document, at): RankedChunk => {
    const chunk = known.get(document) ?? {
      document,
      file: corpus.live.fileOf[document],
      score: 0,
      explain: {},
    };
    // Above all others by one top score, and above the next one by a hundredth.
    const exact = top * (2 + (documents.length - at) / 100) - chunk.score;
    return { ...chunk, score: chunk.score + exact, explain: { ...chunk.explain, exact } };
  });
  const chosen = new Set(documents);
  return [...first, ...ranked.filter(({ document }) => !chosen.has(document))];
}

// Paths and places.

/** Files that one path may mean, in the order of their paths. More than these, and the path names nothing. */
const MAX_FILES = 5;
const PATH =
  /(?<![\w@$.+~/\\:-])(?:\.{0,2}\/)?(?:[\w@+()[\].-]{1,100}\/){0,30}[\w@+()[\]-][\w@+()[\].-]{0,100}\.[A-Za-z]\w{0,9}(?![\w/(])/g;

/** Words that look like the path of a file, which end in an extension. */
function pathsIn(text: string, isWhole: boolean): string[] {
  // In a sentence `package.json` is what the code reads, and `src/cart.ts` is code.
  const found = (text.match(PATH) ?? []).filter((path) => isWhole || path.includes('/'));
  const paths = found.map((path) => posix.normalize(path).replace(/^(?:\.\.?\/|\/)+/, ''));
  return [...new Set(paths)].slice(0, MAX_FILES);
}

/** The best chunk of each file that a path names: whole, or by its end. */
function atPaths(
  { live, classes }: Corpus,
  paths: readonly string[],
  { ranked, options }: { ranked: readonly RankedChunk[]; options: ExactOptions & ExactTexts },
): number[] {
  const isCode = (file: number) => !['document', 'data'].includes(PATH_CLASSES[classes[file]]);
  const found = paths.flatMap((path) => filesAt(live, path)).filter((file) => options.isWhole || isCode(file));
  return [...new Set(found)].flatMap((file) => {
    const best = ranked.find((chunk) => chunk.file === file);
    if (best !== undefined) return [best.document];
    const { first, end } = documentsOf(live, file);
    const all = Array.from({ length: end - first }, (_, i) => first + i);
    return all.filter((document) => options.accept?.(document, file) ?? true).slice(0, 1);
  });
}

/** Files with a path, else those whose paths end in it; none if that are too many. */
function filesAt({ files }: LiveSet, path: string): number[] {
  const ending = `/${path}`;
  const found: number[] = [];
  for (let file = 0; file < files.length; file++)
    for (const own of files.paths(file)) {
      if (own === path) return [file];
      if (own.endsWith(ending)) found.push(file);
    }
  return found.length > MAX_FILES ? [] : found;
}

/** Chunks that hold the places. */
function atPlaces({ live }: Corpus, places: readonly Place[], { accept }: ExactOptions): number[] {
  const found = new Set<number>();
  for (const { path, line } of places.slice(0, EXACT.places)) {
    const file = fileOfPlace(live, path);
    if (file < 0) continue;
    const { first, end } = documentsOf(live, file);
    for (let document = first; document < end; document++) {
      const { shard, local } = locate(live, document);
      const { startLine, endLine } = shard.columns;
      if (startLine[local] <= line && line <= endLine[local] && (accept?.(document, file) ?? true)) {
        found.add(document);
        break;
      }
    }
  }
  return [...found];
}

/** File with a path, or with a long enough end of it: traces have absolute paths of other machines. -1 if none or several have it. */
function fileOfPlace(live: LiveSet, path: string): number {
  for (let rest = path.replace(/^\/+/, ''); ; rest = rest.slice(rest.indexOf('/') + 1)) {
    const found = filesAt(live, rest);
    if (found.length > 0) return found.length === 1 ? found[0] : -1;
    if (!rest.includes('/')) return -1;
  }
}

export interface Place {
  /** As written, which is often absolute, or relative to another directory. */
  path: string;
  line: number;
}

const MAX_PLACES = 24;

/** A path, bounded in length and only at the beginning of a word: tasks hold whole files, and lines without a space. */
const FILE = String.raw`(?<![\w@$.+~/\\()[\]-])((?:[A-Za-z]:)?[\w@$.+~/\\()[\]-]{0,400}[\w)\]]\.[A-Za-z]\w{0,9})`;
const PLACES: readonly RegExp[] = [
  // src/cart.ts:12:5, (cart.ts:12), main.go:33 +0x1d
  new RegExp(String.raw`${FILE}:(\d{1,7})(?!\d)`, 'g'),
  // File "cart.py", line 12
  /["']([^"'\n]{1,400}\.[A-Za-z]\w{0,9})["'],? line (\d{1,7})/g,
  // cart.ts(12,5), cart.cs:line 12, Cart.php on line 12
  new RegExp(String.raw`${FILE}(?:\((\d{1,7})(?:,\d+)?\)|:line (\d{1,7})| on line (\d{1,7}))`, 'g'),
];

/** Python and Ruby write callers first, others the failure. */
const CALLERS_FIRST = /most recent call last/i;

/** Places that a text names, in the order in which they matter. */
export function placesIn(text: string): Place[] {
  const found = new Map<string, Place & { at: number }>();
  for (const pattern of PLACES) {
    for (const match of text.matchAll(pattern)) {
      const path = clean(match[1]);
      const line = Number(match[2] ?? match[3] ?? match[4]);
      const key = `${path}:${line}`;
      if (path !== '' && line > 0 && !found.has(key)) found.set(key, { path, line, at: match.index });
    }
  }
  const ordered = failureFirst(
    [...found.values()].sort((a, b) => a.at - b.at),
    text.search(CALLERS_FIRST),
  );
  return ordered.slice(0, MAX_PLACES).map(({ path, line }) => ({ path, line }));
}

/** Turns round the places of a trace that begins at `from` (-1: none) and names callers first. The task is about its failure. */
function failureFirst<T extends { at: number }>(places: T[], from: number): T[] {
  if (from < 0) return places;
  const frames = places.filter(({ at }) => at > from);
  return [...frames.reverse(), ...places.filter(({ at }) => at < from)];
}

/** Removes `file:///`, brackets and a call in front (`Cart.total(Cart.java`), and converts other systems' slashes. */
function clean(path: string): string {
  const bare = path
    .replace(/^.*[\w.>]\(/, '')
    .replace(/^[([]+/, '')
    .replaceAll('\\', '/')
    .replace(/^[A-Za-z]:\//, '/')
    .replace(/^\/{2,}/, '/');
  return posix.normalize(bare).replace(/^(?:\.\.?\/)+/, '');
}
