/** Legend of the folders' colours; a click hides or shows a folder. */
import { byId, make, pathEnd } from './dom.js';
import type { Scenery, Shown } from './scene.js';

export function showLegend(scenery: Scenery, { groups }: Shown, onToggle: (path: string) => void): void {
  const rows = groups
    .filter(({ total }) => total > 0)
    .map(({ path, colour, total }) => {
      const button = make('button', 'legend-row');
      button.type = 'button';
      button.setAttribute('aria-pressed', String(!scenery.isHidden(path)));
      const dot = make('span', 'dot');
      dot.style.background = colour;
      const name = make('span', 'legend-name', pathEnd(path, 25));
      name.title = path;
      button.append(dot, name, make('span', 'legend-count', total.toLocaleString('en')));
      button.addEventListener('click', () => onToggle(path));
      return button;
    });
  byId('legend-rows').replaceChildren(...rows);
}
