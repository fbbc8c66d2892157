/** Finders of `grep`: each looks for one pattern in the text of a file. */
import type { TreeMatch } from '../../extract/structural.js';
import { type Hit, hitsOf } from '../../search/grep/hits.js';
import { mayMatch, maySlow, type Pattern } from '../../search/grep/pattern.js';
import type { SlowSearch } from '../../search/grep/slow-search.js';
import { type Trigrams, trigramsOf } from '../../search/grep/trigrams.js';
import type { GrepFile } from './files.js';

/** A hit; in structural search one match with what its variables captured. */
export interface FoundHit extends Hit {
  match?: TreeMatch;
}

/** Reason why a file was not searched: its parser failed or took too long. */
export const NOT_PARSED = 'not-parsed';

export interface Finder {
  /** Reason why a file is not searched, known from its path; null for none. */
  skips: (file: GrepFile) => string | null;
  /** Condition on blobs that may have hits. */
  trigrams: Trigrams | null;
  mayMatch: (bytes: Buffer) => boolean;
  /** Hits in order, with null where some time has passed, or the reason why the file could not be searched. */
  hits: (
    text: string,
    file: GrepFile,
    bytes: Buffer,
  ) => Iterable<FoundHit | null> | Promise<readonly FoundHit[] | string>;
  close: () => void;
}

/** Time for the matching of short texts in all files, in milliseconds: ordinary patterns search 2 GB in it. */
const ALL_MS = 30_000;
/** Reason why a file was not searched: the pattern took too long. */
export const TOO_SLOW = 'too-slow';

export function lineFinder(pattern: Pattern, signal?: AbortSignal): Finder {
  let slow: SlowSearch | null = null;
  signal?.addEventListener('abort', () => slow?.close(), { once: true });
  let spent = 0;
  function* counted(hits: Iterable<FoundHit | null>): Generator<FoundHit | null> {
    let from = performance.now();
    for (const hit of hits) {
      spent += performance.now() - from;
      yield hit;
      from = performance.now();
    }
    spent += performance.now() - from;
  }
  const hitsInTime = async (text: string) => {
    slow ??= new (await import('../../search/grep/slow-search.js')).SlowSearch(pattern);
    return (await slow.search(text)) ?? TOO_SLOW;
  };
  return {
    skips: () => null,
    trigrams: trigramsOf(pattern),
    mayMatch: (bytes) => mayMatch(pattern, bytes),
    hits(text) {
      if (maySlow(text, pattern)) return hitsInTime(text);
      return spent > ALL_MS ? Promise.resolve(TOO_SLOW) : counted(hitsOf(text, pattern));
    },
    close: () => slow?.close(),
  };
}
