/**
 * A syntax tree as columns: one number a node and column, in document order, outer nodes before inner ones. tree-sitter
 * writes them in one pass, as a WebAssembly module of the grammar, so that reading a node is reading an array; an
 * object is made for a node only when it is needed.
 */
import { addTo } from '../base/lists.js';
import { keepBaselineWasm } from '../base/runtime.js';
import type { DefinitionRules, NodeRule } from '../languages/roles/definitions.js';
import { type Range, withClosedBrackets, withoutBroken } from '../languages/roles/masks.js';
import type { LexicalConventions, RelationRules, SyntaxNode } from '../languages/roles/relations.js';
import { matcherOf } from './collect-drafts.js';
import { grammarCode, hasGrammar } from './version.js';

/** Kinds and fields of a grammar, by the numbers that trees have for them. */
interface GrammarNames {
  kinds: readonly string[];
  /** 1 for kinds with a name in the grammar, 0 for tokens such as `(`. */
  named: Uint8Array;
  /** Numbers of the named kinds of a name. */
  numbers: ReadonlyMap<string, readonly number[]>;
  fields: ReadonlyMap<string, number>;
}

/** Kind that tree-sitter gives to text it cannot parse; every other number is less than the count of kinds. */
const ERROR = 'ERROR';

/** Tokens that close what may hold declarations. */
const BRACKETS: ReadonlySet<string> = new Set([')', ']', '}']);

/** Characters to one mistake in a text that is hardly code of its language, where mistakes are in a third of the lines. */
const HOPELESS_CHARACTERS = 160;

interface Unread {
  start: number;
  end: number;
  /** Was another text read there, in which nothing is wrong? */
  repaired?: boolean;
}

export class SyntaxTree {
  readonly start: Uint32Array;
  readonly end: Uint32Array;
  /** Index of the node behind a node and its descendants. */
  readonly next: Uint32Array;
  readonly parent: Uint32Array;
  readonly kind: Uint16Array;
  /** Field of the parent that the node is in, 0 for none. */
  readonly field: Uint16Array;
  private before: Int32Array | null = null;
  /** Places in which another text was read, since the grammar found mistakes in this one. */
  repaired: readonly Unread[] = [];
  /** Was it found to be without mistakes? */
  private isClean = false;

  /** `text`: what nodes show as their text. `columns`: four columns of 32 bits and two of 16, in the order of the properties above. */
  constructor(
    readonly names: GrammarNames,
    readonly text: string,
    readonly count: number,
    columns: ArrayBuffer,
  ) {
    this.start = new Uint32Array(columns, 0, count);
    this.end = new Uint32Array(columns, 4 * count, count);
    this.next = new Uint32Array(columns, 8 * count, count);
    this.parent = new Uint32Array(columns, 12 * count, count);
    this.kind = new Uint16Array(columns, 16 * count, count);
    this.field = new Uint16Array(columns, 18 * count, count);
  }

  get root(): TreeNode {
    return this.node(0);
  }

  node(index: number): TreeNode {
    return new TreeNode(this, index);
  }

  nameOf(index: number): string {
    return this.names.kinds[this.kind[index]] ?? ERROR;
  }

  /** Characters that the grammar could not read, tokens that it missed, and keywords that it took for names. */
  mistakes(misread?: DefinitionRules['misread']): number {
    const named = misread === undefined ? null : new Set(this.names.numbers.get(misread.kind));
    const { kind, start, end, next } = this;
    const kinds = this.names.kinds.length;
    let count = 0;
    for (let i = 0; i < this.count; i++) {
      if (kind[i] >= kinds) {
        count += end[i] - start[i] + 1;
        i = next[i] - 1;
      } else if (end[i] === start[i] && i > 0) count++;
      else if (named?.has(kind[i]) && misread?.words.has(this.text.slice(start[i], end[i]))) count++;
    }
    this.isClean = count === 0;
    return count;
  }

  /**
   * Runs of tokens that the grammar could not join to anything, and places of brackets that it missed, in document order. What it could
   * read between tokens, and comments, are no part of a run.
   */
  unread(comments: readonly string[]): Unread[] {
    const runs: Unread[] = [...this.repaired];
    if (this.isClean) return runs.sort((a, b) => a.start - b.start);
    const skipped = new Set(comments.flatMap((kind) => this.names.numbers.get(kind) ?? []));
    for (let i = 0; i < this.count; i++) {
      const [start, end] = [this.start[i], this.end[i]];
      if (this.isError(i)) this.addRuns(i, skipped, runs);
      else if (start === end && i > 0 && BRACKETS.has(this.nameOf(i))) runs.push({ start, end });
    }
    return runs.sort((a, b) => a.start - b.start);
  }

  /** Places of the nodes of such kinds, in document order. */
  places(kinds: readonly string[]): Range[] {
    const wanted = new Set(kinds.flatMap((kind) => this.names.numbers.get(kind) ?? []));
    const found: Range[] = [];
    for (let i = 0; i < this.count; i++) if (wanted.has(this.kind[i])) found.push([this.start[i], this.end[i]]);
    return found;
  }

  /** Outermost nodes that hold what the grammar could not read. */
  errors(): Unread[] {
    const errors: Unread[] = [];
    for (let i = 0; i < this.count; i++) {
      if (!this.isError(i)) continue;
      errors.push({ start: this.start[i], end: this.end[i] });
      i = this.next[i] - 1;
    }
    return errors;
  }

  private addRuns(error: number, skipped: ReadonlySet<number>, runs: Unread[]): void {
    const first = error + 1;
    let run: Unread | null = null;
    for (let i = first; i < this.next[error]; i = this.next[i]) {
      const [start, end] = [this.start[i], this.end[i]];
      const isToken = this.next[i] === i + 1 && !this.isError(i) && !skipped.has(this.kind[i]);
      if (isToken && run !== null) run.end = end;
      else run = isToken ? { start, end } : null;
      if (run?.start === start) runs.push(run);
    }
    if (this.next[error] === first) runs.push({ start: this.start[error], end: this.end[error] });
  }

  private isError(index: number): boolean {
    return this.kind[index] >= this.names.kinds.length;
  }

  /** Number of nodes that stand for what the grammar could not read, also of those in others. */
  errorNodes(): number {
    return this.kind.reduce((count, kind) => count + (kind >= this.names.kinds.length ? 1 : 0), 0);
  }

  /** Are there many mistakes, in a third of the lines? One mistake alone may span a text that begins within a comment. */
  isHopeless(): boolean {
    if (this.errorNodes() * HOPELESS_CHARACTERS < this.text.length) return false;
    const lines = this.text.split('\n');
    const errors = this.errors();
    let [at, next, wrong] = [0, 0, 0];
    for (const line of lines) {
      while (next < errors.length && errors[next].end < at) next++;
      if (next < errors.length && errors[next].start <= at + line.length) wrong++;
      at += line.length + 1;
    }
    return 3 * wrong >= lines.length;
  }

  isNamed(index: number): boolean {
    return this.names.named[this.kind[index]] !== 0;
  }

  /** Index of the sibling before a node, -1 for none. Computed for all nodes at once, so that asking each stays linear. */
  previous(index: number): number {
    this.before ??= this.siblingsBefore();
    return this.before[index];
  }

  private siblingsBefore(): Int32Array {
    const before = new Int32Array(this.count).fill(-1);
    for (let i = 1; i < this.count; i++) {
      const sibling = this.next[i];
      if (sibling < this.count && this.parent[sibling] === this.parent[i]) before[sibling] = i;
    }
    return before;
  }
}

export class TreeNode implements SyntaxNode {
  readonly start: number;
  readonly end: number;
  private below: readonly TreeNode[] | null = null;
  private fields: Map<string, TreeNode | null> | null = null;

  constructor(
    readonly tree: SyntaxTree,
    readonly index: number,
  ) {
    this.start = tree.start[index];
    this.end = tree.end[index];
  }

  get kind(): string {
    return this.tree.nameOf(this.index);
  }

  get text(): string {
    return this.tree.text.slice(this.start, this.end);
  }

  get parent(): TreeNode | null {
    return this.index === 0 ? null : new TreeNode(this.tree, this.tree.parent[this.index]);
  }

  get children(): readonly TreeNode[] {
    return this.childrenThat(() => true);
  }

  get namedChildren(): readonly TreeNode[] {
    this.below ??= this.childrenThat((index) => this.tree.isNamed(index));
    return this.below;
  }

  get previous(): TreeNode | null {
    const index = this.tree.previous(this.index);
    return index === -1 ? null : new TreeNode(this.tree, index);
  }

  get next(): TreeNode | null {
    const { next, parent, count } = this.tree;
    const index = next[this.index];
    return index < count && parent[index] === parent[this.index] ? new TreeNode(this.tree, index) : null;
  }

  field(name: string): TreeNode | null {
    // Cached: each of the 30,000 names of one declaration looks for the same fields in its node.
    let found = this.fields?.get(name);
    if (found === undefined) {
      found = this.findField(name);
      this.fields ??= new Map();
      this.fields.set(name, found);
    }
    return found;
  }

  private findField(name: string): TreeNode | null {
    const { next, field, names } = this.tree;
    const wanted = names.fields.get(name);
    if (wanted === undefined) return null;
    for (let i = this.index + 1; i < next[this.index]; i = next[i])
      if (field[i] === wanted) return new TreeNode(this.tree, i);
    return null;
  }

  fieldChildren(name: string): readonly TreeNode[] {
    const wanted = this.tree.names.fields.get(name);
    return wanted === undefined ? [] : this.childrenThat((index) => this.tree.field[index] === wanted);
  }

  private childrenThat(isWanted: (index: number) => boolean): TreeNode[] {
    const { next } = this.tree;
    const found: TreeNode[] = [];
    for (let i = this.index + 1; i < next[this.index]; i = next[i])
      if (isWanted(i)) found.push(new TreeNode(this.tree, i));
    return found;
  }
}

// Parsers: grammars as WebAssembly modules in `grammars/`, each loaded for its first file.

const parsers = new Map<string, WasmParser | null>();

/**
 * Parses a text; null without a grammar. `source`: the text that nodes show, if another one of the same length is parsed. Throws if the
 * parser fails.
 */
export function parseWithGrammar(grammar: string, text: string, source = text): SyntaxTree | null {
  let parser = parsers.get(grammar);
  if (parser === undefined) {
    parser = hasGrammar(grammar) ? new WasmParser(grammarCode(grammar)) : null;
    parsers.set(grammar, parser);
  }
  return parser?.parse(text, source) ?? null;
}

/** How a text is parsed: what its grammar is spared, and what is tried where that finds mistakes. */
type Attempts = Pick<DefinitionRules, 'parsed' | 'repaired' | 'misread' | 'framed' | 'bodies'> & {
  lexical?: LexicalConventions;
};

/**
 * Tree of a text by the rules of its language, which say how a grammar is spared what it does not know. While it finds mistakes, it is
 * tried again with what the rules repair, and with brackets that nothing closes or without lines that are wrong by themselves: three
 * times at most. Null as above.
 */
export function parseByRules(grammar: string, text: string, rules: Attempts): SyntaxTree | null {
  const { lexical } = rules;
  let parsed = rules.parsed?.(text) ?? text;
  const frame = rules.framed?.(text);
  if (frame) return unframed(parseWithGrammar(grammar, frame[0] + parsed + frame[1]), text, frame[0].length);
  let tree = parseWithGrammar(grammar, parsed, text);
  if (tree === null) return null;
  let mistakes = tree.mistakes(rules.misread);
  const { bodies } = rules;
  const repaired = (broken: string) => rules.repaired?.(broken, text) ?? broken;
  const leaveOut =
    bodies && ((broken: string) => withoutBroken(repaired(broken), bodies, (part) => errorsOf(grammar, part)));
  const attempts = [repaired, leaveOut ?? (lexical && ((broken: string) => withClosedBrackets(broken, lexical)))];
  for (const attempt of attempts) {
    if (mistakes === 0) break;
    const changed = attempt?.(parsed) ?? parsed;
    if (changed === parsed) continue;
    const next = parseWithGrammar(grammar, changed, text);
    if (next === null) break;
    const left = next.mistakes(rules.misread);
    if (left > mistakes) continue;
    // One mistake may cover a whole file in both trees: then the errors inside tell which is better.
    if (left === mistakes && next.errorNodes() >= tree.errorNodes()) continue;
    next.repaired = [...tree.repaired, ...differences(parsed, changed, attempt !== leaveOut)];
    [tree, parsed, mistakes] = [next, changed, left];
  }
  return tree;
}

/** Most places of repairs that are looked at in a text. */
const MAX_REPAIRED = 1_000;

/** Lines of a text that hold mistakes; null if there are none. */
function errorsOf(grammar: string, text: string): Range[] | null {
  const tree = parseWithGrammar(grammar, text);
  if (tree === null || tree.mistakes() === 0) return null;
  return tree.errors().map(({ start, end }): Range => {
    const lineEnd = text.indexOf('\n', end);
    return [text.lastIndexOf('\n', start) + 1, lineEnd === -1 ? text.length : lineEnd];
  });
}

/** Runs in which two texts of the same length differ. */
function differences(first: string, second: string, repaired: boolean): Unread[] {
  const found: Unread[] = [];
  for (let at = 0; at < first.length && found.length < MAX_REPAIRED; at++) {
    if (first.charCodeAt(at) === second.charCodeAt(at)) continue;
    const start = at;
    while (at < first.length && first.charCodeAt(at) !== second.charCodeAt(at)) at++;
    found.push({ start, end: at, repaired });
  }
  return found;
}

/** The tree for the text alone: nodes of the frame are empty, at an end of it. */
function unframed(tree: SyntaxTree | null, text: string, before: number): SyntaxTree | null {
  if (tree === null) return null;
  for (const column of [tree.start, tree.end])
    for (let i = 0; i < tree.count; i++) column[i] = Math.min(Math.max(0, column[i] - before), text.length);
  return new SyntaxTree(tree.names, text, tree.count, tree.start.buffer as ArrayBuffer);
}

// tree-sitter with one grammar, as a WebAssembly module (see `grammars/README.md`). Source text is hostile input:
// whatever it does to the parser stays inside the module's memory, and ends as an exception here.

/** The module's functions. Addresses and sizes are in bytes of its memory. */
interface Functions {
  memory: { buffer: ArrayBuffer };
  allocate(bytes: number): number;
  /** Parses UTF-16 text, which it frees, and returns the count of nodes, 0 for none. */
  parse(text: number, bytes: number): number;
  /** Address of the columns of the last tree. */
  columns(): number;
  kind_count(): number;
  kind_name(kind: number): number;
  kind_type(kind: number): number;
  field_count(): number;
  field_name(field: number): number;
}

/** A module whose memory is larger than this after a file is started anew for the next: memory of modules never shrinks. */
const RESTART_BYTES = 64 << 20;
/** Bytes of a node in the columns of a tree. */
const NODE_BYTES = 20;
/** `TSSymbolTypeRegular`: a kind that has a name in the grammar. */
const REGULAR = 0;
/** Answer of WASI to calls about files: there are none. */
const BAD_DESCRIPTOR = 8;

export class WasmParser {
  private readonly module: WebAssembly.Module;
  private functions: Functions | null = null;
  private names: GrammarNames | null = null;

  constructor(code: Uint8Array<ArrayBuffer>) {
    keepBaselineWasm();
    this.module = new WebAssembly.Module(code);
  }

  /** `source`: the text of the same length that nodes show as theirs. If the parser fails, throws and leaves nothing behind. */
  parse(text: string, source: string): SyntaxTree {
    try {
      return this.parsed(text, source);
    } catch (error) {
      this.functions = null;
      throw error;
    }
  }

  private parsed(text: string, source: string): SyntaxTree {
    this.functions ??= this.start();
    const { allocate, parse, columns, memory } = this.functions;
    const bytes = 2 * text.length;
    const at = allocate(bytes);
    // At address 0 the parser keeps its own data.
    if (at === 0 && bytes > 0) throw new Error(`the parser has no memory for ${bytes} bytes`);
    Buffer.from(memory.buffer, at, bytes).write(text, 'utf16le');
    const count = parse(at, bytes);
    if (count === 0) throw new Error('the parser gave no tree');
    const from = columns();
    const tree = new SyntaxTree(this.namesOf(), source, count, memory.buffer.slice(from, from + NODE_BYTES * count));
    if (memory.buffer.byteLength > RESTART_BYTES) this.functions = null;
    return tree;
  }

  private start(): Functions {
    const none: Record<string, Record<string, () => number>> = {};
    for (const { module, name } of WebAssembly.Module.imports(this.module)) {
      none[module] ??= {};
      none[module][name] = () => BAD_DESCRIPTOR;
    }
    return new WebAssembly.Instance(this.module, none).exports as unknown as Functions;
  }

  private namesOf(): GrammarNames {
    this.names ??= readNames(this.functions as Functions);
    return this.names;
  }
}

function readNames(functions: Functions): GrammarNames {
  const kinds = Array.from({ length: functions.kind_count() }, (_, i) => textAt(functions, functions.kind_name(i)));
  const named = Uint8Array.from(kinds, (_, i) => Number(functions.kind_type(i) === REGULAR));
  const numbers = new Map<string, number[]>();
  for (const [number, kind] of kinds.entries()) if (named[number] === 1) addTo(numbers, kind, number);
  const fields = new Map<string, number>();
  for (let i = 1; i <= functions.field_count(); i++) fields.set(textAt(functions, functions.field_name(i)), i);
  return { kinds, named, numbers, fields };
}

function textAt({ memory }: Functions, address: number): string {
  const bytes = Buffer.from(memory.buffer, address);
  return bytes.toString('utf8', 0, bytes.indexOf(0));
}

// Queries: find the nodes that definitions and relations need, in one pass over a tree

/** Nodes in document order. */
interface Found {
  definitions: readonly TreeNode[];
  relations: readonly TreeNode[];
}

/** Questions about the nodes of each kind, by the kind's number in the grammar. */
interface Query {
  /** Undefined: no definition. Null: the kind is enough. Otherwise one of the conditions must hold. */
  definitions: (readonly NodeTest[] | null | undefined)[];
  relations: Uint8Array;
}

const compiled = new WeakMap<DefinitionRules, Map<RelationRules | undefined, Query>>();

export function findNodes(tree: SyntaxTree, rules: DefinitionRules, relationRules?: RelationRules): Found {
  const query = queryOf(rules, relationRules, tree.names);
  const definitions: TreeNode[] = [];
  const relations: TreeNode[] = [];
  const { kind, count } = tree;
  for (let i = 0; i < count; i++) {
    const tests = query.definitions[kind[i]];
    const isRelation = query.relations[kind[i]] === 1;
    if (tests === undefined && !isRelation) continue;
    const node = new TreeNode(tree, i);
    if (tests === null || tests?.some((test) => test(tree, i))) definitions.push(node);
    if (isRelation) relations.push(node);
  }
  const top = new Set(relationRules?.top);
  if (top.size > 0) for (const child of tree.root.namedChildren) if (top.has(child.kind)) relations.push(child);
  return { definitions, relations };
}

function queryOf(rules: DefinitionRules, relationRules: RelationRules | undefined, names: GrammarNames): Query {
  let queries = compiled.get(rules);
  if (queries === undefined) {
    queries = new Map();
    compiled.set(rules, queries);
  }
  let query = queries.get(relationRules);
  if (query === undefined) {
    query = compile(rules, relationRules, names);
    queries.set(relationRules, query);
  }
  return query;
}

function compile(rules: DefinitionRules, relationRules: RelationRules | undefined, names: GrammarNames): Query {
  const definitions: Query['definitions'] = [];
  for (const { kind, ...conditions } of matcherOf(rules).found) {
    const test = Object.keys(conditions).length === 0 ? null : nodeTest(conditions);
    for (const number of numbersOf(String(kind), names)) {
      const known = definitions[number];
      definitions[number] = test === null || known === null ? null : [...(known ?? []), test];
    }
  }
  const relations = new Uint8Array(names.kinds.length);
  for (const kind of relationKinds(relationRules)) for (const number of numbersOf(kind, names)) relations[number] = 1;
  return { definitions, relations };
}

/** Numbers of a kind in the grammar. Throws if it has none: rules that can find nothing are a mistake. */
export function numbersOf(kind: string, names: GrammarNames): readonly number[] {
  const numbers = names.numbers.get(kind);
  if (numbers === undefined) throw new Error(`the grammar has no kind ${kind}`);
  return numbers;
}

function relationKinds(rules: RelationRules | undefined): ReadonlySet<string> {
  if (rules === undefined) return new Set();
  const { nodes, names, top = [] } = rules;
  const kinds = new Set([...Object.keys(nodes), ...(names?.opaque ?? []), ...(names?.code ?? [])]);
  for (const kind of top) kinds.delete(kind);
  return kinds;
}

// Conditions on a node beyond its kind: a small part of ast-grep's rules, over the columns of a tree.

/** Does a node meet a condition? */
type NodeTest = (tree: SyntaxTree, index: number) => boolean;

/** Tests whether all parts of a rule hold. Throws for an unknown part. */
export function nodeTest(rule: NodeRule): NodeTest {
  const tests = partsOf(rule).map(([name, value]) => testOf(name, value));
  return tests.length === 1 ? tests[0] : (tree, index) => tests.every((test) => test(tree, index));
}

/** A field is no condition of its own: `has` looks for the child in it. */
const partsOf = (rule: NodeRule): [string, unknown][] => Object.entries(rule).filter(([name]) => name !== 'field');

/** Conditions by their names in rules. */
const CONDITIONS: Readonly<Record<string, (value: unknown) => NodeTest>> = {
  kind: (value) => kindTest(String(value)),
  regex: (value) => regexTest(new RegExp(String(value), 'u')),
  any: (value) => anyOf((value as NodeRule[]).map(nodeTest)),
  all: (value) => allOf((value as NodeRule[]).map(nodeTest)),
  not: (value) => not(nodeTest(value as NodeRule)),
  has: (value) => hasTest(value as NodeRule),
  inside: (value) => insideTest(nodeTest(value as NodeRule)),
};

function testOf(name: string, value: unknown): NodeTest {
  if (!Object.hasOwn(CONDITIONS, name)) throw new Error(`no condition on nodes is called ${name}`);
  return CONDITIONS[name](value);
}

const kindTest =
  (kind: string): NodeTest =>
  (tree, index) =>
    tree.isNamed(index) && tree.nameOf(index) === kind;

const regexTest =
  (pattern: RegExp): NodeTest =>
  (tree, index) =>
    pattern.test(tree.text.slice(tree.start[index], tree.end[index]));

const anyOf =
  (tests: readonly NodeTest[]): NodeTest =>
  (tree, index) =>
    tests.some((test) => test(tree, index));

const allOf =
  (tests: readonly NodeTest[]): NodeTest =>
  (tree, index) =>
    tests.every((test) => test(tree, index));

const not =
  (test: NodeTest): NodeTest =>
  (tree, index) =>
    !test(tree, index);

const insideTest =
  (test: NodeTest): NodeTest =>
  (tree, index) =>
    index > 0 && test(tree, tree.parent[index]);

/** Tests for a child that meets the condition; if the rule names a field, for the first child in it. */
function hasTest(rule: NodeRule): NodeTest {
  const test = nodeTest(rule);
  return (tree, index) => {
    const field = rule.field === undefined ? null : (tree.names.fields.get(String(rule.field)) ?? -1);
    for (let i = index + 1; i < tree.next[index]; i = tree.next[i]) {
      if (field === null ? test(tree, i) : tree.field[i] === field) return field === null || test(tree, i);
    }
    return false;
  };
}
