/**
 * What linking one file looked at in others, as a build system remembers the inputs of a step: names in files (`total` in
 * cart.ts: its definitions, exports, bindings, whatever), and names in the whole repository. The file needs linking
 * again only if something about one of those names has changed.
 */

/** Stands for all that makes the names of other files usable as they are (`export *`, `#include`). */
export const WILDCARDS = '*';

/** Stands for paths that were resolved where they are used: they can lead elsewhere whenever a file comes or goes. */
export const PATHS = '::';

/** Stands for everything: the file looked at more than is worth remembering. */
export const ANYTHING = '::*';

/**
 * Notes of one file. Real files stay far below; what includes a header that includes thousands would need gigabytes,
 * and is linked again after any change instead.
 */
const MAX_NOTES = 2_000;

/** Names by file, flat: note `i` is `names[i]` in `files[i]`. */
export interface Recorded {
  files: Uint32Array;
  names: readonly string[];
  lookups: readonly string[];
}

export class Recorder {
  /** Names looked up in the whole repository. */
  private readonly lookups = new Set<string>();
  /** Names by file number; null once there are too many. */
  private uses: Map<number, Set<string>> | null = new Map();
  private count = 0;
  private lastFile = -1;
  private lastNames = new Set<string>();

  constructor(readonly file: number) {}

  note(file: number, name: string): void {
    // Who asked for a name everywhere hears of every change to it.
    if (file === this.file || this.uses === null || this.lookups.has(name)) return;
    if (file !== this.lastFile) {
      this.lastFile = file;
      this.lastNames = this.uses.get(file) ?? new Set();
      if (this.lastNames.size === 0) this.uses.set(file, this.lastNames);
    }
    const before = this.lastNames.size;
    this.lastNames.add(name);
    if (this.lastNames.size > before && ++this.count > MAX_NOTES) this.uses = null;
  }

  noteEverywhere(name: string): void {
    this.lookups.add(name);
  }

  /** All of it, small: thousands of files have theirs at the same time. */
  finish(): Recorded {
    const lookups = this.uses === null ? [ANYTHING] : [...this.lookups];
    const files: number[] = [];
    const names: string[] = [];
    for (const [file, noted] of this.uses ?? []) {
      for (const name of noted) {
        files.push(file);
        names.push(name);
      }
    }
    return { files: Uint32Array.from(files), names, lookups };
  }
}
