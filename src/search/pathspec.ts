/** Globs as they are meant in the directory in which they were typed. */
import { posix } from 'node:path';
import { SocraticodeError } from '../base/errors.js';
import { parsePathspec } from '../base/glob.js';

/** Signs that mean something in a glob. */
const GLOB_SIGNS = /[\\*?[\]{}!]/g;

/** Is there a file or folder at a path from the top? */
type Exists = (path: string) => boolean;

/**
 * The globs from the top of the repository that are meant in `directory` ('' at the top). A plain name matches at any depth, unless it
 * is one of this very directory: then that is meant, as git and ripgrep take it. Throws BAD_ARGUMENT for a glob outside.
 */
export function fromTop(globs: readonly string[], directory: string, exists: Exists = () => false): string[] {
  return globs.map((glob) => {
    const here = namedHere(glob, directory, exists);
    return here ?? (directory === '' ? glob : rooted(glob, directory));
  });
}

/** Returns null for an exclusion, which is meant at any depth: `!test` wants no tests at all. */
function namedHere(text: string, directory: string, exists: Exists): string | null {
  const { glob, excludes, isTop } = parsePathspec(text);
  const name = glob.replace(/\/$/, '');
  if (excludes || isTop || name === '' || /^\.\.?$|[\\/*?[\]{}!]/.test(name)) return null;
  const path = posix.join(directory, name);
  return exists(path) ? `:/${path.replace(GLOB_SIGNS, '\\$&')}` : null;
}

function rooted(text: string, directory: string): string {
  const { glob, excludes, isTop } = parsePathspec(text);
  if (isTop || glob.startsWith('/')) return text;
  const here = directory.replace(GLOB_SIGNS, '\\$&');
  // Without a slash it matches at any depth, as it does at the top.
  const isName = !glob.replace(/\/$/, '').includes('/') && !/^\.{0,2}$/.test(glob);
  const path = isName ? `${here}/**/${glob}` : posix.normalize(posix.join(here, glob));
  if (path === '..' || path.startsWith('../')) throw outside(text);
  return `${excludes ? '!' : ''}:/${path === '.' ? '' : path}`;
}

function outside(text: string): SocraticodeError {
  return new SocraticodeError('BAD_ARGUMENT', `${text} is outside of this repository`, {
    hint: 'Name paths from the current directory, or with ":/" from the top of the repository.',
  });
}
