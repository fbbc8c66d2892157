/** Which snapshot a search is about: a ref, the newer side of a range, or every branch. */
import { SocraticodeError } from '../../base/errors.js';
import type { WorkTreeUse } from '../overlay/overlay.js';
import type { ScopeOrigin, Session } from '../session.js';
import { type AllRefs, readAllRefs } from './all-refs.js';
import { type Baseline, parseRange, readBaseline } from './range.js';

export interface TargetOptions {
  /** Branch, tag, commit or tree; HEAD without one. */
  ref?: string;
  /** `A..B`: only chunks whose blob is in B and not in A. */
  in?: string;
  /** Every branch, local ones and those of remotes. */
  allRefs?: boolean;
  /** Leave out what is not committed. */
  committed?: boolean;
}

export interface Target {
  /** As it was named; undefined stands for what is checked out. */
  ref: string | undefined;
  origin: ScopeOrigin;
  /** What is not new, with `in`. */
  baseline: Baseline | null;
  all: AllRefs | null;
}

/** The ref a target is about, without looking at the repository. Throws BAD_ARGUMENT for options that exclude each other. */
export function targetRef(options: TargetOptions): string | undefined {
  const { ref, allRefs } = options;
  if ([ref, options.in, allRefs || undefined].filter((option) => option !== undefined).length > 1)
    throw new SocraticodeError('BAD_ARGUMENT', '--ref, --in and --all-refs exclude each other');
  return options.in === undefined ? ref : parseRange(options.in).to;
}

/** What the work tree's files have to do with an answer: named refs stand for what is committed. */
export function workTreeUse(options: TargetOptions): WorkTreeUse {
  if (options.allRefs) return 'ignored';
  const ref = targetRef(options);
  if (ref !== undefined) return ref === 'HEAD' ? 'counted' : 'ignored';
  return options.committed ? 'counted' : 'included';
}

export async function openTarget(session: Session, options: TargetOptions): Promise<Target> {
  const ref = targetRef(options);
  if (options.allRefs) {
    const all = await readAllRefs(session);
    return { ref: undefined, origin: all.origin, baseline: null, all };
  }
  const [origin, baseline] = await Promise.all([
    session.origin(ref, { unborn: !options.committed }),
    options.in === undefined ? null : readBaseline(session, parseRange(options.in)),
  ]);
  return { ref, origin, baseline, all: null };
}
