/**
 * Requests of a publisher to a fleet: plan, units in batches, one view. `FleetIntake` answers over an engine in this
 * process, `HttpTarget` over the network; both take the same requests and give the same answers.
 */
import type { ViewRow } from './contract.js';
import type { UnitUpload } from './unit.js';

/** Repository and ref that a publication is about, and the profile of its units. */
export interface Publication {
  profile: string;
  repo: string;
  /** Name of the family (not its id): that of the repository itself, unless forks share one. */
  family: string;
  ref: string;
}

export interface PlanRequest extends Publication {
  /** Keys of all units of the commit. */
  keys: readonly string[];
}

export interface PlanAnswer {
  /** Commit of the published view; '' if there is none. */
  previous: string;
  /** Keys that the fleet lacks, in the order of the request. */
  missing: string[];
}

export interface UnitsRequest extends Publication {
  units: readonly UnitUpload[];
}

export interface UnitsAnswer {
  stored: number;
}

export interface PublishedView extends Publication, Omit<ViewRow, 'family' | 'publishedAt'> {
  /** Commits of the branch that stay searchable by their ids, this one included; default: the newest alone. */
  keep?: number;
}

export interface KeepRequest extends Publication {
  /** Must be the published one. */
  commit: string;
  /** As `keep` of a view. */
  keep: number;
}

export type ViewAnswer =
  | { outcome: 'published' }
  /** Another commit than `previous` is published: FLEET_MOVED, status 409. */
  | { outcome: 'moved'; commit: string }
  /** The view names units that the fleet lacks: FLEET_INCOMPLETE, status 409. */
  | { outcome: 'incomplete'; missing: string[] };

/** A published view, without its files. */
export type ViewHead = Pick<ViewRow, 'repo' | 'ref' | 'commit' | 'publishedAt' | 'covered' | 'total' | 'isDefault'>;

export interface PublishTarget {
  plan(request: PlanRequest): Promise<PlanAnswer>;
  units(request: UnitsRequest): Promise<UnitsAnswer>;
  view(request: PublishedView): Promise<ViewAnswer>;
  /** Keeps the published commit; false if another one is published meanwhile. */
  keep(request: KeepRequest): Promise<boolean>;
  /** Views of a repository that are not deleted, for `--prune`. */
  refs(request: Omit<Publication, 'ref'>): Promise<ViewHead[]>;
  close(): Promise<void>;
}
