/** Members of a type that the context tells: `.novel`, `.perDay(cents: 10)`. */
import type { DefinitionView, FactSink, NodeView } from '../roles/relations.js';
import { findOutside } from '../roles/scan.js';

interface Subject {
  start: number;
  end: number;
  /** Access path, or a type: members of both are looked up alike. */
  path: string;
}

interface FileState {
  switches: Subject[];
  /** Bodies of functions, with what they return. */
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

const MAX_HEAD_LENGTH = 600;
/** UTF-16 units in front of a member that are looked at: a line can be a whole file. */
const MAX_LINE_LENGTH = 400;
/** Switches and functions in one file that are looked through for the innermost one. */
const MAX_LOOKS = 500;

/** `switch value {` */
export function switchRule({ start, end }: NodeView, sink: FactSink): void {
  const limit = Math.min(end, start + MAX_HEAD_LENGTH);
  const open = findOutside(sink.source, start, limit, '{', sink.rules.lexical);
  if (open >= limit) return;
  const path = sink.accessPath(start + 'switch'.length, open);
  stateOf(sink).switches.push({ start, end, path });
}

export function returns({ start, end }: DefinitionView, type: string, sink: FactSink): void {
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

/** States members without a receiver, with the one that the text around them tells. */
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
    const limit = Math.min(source.length, end + MAX_HEAD_LENGTH);
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

/** `case .flat(let cents)`, `case let .flat(cents)`: names of what the case holds, in order. */
function payload(line: string, path: string, open: number, sink: FactSink): void {
  const close = sink.closing(open, Math.min(sink.source.length, open + MAX_HEAD_LENGTH));
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

/** Options and results count as what they hold. */
function heldBy(path: string, index: number): string {
  const held = /^(.+)\.(?:some|success)$/.exec(path);
  return held === null ? `${path}#${index}` : held[1];
}

/** `case flat(cents: Int)`: types of what the case holds. */
export function held({ name, nameStart, nameEnd, end }: DefinitionView, sink: FactSink): void {
  const { source } = sink;
  if (source[nameEnd] !== '(') return;
  const close = sink.closing(nameEnd, Math.min(end, nameEnd + MAX_HEAD_LENGTH));
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
