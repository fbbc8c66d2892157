/** The session of commands that no question declares yet. */
import type { Session } from '../../session/session.js';
import type { CommandContext } from '../context.js';

/** Opens the repository for a command that may take a while; Ctrl-C ends what git started as well. */
export async function withSession(
  context: CommandContext,
  work: (session: Session, signal: AbortSignal) => Promise<void>,
  { readOnly = false } = {},
): Promise<void> {
  const { Session } = await import('../../session/session.js');
  const session = await Session.open({ directory: context.directory(), readOnly });
  const cancel = new AbortController();
  const stop = () => cancel.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    await work(session, cancel.signal);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    session.close();
  }
}
