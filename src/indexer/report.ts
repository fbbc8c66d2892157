/** What an index run did: the data behind the summary line and `index --json`. */
export interface IndexReport {
  ref: string;
  commit: string | null;
  tree: string;
  /** Files of the snapshot that are indexed, and the distinct blobs among them. */
  files: number;
  blobs: number;
  /** Blobs parsed in this run. */
  new: number;
  /** Blobs whose record or shard entry stood already. */
  reused: number;
  /** Files without documents, by reason. */
  skipped: Record<string, number>;
  /** Blobs with line chunks for want of a parse, by reason. */
  degraded: Record<string, number>;
  /** Live chunks of the snapshot after the run. */
  chunks: number;
  /** Bytes of new records and shards. */
  bytesAdded: number;
  ms: Record<string, number>;
}

/** Adds up wall-clock milliseconds by phase. Phases overlap where work runs side by side. */
export class PhaseTimer {
  private readonly started = performance.now();
  private readonly phases: Record<string, number> = {};

  async measure<T>(phase: string, work: () => Promise<T> | T): Promise<T> {
    const from = performance.now();
    try {
      return await work();
    } finally {
      this.add(phase, performance.now() - from);
    }
  }

  add(phase: string, ms: number): void {
    this.phases[phase] = (this.phases[phase] ?? 0) + ms;
  }

  result(): Record<string, number> {
    const all = { ...this.phases, total: performance.now() - this.started };
    return Object.fromEntries(Object.entries(all).map(([phase, ms]) => [phase, Math.round(ms * 10) / 10]));
  }
}
