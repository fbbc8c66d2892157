/** Functions and types of Go: receivers, parameters, results, fields. */
import type { DefinitionView, FactSink, NodeView } from '../roles/relations.js';
import { findOutside } from '../roles/scan.js';

const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;
/** A longer text is taken for no head of a function. */
export const MAX_HEAD_LENGTH = 600;

/** `a, b T`, `c ...T`; of results also `T` alone. */
export function parameter(node: NodeView, sink: FactSink): void {
  const { start, text } = node;
  // Parameters of types (`fn func(r *Request)`) and of an interface's methods are known nowhere.
  const owner = node.parent?.parent;
  if (owner?.kind === 'function_type' || owner?.kind === 'method_elem') return;
  const names = /^[\p{L}_][\p{L}\p{N}_]*(?:\s*,\s*[\p{L}_][\p{L}\p{N}_]*)*(?=[\s.])/u.exec(
    text.slice(0, MAX_HEAD_LENGTH),
  )?.[0];
  if (names === undefined) return;
  const type = text
    .slice(names.length)
    .trim()
    .replace(/^\.\.\.\s*/, '[]');
  if (type === '' || type.startsWith('.')) return;
  let at = start;
  for (const written of names.split(',')) {
    if (written.trim() !== '_') sink.local(at, written.trim(), type, '');
    at += written.length + 1;
  }
}

/** `a, b T`, and embedded types, which give their members away. */
export function field({ start, end, text }: NodeView, sink: FactSink): void {
  const body = text.replace(/\s*(?:`[^`]*`|"[^"\n]*")\s*$/, '').replace(/\s*\/\/[^\n]*$/, '');
  const embedded = /^\*?\s*([\p{L}_][\p{L}\p{N}_.]*)(?:\[[^\]]*\])?$/u.exec(body);
  if (embedded !== null) {
    const name = embedded[1].slice(embedded[1].lastIndexOf('.') + 1);
    sink.field(start, name, body, '');
    sink.reference(start + body.indexOf(embedded[1]) + embedded[1].length - name.length, end, 'extends', embedded[1]);
    return;
  }
  const names = /^[\p{L}_][\p{L}\p{N}_]*(?:\s*,\s*[\p{L}_][\p{L}\p{N}_]*)*(?=\s)/u.exec(body)?.[0] ?? '';
  const type = body.slice(names.length).trim();
  for (const name of names.split(',')) if (NAME.test(name.trim())) sink.field(start, name.trim(), type, '');
}

/** An interface in an interface. */
export function embeddedInterface({ start, end, text }: NodeView, sink: FactSink): void {
  const { source } = sink;
  const before = source.slice(Math.max(0, start - 200), start);
  if (!/(?:\{|\n|;)\s*$/.test(before) || !/^[\p{L}_][\p{L}\p{N}_.]*$/u.test(text)) return;
  sink.reference(start + text.lastIndexOf('.') + 1, end, 'extends', text);
}

export function definition(
  { kind, name, start, nameStart, nameEnd, signatureEnd, end }: DefinitionView,
  sink: FactSink,
): void {
  const { source } = sink;
  if (kind === 'type' || kind === 'struct' || kind === 'interface') {
    typeParameters(nameEnd, sink);
    const alias = /^\s*=\s*/.exec(source.slice(nameEnd, nameEnd + 20));
    // `type Items []Item`: a type of its own, of whose elements this much is known.
    const elements = /^\s+((?:\[\d*\]|map\[[^\]\n]*\])+\*?\s*[\p{L}_][\p{L}\p{N}_.]*)\s*$/u.exec(
      source.slice(nameEnd, end),
    );
    if (elements !== null) sink.alias(nameStart, `${name}[]`, elements[1]);
    if (alias !== null)
      sink.alias(nameStart, name, source.slice(nameEnd + alias[0].length, Math.min(end, nameEnd + MAX_HEAD_LENGTH)));
    return;
  }
  if (kind !== 'function' && kind !== 'method') return;
  const receiver = /\(\s*(?:[\p{L}_][\p{L}\p{N}_]*\s+)?(\*?\s*[\p{L}_][\p{L}\p{N}_]*(?:\[[^\]]*\])?)\s*\)\s*$/u.exec(
    source.slice(start, nameStart),
  );
  if (receiver !== null) sink.local(start, 'this', receiver[1], '');
  const open = typeParameters(nameEnd, sink);
  if (source[open] !== '(') return;
  const close = sink.closing(open, end);
  const limit = Math.max(signatureEnd, close);
  sink.result(nameStart, firstResult(close, Math.min(limit, close + MAX_HEAD_LENGTH), sink), '');
}

/** `[T any, K comparable]` after a name. Returns where it ends. */
function typeParameters(at: number, sink: FactSink): number {
  const { source, rules } = sink;
  if (source[at] !== '[') return at;
  const close = findOutside(source, at + 1, Math.min(source.length, at + MAX_HEAD_LENGTH), ']', rules.lexical);
  const list = source.slice(at + 1, close);
  // `[5]int` and `[]int` are types, not parameters.
  if (!/\s/.test(list.trim())) return close + 1;
  for (const match of list.matchAll(/(?:^|,)\s*(\w+)/g)) sink.typeParameter(match[1]);
  return close + 1;
}

/** Of `(cart *Cart, err error)`: `*Cart`. Of several results the first is what an access path goes on with. */
function firstResult(from: number, to: number, { source, rules }: FactSink): string {
  const open = from + (/^\s*/.exec(source.slice(from, to))?.[0].length ?? 0);
  if (source[open] !== '(') return source.slice(from, findOutside(source, from, to, '{', rules.lexical)).trim();
  const stop = findOutside(source, open + 1, to, ',)', rules.lexical);
  const first = source.slice(open + 1, stop).trim();
  const named = /^[\p{L}_][\p{L}\p{N}_]*\s+(.+)$/su.exec(first);
  if (named !== null && !/^(?:chan|func|map|struct|interface)\b/.test(first)) return named[1];
  if (source[stop] === ')') return first;
  // `(a, b Cart)`: the type follows the last of the names.
  const second = source.slice(stop + 1, findOutside(source, stop + 1, to, ',)', rules.lexical)).trim();
  const shared = NAME.test(first) ? /^[\p{L}_][\p{L}\p{N}_]*\s+(\S.*)$/su.exec(second) : null;
  return shared !== null && !/^(?:chan|func|map|struct|interface)\b/.test(second) ? shared[1] : first;
}
