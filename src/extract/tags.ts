/**
 * Tags: definitions and references of a language that data alone describes, found by queries in tree-sitter's own notation (`tags.scm`). A
 * pattern is a node `(kind field: (child) "token")`, with `_`, `[a b]`, `?`, `*`, `+`, `.`, `!field`, captures and predicates. Each match
 * has one `@name`, and one `@definition.KIND` or `@reference.KIND`.
 *
 * The notation is tree-sitter's, but the search is ours: it takes time in proportion to the tree, whatever the text is. Where children could
 * match in several ways, the first way counts; of the child with `@name`, each one that can match does.
 */
import type { ReferenceKind } from '../languages/roles/relation-facts.js';
import type { FactSink, RelationRules } from '../languages/roles/relations.js';
import type { SyntaxTree } from './syntax-tree.js';
import { tagsFile } from './version.js';

/** A node that a query found, by its number in the tree. */
export interface Tag {
  /** The part of its capture behind `definition.` or `reference.`. */
  kind: string;
  node: number;
  /** Offsets of its name. */
  start: number;
  end: number;
  /** Text before the name, with a dot behind it: `aws_instance.`. */
  scope: string;
}

export interface Tags {
  /** In the order of their nodes, an outer one first; no two have the same name in the text. */
  definitions: readonly Tag[];
  references: readonly Tag[];
}

type TextTest = (text: string) => boolean;

interface Pattern {
  /** Patterns of which one must match: `[ … ]`. */
  alternatives: readonly Pattern[];
  /** Kind of the node; '' for any. */
  kind: string;
  isNamed: boolean;
  /** Fields that the node must not have. */
  without: readonly string[];
  captures: readonly string[];
  steps: readonly Step[];
  /** Nothing with a name stands behind the last child that matches. */
  isClosed: boolean;
  /** Is `@name` in it? */
  isNaming: boolean;
  tests: readonly TextTest[];
}

/** A child that a pattern wants. */
interface Step {
  pattern: Pattern;
  field: string;
  isOptional: boolean;
  isRepeated: boolean;
  /** Nothing with a name stands between it and the child before. */
  isAnchored: boolean;
}

interface Root {
  pattern: Pattern;
  /** Text before each name: `(#set! scope "var")`. */
  scope: string;
  /** Beginning of a name that is left out: `(#strip! @name "^[$]")`. */
  strip: RegExp | null;
  /** Captures whose texts must be equal, or different. */
  pairs: readonly { first: string; second: string; isEqual: boolean }[];
}

export type TagQuery = readonly Root[];

// Reading queries

const TOKEN = /[\s]+|;[^\n]*|("(?:[^"\\]|\\.)*"|@[\w.-]+|#[\w-]+[?!]|[\w-]+:?|\S)/g;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
const NAME = 'name';
const SCOPE = 'scope';
/** Longest text of a node that a predicate looks at; tests are about names. */
const MAX_TESTED_LENGTH = 1_000;

/** Reads a query. Throws for anything that it does not know: a query that finds nothing is a mistake. */
export function readTagQuery(source: string): TagQuery {
  const tokens = [...source.matchAll(TOKEN)].flatMap(([, token]) => token ?? []);
  const reader = new Reader(tokens);
  const roots: Root[] = [];
  while (!reader.isAtEnd) roots.push(...reader.root());
  return roots;
}

class Reader {
  private at = 0;
  private tests = new Map<string, TextTest[]>();
  private pairs: Root['pairs'][number][] = [];
  private scope = '';
  private strip: RegExp | null = null;

  constructor(private readonly tokens: readonly string[]) {}

  get isAtEnd(): boolean {
    return this.at >= this.tokens.length;
  }

  /** A pattern at the top, one root for each of its alternatives. */
  root(): Root[] {
    this.tests = new Map();
    this.pairs = [];
    this.scope = '';
    this.strip = null;
    const pattern = this.captured(this.pattern());
    if (!pattern.isNaming)
      throw new Error(`a pattern has no @name: ${this.tokens.slice(0, this.at).slice(-8).join(' ')}`);
    const flat = pattern.alternatives.map((each) => ({ ...each, captures: [...each.captures, ...pattern.captures] }));
    const { pairs, scope, strip } = this;
    return (flat.length === 0 ? [pattern] : flat).map((each) => ({ pattern: this.tested(each), pairs, scope, strip }));
  }

  /** With the tests of its captures; predicates stand behind what they are about. */
  private tested(pattern: Pattern): Pattern {
    return {
      ...pattern,
      tests: pattern.captures.flatMap((capture) => this.tests.get(capture) ?? []),
      alternatives: pattern.alternatives.map((each) => this.tested(each)),
      steps: pattern.steps.map((step) => ({ ...step, pattern: this.tested(step.pattern) })),
    };
  }

  private next(): string {
    const token = this.tokens[this.at++];
    if (token === undefined) throw new Error('a query ends in the middle of a pattern');
    return token;
  }

  private takes(token: string): boolean {
    if (this.tokens[this.at] !== token) return false;
    this.at++;
    return true;
  }

  private pattern(): Pattern {
    const token = this.next();
    if (token === '[') return this.alternatives();
    if (token === '(') return this.node();
    if (token === '_') return patternOf({});
    if (token.startsWith('"')) return patternOf({ kind: unquoted(token) });
    throw new Error(`a query has ${token} where a pattern begins`);
  }

  private alternatives(): Pattern {
    const alternatives: Pattern[] = [];
    while (!this.takes(']')) alternatives.push(this.captured(this.pattern()));
    return patternOf({ alternatives, isNaming: alternatives.some(({ isNaming }) => isNaming) });
  }

  /** A node behind its bracket, or siblings: `((a) . (b))` are children of any node. */
  private node(): Pattern {
    const kind = /^[\w-]+$/.test(this.tokens[this.at] ?? '') ? this.next() : null;
    const steps: Step[] = [];
    const without: string[] = [];
    let isAnchored = false;
    while (!this.takes(')')) {
      if (this.takes('.')) isAnchored = true;
      else if (this.takes('!')) without.push(this.next());
      else if (this.tokens[this.at] === '(' && this.tokens[this.at + 1]?.startsWith('#')) this.predicate();
      else {
        steps.push(this.step(isAnchored));
        isAnchored = false;
      }
    }
    const isNaming = steps.some(({ pattern }) => pattern.isNaming);
    // `((a) @x (#eq? @x "b"))` only adds predicates to one node.
    if (kind === null && steps.length === 1 && !steps[0].isOptional && !steps[0].isRepeated) return steps[0].pattern;
    const named = { kind: kind === null || kind === '_' ? '' : kind, isNamed: true };
    return patternOf({ ...named, steps, without, isClosed: isAnchored, isNaming });
  }

  private step(isAnchored: boolean): Step {
    const field = this.tokens[this.at]?.endsWith(':') ? this.next().slice(0, -1) : '';
    const pattern = this.pattern();
    const [isOptional, isRepeated] = QUANTIFIERS[this.tokens[this.at] ?? ''] ?? [false, false];
    if (isOptional || isRepeated) this.at++;
    return { pattern: this.captured(pattern), field, isOptional, isRepeated, isAnchored };
  }

  private captured(pattern: Pattern): Pattern {
    const captures: string[] = [];
    while (this.tokens[this.at]?.startsWith('@')) captures.push(this.next().slice(1));
    if (captures.length === 0) return pattern;
    const all = [...pattern.captures, ...captures];
    return { ...pattern, captures: all, isNaming: pattern.isNaming || all.includes(NAME) };
  }

  /** `(#eq? @a "b")`. Others that end in `!` are about comments, which our own rules find. */
  private predicate(): void {
    this.at++;
    const word = this.next();
    const args: string[] = [];
    while (!this.takes(')')) args.push(this.next());
    if (word === '#set!' && args[0] === SCOPE) this.scope = unquoted(args[1]);
    if (word === '#strip!' && args[0] === `@${NAME}`) this.strip = new RegExp(unquoted(args[1]), 'u');
    if (word.endsWith('!')) return;
    const [capture, ...others] = args;
    const isEqual = !word.startsWith('#not-');
    if (/^#(?:not-)?eq\?$/.test(word) && others[0]?.startsWith('@')) {
      this.pairs.push({ first: capture.slice(1), second: others[0].slice(1), isEqual });
      return;
    }
    const test = testOf(word.replace('#not-', '#'), others.map(unquoted));
    const tests = this.tests.get(capture.slice(1)) ?? [];
    this.tests.set(capture.slice(1), [...tests, (text) => test(text) === isEqual]);
  }
}

const QUANTIFIERS: Readonly<Record<string, readonly [isOptional: boolean, isRepeated: boolean]>> = {
  '?': [true, false],
  '*': [true, true],
  '+': [false, true],
};

function testOf(word: string, args: readonly string[]): TextTest {
  if (word === '#eq?' || word === '#any-of?') return (text) => args.includes(text);
  if (word !== '#match?') throw new Error(`no predicate is called ${word}`);
  const isAnyCase = args[0].startsWith('(?i)');
  const pattern = new RegExp(isAnyCase ? args[0].slice(4) : args[0], isAnyCase ? 'iu' : 'u');
  return (text) => pattern.test(text);
}

function patternOf(said: Partial<Pattern>): Pattern {
  const none = { alternatives: [], kind: '', isNamed: false, without: [], captures: [], steps: [], tests: [] };
  return { ...none, isClosed: false, isNaming: false, ...said };
}

function unquoted(token: string): string {
  return token.slice(1, -1).replace(/\\(.)/g, (_, letter: string) => ESCAPES[letter] ?? letter);
}

// Searching a tree

/** Captures of a match, the last one first. */
interface Captured {
  capture: string;
  node: number;
  rest: Captured | null;
}

/** A match without captures. */
const BARE: Captured = { capture: '', node: -1, rest: null };
const NONE: readonly Captured[] = [];

/** A pattern for the trees of one grammar, by the numbers that they have for kinds and fields. */
interface Compiled extends Omit<Pattern, 'alternatives' | 'kind' | 'isNamed' | 'without' | 'steps'> {
  alternatives: readonly Compiled[];
  /** 1 for each kind that the node can have; null for any. */
  accepted: Uint8Array | null;
  without: readonly number[];
  steps: readonly CompiledStep[];
}

interface CompiledStep extends Omit<Step, 'pattern' | 'field'> {
  pattern: Compiled;
  /** 0 for any. */
  field: number;
}

const searches = new WeakMap<TagQuery, Search>();

/** Definitions and references in a tree. All trees of a query are of one grammar. Throws if the grammar lacks what the query names. */
export function findTags(tree: SyntaxTree, query: TagQuery): Tags {
  let search = searches.get(query);
  if (search === undefined) {
    search = new Search(query, tree);
    searches.set(query, search);
  }
  return search.run(tree);
}

class Search {
  /** Roots by the number of the kind that they begin with, each with its place in the query. */
  private readonly byKind: (readonly { root: Root; pattern: Compiled; order: number }[])[];

  constructor(query: TagQuery, { names }: SyntaxTree) {
    const roots = query.map((root, order) => ({ root, pattern: compiled(root.pattern, names), order }));
    this.byKind = names.kinds.map((_, number) =>
      roots.filter(({ pattern: { accepted } }) => accepted === null || accepted[number] === 1),
    );
  }

  run(tree: SyntaxTree): Tags {
    const definitions = new Map<number, Tag & { order: number }>();
    const references = new Map<number, Tag & { order: number }>();
    for (let node = 0; node < tree.count; node++) {
      for (const { root, pattern, order } of this.byKind[tree.kind[node]] ?? []) {
        for (const match of this.matches(pattern, tree, node)) {
          const captures = capturesOf(match);
          if (!root.pairs.every((pair) => holds(pair, captures, tree))) continue;
          const name = captures.get(NAME);
          const tagged = [...captures].find(([capture]) => capture.includes('.'));
          if (name === undefined || tagged === undefined) continue;
          const [role, kind] = tagged[0].split('.');
          const found = role === 'definition' ? definitions : references;
          const before = found.get(name);
          if (before !== undefined && before.order <= order) continue;
          const scope = scopeOf(root, match, tree);
          found.set(name, { kind, node: tagged[1], ...rangeOf(root, tree, name), scope, order });
        }
      }
    }
    const inOrder = (tags: Iterable<Tag>) => [...tags].sort((a, b) => a.node - b.node || a.start - b.start);
    for (const name of definitions.keys()) references.delete(name);
    return { definitions: inOrder(definitions.values()), references: inOrder(references.values()) };
  }

  /** Ways in which a node matches: one for each node that `@name` can be, at most one if there is none in the pattern. */
  private matches(pattern: Compiled, tree: SyntaxTree, node: number): readonly Captured[] {
    const found = pattern.alternatives.length > 0 ? this.anyOf(pattern, tree, node) : this.one(pattern, tree, node);
    if (found.length === 0 || pattern.captures.length === 0) return found;
    return found.map((match) => pattern.captures.reduce((rest, capture) => ({ capture, node, rest }), match));
  }

  private anyOf({ alternatives, isNaming, tests }: Compiled, tree: SyntaxTree, node: number): readonly Captured[] {
    if (tests.length > 0 && !passes(tests, tree, node)) return NONE;
    const all: Captured[] = [];
    for (const alternative of alternatives) {
      all.push(...this.matches(alternative, tree, node));
      if (!isNaming && all.length > 0) break;
    }
    return all;
  }

  private one(pattern: Compiled, tree: SyntaxTree, node: number): readonly Captured[] {
    const { accepted, without, tests, steps } = pattern;
    if (accepted !== null && accepted[tree.kind[node]] !== 1) return NONE;
    if (tests.length > 0 && !passes(tests, tree, node)) return NONE;
    if (steps.length === 0 && without.length === 0) return [BARE];
    const children: number[] = [];
    for (let i = node + 1; i < tree.next[node]; i = tree.next[i]) children.push(i);
    if (without.some((field) => children.some((child) => tree.field[child] === field))) return NONE;
    return steps.length === 0 ? [BARE] : this.sequence(pattern, tree, children);
  }

  /**
   * Ways in which children match the steps of a pattern, which may leave children out. `behind[s][c]` are the captures if the steps from
   * `s` on match the children from `c` on. Of a step that is repeated the last child is captured.
   */
  private sequence({ steps, isClosed }: Compiled, tree: SyntaxTree, children: readonly number[]): readonly Captured[] {
    const count = children.length;
    const found = steps.map(({ pattern, field }) =>
      children.map((child) => (field === 0 || tree.field[child] === field ? this.matches(pattern, tree, child) : NONE)),
    );
    const mayPass = (step: number, child: number): boolean =>
      !(step < steps.length ? steps[step].isAnchored : isClosed) || !isNamedNode(tree, children[child]);
    const behind = table(steps.length + 1, count + 1);
    const wayFrom = (s: number, c: number): Captured | null => {
      if (s === steps.length && c === count) return BARE;
      if (s < steps.length && c < count && found[s][c].length > 0) {
        const rest = behind[s + 1][c + 1];
        if (rest !== null) return joined(found[s][c][0], rest);
        if (steps[s].isRepeated && behind[s][c + 1] !== null) return behind[s][c + 1];
      }
      if (s < steps.length && steps[s].isOptional && behind[s + 1][c] !== null) return behind[s + 1][c];
      return c < count && mayPass(s, c) ? behind[s][c + 1] : null;
    };
    for (let s = steps.length; s >= 0; s--) for (let c = count; c >= 0; c--) behind[s][c] = wayFrom(s, c);
    const naming = steps.findIndex(({ pattern }) => pattern.isNaming);
    if (naming === -1 || behind[0][0] === null) return behind[0][0] === null ? NONE : [behind[0][0]];
    return this.named(naming, { steps, found, behind, mayPass, count });
  }

  /** Matches of a sequence for each child that the step with `@name` can be. */
  private named(naming: number, { steps, found, behind, mayPass, count }: Sequence): Captured[] {
    const before = table(naming + 1, count + 1);
    before[0][0] = BARE;
    const reach = (s: number, c: number, way: Captured): void => {
      before[s][c] ??= way;
    };
    const matches: Captured[] = [];
    for (let c = 0; c <= count; c++) {
      for (let s = 0; s <= naming; s++) {
        const way = before[s][c];
        if (way === null) continue;
        if (s < naming && steps[s].isOptional) reach(s + 1, c, way);
        if (c === count) continue;
        if (mayPass(s, c)) reach(s, c + 1, way);
        if (found[s][c].length === 0) continue;
        if (steps[s].isRepeated) reach(s, c + 1, way);
        if (s < naming) {
          reach(s + 1, c + 1, joined(found[s][c][0], way));
          continue;
        }
        const rest = behind[s + 1][c + 1] ?? (steps[s].isRepeated ? BARE : null);
        if (rest !== null) for (const match of found[s][c]) matches.push(joined(match, joined(way, rest)));
      }
    }
    return matches;
  }
}

function compiled(pattern: Pattern, names: SyntaxTree['names']): Compiled {
  const { kind, isNamed, ...rest } = pattern;
  const fieldOf = (field: string): number => {
    const number = names.fields.get(field);
    if (number === undefined) throw new Error(`the grammar has no field ${field}`);
    return number;
  };
  return {
    ...rest,
    accepted: kind === '' ? (isNamed ? names.named : null) : kindsNamed(kind, isNamed, names),
    alternatives: pattern.alternatives.map((each) => compiled(each, names)),
    without: pattern.without.map(fieldOf),
    steps: pattern.steps.map((step) => ({
      ...step,
      pattern: compiled(step.pattern, names),
      field: step.field === '' ? 0 : fieldOf(step.field),
    })),
  };
}

/** Kinds of a grammar by their name, or tokens by their text. */
function kindsNamed(kind: string, isNamed: boolean, { kinds, named }: SyntaxTree['names']): Uint8Array {
  const accepted = Uint8Array.from(kinds, (name, number) => Number(name === kind && named[number] === Number(isNamed)));
  if (!accepted.includes(1)) throw new Error(`the grammar has no kind ${kind}`);
  return accepted;
}

interface Sequence {
  steps: readonly CompiledStep[];
  found: readonly (readonly (readonly Captured[])[])[];
  behind: readonly (readonly (Captured | null)[])[];
  mayPass: (step: number, child: number) => boolean;
  count: number;
}

function table(rows: number, columns: number): (Captured | null)[][] {
  return Array.from({ length: rows }, () => new Array<Captured | null>(columns).fill(null));
}

/** Both lists of captures; the first is as short as a pattern is. */
function joined(first: Captured, rest: Captured): Captured {
  if (first === BARE) return rest;
  return { ...first, rest: first.rest === null ? rest : joined(first.rest, rest) };
}

function capturesOf(match: Captured): Map<string, number> {
  const captures = new Map<string, number>();
  for (let at: Captured | null = match; at !== null; at = at.rest) if (at !== BARE) captures.set(at.capture, at.node);
  return captures;
}

/** The name without quotes, and without what the query leaves out. */
function rangeOf({ strip }: Root, tree: SyntaxTree, name: number): { start: number; end: number } {
  const { text } = tree;
  let [start, end] = [tree.start[name], tree.end[name]];
  if (end - start > 2 && QUOTES[text[start]] === text[end - 1]) [start, end] = [start + 1, end - 1];
  const match = strip?.exec(text.slice(start, Math.min(end, start + MAX_TESTED_LENGTH)));
  return { start: start + (match?.index === 0 ? match[0].length : 0), end };
}

const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", '`': '`', '<': '>', '{': '}', '(': ')' };

/** Text before a name: what the query sets, and the texts of `@scope` in their order. */
function scopeOf(root: Root, match: Captured, tree: SyntaxTree): string {
  const nodes: number[] = [];
  for (let at: Captured | null = match; at !== null; at = at.rest) if (at.capture === SCOPE) nodes.push(at.node);
  const texts = nodes.sort((a, b) => a - b).map((node) => textOf(tree, node));
  return [root.scope, ...texts].flatMap((text) => (text === '' ? [] : `${text}.`)).join('');
}

function holds({ first, second, isEqual }: Root['pairs'][number], captures: Map<string, number>, tree: SyntaxTree) {
  const one = captures.get(first);
  const other = captures.get(second);
  return one === undefined || other === undefined || (textOf(tree, one) === textOf(tree, other)) === isEqual;
}

const passes = (tests: readonly TextTest[], tree: SyntaxTree, node: number): boolean =>
  tests.every((test) => test(textOf(tree, node)));

function textOf(tree: SyntaxTree, node: number): string {
  const start = tree.start[node];
  return tree.text.slice(start, Math.min(tree.end[node], start + MAX_TESTED_LENGTH));
}

/** Kinds beyond those of the grammar are errors, which have a name. */
const isNamedNode = (tree: SyntaxTree, node: number): boolean => tree.names.named[tree.kind[node]] !== 0;

const queries = new Map<string, TagQuery>();

export function tagQuery(name: string): TagQuery {
  let query = queries.get(name);
  if (query === undefined) {
    query = readTagQuery(tagsFile(name));
    queries.set(name, query);
  }
  return query;
}

/** Rules that state the references that a query found, too. */
export function withTags(rules: RelationRules, tree: SyntaxTree, tags: readonly Tag[] = []): RelationRules {
  if (tags.length === 0) return rules;
  const text = (sink: FactSink) => {
    rules.text?.(sink);
    stateTags(tags, tree, sink);
  };
  return { ...rules, text };
}

/** Kinds of references in tree-sitter's files of tags that have another name here. */
const REFERENCE_KIND_OF: Readonly<Record<string, ReferenceKind>> = {
  class: 'type',
  interface: 'type',
  module: 'read',
  implementation: 'implements',
  constant: 'read',
  variable: 'read',
};

/** Characters of a name that are read: a string as a name can be a whole page. */
const MAX_NAME_LENGTH = 200;

function stateTags(tags: readonly Tag[], tree: SyntaxTree, sink: FactSink): void {
  for (const { kind, node, start: at, end, scope } of tags) {
    const text = tree.text.slice(at, Math.min(end, at + MAX_NAME_LENGTH));
    // An include brings the names of the other file along, an import does not.
    if (kind === 'import' || kind === 'include') {
      sink.import(tree.start[node], tree.end[node], kind, text);
      continue;
    }
    const written = scope === '' ? sink.accessPathBefore(end) : null;
    const isWhole = written?.nameStart === at && written.accessPath.endsWith(text);
    const path = isWhole ? written.accessPath : `${scope}${text}`;
    sink.reference(at, end, REFERENCE_KIND_OF[kind] ?? (kind as ReferenceKind), path);
  }
}
