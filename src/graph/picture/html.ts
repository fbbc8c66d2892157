/**
 * Builds the page: library, program, style and data in one file that makes no request. Text of the repository is only
 * in a JSON block, and the program shows it as text, so it never becomes markup.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { SocraticodeError } from '../../base/errors.js';
import type { PagePayload } from './folders.js';

/** The modules of `page/`, joined by the build. */
const PROGRAM = new URL('./page-bundle.js', import.meta.url);
const LIBRARY = 'cytoscape/dist/cytoscape.min.js';

/** The page as text. Throws BROKEN_INSTALLATION if the library or the program is missing. */
export function html(payload: PagePayload): string {
  const library = inScript(installed(() => createRequire(import.meta.url).resolve(LIBRARY)));
  const program = inScript(installed(() => PROGRAM));
  const policy = [
    "default-src 'none'",
    `script-src ${sha256(library)} ${sha256(program)}`,
    `style-src ${sha256(PAGE_STYLE)}`,
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<link rel="icon" href="data:,">',
    '<title>Code graph</title>',
    // The library adds its own style sheet, which the policy refuses, unless an element with this id exists.
    `<style id="__________cytoscape_stylesheet">${PAGE_STYLE}</style>`,
    '</head>',
    `<body>${PAGE_BODY}`,
    `<script type="application/json" id="data">${inData(payload)}</script>`,
    `<script>${library}</script>`,
    `<script>${program}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

const sha256 = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Checks that code can be in HTML: a script ends at the first end tag, even within a string. Throws INTERNAL. */
function inScript(code: string): string {
  if (/<\/script|<script|<!--/i.test(code)) throw new SocraticodeError('INTERNAL', 'a script that no page can hold');
  return code;
}

/** JSON in which characters are escaped that are special in HTML or end a line in JavaScript. */
const inData = (payload: PagePayload): string =>
  JSON.stringify(payload).replace(
    /[<>&\u2028\u2029]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

function installed(find: () => string | URL): string {
  try {
    return readFileSync(find(), 'utf8');
  } catch (cause) {
    throw new SocraticodeError('BROKEN_INSTALLATION', 'a file of the page is missing from this installation', {
      cause,
    });
  }
}

// Markup of the page, without any text of a repository.

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

const PAGE_BODY = `
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

/** Style sheet of the page. */
const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f7f8fa; --panel: #ffffff; --line: #dfe3e8; --text: #1c2127; --soft: #5c6670; --faint: #c9d1da;
  --accent: #2f6feb; --cycle: #d92d3a; --shadow: 0 1px 2px #1c21271a, 0 8px 24px #1c212714;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0f1318; --panel: #181e25; --line: #2a323c; --text: #e6eaef; --soft: #97a3b0; --faint: #4a5663;
    --accent: #6ea8fe; --cycle: #ff5c66; --shadow: 0 1px 2px #0006, 0 8px 24px #0006;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html, body { height: 100%; margin: 0; }
body {
  background: var(--ground); color: var(--text); display: flex; flex-direction: column; overflow: hidden;
  font: 14px/1.45 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
.__________cytoscape_container { position: relative; }
header {
  display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; padding: 10px 16px;
  background: var(--panel); border-bottom: 1px solid var(--line); z-index: 3;
}
h1 { font-size: 16px; font-weight: 650; margin: 0; letter-spacing: -.01em; max-width: 32ch;
  overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.chip { font: 12px/1 var(--mono); padding: 4px 7px; border-radius: 6px; background: var(--ground); border: 1px solid var(--line);
  color: var(--soft); max-width: 30ch; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.chip:empty { display: none; }
#counts { color: var(--soft); font-size: 13px; font-variant-numeric: tabular-nums; }
.grow { flex: 1; }
button, select, input { font: inherit; color: inherit; }
button { cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.segments { display: inline-flex; padding: 2px; border-radius: 8px; background: var(--ground); border: 1px solid var(--line); }
.segments button { border: 0; background: none; padding: 4px 12px; border-radius: 6px; color: var(--soft); }
.segments button[aria-pressed="true"] { background: var(--panel); color: var(--text); box-shadow: 0 1px 2px #0003; font-weight: 550; }
.search { position: relative; display: flex; align-items: center; }
#search { width: 230px; padding: 6px 56px 6px 30px; border-radius: 8px; border: 1px solid var(--line); background: var(--ground); }
#search::-webkit-search-cancel-button { display: none; }
.search svg { position: absolute; left: 9px; color: var(--soft); pointer-events: none; }
#found { position: absolute; right: 9px; font-size: 12px; color: var(--soft); font-variant-numeric: tabular-nums; }
select { padding: 6px 8px; border-radius: 8px; border: 1px solid var(--line); background: var(--ground); }
.tool { display: inline-grid; place-items: center; min-width: 32px; height: 32px; padding: 0 7px; border-radius: 8px;
  border: 1px solid var(--line); background: var(--panel); color: var(--soft); }
.tool:hover, .icon:hover { color: var(--text); border-color: var(--faint); }
main { position: relative; flex: 1; min-height: 0; display: flex; }
#stage { flex: 1; min-width: 0; }
#stage, #stage canvas { outline: 0; }
.corner { position: absolute; right: 14px; bottom: 14px; display: grid; gap: 6px; z-index: 2; }
.corner .tool { box-shadow: var(--shadow); }
#legend { position: absolute; left: 14px; bottom: 14px; width: 236px; max-height: calc(100% - 28px); display: flex; flex-direction: column;
  background: var(--panel); border: 1px solid var(--line); border-radius: 12px; box-shadow: var(--shadow); z-index: 2; overflow: hidden; }
#legend-toggle { display: flex; width: 100%; border: 0; background: none; padding: 9px 12px; font-weight: 600; font-size: 12px;
  color: var(--soft); justify-content: space-between; }
#legend-toggle::after { content: "–"; }
.closed #legend-toggle::after { content: "+"; }
.closed #legend-body { display: none; }
#legend-body { overflow: auto; padding: 0 6px 6px; }
.legend-row { display: flex; align-items: center; gap: 8px; width: 100%; padding: 3px 6px; border: 0; border-radius: 6px; background: none;
  text-align: left; font-size: 13px; }
.legend-row:hover, .row:hover { background: var(--ground); }
.legend-row[aria-pressed="false"] { opacity: .4; text-decoration: line-through; }
.dot { width: 10px; height: 10px; border-radius: 50%; flex: none; }
.legend-name { flex: 1; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.legend-count { color: var(--soft); font-size: 12px; font-variant-numeric: tabular-nums; }
.keys { display: grid; gap: 3px; padding: 8px 6px 2px; margin-top: 6px; border-top: 1px solid var(--line); font-size: 12px; color: var(--soft); }
.keys span { display: flex; align-items: center; gap: 8px; }
.keys i { width: 16px; border-top: 2px solid var(--soft); flex: none; }
.keys i.dashed { border-top-style: dashed; }
.keys i.box { height: 11px; border: 2px solid var(--soft); border-radius: 3px; }
#aside, #unlinked, #cycles { margin: 8px 6px 2px; padding: 4px 8px; font-size: 12px; border-radius: 6px; border: 1px dashed var(--line); background: none;
  color: var(--soft); width: calc(100% - 12px); text-align: left; }
#aside[aria-pressed="true"], #unlinked[aria-pressed="true"] { border-style: solid; color: var(--text); }
#panel { width: 348px; flex: none; overflow: auto; background: var(--panel); border-left: 1px solid var(--line); padding: 14px 16px 24px; z-index: 2; }
.panel-head { display: flex; gap: 8px; align-items: flex-start; }
h2 { flex: 1; font-size: 16px; line-height: 1.3; margin: 3px 0 0; overflow-wrap: anywhere; }
h3 { font-size: 12px; margin: 18px 0 4px; color: var(--soft); font-weight: 600; }
.icon { border: 1px solid transparent; background: none; width: 30px; height: 30px; border-radius: 8px; color: var(--soft); }
.facts { display: flex; flex-wrap: wrap; gap: 8px; margin: 6px 0; color: var(--soft); font-size: 13px; align-items: center; }
.places { display: flex; gap: 14px; margin: 6px 0; font-size: 13px; }
.places a { color: var(--accent); }
.badge { background: var(--ground); border: 1px solid var(--line); border-radius: 999px; padding: 1px 9px; color: var(--text); font-size: 12px; }
.trail { margin: 0; font: 12px/1.7 var(--mono); overflow-wrap: anywhere; color: var(--soft); }
.crumb { border: 0; background: none; padding: 0; font: inherit; color: var(--accent); }
.crumb:hover { text-decoration: underline; }
.slash { padding: 0 2px; opacity: .6; }
ul { list-style: none; margin: 0 -8px; padding: 0; }
.row { display: grid; grid-template-columns: 1fr auto; gap: 0 10px; width: 100%; text-align: left; border: 0; background: none;
  padding: 5px 8px; border-radius: 7px; }
.name { font-weight: 550; overflow-wrap: anywhere; }
.circular { color: var(--cycle); }
.uses { color: var(--soft); font-size: 12px; font-variant-numeric: tabular-nums; text-align: right; }
.where { grid-column: 1 / -1; font: 11.5px/1.4 var(--mono); color: var(--soft); overflow-wrap: anywhere; }
.none { color: var(--soft); font-size: 13px; margin: 2px 0; }
#tip { position: fixed; z-index: 9; pointer-events: none; max-width: 420px; padding: 7px 10px; border-radius: 8px; background: var(--text);
  color: var(--ground); box-shadow: var(--shadow); font-size: 12.5px; display: grid; overflow-wrap: anywhere; }
#tip span { opacity: .75; }
#notice { position: absolute; left: 50%; top: 12px; transform: translateX(-50%); font-size: 12.5px; color: var(--soft);
  background: var(--panel); border: 1px solid var(--line); border-radius: 999px; padding: 4px 12px; z-index: 2; }
#notice:empty { display: none; }
#empty { position: absolute; inset: 0; display: grid; place-items: center; color: var(--soft); pointer-events: none; }
body[data-state="busy"] header::after { content: ""; position: absolute; left: 0; right: 0; top: 0; height: 2px;
  background: linear-gradient(90deg, transparent, var(--accent), transparent); }
@media (max-width: 820px) {
  #panel { position: absolute; left: 0; right: 0; bottom: 0; width: auto; max-height: 52%; border-left: 0; border-top: 1px solid var(--line);
    border-radius: 14px 14px 0 0; box-shadow: var(--shadow); z-index: 4; }
  #search { width: 100%; }
  .search { flex: 1 1 160px; }
  .grow { display: none; }
  #legend { width: 190px; max-height: 45%; }
}
`;
