/** One definition while it is being collected, with its documentation and parameters; offsets are UTF-16 units of the decoded text. */
import { addTo } from '../base/lists.js';
import { parameterTypes } from '../languages/roles/declarations.js';
import type {
  Definition,
  DefinitionRules,
  DocStyle,
  ExportRule,
  KindByText,
  NodePath,
} from '../languages/roles/definitions.js';
import { MARK_UNIT, MARKED_PARAMETERS, MAX_ARITY, parameterMark, type SymbolKind } from './facts.js';
import type { RelationSink } from './relations/fact-sink.js';
import type { TreeNode } from './syntax-tree.js';

export interface Draft {
  name: string;
  kind: SymbolKind;
  container: Draft | null;
  exported: boolean;
  fixed?: true;
  arity?: number;
  parameters?: number;
  start: number;
  end: number;
  /** Start without attributes that are siblings before the definition. */
  headStart: number;
  nameStart: number;
  signatureEnd: number;
  doc: UnitRange | null;
  /** Does it have a body of its own? A declaration without one can be merged into its definition. */
  bodied: boolean;
  /** Are its members as visible as the symbol itself? */
  opens: boolean;
  /** Name of the symbol that the text names as its owner: `Cart` of `func (c *Cart) Roll`. */
  owner: string | null;
  /** A member that a method assigns: it has no chunk of its own. */
  assigned?: true;
  /** A library makes it, in a place of its own: a line above that hides what follows does not hide it. */
  made?: true;
  /** A type in a callback whose name means another definition around it: no symbol. */
  shadowed?: true;
}

export const FUNCTION_KINDS: ReadonlySet<SymbolKind> = new Set(['function', 'method', 'constructor', 'macro']);
export const TYPE_KINDS: ReadonlySet<SymbolKind> = new Set([
  'class',
  'interface',
  'trait',
  'struct',
  'enum',
  'object',
  'impl',
]);

const MAX_NAME_LENGTH = 200;
const MAX_HEAD_LENGTH = 600;
const MAX_TAIL_LENGTH = 200;
/** Length of a definition without a body up to which it is shown as its signature. */
const MAX_SIGNATURE_LENGTH = 300;

export interface Place {
  /** Start and end of the definition, with wrappers and attached siblings. */
  start: number;
  end: number;
  /** Start with wrappers but without attached siblings. */
  wrapperStart: number;
  /** Offset from which `head` expressions see the text. */
  headStart: number;
  container: Draft | null;
  /** Inside a wrapper that exports. */
  wrapped: boolean;
}

/** Drafts of one matched node: none, one, or one per name. */
export function draftsOf(node: TreeNode, nodeStart: number, rule: DraftRule, place: Place, source: Source): Draft[] {
  const drafts: Draft[] = [];
  for (const found of namesOf(node, nodeStart, rule, source.text)) {
    const draft = draftOf(node, found, rule, place, source);
    if (draft !== null) drafts.push(draft);
  }
  return drafts;
}

/** A definition's rule, without the kinds of its nodes. */
type DraftRule = Omit<Definition, 'node' | 'parts'> & {
  /** Its names, if a query found them. */
  names?: readonly FoundName[];
};

export interface Source {
  text: string;
  rules: DefinitionRules;
}

export interface FoundName {
  name: string;
  start: number;
  end: number;
  /** Does a library make the definition, for a name that code hands to it? */
  made?: true;
}

function namesOf(node: TreeNode, nodeStart: number, rule: DraftRule, text: string): FoundName[] {
  if (rule.names !== undefined) return [...rule.names];
  const generated = rule.generated?.(node, text) ?? null;
  if (generated !== null) return generated.map(({ name, at }) => ({ name, start: at, end: at, made: true }));
  if (rule.nameText !== undefined) {
    const match = matchAt(rule.nameText, text, nodeStart);
    return match === null ? [] : (namedBy(match) ?? unnamed(rule, nodeStart));
  }
  const path = rule.name ?? 'name';
  const nodes = nodesAt(node, path, rule.each ?? false);
  const names: FoundName[] = [];
  for (const found of nodes) {
    if (found === null) continue;
    const { start, end } = found;
    const other = rule.renamed === undefined ? null : namedBy(matchAt(rule.renamed, text, start));
    if (other !== null) names.push(...other);
    else if (end > start) names.push({ name: text.slice(start, Math.min(end, start + MAX_NAME_LENGTH)), start, end });
  }
  return names.length === 0 ? unnamed(rule, nodeStart) : names;
}

/** The first group of a match that is there. */
function namedBy(match: RegExpExecArray | null): FoundName[] | null {
  const name = match?.slice(1).find((group) => group !== undefined && group !== '');
  if (match === null || name === undefined) return null;
  const start = match.index + match[0].lastIndexOf(name);
  return [{ name, start, end: start + name.length }];
}

function unnamed(rule: DraftRule, nodeStart: number): FoundName[] {
  return rule.unnamed === undefined ? [] : [{ name: rule.unnamed, start: nodeStart, end: nodeStart }];
}

function draftOf(node: TreeNode, found: FoundName, rule: DraftRule, place: Place, source: Source): Draft | null {
  const { text, rules } = source;
  const name = cleanName(found.name);
  // An expression over the text can match beyond the node.
  if (name === '' || found.end > place.end || rule.named?.test(name) === false) return null;
  const head = text.slice(Math.max(place.headStart, found.start - MAX_HEAD_LENGTH), found.start);
  const kind = kindOf(node, rule, rules, head, text.slice(found.end, found.end + MAX_TAIL_LENGTH), place.container);
  if (kind === null) return null;
  // If the kind depends on the value, only the kinds that the rule names have a body.
  const hasBody = rule.by === undefined || Object.values(rule.by.kinds).includes(kind);
  const body = hasBody ? bodyStart(node, rule.body) : -1;
  const signatureEnd = signatureEndOf(text, found.end, body, place);
  const { container } = place;
  const isMember = holdsMembers(container, rules);
  const whole = { start: place.start, end: place.end, headStart: place.wrapperStart, signatureEnd };
  const alone = { start: found.start, end: found.end, headStart: found.start, signatureEnd: found.end };
  const written = text.slice(place.headStart, signatureEnd);
  const draft: Draft = {
    name,
    kind: byName(kind, name, isMember ? container : null, rules),
    container,
    exported: isExported(node, rule.exported ?? rules.exported, { head, name, place, isMember }),
    ...(rule.each === 'alone' ? alone : whole),
    nameStart: found.start,
    doc: null,
    bodied: body !== -1,
    opens: rule.opens?.test(written) ?? false,
    owner: firstGroup(rule.owner, head) ?? ownerOfObject(node, rule, text),
  };
  if (found.made) draft.made = true;
  if (isMember && rules.fixed?.test(written)) draft.fixed = true;
  return draft;
}

const firstGroup = (pattern: RegExp | undefined, text: string): string | null =>
  pattern
    ?.exec(text)
    ?.slice(1)
    .find((group) => group !== undefined) ?? null;

/** Longest text before an object that names its owner. UTF-16 units. */
const MAX_OWNER_LENGTH = 120;

function ownerOfObject({ parent }: TreeNode, { ownerOfObject: pattern }: DraftRule, text: string): string | null {
  if (pattern === undefined || parent?.kind !== 'object') return null;
  return firstGroup(pattern, text.slice(Math.max(0, parent.start - MAX_OWNER_LENGTH), parent.start));
}

/** Refines the kind by the name; `type` is the type that the definition is a member of. */
function byName(kind: SymbolKind, name: string, type: Draft | null, rules: DefinitionRules): SymbolKind {
  const callable = kind === 'function' && type !== null ? 'method' : kind;
  if (callable === 'method') return rules.constructors?.test(name) || name === type?.name ? 'constructor' : callable;
  return kind === 'variable' && rules.constants?.test(name) ? 'constant' : kind;
}

/** Kind by the rule, in which a later entry overrides those before: `kind`, `member`, `head`, `by`, `tail`. Null for no definition. */
function kindOf(
  node: TreeNode,
  rule: DraftRule,
  rules: DefinitionRules,
  head: string,
  tail: string,
  container: Draft | null,
): SymbolKind | null {
  let kind: SymbolKind | null = rule.kind;
  if (rule.member !== undefined && holdsMembers(container, rules)) kind = rule.member;
  const byHead = byText(rule.head, head);
  if (byHead !== undefined) kind = byHead;
  if (rule.by !== undefined) {
    const kinds = rule.by.kinds;
    const decisive = follow(node, rule.by.path)?.kind ?? '';
    if (Object.hasOwn(kinds, decisive)) kind = kinds[decisive];
    else if (Object.hasOwn(kinds, '*')) kind = kinds['*'];
  }
  const byTail = kind === null ? undefined : byText(rule.tail, tail);
  return byTail === undefined ? kind : byTail;
}

function holdsMembers(container: Draft | null, rules: DefinitionRules): boolean {
  if (container === null) return false;
  return TYPE_KINDS.has(container.kind) || (container.kind === 'module' && rules.moduleMethods === true);
}

function byText(table: KindByText | undefined, text: string): SymbolKind | null | undefined {
  if (table === undefined) return undefined;
  const row = table.find(([pattern]) => pattern.test(text));
  return row === undefined ? undefined : row[1];
}

interface Shown {
  head: string;
  name: string;
  place: Place;
  isMember: boolean;
}

function isExported(node: TreeNode, rule: ExportRule, { head, name, place, isMember }: Shown): boolean {
  if (rule.members && isMember) return true;
  if (place.container === null && rule.notIn !== undefined && isIn(node, rule.notIn)) return false;
  if (rule.wrapped && !place.wrapped) return false;
  if (rule.head !== undefined && !rule.head.test(head)) return false;
  if (rule.notHead?.test(head)) return false;
  return rule.name === undefined || rule.name.test(name);
}

/** Most nodes around one that are looked at. */
const MAX_NODES_AROUND = 50;

function isIn(node: TreeNode, kinds: readonly string[]): boolean {
  let around = node.parent;
  for (let i = 0; i < MAX_NODES_AROUND && around !== null; i++, around = around.parent)
    if (kinds.includes(around.kind)) return true;
  return false;
}

/** The node at the end of a path (see `NodePath`), or null. */
function follow(node: TreeNode, path: NodePath): TreeNode | null {
  let at: TreeNode | null = node;
  for (const step of path.split('/')) {
    if (at === null) return null;
    at = takeStep(at, step);
  }
  return at;
}

/** Nodes of the names of a definition, at the end of a path; null where there is none. For `each` see `Definition.each`. */
function nodesAt(node: TreeNode, path: NodePath, each: DraftRule['each']): (TreeNode | null)[] {
  if (each !== 'first') return each ? followAll(node, path) : [follow(node, path)];
  const heads = node.fieldChildren(/^\w*/.exec(path)?.[0] ?? '');
  // The first comes last, which holds what is inside: `typedef struct { … } Cart, *CartPointer`.
  return heads.length < 2 ? [follow(node, path)] : heads.map((head) => follow(head, path)).reverse();
}

/** All nodes at the ends of a path whose steps are fields, `>kind` and `>kind|kind`. */
export function followAll(node: TreeNode, path: NodePath): TreeNode[] {
  let at = [node];
  for (const step of path.split('/')) {
    at = at.flatMap((each) =>
      step.startsWith('>')
        ? each.children.filter((child) => step.slice(1).split('|').includes(child.kind))
        : each.fieldChildren(step),
    );
  }
  return at;
}

/** Most repetitions in a path: hostile input can nest declarators without end. */
const MAX_REPEAT_DEPTH = 50;

function takeStep(node: TreeNode, step: string): TreeNode | null {
  if (step.startsWith('>')) {
    const kind = step.endsWith('?') ? step.slice(1, -1) : step.slice(1);
    const fallback = kind.length < step.length - 1 ? node : null;
    return node.children.find((child) => child.kind === kind) ?? fallback;
  }
  if (step.endsWith('?')) return node.field(step.slice(0, -1)) ?? node;
  const repeated = step.indexOf('*');
  if (repeated === -1) return node.field(step);
  const [field, last] = [step.slice(0, repeated), step.slice(repeated + 2)];
  let at = node;
  for (let depth = 0; depth < MAX_REPEAT_DEPTH && at.kind !== last; depth++) {
    const next = at.field(field);
    if (next === null) break;
    at = next;
  }
  return at;
}

function bodyStart(node: TreeNode, path: NodePath = 'body'): number {
  const body = follow(node, path);
  return body === null ? -1 : body.start;
}

function signatureEndOf(text: string, nameEnd: number, body: number, place: Place): number {
  if (body > nameEnd) return trimSignature(text, place.start, body);
  const limit = Math.min(place.end, place.start + Math.max(MAX_SIGNATURE_LENGTH, nameEnd - place.start));
  const lineBreak = text.slice(nameEnd, limit).indexOf('\n');
  const end = lineBreak === -1 ? limit : nameEnd + lineBreak;
  return Math.max(trimSignature(text, place.start, end), nameEnd);
}

function trimSignature(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isSignatureTail(text, at - 1)) at--;
  return at;
}

/** Is the character no part of a signature's end? White space, `=`, `=>` and an opening brace are left out. */
function isSignatureTail(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (text[at] === '>') return text[at - 1] === '=';
  return isBlank(code) || code === 10 || text[at] === '=' || text[at] === '{';
}

function cleanName(raw: string): string {
  const name = raw.length > 1 && /^(["'`])(?:(?!\1)[\s\S])*\1$/.test(raw) ? raw.slice(1, -1) : raw;
  return name.replace(/\s+/g, ' ').trim();
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

// Documentation of a definition: comment blocks before it, or a docstring inside

/** Longest documentation block that is looked for, which bounds the backward search. UTF-16 units. */
const MAX_DOC_LENGTH = 50_000;
const MAX_DOC_LINE_LENGTH = 2_000;

interface UnitRange {
  start: number;
  end: number;
}

/** The comment block that ends on the line before `start`, or null; see `isDocBlock`. UTF-16 offsets. */
export function docBefore(text: string, start: number, style: DocStyle): UnitRange | null {
  const lineStart = indentStart(text, start);
  if (lineStart <= 0 || text[lineStart - 1] !== '\n') return null;
  const end = trimEnd(text, lineStart - 1, Math.max(0, lineStart - MAX_DOC_LENGTH));
  const breaks = countBreaks(text, end, lineStart);
  if (end === 0 || breaks > 2) return null;
  const block = blockEndingAt(text, end, style);
  if (breaks === 2) return block !== null && isDocBlock(text, block.start) ? block : null;
  return block ?? linesEndingAt(text, end, style);
}

/** Does a documentation block start here? It belongs to the code behind it, even across a blank line. */
export function isDocBlock(text: string, start: number): boolean {
  return text.startsWith('/**', start) && !text.startsWith('/**/', start);
}

function blockEndingAt(text: string, end: number, style: DocStyle): UnitRange | null {
  if (style.block === undefined) return null;
  const [open, close] = style.block;
  if (!text.startsWith(close, end - close.length)) return null;
  const from = Math.max(0, end - MAX_DOC_LENGTH);
  const at = text.slice(from, end - close.length).lastIndexOf(open);
  if (at === -1) return null;
  const start = from + at;
  return isLineStart(text, start) ? { start, end } : null;
}

function linesEndingAt(text: string, end: number, style: DocStyle): UnitRange | null {
  if (style.line === undefined) return null;
  let first = -1;
  for (let lineEnd = end; lineEnd > 0 && end - lineEnd < MAX_DOC_LENGTH; ) {
    const from = Math.max(0, lineEnd - MAX_DOC_LINE_LENGTH);
    const lineStart = from + text.slice(from, lineEnd).lastIndexOf('\n') + 1;
    if (lineStart === from && from > 0) break;
    const line = text.slice(lineStart, lineEnd);
    const content = line.trimStart();
    if (!style.line.test(content) || content.startsWith('#!')) break;
    first = lineStart + (line.length - content.length);
    if (lineStart === 0) break;
    lineEnd = lineStart - 1;
  }
  return first === -1 ? null : { start: first, end };
}

/** The string literal at the start of a body (Python's docstring), or null. */
export function docstringAt(text: string, bodyStart: number, end: number): UnitRange | null {
  const opening = /[rRuUbB]{0,2}("""|'''|"|')/y;
  opening.lastIndex = bodyStart;
  const match = opening.exec(text);
  if (match === null) return null;
  const close = text.indexOf(match[1], opening.lastIndex);
  return close === -1 || close >= end ? null : { start: bodyStart, end: close + match[1].length };
}

/** Start of the line if only blanks stand before `at` on it, otherwise `at` itself. */
export function indentStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && isBlank(text.charCodeAt(start - 1))) start--;
  return start === 0 || text.charCodeAt(start - 1) === 10 ? start : at;
}

function isLineStart(text: string, at: number): boolean {
  const start = indentStart(text, at);
  return start === 0 || text.charCodeAt(start - 1) === 10;
}

/** The end of the text before `at` without trailing white space, not below `from`. */
export function trimEnd(text: string, at: number, from = 0): number {
  let end = at;
  while (end > from && (isBlank(text.charCodeAt(end - 1)) || text.charCodeAt(end - 1) === 10)) end--;
  return end;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 13 || code === 12;
}

/** Number of line feeds in [from, to). */
export function countBreaks(text: string, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i++) if (text.charCodeAt(i) === 10) count++;
  return count;
}

// Parameters of functions

interface Parameters {
  draft: Draft;
  /** Place of the list. */
  open: number;
  types: string[];
}

/** States how many parameters functions have, and the types of those that share their name and their place. */
export function stateParameters(drafts: readonly Draft[], sink: RelationSink): void {
  const wide = wideTypes(sink);
  const { overloads, parameters } = sink.rules;
  const areApart = parameters?.apart !== undefined;
  const groups = parametersOf(drafts, sink);
  if (!areApart) for (const group of groups) for (const each of group) stateArity(each, wide, sink);
  if (overloads === undefined) return;
  for (const group of groups) {
    if (areApart) stateApart(group, wide, sink);
    else if (group.length > 1) for (const { draft, types } of group) sink.parameters(draft.nameStart, types);
  }
}

/** Parameters of the functions that have a list of them, by their place and name. */
function parametersOf(drafts: readonly Draft[], sink: RelationSink): Parameters[][] {
  const groups = new Map<string, Parameters[]>();
  for (const draft of drafts) {
    const { nameStart, name, signatureEnd, end, container } = draft;
    const open = FUNCTION_KINDS.has(draft.kind) ? sink.source.indexOf('(', nameStart + name.length) : -1;
    if (open < 0 || open >= signatureEnd) continue;
    addTo(groups, `${container?.nameStart ?? draft.owner ?? -1} ${name}`, {
      draft,
      open,
      types: parameterTypes(sink, open, end),
    });
  }
  return [...groups.values()];
}

function stateArity({ draft, open, types }: Parameters, wide: ReadonlySet<string>, sink: RelationSink): void {
  if (types.length <= MAX_ARITY && !types.some((type) => /(?:=|\.\.\.)$/.test(type))) draft.arity = types.length;
  if (draft.arity === undefined) return;
  if (canBeOverridden(draft, sink)) draft.parameters = marksOf(types, wide);
  // The signature of a method without a body ends with its first line.
  const to = draft.container?.kind === 'interface' ? draft.end : draft.signatureEnd;
  const parts = draft.kind === 'method' ? sink.rules.parameters?.parts?.(sink, open, to) : undefined;
  if (parts !== undefined) draft.parameters = marksOfTexts(parts);
}

/** States the parameters of functions of one name, which may be declared here and defined elsewhere or further down. */
function stateApart(group: readonly Parameters[], wide: ReadonlySet<string>, sink: RelationSink): void {
  const declared = group.filter(({ draft }) => draft.owner === null);
  for (const { draft, types } of group) {
    if (declared.length < 2 && (draft.owner === null || declared.length === 1)) continue;
    const plain = types.map((type) => type.replace(/=$/, ''));
    if (types.length <= MAX_ARITY && !plain.some((type) => type.endsWith('...'))) draft.arity = types.length;
    if (draft.arity !== undefined && group.length > 1) draft.parameters = marksOf(plain, wide);
    if (draft.owner === null) sink.parameters(draft.nameStart, types);
  }
}

/** Does a member of a subtype override it only with the same types of parameters? */
function canBeOverridden({ kind, fixed, container }: Draft, { rules }: RelationSink): boolean {
  if (rules.overloads === undefined || kind === 'constructor' || fixed) return false;
  return container !== null && TYPE_KINDS.has(container.kind);
}

/** Names of types that may be any: parameters of types, and what an import calls otherwise. */
function wideTypes({ raw }: RelationSink): ReadonlySet<string> {
  const names = new Set(raw.typeParameters);
  for (const item of raw.imports)
    for (const { name, alias } of item.names) if (alias !== '' && alias !== name) names.add(alias);
  return names;
}

/** One letter is the name of a type parameter, which may be declared elsewhere; C# has two names for numbers. */
const WIDE_TYPE = /^(?:[A-Z]\d?|U?Int(?:16|32|64)|Single)$/;

function marksOfTexts(texts: readonly string[]): number | undefined {
  const marks = texts.reduce((sum, text, i) => sum + (text === '' ? 0 : parameterMark(text) * MARK_UNIT ** i), 0);
  return marks === 0 ? undefined : marks;
}

function marksOf(types: readonly string[], wide: ReadonlySet<string>): number | undefined {
  let marks = 0;
  for (const [i, type] of types.slice(0, MARKED_PARAMETERS).entries()) {
    // A label tells more than a type, which can be called otherwise.
    const label = /^(\w*):/.exec(type)?.[1];
    if (label !== undefined) {
      marks += parameterMark(label) * MARK_UNIT ** i;
      continue;
    }
    const name = /^(?:\w+\.)*(\w+|")((?:\[\]|\*)*)$/.exec(type);
    const isKnown = name !== null && !wide.has(name[1]) && !WIDE_TYPE.test(name[1]);
    if (isKnown) marks += parameterMark(name[1] + name[2]) * MARK_UNIT ** i;
  }
  return marks === 0 ? undefined : marks;
}
