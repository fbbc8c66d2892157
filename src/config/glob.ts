/**
 * Bounds on patterns that a repository brings along. Globs become regular expressions, and the time of matching one
 * grows with the power of its wildcards between two slashes, so their number is limited.
 */

/** Three stars cost at most about 255^3 / 6 steps for one hostile file name: milliseconds. */
const MAX_STARS_PER_SEGMENT = 3;
/** Each `**` multiplies with the depth of a path, which is small. */
const MAX_GLOBSTARS = 6;
const MAX_GLOB_LENGTH = 512;

/** Why `pattern` is not accepted, or null. */
export function globFault(pattern: string): string | null {
  if (pattern.length > MAX_GLOB_LENGTH) return `longer than ${MAX_GLOB_LENGTH} characters`;
  let globstars = 0;
  for (const segment of pattern.split('/')) {
    if (segment === '**') globstars++;
    else if (segment.split('*').length - 1 > MAX_STARS_PER_SEGMENT) {
      return `more than ${MAX_STARS_PER_SEGMENT} "*" between two slashes`;
    }
  }
  return globstars > MAX_GLOBSTARS ? `more than ${MAX_GLOBSTARS} "**"` : null;
}
