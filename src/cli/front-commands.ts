/**
 * Commands that the command line runs by itself, since they need a layer that questions cannot import, and the context of every
 * command: streams, the repository named by -C, and the exit status.
 */
import type { Io } from '../questions/asker.js';

type RunCommand = (context: CommandContext, values: Record<string, unknown>) => Promise<void>;

/** By the name of their question. */
export const FRONT_COMMANDS: Readonly<Record<string, () => Promise<RunCommand>>> = {
  mcp: async () => (await import('./serve.js')).serveMcp,
  lsp: async () => (await import('./serve.js')).serveLsp,
  serve: async () => (await import('./serve.js')).serveFleet,
  web: async () => (await import('./serve.js')).serveWeb,
};

/** 0 fine, 1 a negative answer (nothing found), 2 failure, 130 and 143 ended by SIGINT and SIGTERM. */
export type ExitCode = 0 | 1 | 2 | 130 | 143;

/** Values of the global options `--color`, `--no-pager` and `--no-hyperlinks`. */
export interface Look {
  color?: string;
  pager: boolean;
  hyperlinks: boolean;
}

export interface CommandContext {
  io: Io;
  /** Undefined: the current directory, or GIT_DIR. */
  directory: () => string | undefined;
  /** Colours and pages, as the command line sets them. */
  look: () => Look;
  /** The exit code the process ends with; commands set it to 1 for a negative answer, to 2 for a failure. */
  setExit: (code: ExitCode) => void;
  /** Called once the answer document is printed: a later failure is reported on stderr alone. */
  markAnswered: () => void;
}
