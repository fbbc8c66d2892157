/** Entry of the page: draws it and handles the reader's input. */
import type { PictureView } from '../folders.js';
import {
  byId,
  cyclesOf,
  hidePanel,
  hideTip,
  plural,
  Search,
  showCycles,
  showLegend,
  showPanel,
  showTip,
} from './controls.js';
import { COSE_LIMIT, type LayoutName } from './layouts.js';
import { type Model, readPayload, Scenery, unpack } from './scene.js';
import { Stage } from './stage.js';

const DARK = matchMedia('(prefers-color-scheme: dark)');
/** Narrow windows, in which the open legend would cover the picture. */
const NARROW = matchMedia('(max-width: 820px)');
const PNG_MAX_PIXELS = 8_000;
/** Pixels by which an arrow key moves the picture. */
const PAN = 80;

class Page {
  private readonly payload = readPayload();
  private readonly sceneries = new Map<PictureView, Scenery>();
  private readonly stage = new Stage();
  private readonly search: Search;
  private view: PictureView;
  private selected = -1;

  constructor() {
    this.view = this.payload.view;
    this.search = new Search({
      model: () => this.model,
      mark: (nodes) => this.markMatches(nodes),
      goTo: (node) => void this.goTo(node),
    });
    this.listen();
  }

  private get scenery(): Scenery {
    let scenery = this.sceneries.get(this.view);
    if (scenery === undefined) {
      scenery = new Scenery(this.view, unpack(this.view, this.payload.views[this.view]), this.payload.limit);
      this.sceneries.set(this.view, scenery);
    }
    return scenery;
  }

  private get model(): Model {
    return this.scenery.model;
  }

  async start(): Promise<void> {
    const { repository, ref, commit, scope } = this.payload;
    document.title = `${repository} · code graph`;
    for (const [id, text] of Object.entries({ repository, ref, commit, scope })) byId(id).textContent = text;
    await this.draw();
    if (this.payload.focus >= 0) await this.goTo(this.payload.focus);
  }

  private async draw(options: { origin?: { x: number; y: number }; keep?: boolean } = {}): Promise<void> {
    const { scenery, stage } = this;
    hideTip();
    const drawn = stage.draw(scenery, DARK.matches, options);
    showLegend(scenery, stage.shown, (path) => {
      scenery.toggleGroup(path);
      void this.draw({ keep: true });
    });
    this.showCounts();
    await drawn;
    if (this.selected >= 0) this.spotlight();
  }

  private showCounts(): void {
    const { model, scenery, stage } = this;
    const one = this.view === 'files' ? 'file' : 'symbol';
    const parts = [plural(model.nodes.length, one), plural(model.edges.length, 'link')];
    byId('counts').textContent = parts.join(' · ');
    const { nodes, edges } = this.payload.cut[this.view];
    const cut =
      nodes + edges > 0
        ? `Not in this file: ${plural(nodes, one)} and ${plural(edges, 'link')}, the least connected ones.`
        : '';
    byId('notice').textContent = cut;
    byId('empty').hidden = stage.shown.marks.length > 0;
    const toggle = byId('unlinked');
    toggle.hidden = scenery.unlinked === 0 || scenery.unlinked === model.nodes.length;
    toggle.textContent = `${plural(scenery.unlinked, one)} without links`;
    toggle.setAttribute('aria-pressed', String(scenery.showUnlinked));
    const secondary = byId('aside');
    secondary.hidden = model.secondary.size === 0;
    secondary.textContent = `${plural(model.secondary.size, one)} of tests, examples and generated code`;
    secondary.setAttribute('aria-pressed', String(scenery.showSecondary));
    const cycles = cyclesOf(model);
    const list = byId('cycles');
    list.hidden = cycles.length === 0;
    list.textContent = `${plural(cycles.length, 'cycle')}: list ${cycles.length === 1 ? 'it' : 'them'}`;
    const cose = byId('layout').querySelector<HTMLOptionElement>('option[value="cose"]') as HTMLOptionElement;
    cose.disabled = stage.shown.marks.length > COSE_LIMIT;
    if (cose.disabled && stage.layout === 'cose') stage.layout = byId<HTMLSelectElement>('layout').value = 'layers';
    for (const name of ['files', 'symbols'] as const)
      byId(`view-${name}`).setAttribute('aria-pressed', String(name === this.view));
  }

  private async show(view: PictureView): Promise<void> {
    if (view === this.view) return;
    const before = this.selected >= 0 ? this.model.nodes[this.selected].path : null;
    this.view = view;
    this.dismiss();
    await this.draw();
    this.search.look();
    const same = before === null ? -1 : this.model.nodes.findIndex(({ path }) => path === before);
    if (same >= 0) await this.goTo(same);
  }

  /** Selects a node, after opening the folders that hide it. */
  private async goTo(node: number): Promise<void> {
    const { scenery, stage, model } = this;
    const mark = stage.shown.markOf[node];
    if (mark < 0 || stage.shown.marks[mark].folder !== undefined) {
      const origin = mark < 0 ? undefined : { ...stage.cy.getElementById(stage.shown.ids[mark]).position() };
      scenery.reveal(node);
      for (const { path } of stage.shown.groups)
        if (path === '/' || `${model.nodes[node].folder}/`.startsWith(`${path}/`)) scenery.unhide(path);
      await this.draw({ keep: true, origin });
    }
    this.selected = node;
    this.spotlight();
    showPanel(model, node, this.payload.places, {
      goTo: (other) => void this.goTo(other),
      closeFolder: (path) => void this.closeFolder(path),
      dismiss: () => this.dismiss(),
    });
    const at = stage.shown.markOf[node];
    if (at >= 0) stage.centre(at);
  }

  private spotlight(): void {
    const mark = this.stage.shown.markOf[this.selected];
    if (mark >= 0) this.stage.spotlight([mark], { linked: true, name: 'selected' });
  }

  private markMatches(nodes: readonly number[]): void {
    this.selected = -1;
    hidePanel();
    const marks = new Set(nodes.map((node) => this.stage.shown.markOf[node]).filter((mark) => mark >= 0));
    this.stage.spotlight([...marks], { name: 'match' });
    if (marks.size > 0) this.stage.centre([...marks][0]);
  }

  private dismiss(): void {
    this.selected = -1;
    hidePanel();
    this.stage.clear();
  }

  private async openFolder(id: string, mark: number): Promise<void> {
    const { stage, scenery } = this;
    const { folder } = stage.shown.marks[mark];
    if (folder === undefined) return;
    scenery.openFolder(stage.shown.folders[folder].path);
    await this.draw({ keep: true, origin: { ...stage.cy.getElementById(id).position() } });
  }

  private async closeFolder(path: string): Promise<void> {
    this.scenery.closeFolder(path);
    this.dismiss();
    await this.draw({ keep: true });
  }

  private listen(): void {
    const { cy } = this.stage;
    cy.on('tap', (event) => {
      if (event.target === cy) return this.dismiss();
      const mark = event.target.data('mark') as number;
      const { node } = this.stage.shown.marks[mark];
      void (node === undefined ? this.openFolder(event.target.id(), mark) : this.goTo(node));
    });
    cy.on('mouseover', 'node', ({ target, renderedPosition, originalEvent }) => {
      target.addClass('hovered');
      const at =
        originalEvent === undefined ? renderedPosition : { x: originalEvent.clientX, y: originalEvent.clientY };
      showTip(this.model, this.stage.shown, target.data('mark') as number, at);
      byId('stage').style.cursor = 'pointer';
    });
    cy.on('mouseout', 'node', ({ target }) => {
      target.removeClass('hovered');
      hideTip();
      byId('stage').style.cursor = '';
    });
    cy.on('viewport', hideTip);
    DARK.addEventListener('change', () => void this.draw({ keep: true }));
    this.listenToControls();
    document.addEventListener('keydown', (event) => this.onKey(event));
  }

  private listenToControls(): void {
    const { stage } = this;
    const click = (id: string, action: () => void) => byId(id).addEventListener('click', action);
    click('view-files', () => void this.show('files'));
    click('view-symbols', () => void this.show('symbols'));
    click('fit', () => stage.fit());
    click('zoom-in', () => stage.zoomBy(1.3));
    click('zoom-out', () => stage.zoomBy(1 / 1.3));
    click('png', () => this.savePng());
    const toggleLegend = () => {
      const isClosed = byId('legend').classList.toggle('closed');
      byId('legend-toggle').setAttribute('aria-expanded', String(!isClosed));
    };
    click('legend-toggle', toggleLegend);
    if (NARROW.matches) toggleLegend();
    click('aside', () => {
      this.scenery.toggleSecondary();
      void this.draw();
    });
    click('cycles', () => {
      this.dismiss();
      showCycles(this.model, { goTo: (node) => void this.goTo(node), dismiss: () => this.dismiss() });
    });
    click('unlinked', () => {
      this.scenery.showUnlinked = !this.scenery.showUnlinked;
      void this.draw({ keep: true });
    });
    byId<HTMLSelectElement>('layout').addEventListener('change', ({ target }) => {
      stage.layout = (target as HTMLSelectElement).value as LayoutName;
      void stage.arrange();
    });
  }

  private onKey(event: KeyboardEvent): void {
    const { stage } = this;
    if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLSelectElement) return;
    const actions: Record<string, () => void> = {
      '/': () => this.search.focus(),
      Escape: () => (this.selected >= 0 ? this.dismiss() : this.search.clear()),
      f: () => stage.fit(),
      '+': () => stage.zoomBy(1.3),
      '=': () => stage.zoomBy(1.3),
      '-': () => stage.zoomBy(1 / 1.3),
      ArrowLeft: () => stage.cy.panBy({ x: PAN, y: 0 }),
      ArrowRight: () => stage.cy.panBy({ x: -PAN, y: 0 }),
      ArrowUp: () => stage.cy.panBy({ x: 0, y: PAN }),
      ArrowDown: () => stage.cy.panBy({ x: 0, y: -PAN }),
    };
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined;
    if (action === undefined) return;
    event.preventDefault();
    action();
  }

  private savePng(): void {
    const { cy } = this.stage;
    const { w, h } = cy.elements().boundingBox();
    const scale = Math.min(2, PNG_MAX_PIXELS / Math.max(w, h, 1));
    const bg = getComputedStyle(document.documentElement).getPropertyValue('--ground').trim();
    const url = URL.createObjectURL(cy.png({ output: 'blob', full: true, bg, scale }));
    const link = document.createElement('a');
    link.href = url;
    link.download = `${this.view}.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }
}

void new Page().start();
