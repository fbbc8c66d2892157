/** Tests of names against patterns of tag rules. "*" stands for any text, case does not count, and time is bounded by both lengths. */

/** Longer names are matched by their beginning alone. */
const MAX_NAME = 512;

export type NameTest = (name: string) => boolean;

/** Accepts a name that one of the patterns is; without patterns, none. */
export function nameTest(patterns: readonly string[]): NameTest {
  const lower = patterns.map((pattern) => pattern.toLowerCase());
  const exact = new Set(lower.filter((pattern) => !pattern.includes('*')));
  const wild = lower.filter((pattern) => pattern.includes('*')).map(wildTest);
  return (given) => {
    const name = (given.length > MAX_NAME ? given.slice(0, MAX_NAME) : given).toLowerCase();
    return exact.has(name) || wild.some((test) => test(name));
  };
}

/** Nearly all patterns have stars only at their ends. */
function wildTest(pattern: string): NameTest {
  const middle = pattern.replace(/^\*+|\*+$/g, '');
  const [atStart, atEnd] = [pattern.startsWith('*'), pattern.endsWith('*')];
  if (middle.includes('*')) return (name) => fits(pattern, name);
  if (atStart && atEnd) return (name) => name.includes(middle);
  return atStart ? (name) => name.endsWith(middle) : (name) => name.startsWith(middle);
}

/** Accepts a module or package that one of the patterns names, or a part of it: `jose` accepts `jose/jwt`, `django.db` its models. */
export function moduleTest(patterns: readonly string[]): NameTest {
  const isNamed = nameTest(patterns);
  return (given) => {
    const specifier = given.slice(0, MAX_NAME);
    // The address of a style sheet or a script is no module, least of all `https`.
    if (URL_START.test(specifier)) return false;
    if (isNamed(specifier)) return true;
    for (let at = 1; at < specifier.length; at++)
      if (BOUNDARY.has(specifier[at]) && isNamed(specifier.slice(0, at))) return true;
    return false;
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
