/** Kinds of symbols and of chunks: the closed lists that rules of languages choose from. */

/** Kinds of definitions, a closed list so that records stay small and filters predictable. */
export const SYMBOL_KINDS = [
  'function',
  'method',
  'constructor',
  'class',
  'interface',
  'trait',
  'struct',
  'enum',
  'enum-member',
  'type',
  'module',
  'namespace',
  'constant',
  'variable',
  'field',
  'property',
  'macro',
  'object',
  'section',
  'table',
  'selector',
  'key',
  'impl',
] as const;
export type SymbolKind = (typeof SYMBOL_KINDS)[number];

/** A chunk is either what its main symbol is, or one of the kinds without a symbol. `output`: a program made it, and no search looks into it. */
export const PLAIN_CHUNK_KINDS = ['imports', 'comment', 'code', 'text', 'data', 'markup', 'style', 'output'] as const;
export type PlainChunkKind = (typeof PLAIN_CHUNK_KINDS)[number];
export type ChunkKind = SymbolKind | PlainChunkKind;

/** Kinds by the names that people and other tools use (data). */
const KIND_ALIASES: Readonly<Record<string, ChunkKind>> = {
  func: 'function',
  fn: 'function',
  fun: 'function',
  def: 'function',
  ctor: 'constructor',
  enummember: 'enum-member',
  mod: 'module',
  ns: 'namespace',
  package: 'module',
  const: 'constant',
  var: 'variable',
  let: 'variable',
  attribute: 'field',
  prop: 'property',
  typealias: 'type',
  import: 'imports',
  doc: 'text',
  docs: 'text',
};

/** The kind that people mean by a word, in any case, or the word itself: `func` -> `function`. */
export function kindMeant(word: string): string {
  const wanted = word.toLowerCase();
  return Object.hasOwn(KIND_ALIASES, wanted) ? KIND_ALIASES[wanted] : wanted;
}
