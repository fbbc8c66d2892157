/** Methods that the language itself runs: where an object is called, iterated over or indexed. */
import { bindingValue } from './bindings.js';
import type { Context } from './context.js';
import { CALLED } from './kinds.js';
import { memberOf } from './members.js';
import { named } from './type-arguments.js';
import { boundValue } from './types.js';
import type { AbstractValue } from './values.js';

type Instance = AbstractValue & { is: 'instance' };

/** Result of calling an instance: `cart()` runs `Cart.__call__`. */
export function calledInstance(ctx: Context, value: Instance): AbstractValue | null {
  // An interface that can be called states what its calls give.
  const own = ctx.symbols.result(value.file, value.symbol);
  if (own !== undefined)
    return bindingValue(ctx, value.file, own, Number.POSITIVE_INFINITY, named(ctx, value, value.args));
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
