/** Maps: the architecture with folders in layers, users above what they use; and hotspots as a treemap and as a table. */
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { type Box, maxLabel, picture, shortened, type Use, usesOf } from '../../graph/picture/page/drawn.js';
import type { GraphCyclesResponse } from '../../questions/graph/cycles/question.js';
import type { GraphPicture } from '../../questions/graph/visualize/question.js';
import type { Hotspot, HotspotsDocument } from '../../questions/hotspots/question.js';
import type { Overview } from '../answers.js';
import { addressOf, answer, changedAddress, currentRoute, goTo, type Loaded, readAddress } from './api.js';
import { indexed } from './read-view.js';
import { day, listed, pathText, placeLink, plural, refInUse, type Template, waiting } from './widgets.js';

// Architecture map: folders in layers, users above what they use, thicker lines for more uses.

const MAX_FOLDERS = 40;

export function mapView(): TemplateResult {
  const { params } = currentRoute();
  const tests = params.get('tests') === 'yes';
  const ref = refInUse();
  const loaded = answer<GraphPicture>('graph visualize', {
    view: 'folders',
    limit: MAX_FOLDERS,
    ref,
    ...(tests && { tests }),
  });
  const { document: folders } = loaded;
  const { aside: leftOut = 0, unlinked: data = 0 } = folders?.leftOut ?? {};
  return html`<section>
    <h1>Map</h1>
    <p class="quiet">A folder stands above the folders that it uses. Thicker lines mean more uses, broken ones types alone; brown lines lead upwards. Choose a folder to see all of its uses.</p>
    <div class="tools"><label><input type="checkbox" ?checked=${tests} @change=${() => goTo(changedAddress({ tests: tests ? null : 'yes', at: null }))}>
      with tests, examples and generated code${leftOut > 0 ? ` (${plural(leftOut, 'file')} left out)` : ''}</label>
      ${data > 0 ? html`<span class="quiet">Not drawn: ${plural(data, 'file')} of data and documents that no code uses</span>` : nothing}</div>
    ${waiting(loaded, 'Linking the graph, which takes long the first time alone')}
    ${folders === undefined && isBeingMade(loaded) ? meanwhile() : nothing}
    ${folders === undefined ? nothing : drawn(folders, params.get('at'))}
    ${cycles(ref)}
  </section>`;
}

const isBeingMade = ({ failure }: Loaded<unknown>): boolean => failure === undefined || failure.code === 'NOT_READY';

/** Folders at the top, and languages: they are known before the graph is linked. */
function meanwhile(): Template {
  const { document } = answer<Overview>('overview', { ref: refInUse() });
  return document === undefined ? nothing : html`<h2>Meanwhile: files by folder</h2>${indexed(document)}`;
}

function drawn({ nodes, edges }: GraphPicture, chosen: string | null): TemplateResult {
  const numbers = new Map(nodes.map(({ id }, i) => [id, i]));
  const uses = edges.map(({ from, to, count, kinds }): Use => {
    const isWeak = kinds.every((kind) => kind === 'type-import');
    return { from: numbers.get(from) as number, to: numbers.get(to) as number, weight: count, isWeak };
  });
  const at = nodes.findIndex(({ label }) => label === chosen);
  const labels = shortened(
    nodes.map(({ label }) => label),
    maxLabel(),
  );
  const boxes = nodes.map(({ label: name, members = 0 }, i): Box => {
    const href = changedAddress({ at: i === at ? null : name });
    return { name, label: labels[i], detail: plural(members, 'file'), href };
  });
  return html`<div class="map">${picture({ boxes, uses, at, name: 'Folders and their uses' })}
    ${at < 0 ? nothing : folderPanel(nodes[at], usesOf(boxes, uses, at))}</div>`;
}

function folderPanel({ label, path }: GraphPicture['nodes'][number], uses: readonly Template[]): TemplateResult {
  return html`<aside class="side" aria-label=${label}><h2>${pathText(label)}</h2>
    <p class="tools"><a class="tool" href=${addressOf('/', { folder: path })}>Files</a>
      <a class="tool" href=${addressOf('/hotspots', { folder: path })}>Hotspots</a>
      <a class="tool" href=${addressOf('/people', { path })}>People</a></p>${uses}</aside>`;
}

function cycles(ref: string | undefined): Template {
  const { document } = answer<GraphCyclesResponse>('graph cycles', { ref, limit: 12 });
  if (document === undefined) return nothing;
  const items = document.cycles.list.map(
    ({ size, shortest }) =>
      html`<li><b>${plural(size, 'file')}:</b> ${shortest
        .slice(0, 6)
        .map(
          (step, i) => html`${i > 0 ? ' → ' : ''}${placeLink({ path: step.path, line: step.line })}`,
        )}${shortest.length > 6 ? ' → …' : ' →'}</li>`,
  );
  return html`<h2 class="hidden">Cycles</h2>${listed('Cycles of imports', document.cycles, items, 'No files import each other in circles.')}`;
}

// Hotspots as a treemap (size: lines of code; colour: commits or age) and as a table.

const MAX_FILES = 400;
const ROWS = 40;
const [TREEMAP_WIDTH, TREEMAP_HEIGHT] = [1_200, 620];
/** Height of a folder's name. */
const TITLE = 18;
/** Width of a character, by which labels are cut to their rectangles. */
const TILE_CHARACTER = 7.2;
const MIN_LABEL = 44;
/** Number of colours in the style sheet, from `heat-0`, and the first that is dark enough for white labels. */
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
  const values = {
    ref: refInUse(),
    limit: MAX_FILES,
    since,
    ...(tests && { tests }),
    ...(folder && { paths: [folder] }),
  };
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
    ${list.length === 0 ? nothing : hottest(list, params.get('colour') ?? 'commits')}
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

/** Groups files by folders, the largest first. The folders are at the depth where there are several of them. */
function groupsOf(files: readonly Hotspot[]): Group[] {
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

/** The folder that contains nine tenths of the paths, with a slash at its end. */
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

/** Strength of each file's colour, from 0 to 1. */
function strengths(files: readonly Hotspot[], colour: string): Map<Hotspot, number> {
  const value = (file: Hotspot): number =>
    colour === 'age' ? Date.parse(file.last ?? '1970-01-01') : Math.log1p(colour === 'heat' ? file.heat : file.commits);
  const values = files.map(value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return new Map(files.map((file, i) => [file, most === least ? 0.5 : (values[i] - least) / (most - least)]));
}

function hottest(files: readonly Hotspot[], colour: string): TemplateResult {
  const groups = groupsOf(files);
  const strong = strengths(files, colour);
  const outer = treemap(groups, { x: 0, y: 0, width: TREEMAP_WIDTH, height: TREEMAP_HEIGHT });
  return html`<div class="scrolled" tabindex="0" role="group" aria-label="Picture of the hottest files"><svg class="treemap" viewBox=${`0 0 ${TREEMAP_WIDTH} ${TREEMAP_HEIGHT}`} role="group" aria-label="Treemap of the files that the table below lists">
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
  const title = `${file.path}: ${plural(file.codeLines, 'line')} of code, ${plural(file.commits, 'commit')}, last ${day(file.last)}`;
  return svg`<a href=${readAddress(file.path)} tabindex="-1"><title>${title}</title>
    <rect class=${`heat-${level}`} x=${x} y=${y} width=${width} height=${height}></rect>
    ${label === '' ? nothing : svg`<svg x=${x} y=${y} width=${width} height=${height}><text class=${level >= FIRST_DARK ? 'on-dark' : ''} x="3" y="13">${label}</text></svg>`}</a>` as unknown as TemplateResult;
}

/** A name cut to a width; '' if too little of it would be left. */
function fitted(name: string, width: number): string {
  const fits = Math.floor(width / TILE_CHARACTER);
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

// Squarified treemap: rectangles whose areas are the values, as square as can be (Bruls, Huizing and van Wijk, 2000).

interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Valued {
  value: number;
}

/** One rectangle for each of `items`, whose values are above 0 and sorted from the largest to the smallest. Takes linear time. */
export function treemap(items: readonly Valued[], within: Rect): Rect[] {
  const total = items.reduce((sum, { value }) => sum + value, 0);
  const scale = (within.width * within.height) / total;
  const rects: Rect[] = [];
  let rest = within;
  for (let at = 0; at < items.length; ) {
    const side = Math.min(rest.width, rest.height);
    let end = at + 1;
    let area = items[at].value * scale;
    while (end < items.length) {
      const wider = area + items[end].value * scale;
      const first = items[at].value * scale;
      const isBetter =
        worst({ first, last: items[end].value * scale, area: wider, side }) <=
        worst({ first, last: items[end - 1].value * scale, area, side });
      if (!isBetter) break;
      area = wider;
      end++;
    }
    rest = layRow(items.slice(at, end), { scale, area, rest, rects });
    at = end;
  }
  return rects;
}

/** The largest ratio of sides in a row, which is that of its largest or smallest rectangle. */
function worst({ first, last, area, side }: { first: number; last: number; area: number; side: number }): number {
  const square = (area / side) ** 2;
  return Math.max(first / square, square / last, square / first);
}

/** Lays a row along the shorter side; returns the rest of the area. */
function layRow(
  row: readonly Valued[],
  { scale, area, rest, rects }: { scale: number; area: number; rest: Rect; rects: Rect[] },
): Rect {
  const isColumn = rest.width >= rest.height;
  const depth = area / (isColumn ? rest.height : rest.width);
  let along = isColumn ? rest.y : rest.x;
  for (const { value } of row) {
    const length = (value * scale) / depth;
    rects.push(
      isColumn
        ? { x: rest.x, y: along, width: depth, height: length }
        : { x: along, y: rest.y, width: length, height: depth },
    );
    along += length;
  }
  return isColumn
    ? { ...rest, x: rest.x + depth, width: Math.max(0, rest.width - depth) }
    : { ...rest, y: rest.y + depth, height: Math.max(0, rest.height - depth) };
}
