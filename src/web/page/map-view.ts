/** Architecture map: folders in layers, users above what they use, thicker lines for more uses. */
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { type Layered, layered } from '../../graph/picture/layers.js';
import type { GraphCyclesResponse } from '../../questions/graph/cycles/output.js';
import type { GraphPicture } from '../../questions/graph/visualize/output.js';
import { answer } from './api.js';
import { listed, placeLink, plural, refInUse, type Template, waiting } from './parts.js';
import { addressOf, changedAddress, currentRoute, goTo } from './route.js';

const LIMIT = 40;
/** Width of the picture in its own units: that of the screen where this is less, so that a telephone shows whole lines of folders. */
const WIDTH = 1_150;
const MIN_WIDTH = 330;
const AROUND = 40;
const HEIGHT = 44;
const CHARACTER = 8.2;
const MAX_LABEL = 34;
/** Most lines of a picture in which no folder is chosen: the strongest. */
const STRONGEST = 70;

type Folder = GraphPicture['nodes'][number];

export function mapView(): TemplateResult {
  const { params } = currentRoute();
  const tests = params.get('tests') === 'yes';
  const ref = refInUse();
  const loaded = answer<GraphPicture>('graph visualize', {
    view: 'folders',
    limit: LIMIT,
    ref,
    ...(tests && { tests }),
  });
  const { document: picture } = loaded;
  const aside = picture?.leftOut.aside ?? 0;
  return html`<section>
    <h1>Map</h1>
    <p class="quiet">A folder stands above the folders that it uses. Thicker lines mean more uses; brown lines lead upwards. Choose a folder to see all of its uses.</p>
    <div class="tools"><label><input type="checkbox" ?checked=${tests} @change=${() => goTo(changedAddress({ tests: tests ? null : 'yes', at: null }))}>
      with tests, examples and generated code${aside > 0 ? ` (${plural(aside, 'file')} left out)` : ''}</label></div>
    ${waiting(loaded, 'Linking the graph')}
    ${picture === undefined ? nothing : drawn(picture, params.get('at'))}
    ${cycles(ref)}
  </section>`;
}

/** The middle of a long label is cut: both ends tell more. */
function labelOf({ label }: Folder): string {
  if (label.length <= MAX_LABEL) return label;
  const half = Math.floor((MAX_LABEL - 1) / 2);
  return `${label.slice(0, half)}…${label.slice(-half)}`;
}

function drawn(picture: GraphPicture, chosen: string | null): TemplateResult {
  const numbers = new Map(picture.nodes.map(({ id }, i) => [id, i]));
  const arrows = picture.edges.map(({ from, to, count }) => {
    return { from: numbers.get(from) as number, to: numbers.get(to) as number, weight: count };
  });
  const boxes = picture.nodes.map((node) => ({ width: labelOf(node).length * CHARACTER + 22, height: HEIGHT }));
  const places = layered(boxes, arrows, pictureWidth());
  const at = picture.nodes.findIndex(({ label }) => label === chosen);
  const most = Math.max(1, ...arrows.map(({ weight }) => weight));
  const strong = [...arrows].sort((a, b) => b.weight - a.weight);
  const shown = (
    at < 0 ? strong.slice(0, STRONGEST) : strong.filter(({ from, to }) => from === at || to === at)
  ).reverse();
  const near = new Set(shown.flatMap(({ from, to }) => [from, to]));
  const view = `-10 -10 ${places.width + 20} ${places.height + 20}`;
  return html`<div class="map"><div class="scrolled"><svg class="layers" viewBox=${view} role="group" aria-label="Folders and their uses">
      ${shown.map((arrow) => line(arrow, { places, boxes, most, at }))}
      ${picture.nodes.map((node, i) => box(node, { places, boxes, i, isFaint: at >= 0 && !near.has(i), isChosen: i === at }))}
    </svg></div>
    ${at < 0 ? nothing : beside(picture.nodes[at], arrows, picture.nodes)}</div>`;
}

const screenWidth = (): number => document.documentElement.clientWidth - AROUND;
const pictureWidth = (): number => Math.max(MIN_WIDTH, Math.min(WIDTH, screenWidth()));

interface Arrow {
  from: number;
  to: number;
  weight: number;
}

interface Drawn {
  places: Layered;
  boxes: readonly { width: number; height: number }[];
}

function line(
  { from, to, weight }: Arrow,
  { places: { x, y }, boxes, most, at }: Drawn & { most: number; at: number },
): TemplateResult {
  const middle = (i: number) => x[i] + boxes[i].width / 2;
  const isDown = y[from] < y[to];
  const [start, end] = [y[from] + (isDown ? HEIGHT : 0), y[to] + (isDown ? 0 : HEIGHT)];
  const bend = Math.max(30, Math.abs(end - start) / 2) * (isDown ? 1 : -1);
  const path = `M${middle(from)} ${start} C${middle(from)} ${start + bend} ${middle(to)} ${end - bend} ${middle(to)} ${end}`;
  const kind = at < 0 ? (isDown ? '' : 'up') : from === at ? 'out' : 'in';
  const width = 1 + 7 * Math.sqrt(weight / most);
  return svg`<path class=${`use ${kind}`} d=${path} stroke-width=${width.toFixed(1)}></path>` as unknown as TemplateResult;
}

interface Boxed extends Drawn {
  i: number;
  isFaint: boolean;
  isChosen: boolean;
}

function box(node: Folder, { places: { x, y }, boxes, i, isFaint, isChosen }: Boxed): TemplateResult {
  const { width, height } = boxes[i];
  const address = changedAddress({ at: isChosen ? null : node.label });
  const classes = `folder${isFaint ? ' faint' : ''}${isChosen ? ' chosen' : ''}`;
  return svg`<a class=${classes} href=${address} aria-current=${isChosen ? 'true' : nothing}><title>${node.label}: ${plural(node.members ?? 0, 'file')}</title>
    <rect x=${x[i]} y=${y[i]} width=${width} height=${height} rx="6"></rect>
    <text x=${x[i] + 10} y=${y[i] + 18}>${labelOf(node)}</text>
    <text class="small" x=${x[i] + 10} y=${y[i] + 34}>${plural(node.members ?? 0, 'file')}</text></a>` as unknown as TemplateResult;
}

function beside(node: Folder, arrows: readonly Arrow[], nodes: readonly Folder[]): TemplateResult {
  const at = nodes.indexOf(node);
  const side = (list: readonly Arrow[], other: (arrow: Arrow) => number) => {
    const sorted = [...list].sort((a, b) => b.weight - a.weight);
    return sorted.map(
      (arrow) => html`<li><a href=${changedAddress({ at: nodes[other(arrow)].label })}>${nodes[other(arrow)].label}</a>
        <span class="quiet">${plural(arrow.weight, 'use')}</span></li>`,
    );
  };
  const [out, into] = [arrows.filter(({ from }) => from === at), arrows.filter(({ to }) => to === at)];
  return html`<aside class="side" aria-label=${node.label}><h2>${node.label}</h2>
    <p class="tools"><a class="tool" href=${addressOf('/', { folder: node.path })}>Files</a>
      <a class="tool" href=${addressOf('/hotspots', { folder: node.path })}>Hotspots</a>
      <a class="tool" href=${addressOf('/people', { path: node.path })}>People</a></p>
    ${listed(
      'Uses',
      { list: out, leftOut: 0 },
      side(out, ({ to }) => to),
      'Nothing.',
    )}
    ${listed(
      'Used by',
      { list: into, leftOut: 0 },
      side(into, ({ from }) => from),
      'Nothing.',
    )}</aside>`;
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
