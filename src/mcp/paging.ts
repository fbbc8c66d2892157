/**
 * Cuts a document to a budget of tokens. A document that fits is unchanged. Otherwise each outermost list keeps as many
 * entries as fit, at least one, and further pages have the rest. An entry that is too large alone is cut inside.
 */

interface PageOptions {
  /** Entries of each outermost list on earlier pages. */
  skip: number;
  /** Most entries of each outermost list; Infinity for no limit. */
  limit: number;
  /** Tells whether a reply with this page keeps its budget. */
  fits: (page: CutDocument) => boolean;
}

export function cutToBudget(document: object, { skip, limit, fits }: PageOptions): CutDocument {
  const whole = { ...WHOLE, from: skip, outer: limit };
  const longest = longestLists(document);
  const entries = Math.min(limit, longest.outer - skip);
  const isGood = (outer: number) => fits(cutDocument(document, { ...whole, outer }));
  // Tries a long page before the whole document: writing all of it takes longer than the question did.
  if (entries <= LONG_PAGE || isGood(LONG_PAGE)) {
    const all = cutDocument(document, whole);
    if (fits(all)) return all;
  }
  const some = largest(entries, isGood);
  if (some > 0) return cutDocument(document, { ...whole, outer: some });
  const one = { ...whole, outer: 1 };
  const inner = largest(longest.inner, (size) => fits(cutDocument(document, { ...one, inner: size })));
  if (inner > 0) return cutDocument(document, { ...one, inner });
  const least = { ...one, inner: 1 };
  const lines = largest(longest.lines, (size) => fits(cutDocument(document, { ...least, lines: size })));
  const page = cutDocument(document, { ...least, lines: Math.max(1, lines) });
  return lines > 0 ? page : squeezed(page, fits);
}

/** Entries of a long page: the default budgets hold 20 to 80. */
const LONG_PAGE = 128;
/** Entries that most budgets hold. */
const SHORT_PAGE = 16;

/** Last cuts, for very long names and for lists without a counter: entries of every list, and characters of every text. */
const SQUEEZES = [
  { entries: 100, characters: 1_000 },
  { entries: 20, characters: 200 },
  { entries: 4, characters: 80 },
  { entries: 1, characters: 72 },
] as const;

/** Applies the mildest cut that fits, or the last. */
function squeezed(page: CutDocument, fits: PageOptions['fits']): CutDocument {
  let least = page;
  for (const bounds of SQUEEZES) {
    least = { ...page, document: squeeze(page.document, bounds) as Fields };
    if (fits(least)) break;
  }
  return least;
}

/** Tells whether entries have lists of their own. Such a list is not shortened, since its entries have counters. */
const holdsLists = (list: readonly unknown[]): boolean =>
  list.some((each) => typeof each === 'object' && each !== null && Object.values(each).some(Array.isArray));

function squeeze(value: unknown, bounds: (typeof SQUEEZES)[number]): unknown {
  const { entries, characters } = bounds;
  if (typeof value === 'string') return value.length > characters ? `${value.slice(0, characters)}…` : value;
  if (Array.isArray(value))
    return (holdsLists(value) ? value : value.slice(0, entries)).map((each) => squeeze(each, bounds));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, squeeze(field, bounds)]));
}

/**
 * Largest good number from 1 to `most`, 0 if none is; all numbers below a good one must be good. Doubles until a number is bad:
 * good ones are small, and a test costs as much as its number.
 */
function largest(most: number, isGood: (size: number) => boolean): number {
  let [good, bad] = [0, SHORT_PAGE];
  while (bad <= most && isGood(bad)) [good, bad] = [bad, bad * 2];
  bad = Math.min(bad, most + 1);
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1;
    if (isGood(middle)) good = middle;
    else bad = middle;
  }
  return good;
}

/** Sizes to which a document's lists are cut. */
interface Cut {
  /** First entry of each outermost list. */
  from: number;
  /** Entries of each outermost list. */
  outer: number;
  /** Entries of each list inside an entry, from its first; the rest is on no page. */
  inner: number;
  /** Lines of each text inside an entry. */
  lines: number;
}

export const WHOLE: Readonly<Cut> = { from: 0, outer: Infinity, inner: Infinity, lines: Infinity };

/** Lists that begin where another one ends: possible uses follow the proven ones. */
const AFTER: Readonly<Record<string, string>> = { possible: 'uses' };

export interface CutDocument {
  document: Fields;
  /** Shown entries of the longest outermost list. */
  shown: number;
  /** Known entries on neither this page nor an earlier one: those that the document leaves out, and those that were cut. */
  leftOut: number;
}

export type Fields = Record<string, unknown>;

/** Place of the number of entries that a list leaves out: a field, or a field of the object `leftOut`; null if the object has none. */
type Counter = { field: string } | { within: string } | null;

const LEFT_OUT = 'leftOut';
/** List of a search's results; it has no counter, since a search does not count further results. */
const RESULTS = 'results';

/** Lines are truncated to this many UTF-16 units when a reply is cut: minified code is a single line. */
const MAX_LINE = 240;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function cutDocument(document: object, cut: Cut): CutDocument {
  const seen: Seen = { cut, shown: 0, leftOut: 0, isInside: false, isTop: true };
  return { document: cutFields(document as Fields, seen), shown: seen.shown, leftOut: seen.leftOut };
}

/** Lengths of the longest outermost list, of the longest list inside an entry, and of the longest text in lines. */
export function longestLists(document: object): { outer: number; inner: number; lines: number } {
  const longest = { outer: 0, inner: 0, lines: 0 };
  const visit = (value: unknown, isInside: boolean, isTop: boolean) => {
    if (typeof value === 'string' && isInside) longest.lines = Math.max(longest.lines, value.split('\n').length);
    if (Array.isArray(value)) for (const item of value) visit(item, isInside, false);
    if (!isFields(value)) return;
    const lists = listsOf(value, isTop);
    for (const [name, field] of Object.entries(value)) {
      const isList = lists.has(name);
      const kind = isInside ? 'inner' : 'outer';
      const before = isTop ? listBefore(value, name) : null;
      if (before !== null) longest.outer = Math.max(longest.outer, before.list.length + (field as Listed).list.length);
      if (isList) longest[kind] = Math.max(longest[kind], (field as unknown[]).length);
      visit(field, isInside || isList, false);
    }
  };
  visit(document, false, true);
  return longest;
}

/** State of one walk through a document. */
interface Seen {
  cut: Cut;
  /** Sums over the outermost lists, as in `CutDocument`. */
  shown: number;
  leftOut: number;
  /** Is the value inside an entry of an outermost list? */
  isInside: boolean;
  /** Is it the document itself? The first object that is cut takes this back. */
  isTop: boolean;
}

function cutValue(value: unknown, seen: Seen): unknown {
  if (typeof value === 'string') return seen.isInside ? cutText(value, seen.cut.lines) : value;
  if (Array.isArray(value)) return value.map((item) => cutValue(item, seen));
  return isFields(value) ? cutFields(value, seen) : value;
}

function cutFields(fields: Fields, seen: Seen): Fields {
  const lists = listsOf(fields, seen.isTop);
  const { isTop } = seen;
  seen.isTop = false;
  const out: Fields = {};
  for (const [name, value] of Object.entries(fields)) {
    if (lists.has(name)) continue;
    // Documents have that list in front of this one, so it has been cut.
    const before = isTop ? listBefore(fields, name) : null;
    if (before === null) out[name] = cutValue(value, seen);
    else out[name] = cutAfter(value, { before, shown: (out[AFTER[name]] as Listed).list.length }, seen);
  }
  const counted = new Set<string>();
  for (const [name, counter] of lists) {
    out[name] = cutList(fields[name] as unknown[], { out, counter, counted }, seen);
  }
  // Restores the order of the fields.
  return Object.fromEntries(Object.keys(fields).map((name) => [name, out[name]]));
}

interface Listed {
  list: readonly unknown[];
  leftOut: number;
}

const isListed = (value: unknown): value is Listed =>
  isFields(value) && Array.isArray(value.list) && typeof value.leftOut === 'number';

/** The list after which this one begins; null if it begins with the page. */
function listBefore(fields: Fields, name: string): Listed | null {
  const before = fields[AFTER[name] ?? ''];
  return isListed(before) && isListed(fields[name]) ? before : null;
}

/** Treats both lists as one: the second begins on the page where the first ends. `shown`: entries of the first on this page. */
function cutAfter(value: unknown, { before, shown }: { before: Listed; shown: number }, seen: Seen): unknown {
  const { from, outer } = seen.cut;
  const all = before.list.length + before.leftOut;
  const start = Math.max(0, from - all);
  const size = before.leftOut > 0 ? 0 : Math.max(0, from + outer - all - start);
  const own: Seen = { ...seen, shown: 0, cut: { ...seen.cut, from: start, outer: size } };
  const cut = cutValue(value, own);
  seen.leftOut = own.leftOut;
  seen.shown = Math.max(seen.shown, shown + own.shown);
  return cut;
}

interface Owner {
  /** Object that is built, counters included. */
  out: Fields;
  counter: Counter;
  /** Counters that the sum already has: several lists may share one. */
  counted: Set<string>;
}

function cutList(list: readonly unknown[], { out, counter, counted }: Owner, seen: Seen): unknown[] {
  const { cut, isInside } = seen;
  const [from, size] = isInside ? [0, cut.inner] : [cut.from, cut.outer];
  const retained = list.slice(from, from + size);
  const dropped = list.slice(from + size);
  const before = readCounter(out, counter);
  if (dropped.length > 0) raise(out, counter, dropped);
  if (!isInside) {
    const key = JSON.stringify(counter);
    seen.shown = Math.max(seen.shown, retained.length);
    seen.leftOut += dropped.length + (counted.has(key) ? 0 : before);
    counted.add(key);
  }
  return retained.map((item) => cutValue(item, { ...seen, isInside: true }));
}

function readCounter(out: Fields, counter: Counter): number {
  if (counter === null) return 0;
  const value = 'field' in counter ? out[counter.field] : (out[LEFT_OUT] as Fields)[counter.within];
  return value as number;
}

/** Adds dropped entries to their counter, and entries inside them to the counters of their kinds. */
function raise(out: Fields, counter: Counter, dropped: readonly unknown[]): void {
  if (counter === null) return;
  if ('field' in counter) {
    out[counter.field] = (out[counter.field] as number) + dropped.length;
    return;
  }
  const kinds = { ...(out[LEFT_OUT] as Fields) };
  for (const [kind, value] of Object.entries(kinds)) {
    if (typeof value !== 'number') continue;
    const held = dropped.map((entry) => (isFields(entry) && Array.isArray(entry[kind]) ? entry[kind].length : 0));
    kinds[kind] = value + (kind === counter.within ? dropped.length : held.reduce((sum, each) => sum + each, 0));
  }
  out[LEFT_OUT] = kinds;
}

/** Arrays of an object that may be cut, each with its counter. */
function listsOf(fields: Fields, isTop: boolean): Map<string, Counter> {
  const lists = new Map<string, Counter>();
  const leftOut = fields[LEFT_OUT];
  for (const [name, value] of Object.entries(fields)) {
    if (!Array.isArray(value)) continue;
    const own = `${name}LeftOut`;
    if (typeof fields[own] === 'number') lists.set(name, { field: own });
    else if (typeof leftOut === 'number') lists.set(name, { field: LEFT_OUT });
    else if (isFields(leftOut) && typeof leftOut[name] === 'number') lists.set(name, { within: name });
    else if (isTop && name === RESULTS) lists.set(name, null);
  }
  return lists;
}

function cutText(text: string, most: number): string {
  if (most === Infinity) return text;
  const lines = text.split('\n');
  const retained = lines.slice(0, most).map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line));
  const rest = lines.length - retained.length;
  return rest > 0 ? `${retained.join('\n')}\n… ${rest} more ${rest === 1 ? 'line' : 'lines'}` : retained.join('\n');
}
