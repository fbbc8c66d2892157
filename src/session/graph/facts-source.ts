/** Opens the facts of a snapshot's files, uncommitted files included. */
import { BlobFactsSource } from '../blob-facts.js';
import type { Session } from '../session.js';
import type { PreparedGraph } from './prepare.js';

/** `count`: number of files that will be read; `relations`: their facts with imports and uses. The caller closes the source. */
export async function openFacts(
  session: Session,
  { origin, objects, overlay }: Pick<PreparedGraph, 'origin' | 'objects' | 'overlay'>,
  options: { count?: number; relations?: boolean; signal?: AbortSignal },
): Promise<BlobFactsSource> {
  const { languages, maxFileBytes } = (await session.configOfOrigin(origin)).config;
  // Records describe committed blobs only, so none are written when uncommitted files are read.
  return new BlobFactsSource(session, { languages, maxFileBytes, ...options, ...(overlay > 0 && { objects }) });
}
