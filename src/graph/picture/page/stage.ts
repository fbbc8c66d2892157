/** Drawing surface: draws the marks, arranges them, and highlights the selected ones. */
import type cytoscape from 'cytoscape';
import { byId, pathEnd } from './controls.js';
import { arrange, Force, LABEL_ROOM, type LayoutName, type Scene } from './layouts.js';
import { cssColour, elementsOf, type Scenery, type Shown } from './scene.js';

/** Pixels around the picture; pixels that the legend covers, and the width of a window from which on it has room of its own. */
const PADDING = 40;
const LEGEND = 250;
const WIDE = 1_000;
const CLOSED_LEGEND = 30;
/** Maximum zoom of `fit`, so that a handful of nodes does not fill the screen. */
const MAX_FIT = 1.6;
/** Maximum number of nodes whose labels are enlarged, number of rounds, and maximum factor. */
const READABLE_MARKS = 60;
const ENLARGE_ROUNDS = 3;
const MOST_LARGER = 4;
/** Milliseconds of a frame that arranging may take; the rest is for drawing and input. */
const SLICE_MS = 14;
const STEPS = 240;
/** Maximum number of nodes of a picture that is shown while it is arranged. */
const LIVE = 120;

interface Point {
  x: number;
  y: number;
}

export class Stage {
  readonly cy: cytoscape.Core;
  shown!: Shown;
  layout: LayoutName = 'layers';
  /** Number of the latest arrangement; an earlier one that still runs stops. */
  private run = 0;
  private readonly places = new Map<string, Point>();

  constructor() {
    const library = (globalThis as unknown as { cytoscape: typeof cytoscape }).cytoscape;
    // Cytoscape would warn of edges between nodes that still overlap while they are arranged.
    library.warnings(false);
    this.cy = library({
      ...{ container: byId('stage'), elements: [], minZoom: 0.03, maxZoom: 4, boxSelectionEnabled: false },
      ...{ autounselectify: true, textureOnViewport: false, hideEdgesOnViewport: false },
    });
  }

  /** Draws anew. With `keep`, nodes keep their places and new ones start at `origin`. */
  draw(
    scenery: Scenery,
    dark: boolean,
    { origin, keep = false }: { origin?: Point; keep?: boolean } = {},
  ): Promise<void> {
    this.remember();
    if (!keep) this.places.clear();
    this.shown = scenery.show(dark);
    const { shown, cy } = this;
    const big = shown.marks.length > 900;
    const positionOf = (mark: number): Point => this.places.get(shown.ids[mark]) ?? spread(mark, shown, origin);
    cy.batch(() => {
      cy.elements().remove();
      cy.style(graphStyle(shown.edges.length));
      cy.add(elementsOf(shown, { model: scenery.model, positionOf }));
    });
    (cy as unknown as { _private: { renderer: Record<string, boolean> } })._private.renderer.hideEdgesOnViewport = big;
    return this.arrange(keep);
  }

  private remember(): void {
    for (const node of this.cy.nodes('[mark]').toArray()) this.places.set(node.id(), { ...node.position() });
  }

  /** Arranges by the chosen layout; `gentle` moves less, for a picture that is arranged already. */
  async arrange(gentle = false): Promise<void> {
    const run = ++this.run;
    document.body.dataset.state = 'busy';
    const scene = this.scene();
    if (this.layout === 'cose') {
      this.cy.layout({ name: 'cose', animate: false, fit: false, nodeDimensionsIncludeLabels: false }).run();
    } else if (this.layout === 'force') {
      if (!(await this.forces(scene, run, gentle))) return;
    } else {
      arrange(this.layout, scene);
      this.place(scene);
      if (this.layout === 'layers' && scene.x.length <= READABLE_MARKS) this.enlargeLabels();
    }
    this.caption();
    this.fit();
    document.body.dataset.state = 'ready';
  }

  private scene(): Scene {
    const { shown, cy } = this;
    const nodes = shown.ids.map((id) => cy.getElementById(id).position());
    return {
      x: Float64Array.from(nodes, ({ x }) => x),
      y: Float64Array.from(nodes, ({ y }) => y),
      radius: shown.radius,
      group: Int32Array.from(shown.groupOf),
      links: shown.edges,
      labels: shown.ids,
      aspect: cy.width() / Math.max(cy.height(), 1),
      widths: shown.ids.map((id) => widthOf(cy.getElementById(id))),
    };
  }

  private place({ x, y }: Scene): void {
    const { shown, cy } = this;
    cy.batch(() => {
      shown.ids.forEach((id, i) => {
        cy.getElementById(id).position({ x: x[i], y: y[i] });
      });
    });
  }

  /** Returns false if another arrangement started meanwhile. */
  private async forces(scene: Scene, run: number, gentle: boolean): Promise<boolean> {
    const force = new Force(scene);
    const live = scene.x.length <= LIVE && !matchMedia('(prefers-reduced-motion: reduce)').matches;
    const steps = gentle ? STEPS / 2 : STEPS;
    let step = 0;
    while (step < steps) {
      const until = performance.now() + SLICE_MS;
      do force.step((gentle ? 0.5 : 1) * (1 - step / steps) ** 1.5);
      while (++step < steps && performance.now() < until);
      if (live) {
        this.place(scene);
        this.fit();
      }
      await new Promise((resume) => setTimeout(resume, live ? 8 : 0));
      if (run !== this.run) return false;
    }
    this.place(scene);
    return true;
  }

  /** Writes labels of a picture that is shown small in larger letters, with the room that they need, so that all are readable. */
  private enlargeLabels(): void {
    const { cy } = this;
    let factor = 1;
    for (let round = 0; round < ENLARGE_ROUNDS; round++) {
      const wanted = Math.min(1 / this.zoomToFit(), MOST_LARGER);
      if (wanted < factor * 1.1) return;
      factor = wanted;
      cy.nodes('[mark]').forEach((node) => {
        node.data('font', node.data('letters') * factor);
      });
      const scene = { ...this.scene(), below: LABEL_ROOM * factor };
      arrange('layers', scene);
      this.place(scene);
    }
  }

  /** Pixels that the picture may fill, next to the legend or above it. */
  private room(): { left: number; width: number; height: number } {
    const { cy } = this;
    const [left, foot] = cy.width() > WIDE ? [LEGEND, 0] : [0, CLOSED_LEGEND];
    return { left, width: cy.width() - left - 2 * PADDING, height: cy.height() - foot - 2 * PADDING };
  }

  private zoomToFit(): number {
    const { w, h } = this.cy.nodes().boundingBox();
    const { width, height } = this.room();
    return Math.min(width / Math.max(w, 1), height / Math.max(h, 1), MAX_FIT);
  }

  /** Zooms to show everything next to the legend. */
  fit(): void {
    const { cy } = this;
    const { x1, y1, w, h } = cy.nodes().boundingBox();
    const { left, width, height } = this.room();
    const zoom = this.zoomToFit();
    cy.viewport({
      zoom,
      pan: {
        x: left + PADDING + (width - w * zoom) / 2 - x1 * zoom,
        y: PADDING + (height - h * zoom) / 2 - y1 * zoom,
      },
    });
  }

  private caption(): void {
    const { cy, shown } = this;
    cy.nodes('.caption').remove();
    if (this.layout !== 'force' || shown.groups.length < 2) return;
    cy.add(captionsOf(shown, (mark) => cy.getElementById(shown.ids[mark]).position()));
  }

  zoomBy(factor: number): void {
    const { cy } = this;
    cy.zoom({ level: cy.zoom() * factor, renderedPosition: { x: cy.width() / 2, y: cy.height() / 2 } });
  }

  /** Fades all marks except for some and, with `linked`, their neighbours and edges. */
  spotlight(
    marks: readonly number[],
    { linked = false, name }: { linked?: boolean; name: 'match' | 'selected' },
  ): void {
    const { cy, shown } = this;
    cy.batch(() => {
      cy.elements().removeClass('faded near match selected');
      if (marks.length === 0) return;
      const chosen = cy.collection();
      for (const mark of marks) chosen.merge(cy.getElementById(shown.ids[mark]));
      const lit = linked ? chosen.closedNeighborhood() : chosen;
      cy.elements().difference(lit).addClass('faded');
      if (linked) lit.addClass('near');
      chosen.addClass(name);
    });
  }

  centre(mark: number): void {
    const { cy } = this;
    const node = cy.getElementById(this.shown.ids[mark]);
    const zoom = Math.max(cy.zoom(), 1);
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    cy.stop();
    cy.animate({ center: { eles: node }, zoom }, { duration: still ? 0 : 350, easing: 'ease-in-out-cubic' });
  }

  clear(): void {
    this.cy.elements().removeClass('faded near match selected');
  }
}

/** Width of a node with its label, which is below it. */
function widthOf(node: cytoscape.NodeSingular): number {
  const { label, font, size } = node.data() as { label: string; font: number; size: number };
  return Math.max(size, Math.min(label.length * font * LETTER_WIDTH, MAX_LABEL));
}

/** Width of a letter in font sizes, and of the longest label, which is wrapped. */
const LETTER_WIDTH = 0.62;
const MAX_LABEL = 440;

/**
 * First place of a mark, like the seeds of a sunflower, one flower for each group: no two marks share a place, and none is random.
 */
function spread(mark: number, shown: Shown, origin: Point | undefined): Point {
  const angle = mark * 2.399963;
  if (origin !== undefined) {
    const near = 8 * Math.sqrt(mark % 97);
    return { x: origin.x + near * Math.cos(angle), y: origin.y + near * Math.sin(angle) };
  }
  const turn = (shown.groupOf[mark] / shown.groups.length) * 2 * Math.PI;
  const far = 26 * Math.sqrt(shown.marks.length);
  const near = 9 * Math.sqrt(mark);
  return { x: far * Math.cos(turn) + near * Math.cos(angle), y: far * Math.sin(turn) + near * Math.sin(angle) };
}

// Names of islands: above each, or below, or nowhere if the name of a larger island is in the way.

/** Minimum number of nodes of an island. */
const CAPTION_MARKS = 4;
const CAPTION_WIDTH = 24;
/** Width and height of a letter, in font sizes. */
const LETTER = { width: 0.62, height: 1.25 };

interface Box extends Point {
  width: number;
  height: number;
}

function captionsOf(shown: Shown, positionOf: (mark: number) => Point): cytoscape.ElementDefinition[] {
  const { islands, height } = islandsOf(shown, positionOf);
  const font = Math.max(15, height / 48);
  const taken: Box[] = [];
  const captions: cytoscape.ElementDefinition[] = [];
  for (const { group, x, top, bottom } of islands) {
    const { path, colour } = shown.groups[group];
    const label = pathEnd(path, CAPTION_WIDTH);
    const box = { width: label.length * font * LETTER.width, height: font * LETTER.height };
    const place = [top - 6, bottom + box.height + 6].find(
      (y) => !taken.some((other) => overlaps({ ...box, x, y }, other)),
    );
    if (place === undefined) continue;
    taken.push({ ...box, x, y: place });
    captions.push({
      group: 'nodes',
      data: { id: `g${path}`, label, colour, font },
      position: { x, y: place },
      classes: 'caption',
    });
  }
  return captions;
}

const overlaps = (a: Box, b: Box): boolean =>
  2 * Math.abs(a.x - b.x) < a.width + b.width && Math.abs(a.y - b.y) < (a.height + b.height) / 2;

/** Islands of the picture, the largest first. */
function islandsOf({ groups, groupOf, radius }: Shown, positionOf: (mark: number) => Point) {
  const found = groups.map((_, group) => {
    return { group, count: 0, x: 0, top: Number.POSITIVE_INFINITY, bottom: Number.NEGATIVE_INFINITY };
  });
  groupOf.forEach((group, mark) => {
    const { x, y } = positionOf(mark);
    const island = found[group];
    island.count++;
    island.x += (x - island.x) / island.count;
    island.top = Math.min(island.top, y - radius[mark]);
    island.bottom = Math.max(island.bottom, y + radius[mark]);
  });
  const islands = found
    .filter(({ group, count }) => count >= CAPTION_MARKS && groups[group].path !== '/')
    .sort((a, b) => b.count - a.count || a.group - b.group);
  const [top, bottom] = [Math.min(...found.map((each) => each.top)), Math.max(...found.map((each) => each.bottom))];
  return { islands, height: bottom - top };
}

// Style of nodes and edges. Colours come from the page's style sheet, the only place that knows dark and light mode.

/** Maximum number of edges that are drawn with arrows; plain lines are many times faster. */
const ARROWS = 2_500;

function graphStyle(edgeCount: number): cytoscape.StylesheetJson {
  const [ground, text, faint] = ['ground', 'text', 'faint'].map(cssColour);
  const plain = edgeCount > ARROWS;
  return [
    {
      selector: 'node',
      style: {
        ...{ width: 'data(size)', height: 'data(size)', 'background-color': 'data(colour)', 'border-width': 0 },
        ...{ label: 'data(label)', color: text, 'font-size': 'data(font)', 'min-zoomed-font-size': 9.5 },
        'font-family': 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
        ...{ 'text-valign': 'bottom', 'text-margin-y': 4, 'text-wrap': 'wrap', 'text-max-width': '440px' },
        ...{ 'text-outline-color': ground, 'text-outline-width': 2.5, 'text-outline-opacity': 0.85 },
        ...{ 'z-index': 10, 'overlay-opacity': 0 },
      },
    },
    {
      selector: 'node.folder',
      style: {
        ...{ shape: 'round-rectangle', 'background-opacity': 0.28, 'border-color': 'data(colour)', 'border-width': 2 },
        ...{ 'font-weight': 600, 'z-index': 5, 'min-zoomed-font-size': 9 },
      },
    },
    {
      selector: 'node.caption',
      style: {
        ...{
          width: 1,
          height: 1,
          'background-opacity': 0,
          color: 'data(colour)',
          'font-weight': 700,
          'min-zoomed-font-size': 0,
        },
        ...{ 'text-valign': 'top', 'text-margin-y': 0, 'text-outline-width': 4, 'z-index': 40, events: 'no' },
      },
    },
    {
      selector: 'edge',
      style: {
        ...{ width: 'data(width)', 'line-color': 'data(colour)', 'line-opacity': plain ? 0.16 : 0.34 },
        ...(plain
          ? { 'curve-style': 'haystack', 'haystack-radius': 0 }
          : {
              ...{ 'curve-style': 'bezier', 'control-point-step-size': 18, 'target-arrow-shape': 'triangle' },
              ...{ 'target-arrow-color': 'data(colour)', 'arrow-scale': 0.75 },
            }),
        ...{ 'z-index': 1, 'overlay-opacity': 0, events: 'no' },
      },
    },
    { selector: 'edge.weak', style: { 'line-style': 'dashed', 'line-dash-pattern': [4, 4], 'line-opacity': 0.3 } },
    { selector: '.faded', style: { opacity: 0.1 } },
    { selector: 'node.faded', style: { 'text-opacity': 0 } },
    {
      selector: 'edge.near',
      style: { 'line-opacity': 0.95, 'z-index': 8 },
    },
    { selector: 'node.near', style: { 'min-zoomed-font-size': 0, 'z-index': 20 } },
    {
      selector: 'node.match',
      style: { 'border-width': 3, 'border-color': cssColour('accent'), 'min-zoomed-font-size': 0, 'z-index': 25 },
    },
    {
      selector: 'node.selected, node.hovered',
      style: {
        'min-zoomed-font-size': 0,
        'z-index': 30,
        'underlay-color': faint,
        'underlay-opacity': 0.45,
        'underlay-padding': 7,
      },
    },
    { selector: 'node.selected', style: { 'border-width': 3, 'border-color': text } },
  ] as unknown as cytoscape.StylesheetJson;
}
