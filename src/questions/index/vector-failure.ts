/** Failure of the embedder in a run that indexed the words all the same: told after the report. */
import { groupDigits } from '../../base/digits.js';
import type { ErrorCode } from '../../base/error-codes.js';
import { SocraticodeError } from '../../base/errors.js';
import type { DryRun, IndexReport } from './output.js';

export function vectorFailure({ vectors }: IndexReport | DryRun): SocraticodeError | null {
  if (!('fault' in vectors) || vectors.fault === null) return null;
  const { fault, covered, total } = vectors;
  const kept = `words are indexed, ${groupDigits(covered)} of ${groupDigits(total)} chunks have vectors`;
  return new SocraticodeError(fault.code as ErrorCode, `${fault.message}; ${kept}`, { hint: fault.hint });
}
