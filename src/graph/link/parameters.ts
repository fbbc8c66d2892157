/** Parameters of functions, by their declared types: values that they are called with, and types that arguments tell. */
import { bindingValue } from './bindings.js';
import type { Context } from './context.js';
import { EXPECTED_KINDS, FUNCTIONS, TYPES, VALUES } from './kinds.js';
import { memberOf } from './members.js';
import { bind, named } from './type-arguments.js';
import { boundValue, instanceOfAlias, statedValue, typeParameterOf } from './types.js';
import { type AbstractValue, mapValues, type SymbolRef, severalValues, type TypeArguments } from './values.js';

/**
 * Value that a function is called with as its parameter `index`, by its declared type. Lists that are the bound of a type parameter
 * tell nothing: what such a call is given has a type of its own (`open<T extends Cart[]>(...carts: T)`).
 */
export function parameterOf(ctx: Context, value: AbstractValue, index: number): AbstractValue | null {
  if (value.is === 'function') return parameterOfType(ctx, value, index);
  if (value.is === 'several') return mapValues(value, (one) => parameterOf(ctx, one, index));
  const stated = statedValue(ctx, value);
  if (stated !== null) return parameterOf(ctx, stated, index);
  const ofAlias = instanceOfAlias(ctx, value);
  if (ofAlias !== null) return parameterOf(ctx, ofAlias, index);
  if ((value.is !== 'symbol' && value.is !== 'instance') || !ctx.enter()) return null;
  const { file, symbol } = value;
  const args = value.is === 'instance' ? named(ctx, value, value.args) : value.args;
  const { kind } = ctx.symbols.symbol(file, symbol);
  try {
    if (FUNCTIONS.has(kind) || value.is === 'instance') {
      const values = overloadsOf(ctx, value).flatMap((one) =>
        ctx.symbols.ofSignatures(file, one, `(${index})`).map((binding) => {
          const held = bindingValue(ctx, file, binding, Number.POSITIVE_INFINITY, args);
          return held?.is === 'list' && typeParameterOf(ctx, file, one, binding.type) !== null ? null : held;
        }),
      );
      return severalValues(values);
    }
    const held = TYPES.has(kind)
      ? constructorOf(ctx, value)
      : withCallArguments(ctx.ask.settled(ctx, value), value.args);
    return held === null || held === value ? null : parameterOf(ctx, held, index);
  } finally {
    ctx.leave();
  }
}

/** `(...args: Parameters<typeof open>) => Cart`: its last parameter can stand for all that `open` has. */
function parameterOfType(
  ctx: Context,
  { file, scope, parameters }: AbstractValue & { is: 'function' },
  index: number,
): AbstractValue | null {
  const last = parameters.length - 1;
  if (last < 0) return null;
  const value = boundValue(ctx, file, scope, parameters[Math.min(index, last)]);
  if (index >= last && value?.is === 'parameters') return ctx.ask.elementOf(ctx, value, index - last);
  return index > last ? null : value;
}

/** Overloads that are looked at. */
const MAX_OVERLOADS = 20;

/** The function and its other signatures, where each has a symbol of its own. */
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

function constructorOf(ctx: Context, type: SymbolRef): AbstractValue | null {
  return memberOf(ctx, type, 'constructor', EXPECTED_KINDS.call)?.value ?? null;
}

/** `get<T>(type: Type<T>): T`, called with a class of `file`, or with a type in angle brackets: its first type parameter is that one. */
export function withClass(ctx: Context, file: number, value: AbstractValue, given: string): AbstractValue {
  const isTyped = given[0] === '<';
  if (value.is === 'several' && isTyped) return mapValues(value, (one) => withClass(ctx, file, one, given)) ?? value;
  if (value.is !== 'symbol' && !(value.is === 'instance' && value.args === undefined && isTyped)) return value;
  const parameter =
    value.is === 'symbol' ? ctx.symbols.typeParameters(value.file, value.symbol)[0]?.name.slice(1, -1) : undefined;
  const type = ctx.symbols.parameter(value.file, value.symbol, 0)?.type ?? '';
  const isValue = VALUES.has(ctx.symbols.symbol(value.file, value.symbol).kind);
  if (!(isTyped && (isValue || value.is === 'instance'))) {
    if (parameter === undefined || !(isTyped || type.split(/[^\w$]+/).includes(parameter))) return value;
  }
  const named = { is: 'named' as const, head: given.replace(/[<>[\]]/g, ''), args: [] };
  const list = [given.endsWith('[]>') ? { is: 'list' as const, element: named } : named];
  // The signatures of a value do not tell the names of their type parameters.
  const names = parameter === undefined ? {} : { names: [parameter] };
  return { ...value, args: { file, scope: -1, list, ...names, ofCall: true } };
}

/** The value that another one stands for, called with type arguments: its own type says which names those have. */
export function withCallArguments(
  held: AbstractValue | null,
  written: TypeArguments | undefined,
): AbstractValue | null {
  if (held === null || written?.ofCall !== true) return held;
  if (held.is === 'several') return mapValues(held, (one) => withCallArguments(one, written));
  const { file, scope, list } = written;
  const args = { file, scope, list };
  if ((held.is === 'instance' || held.is === 'shape') && held.args === undefined) return { ...held, args };
  if (held.is !== 'function') return held;
  const parameters = held.parameters.map((part) => bind(part, args));
  return { ...held, result: bind(held.result, args), parameters };
}
