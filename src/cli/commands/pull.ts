/** `git socraticode pull` */
import { Command } from 'commander';
import { safeJson } from '../../base/hygiene.js';
import { renderPull } from '../../questions/share/text.js';
import type { Session } from '../../session/session.js';
import type { CommandContext } from '../context.js';

interface Options {
  all?: boolean;
  json?: boolean;
}

export function pullCommand(context: CommandContext): Command {
  return new Command('pull')
    .description("bring a remote's records into the local notes")
    .argument('[remote]', "a configured remote (default: the current branch's, or origin)")
    .option('--all', 'records of every profile, not only of the ones in use')
    .option('--json', 'print the report as JSON')
    .action((remote: string | undefined, { all, json }: Options) =>
      withSession(context, async (session, signal) => {
        const { pullIndex } = await import('../../questions/share/answer.js');
        const report = await pullIndex(session, { remote, all, signal });
        context.io.stdout.write(json ? `${safeJson({ schemaVersion: 1, ...report })}\n` : renderPull(report));
      }),
    );
}

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
