/** Types that the language computes from others: `ReturnType<typeof open>`. */
import type { Context } from './context.js';
import type { AbstractValue, BoundType } from './values.js';

type Compute = (ctx: Context, value: AbstractValue) => AbstractValue | null;

const UTILITIES: ReadonlyMap<string, Compute> = new Map<string, Compute>([
  ['ReturnType', (ctx, value) => ctx.ask.called(ctx, value)],
  ['Parameters', (_, value) => ({ is: 'parameters', of: value })],
  ['ConstructorParameters', (_, value) => ({ is: 'parameters', of: value })],
  ['InstanceType', (ctx, value) => ctx.ask.called(ctx, value)],
]);

/** Types of functions whose first parameter has the type of the first argument. */
const TAKING: ReadonlySet<string> = new Set(['FC', 'FunctionComponent', 'VFC', 'ComponentType', 'ComponentClass']);

/** Value of a type that the language or a well-known package computes; null for other names. */
export function byUtility(
  ctx: Context,
  file: number,
  scope: number,
  name: string,
  args: readonly BoundType[],
): AbstractValue | null {
  if (TAKING.has(name))
    return { is: 'function', file, scope, result: { is: 'named', head: '', args: [] }, parameters: [args[0]] };
  const compute = UTILITIES.get(name);
  if (compute === undefined) return null;
  const value = ctx.ask.boundValue(ctx, file, scope, args[0]);
  return value === null || value.is === 'external' ? value : compute(ctx, value);
}
