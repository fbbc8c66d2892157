/**
 * Chunks in which text of the query stands as typed: a quoted phrase must occur in every result; code that was pasted or spelled out
 * (`Type::CONSTANT`, `obj.method(`), and a literal (`5000ms`) with few words beside it, put the chunks that hold them first.
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
  /** Lines of code, or literals; a chunk that holds more of them comes first. */
  lines: string[];
}

const PHRASE = /"([^"\n]{2,})"/g;
/** Signs between words that prose does not have. */
const CODE = /[\w)\]>](?:::|->|=>|\.|#)[\w$]|\w\(|[{};=<>[\]]|^\s*[@#]\w/;

/** A number with its unit, a version, or a number of base 16: `5000ms`, `v1.2.3`, `0x1F`. Their parts alone mean other things. */
const LITERAL =
  /(?<![\p{L}\p{N}_.])(?:\d[\d_]*(?:\.\d+)?\p{L}[\p{L}\p{N}]*|v?\d+(?:\.\d+)+(?:-[\w.]+)?)(?![\p{L}\p{N}_]|\.\d)/giu;

export function exactTexts({ text }: Pick<ParsedQuery, 'text'>): ExactTexts {
  const phrases = [...text.matchAll(PHRASE)].flatMap(([, phrase]) => (hasWord(phrase) ? [phrase.trim()] : []));
  // Code has quotes of its own: where they stand next to code, they ask for no phrase.
  const rest = text.replace(PHRASE, ' ').trim();
  if (CODE.test(rest) && !QUOTES_OF_PROSE.test(text)) return { phrases: [], lines: linesOf(text) };
  if (phrases.length > 0) return { phrases, lines: [] };
  return { phrases, lines: CODE.test(text) ? linesOf(text) : literalsOf(text) };
}

/** A sentence that mentions a version is about something else. */
function literalsOf(text: string): string[] {
  const rest = text.replace(LITERAL, ' ').match(/\S+/g) ?? [];
  return rest.length > EXACT.wordsBesideLiteral ? [] : [...new Set(text.match(LITERAL) ?? [])];
}

const CONTINUES = /^(?:[\p{L}\p{N}_]|\.\d)/u;

/** Whether a text holds a line as typed; a literal not as a part of a longer one, and in any case. */
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
  const hasAll = (text: string) => {
    const own = squeezed(text).toLowerCase();
    return wanted.every((phrase) => own.includes(phrase));
  };
  const further = candidates(corpus, phrases.join(' '), options.accept);
  await options.ahead?.([...ranked, ...further].map(({ document }) => document));
  const kept: RankedChunk[] = [];
  for (const chunk of ranked) if (hasAll(await options.textOf(chunk.document))) kept.push(chunk);
  const known = new Set(ranked.map(({ document }) => document));
  const least = kept.at(-1)?.score ?? 1;
  for (const { document, share } of further) {
    if (known.has(document) || !hasAll(await options.textOf(document))) continue;
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
    return lines.filter((line) => holds(text, line)).length / lines.length;
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
