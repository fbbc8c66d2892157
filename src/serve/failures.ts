/** Jobs that failed lately: questions do not start them again for a while. */
import type { SocraticodeError } from '../base/errors.js';

/** A failed job is not started again by questions for this long. */
const RETRY_AFTER_MS = 20_000;

export class Failures {
  private readonly byJob = new Map<string, { at: number; error: SocraticodeError }>();

  add(key: string, error: SocraticodeError): void {
    this.byJob.set(key, { at: performance.now(), error });
  }

  of(key: string): SocraticodeError | null {
    const failure = this.byJob.get(key);
    if (failure === undefined) return null;
    if (performance.now() - failure.at < RETRY_AFTER_MS) return failure.error;
    this.forget(key);
    return null;
  }

  forget(key: string): void {
    this.byJob.delete(key);
  }
}
