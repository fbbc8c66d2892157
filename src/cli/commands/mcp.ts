/** `git socraticode mcp` */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { SocraticodeError } from '../../base/errors.js';
import type { CommandContext } from '../context.js';
import { mcpInstallCommands } from './mcp-install.js';

interface Options {
  http?: string | true;
  toolsets?: string;
  readOnly?: boolean;
  allow?: string[];
}

const MAX_PORT = 65_535;
/** How long what is still under way may keep a process whose client has gone, in ms. */
const GRACE = 500;

export function mcpCommand(context: CommandContext): Command {
  const command = new Command('mcp')
    .description('answer coding agents over the Model Context Protocol')
    .option('--http [port]', 'serve over HTTP on this machine, not over stdin and stdout (default port: 7433)')
    .option('--toolsets <names>', 'core (default), graph, history, context, admin, or all; with commas between')
    .option('--read-only', 'leave out tools that write to the index or delete')
    .option('--allow <dir...>', 'further repositories that agents may ask about')
    .action((options: Options) => run(context, options));
  for (const each of mcpInstallCommands(context)) command.addCommand(each);
  return command;
}

async function run(context: CommandContext, options: Options): Promise<void> {
  const [{ Projects }, { parseToolsets }] = await Promise.all([
    import('../../serve/projects.js'),
    import('../../mcp/toolsets.js'),
  ]);
  const toolsets = parseToolsets(options.toolsets);
  const http = options.http === undefined ? null : { port: readPort(options.http) };
  const directory = resolve(context.directory() ?? '.');
  const allow = (options.allow ?? []).map((each) => resolve(each));
  const projects = new Projects({ directory, allow, fallback: context.io.env.CLAUDE_PROJECT_DIR });
  const served = { projects, toolsets, readOnly: options.readOnly ?? false };
  const ending = new AbortController();
  const end = () => ending.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  try {
    if (http === null) {
      const { serveOverStdio } = await import('../../mcp/stdio.js');
      if ((context.io.stdin as { isTTY?: boolean }).isTTY)
        context.io.stderr.write(
          'git-socraticode: waiting for a client; to add it to one: git socraticode mcp install\n',
        );
      await serveOverStdio(served, ending.signal);
    } else {
      const { serveOverHttp } = await import('../../mcp/http/serve.js');
      await serveOverHttp({ ...served, ...http, signal: ending.signal });
    }
  } finally {
    // Fires only if something keeps the process from ending by itself.
    setTimeout(() => process.exit(), GRACE).unref();
    await projects.close();
  }
}

/** Undefined stands for the default. */
function readPort(text: string | true): number | undefined {
  if (text === true) return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= MAX_PORT) return port;
  throw new SocraticodeError('BAD_ARGUMENT', `--http takes a port from 0 to ${MAX_PORT}, not ${text}`, {
    hint: 'With 0, the system chooses one.',
  });
}
