/**
 * Chunks in which text of the query stands as typed: a quoted phrase must occur in every result, and code that was pasted or
 * spelled out (`Type::CONSTANT`, `obj.method(`) puts the chunks that hold it first.
 */
import { scoreBm25f } from './bm25.js';
import type { Corpus } from './corpus.js';
import { type ParsedQuery, parseQuery } from './query.js';
import type { RankedChunk } from './rank.js';
import { EXACT } from './weights.js';

/** Texts of a query that are looked for as typed. */
export interface ExactTexts {
  /** Quoted phrases: each must occur, in any case. */
  phrases: string[];
  /** Lines of code; a chunk that holds more of them comes first. */
  lines: string[];
}

const PHRASE = /"([^"\n]{2,})"/g;
/** Signs between words that prose does not have. */
const CODE = /[\w)\]>](?:::|->|=>|\.|#)[\w$]|\w\(|[{};=<>[\]]|^\s*[@#]\w/;

export function exactTexts({ text }: Pick<ParsedQuery, 'text'>): ExactTexts {
  const phrases = [...text.matchAll(PHRASE)].flatMap(([, phrase]) => (hasWord(phrase) ? [phrase.trim()] : []));
  // Code has quotes of its own: where they stand next to code, they ask for no phrase.
  const rest = text.replace(PHRASE, ' ').trim();
  if (CODE.test(rest) && !QUOTES_OF_PROSE.test(text)) return { phrases: [], lines: linesOf(text) };
  return { phrases, lines: phrases.length > 0 || !CODE.test(text) ? [] : linesOf(text) };
}

/** A quoted phrase that stands by itself, between spaces. */
const QUOTES_OF_PROSE = /(?:^|\s)"[^"]+"(?:\s+[\w"]|$)/;

const hasWord = (text: string): boolean => /[\p{L}\p{N}_$]/u.test(text);

function linesOf(text: string): string[] {
  const lines = text.split('\n').flatMap((line) => (hasWord(line) ? [squeezed(line)] : []));
  return [...new Set(lines)].slice(0, EXACT.lines);
}

/** Runs of white space count as one space, and none beside a sign: how code is indented and spaced does not matter. */
export function squeezed(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/ ?([^\p{L}\p{N}_$ ]) ?/gu, '$1')
    .trim();
}

interface ExactOptions {
  accept?: (document: number, file: number) => boolean;
  /** Text of a document. */
  textOf: (document: number) => Promise<string>;
  /** Told of the documents whose texts come next, where reading many at once is cheaper than one after the other. */
  ahead?: (documents: readonly number[]) => Promise<void>;
}

/** Ranked chunks under what the query has as typed. */
export async function asTyped(
  corpus: Corpus,
  ranked: readonly RankedChunk[],
  options: ExactOptions & ExactTexts & { keepsDefinitions: boolean },
): Promise<RankedChunk[]> {
  if (options.phrases.length > 0) return withPhrases(corpus, ranked, options);
  if (options.lines.length > 0) return exactFirst(corpus, ranked, options);
  return [...ranked];
}

/** Keeps the chunks with all phrases, and finds those that the ranking had not among its candidates. */
async function withPhrases(
  corpus: Corpus,
  ranked: readonly RankedChunk[],
  { phrases, ...options }: ExactOptions & { phrases: readonly string[] },
): Promise<RankedChunk[]> {
  const wanted = phrases.map((phrase) => squeezed(phrase).toLowerCase());
  const holds = (text: string) => {
    const own = squeezed(text).toLowerCase();
    return wanted.every((phrase) => own.includes(phrase));
  };
  const further = candidates(corpus, phrases.join(' '), options.accept);
  await options.ahead?.([...ranked, ...further].map(({ document }) => document));
  const kept: RankedChunk[] = [];
  for (const chunk of ranked) if (holds(await options.textOf(chunk.document))) kept.push(chunk);
  const known = new Set(ranked.map(({ document }) => document));
  const least = kept.at(-1)?.score ?? 1;
  for (const { document, share } of further) {
    if (known.has(document) || !holds(await options.textOf(document))) continue;
    kept.push({ document, file: corpus.live.fileOf[document], score: least * share, explain: { bm25: least * share } });
  }
  return kept;
}

/**
 * Puts chunks first that hold lines of the query as typed. `keepsDefinitions`: the query is a name, whose definitions stay where they
 * are, above its uses.
 */
async function exactFirst(
  corpus: Corpus,
  ranked: readonly RankedChunk[],
  { lines, keepsDefinitions, ...options }: ExactOptions & { lines: readonly string[]; keepsDefinitions: boolean },
): Promise<RankedChunk[]> {
  const shareOf = async (document: number) => {
    const text = squeezed(await options.textOf(document));
    return lines.filter((line) => text.includes(line)).length / lines.length;
  };
  const top = ranked[0]?.score ?? 1;
  const known = new Map(ranked.map((chunk) => [chunk.document, chunk]));
  const found = new Map<number, number>();
  const read = [...candidates(corpus, lines.join('\n'), options.accept), ...ranked.slice(0, EXACT.ranked)];
  await options.ahead?.(read.map(({ document }) => document));
  for (const { document } of read) if (!found.has(document)) found.set(document, await shareOf(document));
  const all = [...ranked];
  for (const [document, share] of found)
    if (share > 0 && !known.has(document))
      all.push({ document, file: corpus.live.fileOf[document], score: 0, explain: {} });
  const lifted = all.map((chunk): RankedChunk => {
    const isMeant = keepsDefinitions && chunk.defines !== undefined;
    const exact = (isMeant ? 1 : (found.get(chunk.document) ?? 0)) * top;
    return exact === 0 ? chunk : { ...chunk, score: chunk.score + exact, explain: { ...chunk.explain, exact } };
  });
  return lifted.sort((a, b) => b.score - a.score || a.file - b.file || a.document - b.document);
}

/** Documents that have every word of a text, the best first, each with its share of the best score. */
function candidates(corpus: Corpus, text: string, accept: ExactOptions['accept']) {
  const { terms } = parseQuery(text);
  const { coverage, matched, scores, terms: found } = scoreBm25f(corpus, terms);
  const mass = found.reduce((sum, { idf }) => sum + idf, 0);
  const { fileOf } = corpus.live;
  const whole = [...matched].filter(
    (document) => coverage[document] > mass - 1e-6 && (accept?.(document, fileOf[document]) ?? true),
  );
  whole.sort((a, b) => scores[b] - scores[a] || fileOf[a] - fileOf[b] || a - b);
  const best = scores[whole[0]] || 1;
  return whole.slice(0, EXACT.candidates).map((document) => ({ document, share: scores[document] / best }));
}
