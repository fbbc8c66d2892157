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

/** A chunk is either what its main symbol is, or one of the kinds without a symbol. */
export const PLAIN_CHUNK_KINDS = ['imports', 'comment', 'code', 'text', 'data', 'markup', 'style'] as const;
export type PlainChunkKind = (typeof PLAIN_CHUNK_KINDS)[number];
export type ChunkKind = SymbolKind | PlainChunkKind;
