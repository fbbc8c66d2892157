/** Search as you type: results with their code, narrowed by facets. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { CommitsDocument } from '../../questions/history/commits/output.js';
import type { SearchResponse } from '../../questions/search/output.js';
import { answer, type Loaded } from './api.js';
import { facets, listOf } from './facets.js';
import { FirstScreen } from './first-screen.js';
import { markerOf, splitAtMarks, wordsOf } from './marks.js';
import { overview } from './overview.js';
import { commitLink, day, plural, type Template, waiting } from './parts.js';
import { fromQuery, moveAmongResults, type Result, resultItem, toResults } from './result.js';
import { changedAddress, currentRoute, goTo, readAddress } from './route.js';

const LIMIT = 30;
/** Results shown while one types: more than a screen of them. */
const FEW = 10;
/** Pause after the last key before all of a search is asked for, which takes longer. */
const PAUSE_MS = 350;
/** An answer that takes longer is said to be on its way. */
const SLOW_MS = 100;

/** Least height of a result with code, in CSS pixels. */
const RESULT_PX = 120;

/** The query that was typed to its end; null until something is typed. */
let settled: string | null = null;
let pause = 0;
let slow = 0;
const firstScreen = new FirstScreen<Result>(RESULT_PX);
/** Words to mark in a result, those of its own query. */
const marks = new WeakMap<Result, readonly string[]>();

export function searchView(): TemplateResult {
  const { params } = currentRoute();
  const query = params.get('q') ?? '';
  return html`<section class="search">
    <h1 class="hidden">Search</h1>
    <form role="search" @submit=${toResults}>
      <label class="hidden" for="query">Search this repository</label>
      <input id="query" type="search" .value=${query} placeholder="Search names, words or a question" autocomplete="off"
        autocapitalize="off" spellcheck="false" enterkeyhint="search" @input=${typed} @keydown=${fromQuery}>
    </form>
    ${query.trim() === '' ? overview() : found(query, params)}
  </section>`;
}

/** Searches by words with each key, and by meaning as well after a pause. */
function typed({ target }: Event): void {
  const query = (target as HTMLInputElement).value;
  clearTimeout(pause);
  clearTimeout(slow);
  settled ??= '';
  const address = changedAddress({ q: query });
  const awaited = () => query.trim() !== '' && asked(query, currentRoute().params).isLoading;
  const draw = () => goTo(address, { replace: true });
  // The answer is asked for first, and draws the page: drawing it before as well took time that the answer waits for.
  if (awaited()) {
    slow = after(SLOW_MS, () => awaited() && draw());
    goTo(address, { replace: true, draws: false });
  } else draw();
  pause = after(PAUSE_MS, () => {
    settled = query;
    draw();
  });
}

const after = (ms: number, what: () => void): number => setTimeout(what, ms) as unknown as number;

/** The values of a search as its address has them. */
function valuesOf(query: string, params: URLSearchParams): object {
  const text = (name: string) => params.get(name) ?? undefined;
  const folder = text('folder');
  return {
    ...{ query, limit: LIMIT, ref: text('ref'), in: text('in'), author: text('author'), since: text('since') },
    ...{ lang: listOf(params, 'lang'), kind: listOf(params, 'kind'), is: listOf(params, 'is') },
    path: folder === undefined ? undefined : [`${folder.replace(/[\\*?[\]{}!()]/g, '\\$&')}/**`],
  };
}

/** The answer to a query, which is asked for when it is not known yet. */
function asked(query: string, params: URLSearchParams): Loaded<SearchResponse | CommitsDocument> {
  if (params.get('what') === 'commits') {
    const ref = params.get('ref') ?? undefined;
    return answer<CommitsDocument>('search', { query, commits: true, limit: LIMIT, ref }, 'search');
  }
  // As one types, what is cheap: vectors and what commits say follow after the pause.
  const cheap = settled === query ? {} : { mode: 'lexical', noHistory: true, limit: FEW };
  // Someone who comes by a link or goes back has typed nothing.
  settled ??= query;
  return answer<SearchResponse>('search', { ...valuesOf(query, params), ...cheap }, 'search');
}

function found(query: string, params: URLSearchParams): TemplateResult {
  if (params.get('what') === 'commits') return commitsFound(query, params);
  const loaded = asked(query, params) as Loaded<SearchResponse>;
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
  const loaded = asked(query, params) as Loaded<CommitsDocument>;
  const list = loaded.document?.results ?? [];
  const marker = markerOf(wordsOf(query));
  const marked = (text: string) =>
    marker === null
      ? text
      : splitAtMarks(text, marker).map((part, i) => (i % 2 === 1 ? html`<mark>${part}</mark>` : part));
  return html`<div class="columns">${facets([])}<div class="main">${waiting(loaded, 'Searching commits')}
    <ol class="results">${list.map(
      (
        one,
      ) => html`<li class="result"><h2>${commitLink(one.commit, one.subject ? marked(one.subject) : one.commit)}</h2>
        <p class="facts"><span>${one.author}</span> <span>${day(one.date)}</span> <span><code>${one.commit.slice(0, 9)}</code></span></p></li>`,
    )}</ol></div></div>`;
}
