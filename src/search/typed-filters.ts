/**
 * Filters as people type them: names of languages and kinds, and globs as they apply in the directory in which they were typed. Loaded
 * only for queries with filters.
 */
import { posix } from 'node:path';
import { SocraticodeError } from '../base/errors.js';
import { parsePathspec } from '../base/glob.js';
import { nearest } from '../base/spelling.js';
import { nearestLanguage, resolveLanguages } from '../languages/detect.js';
import { resolveKind } from '../languages/roles/definitions.js';
import { CHUNK_KINDS } from '../shard/lexical-format.js';
import type { SearchFilter } from './filter.js';
import { splitOptions, type TypedOptions } from './query-filters.js';

/** Replaces names of languages and kinds by ids. Throws BAD_ARGUMENT for a word that names none. */
export function withIds<F extends Pick<SearchFilter, 'lang' | 'kind'>>(filter: F): F {
  const { lang, kind } = filter;
  return { ...filter, lang: lang?.flatMap(languageIds), kind: kind?.map(kindId) };
}

function languageIds(word: string): readonly string[] {
  const ids = resolveLanguages(word);
  if (ids.length > 0) return ids;
  const near = nearestLanguage(word);
  const hint =
    near === null ? 'Languages go by ids and usual names: python, py, c++, golang.' : `Did you mean ${near}?`;
  throw new SocraticodeError('BAD_ARGUMENT', `unknown language: ${word}`, { hint });
}

function kindId(word: string): string {
  const kind = resolveKind(word);
  if ((CHUNK_KINDS as readonly string[]).includes(kind)) return kind;
  throw unknownKind(word, CHUNK_KINDS);
}

/** Takes `lang:`, `path:` and `kind:` out of a query, and adds them to options of the same names. A misspelt language is still one. */
export function withTypedOptions<V extends TypedOptions & { query?: string }>(values: V): V & { query: string } {
  const { query, options } = splitOptions(values.query ?? '', (option, word) =>
    option === 'lang'
      ? resolveLanguages(word).length > 0 || nearestLanguage(word) !== null
      : (CHUNK_KINDS as readonly string[]).includes(resolveKind(word)),
  );
  const both = Object.entries(options).map(([key, typed]) => [key, [...(values[key as 'lang'] ?? []), ...typed]]);
  return { ...values, query, ...Object.fromEntries(both) };
}

/** Error for a word that is none of `kinds`. */
export function unknownKind(word: string, kinds: readonly string[]): SocraticodeError {
  const near = nearest(word, kinds);
  const suggestion = near === null ? '' : `Did you mean ${near}? `;
  return new SocraticodeError('BAD_ARGUMENT', `unknown kind: ${word}`, {
    hint: `${suggestion}Kinds: ${kinds.join(', ')}`,
  });
}

/** Signs that mean something in a glob. */
const GLOB_SIGNS = /[\\*?[\]{}!]/g;

/** Returns whether a file or folder is at a path from the top. */
type Exists = (path: string) => boolean;

/**
 * Converts globs typed in `directory` ('' at the top) to globs from the top of the repository. A plain name matches at any depth, unless
 * this very directory has it: then it stands for that, as in git and ripgrep. Throws BAD_ARGUMENT for a glob outside.
 */
export function fromTop(globs: readonly string[], directory: string, exists: Exists = () => false): string[] {
  return globs.map((glob) => {
    const here = namedHere(glob, directory, exists);
    return here ?? (directory === '' ? glob : rooted(glob, directory));
  });
}

/** Returns null for an exclusion, which applies at any depth: `!test` wants no tests at all. */
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
