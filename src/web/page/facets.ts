/** Facets of a search: each is a condition in the address, with the number of results that have it. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Overview } from '../answers/output.js';
import { answer } from './api.js';
import { refInUse, type Template } from './parts.js';
import { changedAddress, currentRoute, goTo } from './route.js';

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

export function listOf(params: URLSearchParams, name: string): string[] | undefined {
  const value = params.get(name);
  return value ? value.split(',') : undefined;
}

export function facets(found: readonly Found[]): TemplateResult {
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

/** Values as links that switch them on and off; `further` are values that the results lack. */
export function counted(label: string, name: string, found: Counted, further: readonly string[] = []): Template {
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

export function count(values: readonly string[]): Counted {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

/** Folders one step below the one that is chosen. */
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
