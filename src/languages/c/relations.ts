/** C, and what C++ shares with it. */
import { calls } from '../roles/call-rules.js';
import {
  declarationsIn,
  listItemEnd,
  MAX_DECLARATORS,
  MAX_HEAD_LENGTH,
  skipModifiers,
  typeEnd,
} from '../roles/declarations.js';
import type { DefinitionView, FactSink, LexicalConventions, NodeRule, RelationRules } from '../roles/relations.js';
import { skipSpace } from '../roles/scan.js';
import { NAMES } from './names.js';

const LEXICAL: LexicalConventions = {
  joins: ['->', '.'],
  prefixes: ['*', '&'],
  quotes: '"\'',
  lineComments: ['//'],
  blockComment: ['/*', '*/'],
};

const MODIFIER =
  /\[\[|(?:static|extern|const|volatile|register|inline|constexpr|consteval|constinit|mutable|virtual|explicit|friend|typedef|typename|struct|enum|union|class|thread_local|_Thread_local|__extension__|restrict)\b/y;
const PRIMITIVE = /(?:(?:unsigned|signed|long|short|int|char|float|double|void|bool|auto|const)\b[ \t]*){1,6}/y;
/** `API Cart *add`: what a type and a name follow is no type. */
const MACROS_BEFORE = /(?:[A-Z][A-Z0-9_]{2,}[ \t]+){1,3}(?=(?:[\w:]+(?:<[^;{}()\n]{0,80}>)?[\s*&]+){1,4}[\w:~]+\s*\()/y;
/** Pointers, and the parenthesis of a function pointer: `*const name`, `(*name)`. */
const DECLARATOR = /[\s*&]*(?:\(\s*\*[\s*]*)?(?:(?:const|volatile|restrict|__restrict)\b[\s*&]*){0,3}([A-Za-z_]\w*)/y;

export interface Head {
  /** '' for primitive types and `auto`. */
  type: string;
  /** Offset of the last name of the type, and its access path. */
  typeAt: number;
  accessPath: string;
  /** Offset after the type. */
  after: number;
}

/** The type that a declaration starts with. */
export function headOf(sink: FactSink, from: number, to: number): Head | null {
  const { source } = sink;
  const limit = Math.min(to, from + MAX_HEAD_LENGTH);
  let at = skipModifiers(sink, from, limit, MODIFIER);
  MACROS_BEFORE.lastIndex = at;
  const macros = MACROS_BEFORE.exec(source);
  if (macros !== null) at = skipModifiers(sink, at + macros[0].length, limit, MODIFIER);
  PRIMITIVE.lastIndex = at;
  const primitive = PRIMITIVE.exec(source);
  if (primitive !== null)
    return { type: '', typeAt: at, accessPath: '', after: Math.min(limit, at + primitive[0].length) };
  const end = typeEnd(sink, at, limit);
  const type = source.slice(at, end).replace(/[*&\s]+$/, '');
  const written = /^[\w:.]*/.exec(type)?.[0] ?? '';
  if (!/^\w/.test(written) || C_WORDS.has(written)) return null;
  const typeAt = at + written.search(/\w*$/);
  return { type, typeAt, accessPath: written.replaceAll('::', '.'), after: end };
}

export interface Declarator {
  name: string;
  at: number;
  isArray: boolean;
  /** The character after the name: `=`, `(`, `{`, or '' where the declarator ends. */
  next: string;
  nextAt: number;
  end: number;
}

/** The names declared between `from` and `to`, with what follows each. */
function declaratorsOf(sink: FactSink, from: number, to: number): Declarator[] {
  const { source, rules } = sink;
  const found: Declarator[] = [];
  for (let at = from; at < to && found.length < MAX_DECLARATORS; ) {
    DECLARATOR.lastIndex = at;
    const match = DECLARATOR.exec(source);
    if (match === null || DECLARATOR.lastIndex > to) break;
    const nameAt = DECLARATOR.lastIndex - match[1].length;
    let next = skipSpace(source, DECLARATOR.lastIndex, to, rules.lexical);
    const isArray = source[next] === '[';
    while (next < to && (source[next] === '[' || source[next] === ')')) {
      // Of `(*name)(int)` the parameters belong to the declarator too.
      next = source[next] === '[' ? sink.closing(next, to) : skipSpace(source, next + 1, to, rules.lexical);
      if (source[next] === '(') next = sink.closing(next, to);
      next = skipSpace(source, next, to, rules.lexical);
    }
    const char = next < to ? source[next] : '';
    // `int Cart::count = 0;` declares no name of its own.
    if (!'=({,:;'.includes(char) || source.startsWith('::', next)) break;
    const end = listItemEnd(sink, next, to);
    found.push({ name: match[1], at: nameAt, isArray, next: char, nextAt: next, end });
    at = end + 1;
  }
  return found;
}

export function includeRule({ start, end, text }: { start: number; end: number; text: string }, sink: FactSink): void {
  const match = /^#\s*(?:include|include_next|import)\s*(?:"([^"\n]+)"|<([^>\n]+)>)/.exec(
    text.slice(0, MAX_HEAD_LENGTH),
  );
  if (match === null) return;
  const stop = text.endsWith('\n') ? end - 1 : end;
  sink.import(start, stop, match[1] === undefined ? 'include-system' : 'include', match[1] ?? match[2]);
}

/** `struct cart *a = b, c;` of locals, globals and fields. */
export function declarationRule(
  place: 'local' | 'field',
  constructed?: (declared: Declarator, head: Head, view: Parameters<NodeRule>[0], sink: FactSink) => boolean,
): NodeRule {
  return (view, sink) => {
    const { start, end } = view;
    const { source } = sink;
    const head = headOf(sink, start, end);
    if (head === null) return;
    const last = source[end - 1] === ';' ? end - 1 : end;
    for (const declared of declaratorsOf(sink, head.after, last)) {
      const { name, at, isArray, next, nextAt } = declared;
      if (next === '(' && constructed?.(declared, head, view, sink) !== true) return;
      if (next === '{') constructed?.(declared, head, view, sink);
      const type = isArray && head.type !== '' ? `${head.type}[]` : head.type;
      sink[place](
        at,
        name,
        type,
        next === '=' && source[nextAt + 1] !== '=' ? sink.accessPath(nextAt + 1, declared.end) : '',
      );
    }
  };
}

/** Parameters between brackets at `open` and before `close`. */
export function addParameters(sink: FactSink, open: number, close: number): void {
  for (const part of declarationsIn(sink, open, close)) {
    const head = headOf(sink, part.start, part.end);
    const declared = head === null ? undefined : declaratorsOf(sink, head.after, part.end)[0];
    if (head === null || declared === undefined) continue;
    sink.local(declared.at, declared.name, declared.isArray && head.type !== '' ? `${head.type}[]` : head.type, '');
  }
}

/** Words at places where a type or a function could be: in macros, and where macros hide what a parser would need to see. */
const C_WORDS: ReadonlySet<string> = new Set(
  `if else while for do switch case default return goto sizeof defined typeof alignof __attribute__ catch try throw new delete using
   typedef static const extern private public protected operator namespace template class struct union enum`.split(
    /\s+/,
  ),
);

/** Calls in the text of a macro, which has no tree. */
export const macroRule: NodeRule = ({ start, text }, sink) => {
  const macro = /^#\s*define\s+(\w+)(?:\(([^)]*)\))?/.exec(text.slice(0, MAX_HEAD_LENGTH));
  if (macro === null) return;
  const own = new Set([macro[1], ...(macro[2] ?? '').split(/[\s,]+/)]);
  const body = text.slice(macro[0].length, macro[0].length + MAX_HEAD_LENGTH);
  for (const match of body.matchAll(/(?<![\w.>#:])([A-Za-z_]\w*)\s*\(/g)) {
    if (own.has(match[1]) || C_WORDS.has(match[1])) continue;
    const at = start + macro[0].length + match.index;
    sink.reference(at, at + match[1].length, 'call', match[1]);
  }
};

/** States the type that a cast gives its value: `((struct node *)x)->next`. */
export const castRule: NodeRule = ({ start, end }, sink) => {
  const head = headOf(sink, start + 1, end);
  if (head !== null && head.type !== '') sink.remember(end, start, `new ${head.accessPath}()`);
};

const typeRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  // The name of a `struct x { … }` is no use of it.
  if (/^\s*\{/.test(source.slice(end, end + 20))) return;
  sink.reference(start, end, 'type', source.slice(start, end));
};

/** Results, parameters and aliases are read from signatures. */
function definition({ kind, name, start, nameStart, nameEnd, signatureEnd }: DefinitionView, sink: FactSink): void {
  const { source } = sink;
  if (kind === 'type') {
    const known = /^typedef\s+(?:const\s+)?(?:(?:struct|union|enum)\s+)?(\w+)[\s*]+$/.exec(
      source.slice(start, Math.min(nameStart, start + MAX_HEAD_LENGTH)),
    );
    if (known !== null && known[1] !== name) sink.alias(nameStart, name, known[1]);
  }
  if (kind !== 'function') return;
  const head = headOf(sink, start, nameStart);
  if (head !== null && head.type !== '' && head.type !== 'void') sink.result(nameStart, head.type, '');
  const open = skipSpace(source, nameEnd, signatureEnd, LEXICAL);
  if (source[open] !== '(' || source[skipSpace(source, signatureEnd, signatureEnd + MAX_HEAD_LENGTH, LEXICAL)] !== '{')
    return;
  addParameters(sink, open, sink.closing(open, signatureEnd));
}

export const HANDED_ON_IN_C = /(?:[(,={?:]|\breturn)\s*(?:&\s*)?([A-Za-z_]\w*)\s*(?=[,);}\]])/g;

export const C_TYPES: ReadonlySet<string> = new Set([
  ...C_WORDS,
  ...'size_t ssize_t ptrdiff_t intptr_t uintptr_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t FILE va_list wchar_t bool off_t time_t'.split(
    ' ',
  ),
]);

export const c: RelationRules = {
  lexical: LEXICAL,
  names: NAMES,
  nodes: {
    preproc_include: includeRule,
    preproc_def: macroRule,
    preproc_function_def: macroRule,
    argument_list: calls(),
    type_identifier: typeRule,
    declaration: declarationRule('local'),
    field_declaration: declarationRule('field'),
    cast_expression: castRule,
  },
  brackets: ['argument_list'],
  definition,
  values: HANDED_ON_IN_C,
  ignoredTypes: C_TYPES,
  ignoredCalls: C_WORDS,
};
