/** One definition while it is being collected; offsets are UTF-16 units of the decoded text. */

import { isBlank, type UnitRange } from './docs.js';
import type { SymbolKind } from './facts.js';
import type { SyntaxNode } from './grammar.js';
import type { Definition, ExportRule, KindByText, LanguageRules, NodePath } from './rules/types.js';

export interface Draft {
  name: string;
  kind: SymbolKind;
  container: Draft | null;
  exported: boolean;
  start: number;
  end: number;
  nameStart: number;
  signatureEnd: number;
  doc: UnitRange | null;
  /** Has a body of its own; a declaration without one can be merged into its definition. */
  bodied: boolean;
  /** Members are as visible as this symbol is. */
  opens: boolean;
  /** Name of the symbol that owns this one by the text, not by position. */
  owner: string | null;
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

const LONGEST_NAME = 200;
const LONGEST_HEAD = 600;
const LONGEST_TAIL = 200;
/** A definition without a body shows this much of itself as its signature. */
const LONGEST_SIGNATURE = 300;

export interface Place {
  /** Start and end of the definition, with wrappers and attached siblings. */
  start: number;
  end: number;
  /** Where the text that `head` expressions see begins. */
  headStart: number;
  container: Draft | null;
  /** Inside a wrapper that exports. */
  wrapped: boolean;
}

/** Drafts of one matched node: none, one, or one per name. */
export function draftsOf(node: SyntaxNode, nodeStart: number, rule: Definition, place: Place, source: Source): Draft[] {
  const drafts: Draft[] = [];
  for (const found of namesOf(node, nodeStart, rule, source.text)) {
    const draft = draftOf(node, found, rule, place, source);
    if (draft !== null) drafts.push(draft);
  }
  return drafts;
}

export interface Source {
  text: string;
  rules: LanguageRules;
}

interface FoundName {
  name: string;
  start: number;
  end: number;
}

function namesOf(node: SyntaxNode, nodeStart: number, rule: Definition, text: string): FoundName[] {
  if (rule.nameText !== undefined) {
    const match = matchAt(rule.nameText, text, nodeStart);
    if (match === null) return unnamed(rule, nodeStart);
    const name = match[1];
    const start = nodeStart + match[0].lastIndexOf(name);
    return [{ name, start, end: start + name.length }];
  }
  const nodes = rule.each ? node.fieldChildren('name') : [follow(node, rule.name ?? 'name')];
  const names: FoundName[] = [];
  for (const found of nodes) {
    if (found === null) continue;
    const range = found.range();
    const [start, end] = [range.start.index, range.end.index];
    if (end > start) names.push({ name: text.slice(start, Math.min(end, start + LONGEST_NAME)), start, end });
  }
  return names.length === 0 ? unnamed(rule, nodeStart) : names;
}

function unnamed(rule: Definition, nodeStart: number): FoundName[] {
  return rule.unnamed === undefined ? [] : [{ name: rule.unnamed, start: nodeStart, end: nodeStart }];
}

function draftOf(node: SyntaxNode, found: FoundName, rule: Definition, place: Place, source: Source): Draft | null {
  const { text, rules } = source;
  const name = cleanName(found.name);
  if (name === '' || (rule.named !== undefined && !rule.named.test(name))) return null;
  const head = text.slice(Math.max(place.headStart, found.start - LONGEST_HEAD), found.start);
  const kind = kindOf(node, rule, head, text.slice(found.end, found.end + LONGEST_TAIL), place.container);
  if (kind === null) return null;
  const body = bodyStart(node, rule.body ?? 'body');
  const signatureEnd = signatureEndOf(text, found.end, body, place);
  const own = isExported(rule.exported ?? rules.exported, head, name, place.wrapped);
  const alone = rule.each === 'alone';
  return {
    name,
    kind: byName(kind, name, rules),
    container: place.container,
    exported: own,
    start: alone ? found.start : place.start,
    end: alone ? found.end : place.end,
    nameStart: found.start,
    signatureEnd: alone ? found.end : signatureEnd,
    doc: null,
    bodied: body !== -1,
    opens: rule.opens?.test(text.slice(place.headStart, signatureEnd)) ?? false,
    owner: rule.owner?.exec(head)?.[1] ?? null,
  };
}

function byName(kind: SymbolKind, name: string, rules: LanguageRules): SymbolKind {
  if (kind === 'method' && rules.constructors?.test(name)) return 'constructor';
  return kind === 'variable' && rules.constants?.test(name) ? 'constant' : kind;
}

function kindOf(
  node: SyntaxNode,
  rule: Definition,
  head: string,
  tail: string,
  container: Draft | null,
): SymbolKind | null {
  let kind: SymbolKind | null = rule.kind;
  if (rule.member !== undefined && container !== null && TYPE_KINDS.has(container.kind)) kind = rule.member;
  const byHead = byText(rule.head, head);
  if (byHead !== undefined) kind = byHead;
  if (rule.by !== undefined) {
    const kinds = rule.by.kinds;
    const decisive = String(follow(node, rule.by.path)?.kind() ?? '');
    if (Object.hasOwn(kinds, decisive)) kind = kinds[decisive];
    else if (Object.hasOwn(kinds, '*')) kind = kinds['*'];
  }
  const byTail = kind === null ? undefined : byText(rule.tail, tail);
  return byTail === undefined ? kind : byTail;
}

function byText(table: KindByText | undefined, text: string): SymbolKind | null | undefined {
  if (table === undefined) return undefined;
  const row = table.find(([pattern]) => pattern.test(text));
  return row === undefined ? undefined : row[1];
}

function isExported(rule: ExportRule, head: string, name: string, wrapped: boolean): boolean {
  if (rule.wrapped && !wrapped) return false;
  if (rule.head !== undefined && !rule.head.test(head)) return false;
  if (rule.notHead?.test(head)) return false;
  return rule.name === undefined || rule.name.test(name);
}

/** The node at the end of a path (see `NodePath`), or null. */
export function follow(node: SyntaxNode, path: NodePath): SyntaxNode | null {
  let at: SyntaxNode | null = node;
  for (const step of path.split('/')) {
    if (at === null) return null;
    at = takeStep(at, step);
  }
  return at;
}

/** Nested declarators are as deep as hostile input wants them to be. */
const DEEPEST_REPEAT = 50;

function takeStep(node: SyntaxNode, step: string): SyntaxNode | null {
  if (step.startsWith('>')) return node.children().find((child) => child.is(step.slice(1))) ?? null;
  if (step.endsWith('?')) return node.field(step.slice(0, -1)) ?? node;
  if (!step.endsWith('*')) return node.field(step);
  let at = node;
  for (let depth = 0; depth < DEEPEST_REPEAT; depth++) {
    const next = at.field(step.slice(0, -1));
    if (next === null) break;
    at = next;
  }
  return at;
}

function bodyStart(node: SyntaxNode, path: NodePath): number {
  return follow(node, path)?.range().start.index ?? -1;
}

function signatureEndOf(text: string, nameEnd: number, body: number, place: Place): number {
  if (body > nameEnd) return trimSignature(text, place.start, body);
  const limit = Math.min(place.end, place.start + Math.max(LONGEST_SIGNATURE, nameEnd - place.start));
  const lineBreak = text.indexOf('\n', nameEnd);
  const end = lineBreak === -1 || lineBreak > limit ? limit : lineBreak;
  return Math.max(trimSignature(text, place.start, end), nameEnd);
}

function trimSignature(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isSignatureTail(text, at - 1)) at--;
  return at;
}

/** White space, `=`, `=>` and an opening brace before the body say nothing. */
function isSignatureTail(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (text[at] === '>') return text[at - 1] === '=';
  return isBlank(code) || code === 10 || text[at] === '=' || text[at] === '{';
}

function cleanName(raw: string): string {
  const name = raw.length > 1 && /^(["'`]).*\1$/s.test(raw) ? raw.slice(1, -1) : raw;
  return name.replace(/\s+/g, ' ').trim();
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
