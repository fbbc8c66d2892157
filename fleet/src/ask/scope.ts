/** Chooses the views of a question: repositories that the reader may see, at the requested ref. */
import { pathMatcher, SocraticodeError } from '../internal.js';
import { keptOf } from '../keys.js';
import type { LiveView, ViewSet } from './views.js';

/** Somebody who asks, and may read only granted repositories. */
export interface Reader {
  mayRead(repo: string): boolean;
}

export interface ScopeRequest {
  /** Globs of repositories; "!glob" excludes. Default: all that the reader may see. */
  repo?: readonly string[];
  /** Branch, tag or commit, as it was published; default: each repository's default branch. */
  ref?: string;
}

export interface Scope {
  /** One view a repository, in the order of repositories. */
  views: LiveView[];
  /** True if no repository of the fleet is left out. */
  isAll: boolean;
  /** Repositories that match, but have not published the ref. */
  withoutRef: number;
  /** Repositories that match, but whose view is damaged. */
  damaged: number;
}

/** Shortest abbreviation of a commit. */
const MIN_COMMIT = 7;
/** Prefixes that people leave out of refs. */
const FULL = ['', 'refs/heads/', 'refs/tags/', 'refs/remotes/'];

/**
 * Throws BAD_ARGUMENT if no repository matches, and UNKNOWN_REF if none has the ref. A repository that the reader may not see
 * takes the same way through this function as one that does not exist, so that neither message nor time reveals it.
 */
export function scopeOf(set: ViewSet, reader: Reader, { repo, ref }: ScopeRequest): Scope {
  const matches = repo?.length ? pathMatcher(repo) : () => true;
  const isMeant = (name: string) => reader.mayRead(name) && matches(name);
  const names = [...set.repositories.keys()].filter(isMeant);
  const damaged = [...set.damaged].filter((name) => isMeant(name) && !set.repositories.has(name)).length;
  if (repo?.length && names.length + damaged === 0)
    throw new SocraticodeError('BAD_ARGUMENT', 'no repository of the fleet matches that you may read', {
      hint: 'The tool codebase_fleet_repos lists the repositories that you may read.',
    });
  const found = names.map((name) => viewAt(set.repositories.get(name) ?? [], ref));
  const views = found.filter((view) => view !== null);
  if (ref !== undefined && names.length > 0 && views.length === 0)
    throw new SocraticodeError('UNKNOWN_REF', 'no repository has published this ref', {
      hint: 'Repositories publish the refs that their CI names; codebase_fleet_repos lists them.',
    });
  const isAll = views.length === set.repositories.size;
  return { views, isAll, withoutRef: names.length - views.length, damaged };
}

/** The view of a ref or commit; without one, that of the default branch, or the newest. */
export function viewAt(views: readonly LiveView[], ref: string | undefined): LiveView | null {
  if (ref === undefined) {
    const branches = views.filter((view) => keptOf(view.ref) === null);
    return branches.find(({ isDefault }) => isDefault) ?? newest(branches) ?? newest(views);
  }
  for (const prefix of FULL) {
    const named = views.find((view) => view.ref === prefix + ref || prefix + view.ref === ref);
    if (named !== undefined) return named;
  }
  if (ref.length < MIN_COMMIT || !/^[0-9a-f]+$/.test(ref)) return null;
  return newest(views.filter(({ commit }) => commit.startsWith(ref)));
}

function newest(views: readonly LiveView[]): LiveView | null {
  return views.reduce<LiveView | null>(
    (best, view) => (best === null || view.publishedAt > best.publishedAt ? view : best),
    null,
  );
}
