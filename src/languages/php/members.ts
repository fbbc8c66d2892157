/** Functions, parameters and properties of PHP, with the types that comments tell. */
import { elementsOf } from '../roles/escaping-values.js';
import type { DefinitionView, FactSink, NodeView } from '../roles/relations.js';
import { findOutside } from '../roles/scan.js';

export const MAX_HEAD_LENGTH = 600;
export const MAX_BODY_LENGTH = 4_000;

export function globalName(written: string): string {
  return written.replace(/^\\/, '').replace(/\\/g, '.');
}

/** One parameter: `private ?Foo $x = 1`. Promoted ones are fields too. */
export function parameter({ start, text }: NodeView, sink: FactSink): void {
  const match =
    /^(?:#\[[^\]]*\]\s*)*((?:(?:public|private|protected|readonly|final)(?:\(set\))?\s+)*)([^$=]*?)[&\s]*(\.{3})?\s*\$(\w+)/.exec(
      text.slice(0, MAX_HEAD_LENGTH),
    );
  if (match === null) return;
  const [, modifiers, type, dots, name] = match;
  const written = type.trim() + (dots !== undefined && type.trim() !== '' ? '[]' : '');
  sink.local(start, name, written, '');
  if (modifiers !== '') sink.field(start, name, written, '');
}

/** `private ?Foo $x = null;`, with its documented type where only that says what a list holds. */
export function property({ start, text }: NodeView, sink: FactSink): void {
  const match =
    /^(?:#\[[^\]]*\]\s*)*(?:(?:public|private|protected|static|readonly|var|final)(?:\(set\))?\s+)+([^$=]*?)\s*\$(\w+)(?:\s*=\s*new\s+([\w\\]+))?/.exec(
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
  keptParameters(source.slice(open, close), signatureEnd, end, sink);
}

/** Parameters whose type only the comment tells. */
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
function keptParameters(list: string, from: number, end: number, sink: FactSink): void {
  const body = sink.source.slice(from, Math.min(end, from + MAX_BODY_LENGTH));
  for (const match of body.matchAll(/\$this->(\w+)\s*=\s*\$(\w+)\s*;/g)) {
    const type = new RegExp(`([\\w\\\\?|]+)\\s+\\$${match[2]}\\b`).exec(list)?.[1];
    if (type !== undefined) sink.field(from + match.index, match[1], type, '');
  }
}
