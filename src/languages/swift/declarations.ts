/** Functions, types and properties of Swift. */
import { declarationsIn, MAX_HEAD_LENGTH, nameFrom, parents, typeParameters } from '../roles/declarations.js';
import type { DefinitionView, FactSink, NodeRule } from '../roles/relations.js';
import { findOutside, skipSpace } from '../roles/scan.js';
import { held, returns } from './implicit-members.js';
import { LEXICAL } from './lexical.js';

/** End of the type that starts at `from`: at a value, a body, the next name, or with its line. */
function typeText(sink: FactSink, from: number, to: number): { type: string; end: number } {
  const limit = Math.min(to, from + MAX_HEAD_LENGTH);
  const end = findOutside(sink.source, from, limit, '={,\n', LEXICAL, true);
  const type = sink.source
    .slice(from, end)
    .trim()
    .replace(/^(?:@\w+\s+)+|^(?:inout|some|any|borrowing|consuming)\s+/g, '');
  return { type: type.includes('->') ? '' : type, end };
}

/** `let a: A = b, c = d` from the first name on. */
function declare(
  sink: FactSink,
  from: number,
  to: number,
  state: (at: number, name: string, type: string, value: string) => void,
): void {
  const { source } = sink;
  for (let at = from, count = 0; at < to && count < 50; count++) {
    const name = nameFrom(source, at);
    if (name === '') return;
    let next = skipSpace(source, at + name.length, to, LEXICAL);
    let type = '';
    if (source[next] === ':') {
      const found = typeText(sink, next + 1, to);
      type = found.type;
      next = found.end;
    }
    let end = next;
    let value = '';
    if (source[next] === '=') {
      const limit = Math.min(to, next + MAX_HEAD_LENGTH);
      end = findOutside(source, next + 1, limit, ',', LEXICAL);
      if (end === limit) end = to;
      // Observers (`{ didSet … }`) are no part of the value.
      const observers = source.slice(next, Math.min(end, next + MAX_HEAD_LENGTH)).search(/\s\{\s*(?:didSet|willSet)\b/);
      value = sink.accessPath(next + 1, observers === -1 ? end : next + observers);
    }
    state(at, name, type, value);
    if (source[end] !== ',') return;
    at = skipSpace(source, end + 1, to, LEXICAL);
  }
}

export const propertyRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  const head = /\b(?:let|var)\s+/.exec(source.slice(start, Math.min(end, start + MAX_HEAD_LENGTH)));
  if (head === null) return;
  const from = start + head.index + head[0].length;
  if (source[from] === '(') {
    for (const name of source.slice(from, sink.closing(from, end)).matchAll(/\w+/g))
      sink.local(from + name.index, name[0], '', '');
    return;
  }
  declare(sink, from, end, (at, name, type, value) => sink.variable(at, name, type, value));
};

export const BUILT_IN = new Set(
  'String Int Double Float Bool Character Error Codable Decodable Encodable Equatable Hashable Comparable CaseIterable Identifiable Sendable AnyObject Never Any Void UInt Int64 UInt8 Int32 Optional Array Dictionary Set'.split(
    ' ',
  ),
);

export function definition(view: DefinitionView, sink: FactSink): void {
  const { kind, name, nameStart, nameEnd, end } = view;
  const { source } = sink;
  if (kind === 'enum-member') {
    sink.field(nameStart, name, '', 'this');
    held(view, sink);
  } else if (kind === 'type') {
    const type = /^(?:<[^=]*>)?\s*=\s*([\w.]+(?:<[^\n]*>)?)/.exec(
      source.slice(nameEnd, Math.min(end, nameEnd + MAX_HEAD_LENGTH)),
    )?.[1];
    if (type !== undefined) sink.alias(nameStart, name, type);
  } else if (kind === 'function' || kind === 'method' || kind === 'constructor') functionDefinition(view, sink);
  else if (['class', 'struct', 'enum', 'interface', 'impl'].includes(kind)) typeDefinition(view, sink);
}

function functionDefinition(view: DefinitionView, sink: FactSink): void {
  const { kind, nameStart, nameEnd, end } = view;
  const { source } = sink;
  let at = nameEnd + (/^[?!]/.test(source.slice(nameEnd, nameEnd + 1)) ? 1 : 0);
  if (source[at] === '<') at = typeParameters(sink, at, end);
  const open = skipSpace(source, at, end, LEXICAL);
  if (source[open] !== '(') return;
  const close = sink.closing(open, Math.min(end, open + 4 * MAX_HEAD_LENGTH));
  for (const part of declarationsIn(sink, open, close)) {
    const given =
      /:\s*(?:@\w+\s+)*\(+\s*(?:_\s+\w+\s*:\s*)?(?:inout\s+)?([A-Z][\w.<>?[\]]*)\s*(?:,[^()]*)?\)\s*(?:async\s+)?(?:throws\s+)?->/.exec(
        source.slice(part.start, Math.min(part.end, part.start + 200)),
      );
    if (given !== null) sink.given(nameStart, '{}', given[1]);
    const head = /^(?:@\w+\s+)*(?:\w+\s+)?(?=\w+\s*:)/.exec(
      source.slice(part.start, Math.min(part.end, part.start + 200)),
    );
    if (head === null) continue;
    declare(sink, part.start + head[0].length, part.end, (where, name, type, value) => {
      sink.local(where, name, type.endsWith('...') ? `[${type.slice(0, -3)}]` : type, value);
    });
  }
  if (kind === 'constructor') return;
  const arrow = /^\s*(?:async\s*)?(?:(?:re)?throws(?:\([\w.]+\))?\s*)?->\s*/.exec(
    source.slice(close, Math.min(end, close + 100)),
  );
  if (arrow === null) return;
  const from = close + arrow[0].length;
  const found = typeText(sink, from, end);
  const type = found.type.replace(/\s+where\s[\s\S]*$/, '');
  returns(view, type, sink);
  if (type !== '' && type !== 'Void')
    sink.result(nameStart, type === 'Self' ? '' : type, type === 'Self' ? 'this' : '');
}

/** `class A<T>: B<T>, C where T: D`, `extension A: B`. */
function typeDefinition({ kind, nameEnd, signatureEnd }: DefinitionView, sink: FactSink): void {
  const { source } = sink;
  const limit = Math.min(signatureEnd, nameEnd + MAX_HEAD_LENGTH);
  let at = nameEnd;
  if (source[at] === '<') at = typeParameters(sink, at, limit);
  at = skipSpace(source, at, limit, LEXICAL);
  if (source[at] !== ':') return;
  const where = source.slice(at, limit).search(/\swhere\s/);
  parents(sink, at + 1, where === -1 ? limit : at + where).forEach(({ accessPath, at: from, end }, index) => {
    if (BUILT_IN.has(accessPath)) return;
    const relation = kind === 'interface' || (kind === 'class' && index === 0) ? 'extends' : 'implements';
    sink.reference(from, end, relation, accessPath);
  });
}
