/** What the pair makers share: a file as they see it, and the pairs they give. Offsets are UTF-16 units of `text`. */
import { createHash } from 'node:crypto';
import type { ChunkKind, SymbolKind } from '../../../src/extract/facts.js';
import { PAIRS } from '../recipe.js';

export const PAIR_KINDS = ['doc', 'name', 'inline', 'test', 'heading', 'path', 'message'] as const;
export type PairKind = (typeof PAIR_KINDS)[number];

/** One training example, a line of a package's JSONL file. Texts as written: the trainer cuts them into terms. */
export interface Pair {
  kind: PairKind;
  /** Id of `src/extract/languages.ts`. */
  language: string;
  /** Path within the package, with `/`. */
  file: string;
  query: string;
  code: string;
}

/** What a pair maker gives; language and file are added by its caller. */
export type Draft = Pick<Pair, 'kind' | 'query' | 'code'> & {
  /** Of a test: words that may start with the name of what it tests. */
  subject?: string;
};

/** What other files of the package may need: tests look for what they test by name. */
export interface FilePairs {
  pairs: Pair[];
  /** Words of a function's name, and the function. Not from test files. */
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
  /** The path says that it holds tests. */
  test: boolean;
  definitions: Definition[];
  chunks: (Range & { kind: ChunkKind })[];
}

/** An even, reproducible 32-bit number for a text: every "random" choice is made by it. */
export function hashOf(text: string): number {
  return createHash('sha1').update(text).digest().readUInt32BE(0);
}

/** Code as it goes into a pair: cut at a line end, without blank lines at either end. */
export function cutCode(code: string, longest: number = PAIRS.longestCode): string {
  const whole = code.replace(/\r/g, '');
  const trimmed = whole.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
  if (trimmed.length <= longest) return trimmed;
  const at = trimmed.lastIndexOf('\n', longest);
  return trimmed.slice(0, at > longest / 2 ? at : longest).trimEnd();
}
