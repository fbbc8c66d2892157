/** Small parts of every view. Text of a repository enters the page as text alone, never as markup or as an address. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { visibleText } from '../../base/printable.js';
import { editorAddress, placeAddress } from '../../git/forge.js';
import { listed, nameText, pathText, plural, type Template } from '../../graph/picture/page/drawn.js';
import { percent } from '../../questions/format.js';
import {
  type Block,
  capital,
  isPieces,
  type Place as NamedPlace,
  type Piece,
  placeName,
  type Section,
} from '../../questions/view.js';
import type { About, Overview } from '../answers.js';
import { answer, changedAddress, currentRoute, goTo, type Loaded, type Progress, readAddress } from './api.js';

export { listed, nameText, pathText, plural, type Template };

/** The repository of the page; one without links until it is known. */
export function about(): About {
  const { document } = answer<About>('about', {});
  return document ?? { name: '', version: '', root: null, editor: 'none', forge: null, head: NO_HEAD, hasFleet: false };
}

const NO_HEAD = { branch: null, commit: null };

export const day = (date: string | null): string => (date === null ? '' : date.slice(0, 10));

/** A day that does not break at its hyphens. */
export const when = (date: string | null): Template =>
  date === null ? nothing : html`<time datetime=${date}>${day(date)}</time>`;

export const short = (commit: string | null | undefined): string => (commit ?? '').slice(0, 9);

/** The ref of all views; undefined for HEAD with uncommitted changes. */
export const refInUse = (): string | undefined => currentRoute().params.get('ref') ?? undefined;

/** The note while an answer is awaited, or its failure; nothing once it has arrived. */
export function waiting({ failure, isLoading, document, progress }: Loaded<unknown>, what: string): Template {
  const isBeingMade = failure?.code === 'NOT_READY';
  if (isBeingMade && progress === undefined)
    return html`<p class="quiet" role="status">This page goes on by itself: ${failure.message}</p>`;
  if (failure !== undefined && failure.code === 'NO_KEY')
    return html`<div class="failure" role="alert"><p>This page has no key.</p>
      <p>Open the address that <code>git socraticode web</code> printed.</p></div>`;
  if (failure !== undefined && !isBeingMade)
    return html`<div class="failure" role="alert"><p>${failure.message}</p><p>${failure.hint}</p></div>`;
  if (!isLoading || document !== undefined) return nothing;
  return html`<p class="quiet" role="status">${what}…</p>${progress === undefined ? nothing : meter(progress)}`;
}

/** Progress of the work. Not part of the status, since screen readers would read every step. */
function meter({ done, total, message }: Progress): TemplateResult {
  const count = done.toLocaleString('en');
  if (total === null) return html`<p class="quiet">${message}${done === 0 ? '' : `, ${count}`}</p>`;
  return html`<p class="quiet"><progress max=${total} value=${done} aria-label=${message}></progress>
    ${message}, ${count} of ${total.toLocaleString('en')}</p>`;
}

interface Place {
  path: string;
  symbol?: string | null;
  startLine?: number;
  endLine?: number;
  line?: number;
}

/** A link to a place in the reader: its symbol and position. */
export function placeLink({ path, symbol, startLine, endLine, line }: Place): TemplateResult {
  const start = line ?? startLine ?? 0;
  const address = readAddress(path, start === 0 ? undefined : { start, end: line === undefined ? endLine : line });
  const where = html`<span>${pathText(path)}${start === 0 ? nothing : `:${start}`}</span>`;
  return symbol
    ? html`<a class="place" href=${address}><b>${nameText(symbol)}</b> ${where}</a>`
    : html`<a class="place" href=${address}>${where}</a>`;
}

const escapePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** Link into the user's editor, which shows the work tree's file. */
export function editorLink(path: string, line: number): Template {
  const { editor, root } = about();
  const filled: Record<string, string> = { root: root ?? '', path: escapePath(path), start: `${line}` };
  const address = editorAddress(editor)?.replace(/\{(\w+)\}/g, (_, name: string) => filled[name]);
  if (root === null || address === undefined) return nothing;
  return html`<a class="tool" target="_blank" href=${address}>Open in editor</a>`;
}

/** Link to lines of a file at a commit on the forge. */
export function forgeLink(
  path: string,
  commit: string | null,
  lines?: { start: number; end: number },
  { forge }: Pick<About, 'forge'> = about(),
): Template {
  if (forge === null || commit === null) return nothing;
  const whole = placeAddress(forge, commit).replace('{path}', () => escapePath(path));
  const address =
    lines === undefined
      ? whole.slice(0, whole.indexOf('#'))
      : whole.replace('{start}', `${lines.start}`).replace('{end}', `${lines.end}`);
  return html`<a class="tool" target="_blank" rel="noopener noreferrer" href=${address}>View on ${hostOf(forge.base)}</a>`;
}

const hostOf = (base: string): string => new URL(base).hostname;

/** A commit by its subject, linked to its page on the forge where that is known. */
export function commitLink(
  commit: string,
  text: string | readonly (string | TemplateResult)[] = short(commit),
): TemplateResult {
  const { forge } = about();
  if (forge === null) return html`<span class="commit" title=${commit}>${text}</span>`;
  const path = { github: 'commit', gitlab: '-/commit', bitbucket: 'commits', gitea: 'commit' }[forge.kind];
  const address = `${forge.base}/${path}/${commit}`;
  return html`<a class="commit" target="_blank" rel="noopener noreferrer" href=${address}>${text}</a>`;
}

/** An answer that the page draws as blocks. */
export interface InBlocks {
  blocks: readonly Block[];
}

/** An answer in blocks, or the note that it is awaited. */
export const answered = (loaded: Loaded<InBlocks>, what: string): TemplateResult =>
  html`${waiting(loaded, what)}${loaded.document === undefined ? nothing : blocksView(loaded.document.blocks)}`;

/** The blocks of an answer, which has its heading already: what they say, then a card for each list. */
export function blocksView(blocks: readonly Block[]): TemplateResult {
  const sections = blocks.flatMap((block) => ('list' in block && block.list.length > 0 ? [block] : []));
  return html`${blocks.map((block) => ('list' in block ? nothing : sentence(block)))}
    ${sections.length === 0 ? nothing : html`<h2 class="hidden">Findings</h2>`}
    <div class="cards">${sections.map((each) => html`<div class="card">${sectionView(each)}</div>`)}</div>`;
}

function sentence(block: Exclude<Block, Section>): TemplateResult {
  return html`<p>${'say' in block ? block.say.map(pieceView) : block.note}</p>`;
}

export const sectionView = ({ title, rest, list, leftOut, merged }: Section): Template =>
  listed(
    capital(title),
    { list, leftOut, merged },
    list.map((item) => html`<li>${item.map((piece) => html`${pieceView(piece)} `)}</li>`),
    '',
    rest,
  );

/** A link to a place; a file that is only named may be gone. */
function namedPlace(place: NamedPlace): TemplateResult {
  const { path, line, isThere, repository } = place;
  return (line || isThere) && repository === undefined
    ? placeLink({ path, line: line ?? undefined })
    : html`<code>${pathText(placeName(place))}</code>`;
}

function pieceView(piece: Piece): Template | string {
  if (typeof piece === 'string') return piece;
  if (isPieces(piece)) return html`${piece.map(pieceView)}`;
  if ('number' in piece) return String(piece.number);
  if ('share' in piece)
    return html`<meter min="0" max="1" value=${piece.share} aria-label="Share"></meter> ${percent(piece.share)}`;
  if ('path' in piece) return namedPlace(piece);
  if ('mark' in piece) return `${piece.mark}:`;
  if ('strong' in piece) return html`<b class=${piece.isUrgent ? 'risk high' : nothing}>${piece.strong}</b>`;
  if ('aside' in piece) return html`<span class="quiet">${pieceView(piece.aside)}</span>`;
  const name = 'code' in piece ? piece.code : piece.symbol;
  return name === null ? nothing : html`<code>${nameText(name)}</code>`;
}

/** Handles a form by going to its address, which `changes` makes of its trimmed fields; null for one that is empty. */
export const goesTo =
  (changes: (field: (name: string) => string | null) => Record<string, string | null>) =>
  (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.target as HTMLFormElement);
    goTo(changedAddress(changes((name) => `${data.get(name) ?? ''}`.trim() || null)));
  };

let redraw: () => void = () => {};

/** `draw` is called when the rest should be drawn. */
export function onRest(draw: () => void): void {
  redraw = draw;
}

/** Draws the part of a long list that fills the window first, and the rest after the frame that shows it. */
export class FirstScreen<T> {
  /** The list that is drawn completely, and the one of which only the first screen is drawn. */
  private whole: readonly T[] = [];
  private begun: readonly T[] | undefined;

  /** `least`: least height of an item, in CSS pixels. */
  constructor(private readonly least: number) {}

  /**
   * Items of a list to draw now. Items beyond the window stay those of the previous list until the next frame, which costs
   * nothing, as they are drawn already.
   */
  of(list: readonly T[]): readonly T[] {
    const fit = Math.ceil(innerHeight / this.least);
    if (list.length <= fit) this.whole = list;
    if (list === this.whole) return list;
    if (this.begun !== list) {
      this.begun = list;
      afterFrame(() => this.finish(list));
    }
    return [...list.slice(0, fit), ...this.whole.slice(fit)];
  }

  private finish(list: readonly T[]): void {
    if (this.begun !== list) return;
    this.whole = list;
    redraw();
  }
}

/** Calls `then` after the frame that shows the last draw. */
export function afterFrame(then: () => void): void {
  requestAnimationFrame(() => setTimeout(then));
}

/** Most refs, or paths, that a dialog lists. */
export const MOST_LISTED = 60;

/** Paths that contain every word of a text, the best first: in the name, then in the path, then as initials of its words. */
export function bestPaths(paths: readonly string[], wanted: string): string[] {
  const words = wanted.split(/\s+/).filter(Boolean);
  const scored: [score: number, path: string][] = [];
  for (const path of paths) {
    const lower = path.toLowerCase();
    const score = words.reduce((sum, word) => sum + scoreOf(path, lower, word.toLowerCase()), 0);
    if (score < Infinity) scored.push([score + path.length / 1_000, path]);
  }
  return scored
    .sort((a, b) => a[0] - b[0])
    .slice(0, MOST_LISTED)
    .map(([, path]) => path);
}

function scoreOf(path: string, lower: string, word: string): number {
  const name = lower.slice(lower.lastIndexOf('/') + 1);
  if (name === word || name.split('.', 1)[0] === word) return 0;
  if (name.startsWith(word)) return 1;
  if (name.includes(word)) return 2;
  if (lower.includes(word)) return 3;
  return hasInitials(path, lower, word) ? 4 : Infinity;
}

/** True if the letters of a word begin words of a path, or follow a letter that does: `ctrl/hc` finds `ctrl/HttpClient.ts`. */
function hasInitials(path: string, lower: string, word: string): boolean {
  // Places up to which the letters so far lead: each letter goes on from all of them, so no way is missed.
  let ends = new Set<number>();
  let first = 0;
  for (const letter of word) {
    const next = new Set<number>();
    for (let at = lower.indexOf(letter, first); at >= 0; at = lower.indexOf(letter, at + 1))
      if (ends.has(at - 1) || beginsWord(path, at)) next.add(at);
    if (next.size === 0) return false;
    ends = next;
    first = Math.min(...next) + 1;
  }
  return true;
}

const LETTER = /[\p{L}\p{N}]/u;

/** True if a word of a path begins at `at`: behind a sign, or as a capital behind a small letter. */
function beginsWord(path: string, at: number): boolean {
  const before = path[at - 1] ?? '/';
  return !LETTER.test(before) || (/\p{Lu}/u.test(path[at]) && /\P{Lu}/u.test(before));
}

// Facets of a search: each is a condition in the address, with the number of results that have it.

interface Found {
  path: string;
  language: string;
  kind?: string;
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
  return html`<details class="facets" ?open=${isWide}>
    <summary>Narrow${active > 0 ? ` (${active})` : ''}</summary>
    ${choice('Files', 'is', [
      ['', 'all'],
      ['!test', 'without tests'],
      ['source', 'source only'],
      ['test', 'tests only'],
    ])}
    ${counted('Folder', 'folder', folders(found, params.get('folder') ?? ''))}
    ${counted('Language', 'lang', count(found.flatMap(({ language }) => language || [])), allLanguages())}
    ${counted('Kind', 'kind', count(found.flatMap(({ kind = [] }) => kind)))}
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

const SAID = ['title', 'aria-label'];

/**
 * Keeps characters escaped that nobody would see, in whatever a view draws below `root`: without that, a name or a line of a
 * repository could look like another one. Addresses keep them.
 */
export function showUnseen(root: Node): void {
  const show = (node: Node) => {
    if (node instanceof Text && visibleText(node.data) !== node.data) node.data = visibleText(node.data);
    for (const name of node instanceof Element ? SAID : []) {
      const text = (node as Element).getAttribute(name) ?? '';
      if (visibleText(text) !== text) (node as Element).setAttribute(name, visibleText(text));
    }
    for (const child of node.childNodes) show(child);
  };
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes)
      for (const node of type === 'childList' ? addedNodes : [target]) show(node);
  }).observe(root, { subtree: true, childList: true, characterData: true, attributeFilter: SAID });
}
