/** Drawing surface: draws the marks, arranges them, and highlights the selected ones. */
import type cytoscape from 'cytoscape';
import { captionsOf } from './captions.js';
import { byId } from './dom.js';
import { Force } from './force.js';
import { arrange, LABEL_ROOM, type LayoutName, type Scene } from './layouts.js';
import { elementsOf, type Scenery, type Shown } from './scene.js';
import { graphStyle } from './style.js';

/** Pixels around the picture; pixels that the legend covers, and the width from which it has room of its own. */
const PADDING = 40;
const LEGEND = 250;
const WIDE = 1_000;
const CLOSED_LEGEND = 30;
/** Largest zoom of `fit`, so that a handful of nodes does not fill the screen. */
const MAX_FIT = 1.6;
/** Most nodes whose labels are enlarged, how often, and how much at most. */
const READABLE_MARKS = 60;
const ENLARGE_ROUNDS = 3;
const MOST_LARGER = 4;
/** Milliseconds of a frame that arranging may take; the rest is for drawing and input. */
const SLICE_MS = 14;
const STEPS = 240;
/** Most nodes of a picture that is shown while it is arranged. */
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

  /** Arranges by the chosen layout; `gentle` moves less, for a picture that was arranged before. */
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

  /** False if another arrangement started meanwhile. */
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

  /** Writes labels of a picture that is shown small in larger letters, with the room that they need, so that all can be read. */
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

  /** Fades all but some marks and, with `linked`, their neighbours and edges. */
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

/** Width of a letter in font sizes, and of the longest label, which is wrapped (`page/style`). */
const LETTER_WIDTH = 0.62;
const MAX_LABEL = 440;

/** First place of a mark, as in the seeds of a sunflower, one flower a group: no two marks share a place, and no chance is involved. */
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
