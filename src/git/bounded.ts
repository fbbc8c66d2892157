/**
 * What git would do with trees beyond all bounds: 5 MB can hold 10^8 entries, and commands that compare trees gather all
 * of them before they say anything. So the trees of one that takes long are counted beside it.
 */
import { isSocraticodeError, type SocraticodeError } from '../base/errors.js';
import { childEnd, type Git } from './process.js';
import { MAX_PATH_BYTES, MAX_TREE_ENTRIES, pathsTooLong, tooManyEntries } from './snapshot.js';

/** Commands that end sooner have not gathered much. */
const PATIENCE_MS = 250;

/**
 * Does work with trees (commits, or `HEAD`), whose signal aborts as soon as one of them turns out to have more
 * entries than `MAX_TREE_ENTRIES`, or longer paths than `listTree` reads; then throws BAD_ARGUMENT.
 */
export async function withinBounds<T>(
  git: Git,
  trees: readonly string[],
  work: (signal: AbortSignal) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const stop = new AbortController();
  const end = () => stop.abort();
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted) end();
  let refused: SocraticodeError | null = null;
  const count = async () => {
    for (const tree of trees) {
      if (stop.signal.aborted) return;
      refused = await findExcess(git, tree, stop.signal);
      if (refused !== null) return end();
    }
  };
  // Where they cannot be counted, the work itself says what is wrong.
  let counting: Promise<void> | null = null;
  const countOnce = () => {
    counting ??= count().catch(() => {});
    return counting;
  };
  const timer = setTimeout(countOnce, PATIENCE_MS);
  try {
    return await work(stop.signal);
  } catch (error) {
    // It ran out of memory before they were counted.
    if (isSocraticodeError(error, 'RESOURCES')) await countOnce();
    throw refused ?? error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
    end();
  }
}

/** What a listing has of each entry besides its path: mode, type, oid and what separates them. */
const ENTRY_BYTES = 54;

/** Counts the files and directories of a tree and the bytes of their paths, to where there are too many. */
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
    for (let at = chunk.indexOf(0); at >= 0; at = chunk.indexOf(0, at + 1)) entries++;
    bytes += chunk.length;
    if (excess() !== null) break;
  }
  if (excess() !== null) child.kill('SIGKILL');
  await ended.catch(() => {});
  return excess();
}
