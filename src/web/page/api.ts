/**
 * Asks the server, and moves between views by their addresses. Answers are cached, so that a view can be drawn from them again and again.
 */

const KEY = 'socraticode.key';
/** Cached answers: enough to go back through a session's views. */
const MAX_CACHED = 60;
const RETRY_MS = 1_000;
const MAX_RETRIES = 300;

/** Progress of the work for an answer; `total` is null while unknown. */
export interface Progress {
  done: number;
  total: number | null;
  message: string;
}

interface Failure {
  code: string;
  message: string;
  hint: string;
}

/** An answer on its way: until it arrives, `document` may be the previous one. */
export interface Loaded<T> {
  document: T | undefined;
  failure: Failure | undefined;
  isLoading: boolean;
  progress?: Progress;
}

interface Entry {
  loaded: Loaded<unknown>;
  cancel: AbortController;
}

const entries = new Map<string, Entry>();
/** Newest request of each slot, and the newest document that it showed. */
const slots = new Map<string, { key: string; shown: unknown }>();
let changed: () => void = () => {};

/** `draw` is called whenever an answer arrives. */
export function onAnswer(draw: () => void): void {
  changed = draw;
}

/**
 * Takes the key out of the address (`#key=…`, or `#ticket=…`, which is exchanged for a key) before anything else happens, and
 * stores it for this origin, so that links opened in another tab work.
 */
export async function takeKey(): Promise<void> {
  const given = new URLSearchParams(location.hash.slice(1));
  const [key, ticket] = [given.get('key'), given.get('ticket')];
  if (key === null && ticket === null) return;
  history.replaceState(null, '', location.pathname + location.search);
  if (key !== null) return localStorage.setItem(KEY, key);
  const response = await send('ticket', { ticket }).catch(() => null);
  const { token } = response?.ok ? ((await response.json()) as { token: string }) : { token: null };
  if (token !== null) localStorage.setItem(KEY, token);
}

function send(name: string, values: object, signal?: AbortSignal): Promise<Response> {
  return fetch(`/api/${name.replaceAll(' ', '-')}`, {
    method: 'POST',
    headers: {
      ...{ 'Content-Type': 'application/json', Accept: 'application/x-ndjson' },
      Authorization: `Bearer ${localStorage.getItem(KEY) ?? 'none'}`,
    },
    body: JSON.stringify(values),
    signal,
  });
}

/**
 * The answer to a question, which is asked unless it is cached. Of a slot only the newest request goes on, and its last
 * document stays until the next one arrives.
 */
export function answer<T>(name: string, values: object, slot?: string): Loaded<T> {
  const key = JSON.stringify([name, values]);
  let entry = entries.get(key);
  if (entry === undefined) {
    entry = { loaded: { document: undefined, failure: undefined, isLoading: true }, cancel: new AbortController() };
    entries.set(key, entry);
    forgetOldest();
    void load(key, entry, { name, values });
  }
  if (slot === undefined) return entry.loaded as Loaded<T>;
  const before = slots.get(slot);
  if (before !== undefined && before.key !== key) cancelUnfinished(before.key);
  const shown = entry.loaded.document ?? before?.shown;
  slots.set(slot, { key, shown });
  return { ...entry.loaded, document: (entry.loaded.failure === undefined ? shown : undefined) as T | undefined };
}

function cancelUnfinished(key: string): void {
  const entry = entries.get(key);
  if (!entry?.loaded.isLoading) return;
  entry.cancel.abort();
  entries.delete(key);
}

function forgetOldest(): void {
  for (const [key, { loaded }] of entries) {
    if (entries.size <= MAX_CACHED) return;
    if (!loaded.isLoading) entries.delete(key);
  }
}

/** Fills an entry: asks until there is an index, and stops where the entry was cancelled or forgotten. */
async function load(key: string, entry: Entry, { name, values }: { name: string; values: object }): Promise<void> {
  for (let tries = 0; ; tries++) {
    const result = await once(name, values, entry.cancel.signal, (progress) => {
      if (entries.get(key) !== entry) return;
      entry.loaded = { ...entry.loaded, progress };
      changed();
    });
    if (entries.get(key) !== entry) return;
    const isIndexing = result.failure?.code === 'NOT_READY' && tries < MAX_RETRIES;
    entry.loaded = { ...result, isLoading: isIndexing };
    changed();
    if (isAway(entry.loaded)) void knock();
    if (!isIndexing) return;
    await new Promise((done) => setTimeout(done, RETRY_MS));
  }
}

/** True for an answer that may come when a server of this page runs again, or when another tab has stored its key. */
const isAway = ({ failure }: Pick<Loaded<unknown>, 'failure'>): boolean =>
  failure?.code === 'GONE' || failure?.code === 'NO_KEY';

const KNOCK_MS = 2_000;
let isKnocking = false;

/** Asks again and again until a server answers, and then asks for everything that failed meanwhile. */
async function knock(): Promise<void> {
  if (isKnocking) return;
  isKnocking = true;
  for (let isThere = false; !isThere; ) {
    await new Promise((done) => setTimeout(done, KNOCK_MS));
    // A page in the background waits until it is looked at.
    if (document.hidden) continue;
    isThere = !isAway(await once('about', {}, new AbortController().signal, () => {}));
  }
  isKnocking = false;
  for (const [key, { loaded }] of entries) if (isAway(loaded)) entries.delete(key);
  changed();
}

/** Asks once. A server that does not answer is a failure like others. */
async function once(
  name: string,
  values: object,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<Omit<Loaded<unknown>, 'isLoading'>> {
  try {
    const response = await send(name, values, signal);
    const document = JSON.parse(await lastLine(response, onProgress)) as { error?: Failure };
    return document.error === undefined
      ? { document, failure: undefined }
      : { document: undefined, failure: document.error };
  } catch {
    return { document: undefined, failure: GONE };
  }
}

/** The last line of a response, its document; earlier lines report progress. */
async function lastLine({ body }: Response, onProgress: (progress: Progress) => void): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
    text += decoder.decode(read.value, { stream: true });
    const end = text.lastIndexOf('\n');
    if (end < 0) continue;
    const line = text.slice(text.lastIndexOf('\n', end - 1) + 1, end);
    onProgress((JSON.parse(line) as { progress: Progress }).progress);
    text = text.slice(end + 1);
  }
  return text;
}

const GONE: Failure = {
  code: 'GONE',
  message: 'The server does not answer: it has ended.',
  hint: 'Start it again with `git socraticode web`. When its address is open, this page goes on as well.',
};

// Addresses of views, which hold all that a view shows, and moves from one to another.

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

interface Route {
  view: string;
  params: URLSearchParams;
}

/** Parameters that go from view to view: the ref, and the range that narrows searches. */
const LASTING = ['ref', 'in'];

let parsed: Route & { href: string } = { href: '', view: '', params: new URLSearchParams() };

/** Parsed once for each address: every line of code on the page has an address that begins with it. */
export function currentRoute(): Route {
  const { href, pathname, search } = location;
  if (parsed.href !== href) parsed = { href, view: pathname, params: new URLSearchParams(search) };
  return parsed;
}

type Given = Readonly<Record<string, string | number | null | undefined>>;

/** Address of a view at the current ref, with these parameters; null leaves one out, also a lasting one. */
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

/** Address of lines of a file in the reader. */
export function readAddress(path: string, lines?: { start: number; end?: number }, ref?: string | null): string {
  const { start, end = start } = lines ?? { start: 0 };
  const text = start === 0 ? null : end > start ? `${start}-${end}` : String(start);
  return addressOf('/read', { path, lines: text, ...(ref === undefined ? {} : { ref }) });
}

let moved: () => void = () => {};

/** `draw` is called after each change of the address. */
export function onMove(draw: () => void): void {
  moved = draw;
  addEventListener('popstate', () => {
    typed.href = '';
    moved();
    const link = followed.get(location.href);
    // A reader who comes back goes on from the link that led away.
    if (link !== undefined)
      requestAnimationFrame(() => document.querySelector<HTMLElement>(`main a[href="${CSS.escape(link)}"]`)?.focus());
  });
}

/** The link that was followed last from each address. */
const followed = new Map<string, string>();

/** The address that a key led to last, and when. */
let typed = { href: '', at: 0 };
/** Time without a key after which the next one begins another search: the reader has looked at what was found. */
const READ_MS = 5_000;

/**
 * `replace` leaves no entry to go back to, and neither does the address that is shown. `types`: the keys of one search share an entry, so that
 * going back leads to the search before. `draws` is false if an answer will draw.
 */
export function goTo(address: string, { replace = false, types = false, draws = true } = {}): void {
  const isShown = new URL(address, location.href).href === location.href;
  const isGoingOn = types && location.href === typed.href && performance.now() - typed.at < READ_MS;
  if (replace || isShown || isGoingOn) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  if (!types) typed.href = '';
  else if (!isShown) typed = { href: location.href, at: performance.now() };
  if (draws) moved();
}

/** Follows links of this page without loading it anew. Other links, and clicks with a modifier, are left to the browser. */
export function followLinks(event: MouseEvent): void {
  const link = (event.target as Element).closest?.('a');
  if (link?.target !== '' || event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.origin !== location.origin) return;
  event.preventDefault();
  followed.set(location.href, link.getAttribute('href') ?? '');
  const isNewView = link.pathname !== location.pathname;
  goTo(link.pathname + link.search);
  if (isNewView) document.querySelector('main')?.focus();
}
