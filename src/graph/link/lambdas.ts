/** Values that a call hands to the function it is given: the element in `items.map { … }`, the receiver in `cart.apply { … }`. */
import { LENDING_METHODS, UNWRAPPING_METHODS } from '../../languages/roles/container-methods.js';
import { bindingValue } from './bindings.js';
import type { Context } from './context.js';
import { CALLED, FUNCTIONS, TYPES } from './kinds.js';
import { lookup } from './lookup.js';
import { boundValue } from './types.js';
import { type AbstractValue, EXTERNAL, type SymbolRef, type TypeArguments } from './values.js';

export type GivenMark = '{}' | '{=}' | '{:}';

/** Maximum number of members of an interface that are looked at for its only method. */
const MAX_MEMBERS = 30;

/** Methods of collections whose function gets something else first than an element. */
const NO_ELEMENT: ReadonlySet<string> = new Set(['fold', 'foldRight', 'foldIndexed', 'inject', 'Aggregate', 'scan']);

/** Methods of collections that get a function as an element. */
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
  if (receiver.is === 'list') {
    if (LENDING_METHODS.has(name)) return receiver;
    if (mark === '{=}' || NO_ELEMENT.has(name) || ADDING.has(name)) return null;
    return boundValue(ctx, receiver.file, receiver.scope, receiver.element);
  }
  const found = lookup(ctx, file, receiver, name, CALLED)?.value ?? null;
  if (found?.is === 'symbol') return givenBy(ctx, found, mark);
  if (receiver.is !== 'instance' || found !== null) return null;
  return LENDING_METHODS.has(name) || (mark === '{}' && UNWRAPPING_METHODS.has(name)) ? receiver : null;
}

/** Named arguments of `cart.copy(size = 1)` are properties of `cart`. Those of other functions are none. */
function namedByMember(ctx: Context, file: number, receiver: AbstractValue, name: string): AbstractValue | null {
  const found = lookup(ctx, file, receiver, name, CALLED)?.value ?? null;
  if (found !== null) return givenBy(ctx, found, '{:}');
  return name === 'copy' && receiver.is === 'instance' ? { ...receiver, own: true } : EXTERNAL;
}

/** Value that a call of a function gives to its last function; of an interface, what its only method gets. */
export function givenBy(ctx: Context, value: AbstractValue, mark: GivenMark): AbstractValue | null {
  if (value.is !== 'symbol' && value.is !== 'instance') return null;
  const { kind } = ctx.symbols.symbol(value.file, value.symbol);
  if (mark === '{:}') return TYPES.has(kind) ? { ...value, is: 'instance', own: true } : EXTERNAL;
  if (FUNCTIONS.has(kind)) return ofFunction(ctx, value, mark, value.args);
  if (!TYPES.has(kind)) return null;
  const method = onlyMethod(ctx, value);
  return method === null ? null : ofFunction(ctx, method, mark, value.args);
}

function ofFunction(
  ctx: Context,
  { file, symbol }: SymbolRef,
  mark: GivenMark,
  args: TypeArguments | undefined,
): AbstractValue | null {
  const binding = ctx.symbols.given(file, symbol, mark);
  return binding === undefined ? null : bindingValue(ctx, file, binding, Number.POSITIVE_INFINITY, args);
}

/** The method of an interface that a function implements, by what the facts tell: the only one that says what it gets. */
function onlyMethod(ctx: Context, { file, symbol }: SymbolRef): SymbolRef | null {
  const members = ctx.symbols.membersOf(file, symbol);
  if (members.length > MAX_MEMBERS) return null;
  const said = members.filter((member) => ctx.symbols.given(file, member, '{}') !== undefined);
  return said.length === 1 ? { file, symbol: said[0] } : null;
}
