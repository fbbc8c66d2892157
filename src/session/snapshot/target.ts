/** Finds the snapshot that a search is about: a ref, the newer side of a range, or every branch. */
import { SocraticodeError } from '../../base/errors.js';
import type { WorkTreeUse } from '../overlay/prepare.js';
import type { Session } from '../session.js';
import type { AllRefs } from './all-refs.js';
import { type Baseline, parseRange, readBaseline } from './range.js';
import type { SnapshotOrigin } from './snapshot.js';

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

export interface Target {
  /** Ref as the user named it; undefined for the checked-out commit. */
  ref: string | undefined;
  origin: SnapshotOrigin;
  /** Older side of a range: its blobs are not new. */
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
    const { readAllRefs } = await import('./all-refs.js');
    const all = await readAllRefs(session);
    return { ref: undefined, origin: all.origin, baseline: null, all };
  }
  const [origin, baseline] = await Promise.all([
    session.origin(ref, { unborn: !options.committed }),
    options.in === undefined ? null : readBaseline(session, parseRange(options.in)),
  ]);
  return { ref, origin, baseline, all: null };
}
