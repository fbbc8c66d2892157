/** Waiting that ends early: for a while, or until whoever asked has given up. What is waited for goes on. */
import { SocraticodeError } from './errors.js';

export const TIMED_OUT = Symbol('timed out');

export interface Patience {
  /** Milliseconds; without them, as long as it takes. */
  ms?: number;
  signal?: AbortSignal;
}

/** What a promise gives, or `TIMED_OUT`. Throws what it throws, and CANCELLED as soon as the signal aborts. */
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

/** What a promise gives, unless the signal aborts first. Throws what it throws, and CANCELLED. */
export async function unlessAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  return signal === undefined ? promise : ((await waitFor(promise, { signal })) as T);
}
