/** How long questions wait for the background process, and who is told while they do. */
import { TIMED_OUT, waitFor } from '../base/abortable.js';

/** How long a question waits for a job, in milliseconds. */
interface Grace {
  /** While another process writes the index: nobody knows how long that takes. */
  blocked: number;
  /** While the job gets on: one late answer costs an agent less than a partial one and a second question. */
  working: number;
}

/** Counted from the first request for the job, so that only the first questions wait. Most refs are indexed within it. */
export const INDEX_GRACE: Grace = { blocked: 2_000, working: 10_000 };
/** Longer than for indexing: without its graph a question has no answer at all. With the wait for the index it ends within the minute that clients wait. */
export const LINK_GRACE: Grace = { blocked: 5_000, working: 40_000 };

/**
 * Time after which a question that may be answered from a part has the files linked that are read so far. That takes 8 s of processor
 * time for 4,600 files of Java, beside the work that goes on, and has to be done when `LINK_GRACE` is over.
 */
export const PART_GRACE: Grace = { blocked: 5_000, working: 10_000 };
/** Time after which a question has no answer, not even from a part: another process that writes does not hinder making that. */
export const PART_END: Grace = { blocked: 30_000, working: 40_000 };
/** Times after which a part that was linked for an earlier question is made anew, and after which the older one will do. */
export const NEXT_PART_GRACE: Grace = { blocked: 2_000, working: 5_000 };
export const OLDER_PART_END: Grace = { blocked: 15_000, working: 20_000 };

/** Somebody who wants to know which questions are at work and which only wait. */
interface Listener {
  pause: () => void;
  resume: () => void;
}

/** The questions of a server that wait for a background process: they cost the server nothing. */
export class Waits {
  private readonly listeners: Listener[] = [];

  tell(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** A question waits until the promise settles. */
  async during<T>(waiting: Promise<T>): Promise<T> {
    for (const listener of this.listeners) listener.pause();
    try {
      return await waiting;
    } finally {
      for (const listener of this.listeners) listener.resume();
    }
  }
}

interface Waiting {
  /** Milliseconds of the grace time that are over. */
  spent: number;
  /** Another process writes the index. */
  isBlocked: () => boolean;
  signal?: AbortSignal;
}

/** Returns the promise's value, or `TIMED_OUT`. Throws the promise's error, and CANCELLED. */
export async function waitForJob<T>(
  promise: Promise<T>,
  { blocked, working }: Grace,
  { spent, isBlocked, signal }: Waiting,
): Promise<T | typeof TIMED_OUT> {
  const first = await waitFor(promise, { ms: Math.max(0, blocked - spent), signal });
  if (first !== TIMED_OUT || isBlocked()) return first;
  return waitFor(promise, { ms: Math.max(0, working - Math.max(spent, blocked)), signal });
}
