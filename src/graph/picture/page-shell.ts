/** Markup of the page; it contains no text of a repository. */

const icon = (path: string): string =>
  `<svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${path}</svg>`;

const tool = (id: string, title: string, path: string): string =>
  `<button class="tool" id="${id}" type="button" title="${title}" aria-label="${title}">${icon(path)}</button>`;

const LAYOUTS = [
  ['layers', 'Hierarchy'],
  ['force', 'Force'],
  ['concentric', 'Concentric'],
  ['circle', 'Circle'],
  ['grid', 'Grid'],
  ['cose', 'Springs (cose)'],
];

export const PAGE_BODY = `
<header>
  <h1 id="repository"></h1><span class="chip" id="ref"></span><span class="chip" id="commit"></span><span class="chip" id="scope"></span>
  <span id="counts" role="status"></span>
  <span class="grow"></span>
  <div class="segments" role="group" aria-label="View">
    <button type="button" id="view-files" aria-pressed="true">Files</button>
    <button type="button" id="view-symbols" aria-pressed="false">Symbols</button>
  </div>
  <label class="search">${icon('<circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3.5 3.5"/>')}
    <input id="search" type="search" placeholder="Search  ( / )" aria-label="Search names and paths" autocomplete="off" spellcheck="false">
    <span id="found" role="status"></span></label>
  <select id="layout" aria-label="Layout">${LAYOUTS.map(([value, name]) => `<option value="${value}">${name}</option>`).join('')}</select>
  ${tool('png', 'Save as PNG', '<path d="M8 2v8m0 0 3-3m-3 3L5 7M3 13h10"/>')}
</header>
<main>
  <div id="stage" role="img" aria-label="The graph. Search finds its nodes; the panel lists what each one is linked with."></div>
  <p id="empty" hidden>Nothing to draw here.</p>
  <div id="notice" role="status"></div>
  <nav id="legend" aria-label="Folders">
    <button type="button" id="legend-toggle" aria-expanded="true" aria-controls="legend-body">Folders</button>
    <div id="legend-body">
      <div id="legend-rows"></div>
      <button type="button" id="aside" aria-pressed="false" hidden></button>
      <button type="button" id="unlinked" aria-pressed="false" hidden></button>
      <button type="button" id="cycles" hidden></button>
      <div class="keys"><span><i class="dashed"></i>types only</span>
        <span><i class="box"></i>folder: click to open</span></div>
    </div>
  </nav>
  <div class="corner">
    ${tool('zoom-in', 'Zoom in (+)', '<path d="M8 3v10M3 8h10"/>')}
    ${tool('zoom-out', 'Zoom out (-)', '<path d="M3 8h10"/>')}
    ${tool('fit', 'Show all (f)', '<path d="M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10"/>')}
  </div>
  <aside id="panel" aria-label="Selected" hidden></aside>
</main>
<div id="tip" role="tooltip" hidden></div>
`;
