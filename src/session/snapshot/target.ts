/** Finds the snapshot that a question is about: a ref, the end of a range, or every branch. */
import { SocraticodeError } from '../../base/errors.js';
import type { FileTable } from '../../shard/live-set.js';
import type { Session } from '../session.js';
import type { AllRefs, SnapshotOrigin } from './snapshot.js';

export interface TargetOptions {
  /** Branch, tag, commit or tree; default: HEAD. */
  ref?: string;
  /** `A..B`: only chunks whose blob is in B and not in A. */
  in?: string;
  /** Searches every local and remote-tracking branch. */
  allRefs?: boolean;
  /** Leaves uncommitted changes out. */
  committed?: boolean;
}

/** Use of the work tree: its changed files belong to the answer, only their number does, or neither. */
export type WorkTreeUse = 'included' | 'counted' | 'ignored';

export interface Target {
  /** Ref as the user named it; undefined for the checked-out commit. */
  ref: string | undefined;
  origin: SnapshotOrigin;
  /** Blobs before a range: they are not new. */
  baseline: Baseline | null;
  all: AllRefs | null;
}

/** Returns the ref of a target without reading the repository. Throws BAD_ARGUMENT for options that exclude each other. */
export function targetRef(options: TargetOptions): string | undefined {
  const { ref, allRefs } = options;
  if ([ref, options.in, allRefs || undefined].filter((option) => option !== undefined).length > 1)
    throw new SocraticodeError('BAD_ARGUMENT', 'ref, in and allRefs exclude each other');
  return options.in === undefined ? ref : parseRange(options.in).to;
}

/** Returns how an answer uses the work tree: a named ref means its commit, without uncommitted changes. */
export function workTreeUse(options: TargetOptions): WorkTreeUse {
  if (options.allRefs) return 'ignored';
  const ref = targetRef(options);
  if (ref !== undefined) return ref === 'HEAD' ? 'counted' : 'ignored';
  return options.committed ? 'counted' : 'included';
}

export async function openTarget(session: Session, options: TargetOptions): Promise<Target> {
  const ref = targetRef(options);
  if (options.allRefs) {
    const { readAllRefs } = await import('./snapshot.js');
    const all = await readAllRefs(session);
    return { ref: undefined, origin: all.origin, baseline: null, all };
  }
  const [origin, baseline] = await Promise.all([
    session.origin(ref, { unborn: !options.committed }),
    options.in === undefined ? null : readBaseline(session, parseRange(options.in)),
  ]);
  return { ref, origin, baseline, all: null };
}

export interface Range {
  /** Start as typed; default: `HEAD`. */
  from: string;
  /** End; undefined stands for HEAD with its uncommitted changes. */
  to: string | undefined;
  /** True for `A...B`, which compares with the merge base instead of `A` itself. */
  symmetric: boolean;
}

/** Splits `A..B` or `A...B`; one end may be missing. Throws BAD_ARGUMENT for anything else. */
export function parseRange(text: string): Range {
  const match = /^(.*?)(\.{2,3})([^.].*)?$/s.exec(text);
  // No ref ends with a dot.
  if (match === null || match[0] === match[2] || match[1].endsWith('.')) {
    const hint = text.includes('..')
      ? 'Name two refs, such as main..feature; main.. compares with what is checked out, HEAD.. with the last commit.'
      : `${text}^..${text} is that commit alone, and ${text}.. all that came after it, with what is checked out. A path is no range: it stands behind the pattern of grep, and is the path of a search.`;
    throw new SocraticodeError('BAD_ARGUMENT', `not a range of refs: ${text}`, { hint });
  }
  const [, from, dots, to] = match;
  return { from: from || 'HEAD', to: to || undefined, symmetric: dots.length === 3 };
}

/** True for two dots, unless they are a folder's name, as in `../a` and `a/..`. */
export function isRange(target: string): boolean {
  return /\.\./.test(target) && !/^(?:\.\.?\/|\/)|\/\.\.(?:\/|$)/.test(target) && target !== '..';
}

/** The snapshot before a change. */
export interface Baseline {
  commit: string | null;
  blobs: ReadonlySet<string>;
  /** Blob at a path; undefined if there is none. */
  at: (path: string) => string | undefined;
  paths: () => readonly string[];
}

/** Reads the blobs before a range. Throws UNKNOWN_REF, and BAD_ARGUMENT if `A...B` have no common ancestor. */
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

/** Counts the files whose blob the baseline lacks. */
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
