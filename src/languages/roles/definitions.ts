/**
 * The one format in which every language describes its definitions. Rules are data: node kinds of the grammar, paths to the name and the
 * body, and regular expressions over short pieces of source text.
 */
import type { LanguageId } from '../ids.js';
import type { SyntaxNode } from './relations.js';

/** A condition on a node, as plain data: the part of ast-grep's rules that `extract/syntax-tree.ts` knows. */
export type NodeRule = { [key: string]: unknown };

/** A kind by evidence: the first pattern that matches decides, null means "not a definition". */
export type KindByText = ReadonlyArray<readonly [RegExp, SymbolKind | null]>;

/**
 * Steps from a definition's node, separated by `/`: `name` is a field, `name*` the same field again and again while
 * it exists (`name*!kind`: up to a node of that kind), `>kind` the first child of that kind, `name?` and `>kind?` what may be absent.
 */
export type NodePath = string;

/** Visible outside the file? All conditions given must hold. */
export interface ExportRule {
  /** Must match the text from the definition's start to its name (modifiers, keywords). */
  head?: RegExp;
  /** Must not match that text. */
  notHead?: RegExp;
  /** Must match the name. */
  name?: RegExp;
  /** Members of types are visible whatever the conditions say (C++: `static` hides outside of classes only). */
  members?: boolean;
  /** Must be in a wrapper that exports (JavaScript's `export` statement). */
  wrapped?: boolean;
  /** Kinds of nodes that it must not be in, if it is in no symbol: functions without a name. */
  notIn?: readonly string[];
}

export interface Definition {
  /** Node kinds of the grammar. A kind belongs to one definition of a language only. */
  node: string | readonly string[];
  /** Kind of the symbol, before `member`, `head`, `by` and `tail` refine it (in this order). */
  kind: SymbolKind;
  /** Kind if the nearest enclosing symbol is a type. */
  member?: SymbolKind;
  /** Kind by the grammar kind of another node; `*` stands for every other kind. */
  by?: { path: NodePath; kinds: Readonly<Record<string, SymbolKind | null>> };
  /** Kind by the text from the definition's start to its name, or by the text after the name. */
  head?: KindByText;
  tail?: KindByText;
  /** Path to the name; default `name`. */
  name?: NodePath;
  /** Instead of a path: group 1 of this sticky expression, run at the node's start. */
  nameText?: RegExp;
  /** Names that code puts together where it runs, such as methods of a loop over a list; null leaves the name to the rest of the rule. */
  generated?: (node: SyntaxNode, text: string) => readonly StatedName[] | null;
  /** Sticky, run where the name that the path leads to begins: the first group that matches is the name (`TEST(Cart, adds)`). */
  renamed?: RegExp;
  /** The name when the language writes none (`init`, `companion object`). */
  unnamed?: string;
  /** The name must match, or there is no symbol. */
  named?: RegExp;
  /**
   * Every step of the path to the name may lead to several nodes, one symbol each. `alone`: each name is its whole definition. `first`: only
   * the first step may, which is a field that is repeated (`declarator*`).
   */
  each?: boolean | 'alone' | 'first';
  /** Nodes in its signature that define symbols too. */
  parts?: DefinedParts;
  /** Text right before the node that belongs to the definition (`const ` before a declarator). */
  lead?: RegExp;
  /** Group 1, run over the text before the name, names the symbol that owns this one (Go receivers, `Owner::name`). */
  owner?: RegExp;
  /** As `owner`, run over the text before the object around the node: `Cart.prototype = { … }`. */
  ownerOfObject?: RegExp;
  /** A definition inside of it is none of its members: `a = b = 1`. */
  holdsNone?: true;
  /** It holds all that follows up to the end of the file: `namespace A.B;`. */
  holdsRest?: true;
  /** Path to the body, where the signature ends; default `body`. */
  body?: NodePath;
  /** The body is a following sibling of one of these kinds and belongs to the definition. */
  follow?: readonly string[];
  /** Further condition on the node. */
  where?: NodeRule;
  /** Kinds that the parent must have. */
  parents?: readonly string[];
  /** Not inside a function: locals are no symbols. `members`: those of a type in a function are. */
  outer?: boolean | 'members';
  /** Not in a node of one of these kinds behind such a text: locals in a body whose head the grammar could not read. */
  notBehind?: { kinds: readonly string[]; text: RegExp };
  /**
   * `query` (default): a query over the whole tree finds the node. `walk`: walking down from the root through `DefinitionRules.walk` or
   * `DefinitionRules.values` finds it, for nodes that only count at top level or in a class body.
   */
  found?: 'query' | 'walk';
  /** Overrides the language's rule. */
  exported?: ExportRule;
  /** Members of a definition whose signature matches are as visible as the definition, whatever they say themselves. */
  opens?: RegExp;
  /** Most symbols of this definition in a file (data files). */
  limit?: number;
}

/** Parameters that are members of the type: components of a record, promoted parameters of a constructor. */
export interface DefinedParts {
  /** Path to them; every step may lead to several nodes. */
  path: NodePath;
  definition: Omit<Definition, 'node' | 'parts'>;
  /** They are members of the type around the definition, whose name must match. */
  memberOf?: RegExp;
}

export interface Wrapper {
  /** Definitions inside are exported. */
  exports?: boolean;
  /** Found by walking only (see `Definition.found`). */
  walk?: boolean;
}

export interface DocStyle {
  /** Beginning of a documentation line, without indentation. */
  line?: RegExp;
  /** End and start of block comments. */
  block?: readonly [open: string, close: string];
  /** The first string in the body is the documentation (Python). */
  docstring?: boolean;
  /** The first attached sibling whose text matches is the documentation (Elixir). */
  attached?: RegExp;
}

/** How the words of a language without a grammar are written: `extract/token-tree.ts` makes its trees of them. */
export interface TokenForm {
  /** Beginnings and ends of comments; `\n` ends one at its line. */
  comments: readonly (readonly [open: string, close: string])[];
  /** Strings, longer openings first; `isLong`: over several lines. */
  strings: readonly { open: string; close: string; escape?: string; isLong?: boolean }[];
  /** Sticky. */
  word: RegExp;
  /** Sticky: text that counts for nothing, such as a literal that could be taken for a quote. */
  ignored?: RegExp;
  /** Marks that end a statement; with `endsBeforeSpace`, only in front of white space. */
  ends: string;
  endsBeforeSpace?: boolean;
  /** Brackets whose end is the end of a statement. */
  endsAfter?: 'block' | 'list';
  /** The end of a line is the end of a statement, unless this mark stands before it. */
  lines?: boolean;
  continued?: string;
  /** Brackets that have statements in them. */
  statementsIn: readonly string[];
  /**
   * Statements that open a block by their words, and those that close it: `function(…)` and `endfunction()`. `areFlat`: the next one that
   * opens a block closes the one before.
   */
  blocks?: { open: RegExp; close?: RegExp; areFlat?: boolean };
  /** Words that are statements of their own where one can begin. */
  alone?: RegExp;
  /** Sticky: beginning of a line that always stands outside of all brackets. */
  top?: RegExp;
}

/** A name and the offset where the text gives it. */
export interface StatedName {
  name: string;
  at: number;
}

export interface DefinitionRules {
  /** Without a grammar: how its words are written. `tags` finds definitions then. */
  tokens?: TokenForm;
  /** Returns a text of the same length to parse instead, if the grammar fails or needs quadratic time for odd input. */
  parsed?: (text: string) => string;
  /** Text to put before and behind a text that is parsed, if the grammar reads what it holds only in there. */
  framed?: (text: string) => readonly [before: string, behind: string] | null;
  /**
   * The text, of the same length, that is parsed once more where the grammar found mistakes in the first: without what it does not
   * know. The tree with fewer mistakes counts.
   */
  repaired?: (parsed: string, text: string) => string;
  /** Bodies of functions and where the heads begin, those in others left out, in order. The rest is read without broken lines of one. */
  bodies?: (text: string) => readonly (readonly [start: number, end: number, head: number])[];
  /** Nodes whose text is one of these words are mistakes, too: a keyword that was read as a name. */
  misread?: { kind: string; words: ReadonlySet<string> };
  /** Statements, anywhere in a text, by which a function says that it assigns names of the code around it; captures the names. */
  outerNames?: RegExp;
  /** Name of the file of queries, `grammars/tags/NAME.scm`, that finds definitions and references in place of `definitions`. */
  tags?: string;
  definitions: readonly Definition[];
  /** Declarations at top level can begin with a type instead of a keyword. */
  typed?: true;
  /** Between declarations macros can be called, whose text declares nothing: `MODULE_LICENSE("GPL")`. */
  macros?: true;
  /** Nodes that extend the definition they hold: `export`, decorators, templates. */
  wrappers?: Readonly<Record<string, Wrapper>>;
  /** Kinds to walk into for the definitions and wrappers that are found by walking. */
  walk?: readonly string[];
  /** Further kinds, with the kinds that their parents must have. */
  walkUnder?: Readonly<Record<string, readonly string[]>>;
  /** Nodes whose parent is a definition if the text before them matches: functions that are assigned. */
  values?: { kinds: readonly string[]; before: RegExp };
  /** Siblings that stand before a definition and belong to it: attributes, annotations. */
  attached?: {
    kinds: readonly string[];
    /** Last character before a definition that can end an attribute; for other characters no siblings are looked at. */
    ends: RegExp;
    /** Beginning of such a sibling, if its kind does not tell. */
    text?: RegExp;
  };
  /** Statements that make the import block, by node kind or by the text they start with. */
  imports?: readonly string[];
  importText?: RegExp;
  /** Nodes that only group others (import lists): their children are the pieces. */
  groups?: readonly string[];
  comments: readonly string[];
  docs: DocStyle;
  exported: ExportRule;
  /** Members with such a signature are never overridden: they are static, private or not virtual. */
  fixed?: RegExp;
  /** Variables with such a name are constants. */
  constants?: RegExp;
  /** Methods with this name are constructors. */
  constructors?: RegExp;
  /**
   * Expressions with flag g whose group 1 lists names that are exported elsewhere in the file. `needs` is a text without which there is no
   * match: most files lack it.
   */
  lateExports?: ReadonlyArray<{ needs: string; pattern: RegExp }>;
  /** Group 1 lists everything that a file exports, if the file has such a list (Haskell's module header). */
  exportList?: RegExp;
  /**
   * Members that methods declare by assigning them, with flag `g`, run over the text of methods. The match is the declaration; group 1 is
   * the name, behind the first dot.
   */
  assigned?: RegExp;
  /** Macros where the grammar expects none, with flags `g` and `m`: a list of values has some between its lines. Group 1 is the name. */
  macroLines?: RegExp;
  /** Names, beside their own, by which other code means the types of a file: selectors of components. */
  otherNames?: (text: string) => StatedName[];
  /** Functions in modules are methods (Ruby). */
  moduleMethods?: boolean;
  /** Consecutive definitions of one name are one symbol: all of them (equations), or declarations without a body. */
  merge?: 'clauses' | 'overloads';
  /** A line holding only this makes the definitions after it hidden (or visible again), up to their container's end. */
  visibility?: { hide: RegExp; show: RegExp };
}

// Kinds of symbols and of chunks: closed lists that the rules of languages choose from

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

/** Kinds of chunks without a symbol; other chunks have the kind of their main symbol. `output`: a program wrote it, and no search reads it. */
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

/** The kind that a word stands for, in any case, or the word itself: `func` -> `function`. */
export function resolveKind(word: string): string {
  const wanted = word.toLowerCase();
  return Object.hasOwn(KIND_ALIASES, wanted) ? KIND_ALIASES[wanted] : wanted;
}

// Documents: headings, and text that is set as code.

/** Pieces of a document in the order of its lines, which are 1-based. */
export type DocumentPart = Heading | CodeSpan | DocumentLink | CodeBlock;

export interface Heading {
  is: 'heading';
  line: number;
  /** 1 for the title. */
  level: number;
  text: string;
  /** Offsets of the heading's first line, and of its text, in UTF-16 units. */
  start: number;
  nameStart: number;
}

/** Words within a sentence that are set as code. */
export interface CodeSpan {
  is: 'code';
  line: number;
  text: string;
  /** The markup itself makes it a cross-reference to code of this project. */
  isReference?: boolean;
  /** The document itself describes the name, which need not be declared in code. */
  isDescribed?: boolean;
}

export interface DocumentLink {
  is: 'link';
  line: number;
  /** As written: an address, a path, an anchor. */
  target: string;
}

/** A sample of code. */
export interface CodeBlock {
  is: 'block';
  /** First line of the code. */
  line: number;
  /** Word for its language, as written; '' for none. */
  language: string;
  text: string;
}

/** Reads a text in linear time, whatever it holds. */
export type DocumentReader = (text: string) => DocumentPart[];

/** A piece of a document that is no section; it ends where the next one begins. */
export interface DocumentPiece {
  /** Offset in UTF-16 units. */
  start: number;
  /** A program wrote it: no search reads it. */
  isOutput: boolean;
}

/** How a document without a grammar is cut. */
export interface SectionRules {
  read: DocumentReader;
  /** Pieces beside the sections; absent if there are only sections. */
  pieces?: (text: string) => DocumentPiece[];
  /** Code of the document as one text; null for none, or for code of a language without rules here. */
  code?: (text: string) => CodeOfCells | null;
}

export interface CodeOfCells {
  text: string;
  language: LanguageId;
  /** Places in the document where each character of the text begins and ends, and where the text itself ends. */
  offsets: Uint32Array;
  ends: Uint32Array;
}

/** Longest text set as code, longest target of a link, longest heading: longer ones name no code. */
export const MAX_SPAN = 300;
