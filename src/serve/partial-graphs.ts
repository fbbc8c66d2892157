/** Links the files that are read so far, in a process beside the one that still indexes, for questions that will not wait longer. */
import type { SnapshotOrigin } from '../session/snapshot/snapshot.js';
import { isLast, JobProcess } from './job-process.js';

interface Running {
  key: string;
  process: JobProcess;
  /** Resolves with whether a graph was written. */
  made: Promise<boolean>;
}

/** A graph of a part is taken as it is for this long: meanwhile few more files are read. */
const FRESH_MS = 30_000;

/** One process at a time, for the snapshot that was asked for last. */
export class PartialGraphs {
  private running: Running | null = null;
  private latest: { key: string; at: number } | null = null;

  constructor(private readonly directory: string) {}

  /** Has a graph of a part of this snapshot been written? */
  has({ key }: SnapshotOrigin): boolean {
    return this.latest?.key === key;
  }

  isFresh(origin: SnapshotOrigin): boolean {
    return this.has(origin) && performance.now() - (this.latest?.at ?? 0) < FRESH_MS;
  }

  /** Resolves with whether a graph was written. Simultaneous calls for one snapshot share the work. */
  make(origin: SnapshotOrigin): Promise<boolean> {
    if (this.running?.key === origin.key) return this.running.made;
    this.stop();
    return this.start(origin);
  }

  /** Ends the process: the whole graph is there, or nobody asks any more. */
  stop(): void {
    this.running?.process.stop();
    this.running = null;
  }

  private start(origin: SnapshotOrigin): Promise<boolean> {
    const { key } = origin;
    let tell: (made: boolean) => void = () => {};
    const made = new Promise<boolean>((resolve) => {
      tell = resolve;
    });
    const process = new JobProcess();
    void process.run({ directory: this.directory, kind: 'part', origin }, (message) => {
      if (!isLast(message)) return;
      const isMade = message.type === 'part' && message.files > 0;
      if (isMade) this.latest = { key, at: performance.now() };
      if (this.running?.process === process) this.running = null;
      tell(isMade);
    });
    this.running = { key, process, made };
    return made;
  }
}
