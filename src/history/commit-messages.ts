/** Reads messages of commits: ranks commits by the words of a query in messages and paths, and finds the pull requests and issues of one. */
import { textTerms } from '../extract/terms.js';
import type { LoggedCommit } from './change-log.js';

interface RankedCommit {
  commit: LoggedCommit;
  score: number;
}

/** The first line sums up a commit. A path has few words, which are often those of its neighbours. */
const WEIGHTS = { subject: 3, body: 1, path: 1 } as const;
/** Changed symbols with all words of the query raise a score by one part in this many. */
const SYMBOL_PARTS = 5;
/** Saturation and normalisation by length, at values common for BM25 (Robertson and Zaragoza, 2009). */
const K1 = 1.2;
const B = 0.5;

/** Ranks commits, best first, of equals the newer one. Leaves out commits without any of `terms`, those of the query. */
export function rankCommits(commits: readonly LoggedCommit[], terms: readonly string[]): RankedCommit[] {
  const wanted = new Map(terms.map((term, i) => [term, i]));
  const counted = commits.map((commit) => countTerms(commit, wanted));
  const average = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length);
  const idf = terms.map((_, i) => {
    const having = counted.filter(({ counts }) => counts[i] > 0).length;
    return Math.log(1 + (commits.length - having + 0.5) / (having + 0.5));
  });
  return counted
    .flatMap(({ commit, counts, length }) => {
      const norm = K1 * (1 - B + (B * length) / Math.max(1, average));
      const score = counts.reduce((sum, count, i) => sum + (idf[i] * count * (K1 + 1)) / (count + norm), 0);
      return score > 0 ? [{ commit, score }] : [];
    })
    .sort((a, b) => b.score - a.score || a.commit.age - b.commit.age);
}

/** Raises the scores of commits that changed symbols with words of the query, and ranks anew. `symbolsOf`: their names. */
export function rankBySymbols(
  ranked: readonly RankedCommit[],
  terms: readonly string[],
  symbolsOf: (commit: string) => readonly string[],
): RankedCommit[] {
  const wanted = new Set(terms);
  return ranked
    .map(({ commit, score }) => {
      const found = new Set(
        symbolsOf(commit.commit)
          .flatMap(textTerms)
          .filter((term) => wanted.has(term)),
      );
      return { commit, score: score * (1 + found.size / (SYMBOL_PARTS * Math.max(1, terms.length))) };
    })
    .sort((a, b) => b.score - a.score || a.commit.age - b.commit.age);
}

interface CountedTerms {
  commit: LoggedCommit;
  /** Weighted occurrences, by the place of the term in the query. */
  counts: number[];
  /** Weighted number of terms. */
  length: number;
}

function countTerms(commit: LoggedCommit, wanted: ReadonlyMap<string, number>): CountedTerms {
  const counts: number[] = new Array(wanted.size).fill(0);
  let length = 0;
  const add = (text: string, weight: number) => {
    for (const term of textTerms(text)) {
      length += weight;
      const place = wanted.get(term);
      if (place !== undefined) counts[place] += weight;
    }
  };
  add(commit.subject, WEIGHTS.subject);
  if (commit.body !== '') add(commit.body, WEIGHTS.body);
  if (commit.paths.length > 0) add(commit.paths.join('\n'), WEIGHTS.path);
  return { commit, counts, length };
}

export interface Mention {
  kind: 'pull' | 'issue' | 'unknown';
  /** As written: `#123`, `owner/name#7`, or the address. */
  text: string;
}

/** Most mentions of a commit. More are a list of something else: a changelog, a batch of updates. */
const MAX_MENTIONS = 20;

/** Address of a pull request or an issue on any forge. */
const ADDRESS =
  /https?:\/\/[^\s<>"'()[\]]{1,200}?\/(pull|pulls|pull-requests|merge_requests|issues|issue|browse|bugs?)\/[\w-]{1,40}|https?:\/\/[^\s<>"'()[\]]{1,200}?\/show_bug\.cgi\?id=\d{1,9}/g;
/** `#12`, `owner/name#12`, `GH-12`, `!12` (GitLab); not in a word, and no colour: those have six digits and no more. */
const NUMBER = /(?<![\w#&/!-])(?:[\w.-]{1,100}\/[\w.-]{1,100})?(?:#|GH-|!)\d{1,7}(?![\w-])/g;
const PULL = /^(?:Merge (?:pull|merge) request|PR|pull request|See merge request)\b/i;
const CLOSES = /\b(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?|issue|bug|re|refs?|references|addresses|see)\b[:\s]*$/i;

/** Lists the pull requests and issues that a message names, in the order of the text, each once. */
export function mentionsIn({ subject, body }: { subject: string; body: string }): Mention[] {
  const found = new Map<string, Mention>();
  for (const [i, line] of [subject, ...body.split('\n')].entries()) {
    if (found.size >= MAX_MENTIONS) break;
    for (const mention of mentionsInLine(line, i === 0)) if (!found.has(mention.text)) found.set(mention.text, mention);
  }
  return [...found.values()].slice(0, MAX_MENTIONS);
}

/** Most characters of a line that are read. */
const MAX_LINE = 1_000;

function mentionsInLine(whole: string, isSubject: boolean): Mention[] {
  const line = whole.slice(0, MAX_LINE);
  const addresses = [...line.matchAll(ADDRESS)].map(({ 0: text, 1: word, index }) => {
    const kind: Mention['kind'] = /^(?:pull|merge)/.test(word ?? '') ? 'pull' : 'issue';
    return { kind, text, index };
  });
  const isInAddress = (at: number) => addresses.some(({ text, index }) => at >= index && at < index + text.length);
  const numbers = [...line.matchAll(NUMBER)].flatMap(({ 0: text, index }) =>
    isInAddress(index) ? [] : [{ kind: kindOf(line, { text, index, isSubject }), text, index }],
  );
  const all = [...addresses, ...numbers].sort((a, b) => a.index - b.index);
  return all.map(({ kind, text }) => ({ kind, text }));
}

interface Place {
  text: string;
  index: number;
  isSubject: boolean;
}

function kindOf(line: string, { text, index, isSubject }: Place): Mention['kind'] {
  if (text.includes('!') || PULL.test(line)) return 'pull';
  // Forges end the subject of a squashed pull request with its number.
  const isAtEnd = isSubject && line.slice(index + text.length).trim() === ')' && line[index - 1] === '(';
  if (isAtEnd) return 'pull';
  return CLOSES.test(line.slice(0, index)) ? 'issue' : 'unknown';
}
