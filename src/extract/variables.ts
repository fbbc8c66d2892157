/** Variables of patterns of structural search, in ast-grep's syntax: `$A` is one node, `$$$ARGS` any number of nodes. */

/** A variable of a pattern or a template. Names that begin with `_` are not captured. */
export const VARIABLE = /\$\$\$([A-Z_][A-Z0-9_]*)?|\$\$?([A-Z_][A-Z0-9_]*)/g;

/** Names of the variables that a match captures, each once. */
export function variablesOf(pattern: string): { name: string; isList: boolean }[] {
  const found = new Map<string, boolean>();
  for (const [all, list, one] of pattern.matchAll(VARIABLE)) {
    const name = list ?? one;
    if (name !== undefined && !name.startsWith('_')) found.set(name, all.startsWith('$$$'));
  }
  return [...found].map(([name, isList]) => ({ name, isList }));
}

/** Words that stand in every text that has a match, in letters of any case. None where the pattern may hold a comment. */
export function wordsOf(pattern: string): string[] {
  if (/\/[/*]|#|--|<!/.test(pattern)) return [];
  return [...new Set(pattern.replace(VARIABLE, ' ').match(/[\p{L}\p{N}_]{2,}/gu) ?? [])];
}
