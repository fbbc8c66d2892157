/** The same machine, the same name, another space of process ids: what a container with the repository mounted is to its host. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { acquireLock, lockState } from '../../../src/base/lock.js';
import { type LockAnswer, type LockOrder, MARKS } from '../processes/lock-holder.js';
import { makeDirectory } from '../repositories/repo.js';

const HOLDER = fileURLToPath(new URL('../processes/lock-holder.js', import.meta.url));
const UNSHARE = ['--pid', '--fork', '--mount-proc', '--kill-child'];

/** Both keep their locks while they live, and lose them when they are killed. Returns what was done: it takes root. */
export async function assertContainersApart(): Promise<string> {
  if (spawnSync('unshare', [...UNSHARE, 'true']).status !== 0) return 'not tried: no namespaces here';
  const path = join(makeDirectory('shared'), 'writer.lock');
  writeFileSync(path + MARKS, '');
  const container = spawn('unshare', [...UNSHARE, process.execPath, HOLDER, 'obey'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const order = (more: Partial<LockOrder>) =>
    container.stdin.write(
      `${JSON.stringify({ order: 1, path, waitMs: 0, holdMs: null, times: 1, ...more } satisfies LockOrder)}\n`,
    );
  const release = await acquireLock(path);
  const answered = once(createInterface({ input: container.stdout }), 'line');
  order({});
  const { error } = JSON.parse(String((await answered)[0])) as LockAnswer;
  assert.match(error ?? '', /process \d+ of another container of this name/);
  assert.equal(lockState(path)?.pid, process.pid);
  release();
  order({ waitMs: 5_000 });
  for (let i = 0; i < 100 && lockState(path) === null; i++) await sleep(50);
  await assert.rejects(acquireLock(path, { waitMs: 100 }), /process 1/);
  const ended = once(container, 'exit');
  container.kill('SIGKILL');
  await ended;
  (await acquireLock(path, { waitMs: 2_000 }))();
  return 'kept apart';
}
