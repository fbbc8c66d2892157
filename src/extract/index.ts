/** `extract`: bytes + language -> chunks and symbols. Pure; its only I/O is loading grammars once. */
export { detectLanguage, isBinaryPath, needsContent } from '../languages/detect.js';
export { LANGUAGE_IDS } from '../languages/registry.js';
export { loadAllRules, loadRules } from '../languages/rules.js';
export { type ExtractOptions, extract } from './extract.js';
export * from './facts.js';
export { grammarStatus } from './grammar-files.js';
export { GRAMMAR_HASHES, PARSER_VERSION } from './pins.js';
export { qualifiedName } from './symbols.js';
export { decode } from './text.js';
export { SYNTAX_VERSION, syntaxFingerprint } from './version.js';
