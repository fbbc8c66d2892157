/** Jobs of the hooks' worker; each returns its line for the log, and never throws. */
import { unexpected } from '../../../base/errors.js';
import { visibleLine } from '../../../base/hygiene.js';
import { log } from '../../../base/log.js';
import type { LogData } from '../../../base/log-file.js';
import { automaticFault } from '../../../git/remote-trust.js';
import type { Repository } from '../../../git/repository.js';
import { SHARE_EVENT } from '../../../hooks/events.js';
import { readPlace } from '../../../hooks/plan.js';
import type { QueuedEvent } from '../../../hooks/queue.js';
import { isEventInstalled } from '../../../hooks/state.js';
import { Session } from '../../../session/session.js';

export interface Done {
  line: string;
  data?: LogData;
  failed: boolean;
}

const done = (line: string, data?: LogData): Done => ({ line, data, failed: false });

/** Indexes HEAD of one work tree, and makes what the next search, and the next question about its graph, opens. */
export async function indexTree(
  repository: Repository,
  directory: string,
  events: readonly QueuedEvent[],
  signal?: AbortSignal,
): Promise<Done> {
  const about = `${directory} (${describe(events)})`;
  return attempt(repository, directory, about, async (session) => {
    const { indexRef } = await import('../../../session/indexing/index-operation.js');
    const { warmSearch } = await import('../../../session/snapshot/warm.js');
    const report = await indexRef(session, { signal, unlogged: true, gentle: true });
    await warmSearch(session, undefined, signal);
    await warm(session, signal);
    const commit = (report.commit ?? report.tree).slice(0, 9);
    const { fault } = report.vectors;
    const words = `indexed ${about}: ${commit}, ${report.new} new of ${report.blobs} blobs, ${report.bytesAdded} bytes added, ${elapsed()} ms`;
    const data = { commit, new: report.new, blobs: report.blobs, bytes: report.bytesAdded, ms: elapsed() };
    return done(fault === null ? words : `${words}; without all vectors: ${fault.message}`, data);
  });
}

/** A graph that cannot be made is no failure of this job: the question that needs it reports why. */
async function warm(session: Session, signal?: AbortSignal): Promise<void> {
  const { warmGraph } = await import('../../../session/graph/warm-graph.js');
  await warmGraph(session, undefined, signal).catch((error: Error) => log.debug(`no graph: ${error.message}`));
}

/** Shares what the remote that was just pushed to has got the code of. Null: it denied that before, which was said. */
export async function shareTree(
  repository: Repository,
  event: QueuedEvent,
  signal?: AbortSignal,
): Promise<Done | null> {
  const remote = event.argument === '' ? undefined : event.argument;
  const about = `${event.directory} with ${remote ?? 'its remote'}`;
  return attempt(repository, event.directory, about, async (session) => {
    const fault = await shareFault(session, remote);
    if (fault !== null) return done(`did not share ${about}: ${fault}`);
    const { pushIndex } = await import('../../share/answer.js');
    const { status, sent } = await pushIndex(session, { remote, signal, quiet: true });
    return status === 'denied'
      ? null
      : done(`shared ${about}: ${sent} records sent, ${elapsed()} ms`, { sent, ms: elapsed() });
  });
}

/**
 * Why nothing is shared, or null. The queue and the configuration may have come with the repository, and a push runs what
 * they name: so only where our hook is there to ask for it, and with a configuration that is harmless.
 */
async function shareFault({ repository, gitConfig }: Session, named: string | undefined): Promise<string | null> {
  const place = await readPlace(repository, gitConfig);
  if (!isEventInstalled(repository, place, gitConfig, SHARE_EVENT)) return 'the pre-push hook is not installed';
  const { chooseRemote } = await import('../../../share/remotes.js');
  const remote = await chooseRemote({ repository, config: gitConfig }, named, 'push');
  const fault = automaticFault(repository, gitConfig, remote, 'push');
  return fault === null ? null : `${visibleLine(fault)} in .git/config; git socraticode push does it all the same`;
}

let started = 0;
const elapsed = () => Math.round(performance.now() - started);

async function attempt<T>(
  repository: Repository,
  directory: string,
  about: string,
  work: (session: Session) => Promise<T>,
): Promise<T | Done> {
  started = performance.now();
  let session: Session | null = null;
  try {
    session = await Session.open({ directory });
    // The queue is a file that anybody could have packed.
    if (session.repository.commonDir !== repository.commonDir) return done(`left alone ${about}: another repository`);
    return await work(session);
  } catch (error) {
    const { code, message } = unexpected(error);
    return { line: `failed ${about}: ${code} ${message}`, data: { code }, failed: true };
  } finally {
    session?.close();
  }
}

/** `post-commit ×50, post-rewrite` */
function describe(events: readonly QueuedEvent[]): string {
  const counts = new Map<string, number>();
  for (const { event } of events) counts.set(event, (counts.get(event) ?? 0) + 1);
  return [...counts].map(([event, times]) => (times === 1 ? event : `${event} ×${times}`)).join(', ');
}
