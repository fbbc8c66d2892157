/** What an index run did: the data behind the summary line and `index --json`. */
import type { EmbedderName } from '../config/types.js';

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
  vectors: VectorReport;
  ms: Record<string, number>;
}

/** What stands between the snapshot and all its vectors: an error's parts. */
export interface VectorFault {
  code: string;
  message: string;
  hint: string;
}

/** Vectors of the snapshot, counted in chunks: `embedded`, `reused` and `loaded` make up `covered`. */
export interface VectorReport {
  embedder: EmbedderName;
  model: string;
  /** Numbers per vector; null while a model's first answer has not told. */
  dimensions: number | null;
  profile: string;
  covered: number;
  total: number;
  /** Made in this run. */
  embedded: number;
  /** Were there: the same chunk, or one with the same text. */
  reused: number;
  /** Taken from records in notes. */
  loaded: number;
  /** Why not all chunks have a vector; null if they have, or if what is missing has no words that the model knows. */
  fault: VectorFault | null;
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
