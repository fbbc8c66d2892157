/** The graph of a new commit, made while nobody waits: only where graphs are asked for. */
import type { Session } from '../session.js';
import { GraphCache } from './graph-cache.js';

/** Links an indexed snapshot if one of this repository was ever asked for, so that the next question is answered at once. */
export async function warmGraph(session: Session, ref?: string, signal?: AbortSignal): Promise<void> {
  if (new GraphCache(session.shards.directory).keys('graph').length === 0) return;
  const { GraphPreparer } = await import('./prepare.js');
  await new GraphPreparer(session).committed(await session.origin(ref), signal);
}
