/**
 * Records the lookups that linking one file makes in other files, as a build system records the inputs of a step: names
 * in a file (`total` in cart.ts, with all its definitions, exports and bindings), and names in the whole repository.
 * The file needs linking again only if the signature of one of those names has changed.
 */

/** Recorded name for all imports and exports without names (`export *`, `#include`). */
export const WILDCARDS = '*';

/** Recorded name for paths resolved at their use. Their resolution can change whenever a file is added or removed. */
export const PATHS = '::';

/** Recorded name for paths that hold a name, where only files, packages and definitions of their names change what they mean. */
export function pathName(name: string): string {
  return `${PATHS}${name}`;
}

/** Names in a path or package: `com.shop`. */
export function namesOfPath(path: string): readonly string[] {
  return path.match(/[\p{L}\p{N}_$]+/gu) ?? [];
}

/** Recorded name for definitions of a compiler's symbol. */
export function monikerName(moniker: number): string {
  return `::${moniker.toString(36)}`;
}

/** Recorded name for everything, used when a file made more lookups than are worth keeping. */
export const ANYTHING = '::*';

/**
 * Maximum number of lookups recorded for one file. Real files stay far below. Files that include thousands of headers
 * would need gigabytes together, so such a file is linked again after any change instead.
 */
const MAX_NOTES = 4_000;

/**
 * Recorded lookups of one file: lookup `i` is of `names[i]` in `files[i]`; `lookups` are those in the whole repository.
 */
export interface Recorded {
  files: Uint32Array;
  names: readonly string[];
  lookups: readonly string[];
}

export class Recorder {
  /** Names looked up in the whole repository. */
  private readonly lookups = new Set<string>();
  /** Names looked up by file number; null once there are too many. */
  private uses: Map<number, Set<string>> | null = new Map();
  private count = 0;
  private lastFile = -1;
  private lastNames = new Set<string>();

  constructor(readonly file: number) {}

  note(file: number, name: string): void {
    // A lookup in the whole repository covers every change to the name.
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

  /** Returns the recorded lookups in compact form, since they are kept for thousands of files at once. */
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
