/** Runs a limited number of works at a time; others wait in line, and one too many is refused. */
export class Slots {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly atOnce: number,
    private readonly inLine: number,
  ) {}

  /** Runs `work` when its turn comes; null if the line is full. */
  async run<T>(work: () => Promise<T>): Promise<T | null> {
    if (this.running >= this.atOnce) {
      if (this.waiting.length >= this.inLine) return null;
      await new Promise<void>((turn) => this.waiting.push(turn));
    } else this.running++;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      // Passes the slot on to the next one directly, so that no other takes it.
      if (next === undefined) this.running--;
      else next();
    }
  }
}
