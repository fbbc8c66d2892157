/** Folders of local state that belong to other keys: of other users, of containers, of earlier versions of this program. */
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { STATE_FOLDER } from '../base/local-key.js';
import { log } from '../base/log.js';

/** Whoever takes turns with us finds what they built; of those that come once, a container each time, only the last stay. */
const KEPT = 3;
const UNUSED_MS = 30 * 24 * 3_600_000;
/** Clocks differ; what is said to be from later than that was unpacked from an archive. */
const CLOCK_MS = 24 * 3_600_000;

/** Beside our own folder: keeps what other keys used last, removes the rest. Everything in it can be built from records. */
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
    // Of another user, who will do it.
    log.debug(`a folder of another key stays: ${(error as Error).message}`);
  }
}

/** Milliseconds since something was put into a folder or taken from it. */
function ageOf(path: string): number {
  const age = Date.now() - lstatSync(path).mtimeMs;
  return age < -CLOCK_MS ? Number.POSITIVE_INFINITY : age;
}
