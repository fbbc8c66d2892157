/**
 * Reads declarations out of text: types before names (`List<Item> items`) and further declarators, type parameters and their bounds, lists
 * of parents, types of parameters. At the end are ready-made rules for definitions, imports and annotations. Masks, at the beginning, are
 * text that a grammar is not given.
 */
import { addTo } from '../../base/lists.js';
import { words } from '../language.js';
import type { Blank } from './masks.js';
import type { FactSink, NodeRule, ParameterRules, RelationRules } from './relations.js';
import { findOutside, isNameCode, lastPart, skipSpace, splitList, type TextRange } from './scan.js';

/** Longest head of a declaration (modifiers, type, name) that is read; a longer one is not worth the time. */
export const MAX_HEAD_LENGTH = 1_000;

/** The text between two offsets, no more of it than a rule may look at. */
export function headText(text: string, from: number, to: number, longest = MAX_HEAD_LENGTH): string {
  return text.slice(from, Math.min(to, from + longest));
}

/**
 * A grammar is spared group 1 of each match, at its last place in it. `by`: the text that stands there
 * instead, or what makes it. `where`: whether a match counts.
 */
export type Mask = readonly [
  pattern: RegExp,
  by?: string | ((found: string) => string),
  where?: (match: RegExpExecArray, text: string) => boolean,
];

export function maskedRanges(text: string, masks: readonly Mask[]): Blank[] {
  return masks.flatMap(([pattern, by = '', where = () => true]) =>
    [...text.matchAll(pattern)]
      .filter((match) => where(match, text))
      .map((match): Blank => {
        const start = match.index + match[0].lastIndexOf(match[1]);
        return [start, start + match[1].length, typeof by === 'string' ? by : by(match[1])];
      }),
  );
}

interface Declared {
  type: string;
  name: string;
  nameAt: number;
  /** Offset after the name. */
  after: number;
}

/** Offset after modifiers, annotations with arguments (`@A(x)`, `[A(x)]`) and white space. `modifiers` is sticky and matches one word. */
export function skipModifiers(sink: FactSink, from: number, to: number, modifiers: RegExp): number {
  const { source, rules } = sink;
  for (let at = skipSpace(source, from, to, rules.lexical); at < to; ) {
    modifiers.lastIndex = at;
    const match = modifiers.exec(source);
    if (match === null || match[0] === '') return at;
    at += match[0].length;
    if (source[at - 1] === '(' || source[at - 1] === '[') at = sink.closing(at - 1, to);
    else if (match[0][0] === '@') {
      const open = skipSpace(source, at, to, rules.lexical);
      if (source[open] === '(') at = sink.closing(open, to);
    }
    at = skipSpace(source, at, to, rules.lexical);
  }
  return to;
}

/** End of the type that starts at `from`: a name with dots, type arguments, brackets of arrays, `?`, `*`; `from` if there is none. */
export function typeEnd(sink: FactSink, from: number, to: number): number {
  const { source } = sink;
  let at = from;
  if (source[at] === '(') at = sink.closing(at, to);
  while (at < to) {
    const char = source[at];
    if (isNameCode(source.charCodeAt(at), '$') || char === '.' || char === '?' || char === '*') at++;
    else if (char === ':' && source[at + 1] === ':') at += 2;
    else if (char === '<') {
      const close = angleEnd(source, at, to);
      if (close === -1) return from;
      at = close;
    } else if (char === '[' && /^\[[\s,\d]*\]/.test(source.slice(at, at + 20))) at = source.indexOf(']', at) + 1;
    else break;
  }
  return at;
}

/** Offset after the `>` that closes the `<` at `open`, -1 if it closes nothing nearby. */
export function angleEnd(source: string, open: number, to: number): number {
  const limit = Math.min(to, open + MAX_HEAD_LENGTH);
  let depth = 0;
  for (let at = open; at < limit; at++) {
    const char = source[at];
    if (char === '<') depth++;
    else if (char === '>') {
      if (source[at - 1] !== '-' && source[at - 1] !== '=' && --depth === 0) return at + 1;
    } else if (char === ';' || char === '{') return -1;
  }
  return -1;
}

/** `Type name` at `from`, after its modifiers. */
export function typeBeforeName(sink: FactSink, from: number, to: number, modifiers: RegExp): Declared | null {
  const { source, rules } = sink;
  const limit = Math.min(to, from + MAX_HEAD_LENGTH);
  const start = skipModifiers(sink, from, limit, modifiers);
  const end = typeEnd(sink, start, limit);
  let nameAt = skipSpace(source, end, limit, rules.lexical);
  if (end === start || nameAt >= limit) return null;
  while (nameAt < limit && (source[nameAt] === '.' || source[nameAt] === '*' || source[nameAt] === '&')) nameAt++;
  const nameStart = skipSpace(source, nameAt, limit, rules.lexical);
  const name = nameFrom(source, nameStart);
  return name === ''
    ? null
    : { type: source.slice(start, end), name, nameAt: nameStart, after: nameStart + name.length };
}

/** The name that starts at `at`, '' if there is none. */
export function nameFrom(source: string, at: number): string {
  let end = at;
  while (isNameCode(source.charCodeAt(end), '$')) end++;
  return /^\d/.test(source.slice(at, at + 1)) ? '' : source.slice(at, end);
}

/** Access path after the `=` between `from` and `to`; '' without one, or if its value cannot be followed. */
export function valueAfter(sink: FactSink, from: number, to: number): string {
  const { source, rules } = sink;
  const at = skipSpace(source, from, to, rules.lexical);
  if (source[at] !== '=' || source[at + 1] === '=') return '';
  return sink.accessPath(at + 1, to);
}

/** The declarations in a list whose brackets are at `open` and before `close`. */
export function declarationsIn(sink: FactSink, open: number, close: number): TextRange[] {
  return splitList(sink.source, open + 1, close - 1, ',', sink.rules.lexical, true);
}

/**
 * Calls `each` for the further declarators of `Type a = 1, b = 2`, with a name's offset, the name, and the start and end of its value
 * (empty without one). `first` is the offset of the first name.
 */
export function declarators(
  sink: FactSink,
  first: number,
  end: number,
  each: (at: number, name: string, after: number, to: number) => void,
): void {
  const { source, rules } = sink;
  for (let at = first, count = 0; at < end && count < MAX_DECLARATORS; count++) {
    const name = nameFrom(source, at);
    if (name === '') return;
    const after = at + name.length;
    const next = skipSpace(source, after, end, rules.lexical);
    // A comma between type arguments: `new Map<A, B>()`.
    if (next < end && !'=[(,:'.includes(source[next])) return;
    const to = listItemEnd(sink, after, end);
    each(at, name, after, to);
    at = skipSpace(source, to + 1, end, rules.lexical);
  }
}

export const MAX_DECLARATORS = 50;

/** The next comma outside of brackets, within a bounded distance (a longer value is the last one); else `end`. */
export function listItemEnd({ source, rules }: FactSink, from: number, end: number): number {
  const limit = Math.min(end, from + MAX_HEAD_LENGTH);
  const to = findOutside(source, from, limit, ',', rules.lexical);
  return to === limit ? end : to;
}

/**
 * States names and bounds of a list of type parameters, `<T extends X, out U>`, that opens at `open`. Returns the offset behind it.
 * `ofType`: subtypes give arguments for them. `bounds`: those that are stated apart; the ones that are used are taken out.
 */
export function typeParameters(
  sink: FactSink,
  open: number,
  to: number,
  of: { close?: number; ofType?: boolean; bounds?: Map<string, string> } = {},
): number {
  const { close = angleEnd(sink.source, open, to), ofType = false, bounds } = of;
  if (close === -1) return open;
  for (const part of splitList(sink.source, open + 1, close - 1, ',', sink.rules.lexical, true)) {
    const name = /^(?:(?:in|out|reified|const|class|typename|@\w+)\s+)*[+\-\s]*(\w+)/.exec(
      sink.source.slice(part.start, part.end),
    );
    if (name === null) continue;
    const form = sink.source[open] === '[' ? UPPER_BOUND : BOUND;
    const own = form.exec(headText(sink.source, part.start + name[0].length, part.end, MAX_PARENT_LENGTH))?.[1] ?? '';
    const bound = [own, bounds?.get(name[1]) ?? '']
      .filter((each) => each !== '')
      .map(intersection)
      .join(' & ');
    bounds?.delete(name[1]);
    sink.typeParameter(name[1], ofType ? part.start : -1, bound);
    if (!ofType) sink.bound(part.start, name[1], bound);
  }
  return close;
}

/** Text behind the name of a type parameter: `extends A & B`, `: A`. */
const BOUND = /^\s*(?:extends\s|:(?!:))\s*([^=]+)/;
/** `>: A <: B with C : D` in square brackets, where a colon asks for an instance of a type class. */
const UPPER_BOUND = /^\s*(?:>:[^<>]*)?<:\s*([^:]+)/;

/** A type that has the members of several, as all languages write it for the linker: `A & B`. */
const intersection = (type: string): string =>
  type
    .replace(/@[\w.]+\s+/g, '')
    .replace(/\swith\s/g, ' & ')
    .trim();

/** Demands on a parameter that are no type: `class`, `new()`. */
const NO_BOUND = /^(?:class|struct|notnull|unmanaged|default|allows)\b|[()]/;

/**
 * States type parameters that open at `at`, if any do, with the bounds of a clause in the head behind them, which ends at one of the
 * `stops`: `where T : A, T : B` and `where T : A, B`. `ofType` as in `typeParameters`.
 */
export function boundedParameters(sink: FactSink, at: number, to: number, stops: string, ofType = false): number {
  const bounds = whereBounds(sink, at, to, stops);
  const close = sink.source[at] === '<' ? typeParameters(sink, at, to, { bounds, ofType }) : at;
  for (const [name, bound] of bounds) sink.bound(at, name, bound);
  return close;
}

function whereBounds({ source, rules }: FactSink, from: number, to: number, stops: string): Map<string, string> {
  const bounds = new Map<string, string>();
  const limit = Math.min(to, from + 2 * MAX_HEAD_LENGTH);
  if (!/\bwhere\s/.test(source.slice(from, limit))) return bounds;
  const head = source.slice(from, findOutside(source, from, limit, stops, rules.lexical));
  for (const clause of head.split(/\bwhere\s/).slice(1)) {
    let name = '';
    for (const { start, end } of splitList(clause, 0, clause.length, ',', rules.lexical, true)) {
      const part = clause.slice(start, end).trim();
      const own = /^(\w+)\s*:(?!:)\s*/.exec(part);
      name = own?.[1] ?? name;
      const bound = part.slice(own?.[0].length ?? 0);
      if (name === '' || bound.includes('==') || NO_BOUND.test(bound)) continue;
      const known = bounds.get(name);
      bounds.set(name, known === undefined ? bound : `${known} & ${bound}`);
    }
  }
  return bounds;
}

/** The parents in a list such as `B<C>, d.E(1) with F`, each with the offset of its last name. Access paths are without arguments. */
export function parents(
  sink: FactSink,
  from: number,
  to: number,
  separator = ',',
): { accessPath: string; at: number; end: number }[] {
  const { source, rules } = sink;
  const found: { accessPath: string; at: number; end: number }[] = [];
  for (const part of splitList(source, from, to, separator, rules.lexical, true)) {
    const match = PARENT.exec(headText(source, part.start, part.end, MAX_PARENT_LENGTH));
    if (match === null) continue;
    const accessPath = match[2].replace(/\s+/g, '').replaceAll('::', '.').replace(/^\./, '');
    const end = part.start + match[0].length;
    found.push({ accessPath, at: end - accessPath.length + accessPath.lastIndexOf('.') + 1, end });
  }
  return found;
}

const MAX_PARENT_LENGTH = 300;
const PARENT = /^((?:(?:public|private|protected|virtual|sealed|@\w+)\s+)*)((?:::)?[\w$]+(?:(?:::|\.)[\w$]+)*)/;

/**
 * Escaping values in languages with braces: access paths that are a whole argument, element or value. Most matches are no functions, so
 * only names that the file imports or defines count.
 */
export const HANDED_ON =
  /(?:[(,=?:]|\breturn|[-=]>)\s*((?:this\.)?[A-Za-z_$][\w$]*(?:\.(?!class\b)[\w$]+)*)\s*(?=[,);\]}]|:(?!:))/g;

/** States references to every name in the text of a type: for grammars without a node for such names. */
export function typeReferences(sink: FactSink, from: number, to: number): void {
  const { source } = sink;
  const text = headText(source, from, to);
  for (const match of text.matchAll(/(?:[A-Za-z_$][\w$]*(?:\.|::))*([A-Za-z_$][\w$]*)/g)) {
    const end = from + match.index + match[0].length;
    sink.reference(end - match[1].length, end, 'type', match[0].replaceAll('::', '.'));
  }
}

/** An annotation, or a word before the type of a parameter. */
const LEADING = /^(?:@[\w.]+(?:\([^()]*\))?|\[[^\][]*\](?=\s*\w)|(\w+)(?=\s))\s*/;
/** Most levels of type arguments that are removed. */
const MAX_NESTED = 6;

/** Types of the parameters in the list that opens at `open`: without type arguments, `=` behind one with a default, `...` behind one of many. */
export function parameterTypes(sink: FactSink, open: number, to: number): string[] {
  const { source, rules } = sink;
  const { parameters } = rules;
  if (parameters === undefined) return [];
  const parts = declarationsIn(sink, open, sink.closing(open, to));
  // A method that extends a type can be called with its first argument before the dot.
  if (parts.length > 0 && /^this\s/.test(source.slice(parts[0].start, parts[0].start + 5)))
    return parts.map((_, i) => (i === 0 ? '=' : ''));
  const types = parts.map(({ start, end }) => parameterType(headText(source, start, end), parameters));
  return types.length === 1 && types[0] === 'void' ? [] : types;
}

/** A type that is a name, and the name of a parameter: most are such, in languages that write types before names. */
const TYPE_AND_NAME = /^([\w$.]+) [\w$]+$/;

const COMMENTS = /\/\*[\s\S]*?\*\/|\/\/.*/g;

/** Type of one parameter, in the form of `parameterTypes`. */
function parameterType(text: string, rules: ParameterRules): string {
  const { type, words, rest, apart } = rules;
  if (apart !== undefined) {
    const plain = text.replace(COMMENTS, '');
    const equals = plain.search(/=(?!=)/);
    const declared = equals < 0 ? plain : plain.slice(0, equals);
    return `${apart.type(declared)}${rest.test(declared) ? '...' : ''}${equals < 0 ? '' : '='}`;
  }
  const written = type === 'behind' || rules.labels ? undefined : TYPE_AND_NAME.exec(text)?.[1];
  return written === undefined || words.has(written) || rest.test(text) ? typeWritten(text, rules) : written;
}

/** Type of a parameter whose text has more than a type and a name: a label, words before it, type arguments, a default. */
function typeWritten(text: string, rules: ParameterRules): string {
  const { type, words, rest } = rules;
  const label = rules.labels ? `${/^\s*(\w+)/.exec(text)?.[1].replace(/^_$/, '') ?? ''}:` : '';
  let plain = text.replace(COMMENTS, '').trim();
  for (let word = LEADING.exec(plain); word !== null; word = LEADING.exec(plain)) {
    if (!/^[@[]/.test(word[0]) && !words.has(word[1])) break;
    plain = plain.slice(word[0].length);
  }
  const equals = /\s*=(?![=>])/.exec(plain);
  const declared = equals === null ? plain : plain.slice(0, equals.index);
  const optional = equals === null ? '' : '=';
  let written =
    type === 'behind' ? declared.slice(declared.indexOf(':') + 1) : declared.replace(/[\w$]+(?=(?:\s*\[\s*\])*$)/, '');
  written = written.replace(/\s+|\.\.\.|[?!&]+/g, '');
  if (/[-=]>/.test(written)) return `${label}->${optional}`;
  for (let depth = 0; depth < MAX_NESTED && written.includes('<'); depth++) written = written.replace(/<[^<>]*>/g, '');
  if (type === 'behind') written = written.replace(/^\[(.*)\]$/, '$1[]').replace(/(\w)\[[^\]].*\]$/, '$1');
  written = written.replace(/,/g, ';');
  return `${label}${rest.test(text) ? `${written.replace(/\[\]$|\*$/, '')}...` : written}${optional}`;
}

// Ready-made rules for declarations that most grammars have a node for

type DefinitionRule = NonNullable<RelationRules['definition']>;

/** The rule for definitions by their kinds: `{ 'class interface': parents, method: result }`. Rows of one kind run in order. */
export function byKind(rows: Readonly<Record<string, DefinitionRule>>): DefinitionRule {
  const rules = new Map<string, DefinitionRule[]>();
  for (const [kinds, rule] of Object.entries(rows)) for (const kind of words(kinds)) addTo(rules, kind, rule);
  return (view, sink) => {
    for (const rule of rules.get(view.kind) ?? []) rule(view, sink);
  };
}

/** A constant of an enumeration is an instance of it. */
export const ofEnumeration: DefinitionRule = ({ nameStart, name }, sink) => sink.field(nameStart, name, '', 'this');

/** For names of types: the type, group 1, that stands behind the name. */
export function aliases(form: RegExp): DefinitionRule {
  return ({ name, nameStart, nameEnd, end }, sink) => {
    const type = form.exec(headText(sink.source, nameEnd, end))?.[1];
    if (type !== undefined) sink.alias(nameStart, name, type);
  };
}

/** States names in a text as locals of which nothing is known. */
export function bareLocals(sink: FactSink, from: number, to: number, name = /\w+/g): void {
  for (const { index, 0: found } of sink.source.slice(from, to).matchAll(name)) sink.local(from + index, found, '', '');
}

/** For patterns, and parameters without types: each name in the node is a local. */
export function localNames(name: RegExp): NodeRule {
  return ({ start, end }, sink) => bareLocals(sink, start, Math.min(end, start + MAX_HEAD_LENGTH), name);
}

/** For casts: states the type, group 1, that a value has from there on. The form is run over the end of the node if it ends in `$`, else over its start. */
export function casts(form: RegExp): NodeRule {
  const isLast = form.source.endsWith('$');
  return ({ start, end, text }, sink) => {
    const type = form.exec(isLast ? text.slice(-MAX_HEAD_LENGTH) : text.slice(0, MAX_HEAD_LENGTH))?.[1];
    if (type !== undefined) sink.remember(end, start, `new ${type}()`);
  };
}

/** Imports all names of a path, or, without `isWhole`, the last name of it. */
export function importPath(
  { start, end }: TextRange,
  path: string,
  isWhole: boolean,
  sink: FactSink,
  alias = lastPart(path),
): void {
  const dot = isWhole ? -1 : path.lastIndexOf('.');
  const imported = isWhole ? { name: '*', alias: '' } : { name: path.slice(dot + 1), alias };
  sink.import(start, end, 'import', dot === -1 ? path : path.slice(0, dot), [imported]);
}

interface DecoratorForm {
  /** The beginning of a decorator; group 1 is its name, with dots. */
  form: RegExp;
  /** Names of the language itself, which no decorators of a repository are; `isOwnHidden`: and no uses of another name either. */
  own?: RegExp;
  isOwnHidden?: true;
  /** Kind of the use that a named argument is, and the access path of its owner. */
  argument?: (name: string) => readonly [kind: 'read' | 'write', owner: string];
  /** The route that it states of the function below; by default its first argument, if that is a plain string. */
  literal?: (first: string, written: string, sink: FactSink) => string;
}

const NAMED_ARGUMENT = /(?<=[(,]\s*)(@?\w+)\s*=(?![=>])/g;

/** For annotations and attributes: a reference of kind `decorator`. */
export function decorators({ form, own, isOwnHidden, argument, literal }: DecoratorForm): NodeRule {
  return ({ start, end }, sink) => {
    const { source } = sink;
    const match = form.exec(headText(source, start, end));
    if (match === null) return;
    const name = match[1];
    const open = start + match[0].length;
    const at = open - lastPart(name).length;
    if (own?.test(name)) {
      if (isOwnHidden) sink.declared(at);
      return;
    }
    const list = source[open] === '(' ? sink.arguments(open, end) : null;
    const written = headText(source, open, end);
    const [kind, owner] = argument?.(name) ?? [];
    if (kind !== undefined)
      for (const { index, 1: key } of written.matchAll(NAMED_ARGUMENT))
        sink.reference(open + index, open + index + key.length, kind, `${owner}.${key}`);
    const first = list?.literal ?? '';
    const stated = literal === undefined ? first : literal(first, list === null ? '' : written, sink);
    sink.reference(at, end, 'decorator', name, { args: list?.count ?? -1, literal: stated });
  };
}
