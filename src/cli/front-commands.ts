/** Commands that the command line runs by itself: they need a layer that questions cannot import. */
import type { CommandContext } from './context.js';

type RunCommand = (context: CommandContext, values: Record<string, unknown>) => Promise<void>;

/** By the name of their question. */
export const FRONT_COMMANDS: Readonly<Record<string, () => Promise<RunCommand>>> = {
  mcp: async () => (await import('./serve-mcp.js')).serveMcp,
  lsp: async () => (await import('./serve-lsp.js')).serveLsp,
  serve: async () => (await import('./serve-fleet.js')).serveFleetCommand,
  web: async () => (await import('./serve-web.js')).serveWeb,
};
