/** Tries again what may succeed a moment later: p-retry's exponential backoff, and the pause that a server asks for. */
import { setTimeout as sleep } from 'node:timers/promises';
import pRetry from 'p-retry';
import { log } from '../base/log.js';
import { cancelled, HttpFailure } from './http.js';

export interface RetryPolicy {
  retries: number;
  /** Doubled for every further retry; p-retry makes it up to twice as long at random, so that clients spread. */
  firstDelayMs: number;
  /** A server that asks for a longer pause is given up at once. */
  maxPauseMs: number;
}

/** Indexing can wait. */
export const PATIENT: RetryPolicy = { retries: 3, firstDelayMs: 500, maxPauseMs: 30_000 };
/** Someone waits for a search or wants to know whether the embedder is there. */
export const BRISK: RetryPolicy = { retries: 1, firstDelayMs: 200, maxPauseMs: 2_000 };

function mayRetry(error: unknown, policy: RetryPolicy): error is HttpFailure {
  return error instanceof HttpFailure && error.isTransient && (error.retryAfterMs ?? 0) <= policy.maxPauseMs;
}

/** The result of `attempt`, or the last HttpFailure; CANCELLED as soon as `signal` fires, in a pause as well. */
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
