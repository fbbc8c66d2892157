/**
 * Format in which every language describes how its imports, exports, uses, inheritance and bindings are found. The facts themselves are
 * described in `relation-facts.ts`. A language has one `RelationRules`, in the `rules.ts` of its folder.
 *
 * How it runs, per blob:
 * 1. One pass over the tree finds every node of the kinds in `nodes`.
 * 2. For each of them, in the order in which they end (inner before outer), its `NodeRule` is called. It reads the source text around
 *    the node's position, or the tree around the node if that says more, and states facts on the `FactSink`.
 * 3. `definition` is called for every symbol of the file: fields, inheritance and results often stand in its signature, which costs no
 *    node at all.
 * 4. `text` is called once: expressions over the whole text for facts that need no tree (`self.x = …`, `catch (e)`).
 * 5. `values` is run over the text for escaping values: functions that are passed on without being called.
 * Then lines and enclosing symbols are added by position, facts that no question can need are dropped, and the rest is bounded.
 *
 * Facts carry offsets, in UTF-16 units of `sink.source`. The enclosing symbol is the innermost definition around the offset `at`;
 * attributes and decorators before a definition are inside it. So rules never look for symbols. Rules must be total: any text, any tree.
 * They may only look a bounded distance around their start, since nested nodes are called for each level. Expressions must not backtrack:
 * no nested quantifiers.
 *
 * Ready-made rules (`calls`, `typeNames`) are at the end of this file, scanners in `scan.ts`.
 */
import type { LanguageId } from '../ids.js';
import { headText } from './declarations.js';
import type { StatedName, SymbolKind } from './definitions.js';
import type { ImportedName, ImportKind, ReferenceKind, StatedImport } from './relation-facts.js';
import { beforeLast, lastPart, splitList, type TextRange } from './scan.js';
import { argumentTypes } from './type-expressions.js';

/** How a language spells expressions, for reading access paths out of its text. */
export interface LexicalConventions {
  /** Separators of names, longest first: `['?.', '.']`. Each becomes `.` in access paths. */
  joins: readonly string[];
  /** The join that may begin an access path and is left out of it: `\\A\\B`, `::A`. */
  leading?: string;
  /** Statements end with their line: a bracket on the next line does not continue them. */
  lines?: boolean;
  /** Characters of names beyond letters, digits and `_`: `$@`. */
  nameExtra?: string;
  /** Characters after a name, call or index that change nothing: `!` of TypeScript, `?` of Rust. */
  postfix?: string;
  /** Words at the beginning of an expression that change nothing: `await`. */
  prefixes?: readonly string[];
  /** Word before a call that makes it an instance: `new`. */
  newWord?: string;
  /** Text after an expression that changes nothing: a cast, ` as X`. Run over the end of its text. */
  cast?: RegExp;
  /** Name of the type in such a cast: group 1. The expression is an instance of it. */
  castType?: RegExp;
  /** Such a cast to a type without members: `as any`. */
  castAway?: RegExp;
  /** Brackets of type arguments before an argument list; access paths are without them: `f<T>(x)`, `f[T](x)`. */
  typeArguments?: '<>' | '[]';
  /** Normal form of the first name of an access path: `self` -> `this`, `@x` -> `this.x`, `$x` -> `x`. `join` follows it ('' for none). */
  root?: (name: string, join: string) => string;
  /** Normal form of a name behind `join`: `$x` -> `x` behind `::`. */
  member?: (name: string, join: string) => string;
  /** Are members of strings read too, as those of `""`? Functions can extend them. */
  literals?: boolean;
  /** Characters that open and close strings. */
  quotes: string;
  /** Starts of line comments, and the brackets of block comments. */
  lineComments: readonly string[];
  blockComment?: readonly [open: string, close: string];
  /** Text between the brackets of a member whose name is a constant: `cart[STATE_KEY]` is read as `cart.@STATE_KEY`. */
  computed?: RegExp;
  /** Beginnings of arguments that hide how many there are (`...`, `*`). */
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

/** An access path (see `relation-facts.ts`) and the start of its text. `accessPath` is '' if no expression ends there, `?` if it is unknown. */
export interface AccessPath {
  accessPath: string;
  start: number;
  /** Offset of the last name of the access path; `start` if it has none. */
  nameStart: number;
  /** Stands `LexicalConventions.newWord` before it? Then `start` is at that word. */
  isNew: boolean;
}

/** The source that a rule reads, and the sink on which it states facts. Facts that are too long or cannot be followed are dropped silently. */
export interface FactSink {
  readonly source: string;
  readonly rules: RelationRules;

  /** `at` to `end` is the statement. `names` follow the conventions of `ImportedName`. */
  import(at: number, end: number, kind: ImportKind, specifier: string, names?: readonly ImportedName[]): void;
  export(at: number, name: string, local: string): void;
  /**
   * A use of `accessPath`: its last name is the used name, the rest is the receiver. Dropped if it is `?` or ends in `()` or `[]`. `at`:
   * offset of the last name. Of several uses at one offset the first of new, call, decorator, extends, implements, type, value, write, read
   * stays.
   * `extends` and `implements` are stated inside the type that inherits. Apart from it (an impl block, a `prototype`), `of` names the type:
   * the first symbol of that name in the file becomes the reference's symbol.
   * `value` counts only for names that the file imports or defines, and for members of `this`.
   */
  reference(at: number, end: number, kind: ReferenceKind, accessPath: string, extra?: ReferenceExtra): void;
  /** A parameter or a local. Its scope is the innermost function around `at`. Without type and value it only shadows. */
  local(at: number, name: string, type: string, value: string, written?: string): void;
  /** A value that is assigned to a local declared elsewhere: the local has it from there on. */
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
  /** The types of all parameters of the overload whose name stands at `at`. */
  parameters(at: number, types: readonly string[]): void;
  /** Names before a colon between these offsets are members of the value of an access path; '' if it isn't known. */
  literal(start: number, end: number, accessPath: string): void;
  /** `type X = Y`, or a value that is exported without a name of its own: scope -1, never dropped. */
  alias(at: number, name: string, type: string, value?: string): void;
  /** Locals that are stated between these offsets are known there only. */
  closure(start: number, end: number): void;
  /** Between these offsets a local has that type, or the value of that access path: `if isinstance(cart, Basket):`. */
  narrowed(start: number, end: number, name: string, type: string, value?: string): void;
  /** Between these offsets a mark narrows the value of that access path: `cart(kind=open)`. */
  narrowedPath(start: number, end: number, path: string, mark: string): void;
  /** Between these offsets a type of that name, which is no symbol, is declared: uses of the name as a type mean nothing known. */
  hidden(start: number, end: number, name: string): void;
  /** Marks the name at `at` as a declaration, which no rule can turn into a use: `cart` of `Cart cart(1)`. */
  declared(at: number): void;
  /**
   * A type parameter. Uses of its name as a type are dropped unless the file also imports or defines it. With `at`, in the head of a type
   * or function, it is known there, and `bound` is the type that arguments must have.
   */
  typeParameter(name: string, at?: number, bound?: string): void;

  /** The access path whose text ends at `end` (white space and comments before it skipped): read backwards, bounded. */
  accessPathBefore(end: number): AccessPath;
  /** The access path of the whole expression [from, to), without prefixes and casts; '' if it has none that can be followed. */
  accessPath(from: number, to: number): string;
  /** Remembers the access path of a call (or of anything with a value) that ends at `end`, for access paths that continue it. */
  remember(end: number, start: number, accessPath: string): void;
  /** Counts the arguments between the brackets at `open` and before `close` (the offset after the closing one). */
  arguments(open: number, close: number): ArgumentList;
  /** Offset after the bracket that closes the one at `open`, at most `limit`; brackets of `RelationRules.brackets` are jumped over. */
  closing(open: number, limit: number): number;
}

export interface ReferenceExtra {
  args?: number;
  literal?: string;
  /** As `Reference.types`, with `=name` for an argument that is a name of the file or a call of one (`=name()`). */
  types?: string;
  /** Name of the inheriting type, if the reference is outside of it. */
  of?: string;
}

export interface ArgumentList {
  /** -1 if a spread hides it. */
  count: number;
  /** The first argument if it is a plain string, without quotes; else ''. */
  literal: string;
}

/** How uses of names are found without a rule: properties, constants, classes as values. */
export interface NameRules {
  /** Node kinds whose text holds no names: comments, contents of strings, regular expressions. */
  opaque: readonly string[];
  /** Node kinds inside of those whose text is code again: interpolations. */
  code?: readonly string[];
  /** The code of a template, in a text of the same length: what it leaves out holds no names. */
  masked?: (text: string) => string;
  /** Words that are no names. */
  keywords: ReadonlySet<string>;
  /** Words that are keywords in some places and names in others: they count if the file defines or imports them. */
  softKeywords?: ReadonlySet<string>;
  /** A name that the file neither imports nor defines can be a symbol of another file, or a member of the enclosing type. */
  unimported?: boolean;
  /** First character of variables that are never symbols. */
  localPrefix?: string;
  /** `{name: value}` writes a property, and so does `{name}`. See `FactSink.literal`. */
  keys?: boolean;
  /** Character after the name of an argument: `total(tax: 2)`, `total(tax=2)`. Such a name belongs to a parameter. */
  labels?: ':' | '=';
  /** The character before an interpolated name or its bracket: in `$total` and `${total}`, the name is no key, and what follows it is text. */
  interpolation?: string;
  /** A name in an interpolation can have a format behind it: `{total:F1}`. */
  formats?: boolean;
}

/** How files import symbols of each other, for a program that moves one. Absent where that cannot be said from the text of an import. */
export interface ImportText {
  /** How `from` names `to`, as `like` names another file; null if that does not say it. A null `like` asks for the usual form. */
  specifier(from: string, to: string, like: { from: string; specifier: string; to: string } | null): string | null;
  /** The specifier by which `to` means what `from` means by this one; null if there is none. */
  relocated(specifier: string, from: string, to: string): string | null;
  /** Offsets of the specifier in a statement. */
  span(statement: string): [start: number, end: number] | null;
  /** Statement for one entry of the list of another statement, and another specifier. */
  entry(statement: string, entry: string, specifier: string): string;
  /** Statement for a module, or its main value. Null if `entry` says it. */
  whole(statement: string, name: ImportedName, specifier: string): string | null;
  /** Statement for a name, in the style of the text. */
  plain(text: string, name: string, specifier: string): string;
  /** Word of a declaration that others can import; beginning of one without a name for them. */
  exported: string;
  unnamed?: RegExp;
  /** Text of a file without definitions that others can still import. */
  hull?: string;
  /** Empty lines between definitions. */
  apart: number;
  /** Words in a definition that assign a name of its file; text of files that import and export in another way. */
  assignsOuter?: RegExp;
  others?: RegExp;
  /** Module that changes what the text of a file means. */
  forFile?: string;
  /** Files that import each other fail when they are loaded, since names are taken from them at once. */
  circlesFail?: boolean;
}

export type NodeRule = (view: NodeView, sink: FactSink) => void;

export interface RelationRules {
  lexical: LexicalConventions;
  /** By node kind of the grammar; a test fails for a kind that it does not have. All run before `definition`, and `text` runs behind both. */
  nodes: Readonly<Record<string, NodeRule>>;
  /** Kinds in `nodes` that are only looked for among the root's children, at no cost: chunks are made of these. */
  top?: readonly string[];
  /** Kinds in `nodes` that start and end with a bracket. Their ends are known before any rule runs, so that scanning stays linear. */
  brackets?: readonly string[];
  /** Kinds of functions without a name: names bound inside mean nothing outside. Only read for names that are bound elsewhere, too. */
  callbacks?: readonly string[];
  definition?: (definition: DefinitionView, sink: FactSink) => void;
  text?: (sink: FactSink) => void;
  /**
   * With flag `g`: group 1, at the end of the match but for white space, is an access path that is passed on: `(cart`, `= cart`, `: cart`.
   * A condition on the text behind must be a lookahead. Matches in comments and imports, at other facts, and of names that the file neither
   * imports nor defines are dropped.
   */
  values?: RegExp;
  /** Absent: only the uses that rules state are known. */
  names?: NameRules;
  importText?: ImportText;
  /** Types that no repository defines: primitives and the like. Bare names in them are no references of kind `type`. */
  ignoredTypes?: ReadonlySet<string>;
  /** Functions that no repository defines, by the bare name of a call: `print`, `len`. They count if the file imports or defines the name. */
  ignoredCalls?: ReadonlySet<string>;
  /** First names of access paths that are left out (`console.log`, `new Map`), unless the file imports, defines or binds the name. */
  ignoredRoots?: ReadonlySet<string>;
  /** Values of locals that count when they are passed on, though they are no functions: a group of routes in `Register(v1)`. */
  handedValues?: RegExp;
  /** Matches a file in which calls without a receiver send requests: tests of a server (`get '/carts'`). */
  bareClients?: RegExp;
  /** How parameters are written, in languages where functions of one name differ in their number or types. */
  parameters?: ParameterRules;
  /**
   * Present where the types of arguments tell overloads apart: types of members that every reader knows, as in `Reference.types`
   * (`length()` of any value, `Long.MAX_VALUE`).
   */
  overloads?: ReadonlyMap<string, string>;
  /** Imports and names of types that no repository defines: types of arguments of their functions are of no use. */
  libraries?: RegExp;
  /** Names of calls whose first argument, if a string, is worth recording: a route, a command, a test. */
  literalCalls?: ReadonlySet<string>;
}

export interface ParameterRules {
  /** Does the type stand `before` the name of a parameter, or `behind` it and a colon? */
  type: 'before' | 'behind';
  /** Words before a parameter that are no part of its type. */
  words: ReadonlySet<string>;
  /** Matches a parameter that takes many arguments. */
  rest: RegExp;
  /** Labels of arguments tell overloads apart: they stand before the types, with a colon. */
  labels?: true;
  /** Up to `MARKED_PARAMETERS` parts of a method's signature by which a type fits an interface that it does not name; empty if unsure. */
  parts?(sink: FactSink, open: number, to: number): readonly string[];
  /**
   * Functions are declared in one place and defined in another. Parameters, also those with a default, pair both where that is needed.
   */
  apart?: TypeReaders;
}

/** Readers of types, where the forms of most languages do not fit: both give them as in `Reference.types`. */
export interface TypeReaders {
  /** Type of a parameter by its text without its default value, or of a local by its written type. */
  type(text: string): string;
  argument(text: string): string;
}

/** How scripts in a page are read, whose grammar knows them as text. */
export interface InlineScripts {
  /** Language of a script, from the attributes of its tag; null if it is none that is read. */
  scriptLanguage(attributes: string): LanguageId | null;
  /** The text of the same length of which the scripts are parts. */
  parsed?: (text: string) => string;
  /** Matches a script at the start of a file, which is group 2 between marks, and its language. */
  first?: readonly [frame: RegExp, language: LanguageId];
  /** Lists of names that count in the whole file. */
  names: RelationRules;
}

/** A use in an expression of markup: `path` is an access path, and `at` and `end` are the offsets of its last name. */
export interface MarkupUse {
  at: number;
  end: number;
  kind: 'call' | 'read' | 'write';
  path: string;
}

/** How files of markup with scripts (Vue, Svelte) are read: scripts by the rules of their own language, the rest by these. */
export interface TemplateRules extends InlineScripts {
  /** Start and end of each expression of the markup. */
  expressions(markup: string): Iterable<readonly [start: number, end: number]>;
  /** Uses of an expression that stands at `from`, by the access path of each first name; null for a name that is none of the file's. */
  uses(code: string, from: number, rootOf: (name: string) => string | null): readonly MarkupUse[];
  /** With flag `g`: a loop. Group `each` is the name of an item, `of` the access path of what it goes through. */
  loops: RegExp;
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

/** Facts of a file of data that is of a format with definitions, such as a manifest of Kubernetes. */
export interface FormatFacts {
  definitions: readonly StatedDefinition[];
  /** Names by which code means the definitions around. */
  names?: readonly StatedName[];
  /** States references and imports. */
  state(sink: FactSink): void;
}

export interface StatedDefinition {
  name: string;
  kind: SymbolKind;
  start: number;
  end: number;
  nameStart: number;
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
  /** The expression before the argument list. */
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
  /** An argument that is a class gives the type of the result: `get(Cart)` stays in access paths as written. */
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
    sink.remember(view.end, callee.start, value.length > MAX_CHAIN_LENGTH ? named(value, view.end, sink) : value);
    if (accessPath === '' || accessPath === '?') return;
    const name = lastPart(accessPath);
    const list = sink.arguments(view.start, view.end);
    const receiver = beforeLast(accessPath);
    const call: Call = { callee, name, receiver, list, start: callee.start, end: view.end, view };
    if (special?.(call, sink)) return;
    const defaultKind = isNew && !accessPath.includes('()') ? 'new' : 'call';
    const found = kind === undefined ? defaultKind : kind(call, sink);
    if (found === null) return;
    const literal = statedLiteral(call, found, sink);
    const types = list.count > 0 ? argumentTypes(view.start, view.end, sink) : undefined;
    sink.reference(callee.nameStart, view.end, found, accessPath, { args: list.count, literal, types });
  };
}

/** The route that a decorator states, or the first argument of a call that may declare something by it. */
function statedLiteral(call: Call, kind: ReferenceKind, sink: FactSink): string {
  const { name, list, view } = call;
  if (kind === 'decorator') return statedRoute(list.literal, headText(sink.source, view.start, view.end, MAX_ROUTE));
  return sink.rules.literalCalls?.has(name) && !sends(call, sink) ? list.literal : '';
}

/** Maximum length of the access path of a call that further calls are chained to, half of what a record takes. UTF-16 units. */
const MAX_CHAIN_LENGTH = 100;

/** A name that no source can write for the value of a long chain, so that the chain behind it is as short as others. */
function named(value: string, at: number, sink: FactSink): string {
  const name = `…${at}`;
  sink.local(at, name, '', value);
  return name;
}

/** Maximum length of the arguments that state a route, in UTF-16 units. */
const MAX_ROUTE = 500;
const PATH_ARGUMENT =
  /(?:^\(\s*[[{]|(?:^\((?:\s*\{)?|,)\s*(?:path|value|url|rule|topics?|queues?|queueNames?|destination|cmd)\s*(?::|=)\s*[[{]?)\s*(["'])([^"'\n]{1,150})\1/;
const METHODS_ARGUMENT = /\bmethods?\s*(?:=>|[:=])([^)\]}]{1,120})/;

/** The route that a decorator states: its path, and before it the methods that an argument lists: `GET|POST /carts`. */
export function statedRoute(literal: string, written: string): string {
  const topics = listedTopics(written);
  if (topics.length > 0) return topics.join('|');
  const path = literal === '' ? (PATH_ARGUMENT.exec(written)?.[2] ?? '') : literal;
  const listed = METHODS_ARGUMENT.exec(written)?.[1];
  if (listed === undefined) return path;
  const methods = new Set(listed.match(/\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b/g));
  return methods.size === 0 ? path : `${[...methods].join('|')} ${path}`;
}

/** Queues and topics that a listener lists, and those of which it binds one: `topics = {"a", "b"}`, `@QueueBinding(value = @Queue("a"), key = "b")`. */
const TOPIC_LIST = /[(,]\s*(?:topics|queues|queueNames)\s*[:=]\s*[[{]([^\]}]{1,300})[\]}]/;
const LISTED_TOPIC = /["']([\w.:/-]{1,100})["']/g;
const BOUND_TOPIC =
  /\bQueue\(\s*(?:(?:value|name)\s*=\s*)?["']([\w.:/-]{1,100})["']|\bkey\s*=\s*[[{]?\s*["']([\w.:/-]{1,100})["']/g;

function listedTopics(written: string): string[] {
  const bound = written.includes('QueueBinding') ? [...written.matchAll(BOUND_TOPIC)] : [];
  return [...(TOPIC_LIST.exec(written)?.[1] ?? '').matchAll(LISTED_TOPIC), ...bound].map(
    ([, listed, key]) => listed ?? key,
  );
}

const VERB = /^(?:get|post|put|patch|del|delete|head|options)$/;
/** Maximum distance in which a function is looked for among the arguments of a call. */
const MAX_HANDLER_DISTANCE = 2_000;

/** Does a call of a verb send a request? That of a server has a handler: another argument than the path and an object. */
function sends({ name, list, view }: Call, { source }: FactSink): boolean {
  if (!VERB.test(name)) return false;
  if (list.count === 1) return true;
  const end = source.slice(Math.max(view.start, view.end - 20), view.end - 1).trimEnd();
  if (!end.endsWith('}')) return false;
  return !/=>|\bfunction\b|\bhandler\b/.test(headText(source, view.start, view.end, MAX_HANDLER_DISTANCE));
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

/**
 * For names of types: a reference of kind `type`, with the access path before it where the type is qualified. Before one of the characters
 * `joined`, a name in lower case is one of a package or of a value.
 */
export function typeNames(joined = ''): NodeRule {
  return ({ start, end, text }, sink) => {
    const { source, rules } = sink;
    if (joined.includes(source[end]) && /^[a-z]/.test(text)) return;
    const isQualified = rules.lexical.joins.some((join) => source.startsWith(join, start - join.length));
    sink.reference(start, end, 'type', isQualified ? sink.accessPathBefore(end).accessPath : text);
  };
}

/** Makes what rules remember of the file that a sink reads, when it is first asked for. */
export function perFile<T>(make: (sink: FactSink) => T): (sink: FactSink) => T {
  const known = new WeakMap<FactSink, T>();
  return (sink) => {
    const value = known.get(sink) ?? make(sink);
    known.set(sink, value);
    return value;
  };
}

/** Access path of an element of a value; '' if the value is unknown. */
export function elementOf(path: string): string {
  return path === '' ? '' : `${path}[]`;
}

/** A block behind a call is an argument of it: `xs.each { … }` calls what `xs.each() { … }` does, whose list has been read already. */
export function callWithBlock({ accessPath, start, nameStart }: AccessPath, end: number, sink: FactSink): void {
  const isCalled = accessPath.endsWith('()');
  sink.remember(end, start, isCalled ? accessPath : `${accessPath}()`);
  if (!isCalled) sink.reference(nameStart, end, 'call', accessPath, { args: 1 });
}

/** Uses members of `owner` by the keys of a list, group 1 of `key`: `{ Size = 1 }`, `Cart(size: 1)`. */
export function keyedMembers(
  parts: readonly TextRange[],
  key: RegExp,
  kind: 'read' | 'write',
  owner: string,
  sink: FactSink,
): void {
  for (const { start, end } of parts) {
    const name = key.exec(sink.source.slice(start, Math.min(end, start + MAX_KEY_LENGTH)))?.[1];
    if (name !== undefined) sink.reference(start, start + name.length, kind, `${owner}.${name}`);
  }
}

const MAX_KEY_LENGTH = 100;

// Functions and types that are passed on: names that are whole elements of a list

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
  handedElements(elementsOf(from, to, sink), name, sink);
}

/** As `handedOn`, of elements that are known. */
export function handedElements(elements: readonly TextRange[], name: RegExp, sink: FactSink): void {
  for (const { start, end } of elements) {
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
