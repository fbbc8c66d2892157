/**
 * Differences between trees, a parser of git's raw diff format (`-z --raw`) that history walks share, and bounds on commands that compare
 * trees.
 */
import { isSocraticodeError, SocraticodeError } from '../base/errors.js';
import {
  decodePath,
  type EntryType,
  entryType,
  MAX_PATH_BYTES,
  MAX_TREE_ENTRIES,
  pathsTooLong,
  tooManyEntries,
} from './objects.js';
import { childEnd, type Git, gitFailure } from './process.js';

type ChangeStatus = 'added' | 'deleted' | 'modified' | 'type-changed' | 'renamed';

/** A path that differs. Id and type are null for a tree that does not have it. */
export interface TreeChange {
  /** Path now, or before the deletion. */
  path: string;
  /** Path before a rename. */
  oldPath?: string;
  oldOid: string | null;
  newOid: string | null;
  oldType: EntryType | null;
  newType: EntryType | null;
  status: ChangeStatus;
}

interface DiffTreesOptions {
  /**
   * Finds renames, or lists nothing else (`only`). Git compares contents for that. If a partial clone lacks a blob, the answer has no
   * renames.
   */
  renames?: boolean | 'only';
  /** Number of changes beyond which BAD_ARGUMENT is thrown. */
  limit?: number;
  signal?: AbortSignal;
}

/** Same as the bound on the entries of a tree. */
const MAX_CHANGES = 1_000_000;
/** Number of added or deleted files beyond which only equal contents count as renames: git would compare each with each. */
const MAX_RENAME_CANDIDATES = 1_000;
/** Longest path that is read. No system can check out a longer one. */
const MAX_FIELD_BYTES = 1 << 20;

export const EMPTY_TREES = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
};

/**
 * Lists the paths that differ between two trees (or commits) in git's order. `from` null is the empty tree. Throws GIT_FAILED if a tree
 * is missing, and BAD_ARGUMENT beyond `limit`.
 */
export async function diffTrees(
  git: Git,
  from: string | null,
  to: string,
  options: DiffTreesOptions = {},
): Promise<TreeChange[]> {
  const trees = [from ?? (to.length === 64 ? EMPTY_TREES.sha256 : EMPTY_TREES.sha1), to];
  const run = (flags: readonly string[]) =>
    withinBounds(git, trees, (signal) => runDiff(git, trees, flags, { ...options, signal }), options.signal);
  if (!options.renames) return run(['--no-renames']);
  const filter = options.renames === 'only' ? ['--diff-filter=R'] : [];
  try {
    return await run(['-M', `-l${MAX_RENAME_CANDIDATES}`, ...filter]);
  } catch (error) {
    // A blob is missing here, so git runs again without contents.
    if (!isSocraticodeError(error, 'GIT_FAILED') && !isSocraticodeError(error, 'UNREADABLE_OBJECT')) throw error;
    return run(['--no-renames', ...filter]);
  }
}

/** As `diffTrees`; null beyond `limit` changes, or if a tree is missing. */
export async function fewChanges(git: Git, from: string, to: string, limit: number): Promise<TreeChange[] | null> {
  try {
    return await diffTrees(git, from, to, { limit });
  } catch (error) {
    // The tree may have been pruned.
    if (isSocraticodeError(error, 'BAD_ARGUMENT') || isSocraticodeError(error, 'GIT_FAILED')) return null;
    throw error;
  }
}

/** Line of `diff-tree --stdin` for two trees, before their first change. */
const PAIR_HEADER = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64})\n/;

/**
 * Compares pairs of trees (not commits) with one git, and yields a list for each. Throws as `diffTrees` does; the failure of one pair
 * ends the rest.
 */
export async function* diffTreePairs(
  git: Git,
  pairs: readonly (readonly [from: string, to: string])[],
  { renames, signal }: { renames: boolean; signal?: AbortSignal },
): AsyncGenerator<TreeChange[], void> {
  const flags = renames ? ['-M', `-l${MAX_RENAME_CANDIDATES}`] : ['--no-renames'];
  const args = ['diff-tree', '--stdin', '-r', ...RAW_FLAGS, ...flags];
  const child = git.spawn(args, { signal });
  const ended = childEnd(child);
  // Awaited below; until then a rejection must not count as unhandled.
  ended.catch(() => {});
  child.stdin.end(pairs.map(([from, to]) => `${from} ${to}\n`).join(''));
  let count = 0;
  let list: TreeChange[] | null = null;
  const fields = nulFields(child.stdout);
  try {
    for await (const field of fields) {
      let rest = field;
      for (let header = headerOf(rest); header !== null; header = headerOf(rest)) {
        if (list !== null) yield list;
        list = [];
        count++;
        rest = rest.subarray(header.length);
      }
      if (rest.length === 0 || list === null) continue;
      if (list.push(await readChange(rest, fields)) > MAX_CHANGES) throw tooManyEntries(MAX_CHANGES);
    }
    const { code, stderr } = await ended;
    if (code !== 0) throw gitFailure(args, code, stderr);
    if (count !== pairs.length) throw new SocraticodeError('GIT_FAILED', 'git diff-tree answered something else');
    if (list !== null) yield list;
  } catch (error) {
    throw signal?.aborted ? new SocraticodeError('CANCELLED', 'cancelled', { cause: error }) : error;
  } finally {
    child.kill('SIGKILL');
  }
}

function headerOf(field: Buffer): string | null {
  return PAIR_HEADER.exec(field.toString('latin1'))?.[0] ?? null;
}

async function runDiff(
  git: Git,
  trees: readonly string[],
  flags: readonly string[],
  { limit = MAX_CHANGES, signal }: DiffTreesOptions,
): Promise<TreeChange[]> {
  const args = ['diff-tree', '-r', ...RAW_FLAGS, ...flags, '--end-of-options', ...trees, '--'];
  const child = git.spawn(args, { signal });
  const ended = childEnd(child);
  // Awaited below; until then a rejection must not count as unhandled.
  ended.catch(() => {});
  child.stdin.end();
  const changes: TreeChange[] = [];
  const fields = nulFields(child.stdout);
  try {
    for await (const field of fields) {
      if (changes.push(await readChange(field, fields)) > limit) throw tooManyEntries(limit);
    }
  } catch (error) {
    child.kill('SIGKILL');
    await ended.catch(() => {});
    throw signal?.aborted ? new SocraticodeError('CANCELLED', 'cancelled', { cause: error }) : error;
  }
  const { code, stderr } = await ended;
  if (code !== 0) throw gitFailure(args, code, stderr);
  return changes;
}

/** Flags for raw output with full ids, without programs that repository settings name. */
export const RAW_FLAGS = ['--raw', '-z', '--no-abbrev', '--no-ext-diff', '--no-textconv', '--ignore-submodules=none'];

/** The fields that a NUL ends. */
export function* endedFields(data: Buffer): Generator<Buffer, void> {
  let at = 0;
  for (let end = data.indexOf(0); end !== -1; end = data.indexOf(0, at)) {
    yield data.subarray(at, end);
    at = end + 1;
  }
}

/** Yields the fields of NUL-separated output as bytes. Throws BAD_ARGUMENT for a field of more than 1 MiB. */
export async function* nulFields(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    const data = Buffer.concat([rest, chunk]);
    yield* endedFields(data);
    rest = data.subarray(data.lastIndexOf(0) + 1);
    if (rest.length > MAX_FIELD_BYTES) throw new SocraticodeError('BAD_ARGUMENT', 'a path has more than a megabyte');
  }
  if (rest.length > 0) yield rest;
}

const STATUSES: Record<string, ChangeStatus> = { A: 'added', D: 'deleted', T: 'type-changed', R: 'renamed' };

/** Parses a change from its first field (`:100644 100644 OID OID M`) and the paths that follow. Throws GIT_FAILED. */
async function readChange(head: Buffer, fields: AsyncGenerator<Buffer, void>): Promise<TreeChange> {
  const [oldMode, newMode, oldOid, newOid, letter] = head.toString('latin1').replace(/^:/, '').split(' ');
  const first = await nextField(fields);
  const status = STATUSES[letter?.[0]] ?? 'modified';
  const oldPath = status === 'renamed' ? decodePath(first) : undefined;
  const path = oldPath === undefined ? decodePath(first) : decodePath(await nextField(fields));
  return {
    path,
    ...(oldPath === undefined ? {} : { oldPath }),
    oldOid: presentOid(oldOid),
    newOid: presentOid(newOid),
    oldType: presentOid(oldOid) === null ? null : entryType(oldMode),
    newType: presentOid(newOid) === null ? null : entryType(newMode),
    status,
  };
}

async function nextField(fields: AsyncGenerator<Buffer, void>): Promise<Buffer> {
  const next = await fields.next();
  if (next.done) throw new SocraticodeError('GIT_FAILED', 'git diff-tree ended in the middle of an entry');
  return next.value;
}

const NULL_OID = /^0+$/;

/** Null for git's id of zeros, which stands for no entry. */
export function presentOid(oid: string | undefined): string | null {
  return oid === undefined || NULL_OID.test(oid) ? null : oid;
}

/** Delay of the count: a command that ends sooner has not gathered much. */
const COUNT_AFTER_MS = 250;

/**
 * Runs work on trees (commits, or `HEAD`) and meanwhile counts their entries: 5 MB of objects can hold 10^8, and a command that compares
 * trees gathers all before its first output. Aborts the signal and throws BAD_ARGUMENT once a tree has more than `MAX_TREE_ENTRIES`
 * entries, or longer paths than `listTree` reads.
 */
export async function withinBounds<T>(
  git: Git,
  trees: readonly string[],
  work: (signal: AbortSignal) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const stop = new AbortController();
  const end = () => stop.abort();
  signal?.addEventListener('abort', end);
  if (signal?.aborted) end();
  let refused: SocraticodeError | null = null;
  const count = async () => {
    for (const tree of trees) {
      if (stop.signal.aborted) return;
      refused = await findExcess(git, tree, stop.signal);
      if (refused !== null) return end();
    }
  };
  // If the trees cannot be counted, the work fails with a better message.
  let counting: Promise<void> | null = null;
  const countOnce = () => {
    counting ??= count().catch(() => {});
    return counting;
  };
  const timer = setTimeout(countOnce, COUNT_AFTER_MS);
  try {
    return await work(stop.signal);
  } catch (error) {
    // The memory bound was faster than the count.
    if (isSocraticodeError(error, 'RESOURCES')) await countOnce();
    throw refused ?? error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
    end();
  }
}

/** Bytes of a listed entry without its path: mode, type, oid and separators. */
const ENTRY_BYTES = 54;

/** Counts the entries of a tree and the bytes of their paths until a bound is exceeded. */
async function findExcess(git: Git, tree: string, signal: AbortSignal): Promise<SocraticodeError | null> {
  const child = git.spawn(['ls-tree', '-r', '-t', '-z', '--full-tree', tree], { signal });
  const ended = childEnd(child);
  ended.catch(() => {});
  child.stdin.end();
  let [entries, bytes] = [0, 0];
  const excess = () => {
    if (entries > MAX_TREE_ENTRIES) return tooManyEntries(MAX_TREE_ENTRIES);
    return bytes - entries * ENTRY_BYTES > MAX_PATH_BYTES ? pathsTooLong() : null;
  };
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(0); at !== -1; at = chunk.indexOf(0, at + 1)) entries++;
    bytes += chunk.length;
    if (excess() !== null) break;
  }
  if (excess() !== null) child.kill('SIGKILL');
  await ended.catch(() => {});
  return excess();
}
