/** `git socraticode mcp` */
import { resolve } from 'node:path';
import { Command } from 'commander';
import type { CommandContext } from '../program.js';

export function mcpCommand(context: CommandContext): Command {
  return new Command('mcp').description('answer coding agents over the Model Context Protocol').action(async () => {
    const [{ Projects }, { serveOverStdio }] = await Promise.all([
      import('../../engine/serve/projects.js'),
      import('../../mcp/stdio.js'),
    ]);
    const projects = new Projects({ directory: resolve(context.directory() ?? '.') });
    serveOverStdio({ projects, toolsets: ['core'], readOnly: false });
  });
}
