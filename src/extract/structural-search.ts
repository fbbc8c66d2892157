/**
 * Structural search: finds the nodes of a syntax tree that look like a pattern, as ast-grep does. ast-grep itself reads the grammars that it
 * contains; in all other languages the same rules match the trees of our own grammars. Runs in a parser child.
 */
import type { SgNode } from '@ast-grep/napi';
import type { Grammar } from '../languages/language.js';
import { languageOf } from '../languages/registry.js';
import { parseWithGrammar, type SyntaxTree } from './syntax-tree.js';

/** Place of a match or of what a variable captured, in UTF-16 units of the file's text. */
export interface TreeSpan {
  start: number;
  end: number;
}

export interface TreeMatch extends TreeSpan {
  captures: (TreeSpan & { name: string })[];
}

/** The matches by their starts, outer ones before inner ones; or the reason why the language cannot read the pattern. */
export type TreeSearch = { matches: TreeMatch[] } | { fault: string };

/** A pattern that one grammar has read: finds its matches in a text. */
type Prepared = { find: (text: string) => TreeMatch[] } | { fault: string };

/** Prepared patterns, the last ones: a child searches many files for the same one. */
const PREPARED = new Map<string, Prepared>();

/** Grammars of ast-grep itself. */
const CONTAINED: ReadonlySet<string> = new Set(['Css', 'Html', 'JavaScript', 'Tsx', 'TypeScript']);

/** Text before and behind a pattern. */
type Around = readonly [before: string, behind: string];
const ALONE: readonly Around[] = [['', '']];

/** Searches the `bytes` of a file, read as UTF-8. `loadPatternParsers` must be awaited before. */
export function searchTree(bytes: Uint8Array, language: string, pattern: string): TreeSearch {
  const grammar = languageOf(language)?.grammar;
  if (grammar === undefined) return { fault: 'it has no grammar' };
  const key = `${language} ${pattern}`;
  let prepared = PREPARED.get(key);
  if (prepared === undefined) {
    if (PREPARED.size > 100) PREPARED.clear();
    prepared = prepare(grammar, pattern.trim());
    PREPARED.set(key, prepared);
  }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return matchesIn(prepared, text);
}

/** Searches our own trees alone, whatever ast-grep contains. */
export const searchOurs = (grammar: Grammar, text: string, pattern: string): TreeSearch =>
  matchesIn(prepareOurs(grammar, pattern.trim()), text);

function matchesIn(prepared: Prepared, text: string): TreeSearch {
  if ('fault' in prepared) return prepared;
  return { matches: prepared.find(text).sort((a, b) => a.start - b.start || b.end - a.end) };
}

function prepare(grammar: Grammar, pattern: string): Prepared {
  if (CONTAINED.has(grammar.name) && napi !== null) return prepareNatively(grammar, pattern);
  return prepareOurs(grammar, pattern);
}

// Matching in our own trees, by the rules of ast-grep (`crates/core/src/match_tree`, strictness "smart"): tokens without a name and
// comments of the code may be left out of a pattern, and so may all that follows its last child.

/** A node of a pattern. `id` is the kind's number, the same for all kinds of a name. */
type Goal =
  | { type: 'variable'; name: string | null; isList: boolean; isNamed: boolean }
  | { type: 'leaf'; id: number; text: string; isNamed: boolean }
  | { type: 'inner'; id: number; children: Goal[] };

/** Letters that stand for the `$` of variables, where the language names none: the first is used with which a pattern can be read. */
const LETTERS = ['µ', '$', '_'];

/** Kind of what a grammar cannot read; in a pattern it stands for any. */
const ANY = -1;

function prepareOurs(grammar: Grammar, pattern: string): Prepared {
  const variables = variablesOf(pattern);
  let fault = 'it does not parse';
  for (const letter of grammar.expando === undefined ? LETTERS : [grammar.expando]) {
    for (const around of grammar.around ?? ALONE) {
      const found = goalIn(grammar.name, pattern, { letter, around });
      if (typeof found !== 'string') return { find: (text) => findGoal(grammar.name, found, text, variables) };
      fault = found;
    }
  }
  return { fault };
}

/** The pattern's goal, or the reason why there is none. */
function goalIn(
  grammar: string,
  pattern: string,
  { letter, around: [before, behind] }: { letter: string; around: Around },
): Goal | string {
  const written = expanded(pattern, letter);
  const tree = parseWithGrammar(grammar, before + written + behind);
  if (tree === null) return 'it has no grammar';
  const isVariable = variableForm(letter);
  if (hasFault(tree, isVariable)) return 'it does not parse';
  const [from, to] = [before.length, before.length + written.length];
  let node = before + behind === '' ? singleNode(tree) : innermost(tree, from, to);
  // The semicolon of the frame belongs to a declaration, and not to an expression.
  if (typeof node === 'string' && behind.startsWith(';')) node = endedBy(tree, innermost(tree, from, to + 1), to);
  if (typeof node === 'string') return node;
  const goal = goalOf(tree, node, isVariable);
  return goal.type === 'variable' && goal.isList ? 'it matches anything' : goal;
}

/** Form of a variable in an expanded pattern. */
function variableForm(letter: string): RegExp {
  const sign = letter === '$' ? '\\$' : letter;
  return new RegExp(`^(?:(${sign}{3})([A-Z0-9_]*)|${sign}(${sign}?)([A-Z_][A-Z0-9_]*))$`);
}

/** Does the tree hold what the grammar could not read, but for variables, or a bracket that is not written? */
function hasFault(tree: SyntaxTree, isVariable: RegExp): boolean {
  for (let i = 0; i < tree.count; i++) {
    const [start, end] = [tree.start[i], tree.end[i]];
    if (idOf(tree, i) === ANY && !isVariable.test(tree.text.slice(start, end))) return true;
    if (start === end && i > 0 && /^[)\]}>"'`]$/.test(tree.nameOf(i))) return true;
  }
  return false;
}

/** The outermost node that has not a single child; a text when the pattern is not one node. */
function singleNode(tree: SyntaxTree): number | string {
  if (tree.count === 1) return 'it is empty';
  if (!isSingle(tree, 0)) return 'it is more than one piece of syntax';
  let node = 0;
  while (isSingle(tree, node)) node++;
  return node;
}

/** Has the node one child, if an empty one at its end does not count? */
function isSingle(tree: SyntaxTree, node: number): boolean {
  const [first, second] = childrenOf(tree, node);
  if (first === undefined) return false;
  if (second === undefined) return true;
  return tree.next[second] === tree.next[node] && tree.start[second] === tree.end[second];
}

/** The innermost node with a name that spans the whole pattern. */
function innermost(tree: SyntaxTree, start: number, end: number): number | string {
  let found = -1;
  for (let i = 0; i < tree.count; i++)
    if (tree.start[i] === start && tree.end[i] === end && isNamed(tree, i)) found = i;
  return found === -1 ? 'it is not one piece of syntax' : found;
}

/** The node, if its last child is a token at that offset: the end of `if (x)` would be a statement that is not in the pattern. */
function endedBy(tree: SyntaxTree, node: number | string, offset: number): number | string {
  const last = typeof node === 'string' ? undefined : childrenOf(tree, node).at(-1);
  const isToken = last !== undefined && tree.start[last] === offset && !isNamed(tree, last);
  return isToken ? node : 'it is not one piece of syntax';
}

function goalOf(tree: SyntaxTree, node: number, isVariable: RegExp): Goal {
  const text = tree.text.slice(tree.start[node], tree.end[node]);
  const variable = isVariable.exec(text);
  if (variable !== null) {
    const [, list, listName, unnamed, oneName] = variable;
    const name = list === undefined ? oneName : listName;
    const isCaptured = name !== '' && !name.startsWith('_');
    return { type: 'variable', name: isCaptured ? name : null, isList: list !== undefined, isNamed: unnamed === '' };
  }
  const [id, children] = [idOf(tree, node), childrenOf(tree, node)];
  if (children.length === 0) return { type: 'leaf', id, text, isNamed: isNamed(tree, node) };
  // A token that the grammar made up is no part of the pattern.
  const written = children.filter((child) => tree.start[child] < tree.end[child] || tree.next[child] > child + 1);
  return { type: 'inner', id, children: written.map((child) => goalOf(tree, child, isVariable)) };
}

function childrenOf(tree: SyntaxTree, node: number): number[] {
  const found: number[] = [];
  for (let i = node + 1; i < tree.next[node]; i = tree.next[i]) found.push(i);
  return found;
}

/** A grammar has several numbers for some names. */
const IDS = new WeakMap<object, Int32Array>();

function idOf({ names, kind }: SyntaxTree, node: number): number {
  let ids = IDS.get(names);
  if (ids === undefined) {
    const firsts = new Map<string, number>();
    ids = Int32Array.from(names.kinds, (name, number) => {
      const key = `${names.named[number]} ${name}`;
      const first = firsts.get(key) ?? number;
      firsts.set(key, first);
      return first;
    });
    IDS.set(names, ids);
  }
  return ids[kind[node]] ?? ANY;
}

const isNamed = (tree: SyntaxTree, node: number): boolean => idOf(tree, node) === ANY || tree.isNamed(node);

function findGoal(grammar: string, goal: Goal, text: string, variables: ReturnType<typeof variablesOf>): TreeMatch[] {
  // A mark of the byte order is no character of the code.
  const tree = parseWithGrammar(grammar, text.replace(/^\ufeff/, ' '), text);
  if (tree === null) return [];
  const found: TreeMatch[] = [];
  for (let i = 0; i < tree.count; i++) {
    if (goal.type !== 'variable' && goal.id !== ANY && goal.id !== idOf(tree, i)) continue;
    const matcher = new Matcher(tree);
    if (matcher.matchesRoot(goal, i)) found.push({ ...spanAt(tree, [i]), captures: matcher.captures(variables) });
  }
  return found;
}

const spanAt = (tree: SyntaxTree, nodes: readonly number[]): TreeSpan => ({
  start: tree.start[nodes[0]],
  end: tree.end[nodes[nodes.length - 1]],
});

type Verdict = 'match' | 'skip' | 'no';

/** One attempt to match a pattern, with what its variables stand for. */
class Matcher {
  constructor(
    private readonly tree: SyntaxTree,
    private readonly one = new Map<string, number>(),
    private readonly many = new Map<string, readonly number[]>(),
  ) {}

  /** A variable alone stands for comments, too. */
  matchesRoot(goal: Goal, node: number): boolean {
    return goal.type === 'variable' ? this.binds(goal, node) : this.verdict(goal, node) === 'match';
  }

  captures(variables: ReturnType<typeof variablesOf>): TreeMatch['captures'] {
    return variables.flatMap(({ name }) => {
      const one = this.one.get(name);
      const nodes = one === undefined ? (this.many.get(name) ?? []) : [one];
      return nodes.length === 0 ? [] : [{ name, ...spanAt(this.tree, nodes) }];
    });
  }

  private verdict(goal: Goal, node: number): Verdict {
    const { tree } = this;
    if (goal.type === 'variable') return this.isComment(node) ? 'skip' : this.binds(goal, node) ? 'match' : 'no';
    const isKind = goal.id === ANY || goal.id === idOf(tree, node);
    if (goal.type === 'inner') return isKind && this.matchesAll(goal.children, childrenOf(tree, node)) ? 'match' : 'no';
    if (isKind && (!goal.isNamed || goal.text === this.textOf(node))) return 'match';
    return this.isComment(node) || !isNamed(tree, node) ? 'skip' : 'no';
  }

  private matchesAll(goals: readonly Goal[], nodes: readonly number[]): boolean {
    if (nodes.length === 0) return false;
    for (let [g, n] = [0, 0]; ; g++, n++) {
      while (g < goals.length && isList(goals[g])) {
        const behind = this.takeList(goals, nodes, [g, n]);
        if (behind === null || behind[0] === goals.length) return behind !== null;
        [g, n] = behind;
      }
      if (g === goals.length) return true;
      while (n < nodes.length) {
        const verdict = this.verdict(goals[g], nodes[n]);
        if (verdict === 'no') return false;
        if (verdict === 'match') break;
        n++;
      }
      if (n === nodes.length) return false;
      if (g + 1 === goals.length) return true;
      if (n + 1 === nodes.length) return false;
    }
  }

  /** Gives a list all nodes before the first that its successor in the pattern matches. Returns the places behind; null for no match. */
  private takeList(
    goals: readonly Goal[],
    nodes: readonly number[],
    [at, from]: [number, number],
  ): [number, number] | null {
    let [g, n] = [at + 1, from];
    while (g < goals.length && isToken(goals[g])) g++;
    const take = (end: number) => this.bindsList(goals[at], nodes.slice(from, end), g - at - 1);
    if (g === goals.length) return take(nodes.length) ? [g, nodes.length] : null;
    if (isList(goals[g])) n++;
    else
      for (; n < nodes.length; n++)
        // Forgets its bindings: the caller makes the match itself.
        if (this.copy().verdict(goals[g], nodes[n]) === 'match') break;
    return n < nodes.length && take(n) ? [g, n] : null;
  }

  private copy(): Matcher {
    return new Matcher(this.tree, new Map(this.one), new Map(this.many));
  }

  private binds({ name, isNamed: named }: Goal & { type: 'variable' }, node: number): boolean {
    if (named && !isNamed(this.tree, node)) return false;
    if (name === null) return true;
    const before = this.one.get(name);
    if (before !== undefined && !this.isSame(before, node)) return false;
    this.one.set(name, node);
    return true;
  }

  /** `tokens`: how many tokens without a name stood between the list and its successor in the pattern. They are no part of it. */
  private bindsList(goal: Goal, nodes: readonly number[], tokens: number): boolean {
    if (goal.type !== 'variable' || goal.name === null) return true;
    const taken = nodes.slice(0, Math.max(0, nodes.length - tokens));
    const before = this.many.get(goal.name);
    if (before !== undefined) {
      const [first, second] = [before, taken].map((list) => list.filter((node) => isNamed(this.tree, node)));
      if (first.length !== second.length || !first.every((node, i) => this.isSame(node, second[i]))) return false;
    }
    this.many.set(goal.name, taken);
    return true;
  }

  private isSame(a: number, b: number): boolean {
    const { tree } = this;
    if (a === b) return true;
    const [first, second] = [childrenOf(tree, a), childrenOf(tree, b)];
    const isLeaf = (children: readonly number[]) => !children.some((child) => isNamed(tree, child));
    if (isLeaf(first) || isLeaf(second)) return this.textOf(a) === this.textOf(b);
    if (idOf(tree, a) !== idOf(tree, b) || first.length !== second.length) return false;
    return first.every((child, i) => this.isSame(child, second[i]));
  }

  private isComment(node: number): boolean {
    return isNamed(this.tree, node) && /comment/i.test(this.tree.nameOf(node));
  }

  private textOf(node: number): string {
    return this.tree.text.slice(this.tree.start[node], this.tree.end[node]);
  }
}

const isList = (goal: Goal): boolean => goal.type === 'variable' && goal.isList;
const isToken = (goal: Goal): boolean => goal.type === 'leaf' && !goal.isNamed;

// ast-grep itself.

type Rule = { pattern: string | { context: string; selector: string } };

function prepareNatively({ name, expando, around = ALONE }: Grammar, pattern: string): Prepared {
  const letter = expando ?? '$';
  let fault = 'it does not parse';
  for (const [before, behind] of around) {
    const isAlone = before === '' && behind === '';
    const rule = isAlone ? aloneRule(name, pattern, letter) : ruleAround(name, pattern, [before, behind], letter);
    if (rule === null) continue;
    const reason = faultOf(name, rule);
    if (reason !== null) fault = reason;
    else {
      const variables = variablesOf(pattern);
      const find = (text: string) =>
        (parseForPatterns(name, text)?.findAll({ rule }) ?? []).map((node) => matchOf(node, variables));
      return { find };
    }
  }
  return { fault };
}

function matchOf(node: PatternNode, variables: ReturnType<typeof variablesOf>): TreeMatch {
  const captures: TreeMatch['captures'] = [];
  for (const { name, isList } of variables) {
    const one = isList ? null : node.getMatch(name);
    const nodes = isList ? node.getMultipleMatches(name) : one === null ? [] : [one];
    if (nodes.length === 0) continue;
    const [start, end] = [spanOf(nodes[0]).start, spanOf(nodes[nodes.length - 1]).end];
    captures.push({ name, start, end });
  }
  return { ...spanOf(node), captures };
}

function spanOf(node: PatternNode): TreeSpan {
  const { start, end } = node.range();
  return { start: start.index, end: end.index };
}

const aloneRule = (grammar: string, pattern: string, letter: string): Rule | null =>
  parsed(grammar, pattern, ALONE[0], letter) === null ? null : { pattern };

function ruleAround(grammar: string, pattern: string, [before, behind]: Around, letter: string): Rule | null {
  const selector = kindInside(grammar, pattern, [before, behind], letter);
  return selector === null ? null : { pattern: { context: before + pattern + behind, selector } };
}

/** Kind of the innermost node that spans the whole pattern; null if there is none, or if another node before it has the kind. */
function kindInside(grammar: string, pattern: string, [before, behind]: Around, letter: string): string | null {
  const root = parsed(grammar, pattern, [before, behind], letter);
  const start = before.length;
  const end = start + expanded(pattern, letter).length;
  let found: PatternNode | null = null;
  for (let node: PatternNode | undefined = root ?? undefined; node !== undefined; ) {
    const { start: from, end: to } = node.range();
    if (from.index === start && to.index === end && node.isNamed()) found = node;
    node = node.children().find((child) => child.range().start.index <= start && child.range().end.index >= end);
  }
  if (root === null || found === null) return null;
  const kind = String(found.kind());
  return root.find({ rule: { kind } })?.id() === found.id() ? kind : null;
}

/** The tree of a pattern; null if it has an error. A variable is no error where the grammar allows more than a name. */
function parsed(grammar: string, pattern: string, [before, behind]: Around, letter: string): PatternNode | null {
  const root = parseForPatterns(grammar, before + expanded(pattern, letter) + behind);
  const variables = new Set([...pattern.matchAll(VARIABLE)].map(([variable]) => expanded(variable, letter)));
  const errors = root?.findAll({ rule: { kind: 'ERROR' } }) ?? [];
  return root !== null && errors.every((node) => variables.has(node.text())) && !lacksBracket(root) ? root : null;
}

/** Did the parser make up a bracket that is not written? */
function lacksBracket(node: PatternNode): boolean {
  const { start, end } = node.range();
  if (start.index === end.index && /^[)\]}>"'`]$/.test(String(node.kind()))) return true;
  return node.children().some(lacksBracket);
}

const expanded = (pattern: string, letter: string): string =>
  pattern.replace(VARIABLE, (variable) => variable.replaceAll('$', () => letter));

function faultOf(grammar: string, rule: Rule): string | null {
  try {
    parseForPatterns(grammar, '')?.find({ rule });
    return null;
  } catch (error) {
    const lines = (error as Error).message.split('\n');
    if (lines.some((line) => line.includes('Multiple AST nodes'))) return 'it is more than one piece of syntax';
    return (lines.at(-1) ?? '').replace(/^[\s|\->]*/, '').slice(0, 200);
  }
}

/** A variable of a pattern or a template. Names that begin with `_` are not captured. */
export const VARIABLE = /\$\$\$([A-Z_][A-Z0-9_]*)?|\$\$?([A-Z_][A-Z0-9_]*)/g;

/** Names of the variables that a match captures, each once. */
export function variablesOf(pattern: string): { name: string; isList: boolean }[] {
  const found = new Map<string, boolean>();
  for (const [all, list, one] of pattern.matchAll(VARIABLE)) {
    const name = list ?? one;
    if (name !== undefined && !name.startsWith('_')) found.set(name, all.startsWith('$$$'));
  }
  return [...found].map(([name, isList]) => ({ name, isList }));
}

/** Words that every text with a match contains, in letters of any case. None where the pattern may hold a comment. */
export function wordsOf(pattern: string): string[] {
  if (/\/[/*]|#|--|<!/.test(pattern)) return [];
  return [...new Set(pattern.replace(VARIABLE, ' ').match(/[\p{L}\p{N}_]{2,}/gu) ?? [])];
}

type PatternNode = SgNode;

type Napi = typeof import('@ast-grep/napi');

let napi: Napi | null = null;
let loading: Promise<void> | null = null;

/** Loads ast-grep, once per process. */
export function loadPatternParsers(): Promise<void> {
  loading ??= import('@ast-grep/napi').then(
    (module) => {
      napi = module;
    },
    () => {
      // No native module for this system: our own trees are searched.
    },
  );
  return loading;
}

/** Is ast-grep loaded? */
export const hasNative = (): boolean => napi !== null;

/** The root node of the parsed text; null without a grammar of ast-grep itself. `loadPatternParsers` must be awaited before. */
export function parseForPatterns(grammar: string, text: string): PatternNode | null {
  return napi === null || !CONTAINED.has(grammar) ? null : napi.parse(grammar, text).root();
}
