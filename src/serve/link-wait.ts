/** Waits of a question for the graph of its snapshot: the whole one, or one of the files that are read so far. */
import { TIMED_OUT } from '../base/abortable.js';
import { SocraticodeError } from '../base/errors.js';
import type { SnapshotOrigin } from '../session/snapshot/snapshot.js';
import { describeRun, type RunningState } from './background-protocol.js';
import { LINK_GRACE, NEXT_PART_GRACE, OLDER_PART_END, PART_END, PART_GRACE, type Waits, waitForJob } from './grace.js';
import type { Job } from './job.js';
import type { PartialGraphs } from './partial-graphs.js';

interface LinkWait {
  job: Job;
  origin: SnapshotOrigin;
  /** Null for a question that only the whole graph answers. */
  parts: PartialGraphs | null;
  waits: Waits;
  /** Another process writes the index. */
  isBlocked: () => boolean;
  signal?: AbortSignal;
}

/** Returns null when the time is over. Throws the job's error, and CANCELLED. */
export async function waitForGraph({ job, origin, parts, waits, ...how }: LinkWait): Promise<'whole' | 'part' | null> {
  const from = performance.now();
  const wait = <T>(promise: Promise<T>, grace: typeof LINK_GRACE) =>
    waits.during(waitForJob(promise, grace, { ...how, spent: performance.now() - from }));
  const whole = job.done.promise.then((): 'whole' => 'whole');
  whole.catch(() => {});
  if (parts === null) return orNull(await wait(whole, LINK_GRACE));
  const hasPart = parts.has(origin);
  if ((await wait(whole, hasPart ? NEXT_PART_GRACE : PART_GRACE)) !== TIMED_OUT) return 'whole';
  if (parts.isFresh(origin)) return 'part';
  // Once all is indexed, linking a part takes as long as linking it all.
  const part = job.isIndexed ? whole : parts.make(origin).then((isMade) => (isMade ? 'part' : whole));
  part.catch(() => {});
  const found = orNull(await wait(Promise.race([whole, part]), hasPart ? OLDER_PART_END : PART_END));
  return found ?? (hasPart ? 'part' : null);
}

function orNull<T>(found: T | typeof TIMED_OUT): T | null {
  return found === TIMED_OUT ? null : found;
}

export function notLinked({ origin }: Job, running: RunningState | null): SocraticodeError {
  const what = running === null ? `linking ${origin.resolved.ref}` : describeRun(running);
  const hint = 'Ask again in ten seconds. Searches, grep and reading answer meanwhile: they need no graph.';
  return new SocraticodeError('NOT_READY', `the graph is not linked yet: ${what}`, { hint });
}
