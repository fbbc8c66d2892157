/** A process that takes a lock again and again and reports if it ever is not alone: `node lock-holder.js LOCK ROUNDS`. */
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { acquireLock } from '../../src/base/lock.js';

const [path, rounds] = process.argv.slice(2);
for (let i = 0; i < Number(rounds); i++) {
  const release = await acquireLock(path, { waitMs: 60_000 });
  // Fails if another process is inside.
  closeSync(openSync(`${path}.inside`, 'wx'));
  rmSync(`${path}.inside`);
  if (i % 3 === 2) {
    // Leaves a stale lock behind, as a killed holder would: the pid is of no process.
    writeFileSync(path, JSON.stringify({ pid: 2 ** 22 + 7, host: hostname(), started: '1' }));
  } else release();
}
