/**
 * The recent commits of a history with the files that each changed, under the present names of these files. Change coupling, ownership and
 * hotspots are counted from it.
 */

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
  let [low, high] = [0, queue.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (queue[middle].time < commit.time) low = middle + 1;
    else high = middle;
  }
  queue.splice(low, 0, commit);
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

/** Raise when the meaning of the bytes changes; files of another version are made anew. */
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
