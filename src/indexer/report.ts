/** Report of an index run: the data of the summary line and of `index --json`. */
import type { EmbedderName } from '../config/settings.js';

export interface IndexReport {
  ref: string;
  commit: string | null;
  tree: string;
  /** Number of indexed files in the snapshot; `blobs` counts the distinct blobs among them. */
  files: number;
  blobs: number;
  /** Number of blobs parsed in this run. */
  new: number;
  /** Number of blobs whose record or shard entry already existed. */
  reused: number;
  /** Number of files without documents, by reason. */
  skipped: Record<string, number>;
  /** Number of blobs that have line chunks because they were not parsed, by reason. */
  degraded: Record<string, number>;
  /** Number of files with parse errors that may hide declarations; absent for none. */
  parseErrors?: number;
  /** Number of live chunks in the snapshot after the run. */
  chunks: number;
  /** Bytes of new records and shards. */
  bytesAdded: number;
  vectors: VectorReport;
  ms: Record<string, number>;
}

/** Reason why vectors of the snapshot are missing, in the parts of an error. */
export interface VectorFault {
  code: string;
  message: string;
  hint: string;
}

/** Vectors of the snapshot, counted in chunks: `embedded`, `reused` and `loaded` make up `covered`. */
export interface VectorReport {
  embedder: EmbedderName;
  model: string;
  /** Numbers per vector; null until a model's first answer shows it. */
  dimensions: number | null;
  profile: string;
  covered: number;
  total: number;
  embedded: number;
  /** Number of chunks whose vector existed: for the same chunk, or for one with the same text. */
  reused: number;
  /** Number of chunks whose vector came from a record in notes. */
  loaded: number;
  /** Reason why not all chunks have a vector; null if all have one, or if the rest has no word that the model knows. */
  fault: VectorFault | null;
}

/** Adds up wall-clock milliseconds by phase. Phases overlap when their work runs in parallel. */
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
