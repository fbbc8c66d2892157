/** Decides when a worker acts on events: after they stop coming, and after a push has ended. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../base/programs.js';

/** Silence after which a series of events counts as over. Commits of a rebase follow each other in 10 to 100 ms. */
const QUIET_MS = 300;
/** Silence after which a git operation counts as stopped (a conflict, an edit), and is no longer waited for. */
const STOPPED_MS = 5_000;
/** Maximum wait while events keep coming outside any git operation. */
const PATIENCE_MS = 30_000;
const POLL_MS = 50;
/** Time given to a push whose process is unknown, and maximum wait for a known one. */
const BLIND_PUSH_MS = 5_000;
const MAX_PUSH_MS = 30 * 60_000;

/** Names that exist in a git directory during an operation that makes several commits. */
const OPERATIONS = ['rebase-merge', 'rebase-apply', 'sequencer', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD'];

export function isOperationUnderWay(gitDirectory: string): boolean {
  return OPERATIONS.some((name) => existsSync(join(gitDirectory, name)));
}

interface Calm {
  /** Returns a string that changes with every event. */
  version: () => string;
  /** Does a git operation run in one of the work trees concerned? */
  busy: () => boolean | Promise<boolean>;
  signal?: AbortSignal;
}

/**
 * Waits until no event has come for 300 ms and no git operation is under way. Stops waiting for the operation after 5 s
 * of silence, and for silence after 30 s.
 */
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

/** Is the push that a hook announced at `since` (on the clock of `performance.now()`) over? */
export function isPushOver(pusher: number, since: number): boolean {
  const waited = performance.now() - since;
  if (pusher <= 1) return waited >= BLIND_PUSH_MS;
  return waited >= MAX_PUSH_MS || !isAlive(pusher);
}
