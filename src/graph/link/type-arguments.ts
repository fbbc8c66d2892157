/** Type arguments: what the names of type parameters stand for, as it is written or as values tell. */
import { splitBound } from '../../languages/roles/type-expressions.js';
import type { Context } from './context.js';
import { parseType } from './type-text.js';
import type { AbstractValue, BoundType, SymbolRef, TypeArguments } from './values.js';

/** Usual names of type parameters, where the facts do not tell which names are type parameters. */
export const PARAMETER = /^(?:[A-Z]|T[A-Z]\w*)$/;

/** Replaces type parameters by their arguments. Without known names, only a single argument tells what it belongs to. */
export function bind(type: BoundType, args: TypeArguments): BoundType {
  const inside = <T extends BoundType>(part: T): never => bind(part, args) as never;
  switch (type.is) {
    case 'list':
      return { is: 'list', element: inside(type.element) };
    case 'several':
      return { ...type, parts: type.parts.map(inside) };
    case 'tuple':
      return { is: 'tuple', items: type.items.map(inside) };
    case 'function':
      return { is: 'function', result: inside(type.result), parameters: type.parameters.map(inside) };
    case 'object': {
      const members = type.members.map(([name, part]) => [name, inside(part)] as const);
      return { is: 'object', members, ...(type.index === undefined ? {} : { index: inside(type.index) }) };
    }
    case 'mapped':
      return { ...type, of: inside(type.of), value: inside(type.value) };
    case 'member':
      return { is: 'member', of: inside(type.of), index: inside(type.index) };
    case 'conditional':
      return boundConditional(type, args, inside);
    case 'named':
      return boundName(type, args, inside);
    default:
      return type;
  }
}

function boundName(
  type: BoundType & { is: 'named' },
  args: TypeArguments,
  inside: (part: BoundType) => never,
): BoundType {
  if (type.args.length > 0) return { ...type, args: type.args.map(inside) };
  const bound = args.list[argumentOf(type.head, args)];
  if (bound === undefined) return type;
  return bound.is === 'known' ? bound : { is: 'elsewhere', file: args.file, scope: args.scope, type: bound };
}

type Conditional = BoundType & { is: 'conditional' };

/** Of `T extends … ? … : …` the argument for `T` is kept apart, since each part of a union is decided by itself. */
function boundConditional(type: Conditional, args: TypeArguments, inside: (part: BoundType) => never): BoundType {
  const { check } = type;
  const name = check.is === 'named' && check.args.length === 0 ? check.head : '';
  const own = name === '' || type.over !== undefined ? -1 : (args.names?.indexOf(name) ?? -1);
  const { names = [], list } = args;
  if (own >= 0 && own < list.length) {
    const others = { ...args, list: list.filter((_, i) => i !== own), names: names.filter((_, i) => i !== own) };
    const rest =
      others.list.length === 0
        ? type
        : (boundConditional(type, others, (part) => bind(part, others) as never) as Conditional);
    return { ...rest, over: inside(check) };
  }
  const parts = [inside(type.parts[0]), inside(type.parts[1])] as const;
  const over = type.over === undefined ? {} : { over: inside(type.over as BoundType) };
  return { ...type, ...over, check: inside(check), pattern: inside(type.pattern), parts };
}

function argumentOf(head: string, { list, names = [] }: TypeArguments): number {
  if (names.length > 0) return names.indexOf(head);
  return list.length === 1 && PARAMETER.test(head) ? 0 : -1;
}

/** Arguments with the names of the type parameters that they stand for, and with defaults for those that are left out. */
export function named(
  ctx: Context,
  { file, symbol }: SymbolRef,
  args: TypeArguments | undefined,
): TypeArguments | undefined {
  if (args?.names !== undefined) return args;
  const parameters = ctx.symbols.typeParameters(file, symbol);
  // Some languages state only the parameters that have a bound.
  if (args !== undefined && args.list.length > parameters.length) return args;
  if (parameters.length === 0) return args;
  const list: BoundType[] = [...(args?.list ?? [])];
  const readType = ctx.symbols.readType(file);
  const place = { file: args?.file ?? file, scope: args?.scope ?? symbol };
  const all = parameters.map(({ name }) => name.slice(1, -1));
  for (const { type } of parameters.slice(list.length)) {
    const usual = parseType(splitBound(type).usual, readType);
    if (usual === null) break;
    // `<T, U = T>`
    const bound = bind(usual, { ...place, list: [...list], names: all.slice(0, list.length) });
    list.push({ is: 'elsewhere', file, scope: symbol, type: bound });
  }
  return list.length === 0 ? args : { ...place, list, names: all.slice(0, list.length) };
}

interface Names {
  file: number;
  scope: number;
  names: readonly string[];
}

/** Types that have members of their first argument. */
const PARTS: ReadonlySet<string> = new Set(['Omit', 'Pick']);

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
    type: BoundType & { is: 'named' },
    value: AbstractValue,
    depth: number,
  ): void {
    const { ctx, found } = this;
    const { head, args } = type;
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
    } else if (wrappers.has(name) || PARTS.has(name)) this.match(file, scope, args[0], value, depth + 1);
    else if (collections.has(name))
      this.match(file, scope, args[args.length - 1], ctx.ask.elementOf(ctx, value), depth + 1);
    else if (value.is !== 'instance') {
      const meant = ctx.ask.expandedAlias(ctx, file, scope, type);
      // Parameters of such functions are computed from types of types: to compare them takes more steps than there are.
      for (const part of meant?.type.is === 'several' ? meant.type.parts : meant === null ? [] : [meant.type]) {
        if (part.is !== 'function') continue;
        this.match(meant?.file ?? file, meant?.scope ?? scope, part.result, ctx.ask.called(ctx, value), depth + 1);
      }
    }
  }
}
