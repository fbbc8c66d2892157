/**
 * Removes folders of local state that belong to other keys: other users, containers, earlier versions of this program.
 */
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { STATE_FOLDER } from '../base/local-key.js';
import { log } from '../base/log.js';

/**
 * Number of other keys' folders that are kept. Users who share a repository find their state again; of one-off keys,
 * such as one per container, only the latest folders stay.
 */
const KEPT = 3;
const UNUSED_MS = 30 * 24 * 3_600_000;
/** Tolerance for clocks that differ. A folder dated further in the future was unpacked from an archive. */
const CLOCK_MS = 24 * 3_600_000;

/**
 * Removes the folders next to `own` that belong to other keys and were not used recently. Everything in them can be
 * built again from records.
 */
export function removeAbandonedFolders(own: string): void {
  const state = dirname(own);
  const id = STATE_FOLDER.exec(basename(own))?.[2];
  try {
    const others = readdirSync(state).flatMap((name) => {
      const match = STATE_FOLDER.exec(name);
      return match === null || match[2] === id ? [] : [{ name, age: ageOf(join(state, name)) }];
    });
    const byAge = others.sort((a, b) => a.age - b.age);
    const abandoned = byAge.filter(({ age }, i) => i >= KEPT || age > UNUSED_MS);
    for (const { name } of abandoned) rmSync(join(state, name), { recursive: true, force: true });
  } catch (error) {
    // The folder belongs to another user, who will remove it.
    log.debug(`cannot remove a folder of another key: ${(error as Error).message}`);
  }
}

/**
 * Milliseconds since a file was added to a folder or removed from it; infinite if the folder's time lies in the future.
 */
function ageOf(path: string): number {
  const age = Date.now() - lstatSync(path).mtimeMs;
  return age < -CLOCK_MS ? Number.POSITIVE_INFINITY : age;
}
