/** Types of the pair makers: a source file and its pairs. Offsets are UTF-16 units of `text`. */
import { createHash } from 'node:crypto';
import type { ChunkKind, SymbolKind } from '../../../src/extract/facts.js';
import { PAIRS } from '../recipe.js';

export const PAIR_KINDS = ['doc', 'name', 'inline', 'test', 'heading', 'path', 'message'] as const;
export type PairKind = (typeof PAIR_KINDS)[number];

/**
 * Training example, one line of a package's JSONL file. The texts are as written; the trainer splits them into terms.
 */
export interface Pair {
  kind: PairKind;
  /** Id of `src/extract/languages.ts`. */
  language: string;
  /** Path within the package, with `/`. */
  file: string;
  query: string;
  code: string;
}

/** Pair from a pair maker; its caller adds language and file. */
export type Draft = Pick<Pair, 'kind' | 'query' | 'code'> & {
  /** Words of a test's title, which may start with the name of the tested function. */
  subject?: string;
};

/** Data for other files of the package: tests look up the tested function by name. */
export interface FilePairs {
  pairs: Pair[];
  /** Functions by the words of their names, without those of test files. */
  functions: [words: string, code: string][];
  tests: { subject: string; pair: Pair }[];
}

export interface Range {
  start: number;
  end: number;
}

export interface Definition extends Range {
  name: string;
  /** Name of the enclosing definition, '' at top level. */
  container: string;
  kind: SymbolKind;
  doc: Range | null;
}

export interface Source {
  path: string;
  language: string;
  text: string;
  /** True if the path is that of a test file. */
  test: boolean;
  definitions: Definition[];
  chunks: (Range & { kind: ChunkKind })[];
}

/** Hashes a text to an evenly distributed 32-bit number, by which every "random" choice is made reproducibly. */
export function hashOf(text: string): number {
  return createHash('sha1').update(text).digest().readUInt32BE(0);
}

/** Cuts code for a pair at the end of a line, and removes blank lines at both ends. */
export function cutCode(code: string, longest: number = PAIRS.longestCode): string {
  const whole = code.replace(/\r/g, '');
  const trimmed = whole.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
  if (trimmed.length <= longest) return trimmed;
  const at = trimmed.lastIndexOf('\n', longest);
  return trimmed.slice(0, at > longest / 2 ? at : longest).trimEnd();
}
