/** Finds the folder of the repository that an index starts from: the machine that made it had the repository elsewhere. */

/** Documents of an index that are looked for. */
export const SAMPLE = 200;
/** Last folders of the project root that are tried: a hostile index can name any number. */
const MAX_DEPTH = 20;

/**
 * Returns the folder below which most of the documents exist, as a path with a final `/`, or '' for the top. `projectRoot`
 * is the URI that the index gives; its last folders may be folders of the repository, in a monorepo.
 */
export function rootFolder(projectRoot: string, documents: readonly string[], has: (path: string) => boolean): string {
  const folders = decoded(projectRoot)
    .split('/')
    .filter((name) => name !== '' && name !== '..');
  let best = '';
  let most = 0;
  for (let depth = 0; depth <= Math.min(folders.length, MAX_DEPTH); depth++) {
    const folder = depth === 0 ? '' : `${folders.slice(-depth).join('/')}/`;
    const found = documents.filter((path) => has(folder + path)).length;
    if (found > most) [best, most] = [folder, found];
  }
  return best;
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri.replace(/^[a-z]+:\/\//i, ''));
  } catch {
    return '';
  }
}
