/** Who brings in what a question lacks, in a process that must stay free to answer others: never the question itself. */
import type { SocraticodeError } from '../base/errors.js';
import type { ScopeOrigin } from './session.js';

export interface Supplier {
  /**
   * Has a snapshot indexed, and waits a moment for it: most often a few files. Resolves when it is done or the moment is
   * over, with the reason where it failed: then the answer is from what there is. Throws CANCELLED only.
   */
  index(origin: ScopeOrigin, signal?: AbortSignal): Promise<SocraticodeError | null>;
  /**
   * Has a snapshot linked, and waits a moment: there is no half graph. Resolves when its file is there. Throws NOT_READY
   * where it takes longer, CANCELLED, and what indexing and linking throw.
   */
  link(origin: ScopeOrigin, signal?: AbortSignal): Promise<void>;
}
