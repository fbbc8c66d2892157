/** First view: what the repository is, and its central files. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { GraphMapResponse } from '../../questions/graph/outline/map/output.js';
import type { Files, Overview } from '../answers/output.js';
import { answer, type Loaded } from './api.js';
import { nameText, pathText, placeLink, plural, refInUse, waiting } from './parts.js';
import { addressOf, currentRoute, readAddress } from './route.js';

const MAX_FOLDERS = 12;
const MAP_TOKENS = 2_500;

export function overview(): TemplateResult {
  const ref = refInUse();
  const folder = currentRoute().params.get('folder');
  if (folder !== null) return folderList(folder, answer<Files>('files', { ref }));
  const loaded = answer<Overview>('overview', { ref });
  const map = answer<GraphMapResponse>('graph outline', { ref, maxTokens: MAP_TOKENS });
  return html`<div class="overview">
    <p class="quiet">Keys: <kbd>/</kbd> search, <kbd>t</kbd> a file by its name, <kbd>r</kbd> another branch, tag or range, <kbd>?</kbd> all keys.</p>
    ${waiting(loaded, 'Listing')}
    ${loaded.document === undefined ? nothing : indexed(loaded.document)}
    <h2>What the rest depends on</h2>
    ${waiting(map, 'Search, files and the reader answer already; this map follows when it is known who uses what')}
    <div class="cards">${map.document?.folders.slice(0, MAX_FOLDERS).map(folderCard) ?? nothing}</div>
  </div>`;
}

const folderAddress = (path: string): string => addressOf('/', { folder: path });

/** Folders and files right below a folder. */
function folderList(folder: string, loaded: Loaded<Files>): TemplateResult {
  const below = `${folder}/`;
  const folders = new Map<string, number>();
  const files: string[] = [];
  for (const path of loaded.document?.paths ?? []) {
    if (!path.startsWith(below)) continue;
    const end = path.indexOf('/', below.length);
    if (end < 0) files.push(path);
    else folders.set(path.slice(0, end), (folders.get(path.slice(0, end)) ?? 0) + 1);
  }
  const name = (path: string) => path.slice(below.length);
  return html`<div class="overview">
    ${crumbs(folder)}
    ${waiting(loaded, 'Listing')}
    <ul class="plain files">${[...folders].map(([path, count]) => html`<li><a href=${folderAddress(path)}>${name(path)}/</a> <span class="count">${count}</span></li>`)}
      ${files.map((path) => html`<li><a href=${readAddress(path)}>${name(path)}</a></li>`)}</ul></div>`;
}

/** The folders of a path as links, and its last name as the heading. */
export function crumbs(path: string): TemplateResult {
  const names = path.split('/');
  return html`<nav class="crumbs" aria-label="Folders"><a href=${addressOf('/', {})}>top</a><span aria-hidden="true">/</span>${names.map(
    (name, i) =>
      i === names.length - 1
        ? html`<h2>${nameText(name)}</h2>`
        : html`<a href=${folderAddress(names.slice(0, i + 1).join('/'))}>${name}</a><span aria-hidden="true">/</span>`,
  )}</nav>`;
}

/** Languages and top folders of the index, for which no graph is waited for. */
function indexed({ files, languages, folders }: Overview): TemplateResult {
  const counted = languages.slice(0, 6).map(({ name, files: own }) => `${name} ${own.toLocaleString('en')}`);
  return html`<p class="indexed">${plural(files, 'indexed file')}: ${counted.join(', ')}${languages.length > 6 ? ', …' : nothing}</p>
    <ul class="chips">${folders
      .slice(0, MAX_FOLDERS)
      .map(
        ({ name, files: own }) =>
          html`<li><a class="chip" href=${folderAddress(name)}>${name}/ <span class="count">${own.toLocaleString('en')}</span></a></li>`,
      )}</ul>`;
}

const folderName = (path: string): string => (path === '' ? 'the top' : path);

type Folder = GraphMapResponse['folders'][number];

function folderCard({ path, files, uses, central }: Folder): TemplateResult {
  return html`<section class="card">
    <h3><a href=${folderAddress(path)}>${pathText(folderName(path))}</a> <span class="count">${files}</span></h3>
    ${uses.length === 0 ? nothing : html`<p class="quiet">uses ${uses.slice(0, 4).map(folderName).join(', ')}${uses.length > 4 ? ', …' : ''}</p>`}
    <ul class="plain">${central.slice(0, 4).map(
      (file) => html`<li>${placeLink({ path: file.path })}
        ${file.defines.slice(0, 2).map(({ line, text }) => html`<a class="declares" href=${readAddress(file.path, { start: line })}>${text}</a>`)}</li>`,
    )}</ul></section>`;
}
