/** Adds to a failure about a file that is not indexed the reason why it is not. */
import { SocraticodeError } from '../../base/errors.js';
import { commandText } from '../../params/command-line.js';
import type { Asker } from '../asker.js';

/** Rejects with the error, or with one that names the reason. */
export async function withReason(
  error: unknown,
  at: Asker,
  { ref, committed }: { ref?: string; committed?: boolean },
): Promise<never> {
  if (!(error instanceof SocraticodeError) || error.file === undefined) throw error;
  const found = await reasonOf(error.file, at, { ref, committed });
  throw found === null ? error : new SocraticodeError(error.code, found.message, { hint: found.hint });
}

async function reasonOf(typed: string, at: Asker, values: { ref?: string; committed?: boolean }) {
  try {
    // Loaded here: most answers are no failures.
    const [{ answerExplain }, { reasonText }] = await Promise.all([import('./answer.js'), import('./text.js')]);
    const [{ path, state, reason, rule, next }] = (await answerExplain(at, { ...values, paths: [typed] })).files;
    if (reason === null || state === 'absent') return null;
    const hint = at.server ? (next ?? undefined) : `List all: ${commandText('status', { leftOut: true })}`;
    return { message: `${path} exists but is not indexed: ${reasonText(reason, rule)}`, hint };
  } catch {
    // The failure that was asked about is told.
    return null;
  }
}
