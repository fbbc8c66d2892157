/**
 * Bounds on patterns that a repository or an agent brings along. Globs become regular expressions, and the time of
 * matching one grows with the power of its wildcards and alternatives between two slashes, so their number is limited.
 */

/** Three stars cost at most about 255^3 / 6 steps for one hostile file name: milliseconds. */
const MAX_STARS_PER_SEGMENT = 3;
/** `{a,aa}` can stand for as many lengths as it has texts: each is tried with every place that a star can end at. */
const MAX_STARS_WITH_BRACES = 2;
const MAX_CHOICES_PER_SEGMENT = 4;
const MAX_BRACES = 4;
/** Each `**` multiplies with the depth of a path, which is small. */
const MAX_GLOBSTARS = 6;
const MAX_GLOB_LENGTH = 512;

/** picomatch would pass these on as a regular expression, which can take forever; in a path they stand for themselves. */
const REGEX_SYNTAX = /[()|+]/g;

/** Extended globs are off for the same reason. */
export const SAFE_GLOB_OPTIONS = { dot: true, noextglob: true, nonegate: true } as const;

/** What picomatch may be given, with `SAFE_GLOB_OPTIONS`. */
export function plainGlob(pattern: string): string {
  return pattern.replace(REGEX_SYNTAX, '\\$&');
}

/** Why `pattern` is not accepted, or null. */
export function globFault(pattern: string): string | null {
  if (pattern.length > MAX_GLOB_LENGTH) return `more than ${MAX_GLOB_LENGTH} characters`;
  const parts = pattern.split('/');
  const globstars = parts.filter((part) => part === '**').length;
  if (globstars > MAX_GLOBSTARS) return `more than ${MAX_GLOBSTARS} "**"`;
  if (bracesIn(pattern) > MAX_BRACES) return `more than ${MAX_BRACES} "{"`;
  const named = parts.filter((part) => part !== '**');
  // Braces around a slash join what stands on its two sides.
  const segments = /\{[^}]*\//.test(pattern) ? [named.join('')] : named;
  for (const segment of segments) {
    const [stars, braces] = [count(segment, '*'), bracesIn(segment)];
    if (stars > MAX_STARS_PER_SEGMENT) return `more than ${MAX_STARS_PER_SEGMENT} "*" between two slashes`;
    const isTooMuch = braces > 0 && (stars > MAX_STARS_WITH_BRACES || stars + braces > MAX_CHOICES_PER_SEGMENT);
    if (isTooMuch) return 'too many "*" and "{" between two slashes';
  }
  return null;
}

/** Braces without alternatives stand for themselves. */
function bracesIn(text: string): number {
  return /,|\.\./.test(text) ? count(text, '{') : 0;
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1;
}
