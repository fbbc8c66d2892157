/**
 * Globs and classes of files, by which filters select paths. Globs of repositories and agents become regular
 * expressions, whose matching time grows exponentially with the wildcards and alternatives between two slashes, so
 * their number is limited.
 */

/** Three stars cost at most about 255^3 / 6 steps for one hostile file name: milliseconds. */
const MAX_STARS_PER_SEGMENT = 3;
/** Each alternative of `{a,aa}` is tried with every position at which a star can end. */
const MAX_STARS_WITH_BRACES = 2;
const MAX_CHOICES_PER_SEGMENT = 4;
const MAX_BRACES = 4;
/** Each `**` multiplies the steps by the depth of a path, which is small. */
const MAX_GLOBSTARS = 6;
const MAX_GLOB_LENGTH = 512;

/** Characters that picomatch would pass on as a regular expression, which can take for ever; in a path they are literal. */
const REGEX_SYNTAX = /[()|+]/g;

/** Extended globs are off for the same reason. */
export const SAFE_GLOB_OPTIONS = { dot: true, noextglob: true, nonegate: true } as const;

/** Escapes a pattern for picomatch, to be used with `SAFE_GLOB_OPTIONS`. */
export function plainGlob(pattern: string): string {
  return pattern.replace(REGEX_SYNTAX, '\\$&');
}

/** The reason why a pattern is refused, or null. */
export function globFault(pattern: string): string | null {
  if (pattern.length > MAX_GLOB_LENGTH) return `more than ${MAX_GLOB_LENGTH} characters`;
  const parts = pattern.split('/');
  const globstars = parts.filter((part) => part === '**').length;
  if (globstars > MAX_GLOBSTARS) return `more than ${MAX_GLOBSTARS} "**"`;
  if (bracesIn(pattern) > MAX_BRACES) return `more than ${MAX_BRACES} "{"`;
  const named = parts.filter((part) => part !== '**');
  // A slash within braces does not end a segment: both alternatives count as one.
  const segments = /\{[^}]*\//.test(pattern) ? [named.join('')] : named;
  for (const segment of segments) {
    const [stars, braces] = [count(segment, '*'), bracesIn(segment)];
    if (stars > MAX_STARS_PER_SEGMENT) return `more than ${MAX_STARS_PER_SEGMENT} "*" between two slashes`;
    const isTooMuch = braces > 0 && (stars > MAX_STARS_WITH_BRACES || stars + braces > MAX_CHOICES_PER_SEGMENT);
    if (isTooMuch) return 'too many "*" and "{" between two slashes';
  }
  return null;
}

/** Counts braces with alternatives; others are literal. */
function bracesIn(text: string): number {
  return /,|\.\./.test(text) ? count(text, '{') : 0;
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1;
}

const TOP = /^:(?:\/|\(top\))/;
const EXCLUDE = /^(?:!|:[!^]|:\(exclude\))/;

/** A glob with the signs that git's pathspecs have before it: `:/` or `:(top)`, and `!`, `:!` or `:^`. */
export interface Pathspec {
  glob: string;
  excludes: boolean;
  /** True if the glob begins at the top of the repository, wherever it is typed. */
  isTop: boolean;
}

export function parsePathspec(text: string): Pathspec {
  const excludes = EXCLUDE.test(text);
  const rest = text.replace(EXCLUDE, '');
  return { glob: rest.replace(TOP, ''), excludes, isTop: TOP.test(rest) };
}

/** Classes of files by their paths; `source` is the rest. */
export const FILE_CLASSES = [
  ...(['source', 'test', 'example', 'generated', 'vendored', 'legacy', 'declaration', 'document', 'data'] as const),
] as const;

/** True for a class, also with "!" before it. */
export const isFileClass = (text: string): boolean =>
  (FILE_CLASSES as readonly string[]).includes(text.replace(/^!/, ''));
