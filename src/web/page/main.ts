/** Entry of the page: draws the view that the address names, whenever the address or an answer changes. */
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { addressOf, currentRoute, FLEET_VIEW, followLinks, onAnswer, onMove, takeKey, VIEWS } from './api.js';
import { beginColours, defineChunks, finishColours, onColours } from './code.js';
import { drawDialog, keysAreOff, openDialog, readerKeys } from './dialogs.js';
import { fleetReader, fleetView } from './fleet-view.js';
import { hotspotsView, mapView } from './map-views.js';
import { leaveReader, readView, scrollToLines } from './read-view.js';
import { historyView, peopleView, reviewView } from './review-view.js';
import { searchView } from './search-view.js';
import { about, onRest, short } from './widgets.js';

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
    <main id="main" tabindex="-1">${DRAWN[view]?.() ?? nothing}</main>`;
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
  if (isTyping && key === 'Escape' && target.id === 'query') target.blur();
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || keysAreOff()) return;
  if (document.querySelector('dialog[open]') !== null) return;
  const own = currentRoute().view === '/read' ? readerKeys : {};
  const action = Object.hasOwn(KEYS, key) ? KEYS[key] : Object.hasOwn(own, key) ? own[key] : undefined;
  if (action === undefined) return;
  event.preventDefault();
  action();
}

defineChunks();
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
