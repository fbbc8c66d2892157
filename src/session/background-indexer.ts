/** Role of the process that indexes and links for a server, so that the server's questions never do it themselves. */
import type { SocraticodeError } from '../base/errors.js';
import type { SnapshotOrigin } from './snapshot/snapshot.js';

export interface BackgroundIndexer {
  /**
   * Has a snapshot indexed and waits up to ten seconds for it, which most often suffices, and two while another process writes.
   * Resolves when it is indexed or the time is over, with the error if indexing failed: the question is then answered from what is
   * indexed. Throws CANCELLED only.
   */
  index(origin: SnapshotOrigin, signal?: AbortSignal): Promise<SocraticodeError | null>;
  /**
   * Has a snapshot linked and waits up to forty seconds, and five while another process writes. Resolves when the graph's file is
   * written. Throws NOT_READY if that takes longer, CANCELLED, and the errors of indexing and linking. With `partly` it has the files
   * linked that are read when it has waited for ten seconds, and resolves with `part` when that graph is written.
   */
  link(origin: SnapshotOrigin, options?: { partly?: boolean; signal?: AbortSignal }): Promise<'whole' | 'part'>;
}
