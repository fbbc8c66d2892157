/**
 * Format in which every language says how its imports, exports, uses, inheritance and bindings are found. The facts
 * themselves are described in `relation-facts.ts`. A language has one `RelationRules`, in the `relations.ts` of its folder.
 *
 * How it runs, per blob:
 * 1. One pass over the tree finds every node of the kinds in `nodes`.
 * 2. For each of them, in the order in which they end (inner before outer), its `NodeRule` is called: it looks at the source
 *    text around the node's position and states facts on the `FactSink`, and asks the tree around the node where that says it better.
 * 3. `definition` is called for every symbol of the file: fields, inheritance and results often stand in its signature,
 *    which costs no node at all.
 * 4. `text` is called once: expressions over the whole text for what needs no tree (`self.x = …`, `catch (e)`).
 * 5. `values` is run over the text for escaping values: functions that are passed on without being called.
 * Then the machinery adds lines and enclosing symbols by position, drops what nothing can ask for, and bounds the rest.
 *
 * Facts carry offsets, in UTF-16 units of `sink.source`. The enclosing symbol is the innermost definition around the
 * offset `at` (attributes and decorators before a definition are inside it), so that rules never look for symbols.
 * Rules must be total: any text, any tree. Nothing may look further than a bounded distance from where it starts
 * (nested nodes are called for each level), and expressions must not backtrack: no nested quantifiers.
 *
 * Ready-made rules are in `call-rules.ts` (`calls`, `typeNames`), scanners in `scan.ts`.
 */
import type { LanguageId } from '../ids.js';
import type { SymbolKind } from './definitions.js';
import type { ImportedName, ImportKind, ReferenceKind, StatedImport } from './relation-facts.js';
import { splitList, type TextRange } from './scan.js';

/** How a language spells expressions, for reading access paths out of its text. */
export interface LexicalConventions {
  /** Separators of names, longest first: `['?.', '.']`. Each becomes `.` in access paths. */
  joins: readonly string[];
  /** The join that may begin an access path: `\\A\\B`, `::A`. It is left out. */
  leading?: string;
  /** Statements end with their line: a bracket on the next one belongs to nothing before it. */
  lines?: boolean;
  /** Characters of names beyond letters, digits and `_`: `$@`. */
  nameExtra?: string;
  /** Characters after a name, call or index that change nothing: `!` of TypeScript, `?` of Rust. */
  postfix?: string;
  /** Words before an expression that change nothing (`await`), where they stand at its beginning. */
  prefixes?: readonly string[];
  /** Word before a call that makes it an instance: `new`. */
  newWord?: string;
  /** Text after an expression that changes nothing: a cast, ` as X`. Run over the end of its text. */
  cast?: RegExp;
  /** Name of the type in such a cast: group 1. The expression is an instance of it. */
  castType?: RegExp;
  /** Such a cast to a type that tells nothing: `as any`. */
  castAway?: RegExp;
  /** Brackets of type arguments before an argument list, which are left out of access paths: `f<T>(x)`, `f[T](x)`. */
  typeArguments?: '<>' | '[]';
  /** Normal form of the first name of an access path: `self` -> `this`, `@x` -> `this.x`, `$x` -> `x`. `join` follows it ('' for none). */
  root?: (name: string, join: string) => string;
  /** Normal form of a name behind `join`: `$x` -> `x` behind `::`. */
  member?: (name: string, join: string) => string;
  /** Members of strings are read too, as those of `""`: functions can extend them. */
  literals?: boolean;
  /** Characters that open and close strings. */
  quotes: string;
  /** Starts of line comments, and the brackets of block comments. */
  lineComments: readonly string[];
  blockComment?: readonly [open: string, close: string];
  /** Text between the brackets of a member whose name is a constant: `cart[STATE_KEY]` is read as `cart.@STATE_KEY`. */
  computed?: RegExp;
  /** Arguments whose text starts so hide how many there are (`...`, `*`). */
  spread?: RegExp;
}

/** A node that the query found. */
export type NodeView = SyntaxNode;

/** A symbol of the file. */
export interface DefinitionView {
  readonly kind: SymbolKind;
  readonly name: string;
  /** Kind of the symbol around it, null at top level. */
  readonly container: SymbolKind | null;
  /** The whole definition with attributes; the name; where the signature ends and the body begins (= after head, before `{`, `=`, `=>`). */
  readonly start: number;
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly signatureEnd: number;
  readonly end: number;
  /** Its documentation: a comment before it, or a docstring inside. */
  readonly doc: { start: number; end: number } | null;
}

/** An access path (see `relations.ts`) and where its text starts. `accessPath` is '' where no expression ends, `?` where it can't be followed. */
export interface AccessPath {
  accessPath: string;
  start: number;
  /** Offset of the last name of the access path; `start` if it has none. */
  nameStart: number;
  /** `LexicalConventions.newWord` is before it, and `start` is at that word. */
  isNew: boolean;
}

/** The source that a rule reads, and the sink on which it states facts. Facts that are too long or cannot be followed are dropped silently. */
export interface FactSink {
  readonly source: string;
  readonly rules: RelationRules;

  /** `at` to `end` is the statement. `names` as the language's conventions say. */
  import(at: number, end: number, kind: ImportKind, specifier: string, names?: readonly ImportedName[]): void;
  export(at: number, name: string, local: string): void;
  /**
   * A use of `accessPath`, whose last name is the name used and the rest the receiver; dropped if it is `?` or ends in `()` or `[]`.
   * `at`: where the last name stands. Several uses at one offset: the first of new, call, decorator, extends, implements, type, value, write, read stays.
   * `extends` and `implements`: stated inside the type that inherits; where they stand apart from it (an impl block, a
   * `prototype`), name the type in `of`: the first symbol of that name in the file becomes the reference's symbol.
   * `value` is kept only for names the file imports or defines, and for members of `this`.
   */
  reference(at: number, end: number, kind: ReferenceKind, accessPath: string, extra?: ReferenceExtra): void;
  /** A parameter or a local. Its scope is the innermost function around `at`. Without type and value it only shadows. */
  local(at: number, name: string, type: string, value: string): void;
  /** A value assigned to a local that is declared elsewhere: from there on the local has it. */
  assigned(at: number, name: string, value: string): void;
  /** A field. Its scope is the innermost type around `at`, or the type named `of`. */
  field(at: number, name: string, type: string, value: string, of?: string): void;
  /** A local, or a field if it is in the body of a type itself: languages that spell both alike. */
  variable(at: number, name: string, type: string, value: string): void;
  /** The result of the innermost function around `at`, if `at` is in its signature (or `inBody`). The first one counts. */
  result(at: number, type: string, value: string, inBody?: boolean): void;
  /** `{}`, `{=}` or `{this}` of the innermost function around `at` (see `relation-facts.ts`), if `at` is in its signature. The first one counts. */
  given(at: number, what: '{}' | '{=}' | '{this}', type: string, value?: string): void;
  /** The bound of a type parameter of the innermost function or type around `at`. */
  bound(at: number, name: string, type: string): void;
  /** Between these offsets names that are no locals can be members of the value of `accessPath`, which ends in `{=}`. */
  implied(start: number, end: number, accessPath: string): void;
  /** The declared type of a parameter, by its number, of the innermost function around `at`, which is in its signature. */
  parameter(at: number, index: number, type: string): void;
  /** Names before a colon between these offsets are members of the value of an access path; '' if it isn't known. */
  literal(start: number, end: number, accessPath: string): void;
  /** `type X = Y`, or a value that is exported without a name of its own: scope -1, always kept. */
  alias(at: number, name: string, type: string, value?: string): void;
  /** Locals that are stated between these offsets are known there only. */
  closure(start: number, end: number): void;
  /** A local has that type, or the value of that access path, between these offsets: `if isinstance(cart, Basket):`. */
  narrowed(start: number, end: number, name: string, type: string, value?: string): void;
  /** Between these offsets the value of that access path is known better, by a mark: `cart(kind=open)`. */
  narrowedPath(start: number, end: number, path: string, mark: string): void;
  /** Between these offsets a type of that name is declared that is no symbol: uses of the name as a type mean nothing that is known. */
  hidden(start: number, end: number, name: string): void;
  /** Marks the name at `at` as a declaration: no rule can make a use of it (`cart` of `Cart cart(1)`). */
  declared(at: number): void;
  /**
   * A name that means a type parameter: uses of it as a type are dropped unless the file also imports or defines it. With `at`, in the
   * head of a type or function, it is known there, and `bound` is the type that arguments must have.
   */
  typeParameter(name: string, at?: number, bound?: string): void;

  /** The access path whose text ends at `end` (white space and comments before it skipped): read backwards, bounded. */
  accessPathBefore(end: number): AccessPath;
  /** The access path of the whole expression [from, to), prefixes and casts stripped; '' if it is none or can't be followed. */
  accessPath(from: number, to: number): string;
  /** Remembers the access path of a call (or of anything with a value) that ends at `end`, so that access paths that go on after it find it. */
  remember(end: number, start: number, accessPath: string): void;
  /** Counts the arguments between the brackets at `open` and before `close` (the offset after the closing one). */
  arguments(open: number, close: number): ArgumentList;
  /** Offset after the bracket that closes the one at `open`, at most `limit`; brackets of `RelationRules.brackets` are jumped over. */
  closing(open: number, limit: number): number;
}

export interface ReferenceExtra {
  args?: number;
  literal?: string;
  /** Name of the inheriting type, if the reference is outside of it. */
  of?: string;
}

export interface ArgumentList {
  /** -1: a spread hides it. */
  count: number;
  /** The first argument if it is a plain string, without quotes; else ''. */
  literal: string;
}

/** How uses of names are found that no rule states: properties, constants, classes as values. */
export interface NameRules {
  /** Node kinds whose text holds no names: comments, contents of strings, regular expressions. */
  opaque: readonly string[];
  /** Node kinds inside of those whose text is code again: interpolations. */
  code?: readonly string[];
  /** Words that are no names. */
  keywords: ReadonlySet<string>;
  /** Keywords in some places, names in others: they count where the file defines or imports them. */
  softKeywords?: ReadonlySet<string>;
  /** A name that the file neither imports nor defines can be a symbol of another file, or a member of the enclosing type. */
  unimported?: boolean;
  /** First character of variables that are never symbols. */
  localPrefix?: string;
  /** `{name: value}` writes a property, and so does `{name}`. See `FactSink.literal`. */
  keys?: boolean;
  /** Character after the name of an argument: `total(tax: 2)`, `total(tax=2)`. Such a name is a parameter's. */
  labels?: ':' | '=';
  /** The character before the bracket of an interpolation, in languages with `keys`: the name in `${total}` is no key. */
  interpolation?: string;
  /** A name in an interpolation can have a format behind it: `{total:F1}`. */
  formats?: boolean;
}

export type NodeRule = (view: NodeView, sink: FactSink) => void;

export interface RelationRules {
  lexical: LexicalConventions;
  /** By node kind of the grammar. A kind that the grammar doesn't know is an error that a test finds. */
  nodes: Readonly<Record<string, NodeRule>>;
  /** Kinds in `nodes` that are looked for among the root's children only, which costs nothing: chunks are made of them. */
  top?: readonly string[];
  /** Kinds in `nodes` (argument lists) whose text starts and ends with a bracket: their ends are known before any rule runs, so that scanning jumps over nested ones and stays linear. */
  brackets?: readonly string[];
  /** Kinds of functions without a name: names that are bound inside mean nothing outside, though no symbol says so. Looked for only where a name is bound there and elsewhere. */
  callbacks?: readonly string[];
  definition?: (definition: DefinitionView, sink: FactSink) => void;
  text?: (sink: FactSink) => void;
  /**
   * With flag `g`: group 1, at the end of the match but for white space, is the text of an access path that is handed on (`(cart`, `= cart`,
   * `: cart`; what must follow is a lookahead). Candidates in comments and imports, at positions of other facts, and of names that
   * the file neither imports nor defines are dropped.
   */
  values?: RegExp;
  /** Absent: only the uses that rules state are known. */
  names?: NameRules;
  /** Types that are never in a repository: primitives and the like. Bare names in them are no references of kind `type`. */
  ignoredTypes?: ReadonlySet<string>;
  /** Functions that are never in a repository, by the bare name of a call: `print`, `len`. Left out only where the file neither imports nor defines the name. */
  ignoredCalls?: ReadonlySet<string>;
  /** Access paths that start with these names are left out (`console.log`, `new Map`), where the file doesn't import, define or bind the name. */
  ignoredRoots?: ReadonlySet<string>;
  /** Values of local names that are kept where they are handed on, though they are no functions: a group of routes in `Register(v1)`. */
  handedValues?: RegExp;
  /** Names of calls whose first argument, if a string, tells something (a route, a command, a test). */
  literalCalls?: ReadonlySet<string>;
}

/** How files of markup with scripts (Vue, Svelte) are read: scripts by the rules of their own language, the rest by these. */
export interface TemplateRules {
  /** Language of a script, from the attributes of its tag. */
  scriptLanguage(attributes: string): LanguageId;
  /** Lists of names that count in the whole file. */
  names: RelationRules;
  /** With flag `g`: the first group that takes part is the text of an expression. */
  expressions: RegExp;
  /** Components can be written with dashes: `cart-list` for `CartList`. */
  dashed: boolean;
  /** Path of what a tag with these attributes loads, null if nothing. */
  loadedBy(tag: string, attributes: string): string | null;
  /** Imports of the style statement `text`, which starts at `at`. */
  styleImports(text: string, at: number): StatedImport[];
}

/** How files are read that have braces and no grammar (SCSS, LESS). */
export interface BraceRules {
  /** Imports of the statement `text`, which starts at `at`. */
  imports(text: string, at: number): StatedImport[];
}

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

// Ready-made rules for nodes that most grammars have.

export interface Call {
  /** The callee: what stands before the argument list. */
  callee: AccessPath;
  /** Last name of the callee, and the access path before it. */
  name: string;
  receiver: string;
  list: ArgumentList;
  /** From the callee's start to the end of the argument list. */
  start: number;
  end: number;
  view: NodeView;
}

interface CallOptions {
  /** An argument that is a class says of which type the result is: `get(Cart)` stays in access paths as it is written. */
  classes?: RegExp;
  /** Type arguments before an argument list: the first one stays in access paths, too (`load(<Cart>)`). */
  typed?: RegExp;
  /** Looks at a call before it becomes a reference; true: it is something else (`require`, `import`). Its value is remembered anyway. */
  special?: (call: Call, sink: FactSink) => boolean;
  /** Kind of the reference, where the text before the callee (`@`, …) or the name tells. Default: `new` after `newWord`, else `call`. */
  kind?: (call: Call, sink: FactSink) => ReferenceKind | null;
}

/** UTF-16 units of an argument list in which a class is looked for, and before it for type arguments. */
const MAX_CLASS_LENGTH = 60;
const MAX_TYPES_LENGTH = 120;

/**
 * For argument lists (list their kind in `RelationRules.brackets` too): the callee is the access path that ends before the list. What the call
 * stands for is remembered, so that access paths through it cost nothing.
 */
export function calls({ special, kind, ...options }: CallOptions = {}): NodeRule {
  return (view, sink) => {
    const callee = sink.accessPathBefore(view.start);
    const { accessPath, isNew } = callee;
    const made = isNew && !accessPath.startsWith('new ') ? 'new ' : '';
    const given = made === '' ? typeGiven(view.start, sink, options) : '';
    const value = accessPath === '' || accessPath.startsWith('?') ? '?' : `${made}${accessPath}(${given})`;
    sink.remember(view.end, callee.start, value);
    if (accessPath === '' || accessPath === '?') return;
    const dot = accessPath.lastIndexOf('.');
    const name = accessPath.slice(dot + 1);
    const list = sink.arguments(view.start, view.end);
    const receiver = dot === -1 ? '' : accessPath.slice(0, dot);
    const call: Call = { callee, name, receiver, list, start: callee.start, end: view.end, view };
    if (special?.(call, sink)) return;
    const defaultKind = isNew && !accessPath.includes('()') ? 'new' : 'call';
    const found = kind === undefined ? defaultKind : kind(call, sink);
    if (found === null) return;
    const literal = found === 'decorator' || sink.rules.literalCalls?.has(name) ? list.literal : '';
    sink.reference(callee.nameStart, view.end, found, accessPath, { args: list.count, literal });
  };
}

/** The type argument of the call whose argument list starts at `start`, else the class that it is given; '' for neither. */
function typeGiven(start: number, { source }: FactSink, { classes, typed }: CallOptions): string {
  const type =
    source[start - 1] === '>'
      ? typed?.exec(source.slice(Math.max(0, start - MAX_TYPES_LENGTH), start))?.[1]
      : undefined;
  if (type !== undefined) return `<${type}>`;
  return classes?.exec(source.slice(start, start + MAX_CLASS_LENGTH))?.[1] ?? '';
}

/** For names of types: a reference of kind `type`, with the access path before it where the type is qualified. */
export function typeNames(): NodeRule {
  return ({ start, end }, sink) => {
    const { joins } = sink.rules.lexical;
    const qualified = joins.some((join) => sink.source.startsWith(join, start - join.length));
    if (!qualified) sink.reference(start, end, 'type', sink.source.slice(start, end));
    else sink.reference(start, end, 'type', sink.accessPathBefore(end).accessPath);
  };
}

// Functions and types that are passed to other code: names that are whole elements of a list.

/** A signature or a list longer than this is a table, not code. */
export const MAX_LIST_LENGTH = 4_000;

/** The elements of a list, none if it is too long to be looked at. */
export function elementsOf(from: number, to: number, { source, rules }: FactSink, angles = false): TextRange[] {
  return to - from > MAX_LIST_LENGTH ? [] : splitList(source, from, to, ',', rules.lexical, angles);
}

/**
 * States a reference of kind `value` for each element that matches: `name` captures an access path and nothing else matters
 * (`key: name`, `&name`).
 */
export function handedOn(from: number, to: number, name: RegExp, sink: FactSink): void {
  if (to - from < 2) return;
  for (const { start, end } of elementsOf(from, to, sink)) {
    if (end - start > MAX_ELEMENT_LENGTH) continue;
    const text = sink.source.slice(start, end);
    const written = name.exec(text)?.[1];
    if (written === undefined) continue;
    const at = start + text.lastIndexOf(written);
    const found = sink.accessPathBefore(at + written.length);
    if (found.start === at) sink.reference(found.nameStart, at + written.length, 'value', found.accessPath);
  }
}

/** Names with their keys are shorter. */
const MAX_ELEMENT_LENGTH = 150;
