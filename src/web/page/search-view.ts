/**
 * Search as you type: results with their code, keys that move among them, and the facets that narrow them. Also the fleet:
 * search in the repositories that others have published, and their files, as they were published.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { forgeOf } from '../../git/forge.js';
import type { FleetFileDocument, FleetReposDocument } from '../../questions/fleet/question.js';
import type { CommitsDocument, FleetSearchDocument } from '../../questions/search/output.js';
import type { SearchResponse } from '../../questions/search/question.js';
import type { ResultDocument } from '../../questions/shared-output.js';
import type { MarkedLines, Overview } from '../answers.js';
import { addressOf, answer, changedAddress, currentRoute, goTo, type Loaded, readAddress } from './api.js';
import { bestLines, codeBlock, markerOf, splitAtMarks, wordsOf } from './code.js';
import { chooseLines, languageOf, linesOf, overview } from './read-view.js';
import {
  commitLink,
  count,
  counted,
  day,
  FirstScreen,
  facets,
  forgeLink,
  listOf,
  nameText,
  pathText,
  plural,
  refInUse,
  short,
  type Template,
  waiting,
  when,
} from './widgets.js';

const LIMIT = 30;
/** Results while one types: more than a screen of them. */
const FEW = 10;
/** Pause after the last key before the full search, which takes longer. */
const PAUSE_MS = 350;
/** Milliseconds after which a slow answer is announced. */
const SLOW_MS = 100;

/** Least height of a result with code, in CSS pixels. */
const RESULT_PX = 120;

/** The query of the last full search; null before the first one. Another query is searched cheaply until a pause or Enter. */
let settled: string | null = null;
let pause = 0;
let slow = 0;
const firstScreen = new FirstScreen<Result>(RESULT_PX);
/** Words to mark in each result: those of its query. */
const marks = new WeakMap<Result, readonly string[]>();

export function searchView(): TemplateResult {
  const { params } = currentRoute();
  const query = params.get('q') ?? '';
  const found = { words: wordsFound, exact: linesFound, pattern: linesFound, commits: commitsFound };
  const below = query.trim() === '' ? overview() : found[wayOf(params)](query, params);
  const { hint } = WAYS[wayOf(params)];
  const about = { title: 'Search', label: 'Search this repository', hint, typed };
  return searchPage(query, about, [ways(params), below]);
}

/** Ways to search, as the address names them. */
const WAYS = {
  words: { label: 'Words', isOfLines: false, hint: 'Search names, words or a question' },
  exact: { label: 'Exact text', isOfLines: true, hint: 'Search an exact text' },
  pattern: { label: 'Regex', isOfLines: true, hint: 'Search a regular expression, such as close(All)?\\(' },
  commits: { label: 'Commits', isOfLines: false, hint: 'Search messages of commits' },
} as const;

type Way = keyof typeof WAYS;

const wayOf = (params: URLSearchParams): Way => {
  const way = params.get('what') ?? '';
  return Object.hasOwn(WAYS, way) ? (way as Way) : 'words';
};

/** The ways as links, so that each has an address, and what changes how a line is matched. */
function ways(params: URLSearchParams): TemplateResult {
  const now = wayOf(params);
  const links = Object.entries(WAYS).map(
    ([way, { label }]) =>
      html`<li><a href=${changedAddress({ what: way === 'words' ? null : way })} aria-current=${way === now ? 'true' : nothing}>${label}</a></li>`,
  );
  const box = (name: string, label: string) =>
    html`<label><input type="checkbox" .checked=${params.get(name) === 'yes'}
      @change=${() => goTo(changedAddress({ [name]: params.get(name) ? null : 'yes' }))}> ${label}</label>`;
  return html`<div class="tools"><nav aria-label="Ways to search"><ul class="ways">${links}</ul></nav>
    ${WAYS[now].isOfLines ? [box('case', 'Match case'), box('word', 'Whole words')] : nothing}</div>`;
}

function searchPage(
  query: string,
  { title, label, hint = label, typed }: { title: string; label: string; hint?: string; typed: (event: Event) => void },
  below: Template | readonly Template[],
): TemplateResult {
  return html`<section class="search">
    <h1 class="hidden">${title}</h1>
    <form role="search" @submit=${toResults}>
      <label class="hidden" for="query">${label}</label>
      <input id="query" type="search" .value=${query} placeholder=${hint} autocomplete="off"
        autocapitalize="off" spellcheck="false" enterkeyhint="search" @input=${typed} @keydown=${fromQuery}>
    </form>
    ${below}
  </section>`;
}

/** Searches by words at each key, and by meaning as well after a pause. */
function typed({ target }: Event): void {
  const query = (target as HTMLInputElement).value;
  clearTimeout(pause);
  clearTimeout(slow);
  settled ??= '';
  const address = changedAddress({ q: query, n: null });
  const awaited = () => query.trim() !== '' && answerTo(query, currentRoute().params).isLoading;
  const draw = () => goTo(changedAddress({ q: query, n: null }), { types: true });
  // Meanwhile the reader may have opened a result, or chosen a facet.
  const isHere = () => currentRoute().view === '/' && currentRoute().params.get('q') === query;
  // Asks first and draws when the answer arrives: drawing before that as well delayed the answer.
  if (isCostly(query)) goTo(address, { types: true, draws: false });
  else if (awaited()) {
    slow = after(SLOW_MS, () => isHere() && awaited() && draw());
    goTo(address, { types: true, draws: false });
  } else draw();
  pause = after(PAUSE_MS, () => {
    settled = query;
    if (isHere()) draw();
  });
}

/** True for so few letters that they stand in most files: lines with them are looked for after the pause. */
const isCostly = (query: string): boolean =>
  ['exact', 'pattern'].includes(wayOf(currentRoute().params)) && query.trim().length < 3 && query.trim() !== '';

const after = (ms: number, what: () => void): number => setTimeout(what, ms) as unknown as number;

/** The values that narrow a search, in the current address. `globs`: paths inside the chosen folder. */
function valuesOf(params: URLSearchParams, globs: readonly string[]): object {
  const text = (name: string) => params.get(name) ?? undefined;
  const folder = text('folder');
  const below = folder === undefined ? '' : `${folder.replace(/[\\*?[\]{}!()]/g, '\\$&')}/`;
  return {
    ...{ ref: text('ref'), in: text('in'), author: text('author'), since: text('since'), is: listOf(params, 'is') },
    path:
      folder === undefined && globs.length === 0
        ? undefined
        : (globs.length === 0 ? ['**'] : globs).map((glob) => below + glob),
  };
}

/** The answer to a query, asked for unless it is cached. */
function answerTo(query: string, params: URLSearchParams): Loaded<SearchResponse | CommitsDocument | MarkedLines> {
  const way = wayOf(params);
  const isTyped = settled !== null && settled !== query;
  // A reader who follows a link or goes back has typed nothing.
  settled ??= query;
  if (way === 'commits') {
    const ref = params.get('ref') ?? undefined;
    return answer<CommitsDocument>('search', { query, commits: true, limit: LIMIT, ref }, 'commits');
  }
  if (way !== 'words') {
    const limit = isTyped ? FEW_LINES : Number(params.get('n') ?? LINES_LISTED);
    return answer<MarkedLines>('grep', { ...patternValues(query, params), limit }, 'lines');
  }
  // While one types, a cheap search: vectors and commit messages follow after the pause.
  const cheap = isTyped ? { mode: 'lexical', noHistory: true, limit: FEW } : { limit: LIMIT };
  const narrow = { ...valuesOf(params, []), lang: listOf(params, 'lang'), kind: listOf(params, 'kind') };
  return answer<SearchResponse>('search', { query, ...narrow, ...cheap }, 'search');
}

function wordsFound(query: string, params: URLSearchParams): TemplateResult {
  const loaded = answerTo(query, params) as Loaded<SearchResponse>;
  const { document: response } = loaded;
  return html`<div class="columns">
    ${facets(response?.results ?? [])}
    <div class="main">
      ${waiting(loaded, 'Searching')}
      ${response === undefined ? nothing : results(response, loaded)}
    </div>
  </div>`;
}

function results(response: SearchResponse, { isLoading }: Loaded<unknown>): TemplateResult {
  const { results: list, coverage, corrections = {}, range } = response;
  const words = [...wordsOf(response.query), ...Object.values(corrections).flat()];
  for (const result of list) if (!marks.has(result)) marks.set(result, words);
  const partial = coverage.covered < coverage.total ? ` of ${coverage.covered} of ${coverage.total} files` : '';
  const files = new Set(list.map(({ path }) => path)).size;
  const more = list.length === FEW || list.length >= LIMIT ? 'the best ' : '';
  const narrowed = range === undefined ? '' : `, in ${plural(range.files, 'changed file')}`;
  return html`<p class="quiet" role="status">${
    list.length === 0
      ? `Nothing found${partial}${narrowed}.`
      : `${more}${plural(list.length, 'result')} in ${plural(files, 'file')}${partial}${narrowed}`
  }</p>
  ${corrected(corrections)}
  <ol class=${`results${isLoading ? ' stale' : ''}`} data-query=${response.query} @keydown=${moveAmongResults}>${firstScreen
    .of(list)
    .map((result) =>
      resultItem(result, { words: marks.get(result) ?? words, address: (lines) => readAddress(result.path, lines) }),
    )}</ol>`;
}

function corrected(corrections: Readonly<Record<string, readonly string[]>>): Template {
  const all = Object.entries(corrections);
  if (all.length === 0) return nothing;
  return html`<p class="quiet">${all.map(([word, instead]) => html`“${word}” does not occur here; searched for ${instead.join(', ')}. `)}</p>`;
}

function commitsFound(query: string, params: URLSearchParams): TemplateResult {
  const loaded = answerTo(query, params) as Loaded<CommitsDocument>;
  const list = loaded.document?.results ?? [];
  const marker = markerOf(wordsOf(query));
  const marked = (text: string) =>
    marker === null
      ? text
      : splitAtMarks(text, marker).map((part, i) => (i % 2 === 1 ? html`<mark>${part}</mark>` : part));
  return html`<div class="main">${waiting(loaded, 'Searching commits')}
    <ol class="results">${list.map(
      (
        one,
      ) => html`<li class="result"><h2>${commitLink(one.commit, one.subject ? marked(one.subject) : one.commit)}</h2>
        <p class="facts"><span>${one.author}</span> <span>${day(one.date)}</span> <span><code>${short(one.commit)}</code></span></p></li>`,
    )}</ol></div>`;
}

// Lines that hold an exact text or match a regular expression, below their files.

/** Lines listed while one types, after the pause, and at most. */
const [FEW_LINES, LINES_LISTED, MOST_LINES] = [40, 200, 1_000];
/** Lines of a file that are shown at once. */
const ROWS = 20;
/** Most files of which a list with counts is asked for. */
const MOST_FILES = 10_000;

function patternValues(query: string, params: URLSearchParams): object {
  const isYes = (name: string) => params.get(name) === 'yes' || undefined;
  const globs = (listOf(params, 'lang') ?? []).flatMap(globsOf);
  return {
    ...{ pattern: query, fixed: wayOf(params) === 'exact' || undefined, words: isYes('word') },
    ...{ ignoreCase: !isYes('case') || undefined, ...valuesOf(params, globs) },
  };
}

/** Patterns of paths of a language, by the endings that its files have here; some names, such as Makefile, have none. */
function globsOf(language: string): string[] {
  const { endings = {} } = answer<Overview>('overview', { ref: refInUse() }).document ?? {};
  const own = Object.keys(endings).filter((ending) => endings[ending] === language);
  return own.flatMap((ending) => (ending.includes('/') ? [ending] : [`**/*.${ending}`, `**/${ending}`]));
}

function linesFound(query: string, params: URLSearchParams): TemplateResult {
  const loaded = answerTo(query, params) as Loaded<MarkedLines>;
  const { document: found, failure } = loaded;
  const isWhole = found === undefined || found.hitsLeftOut === 0 || settled !== query;
  const values = { ...patternValues(query, params), count: true, limit: MOST_FILES };
  // The counts of all files, for the facets, since the lines of most of them are not listed.
  const counts = isWhole ? undefined : answer<MarkedLines>('grep', values, 'counts of lines').document?.files;
  const files = counts ?? filesOf(found).map(({ path, rows }) => ({ path, hits: rows.length }));
  // Half of an expression is no fault yet.
  const isHalf = failure?.code === 'BAD_ARGUMENT';
  return html`<div class="columns">
    ${facets(files.map(({ path }) => ({ path, language: languageOf(path) })))}
    <div class="main">
      ${isHalf ? html`<p class="quiet" role="status">${failure.message}</p>` : waiting(loaded, 'Searching every line')}
      ${found === undefined ? nothing : lines(found, { isLoading: loaded.isLoading, counts: new Map(files.map(({ path, hits }) => [path, hits])) })}
    </div>
  </div>`;
}

type Hit = NonNullable<MarkedLines['hits']>[number];

interface HitRow extends Pick<Hit, 'line' | 'text' | 'symbol'> {
  spans: MarkedLines['marks'][number];
}

interface HitFile {
  path: string;
  uncommitted: boolean;
  rows: HitRow[];
}

/** The hits by files, in their order. */
function filesOf(found: MarkedLines | undefined): HitFile[] {
  const files = new Map<string, HitFile>();
  for (const [i, { path, line, symbol, text, uncommitted = false }] of (found?.hits ?? []).entries()) {
    const file = files.get(path) ?? { path, uncommitted, rows: [] };
    files.set(path, file);
    let start = 0;
    // A match may span lines.
    for (const [at, one] of text.split('\n').entries()) {
      const from = start;
      const spans = (found?.marks[i] ?? []).map(([begin, end]): [number, number] => [begin - from, end - from]);
      file.rows.push({
        line: line + at,
        text: one,
        symbol,
        spans: spans.filter(([begin, end]) => end > 0 && begin < one.length),
      });
      start += one.length + 1;
    }
  }
  return [...files.values()];
}

function lines(
  found: MarkedLines,
  { isLoading, counts }: { isLoading: boolean; counts: ReadonlyMap<string, number> },
): TemplateResult {
  const { total, hits = [], hitsLeftOut = 0, range, coverage } = found;
  const unread = coverage.total - coverage.covered;
  const listed = hitsLeftOut === 0 ? '' : `; the first ${hits.length.toLocaleString('en')} are listed`;
  const narrowed = range === undefined ? '' : ', of new or changed lines';
  const more = settled !== null && hitsLeftOut > 0;
  return html`<p class="quiet" role="status">${
    total.hits === 0 ? 'No line matches' : `${plural(total.hits, 'line')} in ${plural(total.files, 'file')}`
  }${narrowed}${listed}.${unread > 0 ? ` ${plural(unread, 'file')} could not be searched.` : ''}</p>
  <ol class=${`results lines${isLoading ? ' stale' : ''}`} @keydown=${moveAmongResults}>${filesOf(found).map((file) => hitFile(file, counts))}</ol>
  ${
    more && hits.length < MOST_LINES
      ? html`<p><a class="tool" href=${changedAddress({ n: MOST_LINES })}>Show up to ${MOST_LINES.toLocaleString('en')} lines</a></p>`
      : nothing
  }
  ${more && hits.length >= MOST_LINES ? html`<p class="quiet">Choose a folder or a language for the other ${plural(hitsLeftOut, 'line')}.</p>` : nothing}`;
}

function hitFile({ path, uncommitted, rows }: HitFile, counts: ReadonlyMap<string, number>): TemplateResult {
  const rest = rows.slice(ROWS);
  return html`<li class="result">
    <h2><a href=${readAddress(path, { start: rows[0].line })}><span>${pathText(path)}</span></a>
      <span class="count">${plural(counts.get(path) ?? rows.length, 'line')}</span>${uncommitted ? html` <span class="warn">uncommitted</span>` : nothing}</h2>
    ${hitRows(path, rows.slice(0, ROWS))}
    ${rest.length === 0 ? nothing : html`<details><summary>${plural(rest.length, 'further line')}</summary>${hitRows(path, rest)}</details>`}
  </li>`;
}

/** Columns before a match beyond which a line begins shortly before it, so that the match is in sight. */
const [FAR, NEAR] = [70, 30];

function fromMatch(row: HitRow, indent: number): HitRow {
  const first = row.spans[0]?.[0] ?? 0;
  const isFar = first - indent > FAR;
  const from = isFar ? first - NEAR : indent;
  // The dots take a column.
  const shift = isFar ? from - 1 : from;
  const spans = row.spans.map(([start, end]): [number, number] => [start - shift, end - shift]);
  return { ...row, text: `${isFar ? '…' : ''}${row.text.slice(from)}`, spans };
}

/** Lines of a file, each run of them below the symbol around it. */
function hitRows(path: string, rows: readonly HitRow[]): TemplateResult {
  // Without the indentation that all of them share: on a telephone it would be half of what is seen.
  const indent = Math.min(...rows.map(({ text }) => text.search(/\S|$/)));
  const shown = rows.map((row) => fromMatch(row, indent));
  return codeBlock({
    ...{ text: shown.map(({ text }) => text).join('\n'), language: languageOf(path), first: 1 },
    label: `Lines of ${path}`,
    lines: shown.map(({ line, spans, symbol }, i) => {
      return { line, spans, above: symbol === (rows[i - 1]?.symbol ?? null) ? null : (symbol ?? 'top level') };
    }),
    address: (line) => readAddress(path, { start: line }),
  });
}

// A result with its code, and the keys that move among results.

type Result = Pick<ResultDocument, 'path' | 'startLine' | 'endLine' | 'symbol' | 'kind' | 'language'> &
  Partial<Pick<ResultDocument, 'places' | 'also' | 'content' | 'contentLine' | 'uncommitted'>>;

interface Shown {
  /** Words to mark. */
  words: readonly string[];
  /** Address of lines of the result's file. */
  address: (lines: { start: number; end?: number }) => string;
  /** Further facts, before the kind. */
  facts?: Template;
}

function resultItem(result: Result, { words, address, facts = nothing }: Shown): TemplateResult {
  const {
    path,
    startLine,
    endLine,
    symbol,
    kind,
    language,
    content,
    contentLine = startLine,
    uncommitted,
    places = [],
    also = [],
  } = result;
  const shown = bestLines(content ?? '', words);
  const others = new Set([path, ...places.map((place) => place.path)]).size - 1;
  return html`<li class="result">
    <h2><a href=${address({ start: startLine, end: endLine })}>${symbol === null ? nothing : html`<b>${nameText(symbol)}</b> `}<span>${pathText(path)}:${startLine}</span></a></h2>
    <p class="facts">${facts}<span>${kind}</span> <span>${language}</span>${uncommitted ? html` <span class="warn">uncommitted</span>` : nothing}
      ${others > 0 ? html` <span>the same text in ${plural(others, 'other file')}</span>` : nothing}</p>
    ${
      content === undefined
        ? nothing
        : codeBlock({
            text: shown.text,
            language,
            first: contentLine + shown.skipped,
            words,
            label: `Code of ${path}:${startLine}`,
            address: (line) => address({ start: line }),
          })
    }
    ${also.length === 0 ? nothing : alsoLine(also, address)}
  </li>`;
}

function alsoLine(also: NonNullable<Result['also']>, address: Shown['address']): TemplateResult {
  const links = also.map(
    ({ symbol, startLine, endLine }, i) =>
      html`${i === 0 ? '' : ', '}<a href=${address({ start: startLine, end: endLine })}>${nameText(symbol)}</a>`,
  );
  return html`<p class="facts">also in this file: ${links}</p>`;
}

/** True if Enter was pressed before there was a result to go to. */
let isAwaited = false;

/** Searches at once and goes to the first result, at Enter. */
function toResults(event: Event): void {
  event.preventDefault();
  const query = document.querySelector<HTMLInputElement>('#query')?.value ?? '';
  if (currentRoute().view === '/') {
    const isNew = settled !== null && settled !== query;
    if (isNew) clearTimeout(pause);
    if (isNew) settled = query;
    goTo(changedAddress({ q: query }), { replace: true, draws: isNew });
  }
  isAwaited = !focusResult(0);
}

/** Called after each draw: takes the reader who pressed Enter to the results that have arrived. */
export function afterResults(): void {
  if (isAwaited && document.activeElement?.id === 'query') isAwaited = !focusResult(0);
}

/** Keys stop at the title of each result, and at each line of those that list lines. */
const STOPS = 'main .result:not(.lines *) :is(h2, h3):first-of-type a:first-of-type, .lines .row .no';

const stops = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(STOPS)].filter((stop) => stop.checkVisibility());

function focusResult(at: number): boolean {
  const stop = stops().at(at);
  stop?.focus();
  stop?.scrollIntoView({ block: 'nearest' });
  return stop !== undefined;
}

/** Moves from result to result; from elsewhere on the page to the first one, and before that to the query. */
export function stepResult(step: number): void {
  const all = stops();
  const at = all.indexOf(document.activeElement as HTMLElement);
  if (at + step < 0) document.getElementById('query')?.focus();
  else focusResult(Math.min(at + step, all.length - 1));
}

/** Leaves the query for the results, without emptying it: at the arrow key down and at Escape. */
function fromQuery(event: KeyboardEvent): void {
  if (event.key !== 'ArrowDown' && event.key !== 'Escape') return;
  event.preventDefault();
  if (!focusResult(0)) (event.target as HTMLElement).blur();
}

function moveAmongResults(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || event.ctrlKey || event.metaKey || !stops().includes(event.target as HTMLElement)) return;
  event.preventDefault();
  stepResult(step);
}

/** Most repositories that are listed. */
const MAX_LISTED = 100;
/** Pause after the last key before the fleet is asked: it may be far away. */
const FLEET_PAUSE_MS = 250;

export function fleetView(): TemplateResult {
  const { params } = currentRoute();
  const query = params.get('q') ?? '';
  const label = 'Search the repositories of the fleet';
  const below = query.trim() === '' ? repositories(params) : foundInFleet(query, params);
  return searchPage(
    query,
    { title: 'Search the fleet', label, typed: typedForFleet },
    html`<div class="columns">${below}</div>`,
  );
}

function typedForFleet({ target }: Event): void {
  clearTimeout(pause);
  const address = changedAddress({ q: (target as HTMLInputElement).value });
  pause = after(FLEET_PAUSE_MS, () => goTo(address, { types: true }));
}

function narrowed(results: FleetSearchDocument['results']): TemplateResult {
  const isWide = matchMedia('(min-width: 60rem)').matches;
  return html`<details class="facets" ?open=${isWide}><summary>Narrow</summary>
    ${field('repo', { label: 'Repositories', placeholder: 'all, or acme/*' })}
    ${field('at', { label: 'Branch, tag or commit', placeholder: 'default branches' })}
    ${counted('Language', 'lang', count(results.map(({ language }) => language)))}
    ${counted('Kind', 'kind', count(results.map(({ kind }) => kind)))}
  </details>`;
}

function field(name: string, { label, placeholder }: { label: string; placeholder: string }): TemplateResult {
  const change = ({ target }: Event) =>
    goTo(changedAddress({ [name]: (target as HTMLInputElement).value.trim() || null }));
  return html`<div class="facet"><label for=${`fleet-${name}`}>${label}</label>
    <input id=${`fleet-${name}`} type="text" autocomplete="off" spellcheck="false" placeholder=${placeholder}
      .value=${currentRoute().params.get(name) ?? ''} @change=${change}></div>`;
}

function foundInFleet(query: string, params: URLSearchParams): TemplateResult {
  const [repo, lang, kind] = ['repo', 'lang', 'kind'].map((name) => listOf(params, name));
  const values = { query, repo, lang, kind, ref: params.get('at') ?? undefined, limit: LIMIT };
  const loaded = answer<FleetSearchDocument>('fleet search', values, 'fleet');
  const response = loaded.document;
  return html`${narrowed(response?.results ?? [])}
    <div class="main">${waiting(loaded, 'Asking the fleet')}${response === undefined ? nothing : fleetResults(response, loaded)}</div>`;
}

function fleetResults(
  { results: list, fleet, query }: FleetSearchDocument,
  { isLoading }: Loaded<unknown>,
): TemplateResult {
  const words = wordsOf(query);
  const without =
    fleet.withoutRef > 0
      ? `; ${plural(fleet.withoutRef, 'repository').replace(/ys$/, 'ies')} have not published this ref`
      : '';
  const where = `${fleet.searched.toLocaleString('en')} ${fleet.searched === 1 ? 'repository' : 'repositories'}${without}`;
  const counts =
    list.length === 0 ? `Nothing found in ${where}.` : `The best ${plural(list.length, 'result')} of ${where}`;
  return html`<p class="quiet" role="status">${counts}</p>
    <ol class=${`results${isLoading ? ' stale' : ''}`} @keydown=${moveAmongResults}>${list.map((one) =>
      resultItem(one, {
        words,
        address: (lines) => fleetAddress(one, lines),
        facts: html`<span><b>${nameText(one.repo)}</b></span> <span>${one.ref}</span> <span><code>${short(one.commit)}</code> ${when(one.publishedAt)}</span> `,
      }),
    )}</ol>`;
}

/** The repositories that may be searched, or those that the filter leaves. */
function repositories(params: URLSearchParams): TemplateResult {
  const values = { repo: listOf(params, 'repo'), limit: MAX_LISTED };
  const loaded = answer<FleetReposDocument>('fleet repos', values, 'fleet repos');
  const list = loaded.document?.results ?? [];
  const rest = loaded.document?.resultsLeftOut ?? 0;
  return html`${narrowed([])}<div class="main">${waiting(loaded, 'Asking the fleet')}
    ${loaded.document !== undefined && list.length === 0 ? html`<p class="quiet">No repository that you may read is published here.</p>` : nothing}
    <ul class="plain repositories">${list.map(
      (one) => html`<li><a href=${changedAddress({ repo: one.repo })}><b>${nameText(one.repo)}</b></a>
        <p class="facts"><span>${one.ref}</span> <span><code>${short(one.commit)}</code> ${when(one.publishedAt)}</span>
          <span>${plural(one.files, 'file')}</span> <span>${plural(one.refs.length + one.refsLeftOut, 'published ref')}</span></p></li>`,
    )}</ul>${rest > 0 ? html`<p class="quiet">and ${rest.toLocaleString('en')} more</p>` : nothing}</div>`;
}

function fleetAddress(
  { repo, ref, path }: { repo: string; ref: string; path: string },
  { start, end = start }: { start: number; end?: number },
): string {
  return addressOf('/fleet/read', { repo, path, at: ref, lines: end > start ? `${start}-${end}` : start });
}

export function fleetReader(): TemplateResult {
  const { params } = currentRoute();
  const [repo, path] = [params.get('repo') ?? '', params.get('path') ?? ''];
  const loaded = answer<FleetFileDocument>('fleet file', { repo, path, ref: params.get('at') ?? undefined });
  return html`<section class="read">
    <h1 class="hidden">${path}</h1>
    <nav class="crumbs" aria-label="Repository"><a href=${addressOf('/fleet', { repo })}>${nameText(repo)}</a><span aria-hidden="true">/</span><h2>${pathText(path)}</h2></nav>
    ${waiting(loaded, 'Reading')}
    ${loaded.document === undefined ? nothing : file(loaded.document, params)}
  </section>`;
}

function file(document: FleetFileDocument, params: URLSearchParams): Template {
  const { repo, ref, commit, path, language, publishedAt, content = '', lines: total = 0 } = document;
  const lines = linesOf(params.get('lines'));
  return html`<div class="tools">
      <span>${plural(total, 'line')}, ${language}</span>
      <span>${ref} <code>${short(commit)}</code>, published ${when(publishedAt)}</span>
      ${forgeLink(path, commit, lines, { forge: forgeOf(`https://${repo}`) })}
    </div>
    <div class="main" @click=${chooseLines}>${codeBlock({
      ...{ text: content, language, first: 1, isMain: true, label: `Code of ${path}` },
      address: (line) => fleetAddress({ repo, ref, path }, { start: line }),
      ...(lines && { chosen: lines }),
    })}</div>`;
}
