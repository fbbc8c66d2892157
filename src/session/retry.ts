/**
 * The only place where a question is asked again. Two things can change while a question is answered:
 *
 * - HEAD, or another ref, moves, and `git gc` removes the commit that it named: git then cannot read an object. The question
 *   is about the ref, so it is answered for the commit that the ref names now.
 * - A file of the work tree changes between the search that found it and the reading of its text: `FileChanged`.
 *
 * Retries are not nested. `retried` wraps the outermost call of a question, which opens its target (`Snapshots.open`) in each attempt and
 * hands it to its parts (`Searcher.searchIn`, `Graphs.of`). So a question runs at most `MAX_MOVES` times.
 */
import { isSocraticodeError } from '../base/errors.js';
import { log } from '../base/log.js';
import type { Session } from './session.js';

/** Attempts of a question whose files change while they are read. */
const ATTEMPTS = 3;
/** Attempts of a question whose ref moves: in a rebase of many commits HEAD may move in each, on a slow machine more than twice. */
const MAX_MOVES = 8;

/** Signals that a file changed after it was found. Thrown in every attempt but the last, which leaves the file out. */
export class FileChanged extends Error {}

export interface Attempt {
  isFirst: boolean;
  /** The last attempt must answer: it leaves out files that keep changing. */
  isLast: boolean;
}

/** Runs `work`, which resolves `ref` (default: HEAD) itself, and repeats it for the two reasons above. */
export async function retried<T>(
  session: Session,
  ref: string | undefined,
  work: (attempt: Attempt) => Promise<T>,
): Promise<T> {
  const resolve = () =>
    session.objects.info(`${ref ?? 'HEAD'}^{commit}`).then(
      (commit) => commit?.oid ?? null,
      () => null,
    );
  // Not awaited here: only a failure needs the answer.
  let before = resolve();
  for (let attempt = 1; ; attempt++) {
    try {
      return await work({ isFirst: attempt === 1, isLast: attempt >= ATTEMPTS });
    } catch (error) {
      if (error instanceof FileChanged && attempt < ATTEMPTS) continue;
      if (attempt === MAX_MOVES) throw error;
      const now = resolve();
      const former = await before;
      if (former === (await now) || !(isLostObject(error) || (await isLost(session, former)))) throw error;
      before = now;
      log.debug(`${ref ?? 'HEAD'} has moved and its former commit is gone: ${(error as Error).message}`);
    }
  }
}

/**
 * Returns whether a commit is gone. Then a place that was not found in it may exist: git reports `COMMIT:PATH` of a lost commit like a
 * path that the commit does not have, and the question would refuse the place.
 */
async function isLost(session: Session, commit: string | null): Promise<boolean> {
  return commit !== null && (await session.objects.info(commit).catch(() => null)) === null;
}

function isLostObject(error: unknown): boolean {
  return isSocraticodeError(error, 'UNREADABLE_OBJECT') || isSocraticodeError(error, 'GIT_FAILED');
}
