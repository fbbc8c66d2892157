/** Entry of the page of `graph visualize`: draws the picture from the data that the page holds, and handles the reader's input. */
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { DrawingEdge, DrawingNode, PagePayload, PictureView, Place } from '../folders.js';
import { instead, listed, nameText, pathText, picture, plural, type Template, usesOf } from './drawn.js';
import {
  type Chosen,
  cyclesOf,
  findNodes,
  type Link,
  MAX_MATCHES,
  type Model,
  nounOf,
  Scenery,
  unpack,
} from './scene.js';

/** Most rows of a list; further ones are counted. */
const MAX_ROWS = 200;
const MAX_CYCLES = 40;
/** Most members of a cycle that are listed. */
const MAX_MEMBERS = 25;
/** Wide windows, in which the panel stands beside the picture and covers nothing of it. */
const BESIDE = matchMedia('(min-width: 60rem)');
const PNG_SCALE = 2;
const PNG_MAX_PIXELS = 8_000;

const payload = JSON.parse(document.getElementById('data')?.textContent as string) as PagePayload;
const sceneries = new Map<PictureView, Scenery>();
let { view } = payload;
let query = '';
let matches: number[] = [];
/** Index into `matches` of the one that is shown, -1 before the first one. */
let match = -1;
let listsCycles = false;

function scenery(): Scenery {
  let found = sceneries.get(view);
  if (found === undefined) {
    found = new Scenery(unpack(view, payload.views[view]), payload.limit, choose);
    sceneries.set(view, found);
  }
  return found;
}

/** Shows a node, a folder, or nothing in the panel. */
function choose(chosen: Chosen): void {
  listsCycles = false;
  if (typeof chosen === 'number') scenery().reveal(chosen);
  else scenery().chosen = chosen;
  draw();
  const box = document.querySelector('.layers .chosen');
  const { top, bottom } = box?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
  if (top < 0 || bottom > innerHeight * (BESIDE.matches ? 1 : 0.5)) box?.scrollIntoView({ block: 'center' });
}

/** Changes the scenery that is shown, and draws it again. */
function change(act: (scene: Scenery) => void): void {
  act(scenery());
  draw();
}

/** Shows the other view, with the same path chosen if it has it. */
function showView(next: PictureView): void {
  const { chosen, model } = scenery();
  const before = typeof chosen === 'number' ? model.nodes[chosen].path : null;
  view = next;
  search(query);
  const same = before === null ? -1 : scenery().model.nodes.findIndex(({ path }) => path === before);
  choose(same < 0 ? null : same);
}

/** Searches the view that is shown, and chooses nothing. */
function search(text: string): void {
  query = text;
  matches = findNodes(scenery().model, text);
  match = -1;
  scenery().chosen = null;
  draw();
}

/** Shows the next match of the search, or the one before. */
function step(by: number): void {
  const { length } = matches;
  if (length === 0) return;
  match = match < 0 && by < 0 ? length - 1 : (match + by + length) % length;
  choose(matches[match]);
}

function draw(): void {
  const { repository, ref, commit, scope } = payload;
  document.title = `${repository} · code graph`;
  const ways = (['files', 'symbols'] as const).map(
    (way) =>
      html`<li><a href="#" aria-current=${way === view ? 'page' : nothing} @click=${instead(() => showView(way))}>${way === 'files' ? 'Files' : 'Symbols'}</a></li>`,
  );
  render(
    html`<header><h1 class="name">${repository}</h1>${[ref, commit, scope].filter(Boolean).map((text) => html`<span class="ref">${text}</span>`)}
      <nav aria-label="Views"><ul>${ways}</ul></nav><span class="grow"></span>
      <input id="search" type="search" placeholder="Search  ( / )" aria-label="Search names and paths" autocomplete="off" spellcheck="false"
        .value=${query} @input=${({ target }: Event) => search((target as HTMLInputElement).value)} @keydown=${onSearchKey}>
      <span id="found" class="quiet" role="status">${foundText()}</span>
      <button type="button" class="tool" @click=${() => void savePng()}>Save as PNG</button></header>
    <main>${tools()}${drawing()}</main>`,
    document.body,
  );
}

function foundText(): string {
  const { length } = matches;
  if (query === '') return '';
  return match < 0 ? `${length}${length === MAX_MATCHES ? '+' : ''}` : `${match + 1}/${length}`;
}

function onSearchKey(event: KeyboardEvent): void {
  if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
  else if (event.key === 'Escape') search('');
}

function tools(): TemplateResult {
  const scene = scenery();
  const { model, unlinked } = scene;
  const noun = nounOf(view);
  const { nodes, edges } = payload.cut[view];
  const cycles = cyclesOf(model).length;
  const checkbox = (isOn: boolean, text: string, set: (value: boolean) => void) =>
    html`<label><input type="checkbox" .checked=${isOn} @change=${({ target }: Event) => set((target as HTMLInputElement).checked)}> ${text}</label>`;
  return html`<p class="quiet"><span id="counts" role="status">${plural(model.nodes.length, noun)} · ${plural(model.edges.length, 'link')}</span>.
      A box stands above those that it uses. Thicker lines mean more uses, broken ones types alone; brown lines lead upwards.
      ${nodes + edges > 0 ? html`Not in this page: ${plural(nodes, noun)} and ${plural(edges, 'link')}, the least connected ones.` : nothing}</p>
    <div class="tools">
      ${
        model.secondary.size === 0
          ? nothing
          : checkbox(
              scene.showSecondary,
              `${plural(model.secondary.size, noun)} of tests, examples and generated code`,
              (value) =>
                change((shown) => {
                  shown.showSecondary = value;
                }),
            )
      }
      ${
        unlinked === 0 || unlinked === model.nodes.length
          ? nothing
          : checkbox(scene.showUnlinked, `${plural(unlinked, noun)} without links`, (value) =>
              change((shown) => {
                shown.showUnlinked = value;
              }),
            )
      }
      ${
        cycles === 0
          ? nothing
          : html`<button type="button" class="tool" aria-pressed=${listsCycles ? 'true' : 'false'} @click=${() => {
              choose(null);
              listsCycles = true;
              draw();
            }}>${plural(cycles, 'cycle')}</button>`
      }
    </div>`;
}

function drawing(): TemplateResult {
  const scene = scenery();
  const { boxes, uses, markOf } = scene.shown;
  if (boxes.length === 0) return html`<p id="empty">Nothing to draw here.</p>`;
  const clear = scene.chosen === null && query !== '' ? new Set(matches.map((node) => markOf[node])) : undefined;
  const panel = listsCycles ? cyclesPanel(scene.model) : chosenPanel(scene);
  return html`<div class="map">${picture({ boxes, uses, at: scene.chosenBox, ...(clear && { clear }), name: 'The graph' })}
    ${
      panel === null
        ? nothing
        : html`<aside class="side" id="panel" aria-label="Selected">
      <button type="button" class="tool close" aria-label="Close" @click=${() => choose(null)}>✕</button>${panel}</aside>`
    }</div>`;
}

function chosenPanel(scene: Scenery): TemplateResult | null {
  const { chosen, chosenBox, model, shown } = scene;
  if (chosen === null) return null;
  if (typeof chosen === 'number') return nodePanel(model, chosen);
  if (chosenBox < 0) return null;
  const { name, detail } = shown.boxes[chosenBox];
  return html`<h2>${name.slice(name.lastIndexOf('/') + 1) || name}</h2><p class="facts"><span>folder</span> <span>${detail}</span></p>
    <p class="tools"><button type="button" class="tool" @click=${() =>
      change(() => {
        scene.openFolder(chosen);
        scene.chosen = null;
      })}>Open it</button></p>
    ${trail(chosen, false)}${usesOf(shown.boxes, shown.uses, chosenBox)}`;
}

function nodePanel(model: Model, node: number): TemplateResult {
  const { label, path, kind, language, startLine, endLine } = model.nodes[node];
  const isFile = kind === 'file';
  const lines = isFile
    ? plural(endLine, 'line')
    : startLine === endLine
      ? `line ${startLine}`
      : `lines ${startLine}–${endLine}`;
  const [into, out] = view === 'files' ? ['Used by', 'Uses'] : ['Callers', 'Calls'];
  return html`<h2>${nameText(label)}</h2><p class="facts"><span>${kind}</span> <span>${language}</span> <span>${lines}</span></p>
    ${trail(path, isFile)}<p class="tools">${payload.places.map((place) => placeLink(place, model.nodes[node]))}</p>
    ${links(into, model, model.incoming[node])}${links(out, model, model.outgoing[node])}`;
}

/** Link to the code in a forge or an editor. An editor opens files on the disk beside the page. */
function placeLink({ title, address, up }: Place, { path, startLine, endLine }: DrawingNode): Template {
  if (up !== undefined && location.protocol !== 'file:') return nothing;
  const root = up === undefined ? '' : new URL(up, location.href).pathname;
  const filled = {
    root,
    path: path.split('/').map(encodeURIComponent).join('/'),
    start: `${startLine}`,
    end: `${endLine}`,
  };
  const href = address.replace(/\{(root|path|start|end)\}/g, (_, name: keyof typeof filled) => filled[name]);
  return html`<a class="tool" target="_blank" rel="noopener noreferrer" href=${href}>${title}</a>`;
}

/** Path as one button for each folder: a click draws that folder as one box. */
function trail(path: string, isFile: boolean): TemplateResult {
  const names = path.split('/');
  const parts = names.map((name, i) => {
    const folder = names.slice(0, i + 1).join('/');
    const isLast = i === names.length - 1;
    const close = () =>
      change((scene) => {
        scene.closeFolder(folder);
        scene.chosen = folder;
      });
    return html`${isLast && isFile ? name : html`<a href="#" title="Draw it as one box" @click=${instead(close)}>${name}</a>`}${isLast ? nothing : html`<span>/<wbr></span>`}`;
  });
  return html`<p class="crumbs">${parts}</p>`;
}

function links(title: string, { nodes, edges }: Model, list: readonly Link[]): Template {
  const nameAt = ({ node }: Link): string => `${nodes[node].path} ${nodes[node].label}`;
  const sorted = [...list].sort(
    (a, b) => edges[b.edge].count - edges[a.edge].count || (nameAt(a) < nameAt(b) ? -1 : 1),
  );
  const shown = sorted.slice(0, MAX_ROWS);
  const items = shown.map(
    ({ node, edge }) =>
      html`<li>${nodeLink(nodes[node], node)} <span class="quiet">${usesText(edges[edge])}</span></li>`,
  );
  return listed(
    title,
    { list: shown, leftOut: list.length - shown.length },
    items,
    'Nothing that this picture knows of.',
  );
}

const nodeLink = ({ label, path }: DrawingNode, node: number): TemplateResult =>
  html`<a class="place" href="#" @click=${instead(() => choose(node))}><b>${nameText(label)}</b> <span>${pathText(path)}</span></a>`;

/** Text of an edge: `type import, calls · lines 3, 9, 12 …` */
function usesText({ kinds, count, lines, inCycle }: DrawingEdge): string {
  const more = count > lines.length ? ' …' : '';
  const where = lines.length === 0 ? '' : ` · ${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more}`;
  return `${kinds.map((kind) => kind.replace('-', ' ')).join(', ')}${where}${inCycle ? ' · in a cycle' : ''}`;
}

function cyclesPanel(model: Model): TemplateResult {
  const cycles = cyclesOf(model);
  const noun = nounOf(view);
  return html`<h2>${plural(cycles.length, 'cycle')}</h2>
    <p class="quiet">Each ${noun} of a cycle uses the others, directly or through others.</p>
    ${cycles.slice(0, MAX_CYCLES).map((members, i) => {
      const list = members.slice(0, MAX_MEMBERS);
      const items = list.map((node) => html`<li>${nodeLink(model.nodes[node], node)}</li>`);
      return listed(`Cycle ${i + 1}`, { list, leftOut: members.length - list.length }, items);
    })}
    ${cycles.length > MAX_CYCLES ? html`<p class="quiet">and ${plural(cycles.length - MAX_CYCLES, 'cycle')} more</p>` : nothing}`;
}

async function savePng(): Promise<void> {
  const drawn = document.querySelector('.layers') as SVGSVGElement;
  const copy = drawn.cloneNode(true) as SVGSVGElement;
  const style = document.createElementNS(copy.namespaceURI, 'style');
  style.textContent = document.querySelector('style')?.textContent ?? '';
  copy.prepend(style);
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  const { width, height } = drawn.viewBox.baseVal;
  const scale = Math.min(PNG_SCALE, PNG_MAX_PIXELS / Math.max(width, height));
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [width * scale, height * scale];
  const brush = canvas.getContext('2d') as CanvasRenderingContext2D;
  brush.fillStyle = getComputedStyle(document.body).backgroundColor;
  brush.fillRect(0, 0, canvas.width, canvas.height);
  brush.drawImage(image, 0, 0, canvas.width, canvas.height);
  const link = document.createElement('a');
  link.href = canvas.toDataURL();
  link.download = `${view}.png`;
  link.click();
}

document.addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (target instanceof HTMLInputElement || ctrlKey || metaKey || altKey) return;
  if (key === 'Escape') choose(null);
  if (key !== '/') return;
  event.preventDefault();
  document.querySelector<HTMLInputElement>('#search')?.select();
});
addEventListener('resize', () => change((scene) => scene.refresh()));
choose(payload.focus < 0 ? null : payload.focus);
