/** Types that are computed from others: mapped and conditional types, and types of members. */
import type { Context } from './context.js';
import { bind, inferred } from './type-arguments.js';
import { type AbstractValue, type BoundType, mapValues, severalValues } from './values.js';

type Conditional = BoundType & { is: 'conditional' };

/** Value of `{ [K in keyof Cart]: … }`. */
export function mappedValue(
  ctx: Context,
  file: number,
  scope: number,
  type: BoundType & { is: 'mapped' },
): AbstractValue | null {
  const { key, value, hasOwnMembers } = type;
  const mapped = (of: AbstractValue): AbstractValue => ({ is: 'mapped', file, scope, of, key, value, hasOwnMembers });
  const of = ctx.ask.boundValue(ctx, file, scope, type.of);
  if (of?.is === 'several') return mapValues(of, mapped);
  if (of === null) return { is: 'shape', file, scope, members: [], index: value };
  if (isRecord(of)) return { is: 'shape', file, scope, members: [], index: mappedElement(file, scope, type, 'string') };
  if (of.is !== 'list' && of.is !== 'tuple') return mapped(of);
  return { is: 'list', file, scope, element: mappedElement(file, scope, type, 'number') };
}

/** A mapped type of a list is a list of the mapped elements, and one of a record is a record of them. */
function mappedElement(
  file: number,
  scope: number,
  { key, value }: BoundType & { is: 'mapped' },
  index: 'number' | 'string',
): BoundType {
  return bind(value, { file, scope, list: [{ is: 'named', head: index, args: [] }], names: [key] });
}

function isRecord(value: AbstractValue): boolean {
  return value.is === 'shape' && value.members.length === 0 && value.index !== undefined;
}

/** Value of `Cart['items']` and of `Cart[number]`. */
export function memberValue(
  ctx: Context,
  file: number,
  scope: number,
  { of, index }: BoundType & { is: 'member' },
): AbstractValue | null {
  const owner = ctx.ask.boundValue(ctx, file, scope, of);
  if (owner === null || owner.is === 'external') return owner;
  const key = index as BoundType;
  if (key.is === 'several') {
    return severalValues(key.parts.map((part) => memberValue(ctx, file, scope, { is: 'member', of, index: part })));
  }
  if (key.is === 'named' && key.head === 'keyof') return anyMember(ctx, file, owner);
  if (key.is === 'named') return /^(?:number|string)$/.test(key.head) ? ctx.ask.elementOf(ctx, owner) : null;
  const literal = key.is === 'elsewhere' ? key.type : key;
  if (literal.is !== 'literal') return null;
  if (/^\d+$/.test(literal.text)) return ctx.ask.elementOf(ctx, owner, Number(literal.text));
  return ctx.ask.settled(ctx, ctx.ask.lookup(ctx, file, owner, literal.text, null)?.value ?? null);
}

/** Value of `Carts[keyof Carts]`: that of any of its own members. */
function anyMember(ctx: Context, file: number, owner: AbstractValue): AbstractValue | null {
  if (owner.is === 'shape') {
    const { members, index } = owner;
    const types = [...members.map(([, type]) => type), ...(index === undefined ? [] : [index])];
    return severalValues(types.map((type) => ctx.ask.boundValue(ctx, owner.file, owner.scope, type)));
  }
  if (owner.is !== 'instance') return null;
  const names = ctx.symbols
    .membersOf(owner.file, owner.symbol)
    .map((member) => ctx.symbols.symbol(owner.file, member).name);
  return severalValues(
    names.map((name) => ctx.ask.settled(ctx, ctx.ask.lookup(ctx, file, owner, name, null)?.value ?? null)),
  );
}

/** The conditional type for one value, or type, of its parameter. */
function decided(type: Conditional, name: string, one: BoundType): Conditional {
  const { over: _, check, pattern, parts, ...rest } = type;
  const inside = (part: BoundType): never => bind(part, { file: 0, scope: -1, list: [one], names: [name] }) as never;
  return { ...rest, check: inside(check), pattern: inside(pattern), parts: [inside(parts[0]), inside(parts[1])] };
}

/** Value of `A extends B<infer C> ? D : E`: of `D` where `A` tells what `C` is, else of both, since nothing here decides. */
export function conditionalValue(ctx: Context, file: number, scope: number, type: Conditional): AbstractValue | null {
  const { check, pattern, inferred: names, parts, over } = type;
  if (over !== undefined && check.is === 'named') {
    const all = ctx.ask.boundValue(ctx, file, scope, over);
    const each = all?.is === 'several' && !all.together ? all.values : [all];
    return severalValues(
      each.map((value) =>
        conditionalValue(ctx, file, scope, decided(type, check.head, value === null ? over : { is: 'known', value })),
      ),
    );
  }
  if (names.length > 0) {
    const value = ctx.ask.boundValue(ctx, file, scope, check);
    const args = value === null ? undefined : inferred(ctx, { file, scope, names }, [[pattern, value]]);
    if (args !== undefined) return ctx.ask.boundValue(ctx, file, scope, bind(parts[0], args));
  }
  return severalValues(parts.map((part) => ctx.ask.boundValue(ctx, file, scope, part)));
}
