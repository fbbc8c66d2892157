/**
 * Repeats requests that may succeed a moment later, with p-retry's exponential backoff and the pause that a server asks
 * for.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pRetry from 'p-retry';
import { log } from '../base/log.js';
import { cancelled, HttpFailure } from './http.js';

export interface RetryPolicy {
  retries: number;
  /**
   * Milliseconds, doubled for every further retry. p-retry lengthens the delay at random by up to a factor of two, so
   * that clients spread out.
   */
  firstDelayMs: number;
  /** Longest pause that a server may ask for, in milliseconds; beyond it the request fails at once. */
  maxPauseMs: number;
}

/** For indexing, which can wait. */
export const PATIENT: RetryPolicy = { retries: 3, firstDelayMs: 500, maxPauseMs: 30_000 };
/** For a search, or a check whether the embedder is reachable: a person is waiting. */
export const BRISK: RetryPolicy = { retries: 1, firstDelayMs: 200, maxPauseMs: 2_000 };

function mayRetry(error: unknown, policy: RetryPolicy): error is HttpFailure {
  return error instanceof HttpFailure && error.isTransient && (error.retryAfterMs ?? 0) <= policy.maxPauseMs;
}

/**
 * Returns the result of `attempt`, or throws its last HttpFailure. Throws CANCELLED as soon as `signal` fires, also
 * during a pause.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  policy: RetryPolicy,
  signal?: AbortSignal,
  pause: (ms: number) => Promise<unknown> = (ms) => sleep(ms, undefined, { signal }),
): Promise<T> {
  try {
    return await pRetry(attempt, {
      retries: policy.retries,
      minTimeout: policy.firstDelayMs,
      randomize: true,
      signal,
      shouldRetry: ({ error }) => mayRetry(error, policy),
      onFailedAttempt: async ({ error, retriesLeft }) => {
        if (retriesLeft === 0 || !mayRetry(error, policy)) return;
        log.debug(`embedder ${error.message}; trying again, ${retriesLeft} left`);
        if (error.retryAfterMs !== null) await pause(error.retryAfterMs);
      },
    });
  } catch (error) {
    if (signal?.aborted) throw cancelled();
    throw error;
  }
}
