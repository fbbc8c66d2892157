/** Literals of structs, and what macros are given and become: tokens to the grammar, found by their brackets. */
import { handedOn } from '../roles/escaping-values.js';
import type { FactSink, NodeView } from '../roles/relations.js';
import { findOutside, skipOpaque } from '../roles/scan.js';
import { fieldsOf } from './patterns.js';

export const HANDED_ON = /^(?:\w+\s*:\s*)?(?:&(?:mut\s+)?)?((?:\w+(?:::|\.))*[A-Za-z_]\w*)$/;
export const VARIANTS: ReadonlySet<string> = new Set(['Some', 'Ok']);
const MAX_HEAD_LENGTH = 600;
const MAX_NAME_LENGTH = 100;
/** Arguments of a macro longer than this are tables. */
const MAX_MACRO_LENGTH = 20_000;

/** `Cart { … }`, `Self { … }`, `Shape::Circle { … }`. */
export function structExpression({ start, end }: NodeView, sink: FactSink): void {
  const open = sink.source.indexOf('{', start);
  if (open === -1 || open >= end) return;
  const { accessPath, nameStart, start: from } = sink.accessPathBefore(open);
  if (accessPath !== '?' && from === start) made(accessPath, nameStart, start, open, end, sink);
}

function made(path: string, nameStart: number, start: number, open: number, end: number, sink: FactSink): void {
  sink.remember(end, start, path === 'this' ? 'this()' : `new ${path}()`);
  sink.reference(nameStart, end, 'new', path);
  for (const { at, name, from, to } of fieldsOf(open + 1, end - 1, sink)) {
    sink.reference(at, at + name.length, 'write', `${path}.${name}`);
    handedOn(from, to, HANDED_ON, sink);
  }
}

/** The macro is called; what it is given are tokens to the grammar: calls are found by their brackets. */
export function macro({ start, end }: NodeView, sink: FactSink): void {
  const { source } = sink;
  const match = /^((?:\w+::)*)(\w+)\s*!\s*/.exec(source.slice(start, start + MAX_HEAD_LENGTH));
  if (match === null) return;
  const [head, path, name] = match;
  sink.reference(start + path.length, end, 'call', path.replace(/::/g, '.') + name);
  tokens(start + head.length + 1, end, sink);
}

/** `macro_rules! name { … }`: the code that it becomes is tokens, too. */
export function macroDefinition({ start, end }: NodeView, sink: FactSink): void {
  const open = sink.source.indexOf('{', start);
  if (open !== -1) tokens(open + 1, end, sink);
}

function tokens(from: number, end: number, sink: FactSink): void {
  const { source, rules } = sink;
  if (end - from > MAX_MACRO_LENGTH) return;
  tokenParameters(from, end, sink);
  tokenLocals(from, end, sink);
  let previous = '';
  for (let at = from; at < end; ) {
    const char = source[at];
    if (char === '(' && /[\w>]/.test(previous)) tokenCall(at, end, sink);
    else if (previous === '!' && /[([{]/.test(char)) tokenMacro(at, sink);
    else if (char === '{' && /\w/.test(previous)) tokenStruct(at, end, sink);
    if (!/\s/.test(char)) previous = char;
    at = skipOpaque(source, at, end, rules.lexical);
  }
}

/** `|dir: Dir, mut cmd: Command| { … }` in what a macro is given. */
function tokenParameters(from: number, end: number, sink: FactSink): void {
  for (const closure of sink.source.slice(from, end).matchAll(/\|([^|;{}()\n]{1,200}:[^|;{}()\n]{1,200})\|/g)) {
    const start = from + closure.index + 1;
    for (const match of closure[1].matchAll(/(?:^|,)\s*(?:mut\s+)?([a-z_]\w*)\s*:(?!:)\s*([^,]+)/g))
      sink.local(start + match.index, match[1], match[2].trim(), '');
  }
}

/** `let mut messages: Vec<Message> = decode(&output);` in what a macro is given. */
function tokenLocals(from: number, end: number, sink: FactSink): void {
  const { source, rules } = sink;
  const declared = /\blet\s+(?:mut\s+)?([a-z_]\w*)\s*(?::(?!:)\s*([^=;{}]{1,200}))?=(?!=)\s*/g;
  for (const match of source.slice(from, end).matchAll(declared)) {
    const start = from + match.index;
    const value = start + match[0].length;
    const stop = findOutside(source, value, Math.min(end, value + MAX_HEAD_LENGTH), ';', rules.lexical, true);
    sink.local(start, match[1], match[2]?.trim() ?? '', sink.accessPath(value, stop));
  }
}

function tokenCall(open: number, end: number, sink: FactSink): void {
  const { accessPath, nameStart, start } = sink.accessPathBefore(open);
  if (accessPath === '?' || accessPath === '' || VARIANTS.has(accessPath)) return;
  const { source } = sink;
  if (/[^\w.]fn\s+$/.test(source.slice(Math.max(0, nameStart - 5), nameStart))) return;
  const close = sink.closing(open, end);
  sink.remember(close, start, `${accessPath}()`);
  sink.reference(nameStart, close, 'call', accessPath, { args: sink.arguments(open, close).count });
}

/** `name!(…)` in what a macro is given. */
function tokenMacro(open: number, sink: FactSink): void {
  const name = /(?<![\w:])([a-z_]\w*)!\s*$/.exec(sink.source.slice(Math.max(0, open - MAX_NAME_LENGTH), open));
  if (name === null) return;
  const at = open - name[0].length;
  sink.reference(at, at + name[1].length, 'call', name[1]);
}

/** `Span { first: 1 }` in what a macro is given. */
function tokenStruct(open: number, end: number, sink: FactSink): void {
  const { accessPath, nameStart, start } = sink.accessPathBefore(open);
  if (/(?:^|\.)[A-Z]\w*$/.test(accessPath)) made(accessPath, nameStart, start, open, sink.closing(open, end), sink);
}
