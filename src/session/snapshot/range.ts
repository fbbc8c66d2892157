/** Parses and compares ranges `A..B`, for reviewing a change. */
import { SocraticodeError } from '../../base/errors.js';
import type { FileTable } from '../../shard/live.js';
import type { Session } from '../session.js';

/** A range of revisions, as git reads it. */
export interface Range {
  /** Older side as typed; default: `HEAD`. */
  from: string;
  /** Newer side; undefined stands for HEAD with its uncommitted changes. */
  to: string | undefined;
  /** `A...B`: compared with the merge base instead of `A` itself. */
  symmetric: boolean;
}

/** Splits `A..B` or `A...B`; one side may be missing. Throws BAD_ARGUMENT for anything else. */
export function parseRange(text: string): Range {
  const match = /^(.*?)(\.{2,3})([^.].*)?$/s.exec(text);
  // No ref ends with a dot.
  if (match === null || match[0] === match[2] || match[1].endsWith('.')) {
    throw new SocraticodeError('BAD_ARGUMENT', `not a range of refs: ${text}`, {
      hint: 'Name two refs, such as main..feature; main.. compares with what is checked out, HEAD.. with the last commit.',
    });
  }
  const [, from, dots, to] = match;
  return { from: from || 'HEAD', to: to || undefined, symmetric: dots.length === 3 };
}

/** True for two dots that no path begins with, and that no file is called after. */
export function isRange(target: string): boolean {
  return /\.\./.test(target) && !/^(?:\.\.?\/|\/)|\/\.\.(?:\/|$)/.test(target) && target !== '..';
}

/** Older side of a comparison. */
export interface Baseline {
  commit: string | null;
  blobs: ReadonlySet<string>;
  /** The blob at a path; undefined if there is none. */
  at: (path: string) => string | undefined;
  paths: () => readonly string[];
}

/** Reads the blobs of a range's older side. Throws UNKNOWN_REF, and BAD_ARGUMENT if `A...B` have no common ancestor. */
export async function readBaseline({ objects, repository }: Session, range: Range): Promise<Baseline> {
  const { from, to, symmetric } = range;
  const name = symmetric ? await mergeBase({ objects, repository }, from, to ?? 'HEAD') : from;
  const { commit, tree } = await objects.resolve(name);
  const entries = await objects.list(tree);
  let byPath: Map<string, string> | null = null;
  const at = (path: string) => {
    byPath ??= new Map(entries.map((entry) => [entry.path, entry.oid]));
    return byPath.get(path);
  };
  return { commit, blobs: new Set(entries.map(({ oid }) => oid)), at, paths: () => entries.map(({ path }) => path) };
}

/** Counts the files whose blob the older side lacks. */
export function countNew(files: FileTable, { blobs }: Baseline): number {
  let count = 0;
  for (let file = 0; file < files.length; file++) if (!blobs.has(files.oid(file))) count += files.paths(file).length;
  return count;
}

/** Returns the merge base of two revisions. Throws BAD_ARGUMENT if they have none. */
export async function mergeBase(
  { objects, repository }: Pick<Session, 'objects' | 'repository'>,
  a: string,
  b: string,
): Promise<string> {
  const [one, two] = await Promise.all([objects.resolve(a), objects.resolve(b)]);
  const args = ['merge-base', '--end-of-options', one.commit ?? a, two.commit ?? b];
  const { stdout } = await repository.git.run(args, { allow: [1, 128] });
  const base = stdout.toString('utf8').trim();
  if (base !== '') return base;
  throw new SocraticodeError('BAD_ARGUMENT', `${a} and ${b} have no common ancestor`, {
    hint: `Compare the two themselves: ${a}..${b}`,
  });
}
