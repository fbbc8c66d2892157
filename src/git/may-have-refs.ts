/** A look at git's files that spares a git process where there is nothing to find. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from './repository.js';

/** Packed refs of more bytes are not read: git looks them up. */
const MAX_PACKED = 16 << 20;

/** False: no ref begins with `prefix` and a slash. True: git has to be asked. */
export function mayHaveRefs({ commonDir }: Pick<Repository, 'commonDir'>, prefix: string): boolean {
  if ([prefix, 'reftable'].some((name) => existsSync(join(commonDir, name)))) return true;
  const packed = join(commonDir, 'packed-refs');
  const { size = 0 } = statSync(packed, { throwIfNoEntry: false }) ?? {};
  return size > MAX_PACKED || (size > 0 && readFileSync(packed).includes(` ${prefix}/`));
}
