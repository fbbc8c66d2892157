/** Finders of `grep`: each looks for one pattern in the text of a file. */
import type { TreeMatch } from '../../extract/structural.js';
import { type Hit, hitsOf } from '../../search/grep/hits.js';
import { mayMatch, type Pattern } from '../../search/grep/pattern.js';
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

export function lineFinder(pattern: Pattern): Finder {
  return {
    skips: () => null,
    trigrams: trigramsOf(pattern),
    mayMatch: (bytes) => mayMatch(pattern, bytes),
    hits: (text) => hitsOf(text, pattern),
    close: () => {},
  };
}
