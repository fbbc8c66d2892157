/**
 * Resolves a name after a dot: members of instances and types, exports of modules, symbols in namespaces. Where types show
 * nothing, names alone may do. Also narrows values by the conditions around a use.
 */
import type { Narrowing, Segment } from '../../languages/roles/access-path.js';
import type { Reference } from '../../languages/roles/relation-facts.js';
import { HANDING_ON, LENDING_METHODS, splitBound, UNWRAPPING_METHODS } from '../../languages/roles/type-expressions.js';
import { fromParents, memberOf, ownValue } from './members.js';
import { exportedBy } from './modules.js';
import { findName } from './names.js';
import type { Context } from './symbol-table.js';
import { bind, inferred, PARAMETER, parseType } from './type-text.js';
import { boundValue, instanceOf, instanceOfAlias, typeValue } from './types.js';
import {
  type AbstractValue,
  type BoundType,
  CALLED,
  EXPECTED_KINDS,
  type ExpectedKinds,
  FUNCTIONS,
  mapValues,
  type NameResolution,
  PATH_ROOTS,
  partOutside,
  RESOLVED_OUTSIDE,
  SPACES,
  type SymbolRef,
  severalValues,
  TYPES,
  type TypeArguments,
  VALUES,
  valuesTogether,
  wholeScope,
} from './values.js';

/** Looks up a member of a value; null if none is known. `expected` is null inside an access path, where any kind is possible. */
export function lookup(
  ctx: Context,
  file: number,
  value: AbstractValue,
  name: string,
  expected: ExpectedKinds | null,
): NameResolution | null {
  if (!ctx.enter()) return null;
  try {
    return (MEMBER_OF[value.is] as MemberOf<AbstractValue['is']>)(ctx, file, value, name, expected);
  } finally {
    ctx.leave();
  }
}

type MemberOf<Kind extends AbstractValue['is']> = (
  ctx: Context,
  file: number,
  value: AbstractValue & { is: Kind },
  name: string,
  expected: ExpectedKinds | null,
) => NameResolution | null;

const outside = (): NameResolution => RESOLVED_OUTSIDE;

/** Looks up a member by what a value is. */
const MEMBER_OF: { readonly [Kind in AbstractValue['is']]: MemberOf<Kind> } = {
  external: (_ctx, _file, value) => ({ value: partOutside(value), tier: 'external' }),
  list: outside,
  tuple: outside,
  parameters: outside,
  function: outside,
  shape: (ctx, _, value, name) => inShape(ctx, value, name),
  mapped: inMapped,
  part: (ctx, file, { names, only, of }, name, expected) =>
    names.has(name) === only ? lookup(ctx, file, of, name, expected) : null,
  several: (ctx, file, { values }, name, expected) => inSeveral(ctx, file, values, name, expected),
  files: (ctx, _, { files }, name, expected) => inFiles(ctx, files, name, expected),
  parents: (ctx, _, value, name, expected) => fromParents(ctx, value, name, expected),
  instance: (ctx, _, value, name, expected) => {
    if (value.wrapped) return UNWRAPPING.has(name) ? null : RESOLVED_OUTSIDE;
    return value.own ? ownValue(ctx, value, name) : memberOf(ctx, value, name, expected, value.args);
  },
  symbol: ofSymbol,
};

/** Methods that a wrapper has and that give what it holds, or lend it to a function. */
const UNWRAPPING: ReadonlySet<string> = new Set([...HANDING_ON, ...LENDING_METHODS, ...UNWRAPPING_METHODS]);

function inSeveral(
  ctx: Context,
  file: number,
  values: readonly AbstractValue[],
  name: string,
  expected: ExpectedKinds | null,
): NameResolution | null {
  let outside: NameResolution | null = null;
  let indexed: NameResolution | null = null;
  for (const value of values) {
    const found = lookup(ctx, file, value, name, expected);
    if (found === null || found.value === null) continue;
    // A type with an index has any member, so a declared member of that name is better.
    if (value.is === 'shape' && value.index !== undefined && found.value.is !== 'symbol') indexed ??= found;
    else if (found.value.is !== 'external') return found;
    // A list has methods of the language, so another part may still have the member.
    else if (value.is !== 'list') outside ??= found;
  }
  return indexed ?? outside;
}

/** Member of an object type. It is a symbol if the type has a name: `type Cart = { … }`. */
function inShape(ctx: Context, value: AbstractValue & { is: 'shape' }, name: string): NameResolution | null {
  const { file, scope, members, index } = value;
  const isInAlias = instanceOfAlias(ctx, value) !== null;
  // The facts leave the members of long types out.
  if (members.length === 0 && index === undefined && isInAlias)
    return memberOf(ctx, { file, symbol: scope }, name, null);
  const type = members.find(([member]) => member === name)?.[1] ?? index;
  if (type === undefined) return null;
  const symbol = isInAlias ? ctx.symbols.childNamed(file, scope, name) : -1;
  if (symbol >= 0) return { value: { is: 'symbol', file, symbol, held: { file, scope, type } }, tier: 'receiver' };
  return { value: boundValue(ctx, file, scope, type), tier: 'receiver' };
}

/** Member of a mapped type: the member of the type that is mapped, with the mapped value. */
function inMapped(
  ctx: Context,
  file: number,
  value: AbstractValue & { is: 'mapped' },
  name: string,
  expected: ExpectedKinds | null,
): NameResolution | null {
  const found = lookup(ctx, file, value.of, name, expected);
  if (found === null || found.value?.is !== 'symbol') return found;
  const { key, value: type, file: from, scope } = value;
  const isSame = type.is === 'member' && type.index.is === 'named' && type.index.head === key;
  if (isSame) return found;
  const args = { file: from, scope, list: [{ is: 'literal' as const, text: name }], names: [key] };
  const held = { file: from, scope, type: bind(type, args) };
  if (value.hasOwnMembers) return { value: boundValue(ctx, from, scope, held.type), tier: found.tier };
  return { ...found, value: { ...found.value, held } };
}

function inFiles(
  ctx: Context,
  files: readonly number[],
  name: string,
  expected: ExpectedKinds | null,
): NameResolution | null {
  for (const file of files) {
    const found = exportedBy(ctx, file, name, expected);
    if (found !== null) return found;
  }
  for (const file of files) {
    const modules = ctx.symbols.submodule(file, name);
    if (modules.length > 0) return { value: { is: 'files', files: modules }, tier: 'imported' };
  }
  return null;
}

/** `Cart.this` is the object around, `Cart.super` its parents, and `Rule.super` the interface that an object inherits from. */
function outerValue(ctx: Context, { file, symbol }: SymbolRef, name: string): AbstractValue {
  const isOwn = name === 'this' || ctx.symbols.symbol(file, symbol).kind === 'interface';
  return { is: isOwn ? 'instance' : 'parents', file, symbol };
}

function ofSymbol(
  ctx: Context,
  file: number,
  value: AbstractValue & { is: 'symbol' },
  name: string,
  expected: ExpectedKinds | null,
): NameResolution | null {
  const { kind } = ctx.symbols.symbol(value.file, value.symbol);
  const aliased = kind === 'type' ? instanceOf(ctx, value) : null;
  if (aliased !== null && !isInstanceOf(aliased, value)) return lookup(ctx, file, aliased, name, expected);
  if (name === 'prototype') return { value, tier: 'receiver' };
  if (TYPES.has(kind) || SPACES.has(kind)) return ofSpace(ctx, value, name, expected);
  const own = memberOf(ctx, value, name, expected);
  if (own !== null) return own;
  const held = FUNCTIONS.has(kind) ? ctx.ask.resultOf(ctx, value) : ctx.ask.settled(ctx, value);
  return held === null || held === value ? null : lookup(ctx, file, held, name, expected);
}

const isInstanceOf = (value: AbstractValue, { file, symbol }: SymbolRef): boolean =>
  value.is === 'instance' && value.file === file && value.symbol === symbol;

/** A member of a type or a module by the name of that. */
function ofSpace(
  ctx: Context,
  value: AbstractValue & { is: 'symbol' },
  name: string,
  expected: ExpectedKinds | null,
): NameResolution | null {
  if (name === 'this' || name === 'super') return { value: outerValue(ctx, value, name), tier: 'receiver' };
  const member = memberOf(ctx, value, name, expected, value.args);
  if (member !== null || ctx.symbols.semantics(value.file).paths !== '::') return member;
  // `mod parts { pub use crate::cart::Cart; }`
  const isModule = ctx.symbols.symbol(value.file, value.symbol).kind === 'module';
  return isModule ? exportedBy(ctx, value.file, name, expected) : null;
}

// Members by names alone, where types show nothing. All are of tier `unique`.

/** The member that a use with an unknown receiver means, judged by names; null if they do not show it. */
export function byNames(ctx: Context, reference: Reference): NameResolution | null {
  const { implicitMembers, namesTell } = ctx.symbols.semantics(ctx.file);
  if (namesTell) return ofNamedType(ctx, reference);
  return implicitMembers && reference.receiver === '?' ? implicitMember(ctx, reference.name) : null;
}

/** Maximum number of types of one name that are looked at. */
const MAX_TYPES = 20;

/** `book.fetch(code)`: by convention a `book` is a `Book`, if there is one type of that name and it has the member. */
export function ofNamedType(ctx: Context, reference: Reference): NameResolution | null {
  const type = typeNameOf(reference.receiver);
  // Most names of unresolved calls are defined nowhere here.
  if (type === '' || ctx.symbols.definitions(reference.name).length === 0) return null;
  const found = ofTypeNamed(ctx, reference, type, 'unique');
  if (found !== null || ctx.symbols.definitions(type).length > 0) return found;
  for (const other of otherTypeNames(type)) {
    const likely = ofTypeNamed(ctx, reference, other, 'likely');
    if (likely !== null) return likely;
  }
  return null;
}

/** Words that are written short in names of values. */
const SHORT: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    Doc: ['Document'],
    Req: ['Request'],
    Res: ['Response', 'Result'],
    Resp: ['Response'],
    Ctx: ['Context'],
    Conf: ['Config', 'Configuration'],
    Conn: ['Connection'],
    Msg: ['Message'],
    Cfg: ['Config', 'Configuration'],
    Config: ['Configuration'],
    Addr: ['Address'],
    Elem: ['Element'],
    El: ['Element'],
    Attr: ['Attribute'],
    Sec: ['Section'],
    Para: ['Paragraph'],
    Tz: ['Timezone'],
    Org: ['Organization', 'Organisation'],
    Repo: ['Repository'],
    Msgs: ['Messages'],
    Ex: ['Exception'],
    Err: ['Error'],
    Exp: ['Expression'],
    Expr: ['Expression'],
    Param: ['Parameter'],
    Arg: ['Argument'],
    Obj: ['Object'],
    Char: ['Character'],
    Cat: ['Category'],
  }),
);
/** Minimum length of the last word of a name that tells a type. */
const MIN_WORD = 4;

/** Further types that a value of a name like one is of: `Document` for `doc`, `User` for `current_user`, `AbstractNode` for `node`. */
function otherTypeNames(type: string): string[] {
  const last = /[A-Z][a-z\d]+$/.exec(type)?.[0] ?? type;
  const ofLast = last === type || last.length < MIN_WORD ? [] : [last];
  return [...(SHORT.get(last) ?? []), ...ofLast, `Abstract${type}`, `Base${type}`, `${type}Base`];
}

/** The member of the one type of a name that has it. */
function ofTypeNamed(
  ctx: Context,
  { kind, name }: Reference,
  type: string,
  tier: 'unique' | 'likely',
): NameResolution | null {
  const { nodes } = ctx.symbols.snapshot;
  const named = ctx.symbols.definitions(type);
  if (named.length > MAX_TYPES) return null;
  const resolved = new Map<string, NameResolution>();
  for (const node of named) {
    const file = nodes.fileOf(node);
    if (!TYPES.has(nodes.kind(node)) || !ctx.symbols.sameFamily(file, ctx.file)) continue;
    ctx.recorder.note(file, type);
    const value = { is: 'instance', file, symbol: nodes.symbolOf(node) } as const;
    const found = lookup(ctx, ctx.file, value, name, EXPECTED_KINDS[kind])?.value;
    if (found?.is !== 'symbol') continue;
    const { kind: member } = ctx.symbols.symbol(found.file, found.symbol);
    if (FUNCTIONS.has(member) || VALUES.has(member))
      resolved.set(`${found.file} ${found.symbol}`, { value: found, tier });
  }
  return resolved.size === 1 ? [...resolved.values()][0] : null;
}

/** Name of the type after which a receiver is called: `LineItem` for `order.line_item`, `@line_items[]` and `line_item()`; else ''. */
export function typeNameOf(receiver: string): string {
  const match = /(?:^|\.)([a-z]\w*)((?:\(\)|\[\])*)$/.exec(receiver);
  if (match === null || match[1] === 'this') return '';
  const [, name, marks] = match;
  const single = marks.endsWith('[]') ? name.replace(/ies$/, 'y').replace(/([^s])s$/, '$1') : name;
  return single.replace(/(?:^|_)([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
}

/** The enumeration case that `.name` means in an unknown context: the only definition of that name. */
function implicitMember(ctx: Context, name: string): NameResolution | null {
  const { nodes } = ctx.symbols.snapshot;
  if (CASES_OF_OTHERS.has(name)) return null;
  const all = [...ctx.symbols.definitions(name)].filter((node) => ctx.symbols.sameFamily(nodes.fileOf(node), ctx.file));
  if (all.length !== 1 || nodes.kind(all[0]) !== 'enum-member') return null;
  const file = nodes.fileOf(all[0]);
  ctx.recorder.note(file, name);
  return { value: { is: 'symbol', file, symbol: nodes.symbolOf(all[0]) }, tier: 'unique' };
}

/** Cases of the standard library's own enumerations. */
const CASES_OF_OTHERS: ReadonlySet<string> = new Set(['none', 'some', 'success', 'failure', 'default']);

/** A member that an extension adds to a type from outside, the only one of that name: `extension Array { var titles }`. */
export function ofOutsideType(ctx: Context, name: string): NameResolution | null {
  if (!ctx.symbols.semantics(ctx.file).implicitMembers) return null;
  const { nodes } = ctx.symbols.snapshot;
  const found: SymbolRef[] = [];
  for (const node of ctx.symbols.definitions(name).subarray(0, MAX_EXTENSIONS)) {
    const file = nodes.fileOf(node);
    const container = nodes.container[node];
    if (!ctx.symbols.sameFamily(file, ctx.file) || container < 0 || nodes.kind(container) !== 'impl') continue;
    ctx.recorder.note(file, name);
    const whole = findName(ctx, wholeScope(file, -1, EXPECTED_KINDS.type), nodes.nameOf(container));
    if (whole?.value?.is !== 'symbol') found.push({ file, symbol: nodes.symbolOf(node) });
  }
  return found.length === 1 ? { value: { is: 'symbol', ...found[0] }, tier: 'unique' } : null;
}

/** Maximum number of definitions of one name that are looked at. */
const MAX_EXTENSIONS = 100;

// Narrowing: what conditions around a use show of a value.

export function narrowed(
  ctx: Context,
  file: number,
  value: AbstractValue | null,
  narrowing: Narrowing,
): AbstractValue | null {
  if ('wanted' in narrowing) return value === null ? null : forResult(ctx, file, value, narrowing.wanted);
  const settled = ctx.ask.settled(ctx, value);
  if ('guard' in narrowing) return guarded(ctx, file, settled, narrowing.guard) ?? settled;
  return settled === null ? null : among(ctx, file, settled, narrowing);
}

/** The parts of a union whose property can have one of the values; with `isLeftOut`, a value that is not among them. */
function among(ctx: Context, file: number, value: AbstractValue, condition: PropertyNarrowing): AbstractValue | null {
  if (value.is !== 'several' || value.together) return value;
  let isTelling = false;
  const retained = value.values.filter((part) => {
    const holds = mayHold(valuesOf(ctx, file, part, condition.key), condition);
    // The parts are told apart only if one of them has what the condition names.
    isTelling ||= holds !== null && holds !== condition.isLeftOut;
    return holds ?? true;
  });
  return isTelling && retained.length > 0 && !ctx.exhausted ? severalValues(retained) : value;
}

type PropertyNarrowing = Extract<Narrowing, { key: string }>;

/**
 * Can a condition be true of a property with these values? Null if they are unknown. In `among`, `*` stands for any value, and `!` for all
 * that count as true.
 */
function mayHold(
  values: readonly string[] | null,
  { among: texts, isLeftOut }: Pick<PropertyNarrowing, 'among' | 'isLeftOut'>,
): boolean | null {
  if (texts[0] === '*') return (values === null || values.length > 0) !== isLeftOut;
  if (values === null) return null;
  const isAmong = (text: string) => (texts[0] === '!' ? !FALSY.has(text) : texts.includes(text));
  return values.length === 0 ? isLeftOut : values.some((text) => isAmong(text) !== isLeftOut);
}

/** Values that count as false. */
const FALSY: ReadonlySet<string> = new Set(['false', 'null', 'undefined']);

/** Values that a property can have: none if there is no such property, null if they are unknown. */
function valuesOf(ctx: Context, file: number, part: AbstractValue, key: string): readonly string[] | null {
  const name = part.is === 'instance' && part.args === undefined ? `${part.file} ${part.symbol} ${key}` : '';
  const known = name === '' ? undefined : ctx.memberValues.get(name);
  if (known !== undefined) return known;
  const type = typeOfMember(ctx, file, part, key);
  const values = type === null ? [] : textsOf(type);
  if (name !== '' && !ctx.exhausted) ctx.memberValues.set(name, values);
  return values;
}

/** Written type of a member; null if there is none. */
function typeOfMember(ctx: Context, file: number, value: AbstractValue, key: string): BoundType | null {
  if (value.is === 'shape') {
    const own = value.members.find(([name]) => name === key)?.[1];
    if (own !== undefined) return own;
  }
  const member = lookup(ctx, file, value, key, null)?.value;
  if (member?.is !== 'symbol') return null;
  if (member.held !== undefined && textsOf(member.held.type) !== null) return member.held.type;
  const { container } = ctx.symbols.symbol(member.file, member.symbol);
  const declared = ctx.symbols.bindingsNamed(member.file, key).find(({ scope }) => scope === container);
  return parseType(declared?.type ?? '', ctx.symbols.readType(member.file)) ?? { is: 'named', head: '', args: [] };
}

/** Values of a type of literals; cases of an enumeration count by their names. Null for other types. */
function textsOf(type: BoundType): string[] | null {
  switch (type.is) {
    case 'elsewhere':
      return textsOf(type.type);
    case 'literal':
      return [type.text];
    case 'value':
      return [type.chain.slice(type.chain.lastIndexOf('.') + 1)];
    case 'named':
      if (WORDS.has(type.head)) return [type.head];
      // `error?: never` has no value.
      if (type.head === 'never') return ['undefined'];
      if (type.head === 'boolean') return ['true', 'false'];
      return type.head.includes('.') ? [type.head.slice(type.head.lastIndexOf('.') + 1)] : null;
    case 'several': {
      const all = type.parts.map(textsOf);
      return all.includes(null) ? null : all.flatMap((texts) => texts ?? []);
    }
    default:
      return null;
  }
}

/** Types with one value. */
const WORDS: ReadonlySet<string> = new Set(['true', 'false', 'null', 'undefined']);

/** `cart is Basket` */
const GUARD = /^(?:asserts\s+)?[\w$]+\s+is\s+(.+)$/s;

/** Narrows a value by a test: `isBasket(cart)`, `cart.isBasket()`, `cart instanceof Basket`. Null if the test shows nothing. */
function guarded(ctx: Context, file: number, value: AbstractValue | null, test: string): AbstractValue | null {
  const name = test.replace(/^[#:]/, '');
  if (test[0] === ':') {
    const type = ctx.ask.findPath(ctx, wholeScope(file, -1, EXPECTED_KINDS.type), [name])?.value ?? null;
    const made = type?.is === 'symbol' ? instanceOf(ctx, type) : null;
    return made?.is === 'external' ? null : made;
  }
  if (test[0] !== '#')
    return saidYes(ctx, ctx.ask.findPath(ctx, wholeScope(file, -1, EXPECTED_KINDS.call), [name])?.value);
  if (value?.is !== 'several')
    return value === null ? null : saidYes(ctx, lookup(ctx, file, value, name, CALLED)?.value);
  // Each part of a union has a method of its own.
  return mapValues(value, (one) => saidYes(ctx, lookup(ctx, file, one, name, CALLED)?.value));
}

/** The type that a guard asserts: `Basket` for `isBasket(cart): cart is Basket`. Null for other functions. */
function saidYes(ctx: Context, found: AbstractValue | null | undefined): AbstractValue | null {
  if (found?.is !== 'symbol' || !FUNCTIONS.has(ctx.symbols.symbol(found.file, found.symbol).kind)) return null;
  const type = GUARD.exec(ctx.symbols.result(found.file, found.symbol)?.type ?? '')?.[1];
  const asserted = type === undefined ? null : typeValue(ctx, found.file, found.symbol, type);
  return asserted?.is === 'external' ? null : asserted;
}

/** Binds a generic function by the type its result is assigned to: in `const open: Maker<Cart> = make(…)`, it makes carts. */
function forResult(ctx: Context, file: number, value: AbstractValue, name: string): AbstractValue | null {
  if (value.is !== 'symbol' || value.args !== undefined) return value;
  if (VALUES.has(ctx.symbols.symbol(value.file, value.symbol).kind)) return heldForResult(ctx, file, value, name);
  const parameters = ctx.symbols.typeParameters(value.file, value.symbol);
  if (parameters.length === 0) return value;
  const target = ctx.ask.accessPathValue(ctx, wholeScope(file, -1), name);
  const type = parseType(ctx.symbols.result(value.file, value.symbol)?.type ?? '', ctx.symbols.readType(value.file));
  if (target === null || type === null) return value;
  const scope = value.symbol;
  const names = parameters.map((parameter) => parameter.name.slice(1, -1));
  const args = inferred(ctx, { file: value.file, scope, names }, [[type, target]]);
  return args === undefined ? value : { ...value, args: withDefaults(ctx, value.file, scope, args) };
}

/** As `forResult`, for a value whose type is a function type. */
function heldForResult(ctx: Context, file: number, value: AbstractValue, name: string): AbstractValue {
  const held = ctx.ask.settled(ctx, value);
  if (held?.is !== 'function') return value;
  const names = [...new Set(parametersIn(held.result, 0))];
  const target = names.length === 0 ? null : ctx.ask.accessPathValue(ctx, wholeScope(file, -1), name);
  if (target === null) return value;
  const args = inferred(ctx, { file: held.file, scope: held.scope, names }, [[held.result, target]]);
  if (args === undefined) return value;
  const parameters = held.parameters.map((part) => bind(part, args));
  return { ...held, result: bind(held.result, args), parameters };
}

/** Maximum depth to which types in types are searched. */
const MAX_DEPTH = 4;

/** Names in a type that look like type parameters. */
function parametersIn(type: BoundType, depth: number): string[] {
  if (depth > MAX_DEPTH) return [];
  const all = (parts: readonly BoundType[]): string[] => parts.flatMap((part) => parametersIn(part, depth + 1));
  switch (type.is) {
    case 'named':
      return type.args.length > 0 ? all(type.args) : PARAMETER.test(type.head) ? [type.head] : [];
    case 'list':
      return parametersIn(type.element, depth + 1);
    case 'tuple':
      return all(type.items);
    case 'several':
      return all(type.parts);
    case 'function':
      return all([type.result, ...type.parameters]);
    default:
      return [];
  }
}

/** Adds the defaults of the other type parameters. */
function withDefaults(ctx: Context, file: number, symbol: number, args: TypeArguments): TypeArguments {
  const list = [...args.list];
  const names = [...(args.names ?? [])];
  for (const { name, type } of ctx.symbols.typeParameters(file, symbol)) {
    const own = name.slice(1, -1);
    const defaultType = names.includes(own)
      ? null
      : parseType(splitBound(type).defaultType, ctx.symbols.readType(file));
    if (defaultType === null) continue;
    list.push({
      is: 'elsewhere',
      file,
      scope: symbol,
      type: bind(defaultType, { ...args, list: [...list], names: [...names] }),
    });
    names.push(own);
  }
  return { ...args, list, names };
}

// Modules and packages that a use names by their whole path

/** Value of the first names of a path, and how many names it covers. */
export type Root = readonly [value: AbstractValue | null, names: number];

/** Keywords that a Rust path can begin with. */
export const MODULE_ROOTS: ReadonlySet<string> = new Set(['crate', 'self', 'super']);
/** Maximum number of names in a module or package path, above that of real code. */
export const MAX_PATH_NAMES = 12;

/** Resolves modules and packages named at the use, without an import: `super::total`, `com.shop.Cart.of`, `\Shop\slug`. */
export function byPath(ctx: Context, file: number, symbol: number, segments: readonly Segment[]): Root | null {
  const { paths } = ctx.symbols.semantics(file);
  if (paths === '') return null;
  const called = segments.findIndex(({ marks }) => marks.length > 0);
  const most = Math.min(called < 0 ? segments.length : called + 1, MAX_PATH_NAMES);
  for (let count = most; count > 0; count--) {
    const path = segments.slice(0, count).map(({ name }) => name);
    const files = ctx.symbols.filesOfPath(file, symbol, path.join(paths));
    if (files.length === 0) continue;
    const value: AbstractValue = { is: 'files', files };
    const type = typeIn(ctx, file, files, path);
    const module = type === null ? moduleIn(ctx, files, path) : null;
    // A module in the text of a file has the shorter path of that file.
    if (type === null && module === null && paths === '::' && count > 1) {
      const [outer] = ctx.symbols.filesOfPath(file, symbol, path.slice(0, -1).join(paths));
      if (outer === files[0]) continue;
    }
    return [type ?? valuesTogether([module, value]), count];
  }
  return null;
}

/** Module in the text of a file that a path ends with: `self::matching` of `mod matching { … }`. */
function moduleIn(ctx: Context, files: readonly number[], path: readonly string[]): AbstractValue | null {
  const name = path[path.length - 1];
  if (files.length !== 1 || MODULE_ROOTS.has(name)) return null;
  const [file] = files;
  const written = ctx.symbols
    .symbolsNamed(file, name)
    .filter((symbol) => ctx.symbols.symbol(file, symbol).kind === 'module');
  return written.length === 1 ? { is: 'symbol', file, symbol: written[0] } : null;
}

/** Type that a path ends with, as in `com.shop.Cart`; null if it ends with a package. */
export function typeIn(
  ctx: Context,
  file: number,
  files: readonly number[],
  path: readonly string[],
): AbstractValue | null {
  if (path.length < 2) return null;
  const found = lookup(ctx, file, { is: 'files', files }, path[path.length - 1], PATH_ROOTS)?.value ?? null;
  return found?.is === 'symbol' && TYPES.has(ctx.symbols.symbol(found.file, found.symbol).kind) ? found : null;
}
