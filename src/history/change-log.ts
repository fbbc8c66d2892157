/**
 * The recent commits of a history with the files that each changed, under the present names of these files; and what is
 * counted from them: files that usually change together, and owners of files, with newer commits weighing more. Also the lines that each
 * commit made, as they stand today, and the merge that brought it.
 */
import { firstFrom } from '../base/lists.js';
import type { CommitLines, FileLines } from '../git/commits.js';

/** A commit as it is cached. Everything in it follows from its id, so it is read once. */
export interface CachedCommit {
  commit: string;
  parents: readonly string[];
  /** Times of the committer and the author, in seconds since 1970. */
  time: number;
  authored: number;
  author: string;
  /** Address as the commit has it; '' for none. */
  email: string;
  /** First line of the message. */
  subject: string;
  /** Beginning of the rest of the message. */
  body: string;
  /** Number of files that it changed against its parent; null if that is not known here. */
  files: number | null;
  /** Paths after the commit; none of a merge, and none if it changed more than `MAX_FILES`. */
  paths: readonly string[];
  renames: readonly (readonly [from: string, to: string])[];
}

export interface LoggedCommit extends CachedCommit {
  /** Present names of files, by their names in the commit, where the two differ. */
  renamed?: ReadonlyMap<string, string>;
  /** Number of newer commits in the log. */
  age: number;
}

export interface ChangeLog {
  /** Newest first, merges included; paths are names that the files have at the tip. */
  commits: readonly LoggedCommit[];
  /** Why the log ends; 'root' means that history begins there. */
  end: 'root' | 'max-commits' | 'shallow';
  /** Number of commits whose changes are not known here: trees that a partial clone lacks, and where a shallow clone ends. */
  unknown: number;
}

/**
 * Most files of a commit that counts. A larger one says nothing of any two of its files: it reformats, renames a folder, merges by hand.
 * Zimmermann et al., "Mining Version Histories to Guide Software Changes" (ICSE 2004), leave out commits from 30 files on.
 */
export const MAX_FILES = 30;
/** Number of commits after which a change counts half as much: changes of years ago say little of today's code. */
const HALF_LIFE = 500;

/** Weight of a commit: 1 for the newest, half of it every `HALF_LIFE` commits. */
export function weightOf({ age }: Pick<LoggedCommit, 'age'>): number {
  return 0.5 ** (age / HALF_LIFE);
}

/** Commits that show which files belong together: no merges, and none of too many files. */
export function tellingCommits({ commits }: Pick<ChangeLog, 'commits'>): LoggedCommit[] {
  return commits.filter(({ paths }) => paths.length > 0);
}

interface LogOptions {
  tip: string;
  maxCommits: number;
  /** Commits whose parents are missing in a shallow clone. */
  shallow: ReadonlySet<string>;
}

/**
 * Builds the log of a tip from cached commits: newest first by the time of the committer, as git orders them. It ends at the first commits
 * that are not cached.
 */
export function logOf(cached: ReadonlyMap<string, CachedCommit>, { tip, maxCommits, shallow }: LogOptions): ChangeLog {
  const queue: CachedCommit[] = [];
  const seen = new Set<string>();
  const add = (oid: string) => {
    const commit = seen.has(oid) ? undefined : cached.get(oid);
    seen.add(oid);
    if (commit !== undefined) insert(queue, commit);
  };
  add(tip);
  const commits: LoggedCommit[] = [];
  const names = new PresentNames();
  for (let next = queue.pop(); next !== undefined && commits.length < maxCommits; next = queue.pop()) {
    commits.push({ ...next, age: commits.length, ...names.of(next.paths) });
    names.learn(next.renames);
    if (!shallow.has(next.commit)) for (const parent of next.parents) add(parent);
  }
  const unknown = commits.filter(({ files }) => files === null).length;
  const isCut = commits.some(({ commit }) => shallow.has(commit));
  return { commits, unknown, end: commits.length === maxCommits ? 'max-commits' : isCut ? 'shallow' : 'root' };
}

/** Inserts by time, with the newest commit last. Of equal times the one that was found first comes last. */
function insert(queue: CachedCommit[], commit: CachedCommit): void {
  const place = firstFrom(queue.length, (i) => queue[i].time < commit.time);
  queue.splice(place, 0, commit);
}

/** Names of files at the tip. They are learnt while commits are read from the newest to the oldest. */
class PresentNames {
  private readonly now = new Map<string, string>();

  of(paths: readonly string[]): Pick<LoggedCommit, 'paths' | 'renamed'> {
    const renamed = new Map(paths.flatMap((path) => (this.now.has(path) ? [[path, this.now.get(path) ?? path]] : [])));
    if (renamed.size === 0) return { paths };
    return { paths: [...new Set(paths.map((path) => renamed.get(path) ?? path))], renamed };
  }

  /** Records the renames of a commit: older commits have the former names. */
  learn(renames: CachedCommit['renames']): void {
    const moved = renames.map(([from, to]) => [from, this.now.get(to) ?? to] as const);
    for (const [from, present] of moved) this.now.set(from, present);
  }
}

/** Lines that a file has at the tip. */
export interface LineRange {
  path: string;
  first: number;
  last: number;
}

/** Lines removed in one place from which on a file is no longer followed: it was written anew. */
const MAX_REMOVED = 5_000;
/** Lines between two ranges that are taken for one. */
const GAP = 3;

/** Follows the lines of a file from the tip into the past. */
class LineMap {
  /** Numbers at the tip, from 1, of the first lines that the file has at this point of the past; 0 for a line that is gone at the tip. */
  private readonly lines: number[] = [];
  /** Number at the tip of the first line behind these. */
  private next = 1;

  /** Takes back one place of `FileLines.hunks`, and adds to `made` the lines at the tip that it made; of a removal, the line above. */
  takeBack(start: number, removed: number, added: number, made: number[]): void {
    const { lines } = this;
    const at = added === 0 ? start : start - 1;
    while (lines.length < at + added + 1) lines.push(this.next++);
    for (let i = at; i < at + added; i++) if (lines[i] > 0) made.push(lines[i]);
    const above = lines[at - 1] ?? 0;
    // Lines around a removal show its place only as long as nothing has come between them.
    const isSeam = added === 0 && above > 0 && lines[at] === above + 1;
    if (isSeam) made.push(above);
    if (removed === added) return;
    // A line that was replaced lives on in its place of the replacement, and a removed one in the line above.
    const before: number[] = [];
    for (let i = 0; i < removed; i++)
      before.push(added > 0 ? lines[at + Math.min(added - 1, Math.floor((i * added) / removed))] : isSeam ? above : 0);
    lines.splice(at, added, ...before);
  }
}

/**
 * Finds the lines at the tip that each commit made or changed. `commits`: newest first. Branches that went on at the same time move each
 * other's lines, which is not followed: a range is a few lines off then.
 */
export function presentLines(commits: Iterable<Pick<CommitLines, 'files'>>): LineRange[][] {
  /** By path at the time. Null: the file is gone at the tip, or was written anew. */
  const known = new Map<string, { present: string; map: LineMap } | null>();
  return Array.from(commits, ({ files }) => {
    const found = files.map((file) => ({ file, now: nowOf(known, file) }));
    for (const { file } of found) if (file.path !== null) known.delete(file.path);
    return found.flatMap(({ file, now }) => {
      const made = now === null ? [] : takenBack(now.map, file.hunks);
      if (file.from !== null) known.set(file.from, made === null ? null : now);
      return now === null || made === null ? [] : rangesOf(now.present, made);
    });
  });
}

function nowOf(known: Map<string, { present: string; map: LineMap } | null>, { path }: FileLines) {
  if (path === null) return null;
  const now = known.get(path);
  return now === undefined ? { present: path, map: new LineMap() } : now;
}

/** Takes back the changes of a file, the last first, so that the lines above keep their numbers; null if it was written anew. */
function takenBack(map: LineMap, hunks: readonly number[]): number[] | null {
  const made: number[] = [];
  for (let i = hunks.length - 3; i >= 0; i -= 3) {
    if (hunks[i + 1] > MAX_REMOVED) return null;
    map.takeBack(hunks[i], hunks[i + 1], hunks[i + 2], made);
  }
  return made;
}

function rangesOf(path: string, lines: readonly number[]): LineRange[] {
  const ranges: LineRange[] = [];
  for (const line of Uint32Array.from(lines).sort()) {
    const last = ranges.at(-1);
    if (last !== undefined && line <= last.last + GAP) last.last = line;
    else ranges.push({ path, first: line, last: line });
  }
  return ranges;
}

/** Version of the file of cached commits. Raise it when the meaning of the bytes changes: files of another version are made anew. */
const FORMAT = 2;

type Row = [
  commit: string,
  parents: readonly string[],
  time: number,
  authored: number,
  author: number,
  email: number,
  subject: string,
  body: string,
  files: number,
  paths: number[],
  renames: [from: number, to: number][],
];

interface EncodedCommits {
  format: number;
  texts: string[];
  rows: Row[];
}

/** Writes commits whose files are known; others cannot be cached. */
export function encodeCommits(commits: readonly CachedCommit[]): Buffer {
  const numbers = new Map<string, number>();
  const numberOf = (text: string): number => {
    const known = numbers.get(text) ?? numbers.size;
    numbers.set(text, known);
    return known;
  };
  const rows = commits.map((one): Row => {
    const { commit, parents, time, authored, author, email, subject, body, files, paths, renames } = one;
    const people = [numberOf(author), numberOf(email)] as const;
    const moved = renames.map(([from, to]): [number, number] => [numberOf(from), numberOf(to)]);
    return [commit, parents, time, authored, ...people, subject, body, files ?? 0, paths.map(numberOf), moved];
  });
  return Buffer.from(JSON.stringify({ format: FORMAT, texts: [...numbers.keys()], rows } satisfies EncodedCommits));
}

/** Throws for bytes of another version. */
export function decodeCommits(content: Buffer): CachedCommit[] {
  const { format, texts, rows } = JSON.parse(content.toString('utf8')) as EncodedCommits;
  if (format !== FORMAT) throw new Error(`commits of format ${format}`);
  return rows.map(([commit, parents, time, authored, author, email, subject, body, files, paths, renames]) => ({
    ...{ commit, parents, time, authored, author: texts[author], email: texts[email], subject, body, files },
    paths: paths.map((path) => texts[path]),
    renames: renames.map(([from, to]) => [texts[from], texts[to]] as const),
  }));
}

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
/** Smallest share: more often than not. */
const LEAST_SHARE = 0.5;

/**
 * Coupling by which a change may have forgotten a file. Where one file of a commit is left out (1,264 commits of nine repositories), half
 * of the files that this names are the missing one, and a quarter by the values above.
 */
export const FORGOTTEN: Required<CouplingOptions> = { least: 5, share: 0.8 };

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
  /** Files that changed with it, and are not asked about, by path; `last`: the newest commit that changed both. */
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
    if (!commit.paths.some((path) => paths.has(path)) || isBot(commit)) continue;
    const author = people.nameOf(commit);
    const weight = weightOf(commit);
    total += weight;
    const owner = found.get(author) ?? { author, commits: 0, share: 0, last: isoDate(commit.authored) };
    found.set(author, { ...owner, commits: owner.commits + 1, share: owner.share + weight });
  }
  const owners = [...found.values()].map((owner) => ({ ...owner, share: owner.share / total }));
  return owners.sort((a, b) => b.share - a.share || (a.author < b.author ? -1 : 1));
}

/** Names and addresses of programs that commit: `dependabot[bot]`, `renovate-bot`, `bot@renovateapp.com`. */
const BOT =
  /\[bot\]|\(bot\)|^(?:dependabot|renovate|greenkeeper|github[- ]actions?|pre-commit-ci|snyk|travis ci|jenkins|(?:hosted )?weblate)\b|[-_ ]bot$|^(?:action|bot|ci)@/i;
/** `ArchiBot`; Abbot is a person. */
const NAMED_BOT = /[a-z]Bot$/;

/** Is the author a program? It owns nothing, and nobody can ask it for a review. */
function isBot({ author, email }: Pick<LoggedCommit, 'author' | 'email'>): boolean {
  return BOT.test(author) || BOT.test(email) || NAMED_BOT.test(author);
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

/** Maps each commit to the merge that brought it; commits that were made on the branch itself have none. */
export function mergesOf({ commits }: Pick<ChangeLog, 'commits'>): ReadonlyMap<string, LoggedCommit> {
  const known = new Map(commits.map((commit) => [commit.commit, commit]));
  const trunk: LoggedCommit[] = [];
  for (let at = commits[0]; at !== undefined; at = known.get(at.parents[0]) as LoggedCommit) trunk.push(at);
  const reached = new Set(trunk.map(({ commit }) => commit));
  const merges = new Map<string, LoggedCommit>();
  for (const merge of trunk.reverse()) {
    const waiting = merge.parents.slice(1);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const commit = reached.has(next) ? undefined : known.get(next);
      if (commit === undefined) continue;
      reached.add(next);
      merges.set(next, merge);
      waiting.push(...commit.parents);
    }
  }
  return merges;
}
