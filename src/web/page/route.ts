/** Addresses of views: everything that a view shows is in its address, so that each is a link to keep. */

export const VIEWS = [
  ['/', 'Search'],
  ['/review', 'Review'],
  ['/history', 'History'],
  ['/map', 'Map'],
  ['/hotspots', 'Hotspots'],
  ['/people', 'People'],
] as const;

/** Search in the repositories of a fleet. */
export const FLEET_VIEW = ['/fleet', 'Fleet'] as const;

export interface Route {
  view: string;
  params: URLSearchParams;
}

/** Parameters that go along from view to view: the ref, and the range that searches are narrowed to. */
const LASTING = ['ref', 'in'];

let known: Route & { href: string } = { href: '', view: '', params: new URLSearchParams() };

/** Read anew when the address has changed: every line of code on the page has an address of its own that begins with it. */
export function currentRoute(): Route {
  const { href, pathname, search } = location;
  if (known.href !== href) known = { href, view: pathname, params: new URLSearchParams(search) };
  return known;
}

type Given = Readonly<Record<string, string | number | null | undefined>>;

/** Address of a view at the ref in use, with these parameters; null leaves one out, also a lasting one. */
export function addressOf(view: string, given: Given): string {
  const now = currentRoute().params;
  const params = new URLSearchParams();
  for (const name of LASTING) if (given[name] === undefined && now.get(name)) params.set(name, now.get(name) as string);
  for (const [name, value] of Object.entries(given))
    if (value !== null && value !== undefined && value !== '') params.set(name, String(value));
  const search = params.toString();
  return search === '' ? view : `${view}?${search}`;
}

/** The address of this view with some parameters changed. */
export function changedAddress(given: Given): string {
  const { view, params } = currentRoute();
  return addressOf(view, { ...Object.fromEntries(params), ...given });
}

/** Lines of a file as the reader takes them. */
export function readAddress(path: string, lines?: { start: number; end?: number }, ref?: string | null): string {
  const { start, end = start } = lines ?? { start: 0 };
  const text = start === 0 ? null : end > start ? `${start}-${end}` : String(start);
  return addressOf('/read', { path, lines: text, ...(ref === undefined ? {} : { ref }) });
}

let moved: () => void = () => {};

/** `draw` is called after each change of the address. */
export function onMove(draw: () => void): void {
  moved = draw;
  addEventListener('popstate', () => moved());
}

/** `replace` leaves no entry to go back to: for what changes while one types. `draws` is false where an answer will draw. */
export function goTo(address: string, { replace = false, draws = true } = {}): void {
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  if (draws) moved();
}

/** Follows links of this page without loading it anew; others, and those with a modifier, are the browser's. */
export function followLinks(event: MouseEvent): void {
  const link = (event.target as Element).closest?.('a');
  if (link?.target !== '' || event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.origin !== location.origin) return;
  event.preventDefault();
  const isNewView = link.pathname !== location.pathname;
  goTo(link.pathname + link.search);
  if (isNewView) document.querySelector('main')?.focus();
}
