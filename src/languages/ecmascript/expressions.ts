/**
 * Expressions: the value of one, as an access path, and the type that its place expects. `total({ tax: 2 })` writes the property `tax` of
 * the first parameter of `total`. Such a place is an access path here, `total(0)`; the linker finds its meaning.
 */
import { getOrMake } from '../roles/project.js';
import { type FactSink, perFile, type SyntaxNode } from '../roles/relations.js';
import {
  CLOSING,
  findOutside,
  isPlain,
  MAX_LOOK_BACK_LENGTH,
  OPENING,
  skipSpace,
  skipSpaceBack,
  splitList,
} from '../roles/scan.js';

/** Most brackets around an expression that are looked at, from the inside outwards. */
const MAX_EXPECTED_DEPTH = 8;
/** UTF-16 units of a list that is searched for a cast. */
const MAX_LIST_LENGTH = 5_000;
/** UTF-16 units before an expression that are read at once. */
const MAX_LEAD_LENGTH = 300;

const placesOf = perFile(() => new Map<number, string>());
/** Brackets of the text that the sink reads. */
export const bracketsOf = perFile(({ source, rules }) => new BracketFinder(source, rules.lexical.quotes));

/** Most nodes between a literal and the `return` before it, and most blocks around that. */
const MAX_STEPS = 8;

/**
 * Records the blocks around the `return` of a literal: they can begin further away than the text is read back. Comes before the first
 * question for the literal's place (`expectedAt`), whose answer is remembered.
 */
export function blocksAround(literal: SyntaxNode, sink: FactSink): void {
  let node: SyntaxNode | null = literal.parent;
  for (let step = 0; step < MAX_STEPS && node !== null && !STATEMENT.test(node.kind); step++) node = node.parent;
  if (node?.kind !== 'return_statement') return;
  let at = node.start;
  for (let step = 0; step < MAX_STEPS * 2 && node !== null && !FUNCTION.test(node.kind); step++) {
    node = node.parent;
    if (node?.kind !== 'statement_block') continue;
    bracketsOf(sink).inside(at, node.start);
    at = node.start;
  }
}

/** Starts of conditions, by those of their branches: `ok ? { … } : { … }`. */
const conditionsOf = perFile(() => new Map<number, number>());

/**
 * Records the conditions around a literal or a function that is their branch: a branch has the place of the whole. Comes before the first
 * question for its place, as `blocksAround` does.
 */
export function conditionsAround(value: SyntaxNode, sink: FactSink): void {
  let node = value;
  for (let step = 0; step < MAX_STEPS && node.parent !== null && !STATEMENT.test(node.parent.kind); step++) {
    const { kind, start } = node.parent;
    if (kind === 'ternary_expression' && start !== node.start) conditionsOf(sink).set(node.start, start);
    node = node.parent;
  }
}

const STATEMENT = /_(?:statement|declaration|declarator|definition)$/;
const FUNCTION = /function|^method_definition$/;

/** Stands behind the type of a list: `new Cart()[*]`. */
const LIST = '[*]';

/** Access path of the place that the expression at `at` is given to; '' if it is unknown. */
export function expectedAt(sink: FactSink, at: number): string {
  const found = wholePlace(sink, at, 0);
  return found.endsWith(LIST) ? '' : found;
}

function wholePlace(sink: FactSink, at: number, depth: number): string {
  return getOrMake(placesOf(sink), at, () => (depth > MAX_EXPECTED_DEPTH ? '' : place(sink, at, depth)));
}

function place(sink: FactSink, at: number, depth: number): string {
  const condition = conditionsOf(sink).get(at);
  if (condition !== undefined) return wholePlace(sink, condition, depth + 1);
  const { source, rules } = sink;
  const before = skipSpaceBack(source, at, 0, rules.lexical);
  switch (source[before - 1]) {
    case '(':
    case ',':
    case '[':
      return inBrackets(sink, before, depth);
    case ':':
      return underKey(sink, before - 1, depth);
    case '=':
      return assigned(sink, before - 1);
    case '>':
      return source[before - 2] === '=' ? resultOf(sink, before - 2, depth) : '';
    case '|':
    case '?':
      return source[before - 1] === source[before - 2] ? alternative(sink, before - 2, depth) : '';
    default: {
      const word = /(?<![\w$.])(?:return|async)$/.exec(source.slice(Math.max(0, before - 7), before))?.[0];
      if (word === 'async') return wholePlace(sink, before - word.length, depth + 1);
      return word === 'return' ? returned(sink, before - word.length, depth) : '';
    }
  }
}

/** Place of an argument, an element of a list, an expression in parentheses. */
function inBrackets(sink: FactSink, at: number, depth: number): string {
  const { source, rules } = sink;
  const found = bracketsOf(sink).around(at);
  if (found === null) return '';
  const { open, index } = found;
  if (source[open] === '[') return elementOf(sink, open, depth);
  if (source[open] !== '(') return '';
  const { accessPath, start } = sink.accessPathBefore(open);
  const isGroup =
    accessPath === '' || accessPath === 'return' || isArrow(source, skipSpaceBack(source, open, 0, rules.lexical));
  if (isGroup) return index === 0 ? wholePlace(sink, open, depth + 1) : '';
  if (accessPath.startsWith('?') || WORD.test(accessPath)) return '';
  const callee = accessPath.startsWith('new ') ? accessPath.slice(4) : accessPath;
  const typed = typedBefore(source, open);
  return `${callee}${typed === '' ? wanted(sink, start, depth) : `(:${typed})`}(${index})`;
}

/** The type argument before an argument list, `Cart` of `open<Cart>(`; '' if there is none with a name. */
function typedBefore(source: string, open: number): string {
  if (source[open - 1] !== '>') return '';
  return TYPE_ARGUMENT.exec(source.slice(Math.max(0, open - MAX_TYPES_LENGTH), open))?.[1] ?? '';
}

const MAX_TYPES_LENGTH = 120;
/** The first type argument of a call. */
export const TYPE_ARGUMENT = /<([A-Z][\w$]*(?:\[\])?)(?:,[^<>()]*)?>$/;

const isArrow = (source: string, end: number): boolean => source.startsWith('=>', end - 2);

/** Place of an element of the list that opens at `open`. */
function elementOf(sink: FactSink, open: number, depth: number): string {
  return castOf(sink, open) ?? after(wholePlace(sink, open, depth + 1), '[]');
}

/** Mark `(=…)` for the type of a call's result: with the name `open` of `const open: Maker<Cart> =` before it, else with the place of the call. */
function wanted(sink: FactSink, at: number, depth: number): string {
  const { source, rules } = sink;
  const before = skipSpaceBack(source, at, 0, rules.lexical);
  if (source[before - 1] !== '=') {
    const outer = wholePlace(sink, at, depth + 1);
    return outer === '' || outer.length > MAX_OUTER_LENGTH || outer.endsWith(LIST) ? '' : `(=${outer})`;
  }
  const name = TYPED_LOCAL.exec(source.slice(Math.max(0, before - MAX_LEAD_LENGTH), before - 1))?.[1];
  return name === undefined ? '' : `(=${name})`;
}

/** Longest place of a call around a call. UTF-16 units. */
const MAX_OUTER_LENGTH = 100;
const TYPED_LOCAL = /\bconst\s+([A-Za-z_$][\w$]{0,58})\s*:(?:(?!\b(?:const|let|var)\s)[^;=])*$/;

const WORD = /^(?:if|for|while|switch|catch|with|function|return|typeof|await|of|in|case|import|require|super)$/;

/** Place of a value under a key, `{ key: … }`. Other colons belong to types and to `? :`. */
function underKey(sink: FactSink, colon: number, depth: number): string {
  const { source } = sink;
  const match = KEY.exec(source.slice(Math.max(0, colon - MAX_LEAD_LENGTH), colon));
  if (match === null) return '';
  const found = bracketsOf(sink).around(colon - match[0].length + 1);
  if (found === null || source[found.open] !== '{') return '';
  return after(castOf(sink, found.open) ?? wholePlace(sink, found.open, depth + 1), `.${keyOf(match)}`);
}

const castsOf = perFile(() => new Map<number, string | null>());

/** A value of the type that the literal at `open` is cast to, '' for `any`, null without a cast. */
function castOf(sink: FactSink, open: number): string | null {
  return getOrMake(castsOf(sink), open, () => {
    const cast = castAt(sink, sink.closing(open, open + MAX_LIST_LENGTH));
    return cast === null || cast === '' ? cast : `new ${cast}()`;
  });
}

/**
 * Text before the key of a literal, and the key: a name, a text, or the member of an enumeration, `[Kind.Open]`.
 * A comment ends at the end of its line alone: otherwise a line of slashes could be read as comments in exponentially many ways.
 */
export const BEFORE_KEY = String.raw`[{,]\s*(?:\/\/[^\n\r]*[\n\r]\s*|\/\*[^*]*\*\/\s*)*`;
export const LITERAL_KEY = String.raw`(?:([A-Za-z_$][\w$]*)|(?:"|')([A-Za-z_$][\w$-]*)(?:"|')|\[\s*[A-Z][\w$]*\.([\w$]+)\s*\])`;
const KEY = new RegExp(String.raw`${BEFORE_KEY}${LITERAL_KEY}\s*$`);

/** The name of the key, from a match of an expression that begins with `LITERAL_KEY`. */
export function keyOf([, name, text, member]: RegExpExecArray): string {
  return name ?? text ?? member;
}

/** Place of an assigned value: `cart.rules = …`, `const cart: Cart = …`, and a field with a type. */
function assigned(sink: FactSink, equals: number): string {
  const { source } = sink;
  if (/[=!<>+*/%&^-]/.test(source[equals - 1] ?? '')) return '';
  const lead = source.slice(Math.max(0, equals - MAX_LEAD_LENGTH), equals);
  const local = OWN_MEMBER.test(lead) ? null : LOCAL.exec(lead);
  if (local !== null) return local[1];
  const field = OWN_MEMBER.test(lead) ? null : FIELD.exec(lead);
  if (field !== null) return `this.${field[1]}`;
  const { accessPath } = sink.accessPathBefore(equals);
  return accessPath.startsWith('?') || accessPath.endsWith(')') ? '' : accessPath;
}

/** `this[kind] = …`: text above it without a semicolon is no part of it. */
const OWN_MEMBER = /[\n;{}]\s*this[.[][^\n;{}]*$/;

/** The last declaration of the text: no other one begins in its type. */
const LOCAL = /\b(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*!?\s*(?::(?:(?!\b(?:const|let|var)\s)(?:=>|[^;=]))*)?$/;
const FIELD =
  /[\n;{}]\s*(?:(?:public|private|protected|static|readonly|override|declare|accessor)\s+)*([A-Za-z_$][\w$]*)\s*(?:[?!]\s*)?:(?:(?!\n(?![^\S ]*:)\s*(?:[\w$](?:[\w$ ]*[\w$])?\s*)?(?:(?<=[\w$ ])[?!]\s*)?:)[^;=])*$/;

/** Place of an alternative: `cart || …` and `cart ?? …` have the place of the whole. */
function alternative(sink: FactSink, operator: number, depth: number): string {
  const { accessPath, start } = sink.accessPathBefore(operator);
  if (accessPath === '' || accessPath.startsWith('?')) return '';
  return wholePlace(sink, start, depth + 1) || accessPath;
}

/** Result of the function whose arrow is at `arrow`. */
function resultOf(sink: FactSink, arrow: number, depth: number): string {
  const { source, rules } = sink;
  let end = skipSpaceBack(source, arrow, 0, rules.lexical);
  const type = resultType(source.slice(Math.max(0, end - MAX_LEAD_LENGTH), end));
  if (type !== null) return type;
  if (source[end - 1] === ')') end = bracketsOf(sink).around(end - 1)?.open ?? -1;
  else end -= /[\w$]*$/.exec(source.slice(Math.max(0, end - 60), end))?.[0].length ?? 0;
  return end < 0 ? '' : after(wholePlace(sink, end, depth + 1), '()');
}

/** `): Cart`, `): Cart<A<B<C>>>`, `): Cart[]`. `): Promise<Cart>` counts as `Cart`. */
const RESULT_TYPE =
  /\)\s*:\s*(?:Promise\s*<\s*)?(?!(?:Partial|Required|Readonly|Pick|Omit|Record|Array)\s*<)([A-Z][\w$]*(?:\.[A-Z][\w$]*)*)\s*(?:<(?:[^<>(){};]|<(?:[^<>(){};]|<[^<>(){};]{1,60}>){1,60}>){1,120}>\s*)?((?:\[\s*\])?)\s*>?$/;

/** A value of the type at the end of a signature, null if none is written. */
function resultType(lead: string): string | null {
  const type = RESULT_TYPE.exec(lead);
  return type === null ? null : `new ${type[1]}()${type[2] === '' ? '' : LIST}`;
}

/** The result of the function that the `return` belongs to. */
function returned(sink: FactSink, from: number, depth: number): string {
  const { source, rules } = sink;
  let at = from;
  for (let level = 0; level < MAX_EXPECTED_DEPTH; level++) {
    const found = bracketsOf(sink).around(at);
    if (found === null || source[found.open] !== '{') return '';
    const end = skipSpaceBack(source, found.open, 0, rules.lexical);
    if (isArrow(source, end)) return resultOf(sink, end - 2, depth);
    const lead = source.slice(Math.max(0, end - MAX_LEAD_LENGTH), end);
    const type = resultType(lead);
    if (type !== null) return type;
    if (source[end - 1] === ')') {
      const open = bracketsOf(sink).around(end - 1)?.open ?? -1;
      const head = open < 0 ? '' : source.slice(Math.max(0, open - 60), open);
      if (!/\b(?:if|for|while|switch|catch|with)\s*(?:await\s*)?$/.test(head)) return '';
    } else if (!/(?:\b(?:else|try|finally|do)|:|;|\}|\{)$/.test(lead)) return '';
    at = found.open;
  }
  return '';
}

/** The place `path` with `more` behind it, '' if it is unknown: of a list of a written type only an element, `[]`, is known. */
function after(path: string, more: string): string {
  if (path.endsWith(LIST)) return more === '[]' ? path.slice(0, -LIST.length) : '';
  return path === '' ? '' : path + more;
}

/** `as Cart`, `as Cart[]`, `as Partial<Cart>`: group 1 is the name, group 2 a type without members. */
const CAST =
  /\s*(?:\)\s*)?(?:as|satisfies)\s+(?:(?:Partial<)?([A-Z][\w$]*(?:\.[A-Z][\w$]*)*)(?=(?:\[\])?\s*[<>;,)\]}\n])|(any|unknown|never)\b)/y;

/** The name of the type that an expression which ends at `end` is cast to, '' for `any`, null without a cast. */
function castAt({ source }: FactSink, end: number): string | null {
  CAST.lastIndex = end;
  const cast = CAST.exec(source);
  return cast === null ? null : (cast[1] ?? '');
}

/** The access path with the keys of the object [start, end) as members; '' if it is unknown. */
export function expectedOf(sink: FactSink, start: number, end: number): string {
  const cast = castAt(sink, end);
  return cast === null ? expectedAt(sink, start) : cast === '' ? '' : `new ${cast}()`;
}

/** Deepest nesting of alternatives. */
const MAX_VALUE_DEPTH = 3;
/** Longest expression with alternatives, and longest type that a literal stands for. UTF-16 units. */
const MAX_EXPRESSION_LENGTH = 1_000;
const MAX_TYPE_LENGTH = 200;
/** Separator of the access paths of alternatives. */
const OR = ' | ';

/** The access path of the expression [from, to), or those of its alternatives, as far as known; '' for none. */
export function valuePath(sink: FactSink, from: number, to: number, depth = 0): string {
  const whole = sink.accessPath(from, to);
  if (whole !== '' || depth >= MAX_VALUE_DEPTH || to - from > MAX_EXPRESSION_LENGTH) return whole;
  const paths = alternativesOf(sink, from, to).map(([start, end]) => valuePath(sink, start, end, depth + 1));
  return [...new Set(paths.filter((path) => path !== ''))].join(OR);
}

/** `b` and `c` of `a ? b : c`, `a` and `b` of `a ?? b` and `a || b`; none for other expressions. */
function alternativesOf({ source, rules }: FactSink, from: number, to: number): [start: number, end: number][] {
  let either = -1;
  for (let at = from; at < to; at++) {
    at = findOutside(source, at, to, '?|;=', rules.lexical);
    if (at >= to || source[at] === ';') break;
    const next = source[at + 1];
    if (source[at] === '=') {
      // An arrow or an assignment has no alternatives.
      if (next !== '=' && !'=!<>'.includes(source[at - 1])) return [];
      if (next === '=') at++;
    } else if (source[at] === '|' || next === '?') {
      if (next !== '|' && next !== '?') return [];
      if (either === -1) either = at;
      at++;
    } else if (next !== '.') return branches({ source, rules } as FactSink, at + 1, to);
  }
  return either === -1
    ? []
    : [
        [from, either],
        [either + 2, to],
      ];
}

function branches({ source, rules }: FactSink, from: number, to: number): [start: number, end: number][] {
  let depth = 1;
  for (let at = from; at < to; at++) {
    at = findOutside(source, at, to, '?:', rules.lexical);
    if (at >= to) break;
    if (source[at] === '?' && '.?'.includes(source[at + 1] ?? '')) at++;
    else depth += source[at] === '?' ? 1 : -1;
    if (depth === 0)
      return [
        [from, at],
        [at + 1, to],
      ];
  }
  return [];
}

const MEMBER = /(?:["']?)([A-Za-z_$][\w$]*)["']?\s*(?::|(?=[,}]|$))/y;

/** The type of the object literal at `open`, by its members with known values: `{ cart: typeof …, total: typeof … }`. */
export function literalType(sink: FactSink, open: number): string {
  const { source, rules } = sink;
  if (source[open] !== '{') return '';
  const close = sink.closing(open, open + MAX_EXPRESSION_LENGTH * 2);
  const members: string[] = [];
  let length = 4;
  for (const { start, end } of splitList(source, open + 1, close - 1, ',', rules.lexical)) {
    const at = skipSpace(source, start, end, rules.lexical);
    MEMBER.lastIndex = at;
    const match = MEMBER.exec(source);
    if (match === null || match.index + match[0].length > end) continue;
    const from = at + match[0].length;
    const path = match[0].endsWith(':') ? sink.accessPath(from, end) : match[1];
    if (path === '' || path.includes('`')) continue;
    const member = `${match[1]}: typeof \`${path}\``;
    length += member.length + 2;
    if (length > MAX_TYPE_LENGTH) break;
    members.push(member);
  }
  return members.length === 0 ? '' : `{ ${members.join('; ')} }`;
}

/** A bracket, and the number of commas between it and an offset inside: the number of the argument or element. */
interface AroundOffset {
  open: number;
  index: number;
}

/** Finds brackets around offsets of one text. Remembers results, so that the text between is read once. */
class BracketFinder {
  private readonly found = new Map<number, AroundOffset | null>();
  private readonly starts = new Map<number, number>();

  constructor(
    private readonly text: string,
    private readonly quotes: string,
  ) {}

  /** Remembers a pair of brackets, so that looking back jumps over it. */
  pair(start: number, end: number): void {
    this.starts.set(end, start);
  }

  /** Remembers a bracket around an offset that the tree gives: it may be further away than the text is read back. */
  inside(at: number, open: number): void {
    this.found.set(at, { open, index: 0 });
  }

  /** The bracket around `at`. Null if there is none, or none nearby. */
  around(at: number): AroundOffset | null {
    let found = this.found.get(at);
    if (found === undefined) {
      found = this.lookBack(at);
      this.found.set(at, found);
    }
    return found;
  }

  private lookBack(at: number): AroundOffset | null {
    const { text, quotes } = this;
    let depth = 0;
    let index = 0;
    let from = at - 1;
    for (let steps = 0; steps < MAX_LOOK_BACK_LENGTH && from >= 0; steps++, from--) {
      if (isPlain(text.charCodeAt(from))) continue;
      const char = text[from];
      if (CLOSING.includes(char)) {
        const start = this.starts.get(from + 1);
        if (start === undefined) depth++;
        else from = start;
      } else if (OPENING.includes(char)) {
        if (depth === 0) return { open: from, index };
        depth--;
      } else if (char === ',' && depth === 0) {
        index++;
        // The element before has a known result already.
        const known = this.found.get(from);
        if (known !== undefined) return known === null ? null : { open: known.open, index: known.index + index };
      } else if (quotes.includes(char)) from = this.openingQuote(from);
    }
    return null;
  }

  /** The quote that opens the text which ends at `end`; `end` itself where none nearby does. */
  private openingQuote(end: number): number {
    const { text } = this;
    const open = end === 0 ? -1 : text.lastIndexOf(text[end], end - 1);
    const isNear = open >= end - MAX_LOOK_BACK_LENGTH;
    return isNear && (text[end] === '`' || !text.slice(open, end).includes('\n')) ? open : end;
  }
}
