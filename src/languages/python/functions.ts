/** Functions of Python: parameters, results, and fields that keep a parameter. */
import { elementsOf, handedOn } from '../roles/escaping-values.js';
import type { DefinitionView, FactSink, NodeView } from '../roles/relations.js';
import { findOutside } from '../roles/scan.js';
import { HANDED_ON, LEXICAL, NAME } from './lexical.js';
import { field, followable, heldValue } from './values.js';

/** Bodies looked through for the one thing they return. */
export const MAX_BODY_LENGTH = 6_000;
const TYPE_NAME = /[\p{L}_][\p{L}\p{N}_.]*/gu;

/** Names in an annotation, also in one that is written as a string. */
export function types(from: number, to: number, sink: FactSink): void {
  for (const match of sink.source.slice(from, to).matchAll(TYPE_NAME)) {
    const at = from + match.index;
    sink.reference(at + match[0].lastIndexOf('.') + 1, at + match[0].length, 'type', match[0]);
  }
}

export function definition(draft: DefinitionView, sink: FactSink): void {
  const { kind, nameEnd, signatureEnd, container } = draft;
  if (kind !== 'function' && kind !== 'method' && kind !== 'constructor') return;
  const { source, rules } = sink;
  const open = findOutside(source, nameEnd, signatureEnd, '(', rules.lexical);
  if (open >= signatureEnd) return;
  const close = sink.closing(open, signatureEnd);
  const isMethod = container !== null && kind !== 'function';
  const typed = parameters(open + 1, close - 1, sink, isMethod ? draft.name : '');
  const arrow = source.indexOf('->', close);
  if (arrow !== -1 && arrow < signatureEnd) {
    const end = findOutside(source, arrow + 2, signatureEnd, ':', rules.lexical);
    sink.result(close, source.slice(arrow + 2, end), '');
    types(arrow + 2, end, sink);
  } else returned(draft, sink);
  if (isMethod) keptParameters(draft, typed, sink);
}

/** Types by name; `method` is the name of the method that has the parameters, '' for other functions. */
function parameters(from: number, to: number, sink: FactSink, method: string): Map<string, string> {
  const { source, rules } = sink;
  const typed = new Map<string, string>();
  for (const [index, { start, end }] of elementsOf(from, to, sink).entries()) {
    const stars = /^\*{0,2}\s*/.exec(source.slice(start, end))?.[0].length ?? 0;
    const colon = findOutside(source, start, end, ':=', rules.lexical);
    const name = source.slice(start + stars, colon).trim();
    if (!NAME.test(name)) continue;
    const equals = source[colon] === ':' ? findOutside(source, colon + 1, end, '=', rules.lexical) : colon;
    const type = source[colon] === ':' ? source.slice(colon + 1, equals).trim() : '';
    if (type !== '') types(colon + 1, equals, sink);
    if (method !== '' && index === 0 && (name === 'self' || name === 'cls')) continue;
    typed.set(name, stars === 0 ? type : '');
    const value = equals < end ? followable(sink.accessPath(equals + 1, end)) : '';
    sink.local(start, name, stars === 0 ? type : '', value || inheritedType(method, index, type));
    if (isOverridable(method) && stars === 0 && NAMED_TYPE.test(type)) sink.parameter(from, index, type);
    if (equals < end) handedOn(equals + 1, end, HANDED_ON, sink);
  }
  return typed;
}

/** A type that a file can define, maybe in quotes, or one of several. */
const NAMED_TYPE =
  /^["']?(?:(?:[a-z_]\w*\.)*[A-Z]\w*\b)(?<!\b(?:None|Any|Optional|Callable|Type|Union|List|Dict|Literal))/;

/** Without an annotation a parameter has the type that the method of a parent type states for it. */
function inheritedType(method: string, index: number, type: string): string {
  return type === '' && isOverridable(method) ? `super.${method}(${index})` : '';
}

function isOverridable(method: string): boolean {
  return method !== '' && !/^(?:test|__)/.test(method);
}

const KEPT =
  /\bself\.(\w+)[ \t]*=[ \t]*(?:[\w.()[\]{}]* if [^\n]{1,60} else[ \t]+)?(?:(?:list|tuple|set|sorted|dict)\()?(\w+)\)?[ \t]*(?=\r?\n|$|or\b|if\b)/g;

/** `self.store = store`: the field has the parameter's type. */
function keptParameters({ kind, signatureEnd, end }: DefinitionView, typed: Map<string, string>, sink: FactSink): void {
  if (kind !== 'constructor' && ![...typed.values()].some((type) => NAMED_TYPE.test(type))) return;
  const body = sink.source.slice(signatureEnd, Math.min(end, signatureEnd + MAX_BODY_LENGTH));
  for (const match of body.matchAll(KEPT)) {
    field(signatureEnd + match.index, match[1], typed.get(match[2]) ?? '', '', sink);
  }
}

/** Without an annotation: what the only `return` of the function returns. */
function returned({ signatureEnd, end }: DefinitionView, sink: FactSink): void {
  if (end - signatureEnd > MAX_BODY_LENGTH) return;
  const body = sink.source.slice(signatureEnd, end);
  if (/\b(?:def|yield|class)\b/.test(body)) return;
  const found = [...body.matchAll(/^[ \t]*return\b[ \t]*/gm)];
  if (found.length !== 1) return;
  const from = signatureEnd + found[0].index + found[0][0].length;
  const stop = findOutside(sink.source, from, end, '\n', LEXICAL);
  sink.result(from, '', heldValue(from, stop, sink), true);
}

/** `lambda a, b=1: …` */
export function lambda({ start, end }: NodeView, sink: FactSink): void {
  parameters(start, end, sink, '');
}
