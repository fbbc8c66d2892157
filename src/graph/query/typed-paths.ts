/** Reads paths as people type them: from the current directory, from the top of the repository, or only their end. */
import { isAbsolute, posix } from 'node:path';
import { SocraticodeError } from '../../base/errors.js';
import { editDistance } from '../../base/spelling.js';
import type { Graph } from '../graph.js';

/** Directory to which paths are relative. */
export interface Prefix {
  /** Directory from the top, '' at the top. */
  directory: string;
  /** Absolute path of the work tree, null without one. */
  workTree: string | null;
}

const AT_TOP: Prefix = { directory: '', workTree: null };

/** The file of that path, -1 if there is none. Throws BAD_ARGUMENT for a path that leads out of the repository. */
export function findPath(graph: Graph, text: string, prefix: Prefix = AT_TOP): number {
  for (const path of spellings(text, prefix)) {
    const file = graph.findFile(path);
    if (file >= 0) return file;
  }
  return -1;
}

/** git's mark of a path from the top of the repository. */
const TOP = /^:(?:\/|\(top\))/;

/**
 * Paths from the top that a typed one may mean: first from the directory, as git reads paths, then from the top.
 * `:/path` is only from the top. Throws BAD_ARGUMENT for a path that leads out of the repository.
 */
export function spellings(text: string, { directory, workTree }: Prefix = AT_TOP): string[] {
  if (TOP.test(text)) return spellings(`./${text.replace(TOP, '')}`, { directory: '', workTree });
  if (isAbsolute(text)) {
    const root = workTree === null ? null : `${workTree.replace(/\/+$/, '')}/`;
    const clean = posix.normalize(text);
    if (root === null || !clean.startsWith(root)) throw outside(text);
    return [clean.slice(root.length)];
  }
  const here = posix.normalize(posix.join(directory, text));
  const top = posix.normalize(text);
  if (here.startsWith('../') || here === '..') throw outside(text);
  return top.startsWith('../') || top === here ? [here] : [here, top];
}

function outside(text: string): SocraticodeError {
  return new SocraticodeError('BAD_ARGUMENT', `${text} is outside of this repository`, {
    hint: 'Name a file of the repository, from the current directory or from its top.',
  });
}

/** Files whose path ends with these segments: `cart.ts`, `shop/cart.ts`. */
export function pathsEnding(graph: Graph, text: string): number[] {
  const end = `/${text.replace(/^\.?\/+/, '')}`;
  const found: number[] = [];
  for (const [i, { path }] of graph.tables.files.entries()) if (path.endsWith(end)) found.push(i);
  return found;
}

const MAX_SUGGESTIONS = 3;
/** Letters per allowed edit: with more edits than a third of a file's name it is another name. */
const EDITS_PER_LETTER = 3;

export function unknownPath(graph: Graph, text: string, prefix: Prefix = AT_TOP): SocraticodeError {
  const directory = findDirectory(graph, text, prefix);
  const near = nearestPaths(
    graph.tables.files.map(({ path }) => path),
    text,
  );
  const hint =
    directory !== null
      ? `${directory || '.'} is a directory; name a file in it.`
      : near.length > 0
        ? `Did you mean ${near.join(', ')}?`
        : 'The status says which files are indexed, and why others are not.';
  return new SocraticodeError('BAD_ARGUMENT', `no file ${text} is indexed in this snapshot`, { hint, file: text });
}

/** Directory of that path with a slash at its end ('' for the top); null if it is empty. */
export function findDirectory(graph: Graph, text: string, prefix: Prefix = AT_TOP): string | null {
  for (const path of spellings(text, prefix)) {
    const directory = path === '.' || path === './' || path === '' ? '' : `${path.replace(/\/+$/, '')}/`;
    if (graph.tables.files.some((file) => file.path.startsWith(directory))) return directory;
  }
  return null;
}

/** Nearest paths: equal names in other directories first, then equal names with another extension, then similar names. */
export function nearestPaths(paths: Iterable<string>, text: string): string[] {
  const wanted = posix.basename(text).toLowerCase();
  const limit = Math.max(1, Math.floor(wanted.length / EDITS_PER_LETTER));
  const found: { path: string; score: number }[] = [];
  for (const path of paths) {
    const name = posix.basename(path).toLowerCase();
    if (Math.abs(name.length - wanted.length) > limit && stem(name) !== stem(wanted)) continue;
    const distance = name === wanted ? 0 : stem(name) === stem(wanted) ? 1 : editDistance(wanted, name);
    if (distance <= limit) found.push({ path, score: distance });
  }
  const shared = (path: string) =>
    posix
      .dirname(path)
      .split('/')
      .filter((part) => text.includes(part)).length;
  return found
    .sort((a, b) => a.score - b.score || shared(b.path) - shared(a.path) || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ path }) => path);
}

const stem = (name: string): string => name.replace(/\.[^.]*$/, '');
