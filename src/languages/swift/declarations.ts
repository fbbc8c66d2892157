/** Functions, types and properties of Swift, and members whose type follows from the context: `.novel`, `.perDay(cents: 10)`. */
import { wordSet } from '../language.js';
import {
  aliases,
  bareLocals,
  byKind,
  declarationsIn,
  headText,
  MAX_HEAD_LENGTH,
  nameFrom,
  ofEnumeration,
  parents,
  typeParameters,
} from '../roles/declarations.js';
import type { DefinitionView, FactSink, LexicalConventions, NodeRule, NodeView } from '../roles/relations.js';
import { findOutside, skipSpace } from '../roles/scan.js';

/** Reads the type that starts at `from` and ends at a value, a body, the next name, or the end of its line. */
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
      const observers = headText(source, next, end).search(/\s\{\s*(?:didSet|willSet)\b/);
      value = sink.accessPath(next + 1, observers === -1 ? end : next + observers);
    }
    state(at, name, type, value);
    if (source[end] !== ',') return;
    at = skipSpace(source, end + 1, to, LEXICAL);
  }
}

export const propertyRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  const head = /\b(?:let|var)\s+/.exec(headText(source, start, end));
  if (head === null) return;
  const from = start + head.index + head[0].length;
  if (source[from] === '(') {
    bareLocals(sink, from, sink.closing(from, end));
    return;
  }
  declare(sink, from, end, (at, name, type, value) => sink.variable(at, name, type, value));
};

export const BUILT_IN = wordSet(
  `String Int Double Float Bool Character Error Codable Decodable Encodable Equatable Hashable Comparable CaseIterable
   Identifiable Sendable AnyObject Never Any Void UInt Int64 UInt8 Int32 Optional Array Dictionary Set`,
);

export const definition = byKind({
  'enum-member': (view, sink) => {
    ofEnumeration(view, sink);
    held(view, sink);
  },
  type: aliases(/^(?:<[^=]*>)?\s*=\s*([\w.]+(?:<[^\n]*>)?)/),
  'function method constructor': functionDefinition,
  'class struct enum interface impl': typeDefinition,
});

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
        headText(source, part.start, part.end, 200),
      );
    if (given !== null) sink.given(nameStart, '{}', given[1]);
    const head = /^(?:@\w+\s+)*(?:\w+\s+)?(?=\w+\s*:)/.exec(headText(source, part.start, part.end, 200));
    if (head === null) continue;
    declare(sink, part.start + head[0].length, part.end, (where, name, type, value) => {
      sink.local(where, name, type.endsWith('...') ? `[${type.slice(0, -3)}]` : type, value);
    });
  }
  if (kind === 'constructor') return;
  const arrow = /^\s*(?:async\s*)?(?:(?:re)?throws(?:\([\w.]+\))?\s*)?->\s*/.exec(headText(source, close, end, 100));
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

interface Subject {
  start: number;
  end: number;
  /** Access path, or a type: members of both are looked up alike. */
  path: string;
}

interface FileState {
  switches: Subject[];
  /** Bodies of functions, with their results. */
  results: Subject[];
}

const states = new WeakMap<FactSink, FileState>();

function stateOf(sink: FactSink): FileState {
  let state = states.get(sink);
  if (state === undefined) {
    state = { switches: [], results: [] };
    states.set(sink, state);
  }
  return state;
}

const MAX_CONTEXT_LENGTH = 600;
/** UTF-16 units before a member that are looked at: a line can be a whole file. */
const MAX_LINE_LENGTH = 400;
/** Most switches and functions of one file that are searched for the innermost one. */
const MAX_LOOKS = 500;

/** `switch value {` */
export function switchRule({ start, end }: NodeView, sink: FactSink): void {
  const limit = Math.min(end, start + MAX_CONTEXT_LENGTH);
  const open = findOutside(sink.source, start, limit, '{', sink.rules.lexical);
  if (open >= limit) return;
  const path = sink.accessPath(start + 'switch'.length, open);
  stateOf(sink).switches.push({ start, end, path });
}

function returns({ start, end }: DefinitionView, type: string, sink: FactSink): void {
  stateOf(sink).results.push({ start, end, path: plain(type) });
}

/** `Genre` of `Genre?`; '' for a type without members of its own here. */
function plain(type: string): string {
  return /^([A-Z][\w.]*)(?:<[^<>]*>)?[?!]?$/.exec(type.trim())?.[1] ?? '';
}

const MEMBER = /(?<![\w)\]}?!."'>])\.([a-z_]\w*)/g;
const PATTERN = /\b(?:case|is)\s+(?:let\s+|var\s+)?$|\bcase\s[^\n{}:]*,\s*(?:let\s+|var\s+)?$/;
const TYPED = /:\s*(?:inout\s+)?([A-Z][\w.]*)(?:<[^<>\n]*>)?[?!]?\s*=\s*$/;
const COMPARED = /(?:[=!]=|(?<![=!<>])=|\?\?)\s*$/;
const CONDITION = /\b(?:if|guard|while|for)\s+case\s+(?:let\s+|var\s+)?$|,\s*case\s+(?:let\s+|var\s+)?$/;

/** States members without a receiver, with the receiver that follows from the text around them. */
export function implicitMembers(sink: FactSink): void {
  const { source } = sink;
  for (const match of source.matchAll(MEMBER)) {
    const near = source.slice(Math.max(0, match.index - MAX_LINE_LENGTH), match.index);
    const line = near.slice(near.lastIndexOf('\n') + 1);
    if (/\/\/|^\s*\*|^\s*\./.test(line)) continue;
    const at = match.index + 1;
    const end = at + match[1].length;
    const path = receiverOf(match.index, end, line, sink);
    if (path === '' || path === '?') continue;
    const isPattern = PATTERN.test(line);
    sink.reference(at, end, source[end] === '(' && !isPattern ? 'call' : 'read', `${path}.${match[1]}`);
    if (isPattern && source[end] === '(') payload(line, `${path}.${match[1]}`, end, sink);
  }
}

function receiverOf(dot: number, end: number, line: string, sink: FactSink): string {
  const { source, rules } = sink;
  if (CONDITION.test(line)) {
    const limit = Math.min(source.length, end + MAX_CONTEXT_LENGTH);
    const equals = findOutside(source, end, limit, '={', rules.lexical);
    if (source[equals] !== '=') return '';
    const stop = findOutside(source, equals + 1, limit, ',{', rules.lexical);
    const text = source.slice(equals + 1, stop);
    return sink.accessPath(equals + 1, stop - (/\s+else\s*$/.exec(text)?.[0].length ?? 0));
  }
  if (PATTERN.test(line)) return innermost(stateOf(sink).switches, dot);
  if (/\breturn\s+$/.test(line)) return innermost(stateOf(sink).results, dot);
  const typed = TYPED.exec(line);
  if (typed !== null) return typed[1];
  const compared = COMPARED.exec(line);
  return compared === null ? '' : sink.accessPathBefore(dot - compared[0].length).accessPath;
}

function innermost(ranges: readonly Subject[], at: number): string {
  let found: Subject | null = null;
  for (const range of ranges.slice(0, MAX_LOOKS))
    if (range.start < at && at < range.end && (found === null || range.start > found.start)) found = range;
  return found?.path ?? '';
}

/** `case .flat(let cents)`, `case let .flat(cents)`: names for the values of the case, in order. */
function payload(line: string, path: string, open: number, sink: FactSink): void {
  const close = sink.closing(open, Math.min(sink.source.length, open + MAX_CONTEXT_LENGTH));
  const isBound = /\b(?:let|var)\s+$/.test(line);
  const written = sink.source.slice(open + 1, close - 1);
  let at = open + 1;
  for (const [index, part] of written.split(',').entries()) {
    const match = /^\s*(?:\w+\s*:\s*)?((?:let|var)\s+)?([a-z_]\w*)\s*$/.exec(part);
    if (match !== null && match[2] !== '_' && (isBound || match[1] !== undefined))
      sink.local(at + part.lastIndexOf(match[2]), match[2], '', `${heldBy(path, index)}`);
    at += part.length + 1;
  }
}

/** The content of options and results, which count as it. */
function heldBy(path: string, index: number): string {
  const held = /^(.+)\.(?:some|success)$/.exec(path);
  return held === null ? `${path}#${index}` : held[1];
}

/** `case flat(cents: Int)`: types of the values of the case. */
function held({ name, nameStart, nameEnd, end }: DefinitionView, sink: FactSink): void {
  const { source } = sink;
  if (source[nameEnd] !== '(') return;
  const close = sink.closing(nameEnd, Math.min(end, nameEnd + MAX_CONTEXT_LENGTH));
  for (const [index, part] of source
    .slice(nameEnd + 1, close - 1)
    .split(',')
    .entries()) {
    const type = part
      .replace(/^\s*(?:\w+\s+)?\w+\s*:\s*/, '')
      .replace(/=.*$/s, '')
      .trim();
    if (type !== '' && !type.includes('->')) sink.field(nameStart, `${name}#${index}`, type, '');
  }
}

export const LEXICAL: LexicalConventions = {
  joins: ['?.', '!.', '.'],
  nameExtra: '$`',
  postfix: '!?',
  prefixes: ['try?', 'try!', 'try', 'await', '&'],
  typeArguments: '<>',
  root: (name) => (name === 'self' || name === 'Self' ? 'this' : name),
  quotes: '"',
  lineComments: ['//'],
  blockComment: ['/*', '*/'],
};
