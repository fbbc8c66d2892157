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
import type { Overview } from '../answers.js';
import { addressOf, answer, changedAddress, currentRoute, goTo, type Loaded, readAddress } from './api.js';
import { codeBlock, markerOf, splitAtMarks, wordsOf } from './code.js';
import { chooseLines, linesOf, overview } from './read-view.js';
import {
  commitLink,
  day,
  FirstScreen,
  forgeLink,
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

/** The query of the last full search; null until something is typed. */
let settled: string | null = null;
let pause = 0;
let slow = 0;
const firstScreen = new FirstScreen<Result>(RESULT_PX);
/** Words to mark in each result: those of its query. */
const marks = new WeakMap<Result, readonly string[]>();

export function searchView(): TemplateResult {
  const { params } = currentRoute();
  const query = params.get('q') ?? '';
  const below = query.trim() === '' ? overview() : found(query, params);
  const hint = 'Search names, words or a question';
  return searchPage(query, { title: 'Search', label: 'Search this repository', hint, typed }, below);
}

function searchPage(
  query: string,
  { title, label, hint = label, typed }: { title: string; label: string; hint?: string; typed: (event: Event) => void },
  below: Template,
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
  const address = changedAddress({ q: query });
  const awaited = () => query.trim() !== '' && answerTo(query, currentRoute().params).isLoading;
  const draw = () => goTo(address, { replace: true });
  // Asks first and draws when the answer arrives: drawing before that as well delayed the answer.
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

/** The values of a search in the current address. */
function valuesOf(query: string, params: URLSearchParams): object {
  const text = (name: string) => params.get(name) ?? undefined;
  const folder = text('folder');
  return {
    ...{ query, limit: LIMIT, ref: text('ref'), in: text('in'), author: text('author'), since: text('since') },
    ...{ lang: listOf(params, 'lang'), kind: listOf(params, 'kind'), is: listOf(params, 'is') },
    path: folder === undefined ? undefined : [`${folder.replace(/[\\*?[\]{}!()]/g, '\\$&')}/**`],
  };
}

/** The answer to a query, asked for unless it is cached. */
function answerTo(query: string, params: URLSearchParams): Loaded<SearchResponse | CommitsDocument> {
  if (params.get('what') === 'commits') {
    const ref = params.get('ref') ?? undefined;
    return answer<CommitsDocument>('search', { query, commits: true, limit: LIMIT, ref }, 'search');
  }
  // While one types, a cheap search: vectors and commit messages follow after the pause.
  const cheap = settled === query ? {} : { mode: 'lexical', noHistory: true, limit: FEW };
  // A reader who follows a link or goes back has typed nothing.
  settled ??= query;
  return answer<SearchResponse>('search', { ...valuesOf(query, params), ...cheap }, 'search');
}

function found(query: string, params: URLSearchParams): TemplateResult {
  if (params.get('what') === 'commits') return commitsFound(query, params);
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
  return html`<div class="columns">${facets([])}<div class="main">${waiting(loaded, 'Searching commits')}
    <ol class="results">${list.map(
      (
        one,
      ) => html`<li class="result"><h2>${commitLink(one.commit, one.subject ? marked(one.subject) : one.commit)}</h2>
        <p class="facts"><span>${one.author}</span> <span>${day(one.date)}</span> <span><code>${one.commit.slice(0, 9)}</code></span></p></li>`,
    )}</ol></div></div>`;
}

// A result with its code, and the keys that move among results.

/** Lines of a result: enough to recognize it. */
const LINES = 9;

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
            ...{
              text: shown.text,
              language,
              first: contentLine + shown.skipped,
              words,
              label: `Code of ${path}:${startLine}`,
            },
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

/** The lines of a text that hold most of the words, together with those around them. */
export function bestLines(text: string, words: readonly string[]): { text: string; skipped: number } {
  const lines = text.replace(/\n$/, '').split('\n');
  if (lines.length <= LINES) return { text, skipped: 0 };
  const lower = words.map((word) => word.toLowerCase());
  const hits = lines.map((line) => lower.filter((word) => line.toLowerCase().includes(word)).length);
  let sum = hits.slice(0, LINES).reduce((all, one) => all + one, 0);
  let [best, skipped] = [sum, 0];
  for (let at = 1; at + LINES <= lines.length; at++) {
    sum += hits[at + LINES - 1] - hits[at - 1];
    if (sum > best) [best, skipped] = [sum, at];
  }
  return { text: lines.slice(skipped, skipped + LINES).join('\n'), skipped };
}

/** Goes from the query to the first result at Enter. */
function toResults(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('.result a')?.focus();
}

/** Goes from the query to the first result at the arrow key down. */
function fromQuery(event: KeyboardEvent): void {
  if (event.key === 'ArrowDown') toResults(event);
}

/** Arrow keys, j and k move among the results; up from the first one goes back to the query. */
function moveAmongResults(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  const links = [...document.querySelectorAll<HTMLElement>('.result h2 a')];
  const at = links.indexOf(event.target as HTMLElement);
  if (step === undefined || at < 0 || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if (at + step < 0) document.getElementById('query')?.focus();
  else links[Math.min(at + step, links.length - 1)].focus();
}

// Facets of a search: each is a condition in the address, with the number of results that have it.

interface Found {
  path: string;
  language: string;
  kind: string;
}

const MOST_SHOWN = 8;
const SINCE = [
  ['', 'any time'],
  ['1w', 'last week'],
  ['1m', 'last month'],
  ['6m', 'last half year'],
  ['1y', 'last year'],
] as const;

function listOf(params: URLSearchParams, name: string): string[] | undefined {
  const value = params.get(name);
  return value ? value.split(',') : undefined;
}

function facets(found: readonly Found[]): TemplateResult {
  const { params } = currentRoute();
  const isWide = matchMedia('(min-width: 60rem)').matches;
  const active = ['lang', 'kind', 'folder', 'author', 'since', 'is', 'in'].filter((name) => params.get(name)).length;
  const what = choice('Search in', 'what', [
    ['', 'code'],
    ['commits', 'commits'],
  ]);
  if (params.get('what') === 'commits')
    return html`<details class="facets" ?open=${isWide}><summary>Narrow</summary>${what}</details>`;
  return html`<details class="facets" ?open=${isWide}>
    <summary>Narrow${active > 0 ? ` (${active})` : ''}</summary>
    ${what}
    ${choice('Files', 'is', [
      ['', 'all'],
      ['!test', 'without tests'],
      ['source', 'source only'],
      ['test', 'tests only'],
    ])}
    ${counted('Folder', 'folder', folders(found, params.get('folder') ?? ''))}
    ${counted('Language', 'lang', count(found.map(({ language }) => language)), allLanguages())}
    ${counted('Kind', 'kind', count(found.map(({ kind }) => kind)))}
    ${choice('Changed', 'since', SINCE)}
    <div class="facet"><label for="author">Author</label>
      <input id="author" type="text" autocomplete="off" spellcheck="false" .value=${params.get('author') ?? ''}
        placeholder="part of a name" @change=${({ target }: Event) => set('author', (target as HTMLInputElement).value)}></div>
    ${range(params.get('in'))}
  </details>`;
}

const set = (name: string, value: string): void => goTo(changedAddress({ [name]: value || null }));

function range(value: string | null): Template {
  if (value === null) return nothing;
  return html`<div class="facet"><h2>Only what changed in</h2>
    <a class="chip on" href=${changedAddress({ in: null })} aria-label=${`Search everything, not ${value} alone`}>${value} ✕</a></div>`;
}

type Options = readonly (readonly [value: string, text: string])[];

function choice(label: string, name: string, options: Options): TemplateResult {
  const now = currentRoute().params.get(name) ?? '';
  const known = options.some(([value]) => value === now) ? options : [...options, [now, now] as const];
  return html`<div class="facet"><label for=${`facet-${name}`}>${label}</label>
    <select id=${`facet-${name}`} @change=${({ target }: Event) => set(name, (target as HTMLSelectElement).value)}>${known.map(
      ([value, text]) => html`<option value=${value} ?selected=${value === now}>${text}</option>`,
    )}</select></div>`;
}

type Counted = readonly (readonly [value: string, count: number])[];

/** Values as links that switch them on and off; `further`: values that the results lack. */
function counted(label: string, name: string, found: Counted, further: readonly string[] = []): Template {
  const now = currentRoute().params.get(name) ?? '';
  const shown = found.slice(0, MOST_SHOWN);
  const lacking = now !== '' && !shown.some(([value]) => value === now);
  const all: Counted = lacking ? [[now, 0], ...shown] : shown;
  const rest = further.filter((value) => !all.some(([other]) => other === value));
  if (all.length === 0 && rest.length === 0) return nothing;
  return html`<div class="facet">
    ${all.length === 0 ? nothing : html`<h2>${label}</h2><ul class="chips">${all.map(([value, times]) => chip(name, value, { isOn: value === now, times }))}</ul>`}
    ${rest.length === 0 || now !== '' ? nothing : choice(`Other ${label.toLowerCase()}`, name, [['', '…'], ...rest.map((each) => [each, each] as const)])}
  </div>`;
}

function chip(name: string, value: string, { isOn, times }: { isOn: boolean; times: number }): TemplateResult {
  const address = changedAddress({ [name]: isOn ? null : value });
  return html`<li><a class=${`chip${isOn ? ' on' : ''}`} href=${address} aria-current=${isOn ? 'true' : nothing}
    >${value}${times > 0 ? html` <span class="count">${times}</span>` : nothing}${isOn ? ' ✕' : nothing}</a></li>`;
}

function count(values: readonly string[]): Counted {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

/** Folders one level below the chosen one. */
function folders(found: readonly Found[], chosen: string): Counted {
  const below = chosen === '' ? '' : `${chosen}/`;
  const names = found.flatMap(({ path }) => {
    if (!path.startsWith(below)) return [];
    const end = path.indexOf('/', below.length);
    return end < 0 ? [] : [path.slice(0, end)];
  });
  return count(names);
}

function allLanguages(): string[] {
  const { document } = answer<Overview>('overview', { ref: refInUse() });
  return document?.languages.map(({ name }) => name) ?? [];
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
  pause = after(FLEET_PAUSE_MS, () => goTo(address, { replace: true }));
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
