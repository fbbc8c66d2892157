/**
 * Collects all relations of a parsed text (`collectRelations`): those that rules of its language state, then uses of names that no rule
 * states: properties that are read or written, constants, classes as values. Those are found in the text around the nodes that hold no
 * names (comments, contents of strings), since asking the tree for each identifier costs ten times as much.
 */
import { accessPathEndingAt } from '../../languages/roles/access-path.js';
import type { AccessPath, LexicalConventions, NameRules, RelationRules } from '../../languages/roles/relations.js';
import { isSpace, lastPart, skipSpaceBack, skipString, type TextRange } from '../../languages/roles/scan.js';
import { type Draft, FUNCTION_KINDS, stateParameters, TYPE_KINDS } from '../draft.js';
import type { SyntaxTree, TreeNode } from '../syntax-tree.js';
import { inImport, type RawRelations, RelationSink } from './fact-sink.js';
import { narrowUses } from './narrowings.js';
import { addImpliedReceivers, Enclosing, hideTypes, separateInnerNames } from './scopes.js';

/** States a `read` or `write` for every name without another fact. `silent`: ranges without names, in order. */
function addNameUses(
  rules: NameRules,
  silent: readonly TextRange[],
  sink: RelationSink,
  drafts: readonly Draft[],
): void {
  sink.raw.imports.sort((a, b) => a.at - b.at);
  new NameReader(rules, sink, drafts).read(silent);
}

/** Finds the first range that ends behind an offset; offsets must ascend. */
function rangesInOrder(ranges: readonly TextRange[]): (at: number) => TextRange | undefined {
  let next = 0;
  return (at) => {
    while (next < ranges.length && ranges[next].end <= at) next++;
    return ranges[next];
  };
}

class NameReader {
  private readonly names: NameFilter;
  private readonly declared: ReadonlySet<number>;
  private readonly fields: ReadonlySet<number>;
  /** A value does not count as a use here: most are no functions, and their facts are dropped then. */
  private readonly used: ReadonlySet<number>;
  private readonly literals: Literals;

  constructor(
    private readonly rules: NameRules,
    private readonly sink: RelationSink,
    drafts: readonly Draft[],
  ) {
    const { raw } = sink;
    this.names = new NameFilter(rules, raw, drafts);
    const declared = declaredBy(raw, drafts);
    for (const at of assignedAgain(raw, drafts)) declared.delete(at);
    this.declared = declared;
    this.fields = new Set(raw.bindings.filter(({ place }) => place === 'field').map(({ at }) => at));
    this.used = new Set(raw.references.filter(({ kind }) => kind !== 'value').map(({ at }) => at));
    this.literals = new Literals(raw.literals);
  }

  read(silent: readonly TextRange[]): void {
    const { source, rules } = this.sink;
    const classes = classesOf(rules.lexical.nameExtra ?? '');
    const rangeFrom = rangesInOrder(silent);
    for (let at = nextToken(source, 0, classes), end = at; at < source.length; at = nextToken(source, end, classes)) {
      const range = rangeFrom(at);
      if (range !== undefined && range.start <= at) {
        end = range.end;
        continue;
      }
      end = Math.min(tokenEnd(source, at, classes), range?.start ?? source.length);
      if (!isDigit(source.charCodeAt(at)) && !this.declared.has(at)) this.name(at, end);
    }
  }

  private name(at: number, end: number): void {
    const { sink, rules, used } = this;
    // Only a shorthand, which keys make, is a second use of a name.
    if (!rules.keys && used.has(at)) return;
    const standing = useAt(sink.source, at, end, sink.rules.lexical, rules);
    if (standing === null || (used.has(at) && standing !== 'shorthand')) return;
    const name = sink.source.slice(at, end);
    // `this.total = 1` states a field and writes it.
    if (this.fields.has(at) && standing !== 'member' && standing !== 'method') return;
    if (this.isKey(standing, name, at, end)) sink.reference(at, end, 'write', `${this.literals.around(at)}.${name}`);
    if (standing !== 'key' && standing !== 'method' && !used.has(at)) this.use(standing, name, at, end);
  }

  /** Does the name write a property of the literal around it? */
  private isKey(standing: Standing, name: string, at: number, end: number): boolean {
    if (standing === 'method') return !HEADS.test(name) && isMethod(this.sink, end);
    const isWritten = standing === 'key' || (standing === 'shorthand' && this.literals.around(at) !== '?');
    return isWritten && !inImport(this.sink.raw, at);
  }

  private use(standing: Standing, name: string, at: number, end: number): void {
    const { sink } = this;
    const counts = standing === 'member' || this.names.counts(name, at, sink.source.startsWith('::', end));
    if (!counts || inImport(sink.raw, at)) return;
    const kind = isWritten(sink.source, end) ? 'write' : 'read';
    const alone = () => (standing === 'text' ? name : ownPath(sink, at, end).accessPath);
    const path = standing === 'member' ? memberPath(sink, name, at, end) : alone();
    if (path !== '') sink.reference(at, end, kind, path);
  }
}

/** Literals with keys; look-ups must ascend. */
class Literals {
  private readonly open: RawRelations['literals'] = [];
  private next = 0;
  private readonly sorted: RawRelations['literals'];

  constructor(literals: RawRelations['literals']) {
    this.sorted = [...literals].sort((a, b) => a.start - b.start || b.end - a.end);
  }

  /** Access path of the value that has the keys at an offset, '?' if it isn't known. */
  around(at: number): string {
    for (; this.next < this.sorted.length && this.sorted[this.next].start < at; this.next++) {
      this.leave(this.sorted[this.next].start);
      this.open.push(this.sorted[this.next]);
    }
    this.leave(at);
    return this.open[this.open.length - 1]?.accessPath || '?';
  }

  private leave(at: number): void {
    const { open } = this;
    while (open.length > 0 && open[open.length - 1].end <= at) open.pop();
  }
}

/** Decides which names are uses where they stand alone, without a receiver. */
class NameFilter {
  private readonly known = new Set<string>();
  /** Functions that have a local of a name, -1 for the top of the file. */
  private readonly locals = new Map<string, Set<number>>();
  private readonly around: Enclosing;
  private readonly holders: readonly number[];
  private readonly open: boolean;

  constructor(
    private readonly rules: NameRules,
    raw: RawRelations,
    drafts: readonly Draft[],
  ) {
    let wildcard = false;
    for (const { kind, names } of raw.imports) {
      for (const { alias } of names) {
        this.known.add(alias);
        // `export * from './cart'` passes names on, and gives none to the file itself.
        wildcard ||= alias === '' && kind !== 'reexport' && kind !== 'type-reexport';
      }
    }
    for (const { name, container } of drafts) {
      if (rules.unimported || container === null || !TYPE_KINDS.has(container.kind)) this.known.add(name);
    }
    this.open = rules.unimported || wildcard;
    this.around = new Enclosing(drafts);
    const indexes = new Map(drafts.map((draft, index) => [draft, index]));
    this.holders = this.open ? drafts.map(({ container }) => indexes.get(container as Draft) ?? -1) : [];
    if (this.open) this.addLocals(raw);
  }

  private addLocals({ bindings }: RawRelations): void {
    const locals = bindings.filter(({ place }) => place === 'local' || place === 'variable');
    for (const { name, at } of locals.sort((a, b) => a.at - b.at)) {
      const scopes = this.locals.get(name);
      const scope = this.around.function(at);
      if (scopes === undefined) this.locals.set(name, new Set([scope]));
      else scopes.add(scope);
    }
    this.around.rewind();
  }

  /** Is the name at this offset a use? Offsets must ascend. `qualifies`: a path begins with it, as `Err::Closed` does. */
  counts(name: string, at: number, qualifies: boolean): boolean {
    if (name[0] === this.rules.localPrefix) return false;
    // A file can give a type of its own the name of one that the language knows.
    if (this.rules.keywords.has(name)) return qualifies && this.known.has(name);
    if (this.rules.softKeywords?.has(name)) return this.known.has(name);
    return this.known.has(name) || (this.open && !this.isLocal(name, at));
  }

  /** Is it a local of one of the functions around an offset, or of the top of the file? */
  private isLocal(name: string, at: number): boolean {
    const scopes = this.locals.get(name);
    if (scopes === undefined) return false;
    if (scopes.has(-1)) return true;
    for (let scope = this.around.function(at); scope >= 0; scope = this.holders[scope]) {
      if (scopes.has(scope)) return true;
    }
    return false;
  }
}

/** `text`: a name in a string, behind the sign of interpolations. */
type Standing = 'member' | 'key' | 'method' | 'shorthand' | 'bare' | 'text';

/** Position of a name in the text; null for the name of an argument, an escape in a string, and the like. */
function useAt(
  source: string,
  at: number,
  end: number,
  lexical: LexicalConventions,
  rules: NameRules,
): Standing | null {
  const before = isSpace(source.charCodeAt(at - 1)) ? skipSpaceBack(source, at, 0, lexical) : at;
  if (lexical.joins.some((join) => source.endsWith(join, before)) && !source.endsWith('..', before)) return 'member';
  const last = source[before - 1] ?? '';
  if (last === rules.interpolation && before === at) return 'text';
  if (isPartOfOther(source, at, end, before, lexical)) return null;
  // Rules state calls. A name that they leave out before a bracket is declared there.
  if (source[end] === '(') return rules.keys && isAtKey(source, before) ? 'method' : null;
  return LIST_MARKS.has(last) ? inList(source, before, end, rules) : 'bare';
}

const LIST_MARKS: ReadonlySet<string> = new Set('{,([');

function isPartOfOther(source: string, at: number, end: number, before: number, lexical: LexicalConventions): boolean {
  const last = source[before - 1] ?? '';
  // An escape, a lifetime, or the prefix of a string.
  if (before === at && (last === '\\' || last === "'" || lexical.quotes.includes(last))) return true;
  // `Stmt` of `Stmt\Use_` is a namespace, not the class of that name.
  return lexical.quotes.includes(source[end] ?? ' ') || (source[end] === '\\' && lexical.leading === '\\');
}

/** Standing of a name behind a bracket or a comma. */
function inList(source: string, before: number, end: number, rules: NameRules): Standing | null {
  const last = source[before - 1];
  const after = nextCharacter(source, end);
  const next = source[after];
  if (next === ':' && source[after + 1] !== ':') return beforeColon(source, before, after, rules);
  if (rules.keys && (last === '{' || last === ',') && (next === ',' || next === '}'))
    return last === '{' && source[before - 2] === rules.interpolation ? 'bare' : 'shorthand';
  const isLabel = rules.labels === '=' && last !== '{' && next === '=' && source[after + 1] !== '=';
  return isLabel ? null : 'bare';
}

/** Standing of a name with a single colon behind it, at `after`. */
function beforeColon(source: string, before: number, after: number, rules: NameRules): Standing | null {
  // `cart, err := open()` of Go declares its names.
  if (rules.keys && source[after + 1] === '=') return null;
  const last = source[before - 1];
  if (last === '{' && rules.formats) return 'bare';
  if (last === ',' && CASE.test(source.slice(Math.max(0, before - MAX_CASE_LENGTH), before))) return 'bare';
  if ((last === '{' || last === ',') && rules.keys) return 'key';
  return rules.labels === ':' ? null : 'bare';
}

/** `case hit, miss:` */
const CASE = /\bcase\s[^:;{}]*$/;
const MAX_CASE_LENGTH = 200;
const KEY_LEAD = /[{,]\s*(?:async|get|set|\*)\s*$/;

function isAtKey(source: string, before: number): boolean {
  const last = source[before - 1];
  return last === '{' || last === ',' || KEY_LEAD.test(source.slice(Math.max(0, before - 40), before));
}

/** Is `total(…)` followed by a body, as in `{ total() { … } }`? */
function isMethod(sink: RelationSink, open: number): boolean {
  const { source } = sink;
  const close = nextCharacter(source, sink.closing(open, open + MAX_PARAMETERS_LENGTH));
  return source[close] === '{' || (source[close] === ':' && BODY.test(source.slice(close, close + MAX_RESULT_LENGTH)));
}

/** Words before a bracket and a block. */
const HEADS = /^(?:if|for|while|switch|catch|with|function|match|loop|fn|func|constructor)$/;
/** UTF-16 units. */
const MAX_PARAMETERS_LENGTH = 2_000;
const MAX_RESULT_LENGTH = 100;
/** Type of a result, and a body, behind parameters. */
const BODY = /^:\s*[\w$.<>[\]|\s]+\{/;

function nextCharacter(source: string, from: number): number {
  let at = from;
  while (at < source.length && isSpace(source.charCodeAt(at))) at++;
  return at;
}

function memberPath(sink: RelationSink, name: string, at: number, end: number): string {
  const { accessPath } = ownPath(sink, at, end);
  return accessPath.includes('.') ? accessPath : `?.${name}`;
}

/** The access path that ends with the name at `at`. The value of a cast ends there too, but is another path. */
function ownPath(sink: RelationSink, at: number, end: number): AccessPath {
  const found = sink.accessPathBefore(end);
  return found.nameStart === at ? found : accessPathEndingAt(sink.source, end, sink.rules.lexical);
}

const WRITTEN = /\s*(?:=(?![=>~])|(?:[-+%&|^]|\*\*?|\/\/?|<<|>>>?|&&|\|\||\?\?)=(?!=)|\+\+|--)/y;

function isWritten(source: string, end: number): boolean {
  WRITTEN.lastIndex = end;
  return WRITTEN.test(source);
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** Characters of names by their code: 0 for none, else a digit, a letter of every language, or one of this language alone. */
const DIGIT = 1;
const LETTER = 2;
const EXTRA = 3;
const ASCII = 128;
const classTables = new Map<string, Uint8Array>();

function classesOf(extra: string): Uint8Array {
  let table = classTables.get(extra);
  if (table === undefined) {
    table = new Uint8Array(ASCII);
    for (let code = 0; code < ASCII; code++) {
      const char = String.fromCharCode(code);
      table[code] = /\d/.test(char) ? DIGIT : /\w/.test(char) ? LETTER : extra.includes(char) ? EXTRA : 0;
    }
    classTables.set(extra, table);
  }
  return table;
}

function classAt(source: string, at: number, classes: Uint8Array): number {
  const code = source.charCodeAt(at);
  return code < ASCII ? classes[code] : EXTRA;
}

/** Offset of the next name or number; the length of the text if there is none. */
function nextToken(source: string, from: number, classes: Uint8Array): number {
  let at = from;
  while (at < source.length && classAt(source, at, classes) === 0) at++;
  return at;
}

/** End of the name or number that starts at an offset. A number ends before a character that other languages do not have in names. */
function tokenEnd(source: string, at: number, classes: Uint8Array): number {
  const isNumber = classAt(source, at, classes) === DIGIT;
  let end = at + 1;
  while (end < source.length) {
    const found = classAt(source, end, classes);
    if (found === 0 || (isNumber && found === EXTRA)) break;
    end++;
  }
  return end;
}

/** Offsets of names that are declared, without fields. A result has the offset of the value that is returned. */
function declaredBy(raw: RawRelations, drafts: readonly Draft[]): Set<number> {
  const declared = new Set<number>();
  for (const { kind, name, nameStart } of drafts) {
    if (kind === 'impl') continue;
    declared.add(nameStart);
    // `class Cart::Line` is no use of itself.
    const last = name.lastIndexOf('::');
    if (last > 0) declared.add(nameStart + last + 2);
  }
  for (const { at, place } of raw.bindings) if (place !== 'field' && place !== 'result') declared.add(at);
  return declared;
}

/** Offsets outside of functions that assign a symbol which the file defines elsewhere. */
function assignedAgain({ bindings }: RawRelations, drafts: readonly Draft[]): number[] {
  const starts = new Set<number>();
  const names = new Set<string>();
  for (const { container, name, nameStart } of drafts) {
    starts.add(nameStart);
    if (container === null) names.add(name);
  }
  const around = new Enclosing(drafts);
  return bindings
    .filter(({ place, name, at }) => place === 'variable' && names.has(name) && !starts.has(at))
    .map(({ at }) => at)
    .sort((a, b) => a - b)
    .filter((at) => around.holder(at) === -1);
}

/** Offsets of a text without names, or (`isCode`) of code inside such a text: an interpolation. */
interface OpaqueRange extends TextRange {
  isCode: boolean;
}

/** Ranges without names, in order and apart from each other. */
function withoutNames(ranges: readonly OpaqueRange[]): TextRange[] {
  const sorted = [...ranges].sort((a, b) => a.start - b.start || b.end - a.end);
  const found: TextRange[] = [];
  const open: OpaqueRange[] = [];
  let from = 0;
  const close = (to: number): void => {
    const top = open[open.length - 1];
    if (top !== undefined && !top.isCode && to > from) found.push({ start: from, end: to });
    from = to;
  };
  const leave = (at: number): void => {
    for (let top = open[open.length - 1]; top !== undefined && top.end <= at; top = open[open.length - 1]) {
      close(top.end);
      open.pop();
    }
  };
  for (const range of sorted) {
    leave(range.start);
    close(range.start);
    open.push(range);
  }
  leave(Number.POSITIVE_INFINITY);
  return found;
}

/** Ranges of a template that its code leaves out. */
function* outsideOf(masked: string, source: string): Generator<TextRange> {
  let from = -1;
  for (let at = 0; at <= source.length; at++) {
    const isOut = at < source.length && masked[at] !== source[at];
    if (isOut && from === -1) from = at;
    else if (!isOut && from !== -1) {
      yield { start: from, end: at };
      from = -1;
    }
  }
}

/** Most nodes that are looked at in one file. Files with more are generated or minified, and their names are of no use. */
const MAX_NODES = 200_000;
/** Characters of a line that are searched, backwards, for the start of a comment. */
const MAX_LINE_LENGTH = 300;

/**
 * Facts of a parsed text. `found` are the nodes of the kinds that the rules name, `drafts` its definitions. The order counts: values and
 * then names are stated only where no fact has been before, and scopes change facts once all are there.
 */
export function collectRelations(
  found: readonly TreeNode[],
  source: string,
  rules: RelationRules,
  drafts: readonly Draft[],
  tree: SyntaxTree,
): RawRelations {
  const nodes = innerFirst(found);
  const brackets = new Map<number, number>();
  const bracketKinds = new Set(rules.brackets);
  for (const node of nodes) if (bracketKinds.has(node.kind)) brackets.set(node.start, node.end);
  const sink = new RelationSink(source, rules, brackets);
  const readers = new Map(Object.entries(rules.nodes));
  for (const node of nodes) readers.get(node.kind)?.(node, sink);
  if (rules.definition !== undefined) for (const draft of drafts) rules.definition(viewOfDraft(draft), sink);
  if (rules.parameters !== undefined) stateParameters(drafts, sink);
  rules.text?.(sink);
  const silent = rules.names === undefined ? null : withoutNames(opaqueOf(nodes, source, rules.names));
  if (rules.names?.masked !== undefined) silent?.push(...outsideOf(rules.names.masked(source), source));
  silent?.sort((a, b) => a.start - b.start);
  if (rules.values !== undefined) addValues(rules.values, sink, drafts, silent);
  if (rules.names !== undefined) addNameUses(rules.names, silent ?? [], sink, drafts);
  const facts = sink.facts();
  hideTypes(facts, drafts);
  narrowUses(facts);
  addImpliedReceivers(facts, drafts);
  if (rules.callbacks !== undefined) separateInnerNames(facts, drafts, tree, rules.callbacks);
  return facts;
}

function opaqueOf(
  nodes: readonly TreeNode[],
  source: string,
  { opaque, code = [], interpolation }: NameRules,
): OpaqueRange[] {
  const kinds = new Map([
    ...opaque.map((kind) => [kind, false] as const),
    ...code.map((kind) => [kind, true] as const),
  ]);
  const ranges: OpaqueRange[] = [];
  for (const { kind, start, end } of nodes) {
    const isCode = kinds.get(kind);
    if (isCode === undefined) continue;
    // The sign belongs to the string: elsewhere, names of some languages can have it.
    ranges.push({ start: isCode && source[start] === interpolation ? start + 1 : start, end, isCode });
  }
  return ranges;
}

/** Inner before outer, so that access paths and values find what was read in them. */
function innerFirst(found: readonly TreeNode[]): TreeNode[] {
  const nodes = found.slice(0, MAX_NODES).filter(({ start, end }) => end > start);
  return nodes.sort((a, b) => a.end - b.end || b.start - a.start);
}

function viewOfDraft(draft: Draft) {
  const { kind, name, start, nameStart, signatureEnd, end, doc } = draft;
  const nameEnd = Math.min(nameStart + name.length, end);
  return { kind, name, container: draft.container?.kind ?? null, start, nameStart, nameEnd, signatureEnd, end, doc };
}

/** States the names that are passed to other code. Most matches of the expression are no names of this file, and do not count. */
function addValues(
  pattern: RegExp,
  sink: RelationSink,
  drafts: readonly Draft[],
  silent: readonly TextRange[] | null,
): void {
  const { source, raw } = sink;
  const { names, methods } = namesOf(raw, drafts);
  const taken = declaredBy(raw, drafts);
  for (const facts of [raw.bindings, raw.references, raw.exports]) for (const { at } of facts) taken.add(at);
  raw.imports.sort((a, b) => a.at - b.at);
  const rangeFrom = silent === null ? null : rangesInOrder(silent);
  for (const match of source.matchAll(pattern)) {
    const written = match[1];
    const [first] = written.split('.', 1);
    const member = written.slice(first.length + 1);
    if (first === 'this' ? member === '' || !methods.has(member) : !names.has(first)) continue;
    const end = match.index + match[0].trimEnd().length;
    const at = end - lastPart(written).length;
    if (taken.has(at) || inImport(raw, at)) continue;
    const range = rangeFrom?.(at);
    if (rangeFrom === null ? isProse(source, at, sink) : range !== undefined && range.start <= at) continue;
    sink.reference(at, end, 'value', written);
  }
}

/** Names that can stand alone (imports, and symbols that are no members), and members of the instance. */
function namesOf(raw: RawRelations, drafts: readonly Draft[]): { names: Set<string>; methods: Set<string> } {
  const names = new Set<string>();
  const methods = new Set<string>();
  for (const fact of raw.imports) for (const { alias } of fact.names) names.add(alias);
  for (const { name, kind, container } of drafts) {
    if (FUNCTION_KINDS.has(kind)) methods.add(name);
    if (container === null || !TYPE_KINDS.has(container.kind)) names.add(name);
  }
  return { names, methods };
}

/** Is the offset in a comment or a string, by the line's text alone? An apostrophe counts as a quote: a missed use is better than prose. */
function isProse(source: string, at: number, { rules }: RelationSink): boolean {
  const from = Math.max(0, at - MAX_LINE_LENGTH);
  const line = source.slice(from, at);
  const before = line.slice(line.lastIndexOf('\n') + 1);
  const { lineComments, blockComment, quotes } = rules.lexical;
  if (blockComment !== undefined && before.trimStart().startsWith('*')) return true;
  if (blockComment !== undefined && before.lastIndexOf(blockComment[0]) > before.lastIndexOf(blockComment[1]))
    return true;
  if (lineComments.some((open) => startsComment(before, open))) return true;
  for (let to = at - before.length; to < at; ) {
    const after = skipString(source, to, at + 1, quotes);
    if (after > at) return source[to] !== '`';
    to = Math.max(after, to + 1);
  }
  return false;
}

/** Does a comment start here, at the beginning of the line or behind white space? Elsewhere the mark is part of a word or an address. */
function startsComment(line: string, open: string): boolean {
  for (let at = line.indexOf(open); at !== -1; at = line.indexOf(open, at + 1)) {
    if (at === 0 || isSpace(line.charCodeAt(at - 1))) return true;
  }
  return false;
}
