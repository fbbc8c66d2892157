/** Checks of `--staged`, which names both sides of a change. */
import { SocraticodeError } from '../../base/errors.js';

/** Throws BAD_ARGUMENT for what is staged together with another side. */
export function checkStaged(
  { staged, committed, ref }: { staged?: boolean; committed?: boolean; ref?: string },
  target: string,
): void {
  if (!staged || (target === '' && !committed && ref === undefined)) return;
  throw new SocraticodeError('BAD_ARGUMENT', 'what is staged is compared with HEAD, so nothing else can be named', {
    hint: 'Leave out the range, the ref and what leaves uncommitted files out, or ask for something else than what is staged.',
  });
}
