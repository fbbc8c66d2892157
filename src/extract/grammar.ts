/** Parses with the grammars of the package: WebAssembly modules in `grammars/`, each loaded when its first file turns up. */
import { grammarCode, hasGrammar } from './grammar-files.js';
import type { SyntaxTree } from './syntax-tree.js';
import { WasmParser } from './wasm-parser.js';

const parsers = new Map<string, WasmParser | null>();

/**
 * The tree of a text, or null without a grammar. `source`: the text that its nodes show, where another one of the same length is
 * parsed. Throws if the parser fails.
 */
export function parseWithGrammar(grammar: string, text: string, source = text): SyntaxTree | null {
  let parser = parsers.get(grammar);
  if (parser === undefined) {
    parser = hasGrammar(grammar) ? new WasmParser(grammarCode(grammar)) : null;
    parsers.set(grammar, parser);
  }
  return parser?.parse(text, source) ?? null;
}
