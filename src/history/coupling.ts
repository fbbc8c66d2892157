/**
 * Change coupling: files that usually change in the same commits as others, by the confidence of the rule "who changes A also
 * changes B" (Zimmermann et al., ICSE 2004), with newer commits weighing more.
 */
import { type LoggedCommit, weightOf } from './change-log.js';

export interface CoupledFile {
  path: string;
  /** Changed file that it is coupled to most. */
  with: string;
  /** Commits that changed both, of those that changed `with`. */
  together: number;
  of: number;
  /** Share of the commits, weighed by their age: 0 to 1. */
  share: number;
}

export interface CouplingOptions {
  /** Fewest common commits; default: 3. */
  least?: number;
  /** Smallest weighed share; default: 0.5. */
  share?: number;
}

/** Files coupled to those of `paths` that are not among them; closest first. */
export function coupledFiles(
  log: readonly LoggedCommit[],
  paths: ReadonlySet<string>,
  { least = 3, share: leastShare = 0.5 }: CouplingOptions = {},
): CoupledFile[] {
  const best = new Map<string, CoupledFile>();
  for (const [path, { of, weight, others }] of countPairs(log, paths)) {
    for (const [other, common] of others) {
      const share = common.weight / weight;
      const known = best.get(other);
      if (common.count < least || share < leastShare || (known !== undefined && !isCloser(share, common.count, known)))
        continue;
      best.set(other, { path: other, with: path, together: common.count, of, share });
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
  others: Map<string, { count: number; weight: number }>;
}

function countPairs(log: readonly LoggedCommit[], paths: ReadonlySet<string>): Map<string, Counted> {
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
        const pair = counted.others.get(other) ?? { count: 0, weight: 0 };
        counted.others.set(other, { count: pair.count + 1, weight: pair.weight + weight });
      }
    }
  }
  return found;
}
