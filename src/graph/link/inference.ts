/** Finds out type arguments from values: `T` of `first<T>(items: T[])` in `first(carts)`. */
import type { Context } from './context.js';
import type { AbstractValue, BoundType, TypeArguments } from './values.js';

interface Names {
  file: number;
  scope: number;
  names: readonly string[];
}

/** Types in types that are compared. */
const MAX_DEPTH = 5;

/** Arguments for the names that the values tell, which have those types; undefined if they tell none. */
export function inferred(
  ctx: Context,
  { file, scope, names }: Names,
  pairs: readonly (readonly [BoundType, AbstractValue])[],
): TypeArguments | undefined {
  const found = new Map<string, AbstractValue>();
  for (const [type, value] of pairs) new Matcher(ctx, names, found).match(file, scope, type, value, 0);
  if (found.size === 0) return undefined;
  const list = [...found.values()].map((value) => ({ is: 'known' as const, value }));
  return { file, scope, list, names: [...found.keys()] };
}

class Matcher {
  constructor(
    private readonly ctx: Context,
    private readonly names: readonly string[],
    private readonly found: Map<string, AbstractValue>,
  ) {}

  match(file: number, scope: number, type: BoundType, value: AbstractValue | null, depth: number): void {
    if (value === null || value.is === 'external' || depth > MAX_DEPTH) return;
    const { ctx } = this;
    switch (type.is) {
      case 'elsewhere':
        this.match(type.file, type.scope, type.type, value, depth + 1);
        break;
      case 'several':
        for (const part of type.parts) this.match(file, scope, part, value, depth + 1);
        break;
      case 'list':
        this.match(file, scope, type.element, ctx.ask.elementOf(ctx, value), depth + 1);
        break;
      case 'tuple':
        for (const [i, item] of type.items.entries())
          this.match(file, scope, item, ctx.ask.elementOf(ctx, value, i), depth + 1);
        break;
      case 'function':
        this.match(file, scope, type.result, ctx.ask.called(ctx, value), depth + 1);
        for (const [i, part] of type.parameters.entries())
          this.match(file, scope, part, ctx.ask.parameterOf(ctx, value, i), depth + 1);
        break;
      case 'object':
        for (const [name, part] of type.members) {
          const member = ctx.ask.lookup(ctx, file, value, name, null)?.value ?? null;
          this.match(file, scope, part, ctx.ask.settled(ctx, member), depth + 1);
        }
        break;
      case 'named':
        this.matchNamed(file, scope, type, value, depth);
        break;
      default:
    }
  }

  private matchNamed(
    file: number,
    scope: number,
    { head, args }: BoundType & { is: 'named' },
    value: AbstractValue,
    depth: number,
  ): void {
    const { ctx, found } = this;
    if (args.length === 0) {
      const settled = ctx.ask.settled(ctx, value);
      if (this.names.includes(head) && !found.has(head) && settled !== null && settled.is !== 'external')
        found.set(head, settled);
      return;
    }
    const { wrappers, collections } = ctx.symbols.semantics(file);
    const name = head.slice(head.lastIndexOf('.') + 1);
    const isOwn = value.is === 'instance' && ctx.symbols.symbol(value.file, value.symbol).name === name;
    if (isOwn && value.args !== undefined) {
      const { list, file: from, scope: at } = value.args;
      for (const [i, part] of args.entries())
        if (i < list.length) this.match(file, scope, part, ctx.ask.boundValue(ctx, from, at, list[i]), depth + 1);
    } else if (wrappers.has(name)) this.match(file, scope, args[0], value, depth + 1);
    else if (collections.has(name))
      this.match(file, scope, args[args.length - 1], ctx.ask.elementOf(ctx, value), depth + 1);
  }
}
