/** A look at git's files that spares a git process where there is nothing to find. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from './repository.js';

/** Packed refs of more bytes are not read: git looks them up. */
const MAX_PACKED = 16 << 20;

/** False: no ref begins with one of the prefixes and a slash. True: git has to be asked. */
export function mayHaveRefs({ commonDir }: Pick<Repository, 'commonDir'>, prefixes: readonly string[]): boolean {
  if ([...prefixes, 'reftable'].some((name) => existsSync(join(commonDir, name)))) return true;
  const packed = join(commonDir, 'packed-refs');
  const { size = 0 } = statSync(packed, { throwIfNoEntry: false }) ?? {};
  if (size === 0 || size > MAX_PACKED) return size > 0;
  const text = readFileSync(packed);
  return prefixes.some((prefix) => text.includes(` ${prefix}/`));
}
