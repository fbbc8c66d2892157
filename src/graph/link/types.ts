/** Resolves written types to the symbols that they name. */

import type { Binding } from '../../languages/roles/relation-facts.js';
import { splitBound } from '../../languages/roles/type-expressions.js';
import { aliasValue, appliedAlias, byUtility, genericAlias } from './aliases.js';
import { conditionalValue, mappedValue, memberValue } from './computed-types.js';
import type { Context } from './context.js';
import { EXPECTED_KINDS, TYPES, VALUES } from './kinds.js';
import { bind, PARAMETER } from './type-arguments.js';
import { parseType } from './type-text.js';
import {
  type AbstractValue,
  type BoundType,
  EXTERNAL,
  mapValues,
  severalValues,
  type TypeArguments,
  valuesTogether,
} from './values.js';

/** Names of types that mean the enclosing type. */
const SELF: ReadonlySet<string> = new Set(['this', 'Self', 'self', 'static', '__CLASS__']);

/** Value of a type written in a file, inside of the symbol `scope`. */
export function typeValue(
  ctx: Context,
  file: number,
  scope: number,
  text: string,
  args?: TypeArguments,
): AbstractValue | null {
  const parsed = parseType(text, ctx.symbols.readType(file));
  return parsed === null ? null : boundValue(ctx, file, scope, args === undefined ? parsed : bind(parsed, args));
}

export function boundValue(ctx: Context, file: number, scope: number, type: BoundType): AbstractValue | null {
  if (!ctx.enter()) return null;
  try {
    switch (type.is) {
      case 'elsewhere':
        return boundValue(ctx, type.file, type.scope, type.type);
      case 'known':
        return type.value;
      case 'list':
        return { is: 'list', file, scope, element: type.element };
      case 'function':
        return { is: 'function', file, scope, result: type.result, parameters: type.parameters };
      case 'value':
        return ctx.ask.accessPathValue(ctx, file, scope, type.chain, Number.POSITIVE_INFINITY);
      case 'several':
        return (type.together ? valuesTogether : severalValues)(
          type.parts.map((part) => boundValue(ctx, file, scope, part)),
        );
      case 'tuple':
        return { is: 'tuple', file, scope, items: type.items };
      case 'object':
        return { is: 'shape', file, scope, members: type.members, index: type.index };
      case 'mapped':
        return mappedValue(ctx, file, scope, type);
      case 'member':
        return memberValue(ctx, file, scope, type);
      case 'conditional':
        return conditionalValue(ctx, file, scope, type);
      case 'literal':
        return null;
      default:
        return namedValue(ctx, file, scope, type.head, type.args);
    }
  } finally {
    ctx.leave();
  }
}

/** The alias in which an object type stands; null for other values. The facts keep what calls of it take and give. */
export function instanceOfAlias(ctx: Context, value: AbstractValue): (AbstractValue & { is: 'instance' }) | null {
  if (value.is !== 'shape' || value.scope < 0) return null;
  if (ctx.symbols.symbol(value.file, value.scope).kind !== 'type') return null;
  const args = value.args === undefined ? {} : { args: value.args };
  return { is: 'instance', file: value.file, symbol: value.scope, ...args };
}

/** Value of a member by the type that another place states for it; null where none does. */
export function statedValue(ctx: Context, value: AbstractValue): AbstractValue | null {
  if (value.is !== 'symbol' || value.held === undefined) return null;
  const { file, scope, type } = value.held;
  return boundValue(ctx, file, scope, type);
}

function namedValue(
  ctx: Context,
  file: number,
  scope: number,
  head: string,
  args: readonly BoundType[],
): AbstractValue | null {
  if (SELF.has(head)) {
    const own = ctx.ask.enclosingType(ctx, file, scope);
    if (own !== null) return { is: 'instance', ...own };
  }
  const parameter = args.length > 0 ? null : typeParameterOf(ctx, file, scope, head);
  if (parameter !== null) {
    const { bound, usual } = splitBound(parameter.type);
    return bound === '' && usual === '' ? null : typeValue(ctx, file, scope, bound || usual);
  }
  const alias = genericAlias(ctx, file, scope, head);
  if (alias !== null) return appliedAlias(ctx, alias, { file, scope, list: args });
  const found = headValue(ctx, file, scope, head);
  const { wrappers, unions, typesOfTypes, collections } = ctx.symbols.semantics(file);
  const name = head.slice(head.lastIndexOf('.') + 1);
  const isAlias = wrappers.has(name) && isOpaqueAlias(ctx, found);
  if (found !== null && found.is !== 'external' && !isAlias) return withArguments(found, { file, scope, list: args });
  if (args.length > 0) {
    if (wrappers.has(name)) return boundValue(ctx, file, scope, args[0]);
    if (unions.has(name)) return severalValues(args.map((part) => boundValue(ctx, file, scope, part)));
    if (typesOfTypes.has(name)) return typeItself(boundValue(ctx, file, scope, args[0]));
    if (collections.has(name)) {
      const element = args[args.length - 1];
      // Elements of a record are its members: `carts.first`.
      if (name === 'Record') return { is: 'shape', file, scope, members: [], index: element };
      return { is: 'list', file, scope, element };
    }
    const value = byUtility(ctx, file, scope, name, args);
    if (value !== null) return value;
  }
  return found;
}

/** The type of an instance, as a value. */
function typeItself(value: AbstractValue | null): AbstractValue | null {
  if (value?.is === 'several') return mapValues(value, typeItself);
  return value?.is === 'instance' ? { ...value, is: 'symbol' } : value;
}

/** `type Result<T> = std::Result<T, Error>`: what it stands for is not in the repository. */
function isOpaqueAlias(ctx: Context, value: AbstractValue | null): boolean {
  return value?.is === 'instance' && ctx.symbols.symbol(value.file, value.symbol).kind === 'type';
}

/** Maximum depth of nested symbols, above that of real code. */
const MAX_CONTAINERS = 200;

/** The type parameter with that name of a definition around `scope`. Of its arguments nothing is known. */
export function typeParameterOf(ctx: Context, file: number, scope: number, head: string): Binding | null {
  const name = `<${head}>`;
  for (let at = scope, depth = 0; at >= 0 && depth < MAX_CONTAINERS; depth++) {
    const found = ctx.symbols.typeParameters(file, at).find((binding) => binding.name === name);
    if (found !== undefined) return found;
    at = ctx.symbols.symbol(file, at).container;
  }
  return null;
}

function withArguments(value: AbstractValue, args: TypeArguments): AbstractValue {
  return value.is === 'instance' && args.list.length > 0 && value.args === undefined ? { ...value, args } : value;
}

/** Marks a type that is being looked up. */
const OPEN: AbstractValue = { is: 'files', files: [] };

/** Instance of the type with that name; null if the name is unknown. */
function headValue(ctx: Context, file: number, scope: number, head: string): AbstractValue | null {
  if (head === '') return null;
  const key = `${file} ${scope} ${head}`;
  const known = ctx.types.get(key);
  if (known === OPEN) ctx.cut();
  if (known !== undefined) return known === OPEN ? null : known;
  // The entry ends the recursion for a type that is an alias of itself.
  ctx.types.set(key, OPEN);
  const found = ctx.ask.findPath(ctx, file, scope, head.split('.'), EXPECTED_KINDS.type);
  const value = found === null ? undefinedType(ctx, file, head) : instanceOf(ctx, found.value);
  if (ctx.exhausted) ctx.types.delete(key);
  else ctx.types.set(key, value);
  return value;
}

/** Instance of the bound of a type parameter; null if it has none. */
export function boundOf(ctx: Context, file: number, scope: number, head: string): AbstractValue | null {
  const { bound } = splitBound(typeParameterOf(ctx, file, scope, head)?.type ?? '');
  return bound === '' ? null : typeValue(ctx, file, scope, bound);
}

/** Value of a type without definition: external, unless it may be a type parameter. */
function undefinedType(ctx: Context, file: number, head: string): AbstractValue | null {
  if (PARAMETER.test(head)) return null;
  return ctx.symbols.semantics(file).runtimeType?.(head) === false ? null : EXTERNAL;
}

/** Instance of the type that a value names. */
export function instanceOf(ctx: Context, value: AbstractValue | null): AbstractValue | null {
  if (value?.is === 'files') {
    // `require('shop.cart')` means the value that the file returns.
    const whole = ctx.ask.lookup(ctx, ctx.file, value, '=', null)?.value ?? null;
    return whole?.is === 'symbol' ? instanceOf(ctx, whole) : null;
  }
  if (value === null || value.is !== 'symbol') return value?.is === 'external' ? value : null;
  const { file, symbol } = value;
  const { kind, container } = ctx.symbols.symbol(file, symbol);
  if (kind === 'type' || VALUES.has(kind)) {
    const meant = aliasValue(ctx, value);
    if (meant !== null && meant.is !== 'external') return meant;
    return kind === 'type' || ctx.symbols.semantics(file).tables ? { is: 'instance', file, symbol } : null;
  }
  if (kind === 'enum-member') return container < 0 ? null : { is: 'instance', file, symbol: container };
  return TYPES.has(kind) || kind === 'function' || kind === 'module' || kind === 'namespace'
    ? { is: 'instance', file, symbol }
    : null;
}
