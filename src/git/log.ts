/**
 * Walks the commits of a ref with the changes of each (`walkHistory`): `rev-list` lists them, one `diff-tree --stdin` compares them. Both
 * are plumbing and ignore the `log.*` settings of a repository (signatures, mail maps). `ChangeTable` keeps the changes of a walk,
 * `countInBlobs` counts a text in their blobs, and `readShallow` and `listMissingObjects` say which history a clone lacks.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { mapConcurrently } from '../base/async.js';
import { SocraticodeError } from '../base/errors.js';
import { addTo } from '../base/lists.js';
import { nulFields, presentOid, RAW_FLAGS } from './diff.js';
import { decodePath, type EntryType, entryType } from './objects.js';
import { childEnd, type Git, type GitOptions, gitFailure, linesOf, writeInput } from './process.js';
import type { Repository } from './repository.js';

export interface HistoryChange {
  path: string;
  /** Id in each compared parent: one, or all parents of a merge whose version differs from each. */
  oldOids: (string | null)[];
  newOid: string | null;
  /** Type of the version that exists. */
  type: EntryType;
}

export interface CommitChanges {
  commit: string;
  changes: HistoryChange[];
}

export interface WalkOptions {
  /** Commit at which the walk starts. */
  tip: string;
  /** Further commits at which it starts, such as the tips of other branches. */
  others?: readonly string[];
  maxCommits?: number;
  /** Oldest date, as `git log --since` takes it. */
  since?: string;
  /** Limits the walk to these paths. */
  paths?: readonly string[];
  /**
   * Limits the walk to files in which this text occurs more or less often than before (git's pickaxe), and in a merge to files that
   * differ from every parent. Reads all changed blobs.
   */
  contains?: { text: string; ignoreCase?: boolean };
  /** 'combined': a merge has the changes that differ from all parents. 'each': only merges are visited, and compared with each parent. */
  merges?: 'combined' | 'each';
  /** Commits whose parents are missing in a shallow clone (`readShallow`), so that their changes are unknown. */
  shallow?: ReadonlySet<string>;
  signal?: AbortSignal;
  /** Called for each commit that was compared, with the number of commits that are listed by then. */
  onCommit?: (listed: number) => void;
}

export interface WalkWindow {
  commits: number;
  /** Last visited commit; null if there was none. */
  oldest: string | null;
  /** Reason why the walk ended. 'root' means that history begins there. */
  end: 'root' | 'max-commits' | 'since' | 'shallow';
}

/** Visits commits with changes, newest first, children before parents. Throws GIT_FAILED or CANCELLED. */
export async function walkHistory(
  git: Git,
  options: WalkOptions,
  visit: (commit: CommitChanges) => void,
): Promise<WalkWindow> {
  const { signal } = options;
  const start = (args: string[]): Started => ({ args, ...startGit(git, args, { signal }) });
  const list = start(revListArgs(options));
  const diff = start(diffTreeArgs(options));
  // With the pickaxe git reads every file in which a merge differs from any parent: minutes instead of seconds. So merges are compared
  // without.
  const merges = options.contains === undefined ? null : start(diffTreeArgs({ ...options, contains: undefined }));
  const all = [diff, merges, list].filter((each) => each !== null);
  list.child.stdin.end((options.others ?? []).map((commit) => `${commit}\n`).join(''));
  const ordered = new Order();
  const feeding = feed(list.child.stdout, { plain: diff.child.stdin, merges: merges?.child.stdin, ordered }, options);
  feeding.catch(() => {});
  try {
    const heard = (commit: CommitChanges) => {
      options.onCommit?.(ordered.listed);
      visit(commit);
    };
    if (merges === null) await readCommits(diff.child.stdout, heard);
    else await Promise.all([diff, merges].map(({ child }) => readCommits(child.stdout, (each) => ordered.add(each))));
    const window = await feeding;
    // Comparisons come first: if one of them dies, nothing takes the list any more.
    for (const { ended, args } of all) {
      const { code, stderr } = await ended;
      if (code !== 0) throw gitFailure(args, code, stderr);
    }
    for (const each of ordered.commits()) visit(each);
    return window;
  } catch (error) {
    for (const { child } of all) child.kill('SIGKILL');
    await Promise.allSettled([...all.map(({ ended }) => ended), feeding]);
    throw signal?.aborted ? new SocraticodeError('CANCELLED', 'cancelled', { cause: error }) : error;
  }
}

interface Started extends ReturnType<typeof startGit> {
  args: string[];
}

/** Joins the commits of two comparisons in the order in which they were listed. */
class Order {
  private readonly places = new Map<string, number>();
  private readonly found: CommitChanges[] = [];
  /** Commits that were listed so far. */
  listed = 0;

  list(commit: string): void {
    this.places.set(commit, this.places.size);
  }

  add(commit: CommitChanges): void {
    this.found.push(commit);
  }

  commits(): CommitChanges[] {
    const place = ({ commit }: CommitChanges) => this.places.get(commit) as number;
    return this.found.sort((one, other) => place(one) - place(other));
  }
}

function startGit(git: Git, args: readonly string[], options: Pick<GitOptions, 'signal'>) {
  const child = git.spawn(args, options);
  const ended = childEnd(child);
  // Awaited by the walk; until then a rejection must not count as unhandled.
  ended.catch(() => {});
  return { child, ended };
}

function revListArgs({ tip, others, maxCommits, since, merges }: WalkOptions): string[] {
  const args = ['rev-list', '--date-order', '--parents'];
  // One more than wanted shows whether there are more.
  if (maxCommits !== undefined) args.push(`--max-count=${maxCommits + 1}`);
  if (since !== undefined) args.push(`--since=${since}`);
  if (merges === 'each') args.push('--merges');
  if (others !== undefined) args.push('--stdin');
  return [...args, '--end-of-options', tip, '--'];
}

function diffTreeArgs({ merges, contains, paths }: WalkOptions): string[] {
  const args = ['diff-tree', '--stdin', '-r', '--root', ...RAW_FLAGS, '--no-renames', merges === 'each' ? '-m' : '-c'];
  if (contains !== undefined) args.push(`-S${contains.text}`, ...(contains.ignoreCase ? ['-i'] : []));
  return [...args, '--', ...(paths ?? [])];
}

/** Limit on parents. The largest known merge by people has 66, and comparing with all takes git quadratic time. */
const MAX_PARENTS = 100;
/** Parents of a larger merge that are compared: git reads lines of 1,000 bytes, and an id of SHA-256 takes 65. */
const COMPARED_PARENTS = 14;

/** Input line of `diff-tree`: the commit alone, or with the parents to compare. */
function comparison(commit: string, parents: readonly string[]): string {
  return parents.length <= MAX_PARENTS ? commit : [commit, ...parents.slice(0, COMPARED_PARENTS)].join(' ');
}

type Input = NodeJS.WritableStream & { writable: boolean };

/** `merges`: takes merges that are compared apart. `ordered`: then learns the order of commits. */
interface Comparisons {
  plain: Input;
  merges: Input | undefined;
  ordered: Order;
}

/** Writes listed commits to the comparisons as fast as these take them, up to `maxCommits`. Ends early if a comparison has died. */
async function feed(
  from: AsyncIterable<Buffer>,
  { plain, merges, ordered }: Comparisons,
  { maxCommits = Number.POSITIVE_INFINITY, since, shallow }: WalkOptions,
): Promise<WalkWindow> {
  const window: WalkWindow = { commits: 0, oldest: null, end: since === undefined ? 'root' : 'since' };
  let rest = '';
  for await (const chunk of from) {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() as string;
    const batch: string[] = [];
    const apart: string[] = [];
    for (const line of lines) {
      const [commit, ...parents] = line.split(' ');
      if (window.commits >= maxCommits) {
        window.end = 'max-commits';
        continue;
      }
      ordered.listed = ++window.commits;
      window.oldest = commit;
      if (merges !== undefined) ordered.list(commit);
      if (!shallow?.has(commit))
        (merges !== undefined && parents.length > 1 ? apart : batch).push(`${comparison(commit, parents)}\n`);
      else window.end = 'shallow';
    }
    if (!(await writeInput(plain, batch.join('')))) break;
    if (merges !== undefined && !(await writeInput(merges, apart.join('')))) break;
  }
  plain.end();
  merges?.end();
  return window;
}

async function readCommits(stream: AsyncIterable<Buffer>, visit: (commit: CommitChanges) => void): Promise<void> {
  let current: CommitChanges = { commit: '', changes: [] };
  let head: string | null = null;
  for await (const field of nulFields(stream)) {
    if (head !== null) {
      current.changes.push(parseChange(head, decodePath(field)));
      head = null;
    } else if (field[0] === COLON) head = field.toString('latin1');
    else {
      const commit = field.toString('latin1');
      // A merge that is compared with each parent has a heading for each.
      if (current.commit === commit) continue;
      if (current.commit !== '') visit(current);
      current = { commit, changes: [] };
    }
  }
  if (current.commit !== '') visit(current);
}

const COLON = 0x3a;

/** Parses `:100644 100644 OLD NEW M`, which has one colon, old mode and old id per parent. */
function parseChange(head: string, path: string): HistoryChange {
  const parents = head.search(/[^:]/);
  const fields = head.slice(parents).split(' ');
  const oids = fields.slice(parents + 1).map(presentOid);
  const newOid = oids[parents];
  const present = newOid === null ? oids.findIndex((oid) => oid !== null) : parents;
  return { path, oldOids: oids.slice(0, parents), newOid, type: entryType(fields[present]) };
}

/** Texts by number. */
class Interned {
  readonly texts: string[] = [];
  private readonly numbers = new Map<string, number>();

  numberOf(text: string): number {
    let number = this.numbers.get(text);
    if (number === undefined) {
      number = this.texts.push(text) - 1;
      this.numbers.set(text, number);
    }
    return number;
  }
}

/** A change by numbers. An absent version is -1. */
interface NumberedChange {
  path: number;
  newOid: number;
  oldOids: number[];
}

/** Changes of files in a walk, newest first. They are kept as numbers: a long history has a million, whose ids and paths repeat. */
export class ChangeTable {
  private readonly oids = new Interned();
  private readonly paths = new Interned();
  private readonly rows: number[] = [];
  /** Path and commit that brought each blob. */
  private readonly pathOf: number[] = [];
  private readonly commitOf: string[] = [];

  add({ commit, changes }: CommitChanges, accepts: (path: string) => boolean): void {
    for (const { path, oldOids, newOid, type } of changes) {
      if ((type !== 'file' && type !== 'executable') || !accepts(path)) continue;
      const at = this.paths.numberOf(path);
      const [now, ...before] = [newOid, ...oldOids].map((oid) => (oid === null ? -1 : this.oids.numberOf(oid)));
      for (const oid of [now, ...before]) if (oid >= 0) this.pathOf[oid] ??= at;
      if (now >= 0) this.commitOf[now] = commit;
      this.rows.push(at, now, before.length, ...before);
    }
  }

  *changes(): Generator<NumberedChange, void> {
    for (let i = 0; i < this.rows.length; ) {
      const [path, newOid, count] = this.rows.slice(i, i + 3);
      yield { path, newOid, oldOids: this.rows.slice(i + 3, i + 3 + count) };
      i += 3 + count;
    }
  }

  /** All blobs, versions of one file after each other, the file that changed last first. */
  byPath(): number[] {
    const groups = new Map<number, number[]>();
    for (const [oid, path] of this.pathOf.entries()) addTo(groups, path, oid);
    return [...groups.values()].flat();
  }

  idOf(oid: number): string {
    return this.oids.texts[oid];
  }

  /** The blob at a path; default: one at which it stood. */
  version(oid: number, path = this.pathOf[oid]): { oid: string; path: string } {
    return { oid: this.idOf(oid), path: this.paths.texts[path] };
  }

  /** The oldest commit that brought the blob; undefined if it is older than the walk. */
  broughtBy(oid: number): string | undefined {
    return this.commitOf[oid];
  }
}

/** Blobs that one git searches: the first hits come soon, and later ones share the start of a process. */
const FIRST_PIECE = 1_024;
const MAX_PIECE = 16_384;

/** Count of each blob of a piece, which begins at `from`; null for a blob that cannot be read. */
type CountedPiece = (counts: readonly (number | null)[], from: number) => Promise<void> | void;

interface BlobCounting {
  /** Counts each occurrence, for which git writes a line, and not the lines that have one. */
  occurrences?: boolean;
  signal?: AbortSignal;
  counted: CountedPiece;
}

/**
 * Counts the lines of blobs that hold a text. Git's pickaxe reads both sides of every change; here each blob is read once, from a tree
 * that is made of them, by as many gits as there are processors. Versions of a file should follow each other, as they are packed as
 * differences of each other. `git` writes the trees (`openScratch`). Throws GIT_FAILED where an object is damaged.
 */
export async function countInBlobs(
  git: Git,
  oids: readonly string[],
  { text, ignoreCase }: NonNullable<WalkOptions['contains']>,
  { occurrences, signal, counted }: BlobCounting,
): Promise<void> {
  const pieces: number[] = [];
  for (let at = 0, size = FIRST_PIECE; at < oids.length; at += size, size = Math.min(MAX_PIECE, size * 2))
    pieces.push(at);
  const flags = ['-F', '-a', '-z', '--threads=1', '--no-color', '--no-textconv', '--no-recurse-submodules'];
  const wanted = [occurrences ? '-o' : '-c', ...(ignoreCase ? ['-i'] : [])];
  const args = ['grep', ...flags, ...wanted, '--no-line-number', '--no-column', '-e', text];
  await mapConcurrently(pieces, availableParallelism(), async (from, i) => {
    const own = oids.slice(from, pieces[i + 1]);
    const tree = await git.text(['hash-object', '-t', 'tree', '-w', '--stdin'], { input: treeOf(own), signal });
    const { stdout, stderr } = await git.run([...args, tree, '--'], { allow: [1], signal });
    await counted(readCounts(own, stdout.toString('latin1'), { stderr, occurrences }), from);
  });
}

const NAME_DIGITS = 6;
/** Length from which git's messages may have been cut. */
const MAX_COMPLAINTS = 16_000;

/** A tree of blobs that are named by their places. */
function treeOf(oids: readonly string[]): Buffer {
  return Buffer.concat(
    oids.flatMap((oid, i) => [
      Buffer.from(`100644 ${String(i).padStart(NAME_DIGITS, '0')}\0`, 'latin1'),
      Buffer.from(oid, 'hex'),
    ]),
  );
}

/** Reads lines like `TREE:000012`, a NUL and the count; with `occurrences` a line for each, with the text in place of a count. */
function readCounts(
  oids: readonly string[],
  stdout: string,
  { stderr, occurrences }: { stderr: string; occurrences: boolean | undefined },
): (number | null)[] {
  const counts: number[] = oids.map(() => 0);
  for (const [, name, count] of stdout.matchAll(/^[0-9a-f]+:(\d+)\0(.*)$/gm))
    counts[Number(name)] += occurrences ? 1 : Number(count);
  if (stderr === '') return counts;
  // Git says which blobs it cannot read. A long list of them is cut.
  const isCut = stderr.length > MAX_COMPLAINTS;
  const unread = new Set(Array.from(stderr.matchAll(/unable to read ([0-9a-f]+)/g), ([, oid]) => oid));
  return counts.map((count, i) => (unread.has(oids[i]) || (isCut && count === 0) ? null : count));
}

const MAX_SHALLOW_BYTES = 16 << 20;

/** Commits at which a shallow clone ends; none in a complete one. */
export function readShallow({ commonDir }: Pick<Repository, 'commonDir'>): ReadonlySet<string> {
  try {
    const text = readFileSync(join(commonDir, 'shallow'), 'latin1');
    return new Set(text.slice(0, MAX_SHALLOW_BYTES).split('\n').filter(Boolean));
  } catch {
    return new Set();
  }
}

/** Lists objects of the history of commits or trees that a partial clone has not fetched. Does not use the network. */
export async function listMissingObjects(
  git: Git,
  tip: string | readonly string[],
  signal?: AbortSignal,
): Promise<Set<string>> {
  const tips = [tip].flat();
  // Sent on stdin: tens of thousands of tips are more than a command line may have.
  const args = ['rev-list', '--objects', '--missing=print', '--stdin'];
  const missing = new Set<string>();
  for await (const lines of linesOf(git, args, signal, tips.map((each) => `${each}\n`).join('')))
    for (const line of lines) if (line.startsWith('?')) missing.add(line.slice(1));
  // Git 2.51 counts an absent tip as one more missing object and succeeds; 2.39 fails.
  const absent = tips.find((each) => missing.has(each));
  if (absent !== undefined) throw gitFailure(args, 128, `fatal: bad object ${absent}`);
  return missing;
}
