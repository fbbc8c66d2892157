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
/** Who waits longer looks at what there is: the number may be that of another process by now. */
const PATIENCE_MS = 60_000;
const MAX_PID_BYTES = 1_024;

/** Whether a collection has run, or runs, since this was made. */
export class GcWatch {
  private constructor(
    private readonly repository: Repository,
    private readonly before: string,
  ) {}

  /** Waits for a collection that runs: what is written meanwhile might have to be written again. */
  static async start(repository: Repository): Promise<GcWatch> {
    await untilOver(repository);
    return new GcWatch(repository, refsMark(repository));
  }

  isDisturbed(): boolean {
    return isRunning(this.repository) || refsMark(this.repository) !== this.before;
  }

  /**
   * Is everything there that `tip` reaches and `parent` does not? Waits for a collection that runs; where there was none,
   * that is not asked.
   */
  async hasKept(tip: string, parent: string | null): Promise<boolean> {
    if (!this.isDisturbed()) return true;
    await untilOver(this.repository);
    const known = parent === null ? [] : ['--not', parent];
    const { code } = await this.repository.git.run(['rev-list', '--objects', '--quiet', tip, ...known], {
      allow: [1, 128],
    });
    return code === 0;
  }
}

async function untilOver(repository: Repository): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (isRunning(repository) && performance.now() < deadline) await sleep(POLL_MS);
}

/** `gc.pid` holds `<pid> <host>` as long as git collects; one whose process is dead was left by a killed one. */
function isRunning({ commonDir }: Repository): boolean {
  try {
    const text = readPlainFile(join(commonDir, 'gc.pid'), MAX_PID_BYTES)?.toString('utf8');
    const [, pid, host] = /^(\d+) (\S+)/.exec(text ?? '') ?? [];
    // Of another machine's nothing is known; it may have come in an archive.
    return pid !== undefined && host === hostname() && isAlive(Number(pid));
  } catch {
    return false;
  }
}

/** A collection packs refs before it deletes anything. */
function refsMark({ commonDir }: Repository): string {
  try {
    const { ino, mtimeMs, size } = statSync(join(commonDir, 'packed-refs'));
    return `${ino} ${mtimeMs} ${size}`;
  } catch {
    return '';
  }
}
