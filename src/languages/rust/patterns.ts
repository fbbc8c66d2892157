/** Patterns of Rust and the values of their names, literals of structs, and the tokens of macros, which are read by their brackets. */
import { headText } from '../roles/declarations.js';
import { elementsOf, type FactSink, handedOn, type NodeView } from '../roles/relations.js';
import { findOutside, skipOpaque } from '../roles/scan.js';

/** Longest pattern that is read. */
const MAX_PATTERN_LENGTH = 600;
const MAX_ARMS = 200;

/** `let [mut] name[: Type] = value;` */
export function letDeclaration({ start, end }: NodeView, sink: FactSink): void {
  const { source, rules } = sink;
  const from = start + (/^let\s+/.exec(source.slice(start, start + 20))?.[0].length ?? 3);
  const equals = findOutside(source, from, end, '=;', rules.lexical, true);
  const colon = findTypeColon(from, equals, sink);
  const type = source.slice(colon + 1, equals).trim();
  const last = source[end - 1] === ';' ? end - 1 : end;
  const value = equals < last ? valueIn(equals + 1, beforeElse(equals + 1, last, sink), sink) : '';
  const held = type === '' ? listedType(from, equals + 1, sink) : '';
  // On the lines of its value a name still has its earlier meaning.
  const at = source.slice(equals, end).includes('\n') ? { at: end - 1 } : {};
  pattern(from, colon, { type: type || held, value, ...at }, sink);
}

/** Its first element tells the type of a list: `vec![Cart::new(); 3]`, and `Vec::new()` before `carts.push(Cart { … })`. */
const LISTED = /^\s*vec!\s*\[\s*((?:\w+::)*[A-Z]\w*)(?:::(?:new|default)\(|\s*\{)/;
const EMPTY_LIST = /^\s*(?:Vec::(?:new|with_capacity)\(|vec!\s*\[\s*\])/;
const PUSHED = /^\s*((?:\w+::)*[A-Z]\w*)(?:::(?:new|default)\(|\s*\{)/;
/** Distance in which the first element is looked for, in UTF-16 units. */
const MAX_PUSH_DISTANCE = 4_000;

/** Type of a list whose name stands at `from`, and whose value at `at`; '' if no element tells it. */
function listedType(from: number, at: number, { source }: FactSink): string {
  const text = source.slice(at, at + MAX_PATTERN_LENGTH);
  const listed = LISTED.exec(text)?.[1];
  if (listed !== undefined) return `Vec<${listed}>`;
  const name = EMPTY_LIST.test(text) ? /^(?:mut\s+)?([a-z_]\w*)\s*=/.exec(source.slice(from, at))?.[1] : undefined;
  if (name === undefined) return '';
  const push = ` ${name}.push(`;
  const later = source.slice(at, at + MAX_PUSH_DISTANCE);
  const found = later.indexOf(push);
  const pushed = found === -1 ? undefined : PUSHED.exec(later.slice(found + push.length))?.[1];
  return pushed === undefined ? '' : `Vec<${pushed}>`;
}

/** Blocks with one value: `unsafe { value }`, `if open { value } else { … }`. */
const BLOCK = /^\s*(?:unsafe\s*|if\s(?!\s*let\b)[^{};]{1,200})\{(?=[^{};]*\})/;
/** An arm that gives what its pattern holds: `Some(cart) => cart`. */
const GIVING_ARM = /[{,]\s*((?:\w+::)*[A-Z]\w*)\(\s*(?:ref\s+)?(?:mut\s+)?(\w+)\s*\)\s*=>\s*\2\s*[,}]/;

/** The value of an expression, which may be that of a block or of an arm. */
function valueIn(from: number, to: number, sink: FactSink): string {
  const text = headText(sink.source, from, to, MAX_PATTERN_LENGTH);
  const block = BLOCK.exec(text)?.[0].length;
  if (block !== undefined) return sink.accessPath(from + block, from + text.indexOf('}', block));
  const match = /^\s*match\b/.exec(text);
  const arm = match === null ? null : GIVING_ARM.exec(text);
  if (match === null || arm === null) return sink.accessPath(from, to);
  if (!HOLDING.test(arm[1])) return `${arm[1].replaceAll('::', '.').replace(/^Self\b/, 'this')}(0)`;
  const open = findOutside(sink.source, from + match[0].length, to, '{', sink.rules.lexical);
  return sink.accessPath(from + match[0].length, open);
}

/** The end of the value in `let Some(x) = value else { … };`. */
function beforeElse(from: number, to: number, { source, rules }: FactSink): number {
  if (source[to - 1] !== '}') return to;
  const open = findOutside(source, from, to, '{', rules.lexical);
  const match = /\belse\s*$/.exec(source.slice(from, open));
  return match === null ? to : from + match.index;
}

/** `if let Some(x) = value`, `while let`. */
export function letCondition({ start, end, parent }: NodeView, sink: FactSink): void {
  const around = parent?.kind === 'let_chain' ? parent.parent : parent;
  sink.closure(start, around?.end ?? end);
  const { source, rules } = sink;
  const from = start + 4;
  const equals = findOutside(source, from, end, '=', rules.lexical);
  pattern(from, equals, { value: sink.accessPath(equals + 1, end) }, sink);
}

/** Offset of the first single colon; `a::b` has two. */
export function findTypeColon(from: number, to: number, { source, rules }: FactSink): number {
  for (let at = from; at < to; ) {
    const colon = findOutside(source, at, to, ':', rules.lexical);
    if (colon >= to || source[colon + 1] !== ':') return colon;
    at = colon + 2;
  }
  return to;
}

/** The name of a local. `this` is a name like others in Rust, and `self` in access paths. */
export const plainName = (name: string): string => (name === 'this' ? 'this_' : name);

const COMMENTS = /\/\/.*|\/\*[\s\S]*?(?:\*\/|$)/g;

/** The value that a pattern is matched with. */
interface Matched {
  type?: string;
  /** Access path of the value; '' if it is not known. */
  value?: string;
  /** Place from which the names count, if it is another than their own. */
  at?: number;
  /** Is the value given by an iterator, which gives pairs of keys and values for a map? */
  isElement?: boolean;
}

/** States the names of a pattern. Alone, or in `Some(…)` and `Ok(…)`, a name has the value; the parts of others are patterns of their own. */
export function pattern(from: number, to: number, matched: Matched, sink: FactSink): void {
  const { type = '', value = '', at } = matched;
  const limit = Math.min(to, from + MAX_PATTERN_LENGTH);
  // Words of a comment above an arm are no names.
  const written = sink.source.slice(from, limit);
  const text = written.includes('/') ? written.replace(COMMENTS, (comment) => ' '.repeat(comment.length)) : written;
  const whole = /^\s*(?:&\s*)*(?:ref\s+)?(?:mut\s+)?([a-z_]\w*)\s*$/.exec(text);
  if (whole !== null) {
    if (whole[1] !== '_') sink.local(at ?? from + text.lastIndexOf(whole[1]), plainName(whole[1]), type, value);
    return;
  }
  const bar = findOutside(sink.source, from, limit, '|', sink.rules.lexical);
  // Names of alternatives have one type.
  if (bar < limit) {
    pattern(from, bar, matched, sink);
    pattern(bar + 1, to, matched, sink);
    return;
  }
  if (partsOfPattern(from, text, matched, sink)) return;
  for (const match of text.matchAll(/(?<![\w:.])(?!(?:ref|mut|if|box)\b)[a-z_]\w*(?!\w|\s*(?:::|\(|\{|!|:(?!:)))/g)) {
    sink.local(at ?? from + match.index, plainName(match[0]), '', '');
  }
}

/** `(a, Some(b))` of a tuple, and `Shape::Line(a, ref b)` of a variant; false for other patterns. */
function partsOfPattern(from: number, text: string, matched: Matched, sink: FactSink): boolean {
  const head = /^\s*(?:&\s*)*((?:\w+::)*[A-Z]\w*)?\s*\(/.exec(text);
  const end = from + text.trimEnd().length;
  if (head === null) return false;
  const open = from + head[0].length;
  if (sink.closing(open - 1, end) !== end || sink.source[end - 1] !== ')') return false;
  const path = head[1]?.replaceAll('::', '.').replace(/^Self\b/, 'this');
  let isCounted = true;
  for (const [index, part] of elementsOf(open, end - 1, sink).entries()) {
    if (sink.source.startsWith('..', part.start)) isCounted = false;
    const { at } = matched;
    pattern(part.start, part.end, isCounted ? { ...partOf(matched, path, index), at } : { at }, sink);
  }
  return true;
}

/** Type and value of a part of a tuple, or of the variant `path`. */
function partOf(
  { type = '', value = '', isElement = false }: Matched,
  path: string | undefined,
  index: number,
): Matched {
  if (path === undefined) {
    const types = /^\(([^()<>]*)\)$/.exec(type)?.[1].split(',') ?? [];
    return {
      type: types[index]?.trim() ?? '',
      value: value === '' ? '' : `${value}.${isElement ? PART : ''}${index}`,
    };
  }
  if (HOLDING.test(path)) return { type, value, isElement };
  if (OF_ENTRY.test(path)) return { value };
  return PRELUDE.test(path) ? {} : { value: `${path}(${index})` };
}

/** Entries of maps, which are known as the map itself. */
const OF_ENTRY = /(?:map|set)\.Entry\.(?:Occupied|Vacant)$/;

/** Mark before the number of a part of what an iterator gives: a map has pairs, and is known here as a list of its values. */
const PART = '#';

/** `Line(a, b)` in a pattern reads the variant `Line`, which an import gives. */
export function variantPattern({ start, text }: NodeView, sink: FactSink): void {
  const name = /^([A-Z]\w*)\s*\(/.exec(text)?.[1] ?? '';
  if (name !== '' && !PRELUDE.test(name)) sink.reference(start, start + name.length, 'read', name);
}

/** Variants of the language itself, and those that hold a value which counts as the whole. */
const HOLDING = /^(?:Some|Ok)$/;
const PRELUDE = /^(?:Some|Ok|Err)$/;

/** `match value { Some(x) => …, Err(e) => … }` */
export function matchExpression({ start, end }: NodeView, sink: FactSink): void {
  const { source, rules } = sink;
  const open = findOutside(source, start + 5, end, '{', rules.lexical);
  const value = sink.accessPath(start + 5, open);
  let at = open + 1;
  for (let count = 0; count < MAX_ARMS && at < end - 1; count++) {
    let arrow = findOutside(source, at, end, '=', rules.lexical);
    while (arrow < end && source[arrow + 1] !== '>') arrow = findOutside(source, arrow + 2, end, '=', rules.lexical);
    if (arrow >= end || source[arrow] !== '=') return;
    const guard = /\sif\s/.exec(source.slice(at, arrow));
    pattern(at, guard === null ? arrow : at + guard.index, { value }, sink);
    const body = arrow + 2 + (/^\s*/.exec(source.slice(arrow + 2, arrow + 200))?.[0].length ?? 0);
    at = source[body] === '{' ? sink.closing(body, end) : findOutside(source, body, end, ',', rules.lexical);
    if (source[at] === ',') at++;
  }
}

interface FieldName {
  at: number;
  name: string;
  /** Offsets of the text behind its colon; empty if the name stands alone. */
  from: number;
  to: number;
}

/** Names of fields in the braces of a literal or a pattern: `a: x, b, ref mut c, ..rest`. */
function fieldsOf(from: number, to: number, sink: FactSink): FieldName[] {
  const found: FieldName[] = [];
  for (const { start, end } of elementsOf(from, to, sink)) {
    const text = headText(sink.source, start, end, MAX_PATTERN_LENGTH);
    const match = /^((?:#\[[^\]]*\]\s*)*(?:ref\s+)?(?:mut\s+)?)([a-z_]\w*)\s*(:(?!:)|$)/.exec(text);
    if (match === null) continue;
    const at = start + match[1].length;
    found.push({ at, name: match[2], from: match[3] === ':' ? start + match[0].length : end, to: end });
  }
  return found;
}

const WHOLE = /^\s*(?:&\s*)?(?:ref\s+)?(?:mut\s+)?([a-z_]\w*)\s*$/;

/** `Span { first, last: end, .. }` reads the fields; the names bound to them have their types. */
export function structPattern({ start, end }: NodeView, sink: FactSink): void {
  const open = sink.source.indexOf('{', start);
  if (open === -1 || open >= end) return;
  const { accessPath, start: from } = sink.accessPathBefore(open);
  if (accessPath === '?' || accessPath === '' || from !== start) return;
  const value = accessPath === 'this' ? 'this' : `new ${accessPath}()`;
  for (const field of fieldsOf(open + 1, end - 1, sink)) {
    sink.reference(field.at, field.at + field.name.length, 'read', `${accessPath}.${field.name}`);
    const text = sink.source.slice(field.from, field.to);
    const given = field.from === field.to ? field.name : WHOLE.exec(text)?.[1];
    if (given === undefined) continue;
    const at = field.from === field.to ? field.at : field.from + text.lastIndexOf(given);
    sink.local(at, given, '', `${value}.${field.name}`);
  }
}

/** `for x in xs {`, `for (i, x) in xs.iter().enumerate() {` */
export function forExpression({ start, end }: Pick<NodeView, 'start' | 'end'>, sink: FactSink): void {
  const { source, rules } = sink;
  const head = headText(source, start, end, MAX_PATTERN_LENGTH);
  const match = /^(?:'\w+\s*:\s*)?for\s+(?!\s)(?:&\s*(?!\s))?(?:mut\s+(?!\s))?([\s\S]*?)(?<!\s)\s+in\s+/.exec(head);
  if (match === null) return;
  const from = start + match[0].length;
  const values = sink.accessPath(from, findOutside(source, from, end, '{', rules.lexical));
  const at = start + head.indexOf(match[1], 3);
  sink.closure(at, end);
  patternOfElement(at, at + match[1].length, values, '[]', sink);
}

/** The pattern of what an iterator gives; `enumerate` gives a number before it. `mark` makes the element of the path. */
function patternOfElement(from: number, to: number, values: string, mark: string, sink: FactSink): void {
  const plain = values.replace(/\.enumerate\(\)$/, '');
  const value = values === '' ? '' : `${plain}${mark}`;
  const open = from + (/^\s*&?\s*\(/.exec(sink.source.slice(from, to))?.[0].length ?? 0);
  if (plain === values || open === from) {
    pattern(from, to, { value: plain === values ? value : '', isElement: true }, sink);
    return;
  }
  for (const [index, part] of elementsOf(open, sink.closing(open - 1, to) - 1, sink).entries())
    pattern(part.start, part.end, { value: index === 1 ? value : '', isElement: true }, sink);
}

/** Methods of iterators and options that pass one element to a function; `fold` passes it behind the value made so far. */
const EACH =
  /\.\s*(map|for_each|filter|filter_map|flat_map|any|all|find|find_map|position|inspect|max_by_key|min_by_key|partition|take_while|skip_while|map_while|sort_by_key|sort_unstable_by_key|sort_by|sort_unstable_by|max_by|min_by|retain|is_some_and|is_none_or|map_or|and_then|fold|try_fold|try_for_each|reduce|group_by|chunk_by|dedup_by_key|binary_search_by|binary_search_by_key|map_or_else|unwrap_or_else|then|rposition|filter_ok)\s*\(\s*((?:[^(){}|]|\([^()]*\))*,\s*)?(?:async\s+)?(?:move\s+)?$/;
const COMPARING = /^(?:sort_by|sort_unstable_by|max_by|min_by|reduce)$/;
const FOLDING = /^(?:fold|try_fold)$/;
const MAX_BEFORE_LENGTH = 120;

/** Name of a function that a closure is given to, and the arguments before it. */
const GIVEN_TO = /(?<!\w)(\w+)\s*\(\s*(?:(?:[^(){}|]|\([^()]*\))*,\s*)?(?:async\s+)?(?:move\s+)?$/;

/**
 * `xs.iter().map(|x| …)`: the parameter is an element, or the content of an option; `unwrap` returns either. `cart.change(|c| …)`: it is
 * what the function says that it gives. False if the parameters are unknown.
 */
export function elementParameters({ start, end }: NodeView, sink: FactSink): boolean {
  const before = sink.source.slice(Math.max(0, start - MAX_BEFORE_LENGTH), start);
  const method = EACH.exec(before);
  if (method?.[1] === 'unwrap_or_else' || method?.[1] === 'then') return false;
  if (method === null) return givenParameter({ start, end }, before, sink);
  const text = sink.source.slice(start + 1, Math.min(end - 1, start + MAX_PATTERN_LENGTH));
  const parts = elementsOf(start + 1, end - 1, sink);
  if (parts.length === 0 || /:(?!:)/.test(text)) return false;
  const { accessPath } = sink.accessPathBefore(start - before.length + method.index);
  if (accessPath === '?' || accessPath === '') return false;
  const mark = FOLDING.test(method[1]) || accessPath.endsWith('.enumerate()') ? '.for_each{}' : `.${method[1]}{}`;
  for (const [index, { start: from, end: to }] of parts.entries()) {
    const known = FOLDING.test(method[1]) ? index === 1 : index === 0 || COMPARING.test(method[1]);
    patternOfElement(from, to, known ? accessPath : '', mark, sink);
  }
  return true;
}

/** `cart.change(|c| …)`, `Cart::with(|c| …)`: the only parameter is what the function gives. */
function givenParameter({ start, end }: Pick<NodeView, 'start' | 'end'>, before: string, sink: FactSink): boolean {
  const called = GIVEN_TO.exec(before);
  const name = /^\|\s*(?:&\s*)?(?:mut\s+)?([a-z_]\w*)\s*\|$/.exec(headText(sink.source, start, end, 100))?.[1];
  if (called === null || name === undefined || name === '_') return false;
  const { accessPath } = sink.accessPathBefore(start - before.length + called.index + called[1].length);
  if (accessPath === '' || accessPath.startsWith('?')) return false;
  sink.local(start + 1, plainName(name), '', `${accessPath}{}`);
  return true;
}

/** A name behind a dot is a field, which a method of its name does not hide. */
export const HANDED_ON = /^(?:\w+\s*:\s*)?(?:&(?:mut\s+)?)?((?:\w+::)*[A-Za-z_]\w*)$/;
export const VARIANTS: ReadonlySet<string> = new Set(['Some', 'Ok']);
const MAX_HEAD_LENGTH = 600;
const MAX_NAME_LENGTH = 100;
/** Longest arguments of a macro; longer ones are tables. */
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

/** The macro is called. Its arguments are tokens to the grammar, so the calls in them are found by their brackets. */
export function macro({ start, end }: NodeView, sink: FactSink): void {
  const { source } = sink;
  const match = /^((?:\w+::)*)(\w+)\s*!\s*/.exec(source.slice(start, start + MAX_HEAD_LENGTH));
  if (match === null) return;
  const [head, path, name] = match;
  sink.reference(start + path.length, end, 'call', path.replace(/::/g, '.') + name);
  tokens(start + head.length + 1, end, sink);
}

/** `macro_rules! name { … }`: its code consists of tokens, too. */
export function macroDefinition({ start, end }: NodeView, sink: FactSink): void {
  const open = sink.source.indexOf('{', start);
  if (open !== -1) tokens(open + 1, end, sink);
}

function tokens(from: number, end: number, sink: FactSink): void {
  const { source, rules } = sink;
  if (end - from > MAX_MACRO_LENGTH) return;
  tokenParameters(from, end, sink);
  tokenLocals(from, end, sink);
  // `for event in &events {`
  for (const { index } of source.slice(from, end).matchAll(/\bfor\s+(?:&\s*)?(?:mut\s+)?[a-z_]\w*\s+in\s/g))
    forExpression({ start: from + index, end }, sink);
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

/** `|dir: Dir, mut cmd: Command| { … }` in the arguments of a macro. */
function tokenParameters(from: number, end: number, sink: FactSink): void {
  for (const closure of sink.source.slice(from, end).matchAll(/\|([^|;{}()\n]{1,200}:[^|;{}()\n]{1,200})\|/g)) {
    const start = from + closure.index + 1;
    for (const match of closure[1].matchAll(/(?:^|,)\s*(?:mut\s+)?([a-z_]\w*)\s*:(?!:)\s*([^,]+)/g))
      sink.local(start + match.index, match[1], match[2].trim(), '');
  }
}

/** `let mut messages: Vec<Message> = decode(&output);` in the arguments of a macro. */
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

/** `name!(…)` in the arguments of a macro. */
function tokenMacro(open: number, sink: FactSink): void {
  const name = /(?<![\w:])([a-z_]\w*)!\s*$/.exec(sink.source.slice(Math.max(0, open - MAX_NAME_LENGTH), open));
  if (name === null) return;
  const at = open - name[0].length;
  sink.reference(at, at + name[1].length, 'call', name[1]);
}

/** `Span { first: 1 }` in the arguments of a macro. */
function tokenStruct(open: number, end: number, sink: FactSink): void {
  const { accessPath, nameStart, start } = sink.accessPathBefore(open);
  if (/(?:^|\.)[A-Z]\w*$/.test(accessPath)) made(accessPath, nameStart, start, open, sink.closing(open, end), sink);
}
