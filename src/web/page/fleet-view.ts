/** The fleet: search in the repositories that others have published, and their files, as they were published. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { forgeOf } from '../../git/forge.js';
import type { FleetFileDocument, FleetReposDocument } from '../../questions/fleet/question.js';
import type { FleetSearchDocument } from '../../questions/search/output.js';
import { addressOf, answer, changedAddress, currentRoute, goTo, type Loaded } from './api.js';
import { codeBlock, wordsOf } from './code.js';
import { chooseLines, linesOf } from './read-view.js';
import { count, counted, fromQuery, listOf, moveAmongResults, resultItem, toResults } from './search-view.js';
import { forgeLink, nameText, pathText, plural, short, type Template, waiting, when } from './widgets.js';

const LIMIT = 30;
const MAX_LISTED = 100;
/** Pause after the last key before the fleet is asked: it may be far away. */
const PAUSE_MS = 250;

let pause = 0;

export function fleetView(): TemplateResult {
  const { params } = currentRoute();
  const query = params.get('q') ?? '';
  return html`<section class="search">
    <h1 class="hidden">Search the fleet</h1>
    <form role="search" @submit=${toResults}>
      <label class="hidden" for="query">Search the repositories of the fleet</label>
      <input id="query" type="search" .value=${query} placeholder="Search the repositories of the fleet" autocomplete="off"
        autocapitalize="off" spellcheck="false" enterkeyhint="search" @input=${typed} @keydown=${fromQuery}>
    </form>
    <div class="columns">${query.trim() === '' ? repositories(params) : found(query, params)}</div>
  </section>`;
}

function typed({ target }: Event): void {
  clearTimeout(pause);
  pause = setTimeout(
    () => goTo(changedAddress({ q: (target as HTMLInputElement).value }), { replace: true }),
    PAUSE_MS,
  ) as unknown as number;
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

function found(query: string, params: URLSearchParams): TemplateResult {
  const [repo, lang, kind] = ['repo', 'lang', 'kind'].map((name) => listOf(params, name));
  const values = { query, repo, lang, kind, ref: params.get('at') ?? undefined, limit: LIMIT };
  const loaded = answer<FleetSearchDocument>('fleet search', values, 'fleet');
  const response = loaded.document;
  return html`${narrowed(response?.results ?? [])}
    <div class="main">${waiting(loaded, 'Asking the fleet')}${response === undefined ? nothing : results(response, loaded)}</div>`;
}

function results({ results: list, fleet, query }: FleetSearchDocument, { isLoading }: Loaded<unknown>): TemplateResult {
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
