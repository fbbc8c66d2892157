/**
 * What a ref named can be gone before it was looked at: amended or rebased away, and collected by git gc. Then the ref
 * names another commit by now, and the question is about that one.
 */
import { isSocraticodeError } from '../base/errors.js';
import { log } from '../base/log.js';
import type { Session } from './session.js';

/** HEAD may be lost again while the next one is looked at, in a storm of commits. */
const ATTEMPTS = 3;

/** What `work` gives, which resolves `ref` (default: HEAD) itself; asked again where it failed and the ref has moved. */
export async function atPresent<T>(
  session: Session,
  ref: string | undefined,
  work: (isFirst: boolean) => Promise<T>,
): Promise<T> {
  const resolve = () =>
    session.objects.info(`${ref ?? 'HEAD'}^{commit}`).then(
      (commit) => commit?.oid ?? null,
      () => null,
    );
  // Not waited for: most often nobody needs it.
  const before = resolve();
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt === 1);
    } catch (error) {
      const isLost = isSocraticodeError(error, 'UNREADABLE_OBJECT') || isSocraticodeError(error, 'GIT_FAILED');
      if (!isLost || attempt === ATTEMPTS || (await before) === (await resolve())) throw error;
      log.debug(`${ref ?? 'HEAD'} has moved, and what it was is gone: ${error.message}`);
    }
  }
}
