/**
 * Entry of the page: draws the view that the address names, whenever the address or an answer changes. Dialogs lie over every view:
 * another ref or range, a file by its name, the keys.
 */
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { Files, Refs } from '../answers.js';
import {
  addressOf,
  answer,
  changedAddress,
  currentRoute,
  FLEET_VIEW,
  followLinks,
  goTo,
  onAnswer,
  onMove,
  readAddress,
  takeKey,
  VIEWS,
} from './api.js';
import { beginColours, defineChunks, finishColours, onColours } from './code.js';
import { hotspotsView, mapView } from './map-views.js';
import { leaveReader, readView, scrollToLines, stepLine } from './read-view.js';
import { historyView, peopleView, reviewView } from './review-view.js';
import { afterResults, fleetReader, fleetView, searchView, stepResult } from './search-view.js';
import { about, bestPaths, MOST_LISTED, onRest, refInUse, short, showUnseen, waiting, when } from './widgets.js';

type Name = 'refs' | 'files' | 'keys';

let open: Name | null = null;
let typed = '';

function openDialog(name: Name): void {
  open = name;
  typed = '';
  drawDialog();
  const dialog = element();
  if (!dialog.open) dialog.showModal();
  dialog.querySelector<HTMLElement>('input')?.focus();
}

function element(): HTMLDialogElement {
  let dialog = document.querySelector('dialog');
  if (dialog === null) {
    dialog = document.body.appendChild(document.createElement('dialog'));
    dialog.addEventListener('close', () => {
      open = null;
    });
    // A click on the backdrop arrives at the dialog itself.
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog) dialog?.close();
      if ((event.target as Element).closest('a')) dialog?.close();
    });
    dialog.addEventListener('keydown', moveAmongLinks);
  }
  return dialog;
}

/** Draws the open dialog anew, with answers that have arrived. */
function drawDialog(): void {
  if (open === null) return;
  const dialog = element();
  const bodies = { refs, files, keys };
  dialog.setAttribute('aria-label', TITLES[open]);
  render(
    html`<div class="dialog"><button type="button" class="tool close" @click=${() => dialog.close()}>Close</button>
    <h2>${TITLES[open]}</h2>${bodies[open]()}</div>`,
    dialog,
  );
}

const TITLES = { refs: 'Branch, tag, commit or range', files: 'Open a file', keys: 'Keys' } as const;

function input(label: string, onEnter: () => void): TemplateResult {
  return html`<input type="text" aria-label=${label} placeholder=${label} autocomplete="off" spellcheck="false" .value=${typed}
    @input=${(event: Event) => {
      typed = (event.target as HTMLInputElement).value;
      drawDialog();
    }}
    @keydown=${(event: KeyboardEvent) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      onEnter();
      element().close();
    }}>`;
}

/** Up and down move among the links of the dialog, and from its input into them. */
function moveAmongLinks(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const stops = [...element().querySelectorAll<HTMLElement>('input, ul a')];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  event.preventDefault();
  stops[Math.max(0, Math.min(stops.length - 1, at + step))]?.focus();
}

function refs(): TemplateResult {
  const loaded = answer<Refs>('refs', {});
  const { branches = [], tags = [], commits = [] } = loaded.document ?? {};
  const isWanted = (text: string) => text.toLowerCase().includes(typed.toLowerCase());
  const named = (list: readonly { name: string; commit: string }[]) =>
    list
      .filter(({ name }) => isWanted(name))
      .slice(0, MOST_LISTED)
      .map(({ name, commit }) => refItem(name, html`${name} <code>${short(commit)}</code>`));
  const recent = commits
    .filter(({ commit, subject, author }) => isWanted(`${commit} ${subject} ${author}`))
    .map(({ commit, subject, author, date }) =>
      refItem(
        commit,
        html`<code>${short(commit)}</code> ${subject} <span class="quiet">${author}, ${when(date)}</span>`,
      ),
    );
  return html`${input('Name, commit or A..B', () => typed.trim() !== '' && goTo(chosenAddress(typed.trim())))}
    <p class="quiet">Enter takes what is typed: a name shows the repository as of it; <code>main..feature</code> narrows searches
      to what changed, and marks it. ${typed.includes('..') ? html`<a href=${addressOf('/review', { range: typed.trim() })}>Review ${typed.trim()}</a>` : nothing}</p>
    ${waiting(loaded, 'Listing')}
    <ul class="plain"><li><a href=${changedAddress({ ref: null, in: null, lines: null })}>HEAD with uncommitted changes</a></li></ul>
    ${group('Branches', named(branches))}${group('Tags', named(tags))}${group('Recent commits', recent)}`;
}

const chosenAddress = (text: string): string =>
  text.includes('..')
    ? changedAddress({ in: text, ref: null, lines: null })
    : changedAddress({ ref: text, in: null, lines: null });

function refItem(ref: string, text: TemplateResult): TemplateResult {
  const base = about().head.branch ?? 'HEAD';
  return html`<li class="both"><a href=${changedAddress({ ref, in: null, lines: null })} aria-current=${ref === refInUse() ? 'true' : nothing}>${text}</a>
    ${ref === base ? nothing : html`<a class="tool" href=${addressOf('/review', { range: `${base}...${ref}`, ref: null })} aria-label=${`Review ${ref} against ${base}`}>review</a>`}</li>`;
}

function group(title: string, items: readonly TemplateResult[]): TemplateResult | typeof nothing {
  return items.length === 0 ? nothing : html`<h3>${title}</h3><ul class="plain">${items}</ul>`;
}

function files(): TemplateResult {
  const loaded = answer<Files>('files', { ref: refInUse() });
  const best = bestPaths(loaded.document?.paths ?? [], typed);
  return html`${input('Part of a path', () => best.length > 0 && goTo(readAddress(best[0])))}
    ${waiting(loaded, 'Listing')}
    <ul class="plain">${best.map((path) => html`<li><a href=${readAddress(path)}>${path}</a></li>`)}</ul>`;
}

const KEYS_SHOWN = [
  ['/', 'search'],
  ['t', 'open a file by its name'],
  ['r', 'another branch, tag, commit or range'],
  ['Esc', 'from the query to its results, which stay; closes a dialog'],
  ['↑ ↓ or j k', 'move among results; Enter opens one'],
  ['j k', 'in the reader: choose the next line, the one before; J K several'],
  ['b', 'in the reader: who wrote the lines'],
  ['y', 'in the reader: the address of this very commit'],
  ['?', 'this list'],
] as const;

const OFF = 'socraticode.keysOff';
const keysAreOff = (): boolean => localStorage.getItem(OFF) !== null;

function keys(): TemplateResult {
  const toggle = ({ target }: Event) => {
    if ((target as HTMLInputElement).checked) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, 'yes');
  };
  return html`<dl class="keys">${KEYS_SHOWN.map(([key, text]) => html`<dt><kbd>${key}</kbd></dt><dd>${text}</dd>`)}</dl>
    <label><input type="checkbox" ?checked=${!keysAreOff()} @change=${toggle}> Single keys are shortcuts</label>`;
}

const readerKeys: Readonly<Record<string, () => void>> = {
  j: () => stepLine(1, false),
  k: () => stepLine(-1, false),
  J: () => stepLine(1, true),
  K: () => stepLine(-1, true),
  b: () => goTo(changedAddress({ blame: currentRoute().params.get('blame') ? null : 'yes' }), { replace: true }),
  y: () => goTo(changedAddress({ ref: about().head.commit }), { replace: true }),
};

// The views, and the keys over them.

const DRAWN: Readonly<Record<string, () => TemplateResult>> = {
  '/': searchView,
  '/read': readView,
  '/review': reviewView,
  '/history': historyView,
  '/map': mapView,
  '/hotspots': hotspotsView,
  '/people': peopleView,
  '/fleet': fleetView,
  '/fleet/read': fleetReader,
};

const root = document.body.appendChild(document.createElement('div'));
let isDue = false;

/** Draws once for all changes of a moment. */
function draw(): void {
  if (isDue) return;
  isDue = true;
  queueMicrotask(() => {
    isDue = false;
    drawNow();
  });
}

function drawNow(): void {
  const { view, params } = currentRoute();
  const title = params.get('path') ?? params.get('q') ?? params.get('range') ?? viewName(view);
  document.title = [title, about().name].filter(Boolean).join(' · ');
  beginColours();
  render(page(view), root);
  drawDialog();
  finishColours();
  if (view.endsWith('/read')) scrollToLines();
  else leaveReader();
  afterResults();
}

/** Adds the fleet if the user has one. */
const views = () => (about().hasFleet ? [...VIEWS, FLEET_VIEW] : VIEWS);

const viewName = (view: string): string => [...VIEWS, FLEET_VIEW].find(([path]) => path === view)?.[1] ?? '';

function page(view: string): TemplateResult {
  // Refs and files are those of this repository.
  const isOwn = !view.startsWith('/fleet');
  return html`<a class="skip" href="#main" @click=${skip}>Skip to content</a>
    <header>
      <a class="name" href=${addressOf('/', {})}>${about().name || 'git socraticode'}</a>
      ${isOwn ? html`<button type="button" class="ref" @click=${() => openDialog('refs')} aria-haspopup="dialog">${refText()}</button>` : nothing}
      <nav aria-label="Views"><ul>${views().map(
        ([path, name]) =>
          html`<li><a href=${addressOf(path, {})} aria-current=${path === view ? 'page' : nothing}>${name}</a></li>`,
      )}</ul></nav>
      <span class="grow"></span>
      ${isOwn ? html`<button type="button" class="tool" @click=${() => openDialog('files')} aria-haspopup="dialog">Files</button>` : nothing}
      <button type="button" class="tool" @click=${() => openDialog('keys')} aria-haspopup="dialog">Keys</button>
    </header>
    <main id="main" tabindex="-1">${(Object.hasOwn(DRAWN, view) ? DRAWN[view] : noSuchView)()}</main>`;
}

function noSuchView(): TemplateResult {
  const { pathname } = location;
  const path = decodedOr(pathname.slice(1));
  return html`<section><h1>There is no page ${pathname}</h1>
    <p>${path === '' ? nothing : html`<a href=${readAddress(path)}>Open the file ${path}</a>, or `}choose one of these:</p>
    <ul>${views().map(([address, name]) => html`<li><a href=${addressOf(address, {})}>${name}</a></li>`)}</ul></section>`;
}

/** A path of an address as text; as it is if it holds no text. */
function decodedOr(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function skip(event: Event): void {
  event.preventDefault();
  document.querySelector('main')?.focus();
}

function refText(): string {
  const { params } = currentRoute();
  const [ref, range] = [params.get('ref'), params.get('in')];
  if (range !== null) return range;
  if (ref !== null) return /^[0-9a-f]{40,64}$/.test(ref) ? short(ref) : ref;
  return about().head.branch ?? 'HEAD';
}

const KEYS: Readonly<Record<string, () => void>> = {
  '/': () => focusQuery(),
  t: () => openDialog('files'),
  r: () => openDialog('refs'),
  '?': () => openDialog('keys'),
  j: () => stepResult(1),
  k: () => stepResult(-1),
};

function focusQuery(): void {
  const query = document.querySelector<HTMLInputElement>('#query');
  if (query === null) {
    history.pushState(null, '', addressOf('/', {}));
    drawNow();
  }
  document.querySelector<HTMLInputElement>('#query')?.select();
}

function onKey(event: KeyboardEvent): void {
  const { target, key } = event;
  const isTyping = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || keysAreOff()) return;
  if (document.querySelector('dialog[open]') !== null) return;
  const own = currentRoute().view === '/read' ? readerKeys : {};
  const action = Object.hasOwn(own, key) ? own[key] : Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
  if (action === undefined) return;
  event.preventDefault();
  action();
}

defineChunks();
showUnseen(document);
await takeKey();
onAnswer(draw);
onColours(draw);
onRest(draw);
onMove(draw);
// The map fills the available width.
addEventListener('resize', draw);
document.addEventListener('click', followLinks);
document.addEventListener('keydown', onKey);
drawNow();
document.querySelector<HTMLElement>('#query')?.focus();
