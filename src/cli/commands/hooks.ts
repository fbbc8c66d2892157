/** `git socraticode hooks install|uninstall|status` */
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import { safeJson } from '../../base/hygiene.js';
import type { HooksChange } from '../../questions/hooks/output.js';
import { renderHooksChange, renderHooksStatus } from '../../questions/hooks/text.js';
import type { Session } from '../../session/session.js';
import type { CommandContext } from '../context.js';

interface Options {
  share?: boolean;
  print?: boolean;
  json?: boolean;
}

export function hooksCommand(context: CommandContext): Command {
  const group = new Command('hooks').description('keep the index up to date by git hooks, in the background');
  const command = (name: string, description: string) =>
    group.command(name).description(description).option('--json', 'print the report as JSON');
  command('install', 'index after commits, merges, checkouts and rebases')
    .option('--share', 'share the index after each push, too')
    .option('--print', 'print what would be written; write nothing')
    .action((options: Options) => install(context, options));
  command('uninstall', 'take our lines out of the hooks again')
    .option('--print', 'print what would be written; write nothing')
    .action((options: Options) => uninstall(context, options));
  command('status', 'say which hooks run, and what they did last').action((options: Options) =>
    status(context, options),
  );
  group.addCommand(runCommand(context), { hidden: true });
  return group;
}

async function install(context: CommandContext, { share, print, json }: Options): Promise<void> {
  const { installHooks } = await import('../../questions/hooks/answer.js');
  const fallback = { node: process.execPath, program: fileURLToPath(new URL('../main.js', import.meta.url)) };
  await withSession(context, async (session) => {
    const change = await installHooks(session, { share, print, fallback });
    printChange(context, change, json);
    if (change.byHand !== null) context.setExit(1);
  });
}

async function uninstall(context: CommandContext, { print, json }: Options): Promise<void> {
  const { uninstallHooks } = await import('../../questions/hooks/answer.js');
  await withSession(context, async (session) => {
    printChange(context, await uninstallHooks(session, { print }), json);
  });
}

async function status(context: CommandContext, { json }: Options): Promise<void> {
  const { readHooksStatus } = await import('../../questions/hooks/answer.js');
  await withSession(context, async (session) => {
    const report = await readHooksStatus(session);
    context.io.stdout.write(json ? `${safeJson(report)}\n` : renderHooksStatus(report));
    const commit = report.hooks.find(({ event }) => event === 'post-commit');
    if (commit?.state === 'absent' || commit?.state === 'foreign') context.setExit(1);
  });
}

function printChange({ io }: CommandContext, change: HooksChange, json = false): void {
  io.stdout.write(json ? `${safeJson(change)}\n` : renderHooksChange(change));
}

async function withSession({ directory }: CommandContext, work: (session: Session) => Promise<void>): Promise<void> {
  const { Session } = await import('../../session/session.js');
  const session = await Session.open({ directory: directory() });
  try {
    await work(session);
  } finally {
    session.close();
  }
}

/** What the hooks themselves call. */
function runCommand({ directory }: CommandContext): Command {
  return new Command('run')
    .description('serve the events that hooks have queued')
    .option('--event <name>', 'queue this event first')
    .option('--argument <text>', 'its first argument: for pre-push the remote')
    .action(async ({ event, argument }: { event?: string; argument?: string }) => {
      const { isHookEvent, runHookWorker } = await import('../../questions/hooks/run/worker.js');
      if (event !== undefined && !isHookEvent(event)) throw new InvalidArgumentError(`no such event: ${event}`);
      const cancel = new AbortController();
      // The terminal that the commit was typed in may close, or get a Ctrl-C meant for something else.
      for (const signal of ['SIGHUP', 'SIGINT'] as const) process.on(signal, () => {});
      process.once('SIGTERM', () => cancel.abort());
      await runHookWorker({ directory: directory() ?? process.cwd(), event, argument, signal: cancel.signal });
    });
}
