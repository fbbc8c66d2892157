/**
 * Change coupling: files that usually change in the same commits as others, by the confidence of the rule "who changes A also
 * changes B" (Zimmermann et al., ICSE 2004), with newer commits weighing more.
 */
import { weightOf } from './change-log.js';

/** Paths (or names of symbols) that changed in one commit. */
export interface ChangeSet {
  commit: string;
  age: number;
  paths: readonly string[];
}

export interface CoupledFile {
  path: string;
  /** Changed file that it is coupled to most. */
  with: string;
  /** Commits that changed both, of those that changed `with`. */
  together: number;
  of: number;
  /** Share of the commits, weighed by their age: 0 to 1. */
  share: number;
  /** Newest commit that changed both. */
  last: string;
}

export interface CouplingOptions {
  /** Fewest common commits; default: `LEAST_TOGETHER`. */
  least?: number;
  /** Smallest weighed share; default: `LEAST_SHARE`. */
  share?: number;
}

/** Twice can be chance. */
export const LEAST_TOGETHER = 3;
/** Files are named as forgotten only if more often than not they are not left out. */
export const LEAST_SHARE = 0.5;

/** Files coupled to those of `paths` that are not among them; closest first. `log`: newest first. */
export function coupledFiles(
  log: readonly ChangeSet[],
  paths: ReadonlySet<string>,
  { least = LEAST_TOGETHER, share: leastShare = LEAST_SHARE }: CouplingOptions = {},
): CoupledFile[] {
  const best = new Map<string, CoupledFile>();
  for (const [path, { of, weight, others }] of countPairs(log, paths)) {
    for (const [other, common] of others) {
      const share = common.weight / weight;
      const known = best.get(other);
      if (common.count < least || share < leastShare || (known !== undefined && !isCloser(share, common.count, known)))
        continue;
      best.set(other, { path: other, with: path, together: common.count, of, share, last: common.last });
    }
  }
  return [...best.values()].sort((a, b) => b.share - a.share || b.together - a.together || (a.path < b.path ? -1 : 1));
}

const isCloser = (share: number, count: number, known: CoupledFile): boolean =>
  share > known.share || (share === known.share && count > known.together);

interface Counted {
  /** Commits that changed the file, and their weights. */
  of: number;
  weight: number;
  others: Map<string, { count: number; weight: number; last: string }>;
}

function countPairs(log: readonly ChangeSet[], paths: ReadonlySet<string>): Map<string, Counted> {
  const found = new Map<string, Counted>();
  for (const commit of log) {
    const weight = weightOf(commit);
    for (const path of commit.paths) {
      if (!paths.has(path)) continue;
      const counted = found.get(path) ?? { of: 0, weight: 0, others: new Map() };
      found.set(path, counted);
      counted.of++;
      counted.weight += weight;
      for (const other of commit.paths) {
        if (paths.has(other)) continue;
        const pair = counted.others.get(other) ?? { count: 0, weight: 0, last: commit.commit };
        counted.others.set(other, { ...pair, count: pair.count + 1, weight: pair.weight + weight });
      }
    }
  }
  return found;
}

/** Number of commits that changed any of `paths`. */
export function countChanges(log: readonly ChangeSet[], paths: ReadonlySet<string>): number {
  return log.filter((commit) => commit.paths.some((path) => paths.has(path))).length;
}
