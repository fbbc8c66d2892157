/** The grammars of the package: their names and their code, and the queries of languages that data alone describes. */
import { existsSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { packageFile } from '../base/runtime.js';
import { allLanguages } from '../languages/registry.js';

export interface GrammarStatus {
  available: string[];
  missing: string[];
}

/** Does the package have the grammar? Every complete one does. */
export function hasGrammar(grammar: string): boolean {
  return existsSync(fileOf(grammar));
}

/** Names of the grammars that languages have. */
export function grammarStatus(): GrammarStatus {
  // A grammar can serve several languages: templates are read in the grammar of pages.
  const all = [...new Set([...allLanguages()].flatMap(({ grammar }) => grammar?.name ?? []))].sort();
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
