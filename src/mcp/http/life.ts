/** How long a server over HTTP lives: until a signal, or until the program that started it and holds its input is gone. */
import { fstatSync } from 'node:fs';

/**
 * An input that ends at once belongs to nobody who waits for us (cron, `ssh host command &`): only later does its end
 * mean that a parent went away.
 */
const NOBODY_MS = 500;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves when it is time to go: `signal`, or the process's signals without one. A second of those ends the process as it always would. */
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
      if (performance.now() - start > NOBODY_MS) end();
    };
    process.stdin.on('end', ended).on('error', ended).resume();
  });
}

/** Terminals stay when we go, and /dev/null never ends: only a pipe or a socket says that its other end is gone. */
function isHeld(): boolean {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isSocket();
  } catch {
    return false;
  }
}
