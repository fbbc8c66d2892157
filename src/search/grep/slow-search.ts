/**
 * Searches texts for which a pattern may take long, in a thread that can be ended. RE2's promise is time linear in the text, with the
 * number of the pattern's states as the factor: where its automaton does not fit into memory, `a[ab]{500}(c|$)` takes 48 microseconds
 * a character, and a line of 1 MB 48 seconds, in which nothing else runs and no signal is heard.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type Hit, hitsOf } from './hits.js';
import { compilePattern, type Pattern, type PatternOptions } from './pattern.js';

/** Time for one text, and in all for the texts of a question, in milliseconds. */
const TEXT_MS = 5_000;
const ALL_MS = 30_000;

/** Numbers that stand for a hit in a reply. */
const FIELDS = 4;

export class SlowSearch {
  private worker: Worker | null = null;
  private left = ALL_MS;
  /** Texts are searched one after another: the time of one does not count for the next. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly pattern: Pattern) {}

  /** The hits in order; null where they took too long. */
  search(text: string): Promise<Hit[] | null> {
    const next = this.last.then(() => this.searchNext(text));
    this.last = next.catch(() => {});
    return next;
  }

  close(): void {
    this.left = 0;
    this.end();
  }

  private end(): void {
    this.worker?.terminate();
    this.worker = null;
  }

  private async searchNext(text: string): Promise<Hit[] | null> {
    if (this.left <= 0) return null;
    const worker = this.open();
    const from = performance.now();
    const reply = await new Promise<Float64Array | null>((resolve, reject) => {
      const timer = setTimeout(() => resolve(null), Math.min(TEXT_MS, this.left));
      const end = () => clearTimeout(timer);
      worker.once('message', (found: Float64Array) => resolve(found));
      worker.once('error', reject).once('exit', () => resolve(null));
      worker.once('message', end).once('error', end).once('exit', end);
      worker.postMessage(text);
    });
    worker.removeAllListeners();
    this.left -= performance.now() - from;
    if (reply !== null) return hitsIn(reply);
    this.end();
    return null;
  }

  private open(): Worker {
    this.worker ??= new Worker(new URL(import.meta.url), { workerData: { grep: this.pattern.options } });
    this.worker.unref();
    return this.worker;
  }
}

function hitsIn(fields: Float64Array): Hit[] {
  return Array.from({ length: fields.length / FIELDS }, (_, i) => {
    const [line, endLine, start, end] = fields.subarray(i * FIELDS, (i + 1) * FIELDS);
    return { line, endLine, start, end };
  });
}

function fieldsOf(text: string, pattern: Pattern): Float64Array {
  const fields: number[] = [];
  for (const hit of hitsOf(text, pattern)) if (hit !== null) fields.push(hit.line, hit.endLine, hit.start, hit.end);
  return Float64Array.from(fields);
}

if (!isMainThread && workerData?.grep !== undefined) {
  const pattern = compilePattern(workerData.grep as PatternOptions);
  parentPort?.on('message', (text: string) => {
    const fields = fieldsOf(text, pattern);
    parentPort?.postMessage(fields, [fields.buffer as ArrayBuffer]);
  });
}
