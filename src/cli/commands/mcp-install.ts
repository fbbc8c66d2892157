/** `git socraticode mcp install|uninstall` */
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command, Option } from 'commander';
import { safeJson } from '../../base/hygiene.js';
import type { McpInstallReport } from '../../questions/mcp/install/output.js';
import type { CommandContext } from '../context.js';

interface Options {
  client?: ('claude' | 'cursor' | 'vscode' | 'codex' | 'gemini' | 'opencode')[];
  scope: 'project' | 'user';
  name: string;
  toolsets?: string;
  readOnly?: boolean;
  force?: boolean;
  print?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

type Action = McpInstallReport['action'];

export function mcpInstallCommands(context: CommandContext): Command[] {
  return [
    command('install', "add this server to coding agents' configurations", context)
      .addOption(new Option('--toolsets <names>', 'tools that the server shall offer'))
      .addOption(new Option('--read-only', 'without tools that write to the index or delete'))
      .addOption(new Option('--force', 'replace an entry of that name that differs'))
      .addOption(new Option('--print', 'print what belongs into which file; write nothing')),
    command('uninstall', 'take it out of them again', context)
      // Accepted, so that the line that installed can be edited into the one that takes out.
      .addOption(new Option('--toolsets <names>').hideHelp())
      .addOption(new Option('--read-only').hideHelp())
      .addOption(new Option('--force', 'take out an entry of that name whatever it starts')),
  ];
}

function command(action: Action, description: string, context: CommandContext): Command {
  const clients = ['claude', 'cursor', 'vscode', 'codex', 'gemini', 'opencode'];
  return (
    new Command(action)
      .description(description)
      .addOption(
        new Option('--client <name...>', 'which agents; without it, those that the project is set up for').choices(
          clients,
        ),
      )
      .addOption(
        new Option('--scope <where>', 'for this project, or for this user')
          .choices(['project', 'user'])
          .default('project'),
      )
      .option('--name <name>', 'of the entry', 'socraticode')
      .option('--dry-run', 'say what would be done; write nothing')
      .option('--json', 'print the report as JSON')
      // Options that `mcp` has, too, are taken for its own, wherever they stand.
      .action((_: unknown, command: Command) => run(action, command.optsWithGlobals<Options>(), context))
  );
}

async function run(action: Action, options: Options, context: CommandContext): Promise<void> {
  const { scope, name, toolsets, readOnly, force = false, print = false, dryRun = false } = options;
  const [{ changeClients }, { thisMachine }, { parseToolsets }, render] = await Promise.all([
    import('../../questions/mcp/install/answer.js'),
    import('../../questions/mcp/install/clients.js'),
    import('../../mcp/toolsets.js'),
    import('../../questions/mcp/install/text.js'),
  ]);
  parseToolsets(toolsets);
  const report = await changeClients({
    ...{ action, scope, name, force, print, dryRun, server: { toolsets, readOnly } },
    clients: options.client ?? [],
    root: scope === 'project' ? await workTree(context, print) : null,
    machine: thisMachine(context.io.env),
    program: realpathSync(fileURLToPath(new URL('../main.js', import.meta.url))),
    node: process.execPath,
  });
  const text = print ? render.renderMcpSnippets(report) : render.renderMcpInstall(report);
  context.io.stdout.write(options.json ? `${safeJson(report)}\n` : text);
  if (!print) context.setExit(exitOf(report));
}

/** 2: a file could not be changed; 1: something is left for the user to decide or to do. */
function exitOf({ clients }: McpInstallReport): 0 | 1 | 2 {
  if (clients.some(({ change }) => change === 'refuse')) return 2;
  return clients.some(({ change }) => change === 'keep' || change === 'command') ? 1 : 0;
}

/** Null where there is none and nothing will be written. Throws NOT_A_REPOSITORY, or BAD_ARGUMENT without a work tree. */
async function workTree({ directory }: CommandContext, print: boolean): Promise<string | null> {
  const [{ Session }, { isSocraticodeError, SocraticodeError }] = await Promise.all([
    import('../../session/session.js'),
    import('../../base/errors.js'),
  ]);
  try {
    const session = await Session.open({ directory: directory(), readOnly: true });
    const root = session.repository.workTree;
    session.close();
    if (root !== null || print) return root;
  } catch (error) {
    if (print && isSocraticodeError(error, 'NOT_A_REPOSITORY')) return null;
    throw error;
  }
  throw new SocraticodeError('BAD_ARGUMENT', 'a bare repository has no files of a project', {
    hint: 'Install it for this user: git socraticode mcp install --scope user --client cursor',
  });
}
