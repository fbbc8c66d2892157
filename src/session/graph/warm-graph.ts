/** Links the graph of a new commit in advance, in repositories where graphs are used. */
import type { Session } from '../session.js';
import { GraphCache } from './graph-cache.js';

/** Links an indexed snapshot if this repository has a cached graph, so that the next question is answered at once. */
export async function warmGraph(session: Session, ref?: string, signal?: AbortSignal): Promise<void> {
  if (new GraphCache(session.shards.directory).keys('graph').length === 0) return;
  const { GraphPreparer } = await import('./prepare.js');
  await new GraphPreparer(session).committed(await session.origin(ref), { signal });
}
