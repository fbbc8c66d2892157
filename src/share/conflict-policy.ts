/** Decides which of two different notes for one blob survives a union. */

import { NOTES_PREFIX } from '../git/repository.js';
import type { ConflictPolicy } from '../git/unite.js';
import { kindOfRef } from '../knowledge/kinds.js';
import { MAX_RECORD_BYTES } from '../record/limits.js';
import { isRecord } from '../record/store.js';

/**
 * Prefers a note that is a valid record, or entry, of the ref's kind over one that is not. Without this rule a broken note that
 * a user pushed would never be replaced.
 */
export async function conflictPolicyOf(ref: string): Promise<ConflictPolicy> {
  const entryKind = kindOfRef(ref);
  if (entryKind !== null) {
    // Loaded here: most repositories have no entries.
    const { inspectEntry } = await import('../knowledge/inspect.js');
    return { maxBytes: MAX_RECORD_BYTES, isValid: (id, entry) => inspectEntry(entryKind, entry, id).ok };
  }
  const kind = ref.slice(NOTES_PREFIX.length + 1).split('/')[0];
  return { maxBytes: MAX_RECORD_BYTES, isValid: (target, note) => isRecord(kind, note, target) };
}
