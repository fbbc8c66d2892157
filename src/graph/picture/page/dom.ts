/** DOM helpers. Text of the repository enters the page only through `make`, as text. */

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

/** Creates an element with a class and a text, never from markup. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = '',
  text = '',
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className !== '') element.className = className;
  if (text !== '') element.textContent = text;
  return element;
}

export function makeButton(className: string, text: string, onClick: () => void): HTMLButtonElement {
  const button = make('button', className, text);
  button.type = 'button';
  button.addEventListener('click', onClick);
  return button;
}

/** `1 file`, `2,000 files`. */
export function plural(count: number, one: string): string {
  return `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;
}

/** End of a path: as many whole names as fit into `width` characters. */
export function pathEnd(path: string, width: number): string {
  if (path.length <= width) return path;
  const cut = path.indexOf('/', path.length - width);
  return `…${cut === -1 ? path.slice(path.lastIndexOf('/')) : path.slice(cut)}`;
}
