/** Makes ahead what the next search of an indexed snapshot opens, so that the next process answers at once. */
import type { Session } from '../session.js';
import { SnapshotPreparer } from './prepare.js';
import type { SnapshotOrigin } from './snapshot.js';
import { hasView, localStateOf, viewKey } from './view-cache.js';

/** Writes the view of a ref, and the subjects of its commits where searches have read some before. */
export async function warmSearch(session: Session, ref?: string, signal?: AbortSignal): Promise<void> {
  const origin = await session.origin(ref);
  await warmView(session, origin, signal);
  const { commit } = origin.resolved;
  if (commit === null) return;
  const { keepSubjects } = await import('../history/subjects.js');
  await keepSubjects(session, commit, signal);
}

/** Writes the view of an indexed snapshot unless it exists. */
export async function warmView(session: Session, origin: SnapshotOrigin, signal?: AbortSignal): Promise<void> {
  const { shards, unreadable } = session.shards.readManifest();
  const names = shards.map(({ file }) => file);
  const localState = localStateOf(names, unreadable);
  if (hasView(session.shards.directory, viewKey(origin.key), { names, localState })) return;
  await new SnapshotPreparer(session).prepare(origin, signal);
}
