/** Facts of the files of a prepared snapshot, those of uncommitted files among them. */
import { BlobFactsSource } from '../blob-facts.js';
import type { Session } from '../session.js';
import type { PreparedGraph } from './prepare.js';

/** `count`: files that will be asked for. The caller closes it. */
export async function openFacts(
  session: Session,
  { origin, objects, overlay }: PreparedGraph,
  { count, signal }: { count?: number; signal?: AbortSignal },
): Promise<BlobFactsSource> {
  const { languages, maxFileBytes } = (await session.configOfOrigin(origin)).config;
  // Records are of what is committed: where uncommitted files are read, none are kept.
  return new BlobFactsSource(session, { languages, maxFileBytes, count, signal, ...(overlay > 0 && { objects }) });
}
