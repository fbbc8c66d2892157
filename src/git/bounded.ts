/**
 * Bounds on git commands that compare trees. 5 MB of objects can hold 10^8 tree entries, and such a command gathers all of
 * them before its first output; so while it runs for long, the entries of its trees are counted in parallel.
 */
import { isSocraticodeError, type SocraticodeError } from '../base/errors.js';
import { childEnd, type Git } from './process.js';
import { MAX_PATH_BYTES, MAX_TREE_ENTRIES, pathsTooLong, tooManyEntries } from './snapshot.js';

/** Counting starts so late; a faster command has not gathered much. */
const COUNT_AFTER_MS = 250;

/**
 * Runs work on trees (commits, or `HEAD`). Aborts its signal and throws BAD_ARGUMENT as soon as one of the trees is found to
 * have more than `MAX_TREE_ENTRIES` entries, or longer paths than `listTree` reads.
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

/** Bytes of an entry in the listing besides its path: mode, type, oid and separators. */
const ENTRY_BYTES = 54;

/** Counts the files and directories of a tree and the bytes of their paths until a bound is exceeded. */
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
