/** Words on the marked lines of files that were read for an answer: the next question need not read those files again. */
import { remember } from '../../base/remember.js';
import type { GraphFile } from '../../graph/types.js';
import type { Session } from '../../session/session.js';

const KNOWN = new WeakMap<Session, MarkedWords>();

/** Files that are remembered, some hundred bytes each. */
const KEPT = 16_384;

export function markedWordsOf(session: Session): MarkedWords {
  const known = KNOWN.get(session) ?? new MarkedWords();
  KNOWN.set(session, known);
  return known;
}

/** By blob. Words are kept as numbers; two of one number make a file be looked at in vain. */
class MarkedWords {
  private readonly byBlob = new Map<string, Uint32Array>();

  has(oid: string): boolean {
    return this.byBlob.has(oid);
  }

  add(oid: string, text: string, marked: RegExp): void {
    const found = new Set<number>();
    for (const line of text.split('\n')) {
      if (marked.test(line)) for (const [word] of line.matchAll(/\w+/g)) found.add(numberOf(word));
    }
    remember(this.byBlob, oid, Uint32Array.from(found).sort(), KEPT);
  }

  /** The files, by number, that are known to have one of the words on a marked line. */
  holding(files: readonly GraphFile[], words: readonly string[]): number[] {
    const wanted = words.map(numberOf);
    const found: number[] = [];
    for (const [file, { oid }] of files.entries()) {
      const numbers = this.byBlob.get(oid);
      if (numbers !== undefined && wanted.some((word) => isIn(numbers, word))) found.push(file);
    }
    return found;
  }
}

/** FNV-1a. */
function numberOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

function isIn(sorted: Uint32Array, value: number): boolean {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (sorted[middle] < value) from = middle + 1;
    else to = middle;
  }
  return sorted[from] === value;
}
