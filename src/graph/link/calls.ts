/**
 * Evaluates calls: results of functions, instances of types, parameters by their declared types, and what a call hands to
 * its callback (`items.map { … }`), and functions that are called by a name which the program puts together.
 */
import type { GivenMark } from '../../languages/roles/access-path.js';
import type { Reference } from '../../languages/roles/relation-facts.js';
import { LENDING_METHODS, UNWRAPPING_METHODS } from '../../languages/roles/type-expressions.js';
import { lookup } from './lookup.js';
import { memberOf } from './members.js';
import { bindingValue, enclosingType } from './scopes.js';
import { RESULT } from './symbol-index.js';
import type { Context } from './symbol-table.js';
import { mainPart, parentsOf } from './type-parts.js';
import { argumentsByName, bind } from './type-text.js';
import { boundValue, instanceOf, instanceOfAlias, statedValue, typeParameterOf, typeValue } from './types.js';
import {
  type AbstractValue,
  BY_PART,
  CALLED,
  EXPECTED_KINDS,
  EXTERNAL,
  FUNCTIONS,
  instanceAround,
  keyOf,
  mapValues,
  type NameResolution,
  ROOTS,
  type SymbolRef,
  severalValues,
  TYPES,
  type TypeArguments,
  VALUES,
  wholeScope,
} from './values.js';

/** Result of calling a value. */
export function called(ctx: Context, value: AbstractValue): AbstractValue | null {
  if (value.is === 'several') return mapValues(value, (one) => called(ctx, one));
  if (value.is === 'files') return calledModule(ctx, value);
  // `cart.till` of Ruby is a call of the reader.
  if (value.is !== 'symbol' && ctx.symbols.semantics(ctx.file).readers) return value;
  if (value.is === 'function') return boundValue(ctx, value.file, value.scope, value.result);
  const instance = instanceOfAlias(ctx, value) ?? value;
  if (instance.is === 'instance') return calledInstance(ctx, instance);
  return value.is === 'symbol' ? calledSymbol(ctx, value) : null;
}

function calledSymbol(ctx: Context, value: AbstractValue & { is: 'symbol' }): AbstractValue | null {
  const stated = statedValue(ctx, value);
  if (stated !== null) return called(ctx, stated);
  const { file, symbol, args } = value;
  const { kind, container } = ctx.symbols.symbol(file, symbol);
  if (kind === 'type') return instanceOf(ctx, value);
  if (TYPES.has(kind)) return { is: 'instance', file, symbol, args };
  if (kind === 'constructor' || kind === 'enum-member') return instanceAround(file, container);
  if (FUNCTIONS.has(kind)) return resultOf(ctx, value) ?? madeBy(ctx, value);
  const held = withCallArguments(ctx.ask.settled(ctx, value), args);
  return held === null || held === value || !ctx.enter() ? null : leaveWith(ctx, called(ctx, held));
}

function leaveWith(ctx: Context, value: AbstractValue | null): AbstractValue | null {
  ctx.leave();
  return value;
}

/** Result of calling a module whose whole export is a function (`module.exports = function`). */
function calledModule(ctx: Context, value: AbstractValue & { is: 'files' }): AbstractValue | null {
  const found = lookup(ctx, ctx.file, value, '=', null);
  if (found?.value?.is === 'symbol') return called(ctx, found.value);
  const [file] = value.files;
  // The result of a function without a name.
  const result = ['=()', 'default()'].flatMap((name) => ctx.symbols.bindingsNamed(file, name))[0];
  return value.files.length === 1 && result !== undefined
    ? bindingValue(ctx, file, result, Number.POSITIVE_INFINITY)
    : null;
}

/** Result types that mean the type on which the method is called, not the one that defines it. */
const LATE: ReadonlySet<string> = new Set(['this', 'static', 'Self', '$this']);

/** Result of a function: by its declared type, its return values, or else another overload. */
export function resultOf(ctx: Context, value: AbstractValue): AbstractValue | null {
  if (value.is !== 'symbol') return null;
  const own = ownResult(ctx, value);
  if (own !== null && own.is !== 'external') return own;
  const { kind, container, name } = ctx.symbols.symbol(value.file, value.symbol);
  for (const symbol of ctx.symbols.symbolsNamed(value.file, name).slice(0, MAX_CALLED)) {
    const other = ctx.symbols.symbol(value.file, symbol);
    if (symbol === value.symbol || other.container !== container || other.kind !== kind) continue;
    const found = ownResult(ctx, { ...value, symbol });
    if (found !== null && found.is !== 'external') return found;
  }
  return own;
}

/** Maximum number of overloads that are tried. More of them are generated code. */
const MAX_CALLED = 50;

function ownResult(ctx: Context, value: AbstractValue & { is: 'symbol' }): AbstractValue | null {
  const { file, symbol, via, args } = value;
  const result = ctx.symbols.result(file, symbol);
  if (result === undefined) return null;
  if (via !== undefined && LATE.has(result.type === '' ? result.value : result.type)) return { is: 'instance', ...via };
  const found = bindingValue(ctx, file, result, Number.POSITIVE_INFINITY, args);
  // `with open_cart() as cart` gives what the function yields.
  return ctx.symbols.isDecorated(file, symbol, 'contextMakers') ? (elementOf(ctx, found) ?? found) : found;
}

/** Instance made by a constructor method such as `Cart.new()`. */
function madeBy(ctx: Context, value: AbstractValue): AbstractValue | null {
  if (value.is !== 'symbol') return null;
  const { name, container } = ctx.symbols.symbol(value.file, value.symbol);
  return ctx.symbols.semantics(value.file).constructorNames.has(name) ? instanceAround(value.file, container) : null;
}

// Parameters.

/**
 * Value of a function's parameter `index` by its declared type. A list that is the bound of a type parameter does not count:
 * in `open<T extends Cart[]>(...carts: T)`, each call has a type of its own.
 */
export function parameterOf(ctx: Context, value: AbstractValue, index: number): AbstractValue | null {
  if (value.is === 'function') return parameterOfType(ctx, value, index);
  if (value.is === 'several') return mapValues(value, (one) => parameterOf(ctx, one, index));
  const other = statedValue(ctx, value) ?? instanceOfAlias(ctx, value);
  if (other !== null) return parameterOf(ctx, other, index);
  if ((value.is !== 'symbol' && value.is !== 'instance') || !ctx.enter()) return null;
  const { file, symbol } = value;
  const args = value.is === 'instance' ? argumentsByName(ctx, value, value.args) : value.args;
  const { kind } = ctx.symbols.symbol(file, symbol);
  try {
    // A variant has the types of what it holds as parameters.
    if (FUNCTIONS.has(kind) || kind === 'enum-member' || value.is === 'instance')
      return parameterOfSignatures(ctx, { file, symbol }, index, args);
    const held = TYPES.has(kind)
      ? (memberOf(ctx, value, 'constructor', EXPECTED_KINDS.call)?.value ?? null)
      : withCallArguments(ctx.ask.settled(ctx, value), value.args);
    return held === null || held === value ? null : parameterOf(ctx, held, index);
  } finally {
    ctx.leave();
  }
}

function parameterOfSignatures(
  ctx: Context,
  { file, symbol }: SymbolRef,
  index: number,
  args: TypeArguments | undefined,
): AbstractValue | null {
  const values = overloadsOf(ctx, { file, symbol }).flatMap((one) =>
    ctx.symbols.ofSignatures(file, one, `(${index})`).map((binding) => {
      const held = bindingValue(ctx, file, binding, Number.POSITIVE_INFINITY, args);
      return held?.is === 'list' && typeParameterOf(ctx, file, one, binding.type) !== null ? null : held;
    }),
  );
  return severalValues(values);
}

/** Parameter of a function type. The last one can stand for many: `(...args: Parameters<typeof open>) => Cart`. */
function parameterOfType(
  ctx: Context,
  { file, scope, parameters }: AbstractValue & { is: 'function' },
  index: number,
): AbstractValue | null {
  const last = parameters.length - 1;
  if (last < 0) return null;
  const value = boundValue(ctx, file, scope, parameters[Math.min(index, last)]);
  if (index >= last && value?.is === 'parameters') return elementOf(ctx, value, index - last);
  return index > last ? null : value;
}

/** Maximum number of overloads that are looked at. */
const MAX_OVERLOADS = 20;

/** The function and its overloads, in languages where each has a symbol of its own. */
function overloadsOf(ctx: Context, { file, symbol }: SymbolRef): readonly number[] {
  const { name, container, kind } = ctx.symbols.symbol(file, symbol);
  const named = ctx.symbols.symbolsNamed(file, name);
  if (named.length < 2 || ctx.symbols.readType(file) === undefined) return [symbol];
  const others = named.slice(0, MAX_OVERLOADS).filter((other) => {
    const { container: outer, kind: own } = ctx.symbols.symbol(file, other);
    return other !== symbol && outer === container && own === kind;
  });
  return [symbol, ...others];
}

/** Binds the first type parameter of `get<T>(type: Type<T>): T` to the class or type of a call: `get(Cart)`, `get<Cart>()`. */
export function withClass(ctx: Context, file: number, value: AbstractValue, given: string): AbstractValue {
  const isTyped = given[0] === '<';
  if (value.is === 'several' && isTyped) return mapValues(value, (one) => withClass(ctx, file, one, given)) ?? value;
  if (value.is !== 'symbol' && !(value.is === 'instance' && value.args === undefined && isTyped)) return value;
  const parameter =
    value.is === 'symbol' ? ctx.symbols.typeParameters(value.file, value.symbol)[0]?.name.slice(1, -1) : undefined;
  const isTypedValue = isTyped && (value.is === 'instance' || isValueOf(ctx, value));
  if (!isTypedValue && (parameter === undefined || !(isTyped || takesType(ctx, value, parameter)))) return value;
  const named = { is: 'named' as const, head: given.replace(/[<>[\]]/g, '').replaceAll('::', '.'), args: [] };
  const list = [given.endsWith('[]>') ? { is: 'list' as const, element: named } : named];
  // The signatures of a value lack the names of their type parameters.
  const names = parameter === undefined ? {} : { names: [parameter] };
  return { ...value, args: { file, scope: -1, list, ...names, ofCall: true } };
}

const isValueOf = (ctx: Context, { file, symbol }: SymbolRef): boolean =>
  VALUES.has(ctx.symbols.symbol(file, symbol).kind);

/** Does the type of its first parameter name the type parameter: `get<T>(type: Type<T>)`? */
function takesType(ctx: Context, { file, symbol }: SymbolRef, parameter: string): boolean {
  const type = ctx.symbols.parameter(file, symbol, 0)?.type ?? '';
  return type.split(/[^\w$]+/).includes(parameter);
}

/** Hands the type arguments of a call on to the value that the called name holds; its own type names their parameters. */
function withCallArguments(held: AbstractValue | null, written: TypeArguments | undefined): AbstractValue | null {
  if (held === null || written?.ofCall !== true) return held;
  if (held.is === 'several') return mapValues(held, (one) => withCallArguments(one, written));
  const { file, scope, list } = written;
  const args = { file, scope, list };
  if ((held.is === 'instance' || held.is === 'shape') && held.args === undefined) return { ...held, args };
  if (held.is !== 'function') return held;
  const parameters = held.parameters.map((part) => bind(part, args));
  return { ...held, result: bind(held.result, args), parameters };
}

// Values that a call hands to its callback.

/** Maximum number of members of an interface that are looked at for its only method. */
const MAX_MEMBERS = 30;

/** Methods of collections whose callback gets something else first than an element. */
const NO_ELEMENT: ReadonlySet<string> = new Set(['fold', 'foldRight', 'foldIndexed', 'inject', 'Aggregate', 'scan']);

/** Methods of collections that take an element, which may be a function. */
const ADDING: ReadonlySet<string> = new Set(['add', 'put', 'putIfAbsent', 'set', 'push', 'offer', 'Add', 'TryAdd']);

/** Value given by a call of the member `name` of `receiver`; null if it is unknown. */
export function givenByMember(
  ctx: Context,
  file: number,
  receiver: AbstractValue,
  name: string,
  mark: GivenMark,
): AbstractValue | null {
  if (mark === '{:}') return namedByMember(ctx, file, receiver, name);
  if (receiver.is === 'list') return givenByList(ctx, receiver, name, mark);
  const found = lookup(ctx, file, receiver, name, CALLED)?.value ?? null;
  if (found?.is === 'symbol') return givenBy(ctx, found, mark);
  if (receiver.is !== 'instance' || found !== null) return null;
  const element = mark === '{}' ? elementOfIterator(ctx, receiver) : null;
  // An option or future of an iterator hands on the iterator.
  if (element !== null) return UNWRAPPING_METHODS.has(name) ? null : element;
  if (LENDING_METHODS.has(name) && mark !== '{1}') return receiver;
  return mark === '{}' && UNWRAPPING_METHODS.has(name) ? { ...receiver, wrapped: undefined } : null;
}

/** An element, or the list itself: `carts.also { it.add(cart) }`. */
function givenByList(
  ctx: Context,
  list: AbstractValue & { is: 'list' },
  name: string,
  mark: GivenMark,
): AbstractValue | null {
  if (LENDING_METHODS.has(name)) return list;
  if (mark !== '{}' || NO_ELEMENT.has(name) || ADDING.has(name)) return null;
  return boundValue(ctx, list.file, list.scope, list.element);
}

/** Owner of named arguments: those of `cart.copy(size = 1)` are properties of `cart`, those of other functions of nothing. */
function namedByMember(ctx: Context, file: number, receiver: AbstractValue, name: string): AbstractValue | null {
  const found = lookup(ctx, file, receiver, name, CALLED)?.value ?? null;
  if (found !== null) return givenBy(ctx, found, '{:}');
  return name === 'copy' && receiver.is === 'instance' ? { ...receiver, own: true } : EXTERNAL;
}

/** Value that a function gives to its callback; for an interface, the value that its only method gets. */
export function givenBy(ctx: Context, value: AbstractValue, mark: GivenMark): AbstractValue | null {
  if (value.is !== 'symbol' && value.is !== 'instance') return null;
  const { kind } = ctx.symbols.symbol(value.file, value.symbol);
  if (mark === '{:}') return TYPES.has(kind) ? { ...value, is: 'instance', own: true } : EXTERNAL;
  if (FUNCTIONS.has(kind)) return ofFunction(ctx, value, mark, value.args);
  if (!TYPES.has(kind)) return null;
  const method = onlyMethod(ctx, value);
  if (method === null) return null;
  const first = ctx.symbols.parameter(method.file, method.symbol, mark === '{1}' ? 1 : 0);
  const args = argumentsByName(ctx, value, value.args);
  return first === undefined
    ? ofFunction(ctx, method, mark, value.args)
    : bindingValue(ctx, method.file, first, Number.POSITIVE_INFINITY, args);
}

function ofFunction(
  ctx: Context,
  { file, symbol }: SymbolRef,
  mark: GivenMark,
  args: TypeArguments | undefined,
): AbstractValue | null {
  const stated = ctx.symbols.given(file, symbol, mark === '{1}' ? '{}' : mark);
  if (stated === undefined) return mark === '{}' || mark === '{1}' ? ofInterface(ctx, { file, symbol }, mark) : null;
  // The second parameter is known by the function of an interface alone: `Filter{}`.
  if (mark === '{1}' && (stated.type !== '' || !stated.value.endsWith('{}'))) return null;
  const binding = mark === '{1}' ? { ...stated, value: stated.value.replace('{}', mark) } : stated;
  return bindingValue(ctx, file, binding, Number.POSITIVE_INFINITY, args);
}

/** The value that the only method of an interface gets, for the last parameter of such a type; functions with overloads state their types. */
function ofInterface(ctx: Context, { file, symbol }: SymbolRef, mark: GivenMark): AbstractValue | null {
  if (!ctx.symbols.areOverloadsTold(file)) return null;
  for (const type of [...(ctx.symbols.signature(file, symbol) ?? [])].reverse()) {
    if (!/^[A-Z]\w+$/.test(type)) continue;
    const value = typeValue(ctx, file, symbol, type);
    if (value?.is === 'instance' && ctx.symbols.symbol(value.file, value.symbol).kind === 'interface')
      return givenBy(ctx, value, mark);
  }
  return null;
}

/** The only method of an interface of which the facts state what it gets: a function given for the interface is that one. */
function onlyMethod(ctx: Context, { file, symbol }: SymbolRef): SymbolRef | null {
  const members = ctx.symbols.membersOf(file, symbol);
  if (members.length > MAX_MEMBERS) return null;
  const isSaid = (member: number) =>
    ctx.symbols.given(file, member, '{}') !== undefined ||
    (ctx.symbols.areOverloadsTold(file) && ctx.symbols.parameter(file, member, 0) !== undefined);
  const said = members.filter(isSaid);
  return said.length === 1 ? { file, symbol: said[0] } : null;
}

// Methods that the language runs when an object is called, iterated over or indexed.

type Instance = AbstractValue & { is: 'instance' };

/** Result of calling an instance: `cart()` runs `Cart.__call__`. */
function calledInstance(ctx: Context, value: Instance): AbstractValue | null {
  // `interface Open { (id: string): Cart }`
  const own = ctx.symbols.ofSignatures(value.file, value.symbol, RESULT);
  const args = argumentsByName(ctx, value, value.args);
  if (own.length > 0)
    return severalValues(own.map((one) => bindingValue(ctx, value.file, one, Number.POSITIVE_INFINITY, args)));
  return resultOfFirst(ctx, value, ctx.symbols.semantics(value.file).appliers);
}

/** Element of an instance that has the methods of a collection: `__iter__`, `__getitem__`. */
export function elementOfInstance(ctx: Context, value: Instance): AbstractValue | null {
  const { iterators, nexts, indexers } = ctx.symbols.semantics(value.file);
  const own = elementOfIterator(ctx, value);
  if (own !== null) return own;
  const iterator = resultOfFirst(ctx, value, iterators);
  if (iterator?.is === 'list') return boundValue(ctx, iterator.file, iterator.scope, iterator.element);
  const element = iterator?.is === 'instance' ? resultOfFirst(ctx, iterator, nexts) : null;
  if (element !== null && element.is !== 'external') return element;
  return resultOfFirst(ctx, value, indexers);
}

/** Does the method give what the wrapper that it is called on holds: `fn or_fail(self) -> Result<T>` in a trait `OrFail<T>`? */
export function givesHeld(ctx: Context, method: AbstractValue | null): boolean {
  if (method?.is !== 'symbol') return false;
  const { container } = ctx.symbols.symbol(method.file, method.symbol);
  const result = /^(?:(?:\w+::)*(?:Result|Option)<\s*)?([A-Z]\w*)\b/.exec(
    ctx.symbols.result(method.file, method.symbol)?.type ?? '',
  )?.[1];
  return (
    container >= 0 && ctx.symbols.typeParameters(method.file, container).some(({ name }) => name === `<${result}>`)
  );
}

/** Element of a collection. A tuple gives the item of that number, or any item without a number. */
export function elementOf(ctx: Context, value: AbstractValue | null, number?: number): AbstractValue | null {
  if (value === null || value.is === 'external') return value;
  if (value.is === 'list') return boundValue(ctx, value.file, value.scope, value.element);
  if (value.is === 'tuple') {
    const { file, scope, items } = value;
    const selected = number === undefined ? items : items.slice(number, number + 1);
    return severalValues(selected.map((item) => boundValue(ctx, file, scope, item)));
  }
  if (value.is === 'shape')
    return value.index === undefined ? null : boundValue(ctx, value.file, value.scope, value.index);
  if (value.is === 'parameters') return number === undefined ? null : parameterOf(ctx, value.of, number);
  if (value.is === 'several') return mapValues(value, (one) => elementOf(ctx, one, number));
  if (value.is === 'instance') return elementOfType(ctx, value) ?? elementOfInstance(ctx, value);
  if (value.is === 'symbol' && FUNCTIONS.has(ctx.symbols.symbol(value.file, value.symbol).kind)) {
    return elementOf(ctx, resultOf(ctx, value));
  }
  return null;
}

/** Element of a type that is declared as a collection: `type Items []Item`. */
function elementOfType(ctx: Context, { file, symbol }: SymbolRef): AbstractValue | null {
  const { name, kind } = ctx.symbols.symbol(file, symbol);
  if (kind !== 'type') return null;
  const declared = ctx.symbols.bindingsNamed(file, `${name}[]`)[0];
  const list = declared === undefined ? null : typeValue(ctx, file, -1, declared.type);
  return list?.is === 'list' ? elementOf(ctx, list) : null;
}

/** The value that an iterator gives next; null for other values. */
export function elementOfIterator(ctx: Context, value: Instance): AbstractValue | null {
  const own = resultOfFirst(ctx, value, ctx.symbols.semantics(value.file).nexts);
  return own?.is === 'external' ? null : own;
}

function resultOfFirst(ctx: Context, value: Instance, names: readonly string[]): AbstractValue | null {
  for (const name of names) {
    const method = memberOf(ctx, value, name, CALLED, value.args)?.value;
    if (method?.is === 'symbol') return resultOf(ctx, method);
  }
  return null;
}

// Constants that hold functions.

/** The function or class that a called constant holds: `const open = shop.open`. */
export function heldFunction(
  ctx: Context,
  { kind, receiver }: Reference,
  { file, symbol }: SymbolRef,
): SymbolRef | null {
  if ((kind !== 'call' && kind !== 'new') || receiver !== '' || symbol < 0) return null;
  if (!ctx.symbols.semantics(file).unstatedTypes || !VALUES.has(ctx.symbols.symbol(file, symbol).kind)) return null;
  let held: SymbolRef = { file, symbol };
  for (let depth = 0; depth < MAX_HELD; depth++) {
    const value = ctx.ask.settled(ctx, { is: 'symbol', ...held });
    if (value?.is !== 'symbol' || (value.file === held.file && value.symbol === held.symbol)) return null;
    held = exportedFunction(ctx, { file: value.file, symbol: value.symbol });
    const { kind: found } = ctx.symbols.symbol(held.file, held.symbol);
    if (FUNCTIONS.has(found) || found === 'class') return held;
    if (!VALUES.has(found)) return null;
  }
  return null;
}

/** Maximum number of constants that hold each other. */
const MAX_HELD = 4;

/** The function that `exports.open = open` hands on under its own name, which makes a constant. */
function exportedFunction(ctx: Context, held: SymbolRef): SymbolRef {
  const { name, kind, container } = ctx.symbols.symbol(held.file, held.symbol);
  if (!VALUES.has(kind) || container >= 0) return held;
  const symbol = ctx.symbols.symbolsNamed(held.file, name).find((other) => {
    const { kind: otherKind, container: outer } = ctx.symbols.symbol(held.file, other);
    return outer < 0 && FUNCTIONS.has(otherKind);
  });
  return symbol === undefined ? held : { file: held.file, symbol };
}

/** The method that runs where an attribute is read or written whose class has one for that, as `price = Price()` with `Price.__get__`. */
export function descriptorOf(
  ctx: Context,
  use: Reference,
  { file, symbol }: SymbolRef,
): (SymbolRef & { use: Reference }) | null {
  const { kind } = use;
  if (symbol < 0 || (kind !== 'read' && kind !== 'write')) return null;
  const name = ctx.symbols.semantics(file).descriptors?.[kind];
  const { kind: own, container } = ctx.symbols.symbol(file, symbol);
  if (name === undefined || container < 0 || !VALUES.has(own)) return null;
  if (!TYPES.has(ctx.symbols.symbol(file, container).kind)) return null;
  const value = ctx.ask.settled(ctx, { is: 'symbol', file, symbol });
  const found = value?.is === 'instance' ? memberOf(ctx, value, name, CALLED)?.value : null;
  return found?.is === 'symbol' ? { file: found.file, symbol: found.symbol, use: { ...use, kind: 'call' } } : null;
}

// Members that a program finds by a name which it puts together: `getattr(self, f"visit_{kind}")`.

/** Maximum number of functions of one name, and of ancestors of one type, that are looked at. */
const MAX_CANDIDATES = 40;
const MAX_ANCESTORS = 50;
/** Maximum number of names with one part, and of members that one use may run. */
const MAX_NAMES_WITH_PART = 300;

/**
 * Functions whose names begin or end as a use states, of the type that is asked, its ancestors and descendants, or of a module;
 * null for a use of another kind.
 */
export function membersByPart(ctx: Context, reference: Reference): NameResolution[] | null {
  const match = reference.receiver.endsWith('#') ? BY_PART.exec(reference.receiver) : null;
  if (match === null) return null;
  const [, path = '', end] = match;
  if (end === 'any') return heldInWhole(ctx, path);
  const owner = askedForPart(ctx, reference, path);
  const names =
    owner === null ? [] : end === 'named' ? [reference.name] : ctx.symbols.namesWith(reference.name, end === 'ends');
  if (owner === null || names.length > MAX_NAMES_WITH_PART) return [];
  const found: NameResolution[] = [];
  for (const name of names)
    for (const member of functionsNamed(ctx, name)) {
      const { container } = ctx.symbols.symbol(member.file, member.symbol);
      const isOf =
        owner.symbol < 0
          ? container < 0 && member.file === owner.file
          : container >= 0 && areRelated(ctx, owner, { file: member.file, symbol: container });
      if (isOf) found.push({ value: { is: 'symbol', ...member }, tier: 'likely' });
    }
  return found;
}

/** Maximum number of functions of a table from which one is taken: a larger one is no table of handlers. */
const MAX_TABLE = 60;

/** All functions of a table of this file: those in it, and those that it names. */
function heldInWhole(ctx: Context, table: string): NameResolution[] {
  const [at, other] = ctx.symbols.symbolsNamed(ctx.file, table);
  if (at === undefined || other !== undefined || !VALUES.has(ctx.symbols.symbol(ctx.file, at).kind)) return [];
  const found = new Map<number, NameResolution>();
  const add = ({ file, symbol }: SymbolRef) => {
    if (!FUNCTIONS.has(ctx.symbols.symbol(file, symbol).kind)) return;
    found.set(keyOf(file, symbol), { value: { is: 'symbol', file, symbol }, tier: 'likely' });
  };
  for (const symbol of ctx.symbols.membersOf(ctx.file, at)) add({ file: ctx.file, symbol });
  for (const { kind, receiver, name, symbol, startLine } of ctx.symbols.snapshot.index(ctx.file).references) {
    if (kind !== 'value' || symbol !== at || found.size > MAX_TABLE) continue;
    const path = receiver === '' ? name : `${receiver}.${name}`;
    const value = ctx.ask.accessPathValue(ctx, { file: ctx.file, symbol, line: startLine, expected: ROOTS }, path);
    if (value?.is === 'symbol' && !path.includes('#')) add(value);
  }
  return found.size > MAX_TABLE ? [] : [...found.values()];
}

/** The function in a table of this file that a call takes by its key: `table.list()` with `const table = { list: show }`. */
export function heldInTable(ctx: Context, { name, receiver }: Reference): NameResolution | null {
  const tables = /^[\w$]+$/.test(receiver) ? ctx.symbols.symbolsNamed(ctx.file, receiver) : [];
  if (tables.length !== 1 || !VALUES.has(ctx.symbols.symbol(ctx.file, tables[0]).kind)) return null;
  const { references } = ctx.symbols.snapshot.index(ctx.file);
  const at = references.findIndex((one) => one.symbol === tables[0] && one.kind === 'write' && one.name === name);
  // References are in the order of the text: right behind the key stands its value, if that is a plain name.
  const value = at === -1 ? undefined : references[at + 1];
  if (value === undefined || value.kind !== 'value' || value.receiver !== '' || value.symbol !== tables[0]) return null;
  const found = ctx.ask.findPath(ctx, wholeScope(ctx.file, -1, EXPECTED_KINDS.value), [value.name]);
  return found?.value?.is === 'symbol' ? { value: found.value, tier: 'likely' } : null;
}

/** The type or file whose members are asked for; null if it is not known. */
function askedForPart(ctx: Context, { symbol, startLine }: Reference, path: string): SymbolRef | null {
  if (path === '') return { file: ctx.file, symbol: -1 };
  if (path === 'this') return enclosingType(ctx, ctx.file, symbol);
  const value = ctx.ask.accessPathValue(ctx, { file: ctx.file, symbol, line: startLine, expected: ROOTS }, path);
  if (value?.is === 'files') return value.files.length === 1 ? { file: value.files[0], symbol: -1 } : null;
  return value?.is === 'instance' || value?.is === 'symbol' ? { file: value.file, symbol: value.symbol } : null;
}

function functionsNamed(ctx: Context, name: string): SymbolRef[] {
  const { snapshot } = ctx.symbols;
  const found: SymbolRef[] = [];
  for (const node of snapshot.nodes.named(name).subarray(0, MAX_CANDIDATES)) {
    const file = snapshot.nodes.fileOf(node);
    if (!FUNCTIONS.has(snapshot.nodes.kind(node)) || !ctx.symbols.sameFamily(file, ctx.file)) continue;
    if (snapshot.isTest(file) && !snapshot.isTest(ctx.file)) continue;
    ctx.recorder.note(file, name);
    found.push({ file, symbol: snapshot.nodes.symbolOf(node) });
  }
  return found;
}

/** Is a type another one, or an ancestor or a descendant of it? */
export function areRelated(ctx: Context, one: SymbolRef, other: SymbolRef): boolean {
  const [first, second] = [mainPart(ctx, one), mainPart(ctx, other)];
  const key = keyOf(first.file, first.symbol);
  const otherKey = keyOf(second.file, second.symbol);
  return key === otherKey || hasAncestor(ctx, second, key) || hasAncestor(ctx, first, otherKey);
}

function hasAncestor(ctx: Context, type: SymbolRef, ancestor: number): boolean {
  const seen = new Set([keyOf(type.file, type.symbol)]);
  const queue = [type];
  for (let i = 0; i < queue.length && i < MAX_ANCESTORS; i++)
    for (const parent of parentsOf(ctx, queue[i]).map((each) => mainPart(ctx, each))) {
      const key = keyOf(parent.file, parent.symbol);
      if (key === ancestor) return true;
      if (parent.symbol < 0 || seen.has(key)) continue;
      seen.add(key);
      queue.push(parent);
    }
  return false;
}
