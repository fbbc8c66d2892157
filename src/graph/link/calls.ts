/** Evaluates calls: results of functions, instances of types. */

import { bindingValue } from './bindings.js';
import type { Context } from './context.js';
import { FUNCTIONS, TYPES } from './kinds.js';
import { withCallArguments } from './parameters.js';
import { calledInstance } from './protocols.js';
import { boundValue, instanceOf, instanceOfAlias, statedValue } from './types.js';
import { type AbstractValue, mapValues } from './values.js';

/** Result of calling a value. */
export function called(ctx: Context, value: AbstractValue): AbstractValue | null {
  if (value.is === 'several') return mapValues(value, (one) => called(ctx, one));
  if (value.is === 'files') return calledModule(ctx, value);
  if (value.is === 'function') return boundValue(ctx, value.file, value.scope, value.result);
  const ofAlias = instanceOfAlias(ctx, value);
  if (ofAlias !== null) return calledInstance(ctx, ofAlias);
  if (value.is === 'instance') return calledInstance(ctx, value);
  if (value.is !== 'symbol') return null;
  const stated = statedValue(ctx, value);
  if (stated !== null) return called(ctx, stated);
  const { file, symbol, args } = value;
  const { kind, container } = ctx.symbols.symbol(file, symbol);
  if (kind === 'type') return instanceOf(ctx, value);
  if (TYPES.has(kind)) return { is: 'instance', file, symbol, args };
  if (kind === 'constructor' || kind === 'enum-member') {
    return container < 0 ? null : { is: 'instance', file, symbol: container };
  }
  if (FUNCTIONS.has(kind)) return resultOf(ctx, value) ?? madeBy(ctx, value);
  const held = withCallArguments(ctx.ask.settled(ctx, value), args);
  return held === null || held === value || !ctx.enter() ? null : leaveWith(ctx, called(ctx, held));
}

function leaveWith(ctx: Context, value: AbstractValue | null): AbstractValue | null {
  ctx.leave();
  return value;
}

/** Result of calling a module whose whole export is a function (`module.exports = function`). */
function calledModule(ctx: Context, value: AbstractValue): AbstractValue | null {
  const found = ctx.ask.lookup(ctx, ctx.file, value, '=', null);
  return found?.value?.is === 'symbol' ? called(ctx, found.value) : null;
}

/** Result types that mean the type on which the method was called, not the type that defines it. */
const LATE: ReadonlySet<string> = new Set(['this', 'static', 'Self', '$this']);

/** Result of a function, from its declared type or its return values; if those tell nothing, from another overload. */
export function resultOf(ctx: Context, value: AbstractValue): AbstractValue | null {
  if (value.is !== 'symbol') return null;
  const own = ownResult(ctx, value);
  if (own !== null && own.is !== 'external') return own;
  const { kind, container, name } = ctx.symbols.symbol(value.file, value.symbol);
  for (const symbol of ctx.symbols.symbolsNamed(value.file, name).slice(0, MAX_OVERLOADS)) {
    const other = ctx.symbols.symbol(value.file, symbol);
    if (symbol === value.symbol || other.container !== container || other.kind !== kind) continue;
    const found = ownResult(ctx, { ...value, symbol });
    if (found !== null && found.is !== 'external') return found;
  }
  return own;
}

/** Maximum number of overloads that are tried. More of them are generated code. */
const MAX_OVERLOADS = 50;

function ownResult(ctx: Context, value: AbstractValue & { is: 'symbol' }): AbstractValue | null {
  const { file, symbol, via, args } = value;
  const result = ctx.symbols.result(file, symbol);
  if (result === undefined) return null;
  if (via !== undefined && LATE.has(result.type === '' ? result.value : result.type)) return { is: 'instance', ...via };
  const found = bindingValue(ctx, file, result, Number.POSITIVE_INFINITY, args);
  // The result of such a function is used in a `with`, which gives what the function yields.
  return ctx.symbols.isDecorated(file, symbol, 'contextMakers') ? (ctx.ask.elementOf(ctx, found) ?? found) : found;
}

/** Instance made by a constructor method such as `Cart.new()`. */
function madeBy(ctx: Context, value: AbstractValue): AbstractValue | null {
  if (value.is !== 'symbol') return null;
  const { name, container } = ctx.symbols.symbol(value.file, value.symbol);
  if (container < 0 || !ctx.symbols.semantics(value.file).constructorNames.has(name)) return null;
  return { is: 'instance', file: value.file, symbol: container };
}
