/** Authors who know files, and files that change together. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { CouplingDocument } from '../../questions/coupling/output.js';
import type { OwnersDocument } from '../../questions/owners/output.js';
import { answer } from './api.js';
import { placeLink, plural, refInUse, waiting, when } from './parts.js';
import { changedAddress, currentRoute, goTo } from './route.js';

const LIMIT = 25;

export function peopleView(): TemplateResult {
  const { params } = currentRoute();
  const path = params.get('path') ?? '';
  return html`<section>
    <h1>Who knows ${path === '' ? 'this repository' : path}</h1>
    <form class="tools" role="search" @submit=${submit}>
      <label for="of">File, folder or symbol</label>
      <input id="of" name="path" type="text" .value=${path} placeholder="empty: all of it" autocomplete="off" spellcheck="false" size="34">
      <button type="submit">Show</button>
    </form>
    <div class="halves">${owners(path)}${path === '' ? nothing : coupled(path)}</div>
  </section>`;
}

function submit(event: SubmitEvent): void {
  event.preventDefault();
  const path = new FormData(event.target as HTMLFormElement).get('path') as string;
  goTo(changedAddress({ path: path.trim() || null }));
}

function owners(path: string): TemplateResult {
  const values = { ref: refInUse(), limit: LIMIT, ...(path !== '' && { paths: [path] }) };
  const loaded = answer<OwnersDocument>('owners', values);
  const list = loaded.document?.owners.list ?? [];
  return html`<div>${waiting(loaded, 'Counting commits')}
    ${list.length === 0 ? nothing : html`<p class="quiet">Share: of the commits, of which newer ones count more.</p>`}
    ${
      list.length === 0
        ? nothing
        : html`<div class="scrolled" tabindex="0" role="group" aria-label="Authors"><table><caption>Authors, by how well they know it</caption>
      <thead><tr><th scope="col">Author</th><th scope="col">Share</th><th scope="col">Commits</th><th scope="col">Last</th></tr></thead>
      <tbody>${list.map(
        ({ author, share, commits, last }) => html`<tr><th scope="row">${author}</th>
          <td><meter min="0" max="1" value=${share} aria-label=${`Share of ${author}`}></meter> ${Math.round(share * 100)} %</td>
          <td>${commits.toLocaleString('en')}</td><td>${when(last)}</td></tr>`,
      )}</tbody></table></div>`
    }</div>`;
}

function coupled(path: string): TemplateResult {
  const loaded = answer<CouplingDocument>('coupling', { target: path, ref: refInUse(), limit: LIMIT });
  const { document } = loaded;
  return html`<div>${waiting(loaded, 'Reading which files changed together')}
    ${
      document === undefined
        ? nothing
        : html`<h2>Changes together with</h2><p class="quiet">${plural(document.changes, 'commit')} changed it.</p>
      ${document.coupled.list.length === 0 ? html`<p>No file does so often.</p>` : nothing}
      <ul class="plain">${document.coupled.list.map(
        ({
          path: other,
          together,
          of,
          share,
        }) => html`<li><meter min="0" max="1" value=${share} aria-label=${`Share with ${other}`}></meter> ${placeLink({ path: other })}
          <span class="quiet">${together} of ${of} commits</span></li>`,
      )}</ul>`
    }</div>`;
}
