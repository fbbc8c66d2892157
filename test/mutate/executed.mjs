// Which code a test executes, in its own process and in those that it starts, as V8 counts it (NODE_V8_COVERAGE).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export class Executed {
  #files;

  /** For each file the ranges of each process that loaded it. */
  constructor(files) {
    this.#files = new Map(files);
  }

  /** Reads the reports in a folder. A process that is killed leaves none. */
  static read(folder) {
    const files = new Map();
    for (const name of readdirSync(folder)) {
      const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
      for (const { url, functions } of result) {
        if (!url.startsWith('file:') || !url.includes('/build/src/')) continue;
        const file = fileURLToPath(url);
        if (!files.has(file)) files.set(file, []);
        files.get(file).push(functions.flatMap(({ ranges }) => ranges));
      }
    }
    return new Executed(files);
  }

  toJSON() {
    return [...this.#files];
  }

  /** True if some process executed the character at an offset: the innermost range around it tells how often. */
  has(file, offset) {
    return (this.#files.get(file) ?? []).some((ranges) => {
      let inner = null;
      for (const range of ranges) {
        if (range.startOffset > offset || offset >= range.endOffset) continue;
        if (inner === null || range.endOffset - range.startOffset <= inner.endOffset - inner.startOffset) inner = range;
      }
      return inner !== null && inner.count > 0;
    });
  }
}
