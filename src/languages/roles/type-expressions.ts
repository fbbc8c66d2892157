/** Types as they are written, as far as their members can be looked up, the methods of containers that return their content, and types of arguments. */
import { wordSet } from '../language.js';
import type { FactSink } from './relations.js';
import { splitList } from './scan.js';

export type TypeExpression =
  /** Dotted name with arguments: `Cart`, `shop.Cart<Item>`. */
  | { is: 'named'; head: string; args: readonly TypeExpression[] }
  /** Collection, with the type of its elements or values: `Cart[]`, `[]Cart`, `map[K]V`, `[K: V]`. */
  | { is: 'list'; element: TypeExpression }
  /** Union `A | B`; with `together` the intersection `A & B`. */
  | { is: 'several'; parts: readonly TypeExpression[]; together?: true }
  /** Function type with its result and its parameters: `(id: string) => Cart`. */
  | { is: 'function'; result: TypeExpression; parameters: readonly TypeExpression[] }
  /** Type of a value, given as an access path: `typeof x`. */
  | { is: 'value'; chain: string }
  /** `[Cart, Item]` */
  | { is: 'tuple'; items: readonly TypeExpression[] }
  /** `{ cart: Cart }`; `index` is the type of all other members: `{ [id: string]: Cart }`. */
  | { is: 'object'; members: readonly (readonly [name: string, type: TypeExpression])[]; index?: TypeExpression }
  /**
   * `{ [K in keyof Cart]: Box<Cart[K]> }`: members of the type `of`, each with the type `value`. `key` is `K`. With other keys, as in `[K
   * in Key]`, members have the names of those of `of`, but are the type's own.
   */
  | { is: 'mapped'; of: TypeExpression; key: string; value: TypeExpression; hasOwnMembers?: true }
  /** `Cart['items']`, `Cart[K]` */
  | { is: 'member'; of: TypeExpression; index: TypeExpression }
  /** `A extends B<infer C> ? D : E`; `inferred` are names that `pattern` gives to parts of `check`. */
  | {
      is: 'conditional';
      check: TypeExpression;
      pattern: TypeExpression;
      inferred: readonly string[];
      parts: readonly [TypeExpression, TypeExpression];
      /** Type that `check`, a type parameter, stands for. Each part of a union is decided by itself. */
      over?: TypeExpression;
    }
  /** The text of a string or number. */
  | { is: 'literal'; text: string };

/** Reads a written type; null if it is none. */
export type ReadType = (text: string) => TypeExpression | null;

/** Type of which nothing is known. */
export const UNKNOWN_EXPRESSION: TypeExpression = { is: 'named', head: '', args: [] };

/** A type parameter: the type that arguments must have, and the default, as in `Cart = Basket`. */
interface TypeBound {
  bound: string;
  defaultType: string;
}

/** Text of the binding for a bound; '' if nothing is stated. */
export function joinBound({ bound, defaultType }: TypeBound): string {
  return defaultType === '' ? bound : `${bound} = ${defaultType}`.trim();
}

export function splitBound(text: string): TypeBound {
  if (!text.includes('= ')) return { bound: text, defaultType: '' };
  for (const { index, 0: equals } of text.matchAll(/(?:^|\s)= /g)) {
    // `Iterator<Item = Cart>` states no default.
    const before = text.slice(0, index);
    if (before.split('<').length > before.replaceAll('=>', '').replaceAll('->', '').split('>').length) continue;
    return { bound: before.trim(), defaultType: text.slice(index + equals.length) };
  }
  return { bound: text, defaultType: '' };
}

/** Methods that return the value that a wrapper holds, so that its members follow. */
export const HANDING_ON = wordSet(
  `unwrap expect unwrap_or unwrap_or_default unwrap_or_else as_ref as_mut borrow borrow_mut lock read write clone cloned copied
   to_owned as_deref as_deref_mut into_inner deref await get orElse orElseThrow orElseGet getOrElse getOrThrow getOrNull value
   Value Result result join block copy also apply let takeIf unwrapOrThrow ok iter freeze dup tap itself self`,
);
/** Methods of emitters, which types of a repository inherit from the library, that return the emitter. */
export const FLUENT_METHODS = wordSet('on once off addListener removeListener prependListener removeAllListeners');
/** Methods that pass the value that they are called on to their argument, a function. */
export const LENDING_METHODS = wordSet(
  'let also apply run takeIf takeUnless use with tap then yield_self ifEmpty orEmpty',
);
/** Methods of wrappers that pass the value they hold to their argument, a function. */
export const UNWRAPPING_METHODS = wordSet(
  `ifPresent ifPresentOrElse map flatMap filter thenApply thenAccept thenCompose thenRun subscribe doOnNext doOnSuccess ContinueWith
   and_then map_or or_else`,
);
/** Methods of collections that return one of their elements. */
export const ELEMENT_METHODS = wordSet(
  `at get find pop shift first last head next peek poll remove removeFirst removeLast removeLastOrNull firstOrNull lastOrNull
   single singleOrNull findLast elementAt getOrNull getOrDefault First FirstOrDefault Last LastOrDefault Single SingleOrDefault
   ElementAt Peek Pop Dequeue front back top begin get_mut first_mut last_mut sample min max pop_front pop_back popleft
   getFirst getLast setdefault dequeue element current firstWhere lastWhere singleWhere min_by max_by detect nth getOrPut
   getValue get_unchecked into_mut or_insert or_insert_with or_default shift_remove swap_remove pop_last pop_first last_key_value first_key_value computeIfAbsent GetOrAdd GetValueOrDefault maxBy minBy maxByOrNull minByOrNull MaxBy MinBy random`,
);
/** Methods of collections that return a collection of the same elements. */
export const SAME_METHODS = wordSet(
  `filter slice concat reverse sort toSorted toReversed values values_mut into_values iter iter_mut into_iter stream parallelStream toList toArray
   collect sorted distinct limit skip rev take skip_while take_while chain peekable drain asSequence asIterable list copy
   Where OrderBy OrderByDescending ToList ToArray Reverse Take Skip AsEnumerable all select reject sort_by reversed where
   filterNotNull shuffled splice Values entry and_modify lazy to_a each each_with_index toSet clone dup plus minus drop dropLast`,
);

/** Methods of collections that get elements. */
export const ADDING_METHODS = wordSet('push unshift add append insert offer enqueue includes indexOf fill');

/** Methods of collections that return a collection of something else. */
export const MAPPING_METHODS = wordSet(
  'map flatMap flat_map mapNotNull filter_map Select SelectMany groupBy GroupBy zip',
);

// Types of arguments, as far as their text tells them.

/** Forms of arguments that tell their types. `:` and `[]` stand for the type that the group captures. */
const ARGUMENT_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^[$@]{0,2}"(?:[^"\\]|\\.)*"(?:\s*\+[\s\S]*)?$/, '"'],
  [/^"""[\s\S]*"""$/, '"'],
  [/^'(?:[^'\\]|\\[\s\S]{1,5})'$/, "'"],
  [/^[-+]?(?:0[xXbB][\da-fA-F_]+|\d[\d_]*)$/, '0'],
  [/^[-+]?(?:0[xXbB][\da-fA-F_]+|\d[\d_]*)[lL]$/, '0L'],
  [/^[-+]?(?:\d[\d_]*\.?|\.\d)[\d_]*(?:[eE][-+]?\d+)?[fF]$/, '0f'],
  [/^[-+]?(?:\d[\d_]*\.?|\.\d)[\d_]*(?:[eE][-+]?\d+)?[dDmM]?$/, '0.'],
  [/^(?:true|false)$/, 'true'],
  [/^![\w$.]+(?:\(\))?$/, 'true'],
  [/^[\w$.\s()[\]+-]+(?:==|!=|<=|>=|&&|\|\|)[^"{}]*$/, 'true'],
  [/^(?:null|nil|nullptr)$/, 'null'],
  [/^(?:[\w$]+|\([\w$,\s<>[\]]*\))\s*[-=]>|^\{|^[\w$.<>[\]]+::\w+$/, '->'],
  [/^[\w$.]+(?:\[\])*\.class$|^\w+::class(?:\.java)?$|^typeof\s*\(/, 'class'],
  [/^new\s+([\w$.]+)(?:<[^()]*>)?\s*\([\s\S]*[)}]$/, ':'],
  [/^new\s+([\w$.]+)\s*\[[^\][]*\](?:\s*\{[\s\S]*\})?$/, '[]'],
  [/^\(\s*([\w$.]+(?:<[\w$.,\s?]*>)?(?:\[\])*)\s*\)\s*(?:[\w$.]+(?:\(\))?|"[^"\\]*")$/, ':'],
];

/** A name of the file, a call or an element of one; a member of a type. */
const NAMED = /^(?:this\.)?([A-Za-z_$][\w$]*(?:\(\)|\[[\w$\s+-]*\])?)$/;
const OF_TYPE = /^[A-Z][\w$]*\.[A-Za-z_$][\w$]*$/;

/** A list of arguments that is longer tells no types. */
const MAX_TYPED_LENGTH = 400;

/** Types of the arguments between the brackets at `open` and before `close`; undefined if none of them tells one. */
export function argumentTypes(open: number, close: number, { source, rules }: FactSink): string | undefined {
  const { overloads } = rules;
  if (overloads === undefined || close - open > MAX_TYPED_LENGTH) return undefined;
  const isLabelled = rules.parameters?.labels === true;
  let types = '';
  let isTold = false;
  for (const [i, { start, end }] of splitList(source, open + 1, close - 1, ',', rules.lexical).entries()) {
    const text = source.slice(start, end);
    const type = rules.parameters?.apart?.argument(text) ?? labelledType(text, overloads, isLabelled);
    isTold ||= type !== '';
    types += i === 0 ? type : `,${type}`;
  }
  return isTold ? types : undefined;
}

function labelledType(text: string, known: ReadonlyMap<string, string>, labels: boolean): string {
  if (!labels) return typeOfArgument(text, known);
  const label = /^(\w+)\s*:\s*/.exec(text);
  return `${label?.[1] ?? ''}:${typeOfArgument(text.slice(label?.[0].length ?? 0), known)}`;
}

/** Names and paths, which most arguments are: of the forms, none but words and classes are such. */
const PATH = /^[A-Za-z_$][\w$]*(?:\.[\w$]+)*(?:\(\))?$/;
const WORDS: ReadonlyMap<string, string> = new Map([
  ['true', 'true'],
  ['false', 'true'],
  ['null', 'null'],
  ['nil', 'null'],
  ['nullptr', 'null'],
]);

function typeOfArgument(text: string, known: ReadonlyMap<string, string>): string {
  if (!PATH.test(text)) return typeByForm(text, known);
  return text.endsWith('.class') ? 'class' : (WORDS.get(text) ?? typeOfNamed(text, known));
}

function typeByForm(text: string, known: ReadonlyMap<string, string>): string {
  for (const [form, type] of ARGUMENT_TYPES) {
    const match = form.exec(text);
    if (match === null) continue;
    if (type === ':') return isOneValue(text) ? match[1].replace(/<.*>|\s/g, '') : '';
    return type === '[]' ? `${match[1]}[]` : type;
  }
  return typeOfNamed(text, known);
}

function typeOfNamed(text: string, known: ReadonlyMap<string, string>): string {
  const name = NAMED.exec(text)?.[1];
  if (name !== undefined) return `=${name.replace(/\[.*\]$/, '[]')}`;
  const open = text.endsWith(')') ? openingOf(text) : text.length;
  const path = text.slice(0, open);
  return knownType(text, open, known) ?? (OF_TYPE.test(path) ? `.${path}${open < text.length ? '()' : ''}` : '');
}

/** Type of a member that every reader knows: `text.length() - 1`. */
function knownType(text: string, end: number, known: ReadonlyMap<string, string>): string | undefined {
  const value = text.replace(/\s*[-+*]\s*\d+$/, '');
  const open = value === text ? end : value.endsWith(')') ? openingOf(value) : value.length;
  const dot = value.lastIndexOf('.', open - 1);
  const name = value.slice(dot + 1, open);
  const root = value.slice(value.lastIndexOf('.', dot - 1) + 1, dot);
  const member = open < value.length ? `${name}()` : name;
  return known.get(`${root}.${member}`) ?? known.get(member);
}

/** Offset of the bracket that the last one closes; texts in quotes may have others, which makes it one that no name precedes. */
function openingOf(text: string): number {
  let depth = 0;
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] === ')') depth++;
    else if (text[at] === '(' && --depth === 0) return at;
  }
  return 0;
}

/** Does nothing follow the list of `new Cart(…)`? `new Cart().items()` is no cart. A cast has its value behind the brackets. */
function isOneValue(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if ('([{'.includes(text[at])) depth++;
    else if (')]}'.includes(text[at]) && --depth === 0)
      return text[0] === '(' || /^\s*(?:\{[\s\S]*)?$/.test(text.slice(at + 1));
  }
  return false;
}
