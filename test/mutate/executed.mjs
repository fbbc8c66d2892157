// Which code a test executes, in its own process and in those that it starts, as V8 counts it (NODE_V8_COVERAGE).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export class Executed {
  #files;

  /** For each file the spans that some process executed: `[start, end, start, end…]`, in order. */
  constructor(files) {
    this.#files = new Map(files);
  }

  /** Reads the reports in a folder. A process that is killed leaves none. */
  static read(folder) {
    const files = new Map();
    for (const name of readdirSync(folder)) {
      const report = reportIn(join(folder, name));
      for (const { url, functions } of report) {
        if (!url.startsWith('file:') || !url.includes('/build/src/')) continue;
        const file = fileURLToPath(url);
        const ranges = functions.flatMap((each) => each.ranges);
        files.set(file, spansOf(ranges, files.get(file) ?? []));
      }
    }
    return new Executed(files);
  }

  toJSON() {
    return [...this.#files];
  }

  /** True if some process executed the character at an offset. */
  has(file, offset) {
    const spans = this.#files.get(file) ?? [];
    for (let at = 0; at < spans.length; at += 2) if (spans[at] <= offset && offset < spans[at + 1]) return true;
    return false;
  }
}

/** Half a report is none: its process was killed while it wrote. */
function reportIn(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).result;
  } catch {
    return [];
  }
}

/** Spans that were executed, those known before included. Of ranges around an offset, the innermost tells how often. */
function spansOf(ranges, before) {
  const end = ranges.reduce((most, { endOffset }) => Math.max(most, endOffset), before.at(-1) ?? 0);
  const marks = new Uint8Array(end + 1);
  const outerFirst = ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  for (const { startOffset, endOffset, count } of outerFirst) marks.fill(Number(count > 0), startOffset, endOffset);
  for (let at = 0; at < before.length; at += 2) marks.fill(1, before[at], before[at + 1]);
  const spans = [];
  for (let at = 0; at < end; ) {
    const start = marks.indexOf(1, at);
    if (start < 0) break;
    at = marks.indexOf(0, start);
    spans.push(start, at);
  }
  return spans;
}
