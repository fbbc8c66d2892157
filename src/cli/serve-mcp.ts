/** `mcp`: serves coding agents until the client or the user ends it. */
import { resolve } from 'node:path';
import type { McpValues } from '../questions/mcp/question.js';
import type { CommandContext } from './front-commands.js';

/** Longest wait for work under way after the client has gone, in ms. */
const GRACE = 500;

export async function serveMcp(context: CommandContext, values: Record<string, unknown>): Promise<void> {
  const options = values as McpValues;
  const [{ Projects }, { parseToolsets }] = await Promise.all([
    import('../serve/projects.js'),
    import('../questions/mcp/question.js'),
  ]);
  const toolsets = parseToolsets(options.toolsets);
  const http = options.http === undefined ? null : { port: options.http };
  const directory = resolve(context.directory() ?? '.');
  const allow = (options.allow ?? []).map((each) => resolve(each));
  const projects = new Projects({ directory, allow, fallback: context.io.env.CLAUDE_PROJECT_DIR });
  const { readOnly = false, structured = false } = options;
  const served = { projects, toolsets, readOnly, structured };
  const ending = new AbortController();
  const end = () => ending.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  try {
    if (http === null) {
      const { serveOverStdio } = await import('../mcp/stdio.js');
      if ((context.io.stdin as { isTTY?: boolean }).isTTY)
        context.io.stderr.write(
          'git-socraticode: waiting for a client; to add it to one: git socraticode mcp install\n',
        );
      await serveOverStdio(served, ending.signal);
    } else {
      const { serveOverHttp } = await import('../mcp/http.js');
      await serveOverHttp({ ...served, ...http, signal: ending.signal });
    }
  } finally {
    // Fires only if something keeps the process from ending by itself.
    setTimeout(() => process.exit(), GRACE).unref();
    await projects.close();
  }
}
