/** `lsp`: serves an editor until it exits. */
import { resolve } from 'node:path';
import { packageVersion } from '../base/version.js';
import type { CommandContext } from './context.js';

/** Longest wait for work under way after the editor has gone, in ms. */
const GRACE = 500;

export async function serveLsp({ io, directory }: CommandContext): Promise<void> {
  const ending = new AbortController();
  const end = () => ending.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  if ((io.stdin as { isTTY?: boolean }).isTTY)
    io.stderr.write('git-socraticode: waiting for an editor; docs/editors.md says how to set one up\n');
  const { serveLsp: serve } = await import('../lsp/serve.js');
  try {
    const streams = { input: io.stdin, output: io.stdout };
    await serve({
      ...streams,
      directory: resolve(directory() ?? '.'),
      version: packageVersion(),
      signal: ending.signal,
    });
  } finally {
    // Fires only if something keeps the process from ending by itself.
    setTimeout(() => process.exit(), GRACE).unref();
  }
}
