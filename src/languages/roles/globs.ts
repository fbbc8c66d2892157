/** Patterns of directories as workspaces write them: `packages/*`, `apps/**`, `!old`, `{apps,libs}/*`. */

/** More alternatives or names than this aren't written by people. */
const MAX_ALTERNATIVES = 64;
const MAX_NAMES = 64;
const MAX_PATTERN = 500;

/** Does one of the patterns fit, and no later one that begins with `!`? `directory` is relative to the patterns' place. */
export function matchesGlobs(patterns: readonly string[], directory: string): boolean {
  let fits = false;
  const names = directory === '' ? [] : directory.split('/');
  if (names.length > MAX_NAMES) return false;
  for (const pattern of patterns) {
    const isNegative = pattern.startsWith('!');
    if (fits !== isNegative || pattern.length > MAX_PATTERN) continue;
    if (alternatives(isNegative ? pattern.slice(1) : pattern).some((glob) => fitsNames(glob, names)))
      fits = !isNegative;
  }
  return fits;
}

/** Braces spelled out. */
function alternatives(pattern: string): string[] {
  let found = [''];
  for (let at = 0; at < pattern.length; ) {
    const open = pattern.indexOf('{', at);
    const close = open < 0 ? -1 : pattern.indexOf('}', open);
    const plain = close < 0 ? pattern.slice(at) : pattern.slice(at, open);
    const choices = close < 0 ? [''] : pattern.slice(open + 1, close).split(',');
    if (found.length * choices.length > MAX_ALTERNATIVES) return [];
    found = found.flatMap((head) => choices.map((choice) => head + plain + choice));
    at = close < 0 ? pattern.length : close + 1;
  }
  return found;
}

/** Which numbers of leading names the globs so far can have eaten: one pass, no backtracking. */
function fitsNames(pattern: string, names: readonly string[]): boolean {
  const globs = pattern.split('/').filter((glob) => glob !== '' && glob !== '.');
  if (globs.length > MAX_NAMES) return false;
  let eaten = new Set([0]);
  for (const glob of globs) {
    const next = new Set<number>();
    for (const count of eaten) {
      if (glob === '**') for (let all = count; all <= names.length; all++) next.add(all);
      else if (count < names.length && fitsName(glob, names[count])) next.add(count + 1);
    }
    eaten = next;
  }
  return eaten.has(names.length);
}

/** `*` is any run of characters, `?` is one. On a mismatch only the last `*` takes one more, which is enough. */
function fitsName(glob: string, name: string): boolean {
  let star = -1;
  let retry = 0;
  let g = 0;
  let n = 0;
  while (n < name.length) {
    if (g < glob.length && (glob[g] === name[n] || glob[g] === '?') && glob[g] !== '*') {
      g++;
      n++;
    } else if (glob[g] === '*') {
      star = g++;
      retry = n;
    } else if (star >= 0) {
      g = star + 1;
      n = ++retry;
    } else return false;
  }
  while (glob[g] === '*') g++;
  return g === glob.length;
}
