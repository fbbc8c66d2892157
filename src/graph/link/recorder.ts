/**
 * What linking one file looked at in others, as a build system remembers the inputs of a step: names in files (`total` in
 * cart.ts: its definitions, exports, bindings, whatever), and names in the whole repository. The file needs linking
 * again only if something about one of those names has changed.
 */

/** Stands for all that makes the names of other files usable as they are (`export *`, `#include`). */
export const WILDCARDS = '*';

/** Stands for paths that were resolved where they are used: they can lead elsewhere whenever a file comes or goes. */
export const PATHS = '::';

export class Recorder {
  /** Names by file number. */
  readonly uses = new Map<number, Set<string>>();
  /** Names looked up in the whole repository. */
  readonly lookups = new Set<string>();
  private lastFile = -1;
  private lastNames = new Set<string>();

  constructor(readonly file: number) {}

  note(file: number, name: string): void {
    if (file === this.file) return;
    if (file !== this.lastFile) {
      this.lastFile = file;
      this.lastNames = this.uses.get(file) ?? new Set();
      if (this.lastNames.size === 0) this.uses.set(file, this.lastNames);
    }
    this.lastNames.add(name);
  }
}
