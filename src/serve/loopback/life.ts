/** Ends a server over HTTP on a signal, or when the program that holds its standard input is gone. */
import { fstatSync } from 'node:fs';

/**
 * Shortest time for which a parent holds the input. An input that ends sooner never had a waiting parent (cron,
 * `ssh host command &`), so its end does not stop the server.
 */
const DETACHED_MS = 500;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves when the server should end: on `signal`, or without one on the process's signals, of which a second one kills the process. */
export function untilEnd(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const held = isHeld();
    const end = () => {
      for (const name of SIGNALS) process.off(name, end);
      if (held) process.stdin.destroy();
      resolve();
    };
    if (signal?.aborted) return end();
    if (signal === undefined) for (const name of SIGNALS) process.once(name, end);
    else signal.addEventListener('abort', end, { once: true });
    if (!held) return;
    const start = performance.now();
    const ended = () => {
      if (performance.now() - start > DETACHED_MS) end();
    };
    process.stdin.on('end', ended).on('error', ended).resume();
  });
}

/** Tells whether a parent holds the input: only a pipe or a socket shows that its other end is gone. */
function isHeld(): boolean {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isSocket();
  } catch {
    return false;
  }
}
