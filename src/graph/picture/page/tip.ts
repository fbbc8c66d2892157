/** Tooltip of the node under the pointer. */
import type { Model } from './data.js';
import { byId, make, plural } from './dom.js';
import type { Shown } from './scene.js';

export function showTip(model: Model, shown: Shown, mark: number, at: { x: number; y: number }): void {
  const tip = byId('tip');
  const { node, folder } = shown.marks[mark];
  const [used, uses] = [shown.edges.filter(({ to }) => to === mark), shown.edges.filter(({ from }) => from === mark)];
  const counts = `${used.length.toLocaleString('en')} in · ${uses.length.toLocaleString('en')} out`;
  if (folder === undefined) {
    const { label, path, kind, startLine } = model.nodes[node];
    tip.replaceChildren(make('strong', '', kind === 'file' ? path : label));
    if (kind !== 'file') tip.append(make('span', '', `${kind} · ${path}:${startLine}`));
    tip.append(make('span', '', counts));
  } else {
    const { path, total } = shown.folders[folder];
    tip.replaceChildren(make('strong', '', path === '' ? '/' : path));
    tip.append(make('span', '', `${plural(total, model.view === 'files' ? 'file' : 'symbol')} · ${counts}`));
    tip.append(make('span', 'hint', 'Click to open'));
  }
  tip.hidden = false;
  const { offsetWidth, offsetHeight } = tip;
  tip.style.left = `${Math.max(8, Math.min(at.x + 14, innerWidth - offsetWidth - 8))}px`;
  tip.style.top = `${Math.max(8, Math.min(at.y + 14, innerHeight - offsetHeight - 8))}px`;
}

export function hideTip(): void {
  byId('tip').hidden = true;
}
