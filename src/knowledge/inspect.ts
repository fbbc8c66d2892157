/** Checks entries of any kind by its name, with the codecs of all kinds. */
import type { DecodeFault } from '../record/format.js';
import { decodeEntry, type EntryKind, NOTES, type Revealed, TAGS } from './entry.js';
import { EVIDENCE } from './evidence.js';
import { SUMMARIES } from './summary.js';
import { TASKS } from './task.js';

// biome-ignore lint/suspicious/noExplicitAny: body and kind belong together inside a kind only.
const CODECS: readonly EntryKind<any>[] = [NOTES, TASKS, TAGS, SUMMARIES, EVIDENCE];

export type EntryVerdict = { ok: true; revealed: Revealed } | { ok: false; reason: DecodeFault; detail: string };

/** Checks an entry of a kind by its name, and returns what it reveals about the repository. Never throws. */
export function inspectEntry(kind: string, bytes: Uint8Array, id: string): EntryVerdict {
  const known = CODECS.find(({ name }) => name === kind);
  if (known === undefined) return { ok: false, reason: 'not-a-record', detail: `${kind} is no kind of knowledge` };
  const decoded = decodeEntry(known, bytes, id);
  return decoded.ok ? { ok: true, revealed: known.reveals(decoded.record.body) } : decoded;
}
