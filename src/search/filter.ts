/**
 * Filters the documents that a search may return by path, language and kind of chunk. Statistics such as document frequencies still count
 * all documents.
 */
import picomatch from 'picomatch';
import { SocraticodeError } from '../base/errors.js';
import { globFault, type Pathspec, parsePathspec, plainGlob, SAFE_GLOB_OPTIONS } from '../base/glob.js';
import { signs } from '../base/printable.js';
import { nearestPaths } from '../base/spelling.js';
import { CHUNK_KINDS } from '../shard/lexical-format.js';
import { type LiveSet, locate } from '../shard/live-set.js';

/** Characters of a glob that an error message quotes. */
const MAX_QUOTED = 60;

export interface SearchFilter {
  /** Globs or directory prefixes. One that starts with "!" excludes. */
  path?: readonly string[];
  /** Language ids. `withIds` turns people's names for languages into them. */
  lang?: readonly string[];
  /** Kinds of chunks, such as function, class or text, as `CHUNK_KINDS` spells them. */
  kind?: readonly string[];
  /** Additional condition on each path. */
  within?: (path: string) => boolean;
  /** Accepts globs that match no file: other repositories are searched with them, too. */
  mayBeEmpty?: boolean;
  /** Lines by path: only chunks with one of them are accepted. */
  usesAt?: ReadonlyMap<string, readonly number[]>;
  /** Accepts a range of lines of a path if one of them has the tag. */
  hasTag?: (path: string, startLine: number, endLine: number) => boolean;
  /** Ids of blobs to leave out. */
  known?: ReadonlySet<string>;
}

/** Returns a test for paths. Without a filter it accepts all. */
export function pathFilter({ path, within }: Pick<SearchFilter, 'path' | 'within'>): (path: string) => boolean {
  const matches = path?.length ? pathMatcher(path) : () => true;
  return within === undefined ? matches : (name) => within(name) && matches(name);
}

/** Returns a test for documents; undefined if nothing is filtered. Throws BAD_ARGUMENT for a language that the snapshot does not have. */
export function createFilter(
  live: LiveSet,
  filter: SearchFilter,
): ((document: number, file: number) => boolean) | undefined {
  const tests: ((document: number, file: number) => boolean)[] = [];
  if (!filter.mayBeEmpty && live.files.length > 0) checkGlobs(filter.path, allPaths(live), 'indexed file');
  if (filter.path?.length || filter.within) {
    const matches = pathFilter(filter);
    const accepted = fileList(live).map((file) => live.files.paths(file).some(matches));
    tests.push((_, file) => accepted[file]);
  }
  if (filter.lang?.length) {
    const wanted = new Set(filter.lang);
    checkLanguages(live, wanted);
    tests.push((_, file) => wanted.has(live.files.language(file)));
  }
  if (filter.kind?.length) {
    const kinds = new Set(filter.kind.map((kind) => (CHUNK_KINDS as readonly string[]).indexOf(kind)));
    tests.push((document) => {
      const { shard, local } = locate(live, document);
      return kinds.has(shard.columns.kind[local]);
    });
  }
  const { known, usesAt, hasTag } = filter;
  if (usesAt !== undefined) tests.push((document, file) => holdsLine(live, usesAt, { document, file }));
  if (hasTag !== undefined)
    tests.push((document, file) => {
      const { shard, local } = locate(live, document);
      const { startLine, endLine } = shard.columns;
      return live.files.paths(file).some((path) => hasTag(path, startLine[local], endLine[local]));
    });
  if (known !== undefined) {
    const isNew = fileList(live).map((file) => !known.has(live.files.oid(file)));
    tests.push((_, file) => isNew[file]);
  }
  return tests.length === 0 ? undefined : (document, file) => tests.every((test) => test(document, file));
}

/**
 * Returns a test for paths that match one of the globs. A glob without wildcards also matches the directory of that name, and `*.ts`
 * matches at any depth. Throws BAD_ARGUMENT.
 */
export function pathMatcher(globs: readonly string[]): (path: string) => boolean {
  const compile = ({ glob, isTop }: Pathspec) => {
    const fault = globFault(glob);
    if (fault !== null) throw new SocraticodeError('BAD_ARGUMENT', `the glob ${quoted(glob)} has ${fault}`);
    const clean = glob.replace(/^\.?\//, '').replace(/\/$/, '');
    // The root of the repository contains everything.
    if (clean === '' || clean === '.') return () => true;
    const isPlace = clean.includes('/') || (isTop && !/[*?[\]{}]/.test(clean));
    const patterns = isPlace ? [clean, `${clean}/**`] : [clean, `**/${clean}`, `${clean}/**`, `**/${clean}/**`];
    return picomatch(patterns.map(plainGlob), SAFE_GLOB_OPTIONS);
  };
  const specs = globs.map(parsePathspec);
  const include = specs.filter(({ excludes }) => !excludes).map(compile);
  const exclude = specs.filter(({ excludes }) => excludes).map(compile);
  return (path) =>
    (include.length === 0 || include.some((match) => match(path))) && !exclude.some((match) => match(path));
}

/**
 * Matches paths as `pathMatcher` does, and faster if no glob has a slash or excludes: such a glob is about the name of a file or of a
 * folder around it, so each folder is tested once. Other globs get a `pathMatcher`.
 */
export function nameMatcher(globs: readonly string[]): (path: string) => boolean {
  const matches = pathMatcher(globs);
  if (globs.some((glob) => /[/!:]/.test(glob))) return matches;
  const expressions = globs.map((glob) => picomatch.makeRe(plainGlob(glob), SAFE_GLOB_OPTIONS).source);
  const isNamed = new RegExp(expressions.join('|'));
  const folders = new Map<string, boolean>([['', false]]);
  const isInside = (folder: string): boolean => {
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const slash = folder.lastIndexOf('/');
    const found = isNamed.test(folder.slice(slash + 1)) || isInside(folder.slice(0, Math.max(0, slash)));
    folders.set(folder, found);
    return found;
  };
  return (path) => {
    const slash = path.lastIndexOf('/');
    return isInside(path.slice(0, Math.max(0, slash))) || isNamed.test(path.slice(slash + 1));
  };
}

/**
 * Throws BAD_ARGUMENT if none of these paths matches one of the globs: an empty answer would hide a mistyped one. `what`: word for the
 * files in the message.
 */
export function checkGlobs(globs: readonly string[] | undefined, paths: Iterable<string>, what = 'file'): void {
  const wanted = (globs ?? []).filter((glob) => !parsePathspec(glob).excludes);
  if (wanted.length === 0) return;
  const matches = pathMatcher(wanted);
  const all = [...paths];
  if (all.some(matches)) return;
  const near = wanted.flatMap((glob) => nearestPaths(all, glob.replace(/^:\//, '')));
  throw new SocraticodeError('BAD_ARGUMENT', `no ${what} matches ${wanted.map(quoted).join(' or ')}`, {
    hint:
      near.length > 0
        ? `Did you mean ${near.slice(0, MAX_NEAR).join(', ')}?`
        : 'A name without a slash that is not one of this folder matches at any depth; ":/" before one begins at the top of the repository.',
  });
}

/** Most paths that a hint suggests. */
const MAX_NEAR = 3;

const quoted = (text: string) =>
  JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}${signs.cut}` : text);

function holdsLine(
  live: LiveSet,
  lines: ReadonlyMap<string, readonly number[]>,
  { document, file }: { document: number; file: number },
): boolean {
  const { shard, local } = locate(live, document);
  const { startLine, endLine } = shard.columns;
  const isInside = (line: number) => line >= startLine[local] && line <= endLine[local];
  return live.files.paths(file).some((path) => lines.get(path)?.some(isInside));
}

export function* allPaths({ files }: LiveSet): Generator<string> {
  for (let file = 0; file < files.length; file++) yield* files.paths(file);
}

function fileList(live: LiveSet): number[] {
  return Array.from({ length: live.files.length }, (_, file) => file);
}

function checkLanguages(live: LiveSet, wanted: ReadonlySet<string>): void {
  const present = new Set(fileList(live).map((file) => live.files.language(file)));
  if (live.files.length === 0 || [...wanted].some((id) => present.has(id))) return;
  throw new SocraticodeError('BAD_ARGUMENT', `no file here is in ${[...wanted].join(', ')}`, {
    hint: `Languages here: ${[...present].sort().join(', ')}`,
  });
}
