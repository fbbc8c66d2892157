/** Promises under bounds: waits that end early, and lists mapped with few calls running at a time. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SocraticodeError } from './errors.js';

export const TIMED_OUT = Symbol('timed out');

interface Patience {
  /** Time limit in milliseconds; none by default. */
  ms?: number;
  signal?: AbortSignal;
}

/**
 * Waits no longer than the time limit and the signal allow; the work itself goes on. Returns the promise's value, or
 * `TIMED_OUT`. Throws the promise's error, and CANCELLED as soon as the signal aborts.
 */
export function waitFor<T>(promise: Promise<T>, { ms, signal }: Patience): Promise<T | typeof TIMED_OUT> {
  return new Promise((resolve, reject) => {
    const cancel = () => finish(() => reject(new SocraticodeError('CANCELLED', 'cancelled')));
    const timer = ms === undefined ? null : setTimeout(() => finish(() => resolve(TIMED_OUT)), ms);
    function finish(settle: () => void): void {
      if (timer !== null) clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      settle();
    }
    promise.then(
      (value) => finish(() => resolve(value)),
      (error) => finish(() => reject(error)),
    );
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancel, { once: true });
  });
}

/** Returns the promise's value. Throws its error, and CANCELLED if the signal aborts first. */
export async function unlessAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  return signal === undefined ? promise : ((await waitFor(promise, { signal })) as T);
}

/** Work that callers share while it is under way. */
export class SingleFlight<T> {
  private readonly underWay = new Map<string, Promise<T>>();

  /** Joins the work of that key or starts it. The caller that started it may have cancelled it: another one starts it again. */
  run(key: string, start: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const underWay = this.underWay.get(key);
    if (underWay !== undefined) {
      const joined = underWay.catch((error: unknown) => {
        if (signal?.aborted) throw error;
        return this.run(key, start, signal);
      });
      return unlessAborted(joined, signal);
    }
    const started = start().finally(() => this.underWay.delete(key));
    this.underWay.set(key, started);
    return started;
  }
}

/** Maps a list with few calls running at a time; results keep the order of the list. The first failure is thrown. */
export async function mapConcurrently<T, R>(
  list: readonly T[],
  atOnce: number,
  work: (entry: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(list.length);
  let next = 0;
  const worker = async () => {
    while (next < list.length) {
      const index = next++;
      results[index] = await work(list[index], index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, list.length) }, worker));
  return results;
}

interface Turns<T> {
  signal?: AbortSignal;
  /** Called before each pause with the value that was yielded last. */
  onPause?: (step: T) => void;
}

/** Signals, timers and other requests wait no longer than this for long work that runs in turns. */
const TURN_MS = 50;

/** Runs long work to its end and pauses in between, so that this process hears signals. Returns its result. Throws CANCELLED. */
export async function inTurns<T, R>(steps: Generator<T, R>, { signal, onPause }: Turns<T> = {}): Promise<R> {
  let turn = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - turn < TURN_MS) continue;
    onPause?.(step.value);
    await nextTurn();
    if (signal?.aborted) throw new SocraticodeError('CANCELLED', 'cancelled');
    turn = performance.now();
  }
}
