/** Collects the exports of a commit to other repositories and its uses of them, for its view. */
import { Graphs, linkedFacts, log, type Session, type SnapshotOrigin } from '../internal.js';
import { encodeLinks, isLinkedFacts, MAX_LINKS_BYTES } from '../links.js';

/** Empty for a repository whose facts exceed the limits of a fleet; it can still be searched. */
export async function linksOf(session: Session, origin: SnapshotOrigin, signal?: AbortSignal): Promise<Uint8Array> {
  const prepared = await new Graphs(session).committed(origin, { signal });
  const facts = await linkedFacts(session, prepared, signal);
  const links = isLinkedFacts(facts) ? encodeLinks(facts) : null;
  if (links !== null && links.length <= MAX_LINKS_BYTES) return links;
  log.warn('this repository uses too much of others: a fleet will not know its uses');
  return new Uint8Array(0);
}
