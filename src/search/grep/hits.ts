/** Finds the lines of a text that match a pattern. It is the main file of `SlowSearch`'s thread as well. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { compilePattern, type Pattern, type PatternOptions } from './required-texts.js';

/** A line that matches; in multi-line mode the lines of a match, and of others that overlap it. */
export interface Hit {
  /** First and last line, counted from 1. */
  line: number;
  endLine: number;
  /** Offsets of these lines, without the last line break. */
  start: number;
  end: number;
}

/**
 * Longest match across lines, in UTF-16 units. Each match is looked for in a window of this length or twice as much, which keeps the time
 * linear in the text.
 */
export const MAX_MATCH = 16_384;
/** Longest match that is located in a long line. */
const MAX_PLACE = 2_048;

/** Characters between two pauses. */
const PAUSE = 16_384;

/** Yields hits in order, and now and then null, so that the caller can let others work, or stop. */
export function hitsOf(text: string, pattern: Pattern): Generator<Hit | null> {
  if (pattern.multiline) return acrossLines(text, pattern);
  return pattern.nextMark === null ? lineByLine(text, pattern) : aroundMarks(text, pattern.nextMark, pattern.test);
}

function* lineByLine(text: string, { test }: Pattern): Generator<Hit | null> {
  let line = 1;
  let pause = PAUSE;
  for (let start = 0; start < text.length; line++) {
    const end = endOfLine(text, start);
    if (start > pause) {
      pause = start + PAUSE;
      yield null;
    }
    if (test(text.slice(start, end))) yield { line, endLine: line, start, end };
    start = end + 1;
  }
}

/** Tests only the lines with a text that matches contain. */
function* aroundMarks(
  text: string,
  nextMark: (text: string, from: number) => number,
  test: Pattern['test'],
): Generator<Hit | null> {
  const lines = new LineCounter(text);
  for (let at = nextMark(text, 0); at >= 0; ) {
    const start = startOfLine(text, at);
    const end = endOfLine(text, at);
    if (test(text.slice(start, end))) {
      const line = lines.at(start);
      yield { line, endLine: line, start, end };
    } else yield null;
    at = end < text.length ? nextMark(text, end + 1) : -1;
  }
}

function* acrossLines(text: string, { test, find }: Pattern): Generator<Hit | null> {
  if (!test(text)) return;
  const lines = new LineCounter(text);
  for (let from = 0; from < text.length; ) {
    const to = endOfWindow(text, from);
    if (to - from > 2 * MAX_MATCH) {
      // A single line. Only whether it matches is tested, which takes a thousandth of the time, since matches beyond it are too long.
      if (test(text.slice(from, to))) yield { line: lines.at(from), endLine: lines.at(from), start: from, end: to };
      from = to + 1;
      continue;
    }
    // One more character on the left, for `\b` and `^`.
    const base = Math.max(0, from - 1);
    const window = text.slice(base, to);
    const found = test(window) ? find(window, from - base) : null;
    if (found === null) {
      yield null;
      if (to === text.length) return;
      const half = startOfLine(text, from + MAX_MATCH);
      from = half > from && half < to ? half : to + 1;
      continue;
    }
    const start = startOfLine(text, base + found.start);
    // A line break at the end of a match does not make the next line a part of it.
    const end = endOfLine(text, Math.max(base + found.start, base + found.end - 1));
    // There is no line after the last line break.
    if (start < text.length) yield { line: lines.at(start), endLine: lines.at(end), start, end };
    from = end + 1;
  }
}

/**
 * Offset of the first match in the text of a hit. In a text of more than two windows only short matches are located; 0 stands for others.
 * RE2 finds a place by following every way to match from character to character, which takes 45 microseconds for each with
 * `([ab]{1,100}){1,10}`. Whether there is a match is known a thousand times faster. After the time `until` no place is looked for.
 */
export function placeInLines(lines: string, { test, find }: Pattern, until = Number.POSITIVE_INFINITY): number {
  if (performance.now() > until) return 0;
  if (lines.length <= 2 * MAX_PLACE) return find(lines)?.start ?? 0;
  for (let from = 0; from < lines.length && performance.now() < until; from += MAX_PLACE) {
    const window = lines.slice(from, from + 2 * MAX_PLACE);
    if (!test(window)) continue;
    const found = find(window);
    // At an edge of the window the pattern may match, but not in the whole line.
    const isInside = found !== null && (from === 0 || found.start > 0) && found.end < window.length;
    if (isInside || (found !== null && from + window.length === lines.length)) return from + found.start;
  }
  return 0;
}

/** Ends a window at the end of a line, since `$` matches there. */
function endOfWindow(text: string, from: number): number {
  const cut = from + 2 * MAX_MATCH;
  if (cut >= text.length) return text.length;
  const last = text.lastIndexOf('\n', cut);
  return last > from ? last : endOfLine(text, cut);
}

export function startOfLine(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

export function endOfLine(text: string, at: number): number {
  const found = text.indexOf('\n', at);
  return found < 0 ? text.length : found;
}

/** Numbers of lines at rising offsets. */
class LineCounter {
  private line = 1;
  private from = 0;

  constructor(private readonly text: string) {}

  at(offset: number): number {
    for (let next = this.text.indexOf('\n', this.from); next >= 0 && next < offset; ) {
      this.line++;
      this.from = next + 1;
      next = this.text.indexOf('\n', this.from);
    }
    return this.line;
  }
}

/** Time for one text; then for all texts of a question, in milliseconds. */
const TEXT_MS = 5_000;
const ALL_MS = 30_000;

/** Numbers of a hit in a reply. */
const FIELDS = 4;

/**
 * Finds hits in another thread, which is ended if it takes too long: for texts that could block everything else (`maySlow`). Once the time
 * for all texts is over, further ones count as too slow. The caller closes it.
 */
export class SlowSearch {
  private worker: Worker | null = null;
  private left = ALL_MS;
  /** Texts are searched one after another, so that the time of one does not count for the next. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly pattern: Pattern) {}

  /** Returns the hits in order; null if they took too long. */
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
    const reply = await replyOf(worker, text, Math.min(TEXT_MS, this.left));
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

/**
 * Hits in a text by a worker; null if it takes longer, or ends. Only our own listeners are removed: without those that Node itself adds to a worker,
 * its port stays closed, and no later text has a reply.
 */
function replyOf(worker: Worker, text: string, ms: number): Promise<Float64Array | null> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      worker.off('message', reply).off('error', fail).off('exit', stop);
      settle();
    };
    const reply = (found: Float64Array) => end(() => resolve(found));
    const fail = (error: Error) => end(() => reject(error));
    const stop = () => end(() => resolve(null));
    const timer = setTimeout(stop, ms);
    worker.on('message', reply).on('error', fail).on('exit', stop).postMessage(text);
  });
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
