/**
 * Everything that the bytes of a syntax record depend on besides the blob and its language: versions of the parser and
 * the grammars, sizes of chunks.
 */
import { existsSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { packageFile, packageManifest } from '../base/runtime.js';
import type { Language } from '../languages/language.js';

/** Bump when extraction gives other facts for the same bytes. What each version brought is in the history of this file. */
export const SYNTAX_VERSION = 29;

/** Plain data for the syntax profile's fingerprint. */
export function syntaxFingerprint(): unknown {
  return { chunker: SYNTAX_VERSION, sizes: { ...SIZES }, grammars: { ...GRAMMAR_HASHES }, parser: PARSER_VERSION };
}

interface GrammarManifest {
  /** tree-sitter's version. */
  parser: string;
  /** Start of the SHA-256 of each module, by the grammar's name. */
  grammars: Readonly<Record<string, { from: string; sha256: string }>>;
}

const { parser, grammars } = JSON.parse(readFileSync(packageFile('grammars/manifest.json'), 'utf8')) as GrammarManifest;

/** tree-sitter and its grammars, which are part of the profile of every record. */
export const PARSER_VERSION = parser;
export const GRAMMAR_HASHES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(grammars).map(([name, { sha256 }]) => [name, sha256]),
);

export const NAPI_VERSION = packageManifest().dependencies['@ast-grep/napi'];

/**
 * Chunk sizes in UTF-16 units: a chunk fits an embedding window, reads as one thing and is about one thing. Half as large again finds no
 * more (NDCG@10 differs by less than two seeds of the model do), but ten results then cost 2,010 tokens instead of 1,420.
 */
export const SIZES = {
  /** No chunk is larger. */
  cap: 1_000,
  /** Neighbours are merged up to this. */
  merged: 700,
  /** A definition of this size is a chunk of its own, and a file of this size needs no cutting. */
  alone: 450,
  /** A part smaller than this isn't worth a boundary of its own. */
  part: 300,
  /** A chunk smaller than this joins a neighbour if one has room. */
  tiny: 150,
} as const;

// Files of grammars in the package

export interface GrammarStatus {
  available: string[];
  missing: string[];
}

/** Does the package have the grammar? Every complete one does. */
export function hasGrammar(grammar: string): boolean {
  return existsSync(fileOf(grammar));
}

/** Names of the grammars that languages have. They are handed in, since every question needs this module and few need all languages. */
export function grammarStatus(languages: Iterable<Language>): GrammarStatus {
  // A grammar can serve several languages: templates are read in the grammar of pages.
  const all = [...new Set([...languages].flatMap(({ grammar }) => grammar?.name ?? []))].sort();
  return { available: all.filter(hasGrammar), missing: all.filter((name) => !hasGrammar(name)) };
}

/** The WebAssembly module of a grammar. */
export function grammarCode(grammar: string): Uint8Array<ArrayBuffer> {
  return brotliDecompressSync(readFileSync(fileOf(grammar)));
}

/** Text of `grammars/tags/NAME.scm`. */
export function tagsFile(name: string): string {
  return readFileSync(packageFile(`grammars/tags/${name}.scm`), 'utf8');
}

const fileOf = (grammar: string): URL => packageFile(`grammars/${grammar}.wasm.br`);
