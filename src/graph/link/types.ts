/** Resolves written types to the symbols that they name. */

import type { Binding } from '../../languages/roles/relation-facts.js';
import type { Context } from './context.js';
import { RESULT } from './file-index.js';
import { EXPECTED_KINDS, TYPES, VALUES } from './kinds.js';
import { parseType } from './type-text.js';
import { type AbstractValue, type BoundType, EXTERNAL, type SymbolRef, type TypeArguments } from './values.js';

/** Names of types that mean the enclosing type. */
const SELF: ReadonlySet<string> = new Set(['this', 'Self', 'self', 'static', '__CLASS__']);
/** Usual names of type parameters. The facts do not tell which names are type parameters. */
const PARAMETER = /^(?:[A-Z]|T[A-Z]\w*)$/;

/** Value of a type written in a file, inside of the symbol `scope`. */
export function typeValue(
  ctx: Context,
  file: number,
  scope: number,
  text: string,
  args?: TypeArguments,
): AbstractValue | null {
  const parsed = parseType(text);
  return parsed === null ? null : boundValue(ctx, file, scope, args === undefined ? parsed : bind(parsed, args));
}

/** Replaces type parameters by their arguments. Without known names, only a single argument tells what it belongs to. */
function bind(type: BoundType, args: TypeArguments): BoundType {
  if (type.is === 'list') return { is: 'list', element: bind(type.element, args) as never };
  if (type.is === 'several') return { is: 'several', parts: type.parts.map((part) => bind(part, args) as never) };
  if (type.is === 'function') {
    const parameters = type.parameters.map((part) => bind(part, args) as never);
    return { is: 'function', result: bind(type.result, args) as never, parameters };
  }
  if (type.is !== 'named') return type;
  if (type.args.length > 0) return { ...type, args: type.args.map((part) => bind(part, args) as never) };
  const bound = args.list[argumentOf(type.head, args)];
  return bound === undefined ? type : { is: 'elsewhere', file: args.file, scope: args.scope, type: bound };
}

function argumentOf(head: string, { list, names = [] }: TypeArguments): number {
  if (names.length > 0) return names.indexOf(head);
  return list.length === 1 && PARAMETER.test(head) ? 0 : -1;
}

export function boundValue(ctx: Context, file: number, scope: number, type: BoundType): AbstractValue | null {
  if (!ctx.enter()) return null;
  try {
    switch (type.is) {
      case 'elsewhere':
        return boundValue(ctx, type.file, type.scope, type.type);
      case 'list':
        return { is: 'list', file, scope, element: type.element };
      case 'function':
        return { is: 'function', file, scope, result: type.result, parameters: type.parameters };
      case 'value':
        return ctx.ask.accessPathValue(ctx, file, scope, type.chain, Number.POSITIVE_INFINITY);
      case 'several':
        return severalValues(type.parts.map((part) => boundValue(ctx, file, scope, part)));
      default:
        return namedValue(ctx, file, scope, type.head, type.args);
    }
  } finally {
    ctx.leave();
  }
}

function severalValues(values: readonly (AbstractValue | null)[]): AbstractValue | null {
  const known = values.filter((value): value is AbstractValue => value !== null);
  // Unknown parts of a union are dropped.
  if (known.length === 0) return null;
  return known.length === 1 ? known[0] : { is: 'several', values: known };
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
  if (parameter !== null) return parameter.type === '' ? null : typeValue(ctx, file, scope, parameter.type);
  const found = headValue(ctx, file, scope, head);
  const { wrappers, collections } = ctx.symbols.semantics(file);
  const name = head.slice(head.lastIndexOf('.') + 1);
  const isAlias = wrappers.has(name) && isOpaqueAlias(ctx, found);
  if (found !== null && found.is !== 'external' && !isAlias) return withArguments(found, { file, scope, list: args });
  if (args.length > 0) {
    if (wrappers.has(name)) return boundValue(ctx, file, scope, args[0]);
    if (collections.has(name)) return { is: 'list', file, scope, element: args[args.length - 1] };
  }
  return found;
}

/** `type Result<T> = std::Result<T, Error>`: what it stands for is not in the repository. */
function isOpaqueAlias(ctx: Context, value: AbstractValue | null): boolean {
  return value?.is === 'instance' && ctx.symbols.symbol(value.file, value.symbol).kind === 'type';
}

/** Maximum depth of nested symbols, above that of real code. */
const MAX_CONTAINERS = 200;

/** The type parameter with that name of a definition around `scope`. Of its arguments nothing is known. */
function typeParameterOf(ctx: Context, file: number, scope: number, head: string): Binding | null {
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

/** Instance of the type with that name; null if the name is unknown. */
function headValue(ctx: Context, file: number, scope: number, head: string): AbstractValue | null {
  if (head === '') return null;
  const key = `${file} ${scope} ${head}`;
  const known = ctx.types.get(key);
  if (known !== undefined) return known;
  // The entry ends the recursion for a type that is an alias of itself.
  ctx.types.set(key, null);
  const found = ctx.ask.findPath(ctx, file, scope, head.split('.'), EXPECTED_KINDS.type);
  const value = found === null ? undefinedType(ctx, file, head) : instanceOf(ctx, found.value);
  if (ctx.exhausted) ctx.types.delete(key);
  else ctx.types.set(key, value);
  return value;
}

/** Instance of the bound of a type parameter; null if it has none. */
export function boundOf(ctx: Context, file: number, scope: number, head: string): AbstractValue | null {
  const type = typeParameterOf(ctx, file, scope, head)?.type ?? '';
  return type === '' ? null : typeValue(ctx, file, scope, type);
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

/** Value of the type that an alias stands for. A long union has several bindings, with some of its parts in each. */
function aliasValue(ctx: Context, { file, symbol }: SymbolRef): AbstractValue | null {
  const { name, container } = ctx.symbols.symbol(file, symbol);
  const aliases = ctx.symbols
    .bindingsNamed(file, name)
    .filter((binding) => binding.scope === container && binding.name !== RESULT && binding.type !== '');
  const values = aliases.slice(0, MAX_PARTS).map(({ type }) => typeValue(ctx, file, container, type));
  // `type Priced = Cart & { price: number }` has members of its own.
  if (ctx.symbols.hasMembers(file, symbol)) values.push({ is: 'instance', file, symbol });
  return severalValues(values);
}

/** Parts of a union: generated ones have thousands. */
const MAX_PARTS = 20;
