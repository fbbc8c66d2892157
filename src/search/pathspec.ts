/** Globs as they are meant in the directory in which they were typed. */
import { posix } from 'node:path';
import { SocraticodeError } from '../base/errors.js';
import { parsePathspec } from '../base/glob.js';

/** Signs that mean something in a glob. */
const GLOB_SIGNS = /[\\*?[\]{}!]/g;

/** The globs from the top of the repository that are meant in `directory` ('' at the top). Throws BAD_ARGUMENT for one outside. */
export function fromTop(globs: readonly string[], directory: string): string[] {
  return directory === '' ? [...globs] : globs.map((glob) => rooted(glob, directory));
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
