/** Search box: finds names and paths that contain the typed words, best first. Enter goes to the next match. */
import type { Model } from './data.js';
import { byId } from './dom.js';

/** Most matches that are marked; a reader steps through fewer. */
const MAX_MATCHES = 500;

/** Nodes whose label or path contains the words, in any letter case: equal labels first, then prefixes, then the rest, each by number of users. */
export function findNodes({ nodes, incoming }: Pick<Model, 'nodes' | 'incoming'>, query: string): number[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [];
  const ranked: [rank: number, node: number][] = [];
  nodes.forEach(({ label, path }, node) => {
    const name = label.toLowerCase();
    const at = name.indexOf(wanted);
    if (name === wanted) ranked.push([0, node]);
    else if (at === 0) ranked.push([1, node]);
    else if (at > 0) ranked.push([2, node]);
    else if (path.toLowerCase().includes(wanted)) ranked.push([3, node]);
  });
  ranked.sort((a, b) => a[0] - b[0] || incoming[b[1]].length - incoming[a[1]].length || a[1] - b[1]);
  return ranked.slice(0, MAX_MATCHES).map(([, node]) => node);
}

interface SearchActions {
  model: () => Model;
  /** Called when the matches change; without any for an empty box. */
  mark: (nodes: readonly number[]) => void;
  goTo: (node: number) => void;
}

export class Search {
  private readonly box = byId<HTMLInputElement>('search');
  private readonly status = byId('found');
  private matches: number[] = [];
  private at = -1;

  constructor(private readonly actions: SearchActions) {
    this.box.addEventListener('input', () => this.look());
    this.box.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') {
        event.preventDefault();
        this.step(event.shiftKey ? -1 : 1);
      } else if (event.key === 'Escape') {
        this.clear();
        this.box.blur();
      }
      event.stopPropagation();
    });
  }

  focus(): void {
    this.box.focus();
    this.box.select();
  }

  clear(): void {
    if (this.box.value === '') return;
    this.box.value = '';
    this.look();
  }

  /** Searches again, after the view changed. */
  look(): void {
    this.matches = findNodes(this.actions.model(), this.box.value);
    this.at = -1;
    this.actions.mark(this.matches);
    this.tell();
  }

  private step(by: number): void {
    const { length } = this.matches;
    if (length === 0) return;
    this.at = this.at < 0 && by < 0 ? length - 1 : (this.at + by + length) % length;
    this.actions.goTo(this.matches[this.at]);
    this.tell();
  }

  private tell(): void {
    const { length } = this.matches;
    const many = length === MAX_MATCHES ? `${MAX_MATCHES}+` : String(length);
    this.status.textContent = this.box.value === '' ? '' : this.at < 0 ? many : `${this.at + 1}/${many}`;
  }
}
