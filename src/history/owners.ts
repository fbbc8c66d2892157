/** Owners of files by the log: the authors who changed them in most commits, with newer commits weighing more. */
import { type LoggedCommit, weightOf } from './change-log.js';
import type { People } from './people.js';

export interface Owner {
  /** Name as in their newest commit. */
  author: string;
  commits: number;
  /** Share of all commits that changed the files, weighed by their age: 0 to 1. */
  share: number;
  /** Date of the newest of them, ISO 8601; null if it is invalid. */
  last: string | null;
}

/** The busiest first. `log`: newest first. */
export function ownersOf(log: readonly LoggedCommit[], paths: ReadonlySet<string>, people: People): Owner[] {
  const found = new Map<string, Owner>();
  let total = 0;
  for (const commit of log) {
    if (!commit.paths.some((path) => paths.has(path))) continue;
    const author = people.nameOf(commit);
    const weight = weightOf(commit);
    total += weight;
    const owner = found.get(author) ?? { author, commits: 0, share: 0, last: isoDate(commit.authored) };
    found.set(author, { ...owner, commits: owner.commits + 1, share: owner.share + weight });
  }
  const owners = [...found.values()].map((owner) => ({ ...owner, share: owner.share / total }));
  return owners.sort((a, b) => b.share - a.share || (a.author < b.author ? -1 : 1));
}

/** Share of the changes that main owners made together. */
const MOST = 0.8;
/** Authors of less know little of it, however many made the rest. */
const LEAST_SHARE = 0.02;
/** Enough to find a reviewer. An old file of many authors had 15 who made 80% of it. */
const MOST_NAMED = 5;

/** How many of the busiest made most of it: at least one, if there is any. */
export function mainOwners(owners: readonly Owner[]): number {
  let covered = 0;
  for (const [i, { share }] of owners.entries()) {
    if (i >= MOST_NAMED || (i > 0 && (covered >= MOST || share < LEAST_SHARE))) return i;
    covered += share;
  }
  return owners.length;
}

/** ISO 8601 of seconds since 1970; null for a time that no calendar has. */
export function isoDate(seconds: number): string | null {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().replace('.000Z', 'Z');
}
