/** Style sheet of the page. */
export const PAGE_STYLE = `
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
