/**
 * Globs of repositories in grants: `*` is any part of a name without a slash, `**` any part, and every other character is
 * literal. They are stricter than globs of paths, where a bare word also means a folder: a grant must never match more than it
 * says.
 */

const SLASH = '/';

/** True if the whole name matches. The steps are at most the product of both lengths. */
export function matchesGrant(glob: string, name: string): boolean {
  const parts = glob.match(/\*\*|./gsu) ?? [];
  // State i: the first i parts have matched. A star may match nothing, so its state passes on.
  let states = passed(parts, new Set([0]));
  for (const letter of name) {
    const next = new Set<number>();
    for (const state of states) {
      const part = parts[state];
      if (part === '**' || (part === '*' && letter !== SLASH)) next.add(state);
      else if (part === letter && part !== '*') next.add(state + 1);
    }
    states = passed(parts, next);
    if (states.size === 0) return false;
  }
  return states.has(parts.length);
}

function passed(parts: readonly string[], states: Set<number>): Set<number> {
  for (const state of states) if (parts[state] === '*' || parts[state] === '**') states.add(state + 1);
  return states;
}
