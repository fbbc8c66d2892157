/** When a worker acts on what hooks reported. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../base/programs.js';

/** A storm is over when nothing came for so long: commits of a rebase follow each other in 10 to 100 ms. */
const QUIET_MS = 300;
/** An operation that stopped (a conflict, an edit) is not waited for any longer. */
const STOPPED_MS = 5_000;
/** Events that keep coming outside any operation are not waited for for ever. */
const PATIENCE_MS = 30_000;
const POLL_MS = 50;
/** An unknown pusher gets this time, a known one that. */
const BLIND_PUSH_MS = 5_000;
const MAX_PUSH_MS = 30 * 60_000;

/** What stands in a git directory while commits are made one after another. */
const OPERATIONS = ['rebase-merge', 'rebase-apply', 'sequencer', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD'];

export function isOperationUnderWay(gitDirectory: string): boolean {
  return OPERATIONS.some((name) => existsSync(join(gitDirectory, name)));
}

interface Calm {
  /** Changes with every event. */
  version: () => string;
  /** Is git still at work in one of the work trees concerned? */
  busy: () => boolean | Promise<boolean>;
  signal?: AbortSignal;
}

/** Waits until nothing new comes and no operation is under way, within limits. */
export async function untilCalm({ version, busy, signal }: Calm): Promise<void> {
  const started = performance.now();
  let [seen, changed] = [version(), started];
  for (;;) {
    await sleep(POLL_MS, undefined, { signal });
    const [now, current] = [performance.now(), version()];
    if (current !== seen) [seen, changed] = [current, now];
    const quiet = now - changed;
    if (quiet >= STOPPED_MS) return;
    const enough = quiet >= QUIET_MS || now - started >= PATIENCE_MS;
    if (enough && !(await busy())) return;
  }
}

/** Is the push that a hook announced at `since` (of `performance.now()`) over? */
export function isPushOver(pusher: number, since: number): boolean {
  const waited = performance.now() - since;
  if (pusher <= 1) return waited >= BLIND_PUSH_MS;
  return waited >= MAX_PUSH_MS || !isAlive(pusher);
}
