/** Facts of Kotlin read from the text of declarations, and types of names that a check narrows: `when (x) { is Cart -> … }`, `if (x is Cart) …`. */
import {
  aliases,
  angleEnd,
  boundedParameters,
  byKind,
  declarationsIn,
  headText,
  MAX_HEAD_LENGTH,
  nameFrom,
  ofEnumeration,
  parents,
} from '../roles/declarations.js';
import type { DefinitionView, FactSink, LexicalConventions, NodeRule, SyntaxNode } from '../roles/relations.js';
import { skipSpace, splitList } from '../roles/scan.js';

export const LEXICAL: LexicalConventions = {
  joins: ['?.', '::', '.'],
  nameExtra: '`',
  postfix: '!',
  cast: /\s\?:\s[\w.<>?\s"]+(?:\([^()]*\)(?:\s*(?=\{))?)?(?:\{[^{}]*\})?$/,
  typeArguments: '<>',
  literals: true,
  quotes: '"\'',
  lineComments: ['//'],
  blockComment: ['/*', '*/'],
  spread: /^\*/,
};

/** Functions that make collections; their type arguments are the types of the elements. */
const COLLECTION =
  /^(?:mutable)?(?:List|Set)Of$|^(?:listOf|setOf|arrayListOf|emptyList|emptySet|arrayOf|listOfNotNull|mutableStateListOf|sequenceOf)/;

const MAP = /^(?:mutable|linked|hash|empty|sorted)?[mM]ap(?:Of)?$|^emptyMap$|^(?:mutableState|concurrent)MapOf$/;

/** A type after a colon, from `from`: up to `=`, a block or the end of the part. */
function typeAfter(sink: FactSink, from: number, to: number): { type: string; end: number } {
  const { source } = sink;
  const match = /^\s*(?:suspend\s+)?((?:[\w.`?\s]|<)+)/.exec(headText(source, from, to));
  if (match === null) return { type: '', end: from };
  const open = match[0].indexOf('<');
  if (open === -1) {
    const type = /^\s*[\w.`]+\??/.exec(match[0])?.[0] ?? '';
    return { type: type.trim(), end: from + type.length };
  }
  const close = angleEnd(source, from + open, to);
  const end = close === -1 ? from + open : close + (source[close] === '?' ? 1 : 0);
  return { type: source.slice(from, end).trim(), end };
}

/** `name: Type = value` of a parameter or property, from the name on. */
export function typed(sink: FactSink, at: number, to: number): { name: string; type: string; value: string } {
  const { source } = sink;
  const name = nameFrom(source, at);
  let next = skipSpace(source, at + name.length, to, LEXICAL);
  let type = '';
  if (source[next] === ':') {
    const found = typeAfter(sink, next + 1, to);
    type = found.type;
    next = skipSpace(source, found.end, to, LEXICAL);
  }
  if (source.startsWith('by', next)) {
    const lazy = /^by\s+lazy\s*(?:\([\w.]*\)\s*)?\{/.exec(source.slice(next, next + 80));
    return { name, type, value: lazy === null ? '' : sink.accessPath(next + lazy[0].length, to - 1) };
  }
  if (source[next] !== '=' || source[next + 1] === '=') return { name, type, value: '' };
  const made = /^=\s*(\w+)\s*<([^()=;{}]+)>\s*[({]/.exec(headText(source, next, to, 200));
  if (type === '' && made !== null) {
    if (COLLECTION.test(made[1])) type = `List<${made[2]}>`;
    else if (MAP.test(made[1])) type = `Map<${made[2]}>`;
    else if (/^[A-Z]/.test(made[1])) type = `${made[1]}<${made[2]}>`;
  }
  return { name, type, value: sink.accessPath(next + 1, to) };
}

export const definition = byKind({
  'class interface enum object': typeDefinition,
  'enum-member': ofEnumeration,
  'function method constructor': functionDefinition,
  type: aliases(/^(?:<[^=]*>)?\s*=\s*([\w.]+(?:<[^\n]*>)?)/),
});

function functionDefinition(
  { kind, start, nameStart, nameEnd, signatureEnd, end }: DefinitionView,
  sink: FactSink,
): void {
  const { source } = sink;
  const head = source.slice(Math.max(start, nameStart - 300), nameStart);
  const fun = /\bfun\s+(?=[^\n]*$|[^{]*$)/.exec(head);
  if (fun !== null) {
    let from = nameStart - head.length + fun.index + fun[0].length;
    from = skipSpace(source, boundedParameters(sink, from, end, '{='), nameStart, LEXICAL);
    const receiver = /^(?:@\w+\s+)*\(?([\w.`]+(?:<.*>)?)\??\)?\.\s*$/s.exec(source.slice(from, nameStart));
    // Receiver type of an extension function.
    if (receiver !== null) sink.local(nameEnd, 'this', receiver[1], '');
  }
  const limit = Math.min(end, nameStart + 4 * MAX_HEAD_LENGTH);
  const open = kind === 'constructor' ? source.indexOf('(', start) : skipSpace(source, nameEnd, limit, LEXICAL);
  if (source[open] !== '(') return;
  const close = sink.closing(open, limit);
  addParameters(sink, open, close, 'local');
  const colon = skipSpace(source, close, end, LEXICAL);
  if (kind === 'constructor') return;
  if (source[colon] === ':') {
    const { type } = typeAfter(sink, colon + 1, Math.max(signatureEnd, colon + 1));
    if (type !== '' && type !== 'Unit') sink.result(nameStart, type, '');
  } else if (source[colon] === '=')
    sink.result(nameStart, '', sink.accessPath(colon + 1, end).replace(/^(?=(?:apply|also)\(\))/, 'this.'));
}

/** `private val x: T = v`: parameters with `val` or `var` are fields. */
function addParameters(sink: FactSink, open: number, close: number, place: 'local' | 'field'): void {
  const { source } = sink;
  for (const part of declarationsIn(sink, open, close)) {
    const head =
      /^(?:@[\w.:]+(?:\([^()]*\))?\s+)*(?:(?:private|protected|public|internal|override|open|vararg|crossinline|noinline|final)\s+)*(val\s+|var\s+)?/.exec(
        headText(source, part.start, part.end),
      );
    const at = part.start + (head?.[0].length ?? 0);
    const { name, type, value } = typed(sink, at, part.end);
    if (name === '') continue;
    if (place === 'field' || head?.[1] !== undefined) sink.field(at, name, type, value);
    else sink.local(at, name, type, value);
  }
  addGiven(sink, open, close);
}

/** `block: Cart.() -> Unit`, `each: (Item) -> Unit`: values that the last function among the parameters gets. */
function addGiven(sink: FactSink, open: number, close: number): void {
  for (const { start, end } of declarationsIn(sink, open, close).reverse()) {
    const found = FUNCTION_TYPE.exec(headText(sink.source, start, end));
    if (found === null) continue;
    const [, receiver, parameters] = found;
    const first = splitList(parameters, 0, parameters.length, ',', LEXICAL, true)[0];
    if (receiver !== undefined) sink.given(start, '{=}', receiver);
    if (first !== undefined)
      sink.given(start, '{}', parameters.slice(first.start, first.end).replace(/^\w+\s*:\s*/, ''));
    return;
  }
}

const FUNCTION_TYPE = /:\s*\(?\s*(?:suspend\s+)?(?:([\w.]+(?:<[^()]*>)?)\.)?\(([^()]*)\)\s*->/;

/** `class A<T>(val x: X) : B<T>(x), C by x, D`. */
function typeDefinition({ kind, nameStart, nameEnd, end }: DefinitionView, sink: FactSink): void {
  const { source } = sink;
  const limit = Math.min(end, nameEnd + 4 * MAX_HEAD_LENGTH);
  const isUnnamed = source.startsWith('companion', nameStart);
  let at = isUnnamed ? nameStart + source.slice(nameStart, end).indexOf('object') + 6 : nameEnd;
  at = boundedParameters(sink, at, limit, '{', true);
  const primary = /^\s*(?:@\w+(?!\w)(?:\([^()]*\))?\s*|private\s+|internal\s+|protected\s+)*(?:constructor\s*)?\(/.exec(
    headText(source, at, limit, 200),
  );
  if (primary !== null && kind !== 'object') {
    const open = at + primary[0].length - 1;
    at = sink.closing(open, limit);
    addParameters(sink, open, at, 'field');
  }
  at = skipSpace(source, at, limit, LEXICAL);
  if (source[at] !== ':') return;
  const to = headerEnd(sink, at + 1, limit);
  for (const { accessPath, at: from, end: after } of parents(sink, at + 1, to)) {
    const bracket = source[after] === '<' ? angleEnd(source, after, to) : after;
    // `: Base(x)` constructs the parent; without arguments it is an interface.
    const isMade = source[skipSpace(source, bracket === -1 ? after : bracket, to, LEXICAL)] === '(';
    if (isMade) sink.declared(from);
    sink.reference(isMade ? after : from, after, isMade || kind === 'interface' ? 'extends' : 'implements', accessPath);
  }
}

/** End of the list of parents: at the body, at `where`, or at the end of its last line. */
function headerEnd(sink: FactSink, from: number, limit: number): number {
  const { source } = sink;
  for (let at = from; at < limit; at++) {
    if (source[at] === '(') at = sink.closing(at, limit) - 1;
    else if (source[at] === '{' || source.startsWith('where ', at)) return at;
    else if (
      source[at] === '\n' &&
      /[\w>)?]\s*$/.test(source.slice(Math.max(from, at - 20), at)) &&
      !/^\s*[,{:]|^\s*(?:by|where)\b/.test(source.slice(at, at + 200))
    )
      return at;
  }
  return limit;
}

const MAX_CHECK_LENGTH = 300;
/** Deepest nesting of conditions. */
const MAX_CONDITIONS = 10;

/** States a narrowed type; `name` is a local, or `this`. */
function narrow(sink: FactSink, name: string, type: string, start: number, end: number): void {
  if (name === 'this') {
    sink.implied(start, end, `new ${type}().run{=}`);
    return;
  }
  if (!/^\w+$/.test(name)) return;
  sink.closure(start, end);
  sink.local(start, name, type, '');
}

export const whenEntryRule: NodeRule = (node, sink) => {
  const { start, end } = node;
  const text = headText(sink.source, start, end, MAX_CHECK_LENGTH);
  const check = /^is\s+([\w.]+)(?:<[^<>]*>)?\s*(?=->)/.exec(text);
  if (check !== null) {
    const subject = node.parent?.children.find(({ kind }) => kind === 'when_subject');
    const name = /^\(\s*(?:val\s+)?(\w+)/.exec(subject?.text ?? '')?.[1];
    if (name !== undefined) narrow(sink, name, check[1], start, end);
    return;
  }
  const own = /^(\w+)\s+is\s+([\w.]+)(?:<[^<>]*>)?\s*(?=->|&&)/.exec(text);
  if (own !== null) narrow(sink, own[1], own[2], start, end);
};

export const checkRule: NodeRule = (node, sink) => {
  const { start, end } = node;
  const check = /^(\w+)\s+(!?)is\s+([\w.]+)/.exec(headText(sink.source, start, end, MAX_CHECK_LENGTH));
  if (check === null) return;
  const [, name, negated, type] = check;
  const [holder, last] = conditionOf(node);
  if (negated === '') {
    const until = holder?.kind === 'if_expression' ? firstBody(holder) : last;
    narrow(sink, name, type, end, Math.max(end, until));
  } else if (holder?.kind === 'if_expression' && /^\{?\s*(?:return|throw|continue|break)\b/.test(bodyText(holder))) {
    if (name !== 'this') sink.local(holder.end, name, type, '');
  }
};

/** The statement with the condition that a check is part of, by `&&`; and the end of that condition. */
function conditionOf(node: SyntaxNode): [SyntaxNode | null, number] {
  let at = node;
  let last = node.end;
  for (let depth = 0; depth < MAX_CONDITIONS; depth++) {
    const { parent }: SyntaxNode = at;
    if (parent === null) return [null, last];
    if (parent.kind !== 'conjunction_expression' && parent.kind !== 'parenthesized_expression') return [parent, last];
    at = parent;
    last = parent.end;
  }
  return [null, last];
}

function firstBody(node: SyntaxNode): number {
  return bodyOf(node)?.end ?? 0;
}

function bodyText(node: SyntaxNode): string {
  return bodyOf(node)?.text ?? '';
}

function bodyOf(node: SyntaxNode): SyntaxNode | undefined {
  return node.children.find(({ kind }) => kind === 'control_structure_body');
}
