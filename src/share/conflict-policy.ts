/** Which of two different notes is worth keeping. */
import { NOTES_PREFIX } from '../git/notes.js';
import type { Judge } from '../git/unite.js';
import { MAX_RECORD_BYTES } from '../record/limits.js';
import { isRecord } from '../record/store.js';

/** What is no record of the ref's kind gives way to what is, or a stranger's broken note would stay for ever. */
export function conflictPolicyOf(ref: string): Judge {
  const kind = ref.slice(NOTES_PREFIX.length + 1).split('/')[0];
  return { maxBytes: MAX_RECORD_BYTES, isValid: (target, note) => isRecord(kind, note, target) };
}
