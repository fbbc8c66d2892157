/** `hooks run`: the process that hooks start. It prints nothing, and outlives the terminal. */
import { SocraticodeError } from '../../../base/errors.js';
import { ALL_EVENTS } from '../../../hooks/events.js';
import type { Asker } from '../../asker.js';
import type { HooksRunValues } from '../question.js';
import { isHookEvent, runHookWorker } from './worker.js';

export async function streamHookWorker({ directory }: Asker, { event, argument }: HooksRunValues): Promise<void> {
  if (event !== undefined && !isHookEvent(event))
    throw new SocraticodeError('BAD_ARGUMENT', `no such event: ${event}`, {
      hint: `Events: ${ALL_EVENTS.join(', ')}.`,
    });
  const cancel = new AbortController();
  // The terminal that the commit was typed in may close, or get a Ctrl-C meant for something else.
  for (const signal of ['SIGHUP', 'SIGINT'] as const) process.on(signal, () => {});
  process.once('SIGTERM', () => cancel.abort());
  await runHookWorker({ directory: directory ?? process.cwd(), event, argument, signal: cancel.signal });
}
