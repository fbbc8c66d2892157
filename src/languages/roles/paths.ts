/** Paths of a snapshot: relative to the repository root, `/` between names, '' for the root itself. */

/** Longer ones name no file: git's own limit for paths in an index is 4,095 bytes. */
const MAX_PATH = 4096;

export function directoryOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The name without its last extension: `cart.test` of `src/cart.test.ts`. */
export function stemOf(path: string): string {
  const name = baseName(path);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? name : name.slice(0, dot);
}

/** `directory` followed by `rest`, neither of them normalised. */
export function under(directory: string, rest: string): string {
  return directory === '' ? rest : rest === '' ? directory : `${directory}/${rest}`;
}

/** Path that `relative` leads to from `directory`; null if it is outside of the repository. Never ends in `/`. */
export function join(directory: string, relative: string): string | null {
  if (directory.length + relative.length > MAX_PATH) return null;
  const names = directory === '' ? [] : directory.split('/');
  for (const name of relative.split('/')) {
    if (name === '..') {
      if (names.pop() === undefined) return null;
    } else if (name !== '' && name !== '.') names.push(name);
  }
  return names.join('/');
}

/** No real project is deeper; a deeper tree must not make every lookup take as long as its depth. */
const MAX_LEVELS = 64;

/** `directory` and those above it, the root ('') last. */
export function* ancestors(directory: string): Generator<string> {
  let at = directory;
  for (let level = 0; at !== '' && level < MAX_LEVELS; level++) {
    yield at;
    at = directoryOf(at);
  }
  yield '';
}

export function isWithin(path: string, directory: string): boolean {
  return directory === '' || path === directory || path.startsWith(`${directory}/`);
}

/** How many directories two paths have in common. */
export function commonDepth(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let depth = 0;
  for (let i = 0; i < end && a.charCodeAt(i) === b.charCodeAt(i); i++) if (a.charCodeAt(i) === SLASH) depth++;
  return depth;
}

const SLASH = 47;
