/** Tests of names against patterns of tag rules. "*" stands for any text, case does not count, and time is bounded by both lengths. */

/** Longer names are matched by their beginning alone. */
const MAX_NAME = 512;

/** Packages whose tests are kept. */
const MAX_KNOWN = 20_000;

export type NameTest = (name: string) => boolean;

/** Accepts a name that one of the patterns is; without patterns, none. */
export function nameTest(patterns: readonly string[]): NameTest {
  const lower = patterns.map((pattern) => pattern.toLowerCase());
  const exact = new Set(lower.filter((pattern) => !pattern.includes('*')));
  const wild = lower.filter((pattern) => pattern.includes('*'));
  const plain = wild.filter((pattern) => !middleOf(pattern).includes('*'));
  // One expression for all of them takes a third of the time of a test for each.
  const isAny = plain.length === 0 ? null : new RegExp(plain.map(sourceOf).join('|'), 's');
  const other = wild.filter((pattern) => !plain.includes(pattern)).map((pattern) => [longestOf(pattern), pattern]);
  return (given) => {
    const name = (given.length > MAX_NAME ? given.slice(0, MAX_NAME) : given).toLowerCase();
    return (
      exact.has(name) ||
      isAny?.test(name) === true ||
      other.some(([longest, pattern]) => name.includes(longest) && fits(pattern, name))
    );
  };
}

/** Nearly all patterns have stars only at their ends. */
const middleOf = (pattern: string): string => pattern.replace(/^\*+|\*+$/g, '');

/** A name that fits holds it: most that do not fit are told by that. */
const longestOf = (pattern: string): string =>
  pattern.split('*').reduce((longest, part) => (part.length > longest.length ? part : longest), '');

/** No star is in the middle, so that the expression is a text at a known end, or anywhere. */
function sourceOf(pattern: string): string {
  const middle = middleOf(pattern).replace(/[\\^$.+?()[\]{}|/-]/g, '\\$&');
  return `${pattern.startsWith('*') ? '' : '^'}${middle}${pattern.endsWith('*') ? '' : '$'}`;
}

/** Accepts a module or package that one of the patterns names, or a part of it: `jose` accepts `jose/jwt`, `django.db` its models. */
export function moduleTest(patterns: readonly string[]): NameTest {
  const isNamed = nameTest(patterns);
  // Modules lie in few packages: each is tested once.
  const known = new Map<string, boolean>();
  const isInside = (specifier: string): boolean => {
    let at = specifier.length - 1;
    while (at > 0 && !BOUNDARY.has(specifier[at])) at--;
    if (at < 1) return false;
    const around = specifier.slice(0, at);
    let found = known.get(around);
    if (found === undefined) {
      found = isNamed(around) || isInside(around);
      if (known.size < MAX_KNOWN) known.set(around, found);
    }
    return found;
  };
  return (given) => {
    const specifier = given.slice(0, MAX_NAME);
    // The address of a style sheet or a script is no module, least of all `https`.
    return !URL_START.test(specifier) && (isNamed(specifier) || isInside(specifier));
  };
}

const URL_START = /^[a-z]+:\/\//i;
const BOUNDARY: ReadonlySet<string> = new Set(['/', '.', '\\', ':']);

/** Each star takes as little as it can, and more where the rest does not fit: no step is taken back beyond the last star. */
function fits(pattern: string, name: string): boolean {
  let [at, next, star, taken] = [0, 0, -1, 0];
  while (next < name.length) {
    if (at < pattern.length && pattern[at] === '*') {
      star = at++;
      taken = next;
    } else if (at < pattern.length && pattern[at] === name[next]) {
      at++;
      next++;
    } else if (star >= 0) {
      at = star + 1;
      next = ++taken;
    } else return false;
  }
  while (at < pattern.length && pattern[at] === '*') at++;
  return at === pattern.length;
}
