/**
 * `git gc --prune=now` deletes what no ref reaches. What is being written is such for a moment: between the objects and the
 * ref that will point at them. git warns people of that; a hook works behind their backs, and must see to it itself.
 */
import { statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readPlainFile } from '../base/atomic.js';
import { isAlive } from '../base/programs.js';
import type { Repository } from './repository.js';

const POLL_MS = 50;
/** A collection of a large repository takes minutes; who waits longer looks at what there is. */
const PATIENCE_MS = 5 * 60_000;
const MAX_PID_BYTES = 1_024;

/** Whether a collection has run, or runs, since this was made. */
export class GcWatch {
  private readonly before: string;
  private readonly ranBefore: boolean;

  constructor(private readonly repository: Repository) {
    this.before = this.refsMark();
    this.ranBefore = this.isRunning();
  }

  /**
   * Is everything there that `tip` reaches and `parent` does not? Waits for a collection that runs; where there was none,
   * that is not asked.
   */
  async hasKept(tip: string, parent: string | null): Promise<boolean> {
    if (!this.ranBefore && !this.isRunning() && this.refsMark() === this.before) return true;
    const deadline = performance.now() + PATIENCE_MS;
    while (this.isRunning() && performance.now() < deadline) await sleep(POLL_MS);
    const known = parent === null ? [] : ['--not', parent];
    const { code } = await this.repository.git.run(['rev-list', '--objects', '--quiet', tip, ...known], {
      allow: [1, 128],
    });
    return code === 0;
  }

  /** `gc.pid` holds `<pid> <host>` as long as git collects; one whose process is dead was left by a killed one. */
  private isRunning(): boolean {
    try {
      const text = readPlainFile(join(this.repository.commonDir, 'gc.pid'), MAX_PID_BYTES)?.toString('utf8');
      const [, pid, host] = /^(\d+) (\S+)/.exec(text ?? '') ?? [];
      return pid !== undefined && (host !== hostname() || isAlive(Number(pid)));
    } catch {
      return false;
    }
  }

  /** A collection packs refs before it deletes anything. */
  private refsMark(): string {
    try {
      const { ino, mtimeMs, size } = statSync(join(this.repository.commonDir, 'packed-refs'));
      return `${ino} ${mtimeMs} ${size}`;
    } catch {
      return '';
    }
  }
}
