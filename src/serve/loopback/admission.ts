/**
 * Lets requests in as long as they will be answered soon, and tells the others when to come again. A server answers all that
 * it has let in side by side, so each request that waits makes every answer later; a client that is refused can wait just as well.
 * Requests that wait for another process, as for a first index, make nobody's answer later and are not counted.
 */

export interface AdmissionLimits {
  /** So many are let in however slow answers are: a few agents, whose questions may each take seconds. */
  alwaysIn: number;
  /** Longest expected milliseconds until a request is answered. */
  wait: number;
}

/** Answers that the pace is the average of, the latest of most weight: more than come at once. */
const REMEMBERED = 128;
/** Milliseconds between two answers that are assumed of a server which has not answered yet. */
const FIRST_PACE = 10;
const SECOND = 1_000;

export class Admission {
  private open = 0;
  /** Milliseconds in which requests were open, and answers in them; both fade. */
  private busy = FIRST_PACE;
  private answers = 1;
  /** When the last answer was given, or the first request of a busy time came. */
  private since = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly limits: AdmissionLimits,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Lets a request in, which must `leave`, and returns null; or returns the whole seconds after which to come again. */
  enter(): number | null {
    const { alwaysIn, wait } = this.limits;
    if (this.open <= 0) this.since = this.now();
    const expected = this.expected();
    if (this.open >= alwaysIn && expected > wait) return Math.max(1, Math.ceil(expected / SECOND));
    this.open++;
    return null;
  }

  /**
   * Resolves when it is the turn of a request that was let in: one in each turn of the event loop, so that the requests that have
   * come in the meantime are read, and refused, before more work begins. Unread ones would wait without being counted.
   */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      if (this.waiting.length === 1) setImmediate(() => this.startNext());
    });
  }

  private startNext(): void {
    this.waiting[0]();
    this.waiting.shift();
    if (this.waiting.length > 0) setImmediate(() => this.startNext());
  }

  /** A request that was let in begins to wait for another process. */
  pause(): void {
    this.open--;
    if (this.open === 0) this.busy += this.now() - this.since;
  }

  /** Its wait is over. A client may have left meanwhile, so fewer than none can be open for a moment. */
  resume(): void {
    if (this.open <= 0) this.since = this.now();
    this.open++;
  }

  leave(): void {
    const now = this.now();
    this.open--;
    this.busy = this.busy * (1 - 1 / REMEMBERED) + now - this.since;
    this.answers = this.answers * (1 - 1 / REMEMBERED) + 1;
    this.since = now;
  }

  /** Milliseconds until one more is answered: all before it at the usual pace, and the time that the next has been due. */
  private expected(): number {
    const pace = this.busy / this.answers;
    return (this.open + 1) * pace + Math.max(0, this.now() - this.since - pace);
  }
}
