/** Files that usually change together, and owners of files: counted from the change log, with newer commits weighing more. */
import { type CachedCommit, type LoggedCommit, weightOf } from './change-log.js';

/** Paths (or names of symbols) that changed in one commit. */
export interface ChangeSet {
  commit: string;
  age: number;
  paths: readonly string[];
}

interface CoupledFile {
  path: string;
  /** Changed file that it is coupled to most closely. */
  with: string;
  /** Number of commits that changed both; `of`: of those that changed `with`. */
  together: number;
  of: number;
  /** Share of the commits, weighed by their age: 0 to 1. */
  share: number;
  /** Newest commit that changed both. */
  last: string;
}

interface CouplingOptions {
  /** Fewest common commits; default: `LEAST_TOGETHER`. */
  least?: number;
  /** Smallest weighed share; default: `LEAST_SHARE`. */
  share?: number;
}

/** Fewest common commits: two can be chance. */
const LEAST_TOGETHER = 3;
/** Smallest share: a file is reported as forgotten only if it changes along more often than not. */
const LEAST_SHARE = 0.5;

/** Files coupled to those of `paths`, without these themselves; closest first. `log`: newest first. */
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
  /** Number of commits that changed the file; `weight`: the sum of their weights. */
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

export interface Owner {
  /** Name as in their newest commit. */
  author: string;
  commits: number;
  /** Share of all commits that changed the files, weighed by their age: 0 to 1. */
  share: number;
  /** Date of the newest of them, ISO 8601; null if it is invalid. */
  last: string | null;
}

/** Authors of commits that changed any of `paths`, busiest first. `log`: newest first. */
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
/** Smallest share of a main owner: authors of less know little of the file. */
const LEAST_OWNED_SHARE = 0.02;
/** Most main owners: enough to find a reviewer. In an old file of many authors, 15 had made 80%. */
const MOST_NAMED = 5;

/** Number of the busiest owners who together made most of it: at least one, if there is any. */
export function mainOwners(owners: readonly Owner[]): number {
  let covered = 0;
  for (const [i, { share }] of owners.entries()) {
    if (i >= MOST_NAMED || (i > 0 && (covered >= MOST || share < LEAST_OWNED_SHARE))) return i;
    covered += share;
  }
  return owners.length;
}

/** ISO 8601 of seconds since 1970; null for a time that no calendar has. */
export function isoDate(seconds: number): string | null {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().replace('.000Z', 'Z');
}

type Author = Pick<CachedCommit, 'author' | 'email'>;

export class People {
  /** Names of people, by each address and name that a commit has. */
  private readonly known = new Map<string, string>();
  /** Other names of the same person, by name. */
  private readonly aliases = new Map<string, string>();

  private readonly order = new Map<string, number>();

  /** `commits`: newest first. */
  constructor(commits: readonly Author[]) {
    for (const commit of commits) this.add(commit);
  }

  nameOf({ author }: Pick<Author, 'author'>): string {
    let name = this.known.get(`name ${author}`) ?? author;
    for (let next = this.aliases.get(name); next !== undefined; next = this.aliases.get(name)) name = next;
    return name;
  }

  private add({ author, email }: Author): void {
    const byName = this.nameOf({ author });
    const address = isPersonal(email) ? `mail ${email.toLowerCase()}` : null;
    const byMail = address === null ? undefined : this.known.get(address);
    const other = byMail === undefined ? byName : this.nameOf({ author: byMail });
    // The name that was seen first is the newer one.
    const [name, former] = this.orderOf(other) <= this.orderOf(byName) ? [other, byName] : [byName, other];
    if (name !== former) this.aliases.set(former, name);
    this.known.set(`name ${author}`, name);
    if (address !== null) this.known.set(address, name);
  }

  private orderOf(name: string): number {
    const order = this.order.get(name) ?? this.order.size;
    this.order.set(name, order);
    return order;
  }
}

/** Is it a personal address? Those without a domain belong to machines and may be shared: root@localhost. */
const isPersonal = (email: string): boolean => /@[^@]+\.[^@.]+$/.test(email);
