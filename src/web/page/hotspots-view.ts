/** Hotspots as a treemap (size: lines of code; colour: commits or age) and as a table. */
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { Hotspot, HotspotsDocument } from '../../questions/hotspots/output.js';
import { answer } from './api.js';
import { day, placeLink, plural, refInUse, waiting } from './parts.js';
import { changedAddress, currentRoute, goTo, readAddress } from './route.js';
import { type Rect, treemap } from './treemap.js';

const LIMIT = 400;
const ROWS = 40;
const [WIDTH, HEIGHT] = [1_200, 620];
/** Height of a folder's name. */
const TITLE = 18;
/** Width of a character of a label, with which labels are cut to their rectangles. */
const CHARACTER = 7.2;
const MIN_LABEL = 44;
/** Colours of the style sheet, from `heat-0`; labels are white from the first dark one. */
const [LEVELS, FIRST_DARK] = [8, 5];

const CHOICES = {
  colour: [
    ['commits', 'commits'],
    ['age', 'age of the last change'],
    ['heat', 'heat'],
  ],
  since: [
    ['', 'the whole history'],
    ['1y', 'the last year'],
    ['3m', 'the last three months'],
  ],
} as const;

export function hotspotsView(): TemplateResult {
  const { params } = currentRoute();
  const [since, tests] = [params.get('since') ?? undefined, params.get('tests') === 'yes'];
  const folder = params.get('folder');
  const values = { ref: refInUse(), limit: LIMIT, since, ...(tests && { tests }), ...(folder && { paths: [folder] }) };
  const loaded = answer<HotspotsDocument>('hotspots', values);
  const list = loaded.document?.hotspots.list ?? [];
  return html`<section>
    <h1>Hotspots${folder === null ? '' : ` of ${folder}`}</h1>
    <p class="quiet">Files that change often, are complex, and are used by much other code. Size: lines of code. Darker: ${hintOf(params.get('colour'))}.</p>
    <div class="tools">
      ${select('Colour', 'colour')}${select('Changes of', 'since')}
      <label><input type="checkbox" ?checked=${tests} @change=${() => goTo(changedAddress({ tests: tests ? null : 'yes' }))}> with tests</label>
      ${folder === null ? nothing : html`<a class="tool" href=${changedAddress({ folder: null })}>All folders</a>`}
    </div>
    ${waiting(loaded, 'Counting changes')}
    ${list.length === 0 ? nothing : picture(list, params.get('colour') ?? 'commits')}
    ${list.length === 0 ? nothing : table(list, loaded.document?.hotspots.leftOut ?? 0)}
  </section>`;
}

const hintOf = (colour: string | null): string =>
  colour === 'age' ? 'changed more recently' : colour === 'heat' ? 'hotter' : 'more commits';

function select(label: string, name: keyof typeof CHOICES): TemplateResult {
  const now = currentRoute().params.get(name) ?? '';
  const set = ({ target }: Event) => goTo(changedAddress({ [name]: (target as HTMLSelectElement).value || null }));
  return html`<label>${label} <select @change=${set}>${CHOICES[name].map(
    ([value, text]) => html`<option value=${value} ?selected=${value === now}>${text}</option>`,
  )}</select></label>`;
}

interface Group {
  folder: string;
  value: number;
  files: Hotspot[];
}

/** Folders of files, the largest first; a folder is as deep as it takes to have several of them. */
export function groupsOf(files: readonly Hotspot[]): Group[] {
  const shared = sharedFolder(files.map(({ path }) => path));
  const groups = new Map<string, Group>();
  for (const file of files) {
    const end = file.path.indexOf('/', shared.length);
    const folder = end < 0 ? shared.replace(/\/$/, '') : file.path.slice(0, end);
    const group = groups.get(folder) ?? { folder, value: 0, files: [] };
    groups.set(folder, group);
    group.files.push(file);
    group.value += linesOf(file);
  }
  for (const group of groups.values()) group.files.sort((a, b) => linesOf(b) - linesOf(a));
  return [...groups.values()].sort((a, b) => b.value - a.value);
}

const linesOf = ({ codeLines }: Hotspot): number => Math.max(1, codeLines);

/** The folder that most of the paths are below, with a slash at its end: nine of ten. */
function sharedFolder(paths: readonly string[]): string {
  let shared = '';
  for (;;) {
    const counts = new Map<string, number>();
    for (const path of paths) {
      const end = path.startsWith(shared) ? path.indexOf('/', shared.length) : -1;
      if (end >= 0) counts.set(path.slice(0, end + 1), (counts.get(path.slice(0, end + 1)) ?? 0) + 1);
    }
    const [best] = [...counts].sort((a, b) => b[1] - a[1]);
    if (best === undefined || best[1] < paths.length * 0.9) return shared;
    shared = best[0];
  }
}

/** From 0 to 1: how strongly a file is coloured. */
export function strengths(files: readonly Hotspot[], colour: string): Map<Hotspot, number> {
  const value = (file: Hotspot): number =>
    colour === 'age' ? Date.parse(file.last ?? '1970-01-01') : Math.log1p(colour === 'heat' ? file.heat : file.commits);
  const values = files.map(value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return new Map(files.map((file, i) => [file, most === least ? 0.5 : (values[i] - least) / (most - least)]));
}

function picture(files: readonly Hotspot[], colour: string): TemplateResult {
  const groups = groupsOf(files);
  const strong = strengths(files, colour);
  const outer = treemap(groups, { x: 0, y: 0, width: WIDTH, height: HEIGHT });
  return html`<div class="scrolled" tabindex="0" role="group" aria-label="Picture of the hottest files"><svg class="treemap" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="group" aria-label="Treemap of the files that the table below lists">
    ${groups.map((group, i) => groupOf(group, outer[i], strong))}</svg></div>`;
}

function groupOf(
  { folder, files }: Group,
  { x, y, width, height }: Rect,
  strong: ReadonlyMap<Hotspot, number>,
): TemplateResult {
  const hasTitle = width > MIN_LABEL && height > TITLE * 2;
  const inner = {
    x: x + 1,
    y: y + (hasTitle ? TITLE : 1),
    width: Math.max(0, width - 2),
    height: Math.max(0, height - (hasTitle ? TITLE + 1 : 2)),
  };
  const rects = treemap(
    files.map((file) => ({ value: linesOf(file) })),
    inner,
  );
  return svg`<g>${hasTitle ? svg`<svg x=${x} y=${y} width=${width - 2} height=${TITLE}><text class="folder" x="3" y="13">${fitted(folder, width - 6)}</text></svg>` : nothing}
    ${files.map((file, i) => cell(file, rects[i], strong.get(file) ?? 0))}</g>` as unknown as TemplateResult;
}

function cell(file: Hotspot, { x, y, width, height }: Rect, strength: number): TemplateResult {
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  const label = width > MIN_LABEL && height > 16 ? fitted(name, width - 6) : '';
  const level = Math.round(strength * LEVELS);
  const told = `${file.path}: ${plural(file.codeLines, 'line')} of code, ${plural(file.commits, 'commit')}, last ${day(file.last)}`;
  return svg`<a href=${readAddress(file.path)} tabindex="-1"><title>${told}</title>
    <rect class=${`heat-${level}`} x=${x} y=${y} width=${width} height=${height}></rect>
    ${label === '' ? nothing : svg`<svg x=${x} y=${y} width=${width} height=${height}><text class=${level >= FIRST_DARK ? 'on-dark' : ''} x="3" y="13">${label}</text></svg>`}</a>` as unknown as TemplateResult;
}

/** A name cut to a width; '' where too little of it would be left. */
function fitted(name: string, width: number): string {
  const fits = Math.floor(width / CHARACTER);
  if (name.length <= fits) return name;
  return fits < 6 ? '' : `${name.slice(0, fits - 1)}…`;
}

const heatText = (heat: number): string => (heat < 10 ? heat.toFixed(1) : Math.round(heat).toLocaleString('en'));

function table(files: readonly Hotspot[], leftOut: number): TemplateResult {
  const rest = files.length + leftOut - ROWS;
  return html`<div class="scrolled" tabindex="0" role="group" aria-label="Hottest files"><table><caption>The hottest files</caption>
    <thead><tr><th scope="col">File</th><th scope="col">Heat</th><th scope="col">Commits</th><th scope="col">Last</th><th scope="col">Lines of code</th></tr></thead>
    <tbody>${files
      .slice(0, ROWS)
      .map(
        (file) =>
          html`<tr><th scope="row">${placeLink({ path: file.path })}</th><td>${heatText(file.heat)}</td><td>${file.commits.toLocaleString('en')}</td><td>${day(file.last)}</td><td>${file.codeLines.toLocaleString('en')}</td></tr>`,
      )}</tbody></table></div>
    ${rest > 0 ? html`<p class="quiet">and ${rest.toLocaleString('en')} more</p>` : nothing}`;
}
