/** Node of a syntax tree, as the rules of languages see it. Positions count UTF-16 units of the parsed text. */
export interface SyntaxNode {
  /** Kind in the grammar; of tokens without a name their text. */
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  /** Long nodes are long texts: slice the source where a few characters will do. */
  readonly text: string;
  readonly parent: SyntaxNode | null;
  /** With tokens that have no name. */
  readonly children: readonly SyntaxNode[];
  readonly namedChildren: readonly SyntaxNode[];
  /** Siblings, with tokens that have no name. */
  readonly previous: SyntaxNode | null;
  readonly next: SyntaxNode | null;
  /** The first child in that field of the grammar. */
  field(name: string): SyntaxNode | null;
  fieldChildren(name: string): readonly SyntaxNode[];
}
