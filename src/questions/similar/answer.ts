/** `similar`: the chunks nearest to a place, or functions of the whole snapshot that are copies of each other or nearly so. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SocraticodeError } from '../../base/errors.js';
import { addTo, groupBy, hashOf, hashOfPart } from '../../base/lists.js';
import { groupDigits } from '../../base/printable.js';
import type { Graph } from '../../graph/graph.js';
import { isOnMap } from '../../graph/query/file-edges.js';
import { isTest, isTestCode, placeOf } from '../../graph/query/node-place.js';
import { isFunction } from '../../graph/query/uses.js';
import { loadRules, rulesOf } from '../../languages/registry.js';
import type { LexicalConventions } from '../../languages/roles/relations.js';
import { isNameCode, isSpace, skipLiteral } from '../../languages/roles/scan.js';
import { optionText } from '../../params/param.js';
import { checkGlobs, pathFilter } from '../../search/filter.js';
import { hasFilters } from '../../search/query-filters.js';
import { withIds } from '../../search/typed-filters.js';
import { retried } from '../../session/retry.js';
import { searcherOf } from '../../session/search/searcher.js';
import { prefixOf } from '../../session/session.js';
import { targetRef, workTreeUse } from '../../session/snapshot/target.js';
import type { Asker } from '../asker.js';
import { formatCount } from '../format.js';
import type { Pen, Writing } from '../pen.js';
import { placeLine, resultsText } from '../result-text.js';
import { type CopyGroup, MAX_SNIPPET, type SimilarResponse, type SimilarValues } from './question.js';

/** Throws BAD_ARGUMENT where the snapshot has no such file or no vectors, UNKNOWN_REF and the errors of indexing. */
export async function answerSimilar(at: Asker, values: SimilarValues): Promise<SimilarResponse> {
  if (values.all) return answerCopies(at, values);
  const place = values.place === '-' ? undefined : values.place;
  const snippet = values.place === '-' ? await readSnippet(at) : values.snippet;
  if ((place === undefined) === (snippet === undefined))
    throw new SocraticodeError('BAD_ARGUMENT', 'one of place and snippet is needed', {
      hint: 'A place is a file and a line, such as src/index.ts:42; a snippet is code. Without both, `all` compares everything.',
    });
  const prefix = prefixOf(at.session, at.directory);
  const within = hasFilters(values) ? await (await import('../file-filters.js')).narrow(at, values) : {};
  return searcherOf(at.session).similar({ ...values, ...within, place, snippet, prefix, signal: at.signal });
}

/** Reads code from stdin, up to the longest snippet. Throws BAD_ARGUMENT without code or stdin. */
async function readSnippet({ command }: Asker): Promise<string> {
  let text = '';
  for await (const part of command?.io.stdin ?? []) {
    text += String(part);
    if (text.length > MAX_SNIPPET) break;
  }
  if (text.trim() === '' || text.length > MAX_SNIPPET)
    throw new SocraticodeError('BAD_ARGUMENT', `a snippet has 1 to ${groupDigits(MAX_SNIPPET)} characters`);
  return text;
}

/** Most exact copies of the place that are listed. */
const MAX_COPIES = 5;

export function similarText(
  response: SimilarResponse,
  { pen, values, isCommand }: Writing<{ lines: number; context?: number }>,
): string {
  if (response.copies !== undefined) return copiesText(response.copies, { pen, isCommand });
  const { place } = response;
  // Nothing is highlighted: there is no query.
  const results = resultsText(response, {
    pen,
    matches: () => [],
    lines: values.lines,
    context: values.context,
    compact: !isCommand,
  });
  if (place === null) return results;
  const symbol = place.symbol === null ? '' : ` (${place.symbol})`;
  const copies = place.places ?? [];
  const lines = [
    `like ${placeLine(place)}${symbol}`,
    ...copies.slice(0, MAX_COPIES).map((copy) => `same text: ${placeLine(copy)}`),
    ...(copies.length > MAX_COPIES ? [`(+${formatCount(copies.length - MAX_COPIES, 'more place')})`] : []),
  ];
  return `${pen.dim(lines.join('\n'))}\n\n${results}`;
}

// Copies in a whole snapshot. A function is the multiset of its shingles: runs of tokens, in which names of variables and types, numbers and
// texts are set aside. Names of what is called, and of members, stay: without them, all constructors are alike.

/** Tokens of a shingle. A name that differs changes as many shingles, so longer ones find fewer copies, and shorter ones say less of the order. */
const SHINGLE = 5;
/** Fewest shingles of a function. Shorter ones are alike by chance. */
const MIN_SHINGLES = 30;
/** Words that say how code runs; all other words are names. A word of another language that is taken for one is as good as a kept name. */
const KEYWORDS = new Set(
  (
    'if else elif elsif unless for foreach while until do switch case when match default break continue return yield ' +
    'await async throw raise try catch except rescue finally ensure defer go select with new delete typeof instanceof in is not and or ' +
    'null nil None true false True False this self super def func function fn lambda end begin then'
  ).split(' '),
);

/** A function to compare. */
interface Unit {
  node: number;
  file: number;
  startLine: number;
  endLine: number;
  /** Hash of its tokens as written, without comments and white space. */
  exact: number;
  /** Hashes of its shingles in ascending order. The second of two equal shingles has another hash than the first. */
  shingles: Uint32Array;
  /** Equal for functions of one language with the same shingles: their number and two hashes of them. */
  key: string;
}

/** A hash of 32 bits of a hash and one more number; the order counts. */
const mixed = (hash: number, value: number): number => {
  const product = Math.imul(hash ^ value, 0x85ebca6b);
  return (product ^ (product >>> 15)) >>> 0;
};

/** Tokens that are no hash of a word. Those of signs follow `SIGNS`, by their character code. */
const [NAME, LITERAL, SIGNS] = [1, 2, 3];

/** Hash of a word. `isKept`: its name says what is called, or stands in a text; `own`: the name of the function, which a copy changes. */
function wordToken(word: string, isKept: boolean, own: string): number {
  const code = word.charCodeAt(0);
  if (code >= 48 && code <= 57) return LITERAL;
  return (isKept || KEYWORDS.has(word)) && word !== own ? hashOf(word) : NAME;
}

function endOfWord(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && isNameCode(text.charCodeAt(end), '$')) end++;
  return end;
}

/** `text`: a text on one line; `lines`: one on several; `left-out`: a comment or a description. */
type Sign = 'sign' | 'text' | 'lines' | 'left-out';

/** Kind of what stands between words, by its text. */
function signAt(text: string, at: number, end: number, { before, quotes }: { before: string; quotes: string }): Sign {
  if (!quotes.includes(text[at])) return end === at + 1 ? 'sign' : 'left-out';
  // Three quotes after a colon begin a description.
  if (before === ':' && text[at + 1] === text[at] && end > at + 2) return 'left-out';
  return text.slice(at, end).includes('\n') ? 'lines' : 'text';
}

/** Hashes of the tokens of code, and of the same tokens as written. */
function tokensOf(text: string, lexical: LexicalConventions, own: string): { tokens: number[]; exact: number } {
  const tokens: number[] = [];
  let exact = 0;
  let before = ' ';
  const push = (token: number, from: number, to: number) => {
    tokens.push(token);
    exact = mixed(exact, hashOfPart(text, from, to));
  };
  // A text of several lines is code of another language, such as a query: up to `textEnd` its words and signs are tokens, too.
  for (let at = 0, textEnd = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    const isInText = at < textEnd;
    let end = at + 1;
    if (isNameCode(code, '$@')) {
      end = endOfWord(text, at);
      const isKept = isInText || '.>:'.includes(before) || text[end] === '(';
      push(wordToken(text.slice(at, end), isKept, own), at, end);
    } else if (!isSpace(code)) {
      const after = isInText ? end : skipLiteral(text, at, lexical);
      const sign = isInText ? 'sign' : signAt(text, at, after, { before, quotes: lexical.quotes });
      // Of a text of several lines only the first quote is taken here.
      if (sign === 'lines') textEnd = after;
      else end = after;
      if (sign !== 'left-out') push(sign === 'text' ? LITERAL : SIGNS + code, at, end);
    }
    if (!isSpace(code)) before = text[end - 1];
    at = end;
  }
  return { tokens, exact };
}

/** Shingles in ascending order; null for too few. */
function shinglesOf(tokens: readonly number[]): Uint32Array | null {
  const seen = new Map<number, number>();
  const found: number[] = [];
  for (let at = 0; at + SHINGLE <= tokens.length; at++) {
    let hash = 0;
    for (let i = at; i < at + SHINGLE; i++) hash = mixed(hash * 31, tokens[i]);
    const times = seen.get(hash) ?? 0;
    seen.set(hash, times + 1);
    found.push(times === 0 ? hash : mixed(hash, times + 7));
  }
  // A table of calls that repeat is data, and long without saying much.
  return seen.size < MIN_SHINGLES ? null : Uint32Array.from(found).sort();
}

/** Functions around one that is compared. Deeper ones are left out, so that the time is linear in the text. */
const MAX_AROUND = 6;

function isTooDeep(graph: Graph, node: number): boolean {
  let around = 0;
  for (let outer = graph.container(node); !graph.isFile(outer); outer = graph.container(outer))
    if (isFunction(graph, outer) && ++around > MAX_AROUND) return true;
  return false;
}

function unitsIn(graph: Graph, file: number, text: string, { tests, minLines }: SimilarValues): Unit[] {
  const { language } = graph.tables.files[file];
  const lexical = rulesOf(language).relations?.lexical;
  if (lexical === undefined) return [];
  const lines = text.split('\n');
  const found: Unit[] = [];
  for (let node = graph.fileNode(file) + 1; node < graph.tables.nodeBase[file + 1]; node++) {
    const [startLine, endLine] = [graph.startLine(node), Math.min(graph.endLine(node), lines.length)];
    if (!isFunction(graph, node) || startLine === 0 || endLine - startLine + 1 < minLines) continue;
    if ((!tests && isTestCode(graph, node)) || isTooDeep(graph, node)) continue;
    const code = lines.slice(startLine - 1, endLine).join('\n');
    const { tokens, exact } = tokensOf(code, lexical, graph.name(node));
    const shingles = shinglesOf(tokens);
    if (shingles === null) continue;
    const key = `${language} ${shingles.length} ${shingles.reduce(mixed, 1)} ${shingles.reduce(mixed, 2)}`;
    found.push({ node, file, startLine, endLine, exact, shingles, key });
  }
  return found;
}

/** Functions that have the same shingles. */
interface Same {
  units: Unit[];
  shingles: Uint32Array;
  language: string;
}

/** Shingles that both have, as a share of those that either has. */
function shareOf(a: Uint32Array, b: Uint32Array): number {
  let [i, j, common] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) [i, j, common] = [i + 1, j + 1, common + 1];
    else if (a[i] < b[j]) i++;
    else j++;
  }
  return common / (a.length + b.length - common);
}

/** Counters of shingles, which tell rare ones from common ones. Two shingles may share one: that costs time and changes no answer. */
const COUNTERS = 1 << 20;
/** Functions that are compared between looks at what else waits. */
const FUNCTIONS_A_TURN = 32;

/**
 * Groups in which each function has the share in common with the first. Those that begin a group are found by their rarest shingles: two sets
 * of which a share `t` is common have one of the rarest `n - t * n + 1` in common, so that nothing is missed and few pairs are compared.
 */
async function groupsOf(
  sames: readonly Same[],
  { minShare, signal }: { minShare: number; signal: AbortSignal | undefined },
): Promise<{ members: Same[]; share: number }[]> {
  const counts = new Uint32Array(COUNTERS);
  for (const { shingles } of sames) for (const shingle of shingles) counts[shingle % COUNTERS]++;
  const rarest = ({ shingles }: Same) => {
    const length = shingles.length - Math.ceil(minShare * shingles.length - 1e-9) + 1;
    const sorted = [...shingles].sort((a, b) => counts[a % COUNTERS] - counts[b % COUNTERS] || a - b);
    return sorted.slice(0, length);
  };
  const groups: { members: Same[]; share: number }[] = [];
  const beginning = new Map<number, number[]>();
  for (const [i, same] of sames.entries()) {
    if (i % FUNCTIONS_A_TURN === 0) await nextTurn();
    signal?.throwIfAborted();
    const keys = rarest(same);
    let [best, bestShare] = [-1, 0];
    for (const candidate of new Set(keys.flatMap((key) => beginning.get(key) ?? []))) {
      const [first] = groups[candidate].members;
      const [small, large] = [first.shingles.length, same.shingles.length].sort((a, b) => a - b);
      if (first.language !== same.language || small < minShare * large) continue;
      const share = shareOf(first.shingles, same.shingles);
      if (share >= minShare && share > bestShare) [best, bestShare] = [candidate, share];
    }
    if (best >= 0) {
      groups[best].members.push(same);
      groups[best].share = Math.min(groups[best].share, bestShare);
      continue;
    }
    for (const key of keys) addTo(beginning, key, groups.length);
    groups.push({ members: [same], share: 1 });
  }
  return groups;
}

const isWithin = (inner: Unit, outer: Unit): boolean =>
  inner !== outer &&
  inner.file === outer.file &&
  inner.startLine >= outer.startLine &&
  inner.endLine <= outer.endLine &&
  (inner.node > outer.node || inner.startLine > outer.startLine || inner.endLine < outer.endLine);

const linesOf = ({ startLine, endLine }: Unit): number => endLine - startLine + 1;

interface Found {
  units: Unit[];
  share: number;
  saved: number;
}

/** Groups with the most lines to save first. What stands inside of copies is no group of its own. */
function largestFirst(groups: readonly { members: Same[]; share: number }[]): Found[] {
  const all = groups.flatMap(({ members, share }): Found[] => {
    const inside = members.flatMap(({ units }) => units);
    const byFile = groupBy(inside, ({ file }) => file);
    const units = inside.filter((unit) => !byFile.get(unit.file)?.some((other) => isWithin(unit, other)));
    if (units.length < 2) return [];
    const lines = units.map(linesOf);
    return [{ units, share, saved: lines.reduce((sum, one) => sum + one, 0) - Math.max(...lines) }];
  });
  all.sort((a, b) => b.saved - a.saved || a.units[0].node - b.units[0].node);
  const listed = new Map<number, Unit[]>();
  return all.filter(({ units }) => {
    if (units.every((unit) => listed.get(unit.file)?.some((outer) => isWithin(unit, outer)))) return false;
    for (const unit of units) addTo(listed, unit.file, unit);
    return true;
  });
}

async function answerCopies(at: Asker, values: SimilarValues): Promise<SimilarResponse> {
  if (values.place !== undefined || values.snippet !== undefined)
    throw new SocraticodeError('BAD_ARGUMENT', 'all compares everything: give no place and no snippet with it', {
      hint: 'path and lang say which files are compared.',
    });
  const within = hasFilters(values) ? await (await import('../file-filters.js')).narrow(at, values) : {};
  return retried(at.session, targetRef(values), () => copiesOnce(at, values, within.within));
}

async function copiesOnce(
  at: Asker,
  values: SimilarValues,
  within: ((path: string) => boolean) | undefined,
): Promise<SimilarResponse> {
  const { openGraph } = await import('../graph/snapshot-graph.js');
  const isCommitted = workTreeUse(values) !== 'included';
  const { graph, objects, header } = await openGraph(at, { ...values, committed: isCommitted });
  const { files } = graph.tables;
  checkGlobs(
    values.path,
    files.map(({ path }) => path),
    'indexed file',
  );
  const matches = pathFilter({ path: values.path, within });
  const languages = new Set((await withIds({ lang: values.lang })).lang);
  const accepted = [...files.keys()].filter((file) => {
    const { path, language } = files[file];
    if (!isOnMap(graph, file) && !(values.tests === true && isTest(graph, file))) return false;
    return matches(path) && (languages.size === 0 || languages.has(language ?? ''));
  });
  await Promise.all([...new Set(accepted.map((file) => files[file].language))].map(loadRules));
  const bySet = new Map<string, Same>();
  let functions = 0;
  for (const file of accepted) {
    at.signal?.throwIfAborted();
    const text = (await objects.read(files[file].oid))?.content.toString('utf8') ?? '';
    for (const unit of unitsIn(graph, file, text, values)) {
      functions++;
      const known = bySet.get(unit.key);
      if (known !== undefined) known.units.push(unit);
      else bySet.set(unit.key, { units: [unit], shingles: unit.shingles, language: files[file].language ?? '' });
    }
  }
  // Functions with most copies begin the groups, then the longest.
  const sames = [...bySet.values()].sort(
    (a, b) =>
      b.units.length - a.units.length || b.shingles.length - a.shingles.length || a.units[0].node - b.units[0].node,
  );
  const found = largestFirst(await groupsOf(sames, { minShare: values.minShare, signal: at.signal }));
  const limit = values.limit ?? LISTED_GROUPS;
  const copies = {
    compared: { files: accepted.length, functions },
    groups: found.length,
    functions: found.reduce((sum, { units }) => sum + units.length, 0),
    saved: found.reduce((sum, { saved }) => sum + saved, 0),
    list: found.slice(0, limit).map((group) => groupOf(graph, group)),
    leftOut: Math.max(0, found.length - limit),
  };
  return { ...header, place: null, vectors: { covered: 0, total: 0, reason: null }, copies, results: [] };
}

/** Groups that are listed without a limit. */
const LISTED_GROUPS = 20;

function groupOf(graph: Graph, { units, share, saved }: Found): CopyGroup {
  const isSame = units.every(({ exact }) => exact === units[0].exact);
  const places = units.map(({ node, startLine, endLine }) => {
    const { path, symbol } = placeOf(graph, node);
    return { path, symbol, startLine, endLine };
  });
  return {
    likeness: isSame ? 'same' : share === 1 ? 'renamed' : 'near',
    share: Number(share.toFixed(2)),
    saved,
    places,
  };
}

/** Places of a group that a text shows. */
const MAX_PLACES = 8;

function copiesText(
  copies: NonNullable<SimilarResponse['copies']>,
  { pen, isCommand }: { pen: Pen; isCommand: boolean },
): string {
  const { compared, groups, functions, saved, list, leftOut } = copies;
  const all = `${formatCount(compared.functions, 'function')} in ${formatCount(compared.files, 'file')}`;
  if (groups === 0) return `no copies among ${all}\n`;
  const head = `${formatCount(groups, 'group')} of copies: ${formatCount(functions, 'function')}; with one of each kept, ${formatCount(saved, 'line')} less`;
  const lines = list.flatMap(({ likeness, share, saved: less, places }) => {
    const how =
      likeness === 'near'
        ? `${Math.floor(share * 100)}% alike`
        : likeness === 'same'
          ? 'the same'
          : 'the same but for names and texts';
    const shown = places.slice(0, MAX_PLACES).map(({ path, symbol, startLine, endLine }) => {
      return `  ${pen.path(path)}:${pen.line(`${startLine}-${endLine}`)}  ${pen.symbol(symbol ?? '')}`;
    });
    const rest =
      places.length > MAX_PLACES ? [pen.dim(`  (+${formatCount(places.length - MAX_PLACES, 'more place')})`)] : [];
    return [
      '',
      `${formatCount(less, 'line')} less: ${formatCount(places.length, 'function')}, ${how}`,
      ...shown,
      ...rest,
    ];
  });
  const foot = [`compared: ${all}${isCommand ? `; tests, too: ${optionText('tests')}` : ''}`];
  if (leftOut > 0) foot.unshift(`${formatCount(leftOut, 'more group')}${isCommand ? `: ${optionText('limit')}` : ''}`);
  return `${[pen.dim(head), ...lines, '', ...foot.map((line) => pen.dim(line))].join('\n')}\n`;
}
