/** Methods that the language itself runs: where an object is called, iterated over or indexed. */
import { bindingValue } from './bindings.js';
import type { Context } from './context.js';
import { RESULT } from './file-index.js';
import { CALLED } from './kinds.js';
import { memberOf } from './members.js';
import { named } from './type-arguments.js';
import { boundValue } from './types.js';
import { type AbstractValue, severalValues } from './values.js';

type Instance = AbstractValue & { is: 'instance' };

/** Result of calling an instance: `cart()` runs `Cart.__call__`. */
export function calledInstance(ctx: Context, value: Instance): AbstractValue | null {
  // An interface that can be called states what its calls give.
  const own = ctx.symbols.ofSignatures(value.file, value.symbol, RESULT);
  const args = named(ctx, value, value.args);
  if (own.length > 0)
    return severalValues(own.map((one) => bindingValue(ctx, value.file, one, Number.POSITIVE_INFINITY, args)));
  return resultOfFirst(ctx, value, ctx.symbols.semantics(value.file).appliers);
}

/** Element of an instance that has the methods of a collection: `__iter__`, `__getitem__`. */
export function elementOfInstance(ctx: Context, value: Instance): AbstractValue | null {
  const { iterators, indexers } = ctx.symbols.semantics(value.file);
  const iterator = resultOfFirst(ctx, value, iterators);
  if (iterator?.is === 'list') return boundValue(ctx, iterator.file, iterator.scope, iterator.element);
  return resultOfFirst(ctx, value, indexers);
}

function resultOfFirst(ctx: Context, value: Instance, names: readonly string[]): AbstractValue | null {
  for (const name of names) {
    const method = memberOf(ctx, value, name, CALLED, value.args)?.value;
    if (method?.is === 'symbol') return ctx.ask.resultOf(ctx, method);
  }
  return null;
}
