/** Derives records again, the way that indexing does, and compares them byte by byte with notes that others may have written. */
import type { ObjectReader } from '../git/objects.js';
import { blobOid } from '../git/objects.js';
import type { Repository } from '../git/repository.js';
import { MAX_BLOB_BYTES } from '../record/limits.js';
import { type DerivedBlob, deriveBlobs } from './derive.js';
import type { ParserPool } from './parser-pool.js';
import type { PlannedBlob } from './plan.js';

interface Deriving {
  objects: Pick<ObjectReader, 'read' | 'info'>;
  signal?: AbortSignal | undefined;
}

/** Records of blobs, as `deriveBlobs` gives them; no note is asked, and none of the settings that choose files. */
export function deriveAgain(
  { objects, signal }: Deriving,
  blobs: readonly PlannedBlob[],
  pool: ParserPool,
): AsyncGenerator<DerivedBlob> {
  return deriveBlobs(blobs, {
    ...{ objects, store: { read: async () => null }, pool, ...(signal && { signal }) },
    ...{ maxFileBytes: MAX_BLOB_BYTES, onBadRecord: () => {}, relations: true },
  });
}

interface Compared {
  /** Null where this machine cannot tell. */
  isEqual: boolean | null;
  /** Reason why it cannot tell, else ''. */
  why: string;
}

/** Whether a note is what its blob gives, or why this machine cannot tell. `note`: its id. */
export function compareAgain(
  derived: DerivedBlob,
  note: string | undefined,
  format: Repository['objectFormat'],
): Compared {
  const reason = derived.bytes === null ? 'not-here' : degradedReason(derived);
  if (reason !== null || derived.note === null) return { isEqual: null, why: reason ?? 'not-derived' };
  // Equal bytes have equal names.
  return { isEqual: blobOid(derived.note, format) === note, why: '' };
}

/** Why the blob could not be parsed on this machine: then nothing can be said of its record. */
function degradedReason({ units }: DerivedBlob): string | null {
  const state = units.find((unit) => unit.facts !== null && unit.state !== undefined)?.state;
  if (state !== undefined) return state;
  return units.some((unit) => unit.state === 'too-large') ? 'too-large' : null;
}
