/** `git socraticode push` */
import { Command } from 'commander';
import { safeJson } from '../../base/hygiene.js';
import { renderPush } from '../../questions/share/text.js';
import type { CommandContext } from '../context.js';
import { withSession } from './pull.js';

interface Options {
  all?: boolean;
  json?: boolean;
}

export function pushCommand(context: CommandContext): Command {
  return new Command('push')
    .description('send a remote the records of what is on its own branches and tags')
    .argument('[remote]', "a configured remote (default: the current branch's, or origin)")
    .option('--all', 'records of every profile, not only of the ones in use')
    .option('--json', 'print the report as JSON')
    .action((remote: string | undefined, { all, json }: Options) =>
      withSession(context, async (session, signal) => {
        const { pushIndex } = await import('../../questions/share/answer.js');
        const report = await pushIndex(session, { remote, all, signal });
        context.io.stdout.write(json ? `${safeJson({ schemaVersion: 1, ...report })}\n` : renderPush(report));
      }),
    );
}
