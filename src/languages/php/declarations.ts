/** Functions, parameters and properties of PHP, with the types that comments, calls of closures and `instanceof` state. */
import { type DefinitionView, elementsOf, type FactSink, type NodeView } from '../roles/relations.js';
import { findOutside, skipSpace } from '../roles/scan.js';

export const MAX_HEAD_LENGTH = 600;
export const MAX_BODY_LENGTH = 4_000;

export function globalName(written: string): string {
  return written.replace(/^\\/, '').replace(/\\/g, '.');
}

/** One parameter: `private ?Foo $x = 1`. Promoted parameters are fields, too. */
export function parameter({ start, text }: NodeView, sink: FactSink): void {
  const match =
    /^(?:#\[[^\]]*\]\s*)*((?:(?:public|private|protected|readonly|final)(?:\(set\))?\s+(?!\s))*)([^$=\s](?:[^$=]*?[^$=&\s])??)??[&\s]*(?:(\.{3})\s*)?\$(\w+)/.exec(
      text.slice(0, MAX_HEAD_LENGTH),
    );
  if (match === null) return;
  const [, modifiers, type = '', dots, name] = match;
  const written = type + (dots !== undefined && type !== '' ? '[]' : '');
  sink.local(start, name, written, '');
  if (modifiers !== '') sink.field(start, name, written, '');
}

/** `private ?Foo $x = null;`. The documented type counts if only it says what a list holds. */
export function property({ start, text }: NodeView, sink: FactSink): void {
  const match =
    /^(?:#\[[^\]]*\]\s*)*(?:(?:public|private|protected|static|readonly|var|final)(?:\(set\))?\s+)+(?!\s)((?:[^$=\s](?:[^$=]*[^$=\s])?)?)\s*\$(\w+)(?:\s*=\s*new\s+([\w\\]+))?/.exec(
      text.slice(0, MAX_HEAD_LENGTH),
    );
  if (match === null) return;
  const [, type, name, made] = match;
  const doc = /^(?:\??array|iterable|)$/.test(type)
    ? /@var\s+([\w\\|?]+\[\]|[\w\\]+<[\w\\, ]+>|\\?[A-Z][\w\\]*)/.exec(docBefore(start, sink))?.[1]
    : undefined;
  sink.field(start, name, doc ?? type, made === undefined ? '' : `new ${globalName(made)}()`);
}

/** The documentation comment that ends right before. */
function docBefore(at: number, { source }: FactSink): string {
  const before = source.slice(Math.max(0, at - MAX_HEAD_LENGTH), at);
  if (!/\*\/\s*(?:#\[[^\]\n]*\]\s*)*$/.test(before)) return '';
  return before.slice(before.lastIndexOf('/**') + 1);
}

export function definition(draft: DefinitionView, sink: FactSink): void {
  const { kind, start, nameStart, nameEnd, signatureEnd, end } = draft;
  if (kind !== 'function' && kind !== 'method' && kind !== 'constructor') return;
  const { source, rules } = sink;
  const open = findOutside(source, nameEnd, end, '(', rules.lexical);
  if (source[open] !== '(') return;
  const close = sink.closing(open, end);
  const doc = docBefore(start, sink);
  documentedParameters(doc, open, close, sink);
  const written =
    /^\s*:\s*([^{;]+)/.exec(source.slice(close, Math.min(end, close + MAX_HEAD_LENGTH)))?.[1].trim() ?? '';
  const documented = /^(?:\??array|iterable|)$/.test(written)
    ? (/@return\s+(\$this|[\w\\|[\]<>,?]+)/.exec(doc)?.[1] ?? '')
    : '';
  sink.result(nameStart, (documented || written).replace('$this', 'static'), '');
  assignedParameters(source.slice(open, close), signatureEnd, end, sink);
}

/** Parameters whose type stands in the comment only. */
function documentedParameters(doc: string, open: number, close: number, sink: FactSink): void {
  if (!doc.includes('@param')) return;
  for (const { start, end } of elementsOf(open + 1, close - 1, sink)) {
    const match = /^(?:\??array\s+|iterable\s+)?&?\$(\w+)/.exec(sink.source.slice(start, end));
    const type =
      match === null ? undefined : new RegExp(`@param\\s+([\\w\\\\|\\[\\]<>,?]+)\\s+\\$${match[1]}\\b`).exec(doc)?.[1];
    if (match !== null && type !== undefined) sink.local(start, match[1], type, '');
  }
}

/** `$this->x = $x;`: the field has the parameter's type. */
function assignedParameters(list: string, from: number, end: number, sink: FactSink): void {
  const body = sink.source.slice(from, Math.min(end, from + MAX_BODY_LENGTH));
  for (const match of body.matchAll(/\$this->(\w+)\s*=\s*\$(\w+)\s*;/g)) {
    const type = new RegExp(`([\\w\\\\?|]+)\\s+\\$${match[2]}\\b`).exec(list)?.[1];
    if (type !== undefined) sink.field(from + match.index, match[1], type, '');
  }
}

const MAX_CLOSURE_HEAD_LENGTH = 120;
/** Functions that pass the elements of their second argument to a function, and functions that pass those of the first. */
const LIST_LAST = new Set(['array_map']);
const LIST_FIRST = new Set(
  'array_filter array_walk usort uasort array_reduce array_find array_any array_all iterator_apply'.split(' '),
);

/** `fn ($line) => …`, `function ($a, $b) { … }`: parameters without a type. */
export function closure(node: NodeView, sink: FactSink): void {
  const { start, end } = node;
  const head = /^(?:static\s+)?(?:fn|function)\s*&?\s*\(\s*&?\$(\w+)\s*(?:,\s*&?\$(\w+)\s*)?\)/.exec(
    sink.source.slice(start, Math.min(end, start + MAX_CLOSURE_HEAD_LENGTH)),
  );
  const list = node.parent?.parent;
  if (head === null || list?.kind !== 'arguments') return;
  const open = list.start;
  const { accessPath } = sink.accessPathBefore(open);
  const given = givenBy(accessPath, open, list.end, sink);
  if (given === '') return;
  const at = start + head[0].indexOf('$');
  if (accessPath !== 'array_reduce') sink.local(at, head[1], '', given);
  if (head[2] !== undefined && accessPath !== 'array_walk') sink.local(at + 1, head[2], '', given);
}

function givenBy(callee: string, open: number, close: number, sink: FactSink): string {
  const isLast = LIST_LAST.has(callee);
  if (!isLast && !LIST_FIRST.has(callee)) return callee.includes('.') && !callee.startsWith('?') ? `${callee}{}` : '';
  const values = elementsOf(open + 1, close - 1, sink)[isLast ? 1 : 0];
  const path = values === undefined ? '' : sink.accessPath(values.start, values.end);
  return path === '' ? '' : `${path}[]`;
}

const MAX_CONDITION_LENGTH = 400;
const CHECK = /(!?)\s*(?:\(\s*)?\$(\w+)\s+instanceof\s+(\\?[\w\\]+)/g;
/** Statements that leave the block, so that the code behind is not reached. */
const LEAVES = /^\{?\s*(?:return|throw|continue|break|exit|die)\b/;

/** `if`, `elseif` and `while`, from the keyword on. */
export function condition({ start, end }: NodeView, sink: FactSink): void {
  const { source, rules } = sink;
  const open = source.indexOf('(', start);
  if (open === -1 || open - start > 10) return;
  const close = sink.closing(open, end);
  const text = source.slice(open, Math.min(close, open + MAX_CONDITION_LENGTH));
  if (!text.includes('instanceof')) return;
  const body = skipSpace(source, close, end, rules.lexical);
  const isEither = /\|\||\bor\b/.test(text);
  for (const [, negated, name, type] of text.matchAll(CHECK)) {
    if (name === 'this') continue;
    if (negated === '') {
      if (isEither) continue;
      const until = source[body] === '{' ? sink.closing(body, end) : end;
      sink.closure(close, until);
      sink.local(close, name, type, '');
    } else if (!/&&|\band\b/.test(text) && LEAVES.test(source.slice(body, body + 40))) sink.local(end, name, type, '');
  }
}

/** `assert($x instanceof Cart);`, from the argument list on. */
export function asserted(start: number, end: number, sink: FactSink): void {
  for (const [, negated, name, type] of sink.source
    .slice(start, Math.min(end, start + MAX_CONDITION_LENGTH))
    .matchAll(CHECK))
    if (negated === '' && name !== 'this') sink.local(end, name, type, '');
}
