/** Tells which lines of a file are new or changed since an older version of it. */
import type { Session } from '../session.js';
import { MAX_BYTES } from './read.js';

/** Lines of an older version of a file. */
export interface OldLines {
  /** Returns a test for lines of the newer text: true for one that the older text has less often, or nowhere. */
  isNew: (text: string) => (line: string) => boolean;
}

/**
 * Lines are compared as a multiset, not in order: a line that only moved inside of its file is not new, and where one more copy of a
 * line is written, all copies count as new. Null for a blob that cannot be read: every line counts.
 */
export async function linesBefore({ objects }: Session, oid: string): Promise<OldLines | null> {
  const info = await objects.info(oid);
  const object = info?.type === 'blob' && info.size <= MAX_BYTES ? await objects.read(oid) : null;
  if (object === null) return null;
  const before = countLines(object.content.toString('utf8'));
  return {
    isNew(text) {
      const now = countLines(text);
      return (line) => (now.get(line) ?? 0) > (before.get(line) ?? 0);
    },
  };
}

function countLines(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}
