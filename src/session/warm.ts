/** Makes in advance the files that the next questions open: the view of a snapshot, the subjects and messages of its commits, and its graph. */
import type { Session } from './session.js';
import { snapshotsOf } from './snapshot/prepare.js';
import type { SnapshotOrigin } from './snapshot/snapshot.js';
import { hasView, localStateOf, viewKey } from './snapshot/view-cache.js';
import { COMMITS, GRAPHS } from './state-kinds.js';

/** Writes the view of a ref, and the subjects of its commits if a search has read subjects before. */
export async function warmSearch(session: Session, ref?: string, signal?: AbortSignal): Promise<void> {
  const origin = await session.origin(ref);
  await warmView(session, origin, signal);
  const { commit } = origin.resolved;
  if (commit === null) return;
  const { keepSubjects } = await import('./search/external-text.js');
  await keepSubjects(session, commit, signal);
}

/** Writes the view of an indexed snapshot unless it exists. */
export async function warmView(session: Session, origin: SnapshotOrigin, signal?: AbortSignal): Promise<void> {
  const { shards, unreadable } = session.shards.readManifest();
  const names = shards.map(({ file }) => file);
  const localState = localStateOf(names, unreadable);
  if (hasView(session.state, viewKey(origin.key), { names, localState })) return;
  await snapshotsOf(session).prepare(origin, signal);
}

/** Links an indexed snapshot if this repository has a cached graph, so that the next question is answered at once. */
export async function warmGraph(session: Session, ref?: string, signal?: AbortSignal): Promise<void> {
  if (session.state.keys(GRAPHS).length === 0) return;
  const { graphsOf } = await import('./graph/prepare.js');
  await graphsOf(session).committed(await session.origin(ref), { signal });
}

/**
 * Keeps the messages of the commits up to one, if a search has read subjects before. It comes last, since it takes seconds the first
 * time. Throws CANCELLED.
 */
export async function warmMessages(session: Session, commit: string | null, signal?: AbortSignal): Promise<void> {
  if (commit === null || !session.state.has(COMMITS)) return;
  const { keepMessages } = await import('./search/external-text.js');
  await keepMessages(session, commit, signal);
}
