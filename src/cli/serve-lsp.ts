/** `lsp`: serves an editor until it exits. */
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { packageVersion } from '../base/runtime.js';
import type { CommandContext } from './front-commands.js';

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
    const isInOrder = await serve({
      ...streams,
      directory: resolve(directory() ?? '.'),
      version: packageVersion(),
      signal: ending.signal,
    });
    // The protocol's exit status for an editor that leaves without `shutdown`.
    if (!isInOrder) process.exit(1);
  } finally {
    // Editors that wait for the end keep their side of the stream open, which would keep the process alive; some soon kill it.
    (io.stdin as Partial<Readable>).destroy?.();
    // Fires only if something keeps the process from ending by itself.
    setTimeout(() => process.exit(), GRACE).unref();
  }
}
