/** Places that have a tag: files, symbols and lines. */
import type { HandTag } from '../../../knowledge/tag.js';

export interface Target {
  ref?: string;
  committed?: boolean;
}

/** A tag that somebody gave by hand, with where its code is now. */
export type GivenTag = HandTag & { isShared: boolean; status: 'current' | 'moved' | 'stale' };

export interface TagPlace {
  path: string;
  /** Qualified name; null for a whole file, and for lines. */
  symbol: string | null;
  /** Null for a whole file. */
  lines: { start: number; end: number } | null;
  /** Indexes of the rules that gave the tag. */
  rules: number[];
  given?: GivenTag;
}

/** A symbol is itself wherever its lines are. */
export function keyOf({ path, symbol, lines }: Pick<TagPlace, 'path' | 'symbol' | 'lines'>): string {
  return JSON.stringify([path, symbol, symbol === null ? lines : null]);
}
